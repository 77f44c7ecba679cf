// What a seat wins where a hand ends.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "poker/betting.h"

namespace nashgap {

// How an ending is paid, so that most need not look at side pots.
struct Settlement {
  double pot;
  uint16_t contenders;  // a bit a seat
  bool has_side_pots;   // or odd chips, which need an order of seats
};
std::vector<Settlement> settle(const Rules& rules, const std::vector<Ending>& endings);

// A number for each of several hands that are looked at together; four floats are one instruction.
template <int kHands>
using HandValue = std::conditional_t<kHands == 1, double, float>;
template <int kHands>
using HandValues = std::array<HandValue<kHands>, kHands>;

// What one seat wins with each of several hands against the same hands of the others, in chips.
template <int kHands>
class SeatPayoffs {
 public:
  using Value = HandValue<kHands>;
  using Values = HandValues<kHands>;

  // All must outlive this. tilt: what is won counts 1 + tilt times.
  SeatPayoffs(const Rules& rules, const std::vector<Ending>& endings, const std::vector<Settlement>& settlements,
              double tilt)
      : rules_(rules),
        endings_(endings),
        settlements_(settlements),
        win_scale_(static_cast<Value>(1.0 + tilt)),
        shares_(size_t{1} << rules.num_seats) {}

  // strength: of each seat's hand; own: of each hand of this seat.
  void compare(const uint16_t* strength, const std::array<uint16_t, kHands>& own, int seat);

  void pay(int32_t ending, Value scale, Values& values) {
    const Settlement& settlement = settlements_[ending];
    const auto spent = static_cast<Value>(endings_[ending].spent[seat_]);
    if (!(settlement.contenders >> seat_ & 1)) {
      values.fill(-scale * spent);
      return;
    }
    if (settlement.has_side_pots) {
      pay_side_pots(ending, values);
    } else {
      const auto pot = static_cast<Value>(settlement.pot);
      const Values& share = share_among(settlement.contenders);
      for (int h = 0; h < kHands; ++h) values[h] = pot * share[h] - spent;
    }
    for (int h = 0; h < kHands; ++h) values[h] *= values[h] > 0 ? scale * win_scale_ : scale;
  }

 private:
  // Of the pot, among these contenders; found when it is first asked for.
  struct Share {
    Values of_hand{};
    uint64_t deal = 0;  // that it belongs to
  };
  const Values& share_among(uint16_t contenders) {
    Share& share = shares_[contenders];
    if (share.deal != deal_) find_share(contenders, share);
    return share.of_hand;
  }
  void find_share(uint16_t contenders, Share& share) const;
  void pay_side_pots(int32_t ending, Values& values) const;

  const Rules& rules_;
  const std::vector<Ending>& endings_;
  const std::vector<Settlement>& settlements_;
  Value win_scale_;
  std::array<uint16_t, kMaxSeats> strength_{};
  std::array<uint16_t, kHands> own_{};
  int seat_ = 0;
  uint64_t deal_ = 0;
  std::vector<Share> shares_;  // by contenders
};

}  // namespace nashgap
