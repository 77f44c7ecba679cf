// One pass over the hands of a complete board in order of strength: what each wins against four ranges side by side.
//
// Compiled for vectors of two doubles and, where the machine has them, of four; either finds the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "poker/private_hands.h"
#include "poker/rules.h"

namespace nashgap {

inline constexpr int kSweepLanes = 4;

struct OrderedHand {
  uint16_t place;
  uint8_t cards[2];  // a hand of one card has the first alone
};

// The hands that a complete board leaves, the weakest first.
struct OrderedHands {
  OrderedHands(const Rules& rules, const PrivateHands& all, const uint8_t* board);

  std::vector<OrderedHand> hands;
  std::vector<int32_t> ends;  // of each run of hands that are equally strong
};

// points[place][lanes] += twice the reach[place][lanes] of the weaker hands that can meet each, plus that of equal
// ones.
using AddPoints = void (*)(const OrderedHands& hands, const double* reach, double* points);

// For hands of one or two cards; the widest that this machine can run, or the narrow one.
AddPoints points_sweep(int num_hole_cards, bool is_narrow = false);

}  // namespace nashgap
