// A rule-based player of hold'em: tables before the flop, a formula on hand strength after it.
// See nashgap/agents/rule_based.py.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "agents/agent.h"
#include "agents/poki_formula.h"

namespace nashgap {

// Where a seat stands before the flop, and what happened before its turn. Names in nashgap/agents/rule_based.py.
enum class Position : uint8_t { kEarly = 0, kButton, kSmallBlind, kBigBlind };
enum class Opening : uint8_t { kNobody = 0, kLimped, kRaised, kRaisedAndCalled, kReraised };
constexpr int kNumPositions = 4;
constexpr int kNumOpenings = 5;
constexpr int kNumSpots = kNumPositions * kNumOpenings;

// What to do with each hand in each spot: PreflopTable[spot * kNumHands + hand].
enum class PreflopPlay : uint8_t { kFold = 0, kCall = 1, kRaise = 2 };
using PreflopTable = std::vector<PreflopPlay>;

// Throws std::invalid_argument where the cards are not those of hold'em. Callers ask check_game of the Python face,
// which says more; this keeps who does not from reading cards that are not there.
void require_holdem(const Rules& rules);

// The spot of the seat to act before the flop: position * kNumOpenings + opening.
int preflop_spot(const Rules& rules, const BettingState& betting);

// Who has already put in chips of its own accord does not fold to a raise before the flop.
Action preflop_action(const PreflopTable& table, const Situation& situation);

// The last few boards and answers: in a duplicate match the same cards come back in every seating.
class PotentialMemo {
 public:
  const HandPotential& look_up(const uint8_t* hole_cards, const uint8_t* board, int num_board_cards);

 private:
  const BoardStrength& board_strength(const uint8_t* board, int num_board_cards);

  struct Board {
    uint64_t key = 0;
    std::unique_ptr<const BoardStrength> strength;
  };
  struct Answer {
    uint64_t key = 0;  // 0: none
    HandPotential potential{};
  };
  std::array<Board, 3> boards_;  // the last of each size
  std::array<Answer, 64> answers_;
};

class Poki final : public Agent {
 public:
  explicit Poki(std::shared_ptr<const PreflopTable> preflop) : preflop_(std::move(preflop)) {}
  void require_game(const Rules& rules) const override { require_holdem(rules); }
  Action act(const Situation& situation, Philox& random) override;
  std::unique_ptr<Agent> fresh() const override { return std::make_unique<Poki>(preflop_); }

 private:
  std::shared_ptr<const PreflopTable> preflop_;
  PotentialMemo memo_;
};

}  // namespace nashgap
