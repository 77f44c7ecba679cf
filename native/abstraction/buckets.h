// Card abstractions: cuts of strength levels for hold'em, and every hand its own bucket for small decks.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "abstraction/card_abstraction.h"
#include "abstraction/strength_tables.h"
#include "poker/rules.h"

namespace nashgap {

// How one round of hold'em is cut into buckets.
struct RoundCuts {
  const uint16_t* levels = nullptr;  // [num_boards, kNumHands] by BoardIndex; must outlive the abstraction
  int max_level = 0;                 // the level of strength 1
  int num_cuts = 0;                  // buckets of this round's own, less one
  bool is_uniform = false;           // equal steps of the level instead of equal shares of the deals
  bool is_nested = false;            // equal shares within each combination of remembered buckets
  bool is_lossless = false;          // preflop only: the classes of SuitIsomorphism({2})
  std::vector<int> remembered;       // earlier rounds, ascending
};

// Buckets of hold'em by strength. A bucket's number has a digit for the own bucket of each remembered round, then the
// last for this round's own. Cuts of the round over all deals count every deal of hand and board; nested cuts after the
// flop come from `num_deals` sampled deals, since the exact joint distribution has billions of terms.
class StrengthBuckets : public CardAbstraction {
 public:
  StrengthBuckets(std::vector<RoundCuts> plans, int64_t num_deals, uint64_t seed, int num_threads);

  int num_rounds() const override { return static_cast<int>(rounds_.size()); }
  int64_t num_buckets(int round) const override { return rounds_[round].num_parents * rounds_[round].num_own; }
  void hand_buckets(const uint8_t* hole_cards, const uint8_t* board, int last_round, int32_t* buckets) const override;
  void all_buckets(const uint8_t* board, int round, int32_t* buckets) const override;

  // Levels and buckets of sampled deals, [num_deals, num_rounds].
  void sample(int64_t num_deals, uint64_t seed, uint16_t* levels, int32_t* buckets) const;

 private:
  struct Round {
    Round(RoundCuts cuts_plan, int num_board_cards) : plan(std::move(cuts_plan)), boards(num_board_cards) {}

    RoundCuts plan;
    BoardIndex boards;
    int64_t num_own = 1;                    // own buckets
    int64_t num_parents = 1;                // combinations of remembered buckets
    std::vector<int64_t> remembered_sizes;  // own buckets of each
    // [num_parents if nested, else 1][num_cuts]: a level's own bucket is the number of cuts not above it.
    std::vector<uint16_t> cuts;
  };

  int32_t own_bucket(const Round& round, int64_t parent, int hand, uint16_t level) const;
  static int64_t parent_of(const Round& round, const int32_t* own);
  void cut_over_all_deals(Round& round);
  void cut_by_joint_deals(int round_number, int64_t num_deals, uint64_t seed, int num_threads);

  std::vector<Round> rounds_;
  std::array<uint8_t, kNumHands> preflop_class_{};
};

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
  void hand_buckets(const uint8_t* hole_cards, const uint8_t* board, int last_round, int32_t* buckets) const override;
  void all_buckets(const uint8_t* board, int round, int32_t* buckets) const override;

 private:
  Rules rules_;
  std::vector<uint8_t> deck_;
  std::array<uint8_t, kNumCards> place_{};       // of each card in the deck
  std::vector<std::vector<int32_t>> bucket_of_;  // by round: [deck size ^ number of cards], the first card leading
  std::vector<int64_t> num_buckets_;
};

}  // namespace nashgap
