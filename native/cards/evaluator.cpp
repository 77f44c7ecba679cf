#include "cards/evaluator.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <vector>

namespace nashgap {
namespace {

enum Category {
  kHighCard,
  kPair,
  kTwoPair,
  kThreeOfAKind,
  kStraight,
  kFlush,
  kFullHouse,
  kFourOfAKind,
  kStraightFlush,
};

uint16_t make_rank(Category category, int ordinal) { return static_cast<uint16_t>(category << 12 | ordinal); }

int highest(uint32_t mask) { return std::bit_width(mask) - 1; }

uint32_t keep_highest(uint32_t mask, int num_bits) {
  while (std::popcount(mask) > num_bits) mask &= mask - 1;
  return mask;
}

// Kickers compare as the numbers that their masks are, so a mask's ordinal is the number of smaller masks that have at
// most as many bits as there is room for kickers.
class KickerOrder {
 public:
  KickerOrder() {
    for (int num_kickers = 1; num_kickers <= 5; ++num_kickers) {
      uint16_t ordinal = 0;
      for (uint32_t mask = 0; mask < kNumMasks; ++mask) {
        ordinal_[num_kickers][mask] = ordinal;
        ordinal += std::popcount(mask) <= num_kickers;
      }
    }
  }

  // Of the highest num_kickers ranks of the mask.
  int ordinal(uint32_t mask, int num_kickers) const { return ordinal_[num_kickers][keep_highest(mask, num_kickers)]; }

  // Of the highest num_kickers ranks other than `made`, whose place is closed up, under the hand's made part.
  int ordinal_beside(int made, uint32_t mask, int num_kickers) const {
    const uint32_t lower = (1U << made) - 1;
    const uint32_t kickers = (mask & lower) | (mask >> 1 & ~lower);
    return made * ordinal_[num_kickers][1U << (kNumRanks - 1)] + ordinal(kickers, num_kickers);
  }

