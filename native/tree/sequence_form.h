// Passes over the sequence form: what CFR, values and best response share. Perfect recall only.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/tree.h"

namespace nashgap {

// Play in proportion to positive regret; uniformly where none is positive. One group: regret and strategy are
// [actions][hands].
void regret_matching(const double* regret, int64_t num_actions, int64_t num_hands, double* total, double* strategy);

// reach[q] = product of the player's own probabilities along sequence q.
void own_reach(const Tree& tree, int player, const double* strategy, double* reach);

// value[q] = expected payoff of `player` at the leaves behind sequence q that no later own action reaches, weighted by
// the reach of everybody else. Overwrites the player's part of `value`.
class LeafValues {
 public:
  explicit LeafValues(const Tree& tree) : tree_(tree), rows_(tree.max_leaf_rows), spare_(tree.max_leaf_rows) {}
  void operator()(int player, const double* reach, double* value);

 private:
  const double* other_reach(int64_t leaf, int player, const double* reach, int64_t* num_rows);

  const Tree& tree_;
  std::vector<double> rows_, spare_;
};

// Expected payoff of each player when all follow `strategy`: [P].
void expected_returns(const Tree& tree, const double* strategy, double* returns);

// For each player the value of its best response to the others, [P]; a pure best response of all, [S] (the first of
// equally good actions), and what the strategy itself earns, [P].
void best_response(const Tree& tree, const double* strategy, double* returns, double* best_returns, double* response);

// Divides each infoset's sums by their total; uniform where the total is not positive.
void normalise(const Tree& tree, const double* sums, double* strategy);

}  // namespace nashgap
