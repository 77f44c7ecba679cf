// Numbers 0..size-1 for hands that a renaming of the suits cannot tell apart, and back.
//
// After the idea of Waugh (2013), "A fast and optimal hand isomorphism algorithm". Cards come in rounds; the order
// within a round does not matter, the order of the rounds does. In each suit a hand shows a shape (how many cards in
// each round) and, among all ways to have that shape, a holding. Renaming suits permutes the four (shape, holding)
// pairs, so a class of hands is a multiset of them: the four shapes in order name a block of indices, and within the
// block the holdings of equal shapes form a multiset, numbered as combinations with repetition are.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cards/card.h"

namespace nashgap {

class SuitIsomorphism {
 public:
  static constexpr int kMaxRounds = 4;
  static constexpr int kMaxCards = 10;

  // 1 to kMaxRounds rounds of at least one card each, at most kMaxCards in all.
  explicit SuitIsomorphism(const std::vector<int>& cards_per_round);

  int64_t size() const { return size_; }
  int num_cards() const { return num_cards_; }

  // The class of num_cards() distinct cards, in the order of the rounds.
  int64_t index(const uint8_t* cards) const;

  // A hand of the class, 0 <= index < size(): the one whose suits come in order, spades first; cards[num_cards()].
  void unindex(int64_t index, uint8_t* cards) const;

  // The same for many hands in a row. Returns the first that is no hand or no index, where it stops, or num_hands.
  int64_t index_batch(const uint8_t* cards, int64_t num_hands, int64_t* indices) const;
  int64_t unindex_batch(const int64_t* indices, int64_t num_hands, uint8_t* cards) const;

 private:
  using Shapes = std::array<int, kNumSuits>;  // in falling order

  // The indices that belong to four shapes.
  struct Block {
    int64_t first;
    Shapes shapes;
  };

  int count_in_round(int shape, int round) const { return shape / shape_unit_[round] % (cards_per_round_[round] + 1); }
  void add_shapes();
  void add_blocks(Shapes shapes, int num_chosen, int node);
  void add_holding(int shape, int64_t holding, int suit, uint64_t* dealt) const;

  int num_rounds_;
  std::array<int, kMaxRounds> cards_per_round_{};
  int num_cards_ = 0;
  int64_t size_ = 0;
  // A shape is a number with one digit a round; a card of the round adds shape_unit_.
  std::array<int, kMaxRounds> shape_unit_{};
  int num_shapes_ = 0;
  std::vector<int64_t> num_holdings_;  // of each shape
  // A tree over the shapes in falling order: next_[node * num_shapes_ + shape] is the next node, at last the block.
  std::vector<int32_t> next_;
  std::vector<Block> blocks_;                           // by `first`
  std::array<uint16_t, 1 << kNumRanks> set_ordinal_{};  // of a set of ranks among those of its size
};

}  // namespace nashgap
