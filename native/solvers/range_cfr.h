// Counterfactual regret minimisation for two ranges on a public tree of bets and boards: vectors over all hands.
//
// Zinkevich et al. (2007) with the vectors of Johanson et al. (2011, 2012). A walk is for one player. The other's reach
// goes down, values of the player's hands come up, and regrets are learned on the way; what the walk needs of a street
// on a board lies together, [block of hands][slot][hand], so that a block goes through all decisions of the street
// while it is in the nearest cache.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "ranges/blocks.h"
#include "ranges/board_tree.h"
#include "ranges/street.h"
#include "solvers/huge_array.h"
#include "solvers/range_layout.h"

namespace nashgap {

// What an iteration keeps of the past.
struct KeptShares {
  float positive, negative;  // of regret
  float sum;                 // of the strategies of the iterations before
};

// A decision whose player keeps to a given strategy.
struct RangeLock {
  int64_t node;                // of the betting tree
  std::vector<uint8_t> board;  // one that lies there, and those that suits alone tell from it; empty: all of them
  int num_actions;
  std::vector<float> strategy;  // [Rules::num_private_hands][actions], each row adds up to 1
};

// [locks and their actions][hands] what else tells suits apart.
std::vector<std::vector<float>> columns_of(const std::vector<RangeLock>& locks);

class RangeWalker;

// A decision on a board, when both have played their average strategies up to there. Hands are in the order of the
// game, with zeros for those that are not there.
struct RangeDecision {
  int player = 0;  // who decides
  int num_actions = 0;
  std::vector<float> strategy;              // [hands][actions]
  std::vector<float> values;                // [hands][actions] chips that the hand wins on if it does that
  std::array<std::vector<float>, 2> reach;  // [hands] of each player
  std::vector<float> met;                   // [hands] reach of the other's hands that can meet it
  std::vector<float> equity;                // [hands] share of the pot that it wins if all cards are dealt at once
};

class RangeCfr {
 public:
  // ranges: [2][Rules::num_private_hands] weights, on a board of the tree's first round. The rules are kept, not
  // copied. Throws std::invalid_argument where the node or the board of a lock does not exist, or is locked twice.
  RangeCfr(const Rules& rules, const BettingTree& tree, const std::vector<uint8_t>& board,
           const std::array<std::vector<float>, 2>& ranges, const Rake& rake, const std::vector<RangeLock>& locks,
           int num_threads);

  ~RangeCfr();

  void iterate(const KeptShares& kept);

  // What each player's hands gain, the mean over all deals of the two ranges, in chips.
  double value(int player);  // where both play their average strategies
  // Where the player answers the other's average best; at locked decisions too, unless it keeps to them.
  double response_value(int player, bool keeps_locks);

  // Throw std::invalid_argument where there is no such node or board.
  RangeDecision view(int64_t node, const std::vector<uint8_t>& board);
  // The strategy of the view alone, for any decision at once: [hands][actions].
  std::vector<float> average_strategy(int64_t node, const std::vector<uint8_t>& board) const;

  const RangeLayout& layout() const { return layout_; }

  HugeArray<float>& regret_sum(int player) { return *regrets_[player]; }
  HugeArray<float>& strategy_sum(int player) { return *sums_[player]; }

 private:
  friend class RangeWalker;

  enum class Mode : uint8_t { kLearn, kEvaluate, kRespond };

  double walk_all(int player, Mode mode);
  void lock(const RangeLock& lock);
  void lock_on(const RangeLock& lock, const Street& street, int number, const TreeBoard& place);
  // [nodes of the street] whether they are locked on the board; null where nothing is locked at all.
  const uint8_t* locked_nodes(const Street& street, int64_t board) const {
    return is_locked_.empty() || !keeps_locks_ ? nullptr : &is_locked_[first_node_[board] + street.first_node];
  }
  std::pair<const Street*, int> find_node(int64_t node) const;
  // A decision's street, its place there, and the board's. Throws std::invalid_argument where there is none.
  std::tuple<const Street*, int, TreeBoard> find(int64_t node, const std::vector<uint8_t>& board) const;
  static std::array<int32_t, 2> sequences_at(const Street& street, int number);
  int64_t entry_of(const Street& street, int64_t board, const StreetNode& node, int hand) const;
  const float* sums_of(const Street& street, int64_t board, const StreetNode& node, int hand) const;
  // [hands] of each player by the average strategies, where a street begins; or after a sequence in it.
  std::array<AlignedFloats, 2> reach_of_street(const Street& street, int64_t board) const;
  void reach_sequence(const Street& street, int64_t board, int player, int32_t sequence, AlignedFloats& reach) const;
  std::vector<int32_t> real_places(const RangeHands& hands, const SuitRenaming& renaming) const;
  int64_t first_entry(const Street& street, int64_t board, int player) const {
    return layout_.first_entry[player][&street - streets_.data()] +
           layout_.hands_before[player][board] * street.num_slots[player];
  }

  const Rules& rules_;
  BoardTree boards_;
  std::vector<Street> streets_;
  RangeLayout layout_;
  std::array<AlignedFloats, 2> root_reach_;  // in the order of the root board
  double deal_weight_ = 0.0;                 // of all pairs of hands that can meet
  std::vector<int64_t> first_node_;          // [boards] of all decisions of all boards
  std::vector<uint8_t> is_locked_;           // [decisions of all boards]; empty where nothing is
  std::array<std::unique_ptr<HugeArray<float>>, 2> regrets_, sums_;
  std::vector<std::unique_ptr<RangeWalker>> walkers_;  // one a thread
  KeptShares kept_{};
  bool keeps_locks_ = true;
};

}  // namespace nashgap
