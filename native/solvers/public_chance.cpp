#include "solvers/public_chance.h"

#include <algorithm>
#include <compare>
#include <numeric>

#include "poker/state.h"
#include "solvers/sampling.h"

namespace nashgap {

PublicChanceWalker::PublicChanceWalker(PokerMccfr& solver)
    : solver_(solver),
      game_(*solver.game_),
      tree_(game_.tree()),
      rules_(game_.rules()),
      options_(solver.options_),
      board_(cards_.data() + rules_.num_seats * rules_.num_hole_cards),
      hands_(rules_),
      sights_(game_.lenses().size(), std::vector<Sight>(rules_.num_rounds)),
      all_buckets_(hands_.num_places()) {}

void PublicChanceWalker::iterate(uint64_t iteration) {
  regret_weight_ = options_.has_linear_regret ? static_cast<double>(iteration) : 1.0;
  regret_floor_ = options_.regret_floor * regret_weight_;
  game_.dealer().deal(Philox(options_.seed, kDealing, iteration, 0), false, cards_.data());
  if (has_two_ranges()) deal_two_ranges();
  for (player_ = 0; player_ < rules_.num_seats; ++player_) {
    if (options_.frozen >> player_ & 1) continue;
    if (!has_two_ranges()) deal_one_range();
    const double chance = 1.0 / hands_.size();  // of one of our hands
    average_weight_ = average_weight(rules_, options_, iteration) * chance;
    own_reach_.assign(hands_.size(), 1.0);
    if (has_two_ranges())
      other_reach_.assign(hands_.size(), chance / num_hands_met());
    else
      other_reach_.assign(1, chance);
    values_.resize(hands_.size());
    walk(tree_.root, {own_reach_.data(), false}, {other_reach_.data(), false}, values_.data(), 0);
  }
}

void PublicChanceWalker::deal_two_ranges() {
  hands_.deal(board_, 0);
  for (int lens = 0; lens < static_cast<int>(sights_.size()); ++lens) see_hands(lens);
}

void PublicChanceWalker::deal_one_range() {
  uint64_t dead = 0;
  for (int seat = 0; seat < rules_.num_seats; ++seat)
    for (int c = 0; seat != player_ && c < rules_.num_hole_cards; ++c)
      dead |= 1ULL << cards_[seat * rules_.num_hole_cards + c];
  hands_.deal(board_, dead);
  deal_buckets(game_, cards_.data(), board_, dealt_buckets_);
  for (int lens = 0; lens < static_cast<int>(sights_.size()); ++lens) {
    if (game_.lenses()[lens].seat == player_) {
      see_hands(lens);
      continue;
    }
    for (int round = 0; round < rules_.num_rounds; ++round)
      sights_[lens][round] = {{dealt_buckets_[lens][round]}, {0}, {0}};
  }
  showdown_strength(rules_, cards_.data(), board_, rules_.total_board_cards(), strength_.data());
  class_start_.clear();
  for (int hand = 0; hand < hands_.size(); ++hand)
    for (int seat = 0; seat < rules_.num_seats; ++seat) {
      const auto order = [&](int own) { return hands_.strength(own) <=> strength_[seat]; };
      if (hand > 0 && (seat == player_ || order(hand) == order(hand - 1))) continue;
      class_start_.push_back(hand);
      break;
    }
}

// Seats mostly share their abstraction: its buckets are found once.
void PublicChanceWalker::see_hands(int lens) {
  const auto& lenses = game_.lenses();
  for (int known = 0; has_two_ranges() && known < lens; ++known)
    if (lenses[known].cards == lenses[lens].cards) {
      sights_[lens] = sights_[known];
      return;
    }
  for (int round = 0; round < rules_.num_rounds; ++round) {
    Sight& sight = sights_[lens][round];
    lenses[lens].cards->all_buckets(board_, round, all_buckets_.data());
    sight.of_hand.resize(hands_.size());
    for (int hand = 0; hand < hands_.size(); ++hand) sight.of_hand[hand] = all_buckets_[hands_.place(hand)];
    sight.buckets = sight.of_hand;
    std::sort(sight.buckets.begin(), sight.buckets.end());
    sight.buckets.erase(std::unique(sight.buckets.begin(), sight.buckets.end()), sight.buckets.end());
    for (int32_t& bucket : sight.of_hand)
      bucket = static_cast<int32_t>(std::lower_bound(sight.buckets.begin(), sight.buckets.end(), bucket) -
                                    sight.buckets.begin());
    spread(sight);
  }
}

void PublicChanceWalker::spread(Sight& sight) {
  const size_t num_hands = sight.of_hand.size();
  std::vector<int32_t> num_before(sight.buckets.size(), 0), turn(num_hands);
  for (size_t hand = 0; hand < num_hands; ++hand) turn[hand] = num_before[sight.of_hand[hand]]++;
  sight.apart.resize(num_hands);
  std::iota(sight.apart.begin(), sight.apart.end(), 0);
  std::stable_sort(sight.apart.begin(), sight.apart.end(), [&](int32_t a, int32_t b) { return turn[a] < turn[b]; });
}

int PublicChanceWalker::num_hands_met() const {
  const int left = static_cast<int>(game_.dealer().deck().size()) - rules_.total_board_cards() - rules_.num_hole_cards;
  return rules_.num_hole_cards == 1 ? left : left * (left - 1) / 2;
}

void PublicChanceWalker::walk(int32_t child, Range own, Range other, double* values, int depth) {
  if (other.is_empty && (own.is_empty || child < 0)) {
    std::fill(values, values + hands_.size(), 0.0);
    return;
  }
  if (child < 0) {
    const Ending& ending = tree_.endings[-1 - child];
    num_visits_ += hands_.size();
    has_two_ranges() ? meet_range(ending, other.reach, values) : meet_dealt_hands(ending, *other.reach, values);
    return;
  }
  const Node& node = game_.node(child);
  num_visits_ += static_cast<int64_t>(sights_[node.lens][node.round].of_hand.size());
  if (static_cast<int>(levels_.size()) <= depth) levels_.emplace_back();
  const auto go_on = [&](auto& entries) {
    node.seat == player_ ? walk_own(node, entries, own, other, values, depth)
                         : walk_other(node, entries, own, other, values, depth);
  };
  solver_.is_wide(node.round) ? go_on(solver_.wide_) : go_on(solver_.narrow_);
}

template <typename T>
void PublicChanceWalker::walk_own(const Node& node, PokerMccfr::Entries<T>& entries, Range own, Range other,
                                  double* values, int depth) {
  Level& level = levels_[depth];
  const Sight& sight = sights_[node.lens][node.round];
  const int num_actions = node.num_actions, num_hands = hands_.size();
  match_buckets(node, entries, level);
  level.values.resize(num_hands);
  level.bucket_value.assign(level.strategy.size(), 0.0);
  std::fill(values, values + num_hands, 0.0);
  for (int a = 0; a < num_actions; ++a) {
    const Range own_after = after(own, sight, node, a, level);
    walk(tree_.child[node.first_edge + a], own_after, other, level.values.data(), depth + 1);
    for (const int32_t hand : sight.apart) {
      const int place = sight.of_hand[hand] * num_actions + a;
      values[hand] += level.strategy[place] * level.values[hand];
      level.bucket_value[place] += level.values[hand];
    }
  }
  learn(node, entries, own, level);
}

template <typename T>
void PublicChanceWalker::walk_other(const Node& node, PokerMccfr::Entries<T>& entries, Range own, Range other,
                                    double* values, int depth) {
  Level& level = levels_[depth];
  const int num_hands = hands_.size();
  match_buckets(node, entries, level);
  level.values.resize(num_hands);
  std::fill(values, values + num_hands, 0.0);
  for (int a = 0; a < node.num_actions; ++a) {
    const Range other_after = after(other, sights_[node.lens][node.round], node, a, level);
    walk(tree_.child[node.first_edge + a], own, other_after, level.values.data(), depth + 1);
    for (int hand = 0; hand < num_hands; ++hand) values[hand] += level.values[hand];
  }
}

template <typename T>
void PublicChanceWalker::match_buckets(const Node& node, PokerMccfr::Entries<T>& entries, Level& level) const {
  const Sight& sight = sights_[node.lens][node.round];
  level.strategy.resize(sight.buckets.size() * node.num_actions);
  double* strategy = level.strategy.data();
  for (const int32_t bucket : sight.buckets) {
    match(entries.regret_sum.data() + (node.entry(bucket) - entries.first), node.num_actions, strategy);
    strategy += node.num_actions;
  }
}

template <typename T>
void PublicChanceWalker::learn(const Node& node, PokerMccfr::Entries<T>& entries, Range own, Level& level) const {
  const Sight& sight = sights_[node.lens][node.round];
  level.bucket_reach.assign(sight.buckets.size(), 0.0);
  for (const int32_t hand : sight.apart) level.bucket_reach[sight.of_hand[hand]] += own.reach[hand];
  const double* strategy = level.strategy.data();
  const double* value = level.bucket_value.data();
  for (size_t b = 0; b < sight.buckets.size(); ++b, strategy += node.num_actions, value += node.num_actions) {
    const int64_t first = node.entry(sight.buckets[b]) - entries.first;
    T* regret_sum = entries.regret_sum.data() + first;
    double expected = 0.0;
    for (int a = 0; a < node.num_actions; ++a) expected += strategy[a] * value[a];
    for (int a = 0; a < node.num_actions; ++a)
      add_regret(regret_sum[a], regret_weight_ * (value[a] - expected), regret_floor_);
    const double weight = average_weight_ * level.bucket_reach[b];
    if (weight > 0.0) add_average(entries.strategy_sum.data() + first, strategy, weight, node.num_actions);
  }
}

PublicChanceWalker::Range PublicChanceWalker::after(Range before, const Sight& sight, const Node& node, int action,
                                                    Level& level) {
  const size_t num_hands = sight.of_hand.size();
  level.reach.resize(num_hands);
  double largest = 0.0;
  for (size_t hand = 0; hand < num_hands; ++hand) {
    level.reach[hand] = before.reach[hand] * level.strategy[sight.of_hand[hand] * node.num_actions + action];
    largest = std::max(largest, level.reach[hand]);
  }
  return {level.reach.data(), largest == 0.0};
}

void PublicChanceWalker::meet_range(const Ending& ending, const double* reach, double* values) const {
  std::array<uint16_t, kMaxSeats> strength{1, 1};
  const double tie = payoff(ending, strength);
  if (ending.folded) {
    hands_.fold_values(reach, tie, values);
    return;
  }
  strength[player_] = 2;
  const double win = payoff(ending, strength);
  strength[player_] = 0;
  hands_.showdown_values(reach, win, tie, payoff(ending, strength), values);
}

void PublicChanceWalker::meet_dealt_hands(const Ending& ending, double reach, double* values) {
  const int num_hands = hands_.size();
  for (size_t c = 0; c < class_start_.size(); ++c) {
    const int begin = class_start_[c], end = c + 1 < class_start_.size() ? class_start_[c + 1] : num_hands;
    strength_[player_] = hands_.strength(begin);
    std::fill(values + begin, values + end, reach * payoff(ending, strength_));
  }
}

double PublicChanceWalker::payoff(const Ending& ending, const std::array<uint16_t, kMaxSeats>& strength) const {
  std::array<int64_t, kMaxSeats> won{};
  payoffs(rules_, ending, strength.data(), won.data());
  const double chips = static_cast<double>(won[player_]) / kChipShares;
  return chips > 0.0 ? chips * (1.0 + options_.tilt) : chips;
}

}  // namespace nashgap
