#include "poker/betting.h"

#include <algorithm>
#include <bit>

namespace nashgap {

BettingState::BettingState(const Rules& rules) {
  num_active_ = static_cast<int8_t>(rules.num_seats);
  for (int seat = 0; seat < rules.num_seats; ++seat) {
    spent_[seat] = rules.blinds[seat];
    max_spent_ = std::max(max_spent_, spent_[seat]);
  }
  start_round(rules);
  const auto owes = [&](int32_t blind) { return blind != max_spent_; };
  if (std::any_of(rules.blinds.begin(), rules.blinds.begin() + rules.num_seats, owes)) spent_before_ = 0;
}

int64_t BettingState::pot(const Rules& rules) const {
  int64_t total = 0;
  for (int seat = 0; seat < rules.num_seats; ++seat) total += spent_[seat];
  return total;
}

int32_t BettingState::to_call(const Rules& rules) const {
  return std::min(max_spent_, rules.stacks[seat_]) - spent_[seat_];
}

int32_t BettingState::smallest_bet(const Rules& rules) const {
  return rules.betting == Betting::kLimit ? rules.raise_sizes[round_] : rules.smallest_bet;
}

int BettingState::num_able(const Rules& rules) const {
  int count = 0;
  for (int seat = 0; seat < rules.num_seats; ++seat) count += can_act(rules, seat);
  return count;
}

void BettingState::start_round(const Rules& rules) {
  num_raises_ = 0;
  num_actions_ = 0;
  largest_raise_ = 0;
  acted_ = 0;
  spent_before_ = max_spent_;
  raiser_before_ = raiser_;
  raiser_ = kNobody;
  min_raise_to_ = max_spent_ + rules.smallest_bet;
  num_to_act_ = static_cast<int8_t>(num_able(rules));
  const int before = (rules.first_seats[round_] + rules.num_seats - 1) % rules.num_seats;
  pass_turn(rules, before);
}

// Gives the turn to the next seat that has something to decide; ends the round if there is none.
void BettingState::pass_turn(const Rules& rules, int from) {
  if (num_active_ == 1 || num_to_act_ == 0) return end_round(rules);
  int seat = from;
  do {
    seat = seat + 1 == rules.num_seats ? 0 : seat + 1;
  } while (!can_act(rules, seat));
  // Everybody else is all in or gone: who owes nothing has nothing to decide. The competition's dealer asks anyway.
  if (rules.conventions == Conventions::kCasino && spent_[seat] == max_spent_ && num_able(rules) == 1)
    return end_round(rules);
  seat_ = static_cast<int8_t>(seat);
}

void BettingState::end_round(const Rules& rules) {
  if (num_active_ == 1) {
    seat_ = kNobody;
  } else if (num_able(rules) <= 1) {
    round_ = static_cast<int8_t>(rules.num_rounds - 1);  // no more betting, the rest of the board is dealt
    seat_ = kNobody;
  } else if (round_ + 1 == rules.num_rounds) {
    seat_ = kNobody;
  } else {
    ++round_;
    start_round(rules);
  }
}

bool BettingState::may_raise(const Rules& rules) const {
  if (num_raises_ >= rules.max_raises[round_]) return false;
  const int32_t more = rules.stacks[seat_] - max_spent_;
  if (rules.conventions == Conventions::kAcpc)
    return (more > 0 || (more == 0 && rules.betting == Betting::kLimit)) && num_able(rules) > 1 &&
           num_actions_ + rules.num_seats <= kMaxRoundActions;
  if (more <= 0) return false;
  const int32_t full_raise = std::max(largest_raise_, smallest_bet(rules));
  if (has_acted(seat_) && max_spent_ - spent_[seat_] < full_raise) return false;
  for (int seat = 0; seat < rules.num_seats; ++seat)
    if (seat != seat_ && !has_folded(seat) && rules.stacks[seat] > max_spent_) return true;
  return false;  // nobody could answer
}

LegalActions BettingState::legal(const Rules& rules) const {
  const int seat = seat_;
  LegalActions legal{to_call(rules) > 0, 0, 0};
  const int32_t stack = rules.stacks[seat];
  if (!may_raise(rules)) return legal;
  if (rules.betting == Betting::kLimit) {
    legal.min_raise_to = legal.max_raise_to = limit_raise(rules);
    return legal;
  }
  legal.min_raise_to = std::min(min_raise_to_, stack);
  legal.max_raise_to = stack;
  if (rules.betting == Betting::kPotLimit) {
    const int64_t pot_after_call = pot(rules) + max_spent_ - spent_[seat];
    const int64_t limit = std::max<int64_t>(max_spent_ + pot_after_call, legal.min_raise_to);
    legal.max_raise_to = static_cast<int32_t>(std::min<int64_t>(limit, stack));
  }
  return legal;
}

bool BettingState::is_legal(const Rules& rules, Action action) const {
  if (is_over()) return false;
  if (action == kCall) return true;
  const LegalActions options = legal(rules);
  if (action == kFold) return options.can_fold;
  return options.max_raise_to > 0 && action >= options.min_raise_to && action <= options.max_raise_to;
}

Action BettingState::pot_raise(const Rules& rules) const {
  const LegalActions options = legal(rules);
  if (options.max_raise_to == 0) return kCall;
  const int64_t raise_to = max_spent_ + pot(rules) + to_call(rules);
  return static_cast<Action>(std::clamp<int64_t>(raise_to, options.min_raise_to, options.max_raise_to));
}

void BettingState::act(const Rules& rules, Action action) {
  const int seat = seat_;
  --num_to_act_;
  num_actions_ = static_cast<int16_t>(num_actions_ + rules.counts_actions);
  acted_ = static_cast<uint16_t>(acted_ | 1u << seat);
  if (action == kFold) {
    folded_ = static_cast<uint16_t>(folded_ | 1u << seat);
    --num_active_;
  } else if (action == kCall) {
    spent_[seat] += to_call(rules);
  } else {
    const int32_t raise = action - max_spent_;
    largest_raise_ = std::max(largest_raise_, raise);
    min_raise_to_ = rules.conventions == Conventions::kAcpc ? std::max(min_raise_to_, action + raise)
                                                            : action + std::max(largest_raise_, smallest_bet(rules));
    max_spent_ = spent_[seat] = action;
    ++num_raises_;
    raiser_ = static_cast<int8_t>(seat);
    num_to_act_ = static_cast<int8_t>(num_able(rules) - can_act(rules, seat));
  }
  pass_turn(rules, seat);
}

void payoffs(const Rules& rules, const Ending& ending, const uint16_t* strength, int64_t* payoffs) {
  const int num_seats = rules.num_seats;
  std::array<int32_t, kMaxSeats> left = ending.spent;  // chips of each seat that no pot has taken yet
  const bool is_contested = num_seats - std::popcount(ending.folded) > 1;
  for (int seat = 0; seat < num_seats; ++seat) payoffs[seat] = -kChipShares * left[seat];
  // Pots from the main pot upwards; each takes from everybody what the shortest remaining contender has left.
  for (;;) {
    int32_t level = 0;
    for (int seat = 0; seat < num_seats; ++seat)
      if (!ending.has_folded(seat) && left[seat] > 0 && (level == 0 || left[seat] < level)) level = left[seat];
    if (level == 0) return;
    int64_t pot = 0;
    int num_winners = 0;
    int best = -1;
    std::array<bool, kMaxSeats> wins{};
    for (int seat = 0; seat < num_seats; ++seat) {
      const bool contends = !ending.has_folded(seat) && left[seat] > 0;
      const int32_t share = std::min(level, left[seat]);
      pot += share;
      left[seat] -= share;
      if (!contends) continue;
      const int value = is_contested ? strength[seat] : 0;
      if (value > best) {
        best = value;
        num_winners = 0;
        wins.fill(false);
      }
      if (value == best) {
        wins[seat] = true;
        ++num_winners;
      }
    }
    const bool in_whole_chips = rules.conventions == Conventions::kCasino;
    const int64_t each = in_whole_chips ? pot / num_winners * kChipShares : pot * kChipShares / num_winners;
    int64_t odd = pot * kChipShares - each * num_winners;
    for (int seat = 0; seat < num_seats; ++seat) {
      if (!wins[seat]) continue;
      payoffs[seat] += each + odd;  // seats are in order from the left of the button
      odd = 0;
    }
  }
}

}  // namespace nashgap
