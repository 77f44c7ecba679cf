#include "solvers/poker_mccfr.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <thread>
#include <utility>

#include "abstraction/parallel.h"
#include "poker/state.h"
#include "random/philox.h"
#include "solvers/public_chance.h"
#include "solvers/sampling.h"

namespace nashgap {
namespace {

constexpr int kMaxActions = AbstractGame::kMaxActions;
constexpr int kPruningPeriod = 16;  // one iteration of so many visits everything

// What one seat wins, in chips.
double side_pots_payoff(const Rules& rules, const Ending& ending, const uint16_t* strength, int player) {
  std::array<int64_t, kMaxSeats> won{};
  payoffs(rules, ending, strength, won.data());
  return static_cast<double>(won[player]) / kChipShares;
}

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

// The last action of positive probability takes what rounding leaves over.
int sample(Philox& random, const double* probability, int num_actions) {
  double rest = random.uniform();
  int choice = 0;
  for (int a = 0; a < num_actions; ++a) {
    if (probability[a] == 0.0) continue;
    choice = a;
    rest -= probability[a];
    if (rest < 0.0) break;
  }
  return choice;
}

// One deal: everybody's bucket in every round, and strength at the end.
struct Deal {
  DealBuckets buckets;
  std::array<uint16_t, kMaxSeats> strength{};

  void draw(const AbstractGame& game, const std::vector<uint8_t>& deck, Philox random) {
    const Rules& rules = game.rules();
    std::array<uint8_t, kNumCards> cards;
    draw_cards(rules, deck, random, cards.data());
    const uint8_t* board = cards.data() + rules.num_seats * rules.num_hole_cards;
    deal_buckets(game, cards.data(), board, buckets);
    showdown_strength(rules, cards.data(), board, strength.data());
  }
};

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

// One thread's work: deals, and walks the tree for one player after the other.
class PokerWalker {
 public:
  static constexpr int64_t kPortion = 16;  // iterations that a thread takes at a time

  explicit PokerWalker(PokerMccfr& solver)
      : solver_(solver), game_(*solver.game_), tree_(game_.tree()), rules_(game_.rules()), options_(solver.options_) {}

  void iterate(uint64_t iteration) {
    regret_weight_ = options_.has_linear_regret ? static_cast<double>(iteration) : 1.0;
    average_weight_ = average_weight(rules_, options_, iteration);
    deal_.draw(game_, solver_.deck_, Philox(options_.seed, kDealing, iteration, 0));
    regret_floor_ = options_.regret_floor * regret_weight_;
    const bool is_external = options_.sampling == PokerSampling::kExternal;
    const bool may_prune = options_.prune_below > -std::numeric_limits<double>::infinity();
    prunes_ = may_prune && iteration % kPruningPeriod != 0;
    // An opponent's walk takes all his own actions and ours by our reach alone, if he neither skips nor explores any.
    averages_on_the_way_ = !is_external || (rules_.num_seats == 2 && options_.exploration == 0.0 && !may_prune);
    for (player_ = 0; player_ < rules_.num_seats; ++player_) {
      if (is_frozen(player_)) continue;
      random_ = Philox(options_.seed, kRegretPass, iteration, player_);
      if (is_external)
        external(tree_.root);
      else
        chance(tree_.root, 1.0, 1.0);
    }
    if (averages_on_the_way_ || average_weight_ == 0.0) return;
    for (player_ = 0; player_ < rules_.num_seats; ++player_) {
      if (is_frozen(player_)) continue;
      random_ = Philox(options_.seed, kAveragePass, iteration, player_);
      others_fold_ = true;
      average(tree_.root);
      others_fold_ = false;
      average(tree_.root);
    }
  }

  int64_t num_visits() const { return num_visits_; }

 private:
  using Node = AbstractGame::Node;

  bool is_frozen(int seat) const { return options_.frozen >> seat & 1; }

  double payoff(int32_t ending) {
    ++num_visits_;
    const double won = untilted_payoff(ending);
    return won > 0.0 ? won * (1.0 + options_.tilt) : won;
  }

  double untilted_payoff(int32_t ending) const {
    const PokerMccfr::Settlement& settlement = solver_.settlements_[ending];
    const Ending& end = tree_.endings[ending];
    const double spent = end.spent[player_];
    if (!(settlement.contenders >> player_ & 1)) return -spent;
    if (settlement.kind == PokerMccfr::Settling::kFold) return settlement.pot - spent;
    const auto& strength = deal_.strength;
    if (settlement.kind == PokerMccfr::Settling::kSidePots)
      return side_pots_payoff(rules_, end, strength.data(), player_);
    int num_winners = 1;
    for (int seat = 0; seat < rules_.num_seats; ++seat) {
      if (seat == player_ || !(settlement.contenders >> seat & 1)) continue;
      if (strength[seat] > strength[player_]) return -spent;
      num_winners += strength[seat] == strength[player_];
    }
    return (num_winners == 1 ? settlement.pot : settlement.pot / num_winners) - spent;
  }

