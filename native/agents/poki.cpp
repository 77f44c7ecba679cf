#include "agents/poki.h"

#include <algorithm>
#include <stdexcept>

namespace nashgap {

namespace {

Position position_of(const Rules& rules, int seat) {
  if (rules.blinds[seat] > 0 && rules.blinds[seat] == rules.largest_blind) return Position::kBigBlind;
  if (rules.blinds[seat] > 0) return Position::kSmallBlind;
  return seat == rules.num_seats - 1 ? Position::kButton : Position::kEarly;
}

bool has_entered(const Rules& rules, const BettingState& betting, int seat) {
  return !betting.has_folded(seat) && betting.spent(seat) > rules.blinds[seat];
}

// Opponents who put in chips without having to and are still there.
int num_entered(const Rules& rules, const BettingState& betting) {
  int count = 0;
  for (int seat = 0; seat < rules.num_seats; ++seat)
    count += seat != betting.seat() && has_entered(rules, betting, seat);
  return count;
}

// Never 0: a leading one says how many cards there are.
uint64_t board_key(const uint8_t* board, int num_board_cards) {
  uint64_t key = 1;
  for (int i = 0; i < num_board_cards; ++i) key = key << 6 | board[i];
  return key;
}

}  // namespace

void require_holdem(const Rules& rules) {
  constexpr std::array<int, 4> kBoard = {0, 3, 1, 1};
  const bool has_board = rules.num_rounds == 4 &&
                         std::equal(kBoard.begin(), kBoard.end(), rules.num_board_cards.begin());
  if (!has_board || rules.num_hole_cards != 2 || rules.num_suits != kNumSuits || rules.num_ranks != kNumRanks)
    throw std::invalid_argument("this agent plays hold'em only");
}

int preflop_spot(const Rules& rules, const BettingState& betting) {
  const int entered = num_entered(rules, betting);
  Opening opening = Opening::kReraised;
  if (betting.num_raises() == 0) opening = entered > 0 ? Opening::kLimped : Opening::kNobody;
  if (betting.num_raises() == 1) opening = entered > 1 ? Opening::kRaisedAndCalled : Opening::kRaised;
  return static_cast<int>(position_of(rules, betting.seat())) * kNumOpenings + static_cast<int>(opening);
}

Action preflop_action(const PreflopTable& table, const Situation& situation) {
  const Rules& rules = situation.rules;
  const BettingState& betting = situation.betting;
  const int spot = preflop_spot(rules, betting);
  const PreflopPlay play = table[spot * kNumHands + hole_index(situation.hole_cards)];
  if (play == PreflopPlay::kRaise) return betting.pot_raise(rules);
  const bool can_fold = betting.to_call(rules) > 0 && !has_entered(rules, betting, betting.seat());
  return play == PreflopPlay::kFold && can_fold ? kFold : kCall;
}

const HandPotential& PotentialMemo::look_up(const uint8_t* hole_cards, const uint8_t* board, int num_board_cards) {
  const uint64_t key = board_key(board, num_board_cards) << 16 | static_cast<uint64_t>(hole_index(hole_cards));
  Answer& answer = answers_[(key * 0x9E3779B97F4A7C15ULL) >> 58];
  if (answer.key != key) answer = {key, board_strength(board, num_board_cards).potential(hole_cards)};
  return answer.potential;
}

const BoardStrength& PotentialMemo::board_strength(const uint8_t* board, int num_board_cards) {
  Board& last = boards_[num_board_cards - 3];
  const uint64_t key = board_key(board, num_board_cards);
  if (last.key != key) last = {key, std::make_unique<const BoardStrength>(board, num_board_cards)};
  return *last.strength;
}

Action Poki::act(const Situation& situation, Philox& random) {
  require_holdem(situation.rules);
  if (situation.num_board_cards == 0) return preflop_action(*preflop_, situation);
  const HandPotential& potential = memo_.look_up(situation.hole_cards, situation.board, situation.num_board_cards);
  const FormulaView view = formula_view(situation.rules, situation.betting, potential);
  return pick_action(situation.rules, situation.betting, formula_odds(view), random.uniform());
}

}  // namespace nashgap
