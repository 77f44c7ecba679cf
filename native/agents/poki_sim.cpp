#include "agents/poki_sim.h"

namespace nashgap {

Action PokiSim::act(const Situation& situation, Philox& random) {
  const Rules& rules = situation.rules;
  const BettingState& betting = situation.betting;
  require_holdem(rules);
  if (situation.num_board_cards == 0) return preflop_action(settings_->preflop, situation);
  update_weights(situation);
  PlayoutModel model;
  model.potential = memo_.look_up(situation.hole_cards, situation.board, situation.num_board_cards);
  model.strengths = &order_in(situation, betting.round());
  for (int seat = 0; seat < rules.num_seats; ++seat) {
    model.weights[seat] = &weights_[seat];
    model.frequencies[seat] = &frequencies_[place_of(rules, seat, situation.seat())];
  }
  const Action raise_to = betting.pot_raise(rules);
  const ActionValues values = Simulation(situation, model, random).run(settings_->num_trials, raise_to);
  if (values.num_trials == 0)
    return pick_action(rules, betting, formula_odds(formula_view(rules, betting, model.potential)), random.uniform());
  const double fold = -betting.spent(situation.seat());
  if (raise_to != kCall && values.raise > values.call && values.raise > fold) return raise_to;
  return fold > values.call && betting.to_call(rules) > 0 ? kFold : kCall;
}

void PokiSim::watch(const Rules& rules, const BettingState& betting, Action action) {
  seen_.push_back({betting.seat(), betting.round(), action_context(rules, betting), kind_of(action)});
}

void PokiSim::end_hand(const Rules& rules, const BettingState&, int seat) {
  for (const Seen& seen : seen_) frequencies_[place_of(rules, seen.seat, seat)].see(seen.context, seen.kind);
  seen_.clear();
  num_weighed_ = 0;
  weights_.fill({});
  orders_.fill({});
}

const StrengthOrder& PokiSim::order_in(const Situation& situation, int round) {
  if (round == 0) return settings_->preflop_order;
  std::optional<StrengthOrder>& order = orders_[round];
  if (!order) strength_order(situation.board, situation.rules.board_cards_by(round), order.emplace().data());
  return *order;
}

void PokiSim::update_weights(const Situation& situation) {
  for (; num_weighed_ < seen_.size(); ++num_weighed_) {
    const Seen& seen = seen_[num_weighed_];
    if (seen.seat == situation.seat()) continue;
    const ActionFrequencies& frequencies = frequencies_[place_of(situation.rules, seen.seat, situation.seat())];
    const StrengthOrder& order = order_in(situation, seen.round);
    weights_[seen.seat].update(frequencies.odds(seen.context), seen.kind, order.data());
  }
}

}  // namespace nashgap
