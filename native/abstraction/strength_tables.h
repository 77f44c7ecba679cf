// Exact strength of every two-card hand on every board of hold'em, street by street.
//
// On a complete board one sort of the 1081 hands and, per card, the numbers of weaker and equal hands give all
// strengths at once. Earlier streets are averages over the cards to come, hand and board fixed: every deal counts once.
//
// Boards are sets of cards up to a renaming of the suits. The row of a board is that of its canonical renaming, in the
// order of hand_index; a level is a strength as a whole number, monotone in it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abstraction/board_places.h"
#include "cards/card.h"
#include "cards/isomorphism.h"

namespace nashgap {

inline constexpr uint16_t kNoLevel = 65535;    // the hand shares a card with the board
inline constexpr uint16_t kLevelUnit = 65534;  // strength 1, where a level is rounded
inline constexpr int kRiverUnit = 1980;        // strength 1 against one hand on the river: twice the 990 hands

// kOneHand: E[HS]; kOneHandSquared: E[HS^2], the mean over the opponent squared, then averaged over the boards;
// kTwoHands: the share of the pot against two random hands, ties split among who ties; kTwoHandsSquared: its square,
// averaged over the boards.
enum class StrengthMetric : uint8_t { kOneHand = 0, kOneHandSquared = 1, kTwoHands = 2, kTwoHandsSquared = 3 };

constexpr bool is_against_two(StrengthMetric metric) { return metric >= StrengthMetric::kTwoHands; }
constexpr bool is_squared(StrengthMetric metric) {
  return metric == StrengthMetric::kOneHandSquared || metric == StrengthMetric::kTwoHandsSquared;
}
// What one river level of the metric is a share of; and what it adds to the sum of an earlier street, of one that wins
// for sure.
constexpr int river_unit(StrengthMetric metric) { return is_against_two(metric) ? kLevelUnit : kRiverUnit; }
constexpr int64_t river_summand(StrengthMetric metric) {
  return is_squared(metric) ? int64_t{river_unit(metric)} * river_unit(metric) : river_unit(metric);
}

// The two cards of every hand, the higher first.
const std::array<std::array<uint8_t, 2>, kNumHands>& cards_of_hands();

// The classes of boards of so many cards, 0 to 5.
class BoardIndex {
 public:
  struct Place {
    int64_t board;
    std::array<uint8_t, kNumSuits> suit_map;  // suit on the table -> suit of the canonical board

    uint32_t suit_code() const {
      return static_cast<uint32_t>(suit_map[0] | suit_map[1] << 2 | suit_map[2] << 4 | suit_map[3] << 6);
    }
    int card(int table_card) const { return (table_card & ~3) | suit_map[table_card & 3]; }
    int hand(const uint8_t* hole_cards) const {
      const int first = card(hole_cards[0]), second = card(hole_cards[1]);
      return first > second ? hand_index(first, second) : hand_index(second, first);
    }
  };

  explicit BoardIndex(int num_cards);

  int num_cards() const { return num_cards_; }
  int64_t size() const { return size_; }
  Place find(const uint8_t* board) const;
  // cards[num_cards()] of a canonical board; returns how many boards are renamings of it.
  int unindex(int64_t board, uint8_t* cards) const;

 private:
  int num_cards_;
  int64_t size_;
  std::vector<SuitIsomorphism> isomorphism_;  // none for the empty board
};

// For each renaming of the suits, where the canonical row has a hand of the table. suit_code: as of a BoardPlace.
const std::array<uint16_t, kNumHands>& hand_map(uint32_t suit_code);

// levels[kNumHands] of one complete board.
void river_levels(StrengthMetric metric, const uint8_t* board, uint16_t* levels);

// levels[num_boards, kNumHands] of all canonical river boards.
void build_river_levels(StrengthMetric metric, int num_threads, uint16_t* levels);

// The earlier streets from the river's levels. turn, flop: [num_boards, kNumHands]; preflop[169]: exact, by class of
// SuitIsomorphism({2}). Sums are whole numbers throughout and rounded once.
void build_earlier_levels(StrengthMetric metric, const uint16_t* river, int num_threads, uint16_t* turn, uint16_t* flop,
                          double* preflop);

// strengths[kNumHands] on one board of 3 to 5 cards without any table, by going through all boards to come; -1 for
// hands that share a card with it.
void board_strengths(StrengthMetric metric, const uint8_t* board, int num_board_cards, double* strengths);

}  // namespace nashgap
