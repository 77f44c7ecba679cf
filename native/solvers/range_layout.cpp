#include "solvers/range_layout.h"

namespace nashgap {

RangeLayout lay_out(const Rules& rules, const BoardTree& boards, const std::vector<Street>& streets) {
  RangeLayout layout;
  layout.num_boards = boards.size();
  for (const Street& street : streets)
    layout.num_action_nodes += static_cast<int64_t>(street.nodes.size()) *
                               (boards.round_start(street.round + 1) - boards.round_start(street.round));
  for (int player = 0; player < 2; ++player) {
    std::array<int64_t, kMaxRounds> num_hands{};  // on all boards of a round
    for (int round = 0; round < rules.num_rounds; ++round)
      for (int64_t number = boards.round_start(round); number < boards.round_start(round + 1); ++number) {
        layout.hands_before[player].push_back(num_hands[round]);
        num_hands[round] += boards[number].hands[player].padded_size();
      }
    for (const Street& street : streets) {
      layout.first_entry[player].push_back(layout.num_entries[player]);
      layout.num_entries[player] += num_hands[street.round] * street.num_slots[player];
    }
  }
  return layout;
}

}  // namespace nashgap
