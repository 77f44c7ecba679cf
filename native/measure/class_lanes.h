// What the classes of a strategy's hands do in a street, and which class each hand of a board is of.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "measure/known_strategy.h"
#include "measure/lane_plan.h"
#include "measure/street_group.h"
#include "ranges/board_tree.h"

namespace nashgap {

// How likely a player's classes of hands are to go to the ends of a group, from where its street begins and as far as
// it depends on them: a row of each class, found when it is asked for.
class ClassLanes {
 public:
  // group and terms must stay.
  ClassLanes(const KnownStrategy& strategy, int player, const StreetGroup& group, const LaneTerms& terms)
      : strategy_(strategy), player_(player), group_(group), terms_(terms) {}

  int64_t num_floats() const { return strategy_.num_classes(player_, group_.all.round) * terms_.width; }
  // Frees what is known; what the strategy told so far need not hold any longer.
  void forget() {
    slot_of_ = {};
    rows_ = {};
    starts_ = {};
  }

  // Makes the rows of these classes known, and where that of each hand begins.
  void find(const std::vector<int32_t>& classes) {
    if (static_cast<int64_t>(rows_.size()) > kMostFloats) forget();
    if (slot_of_.empty()) {
      slot_of_.resize(strategy_.num_classes(player_, group_.all.round), -1);
      reach_.assign(group_.size() + group_.all.num_slots[player_], 1.0);
    }
    starts_.resize(classes.size());
    for (size_t hand = 0; hand < classes.size(); ++hand) {
      int32_t& slot = slot_of_[classes[hand]];
      if (slot < 0) slot = add(classes[hand]);
      starts_[hand] = slot;
    }
  }
  LaneRows rows(int first) const { return {rows_.data() + first, starts_.data()}; }
  const float* of(int hand) const { return rows_.data() + starts_[hand]; }

 private:
  static constexpr int64_t kMostFloats = int64_t{1} << 24;

  int32_t add(int32_t hand_class) {
    for (const StreetNode& node : group_.all.nodes) {
      if (node.player != player_) continue;
      double* own = &reach_[group_.size() + node.first_slot];
      strategy_.row(node.node, hand_class, own);
      for (int action = 0; action < node.num_actions; ++action) own[action] *= reach_[node.sequence];
    }
    const size_t first = rows_.size();
    rows_.resize(first + terms_.width, 0.0f);
    for (const LaneTerm& term : terms_.all)
      rows_[first + term.place] += static_cast<float>(term.factor * reach_[term.sequence]);
    return static_cast<int32_t>(first);
  }

  const KnownStrategy& strategy_;
  int player_;
  const StreetGroup& group_;
  const LaneTerms& terms_;
  std::vector<int32_t> slot_of_;  // [classes] where its row begins; -1: not known
  std::vector<float> rows_;       // [known][width]
  std::vector<int32_t> starts_;   // [hands]
  std::vector<double> reach_;     // [sequences]
};

// The classes of each player's hands on all boards of a tree.
class BoardClasses {
 public:
  BoardClasses(const Rules& rules, const KnownStrategy& strategy, const BoardTree& boards, int first_round) {
    const bool is_equal = strategy.has_equal_classes();
    std::vector<int32_t> all(rules.num_private_hands());
    const auto find = [&](const RangeBoard& board, int round, auto&& found_of) {
      for (int player = 0; player < 2; ++player) {
        if (player == 0 || !is_equal) strategy.classes(board.cards.data(), round, player, all.data());
        for (const int32_t place : board.hands[player].place) found_of(player).push_back(all[place]);
      }
    };
    for (auto& each : by_board_) each.resize(boards.size());
    for (int round = first_round; round < rules.num_rounds; ++round)
      for (int64_t board = boards.round_start(round); board < boards.round_start(round + 1); ++board)
        find(boards[board], round, [&](int player) -> auto& { return by_board_[player][board]; });
    for (auto& each : before_) each.resize(first_round);
    for (int round = 0; round < first_round; ++round)
      find(boards[0], round, [&](int player) -> auto& { return before_[player][round]; });
  }

  const std::vector<int32_t>& on(int64_t board, int player) const { return by_board_[player][board]; }
  // Of the hands of the first board, in the betting of a round before it.
  const std::vector<int32_t>& before(int round, int player) const { return before_[player][round]; }

 private:
  std::array<std::vector<std::vector<int32_t>>, 2> by_board_, before_;
};

}  // namespace nashgap
