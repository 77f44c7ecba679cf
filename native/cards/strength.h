// How good a two-card hand is on a board, against one opponent who may hold any other two cards.
//
// The measures of Billings, Papp, Schaeffer and Szafron (1998), with a look ahead of one card: the strength of a hand
// now, and how often the next board card turns a worse hand into the better one, or the better into the worse.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cards/card.h"

namespace nashgap {

// The place of a hand in the order of all kNumHands, its two cards in either order.
inline int hole_index(const uint8_t* hole_cards) {
  return hole_cards[0] > hole_cards[1] ? hand_index(hole_cards[0], hole_cards[1])
                                       : hand_index(hole_cards[1], hole_cards[0]);
}

// Ties count half throughout.
struct HandPotential {
  double strength;  // HS: share of the opponent's hands that ours is ahead of
  double positive;  // PPot: when we are behind, how often the next card puts us ahead
  double negative;  // NPot: when we are ahead, how often the next card puts us behind

  // HS against so many opponents, as if they held cards independently.
  double strength_against(int num_opponents) const;
  // EHS = HS (1 - NPot) + (1 - HS) PPot, with HS against so many opponents.
  double effective(int num_opponents) const;
};

// The hands of one board, now and after each next card. Building it costs some 50,000 evaluations, an answer little.
class BoardStrength {
 public:
  // num_board_cards: 3 to 5, all different; after the fifth there is no next card and no potential.
  BoardStrength(const uint8_t* board, int num_board_cards);

  // Exact, by enumeration of the opponent's hands and the next card. The cards must not be on the board.
  HandPotential potential(const uint8_t* hole_cards) const;

 private:
  std::array<uint16_t, kNumHands> now_;
  std::vector<uint8_t> next_cards_;
  std::vector<uint16_t> then_;  // [next card, hand]; 0 where they share a card
};

// strengths[kNumHands]: of every hand, the share of all hands on the board that it beats, ties half; 0 for hands that
// share a card with the board. Hands count even if they share a card with each other: close to HS, and much cheaper for
// all hands at once.
void strength_order(const uint8_t* board, int num_board_cards, float* strengths);

}  // namespace nashgap
