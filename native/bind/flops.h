// Flops, the boards of a second round, as Python tells them: one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "bind/arrays.h"
#include "poker/rules.h"

namespace nashgap {

inline void require_flops(const Rules& rules, const std::vector<uint8_t>& flops) {
  if (flops.empty()) return;
  const int num_cards = rules.num_rounds > 1 ? rules.board_cards_by(1) : 0;
  if (num_cards == 0 || flops.size() % num_cards != 0) throw nb::value_error("flops have all cards of a second round");
  uint64_t deck = 0;
  for (const uint8_t card : rules.deck()) deck |= 1ULL << card;
  for (size_t first = 0; first < flops.size(); first += num_cards) {
    uint64_t left = deck;
    for (int i = 0; i < num_cards; ++i) {
      const uint64_t bit = flops[first + i] < kNumCards ? 1ULL << flops[first + i] : 0;
      if ((left & bit) == 0) throw nb::value_error("a flop has different cards of the deck");
      left &= ~bit;
    }
  }
}

}  // namespace nashgap
