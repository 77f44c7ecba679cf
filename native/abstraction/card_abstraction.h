// What an abstract game tells apart of the cards: a bucket for each private hand in each round.
#pragma once

#include <cstdint>

#include "abstraction/board_places.h"
#include "poker/rules.h"

namespace nashgap {

class CardAbstraction {
 public:
  virtual ~CardAbstraction() = default;
  virtual int num_rounds() const = 0;
  virtual int64_t num_buckets(int round) const = 0;
  // Whether it sees the hands and boards that the game deals, in all of its rounds.
  virtual bool is_for(const Rules& rules) const = 0;

  // What all lookups on a board share, found once for all hands and for all abstractions of the same game. board: all
  // cards dealt by last_round, in the order of the deal; they must outlive the answer.
  virtual DealtBoard deal_board(const uint8_t* board, int last_round) const = 0;
  // Begins to fetch what hand_buckets will read; worth it if other work comes in between.
  virtual void prefetch(const uint8_t* /*hole_cards*/, const DealtBoard& /*board*/, int /*last_round*/) const {}
  // The bucket of one hand in each round up to last_round.
  virtual void hand_buckets(const uint8_t* hole_cards, const DealtBoard& board, int last_round,
                            int32_t* buckets) const = 0;
  // The bucket of every private hand in one round, -1 for hands that share a card with the board. buckets: in the order
  // of hand_index for two hole cards, of the deck's cards for one.
  virtual void all_buckets(const uint8_t* board, int round, int32_t* buckets) const = 0;
};

}  // namespace nashgap
