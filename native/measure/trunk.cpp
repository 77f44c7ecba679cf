#include "measure/trunk.h"

namespace nashgap {

Trunk::Trunk(const std::vector<StreetGroup>& groups, int num_rounds) : num_rounds_(num_rounds), places_(groups.size()) {
  places_[0].entries = {{0, 0}};
  for (size_t number = 0; number < groups.size(); ++number) {  // what a group leads to stands behind it
    const StreetGroup& group = groups[number];
    if (group.all.round >= num_rounds) continue;
    places_[number].first = num_sequences_;
    for (int player = 0; player < 2; ++player) num_sequences_[player] += group.all.num_slots[player];
    const auto here = static_cast<int32_t>(number);
    for (const StreetNode& node : group.all.nodes)
      nodes_[node.player].push_back({group.all.round, node.node, sequence(here, node.player, node.sequence),
                                     places_[number].first[node.player] + node.first_slot, node.num_actions});
    for (const NextGroup& next : group.next)
      for (int street = 0; street < groups[next.group].size(); ++street) {
        const StreetExit& exit = group.all.exits[next.first_exit + street];
        places_[next.group].entries.push_back(
            {sequence(here, 0, exit.sequence[0]), sequence(here, 1, exit.sequence[1])});
      }
  }
}

}  // namespace nashgap
