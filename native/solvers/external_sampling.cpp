#include "solvers/external_sampling.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "cards/evaluator.h"

namespace nashgap {
namespace {

constexpr int kMaxActions = AbstractGame::kMaxActions;
constexpr double kRarest = 8.0;       // no action is followed less often than one walk in so many
constexpr double kLeastRatio = 1e-3;  // what is learned behind actions that the others never take counts so much
constexpr size_t kFetchedAhead = 8;   // visits whose entries are on their way
constexpr auto kPruned = std::numeric_limits<double>::infinity();  // no value: the action was skipped
constexpr int32_t kNoFrontier = std::numeric_limits<int32_t>::max();

}  // namespace

// An opponent's walk takes all his own actions, or counts those that it mostly skips for all that were skipped, and
// ours by our reach alone, if he does not explore.
template <int kHands>
ExternalWalker<kHands>::ExternalWalker(PokerMccfr& solver, PokerMccfr::Part* part)
    : solver_(solver),
      part_(part),
      game_(*solver.game_),
      tree_(game_.tree()),
      rules_(game_.rules()),
      options_(solver.options_),
      may_prune_(options_.prune_below > -std::numeric_limits<double>::infinity()),
      averages_on_the_way_(tree_.num_active[tree_.root] == 2),
      payoffs_(rules_, tree_.endings, solver.settlements_, options_.tilt),
      frontier_(kNoFrontier) {
  for (Deal& deal : deals_) deal.buckets.resize(game_.lenses().size());
}

template <int kHands>
void ExternalWalker<kHands>::iterate(uint64_t iteration) {
  regret_weight_ = options_.has_linear_regret ? static_cast<double>(iteration) : 1.0;
  regret_floor_ = options_.regret_floor * regret_weight_;
  average_weight_ = average_weight(rules_, options_, iteration);
  deal(iteration);
  for (player_ = 0; player_ < rules_.num_seats; ++player_) {
    if (is_frozen(player_)) continue;
    random_ = Philox(options_.seed, kRegretPass, iteration, player_);
    if (may_prune_) patience_ = Philox(options_.seed, kPruning, iteration, player_).uniform();
    std::array<uint16_t, kHands> strength;
    for (int h = 0; h < kHands; ++h) strength[h] = deals_[h].strength[player_];
    payoffs_.compare(deals_[0].strength.data(), strength, player_);
    part_ == nullptr ? walk() : walk_part(iteration);
  }
  if (!averages_on_the_way_ && average_weight_ > 0.0) average(iteration);
}

template <int kHands>
void ExternalWalker<kHands>::deal(uint64_t iteration) {
  game_.dealer().deal(Philox(options_.seed, kDealing, iteration, 0), options_.discards, cards_.data());
  const uint8_t* board_cards = cards_.data() + rules_.num_seats * rules_.num_hole_cards;
  // All abstractions of one game find the same of a board.
  const DealtBoard board = game_.lenses()[0].cards->deal_board(board_cards, tree_.num_rounds - 1);
  if (!tree_.prefix.empty())  // who decides nothing any more may be all-in and show a hand
    showdown_strength(rules_, cards_.data(), board_cards, tree_.truncation.num_board_cards(rules_),
                      deals_[0].strength.data());
  for (int player = 0; player < rules_.num_seats; ++player) {
    if (!game_.decides(player)) continue;
    deal_hands(player, board, Philox(options_.seed, kMoreHands, iteration, static_cast<uint64_t>(player)));
  }
}

template <int kHands>
void ExternalWalker<kHands>::deal_hands(int player, const DealtBoard& board, Philox random) {
  const int num_hole = rules_.num_hole_cards, num_board = rules_.total_board_cards(), last_round = tree_.num_rounds - 1;
  std::array<Dealer::Hand, kHands> hands;
  game_.dealer().deal_hands(cards_.data(), player, random, hands);
  for (int h = 0; h < kHands; ++h) {
    std::copy_n(cards_.data() + rules_.num_seats * num_hole, num_board, hands[h].data() + num_hole);
    for (const Lens& lens : game_.lenses())
      if (lens.seat == player) lens.cards->prefetch(hands[h].data(), board, last_round);
  }
  for (int h = 0; h < kHands; ++h) {
    for (size_t lens = 0; lens < game_.lenses().size(); ++lens)
      if (game_.lenses()[lens].seat == player)
        game_.lenses()[lens].cards->hand_buckets(hands[h].data(), board, last_round, deals_[h].buckets[lens].data());
    deals_[h].strength[player] = hand_rank(hands[h].data(), num_hole + tree_.truncation.num_board_cards(rules_));
  }
}

template <int kHands>
template <typename GoOn>
inline auto ExternalWalker<kHands>::with_entries(const Node& node, GoOn go_on) const {
  return solver_.is_wide(node.round) ? go_on(solver_.wide_) : go_on(solver_.narrow_);
}

template <int kHands>
void ExternalWalker<kHands>::walk() {
  own_visits_.clear();
  num_branches_ = 1;
  visit_from(tree_.root);
  learn_back_to(0);
}

// The first round is walked by all nodes alike, since nothing changes in it until values are exchanged; then the walk
// goes on behind those of its ends that are done here. Each has a stream of its own, and so does not know of the
// others.
template <int kHands>
void ExternalWalker<kHands>::walk_part(uint64_t iteration) {
  own_visits_.clear();
  ends_.clear();
  paid_.clear();
  num_branches_ = 1;
  frontier_ = static_cast<int32_t>(tree_.round_start[1]);
  const int64_t num_visits_before = num_visits_;
  visit_from(tree_.root);
  frontier_ = kNoFrontier;
  if (part_->has_first_round)
    for (const int32_t branch : paid_) credit(branch, branches_[branch].value);
  else
    num_visits_ = num_visits_before;
  const size_t num_own = own_visits_.size();
  const int32_t num_branches = num_branches_;
  for (const End& end : ends_) {
    if (!part_->is_own[end.child - tree_.round_start[1]]) continue;
    const auto lane = static_cast<uint64_t>(end.child) * static_cast<uint64_t>(rules_.num_seats);
    random_ = Philox(options_.seed, kSubtreePass, iteration, lane + static_cast<uint64_t>(player_));
    visit_from(end.child);
    learn_back_to(num_own);
    own_visits_.resize(num_own);
    num_branches_ = num_branches;
    credit(end.branch, branches_[0].value);
  }
}

// Comes to all decisions behind this one, whose value is that of branch 0.
template <int kHands>
void ExternalWalker<kHands>::visit_from(int32_t node) {
  visits_.assign(1, {&game_.node(node), 0, 1.0, 1.0, 1.0});
  branches_.resize(std::max<size_t>(branches_.size(), 1));
  size_t num_fetched = 0;
  for (size_t v = 0; v < visits_.size(); ++v) {
    for (; num_fetched < std::min(v + kFetchedAhead, visits_.size()); ++num_fetched) fetch(visits_[num_fetched]);
    decide(visits_[v]);
  }
  num_visits_ += static_cast<int64_t>(visits_.size());
}

template <int kHands>
void ExternalWalker<kHands>::learn_back_to(size_t first) {
  for (size_t v = own_visits_.size(); v-- > first;)
    with_entries(*own_visits_[v].node, [&](auto& entries) { learn(own_visits_[v], entries); });
}

// Adds what one end of the first round is worth to the values of all own actions that lead there. Each end by itself
// and in whole numbers: so the sums are the same however ends are shared out.
template <int kHands>
void ExternalWalker<kHands>::credit(int32_t branch, Values value) {
  const double unit = part_->unit * regret_weight_ / part_->weight;
  while (branch != 0) {
    const auto next = std::upper_bound(own_visits_.begin(), own_visits_.end(), branch,
                                       [](int32_t b, const OwnVisit& visit) { return b < visit.first_branch; });
    const OwnVisit& visit = *std::prev(next);
    for (int h = 0; h < kHands; ++h) {
      int64_t& sum = part_->action_values[visit.first[h] + branch - visit.first_branch];
      // Unsigned: where the array held anything else before, a sum may be too large, but must not be undefined.
      sum = static_cast<int64_t>(static_cast<uint64_t>(sum) +
                                 static_cast<uint64_t>(std::llround(unit * static_cast<double>(value[h]))));
      value[h] *= branches_[branch].probability[h];
    }
    branch = visit.branch;
  }
}

// Whether what follows the action is done here.
template <int kHands>
inline bool ExternalWalker<kHands>::is_here(const Node& node, int32_t child) const {
  return part_ == nullptr || node.round > 0 || child < tree_.round_start[1] ||
         part_->is_own[child - tree_.round_start[1]];
}

template <int kHands>
inline void ExternalWalker<kHands>::fetch(const Visit& visit) const {
  const Node& node = *visit.node;
  const bool is_own = node.seat == player_;
  __builtin_prefetch(&tree_.child[node.first_edge]);
  with_entries(node, [&](auto& entries) {
    for (int h = 0; h < (is_own ? kHands : 1); ++h)
      __builtin_prefetch(entries.regret_sum.data() + first_entry(node, h, entries));
    if (averages_on_the_way_ && !is_own)
      __builtin_prefetch(entries.strategy_sum.data() + first_entry(node, 0, entries));
  });
}

// The visit is a copy: what follows is appended to visits_, which may move.
template <int kHands>
inline void ExternalWalker<kHands>::decide(Visit visit) {
  const Node& node = *visit.node;
  const int num_actions = node.num_actions;
  const int32_t* children = &tree_.child[node.first_edge];
  if (node.seat == player_) {
    const OwnVisit& own = match_hands(visit);
    for (int a = 0; a < num_actions; ++a) {
      Branch& branch = branches_[own.first_branch + a];
      branch.count = visit.count;
      if constexpr (kHands == 1) {
        branch.value[0] = kPruned;
        // Where other threads left no regret positive, all actions are played and none may be missing in the mean.
        if (may_prune_ && branch.probability[0] == 0.0) branch.count = std::max(visit.count, rarity(own, a));
        if (patience_ * branch.count >= 1.0) continue;
      }
      follow(children[a], own.first_branch + a, 1.0, visit.ratio, branch.count);
    }
    return;
  }
  double weight[kMaxActions];
  const double total = with_entries(node, [&](auto& entries) {
    const int64_t first = first_entry(node, 0, entries);
    const double sum = match_weights(entries.regret_sum.data() + first, num_actions, weight);
    if (averages_on_the_way_ && !is_frozen(node.seat)) {
      const double part = visit.count * visit.ratio * average_weight_ / sum;
      add_average(entries.strategy_sum.data() + first, weight, part, num_actions);
    }
    return sum;
  });
  const double share = 1.0 / total;
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

// The visit with each hand's entries, and branches with its strategy: regret matching, for all hands at once.
template <int kHands>
inline const typename ExternalWalker<kHands>::OwnVisit& ExternalWalker<kHands>::match_hands(const Visit& visit) {
  const Node& node = *visit.node;
  OwnVisit& own = own_visits_.emplace_back(OwnVisit{visit, num_branches_, {}});
  num_branches_ += node.num_actions;
  if (branches_.size() < static_cast<size_t>(num_branches_)) branches_.resize(2 * static_cast<size_t>(num_branches_));
  Branch* branches = &branches_[own.first_branch];
  with_entries(node, [&](auto& entries) {
    for (int h = 0; h < kHands; ++h) {
      own.first[h] = first_entry(node, h, entries);
      auto* regret_sum = entries.regret_sum.data() + own.first[h];
      for (int a = 0; a < node.num_actions; ++a) branches[a].probability[h] = static_cast<Value>(read(regret_sum[a]));
    }
  });
  Values total{};
  for (int a = 0; a < node.num_actions; ++a)
    for (int h = 0; h < kHands; ++h) {
      Value& weight = branches[a].probability[h];
      weight = weight > 0 ? weight : 0;
      total[h] += weight;
    }
  Values share, uniform;
  const Value even = Value{1} / static_cast<Value>(node.num_actions);
  for (int h = 0; h < kHands; ++h) {
    share[h] = Value{1} / (total[h] > 0 ? total[h] : Value{1});
    uniform[h] = total[h] > 0 ? Value{0} : even;
  }
  for (int a = 0; a < node.num_actions; ++a)
    for (int h = 0; h < kHands; ++h) branches[a].probability[h] = share[h] * branches[a].probability[h] + uniform[h];
  return own;
}

template <int kHands>
inline void ExternalWalker<kHands>::follow(int32_t child, int32_t branch, double scale, double ratio, double count) {
  if (child < 0) {
    ++num_visits_;
    payoffs_.pay(-1 - child, static_cast<Value>(scale), branches_[branch].value);
    if (frontier_ != kNoFrontier) paid_.push_back(branch);
    return;
  }
  if (child >= frontier_) {
    ends_.push_back({child, branch});
    return;
  }
  const Node& node = game_.node(child);
  __builtin_prefetch(&node);
  visits_.push_back({&node, branch, scale, ratio, count});
}

// One walk in so many follows the action: the more regret it has below the limit, the fewer. What is learned behind it
// counts as often, so that the mean is that of all walks, and one step moves a regret by no more than a part of it. One
// draw serves a whole walk: behind several such actions it is found with the chance of the rarest. Never into an ending
// nor on the last round, where a visit costs little and a regret can turn at once.
template <int kHands>
inline double ExternalWalker<kHands>::rarity(const OwnVisit& visit, int action) const {
  const double times = with_entries(*visit.node, [&](auto& entries) {
    return read(entries.regret_sum.data()[visit.first[0] + action]) / (options_.prune_below * regret_weight_);
  });
  const int32_t child = tree_.child[visit.node->first_edge + action];
  if (times <= 1.0 || child < 0 || game_.node(child).round + 1 >= tree_.num_rounds) return 1.0;
  return std::min(times, kRarest);
}

template <int kHands>
template <typename T>
inline void ExternalWalker<kHands>::learn(const OwnVisit& visit, PokerMccfr::Entries<T>& entries) {
  Branch* branches = &branches_[visit.first_branch];
  const int num_actions = visit.node->num_actions;
  const double weight = regret_weight_ * std::max(visit.ratio, kLeastRatio);
  const auto is_known = [](const Branch& branch) { return kHands > 1 || branch.value[0] != kPruned; };
  Values expected{};
  for (int a = 0; a < num_actions; ++a)
    if (is_known(branches[a]))
      for (int h = 0; h < kHands; ++h) expected[h] += branches[a].probability[h] * branches[a].value[h];
  for (int a = 0; a < num_actions; ++a) {
    if (!is_known(branches[a])) continue;
    const auto count = static_cast<Value>(branches[a].count * weight);
    for (int h = 0; h < kHands; ++h) branches[a].value[h] = count * (branches[a].value[h] - expected[h]);
  }
  for (int h = 0; h < kHands; ++h) {
    T* regret_sum = entries.regret_sum.data() + visit.first[h];
    for (int a = 0; a < num_actions; ++a)
      if (is_known(branches[a])) add_regret(regret_sum[a], branches[a].value[h], regret_floor_);
  }
  for (int h = 0; h < kHands; ++h) branches_[visit.branch].value[h] = static_cast<Value>(visit.scale) * expected[h];
}

// Average strategy by walks of its own: own actions are sampled, so an infoset is met in proportion to own reach; the
// others' are drawn in a way that never changes, so that nobody else's strategy enters the weight. Where they are
// uniform, folds end most walks early; in walks without folds the large pots of many players are averaged too.
// All walks go on together, so that none waits for what it reads.
template <int kHands>
void ExternalWalker<kHands>::average(uint64_t iteration) {
  average_walks_.clear();
  for (int hand = 0; hand < kHands; ++hand)
    for (int player = 0; player < rules_.num_seats; ++player)
      for (const bool others_fold : {true, false}) {
        const auto lane = static_cast<uint64_t>(2 * (hand * rules_.num_seats + player) + others_fold);
        if (!is_frozen(player))
          average_walks_.push_back({&game_.node(tree_.root), player, hand, others_fold,
                                    Philox(options_.seed, kAveragePass, iteration, lane)});
      }
  const bool counts_all = part_ == nullptr || part_->has_first_round;
  while (!average_walks_.empty()) {
    num_visits_ += std::count_if(average_walks_.begin(), average_walks_.end(),
                                 [&](const AverageWalk& walk) { return counts_all || walk.node->round > 0; });
    for (const AverageWalk& walk : average_walks_) {
      __builtin_prefetch(&tree_.child[walk.node->first_edge]);
      if (walk.node->seat != walk.player) continue;
      with_entries(*walk.node, [&](auto& entries) {
        const int64_t first = first_entry(*walk.node, walk.hand, entries);
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
      walk.node = child < 0 || !is_here(node, child) ? nullptr : &game_.node(child);
      __builtin_prefetch(walk.node);
    }
    std::erase_if(average_walks_, [](const AverageWalk& walk) { return walk.node == nullptr; });
  }
}

template <int kHands>
int ExternalWalker<kHands>::other_choice(AverageWalk& walk) {
  const int first = walk.others_fold ? 0 : walk.node->num_folds;
  return first + static_cast<int>(walk.random.below(walk.node->num_actions - first));
}

template <int kHands>
template <typename T>
int ExternalWalker<kHands>::average_at(AverageWalk& walk, PokerMccfr::Entries<T>& entries) {
  const int num_actions = walk.node->num_actions;
  const int64_t first = first_entry(*walk.node, walk.hand, entries);
  double weight[kMaxActions];
  const double total = match_weights(entries.regret_sum.data() + first, num_actions, weight);
  add_average(entries.strategy_sum.data() + first, weight, average_weight_ / total, num_actions);
  return sample(walk.random, weight, total, num_actions);
}

template class ExternalWalker<1>;
template class ExternalWalker<4>;
template class ExternalWalker<8>;
template class ExternalWalker<16>;

}  // namespace nashgap
