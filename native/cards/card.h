// A card is an integer 0..51: 4 * rank + suit, ranks 0..12 = "23456789TJQKA", suits 0..3 = "cdhs".
#pragma once

#include <cstdint>

namespace nashgap {

inline constexpr int kNumRanks = 13;
inline constexpr int kNumSuits = 4;
inline constexpr int kNumCards = kNumRanks * kNumSuits;
inline constexpr int kNumHands = kNumCards * (kNumCards - 1) / 2;  // of two cards
inline constexpr int kMaxHandCards = 10;  // hole and board cards of one player that the evaluator ranks

constexpr int rank_of(int card) { return card / kNumSuits; }
constexpr int suit_of(int card) { return card % kNumSuits; }
constexpr int make_card(int rank, int suit) { return rank * kNumSuits + suit; }

// The place of a two-card hand in the order of all kNumHands; first > second.
constexpr int hand_index(int first, int second) { return first * (first - 1) / 2 + second; }

}  // namespace nashgap
