#include "poker/betting_abstraction.h"

#include <algorithm>
#include <cmath>

namespace nashgap {

namespace {

__extension__ using Wide = __int128;  // pots of billions of chips in fine shares

// In whole chips, halves up.
int64_t share_of(int64_t chips, int64_t shares) {
  return static_cast<int64_t>((static_cast<Wide>(shares) * chips + kPotShares / 2) / kPotShares);
}

// The raises of one decision.
class Raises {
 public:
  Raises(const Rules& rules, const BettingState& state, const LegalActions& legal)
      : rules_(rules), state_(state), legal_(legal) {}

  void keep(const RaiseSize& size, std::vector<Action>& actions) const {
    switch (size.kind) {
      case RaiseKind::kSmallest: actions.push_back(legal_.min_raise_to); return;
      case RaiseKind::kAllIn: actions.push_back(legal_.max_raise_to); return;
      case RaiseKind::kEvery:
        for (Action raise_to = legal_.min_raise_to; raise_to <= legal_.max_raise_to; ++raise_to)
          actions.push_back(raise_to);
        return;
      case RaiseKind::kPotShare:
        actions.push_back(clipped(state_.max_spent() + share_of(pot_after_call(), size.number)));
        return;
      case RaiseKind::kGeometric: actions.push_back(clipped(state_.max_spent() + geometric(size.number))); return;
      case RaiseKind::kMultiple:
        if (state_.bet() > 0) actions.push_back(clipped(state_.spent_before() + share_of(state_.bet(), size.number)));
        return;
    }
  }

  void add_all_in(int64_t shares, std::vector<Action>& actions) const {
    if (can_be_all_in() && chips_left() <= share_of(pot_after_call(), shares)) actions.push_back(legal_.max_raise_to);
  }

  Action all_in_or(Action raise_to, int64_t shares) const {
    const int64_t raise = raise_to - state_.max_spent();
    const bool is_nearly = chips_left() - raise <= share_of(pot_after_call() + 2 * raise, shares);
    return is_nearly && can_be_all_in() ? legal_.max_raise_to : raise_to;
  }

  bool are_close(Action smaller, Action larger, int64_t shares) const {
    const int64_t before = pot_after_call() - state_.max_spent();
    return static_cast<Wide>(before + larger) * kPotShares <=
           static_cast<Wide>(before + smaller) * (kPotShares + shares);
  }

 private:
  int64_t pot_after_call() const { return state_.pot(rules_) + state_.to_call(rules_); }
  Action clipped(int64_t raise_to) const {
    return static_cast<Action>(std::clamp<int64_t>(raise_to, legal_.min_raise_to, legal_.max_raise_to));
  }

  // Chips behind, after calling: the seat's own, or the most that one of the others has, if that is less.
  int64_t chips_left() const {
    int32_t others = 0;
    for (int seat = 0; seat < rules_.num_seats; ++seat)
      if (seat != state_.seat() && !state_.has_folded(seat)) others = std::max(others, rules_.stacks[seat]);
    return std::min(others, rules_.stacks[state_.seat()]) - state_.max_spent();
  }
  bool can_be_all_in() const { return legal_.max_raise_to >= state_.max_spent() + chips_left(); }

  // With r the part of the pot that is bet in each of n rounds, and called by one: pot * (1 + 2r)^n = pot + 2 * left.
  // Each raise of a raise takes the place of a round.
  int64_t geometric(int64_t num_rounds) const {
    if (num_rounds == 0) num_rounds = rules_.num_rounds - state_.round();
    num_rounds -= std::max(state_.num_raises() - 1, 0);
    const int64_t left = chips_left();
    const double pot = static_cast<double>(pot_after_call());
    if (num_rounds <= 1 || left <= 0 || pot == 0.0) return left;
    const double growth = std::pow(1.0 + 2.0 * static_cast<double>(left) / pot, 1.0 / static_cast<double>(num_rounds));
    return std::llround(pot * (growth - 1.0) / 2.0);
  }

  const Rules& rules_;
  const BettingState& state_;
  const LegalActions& legal_;
};

const std::vector<RaiseSize>& sizes_at(const Rules& rules, const BettingAbstraction& abstraction,
                                       const BettingState& state) {
  const auto& donk = abstraction.donks[state.round()];
  if (donk.has_value() && state.is_before_raiser(rules)) return *donk;
  const auto& by_raise = abstraction.sizes_of(state.seat())[state.round()];
  return by_raise[std::min<size_t>(state.num_raises(), by_raise.size() - 1)];
}

// Ascending raises from `first` on: the largest stays, and of the others the next that is not close to the last kept.
void merge(const Raises& raises, int64_t shares, std::ptrdiff_t first, std::vector<Action>& actions) {
  if (actions.begin() + first == actions.end()) return;
  auto kept = actions.end() - 1;
  for (auto each = kept; each != actions.begin() + first;)
    if (!raises.are_close(*--each, *kept, shares)) *--kept = *each;
  actions.erase(actions.begin() + first, kept);
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
  const auto& sizes = sizes_at(rules, abstraction, state);
  if (sizes.empty()) return;
  const auto first = static_cast<std::ptrdiff_t>(actions.size());
  const Raises raises(rules, state, legal);
  for (const RaiseSize& size : sizes) raises.keep(size, actions);
  if (abstraction.add_all_in > 0) raises.add_all_in(abstraction.add_all_in, actions);
  if (abstraction.force_all_in > 0)
    for (auto raise = actions.begin() + first; raise != actions.end(); ++raise)
      *raise = raises.all_in_or(*raise, abstraction.force_all_in);
  std::sort(actions.begin() + first, actions.end());
  actions.erase(std::unique(actions.begin() + first, actions.end()), actions.end());
  if (abstraction.merge > 0) merge(raises, abstraction.merge, first, actions);
}

}  // namespace nashgap
