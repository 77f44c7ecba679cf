// Deals for a solve: everybody's hole cards and the whole board. Behind a prefix of the betting not all hands are
// alike: each seat holds one that has taken its actions there, those who folded among them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cards/card.h"
#include "poker/rules.h"
#include "random/philox.h"

namespace nashgap {

// [seat][hand, in the order of Rules::hand_place]: how likely the hand is to come to where the deal is wanted.
using Ranges = std::vector<std::vector<double>>;

class Dealer {
 public:
  // ranges: none where all hands are alike. Throws std::invalid_argument where they leave no deal, as far as many
  // attempts show.
  Dealer(const Rules& rules, Ranges ranges);

  bool has_ranges() const { return !ranges_.empty(); }
  const std::vector<uint8_t>& deck() const { return deck_; }

  // cards[kNumCards]: everybody's hole cards, seat by seat, then the board; what follows is not dealt.
  // discards: deal all cards alike, and again where a seat's hand has not come here; else hands are drawn from the
  // ranges, and again only where they share a card. Both are the same deals.
  void deal(Philox random, bool discards, uint8_t* cards) const;
  // Hands of a seat, each on the board and against the other seats' hands of the deal: the one that it was dealt, then
  // others. hands[h]: its hole cards come first, the rest is left alone.
  using Hand = std::array<uint8_t, kMaxHandCards>;
  void deal_hands(const uint8_t* cards, int seat, Philox random, std::span<Hand> hands) const;

 private:
  // The hands that a seat may hold: cards, and the sum of the chances up to each.
  struct Range {
    std::vector<std::array<uint8_t, 2>> hands;
    std::vector<double> sums;
  };

  void draw_alike(Philox& random, uint8_t* cards) const;
  bool draw_from_ranges(Philox& random, uint8_t* cards) const;
  void deal_board(Philox& random, uint64_t dealt, uint8_t* cards) const;
  const uint8_t* draw_hand(int seat, Philox& random) const;
  const uint8_t* draw_hand_beside(uint64_t dead, int seat, Philox& random) const;
  uint64_t cards_of(const uint8_t* hand) const;
  double chance(int seat, const uint8_t* hand) const { return ranges_[seat][rules_->hand_place(hand)]; }

  const Rules* rules_;
  std::vector<uint8_t> deck_;
  Ranges ranges_;
  std::vector<Range> held_;  // by seat
};

}  // namespace nashgap
