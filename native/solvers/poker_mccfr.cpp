#include "solvers/poker_mccfr.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "abstraction/parallel.h"
#include "poker/state.h"
#include "random/philox.h"
#include "solvers/external_sampling.h"
#include "solvers/public_chance.h"
#include "solvers/sampling.h"

namespace nashgap {
namespace {

constexpr int kMaxActions = AbstractGame::kMaxActions;

// Probabilities in proportion to what is positive; false where nothing is.
template <typename T>
bool match_positive(const T* sums, int num_actions, double* probabilities) {
  double total = 0.0;
  for (int a = 0; a < num_actions; ++a) {
    probabilities[a] = std::max<double>(sums[a], 0.0);
    total += probabilities[a];
  }
  for (int a = 0; a < num_actions; ++a) probabilities[a] = total > 0.0 ? probabilities[a] / total : 0.0;
  return total > 0.0;
}

}  // namespace

double average_weight(const Rules& rules, const PokerMccfrOptions& options, uint64_t iteration) {
  if (rules.num_seats - std::popcount(options.frozen) == 1) return 0.0;
  return options.has_linear_average ? static_cast<double>(iteration) : 1.0;
}

int num_wide_rounds(const AbstractGame& game) {
  int count = 0;
  while (count < std::min(kMaxWideRounds, game.tree().num_rounds) &&
         game.entry_start(count + 1) - game.entry_start(count) <= kMaxWideEntries)
    ++count;
  return count;
}

// Chance sampling, one thread's work: deals, and walks all actions of everybody for one player after the other.
class ChanceWalker {
 public:
  static constexpr int64_t kPortion = 16;  // iterations that a thread takes at a time

  explicit ChanceWalker(PokerMccfr& solver)
      : solver_(solver),
        game_(*solver.game_),
        tree_(game_.tree()),
        options_(solver.options_),
        payoffs_(game_.rules(), tree_.endings, solver.settlements_, options_.tilt) {}

  void iterate(uint64_t iteration) {
    regret_weight_ = options_.has_linear_regret ? static_cast<double>(iteration) : 1.0;
    regret_floor_ = options_.regret_floor * regret_weight_;
    average_weight_ = average_weight(game_.rules(), options_, iteration);
    deal_.draw(game_, options_.discards, Philox(options_.seed, kDealing, iteration, 0));
    for (player_ = 0; player_ < tree_.num_seats; ++player_) {
      if (options_.frozen >> player_ & 1) continue;
      payoffs_.compare(deal_.strength.data(), {deal_.strength[player_]}, player_);
      walk(tree_.root, 1.0, 1.0);
    }
  }

  int64_t num_visits() const { return num_visits_; }

 private:
  using Node = AbstractGame::Node;

  double walk(int32_t child, double own_reach, double other_reach) {
    if (child < 0) {
      ++num_visits_;
      HandValues<1> value;
      payoffs_.pay(-1 - child, 1.0, value);
      return value[0];
    }
    if (own_reach == 0.0 && other_reach == 0.0) return 0.0;
    const Node& node = game_.node(child);
    return solver_.is_wide(node.round) ? walk_at(node, solver_.wide_, own_reach, other_reach)
                                       : walk_at(node, solver_.narrow_, own_reach, other_reach);
  }

  template <typename T>
  double walk_at(const Node& node, PokerMccfr::Entries<T>& entries, double own_reach, double other_reach) {
    ++num_visits_;
    const int64_t first = deal_.entry(node) - entries.first;
    const int32_t* children = &tree_.child[node.first_edge];
    T* regret_sum = entries.regret_sum.data() + first;
    const bool is_own = node.seat == player_;
    double strategy[kMaxActions], value[kMaxActions];
    match(regret_sum, node.num_actions, strategy);
    double expected = 0.0;
    for (int a = 0; a < node.num_actions; ++a) {
      value[a] = is_own ? walk(children[a], own_reach * strategy[a], other_reach)
                        : walk(children[a], own_reach, other_reach * strategy[a]);
      expected += strategy[a] * value[a];
    }
    if (is_own) {
      add_average(entries.strategy_sum.data() + first, strategy, average_weight_ * own_reach, node.num_actions);
      for (int a = 0; a < node.num_actions; ++a)
        add_regret(regret_sum[a], regret_weight_ * other_reach * (value[a] - expected), regret_floor_);
    }
    return expected;
  }

