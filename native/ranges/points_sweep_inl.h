// See points_sweep.h. Included once for each width of vectors, in a file that is compiled for it: nothing here may be
// shared with other files, so that no code for newer machines gets into theirs.
#pragma once

#include <cstdint>

#include "ranges/points_sweep.h"

namespace nashgap {
namespace {

#ifdef __AVX2__
typedef double Part __attribute__((vector_size(32)));
#else
typedef double Part __attribute__((vector_size(16)));
#endif
constexpr int kParts = kSweepLanes * static_cast<int>(sizeof(double)) / static_cast<int>(sizeof(Part));

// The lanes of one hand or sum.
struct Lanes {
  Part parts[kParts];

  static Lanes at(const double* from) {
    Lanes lanes;
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return lanes;
  }
  void put(double* to) const { __builtin_memcpy(to, this, sizeof *this); }
  void operator+=(const Lanes& other) {
    for (int i = 0; i < kParts; ++i) parts[i] += other.parts[i];
  }
  void operator-=(const Lanes& other) {
    for (int i = 0; i < kParts; ++i) parts[i] -= other.parts[i];
  }
};

template <int kNumHoleCards>
void add_points(const OrderedHands& ordered, const double* reach, double* points) {
  Lanes total{};
  Lanes by_card[kNumCards] = {};
  // Of the hands so far that share no card with this one.
  const auto apart = [&](const OrderedHand& hand) {
    Lanes left = total;
    left -= by_card[hand.cards[0]];
    if constexpr (kNumHoleCards == 2) left -= by_card[hand.cards[1]];
    return left;
  };
  const OrderedHand* const hands = ordered.hands.data();
  int32_t begin = 0;
  for (const int32_t end : ordered.ends) {
    for (int32_t i = begin; i < end; ++i) {
      double* own = points + int64_t{hands[i].place} * kSweepLanes;
      Lanes sum = Lanes::at(own);
      sum += apart(hands[i]);
      sum.put(own);
    }
    for (int32_t i = begin; i < end; ++i) {
      const Lanes each = Lanes::at(reach + int64_t{hands[i].place} * kSweepLanes);
      total += each;
      for (int c = 0; c < kNumHoleCards; ++c) by_card[hands[i].cards[c]] += each;
    }
    for (int32_t i = begin; i < end; ++i) {
      const int64_t at = int64_t{hands[i].place} * kSweepLanes;
      Lanes sum = apart(hands[i]);
      if constexpr (kNumHoleCards == 2) sum += Lanes::at(reach + at);  // the hand itself was taken off twice
      sum += Lanes::at(points + at);
      sum.put(points + at);
    }
    begin = end;
  }
}

constexpr AddPoints kAddPoints[] = {add_points<1>, add_points<2>};

}  // namespace
}  // namespace nashgap
