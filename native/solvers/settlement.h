// What a seat wins where a hand ends.
#pragma once

#include <cstdint>
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

// One seat's payoffs in one deal, in chips.
class SeatPayoffs {
 public:
  // All must outlive this. tilt: what is won counts 1 + tilt times.
  SeatPayoffs(const Rules& rules, const std::vector<Ending>& endings, const std::vector<Settlement>& settlements,
              double tilt)
      : rules_(rules), endings_(endings), settlements_(settlements), win_scale_(1.0 + tilt) {}

  // strength: of each seat's hand, must stay while payoffs are asked for.
  void compare(const uint16_t* strength, int seat);

  double operator[](int32_t ending) const {
    const double won = untilted(ending);
    return won > 0.0 ? won * win_scale_ : won;
  }

 private:
  double untilted(int32_t ending) const {
    const Settlement& settlement = settlements_[ending];
    const double spent = endings_[ending].spent[seat_];
    if (!(settlement.contenders >> seat_ & 1)) return -spent;
    if (settlement.has_side_pots) return with_side_pots(ending);
    if (settlement.contenders & stronger_) return -spent;
    const uint32_t equal = settlement.contenders & equal_;
    return (equal == 0 ? settlement.pot : split(settlement.pot, equal)) - spent;
  }
  static double split(double pot, uint32_t equal);
  double with_side_pots(int32_t ending) const;

  const Rules& rules_;
  const std::vector<Ending>& endings_;
  const std::vector<Settlement>& settlements_;
  double win_scale_;
  const uint16_t* strength_ = nullptr;
  int seat_ = 0;
  uint32_t stronger_ = 0, equal_ = 0;  // the other seats that are, a bit a seat
};

}  // namespace nashgap
