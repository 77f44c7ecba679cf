// What is known of a strategy that answers for all hands: hands of one class do the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "strategies/abstract_strategy.h"

namespace nashgap {

class KnownStrategy {
 public:
  virtual ~KnownStrategy() = default;
  // Whether it answers at the nodes of this tree, with the hands of its game.
  virtual bool is_for(const BettingTree& tree) const = 0;
  // Whether what it does is known, on any board.
  virtual bool is_known() const { return true; }
  virtual int64_t num_classes(int player, int round) const = 0;
  // classes[private hands]: of the player's hands on a board of a round, in the order of Rules::hand_place; what stands
  // there for hands that share a card with the board means nothing.
  virtual void classes(const uint8_t* board, int round, int player, int32_t* classes) const = 0;
  // Whether a hand is of the same class whoever holds it.
  virtual bool has_equal_classes() const = 0;
  // The probabilities of the actions of a node of the betting tree.
  virtual void row(int32_t node, int32_t hand_class, double* probabilities) const = 0;
};

// A strategy of one abstract game, in its own betting tree: classes are buckets.
class TableStrategy final : public KnownStrategy {
 public:
  explicit TableStrategy(std::shared_ptr<const AbstractStrategy> strategy) : strategy_(std::move(strategy)) {}

  bool is_for(const BettingTree& tree) const override {
    const BettingTree& own = strategy_->game(0).tree();
    return tree.rules == own.rules && tree.seat == own.seat && tree.first_edge == own.first_edge &&
           tree.round_start == own.round_start;
  }
  int64_t num_classes(int player, int round) const override {
    const CardAbstraction* cards = cards_of(player);
    return cards == nullptr ? 1 : cards->num_buckets(round);
  }
  void classes(const uint8_t* board, int round, int player, int32_t* classes) const override {
    const CardAbstraction* cards = cards_of(player);
    if (cards == nullptr)
      std::fill_n(classes, strategy_->num_hands(), 0);
    else
      cards->all_buckets(board, round, classes);
  }
  bool has_equal_classes() const override { return cards_of(0) == cards_of(1); }
  void row(int32_t node, int32_t hand_class, double* probabilities) const override {
    strategy_->row(0, strategy_->game(0).node(node), hand_class, probabilities);
  }

 private:
  // Null where the player decides nothing.
  const CardAbstraction* cards_of(int player) const {
    for (const Lens& lens : strategy_->game(0).lenses())
      if (lens.seat == player) return lens.cards.get();
    return nullptr;
  }

  std::shared_ptr<const AbstractStrategy> strategy_;
};

// A strategy that does not look at its cards: all hands are of one class.
class BlindStrategy final : public KnownStrategy {
 public:
  // probabilities: [edges] of the betting tree; first_edge: [nodes].
  BlindStrategy(std::vector<double> probabilities, std::vector<int64_t> first_edge, int num_hands)
      : probabilities_(std::move(probabilities)), first_edge_(std::move(first_edge)), num_hands_(num_hands) {}

  bool is_for(const BettingTree& tree) const override {
    return tree.first_edge == first_edge_ && tree.rules.num_private_hands() == num_hands_;
  }
  int64_t num_classes(int, int) const override { return 1; }
  void classes(const uint8_t*, int, int, int32_t* classes) const override { std::fill_n(classes, num_hands_, 0); }
  bool has_equal_classes() const override { return true; }
  void row(int32_t node, int32_t, double* probabilities) const override {
    std::copy(probabilities_.begin() + first_edge_[node], probabilities_.begin() + first_edge_[node + 1],
              probabilities);
  }

 private:
  std::vector<double> probabilities_;
  std::vector<int64_t> first_edge_;
  int num_hands_;
};

}  // namespace nashgap
