// Two ranges, the boards that may come, and the betting on them: what walks go through, and where it has what.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "ranges/board_tree.h"
#include "ranges/street.h"
#include "solvers/range_layout.h"

namespace nashgap {

// A decision on a board.
struct RangePlace {
  const Street* street;
  int number;  // of the street's nodes
  TreeBoard board;

  const StreetNode& node() const { return street->nodes[number]; }
};

struct RangeGame {
  // ranges: [2][Rules::num_private_hands] weights, on a board of the tree's first round. told_apart: see BoardTree. The
  // rules are kept, not copied.
  RangeGame(const Rules& all_rules, const BettingTree& tree, const std::vector<uint8_t>& board,
            const std::array<std::vector<float>, 2>& ranges, const Rake& rake,
            const std::vector<std::vector<float>>& told_apart);

  // The street of a node of the betting tree, and its number there. Throws std::invalid_argument where there is none.
  std::pair<const Street*, int> find_node(int64_t node) const;
  // Throws std::invalid_argument where there is no such decision, or no such board lies there.
  RangePlace find(int64_t node, const std::vector<uint8_t>& board) const;

  // In a RangeTable, of a block of the player's hands in the street; its slots follow each other.
  int64_t place_of(const Street& street, int64_t board, int player, int block) const {
    const int64_t first_entry = layout.first_entry[player][number_of(street)] +
                                layout.hands_before[player][board] * street.num_slots[player];
    return first_entry / kHandsPerBlock + int64_t{block} * street.num_slots[player];
  }
  int64_t number_of(const Street& street) const { return &street - streets.data(); }
  // [a player's hands on the board] their places in the order of the game, as the real cards are.
  std::vector<int32_t> real_places(const TreeBoard& board, int player) const;

  const Rules& rules;
  BoardTree boards;
  std::vector<Street> streets;
  RangeLayout layout;
};

// What both have done in the street before one of its decisions.
std::array<int32_t, 2> sequences_at(const Street& street, int number);

// Which decisions are given.
class LockedNodes {
 public:
  // False where it is locked already.
  bool add(const RangeGame& game, const Street& street, int number, int64_t board);
  // [nodes of the street] whether they are locked on the board; null where nothing is locked at all.
  const uint8_t* on(const Street& street, int64_t board) const {
    return is_locked_.empty() ? nullptr : &is_locked_[first_node_[board] + street.first_node];
  }

 private:
  std::vector<int64_t> first_node_;  // [boards] of all decisions of all boards
  std::vector<uint8_t> is_locked_;   // [decisions of all boards]; empty where nothing is
};

}  // namespace nashgap
