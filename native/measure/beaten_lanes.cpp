#include "measure/beaten_lanes.h"

#include <algorithm>

namespace nashgap {

LaneHands hands_of(const RangeBoard& board, int player) {
  const RangeHands& own = board.hands[player];
  const RangeHands& other = board.hands[1 - player];
  const std::vector<StrengthClass>& classes = board.classes[player];
  return {own.size(),      other.size(),   own.cards.data()->data(),        other.cards.data()->data(),
          own.same.data(), classes.data(), static_cast<int>(classes.size())};
}

void BeatenLanes::find(int64_t board, int round, int player, int num_lanes, const float* reach, float* beaten) {
  const RangeBoard& here = boards_[board];
  std::fill_n(beaten, int64_t{num_lanes} * here.hands[player].padded_size(), 0.0f);
  Scratch& scratch = scratch_[round];
  for (int64_t next = here.first_child; next < here.first_child + here.num_children; ++next) {
    const RangeHands& owns = boards_[next].hands[player];
    const RangeHands& others = boards_[next].hands[1 - player];
    const bool is_complete = round + 2 == static_cast<int>(scratch_.size());
    if (is_complete) {
      sweep(boards_[next], player, num_lanes, reach, scratch);
    } else {
      scratch.reach.resize(int64_t{num_lanes} * others.padded_size());
      scratch.beaten.resize(int64_t{num_lanes} * owns.padded_size());
      for (int hand = 0; hand < others.size(); ++hand)
        std::copy_n(reach + int64_t{others.image[hand]} * num_lanes, num_lanes,
                    scratch.reach.data() + int64_t{hand} * num_lanes);
      find(next, round + 1, player, num_lanes, scratch.reach.data(), scratch.beaten.data());
    }
    const float chance = boards_[next].deal_chance;
    for (int image = 0; image < static_cast<int>(boards_[next].images.size()); ++image) {
      const int32_t* places = owns.image.data() + int64_t{image} * owns.size();
      if (is_complete)
        kernels_.add_beaten(hands_of(boards_[next], player), num_lanes, scratch.sums(), places, chance, beaten);
      for (int hand = 0; !is_complete && hand < owns.size(); ++hand) {
        float* sum = beaten + int64_t{places[hand]} * num_lanes;
        const float* won = scratch.beaten.data() + int64_t{hand} * num_lanes;
        for (int lane = 0; lane < num_lanes; ++lane) sum[lane] += chance * won[lane];
      }
    }
  }
}

void BeatenLanes::sweep(const RangeBoard& board, int player, int num_lanes, const float* reach, Scratch& scratch) {
  const RangeHands& others = board.hands[1 - player];
  scratch.starts.resize(others.size());
  for (int hand = 0; hand < others.size(); ++hand) scratch.starts[hand] = others.image[hand] * num_lanes;
  scratch.ones.assign(num_lanes / kLanesPerQuad, 1.0f);
  scratch.by_card.resize(int64_t{num_lanes} * kSumRows);
  scratch.met.resize(int64_t{num_lanes} * board.hands[player].size());
  const LaneReach lanes{num_lanes, {reach, scratch.starts.data()}, {scratch.ones.data(), scratch.starts.data(), 0}};
  kernels_.sweep(hands_of(board, player), lanes, scratch.sums());
}

}  // namespace nashgap
