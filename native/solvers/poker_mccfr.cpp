#include "solvers/poker_mccfr.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>

#include "poker/state.h"
#include "random/philox.h"

namespace nashgap {
namespace {

constexpr uint64_t kDealing = 1;
constexpr uint64_t kRegretPass = 2;
constexpr uint64_t kAveragePass = 3;
constexpr int kMaxActions = 32;
constexpr int64_t kPortion = 64;  // iterations that a thread takes at a time

// Threads add to the same entries without waiting for each other. A lost update is one sample less; a race on plain
// floats would be undefined.
template <typename T>
T read(T& entry) {
  return std::atomic_ref<T>(entry).load(std::memory_order_relaxed);
}
template <typename T>
void write(T& entry, double value) {
  std::atomic_ref<T>(entry).store(static_cast<T>(value), std::memory_order_relaxed);
}

// What one seat wins, in chips.
double side_pots_payoff(const Rules& rules, const Ending& ending, const uint16_t* strength, int player) {
  std::array<int64_t, kMaxSeats> won{};
  payoffs(rules, ending, strength, won.data());
  return static_cast<double>(won[player]) / kChipShares;
}

}  // namespace

EntryCounts count_entries(const BettingTree& tree, const Abstractions& abstractions) {
  EntryCounts counts;
  for (int round = 0; round < tree.num_rounds; ++round) {
    int64_t& entries = counts.by_round[round];
    for (int64_t node = tree.round_start[round]; node < tree.round_start[round + 1]; ++node) {
      const int64_t num_buckets = abstractions[tree.seat[node]]->num_buckets(round);
      counts.num_infosets += num_buckets;
      entries += num_buckets * tree.num_actions(node);
    }
    (round < kNumWideRounds ? counts.num_wide : counts.num_narrow) += entries;
  }
  return counts;
}

// One thread's work: deals, and walks the tree for one player after the other.
class PokerWalker {
 public:
  explicit PokerWalker(PokerMccfr& solver) : solver_(solver), tree_(*solver.tree_), rules_(*solver.rules_) {}

  void iterate(uint64_t iteration) {
    const PokerMccfrOptions& options = solver_.options_;
    weight_ = options.is_linear ? static_cast<double>(iteration) : 1.0;
    deal(iteration);
    const bool is_external = options.sampling == PokerSampling::kExternal;
    averages_on_the_way_ = !is_external || (rules_.num_seats == 2 && options.exploration == 0.0);
    for (player_ = 0; player_ < rules_.num_seats; ++player_) {
      random_ = Philox(options.seed, kRegretPass, iteration, player_);
      if (is_external)
        external(tree_.root);
      else
        chance(tree_.root, 1.0, 1.0);
    }
    if (averages_on_the_way_) return;
    for (player_ = 0; player_ < rules_.num_seats; ++player_) {
      random_ = Philox(options.seed, kAveragePass, iteration, player_);
      average(tree_.root);
    }
  }

  int64_t num_visits() const { return num_visits_; }

 private:
  using Node = PokerMccfr::Node;

  // Once a deal: everybody's bucket in every round, and strength at the end.
  void deal(uint64_t iteration) {
    random_ = Philox(solver_.options_.seed, kDealing, iteration, 0);
    std::array<uint8_t, kNumCards> cards;
    std::copy(solver_.deck_.begin(), solver_.deck_.end(), cards.begin());
    const int num_hole = rules_.num_hole_cards, num_hands = rules_.num_seats * num_hole;
    const int num_dealt = num_hands + rules_.total_board_cards(), num_cards = static_cast<int>(solver_.deck_.size());
    for (int card = 0; card < num_dealt; ++card)
      std::swap(cards[card], cards[card + static_cast<int>(random_.below(num_cards - card))]);
    const uint8_t* board = cards.data() + num_hands;
    for (int seat = 0; seat < rules_.num_seats; ++seat)
      solver_.abstractions_[seat]->hand_buckets(cards.data() + seat * num_hole, board, tree_.num_rounds - 1,
                                                bucket_[seat].data());
    showdown_strength(rules_, cards.data(), board, strength_.data());
  }

