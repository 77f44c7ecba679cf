#include "solvers/external_sampling.h"

#include <algorithm>
#include <limits>

namespace nashgap {
namespace {

constexpr int kMaxActions = AbstractGame::kMaxActions;
constexpr double kRarest = 8.0;       // no action is followed less often than one walk in so many
constexpr double kLeastRatio = 1e-3;  // what is learned behind actions that the others never take counts so much
constexpr size_t kFetchedAhead = 8;   // visits whose entries are on their way
constexpr double kPruned = std::numeric_limits<double>::infinity();  // no value: the action was skipped

}  // namespace

// An opponent's walk takes all his own actions, or counts those that it mostly skips for all that were skipped, and
// ours by our reach alone, if he does not explore.
ExternalWalker::ExternalWalker(PokerMccfr& solver)
    : solver_(solver),
      game_(*solver.game_),
      tree_(game_.tree()),
      rules_(game_.rules()),
      options_(solver.options_),
      may_prune_(options_.prune_below > -std::numeric_limits<double>::infinity()),
      averages_on_the_way_(rules_.num_seats == 2),
      payoffs_(rules_, tree_.endings, solver.settlements_, options_.tilt) {}

void ExternalWalker::iterate(uint64_t iteration) {
  regret_weight_ = options_.has_linear_regret ? static_cast<double>(iteration) : 1.0;
  regret_floor_ = options_.regret_floor * regret_weight_;
  average_weight_ = average_weight(rules_, options_, iteration);
  deal_.draw(game_, solver_.deck_, Philox(options_.seed, kDealing, iteration, 0));
  for (player_ = 0; player_ < rules_.num_seats; ++player_) {
    if (is_frozen(player_)) continue;
    random_ = Philox(options_.seed, kRegretPass, iteration, player_);
    if (may_prune_) patience_ = Philox(options_.seed, kPruning, iteration, player_).uniform();
    payoffs_.compare(deal_.strength.data(), player_);
    walk();
  }
  if (!averages_on_the_way_ && average_weight_ > 0.0) average(iteration);
}

template <typename GoOn>
inline auto ExternalWalker::with_entries(const Node& node, GoOn go_on) const {
  return solver_.is_wide(node.round) ? go_on(solver_.wide_) : go_on(solver_.narrow_);
}

void ExternalWalker::walk() {
  visits_.assign(1, {&game_.node(tree_.root), 0, 0, 1.0, 1.0, 1.0});
  own_visits_.clear();
  branches_.assign(1, {});
  size_t num_fetched = 0;
  for (size_t v = 0; v < visits_.size(); ++v) {
    for (; num_fetched < std::min(v + kFetchedAhead, visits_.size()); ++num_fetched) fetch(visits_[num_fetched]);
    decide(visits_[v]);
  }
  num_visits_ += static_cast<int64_t>(visits_.size());
  for (size_t v = own_visits_.size(); v-- > 0;)
    with_entries(*own_visits_[v].node, [&](auto& entries) { learn(own_visits_[v], entries); });
}

inline void ExternalWalker::fetch(Visit& visit) const {
  const Node& node = *visit.node;
  __builtin_prefetch(&tree_.child[node.first_edge]);
  with_entries(node, [&](auto& entries) {
    visit.first = deal_.entry(node) - entries.first;
    __builtin_prefetch(entries.regret_sum.data() + visit.first);
    if (averages_on_the_way_ && node.seat != player_) __builtin_prefetch(entries.strategy_sum.data() + visit.first);
  });
}

// The visit is a copy: what follows is appended to visits_, which may move.
inline void ExternalWalker::decide(Visit visit) {
  const Node& node = *visit.node;
  const int num_actions = node.num_actions;
  const int32_t* children = &tree_.child[node.first_edge];
  double weight[kMaxActions];
  const double total = with_entries(node, [&](auto& entries) {
    return match_weights(entries.regret_sum.data() + visit.first, num_actions, weight);
  });
  const double share = 1.0 / total;
  if (node.seat == player_) {
    const int32_t first_branch = static_cast<int32_t>(branches_.size());
    own_visits_.push_back({visit, first_branch});
    for (int a = 0; a < num_actions; ++a) {
      // Where other threads left no regret positive, all actions are played and none may be missing in the mean.
      const double count = may_prune_ && weight[a] == 0.0 ? std::max(visit.count, rarity(visit, a)) : visit.count;
      branches_.push_back({share * weight[a], kPruned, count});
      if (patience_ * count < 1.0) follow(children[a], first_branch + a, 1.0, visit.ratio, count);
    }
    return;
  }
  if (averages_on_the_way_ && !is_frozen(node.seat))
    with_entries(node, [&](auto& entries) {
      const double part = visit.count * visit.ratio * average_weight_ * share;
      add_average(entries.strategy_sum.data() + visit.first, weight, part, num_actions);
    });
  const double exploration = options_.exploration;
  int choice;
  if (exploration > 0.0 && random_.uniform() < exploration)
    choice = static_cast<int>(random_.below(num_actions));
  else
    choice = sample(random_, weight, total, num_actions);
  if (exploration > 0.0) {
    const double probability = share * weight[choice];
    const double ratio = probability / (exploration / num_actions + (1.0 - exploration) * probability);
    visit.scale *= ratio;
    visit.ratio *= ratio;
  }
  follow(children[choice], visit.branch, visit.scale, visit.ratio, visit.count);
}

inline void ExternalWalker::follow(int32_t child, int32_t branch, double scale, double ratio, double count) {
  if (child < 0) {
    ++num_visits_;
    branches_[branch].value = scale * payoffs_[-1 - child];
    return;
  }
  const Node& node = game_.node(child);
  __builtin_prefetch(&node);
  visits_.push_back({&node, 0, branch, scale, ratio, count});
}

// One walk in so many follows the action: the more regret it has below the limit, the fewer. What is learned behind it
// counts as often, so that the mean is that of all walks, and one step moves a regret by no more than a part of it. One
// draw serves a whole walk: behind several such actions it is found with the chance of the rarest. Never into an ending
// nor on the last round, where a visit costs little and a regret can turn at once.
inline double ExternalWalker::rarity(const Visit& visit, int action) const {
  const double times = with_entries(*visit.node, [&](auto& entries) {
    return read(entries.regret_sum.data()[visit.first + action]) / (options_.prune_below * regret_weight_);
  });
  const int32_t child = tree_.child[visit.node->first_edge + action];
  if (times <= 1.0 || child < 0 || game_.node(child).round + 1 >= tree_.num_rounds) return 1.0;
  return std::min(times, kRarest);
}

template <typename T>
inline void ExternalWalker::learn(const OwnVisit& visit, PokerMccfr::Entries<T>& entries) {
  const Branch* branches = &branches_[visit.first_branch];
  const int num_actions = visit.node->num_actions;
  double expected = 0.0;
  for (int a = 0; a < num_actions; ++a)
    if (branches[a].value != kPruned) expected += branches[a].probability * branches[a].value;
  T* regret_sum = entries.regret_sum.data() + visit.first;
  const double weight = regret_weight_ * std::max(visit.ratio, kLeastRatio);
  for (int a = 0; a < num_actions; ++a)
    if (branches[a].value != kPruned)
      add_regret(regret_sum[a], branches[a].count * weight * (branches[a].value - expected), regret_floor_);
  branches_[visit.branch].value = visit.scale * expected;
}

// Average strategy by walks of its own: own actions are sampled, so an infoset is met in proportion to own reach; the
// others' are drawn in a way that never changes, so that nobody else's strategy enters the weight. Where they are
// uniform, folds end most walks early; in walks without folds the large pots of many players are averaged too.
// All walks go on together, so that none waits for what it reads.
void ExternalWalker::average(uint64_t iteration) {
  average_walks_.clear();
  for (int player = 0; player < rules_.num_seats; ++player)
    for (const bool others_fold : {true, false})
      if (!is_frozen(player))
        average_walks_.push_back({&game_.node(tree_.root), player, others_fold,
                                  Philox(options_.seed, kAveragePass, iteration, 2 * player + others_fold)});
  while (!average_walks_.empty()) {
    num_visits_ += static_cast<int64_t>(average_walks_.size());
    for (const AverageWalk& walk : average_walks_) {
      __builtin_prefetch(&tree_.child[walk.node->first_edge]);
      if (walk.node->seat != walk.player) continue;
      with_entries(*walk.node, [&](auto& entries) {
        const int64_t first = deal_.entry(*walk.node) - entries.first;
        __builtin_prefetch(entries.regret_sum.data() + first);
        __builtin_prefetch(entries.strategy_sum.data() + first);
      });
    }
    for (AverageWalk& walk : average_walks_) {
      const Node& node = *walk.node;
      const int choice = node.seat == walk.player
                             ? with_entries(node, [&](auto& entries) { return average_at(walk, entries); })
                             : other_choice(walk);
      const int32_t child = tree_.child[node.first_edge + choice];
      walk.node = child < 0 ? nullptr : &game_.node(child);
      __builtin_prefetch(walk.node);
    }
    std::erase_if(average_walks_, [](const AverageWalk& walk) { return walk.node == nullptr; });
  }
}

int ExternalWalker::other_choice(AverageWalk& walk) {
  const int first = walk.others_fold ? 0 : walk.node->num_folds;
  return first + static_cast<int>(walk.random.below(walk.node->num_actions - first));
}

template <typename T>
int ExternalWalker::average_at(AverageWalk& walk, PokerMccfr::Entries<T>& entries) {
  const int num_actions = walk.node->num_actions;
  const int64_t first = deal_.entry(*walk.node) - entries.first;
  double weight[kMaxActions];
  const double total = match_weights(entries.regret_sum.data() + first, num_actions, weight);
  add_average(entries.strategy_sum.data() + first, weight, average_weight_ / total, num_actions);
  return sample(walk.random, weight, total, num_actions);
}

}  // namespace nashgap
