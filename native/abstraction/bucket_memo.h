// The buckets of everybody's hand in one deal, each found once, whoever at the table asks for it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abstraction/card_abstraction.h"
#include "poker/rules.h"

namespace nashgap {

class BucketMemo {
 public:
  explicit BucketMemo(const Rules& rules) : rules_(rules) {}

  // The deal that is asked about from now on. hole_cards: seat by seat; board: all of it. Both must outlive the deal.
  void start_deal(const uint8_t* hole_cards, const uint8_t* board);
  // Begins to fetch what will be asked about a deal to come, if it is asked what earlier ones were asked.
  void prefetch(const uint8_t* hole_cards, const uint8_t* board);
  // The bucket of a seat's hand in a round.
  int32_t bucket(const CardAbstraction& abstraction, int seat, int round);

 private:
  // The deal as one abstraction sees it.
  struct View {
    const CardAbstraction* abstraction;
    std::array<std::array<int32_t, kMaxRounds>, kMaxSeats> buckets;  // [seat][round]
    std::array<int, kMaxSeats> num_known;                            // rounds of each seat
  };

  const uint8_t* hand_of(const uint8_t* hole_cards, int seat) const {
    return hole_cards + seat * rules_.num_hole_cards;
  }
  View& view_of(const CardAbstraction& abstraction);
  void find(View& view, int seat, int round);

  const Rules& rules_;
  const uint8_t* hole_cards_ = nullptr;
  const uint8_t* board_ = nullptr;
  DealtBoard dealt_board_{}, next_board_{};  // the same for all abstractions of a game
  int num_placed_ = 0;                       // rounds of dealt_board_
  std::vector<View> views_;                  // of all abstractions that ever asked
};

// What a seat may ask a memo, which knows everybody's cards and those to come: its own bucket in the present round.
class OwnBucket {
 public:
  OwnBucket() = default;  // nobody keeps it
  OwnBucket(BucketMemo& memo, int seat, int round) : memo_(&memo), seat_(seat), round_(round) {}

  bool is_kept() const { return memo_ != nullptr; }
  int32_t find(const CardAbstraction& abstraction) const { return memo_->bucket(abstraction, seat_, round_); }

 private:
  BucketMemo* memo_ = nullptr;
  int seat_ = 0, round_ = 0;
};

}  // namespace nashgap
