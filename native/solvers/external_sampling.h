// External sampling: MCCFR that deals once, and takes one action of every other player and all own ones.
//
// What the others do does not depend on the learner's cards, and all own actions are taken: so one walk serves several
// hands of the learner at once, on the same board against the same hands. Each of them is a deal of its own, and the
// tree, the board and the others' draws are paid for once.
//
// Nearly every round's entries are a cache miss, and a visit takes less time than one. So a walk goes through the tree
// level by level: between the moment when a node is found and its turn there are other visits, while what it reads is
// on its way. Values then go the way back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "random/philox.h"
#include "solvers/poker_mccfr.h"
#include "solvers/sampling.h"
#include "solvers/settlement.h"

namespace nashgap {

// One thread's work. kHands: of the learner, that a walk serves; actions are skipped (see rarity) by one hand only.
template <int kHands>
class ExternalWalker {
 public:
  static constexpr int64_t kPortion = 16;  // iterations that a thread takes at a time

  // part: what of each iteration is done here; all of it where there is none.
  explicit ExternalWalker(PokerMccfr& solver, PokerMccfr::Part* part = nullptr);

  void iterate(uint64_t iteration);
  int64_t num_visits() const { return num_visits_; }

 private:
  using Node = AbstractGame::Node;
  using Value = HandValue<kHands>;
  using Values = HandValues<kHands>;

  // A decision that the walk comes to.
  struct Visit {
    const Node* node;
    int32_t branch;  // what its value belongs to: an own action, or the whole walk
    double scale;    // what the value is multiplied by there
    double ratio;    // how likely the others' actions so far are by their strategies, over how likely by the sampling
    double count;    // how often what is learned here counts: for the walks that skipped it, too
  };
  struct OwnVisit : Visit {
    int32_t first_branch;               // of its actions
    std::array<int64_t, kHands> first;  // of each hand's entries, where they are
  };
  // An own action.
  struct Branch {
    Values probability, value;
    double count;
  };
  // An end of the first round that a walk of a part comes to.
  struct End {
    int32_t child, branch;
  };
  struct AverageWalk {
    const Node* node;
    int player, hand;
    bool others_fold;
    Philox random;
  };

  bool is_frozen(int seat) const { return options_.frozen >> seat & 1; }
  // go_on(the entries among which the node's are).
  template <typename GoOn>
  auto with_entries(const Node& node, GoOn go_on) const;

  void deal(uint64_t iteration);
  void deal_hands(int player, const DealtBoard& board, Philox random);
  // Of the entries of one of the acting seat's hands.
  template <typename T>
  int64_t first_entry(const Node& node, int hand, const PokerMccfr::Entries<T>& entries) const {
    return deals_[hand].entry(node) - entries.first;
  }
  void walk();
  void walk_part(uint64_t iteration);
  void visit_from(int32_t node);
  void learn_back_to(size_t first);
  void credit(int32_t branch, Values value);
  bool is_here(const Node& node, int32_t child) const;
  void fetch(const Visit& visit) const;
  void decide(Visit visit);
  const OwnVisit& match_hands(const Visit& visit);
  void follow(int32_t child, int32_t branch, double scale, double ratio, double count);
  double rarity(const OwnVisit& visit, int action) const;
  template <typename T>
  void learn(const OwnVisit& visit, PokerMccfr::Entries<T>& entries);

  void average(uint64_t iteration);
  static int other_choice(AverageWalk& walk);
  template <typename T>
  int average_at(AverageWalk& walk, PokerMccfr::Entries<T>& entries);

  PokerMccfr& solver_;
  PokerMccfr::Part* const part_;
  const AbstractGame& game_;
  const BettingTree& tree_;
  const Rules& rules_;
  const PokerMccfrOptions& options_;
  const bool may_prune_, averages_on_the_way_;
  std::array<uint8_t, kNumCards> cards_{};  // of the deal: seat by seat, then the board, then what was not dealt
  // The deal, and each seat's other hands: those of deal h are on the same board against the hands of deal 0.
  std::array<Deal, kHands> deals_;
  SeatPayoffs<kHands> payoffs_;
  Philox random_{0, 0, 0, 0};
  int player_ = 0;
  double regret_weight_ = 1.0, average_weight_ = 1.0, regret_floor_ = 0.0;
  double patience_ = 0.0;  // of this walk: from 0, which follows every action, to 1
  std::vector<Visit> visits_;
  std::vector<OwnVisit> own_visits_;
  std::vector<Branch> branches_;  // those of this walk come first
  int32_t num_branches_ = 0;
  int32_t frontier_;           // a walk goes no further than to nodes before this one
  std::vector<End> ends_;      // where it would have gone
  std::vector<int32_t> paid_;  // branches that were paid before the frontier
  std::vector<AverageWalk> average_walks_;
  int64_t num_visits_ = 0;
};

}  // namespace nashgap
