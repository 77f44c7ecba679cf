// An opponent that does not look at its cards: what it does tells nothing about them.
#pragma once

#include <memory>

#include "agents/chump.h"
#include "measure/ranged_opponent.h"

namespace nashgap {

class BlindOpponent final : public RangedOpponent {
 public:
  explicit BlindOpponent(std::shared_ptr<BlindAgent> agent) : agent_(std::move(agent)) {}

  void require_game(const Rules& rules) const override { agent_->require_game(rules); }
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
    const auto [low, high, share] = agent_->raise(situation);
    if (share > 0.0) raises.push_back({low + (high - low) / 2, {share * total_.mass, share * total_.winning}});
    return true;
  }
  bool policy(const Situation& situation, HandPolicy& policy) override {
    const double folds = agent_->fold_probability(situation);
    const auto [low, high, raises] = agent_->raise(situation);
    policy.clear();
    if (folds > 0.0) policy.add_blind({kFold, kFold}, folds);
    if (1.0 - folds - raises > kRounding) policy.add_blind({kCall, kCall}, 1.0 - folds - raises);
    if (raises > kRounding) policy.add_blind({low, high}, raises);
    return true;
  }
  bool answers(const Situation& situation, bool has_raises, AnswerLanes&, std::vector<AnswerPart>& parts) override {
    parts.clear();
    const double folds = agent_->fold_probability(situation);
    if (folds > 0.0) parts.push_back({kFold, AnswerPart::kEveryHand, folds});
    if (!has_raises) return true;
    const auto [low, high, raises] = agent_->raise(situation);
    if (raises > kRounding) parts.push_back({low + (high - low) / 2, AnswerPart::kEveryHand, raises});
    return true;
  }

 private:
  static constexpr double kRounding = 1e-12;  // what is left of probabilities that add up to 1

  std::shared_ptr<BlindAgent> agent_;
  RangeSums total_;
};

}  // namespace nashgap
