// Plays as its base does until the betting has come to what an expert is for, and from there on as the expert (Abou
// Risk 2009, section 4.5.1). The base may be any agent.
#pragma once

#include <memory>
#include <utility>

#include "agents/table_agent.h"

namespace nashgap {

class Master final : public Agent {
 public:
  // experts: a strategy whose segments are the experts.
  Master(std::unique_ptr<Agent> base, std::shared_ptr<const AbstractStrategy> experts)
      : base_(std::move(base)), experts_(experts), expert_(std::move(experts)) {}

  void require_game(const Rules& rules) const override {
    base_->require_game(rules);
    expert_.require_game(rules);
  }
  Action act(const Situation& situation, Philox& random) override {
    return expert_.has_begun(situation) ? expert_.act(situation, random) : base_->act(situation, random);
  }
  std::unique_ptr<Agent> fresh() const override { return std::make_unique<Master>(base_->fresh(), experts_); }
  bool has_memory() const override { return base_->has_memory(); }
  void watch(const Rules& rules, const BettingState& betting, Action action) override {
    base_->watch(rules, betting, action);
  }
  void end_hand(const Rules& rules, const BettingState& betting, int seat) override {
    base_->end_hand(rules, betting, seat);
  }

 private:
  std::unique_ptr<Agent> base_;
  std::shared_ptr<const AbstractStrategy> experts_;
  TableAgent expert_;
};

}  // namespace nashgap
