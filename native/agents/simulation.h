// Expected values of calling and raising by play-outs: opponents' hands and the rest of the board are drawn, and the
// hand is played to its end by models of everybody at the table.
#pragma once

#include <array>
#include <vector>

#include "agents/poki_opponent.h"

namespace nashgap {

constexpr int kHoldemRounds = 4;
using StrengthOrder = std::array<float, kNumHands>;  // see strength_order

// What the play-outs know beside the situation. Seats that folded, and one's own, are not looked at.
struct PlayoutModel {
  HandPotential potential{};                                      // own, on the board as it is
  const StrengthOrder* strengths = nullptr;                       // on the board as it is
  std::array<const HandWeights*, kMaxSeats> weights{};            // by seat
  std::array<const ActionFrequencies*, kMaxSeats> frequencies{};  // by seat
};

struct ActionValues {
  double call = 0, raise = 0;  // chips won in the whole hand, on average
  int num_trials = 0;          // 0: no hand fits what is believed of the opponents
};

class Simulation {
 public:
  Simulation(const Situation& situation, const PlayoutModel& model, Philox& random);

  // raise_to: or kCall, if there is no raise to value.
  ActionValues run(int num_trials, Action raise_to);

 private:
  // One way for the board to go on.
  struct Runout {
    uint64_t cards = 0;                              // a bit a card; our own and the whole board
    std::array<StrengthOrder, kHoldemRounds> order;  // by round; those before this one are not filled in
  };

  void draw_runout(Runout& runout);
  bool draw_hands(const Runout& runout);
  double play_out(const Runout& runout, Action action);
  ActionOdds odds(const Runout& runout, const BettingState& betting) const;

  const Situation& situation_;
  const PlayoutModel& model_;
  Philox& random_;
  std::vector<Runout> runouts_;
  std::array<std::vector<float>, kMaxSeats> cumulative_;  // weights of the hands up to each, by seat
  std::array<int, kMaxSeats> hands_{};                    // of this trial
};

}  // namespace nashgap
