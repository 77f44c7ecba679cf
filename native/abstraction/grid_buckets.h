// Hundreds of thousands of buckets from sorted features, where that many cluster centres would not be affordable.
//
// First the boards in the order of their texture (most cards of a suit, pairs, straights, then ranks from the highest),
// cut into classes of equal shares of the deals. Within a class hands are cut by E[HS]; within those, before the river,
// by the variance of the strength that the hand will have at the end, E[HS^2] - E[HS]^2: draws stand apart from made
// hands of the same E[HS].
#pragma once

#include <cstdint>
#include <vector>

#include "abstraction/round_buckets.h"

namespace nashgap {

// Larger for boards on which more is possible; equal only for boards of the same ranks and suit counts.
uint64_t board_texture(const uint8_t* board, int num_cards);

struct GridShape {
  int num_boards, num_strengths, num_spreads;  // each 1 or more
};

class GridBuckets : public RoundBuckets {
 public:
  // strengths, squares: levels of E[HS] and E[HS^2], [num_boards, kNumHands]; they must outlive this. squares is not
  // looked at with one spread, as it must be on the river.
  GridBuckets(int street, const uint16_t* strengths, const uint16_t* squares, GridShape shape, int num_threads);

  int street() const override { return street_; }
  int64_t size() const override { return int64_t{shape_.num_boards} * shape_.num_strengths * shape_.num_spreads; }
  int32_t bucket(const PlacedHand& hand, int64_t parent) const override;
  void prefetch(int64_t row) const override {
    __builtin_prefetch(strengths_ + row);
    if (shape_.num_spreads > 1) __builtin_prefetch(squares_ + row);
  }

 private:
  void class_boards();
  void cut_class(const std::vector<int64_t>& boards, int board_class);
  uint16_t spread(int64_t row) const;

  int street_;
  const uint16_t* strengths_;
  const uint16_t* squares_;
  GridShape shape_;
  std::vector<uint16_t> class_of_board_;
  std::vector<uint16_t> strength_cuts_;  // [num_boards][num_strengths - 1]
  std::vector<uint16_t> spread_cuts_;    // [num_boards][num_strengths][num_spreads - 1]
};

}  // namespace nashgap
