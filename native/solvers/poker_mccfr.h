// Monte Carlo CFR over betting tree x card buckets. See nashgap/solvers/poker_mccfr.py for the algorithm.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "abstraction/card_abstraction.h"
#include "poker/betting_tree.h"
#include "solvers/huge_array.h"

namespace nashgap {

enum class PokerSampling { kChance = 0, kExternal = 1 };

struct PokerMccfrOptions {
  PokerSampling sampling = PokerSampling::kExternal;
  double exploration = 0.0;  // share of uniform play in what the other players are sampled from
  bool is_linear = false;    // iteration t has weight t
  double regret_floor = -std::numeric_limits<double>::infinity();  // no regret sum falls below
  uint64_t seed = 0;
};

// Regret and strategy sums are float64 in the first rounds, where millions of ones are added to an entry (float32 stops
// counting at 2^24), and float32 in the later ones, which are nearly all.
constexpr int kNumWideRounds = 2;

struct EntryCounts {
  std::array<int64_t, kMaxRounds> by_round{};
  int64_t num_infosets = 0;
  int64_t num_wide = 0;    // float64
  int64_t num_narrow = 0;  // float32
};

// abstractions: one a seat.
using Abstractions = std::vector<std::shared_ptr<const CardAbstraction>>;
EntryCounts count_entries(const BettingTree& tree, const Abstractions& abstractions);

class PokerMccfr {
 public:
  PokerMccfr(std::shared_ptr<const Rules> rules, std::shared_ptr<const BettingTree> tree, Abstractions abstractions,
             const PokerMccfrOptions& options);

  // Iterations first_iteration .. first_iteration + num_iterations - 1. Iteration t draws from streams named by
  // (seed, t), so a run can be cut anywhere; with one thread the result is the same bit for bit.
  void run(int64_t first_iteration, int64_t num_iterations, int num_threads);

  // Infosets in which the average strategy has any weight.
  int64_t count_visited() const;
  int64_t num_visits() const { return num_visits_; }  // of decisions and endings, by all runs of this object

  // Entries lie [node][bucket][action], nodes in the tree's order; the wide rounds first, in arrays of their own.
  template <typename T>
  struct Entries {
    explicit Entries(int64_t size) : regret_sum(size), strategy_sum(size) {}
    HugeArray<T> regret_sum, strategy_sum;
  };
  Entries<double>& wide() { return wide_; }
  Entries<float>& narrow() { return narrow_; }
  const EntryCounts& counts() const { return counts_; }
  // The average strategy of one round's entries, uniform in infosets that have no weight.
  void average_strategy(int round, float* probabilities) const;

 private:
  friend class PokerWalker;

  // All that a visit needs of a node, in one piece of memory.
  struct Node {
    int64_t offset;
    uint32_t first_edge;
    uint8_t seat, num_actions, round;
  };
  enum class Settling : uint8_t { kFold, kOnePot, kSidePots };
  struct Settlement {
    Settling kind;
    uint16_t contenders;
    int32_t pot;
  };

  // visit(entries of one infoset, their number) for all of a round, in order.
  template <typename Visit>
  void each_average(int round, Visit visit) const;

  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<const BettingTree> tree_;
  Abstractions abstractions_;
  PokerMccfrOptions options_;
  std::vector<uint8_t> deck_;
  std::vector<Node> nodes_;
  std::vector<Settlement> settlements_;  // by ending
  EntryCounts counts_;
  Entries<double> wide_;
  Entries<float> narrow_;
  int64_t num_visits_ = 0;
};

}  // namespace nashgap
