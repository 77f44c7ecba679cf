#include "abstraction/holdem_buckets.h"

#include <algorithm>

#include "abstraction/strength_tables.h"

namespace nashgap {

HoldemBuckets::HoldemBuckets(const std::vector<Round>& rounds) {
  for (const Round& round : rounds) rounds_.push_back({round.own, round.own->size(), memory(round.remembered)});
}

bool HoldemBuckets::is_for(const Rules& rules) const {
  if (rules.num_suits != kNumSuits || rules.num_ranks != kNumRanks || rules.num_hole_cards != 2) return false;
  for (int round = 0; round < rules.num_rounds; ++round)
    if (round >= num_rounds() || rules.board_cards_by(round) != kStreetBoardCards[round]) return false;
  return true;
}

Memory HoldemBuckets::memory(const std::vector<int>& remembered) const {
  Memory memory;
  for (const int round : remembered) {
    memory.rounds[memory.num_rounds] = round;
    memory.sizes[memory.num_rounds++] = rounds_[round].num_own;
    memory.num_parents *= rounds_[round].num_own;
  }
  return memory;
}

void HoldemBuckets::own_buckets(const uint8_t* hole_cards, const DealtBoard& board, int last_round,
                                int32_t* own) const {
  for (int number = 0; number <= last_round; ++number) {
    const BoardPlace place = board.places[number];
    own[number] = rounds_[number].own->bucket({hole_cards, board.cards, place.board(), place.row(hole_cards)},
                                              rounds_[number].memory.parent(own));
  }
}

void HoldemBuckets::prefetch(const uint8_t* hole_cards, const DealtBoard& board, int last_round) const {
  for (int number = 1; number <= last_round; ++number)
    rounds_[number].own->prefetch(board.places[number].row(hole_cards));
}

void HoldemBuckets::hand_buckets(const uint8_t* hole_cards, const DealtBoard& board, int last_round,
                                 int32_t* buckets) const {
  std::array<int32_t, kNumStreets> own;
  own_buckets(hole_cards, board, last_round, own.data());
  for (int number = 0; number <= last_round; ++number) {
    const PlacedRound& round = rounds_[number];
    buckets[number] = static_cast<int32_t>(round.memory.parent(own.data()) * round.num_own + own[number]);
  }
}

void HoldemBuckets::all_buckets(const uint8_t* board, int round_number, int32_t* buckets) const {
  const DealtBoard dealt = place_board(board, round_number);
  uint64_t on_board = 0;
  for (int i = 0; i < kStreetBoardCards[round_number]; ++i) on_board |= 1ULL << board[i];
  const PlacedRound& last = rounds_[round_number];
  const BoardPlace place = dealt.places[round_number];
  std::array<int, kNumCards> cards;  // in the suits of the canonical board; -1: on it
  for (int card = 0; card < kNumCards; ++card) cards[card] = on_board >> card & 1 ? -1 : place.card(card);
  std::array<int64_t, kNumHands> rows;
  const int64_t first_row = place.board() * kNumHands;
  for (int first = 1; first < kNumCards; ++first)
    for (int second = 0; second < first; ++second) {
      const auto [low, high] = std::minmax(cards[first], cards[second]);
      rows[hand_index(first, second)] = low < 0 ? -1 : first_row + hand_index(high, low);
    }
  if (last.memory.num_rounds == 0) return last.own->all_buckets(board, place.board(), rows.data(), buckets);
  std::array<int32_t, kNumStreets> by_round;
  for (int hand = 0; hand < kNumHands; ++hand) {
    if (rows[hand] >= 0) hand_buckets(cards_of_hands()[hand].data(), dealt, round_number, by_round.data());
    buckets[hand] = rows[hand] < 0 ? -1 : by_round[round_number];
  }
}

}  // namespace nashgap
