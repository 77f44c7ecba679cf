#include "poker/betting_abstraction.h"

#include <algorithm>

namespace nashgap {

namespace {

__extension__ using Wide = __int128;  // pots of billions of chips in fine shares

Action raise_of_size(const Rules& rules, const BettingState& state, const LegalActions& legal, RaiseSize size) {
  if (size == kSmallestRaise) return legal.min_raise_to;
  if (size == kAllInRaise) return legal.max_raise_to;
  const int64_t pot_after_call = state.pot(rules) + state.to_call(rules);
  const Wide shares = static_cast<Wide>(size) * pot_after_call;
  const int64_t raise_to = state.max_spent() + static_cast<int64_t>((shares + kPotShares / 2) / kPotShares);
  return static_cast<Action>(std::clamp<int64_t>(raise_to, legal.min_raise_to, legal.max_raise_to));
}

}  // namespace

void abstract_actions(const Rules& rules, const BettingAbstraction& abstraction, const BettingState& state,
                      std::vector<Action>& actions) {
  actions.clear();
  const LegalActions legal = state.legal(rules);
  if (legal.can_fold) actions.push_back(kFold);
  const bool can_raise = legal.max_raise_to > 0 && state.num_raises() < abstraction.caps[state.round()];
  if (!(abstraction.pushes && legal.can_fold && can_raise)) actions.push_back(kCall);
  if (!can_raise) return;
  const auto& by_raise = abstraction.sizes[state.round()];
  const auto first = static_cast<std::ptrdiff_t>(actions.size());
  for (const RaiseSize size : by_raise[std::min<size_t>(state.num_raises(), by_raise.size() - 1)]) {
    if (size == kEveryRaise) {
      for (Action raise_to = legal.min_raise_to; raise_to <= legal.max_raise_to; ++raise_to)
        actions.push_back(raise_to);
    } else {
      actions.push_back(raise_of_size(rules, state, legal, size));
    }
  }
  std::sort(actions.begin() + first, actions.end());
  actions.erase(std::unique(actions.begin() + first, actions.end()), actions.end());
}

}  // namespace nashgap
