#include "ranges/preflop_chances.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "abstraction/parallel.h"
#include "cards/evaluator.h"
#include "cards/isomorphism.h"

namespace nashgap {
namespace {

constexpr int kNumPreflopHands = kNumRanks * kNumRanks;  // up to the names of suits

uint32_t key_of(int rank) { return static_cast<uint32_t>(HandKey().with(make_card(rank, 0)).sum); }

int compare(uint16_t hero, uint16_t other) { return (hero > other) - (hero < other); }

// Some cards of a board: the sum of their keys and in how many ways they can come.
struct Cards {
  uint32_t key;
  int num_ways;
};

// All multisets of so many ranks, of each of which so many cards are left.
using CardCounts = std::array<int, kNumRanks>;
void add_multisets(int num_cards, const CardCounts& num_left, int first_rank, Cards chosen, std::vector<Cards>* found) {
  if (num_cards == 0) return found->push_back(chosen);
  for (int rank = first_rank; rank < kNumRanks; ++rank) {
    int num_ways = 1;
    for (int count = 1; count <= std::min(num_cards, num_left[rank]); ++count) {
      num_ways = num_ways * (num_left[rank] - count + 1) / count;
      const Cards more = {chosen.key + count * key_of(rank), chosen.num_ways * num_ways};
      add_multisets(num_cards - count, num_left, rank + 1, more, found);
    }
  }
}

std::vector<Cards> multisets(int num_cards, const CardCounts& num_left) {
  std::vector<Cards> found;
  add_multisets(num_cards, num_left, 0, {0, 1}, &found);
  return found;
}

// The cards of one suit on a board: 3 to 5, those with fewer first.
struct SuitedCards {
  uint32_t ranks;  // a bit each
  uint32_t key;
};

const std::vector<SuitedCards>& suited_cards() {
  static const std::vector<SuitedCards> table = [] {
    std::vector<SuitedCards> found;
    for (int num_cards = 3; num_cards <= 5; ++num_cards)
      for (uint32_t ranks = 0; ranks < 1U << kNumRanks; ++ranks) {
        if (std::popcount(ranks) != num_cards) continue;
        found.push_back({ranks, 0});
        for (uint32_t left = ranks; left; left &= left - 1) found.back().key += key_of(std::countr_zero(left));
      }
    return found;
  }();
  return table;
}

// Two hands over all boards: wins less losses. Counted by ranks first, as if there were no flushes; then what the
// flushes of each suit change is put right.
class Matchup {
 public:
  Matchup(const uint8_t* hole_cards, const uint8_t* other_cards) : hands_{hole_cards, other_cards} {
    num_left_.fill(kNumSuits);
    for (int h = 0; h < 2; ++h)
      for (int c = 0; c < 2; ++c) {
        keys_[h] += key_of(rank_of(hands_[h][c]));
        --num_left_[rank_of(hands_[h][c])];
      }
  }

  int score() const {
    int total = 0;
    for (const Cards& board : multisets(5, num_left_))
      total += board.num_ways * compare(strength(0, board.key), strength(1, board.key));
    for (int suit = 0; suit < kNumSuits; ++suit) total += flush_score(suit);
    return total;
  }

 private:
  // Of ranks alone.
  uint16_t strength(int hand, uint32_t board_key) const {
    const uint32_t key = keys_[hand] + board_key;
    return tables_.rank[tables_.row[key >> 16] + tables_.column[static_cast<uint16_t>(key)]];
  }

  int flush_score(int suit) const {
    std::array<uint32_t, 2> held{};  // ranks of the suit, a bit each
    for (int h = 0; h < 2; ++h)
      for (int c = 0; c < 2; ++c)
        if (suit_of(hands_[h][c]) == suit) held[h] |= 1U << rank_of(hands_[h][c]);
    CardCounts num_offsuit = num_left_;
    for (int rank = 0; rank < kNumRanks; ++rank) num_offsuit[rank] -= !((held[0] | held[1]) >> rank & 1);
    const std::array<std::vector<Cards>, 3> offsuit = {multisets(0, num_offsuit), multisets(1, num_offsuit),
                                                       multisets(2, num_offsuit)};
    const int num_held = std::max(std::popcount(held[0]), std::popcount(held[1]));
    int total = 0;
    for (const SuitedCards& suited : suited_cards()) {
      const int num_suited = std::popcount(suited.ranks);
      if (num_suited + num_held < 5 || suited.ranks & (held[0] | held[1])) continue;
      const uint16_t flush[2] = {tables_.flush_rank[suited.ranks | held[0]],
                                 tables_.flush_rank[suited.ranks | held[1]]};
      for (const Cards& others : offsuit[5 - num_suited]) {
        const uint32_t board_key = suited.key + others.key;
        const uint16_t plain[2] = {strength(0, board_key), strength(1, board_key)};
        total += others.num_ways * (compare(flush[0] ? flush[0] : plain[0], flush[1] ? flush[1] : plain[1]) -
                                    compare(plain[0], plain[1]));
      }
    }
    return total;
  }

