// Poki with simulation: tables before the flop, after it the action of the best value in play-outs against what it
// believes of its opponents. See nashgap/agents/rule_based.py.
#pragma once

#include <optional>

#include "agents/poki.h"
#include "agents/simulation.h"

namespace nashgap {

// Never changes.
struct PokiSimSettings {
  PreflopTable preflop;
  StrengthOrder preflop_order;  // place of every hand before the flop, 0 worst to 1 best
  int num_trials;
};

class PokiSim final : public Agent {
 public:
  explicit PokiSim(std::shared_ptr<const PokiSimSettings> settings) : settings_(std::move(settings)) {}
  void require_game(const Rules& rules) const override { require_holdem(rules); }
  Action act(const Situation& situation, Philox& random) override;
  std::unique_ptr<Agent> fresh() const override { return std::make_unique<PokiSim>(settings_); }
  bool has_memory() const override { return true; }
  void watch(const Rules& rules, const BettingState& betting, Action action) override;
  void end_hand(const Rules& rules, const BettingState& betting, int seat) override;

 private:
  struct Seen {
    int seat, round, context;
    ActionKind kind;
  };

  // All seats move round the table together, so that a player stays where it is as seen from this one.
  static int place_of(const Rules& rules, int seat, int own_seat) {
    return (seat - own_seat + rules.num_seats) % rules.num_seats;
  }
  const StrengthOrder& order_in(const Situation& situation, int round);
  void update_weights(const Situation& situation);

  std::shared_ptr<const PokiSimSettings> settings_;
  PotentialMemo memo_;
  std::array<ActionFrequencies, kMaxSeats> frequencies_;  // by place

  // Of this hand.
  std::vector<Seen> seen_;
  size_t num_weighed_ = 0;                      // of what was seen, taken into the weights
  std::array<HandWeights, kMaxSeats> weights_;  // by seat
  std::array<std::optional<StrengthOrder>, kHoldemRounds> orders_;
};

}  // namespace nashgap
