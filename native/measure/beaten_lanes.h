// What is won at showdowns before all cards lie: those that are missing are dealt in all ways.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/lane_kernels.h"
#include "ranges/blocks.h"
#include "ranges/board_tree.h"

namespace nashgap {

LaneHands hands_of(const RangeBoard& board, int player);

class BeatenLanes {
 public:
  BeatenLanes(const BoardTree& boards, int num_rounds, const LaneKernels& kernels)
      : boards_(boards), kernels_(kernels), scratch_(num_rounds) {}

  // beaten[own hands][lanes]: of reach[other hands][lanes], that of the weaker hands less that of the stronger.
  void find(int64_t board, int round, int player, int num_lanes, const float* reach, float* beaten);

 private:
  struct Scratch {
    AlignedFloats reach, beaten, by_card, met;
    std::vector<int32_t> starts;
    std::vector<float> ones;

    LaneSums sums() { return {by_card.data(), met.data()}; }
  };

  void sweep(const RangeBoard& board, int player, int num_lanes, const float* reach, Scratch& scratch);

  const BoardTree& boards_;
  const LaneKernels& kernels_;
  std::vector<Scratch> scratch_;  // [rounds]
};

}  // namespace nashgap
