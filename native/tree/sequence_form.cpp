#include "tree/sequence_form.h"

#include <algorithm>

namespace nashgap {
namespace {

// column[c] += sum over rows of matrix[row][c] * weight[row], with the sums kept in registers where they fit.
void add_weighted_rows(const double* __restrict__ matrix, const double* __restrict__ weight, int64_t num_rows,
                       int64_t num_columns, double* __restrict__ column) {
  with_fixed_hands(num_columns, [&](auto columns) {
    if constexpr (std::is_same_v<decltype(columns), int64_t>) {
      for (int64_t row = 0; row < num_rows; ++row)
        for (int64_t c = 0; c < columns; ++c) column[c] += matrix[row * columns + c] * weight[row];
    } else {
      double sum[columns] = {};
      for (int64_t row = 0; row < num_rows; ++row)
        for (int64_t c = 0; c < columns; ++c) sum[c] += matrix[row * columns + c] * weight[row];
      for (int64_t c = 0; c < columns; ++c) column[c] += sum[c];
    }
  });
}

}  // namespace

void own_reach(const Tree& tree, int player, const double* strategy, double* reach) {
  const int64_t shift = Tree::sequence_shift(player);
  reach[tree.empty_sequence(player)] = 1.0;
  for (int32_t g = tree.player_group[player]; g < tree.player_group[player + 1]; ++g) {
    const Group group(tree, g);
    with_fixed_hands(group.num_hands, [&](auto num_hands) {
      const double* from = strategy + group.slot;
      double* to = reach + group.slot + shift;
      for (int64_t a = 0; a < group.num_actions; ++a)
        for (int64_t h = 0; h < num_hands; ++h)
          to[a * num_hands + h] = reach[group.parent[h]] * from[a * num_hands + h];
    });
  }
}

const double* LeafValues::other_reach(int64_t leaf, int player, const double* reach, int64_t* num_rows) {
  const int num_players = tree_.num_players;
  const int32_t* sequence = tree_.leaf_sequence + leaf * num_players;
  const int32_t* size = tree_.leaf_size + leaf * num_players;
  if (num_players == 2) {
    *num_rows = size[1 - player];
    return reach + sequence[1 - player];
  }
  int64_t count = 1;
  rows_[0] = 1.0;
  for (int other = 0; other < num_players; ++other) {
    if (other == player) continue;
    const double* theirs = reach + sequence[other];
    for (int64_t row = 0; row < count; ++row)
      for (int32_t k = 0; k < size[other]; ++k) spare_[row * size[other] + k] = rows_[row] * theirs[k];
    count *= size[other];
    rows_.swap(spare_);
  }
  *num_rows = count;
  return rows_.data();
}

void LeafValues::operator()(int player, const double* reach, double* value) {
  const int64_t begin = tree_.empty_sequence(player);
  const int64_t end = player + 1 < tree_.num_players ? tree_.empty_sequence(player + 1) : tree_.num_sequences();
  std::fill(value + begin, value + end, 0.0);
  for (int64_t leaf = 0; leaf < tree_.num_leaves; ++leaf) {
    const int64_t own = leaf * tree_.num_players + player;
    int64_t num_rows;
    const double* weight = other_reach(leaf, player, reach, &num_rows);
    add_weighted_rows(tree_.payoff + tree_.leaf_payoff[own], weight, num_rows, tree_.leaf_size[own],
                      value + tree_.leaf_sequence[own]);
  }
}

void best_response(const Tree& tree, const double* strategy, double* returns, double* best_returns, double* response) {
  std::vector<double> reach(tree.num_sequences()), value(tree.num_sequences()), best(tree.max_group_hands);
  for (int player = 0; player < tree.num_players; ++player) own_reach(tree, player, strategy, reach.data());
  LeafValues leaf_values(tree);
  for (int player = 0; player < tree.num_players; ++player) {
    leaf_values(player, reach.data(), value.data());
    const int64_t begin = tree.empty_sequence(player);
    const int64_t end = player + 1 < tree.num_players ? tree.empty_sequence(player + 1) : tree.num_sequences();
    double total = 0.0;
    for (int64_t q = begin; q < end; ++q) total += reach[q] * value[q];
    returns[player] = total;

    const int64_t shift = Tree::sequence_shift(player);
    for (int32_t g = tree.player_group[player + 1] - 1; g >= tree.player_group[player]; --g) {
      const Group group(tree, g);
      const int64_t num_hands = group.num_hands, num_actions = group.num_actions, slot = group.slot;
      const double* action_value = value.data() + slot + shift;
      for (int64_t h = 0; h < num_hands; ++h) {
        int64_t choice = 0;
        for (int64_t a = 1; a < num_actions; ++a)
          if (action_value[a * num_hands + h] > action_value[choice * num_hands + h]) choice = a;
        for (int64_t a = 0; a < num_actions; ++a) response[slot + a * num_hands + h] = a == choice ? 1.0 : 0.0;
        best[h] = action_value[choice * num_hands + h];
      }
      for (int64_t h = 0; h < num_hands; ++h) value[group.parent[h]] += best[h];
    }
    best_returns[player] = value[begin];
  }
}

// Walks the nodes themselves, so it holds without perfect recall too.
void expected_returns(const Tree& tree, const double* strategy, double* returns) {
  std::vector<double> reach(tree.num_nodes, 0.0);
  std::fill_n(returns, tree.num_players, 0.0);
  reach[0] = 1.0;
  for (int64_t b = 0; b < tree.num_blocks; ++b) {
    const int64_t start = tree.block_start[b], num_lanes = tree.block_start[b + 1] - start;
    for (int64_t lane = 0; lane < num_lanes; ++lane) {
      const double here = reach[start + lane];
      if (here == 0.0) continue;
      const int32_t row = tree.node_row[start + lane];
      if (tree.block_player[b] == kTerminal) {
        for (int p = 0; p < tree.num_players; ++p)
          returns[p] += here * tree.returns[static_cast<int64_t>(row) * tree.num_players + p];
      } else if (tree.block_player[b] == kChance) {
        for (int64_t c = tree.chance_start[row]; c < tree.chance_start[row + 1]; ++c)
          reach[tree.block_start[tree.chance_block[c]] + tree.chance_lane[c]] = here * tree.chance_prob[c];
      } else {
        for (int32_t e = tree.block_edge[b]; e < tree.block_edge[b + 1]; ++e) {
          const int64_t slot = tree.infoset_slot[row] +
                               static_cast<int64_t>(e - tree.block_edge[b]) * tree.infoset_stride[row];
          reach[tree.block_start[tree.edge_block[e]] + lane] = here * strategy[slot];
        }
      }
    }
  }
}

void normalise(const Tree& tree, const double* sums, double* strategy) {
  for (int64_t i = 0; i < tree.num_infosets; ++i) {
    const int64_t slot = tree.infoset_slot[i], stride = tree.infoset_stride[i], size = tree.infoset_size[i];
    double total = 0.0;
    for (int64_t a = 0; a < size; ++a) total += sums[slot + a * stride];
    for (int64_t a = 0; a < size; ++a)
      strategy[slot + a * stride] = total > 0.0 ? sums[slot + a * stride] / total : 1.0 / static_cast<double>(size);
  }
}

}  // namespace nashgap
