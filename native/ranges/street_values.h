// What the ends of a street pay, and what a block of hands gets on its way up from them.
#pragma once

#include <cstdint>
#include <vector>

#include "ranges/blocks.h"
#include "ranges/street.h"

namespace nashgap {

// What the ends of a street pay a player: [lanes].
struct LanePayoffs {
  AlignedFloats fold, win, tie, lose;

  LanePayoffs(const Street& street, int player) {
    const auto put = [&](const std::vector<StreetEnd>& ends, auto part, AlignedFloats& lanes) {
      lanes.resize(padded(static_cast<int>(ends.size())));
      for (size_t lane = 0; lane < ends.size(); ++lane) lanes.data()[lane] = (ends[lane].*part)[player];
    };
    put(street.folds, &StreetEnd::win, fold);
    put(street.showdowns, &StreetEnd::win, win);
    put(street.showdowns, &StreetEnd::tie, tie);
    put(street.showdowns, &StreetEnd::lose, lose);
  }
};

// What a block of hands gets wherever an action of the street leads.
struct StreetValues {
  const Block* nodes;
  const Block* folds;
  const Block* showdowns;
  const Block* exits;  // the block's own at the first exit
  int64_t num_blocks;  // from one exit to the next

  const Block& at(const StreetChild& child) const {
    switch (child.kind) {
      case StreetChild::kNode: return nodes[child.index];
      case StreetChild::kFold: return folds[child.index];
      case StreetChild::kShowdown: return showdowns[child.index];
      default: return exits[child.index * num_blocks];
    }
  }
};

}  // namespace nashgap
