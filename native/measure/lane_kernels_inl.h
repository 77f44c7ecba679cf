// See lane_kernels.h. Included once for each width of vectors, in a file that is compiled for it: nothing here may be
// shared with other files, so that no code for newer machines gets into theirs.
#pragma once

#include <cstdint>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "measure/lane_kernels.h"
#include "memory/vectors.h"

namespace nashgap {
namespace {

#ifdef __AVX2__
constexpr int kWidth = 8;
#else
constexpr int kWidth = 4;
#endif
constexpr int kMostSteps = 6;  // of lanes in a tile
constexpr int kNumHands = kHandsPerBlock;

typedef float Lanes __attribute__((vector_size(4 * kWidth), may_alias));

static inline Lanes load(const float* from) {
  Lanes lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
static inline void store(float* to, const Lanes& lanes) { __builtin_memcpy(to, &lanes, sizeof lanes); }

// What turning four rows into columns takes from two vectors, quad by quad.
#ifdef __AVX2__
static inline Lanes low(const Lanes& a, const Lanes& b) { return NASHGAP_SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13); }
static inline Lanes high(const Lanes& a, const Lanes& b) { return NASHGAP_SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15); }
static inline Lanes even(const Lanes& a, const Lanes& b) { return NASHGAP_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13); }
static inline Lanes odd(const Lanes& a, const Lanes& b) { return NASHGAP_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15); }
#else
static inline Lanes low(const Lanes& a, const Lanes& b) { return NASHGAP_SHUFFLE(a, b, 0, 4, 1, 5); }
static inline Lanes high(const Lanes& a, const Lanes& b) { return NASHGAP_SHUFFLE(a, b, 2, 6, 3, 7); }
static inline Lanes even(const Lanes& a, const Lanes& b) { return NASHGAP_SHUFFLE(a, b, 0, 1, 4, 5); }
static inline Lanes odd(const Lanes& a, const Lanes& b) { return NASHGAP_SHUFFLE(a, b, 2, 3, 6, 7); }
#endif

// Two quads from memory, or one, as wide as a vector is.
static inline Lanes quads(const float* low, [[maybe_unused]] const float* high) {
#ifdef __AVX2__
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
#else
  return load(low);
#endif
}