  // External sampling: one action of every other player, all own ones.
  double external(int32_t child) {
    if (child < 0) return payoff(-1 - child);
    const Node& node = game_.node(child);
    return solver_.is_wide(node.round) ? external_at(node, solver_.wide_) : external_at(node, solver_.narrow_);
  }

  template <typename T>
  double external_at(const Node& node, PokerMccfr::Entries<T>& entries) {
    ++num_visits_;
    const int64_t first = first_entry(node) - entries.first;
    const int32_t* children = &tree_.child[node.first_edge];
    T* regret_sum = entries.regret_sum.data() + first;
    double strategy[kMaxActions];
    // Nearly every round's entries are a cache miss: ask for those of the children while this node's are on their way.
    for (int a = 0; a < node.num_actions; ++a) prefetch(children[a]);
    match(regret_sum, node.num_actions, strategy);
    if (node.seat == player_) {
      double value[kMaxActions];
      double expected = 0.0;
      for (int a = 0; a < node.num_actions; ++a) {
        // Where other threads left no regret positive, all actions are played and none may be missing in the mean.
        if (prunes_ && strategy[a] == 0.0 && is_pruned(regret_sum[a], children[a])) {
          value[a] = kPruned;
          continue;
        }
        value[a] = external(children[a]);
        expected += strategy[a] * value[a];
      }
      add_regrets(regret_sum, value, expected, regret_weight_, node.num_actions);
      return expected;
    }
    if (averages_on_the_way_ && !is_frozen(node.seat))
      add_average(entries.strategy_sum.data() + first, strategy, average_weight_, node.num_actions);
    const double exploration = options_.exploration;
    if (exploration == 0.0) return external(children[sample(random_, strategy, node.num_actions)]);
    const int choice = random_.uniform() < exploration ? static_cast<int>(random_.below(node.num_actions))
                                                       : sample(random_, strategy, node.num_actions);
    const double sampled = exploration / node.num_actions + (1.0 - exploration) * strategy[choice];
    return strategy[choice] / sampled * external(children[choice]);
  }

  // Never into an ending nor on the last round, where a visit costs little and a regret can turn at once.
  template <typename T>
  bool is_pruned(T& regret, int32_t child) const {
    return child >= 0 && game_.node(child).round + 1 < tree_.num_rounds && read(regret) < options_.prune_below * regret_weight_;
  }

  // Chance sampling: all actions of everybody on one deal.
  double chance(int32_t child, double own_reach, double other_reach) {
    if (child < 0) return payoff(-1 - child);
    if (own_reach == 0.0 && other_reach == 0.0) return 0.0;
    const Node& node = game_.node(child);
    return solver_.is_wide(node.round) ? chance_at(node, solver_.wide_, own_reach, other_reach)
                                       : chance_at(node, solver_.narrow_, own_reach, other_reach);
  }

  template <typename T>
  double chance_at(const Node& node, PokerMccfr::Entries<T>& entries, double own_reach, double other_reach) {
    ++num_visits_;
    const int64_t first = first_entry(node) - entries.first;
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
      add_average(entries.strategy_sum.data() + first, strategy, average_weight_ * own_reach, node.num_actions);
      add_regrets(regret_sum, value, expected, regret_weight_ * other_reach, node.num_actions);
    }
    return expected;
  }

  // Average strategy by a walk of its own: own actions are sampled, so an infoset is met in proportion to own reach; the
  // others' are drawn in a way that never changes, so that nobody else's strategy enters the weight. Where they are
  // uniform, folds end most walks early; in walks without folds the large pots of many players are averaged too.
  void average(int32_t child) {
    while (child >= 0) {
      const Node& node = game_.node(child);
      const int choice = node.seat != player_            ? other_choice(node)
                         : solver_.is_wide(node.round) ? average_at(node, solver_.wide_)
                                                       : average_at(node, solver_.narrow_);
      child = tree_.child[node.first_edge + choice];
      ++num_visits_;
    }
  }

  int other_choice(const Node& node) {
    const int first = others_fold_ ? 0 : node.num_folds;
    return first + static_cast<int>(random_.below(node.num_actions - first));
  }

  template <typename T>
  int average_at(const Node& node, PokerMccfr::Entries<T>& entries) {
    const int64_t first = first_entry(node) - entries.first;
    double strategy[kMaxActions];
    match(entries.regret_sum.data() + first, node.num_actions, strategy);
    add_average(entries.strategy_sum.data() + first, strategy, average_weight_, node.num_actions);
    return sample(random_, strategy, node.num_actions);
  }

  int64_t first_entry(const Node& node) const { return node.entry(deal_.buckets[node.lens][node.round]); }

  void prefetch(int32_t child) const {
    if (child < 0) return;
    const Node& node = game_.node(child);
    const int64_t first = first_entry(node);
    if (!solver_.is_wide(node.round)) __builtin_prefetch(solver_.narrow_.regret_sum.data() + (first - solver_.narrow_.first));
  }

