#include "agents/simulation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nashgap {

namespace {

// Ordering the hands of a board is most of the cost, so that many trials share a few boards.
constexpr int kNumRunouts = 12;
constexpr int kMaxDraws = 32;  // of an opponent's hand that fits the cards already taken

uint64_t bit(int card) { return uint64_t{1} << card; }

// [kNumHands] the two cards of each hand.
const std::array<uint64_t, kNumHands>& cards_of_hands() {
  static const std::array<uint64_t, kNumHands> table = [] {
    std::array<uint64_t, kNumHands> cards{};
    for (int first = 1, hand = 0; first < kNumCards; ++first)
      for (int second = 0; second < first; ++second) cards[hand++] = bit(first) | bit(second);
    return cards;
  }();
  return table;
}

}  // namespace

Simulation::Simulation(const Situation& situation, const PlayoutModel& model, Philox& random)
    : situation_(situation), model_(model), random_(random) {
  const Rules& rules = situation.rules;
  const bool is_complete = situation.num_board_cards == rules.total_board_cards();
  runouts_.resize(is_complete ? 1 : kNumRunouts);
  for (Runout& runout : runouts_) draw_runout(runout);
  for (int seat = 0; seat < rules.num_seats; ++seat) {
    if (seat == situation.seat() || situation.betting.has_folded(seat)) continue;
    const std::vector<float>& weights = model.weights[seat]->weights();
    cumulative_[seat].resize(kNumHands);
    std::partial_sum(weights.begin(), weights.end(), cumulative_[seat].begin());
  }
  hands_[situation.seat()] = hole_index(situation.hole_cards);
}

void Simulation::draw_runout(Runout& runout) {
  const Rules& rules = situation_.rules;
  std::array<uint8_t, kMaxHandCards> board{};
  std::copy(situation_.board, situation_.board + situation_.num_board_cards, board.begin());
  uint64_t taken = cards_of_hands()[hole_index(situation_.hole_cards)];
  for (int i = 0; i < situation_.num_board_cards; ++i) taken |= bit(board[i]);
  int num_cards = situation_.num_board_cards;
  runout.order[situation_.betting.round()] = *model_.strengths;
  for (int round = situation_.betting.round() + 1; round < rules.num_rounds; ++round) {
    while (num_cards < rules.board_cards_by(round)) {
      const auto card = static_cast<uint8_t>(random_.below(kNumCards));
      if (taken & bit(card)) continue;
      taken |= bit(card);
      board[num_cards++] = card;
    }
    strength_order(board.data(), num_cards, runout.order[round].data());
  }
  runout.cards = taken;
}

bool Simulation::draw_hands(const Runout& runout) {
  uint64_t taken = runout.cards;
  for (int seat = 0; seat < situation_.rules.num_seats; ++seat) {
    const std::vector<float>& cumulative = cumulative_[seat];
    if (cumulative.empty()) continue;
    int num_draws = 0;
    do {
      if (num_draws++ == kMaxDraws) return false;
      const auto draw = static_cast<float>(random_.uniform()) * cumulative.back();
      const auto place = std::upper_bound(cumulative.begin(), cumulative.end() - 1, draw);
      hands_[seat] = static_cast<int>(place - cumulative.begin());
    } while (taken & cards_of_hands()[hands_[seat]]);
    taken |= cards_of_hands()[hands_[seat]];
  }
  return true;
}

ActionOdds Simulation::odds(const Runout& runout, const BettingState& betting) const {
  const int seat = betting.seat();
  const double strength = runout.order[betting.round()][hands_[seat]];
  if (seat != situation_.seat())
    return odds_of_hand(model_.frequencies[seat]->odds(action_context(situation_.rules, betting)), strength);
  const bool is_now = betting.round() == situation_.betting.round();
  const HandPotential potential = is_now ? model_.potential : HandPotential{strength, 0, 0};
  return formula_odds(formula_view(situation_.rules, betting, potential));
}

double Simulation::play_out(const Runout& runout, Action action) {
  const Rules& rules = situation_.rules;
  BettingState betting = situation_.betting;
  betting.act(rules, action);
  while (!betting.is_over()) {
    const Action next = pick_action(rules, betting, odds(runout, betting), random_.uniform());
    betting.act(rules, next);
    if (betting.has_folded(situation_.seat())) return -betting.spent(situation_.seat());
  }
  std::array<uint16_t, kMaxSeats> strength{};
  for (int seat = 0; seat < rules.num_seats; ++seat)
    strength[seat] = static_cast<uint16_t>(std::lround(runout.order[rules.num_rounds - 1][hands_[seat]] * 65535));
  std::array<int64_t, kMaxSeats> payoff{};
  payoffs(rules, betting.ending(), strength.data(), payoff.data());
  return static_cast<double>(payoff[situation_.seat()]) / kChipShares;
}

ActionValues Simulation::run(int num_trials, Action raise_to) {
  ActionValues values;
  for (int trial = 0; trial < num_trials; ++trial) {
    const Runout& runout = runouts_[trial % runouts_.size()];
    if (!draw_hands(runout)) continue;
    ++values.num_trials;
    values.call += play_out(runout, kCall);
    if (raise_to != kCall) values.raise += play_out(runout, raise_to);
  }
  if (values.num_trials > 0) {
    values.call /= values.num_trials;
    values.raise /= values.num_trials;
  }
  return values;
}

}  // namespace nashgap
