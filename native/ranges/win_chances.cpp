#include "ranges/win_chances.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "cards/evaluator.h"
#include "cards/strength.h"
#include "ranges/postflop_chances.h"

namespace nashgap {
namespace {

// Deals the rest of a board in every way and counts what a hand wins against all others.
class Enumeration {
 public:
  struct Other {
    std::array<uint8_t, 2> cards;  // a hand of one card has it twice
    int place;
    int64_t num_points = 0;  // two a win, one a tie
    int64_t num_boards = 0;
  };

  // cards: the hand's own, then the board so far.
  Enumeration(const uint8_t* hole_cards, int num_hole_cards, const uint8_t* board, int num_dealt, int num_board_cards)
      : num_hole_cards_(num_hole_cards), num_cards_(num_hole_cards + num_board_cards) {
    std::copy_n(hole_cards, num_hole_cards, cards_.begin());
    std::copy_n(board, num_dealt, cards_.begin() + num_hole_cards);
  }

  void add(const Other& other) { others_.push_back(other); }
  const std::vector<Other>& others() const { return others_; }

  // num_known: cards of the hand and the board that are dealt. deck: those that may come, a bit a card.
  void run(int num_known, uint64_t deck, uint64_t run_out = 0) {
    if (num_known == num_cards_) return count(run_out);
    while (deck) {
      const int card = std::countr_zero(deck);
      deck &= deck - 1;
      cards_[num_known] = static_cast<uint8_t>(card);
      run(num_known + 1, deck, run_out | 1ULL << card);
    }
  }

 private:
  void count(uint64_t run_out) {
    const uint16_t own = hand_rank(cards_.data(), num_cards_);
    std::array<uint8_t, kMaxHandCards> cards = cards_;
    for (Other& other : others_) {
      if ((run_out >> other.cards[0] | run_out >> other.cards[1]) & 1) continue;
      std::copy_n(other.cards.begin(), num_hole_cards_, cards.begin());
      const uint16_t rank = hand_rank(cards.data(), num_cards_);
      other.num_points += (own > rank) + (own >= rank);
      ++other.num_boards;
    }
  }

  int num_hole_cards_, num_cards_;
  std::array<uint8_t, kMaxHandCards> cards_{};
  std::vector<Other> others_;
};

}  // namespace

WinChances::WinChances(const Rules& rules, std::shared_ptr<const PreflopChances> preflop)
    : WinChances(rules.deck(), rules.num_hole_cards, rules.total_board_cards(), std::move(preflop)) {}

WinChances::WinChances(std::vector<uint8_t> deck, int num_hole_cards, int num_board_cards,
                       std::shared_ptr<const PreflopChances> preflop)
    : deck_(std::move(deck)),
      num_hole_cards_(num_hole_cards),
      num_board_cards_(num_board_cards),
      num_places_(num_hole_cards == 2 ? kNumHands : static_cast<int>(deck_.size())),
      is_holdem_(deck_.size() == kNumCards && num_hole_cards == 2 && num_board_cards == 5),
      preflop_(std::move(preflop)) {}

void WinChances::compute(const uint8_t* hole_cards, const uint8_t* board, int num_dealt, double* chances) const {
  if (is_holdem_ && num_dealt >= 3) return postflop_chances(hole_cards, board, num_dealt, chances);
  if (is_holdem_ && num_dealt == 0)
    return preflop_ ? preflop_->compute(hole_cards, chances) : preflop_chances(hole_cards, chances);
  enumerate(hole_cards, board, num_dealt, chances);
}

void WinChances::enumerate(const uint8_t* hole_cards, const uint8_t* board, int num_dealt, double* chances) const {
  uint64_t live = 0;
  for (const uint8_t card : deck_) live |= 1ULL << card;
  for (int i = 0; i < num_hole_cards_; ++i) live &= ~(1ULL << hole_cards[i]);
  for (int i = 0; i < num_dealt; ++i) live &= ~(1ULL << board[i]);

  Enumeration enumeration(hole_cards, num_hole_cards_, board, num_dealt, num_board_cards_);
  for (size_t i = 0; i < deck_.size(); ++i) {
    if (!(live >> deck_[i] & 1)) continue;
    if (num_hole_cards_ == 1) enumeration.add({{deck_[i], deck_[i]}, static_cast<int>(i)});
    for (size_t j = 0; j < i && num_hole_cards_ == 2; ++j)
      if (live >> deck_[j] & 1) enumeration.add({{deck_[i], deck_[j]}, hand_index(deck_[i], deck_[j])});
  }
  enumeration.run(num_hole_cards_ + num_dealt, live);

  std::fill(chances, chances + num_places_, 0.0);
  for (const Enumeration::Other& other : enumeration.others())
    if (other.num_boards) chances[other.place] = other.num_points / (2.0 * other.num_boards);
}

}  // namespace nashgap
