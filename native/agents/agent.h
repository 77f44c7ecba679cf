// A player of the native match loop.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "abstraction/bucket_memo.h"
#include "poker/betting.h"
#include "random/philox.h"

namespace nashgap {

// What a seat may know when it is to act.
struct Situation {
  const Rules& rules;
  const BettingState& betting;
  const uint8_t* hole_cards;  // [num_hole_cards] own
  const uint8_t* board;       // [num_board_cards]
  int num_board_cards;
  std::span<const PastAction> history;  // of the hand, in order
  OwnBucket bucket{};                   // kept where many ask

  int seat() const { return betting.seat(); }
};

// The bucket of the hand that is to act.
inline int32_t bucket_of(const Situation& situation, const CardAbstraction& abstraction) {
  if (situation.bucket.is_kept()) return situation.bucket.find(abstraction);
  const int round = situation.betting.round();
  std::array<int32_t, kMaxRounds> buckets;
  abstraction.hand_buckets(situation.hole_cards, abstraction.deal_board(situation.board, round), round, buckets.data());
  return buckets[round];
}

class Agent {
 public:
  virtual ~Agent() = default;
  // Throws std::invalid_argument where it cannot play the game; asked once, before anything else.
  virtual void require_game(const Rules&) const {}
  // A legal action. `random` is this seat's own stream for the hand.
  virtual Action act(const Situation& situation, Philox& random) = 0;
  // A player like this one that remembers nothing.
  virtual std::unique_ptr<Agent> fresh() const = 0;
  // Whether `watch` wants to be called; what it learns is forgotten between matches.
  virtual bool has_memory() const { return false; }
  // Some seat, this one included, is about to take the action in the state.
  virtual void watch(const Rules&, const BettingState&, Action) {}
  // The hand is over; seat: this player's own.
  virtual void end_hand(const Rules&, const BettingState&, int /*seat*/) {}
};

}  // namespace nashgap
