// A card is an integer 0..51: 4 * rank + suit, ranks 0..12 = "23456789TJQKA", suits 0..3 = "cdhs".
#pragma once

#include <cstdint>

namespace nashgap {

inline constexpr int NUM_RANKS = 13;
inline constexpr int NUM_SUITS = 4;
inline constexpr int NUM_CARDS = NUM_RANKS * NUM_SUITS;
inline constexpr int NUM_HANDS = NUM_CARDS * (NUM_CARDS - 1) / 2;  // of two cards

constexpr int rank_of(int card) { return card / NUM_SUITS; }
constexpr int suit_of(int card) { return card % NUM_SUITS; }
constexpr int make_card(int rank, int suit) { return rank * NUM_SUITS + suit; }

// The place of a two-card hand in the order of all NUM_HANDS; first > second.
constexpr int hand_index(int first, int second) { return first * (first - 1) / 2 + second; }

}  // namespace nashgap
