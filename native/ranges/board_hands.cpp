#include "ranges/board_hands.h"

#include <algorithm>
#include <array>

#include "cards/evaluator.h"

namespace nashgap {
namespace {

// The reach of some hands: in all, and of those with each card.
template <int kNumHoleCards>
struct ReachSum {
  double total = 0.0;
  std::array<double, kNumCards> by_card{};

  void add(const uint8_t* cards, double reach) {
    total += reach;
    for (int c = 0; c < kNumHoleCards; ++c) by_card[cards[c]] += reach;
  }

  // Of those hands that share no card with this one, which is not among them.
  double apart(const uint8_t* cards) const {
    double with_card = by_card[cards[0]];
    if constexpr (kNumHoleCards == 2) with_card += by_card[cards[1]];
    return total - with_card;
  }

  // The same where this hand, of so much reach, is among them.
  double apart_from_own(const uint8_t* cards, double reach) const {
    return kNumHoleCards == 2 ? apart(cards) + reach : apart(cards);
  }
};

}  // namespace

BoardHands::BoardHands(const Rules& rules)
    : deck_(rules.deck()),
      num_hole_cards_(rules.num_hole_cards),
      num_board_cards_(rules.total_board_cards()),
      num_places_(rules.num_hole_cards == 2 ? kNumHands : static_cast<int>(deck_.size())) {}

void BoardHands::deal(const uint8_t* board, uint64_t dead) {
  std::array<uint8_t, kMaxHandCards> cards{};
  for (int i = 0; i < num_board_cards_; ++i) {
    cards[num_hole_cards_ + i] = board[i];
    dead |= 1ULL << board[i];
  }
  hands_.clear();
  const auto add = [&](int place) {
    const uint16_t strength = hand_rank(cards.data(), num_hole_cards_ + num_board_cards_);
    hands_.push_back({strength, {cards[0], num_hole_cards_ == 2 ? cards[1] : uint8_t{0}}, place});
  };
  for (size_t i = 0; i < deck_.size(); ++i) {
    cards[0] = deck_[i];
    if (dead >> cards[0] & 1) continue;
    if (num_hole_cards_ == 1) {
      add(static_cast<int>(i));
      continue;
    }
    for (size_t j = 0; j < i; ++j) {
      cards[1] = deck_[j];
      if (!(dead >> cards[1] & 1)) add(hand_index(cards[0], cards[1]));
    }
  }
  std::stable_sort(hands_.begin(), hands_.end(),
                   [](const Hand& one, const Hand& other) { return one.strength < other.strength; });
}

void BoardHands::fold_values(const double* reach, double payoff, double* values) const {
  num_hole_cards_ == 2 ? fold<2>(reach, payoff, values) : fold<1>(reach, payoff, values);
}

void BoardHands::showdown_values(const double* reach, double win, double tie, double lose, double* values) const {
  num_hole_cards_ == 2 ? showdown<2>(reach, win, tie, lose, values) : showdown<1>(reach, win, tie, lose, values);
}

template <int kNumHoleCards>
void BoardHands::fold(const double* reach, double payoff, double* values) const {
  ReachSum<kNumHoleCards> all;
  for (int hand = 0; hand < size(); ++hand) all.add(cards(hand), reach[hand]);
  for (int hand = 0; hand < size(); ++hand) values[hand] = payoff * all.apart_from_own(cards(hand), reach[hand]);
}

template <int kNumHoleCards>
void BoardHands::showdown(const double* reach, double win, double tie, double lose, double* values) const {
  ReachSum<kNumHoleCards> met;
  for (int begin = 0, end; begin < size(); begin = end) {
    for (end = begin; end < size() && strength(end) == strength(begin); ++end)
      values[end] = (win - tie) * met.apart(cards(end));
    for (int hand = begin; hand < end; ++hand) met.add(cards(hand), reach[hand]);
    for (int hand = begin; hand < end; ++hand)
      values[hand] += (tie - lose) * met.apart_from_own(cards(hand), reach[hand]);
  }
  for (int hand = 0; hand < size(); ++hand) values[hand] += lose * met.apart_from_own(cards(hand), reach[hand]);
}

}  // namespace nashgap
