// One hand at the dealer, its cards all dealt beforehand; what each seat is told. See nashgap/arena/acpc/hand.py.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "poker/notation.h"

namespace nashgap {

class DealtHand {
 public:
  // cards: hole cards seat by seat, then the whole board.
  DealtHand(std::shared_ptr<const Rules> rules, int64_t number, std::vector<uint8_t> cards);

  // What has happened; no board card is missing.
  const PublicState& state() const { return state_; }
  const std::string& betting_text() const { return betting_; }
  // The state as the seat may see it: its own cards, and at a showdown those of everybody who did not fold.
  std::string message(int seat) const;
  // All hole cards, and the board as far as it was dealt.
  std::string cards_text() const;
  // The action must be legal.
  void act(Action action);
  // [N] what each seat won, in shares of a chip. The hand must be over.
  std::vector<int64_t> payoff_shares() const;

 private:
  const uint8_t* hole_cards(int seat) const { return cards_.data() + seat * rules_->num_hole_cards; }
  const uint8_t* board() const { return hole_cards(rules_->num_seats); }
  void deal_board();

  std::shared_ptr<const Rules> rules_;
  int64_t number_;
  std::vector<uint8_t> cards_;
  PublicState state_;
  std::string betting_;
};

}  // namespace nashgap
