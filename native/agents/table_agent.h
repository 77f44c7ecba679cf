// Plays a strategy of an abstract game. See nashgap/agents/table_agent.py.
#pragma once

#include <array>
#include <memory>

#include "agents/agent.h"
#include "strategies/abstract_strategy.h"

namespace nashgap {

// What it remembers are answers that would come out the same again: where the betting so far leads in the tree, and the
// buckets of cards. So it need not be told that a hand begins.
class TableAgent final : public Agent {
 public:
  explicit TableAgent(std::shared_ptr<const AbstractStrategy> strategy);
  // Throws std::invalid_argument where another game is played than the strategy's.
  Action act(const Situation& situation, Philox& random) override;
  std::unique_ptr<Agent> fresh() const override { return std::make_unique<TableAgent>(strategy_); }

 private:
  // The bucket of a seat's cards in a round.
  struct KnownBucket {
    unsigned __int128 cards = 0;  // six bits each
    const CardAbstraction* abstraction = nullptr;
    int32_t round = 0, bucket = 0;
  };
  static constexpr int kSlotBits = 6;  // enough for all seatings of a deal

  int32_t bucket(const Situation& situation, const CardAbstraction& abstraction);
  void require_game(const Rules& rules);

  std::shared_ptr<const AbstractStrategy> strategy_;
  BettingWalk walk_;
  std::array<KnownBucket, 1 << kSlotBits> known_buckets_;  // a place for each cards' hash
  const Rules* checked_rules_ = nullptr;
};

}  // namespace nashgap
