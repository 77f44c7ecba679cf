// What handles must have in common to be used together. A kernel follows the tables of one along the betting of
// another, so that they are of the same game is asked once, here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bind/arrays.h"
#include "poker/betting_tree.h"
#include "poker/state.h"

namespace nashgap {

inline constexpr int kMaxThreads = 1024;

[[noreturn]] inline void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

inline void require_within(int64_t value, int64_t low, int64_t high, const char* name) {
  if (value < low || value > high)
    refuse(std::string(name) + " is " + std::to_string(value) + "; " + std::to_string(low) + " to " +
           std::to_string(high) + " are allowed");
}

inline void require_threads(int num_threads) { require_within(num_threads, 1, kMaxThreads, "num_threads"); }

inline void require_same_game(const Rules& rules, const Rules& other, const char* name) {
  if (rules != other) refuse(std::string(name) + " is of another game");
}

inline void require_range_hands(const Rules& rules) {
  if (rules.num_hole_cards > 2) throw nb::value_error("ranges are of hands of 1 or 2 hole cards");
}

// Whose betting the abstraction can tell, and in which every decision has few enough actions to write them down.
inline void require_fit(const Rules& rules, const BettingAbstraction& abstraction) {
  constexpr int32_t kMostRaises = 1'000'000;  // of one decision
  for (int round = 0; round < rules.num_rounds; ++round)
    if (abstraction.sizes[0][round].empty()) throw nb::value_error("the abstraction has fewer rounds than the game");
  const int num_seats = static_cast<int>(abstraction.sizes.size());
  if (num_seats != 1 && num_seats != rules.num_seats) throw nb::value_error("the abstraction is for other seats");
  if (rules.betting == Betting::kLimit || std::ranges::max(rules.stacks) <= kMostRaises) return;
  const auto has_every = [](const std::vector<RaiseSize>& sizes) {
    return std::ranges::find(sizes, RaiseKind::kEvery, &RaiseSize::kind) != sizes.end();
  };
  bool is_large = false;
  for (const SizesByRound& by_round : abstraction.sizes)
    for (const auto& by_raise : by_round) is_large |= std::ranges::any_of(by_raise, has_every);
  for (const auto& donk : abstraction.donks) is_large |= donk.has_value() && has_every(*donk);
  if (is_large) refuse("every size of a raise is for stacks of up to " + std::to_string(kMostRaises) + " chips");
}

// The first of the cards that is not of the deck, or among those seen, or there twice; `number` where all are fine.
inline size_t first_wrong_card(const Rules& rules, const uint8_t* cards, size_t number, uint64_t seen) {
  for (size_t i = 0; i < number; ++i) {
    const uint8_t card = cards[i];
    const bool is_of_deck = card < kNumCards && rank_of(card) >= kNumRanks - rules.num_ranks &&
                            suit_of(card) >= kNumSuits - rules.num_suits;
    if (!is_of_deck || seen >> card & 1) return i;
    seen |= uint64_t{1} << card;
  }
  return number;
}

inline void require_unseen(const Rules& rules, const uint8_t* cards, size_t number, uint64_t seen = 0) {
  const size_t wrong = first_wrong_card(rules, cards, number, seen);
  if (wrong < number) refuse("card " + std::to_string(cards[wrong]) + " is not of the deck, or there twice");
}

inline uint64_t bits_of(const std::vector<uint8_t>& cards) {
  uint64_t bits = 0;
  for (const uint8_t card : cards) bits |= uint64_t{1} << card;
  return bits;
}

// What a seat may hold in a state.
inline bool can_hold(const PublicState& state, const std::vector<uint8_t>& hole_cards) {
  const size_t number = hole_cards.size();
  return static_cast<int>(number) == state.rules().num_hole_cards &&
         first_wrong_card(state.rules(), hole_cards.data(), number, bits_of(state.board())) == number;
}

// Moves that a player is said to make in a state: an action, or the least and the greatest of several raises.
template <typename Moves>
void require_moves(const PublicState& state, const Moves& moves) {
  if (moves.empty()) throw nb::value_error("an answer has at least one move");
  for (const auto& move : moves)
    if (move.low > move.high || (move.low <= kCall && move.low != move.high) ||
        !state.betting().is_legal(state.rules(), move.low) || !state.betting().is_legal(state.rules(), move.high))
      refuse("a move from " + std::to_string(move.low) + " to " + std::to_string(move.high) + " is not legal");
}

// Numbers that follow each other, as many as there are.
inline void require_row(int64_t first, int64_t number, const char* name) {
  constexpr int64_t kMost = int64_t{1} << 62;
  require_within(first, 0, kMost, name);
  require_within(number, 0, kMost, name);
}

}  // namespace nashgap
