// From a board to those that may come next, and back: reaches go down, values come up, images of suits included.
#pragma once

#include <array>
#include <vector>

#include "ranges/blocks.h"
#include "ranges/board_tree.h"
#include "ranges/meeting.h"

namespace nashgap {

// taken[hands of the next board] from reach[hands of the board before]; padded with zeros.
void take_to_next(const RangeHands& next_hands, const float* reach, float* taken);
// sums[hands of the board before] += what the player's hands win on the next board and its images, by their chance.
void add_from_next(const RangeBoard& next, int player, const float* next_values, float* sums);

// Showdowns before all cards lie: those that are missing are dealt in all ways.
class RunOut {
 public:
  RunOut(const BoardTree& boards, int num_rounds) : boards_(boards), scratch_(num_rounds) {}

  // values[own hands][lanes] of reach[other hands][lanes], see meet_at_showdowns.
  void meet(int64_t board, int round, int player, int num_lanes, const ShowdownPayoffs& payoffs, const float* reach,
            float* values);

 private:
  const BoardTree& boards_;
  std::vector<std::array<AlignedFloats, 2>> scratch_;  // [rounds] lanes of reach and values
};

}  // namespace nashgap
