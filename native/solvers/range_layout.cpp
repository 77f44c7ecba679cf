#include "solvers/range_layout.h"

namespace nashgap {

RangeLayout lay_out(const Rules& rules, const BoardTree& boards, const std::vector<Street>& streets) {
  RangeLayout layout;
  std::array<std::array<int64_t, 2>, kMaxRounds> num_slots{};
  for (const Street& street : streets) {
    for (int player = 0; player < 2; ++player) num_slots[street.round][player] += street.num_slots[player];
    layout.num_action_nodes += static_cast<int64_t>(street.nodes.size()) *
                               (boards.round_start(street.round + 1) - boards.round_start(street.round));
  }
  for (int player = 0; player < 2; ++player)
    for (int round = 0; round < rules.num_rounds; ++round)
      for (int64_t number = boards.round_start(round); number < boards.round_start(round + 1); ++number) {
        layout.first_entry[player].push_back(layout.num_entries[player]);
        layout.num_entries[player] += boards[number].hands[player].padded_size() * num_slots[round][player];
      }
  return layout;
}

}  // namespace nashgap
