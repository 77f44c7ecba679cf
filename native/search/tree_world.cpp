#include "search/tree_world.h"

#include <algorithm>
#include <limits>

namespace nashgap {

TreeWorld::TreeWorld(const Tree& tree, int player, const double* strategy, const double* belief)
    : tree_(tree), player_(player), strategy_(strategy, strategy + tree.num_slots) {
  for (int64_t infoset = 0; infoset < tree.num_infosets; ++infoset)
    most_actions_ = std::max(most_actions_, tree.infoset_size[infoset]);
  weigh_histories(belief);
  find_bounds();
}

TreeWorld::History TreeWorld::draw_from(int64_t infoset, Philox& random) const {
  const Belief here = belief(infoset);
  const double* end = here.cumulative + here.number;
  const double* found = std::upper_bound(here.cumulative, end, random.uniform() * here.total());
  return here.histories[std::min<int64_t>(found - here.cumulative, here.number - 1)];
}

void TreeWorld::move_on(History& history, Philox& random) const {
  for (;;) {
    const int acting = tree_.block_player[history.block];
    if (acting == player_ || acting == kTerminal) return;
    const int32_t here = row(history);
    if (acting == kChance) {
      const double* first = chance_sum_.data() + tree_.chance_start[here];
      const double* last = chance_sum_.data() + tree_.chance_start[here + 1] - 1;  // the rest, whatever rounding left
      const int64_t edge = std::upper_bound(first, last, random.uniform()) - chance_sum_.data();
      history = {tree_.chance_block[edge], tree_.chance_lane[edge]};
    } else {
      const double* probability = strategy_.data() + tree_.infoset_slot[here];
      const int32_t stride = tree_.infoset_stride[here], last = tree_.infoset_size[here] - 1;
      double left = random.uniform();
      int32_t action = 0;
      while (action < last && (left -= probability[action * stride]) >= 0.0) ++action;
      while (action > 0 && probability[action * stride] == 0.0)
        --action;  // what rounding left belongs to the last that is played
      history.block = tree_.edge_block[tree_.block_edge[history.block] + action];
    }
  }
}

void TreeWorld::weigh_histories(const double* belief) {
  std::vector<double> weight(tree_.num_nodes);
  weight[0] = 1.0;
  std::vector<int64_t> count(tree_.num_infosets + 1);
  for (int64_t block = 0; block < tree_.num_blocks; ++block) {
    const int acting = tree_.block_player[block];
    if (acting == kTerminal) continue;
    for (int64_t node = tree_.block_start[block]; node < tree_.block_start[block + 1]; ++node) {
      const int64_t lane = node - tree_.block_start[block];
      const int32_t here = tree_.node_row[node];
      if (acting == kChance) {
        double sum = 0.0;
        for (int64_t edge = tree_.chance_start[here]; edge < tree_.chance_start[here + 1]; ++edge) {
          chance_sum_.resize(std::max<size_t>(chance_sum_.size(), edge + 1));
          chance_sum_[edge] = sum += tree_.chance_prob[edge];
          weight[tree_.block_start[tree_.chance_block[edge]] + tree_.chance_lane[edge]] = weight[node] *
                                                                                          tree_.chance_prob[edge];
        }
        continue;
      }
      if (acting == player_) ++count[here + 1];
      for (int32_t action = 0; action < tree_.infoset_size[here]; ++action) {
        const double chance =
            acting == player_ ? 1.0 : strategy_[tree_.infoset_slot[here] + action * tree_.infoset_stride[here]];
        weight[tree_.block_start[tree_.edge_block[tree_.block_edge[block] + action]] + lane] = weight[node] * chance;
      }
    }
  }
  for (size_t infoset = 1; infoset < count.size(); ++infoset) count[infoset] += count[infoset - 1];
  first_history_ = count;
  histories_.resize(count.back());
  cumulative_.resize(count.back());
  for (int64_t block = 0; block < tree_.num_blocks; ++block) {
    if (tree_.block_player[block] != player_) continue;
    for (int64_t node = tree_.block_start[block]; node < tree_.block_start[block + 1]; ++node) {
      const int64_t place = count[tree_.node_row[node]]++;
      histories_[place] = {block, node - tree_.block_start[block]};
      const double before = place == first_history_[tree_.node_row[node]] ? 0.0 : cumulative_[place - 1];
      cumulative_[place] = before + (belief == nullptr ? weight[node] : belief[node]);
    }
  }
}

void TreeWorld::find_bounds() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::pair<double, double> nothing{kInfinity, -kInfinity};
  const auto widen = [](std::pair<double, double>& bounds, const std::pair<double, double>& more) {
    bounds = {std::min(bounds.first, more.first), std::max(bounds.second, more.second)};
  };
  std::vector<std::pair<double, double>> of_node(tree_.num_nodes, nothing);
  bounds_.assign(tree_.num_infosets, nothing);
  for (int64_t block = tree_.num_blocks; block-- > 0;) {  // a block stands before those below it
    const int acting = tree_.block_player[block];
    for (int64_t node = tree_.block_start[block]; node < tree_.block_start[block + 1]; ++node) {
      const int64_t lane = node - tree_.block_start[block];
      const int32_t here = tree_.node_row[node];
      if (acting == kTerminal) {
        const double won = tree_.returns[int64_t{here} * tree_.num_players + player_];
        of_node[node] = {won, won};
      } else if (acting == kChance) {
        for (int64_t edge = tree_.chance_start[here]; edge < tree_.chance_start[here + 1]; ++edge)
          widen(of_node[node], of_node[tree_.block_start[tree_.chance_block[edge]] + tree_.chance_lane[edge]]);
      } else {
        for (int32_t action = 0; action < tree_.infoset_size[here]; ++action)
          widen(of_node[node], of_node[tree_.block_start[tree_.edge_block[tree_.block_edge[block] + action]] + lane]);
        if (acting == player_) widen(bounds_[here], of_node[node]);
      }
    }
  }
}

}  // namespace nashgap
