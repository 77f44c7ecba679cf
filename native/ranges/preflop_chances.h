// Hold'em before the flop: what each hand wins against each other over all 1,712,304 boards.
#pragma once

#include <cstdint>
#include <vector>

#include "cards/card.h"

namespace nashgap {

inline constexpr int kNumPreflopBoards = 1712304;  // 5 of the 48 cards that two hands leave
inline constexpr int kNumMatchups = 47008;         // of two hands, up to the names of suits and which is whose

// Twice the boards on which the first hand wins, plus those that tie. The four cards must differ.
uint32_t matchup_points(const uint8_t* hole_cards, const uint8_t* other_cards);

// chances[kNumHands]: of winning, ties half; 0 against hands that share a card. Counted anew: see PreflopChances.
void preflop_chances(const uint8_t* hole_cards, double* chances);

// points[kNumMatchups]: those of SuitIsomorphism({2, 2}), in its order, whose mirror is not before them. Takes seconds.
void build_matchup_points(int num_threads, uint32_t* points);

// All match-ups as a table: the answer for every hand is a lookup.
class PreflopChances {
 public:
  // points: as build_matchup_points has them.
  explicit PreflopChances(const uint32_t* points);

  // As preflop_chances.
  void compute(const uint8_t* hole_cards, double* chances) const;

 private:
  std::vector<uint32_t> points_;  // [hand up to the names of suits, kNumHands]
};

}  // namespace nashgap
