// Hold'em on the flop, turn and river: what a hand wins against every other, exactly.
//
// All hands at once, from two facts. Flushes apart, strength depends on ranks alone, so that the other's hands are 91
// pairs of ranks, compared together; what their suits rule out is taken off card by card. And a flush is the best hand
// of its seven cards and depends on the cards of its suit alone, so that flushes are put right suit by suit.
#pragma once

#include <cstdint>

namespace nashgap {

// chances[kNumHands]: of winning, ties half; 0 against hands that share a card. num_board_cards: 3 to 5.
void postflop_chances(const uint8_t* hole_cards, const uint8_t* board, int num_board_cards, double* chances);

}  // namespace nashgap