  const EvaluatorTables& tables_ = evaluator_tables();
  std::array<const uint8_t*, 2> hands_;
  std::array<uint32_t, 2> keys_{};  // of the ranks
  CardCounts num_left_;
};

// Match-ups up to the names of suits and which hand is the hero's: one of each two that mirror each other.
class MatchupOrder {
 public:
  MatchupOrder() {
    for (int64_t i = 0; i < ordered_.size(); ++i) {
      std::array<uint8_t, 4> cards;
      ordered_.unindex(i, cards.data());
      std::swap_ranges(cards.begin(), cards.begin() + 2, cards.begin() + 2);
      const int64_t mirror = ordered_.index(cards.data());
      if (i <= mirror) chosen_.push_back(i);
      place_.push_back(i <= mirror ? static_cast<int>(chosen_.size()) - 1 : -1 - place_[mirror]);
    }
    assert(size() == kNumMatchups);
  }

  int64_t size() const { return static_cast<int64_t>(chosen_.size()); }
  void cards(int64_t i, uint8_t* cards) const { ordered_.unindex(chosen_[i], cards); }
  // What the first two cards win against the last two.
  uint32_t points(const uint8_t* cards, const uint32_t* points) const {
    const int place = place_[ordered_.index(cards)];
    return place >= 0 ? points[place] : 2 * kNumPreflopBoards - points[-1 - place];
  }

 private:
  SuitIsomorphism ordered_{{2, 2}};
  std::vector<int64_t> chosen_;
  std::vector<int> place_;  // of each in ordered_; that of a mirror as -1 - place
};

// The number of a hand among those that the names of suits cannot tell apart: a place in a square of ranks.
int preflop_class(int high, int low) {
  return suit_of(high) == suit_of(low) ? rank_of(high) * kNumRanks + rank_of(low)
                                       : rank_of(low) * kNumRanks + rank_of(high);
}

// Calls visit(hand, cards) for all hands that have neither of the cards.
template <typename Visit>
void for_each_other(const uint8_t* hole_cards, const Visit& visit) {
  for (int first = 0; first < kNumCards; ++first) {
    if (first == hole_cards[0] || first == hole_cards[1]) continue;
    for (int second = 0; second < first; ++second)
      if (second != hole_cards[0] && second != hole_cards[1])
        visit(hand_index(first, second), std::array{static_cast<uint8_t>(first), static_cast<uint8_t>(second)});
  }
}

constexpr double chance_of(uint32_t points) { return points / (2.0 * kNumPreflopBoards); }

}  // namespace

uint32_t matchup_points(const uint8_t* hole_cards, const uint8_t* other_cards) {
  return static_cast<uint32_t>(kNumPreflopBoards + Matchup(hole_cards, other_cards).score());
}

void preflop_chances(const uint8_t* hole_cards, double* chances) {
  std::fill(chances, chances + kNumHands, 0.0);
  for_each_other(hole_cards, [&](int hand, const std::array<uint8_t, 2>& cards) {
    chances[hand] = chance_of(matchup_points(hole_cards, cards.data()));
  });
}

void build_matchup_points(int num_threads, uint32_t* points) {
  const MatchupOrder matchups;
  for_each_item(matchups.size(), num_threads, [&](int64_t i) {
    std::array<uint8_t, 4> cards;
    matchups.cards(i, cards.data());
    points[i] = matchup_points(cards.data(), cards.data() + 2);
  });
}

PreflopChances::PreflopChances(const uint32_t* points) : points_(size_t{kNumPreflopHands} * kNumHands) {
  const MatchupOrder matchups;
  for (int high = 0; high < kNumRanks; ++high)
    for (int low = 0; low <= high; ++low)
      for (int suit = low == high; suit < 2; ++suit) {  // as `compute` renames them: suited, offsuit
        std::array<uint8_t, 4> cards = {static_cast<uint8_t>(make_card(high, 0)),
                                        static_cast<uint8_t>(make_card(low, suit))};
        uint32_t* row = points_.data() + preflop_class(cards[0], cards[1]) * kNumHands;
        for_each_other(cards.data(), [&](int hand, const std::array<uint8_t, 2>& other) {
          std::copy(other.begin(), other.end(), cards.begin() + 2);
          row[hand] = matchups.points(cards.data(), points);
        });
      }
}

void PreflopChances::compute(const uint8_t* hole_cards, double* chances) const {
  const auto [low, high] = std::minmax(hole_cards[0], hole_cards[1]);
  // Suits of the table's hand: the higher card's is 0, the lower's 0 or 1, the others keep their order.
  std::array<int, kNumSuits> renamed;
  renamed.fill(-1);
  int num_renamed = 0;
  renamed[suit_of(high)] = num_renamed++;
  if (renamed[suit_of(low)] < 0) renamed[suit_of(low)] = num_renamed++;
  for (int& suit : renamed)
    if (suit < 0) suit = num_renamed++;
  std::array<int, kNumCards> card_of;
  for (int card = 0; card < kNumCards; ++card) card_of[card] = make_card(rank_of(card), renamed[suit_of(card)]);

  const uint32_t* row = points_.data() + preflop_class(high, low) * kNumHands;
  for (int first = 0; first < kNumCards; ++first)
    for (int second = 0; second < first; ++second) {
      const int one = card_of[first], other = card_of[second];
      *chances++ = chance_of(row[hand_index(std::max(one, other), std::min(one, other))]);
    }
}

}  // namespace nashgap
