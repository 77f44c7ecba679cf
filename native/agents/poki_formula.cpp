#include "agents/poki_formula.h"

#include <algorithm>
#include <array>

namespace nashgap {

namespace {

// 0 below from, 1 above to.
double ramp(double x, double from, double to) { return std::clamp((x - from) / (to - from), 0.0, 1.0); }

// Effective strength from which a hand is sometimes, and from which it is always, bet or raised; by bets before.
struct Interval {
  double from, to;
};
constexpr std::array<Interval, 4> kRaise = {{{0.65, 0.95}, {0.92, 1.00}, {0.95, 1.00}, {0.97, 1.00}}};
constexpr double kLastToAct = 0.05;  // thresholds of a bet are lower by this when nobody acts behind

// A trap: strong hands that are checked, to be raised behind a bet.
constexpr double kTrapStrength = 0.85;
constexpr double kTrapShare = 0.25;

// Bluffs: draws worth betting, and the hopeless hands of a last round.
constexpr double kSemiBluffPotential = 0.15;
constexpr double kSemiBluffShare = 0.2;
constexpr double kSemiRaisePotential = 0.22;
constexpr double kSemiRaiseShare = 0.05;
constexpr double kBluffStrength = 0.25;
constexpr double kBluffShare = 0.12;

// Who bets holds more than a random hand: what each bet leaves of the chance to win.
constexpr double kLeftByBet = 0.62;
constexpr double kLaterBets = 0.5;    // bets of this size yet to be called, for each later round
constexpr double kFoldMargin = 0.06;  // hands this much short of their price are always folded

ActionOdds first_odds(const FormulaView& view, double effective) {
  const double lower = view.is_last ? kLastToAct : 0.0;
  double raise = ramp(effective, kRaise[0].from - lower, kRaise[0].to - lower);
  if (!view.is_last && effective > kTrapStrength) raise *= 1 - kTrapShare;
  const bool is_draw = view.num_later > 0 && view.potential.positive > kSemiBluffPotential;
  if (is_draw) raise = std::max(raise, kSemiBluffShare);
  const bool is_hopeless = view.num_later == 0 && view.potential.strength < kBluffStrength;
  if (is_hopeless && view.num_opponents == 1) raise = std::max(raise, kBluffShare);
  return {0, 1 - raise, raise};
}

ActionOdds later_odds(const FormulaView& view, double effective) {
  const Interval& interval = kRaise[std::min<size_t>(view.num_bets, kRaise.size() - 1)];
  double raise = ramp(effective, interval.from, interval.to);
  const bool is_strong_draw = view.num_later > 0 && view.potential.positive > kSemiRaisePotential;
  if (is_strong_draw && view.num_opponents == 1 && view.num_bets == 1) raise = std::max(raise, kSemiRaiseShare);

  double chance = effective;
  for (int bet = 0; bet < view.num_bets; ++bet) chance *= kLeftByBet;
  const double later = kLaterBets * view.num_later * view.to_call;
  const double price = (view.to_call + later) / (view.pot + view.to_call + 2 * later);
  const double draw_price = view.to_call / (view.pot + view.to_call);
  const bool has_odds = view.num_later > 0 && view.potential.positive >= draw_price;
  const double stay = has_odds ? 1.0 : ramp(chance, price - kFoldMargin, price + kFoldMargin);
  return {(1 - raise) * (1 - stay), (1 - raise) * stay, raise};
}

bool is_last_to_act(const Rules& rules, const BettingState& betting) {
  const int first = rules.first_seats[betting.round()];
  for (int behind = 1; behind < rules.num_seats; ++behind) {
    const int seat = (betting.seat() + behind) % rules.num_seats;
    if (seat == first) return true;
    if (!betting.has_folded(seat)) return false;
  }
  return true;
}

}  // namespace

FormulaView formula_view(const Rules& rules, const BettingState& betting, const HandPotential& potential) {
  return {potential,
          betting.num_active() - 1,
          betting.num_raises(),
          rules.num_rounds - 1 - betting.round(),
          is_last_to_act(rules, betting),
          static_cast<double>(betting.to_call(rules)),
          static_cast<double>(betting.pot(rules))};
}

ActionOdds formula_odds(const FormulaView& view) {
  const double effective = view.potential.effective(view.num_opponents);
  return view.to_call > 0 ? later_odds(view, effective) : first_odds(view, effective);
}

Action pick_action(const Rules& rules, const BettingState& betting, const ActionOdds& odds, double draw) {
  if (draw < odds.fold) return betting.to_call(rules) > 0 ? kFold : kCall;
  return draw < odds.fold + odds.call ? kCall : betting.pot_raise(rules);
}

}  // namespace nashgap
