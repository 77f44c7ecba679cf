#include "measure/street_group.h"

#include <utility>

namespace nashgap {
namespace {

constexpr size_t kMostEnds = 192;

// What is put behind `group` of how many streets, of which `group` has some already.
void add_street(const Street& street, int num_streets, StreetGroup& group) {
  const int number = group.size();
  Street& all = group.all;
  const auto first_node = static_cast<int32_t>(all.nodes.size());
  const auto first_child = static_cast<int32_t>(all.children.size());
  const std::array<int32_t, 2> first_slot = all.num_slots;
  const std::array<int32_t, 4> first_index = {first_node, static_cast<int32_t>(all.folds.size()),
                                              static_cast<int32_t>(all.showdowns.size()),
                                              static_cast<int32_t>(all.exits.size())};
  const auto moved = [&](int32_t sequence, int player) {
    return sequence == 0 ? number : num_streets + first_slot[player] + sequence - 1;
  };
  all.round = street.round;
  for (StreetNode node : street.nodes) {
    node.sequence = moved(node.sequence, node.player);
    node.first_slot += first_slot[node.player];
    node.first_child += first_child;
    all.nodes.push_back(node);
  }
  for (StreetChild child : street.children) {
    child.index += first_index[child.kind];
    all.children.push_back(child);
  }
  const auto add_ends = [&](const auto& from, auto& to) {
    for (auto end : from) {
      for (int player = 0; player < 2; ++player) end.sequence[player] = moved(end.sequence[player], player);
      to.push_back(end);
    }
  };
  add_ends(street.folds, all.folds);
  add_ends(street.showdowns, all.showdowns);
  add_ends(street.exits, all.exits);
  for (int player = 0; player < 2; ++player) all.num_slots[player] += street.num_slots[player];
  group.roots.push_back(first_node);
  group.fold_end.push_back(static_cast<int32_t>(all.folds.size()));
  group.showdown_end.push_back(static_cast<int32_t>(all.showdowns.size()));
  group.exit_end.push_back(static_cast<int32_t>(all.exits.size()));
}

}  // namespace

std::vector<StreetGroup> group_streets(const std::vector<Street>& streets, Grouping grouping) {
  std::vector<StreetGroup> groups;
  std::vector<std::vector<int32_t>> members = {{0}};
  for (size_t number = 0; number < members.size(); ++number) {  // grows
    const std::vector<int32_t> own = members[number];
    StreetGroup group;
    for (const int32_t street : own) add_street(streets[street], static_cast<int>(own.size()), group);
    size_t num_ends = 0;
    for (size_t exit = 0; exit < group.all.exits.size(); ++exit) {
      const int32_t street = group.all.exits[exit].street;
      const size_t more = streets[street].folds.size() + streets[street].showdowns.size();
      if (exit == 0 || (grouping == Grouping::kSmall && num_ends + more > kMostEnds)) {
        group.next.push_back({static_cast<int32_t>(members.size()), static_cast<int32_t>(exit)});
        members.emplace_back();
        num_ends = 0;
      }
      members.back().push_back(street);
      num_ends += more;
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace nashgap
