// An opponent that plays a strategy of an abstract game.
//
// On one board hands of the same bucket do the same, so a range is added up by bucket once and every question costs a
// row for each bucket, not for each hand. Many bets are translated to the same few nodes: their answers are kept.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "measure/ranged_opponent.h"
#include "strategies/abstract_strategy.h"

namespace nashgap {

class TableOpponent final : public RangedOpponent {
 public:
  // num_samples: of the paths of translation, for each question; 0: all of them by their weights.
  TableOpponent(std::shared_ptr<const AbstractStrategy> strategy, int num_samples);

  void require_game(const Rules& rules) const override;
  void start_hand(const HandName& hand) override;
  bool act(const Situation& situation, Philox& random, Action& action) override;
  bool observe(const Situation& situation, Action action, double* weights, int num_hands) override;
  void consider(const Situation& situation, const RangeView& range) override;
  bool fold_sums(const Situation& situation, RangeSums& sums) override;
  bool raise_sums(const Situation& situation, std::vector<RaiseSums>& raises) override;
  bool policy(const Situation& situation, HandPolicy& policy) override;
  bool answers(const Situation& situation, bool has_raises, AnswerLanes& lanes,
               std::vector<AnswerPart>& parts) override;

 private:
  // The hands of one board, grouped by bucket; where there are few buckets each is a group.
  struct Groups {
    const CardAbstraction* cards = nullptr;
    std::vector<uint8_t> board;
    int round = -1;
    std::vector<int32_t> bucket_of;  // [groups]
    std::vector<int32_t> group_of;   // [hands]; one more group has those that share a card with the board
    std::vector<RangeSums> sums;     // [groups] of the range considered
    uint64_t considered = 0;         // which consideration they are of
    uint64_t last_use = 0;
  };
  // Of the range considered at one node.
  struct NodeSums {
    int segment;
    int32_t node;
    std::array<RangeSums, AbstractGame::kMaxActions> edges;
  };

  // Where the chances of an edge are among the lanes of the answers to what is considered.
  struct EdgeLane {
    int segment;
    int32_t node;
    int edge, lane;
  };

  const std::vector<TreePlace>& believed(const std::vector<TreePlace>& places);
  Groups& groups_of(const Situation& situation, const CardAbstraction& cards);
  void number_buckets(Groups& groups);
  // The game in which the walk stands: only where it has a node.
  const AbstractGame& game_of(const BettingWalk& walk) const { return strategy_->game(walk.segment()); }
  void add_chances(const TreePlace& place, Action action, const Groups& groups);
  const std::vector<TreePlace>& places_ahead(const Situation& situation, bool has_actions);
  const NodeSums& node_sums(const Situation& situation, int32_t node);
  int lane_of(const Situation& situation, int32_t node, int edge, AnswerLanes& lanes);

  static constexpr size_t kMaxGroups = 8;

  std::shared_ptr<const AbstractStrategy> strategy_;
  int num_samples_;
  Philox belief_;
  BettingWalk walk_, ahead_;
  std::vector<Groups> groups_;
  uint64_t num_uses_ = 0;
  std::vector<int32_t> buckets_, slots_;
  std::vector<TreePlace> drawn_;
  std::vector<double> chances_, group_chances_;  // [hands], [groups + 1] that an action is taken
  std::vector<double> rows_;                     // [groups, actions] of a node
  RangeView considered_range_{};
  uint64_t considered_ = 0;  // counts
  size_t num_considered_actions_ = 0;
  std::vector<NodeSums> known_sums_;
  std::vector<EdgeLane> known_lanes_;
};

}  // namespace nashgap
