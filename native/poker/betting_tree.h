// The public betting tree of an abstract game in flat arrays; cards enter only as buckets.
//
// Nodes are decisions, grouped by round. What happens after an action is another node or an ending; endings that pay
// the same are stored once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "poker/betting.h"
#include "poker/betting_abstraction.h"

namespace nashgap {

// Betting that ends with an earlier round than the game's, and how the rest of the hand is settled (Billings et al.
// 2003).
struct Truncation {
  int num_rounds = kMaxRounds;       // of betting
  bool adds_bets = false;            // limit: everybody puts in one bet in each round that is missing
  bool shows_hands_at_once = false;  // the best hand on the board so far wins; else all cards are dealt

  // Board cards with which hands are compared.
  int num_board_cards(const Rules& rules) const {
    return shows_hands_at_once && num_rounds < rules.num_rounds ? rules.board_cards_by(num_rounds - 1)
                                                                : rules.total_board_cards();
  }
};

struct BettingTree {
  Rules rules;                                            // of the game whose betting it is
  std::shared_ptr<const BettingAbstraction> abstraction;  // whose actions its edges are; null where it was put together
  int num_seats = 0;
  int num_rounds = 0;
  std::vector<int64_t> round_start;  // [R + 1] nodes of round r are round_start[r] .. round_start[r + 1] - 1
  std::vector<int64_t> first_edge;   // [nodes + 1] edges of a node are first_edge[n] .. first_edge[n + 1] - 1
  std::vector<uint8_t> seat;         // [nodes] who acts
  std::vector<uint8_t> num_active;   // [nodes] seats that have not folded
  std::vector<uint8_t> num_folds;    // [nodes] edges that fold: 0 or 1; they come first, then the call, if there is one
  std::vector<uint8_t> first_raise;  // [nodes] edges before the first raise
  std::vector<int32_t> child;        // [edges] a node, or -1 - ending
  std::vector<Ending> endings;
  std::vector<Action> prefix;  // the betting before the root; all of the tree is behind it
  Truncation truncation;
  int32_t root = 0;

  int64_t num_nodes() const { return static_cast<int64_t>(seat.size()); }
  int64_t num_edges() const { return static_cast<int64_t>(child.size()); }
  int num_actions(int64_t node) const { return static_cast<int>(first_edge[node + 1] - first_edge[node]); }
  int64_t num_round_edges(int round) const {
    return first_edge[round_start[round + 1]] - first_edge[round_start[round]];
  }
  int64_t num_bytes() const;
};

// How large a tree is.
struct BettingTreeSize {
  std::array<int64_t, kMaxRounds> nodes{};  // by round
  std::array<int64_t, kMaxRounds> edges{};
  int64_t num_endings = 0;
};

// Where a betting history leads, as far as its actions are in the tree.
struct BettingPlace {
  int32_t target;    // a node, or -1 - ending
  int num_followed;  // actions that are in the tree; fewer than the history has where it leaves the tree
};

// The decision behind the prefix. Throws std::invalid_argument where nobody has anything to decide there, or an action
// of it is not legal or not in the abstraction.
BettingState prefix_state(const Rules& rules, const BettingAbstraction& abstraction, const std::vector<Action>& prefix);

// Counts without building, each state of the betting once however many histories lead to it. Throws
// std::overflow_error where the tree is too large to count.
BettingTreeSize count_betting_tree(const Rules& rules, const BettingAbstraction& abstraction,
                                   const std::vector<Action>& prefix, const Truncation& truncation);

// The edges of a node are in the order of abstract_actions; within a round nodes are in depth-first order, a node
// before those below it. Throws std::overflow_error where the tree has more than max_nodes nodes.
BettingTree build_betting_tree(const Rules& rules, std::shared_ptr<const BettingAbstraction> abstraction,
                               const std::vector<Action>& prefix, const Truncation& truncation, int64_t max_nodes);

// A history that has not come to the tree's root follows nothing. Throws std::invalid_argument where an action is not
// legal.
BettingPlace find_place(const Rules& rules, const BettingAbstraction& abstraction, const BettingTree& tree,
                        const std::vector<Action>& actions);

}  // namespace nashgap
