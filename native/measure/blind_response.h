// Best responses in hold'em to a strategy that does not look at its cards, from one flop on and exactly.
//
// What such an opponent does tells nothing about its hand: it holds any that is left. So a hand's value after some
// betting depends on the cards only by its chances, on the river by one number; streets that pay and go on alike are
// one, however the betting came there. Values come up from the river's levels by averages over the cards to come.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "measure/full_response.h"
#include "ranges/street.h"

namespace nashgap {

class BlindResponse {
 public:
  // probabilities: [edges] of the betting tree. river_levels: [canonical boards, kNumHands] of
  // StrengthMetric::kOneHand; they must outlive this.
  BlindResponse(std::shared_ptr<const Rules> rules, const BettingTree& tree, std::vector<double> probabilities,
                const uint16_t* river_levels);

  // As of FullResponse.
  BoardResponse respond(const std::array<uint8_t, 3>& flop) const;

  // Streets of a round that differ in what they pay or lead to.
  int num_different(int round) const { return static_cast<int>(different_[round].size()); }

 private:
  // Values of some hands, or levels: [lanes][hands]. Lane 0 is the chance to win less that to lose; then come the
  // different streets of a round, for each of both players.
  using Lanes = std::vector<std::vector<float>>;

  int num_lanes(int round) const { return 1 + 2 * num_different(round); }
  int lane_of(int32_t street, int player) const { return 1 + 2 * class_of_[street] + player; }
  void merge_streets();
  std::vector<double> key_of(const Street& street) const;
  // What the player's hands win at best from the start of a street on. next: of the round after it.
  std::vector<float> values_of(const Street& street, int player, const std::vector<float>& chances,
                               const Lanes& next) const;
  Lanes lanes_of_round(int round, const std::vector<float>& chances, const Lanes& next) const;
  void fill_river();
  // Means over the rivers of one turn, for the hands of cards_of_hands.
  Lanes over_rivers(const std::array<uint8_t, 4>& board) const;
  Lanes over_turns(const std::array<uint8_t, 3>& flop) const;
  double probability(const StreetNode& node, int action) const {
    return probabilities_[first_edge_[node.node] + action];
  }
  std::vector<double> reach_of(int player) const;

  std::shared_ptr<const Rules> rules_;
  std::vector<Street> streets_;
  std::vector<double> probabilities_;
  std::vector<int64_t> first_edge_;
  const uint16_t* river_levels_;
  std::vector<int32_t> class_of_;                           // [streets] within its round
  std::array<std::vector<int32_t>, kMaxRounds> different_;  // [rounds][classes] a street of each
  int river_stride_ = 0;
  std::vector<float> river_;  // [levels][lanes of the river, padded]
};

}  // namespace nashgap
