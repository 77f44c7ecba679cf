// Agents that do not look at their cards. See nashgap/agents/chumps.py.
#pragma once

#include "agents/agent.h"

namespace nashgap {

// Any size from `low` to `high` alike.
struct BlindRaise {
  Action low, high;
  double chance;
};

class BlindAgent : public Agent {
 public:
  // The chance that it folds in the situation.
  virtual double fold_probability(const Situation& situation) const = 0;
  // To what and how often it raises.
  virtual BlindRaise raise(const Situation& situation) const = 0;
};

// By the pot, a size of its own each time, or the whole stack.
enum class ChumpSize : uint8_t { kPot = 0, kUniform = 1, kAllIn = 2 };

// Folds, calls or raises with fixed probabilities. What is not legal goes to a call: it never folds for free.
class Triple final : public BlindAgent {
 public:
  Triple(double fold, double call, ChumpSize size) : fold_(fold), fold_or_call_(fold + call), size_(size) {}
  Action act(const Situation& situation, Philox& random) override;
  double fold_probability(const Situation& situation) const override;
  BlindRaise raise(const Situation& situation) const override;
  std::unique_ptr<Agent> fresh() const override { return std::make_unique<Triple>(*this); }

 private:
  double fold_, fold_or_call_;
  ChumpSize size_;
};

// Every legal action equally often.
class UniformRandom final : public BlindAgent {
 public:
  // has_sizes: each size of a raise is an action of its own; else raising is one, by a random size.
  explicit UniformRandom(bool has_sizes) : has_sizes_(has_sizes) {}
  Action act(const Situation& situation, Philox& random) override;
  double fold_probability(const Situation& situation) const override;
  BlindRaise raise(const Situation& situation) const override;
  std::unique_ptr<Agent> fresh() const override { return std::make_unique<UniformRandom>(*this); }

 private:
  uint64_t num_raises(const LegalActions& legal) const;

  bool has_sizes_;
};

}  // namespace nashgap
