#include "measure/lane_plan.h"

#include <algorithm>
#include <cassert>

namespace nashgap {
namespace {

constexpr int32_t whole(int32_t number, int32_t of) { return (number + of - 1) / of * of; }

// Gives each of the ends first .. last - 1 the lane of its sequence, a new one where it has none.
void assign(const std::vector<StreetEnd>& ends, int32_t first, int32_t last, int other, std::vector<int32_t>& lane_of,
            std::vector<int32_t>& sequences, std::vector<int32_t>& lanes) {
  for (int32_t end = first; end < last; ++end) {
    const int32_t sequence = ends[end].sequence[other];
    if (lane_of[sequence] < 0) {
      lane_of[sequence] = static_cast<int32_t>(sequences.size());
      sequences.push_back(sequence);
    }
    lanes.push_back(lane_of[sequence]);
  }
}

}  // namespace

LanePlan::LanePlan(const StreetGroup& group, int player, bool is_complete) : is_complete_(is_complete) {
  add_lanes(group, player);
  add_nodes(group, player);
}

void LanePlan::add_lanes(const StreetGroup& group, int player) {
  const Street& all = group.all;
  const int rival = 1 - player;
  constexpr int32_t kNone = -1;
  std::vector<int32_t> lane_of(group.size() + all.num_slots[rival], kNone), run_out_lane_of(lane_of);
  std::vector<int32_t> sequences, run_out;
  for (int street = 0; street < group.size(); ++street) {
    const auto first = [&](const std::vector<int32_t>& ends) { return street == 0 ? 0 : ends[street - 1]; };
    assign(all.showdowns, first(group.showdown_end), group.showdown_end[street], rival,
           is_complete_ ? lane_of : run_out_lane_of, is_complete_ ? sequences : run_out, showdown_lane_);
    assign(all.folds, first(group.fold_end), group.fold_end[street], rival, lane_of, sequences, fold_lane_);
    sequences.resize(whole(static_cast<int32_t>(sequences.size()), kLanesPerQuad), kNone);
    mass_of.resize(sequences.size() / kLanesPerQuad, street);
    run_out_of.resize(run_out.size(), street);
    exit_of.resize(group.exit_end[street], street);
  }
  num_lanes = whole(static_cast<int32_t>(sequences.size()), kLanesPerStep);
  num_run_out = whole(static_cast<int32_t>(run_out.size()), kLanesPerStep);
  mass_of.resize(num_lanes / kLanesPerQuad, 0);
  for (int street = 0; street < group.size(); ++street) mass_of.push_back(street);
  run_out_of.resize(num_run_out, 0);
  const auto put = [&](const std::vector<int32_t>& lanes) {
    for (size_t lane = 0; lane < lanes.size(); ++lane)
      if (lanes[lane] != kNone) other.all.push_back({static_cast<int32_t>(other.width + lane), lanes[lane], 1.0});
  };
  put(sequences);
  other.width = num_lanes;
  put(run_out);
  other.width += num_run_out;
  for (size_t end = 0; end < all.folds.size(); ++end)
    own.all.push_back({fold_lane_[end], all.folds[end].sequence[player], all.folds[end].win[player]});
  for (size_t end = 0; end < all.showdowns.size(); ++end)
    own.all.push_back(
        {num_lanes + showdown_lane_[end], all.showdowns[end].sequence[player], all.showdowns[end].win[player]});
  own.width = num_lanes + num_beaten();
  for (const StreetExit& exit : all.exits) {
    other.all.push_back({other.width++, exit.sequence[rival], 1.0});
    own.all.push_back({own.width++, exit.sequence[player], 1.0});
  }
}

void LanePlan::add_nodes(const StreetGroup& group, int player) {
  const Street& all = group.all;
  for (size_t end = 0; end < all.folds.size(); ++end) folds.push_back({fold_lane_[end], all.folds[end].win[player]});
  for (size_t end = 0; end < all.showdowns.size(); ++end) {
    const StreetEnd& paid = all.showdowns[end];
    // The house takes nothing: what the weaker hand loses the stronger one wins.
    assert(paid.win[player] == -paid.lose[player] && paid.tie[player] == 0.0f);
    showdowns.push_back({num_lanes + showdown_lane_[end], paid.win[player]});
  }
  nodes.resize(all.nodes.size());  // their number says where cells of exits are
  for (size_t number = 0; number < all.nodes.size(); ++number) {
    const StreetNode& node = all.nodes[number];
    nodes[number] = {static_cast<int32_t>(children.size()), node.num_actions,
                     first_node() + static_cast<int32_t>(number), node.player == player};
    for (int action = 0; action < node.num_actions; ++action) {
      const StreetChild& child = all.children[node.first_child + action];
      switch (child.kind) {
        case StreetChild::kNode: children.push_back({first_node() + child.index, 1.0f}); break;
        case StreetChild::kFold: children.push_back(folds[child.index]); break;
        case StreetChild::kShowdown: children.push_back(showdowns[child.index]); break;
        default: children.push_back({first_exit() + child.index, 1.0f});
      }
    }
  }
}

void LanePlan::keep_for(const StreetGroup& group, const std::vector<LanePlan>& plans) {
  for (const NextGroup& next : group.next) {
    kept_from.push_back(static_cast<int32_t>(kept.size()));
    for (const int32_t street : plans[next.group].mass_of) kept.push_back(next.first_exit + street);
  }
}

}  // namespace nashgap
