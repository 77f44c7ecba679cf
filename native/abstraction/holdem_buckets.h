// A card abstraction of hold'em: own buckets of each round, and those of chosen earlier rounds remembered.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "abstraction/card_abstraction.h"
#include "abstraction/round_buckets.h"

namespace nashgap {

// Own buckets of earlier rounds that a round remembers, as the digits of one number.
struct Memory {
  int num_rounds = 0;
  std::array<int, kNumStreets> rounds{};  // ascending
  std::array<int64_t, kNumStreets> sizes{};
  int64_t num_parents = 1;

  int64_t parent(const int32_t* own) const {
    int64_t parent = 0;
    for (int i = 0; i < num_rounds; ++i) parent = parent * sizes[i] + own[rounds[i]];
    return parent;
  }
};

// The last digit of a bucket's number is the round's own bucket, those before it are remembered.
class HoldemBuckets : public CardAbstraction {
 public:
  struct Round {
    std::shared_ptr<const RoundBuckets> own;
    std::vector<int> remembered;  // earlier rounds, ascending
  };

  // One round a street from the preflop on.
  explicit HoldemBuckets(const std::vector<Round>& rounds);

  int num_rounds() const override { return static_cast<int>(rounds_.size()); }
  int64_t num_buckets(int round) const override { return rounds_[round].memory.num_parents * rounds_[round].num_own; }
  bool is_for(const Rules& rules) const override;
  DealtBoard deal_board(const uint8_t* board, int last_round) const override { return place_board(board, last_round); }
  void prefetch(const uint8_t* hole_cards, const DealtBoard& board, int last_round) const override;
  void hand_buckets(const uint8_t* hole_cards, const DealtBoard& board, int last_round,
                    int32_t* buckets) const override;
  void all_buckets(const uint8_t* board, int round, int32_t* buckets) const override;

  // own[last_round + 1]: without what is remembered.
  void own_buckets(const uint8_t* hole_cards, const DealtBoard& board, int last_round, int32_t* own) const;
  Memory memory(const std::vector<int>& remembered) const;

 private:
  struct PlacedRound {
    std::shared_ptr<const RoundBuckets> own;
    int64_t num_own;
    Memory memory;
  };

  std::vector<PlacedRound> rounds_;
};

}  // namespace nashgap
