#include "poker/dealt_hand.h"

#include <array>
#include <utility>

namespace nashgap {

DealtHand::DealtHand(std::shared_ptr<const Rules> rules, int64_t number, std::vector<uint8_t> cards)
    : rules_(std::move(rules)), number_(number), cards_(std::move(cards)), state_(rules_) {
  betting_ = state_.betting_text();
  deal_board();
}

void DealtHand::deal_board() {
  const int dealt = static_cast<int>(state_.board().size());
  state_.put_on_board(board() + dealt, state_.num_missing_cards());
}

void DealtHand::act(Action action) {
  const int round = state_.betting().round();
  append_action(*rules_, action, betting_);
  state_.play(action);
  betting_.append(state_.betting().round() - round, '/');
  deal_board();
}

std::string DealtHand::message(int seat) const {
  const BettingState& betting = state_.betting();
  const bool is_showdown = betting.is_over() && betting.num_active() > 1;
  std::string text = "MATCHSTATE:" + std::to_string(seat) + ':' + std::to_string(number_) + ':' + betting_ + ':';
  for (int other = 0; other < rules_->num_seats; ++other) {
    if (other > 0) text += '|';
    if (other == seat || (is_showdown && !betting.has_folded(other)))
      append_cards(hole_cards(other), rules_->num_hole_cards, text);
  }
  append_board(*rules_, betting.round(), board(), text);
  return text;
}

std::string DealtHand::cards_text() const {
  std::string text;
  for (int seat = 0; seat < rules_->num_seats; ++seat) {
    if (seat > 0) text += '|';
    append_cards(hole_cards(seat), rules_->num_hole_cards, text);
  }
  append_board(*rules_, state_.betting().round(), board(), text);
  return text;
}

std::vector<int64_t> DealtHand::payoff_shares() const {
  std::array<uint16_t, kMaxSeats> strength{};
  if (state_.betting().num_active() > 1)
    showdown_strength(*rules_, cards_.data(), board(), rules_->total_board_cards(), strength.data());
  std::vector<int64_t> shares(rules_->num_seats);
  payoffs(*rules_, state_.betting().ending(), strength.data(), shares.data());
  return shares;
}

}  // namespace nashgap
