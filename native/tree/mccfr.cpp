#include "tree/mccfr.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "random/philox.h"

namespace nashgap {
namespace {

constexpr uint64_t kRegretPass = 1;
constexpr uint64_t kAveragePass = 2;

class Walker {
 public:
  struct Scratch {
    explicit Scratch(const Tree& tree) : path(2 * tree.max_path_slots) {}
    std::vector<double> path;
    std::vector<std::pair<int64_t, double>> waiting;
  };

  Walker(const Tree& tree, const MccfrState& state, double exploration, int player, Philox random, Scratch& scratch)
      : tree_(tree),
        state_(state),
        exploration_(exploration),
        player_(player),
        random_(random),
        path_(scratch.path.data()),
        waiting_(scratch.waiting) {}

  // One pass for this player. A pass can meet an infoset several times (hidden moves, no perfect recall) and must play
  // the same there each time, so regret waits until the pass is over.
  void regret_pass(Sampling sampling) {
    waiting_.clear();
    double tail;
    switch (sampling) {
      case Sampling::kChance: chance(0, 0, 1.0, 1.0); break;
      case Sampling::kExternal: external(0, 0); break;
      case Sampling::kOutcome: outcome(0, 0, 1.0, 1.0, &tail); break;
    }
    for (const auto& [slot, regret] : waiting_) state_.regret_sum[slot] += regret;
  }

  // Average strategy by a walk of its own: own actions are sampled, so an infoset is met in proportion to own reach;
  // the others' are all taken, or one uniformly, so nobody else's strategy enters the weight.
  void average_pass(Sampling sampling) { average(0, 0, sampling == Sampling::kExternal); }

 private:
  // Chance sampling: one outcome at each chance node, all actions of all players.
  double chance(int64_t block, int64_t lane, double own_reach, double other_reach) {
    const int acting = tree_.block_player[block];
    if (acting == kTerminal) return payoff(block, lane);
    if (acting == kChance) {
      const int64_t edge = sample_chance(block, lane);
      return chance(tree_.chance_block[edge], tree_.chance_lane[edge], own_reach, other_reach);
    }
    if (own_reach == 0.0 && other_reach == 0.0) return 0.0;
    const Decision here = decide(block, lane);
    double expected = 0.0;
    for (int32_t a = 0; a < here.size; ++a) {
      const double p = here.strategy[a];
      here.value[a] = acting == player_ ? chance(child(block, a), lane, own_reach * p, other_reach)
                                        : chance(child(block, a), lane, own_reach, other_reach * p);
      expected += p * here.value[a];
    }
    if (acting == player_) {
      add_regret(here, expected, other_reach);
      add_average(here, own_reach);
    }
    release(here);
    return expected;
  }

  // External sampling: one outcome of chance and of every other player, all own actions. With two players the other
  // one's average is taken on the way: it is reached by its own probability, whatever this player does.
  double external(int64_t block, int64_t lane) {
    const int acting = tree_.block_player[block];
    if (acting == kTerminal) return payoff(block, lane);
    if (acting == kChance) {
      const int64_t edge = sample_chance(block, lane);
      return external(tree_.chance_block[edge], tree_.chance_lane[edge]);
    }
    const Decision here = decide(block, lane);
    double expected = 0.0;
    if (acting == player_) {
      for (int32_t a = 0; a < here.size; ++a) {
        here.value[a] = external(child(block, a), lane);
        expected += here.strategy[a] * here.value[a];
      }
      add_regret(here, expected, 1.0);
    } else {
      if (tree_.num_players == 2) add_average(here, 1.0);
      expected = external(child(block, sample(here.strategy, here.size)), lane);
    }
    release(here);
    return expected;
  }

  // Outcome sampling: one path. Returns payoff / sampled probability of the path; `tail` becomes the probability that
  // the players themselves give to the rest of it.
  double outcome(int64_t block, int64_t lane, double other_reach, double sampled, double* tail) {
    const int acting = tree_.block_player[block];
    if (acting == kTerminal) {
      *tail = 1.0;
      return payoff(block, lane) / sampled;
    }
    if (acting == kChance) {  // sampled by its own probability: cancels in reach / sampled
      const int64_t edge = sample_chance(block, lane);
      return outcome(tree_.chance_block[edge], tree_.chance_lane[edge], other_reach, sampled, tail);
    }
    const Decision here = decide(block, lane);
    double result;
    if (acting == player_) {
      for (int32_t a = 0; a < here.size; ++a)
        here.value[a] = exploration_ / here.size + (1.0 - exploration_) * here.strategy[a];
      const int32_t choice = sample(here.value, here.size);
      result = outcome(child(block, choice), lane, other_reach, sampled * here.value[choice], tail);
      const double after = *tail;
      const double expected = result * here.strategy[choice] * after;
      for (int32_t a = 0; a < here.size; ++a) here.value[a] = a == choice ? result * after : 0.0;
      add_regret(here, expected, other_reach);
      *tail = here.strategy[choice] * after;
    } else {
      const int32_t choice = sample(here.strategy, here.size);
      const double p = here.strategy[choice];
      result = outcome(child(block, choice), lane, other_reach * p, sampled * p, tail);
      *tail *= p;
    }
    release(here);
    return result;
  }

