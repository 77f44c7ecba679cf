// A betting tree of two players cut into streets: the betting of one round, from where it begins to all its ends.
//
// Vectors over hands go through a street as one. A player's sequence is what the player has done since the street
// began: 0 nothing yet, 1 + slot the action of that slot. What a player's hands do decides the reach of sequences, and
// players meet only at the ends, each of which is one sequence of either.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "poker/betting_tree.h"

namespace nashgap {

struct StreetNode {
  int32_t node;  // of the betting tree
  uint8_t player;
  uint8_t num_actions;
  int32_t first_slot;   // of the player, in this street; one for each action
  int32_t sequence;     // of the player, before it acts
  int32_t first_child;  // in Street::children, one for each action
};

struct StreetChild {
  enum Kind : uint8_t { kNode, kFold, kShowdown, kNextStreet };
  Kind kind;
  int32_t index;  // in the street's nodes, folds, showdowns or exits
};

// What a player gets, less what it has put in: by who is stronger. Of a fold only `win` counts, what it is for either.
struct StreetEnd {
  std::array<int32_t, 2> sequence;
  std::array<float, 2> win, tie, lose;  // of each player
};

struct StreetExit {
  std::array<int32_t, 2> sequence;
  int32_t street;  // that begins there
};

struct Street {
  int round;
  int32_t parent = -1, parent_exit = -1;  // the street before it, and where that is left
  std::array<int32_t, 2> num_slots{};
  int64_t first_node = 0;         // among those of all streets of the round
  std::vector<StreetNode> nodes;  // a node before those below it
  std::vector<StreetChild> children;
  std::vector<StreetEnd> folds, showdowns;
  std::vector<StreetExit> exits;
};

// What the house takes of a pot that is won: a share, up to so many chips.
struct Rake {
  double share = 0.0;
  double cap = 0.0;
};

// The streets of a tree of two players, the root's first, grouped by round.
std::vector<Street> cut_into_streets(const Rules& rules, const BettingTree& tree, const Rake& rake);

}  // namespace nashgap