// Each of the numbers fills a quad.
static inline Lanes fill_quads(const float* numbers) {
#ifdef __AVX2__
  double pair;
  __builtin_memcpy(&pair, numbers, sizeof pair);
  const __m256 both = _mm256_castps128_ps256(_mm_castpd_ps(_mm_set_sd(pair)));
  return _mm256_permutevar8x32_ps(both, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
#else
  return Lanes{} + *numbers;
#endif
}
constexpr int kQuads = kWidth / kLanesPerQuad;

// The reach on kNum vectors of lanes, from `first` on.
template <int kNum>
struct TileReach {
  const LaneRows rows;
  const HandMass mass;

  TileReach(const LaneReach& reach, int first)
      : rows{reach.rows.first + first, reach.rows.start},
        mass{reach.mass.first + first / kLanesPerQuad, reach.mass.place, reach.mass.stride} {}
};
template <int kNum>
struct HandReach {
  const float* row;
  const float* mass;

  HandReach(const TileReach<kNum>& reach, int hand)
      : row(reach.rows.first + reach.rows.start[hand]),
        mass(reach.mass.first + reach.mass.place[hand] * reach.mass.stride) {}
  Lanes operator[](int k) const { return fill_quads(mass + k * kQuads) * load(row + k * kWidth); }
};

// What has been added up for the cards of a hand.
template <int kNum>
struct CardRows {
  const float* one;
  const float* other;

  CardRows(const float* by_card, const uint8_t* cards)
      : one(by_card + cards[0] * (kNum * kWidth)), other(by_card + cards[1] * (kNum * kWidth)) {}
  // Of the hands that share no card with this one; the same hand is taken off twice.
  Lanes apart(const Lanes& total, int k) const { return total - load(one + k * kWidth) - load(other + k * kWidth); }
};

// Sums over hands, [card][kNum]; a hand of one card has a row of zeros, then comes that of the total.
template <int kNum>
struct TileSums {
  float* by_card;
  Lanes total[kNum] = {};

  explicit TileSums(float* rows) : by_card(rows) {
    for (int i = 0; i < kSumRows * kNum; ++i) store(by_card + i * kWidth, Lanes{});
  }
  void add(const uint8_t* cards, const HandReach<kNum>& reach) {
    float* one = by_card + cards[0] * (kNum * kWidth);
    // The row of the total is written last, and may be spoiled before.
    float* other = by_card + (cards[1] == kNoCard ? kSumRows - 1 : cards[1]) * (kNum * kWidth);
    for (int k = 0; k < kNum; ++k) {
      const Lanes each = reach[k];
      total[k] += each;
      store(one + k * kWidth, load(one + k * kWidth) + each);
      store(other + k * kWidth, load(other + k * kWidth) + each);
    }
  }
  void keep() const {
    for (int k = 0; k < kNum; ++k) store(by_card + ((kSumRows - 1) * kNum + k) * kWidth, total[k]);
  }
};

template <int kNum>
void sum_tile(const LaneHands& hands, const TileReach<kNum>& reach, float* by_card) {
  TileSums<kNum> sums(by_card);
  for (int hand = 0; hand < hands.num_other; ++hand) sums.add(hands.other_cards + 2 * hand, {reach, hand});
  sums.keep();
}

template <int kNum>
void sweep_tile(const LaneHands& hands, const TileReach<kNum>& reach, float* by_card, float* met) {
  TileSums<kNum> sums(by_card);
  const uint8_t *const other_cards = hands.other_cards, *const own_cards = hands.own_cards;
  int other = 0, hand = 0;
  for (int number = 0; number < hands.num_classes; ++number) {
    const StrengthClass strength = hands.classes[number];
    const int begin = hand;
    for (; other < strength.weaker_end; ++other) sums.add(other_cards + 2 * other, {reach, other});
    for (hand = begin; hand < strength.own_end; ++hand) {
      const CardRows<kNum> rows(by_card, own_cards + 2 * hand);
      float* place = met + int64_t{hand} * (kNum * kWidth);
      for (int k = 0; k < kNum; ++k) store(place + k * kWidth, rows.apart(sums.total[k], k));
    }
    for (; other < strength.equal_end; ++other) sums.add(other_cards + 2 * other, {reach, other});
    for (hand = begin; hand < strength.own_end; ++hand) {
      const CardRows<kNum> rows(by_card, own_cards + 2 * hand);
      float* place = met + int64_t{hand} * (kNum * kWidth);
      for (int k = 0; k < kNum; ++k) store(place + k * kWidth, load(place + k * kWidth) + rows.apart(sums.total[k], k));
    }
  }
  for (; other < hands.num_other; ++other) sums.add(other_cards + 2 * other, {reach, other});
  sums.keep();
}

// [16 hands][lanes] to [lanes][16 hands].
template <int kNum>
void turn(const Lanes (&rows)[kNumHands][kNum], float* cells) {
  const auto* floats = reinterpret_cast<const float*>(&rows[0][0]);
  constexpr int kRow = kNum * kWidth;
  for (int lane = 0; lane < kRow; lane += 4)
    for (int hand = 0; hand < kNumHands; hand += kWidth) {
      const float* from = floats + hand * kRow + lane;
      Lanes four[4];
      for (int i = 0; i < 4; ++i) four[i] = quads(from + i * kRow, from + (4 + i) * kRow);
      const Lanes low_ab = low(four[0], four[1]), high_ab = high(four[0], four[1]);
      const Lanes low_cd = low(four[2], four[3]), high_cd = high(four[2], four[3]);
      float* to = cells + lane * kNumHands + hand;
      store(to, even(low_ab, low_cd));
      store(to + kNumHands, odd(low_ab, low_cd));
      store(to + 2 * kNumHands, even(high_ab, high_cd));
      store(to + 3 * kNumHands, odd(high_ab, high_cd));
    }
}

template <int kNum, bool kIsComplete>
double fill_tile(const LaneHands& hands, const LaneReach& reach, const float* by_card, const float* met,
                 const LaneWeights* weights, int first_lane, int first_hand, float* cells) {
  const TileReach<kNum> others(reach, first_lane);
  const float* total = by_card + (kSumRows - 1) * (kNum * kWidth);
  Lanes all[kNumHands][kNum], beaten[kNumHands][kNum];
  const int number = hands.num_own - first_hand < kNumHands ? hands.num_own - first_hand : kNumHands;
  for (int i = 0; i < number; ++i) {
    const int hand = first_hand + i, same = hands.same[hand];
    const CardRows<kNum> rows(by_card, hands.own_cards + 2 * hand);
    const float* not_stronger = met + int64_t{hand} * (kNum * kWidth);
    for (int k = 0; k < kNum; ++k) {
      all[i][k] = rows.apart(load(total + k * kWidth), k);
      if constexpr (kIsComplete) beaten[i][k] = load(not_stronger + k * kWidth) - all[i][k];
    }
    if (same < 0) continue;
    const HandReach<kNum> taken_twice(others, same);
    for (int k = 0; k < kNum; ++k) all[i][k] += taken_twice[k];
  }
  for (int i = number; i < kNumHands; ++i)
    for (int k = 0; k < kNum; ++k) all[i][k] = beaten[i][k] = Lanes{};
  turn<kNum>(all, cells + first_lane * kNumHands);
  if constexpr (kIsComplete) turn<kNum>(beaten, cells + (reach.num_lanes + first_lane) * kNumHands);
  if (weights == nullptr) return 0.0;
  double won = 0.0;
  for (int i = 0; i < number; ++i) {
    const int hand = first_hand + i;
    const float* of_met = weights->met.first + weights->met.start[hand] + first_lane;
    const float* of_beaten = weights->beaten.first + weights->beaten.start[hand] + first_lane;
    const float* mass = weights->mass.first + weights->mass.place[hand] * weights->mass.stride +
                        first_lane / kLanesPerQuad;
    Lanes sums[kLanesPerStep / kWidth] = {};
    for (int k = 0; k < kNum; ++k) {
      Lanes each = all[i][k] * load(of_met + k * kWidth);
      if constexpr (kIsComplete) each += beaten[i][k] * load(of_beaten + k * kWidth);
      sums[k % (kLanesPerStep / kWidth)] += fill_quads(mass + k * kQuads) * each;
    }
    float parts[kLanesPerStep];
    __builtin_memcpy(parts, sums, sizeof parts);
    for (const float part : parts) won += part;
  }
  return won;
}

// Calls `pass` for all tiles with the number of vectors as a constant.
template <typename Pass>
void for_each_tile(int num_lanes, Pass&& pass) {
  constexpr int kPerStep = kLanesPerStep / kWidth;
  const int num_steps = num_lanes / kLanesPerStep;
  for (int first = 0; first < num_steps;) {
    const int left = num_steps - first;
    const int num_tiles = (left + kMostSteps - 1) / kMostSteps;  // equal ones: seven are four and three
    const int number = (left + num_tiles - 1) / num_tiles;
    const int lane = first * kLanesPerStep;
    switch (number) {
      case 1: pass.template operator()<1 * kPerStep>(lane); break;
      case 2: pass.template operator()<2 * kPerStep>(lane); break;
      case 3: pass.template operator()<3 * kPerStep>(lane); break;
      case 4: pass.template operator()<4 * kPerStep>(lane); break;
      case 5: pass.template operator()<5 * kPerStep>(lane); break;
      default: pass.template operator()<kMostSteps * kPerStep>(lane);
    }
    first += number;
  }
}

void sum(const LaneHands& hands, const LaneReach& reach, const LaneSums& sums) {
  for_each_tile(reach.num_lanes, [&]<int kNum>(int lane) {
    sum_tile<kNum>(hands, TileReach<kNum>(reach, lane), sums.by_card + lane * kSumRows);
  });
}

void sweep(const LaneHands& hands, const LaneReach& reach, const LaneSums& sums) {
  for_each_tile(reach.num_lanes, [&]<int kNum>(int lane) {
    sweep_tile<kNum>(hands, TileReach<kNum>(reach, lane), sums.by_card + lane * kSumRows,
                     sums.met + int64_t{lane} * hands.num_own);
  });
}

double fill(const LaneHands& hands, const LaneReach& reach, const LaneSums& sums, const LaneWeights* weights, int first,
            bool is_complete, float* cells) {
  double total = 0.0;
  for_each_tile(reach.num_lanes, [&]<int kNum>(int lane) {
    const float* by_card = sums.by_card + lane * kSumRows;
    const float* met = sums.met + int64_t{lane} * hands.num_own;
    total += is_complete ? fill_tile<kNum, true>(hands, reach, by_card, met, weights, lane, first, cells)
                         : fill_tile<kNum, false>(hands, reach, by_card, met, weights, lane, first, cells);
  });
  return total;
}

void add_beaten(const LaneHands& hands, int num_lanes, const LaneSums& sums, const int32_t* places, float chance,
                float* added) {
  const Lanes factor = Lanes{} + chance;
  for_each_tile(num_lanes, [&]<int kNum>(int lane) {
    const float* by_card = sums.by_card + lane * kSumRows;
    const float* met = sums.met + int64_t{lane} * hands.num_own;
    const float* total = by_card + (kSumRows - 1) * (kNum * kWidth);
    for (int hand = 0; hand < hands.num_own; ++hand) {
      const CardRows<kNum> rows(by_card, hands.own_cards + 2 * hand);
      const float* not_stronger = met + int64_t{hand} * (kNum * kWidth);
      float* to = added + int64_t{places[hand]} * num_lanes + lane;
      for (int k = 0; k < kNum; ++k) {
        const Lanes beaten = load(not_stronger + k * kWidth) - rows.apart(load(total + k * kWidth), k);
        store(to + k * kWidth, load(to + k * kWidth) + factor * beaten);
      }
    }
  });
}

void climb(const ClimbNode* nodes, int num_nodes, const ClimbChild* children, float* cells) {
  constexpr int kNum = kNumHands / kWidth;
  for (int number = num_nodes; number-- > 0;) {
    const ClimbNode node = nodes[number];
    const ClimbChild* child = children + node.first;
    Lanes value[kNum];
    for (int k = 0; k < kNum; ++k) value[k] = load(cells + child->cell * kNumHands + k * kWidth) * child->factor;
    for (int i = 1; i < node.number; ++i) {
      ++child;
      for (int k = 0; k < kNum; ++k) {
        const Lanes each = load(cells + child->cell * kNumHands + k * kWidth) * child->factor;
        value[k] = node.is_best ? (value[k] > each ? value[k] : each) : value[k] + each;
      }
    }
    for (int k = 0; k < kNum; ++k) store(cells + node.cell * kNumHands + k * kWidth, value[k]);
  }
}

constexpr LaneKernels kKernels = {sum, sweep, fill, add_beaten, climb};

}  // namespace
}  // namespace nashgap
