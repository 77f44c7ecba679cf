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

void SeatPayoffs::compare(const uint16_t* strength, int seat) {
  strength_ = strength;
  seat_ = seat;
  stronger_ = equal_ = 0;
  for (int other = 0; other < rules_.num_seats; ++other) {
    if (other == seat) continue;
    stronger_ |= static_cast<uint32_t>(strength[other] > strength[seat]) << other;
    equal_ |= static_cast<uint32_t>(strength[other] == strength[seat]) << other;
  }
}

double SeatPayoffs::split(double pot, uint32_t equal) { return pot / (1 + std::popcount(equal)); }

double SeatPayoffs::with_side_pots(int32_t ending) const {
  std::array<int64_t, kMaxSeats> won{};
  payoffs(rules_, endings_[ending], strength_, won.data());
  return static_cast<double>(won[seat_]) / kChipShares;
}

}  // namespace nashgap
