// Counterfactual regret minimisation for two ranges on a public tree of bets and boards: vectors over all hands.
//
// Zinkevich et al. (2007) with the vectors of Johanson et al. (2011, 2012). An iteration is a walk for either player.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "solvers/range_game.h"
#include "solvers/range_walker.h"

namespace nashgap {

// A decision whose player keeps to a given strategy.
struct RangeLock {
  int64_t node;                // of the betting tree
  std::vector<uint8_t> board;  // one that lies there, and those that suits alone tell from it; empty: all of them
  int num_actions;
  std::vector<float> strategy;  // [Rules::num_private_hands][actions], each row adds up to 1
};

// [locks and their actions][hands] what else tells suits apart.
std::vector<std::vector<float>> columns_of(const std::vector<RangeLock>& locks);

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
           RangeStorage storage, int num_threads);

  // Whether strategies answer regrets with what the next iteration is expected to add, which is one more table.
  void set_predictive(bool is_predictive);
  bool is_predictive() const { return tables_[0]->optimistic != nullptr; }

  // iteration: its number, from 1 on.
  void iterate(int64_t iteration, const KeptShares& kept);

  // What each player's hands gain, the mean over all deals of the two ranges, in chips.
  double value(int player);  // where both play their average strategies
  // Where the player answers the other's average best; at locked decisions too, unless it keeps to them.
  double response_value(int player, bool keeps_locks);

  // Throw std::invalid_argument where there is no such node or board.
  RangeDecision view(int64_t node, const std::vector<uint8_t>& board);
  // The strategy of the view alone, for any decision at once: [hands][actions].
  std::vector<float> average_strategy(int64_t node, const std::vector<uint8_t>& board) const;

  const RangeLayout& layout() const { return game_.layout; }

  int64_t num_bytes() const { return game_.layout.num_bytes(storage_, is_predictive()); }

  RangeTables& tables(int player) { return *tables_[player]; }

 private:
  double walk_all(const RangeWalk& walk);
  void lock(const RangeLock& lock);
  void lock_on(const RangeLock& lock, const Street& street, int number, const TreeBoard& place);
  // [actions][hands] what the average strategy does at a decision.
  AlignedFloats averages_at(const Street& street, int64_t board, const StreetNode& node) const;
  // [hands] of each player by the average strategies, where a street begins; or after a sequence in it.
  std::array<AlignedFloats, 2> reach_of_street(const Street& street, int64_t board) const;
  void reach_sequence(const Street& street, int64_t board, int player, int32_t sequence, AlignedFloats& reach) const;
  // What the player's hands meet and their equity, after a walk of the player.
  void meet(const RangePlace& place, const AlignedFloats& other_reach, RangeDecision& view);

  RangeGame game_;
  RangeStorage storage_;
  LockedNodes locked_;
  std::array<std::unique_ptr<RangeTables>, 2> tables_;
  std::array<AlignedFloats, 2> root_reach_;            // in the order of the root board
  double deal_weight_ = 0.0;                           // of all pairs of hands that can meet
  std::vector<std::unique_ptr<RangeWalker>> walkers_;  // one a thread
};

}  // namespace nashgap
