#include "agents/poki_opponent.h"

#include <algorithm>

namespace nashgap {

namespace {

// What is usual counts as much as this many actions seen.
constexpr double kPriorActions = 8;
constexpr std::array<ActionOdds, kNumContexts> kUsual = {{
    {0.00, 0.85, 0.15},  // before the flop
    {0.25, 0.60, 0.15},
    {0.40, 0.52, 0.08},
    {0.00, 0.75, 0.25},  // after it
    {0.35, 0.53, 0.12},
    {0.25, 0.65, 0.10},
}};
constexpr double kSoftening = 0.1;  // how far around its threshold a choice is mixed
constexpr double kSurprise = 0.05;  // share of actions that say nothing about the hand

// Rises from 0 to 1 around the threshold, and averages 1 - threshold over all strengths.
double soft_step(double strength, double threshold) {
  const double width = std::min({kSoftening, threshold, 1 - threshold});
  if (width <= 0) return strength >= threshold;
  return std::clamp((strength - threshold + width) / (2 * width), 0.0, 1.0);
}

double part(const ActionOdds& odds, ActionKind kind) {
  return kind == ActionKind::kFold ? odds.fold : kind == ActionKind::kCall ? odds.call : odds.raise;
}

}  // namespace

int action_context(const Rules& rules, const BettingState& betting) {
  const bool is_preflop = betting.round() == 0;
  const int num_bets = betting.num_raises() + is_preflop;  // the blind is a bet
  Faced faced = num_bets > 1 ? Faced::kMoreBets : Faced::kOneBet;
  if (betting.to_call(rules) == 0) faced = Faced::kNothing;
  return (is_preflop ? 0 : 3) + static_cast<int>(faced);
}

ActionFrequencies::ActionFrequencies() {
  for (int context = 0; context < kNumContexts; ++context) {
    const ActionOdds& usual = kUsual[context];
    counts_[context] = {kPriorActions * usual.fold, kPriorActions * usual.call, kPriorActions * usual.raise};
  }
}

ActionOdds ActionFrequencies::odds(int context) const {
  const auto& [folds, calls, raises] = counts_[context];
  const double total = folds + calls + raises;
  return {folds / total, calls / total, raises / total};
}

ActionOdds odds_of_hand(const ActionOdds& frequency, double strength) {
  const double raise = soft_step(strength, 1 - frequency.raise);
  const double fold = std::min(1 - soft_step(strength, frequency.fold), 1 - raise);
  return {(1 - kSurprise) * fold + kSurprise * frequency.fold,
          (1 - kSurprise) * (1 - fold - raise) + kSurprise * frequency.call,
          (1 - kSurprise) * raise + kSurprise * frequency.raise};
}

void HandWeights::update(const ActionOdds& frequency, ActionKind kind, const float* strengths) {
  for (int hand = 0; hand < kNumHands; ++hand)
    weight_[hand] *= static_cast<float>(part(odds_of_hand(frequency, strengths[hand]), kind));
}

}  // namespace nashgap
