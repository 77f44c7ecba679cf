#include "tree/tree.h"

#include <algorithm>
#include <vector>

namespace nashgap {

void Tree::measure() {
  max_group_hands = max_group_slots = 0;
  for (int32_t g = 0; g < player_group[num_players]; ++g) {
    const int64_t num_hands = group_infoset[g + 1] - group_infoset[g];
    max_group_hands = std::max(max_group_hands, num_hands);
    max_group_slots = std::max(max_group_slots, num_hands * infoset_size[group_infoset[g]]);
  }

  max_leaf_volume = 1;
  for (int64_t leaf = 0; leaf < num_leaves; ++leaf) {
    int64_t volume = 1;
    for (int p = 0; p < num_players; ++p) volume *= leaf_size[leaf * num_players + p];
    max_leaf_volume = std::max(max_leaf_volume, volume);
  }

  max_path_slots = 0;
  std::vector<int64_t> above(num_blocks, 0);  // actions on the path to the block; parents come first
  for (int64_t b = 0; b < num_blocks; ++b) {
    max_path_slots = std::max(max_path_slots, above[b] + (block_edge[b + 1] - block_edge[b]));
    for (int32_t e = block_edge[b]; e < block_edge[b + 1]; ++e)
      above[edge_block[e]] = above[b] + (block_edge[b + 1] - block_edge[b]);
    if (block_player[b] != kChance) continue;
    for (int64_t node = block_start[b]; node < block_start[b + 1]; ++node)
      for (int64_t c = chance_start[node_row[node]]; c < chance_start[node_row[node] + 1]; ++c)
        above[chance_block[c]] = above[b];
  }
}

}  // namespace nashgap