  double payoff(int32_t ending) {
    ++num_visits_;
    const PokerMccfr::Settlement& settlement = solver_.settlements_[ending];
    const Ending& end = tree_.endings[ending];
    const double spent = end.spent[player_];
    if (!(settlement.contenders >> player_ & 1)) return -spent;
    if (settlement.kind == PokerMccfr::Settling::kFold) return settlement.pot - spent;
    if (settlement.kind == PokerMccfr::Settling::kSidePots)
      return side_pots_payoff(rules_, end, strength_.data(), player_);
    int num_winners = 1;
    for (int seat = 0; seat < rules_.num_seats; ++seat) {
      if (seat == player_ || !(settlement.contenders >> seat & 1)) continue;
      if (strength_[seat] > strength_[player_]) return -spent;
      num_winners += strength_[seat] == strength_[player_];
    }
    return (num_winners == 1 ? settlement.pot : static_cast<double>(settlement.pot) / num_winners) - spent;
  }

  // External sampling: one action of every other player, all own ones.
  double external(int32_t child) {
    if (child < 0) return payoff(-1 - child);
    const Node& node = solver_.nodes_[child];
    return node.round < kNumWideRounds ? external_at(node, solver_.wide_) : external_at(node, solver_.narrow_);
  }

  template <typename T>
  double external_at(const Node& node, PokerMccfr::Entries<T>& entries) {
    ++num_visits_;
    const int64_t first = first_entry(node);
    const int32_t* children = &tree_.child[node.first_edge];
    T* regret_sum = entries.regret_sum.data() + first;
    double strategy[kMaxActions];
    // Nearly every entry is a cache miss: ask for those of the children while this node's are on their way.
    for (int a = 0; a < node.num_actions; ++a) prefetch(children[a]);
    match(regret_sum, node.num_actions, strategy);
    if (node.seat == player_) {
      double value[kMaxActions];
      double expected = 0.0;
      for (int a = 0; a < node.num_actions; ++a) {
        value[a] = external(children[a]);
        expected += strategy[a] * value[a];
      }
      add_regret(regret_sum, value, expected, weight_, node.num_actions);
      return expected;
    }
    if (averages_on_the_way_) add_average(entries.strategy_sum.data() + first, strategy, weight_, node.num_actions);
    const double exploration = solver_.options_.exploration;
    if (exploration == 0.0) return external(children[sample(strategy, node.num_actions)]);
    const int choice = random_.uniform() < exploration ? static_cast<int>(random_.below(node.num_actions))
                                                       : sample(strategy, node.num_actions);
    const double sampled = exploration / node.num_actions + (1.0 - exploration) * strategy[choice];
    return strategy[choice] / sampled * external(children[choice]);
  }

  // Chance sampling: all actions of everybody on one deal.
  double chance(int32_t child, double own_reach, double other_reach) {
    if (child < 0) return payoff(-1 - child);
    if (own_reach == 0.0 && other_reach == 0.0) return 0.0;
    const Node& node = solver_.nodes_[child];
    return node.round < kNumWideRounds ? chance_at(node, solver_.wide_, own_reach, other_reach)
                                       : chance_at(node, solver_.narrow_, own_reach, other_reach);
  }

  template <typename T>
  double chance_at(const Node& node, PokerMccfr::Entries<T>& entries, double own_reach, double other_reach) {
    ++num_visits_;
    const int64_t first = first_entry(node);
    const int32_t* children = &tree_.child[node.first_edge];
    T* regret_sum = entries.regret_sum.data() + first;
    const bool is_own = node.seat == player_;
    double strategy[kMaxActions], value[kMaxActions];
    match(regret_sum, node.num_actions, strategy);
    double expected = 0.0;
    for (int a = 0; a < node.num_actions; ++a) {
      value[a] = is_own ? chance(children[a], own_reach * strategy[a], other_reach)
                        : chance(children[a], own_reach, other_reach * strategy[a]);
      expected += strategy[a] * value[a];
    }
    if (is_own) {
      add_average(entries.strategy_sum.data() + first, strategy, weight_ * own_reach, node.num_actions);
      add_regret(regret_sum, value, expected, weight_ * other_reach, node.num_actions);
    }
    return expected;
  }