 private:
  static constexpr uint32_t kNumMasks = 1U << kNumRanks;
  std::array<std::array<uint16_t, kNumMasks>, 6> ordinal_{};
};

const KickerOrder& kicker_order() {
  static const KickerOrder order;
  return order;
}

// 1 (five high) to 10 (ace high), or 0. The ace also stands below the two.
int straight_ordinal(uint32_t mask) {
  const uint32_t ranks = mask << 1 | mask >> (kNumRanks - 1);
  return highest(ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4) + 1;
}

// Ranks held at least once, twice, three and four times, at places 1 to 4.
using RankCounts = std::array<uint32_t, 5>;

// Flushes apart.
uint16_t rank_of_counts(const RankCounts& at_least) {
  const KickerOrder& order = kicker_order();
  const uint32_t all = at_least[1];
  if (at_least[4]) return make_rank(kFourOfAKind, order.ordinal_beside(highest(at_least[4]), all, 1));
  const int trips = highest(at_least[3]);
  if (at_least[3]) {
    const uint32_t pairs = at_least[2] & ~(1U << trips);
    if (pairs) return make_rank(kFullHouse, trips * kNumRanks + highest(pairs));
  }
  if (const int straight = straight_ordinal(all)) return make_rank(kStraight, straight);
  if (at_least[3]) return make_rank(kThreeOfAKind, order.ordinal_beside(trips, all, 2));
  const uint32_t pairs = keep_highest(at_least[2], 2);
  if (std::popcount(pairs) == 2) {
    const int num_kickers = kNumRanks + 1;  // one of them is no kicker
    return make_rank(kTwoPair, order.ordinal(pairs, 2) * num_kickers + order.ordinal(all & ~pairs, 1));
  }
  if (pairs) return make_rank(kPair, order.ordinal_beside(highest(pairs), all, 3));
  return make_rank(kHighCard, order.ordinal(all, 5));
}

// Of the ranks of one suit; 0 if they are fewer than five.
uint16_t rank_of_suit(uint32_t mask) {
  if (std::popcount(mask) < 5) return 0;
  if (const int straight = straight_ordinal(mask)) return make_rank(kStraightFlush, straight);
  return make_rank(kFlush, kicker_order().ordinal(mask, 5));
}

// Any number of cards, without the tables.
uint16_t rank_of_cards(const uint8_t* cards, int num_cards) {
  std::array<uint32_t, kNumSuits> suits{};
  for (int i = 0; i < num_cards; ++i) suits[suit_of(cards[i])] |= 1U << rank_of(cards[i]);
  RankCounts at_least{};
  uint16_t best = 0;
  for (const uint32_t suit : suits) {
    for (int count = 4; count > 1; --count) at_least[count] |= at_least[count - 1] & suit;
    at_least[1] |= suit;
    best = std::max(best, rank_of_suit(suit));
  }
  return std::max(best, rank_of_counts(at_least));
}

// Cards of one group of neighbouring ranks.
struct Multiset {
  int num_cards = 0;
  int sum = 0;
  RankCounts at_least{};
};

std::vector<Multiset> all_multisets(int first_rank, int num_ranks) {
  std::vector<Multiset> sets{Multiset{}};
  for (int i = 0; i < num_ranks; ++i) {
    const size_t num_smaller = sets.size();
    for (size_t s = 0; s < num_smaller; ++s) {
      Multiset set = sets[s];
      for (int count = 1; count <= 4 && set.num_cards < kMaxKeyCards; ++count) {
        ++set.num_cards;
        set.sum += EvaluatorTables::kRankKeys[i];
        set.at_least[count] |= 1U << (first_rank + i);
        sets.push_back(set);
      }
    }
  }
  std::ranges::stable_sort(sets, {}, &Multiset::num_cards);
  return sets;
}

template <int kNumLeft>
void count_hands(const HandKey& hand, int below, const EvaluatorTables& tables, int64_t* counts) {
  for (int card = kNumLeft - 1; card < below; ++card) {
    const HandKey more = hand.with(card);
    if constexpr (kNumLeft == 1)
      ++counts[hand_category(more.rank(tables))];
    else
      count_hands<kNumLeft - 1>(more, card, tables, counts);
  }
}

// As hand_ranks, for a number of cards that the compiler knows.
template <int kNumHandCards>
int64_t ranks_by_key(const uint8_t* cards, int64_t num_hands, uint16_t* ranks) {
  const EvaluatorTables& tables = evaluator_tables();
  for (int64_t i = 0; i < num_hands; ++i, cards += kNumHandCards) {
    const HandKey hand = HandKey::of<kNumHandCards>(cards);
    if (!hand.has_distinct(kNumHandCards)) [[unlikely]]
      return i;
    ranks[i] = hand.rank(tables);
  }
  return num_hands;
}

}  // namespace

EvaluatorTables::EvaluatorTables() {
  const std::vector<Multiset> low_sets = all_multisets(0, kNumLowRanks);
  for (size_t i = 0; i < low_sets.size(); ++i) column[low_sets[i].sum] = static_cast<uint16_t>(i);
  uint32_t next = 0;
  for (const Multiset& high : all_multisets(kNumLowRanks, kNumRanks - kNumLowRanks)) {
    row[high.sum] = next;
    for (const Multiset& low : low_sets) {
      if (high.num_cards + low.num_cards > kMaxKeyCards) break;
      RankCounts at_least{};
      for (int count = 1; count <= 4; ++count) at_least[count] = high.at_least[count] | low.at_least[count];
      rank[next++] = rank_of_counts(at_least);
    }
  }
  assert(next == kNumMultisets);
  for (uint32_t mask = 0; mask < flush_rank.size(); ++mask) flush_rank[mask] = rank_of_suit(mask);
}

const EvaluatorTables& evaluator_tables() {
  static const EvaluatorTables tables;
  return tables;
}

uint16_t HandKey::flush_rank(const EvaluatorTables& tables) const {
  const int suit = (std::countr_zero(sum & kFlushBits) - 32) / 4;
  return tables.flush_rank[cards >> (16 * suit) & 0x1FFF];
}

uint16_t hand_rank(const uint8_t* cards, int num_cards) {
  if (num_cards > kMaxKeyCards) return rank_of_cards(cards, num_cards);
  HandKey hand;
  for (int i = 0; i < num_cards; ++i) hand = hand.with(cards[i]);
  return hand.rank();
}

int64_t hand_ranks(const uint8_t* cards, int64_t num_hands, int num_cards, uint16_t* ranks) {
  if (num_cards == 5) return ranks_by_key<5>(cards, num_hands, ranks);
  if (num_cards == 6) return ranks_by_key<6>(cards, num_hands, ranks);
  if (num_cards == 7) return ranks_by_key<7>(cards, num_hands, ranks);
  for (int64_t i = 0; i < num_hands; ++i, cards += num_cards) {
    HandKey hand;
    for (int c = 0; c < num_cards; ++c) hand = hand.with(cards[c]);
    if (!hand.has_distinct(num_cards)) return i;
    ranks[i] = hand_rank(cards, num_cards);
  }
  return num_hands;
}

void hand_ranks_on_board(const uint8_t* board, int num_board_cards, uint16_t* ranks) {
  const EvaluatorTables& tables = evaluator_tables();
  HandKey dealt;
  for (int i = 0; i < num_board_cards; ++i) dealt = dealt.with(board[i]);
  for (int first = 0; first < kNumCards; ++first) {
    const bool is_dealt = dealt.has(first);
    const HandKey with_first = dealt.with(first);
    for (int second = 0; second < first; ++second)
      *ranks++ = is_dealt || dealt.has(second) ? 0 : with_first.with(second).rank(tables);
  }
}

void count_categories(int num_cards, int64_t* counts) {
  std::fill(counts, counts + kNumCategories, 0);
  const EvaluatorTables& tables = evaluator_tables();
  if (num_cards == 5) count_hands<5>({}, kNumCards, tables, counts);
  if (num_cards == 6) count_hands<6>({}, kNumCards, tables, counts);
  if (num_cards == 7) count_hands<7>({}, kNumCards, tables, counts);
}

}  // namespace nashgap
