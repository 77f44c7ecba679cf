// What the samplings of poker MCCFR share: their deals, and the arithmetic of the sums.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "poker/rules.h"
#include "random/philox.h"

namespace nashgap {

// What an iteration's streams of random numbers are for.
inline constexpr uint64_t kDealing = 1;
inline constexpr uint64_t kRegretPass = 2;
inline constexpr uint64_t kAveragePass = 3;
inline constexpr uint64_t kSelfPlay = 4;

// cards[kNumCards]: everybody's hole cards, seat by seat, then the board; what follows is not dealt.
inline void draw_cards(const Rules& rules, const std::vector<uint8_t>& deck, Philox random, uint8_t* cards) {
  std::copy(deck.begin(), deck.end(), cards);
  const int num_dealt = rules.num_seats * rules.num_hole_cards + rules.total_board_cards();
  const int num_cards = static_cast<int>(deck.size());
  for (int card = 0; card < num_dealt; ++card)
    std::swap(cards[card], cards[card + static_cast<int>(random.below(num_cards - card))]);
}

// Threads add to the same entries without waiting for each other. A lost update is one sample less; a race on plain
// floats would be undefined.
template <typename T>
T read(T& entry) {
  return std::atomic_ref<T>(entry).load(std::memory_order_relaxed);
}
template <typename T>
void write(T& entry, double value) {
  std::atomic_ref<T>(entry).store(static_cast<T>(value), std::memory_order_relaxed);
}

// Regret matching: in proportion to positive regret, uniformly where none is positive.
template <typename T>
void match(T* regret_sum, int num_actions, double* strategy) {
  double total = 0.0;
  for (int a = 0; a < num_actions; ++a) {
    strategy[a] = std::max<double>(read(regret_sum[a]), 0.0);
    total += strategy[a];
  }
  const double scale = total > 0.0 ? 1.0 / total : 0.0, rest = total > 0.0 ? 0.0 : 1.0 / num_actions;
  for (int a = 0; a < num_actions; ++a) strategy[a] = strategy[a] * scale + rest;
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
