// Where the tables of a game of two ranges have what, and how large they are: told before memory is taken.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ranges/board_tree.h"
#include "ranges/street.h"

namespace nashgap {

struct RangeLayout {
  int64_t num_action_nodes = 0;                     // decisions of the betting on all boards
  std::array<std::vector<int64_t>, 2> first_entry;  // [boards] of each player, one for each slot and padded hand
  std::array<int64_t, 2> num_entries{};

  // Of the regrets and of the sums of strategies.
  int64_t num_bytes() const { return 2 * static_cast<int64_t>(sizeof(float)) * (num_entries[0] + num_entries[1]); }
};

RangeLayout lay_out(const Rules& rules, const BoardTree& boards, const std::vector<Street>& streets);

}  // namespace nashgap
