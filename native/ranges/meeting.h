// What hands win where two ranges meet, many ranges at once.
//
// A lane is a reach of the other player's hands. Lanes lie side by side, [hand][lane], so that one pass over the hands
// in order of strength serves all of them: sums over all hands and over those with each card, from which the hands that
// cannot meet are taken off by inclusion and exclusion.
#pragma once

#include <cstdint>

#include "ranges/board_tree.h"

namespace nashgap {

inline constexpr int kLanesPerVector = 4;  // the number of lanes is a multiple of it

// values[own hand][lane] = payoff[lane] * reach of the other hands that can meet it.
void meet_at_folds(const RangeBoard& board, int player, int num_lanes, const float* reach, const float* payoff,
                   float* values);

// What is won against weaker, equal and stronger hands, [lane] each; the board is complete.
struct ShowdownPayoffs {
  const float* win;
  const float* tie;
  const float* lose;
};
void meet_at_showdowns(const RangeBoard& board, int player, int num_lanes, const float* reach,
                       const ShowdownPayoffs& payoffs, float* values);

}  // namespace nashgap
