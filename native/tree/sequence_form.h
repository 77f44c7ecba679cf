// Passes over the sequence form: what CFR, values and best response share. Perfect recall only.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "tree/tree.h"

namespace nashgap {

// Calls f with the number of hands as a compile-time constant where it is a common one: the loops over hands are short,
// and a fixed length lets the compiler unroll and vectorise them whole.
template <typename Function>
void with_fixed_hands(int64_t num_hands, const Function& f) {
  switch (num_hands) {
    case 1: return f(std::integral_constant<int64_t, 1>{});
    case 2: return f(std::integral_constant<int64_t, 2>{});
    case 3: return f(std::integral_constant<int64_t, 3>{});
    case 4: return f(std::integral_constant<int64_t, 4>{});
    case 5: return f(std::integral_constant<int64_t, 5>{});
    case 6: return f(std::integral_constant<int64_t, 6>{});
    case 7: return f(std::integral_constant<int64_t, 7>{});
    case 8: return f(std::integral_constant<int64_t, 8>{});
    case 10: return f(std::integral_constant<int64_t, 10>{});
    default: return f(num_hands);
  }
}

// A group of infosets and its place in the arrays: slots lie [action][hand].
struct Group {
  Group(const Tree& tree, int32_t g)
      : first(tree.group_infoset[g]),
        num_hands(tree.group_infoset[g + 1] - first),
        num_actions(tree.infoset_size[first]),
        slot(tree.infoset_slot[first]),
        parent(tree.infoset_parent + first) {}

  int32_t first;
  int64_t num_hands, num_actions, slot;
  const int32_t* parent;  // [hands] sequence of the player's last action before
};

// reach[q] = product of the player's own probabilities along sequence q.
void own_reach(const Tree& tree, int player, const double* strategy, double* reach);

// value[q] = expected payoff of `player` at the leaves behind sequence q that no later own action reaches, weighted by
// the reach of everybody else. Overwrites the player's part of `value`.
class LeafValues {
 public:
  explicit LeafValues(const Tree& tree) : tree_(tree), rows_(tree.max_leaf_volume), spare_(tree.max_leaf_volume) {}
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
