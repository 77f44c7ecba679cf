#include "abstraction/round_buckets.h"

#include <algorithm>
#include <array>
#include <bit>

#include "abstraction/parallel.h"
#include "abstraction/strength_tables.h"
#include "cards/evaluator.h"

namespace nashgap {

void RoundBuckets::all_buckets(const uint8_t* board_cards, int64_t board, const int64_t* rows, int32_t* buckets) const {
  for (int hand = 0; hand < kNumHands; ++hand)
    buckets[hand] = rows[hand] < 0 ? -1 : bucket({cards_of_hands()[hand].data(), board_cards, board, rows[hand]}, 0);
}

void LevelCuts::all_buckets(const uint8_t*, int64_t, const int64_t* rows, int32_t* buckets) const {
  for (int hand = 0; hand < kNumHands; ++hand)
    buckets[hand] = rows[hand] < 0 ? -1 : bucket_of_level_[levels_[rows[hand]]];
}

LosslessRound::LosslessRound(int street)
    : street_(street), classes_(street ? std::vector<int>{2, kStreetBoardCards[street]} : std::vector<int>{2}) {}

int32_t LosslessRound::bucket(const PlacedHand& hand, int64_t) const {
  uint8_t cards[7];
  std::copy_n(hand.hole_cards, 2, cards);
  std::copy_n(hand.board_cards, kStreetBoardCards[street_], cards + 2);
  return static_cast<int32_t>(classes_.index(cards));
}

RankBuckets::RankBuckets(int num_threads) {
  const BoardIndex boards(5);
  std::vector<std::vector<uint16_t>> by_board(boards.size());
  for_each_item(boards.size(), num_threads, [&](int64_t board) {
    uint8_t cards[5];
    uint16_t ranks[kNumHands];
    boards.unindex(board, cards);
    hand_ranks_on_board(cards, 5, ranks);
    std::array<uint64_t, (1 << 16) / 64> is_there{};  // a set is in order without a sort
    for (const uint16_t rank : ranks) is_there[rank >> 6] |= 1ULL << (rank & 63);
    is_there[0] &= ~1ULL;  // hands that share a card with the board
    for (size_t word = 0; word < is_there.size(); ++word)
      for (uint64_t left = is_there[word]; left != 0; left &= left - 1)
        by_board[board].push_back(static_cast<uint16_t>(word * 64 + static_cast<size_t>(std::countr_zero(left))));
  });
  for (const std::vector<uint16_t>& ranks : by_board) {
    first_.push_back(static_cast<int32_t>(ranks_.size()));
    ranks_.insert(ranks_.end(), ranks.begin(), ranks.end());
  }
  first_.push_back(static_cast<int32_t>(ranks_.size()));
}

int32_t RankBuckets::bucket(const PlacedHand& hand, int64_t) const {
  const uint16_t rank = HandKey::of<5>(hand.board_cards).with(hand.hole_cards[0]).with(hand.hole_cards[1]).rank();
  const int32_t first = first_[hand.board];
  return first + count_cuts(ranks_.data() + first, first_[hand.board + 1] - first, rank) - 1;
}

}  // namespace nashgap
