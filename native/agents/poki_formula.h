// From the strength of a hand to the odds of folding, calling and raising: the betting formula of Poki after the flop.
//
// Billings, Davidson, Schaeffer and Szafron (2002) describe its inputs (effective hand strength, potential, pot odds,
// position, opponents, bets to call) and its output, not its numbers: those in the .cpp are ours, chosen for the
// published behaviour of the program in three-player limit hold'em.
#pragma once

#include "agents/agent.h"
#include "cards/strength.h"

namespace nashgap {

// Adds up to 1. What is not legal is taken as a call.
struct ActionOdds {
  double fold, call, raise;
};

// What the formula sees of a decision after the flop.
struct FormulaView {
  HandPotential potential;
  int num_opponents;  // who have not folded
  int num_bets;       // bets and raises in this round
  int num_later;      // rounds after this one
  bool is_last;       // no opponent acts behind
  double to_call;     // chips
  double pot;         // chips, bets of this round included
};

FormulaView formula_view(const Rules& rules, const BettingState& betting, const HandPotential& potential);

ActionOdds formula_odds(const FormulaView& view);

// The action that a draw from 0 to 1 picks.
Action pick_action(const Rules& rules, const BettingState& betting, const ActionOdds& odds, double draw);

}  // namespace nashgap
