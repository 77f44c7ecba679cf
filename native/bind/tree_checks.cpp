#include "bind/tree_checks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "bind/games.h"

namespace nashgap {
namespace {

constexpr int kMaxDepth = 4096;  // of decisions and deals on one path: walks go down it by calling themselves

// [first, ..., last] that begins with 0; last: the end that it must have.
template <typename T>
void require_ascending(const T* starts, int64_t number, int64_t last, const char* name) {
  if (starts[0] != 0 || starts[number] != last || !std::is_sorted(starts, starts + number + 1))
    refuse(std::string(name) + " must ascend from 0 to " + std::to_string(last));
}

class Checker {
 public:
  Checker(const Tree& tree, const TreeSizes& sizes) : tree_(tree), sizes_(sizes), depth_(tree.num_blocks, -1) {}

  void check() {
    if (tree_.num_blocks < 1) throw nb::value_error("a tree has at least one block");
    require_ascending(tree_.block_start, tree_.num_blocks, tree_.num_nodes, "block_start");
    require_ascending(tree_.block_edge, tree_.num_blocks, sizes_.num_edges, "block_edge");
    require_ascending(tree_.chance_start, sizes_.num_chance_nodes, sizes_.num_chance_edges, "chance_start");
    if (num_lanes(0) < 1) throw nb::value_error("the first block has at least one node");
    check_infosets();
    depth_[0] = 0;
    for (int64_t block = 0; block < tree_.num_blocks; ++block) check_block(block);
    check_groups();
    check_leaves();
  }

 private:
  int64_t num_lanes(int64_t block) const { return tree_.block_start[block + 1] - tree_.block_start[block]; }

  void check_infosets() const {
    for (int64_t i = 0; i < tree_.num_infosets; ++i) {
      require_within(tree_.infoset_stride[i], 0, tree_.num_slots, "an infoset_stride");
      const int64_t last = tree_.infoset_slot[i] + (tree_.infoset_size[i] - int64_t{1}) * tree_.infoset_stride[i];
      require_within(tree_.infoset_slot[i], 0, tree_.num_slots - 1, "an infoset_slot");
      require_within(last, 0, tree_.num_slots - 1, "the last slot of an infoset");
      require_within(tree_.infoset_parent[i], -1, tree_.num_sequences() - 1, "an infoset_parent");
    }
  }

  void lead(int64_t from, int64_t to, const char* name) {
    require_within(to, from + 1, tree_.num_blocks - 1, name);
    depth_[to] = std::max(depth_[to], depth_[from] + 1);
  }

  void check_block(int64_t block) {
    const int player = tree_.block_player[block];
    require_within(player, kTerminal, tree_.num_players - 1, "a block_player");
    require_within(depth_[block], -1, kMaxDepth, "the depth of a block");
    const int32_t first = tree_.block_edge[block], num_edges = tree_.block_edge[block + 1] - first;
    if (player < 0 && num_edges > 0) throw nb::value_error("a block of chance or of an end has action edges");
    if (player >= 0 && num_edges < 1) throw nb::value_error("a player's block has no action edges");
    for (int32_t edge = first; edge < first + num_edges; ++edge) {
      lead(block, tree_.edge_block[edge], "an edge_block");
      if (num_lanes(tree_.edge_block[edge]) < num_lanes(block))
        throw nb::value_error("a block behind an action has fewer nodes than the block before it");
    }
    for (int64_t node = tree_.block_start[block]; node < tree_.block_start[block + 1]; ++node) {
      const int32_t row = tree_.node_row[node];
      if (player == kTerminal) {
        require_within(row, 0, sizes_.num_returns - 1, "a node_row of an end");
      } else if (player == kChance) {
        require_within(row, 0, sizes_.num_chance_nodes - 1, "a node_row of chance");
        check_chance(block, row);
      } else {
        require_within(row, 0, tree_.num_infosets - 1, "a node_row of a player");
        if (tree_.infoset_size[row] != num_edges) throw nb::value_error("an infoset has not the actions of its block");
      }
    }
  }

  void check_chance(int64_t block, int32_t row) {
    if (tree_.chance_start[row] == tree_.chance_start[row + 1]) throw nb::value_error("a chance node has no edges");
    for (int64_t edge = tree_.chance_start[row]; edge < tree_.chance_start[row + 1]; ++edge) {
      lead(block, tree_.chance_block[edge], "a chance_block");
      require_within(tree_.chance_lane[edge], 0, num_lanes(tree_.chance_block[edge]) - 1, "a chance_lane");
    }
  }

  // Of the sequence form: infosets of a group have slots action by action, hands side by side.
  void check_groups() const {
    const int32_t num_groups = tree_.player_group[tree_.num_players];
    require_ascending(tree_.player_group, tree_.num_players, num_groups, "player_group");
    require_ascending(tree_.group_infoset, num_groups, tree_.group_infoset[num_groups], "group_infoset");
    require_within(tree_.group_infoset[num_groups], 0, tree_.num_infosets, "the end of group_infoset");
    for (int32_t group = 0; group < num_groups; ++group) {
      const int32_t first = tree_.group_infoset[group], end = tree_.group_infoset[group + 1];
      if (first == end) throw nb::value_error("a group has no infosets");
      const int64_t size = tree_.infoset_size[first];
      require_within(tree_.infoset_slot[first] + size * (end - first), 0, tree_.num_slots, "the slots of a group");
      for (int32_t i = first; i < end; ++i)
        if (tree_.infoset_size[i] != size) throw nb::value_error("infosets of a group have different actions");
    }
    for (int player = 1; player < tree_.num_players; ++player)
      if (tree_.first_slot(player) < tree_.first_slot(player - 1))
        throw nb::value_error("slots are not sorted by player");
  }

  void check_leaves() const {
    for (int64_t leaf = 0; leaf < tree_.num_leaves; ++leaf) {
      int64_t volume = 1;
      for (int p = 0; p < tree_.num_players; ++p) {
        const int64_t at = leaf * tree_.num_players + p;
        require_within(tree_.leaf_size[at], 1, tree_.num_sequences(), "a leaf_size");
        require_within(tree_.leaf_sequence[at], 0, tree_.num_sequences() - tree_.leaf_size[at], "a leaf_sequence");
        if (__builtin_mul_overflow(volume, tree_.leaf_size[at], &volume) || volume > sizes_.num_payoffs)
          throw nb::value_error("a leaf has more histories than there are payoffs");
      }
      for (int p = 0; p < tree_.num_players; ++p)
        require_within(tree_.leaf_payoff[leaf * tree_.num_players + p], 0, sizes_.num_payoffs - volume,
                       "a leaf_payoff");
    }
  }

  const Tree& tree_;
  const TreeSizes& sizes_;
  std::vector<int> depth_;  // -1: no path leads there
};

}  // namespace

void require_sound(const Tree& tree, const TreeSizes& sizes) { Checker(tree, sizes).check(); }

bool has_sequence_form(const Tree& tree) {
  const int32_t end = tree.group_infoset[tree.player_group[tree.num_players]];
  return end == tree.num_infosets && std::all_of(tree.infoset_parent, tree.infoset_parent + tree.num_infosets,
                                                 [](int32_t parent) { return parent >= 0; });
}

}  // namespace nashgap
