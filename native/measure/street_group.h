// Streets of one round that begin where streets before them end, put together so that they are walked on a board as
// one.
//
// A street alone has few ends, and what a pass over the hands costs beside them counts most; together they fill it. Too
// many would not stay near the processor.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ranges/street.h"

namespace nashgap {

// A group that follows: its streets begin at the exits from `first_exit` on, in their order.
struct NextGroup {
  int32_t group, first_exit;
};

struct StreetGroup {
  // All of them, one after the other. A player's sequences are 0 .. size() - 1 where each street begins, then
  // size() + slot.
  Street all;
  std::vector<int32_t> roots;                             // [streets] the first node of each
  std::vector<NextGroup> next;                            // they take all exits
  std::vector<int32_t> fold_end, showdown_end, exit_end;  // [streets] how many of the ends are those up to it

  int size() const { return static_cast<int>(roots.size()); }
};

// How streets are put together: as many as stay near the processor, or all of a round.
enum class Grouping : uint8_t { kSmall, kByRound };

// The first group is the first street alone; by round, the groups are the rounds.
std::vector<StreetGroup> group_streets(const std::vector<Street>& streets, Grouping grouping);

}  // namespace nashgap
