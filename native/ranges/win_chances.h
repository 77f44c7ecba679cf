// How likely a hand is to win the showdown against each hand of the other, over all boards to come.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "poker/rules.h"
#include "ranges/preflop_chances.h"

namespace nashgap {

class WinChances {
 public:
  // Games of 1 or 2 hole cards. preflop: makes the first round of hold'em a lookup; without it, a match-up is counted
  // anew each time, which takes a fraction of a second for all hands.
  explicit WinChances(const Rules& rules, std::shared_ptr<const PreflopChances> preflop = nullptr);
  WinChances(std::vector<uint8_t> deck, int num_hole_cards, int num_board_cards,
             std::shared_ptr<const PreflopChances> preflop = nullptr);

  const std::vector<uint8_t>& deck() const { return deck_; }
  int num_hole_cards() const { return num_hole_cards_; }
  int num_board_cards() const { return num_board_cards_; }
  // How many hands there are, in the order of CardAbstraction::all_buckets: of hand_index for two hole cards, of the
  // deck for one.
  int num_places() const { return num_places_; }

  // chances[num_places]: of winning, ties half; 0 against hands that share a card with hole_cards or the board. The
  // board is what is dealt of it so far. Any number of threads may ask at once.
  void compute(const uint8_t* hole_cards, const uint8_t* board, int num_dealt, double* chances) const;

 private:
  void enumerate(const uint8_t* hole_cards, const uint8_t* board, int num_dealt, double* chances) const;

  std::vector<uint8_t> deck_;
  int num_hole_cards_, num_board_cards_, num_places_;
  bool is_holdem_;
  std::shared_ptr<const PreflopChances> preflop_;
};

}  // namespace nashgap
