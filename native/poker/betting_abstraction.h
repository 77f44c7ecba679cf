// Which raises an abstract game keeps; folding and calling are always kept, but for push-fold.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "poker/betting.h"

namespace nashgap {

// The size of a raise: million-millionths of the pot after calling, or one of these.
using RaiseSize = int64_t;
constexpr RaiseSize kSmallestRaise = -1;
constexpr RaiseSize kAllInRaise = -2;
constexpr RaiseSize kEveryRaise = -3;  // all legal ones
constexpr int64_t kPotShares = 1'000'000'000'000;

struct BettingAbstraction {
  // By round, then by the number of raises made in it; the last entry of a round stands for all later raises.
  std::array<std::vector<std::vector<RaiseSize>>, kMaxRounds> sizes;
  std::array<int32_t, kMaxRounds> caps{};  // raises in a round, beside what the rules allow
  bool pushes = false;                     // no call for less than the stack where the seat could fold or raise
};

// Replaces `actions` by the abstract actions of the seat to act: fold if legal, call, raises ascending, each once.
// Sizes are rounded to whole chips, halves up, and clipped to what is legal.
void abstract_actions(const Rules& rules, const BettingAbstraction& abstraction, const BettingState& state,
                      std::vector<Action>& actions);

}  // namespace nashgap
