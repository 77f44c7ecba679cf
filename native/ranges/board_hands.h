// The private hands that a board leaves, and what each wins against a range: a number for every hand of the other.
//
// Hands that share a card cannot meet. They are taken off by inclusion and exclusion: all hands, less those with one of
// the cards, plus the hand itself, which has been taken off once for each of its cards. All hands together cost a few
// passes over the hands, not over the pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "poker/rules.h"

namespace nashgap {

class BoardHands {
 public:
  // Games of 1 or 2 hole cards.
  explicit BoardHands(const Rules& rules);

  // board: all of it. dead: cards that are in none of the hands, a bit a card; those of the board always are.
  void deal(const uint8_t* board, uint64_t dead);

  // Hands are numbered from 0 in order of strength, the weakest first.
  int size() const { return static_cast<int>(hands_.size()); }
  int num_hole_cards() const { return num_hole_cards_; }
  const uint8_t* cards(int hand) const { return hands_[hand].cards; }
  uint16_t strength(int hand) const { return hands_[hand].strength; }
  // Where CardAbstraction::all_buckets has the hand.
  int place(int hand) const { return hands_[hand].place; }
  int num_places() const { return num_places_; }

  // values[hand]: the reach of all hands of the other that can meet it, times the payoff.
  void fold_values(const double* reach, double payoff, double* values) const;
  // The same, with what the hand wins against weaker, equal and stronger ones.
  void showdown_values(const double* reach, double win, double tie, double lose, double* values) const;

 private:
  struct Hand {
    uint16_t strength;
    uint8_t cards[2];  // a hand of one card has the first alone
    int32_t place;
  };

  template <int kNumHoleCards>
  void fold(const double* reach, double payoff, double* values) const;
  template <int kNumHoleCards>
  void showdown(const double* reach, double win, double tie, double lose, double* values) const;

  std::vector<uint8_t> deck_;
  int num_hole_cards_, num_board_cards_, num_places_;
  std::vector<Hand> hands_;
};

}  // namespace nashgap
