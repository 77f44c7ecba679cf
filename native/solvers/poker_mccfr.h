// Monte Carlo CFR over betting tree x card buckets. See nashgap/solvers/poker_mccfr.py for the algorithm.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "abstraction/abstract_game.h"
#include "solvers/huge_array.h"
#include "solvers/settlement.h"

namespace nashgap {

enum class PokerSampling { kChance = 0, kExternal = 1, kPublic = 2 };

struct PokerMccfrOptions {
  PokerSampling sampling = PokerSampling::kExternal;
  double exploration = 0.0;         // share of uniform play in what the other players are sampled from
  bool has_linear_regret = false;   // iteration t adds its regret t-fold
  bool has_linear_average = false;  // iteration t enters the average with weight t
  // Times an iteration's weight: no regret sum falls below the floor; for the other see ExternalWalker::rarity.
  double regret_floor = -std::numeric_limits<double>::infinity();
  double prune_below = -std::numeric_limits<double>::infinity();
  int num_hands = 1;      // of the learner that a walk of external sampling serves: 1, 4, 8 or 16
  double tilt = 0.0;      // what is won counts 1 + tilt times
  bool discards = false;  // see Dealer::deal
  uint16_t frozen = 0;    // seats that do not learn, a bit a seat
  uint64_t seed = 0;
};

// What an iteration enters the average with: nothing where one seat learns alone. Against players who never change its
// regret says best what to do, and an average would keep its first attempts.
double average_weight(const Rules& rules, const PokerMccfrOptions& options, uint64_t iteration);

// Sums are float64 in the first rounds, where millions of ones are added to an entry (float32 stops counting at 2^24),
// and float32 in the later ones, which are nearly all, and where a round has so many entries that none is met as often.
constexpr int kMaxWideRounds = 2;
constexpr int64_t kMaxWideEntries = int64_t{1} << 26;
int num_wide_rounds(const AbstractGame& game);

// Hands that the average strategy played against itself.
struct SelfPlay {
  int64_t num_decisions = 0;
  int64_t num_unvisited = 0;  // decisions in infosets where training never was; played uniformly
  // By the betting of the first round: two bits an action, 1 fold, 2 call, 3 raise, the last action lowest.
  std::unordered_map<uint64_t, int64_t> sequences;
};

class PokerMccfr {
 public:
  PokerMccfr(std::shared_ptr<const AbstractGame> game, const PokerMccfrOptions& options);

  // Iterations first_iteration .. first_iteration + num_iterations - 1. Iteration t draws from streams named by
  // (seed, t), so a run can be cut anywhere; with one thread the result is the same bit for bit.
  void run(int64_t first_iteration, int64_t num_iterations, int num_threads);

  // What one of several nodes does, see nashgap/solvers/subtree_nodes.py. In the first round regret stands still
  // between two exchanges, which come after every so many iterations; what is behind its ends is divided.
  struct Part {
    int64_t exchange;        // iterations
    const uint8_t* is_own;   // by node of the tree from the second round on: whether it is done here
    bool has_first_round;    // whether endings of the first round count here
    int64_t* action_values;  // by entry of the first round: what is added up until the exchange, in 1 / unit chips
    double unit = 0.0, weight = 0.0;
  };
  // As `run`, of iterations between two exchanges; external sampling without exploration and pruning only.
  void run_part(int64_t first_iteration, int64_t num_iterations, Part part);
  // Regret of the first round, from the values of its actions in the iterations before the exchange.
  void learn_first_round(int64_t last_iteration, int64_t exchange, const int64_t* action_values);
  // Why the solver cannot be run in parts; empty where it can.
  std::string part_refusal() const;

  int64_t num_visits() const { return num_visits_; }  // of decisions and endings, by all runs of this object

  const AbstractGame& game() const { return *game_; }
  // The sums of all entries, in the game's order; the wide rounds in arrays of their own.
  template <typename T>
  struct Entries {
    Entries(int64_t first_entry, int64_t size) : first(first_entry), regret_sum(size), strategy_sum(size) {}
    int64_t first;  // the first entry that is here
    HugeArray<T> regret_sum, strategy_sum;
  };
  Entries<double>& wide() { return wide_; }
  Entries<float>& narrow() { return narrow_; }

  // The average strategy of one round's entries. An infoset without any weight in it plays by its regret, and has zeros
  // where that says nothing either: training was never there.
  void average_strategy(int round, float* probabilities) const;
  // Play one seat's entries of a round as given: regret that matches to the probabilities, times weight.
  void start_from(int round, int seat, const float* probabilities, double weight);
  // Scale all sums: positive and negative regret, and the average's.
  void discount(double positive, double negative, double average, int num_threads);
  // Of each seat that learns: positive regret, the largest of each infoset, added up over one round's infosets.
  void positive_regret(int round, double* by_seat) const;
  // Hands first_hand .. first_hand + num_hands - 1 of a seed's. won[num_hands, num_seats]: in chips.
  SelfPlay self_play(uint64_t seed, int64_t first_hand, int64_t num_hands, double* won) const;
  // The same deals; values[num_hands, num_seats]: what each seat wins, in chips, expected over all betting.
  void deal_values(uint64_t seed, int64_t first_hand, int64_t num_hands, double* values) const;

 private:
  friend class ChanceWalker;
  template <int kHands>
  friend class ExternalWalker;
  friend class PublicChanceWalker;
  using Node = AbstractGame::Node;

  template <typename Walker>
  void run_walkers(int64_t first_iteration, int64_t num_iterations, int num_threads);
  // visit(node, first entry of an infoset) for all of a round, in the order of the nodes.
  template <typename Visit>
  void each_infoset(int round, Visit visit) const;
  template <int kHands>
  void run_part_walker(int64_t first_iteration, int64_t num_iterations, Part& part);
  double regret_weight(int64_t iteration) const;
  // Parts of a chip that the values of an exchange are counted in: as small as 64 bits allow.
  double value_unit(int64_t exchange) const;
  bool is_wide(int round) const { return round < num_wide_rounds_; }
  // Writes num_actions probabilities; false where they are zeros because training was never there.
  bool average_at(const Node& node, int64_t entry, double* probabilities) const;
  bool average_or_uniform(const Node& node, int64_t entry, double* probabilities) const;

  std::shared_ptr<const AbstractGame> game_;
  PokerMccfrOptions options_;
  int num_wide_rounds_;
  std::vector<Settlement> settlements_;  // by ending
  Entries<double> wide_;
  Entries<float> narrow_;
  int64_t num_visits_ = 0;
};

}  // namespace nashgap
