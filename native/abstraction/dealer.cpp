#include "abstraction/dealer.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nashgap {
namespace {

constexpr int kAttempts = 100'000;  // at a deal that ranges leave, before there is none
constexpr int kDraws = 64;          // of a hand that others leave, before all are looked at

}  // namespace

Dealer::Dealer(const Rules& rules, Ranges ranges) : rules_(&rules), deck_(rules.deck()), ranges_(std::move(ranges)) {
  if (!has_ranges()) return;
  for (int seat = 0; seat < rules.num_seats; ++seat) {
    Range range;
    double sum = 0.0;
    const auto add = [&](std::array<uint8_t, 2> hand) {
      const double likely = chance(seat, hand.data());
      if (likely <= 0.0) return;
      range.hands.push_back(hand);
      range.sums.push_back(sum += likely);
    };
    for (size_t high = 0; high < deck_.size(); ++high) {
      if (rules.num_hole_cards == 1) add({deck_[high], deck_[high]});
      for (size_t low = 0; rules.num_hole_cards == 2 && low < high; ++low) add({deck_[high], deck_[low]});
    }
    if (range.hands.empty()) throw std::invalid_argument("a seat has no hand");
    held_.push_back(std::move(range));
  }
  std::array<uint8_t, kNumCards> cards;
  Philox random(0, 0, 0, 0);
  for (int i = 0; !draw_from_ranges(random, cards.data()); ++i)
    if (i == kAttempts) throw std::invalid_argument("the seats' hands share their cards");
}

void Dealer::deal(Philox random, bool discards, uint8_t* cards) const {
  if (!has_ranges()) return draw_alike(random, cards);
  if (!discards) {
    while (!draw_from_ranges(random, cards)) continue;
    return;
  }
  const auto comes_here = [&] {
    for (int seat = 0; seat < rules_->num_seats; ++seat)
      if (random.uniform() >= chance(seat, cards + seat * rules_->num_hole_cards)) return false;
    return true;
  };
  do draw_alike(random, cards);
  while (!comes_here());
}

void Dealer::draw_alike(Philox& random, uint8_t* cards) const {
  std::copy(deck_.begin(), deck_.end(), cards);
  const int num_dealt = rules_->num_seats * rules_->num_hole_cards + rules_->total_board_cards();
  const int num_cards = static_cast<int>(deck_.size());
  for (int card = 0; card < num_dealt; ++card)
    std::swap(cards[card], cards[card + static_cast<int>(random.below(num_cards - card))]);
}

// False where two seats would hold the same card.
bool Dealer::draw_from_ranges(Philox& random, uint8_t* cards) const {
  uint64_t dealt = 0;
  for (int seat = 0; seat < rules_->num_seats; ++seat) {
    const uint8_t* hand = draw_hand(seat, random);
    if (dealt & cards_of(hand)) return false;
    dealt |= cards_of(hand);
    std::copy_n(hand, rules_->num_hole_cards, cards + seat * rules_->num_hole_cards);
  }
  deal_board(random, dealt, cards);
  return true;
}

void Dealer::deal_board(Philox& random, uint64_t dealt, uint8_t* cards) const {
  uint8_t* rest = cards + rules_->num_seats * rules_->num_hole_cards;
  const auto is_left = [&](uint8_t card) { return !(dealt >> card & 1); };
  const int num_left = static_cast<int>(std::copy_if(deck_.begin(), deck_.end(), rest, is_left) - rest);
  for (int card = 0; card < rules_->total_board_cards(); ++card)
    std::swap(rest[card], rest[card + static_cast<int>(random.below(num_left - card))]);
}

const uint8_t* Dealer::draw_hand(int seat, Philox& random) const {
  const Range& range = held_[seat];
  const double draw = random.uniform() * range.sums.back();
  const auto found = std::upper_bound(range.sums.begin(), range.sums.end() - 1, draw);
  return range.hands[found - range.sums.begin()].data();
}

uint64_t Dealer::cards_of(const uint8_t* hand) const {
  return uint64_t{1} << hand[0] | uint64_t{1} << hand[rules_->num_hole_cards - 1];
}

void Dealer::deal_hands(const uint8_t* cards, int seat, Philox random, std::span<Hand> hands) const {
  const int num_hole = rules_->num_hole_cards, num_dealt = rules_->num_seats * num_hole + rules_->total_board_cards();
  std::copy_n(cards + seat * num_hole, num_hole, hands[0].data());
  if (has_ranges()) {
    uint64_t dead = 0;
    for (int card = 0; card < num_dealt; ++card)
      if (card / num_hole != seat) dead |= uint64_t{1} << cards[card];
    for (Hand& hand : hands.subspan(1)) std::copy_n(draw_hand_beside(dead, seat, random), num_hole, hand.data());
    return;
  }
  std::array<uint8_t, kNumCards> left;
  std::copy_n(cards + seat * num_hole, num_hole, left.data());
  std::copy(cards + num_dealt, cards + deck_.size(), left.data() + num_hole);
  const int num_left = num_hole + static_cast<int>(deck_.size()) - num_dealt;
  for (Hand& hand : hands.subspan(1)) {
    for (int card = 0; card < num_hole; ++card)
      std::swap(left[card], left[card + static_cast<int>(random.below(num_left - card))]);
    std::copy_n(left.data(), num_hole, hand.data());
  }
}

const uint8_t* Dealer::draw_hand_beside(uint64_t dead, int seat, Philox& random) const {
  for (int i = 0; i < kDraws; ++i) {
    const uint8_t* hand = draw_hand(seat, random);
    if (!(dead & cards_of(hand))) return hand;
  }
  // The others hold nearly all of the range: of what is left, by the chances.
  const Range& range = held_[seat];
  const auto each_left = [&](auto visit) {
    double before = 0.0;
    for (size_t i = 0; i < range.hands.size(); before = range.sums[i++])
      if (!(dead & cards_of(range.hands[i].data()))) visit(range.hands[i].data(), range.sums[i] - before);
  };
  double total = 0.0;
  each_left([&](const uint8_t*, double likely) { total += likely; });
  const uint8_t* drawn = nullptr;
  double left = random.uniform() * total;
  each_left([&](const uint8_t* hand, double likely) {
    if (drawn == nullptr || left >= 0.0) drawn = hand;
    left -= likely;
  });
  return drawn;
}

}  // namespace nashgap
