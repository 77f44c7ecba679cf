// What the samplings of poker MCCFR share: their deals, and the arithmetic of the sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "abstraction/abstract_game.h"
#include "poker/rules.h"
#include "poker/state.h"
#include "random/philox.h"

namespace nashgap {

// What an iteration's streams of random numbers are for.
inline constexpr uint64_t kDealing = 1;
inline constexpr uint64_t kRegretPass = 2;
inline constexpr uint64_t kAveragePass = 3;
inline constexpr uint64_t kSelfPlay = 4;
inline constexpr uint64_t kPruning = 5;
inline constexpr uint64_t kMoreHands = 6;
inline constexpr uint64_t kSubtreePass = 7;

// One deal: everybody's bucket in every round, and strength at the end.
struct Deal {
  DealBuckets buckets;
  std::array<uint16_t, kMaxSeats> strength{};

  void draw(const AbstractGame& game, bool discards, Philox random) {
    const Rules& rules = game.rules();
    std::array<uint8_t, kNumCards> cards;
    game.dealer().deal(random, discards, cards.data());
    const uint8_t* board = cards.data() + rules.num_seats * rules.num_hole_cards;
    deal_buckets(game, cards.data(), board, buckets);
    showdown_strength(rules, cards.data(), board, game.tree().truncation.num_board_cards(rules), strength.data());
  }

  // The first entry of the node's infoset.
  int64_t entry(const AbstractGame::Node& node) const { return node.entry(buckets[node.lens][node.round]); }
};

// Threads add to the same entries without waiting for each other. A lost update is one sample less; a race on plain
// floats would be undefined. (By the compiler's own words, since not every library has std::atomic_ref yet.)
template <typename T>
T read(T& entry) {
  T value;
  __atomic_load(&entry, &value, __ATOMIC_RELAXED);
  return value;
}
template <typename T>
void write(T& entry, double value) {
  T number = static_cast<T>(value);
  __atomic_store(&entry, &number, __ATOMIC_RELAXED);
}

// Regret matching: in proportion to positive regret, uniformly where none is positive. Returns the sum of the weights.
template <typename T>
double match_weights(T* regret_sum, int num_actions, double* weight) {
  double total = 0.0;
  for (int a = 0; a < num_actions; ++a) {
    weight[a] = std::max<double>(read(regret_sum[a]), 0.0);
    total += weight[a];
  }
  if (total > 0.0) return total;
  std::fill(weight, weight + num_actions, 1.0);
  return num_actions;
}

template <typename T>
void match(T* regret_sum, int num_actions, double* strategy) {
  const double scale = 1.0 / match_weights(regret_sum, num_actions, strategy);
  for (int a = 0; a < num_actions; ++a) strategy[a] *= scale;
}

// An action in proportion to its weight. total: the sum in this order, which no draw reaches in spite of rounding.
inline int sample(Philox& random, const double* weight, double total, int num_actions) {
  const double draw = random.uniform() * total;
  double sum = 0.0;
  int choice = 0;
  for (int a = 0; a + 1 < num_actions; ++a) {  // without branches that could be guessed wrong
    sum += weight[a];
    choice += sum <= draw;
  }
  return choice;
}

template <typename T>
void add_regret(T& regret_sum, double regret, double floor) {
  write(regret_sum, std::max(read(regret_sum) + regret, floor));
}

template <typename T>
void add_average(T* strategy_sum, const double* strategy, double weight, int num_actions) {
  for (int a = 0; a < num_actions; ++a) write(strategy_sum[a], read(strategy_sum[a]) + weight * strategy[a]);
}

}  // namespace nashgap
