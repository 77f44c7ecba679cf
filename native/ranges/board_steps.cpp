#include "ranges/board_steps.h"

#include <algorithm>

namespace nashgap {

void take_to_next(const RangeHands& next_hands, const float* reach, float* taken) {
  for (int hand = 0; hand < next_hands.size(); ++hand) taken[hand] = reach[next_hands.image[hand]];
  std::fill(taken + next_hands.size(), taken + next_hands.padded_size(), 0.0f);
}

void add_from_next(const RangeBoard& next, int player, const float* next_values, float* sums) {
  const RangeHands& hands = next.hands[player];
  const float chance = next.deal_chance;
  for (int image = 0; image < static_cast<int>(next.images.size()); ++image) {
    const int32_t* place = hands.image.data() + int64_t{image} * hands.size();
    for (int hand = 0; hand < hands.size(); ++hand) sums[place[hand]] += chance * next_values[hand];
  }
}

void RunOut::meet(int64_t board, int round, int player, int num_lanes, const ShowdownPayoffs& payoffs,
                  const float* reach, float* values) {
  const RangeBoard& here = boards_[board];
  if (round + 1 == static_cast<int>(scratch_.size())) {
    meet_at_showdowns(here, player, num_lanes, reach, payoffs, values);
    return;
  }
  std::fill_n(values, int64_t{num_lanes} * here.hands[player].padded_size(), 0.0f);
  auto& [next_reach, next_values] = scratch_[round];
  for (int64_t next = here.first_child; next < here.first_child + here.num_children; ++next) {
    const RangeHands& others = boards_[next].hands[1 - player];
    const RangeHands& owns = boards_[next].hands[player];
    next_reach.resize(int64_t{num_lanes} * others.padded_size());
    next_values.resize(int64_t{num_lanes} * owns.padded_size());
    for (int hand = 0; hand < others.size(); ++hand)
      std::copy_n(reach + int64_t{others.image[hand]} * num_lanes, num_lanes,
                  next_reach.data() + int64_t{hand} * num_lanes);
    meet(next, round + 1, player, num_lanes, payoffs, next_reach.data(), next_values.data());
    const float chance = boards_[next].deal_chance;
    for (int image = 0; image < static_cast<int>(boards_[next].images.size()); ++image)
      for (int hand = 0; hand < owns.size(); ++hand) {
        float* sum = values + int64_t{owns.image[int64_t{image} * owns.size() + hand]} * num_lanes;
        const float* value = next_values.data() + int64_t{hand} * num_lanes;
        for (int lane = 0; lane < num_lanes; ++lane) sum[lane] += chance * value[lane];
      }
  }
}

}  // namespace nashgap
