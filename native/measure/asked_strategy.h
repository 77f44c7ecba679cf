// A strategy that is asked about one board after the other: what it told last for each round is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "measure/known_strategy.h"
#include "poker/betting_tree.h"

namespace nashgap {

// Every hand is a class of its own.
class AskedStrategy final : public KnownStrategy {
 public:
  AskedStrategy(const BettingTree& tree, int num_hands)
      : num_hands_(num_hands), first_edge_(tree.first_edge), rounds_(tree.num_rounds) {
    for (int round = 0; round < tree.num_rounds; ++round) {
      rounds_[round].first_edge = tree.first_edge[tree.round_start[round]];
      rounds_[round].num_edges = tree.num_round_edges(round);
      round_of_.resize(tree.round_start[round + 1], static_cast<uint8_t>(round));
    }
  }

  int num_rounds() const { return static_cast<int>(rounds_.size()); }
  int64_t table_size(int round) const { return num_hands_ * rounds_[round].num_edges; }
  // probabilities: [hands][edges of the round], on one board.
  void tell(int round, const float* probabilities) {
    rounds_[round].told.assign(probabilities, probabilities + table_size(round));
    rounds_[round].is_told = true;
  }

  bool is_told(int round) const { return rounds_[round].is_told; }

  bool is_for(const BettingTree& tree) const override {
    return tree.first_edge == first_edge_ && tree.num_rounds == num_rounds() &&
           tree.rules.num_private_hands() == num_hands_;
  }
  bool is_known() const override { return std::ranges::all_of(rounds_, &Round::is_told); }
  int64_t num_classes(int, int) const override { return num_hands_; }
  void classes(const uint8_t*, int, int, int32_t* classes) const override {
    std::iota(classes, classes + num_hands_, 0);
  }
  bool has_equal_classes() const override { return true; }
  void row(int32_t node, int32_t hand, double* probabilities) const override {
    const Round& round = rounds_[round_of_[node]];
    const float* row = round.told.data() + hand * round.num_edges + (first_edge_[node] - round.first_edge);
    std::copy(row, row + (first_edge_[node + 1] - first_edge_[node]), probabilities);
  }

 private:
  struct Round {
    int64_t first_edge, num_edges;
    std::vector<float> told;
    bool is_told = false;
  };

  int64_t num_hands_;
  std::vector<int64_t> first_edge_;  // [nodes + 1]
  std::vector<uint8_t> round_of_;    // [nodes]
  std::vector<Round> rounds_;
};

}  // namespace nashgap
