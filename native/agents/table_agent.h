// Plays a strategy of an abstract game. See nashgap/agents/table_agent.py.
#pragma once

#include <memory>

#include "agents/agent.h"
#include "strategies/abstract_strategy.h"

namespace nashgap {

// What it remembers would come out the same again, where the betting so far leads in the tree; so it need not be told
// that a hand begins.
class TableAgent final : public Agent {
 public:
  explicit TableAgent(std::shared_ptr<const AbstractStrategy> strategy);
  void require_game(const Rules& rules) const override;
  Action act(const Situation& situation, Philox& random) override;
  // Whether the strategy says anything there; an expert does not before its prefix.
  bool has_begun(const Situation& situation);
  std::unique_ptr<Agent> fresh() const override { return std::make_unique<TableAgent>(strategy_); }

 private:
  std::shared_ptr<const AbstractStrategy> strategy_;
  BettingWalk walk_;
};

}  // namespace nashgap
