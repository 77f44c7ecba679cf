#include "abstraction/lossless_small.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace nashgap {

bool LosslessSmall::fits(const Rules& rules) {
  if (rules.num_hole_cards < 1 || rules.num_hole_cards > 2) return false;
  int64_t num_codes = 1;
  for (int i = 0; i < rules.num_hole_cards + rules.total_board_cards(); ++i) {
    num_codes *= rules.num_suits * rules.num_ranks;
    if (num_codes > kMaxCodes) return false;
  }
  return true;
}

LosslessSmall::LosslessSmall(const Rules& rules) : rules_(rules), deck_(rules.deck()) {
  const auto deck_size = static_cast<int64_t>(deck_.size());
  for (size_t i = 0; i < deck_.size(); ++i) place_[deck_[i]] = static_cast<uint8_t>(i);
  for (int round = 0; round < rules.num_rounds; ++round) {
    const int num_cards = rules.num_hole_cards + rules.board_cards_by(round);
    int64_t num_codes = 1;
    for (int i = 0; i < num_cards; ++i) num_codes *= deck_size;
    std::vector<int32_t> bucket_of(num_codes, -1);
    std::vector<uint8_t> cards(num_cards), sorted;
    int32_t num_found = 0;
    for (int64_t code = 0; code < num_codes; ++code) {
      for (int64_t i = num_cards - 1, rest = code; i >= 0; --i, rest /= deck_size)
        cards[i] = static_cast<uint8_t>(rest % deck_size);
      // In ascending order within each round a deal has its least code, which has been met before all others.
      sorted = cards;
      auto end = sorted.begin() + rules.num_hole_cards;
      std::sort(sorted.begin(), end);
      for (int r = 0; r <= round; ++r) {
        const auto start = std::exchange(end, end + rules.num_board_cards[r]);
        std::sort(start, end);
      }
      int64_t least = 0;
      uint64_t seen = 0;
      for (const uint8_t card : sorted) {
        least = least * deck_size + card;
        seen |= 1ULL << card;
      }
      if (std::popcount(seen) != num_cards) continue;
      bucket_of[code] = least == code ? num_found++ : bucket_of[least];
    }
    bucket_of_.push_back(std::move(bucket_of));
    num_buckets_.push_back(num_found);
  }
}

bool LosslessSmall::is_for(const Rules& rules) const {
  return rules.num_suits == rules_.num_suits && rules.num_ranks == rules_.num_ranks &&
         rules.num_hole_cards == rules_.num_hole_cards && rules.num_rounds <= rules_.num_rounds &&
         std::equal(rules.num_board_cards.begin(), rules.num_board_cards.begin() + rules.num_rounds,
                    rules_.num_board_cards.begin());
}

void LosslessSmall::hand_buckets(const uint8_t* hole_cards, const DealtBoard& board, int last_round,
                                 int32_t* buckets) const {
  const uint8_t* card = board.cards;
  const auto deck_size = static_cast<int64_t>(deck_.size());
  int64_t code = 0;
  for (int i = 0; i < rules_.num_hole_cards; ++i) code = code * deck_size + place_[hole_cards[i]];
  for (int round = 0; round <= last_round; ++round) {
    for (int i = 0; i < rules_.num_board_cards[round]; ++i) code = code * deck_size + place_[*card++];
    buckets[round] = bucket_of_[round][code];
  }
}

void LosslessSmall::all_buckets(const uint8_t* board, int round, int32_t* buckets) const {
  const DealtBoard dealt = deal_board(board, round);
  std::array<int32_t, kMaxRounds> by_round;
  if (rules_.num_hole_cards == 1) {
    for (size_t i = 0; i < deck_.size(); ++i) {
      hand_buckets(&deck_[i], dealt, round, by_round.data());
      buckets[i] = by_round[round];
    }
    return;
  }
  std::fill(buckets, buckets + kNumHands, -1);
  for (size_t i = 0; i < deck_.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const uint8_t hole_cards[2] = {deck_[i], deck_[j]};
      hand_buckets(hole_cards, dealt, round, by_round.data());
      buckets[hand_index(deck_[i], deck_[j])] = by_round[round];
    }
}

}  // namespace nashgap
