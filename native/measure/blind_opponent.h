// An opponent that does not look at its cards: what it does tells nothing about them.
#pragma once

#include <memory>

#include "agents/chump.h"
#include "measure/ranged_opponent.h"

namespace nashgap {

class BlindOpponent final : public RangedOpponent {
 public:
  explicit BlindOpponent(std::shared_ptr<BlindAgent> agent) : agent_(std::move(agent)) {}

  bool act(const Situation& situation, Philox& random, Action& action) override {
    action = agent_->act(situation, random);
    return true;
  }
  bool observe(const Situation&, Action, double*, int) override { return true; }
  void consider(const Situation&, const RangeView& range) override { total_ = range.total; }
  bool fold_sums(const Situation& situation, RangeSums& sums) override {
    const double share = agent_->fold_probability(situation);
    sums = {share * total_.mass, share * total_.winning};
    return true;
  }
  bool raise_sums(const Situation& situation, std::vector<RaiseSums>& raises) override {
    raises.clear();
    const auto [raise_to, share] = agent_->middle_raise(situation);
    if (share > 0.0) raises.push_back({raise_to, {share * total_.mass, share * total_.winning}});
    return true;
  }

 private:
  std::shared_ptr<BlindAgent> agent_;
  RangeSums total_;
};

}  // namespace nashgap
