// Duplicate matches between native agents. See nashgap/arena/match.py.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "agents/agent.h"
#include "poker/rules.h"

namespace nashgap {

// Streams of a match, by purpose: the cards of deal d are (seed, kCardStream, d, 0), the choices of a seat
// (seed, kSeatStream + seat, d, seating).
constexpr uint64_t kCardStream = 1 << 8;
constexpr uint64_t kSeatStream = 2 << 8;

// The cards of a deal: hole cards seat by seat, then the whole board. cards: as many as that.
void deal_cards(const Rules& rules, const std::vector<uint8_t>& deck, uint64_t seed, uint64_t deal, uint8_t* cards);
using Boards = std::vector<std::vector<uint8_t>>;

// The same in the game that has only boards that begin so: all combinations of hole cards and one of them that share no
// card are alike likely.
void deal_cards_beside(const Rules& rules, const std::vector<uint8_t>& deck, const Boards& boards, uint64_t seed,
                       uint64_t deal, uint8_t* cards);

// What an agent did, counted in hands (kHands to kShowdownsWon) or decisions (the rest); named in
// nashgap/arena/behaviour.py.
enum Count {
  kHands,
  kVoluntary,     // put chips in before the flop without having to
  kPreflopRaise,  // raised before the flop
  kShowdowns,     // did not fold, and had an opponent at the end
  kShowdownsWon,  // and won chips
  kPreflopFolds,
  kPreflopChecks,
  kPreflopCalls,
  kPreflopRaises,
  kLaterFolds,
  kLaterChecks,
  kLaterCalls,
  kLaterRaises,
  kNumCounts
};

// Watches one hand and counts what every seat did.
class HandCounter {
 public:
  explicit HandCounter(const Rules& rules) : rules_(rules) {
    std::fill_n(counts_.begin(), rules.num_seats, std::array<int32_t, kNumCounts>{});
  }
  // The seat to act is about to take the action.
  void note(const BettingState& state, Action action);
  // The hand is over. payoff, counts: [N] by seat; counts are rows of kNumCounts that are added to.
  void finish(const BettingState& state, const int64_t* payoff, int64_t* const* counts) const;
  // The betting before the flop up to its first fold: two bits an action, 1 fold, 2 call, 3 raise, the last action
  // lowest; what comes after 31 actions is left out.
  uint64_t sequence() const { return sequence_; }
  // Whether all seats but two folded before the flop.
  bool is_heads_up() const;

 private:
  const Rules& rules_;
  // Only of seats that there are: it is set up for every hand.
  std::array<std::array<int32_t, kNumCounts>, kMaxSeats> counts_;
  uint64_t sequence_ = 0;
  int num_sequence_actions_ = 0;
  bool is_sequence_open_ = true;
};

struct MatchTask {
  uint64_t seed;
  uint64_t first_match;
  int64_t num_matches;
  int64_t hands_per_match;  // 1: every deal on its own, nobody remembers another
  // [num_matches or 1, S, N] agent at each seat for the first hand of a match; the button moves on after each hand.
  const int8_t* seatings;
  int64_t num_seatings;
  bool has_seatings_per_match;
};

struct MatchTally {
  int64_t* match_payoffs;  // [num_matches, N] of each agent, added up over seatings and hands; shares of a chip
  double* hand_squares;    // [N] squared payoffs of single hands, added up; chips
  int64_t* counts;         // [N, kNumCounts]
  int64_t* hand_payoffs;   // [num_matches, S, hands_per_match, N] by seat; or null
  std::vector<std::string>* betting;  // of every hand in the same order; or null
  // By HandCounter::sequence: hands, and how many of them were heads-up after the first round.
  std::unordered_map<uint64_t, std::array<int64_t, 2>> sequences;
};

// agents: [N], one a seat; asked for fresh copies at the start of each match.
void play_matches(const Rules& rules, const std::vector<const Agent*>& agents, const MatchTask& task,
                  MatchTally& tally);

}  // namespace nashgap
