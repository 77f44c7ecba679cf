// Where the tables of a game of two ranges have what, and how large they are: told before memory is taken.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ranges/board_tree.h"
#include "ranges/street.h"

namespace nashgap {

// How tables keep their numbers.
enum class RangeStorage : uint8_t {
  kFloat32,
  kInt16,  // and an exponent for each block of hands
};

// A street's entries on all boards lie together, in the order of the boards: a walk takes one street through boards
// that follow each other, and so reads on.
struct RangeLayout {
  int64_t num_boards = 0;
  int64_t num_action_nodes = 0;                      // decisions of the betting on all boards
  std::array<std::vector<int64_t>, 2> first_entry;   // [streets] of each player, one for each slot and padded hand
  std::array<std::vector<int64_t>, 2> hands_before;  // [boards] padded hands on earlier boards of the same round
  std::array<int64_t, 2> num_entries{};

  // Of the regrets and of the sums of strategies, and where a schedule is predictive of the optimistic regrets.
  int64_t num_bytes(RangeStorage storage, bool is_predictive) const {
    const int64_t bytes_of_block = storage == RangeStorage::kFloat32 ? 4 * kHandsPerBlock : 2 * kHandsPerBlock + 1;
    return (is_predictive ? 3 : 2) * bytes_of_block * ((num_entries[0] + num_entries[1]) / kHandsPerBlock);
  }
};

RangeLayout lay_out(const Rules& rules, const BoardTree& boards, const std::vector<Street>& streets);

}  // namespace nashgap
