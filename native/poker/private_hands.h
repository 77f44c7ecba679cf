// All private hands of one or two cards that a game deals, in the order of Rules::hand_place.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "poker/rules.h"

namespace nashgap {

struct PrivateHands {
  explicit PrivateHands(const Rules& rules) : cards(rules.num_private_hands()), places_with(kNumCards) {
    const std::vector<uint8_t> deck = rules.deck();
    for (const uint8_t first : deck) {
      if (rules.num_hole_cards == 1) {
        add(rules, {first, first});
        continue;
      }
      for (const uint8_t second : deck) {
        if (second >= first) break;
        add(rules, {first, second});
      }
    }
  }

  std::vector<std::array<uint8_t, 2>> cards;      // [hands]; of places that no hand of the deck has, nothing
  std::vector<int32_t> places;                    // of the hands of the deck
  std::vector<std::vector<int32_t>> places_with;  // [card] those that have it

 private:
  void add(const Rules& rules, std::array<uint8_t, 2> hand) {
    const int place = rules.hand_place(hand.data());
    cards[place] = hand;
    places.push_back(place);
    for (int i = 0; i < rules.num_hole_cards; ++i) places_with[hand[i]].push_back(place);
  }
};

}  // namespace nashgap
