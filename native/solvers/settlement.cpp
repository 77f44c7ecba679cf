#include "solvers/settlement.h"

#include <algorithm>
#include <array>
#include <bit>

namespace nashgap {
namespace {

Settlement settlement_of(const Rules& rules, const Ending& ending) {
  Settlement settlement{0.0, 0, rules.conventions == Conventions::kCasino};
  int32_t stake = -1;
  for (int seat = 0; seat < rules.num_seats; ++seat) {
    settlement.pot += ending.spent[seat];
    if (ending.has_folded(seat)) continue;
    settlement.contenders = static_cast<uint16_t>(settlement.contenders | 1u << seat);
    if (stake >= 0 && ending.spent[seat] != stake) settlement.has_side_pots = true;
    stake = std::max(stake, ending.spent[seat]);
  }
  // Folded chips above every contender's stake would stay with nobody.
  for (int seat = 0; seat < rules.num_seats; ++seat)
    if (ending.spent[seat] > stake) settlement.has_side_pots = true;
  if (std::has_single_bit(settlement.contenders)) settlement.has_side_pots = false;
  return settlement;
}

}  // namespace

std::vector<Settlement> settle(const Rules& rules, const std::vector<Ending>& endings) {
  std::vector<Settlement> settlements;
  settlements.reserve(endings.size());
  for (const Ending& ending : endings) settlements.push_back(settlement_of(rules, ending));
  return settlements;
}

template <int kHands>
void SeatPayoffs<kHands>::compare(const uint16_t* strength, const std::array<uint16_t, kHands>& own, int seat) {
  std::copy_n(strength, rules_.num_seats, strength_.data());
  own_ = own;
  seat_ = seat;
  ++deal_;
}

template <int kHands>
void SeatPayoffs<kHands>::find_share(uint16_t contenders, Share& share) const {
  for (int h = 0; h < kHands; ++h) {
    int num_winners = 1;
    for (int seat = 0; seat < rules_.num_seats && num_winners > 0; ++seat) {
      if (seat == seat_ || !(contenders >> seat & 1)) continue;
      if (strength_[seat] > own_[h])
        num_winners = 0;
      else
        num_winners += strength_[seat] == own_[h];
    }
    share.of_hand[h] = num_winners > 0 ? Value{1} / static_cast<Value>(num_winners) : Value{0};
  }
  share.deal = deal_;
}

template <int kHands>
void SeatPayoffs<kHands>::pay_side_pots(int32_t ending, Values& values) const {
  std::array<uint16_t, kMaxSeats> strength = strength_;
  for (int h = 0; h < kHands; ++h) {
    strength[seat_] = own_[h];
    std::array<int64_t, kMaxSeats> won{};
    payoffs(rules_, endings_[ending], strength.data(), won.data());
    values[h] = static_cast<Value>(static_cast<double>(won[seat_]) / kChipShares);
  }
}

template class SeatPayoffs<1>;
template class SeatPayoffs<4>;
template class SeatPayoffs<8>;
template class SeatPayoffs<16>;

}  // namespace nashgap
