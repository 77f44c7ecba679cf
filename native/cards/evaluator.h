// Strength of poker hands: the best five of up to ten cards.
//
// A rank is an ordinal: higher is better, equal is a tie, 0 is no hand. Hands of fewer than five cards rank by their
// pairs and high cards, a missing kicker below every kicker; straights and flushes need five cards.
//
// Up to seven cards are ranked by a sum. Each card has a 64-bit key, and the sum of a hand's keys says how many cards
// it has of each suit and, as two numbers, which multisets of low ranks (2 to 7) and of high ranks (8 to A) it holds.
// Every multiset of low ranks has a column, ordered by size, and every multiset of high ranks a row as long as the
// number of low multisets that still fit into seven cards: the table of ranks has no holes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "cards/card.h"

namespace nashgap {

inline constexpr int kNumCategories = 9;
inline constexpr int kMaxKeyCards = 7;

// 0 high card, 1 pair, 2 two pair, 3 three of a kind, 4 straight, 5 flush, 6 full house, 7 four of a kind,
// 8 straight flush.
constexpr int hand_category(uint16_t rank) { return rank >> 12; }

// The rank of 1 to 10 distinct cards.
uint16_t hand_rank(const uint8_t* cards, int num_cards);

// ranks[i] of the cards at `cards + i * num_cards`. Returns the first hand with a byte above 51 or one card twice,
// where it stops, or num_hands.
int64_t hand_ranks(const uint8_t* cards, int64_t num_hands, int num_cards, uint16_t* ranks);

// ranks[kNumHands] of every two-card hand with a board of 0 to 5 distinct cards; 0 for hands that share a card with it.
void hand_ranks_on_board(const uint8_t* board, int num_board_cards, uint16_t* ranks);

// How many of all hands of 5 to 7 cards fall into each category: counts[kNumCategories].
void count_categories(int num_cards, int64_t* counts);

// What a sum of card keys is looked up in. Build-once: see evaluator_tables().
struct EvaluatorTables {
  static constexpr int kNumLowRanks = 6;
  // Greedy: each the least number that keeps the sums of all multisets of at most seven cards, four of a rank, apart.
  static constexpr std::array<uint16_t, 7> kRankKeys = {1, 5, 24, 112, 521, 2247, 9244};
  static constexpr int kMaxLowSum = 4 * kRankKeys[5] + 3 * kRankKeys[4];
  static constexpr int kMaxHighSum = 4 * kRankKeys[6] + 3 * kRankKeys[5];
  static constexpr int kNumMultisets = 76155;  // of at most seven ranks, each at most four times

  EvaluatorTables();

  std::array<uint16_t, kMaxLowSum + 1> column{};
  std::array<uint32_t, kMaxHighSum + 1> row{};
  std::array<uint16_t, kNumMultisets> rank{};
  std::array<uint16_t, 1 << kNumRanks> flush_rank{};  // of the ranks of one suit; 0 if they are fewer than five
};

// Built on first use, in about a millisecond; any thread may ask first.
const EvaluatorTables& evaluator_tables();

// A hand of at most seven cards that grows card by card: for loops that enumerate hands.
struct HandKey {
  // Bits 0..15 low ranks, 16..31 high ranks, then four bits a suit that start at 3: the fifth card sets the top one.
  uint64_t sum = 0x3333ULL << 32;
  uint64_t cards = 0;  // bit 16 * suit + rank

  // A card that is added twice is found by `has_distinct`: a sum of powers of two has as many bits only if they differ.
  constexpr HandKey with(uint8_t card) const { return {sum + kSummand[card].sum, cards + kSummand[card].bit}; }
  // The same for a row of cards, whose two sums are added as one vector.
  template <int kNumHandCards>
  static HandKey of(const uint8_t* cards) {
    typedef uint64_t Lanes __attribute__((vector_size(16), may_alias));
    const HandKey none;
    Lanes total = {none.sum, none.cards};
    for (int c = 0; c < kNumHandCards; ++c) total += reinterpret_cast<const Lanes&>(kSummand[cards[c]]);
    return {total[0], total[1]};
  }
  constexpr bool has(uint8_t card) const { return cards & kSummand[card].bit; }
  constexpr bool has_flush() const { return sum & kFlushBits; }
  // Whether the bytes that were added, so many, are different cards.
  constexpr bool has_distinct(int num_cards) const { return std::popcount(cards) == num_cards; }

  // The cards must be 1 to 7 different ones.
  uint16_t rank(const EvaluatorTables& tables = evaluator_tables()) const {
    if (has_flush()) [[unlikely]]
      return flush_rank(tables);
    return tables.rank[tables.row[static_cast<uint32_t>(sum) >> 16] + tables.column[static_cast<uint16_t>(sum)]];
  }

 private:
  static constexpr uint64_t kFlushBits = 0x8888ULL << 32;

  // Of seven cards, five of a suit leave no room for a full house: the flush is the best hand.
  uint16_t flush_rank(const EvaluatorTables& tables) const;

  // What a card adds to a key; side by side, so that both are fetched at once.
  struct alignas(16) Summand {
    uint64_t sum, bit;
  };
  // For every byte, so that adding one needs no check: what is no card adds nothing.
  static constexpr std::array<Summand, 256> kSummand = [] {
    std::array<Summand, 256> table{};
    for (int card = 0; card < kNumCards; ++card) {
      constexpr int kNumLow = EvaluatorTables::kNumLowRanks;
      const int rank = rank_of(card);
      const uint64_t in_group = EvaluatorTables::kRankKeys[rank < kNumLow ? rank : rank - kNumLow];
      table[card].sum = (rank < kNumLow ? in_group : in_group << 16) + (1ULL << (32 + 4 * suit_of(card)));
      table[card].bit = 1ULL << (16 * suit_of(card) + rank);
    }
    return table;
  }();
};

}  // namespace nashgap
