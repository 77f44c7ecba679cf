// Which raises an abstract game keeps; folding and calling are always kept, but for push-fold.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "poker/betting.h"

namespace nashgap {

constexpr int64_t kPotShares = 1'000'000'000'000;  // of the pot, or of a bet: million-millionths

enum class RaiseKind : uint8_t {
  kPotShare,   // by so many shares of the pot after calling
  kSmallest,   //
  kAllIn,      // the largest legal one
  kEvery,      // all legal ones
  kGeometric,  // by the same part of the pot in so many rounds, the last of which is all-in; 0: in all that are left
  kMultiple,   // to so many shares of the bet; not kept where there is no bet
};

struct RaiseSize {
  RaiseKind kind;
  int64_t number;  // shares or rounds

  bool operator==(const RaiseSize&) const = default;
};

// By round, then by the number of raises made in it; the last entry of a round stands for all later raises.
using SizesByRound = std::array<std::vector<std::vector<RaiseSize>>, kMaxRounds>;

struct BettingAbstraction {
  std::vector<SizesByRound> sizes;  // of each seat, or one for all
  // By round: instead of the first of these, where a bet is into the last raiser of the round before.
  std::array<std::optional<std::vector<RaiseSize>>, kMaxRounds> donks;
  std::array<int32_t, kMaxRounds> caps{};  // raises in a round, beside what the rules allow
  bool pushes = false;                     // no call for less than the stack where the seat could fold or raise
  // Shares of the pot after calling; 0: not done. All-in is kept where it is a raise by at most so much; instead of a
  // raise after which at most so much of the pot with that raise called would be left; and a raise is not kept beside
  // a larger one which makes the pot, with the raise and not yet called, larger by at most such a share.
  int64_t add_all_in = 0;
  int64_t force_all_in = 0;
  int64_t merge = 0;
  // Whether a size depends on the bet, or a donk on who raised: what states need to tell.
  bool has_multiples = false;
  bool has_donks = false;

  const SizesByRound& sizes_of(int seat) const { return sizes.size() == 1 ? sizes[0] : sizes[seat]; }

  bool operator==(const BettingAbstraction&) const = default;
};

// Replaces `actions` by the abstract actions of the seat to act: fold if legal, call, raises ascending, each once.
// Sizes are rounded to whole chips, halves up, and clipped to what is legal; then all-ins are added and forced, then
// raises are merged, the largest first.
void abstract_actions(const Rules& rules, const BettingAbstraction& abstraction, const BettingState& state,
                      std::vector<Action>& actions);

}  // namespace nashgap
