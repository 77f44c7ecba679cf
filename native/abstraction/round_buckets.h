// The buckets that one round of hold'em has of its own, whatever it remembers of earlier ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "abstraction/board_places.h"
#include "cards/isomorphism.h"

namespace nashgap {

// A private hand as a round's lookup sees it.
struct PlacedHand {
  const uint8_t* hole_cards;
  const uint8_t* board_cards;  // in the order of the deal
  int64_t board;               // canonical
  int64_t row;                 // of tables [num_boards, kNumHands]
};

class RoundBuckets {
 public:
  virtual ~RoundBuckets() = default;
  virtual int street() const = 0;
  virtual int64_t size() const = 0;
  // parent: the combination of remembered buckets.
  virtual int32_t bucket(const PlacedHand& hand, int64_t parent) const = 0;
  // Those of all hands on one board where nothing is remembered. rows: [kNumHands] as in PlacedHand, or -1 for hands
  // that share a card with the board, whose buckets are -1 too.
  virtual void all_buckets(const uint8_t* board_cards, int64_t board, const int64_t* rows, int32_t* buckets) const;
  // Begins to fetch what a lookup will read of a large table. Such a read takes longer than all else together, so those
  // of all rounds and seats should be on their way at once.
  virtual void prefetch(int64_t /*row*/) const {}
};

// The number of cuts that are not above a level: a search without branches that could be guessed wrong.
inline int32_t count_cuts(const uint16_t* cuts, int32_t num_cuts, uint16_t level) {
  int32_t first = 0;
  for (int32_t size = num_cuts; size > 0;) {
    const int32_t half = (size + 1) / 2;
    first += cuts[first + half - 1] <= level ? half : 0;
    size -= half;
  }
  return first;
}

// Levels of strength, cut.
class LevelCuts : public RoundBuckets {
 public:
  // levels: [num_boards, kNumHands], must outlive this; cuts: [num_parents or 1][num_cuts], ascending in each row.
  LevelCuts(int street, const uint16_t* levels, int32_t num_cuts, std::vector<uint16_t> cuts)
      : street_(street),
        levels_(levels),
        num_cuts_(num_cuts),
        cuts_(std::move(cuts)),
        parent_stride_(static_cast<int64_t>(cuts_.size()) > num_cuts ? num_cuts : 0),
        bucket_of_level_(1 << 16) {
    for (std::size_t level = 0; level < bucket_of_level_.size(); ++level)
      bucket_of_level_[level] =
          static_cast<uint16_t>(count_cuts(cuts_.data(), num_cuts_, static_cast<uint16_t>(level)));
  }

  int street() const override { return street_; }
  int64_t size() const override { return num_cuts_ + 1; }
  int32_t bucket(const PlacedHand& hand, int64_t parent) const override {
    return count_cuts(cuts_.data() + parent * parent_stride_, num_cuts_, levels_[hand.row]);
  }
  void all_buckets(const uint8_t* board_cards, int64_t board, const int64_t* rows, int32_t* buckets) const override;
  void prefetch(int64_t row) const override { __builtin_prefetch(levels_ + row); }
  // One row of cuts serves any number of parents.
  bool fits(int64_t num_parents) const {
    return static_cast<int64_t>(cuts_.size()) == num_cuts_ * (parent_stride_ ? num_parents : 1);
  }

 private:
  int street_;
  const uint16_t* levels_;
  int32_t num_cuts_;
  std::vector<uint16_t> cuts_;
  int64_t parent_stride_;
  std::vector<uint16_t> bucket_of_level_;  // without parents; for many hands at once it beats a search for each
};

// A bucket for each canonical board and hand.
class BucketTable : public RoundBuckets {
 public:
  // table: [num_boards, kNumHands], must outlive this.
  BucketTable(int street, const uint16_t* table, int64_t size) : street_(street), table_(table), size_(size) {}

  int street() const override { return street_; }
  int64_t size() const override { return size_; }
  int32_t bucket(const PlacedHand& hand, int64_t) const override { return table_[hand.row]; }
  void prefetch(int64_t row) const override { __builtin_prefetch(table_ + row); }

 private:
  int street_;
  const uint16_t* table_;
  int64_t size_;
};

// Everything but the names of the suits and the order in which the board was dealt.
class LosslessRound : public RoundBuckets {
 public:
  explicit LosslessRound(int street);

  int street() const override { return street_; }
  int64_t size() const override { return classes_.size(); }
  int32_t bucket(const PlacedHand& hand, int64_t parent) const override;

 private:
  int street_;
  SuitIsomorphism classes_;
};

// On the river: canonical boards, and on each the hands that rank equal. All is told but which cards the hand blocks.
class RankBuckets : public RoundBuckets {
 public:
  explicit RankBuckets(int num_threads);

  int street() const override { return 3; }
  int64_t size() const override { return static_cast<int64_t>(ranks_.size()); }
  int32_t bucket(const PlacedHand& hand, int64_t parent) const override;

 private:
  std::vector<int32_t> first_;   // [num_boards + 1] into ranks_
  std::vector<uint16_t> ranks_;  // that hands have on a board, ascending
};

}  // namespace nashgap
