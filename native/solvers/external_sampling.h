// External sampling: MCCFR that deals once, and takes one action of every other player and all own ones.
//
// Nearly every round's entries are a cache miss, and a visit takes less time than one. So a walk goes through the tree
// level by level: between the moment when a node is found and its turn there are other visits, while what it reads is
// on its way. Values then go the way back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "random/philox.h"
#include "solvers/poker_mccfr.h"
#include "solvers/sampling.h"
#include "solvers/settlement.h"

namespace nashgap {

// One thread's work.
class ExternalWalker {
 public:
  static constexpr int64_t kPortion = 16;  // iterations that a thread takes at a time

  explicit ExternalWalker(PokerMccfr& solver);

  void iterate(uint64_t iteration);
  int64_t num_visits() const { return num_visits_; }

 private:
  using Node = AbstractGame::Node;

  // A decision that the walk comes to.
  struct Visit {
    const Node* node;
    int64_t first;   // of its entries, where they are
    int32_t branch;  // what its value belongs to: an own action, or the whole walk
    double scale;    // what the value is multiplied by there
    double ratio;    // how likely the others' actions so far are by their strategies, over how likely by the sampling
    double count;    // how often what is learned here counts: for the walks that skipped it, too
  };
  struct OwnVisit : Visit {
    int32_t first_branch;  // of its actions
  };
  struct Branch {
    double probability, value, count;
  };
  struct AverageWalk {
    const Node* node;
    int player;
    bool others_fold;
    Philox random;
  };

  bool is_frozen(int seat) const { return options_.frozen >> seat & 1; }
  // go_on(the entries among which the node's are).
  template <typename GoOn>
  auto with_entries(const Node& node, GoOn go_on) const;

  void walk();
  void fetch(Visit& visit) const;
  void decide(Visit visit);
  void follow(int32_t child, int32_t branch, double scale, double ratio, double count);
  double rarity(const Visit& visit, int action) const;
  template <typename T>
  void learn(const OwnVisit& visit, PokerMccfr::Entries<T>& entries);

  void average(uint64_t iteration);
  static int other_choice(AverageWalk& walk);
  template <typename T>
  int average_at(AverageWalk& walk, PokerMccfr::Entries<T>& entries);

  PokerMccfr& solver_;
  const AbstractGame& game_;
  const BettingTree& tree_;
  const Rules& rules_;
  const PokerMccfrOptions& options_;
  const bool may_prune_, averages_on_the_way_;
  Deal deal_;
  SeatPayoffs payoffs_;
  Philox random_{0, 0, 0, 0};
  int player_ = 0;
  double regret_weight_ = 1.0, average_weight_ = 1.0, regret_floor_ = 0.0;
  double patience_ = 0.0;  // of this walk: from 0, which follows every action, to 1
  std::vector<Visit> visits_;
  std::vector<OwnVisit> own_visits_;
  std::vector<Branch> branches_;
  std::vector<AverageWalk> average_walks_;
  int64_t num_visits_ = 0;
};

}  // namespace nashgap
