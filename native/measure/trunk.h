// The betting of the rounds before a board: each player's decisions there, with sequences that go on from round to
// round.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "measure/street_group.h"

namespace nashgap {

// A decision of a player: after `sequence` it has the sequences first .. first + number - 1.
struct TrunkNode {
  int32_t round;
  int32_t node;  // of the betting tree
  int32_t sequence, first, number;
};

class Trunk {
 public:
  // Of so many rounds; 0: no betting comes before the board.
  Trunk(const std::vector<StreetGroup>& groups, int num_rounds);

  int num_rounds() const { return num_rounds_; }
  // A node stands before those below it.
  const std::vector<TrunkNode>& nodes(int player) const { return nodes_[player]; }
  int32_t num_sequences(int player) const { return num_sequences_[player]; }
  // What a player's sequence in a group is here; in groups that the trunk leads to, where a street begins.
  int32_t sequence(int32_t group, int player, int32_t in_group) const {
    const Place& place = places_[group];
    const auto size = static_cast<int32_t>(place.entries.size());
    return in_group < size ? place.entries[in_group][player] : place.first[player] + in_group - size;
  }

 private:
  struct Place {
    std::vector<std::array<int32_t, 2>> entries;  // [streets] sequences where each begins
    std::array<int32_t, 2> first;                 // sequences after the first of its actions
  };

  int num_rounds_;
  std::array<std::vector<TrunkNode>, 2> nodes_;
  std::array<int32_t, 2> num_sequences_ = {1, 1};
  std::vector<Place> places_;  // [groups] of the trunk and those that it leads to
};

}  // namespace nashgap
