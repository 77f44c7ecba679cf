// Public chance sampling: MCCFR that samples the board and walks the betting with all private hands at once.
//
// Johanson, Bard, Lanctot, Gibson and Bowling, "Efficient Nash Equilibrium Approximation through Monte Carlo
// Counterfactual Regret Minimization" (2012). Of two players both have a range: all hands that the board leaves. Among
// more only the one who learns has it, and the others have the hand they were dealt, a range of one (self-public chance
// sampling in the paper). A bucket's regret is that of its hands together.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "ranges/board_hands.h"
#include "solvers/poker_mccfr.h"

namespace nashgap {

// One thread's work.
class PublicChanceWalker {
 public:
  static constexpr int64_t kPortion = 1;  // iterations that a thread takes at a time: they are long

  explicit PublicChanceWalker(PokerMccfr& solver);

  void iterate(uint64_t iteration);
  int64_t num_visits() const { return num_visits_; }  // of decisions and endings, each hand counted

 private:
  using Node = AbstractGame::Node;

  // The buckets that a range's hands are in, in one round.
  struct Sight {
    std::vector<int32_t> buckets;  // in ascending order
    std::vector<int32_t> of_hand;  // the place in `buckets` of each hand's
    // All hands, neighbours as far as possible in different buckets: adding up by bucket then waits for nothing.
    std::vector<int32_t> apart;
  };
  struct Range {
    const double* reach;  // of each hand
    bool is_empty;        // no hand has any
  };
  // What a node needs while those below it are walked.
  struct Level {
    std::vector<double> reach;         // of the acting seat's hands after an action
    std::vector<double> values;        // of that action
    std::vector<double> strategy;      // [bucket, action]
    std::vector<double> bucket_value;  // [bucket, action]
    std::vector<double> bucket_reach;  // [bucket]
  };

  bool has_two_ranges() const { return rules_.num_seats == 2; }
  void deal_two_ranges();
  void deal_one_range();
  void see_hands(int lens);
  static void spread(Sight& sight);
  int num_hands_met() const;  // hands of the other that can meet one of ours

  // values[own hands]: what each wins against the other range, in chips times reach; the chance of the deal is part of
  // the other's reach.
  void walk(int32_t child, Range own, Range other, double* values, int depth);
  template <typename T>
  void walk_own(const Node& node, PokerMccfr::Entries<T>& entries, Range own, Range other, double* values, int depth);
  template <typename T>
  void walk_other(const Node& node, PokerMccfr::Entries<T>& entries, Range own, Range other, double* values, int depth);
  template <typename T>
  void match_buckets(const Node& node, PokerMccfr::Entries<T>& entries, Level& level) const;
  template <typename T>
  void learn(const Node& node, PokerMccfr::Entries<T>& entries, Range own, Level& level) const;
  // What is left of a range after an action; its reach is in the level.
  static Range after(Range before, const Sight& sight, const Node& node, int action, Level& level);

  void meet_range(const Ending& ending, const double* reach, double* values) const;
  void meet_dealt_hands(const Ending& ending, double reach, double* values);
  double payoff(const Ending& ending, const std::array<uint16_t, kMaxSeats>& strength) const;

  PokerMccfr& solver_;
  const AbstractGame& game_;
  const BettingTree& tree_;
  const Rules& rules_;
  const PokerMccfrOptions& options_;
  std::array<uint8_t, kNumCards> cards_{};  // dealt: seat by seat, then the board
  const uint8_t* board_;
  BoardHands hands_;                            // of a range
  std::vector<std::vector<Sight>> sights_;      // [lens][round]
  std::vector<int32_t> all_buckets_;            // scratch, in the order of CardAbstraction::all_buckets
  DealBuckets dealt_buckets_;                   // of the hands that were dealt
  std::array<uint16_t, kMaxSeats> strength_{};  // of these
  std::vector<int> class_start_;  // own hands from which on the order of strength among all seats is another
  std::vector<double> own_reach_, other_reach_, values_;  // at the root
  std::deque<Level> levels_;                              // by depth; growing must not move those in use
  int player_ = 0;
  double regret_weight_ = 1.0, average_weight_ = 1.0, regret_floor_ = 0.0;
  int64_t num_visits_ = 0;
};

}  // namespace nashgap
