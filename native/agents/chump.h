// Agents that do not look at their cards. See nashgap/agents/chumps.py.
#pragma once

#include "agents/agent.h"

namespace nashgap {

enum class RaiseSize : uint8_t { kPot = 0, kUniform = 1 };

// Folds, calls or raises with fixed probabilities. What is not legal goes to a call: it never folds for free.
class Triple final : public Agent {
 public:
  Triple(double fold, double call, RaiseSize size) : fold_(fold), fold_or_call_(fold + call), size_(size) {}
  Action act(const Situation& situation, Philox& random) override;
  std::unique_ptr<Agent> fresh() const override { return std::make_unique<Triple>(*this); }

 private:
  double fold_, fold_or_call_;
  RaiseSize size_;
};

// Every legal action equally often, each size of a raise being an action of its own.
class UniformRandom final : public Agent {
 public:
  Action act(const Situation& situation, Philox& random) override;
  std::unique_ptr<Agent> fresh() const override { return std::make_unique<UniformRandom>(*this); }
};

}  // namespace nashgap
