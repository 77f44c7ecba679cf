// Small decks: every hand and board its own bucket.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abstraction/card_abstraction.h"
#include "poker/rules.h"

namespace nashgap {

// Every hand and board, as dealt round by round, its own bucket; for games of 1 or 2 hole cards and small decks.
class LosslessSmall : public CardAbstraction {
 public:
  static constexpr int64_t kMaxCodes = int64_t{1} << 22;

  // Whether the table of all orders of the cards stays small.
  static bool fits(const Rules& rules);

  explicit LosslessSmall(const Rules& rules);

  const Rules& rules() const { return rules_; }
  int num_rounds() const override { return rules_.num_rounds; }
  int64_t num_buckets(int round) const override { return num_buckets_[round]; }
  bool is_for(const Rules& rules) const override;
  DealtBoard deal_board(const uint8_t* board, int) const override { return {board, {}}; }
  void hand_buckets(const uint8_t* hole_cards, const DealtBoard& board, int last_round,
                    int32_t* buckets) const override;
  void all_buckets(const uint8_t* board, int round, int32_t* buckets) const override;

 private:
  Rules rules_;
  std::vector<uint8_t> deck_;
  std::array<uint8_t, kNumCards> place_{};       // of each card in the deck
  std::vector<std::vector<int32_t>> bucket_of_;  // by round: [deck size ^ number of cards], the first card leading
  std::vector<int64_t> num_buckets_;
};

}  // namespace nashgap
