// What poki-sim believes of an opponent: how often it acts how, and from that which hands it may hold.
//
// After Billings, Papp, Schaeffer and Szafron (1998): a player who raises some share of the time is taken to raise the
// best such share of hands, one who folds some share to fold the worst.
#pragma once

#include <array>
#include <vector>

#include "agents/poki_formula.h"

namespace nashgap {

// What a player is faced with, as far as its frequencies are kept apart.
enum class Faced : uint8_t { kNothing = 0, kOneBet, kMoreBets };
constexpr int kNumContexts = 2 * 3;  // before the flop or after it, and what is faced

// Of the seat to act.
int action_context(const Rules& rules, const BettingState& betting);

enum class ActionKind : uint8_t { kFold = 0, kCall, kRaise };

inline ActionKind kind_of(Action action) {
  return action == kFold ? ActionKind::kFold : action == kCall ? ActionKind::kCall : ActionKind::kRaise;
}

// How often a player folds, calls and raises, starting from what is usual.
class ActionFrequencies {
 public:
  ActionFrequencies();
  void see(int context, ActionKind kind) { ++counts_[context][static_cast<int>(kind)]; }
  ActionOdds odds(int context) const;

 private:
  std::array<std::array<double, 3>, kNumContexts> counts_;
};

// What such a player does with a hand at this place, 0 worst to 1 best, in the order of all hands. Averaged over the
// order it gives the frequencies back.
ActionOdds odds_of_hand(const ActionOdds& frequency, double strength);

// Weights of the hands that a player may hold.
class HandWeights {
 public:
  HandWeights() : weight_(kNumHands, 1.0f) {}
  // The player acted like this; strengths: [kNumHands] order of all hands at the time.
  void update(const ActionOdds& frequency, ActionKind kind, const float* strengths);
  const std::vector<float>& weights() const { return weight_; }

 private:
  std::vector<float> weight_;
};

}  // namespace nashgap
