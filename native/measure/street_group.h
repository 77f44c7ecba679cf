// Streets that begin where one street ends, put together so that they are walked on a board as one.
//
// A street alone has few ends, and what a pass over the hands costs beside them counts most; together they fill it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ranges/street.h"

namespace nashgap {

struct StreetGroup {
  // All of them, one after the other. A player's sequences are 0 .. size() - 1 where each street begins, then
  // size() + slot.
  Street all;
  std::vector<int32_t> roots;                             // [streets] the first node of each
  std::vector<int32_t> next;                              // [streets] the group of what follows; -1: nothing
  std::vector<int32_t> fold_end, showdown_end, exit_end;  // [streets] how many of the ends are those up to it

  int size() const { return static_cast<int>(roots.size()); }
  int first_exit(int street) const { return street == 0 ? 0 : exit_end[street - 1]; }
};

// The first group is the first street alone; a street's exits are a group, in their order.
std::vector<StreetGroup> group_streets(const std::vector<Street>& streets);

}  // namespace nashgap