  PokerMccfr& solver_;
  const AbstractGame& game_;
  const BettingTree& tree_;
  const PokerMccfrOptions& options_;
  Deal deal_;
  SeatPayoffs<1> payoffs_;
  int player_ = 0;
  double regret_weight_ = 1.0, average_weight_ = 1.0, regret_floor_ = 0.0;
  int64_t num_visits_ = 0;
};

PokerMccfr::PokerMccfr(std::shared_ptr<const AbstractGame> game, const PokerMccfrOptions& options)
    : game_(std::move(game)),
      options_(options),
      num_wide_rounds_(num_wide_rounds(*game_)),
      settlements_(settle(game_->rules(), game_->tree().endings)),
      wide_(0, game_->entry_start(num_wide_rounds_)),
      narrow_(wide_.regret_sum.size(), game_->num_entries() - wide_.regret_sum.size()) {
  for (int seat = 0; seat < game_->rules().num_seats; ++seat)
    if (!game_->decides(seat)) options_.frozen = static_cast<uint16_t>(options_.frozen | 1u << seat);
}

void PokerMccfr::run(int64_t first_iteration, int64_t num_iterations, int num_threads) {
  switch (options_.sampling) {
    case PokerSampling::kChance: return run_walkers<ChanceWalker>(first_iteration, num_iterations, num_threads);
    case PokerSampling::kExternal:
      switch (options_.num_hands) {
        case 4: return run_walkers<ExternalWalker<4>>(first_iteration, num_iterations, num_threads);
        case 8: return run_walkers<ExternalWalker<8>>(first_iteration, num_iterations, num_threads);
        case 16: return run_walkers<ExternalWalker<16>>(first_iteration, num_iterations, num_threads);
        default: return run_walkers<ExternalWalker<1>>(first_iteration, num_iterations, num_threads);
      }
    case PokerSampling::kPublic: return run_walkers<PublicChanceWalker>(first_iteration, num_iterations, num_threads);
  }
}

template <typename Walker>
void PokerMccfr::run_walkers(int64_t first_iteration, int64_t num_iterations, int num_threads) {
  const int64_t end = first_iteration + num_iterations;
  std::atomic<int64_t> next = first_iteration, num_visits = 0;
  in_threads(num_threads, [&](int) {
    Walker walker(*this);
    for (;;) {
      const int64_t begin = next.fetch_add(Walker::kPortion);
      if (begin >= end) break;
      for (int64_t t = begin; t < std::min(begin + Walker::kPortion, end); ++t)
        walker.iterate(static_cast<uint64_t>(t));
    }
    num_visits += walker.num_visits();
  });  // all have stopped: nothing moves between two runs
  num_visits_ += num_visits;
}

std::string PokerMccfr::part_refusal() const {
  if (options_.sampling != PokerSampling::kExternal) return "only external sampling is done in parts";
  if (options_.exploration > 0.0) return "exploration is not done in parts";
  if (options_.prune_below > -std::numeric_limits<double>::infinity()) return "pruning is not done in parts";
  if (!std::isfinite(options_.tilt)) return "tilt must be a finite number";
  const BettingTree& tree = game_->tree();
  if (game_->node(tree.root).round != 0 || tree.num_nodes() == tree.round_start[1])
    return "a game is done in parts behind its first round";
  return "";
}

double PokerMccfr::regret_weight(int64_t iteration) const {
  return options_.has_linear_regret ? static_cast<double>(iteration) : 1.0;
}

double PokerMccfr::value_unit(int64_t exchange) const {
  double most = 1.0;
  for (const Settlement& settlement : settlements_) most = std::max(most, settlement.pot);
  most *= (1.0 + options_.tilt) * static_cast<double>(options_.num_hands) * static_cast<double>(exchange);
  return std::exp2(61.0 - std::logb(most));  // a sum is less than twice a power of 2, and rounding may add to it
}

template <int kHands>
void PokerMccfr::run_part_walker(int64_t first_iteration, int64_t num_iterations, Part& part) {
  ExternalWalker<kHands> walker(*this, &part);
  for (int64_t t = first_iteration; t < first_iteration + num_iterations; ++t) walker.iterate(static_cast<uint64_t>(t));
  num_visits_ += walker.num_visits();
}

void PokerMccfr::run_part(int64_t first_iteration, int64_t num_iterations, Part part) {
  part.unit = value_unit(part.exchange);
  part.weight = regret_weight(((first_iteration - 1) / part.exchange + 1) * part.exchange);
  switch (options_.num_hands) {
    case 4: return run_part_walker<4>(first_iteration, num_iterations, part);
    case 8: return run_part_walker<8>(first_iteration, num_iterations, part);
    case 16: return run_part_walker<16>(first_iteration, num_iterations, part);
    default: return run_part_walker<1>(first_iteration, num_iterations, part);
  }
}

void PokerMccfr::learn_first_round(int64_t last_iteration, int64_t exchange, const int64_t* action_values) {
  const double weight = regret_weight(last_iteration), unit = weight / value_unit(exchange);
  const double floor = options_.regret_floor * weight;
  double strategy[kMaxActions];
  each_infoset(0, [&](const Node& node, int64_t entry) {
    if (options_.frozen >> node.seat & 1) return;
    const auto learn = [&](auto& entries) {
      auto* regret_sum = entries.regret_sum.data() + entry;
      match(regret_sum, node.num_actions, strategy);
      double expected = 0.0;
      for (int a = 0; a < node.num_actions; ++a)
        expected += strategy[a] * static_cast<double>(action_values[entry + a]);
      for (int a = 0; a < node.num_actions; ++a)
        add_regret(regret_sum[a], unit * (static_cast<double>(action_values[entry + a]) - expected), floor);
    };
    is_wide(0) ? learn(wide_) : learn(narrow_);
  });
}

template <typename Visit>
void PokerMccfr::each_infoset(int round, Visit visit) const {
  const BettingTree& tree = game_->tree();
  for (int64_t n = tree.round_start[round]; n < tree.round_start[round + 1]; ++n) {
    const Node& node = game_->node(n);
    for (int64_t bucket = 0; bucket < game_->num_buckets(node); ++bucket) visit(node, node.entry(bucket));
  }
}

bool PokerMccfr::average_at(const Node& node, int64_t entry, double* probabilities) const {
  const auto find = [&](const auto& entries) {
    const int64_t first = entry - entries.first;
    return match_positive(entries.strategy_sum.data() + first, node.num_actions, probabilities) ||
           match_positive(entries.regret_sum.data() + first, node.num_actions, probabilities);
  };
  return is_wide(node.round) ? find(wide_) : find(narrow_);
}

bool PokerMccfr::average_or_uniform(const Node& node, int64_t entry, double* probabilities) const {
  const bool is_known = average_at(node, entry, probabilities);
  if (!is_known) std::fill(probabilities, probabilities + node.num_actions, 1.0 / node.num_actions);
  return is_known;
}

void PokerMccfr::average_strategy(int round, float* probabilities) const {
  const int64_t start = game_->entry_start(round);
  double row[kMaxActions];
  each_infoset(round, [&](const Node& node, int64_t entry) {
    average_at(node, entry, row);
    for (int a = 0; a < node.num_actions; ++a) probabilities[entry - start + a] = static_cast<float>(row[a]);
  });
}

void PokerMccfr::start_from(int round, int seat, const float* probabilities, double weight) {
  const int64_t start = game_->entry_start(round);
  each_infoset(round, [&](const Node& node, int64_t entry) {
    if (node.seat != seat) return;
    for (int a = 0; a < node.num_actions; ++a) {
      const double regret = weight * probabilities[entry - start + a];
      if (is_wide(round))
        wide_.regret_sum.data()[entry + a] = regret;
      else
        narrow_.regret_sum.data()[entry - narrow_.first + a] = static_cast<float>(regret);
    }
  });
}

void PokerMccfr::discount(double positive, double negative, double average, int num_threads) {
  const auto scale = [&](auto& entries) {
    using Sum = std::remove_reference_t<decltype(*entries.regret_sum.data())>;
    constexpr int64_t kBlock = 1 << 16;
    const int64_t size = entries.regret_sum.size();
    for_each_item((size + kBlock - 1) / kBlock, num_threads, [&](int64_t block) {
      for (int64_t i = block * kBlock; i < std::min(size, (block + 1) * kBlock); ++i) {
        Sum& regret = entries.regret_sum.data()[i];
        regret = static_cast<Sum>(regret * (regret > 0 ? positive : negative));
        entries.strategy_sum.data()[i] = static_cast<Sum>(entries.strategy_sum.data()[i] * average);
      }
    });
  };
  scale(wide_);
  scale(narrow_);
}

void PokerMccfr::positive_regret(int round, double* by_seat) const {
  std::fill(by_seat, by_seat + game_->rules().num_seats, 0.0);
  each_infoset(round, [&](const Node& node, int64_t entry) {
    if (options_.frozen >> node.seat & 1) return;
    const auto largest = [&](const auto& entries) {
      const auto* first = entries.regret_sum.data() + (entry - entries.first);
      return static_cast<double>(*std::max_element(first, first + node.num_actions));
    };
    by_seat[node.seat] += std::max(0.0, is_wide(round) ? largest(wide_) : largest(narrow_));
  });
}

SelfPlay PokerMccfr::self_play(uint64_t seed, int64_t first_hand, int64_t num_hands, double* won) const {
  const BettingTree& tree = game_->tree();
  SelfPlay played;
  Deal deal;
  double row[kMaxActions];
  std::array<int64_t, kMaxSeats> shares{};
  for (int64_t hand = first_hand; hand < first_hand + num_hands; ++hand) {
    deal.draw(*game_, options_.discards, Philox(seed, kSelfPlay, static_cast<uint64_t>(hand), 0));
    Philox random(seed, kSelfPlay, static_cast<uint64_t>(hand), 1);
    uint64_t sequence = 0;
    int32_t child = tree.root;
    while (child >= 0) {
      const Node& node = game_->node(child);
      ++played.num_decisions;
      played.num_unvisited += !average_or_uniform(node, deal.entry(node), row);
      const double total = std::accumulate(row, row + node.num_actions, 0.0);
      const int choice = sample(random, row, total, node.num_actions);
      if (node.round == 0) sequence = sequence << 2 | (choice < node.num_folds ? 1 : choice < node.first_raise ? 2 : 3);
      child = tree.child[node.first_edge + choice];
    }
    ++played.sequences[sequence];
    payoffs(game_->rules(), tree.endings[-1 - child], deal.strength.data(), shares.data());
    for (int seat = 0; seat < tree.num_seats; ++seat) *won++ = static_cast<double>(shares[seat]) / kChipShares;
  }
  return played;
}

void PokerMccfr::deal_values(uint64_t seed, int64_t first_hand, int64_t num_hands, double* values) const {
  const BettingTree& tree = game_->tree();
  Deal deal;
  // Adds reach times what each seat wins behind an edge.
  const auto add = [&](const auto& self, int32_t child, double reach, double* total) -> void {
    if (child < 0) {
      std::array<int64_t, kMaxSeats> won{};
      payoffs(game_->rules(), tree.endings[-1 - child], deal.strength.data(), won.data());
      for (int seat = 0; seat < tree.num_seats; ++seat)
        total[seat] += reach * static_cast<double>(won[seat]) / kChipShares;
      return;
    }
    const Node& node = game_->node(child);
    double row[kMaxActions];
    average_or_uniform(node, deal.entry(node), row);
    for (int a = 0; a < node.num_actions; ++a)
      if (row[a] > 0.0) self(self, tree.child[node.first_edge + a], reach * row[a], total);
  };
  std::fill(values, values + num_hands * tree.num_seats, 0.0);
  for (int64_t hand = 0; hand < num_hands; ++hand) {
    deal.draw(*game_, options_.discards, Philox(seed, kSelfPlay, static_cast<uint64_t>(first_hand + hand), 0));
    add(add, tree.root, 1.0, values + hand * tree.num_seats);
  }
}

}  // namespace nashgap