  // Average strategy by a walk of its own: own actions are sampled, so an infoset is met in proportion to own reach;
  // the others' are drawn uniformly, so that nobody else's strategy enters the weight.
  void average(int32_t child) {
    while (child >= 0) {
      const Node& node = solver_.nodes_[child];
      const int choice = node.seat != player_           ? static_cast<int>(random_.below(node.num_actions))
                         : node.round < kNumWideRounds ? average_at(node, solver_.wide_)
                                                       : average_at(node, solver_.narrow_);
      child = tree_.child[node.first_edge + choice];
      ++num_visits_;
    }
  }

  template <typename T>
  int average_at(const Node& node, PokerMccfr::Entries<T>& entries) {
    const int64_t first = first_entry(node);
    double strategy[kMaxActions];
    match(entries.regret_sum.data() + first, node.num_actions, strategy);
    add_average(entries.strategy_sum.data() + first, strategy, weight_, node.num_actions);
    return sample(strategy, node.num_actions);
  }

  int64_t first_entry(const Node& node) const {
    return node.offset + int64_t{bucket_[node.seat][node.round]} * node.num_actions;
  }

  void prefetch(int32_t child) const {
    if (child < 0) return;
    const Node& node = solver_.nodes_[child];
    const int64_t first = first_entry(node);
    if (node.round < kNumWideRounds) {
      __builtin_prefetch(solver_.wide_.regret_sum.data() + first);
    } else {
      __builtin_prefetch(solver_.narrow_.regret_sum.data() + first);
      if (averages_on_the_way_ && node.seat != player_)
        __builtin_prefetch(solver_.narrow_.strategy_sum.data() + first);
    }
  }

  template <typename T>
  static void match(T* regret_sum, int num_actions, double* strategy) {
    double total = 0.0;
    for (int a = 0; a < num_actions; ++a) {
      strategy[a] = std::max<double>(read(regret_sum[a]), 0.0);
      total += strategy[a];
    }
    const double scale = total > 0.0 ? 1.0 / total : 0.0, rest = total > 0.0 ? 0.0 : 1.0 / num_actions;
    for (int a = 0; a < num_actions; ++a) strategy[a] = strategy[a] * scale + rest;
  }

  template <typename T>
  void add_regret(T* regret_sum, const double* value, double expected, double weight, int num_actions) const {
    const double floor = solver_.options_.regret_floor;
    for (int a = 0; a < num_actions; ++a)
      write(regret_sum[a], std::max(read(regret_sum[a]) + weight * (value[a] - expected), floor));
  }

  template <typename T>
  static void add_average(T* strategy_sum, const double* strategy, double weight, int num_actions) {
    for (int a = 0; a < num_actions; ++a) write(strategy_sum[a], read(strategy_sum[a]) + weight * strategy[a]);
  }

  // The last action of positive probability takes what rounding leaves over.
  int sample(const double* probability, int num_actions) {
    double rest = random_.uniform();
    int choice = 0;
    for (int a = 0; a < num_actions; ++a) {
      if (probability[a] == 0.0) continue;
      choice = a;
      rest -= probability[a];
      if (rest < 0.0) break;
    }
    return choice;
  }

