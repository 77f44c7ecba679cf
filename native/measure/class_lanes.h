// What the classes of a strategy's hands do in a street, and which class each hand of a board is of.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "measure/known_strategy.h"
#include "measure/street_group.h"
#include "ranges/blocks.h"
#include "ranges/board_tree.h"

namespace nashgap {

// Where the ends of a group of streets lie side by side: folds, then showdowns, then exits, each in whole vectors.
struct LanePlan {
  int folds = 0, showdowns = 0, exits = 0;
  std::vector<int32_t> fold_streets, showdown_streets, exit_streets;  // [lanes] of the group

  LanePlan() = default;
  explicit LanePlan(const StreetGroup& group)
      : fold_streets(streets_of(group.fold_end)),
        showdown_streets(streets_of(group.showdown_end)),
        exit_streets(streets_of(group.exit_end)) {
    folds = static_cast<int>(fold_streets.size());
    showdowns = static_cast<int>(showdown_streets.size());
    exits = static_cast<int>(exit_streets.size());
  }
  int first_exit() const { return folds + showdowns; }
  int width() const { return folds + showdowns + exits; }

 private:
  static std::vector<int32_t> streets_of(const std::vector<int32_t>& ends) {
    std::vector<int32_t> streets;
    for (size_t street = 0; street < ends.size(); ++street) streets.resize(ends[street], static_cast<int32_t>(street));
    streets.resize(padded(ends.back()), 0);
    return streets;
  }
};

// How likely a player's classes of hands are to go to each end of a group, from where its street begins and as far as
// it depends on them: [lanes] of each class, found when it is asked for.
class ClassLanes {
 public:
  ClassLanes(const KnownStrategy& strategy, int player) : strategy_(strategy), player_(player) {}

  void begin(const StreetGroup& group) {
    if (group_ == &group && rows_.size() <= kMostFloats) return;
    for (const int32_t known : known_) slot_of_[known] = -1;
    known_.clear();
    rows_.clear();
    group_ = &group;
    plan_ = LanePlan(group);
    slot_of_.resize(std::max(slot_of_.size(), static_cast<size_t>(strategy_.num_classes(player_, group.all.round))),
                    -1);
    reach_.assign(group.size() + group.all.num_slots[player_], 1.0);
  }

  // Makes the lanes of these classes known.
  void find(const std::vector<int32_t>& classes) {
    for (const int32_t each : classes)
      if (slot_of_[each] < 0) add(each);
  }
  const float* of(int32_t hand_class) const {
    return rows_.data() + static_cast<int64_t>(slot_of_[hand_class]) * plan_.width();
  }
  const LanePlan& plan() const { return plan_; }

 private:
  static constexpr size_t kMostFloats = size_t{1} << 24;

  void add(int32_t hand_class) {
    slot_of_[hand_class] = static_cast<int32_t>(known_.size());
    known_.push_back(hand_class);
    const Street& all = group_->all;
    for (const StreetNode& node : all.nodes) {
      if (node.player != player_) continue;
      double* own = &reach_[group_->size() + node.first_slot];
      strategy_.row(node.node, hand_class, own);
      for (int action = 0; action < node.num_actions; ++action) own[action] *= reach_[node.sequence];
    }
    const size_t first = rows_.size();
    rows_.resize(first + plan_.width(), 0.0f);
    const auto put = [&](const auto& ends, size_t place) {
      for (const auto& end : ends) rows_[place++] = static_cast<float>(reach_[end.sequence[player_]]);
    };
    put(all.folds, first);
    put(all.showdowns, first + plan_.folds);
    put(all.exits, first + plan_.first_exit());
  }

  const KnownStrategy& strategy_;
  int player_;
  const StreetGroup* group_ = nullptr;
  LanePlan plan_;
  std::vector<int32_t> slot_of_;  // [classes]
  std::vector<int32_t> known_;
  std::vector<float> rows_;    // [known][lanes]
  std::vector<double> reach_;  // [sequences]
};

// The classes of each player's hands on all boards of a tree.
class BoardClasses {
 public:
  BoardClasses(const Rules& rules, const KnownStrategy& strategy, const BoardTree& boards, int first_round) {
    for (int player = 0; player < 2; ++player) {
      by_board_[player].resize(boards.size());
      std::vector<int32_t> all(rules.num_private_hands());
      const auto find = [&](const RangeBoard& board, int round, std::vector<int32_t>& found) {
        strategy.classes(board.cards.data(), round, player, all.data());
        for (const int32_t place : board.hands[player].place) found.push_back(all[place]);
      };
      for (int round = first_round; round < rules.num_rounds; ++round)
        for (int64_t board = boards.round_start(round); board < boards.round_start(round + 1); ++board)
          find(boards[board], round, by_board_[player][board]);
      if (first_round > 0) find(boards[0], 0, before_[player]);
    }
  }

  const std::vector<int32_t>& on(int64_t board, int player) const { return by_board_[player][board]; }
  // Of the hands of the first board, in the betting before it.
  const std::vector<int32_t>& before(int player) const { return before_[player]; }

 private:
  std::array<std::vector<std::vector<int32_t>>, 2> by_board_;
  std::array<std::vector<int32_t>, 2> before_;
};

}  // namespace nashgap