  void average(int64_t block, int64_t lane, bool takes_all) {
    const int acting = tree_.block_player[block];
    if (acting == kTerminal) return;
    if (acting == kChance) {
      const int64_t edge = sample_chance(block, lane);
      return average(tree_.chance_block[edge], tree_.chance_lane[edge], takes_all);
    }
    const int32_t num_actions = tree_.block_edge[block + 1] - tree_.block_edge[block];
    if (acting == player_) {
      const Decision here = decide(block, lane);
      add_average(here, 1.0);
      const int32_t choice = sample(here.strategy, here.size);
      release(here);
      average(child(block, choice), lane, takes_all);
    } else if (takes_all) {
      for (int32_t a = 0; a < num_actions; ++a) average(child(block, a), lane, takes_all);
    } else {
      average(child(block, static_cast<int32_t>(random_.uniform() * num_actions)), lane, takes_all);
    }
  }

  struct Decision {
    int32_t infoset, size, stride;
    int64_t first_slot;
    double* strategy = nullptr;  // [size], on the walker's stack
    double* value = nullptr;     // [size]
  };

  static int64_t slot(const Decision& here, int32_t action) { return here.first_slot + int64_t{action} * here.stride; }
  bool is_fixed(const Decision& here) const { return state_.is_fixed && state_.is_fixed[here.infoset]; }

  Decision decide(int64_t block, int64_t lane) {
    const int32_t infoset = tree_.node_row[tree_.block_start[block] + lane];
    Decision here{infoset, tree_.infoset_size[infoset], tree_.infoset_stride[infoset], tree_.infoset_slot[infoset]};
    reserve(here);
    if (is_fixed(here)) {
      for (int32_t a = 0; a < here.size; ++a) here.strategy[a] = state_.fixed[slot(here, a)];
      return here;
    }
    double total = 0.0;
    for (int32_t a = 0; a < here.size; ++a) {
      here.strategy[a] = std::max(state_.regret_sum[slot(here, a)], 0.0);
      total += here.strategy[a];
    }
    for (int32_t a = 0; a < here.size; ++a) here.strategy[a] = total > 0.0 ? here.strategy[a] / total : 1.0 / here.size;
    return here;
  }

  // Strategies and values of the decisions on the path, one after the other; sized for the longest path.
  void reserve(Decision& here) {
    here.strategy = path_ + used_;
    here.value = here.strategy + here.size;
    used_ += 2 * int64_t{here.size};
  }
  void release(const Decision& here) { used_ -= 2 * int64_t{here.size}; }

  int64_t child(int64_t block, int32_t action) const { return tree_.edge_block[tree_.block_edge[block] + action]; }

  double payoff(int64_t block, int64_t lane) const {
    const int64_t row = tree_.node_row[tree_.block_start[block] + lane];
    return tree_.returns[row * tree_.num_players + player_];
  }

  int64_t sample_chance(int64_t block, int64_t lane) {
    const int64_t node = tree_.node_row[tree_.block_start[block] + lane];
    const int64_t begin = tree_.chance_start[node], end = tree_.chance_start[node + 1];
    return begin + sample(tree_.chance_prob + begin, end - begin);
  }

  // The last action of positive probability takes what rounding leaves over.
  int32_t sample(const double* probability, int64_t size) {
    double rest = random_.uniform();
    int32_t choice = 0;
    for (int32_t a = 0; a < size; ++a) {
      if (probability[a] == 0.0) continue;
      choice = a;
      rest -= probability[a];
      if (rest < 0.0) break;
    }
    return choice;
  }

  void add_regret(const Decision& here, double expected, double weight) {
    if (is_fixed(here)) return;
    for (int32_t a = 0; a < here.size; ++a) waiting_.emplace_back(slot(here, a), weight * (here.value[a] - expected));
  }

  void add_average(const Decision& here, double weight) {
    for (int32_t a = 0; a < here.size; ++a) state_.strategy_sum[slot(here, a)] += weight * here.strategy[a];
  }

  const Tree& tree_;
  const MccfrState& state_;
  const double exploration_;
  const int player_;
  Philox random_;
  double* const path_;
  int64_t used_ = 0;
  std::vector<std::pair<int64_t, double>>& waiting_;  // slot and regret
};

}  // namespace

void mccfr(const Tree& tree, const MccfrState& state, Sampling sampling, double exploration, uint64_t seed,
           uint64_t first_iteration, int64_t num_iterations) {
  Walker::Scratch scratch(tree);
  for (int64_t k = 0; k < num_iterations; ++k) {
    const uint64_t t = first_iteration + static_cast<uint64_t>(k);
    for (int player = 0; player < tree.num_players; ++player)
      Walker(tree, state, exploration, player, Philox(seed, kRegretPass, t, player), scratch).regret_pass(sampling);
    // Chance sampling, and external sampling of two players, have taken their averages on the way.
    if (sampling == Sampling::kChance || (sampling == Sampling::kExternal && tree.num_players == 2)) continue;
    for (int player = 0; player < tree.num_players; ++player)
      Walker(tree, state, exploration, player, Philox(seed, kAveragePass, t, player), scratch).average_pass(sampling);
  }
}

}  // namespace nashgap