  PokerMccfr& solver_;
  const BettingTree& tree_;
  const Rules& rules_;
  Philox random_{0, 0, 0, 0};
  int player_ = 0;
  double weight_ = 1.0;
  bool averages_on_the_way_ = false;
  int64_t num_visits_ = 0;
  std::array<std::array<int32_t, kMaxRounds>, kMaxSeats> bucket_{};
  std::array<uint16_t, kMaxSeats> strength_{};
};

PokerMccfr::PokerMccfr(std::shared_ptr<const Rules> rules, std::shared_ptr<const BettingTree> tree,
                       Abstractions abstractions, const PokerMccfrOptions& options)
    : rules_(std::move(rules)),
      tree_(std::move(tree)),
      abstractions_(std::move(abstractions)),
      options_(options),
      deck_(rules_->deck()),
      counts_(count_entries(*tree_, abstractions_)),
      wide_(counts_.num_wide),
      narrow_(counts_.num_narrow) {
  if (tree_->num_edges() > UINT32_MAX) throw std::invalid_argument("the betting tree has more than 2^32 edges");
  nodes_.reserve(tree_->num_nodes());
  int64_t next_wide = 0, next_narrow = 0;
  for (int round = 0; round < tree_->num_rounds; ++round) {
    int64_t& next = round < kNumWideRounds ? next_wide : next_narrow;
    for (int64_t node = tree_->round_start[round]; node < tree_->round_start[round + 1]; ++node) {
      const int num_actions = tree_->num_actions(node);
      if (num_actions > kMaxActions) throw std::invalid_argument("a node of the betting tree has too many actions");
      nodes_.push_back({next, static_cast<uint32_t>(tree_->first_edge[node]), tree_->seat[node],
                        static_cast<uint8_t>(num_actions), static_cast<uint8_t>(round)});
      next += abstractions_[tree_->seat[node]]->num_buckets(round) * num_actions;
    }
  }
  settlements_.reserve(tree_->endings.size());
  for (const Ending& ending : tree_->endings) {
    Settlement settlement{Settling::kOnePot, 0, 0};
    int32_t stake = -1;
    int num_contenders = 0;
    for (int seat = 0; seat < rules_->num_seats; ++seat) {
      settlement.pot += ending.spent[seat];
      if (ending.has_folded(seat)) continue;
      settlement.contenders = static_cast<uint16_t>(settlement.contenders | 1u << seat);
      ++num_contenders;
      if (stake >= 0 && ending.spent[seat] != stake) settlement.kind = Settling::kSidePots;
      stake = std::max(stake, ending.spent[seat]);
    }
    // Folded chips above every contender's stake would stay with nobody; odd chips need an order of seats.
    for (int seat = 0; seat < rules_->num_seats; ++seat)
      if (ending.spent[seat] > stake) settlement.kind = Settling::kSidePots;
    if (rules_->conventions == Conventions::kCasino) settlement.kind = Settling::kSidePots;
    if (num_contenders == 1) settlement.kind = Settling::kFold;
    settlements_.push_back(settlement);
  }
}

void PokerMccfr::run(int64_t first_iteration, int64_t num_iterations, int num_threads) {
  const int64_t end = first_iteration + num_iterations;
  std::atomic<int64_t> next = first_iteration, num_visits = 0;
  const auto work = [&] {
    PokerWalker walker(*this);
    for (;;) {
      const int64_t begin = next.fetch_add(kPortion);
      if (begin >= end) break;
      for (int64_t t = begin; t < std::min(begin + kPortion, end); ++t) walker.iterate(static_cast<uint64_t>(t));
    }
    num_visits += walker.num_visits();
  };
  {
    std::vector<std::jthread> others;
    for (int thread = 1; thread < num_threads; ++thread) others.emplace_back(work);
    work();
  }  // all have stopped: nothing moves between two runs
  num_visits_ += num_visits;
}

template <typename Visit>
void PokerMccfr::each_average(int round, Visit visit) const {
  for (int64_t n = tree_->round_start[round]; n < tree_->round_start[round + 1]; ++n) {
    const Node& node = nodes_[n];
    const int64_t end = node.offset + abstractions_[node.seat]->num_buckets(round) * node.num_actions;
    for (int64_t first = node.offset; first < end; first += node.num_actions) {
      if (round < kNumWideRounds)
        visit(wide_.strategy_sum.data() + first, node.num_actions);
      else
        visit(narrow_.strategy_sum.data() + first, node.num_actions);
    }
  }
}

int64_t PokerMccfr::count_visited() const {
  int64_t count = 0;
  for (int round = 0; round < tree_->num_rounds; ++round)
    each_average(round, [&](const auto* sums, int num_actions) {
      count += std::any_of(sums, sums + num_actions, [](auto weight) { return weight > 0; });
    });
  return count;
}

void PokerMccfr::average_strategy(int round, float* probabilities) const {
  each_average(round, [&](const auto* sums, int num_actions) {
    double total = 0.0;
    for (int a = 0; a < num_actions; ++a) total += sums[a];
    for (int a = 0; a < num_actions; ++a)
      *probabilities++ = static_cast<float>(total > 0.0 ? sums[a] / total : 1.0 / num_actions);
  });
}

}  // namespace nashgap
