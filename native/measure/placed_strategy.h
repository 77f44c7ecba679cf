// A strategy of abstract games in another betting tree than theirs, as it plays at the real table: a decision of the
// tree is some places in theirs, with weights.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "measure/known_strategy.h"

namespace nashgap {

struct StrategyPlace {
  static constexpr int32_t kRule = -1;  // takes the action of the first column, whatever it holds

  double weight;
  int32_t segment, node;                                   // of the strategy; or kRule
  std::array<uint8_t, AbstractGame::kMaxActions> columns;  // which action of the tree's node each of its own is
};

class PlacedStrategy final : public KnownStrategy {
 public:
  // places: of node n of the tree first_place[n] .. first_place[n + 1] - 1; first_edge: [nodes + 1] of the tree.
  PlacedStrategy(std::shared_ptr<const AbstractStrategy> strategy, std::vector<StrategyPlace> places,
                 std::vector<int64_t> first_place, std::vector<int64_t> first_edge);

  bool is_for(const BettingTree& tree) const override {
    return tree.rules == strategy_->rules() && tree.first_edge == first_edge_;
  }
  int num_rounds() const { return strategy_->rules().num_rounds; }
  // Where the games of the strategy see different cards, a class is a bucket of each.
  int64_t num_classes(int player, int round) const override;
  void classes(const uint8_t* board, int round, int player, int32_t* classes) const override;
  bool has_equal_classes() const override { return cards_[0] == cards_[1]; }
  void row(int32_t node, int32_t hand_class, double* probabilities) const override;

 private:
  int32_t bucket_of(int32_t hand_class, int player, int round, const CardAbstraction* cards) const;

  std::shared_ptr<const AbstractStrategy> strategy_;
  std::vector<StrategyPlace> places_;
  std::vector<int64_t> first_place_, first_edge_;
  std::array<std::vector<const CardAbstraction*>, 2> cards_;  // [players] all that its games see, each once
};

}  // namespace nashgap