  template <typename T>
  void add_regrets(T* regret_sum, const double* value, double expected, double weight, int num_actions) const {
    for (int a = 0; a < num_actions; ++a)
      if (value[a] != kPruned) add_regret(regret_sum[a], weight * (value[a] - expected), regret_floor_);
  }

  static constexpr double kPruned = std::numeric_limits<double>::infinity();  // no value: the action was skipped

  PokerMccfr& solver_;
  const AbstractGame& game_;
  const BettingTree& tree_;
  const Rules& rules_;
  const PokerMccfrOptions& options_;
  Philox random_{0, 0, 0, 0};
  Deal deal_;
  int player_ = 0;
  double regret_weight_ = 1.0, average_weight_ = 1.0, regret_floor_ = 0.0;
  bool averages_on_the_way_ = false, prunes_ = false, others_fold_ = true;
  int64_t num_visits_ = 0;
};

PokerMccfr::PokerMccfr(std::shared_ptr<const AbstractGame> game, const PokerMccfrOptions& options)
    : game_(std::move(game)),
      options_(options),
      num_wide_rounds_(num_wide_rounds(*game_)),
      deck_(game_->rules().deck()),
      wide_(0, game_->entry_start(num_wide_rounds_)),
      narrow_(wide_.regret_sum.size(), game_->num_entries() - wide_.regret_sum.size()) {
  settlements_.reserve(game_->tree().endings.size());
  for (const Ending& ending : game_->tree().endings) settlements_.push_back(settlement_of(game_->rules(), ending));
}

PokerMccfr::Settlement PokerMccfr::settlement_of(const Rules& rules, const Ending& ending) {
  Settlement settlement{Settling::kOnePot, 0, 0.0};
  int32_t stake = -1;
  int num_contenders = 0;
  for (int seat = 0; seat < rules.num_seats; ++seat) {
    settlement.pot += ending.spent[seat];
    if (ending.has_folded(seat)) continue;
    settlement.contenders = static_cast<uint16_t>(settlement.contenders | 1u << seat);
    ++num_contenders;
    if (stake >= 0 && ending.spent[seat] != stake) settlement.kind = Settling::kSidePots;
    stake = std::max(stake, ending.spent[seat]);
  }
  // Folded chips above every contender's stake would stay with nobody; odd chips need an order of seats.
  for (int seat = 0; seat < rules.num_seats; ++seat)
    if (ending.spent[seat] > stake) settlement.kind = Settling::kSidePots;
  if (rules.conventions == Conventions::kCasino) settlement.kind = Settling::kSidePots;
  if (num_contenders == 1) settlement.kind = Settling::kFold;
  return settlement;
}

void PokerMccfr::run(int64_t first_iteration, int64_t num_iterations, int num_threads) {
  if (options_.sampling == PokerSampling::kPublic)
    run_walkers<PublicChanceWalker>(first_iteration, num_iterations, num_threads);
  else
    run_walkers<PokerWalker>(first_iteration, num_iterations, num_threads);
}

template <typename Walker>
void PokerMccfr::run_walkers(int64_t first_iteration, int64_t num_iterations, int num_threads) {
  const int64_t end = first_iteration + num_iterations;
  std::atomic<int64_t> next = first_iteration, num_visits = 0;
  const auto work = [&] {
    Walker walker(*this);
    for (;;) {
      const int64_t begin = next.fetch_add(Walker::kPortion);
      if (begin >= end) break;
      for (int64_t t = begin; t < std::min(begin + Walker::kPortion, end); ++t) walker.iterate(static_cast<uint64_t>(t));
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
    deal.draw(*game_, deck_, Philox(seed, kSelfPlay, static_cast<uint64_t>(hand), 0));
    Philox random(seed, kSelfPlay, static_cast<uint64_t>(hand), 1);
    uint64_t sequence = 0;
    int32_t child = tree.root;
    while (child >= 0) {
      const Node& node = game_->node(child);
      ++played.num_decisions;
      played.num_unvisited += !average_or_uniform(node, node.entry(deal.buckets[node.lens][node.round]), row);
      const int choice = sample(random, row, node.num_actions);
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
    average_or_uniform(node, node.entry(deal.buckets[node.lens][node.round]), row);
    for (int a = 0; a < node.num_actions; ++a)
      if (row[a] > 0.0) self(self, tree.child[node.first_edge + a], reach * row[a], total);
  };
  std::fill(values, values + num_hands * tree.num_seats, 0.0);
  for (int64_t hand = 0; hand < num_hands; ++hand) {
    deal.draw(*game_, deck_, Philox(seed, kSelfPlay, static_cast<uint64_t>(first_hand + hand), 0));
    add(add, tree.root, 1.0, values + hand * tree.num_seats);
  }
}

}  // namespace nashgap
