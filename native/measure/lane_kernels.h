// The loops in which best responses over all hands spend their time, for vectors of four and of eight floats.
//
// A lane is a reach of the other player's hands: that of where a street begins, times what the hand's class does from
// there on. It is never stored: one pass over the hands in order of strength finds what each own hand meets on all
// lanes side by side. Lanes go in tiles whose sums stay in registers and near them; numbers do not depend on the width
// of vectors.
#pragma once

#include <cstdint>

#include "ranges/board_tree.h"

namespace nashgap {

inline constexpr int kLanesPerQuad = 4;  // lanes of one street lie in whole quads
inline constexpr int kLanesPerStep = 8;  // the number of lanes is a multiple of it
inline constexpr int kSumRows = kNumCards + 2;

// Numbers of classes of hands, [lanes]; start: [hands] where that of its class is.
struct LaneRows {
  const float* first;
  const int32_t* start;
};
// How likely hands are to come to where the streets of lanes begin, [places][quads]; place: [hands], on the board
// before.
struct HandMass {
  const float* first;
  const int32_t* place;
  int64_t stride;

  const float* of(int hand) const { return first + place[hand] * stride; }
};
// reach[hand][lane] = rows[hand][lane] * mass[hand][lane / 4].
struct LaneReach {
  int num_lanes;
  LaneRows rows;
  HandMass mass;
};

// The hands of both players on a board. classes: of the own hands, where all cards lie.
struct LaneHands {
  int num_own, num_other;
  const uint8_t* own_cards;  // [hands][2]
  const uint8_t* other_cards;
  const int32_t* same;  // where the other player has the own hand; -1: nowhere
  const StrengthClass* classes;
  int num_classes;
};

// What the passes over all hands find, tile by tile: sums of reach by the card that hands have, with the sum of all in
// the last row, and for each own hand the reach of the weaker hands, and of those not stronger, added.
struct LaneSums {
  float* by_card;  // [tiles][kSumRows][lanes of the tile]
  float* met;      // [tiles][own hands][lanes of the tile]
};

// What own hands do by the strategy, as weights of what they have met on lanes and of what they have beaten there.
struct LaneWeights {
  LaneRows met, beaten;
  HandMass mass;
};

// A decision, from the cells of what follows: the best of them, or their sum.
struct ClimbNode {
  int32_t first, number;  // in ClimbChild
  int32_t cell;
  bool is_best;
};
struct ClimbChild {
  int32_t cell;
  float factor;
};

struct LaneKernels {
  // Fills by_card of `sums`; where the board is complete `met`, too.
  void (*sum)(const LaneHands& hands, const LaneReach& reach, const LaneSums& sums);
  void (*sweep)(const LaneHands& hands, const LaneReach& reach, const LaneSums& sums);
  // cells[lane][16] of the own hands from `first` on: the reach of all hands that each can meet; where the board is
  // complete also of the weaker ones less the stronger ones, after them. Returns what is won by the weights, if any.
  double (*fill)(const LaneHands& hands, const LaneReach& reach, const LaneSums& sums, const LaneWeights* weights,
                 int first, bool is_complete, float* cells);
  // sums[places[hand]][lanes] += chance * (reach of the weaker hands less that of the stronger), after a sweep.
  void (*add_beaten)(const LaneHands& hands, int num_lanes, const LaneSums& sums, const int32_t* places, float chance,
                     float* added);
  void (*climb)(const ClimbNode* nodes, int num_nodes, const ClimbChild* children, float* cells);
};

extern const LaneKernels kNarrowKernels;
extern const LaneKernels kWideKernels;

// The widest that this machine can run.
const LaneKernels& lane_kernels();

}  // namespace nashgap
