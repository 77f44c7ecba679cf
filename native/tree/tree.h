// The arrays of nashgap.core.tree.GameTree; the shapes are documented there.
#pragma once

#include <cstdint>

namespace nashgap {

constexpr int kChance = -1;
constexpr int kTerminal = -2;

// A view: whoever makes it keeps the arrays alive.
struct Tree {
  int num_players = 0;
  int64_t num_blocks = 0;
  int64_t num_nodes = 0;
  int64_t num_infosets = 0;
  int64_t num_slots = 0;
  int64_t num_leaves = 0;
  int64_t max_group_hands = 0;  // most infosets in one group
  int64_t max_group_slots = 0;  // most slots in one group
  int64_t max_leaf_volume = 0;  // most histories in the box of one leaf
  int64_t max_path_slots = 0;   // most actions, added up over all decisions, on one path

  const int8_t* block_player = nullptr;
  const int64_t* block_start = nullptr;
  const int32_t* block_edge = nullptr;
  const int32_t* edge_block = nullptr;
  const int32_t* node_row = nullptr;
  const int64_t* chance_start = nullptr;
  const int32_t* chance_block = nullptr;
  const int32_t* chance_lane = nullptr;
  const double* chance_prob = nullptr;
  const double* returns = nullptr;

  const int32_t* infoset_slot = nullptr;
  const int32_t* infoset_stride = nullptr;
  const int32_t* infoset_size = nullptr;
  const int32_t* infoset_parent = nullptr;
  const int32_t* group_infoset = nullptr;
  const int32_t* player_group = nullptr;

  const int32_t* leaf_sequence = nullptr;
  const int32_t* leaf_size = nullptr;
  const int64_t* leaf_payoff = nullptr;
  const double* payoff = nullptr;

  int64_t num_sequences() const { return num_slots + num_players; }
  // Sequence of slot s of a player is s + sequence_shift(player).
  static int64_t sequence_shift(int player) { return player + 1; }
  int64_t first_slot(int player) const {
    const int32_t group = player_group[player];
    return group == player_group[num_players] ? num_slots : infoset_slot[group_infoset[group]];
  }
  int64_t empty_sequence(int player) const { return first_slot(player) + player; }

  // Fills the maxima from the arrays.
  void measure();
};

}  // namespace nashgap
