// The betting of one hand, without cards: who acts, what is legal, what an action does. One engine for every game.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "poker/rules.h"

namespace nashgap {

// An action: kFold, kCall (check or call), or the number of chips, over the whole hand, that the seat raises to.
using Action = int32_t;
constexpr Action kFold = -1;
constexpr Action kCall = 0;

constexpr int kNobody = -1;

struct LegalActions {
  bool can_fold;
  int32_t min_raise_to;  // 0: no raise
  int32_t max_raise_to;
};

// How a hand ends: what everybody has put in, and who folded.
struct Ending {
  std::array<int32_t, kMaxSeats> spent{};
  uint16_t folded = 0;  // a bit a seat

  bool has_folded(int seat) const { return folded >> seat & 1; }
  bool operator==(const Ending&) const = default;
};

class BettingState {
 public:
  explicit BettingState(const Rules& rules);

  int round() const { return round_; }
  // The seat to act; kNobody when the betting is over.
  int seat() const { return seat_; }
  bool is_over() const { return seat_ == kNobody; }
  int32_t spent(int seat) const { return spent_[seat]; }
  bool has_folded(int seat) const { return folded_ >> seat & 1; }
  int32_t max_spent() const { return max_spent_; }
  int num_raises() const { return num_raises_; }  // in this round
  // What a seat raises when it raises: chips of the round's largest bet, blinds among them. Where all blinds are alike
  // they are the pot and no bet.
  int32_t bet() const { return max_spent_ - spent_before_; }
  int32_t spent_before() const { return spent_before_; }  // by each seat that was not all-in, when the round began
  // Whether a bet of the seat to act would be the first of the round, and into the last raiser of the round before, who
  // is still to act.
  bool is_before_raiser(const Rules& rules) const {
    return num_raises_ == 0 && raiser_before_ != kNobody && raiser_before_ != seat_ && !has_acted(raiser_before_) &&
           can_act(rules, raiser_before_);
  }
  Ending ending() const { return {spent_, folded_}; }
  int num_active() const { return num_active_; }  // seats that have not folded
  bool is_all_in(const Rules& rules, int seat) const { return spent_[seat] >= rules.stacks[seat]; }
  int64_t pot(const Rules& rules) const;
  int32_t to_call(const Rules& rules) const;  // of the seat to act; less than the bet where its stack is

  LegalActions legal(const Rules& rules) const;
  // The one raise of a limit game, where a raise is legal.
  Action limit_raise(const Rules& rules) const {
    return std::min(max_spent_ + rules.raise_sizes[round_], rules.stacks[seat_]);
  }
  bool is_legal(const Rules& rules, Action action) const;
  // A raise by the pot after calling, or the legal raise nearest to it (the only one in limit games); a call where no
  // raise is legal.
  Action pot_raise(const Rules& rules) const;
  // The action must be legal.
  void act(const Rules& rules, Action action);

  // For who does not ask for the bet, or for the raisers: states that differ in nothing else become equal.
  void forget_bet() { spent_before_ = 0; }
  void forget_raisers() { raiser_ = raiser_before_ = kNobody; }

  bool operator==(const BettingState&) const = default;

 private:
  bool can_act(const Rules& rules, int seat) const { return !has_folded(seat) && !is_all_in(rules, seat); }
  bool has_acted(int seat) const { return acted_ >> seat & 1; }
  int num_able(const Rules& rules) const;  // seats that can still act
  int32_t smallest_bet(const Rules& rules) const;
  bool may_raise(const Rules& rules) const;
  void start_round(const Rules& rules);
  void pass_turn(const Rules& rules, int from);
  void end_round(const Rules& rules);

  std::array<int32_t, kMaxSeats> spent_{};
  int32_t max_spent_ = 0;
  int32_t min_raise_to_ = 0;   // no-limit and pot-limit
  int32_t largest_raise_ = 0;  // in this round, by how much
  uint16_t folded_ = 0;
  uint16_t acted_ = 0;  // in this round
  int8_t round_ = 0;
  int8_t seat_ = kNobody;
  int8_t num_active_ = 0;
  int8_t num_to_act_ = 0;  // seats that act before the round ends, the one to act included
  int32_t num_raises_ = 0;
  int32_t spent_before_ = 0;
  int8_t raiser_ = kNobody;         // the last of this round
  int8_t raiser_before_ = kNobody;  // the last of the round before
  int16_t num_actions_ = 0;         // in this round, where they are counted
};

// What somebody did, and the betting before it.
struct PastAction {
  BettingState before;
  Action action;
};

// What each seat wins, less what it spent, in units of 1/kChipShares of a chip; adds up to 0.
// strength: of each seat's hand, higher is better; not looked at for seats that folded, or when all but one did.
constexpr int64_t kChipShares = 2520;  // divisible by 1 to 10, so that every split is exact
void payoffs(const Rules& rules, const Ending& ending, const uint16_t* strength, int64_t* payoffs);

}  // namespace nashgap
