#include "measure/table_opponent.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nashgap {

namespace {

constexpr uint64_t kBeliefStream = 4 << 8;  // beside those of arena/match.h

// By its weight; their sum is 1. A single one needs no draw.
size_t draw_place(const std::vector<TreePlace>& places, Philox& random) {
  if (places.size() == 1) return 0;
  size_t drawn = 0;
  for (double left = random.uniform(); drawn + 1 < places.size() && left >= places[drawn].weight; ++drawn)
    left -= places[drawn].weight;
  return drawn;
}

}  // namespace

TableOpponent::TableOpponent(std::shared_ptr<const AbstractStrategy> strategy, int num_samples)
    : strategy_(std::move(strategy)),
      num_samples_(num_samples),
      belief_(0, 0, 0, 0),
      walk_(strategy_->walk()),
      ahead_(walk_),
      groups_(kMaxGroups),
      buckets_(strategy_->num_hands()) {}

void TableOpponent::require_game(const Rules& rules) const {
  if (rules != strategy_->rules()) throw std::invalid_argument("an opponent's strategy is for another game");
}

void TableOpponent::start_hand(const HandName& hand) {
  belief_ = Philox(hand.seed, kBeliefStream + hand.seat, hand.deal, hand.seating);
}

// The paths with their weights, or as often as they come in some samples.
const std::vector<TreePlace>& TableOpponent::believed(const std::vector<TreePlace>& places) {
  if (num_samples_ == 0 || places.size() == 1) return places;
  drawn_ = places;
  for (TreePlace& place : drawn_) place.weight = 0.0;
  for (int i = 0; i < num_samples_; ++i) drawn_[draw_place(places, belief_)].weight += 1.0 / num_samples_;
  std::erase_if(drawn_, [](const TreePlace& place) { return place.weight == 0.0; });
  return drawn_;
}

bool TableOpponent::act(const Situation& situation, Philox& random, Action& action) {
  walk_.follow_to(situation.history);
  const std::vector<TreePlace>& places = walk_.places(situation.betting);
  const TreePlace& place = places[draw_place(places, random)];
  if (place.node < 0) {
    action = strategy_->rule_action(place, situation.betting.to_call(situation.rules) > 0);
    return true;
  }
  const AbstractGame& game = game_of(walk_);
  const AbstractGame::Node& node = game.node(place.node);
  std::array<double, AbstractGame::kMaxActions> probabilities;
  const int bucket = bucket_of(situation, *game.lenses()[node.lens].cards);
  strategy_->row(walk_.segment(), node, bucket, probabilities.data());
  double left = random.uniform();
  for (int a = 0; a < node.num_actions; ++a) {
    if (probabilities[a] == 0.0) continue;
    action = place.actions[a];
    left -= probabilities[a];
    if (left < 0.0) break;
  }
  return true;
}

bool TableOpponent::observe(const Situation& situation, Action action, double* weights, int num_hands) {
  walk_.follow_to(situation.history);
  const std::vector<TreePlace>& places = believed(walk_.places(situation.betting));
  const bool can_fold = situation.betting.to_call(situation.rules) > 0;
  chances_.assign(num_hands, 0.0);
  double in_any_case = 0.0;
  const Groups* groups = nullptr;  // that group_chances_ are of; nearly always the same for all places
  const auto spread = [&] {
    if (groups == nullptr) return;
    for (int hand = 0; hand < num_hands; ++hand) chances_[hand] += group_chances_[groups->group_of[hand]];
  };
  for (const TreePlace& place : places) {
    if (place.node < 0) {
      if (strategy_->rule_action(place, can_fold) == action) in_any_case += place.weight;
      continue;
    }
    const AbstractGame& game = game_of(walk_);
    const Groups& own = groups_of(situation, *game.lenses()[game.node(place.node).lens].cards);
    if (&own != groups) {
      spread();
      groups = &own;
      group_chances_.assign(own.bucket_of.size() + 1, 0.0);
    }
    add_chances(place, action, own);
  }
  spread();
  const RangeSums total = sum_of(num_hands, [&](int hand) {
    chances_[hand] = weights[hand] * (in_any_case + chances_[hand]);
    return RangeSums{chances_[hand], 0.0};
  });
  if (total.mass > 0.0) std::copy(chances_.begin(), chances_.end(), weights);
  return true;
}

// Several edges may come to the same real action.
void TableOpponent::add_chances(const TreePlace& place, Action action, const Groups& groups) {
  const AbstractGame::Node& node = game_of(walk_).node(place.node);
  std::array<int, AbstractGame::kMaxActions> edges;
  int num_edges = 0;
  for (int a = 0; a < node.num_actions; ++a)
    if (place.actions[a] == action) edges[num_edges++] = a;
  if (num_edges == 0) return;
  rows_.resize(groups.bucket_of.size() * node.num_actions);
  strategy_->rows(walk_.segment(), node, groups.bucket_of, rows_.data());
  const double* row = rows_.data();
  for (size_t group = 0; group < groups.bucket_of.size(); ++group, row += node.num_actions)
    for (int e = 0; e < num_edges; ++e) group_chances_[group] += place.weight * row[edges[e]];
}

void TableOpponent::consider(const Situation& situation, const RangeView& range) {
  walk_.follow_to(situation.history);
  num_considered_actions_ = situation.history.size();
  considered_range_ = range;
  ++considered_;
  known_sums_.clear();
  known_lanes_.clear();
}

const std::vector<TreePlace>& TableOpponent::places_ahead(const Situation& situation, bool has_actions) {
  ahead_.stand_at(walk_);
  for (size_t i = num_considered_actions_; i < situation.history.size(); ++i)
    ahead_.follow(situation.history[i].before, situation.history[i].action);
  return believed(ahead_.places(situation.betting, has_actions));
}

bool TableOpponent::fold_sums(const Situation& situation, RangeSums& sums) {
  sums = {};
  const bool can_fold = situation.betting.to_call(situation.rules) > 0;
  for (const TreePlace& place : places_ahead(situation, false)) {
    RangeSums folds;
    if (place.node < 0) {
      if (strategy_->rule_action(place, can_fold) == kFold) folds = considered_range_.total;
    } else if (game_of(ahead_).node(place.node).num_folds > 0 && can_fold) {
      folds = node_sums(situation, place.node).edges[0];
    }
    sums.mass += place.weight * folds.mass;
    sums.winning += place.weight * folds.winning;
  }
  return true;
}

bool TableOpponent::raise_sums(const Situation& situation, std::vector<RaiseSums>& raises) {
  raises.clear();
  for (const TreePlace& place : places_ahead(situation, true)) {
    if (place.node < 0) continue;
    const AbstractGame::Node& node = game_of(ahead_).node(place.node);
    const NodeSums& known = node_sums(situation, place.node);
    for (int a = node.first_raise; a < node.num_actions; ++a)
      if (place.actions[a] > kCall)
        add_raise(place.actions[a], {place.weight * known.edges[a].mass, place.weight * known.edges[a].winning},
                  raises);
  }
  return true;
}

bool TableOpponent::policy(const Situation& situation, HandPolicy& policy) {
  walk_.follow_to(situation.history);
  const bool can_fold = situation.betting.to_call(situation.rules) > 0;
  policy.clear();
  for (const TreePlace& place : believed(walk_.places(situation.betting))) {
    const auto row_of = [&](Action action) -> std::vector<double>& {
      for (int move = 0; move < policy.size(); ++move)
        if (policy.move(move).low == action) return policy.row(move);
      return policy.add({action, action}, strategy_->num_hands());
    };
    if (place.node < 0) {
      for (double& chance : row_of(strategy_->rule_action(place, can_fold))) chance += place.weight;
      continue;
    }
    const AbstractGame& game = game_of(walk_);
    const AbstractGame::Node& node = game.node(place.node);
    const Groups& groups = groups_of(situation, *game.lenses()[node.lens].cards);
    rows_.resize((groups.bucket_of.size() + 1) * node.num_actions);
    strategy_->rows(walk_.segment(), node, groups.bucket_of, rows_.data());
    std::fill_n(rows_.end() - node.num_actions, node.num_actions, 0.0);  // of hands that the board excludes
    for (int a = 0; a < node.num_actions; ++a) {
      std::vector<double>& chances = row_of(place.actions[a]);
      for (size_t hand = 0; hand < chances.size(); ++hand)
        chances[hand] += place.weight * rows_[groups.group_of[hand] * node.num_actions + a];
    }
  }
  return true;
}

bool TableOpponent::answers(const Situation& situation, bool has_raises, AnswerLanes& lanes,
                            std::vector<AnswerPart>& parts) {
  parts.clear();
  const bool can_fold = situation.betting.to_call(situation.rules) > 0;
  for (const TreePlace& place : places_ahead(situation, has_raises)) {
    if (place.node < 0) {
      if (strategy_->rule_action(place, can_fold) == kFold)
        parts.push_back({kFold, AnswerPart::kEveryHand, place.weight});
      continue;
    }
    const AbstractGame::Node& node = game_of(ahead_).node(place.node);
    if (node.num_folds > 0 && can_fold)
      parts.push_back({kFold, lane_of(situation, place.node, 0, lanes), place.weight});
    for (int a = node.first_raise; a < node.num_actions && has_raises; ++a)
      if (place.actions[a] > kCall)
        parts.push_back({place.actions[a], lane_of(situation, place.node, a, lanes), place.weight});
  }
  return true;
}

int TableOpponent::lane_of(const Situation& situation, int32_t number, int edge, AnswerLanes& lanes) {
  const int segment = ahead_.segment();
  for (const EdgeLane& known : known_lanes_)
    if (known.segment == segment && known.node == number && known.edge == edge) return known.lane;
  const AbstractGame& game = game_of(ahead_);
  const AbstractGame::Node& node = game.node(number);
  const Groups& groups = groups_of(situation, *game.lenses()[node.lens].cards);
  const size_t num_groups = groups.bucket_of.size();
  rows_.resize(num_groups * node.num_actions);
  strategy_->rows(segment, node, groups.bucket_of, rows_.data());
  group_chances_.assign(num_groups + 1, 0.0);
  for (size_t group = 0; group < num_groups; ++group) group_chances_[group] = rows_[group * node.num_actions + edge];
  double* chances = lanes.add();
  for (int hand = 0; hand < strategy_->num_hands(); ++hand) chances[hand] = group_chances_[groups.group_of[hand]];
  known_lanes_.push_back({segment, number, edge, lanes.size() - 1});
  return lanes.size() - 1;
}

const TableOpponent::NodeSums& TableOpponent::node_sums(const Situation& situation, int32_t number) {
  const int segment = ahead_.segment();
  for (const NodeSums& known : known_sums_)
    if (known.segment == segment && known.node == number) return known;
  const AbstractGame& game = game_of(ahead_);
  const AbstractGame::Node& node = game.node(number);
  Groups& groups = groups_of(situation, *game.lenses()[node.lens].cards);
  if (groups.considered != considered_) {
    groups.considered = considered_;
    groups.sums.assign(groups.bucket_of.size() + 1, {});
    for (int hand = 0; hand < considered_range_.num_hands; ++hand) {
      RangeSums& sum = groups.sums[groups.group_of[hand]];
      sum.mass += considered_range_.weights[hand];
      sum.winning += considered_range_.winning[hand];
    }
  }
  NodeSums& found = known_sums_.emplace_back(NodeSums{segment, number, {}});
  rows_.resize(groups.bucket_of.size() * node.num_actions);
  strategy_->rows(segment, node, groups.bucket_of, rows_.data());
  for (int a = 0; a < node.num_actions; ++a)
    found.edges[a] = sum_of(static_cast<int>(groups.bucket_of.size()), [&](int group) {
      const double probability = rows_[group * node.num_actions + a];
      return RangeSums{groups.sums[group].mass * probability, groups.sums[group].winning * probability};
    });
  return found;
}

TableOpponent::Groups& TableOpponent::groups_of(const Situation& situation, const CardAbstraction& cards) {
  const int round = situation.betting.round();
  const auto is_wanted = [&](const Groups& groups) {
    return groups.cards == &cards && groups.round == round &&
           std::equal(groups.board.begin(), groups.board.end(), situation.board);
  };
  const auto found = std::ranges::find_if(groups_, is_wanted);
  if (found != groups_.end()) {
    found->last_use = ++num_uses_;
    return *found;
  }
  Groups& groups = *std::ranges::min_element(groups_, {}, &Groups::last_use);
  groups.last_use = ++num_uses_;
  groups.cards = &cards;
  groups.round = round;
  groups.board.assign(situation.board, situation.board + situation.num_board_cards);
  groups.considered = 0;
  cards.all_buckets(situation.board, round, buckets_.data());
  groups.group_of = buckets_;
  if (cards.num_buckets(round) <= static_cast<int64_t>(buckets_.size())) {
    groups.bucket_of.resize(cards.num_buckets(round));
    std::iota(groups.bucket_of.begin(), groups.bucket_of.end(), 0);
  } else {
    number_buckets(groups);
  }
  const auto none = static_cast<int32_t>(groups.bucket_of.size());
  std::ranges::replace(groups.group_of, -1, none);
  return groups;
}

// From buckets to groups, in the order of the hands.
void TableOpponent::number_buckets(Groups& groups) {
  constexpr size_t kNumSlots = 4096;  // more than twice the hands
  slots_.assign(kNumSlots, -1);
  groups.bucket_of.clear();
  for (int32_t& number : groups.group_of) {
    if (number < 0) continue;
    const int32_t bucket = number;
    size_t slot = (static_cast<uint32_t>(bucket) * 2654435761u) >> 20;
    while (slots_[slot] >= 0 && groups.bucket_of[slots_[slot]] != bucket) slot = (slot + 1) % kNumSlots;
    if (slots_[slot] < 0) {
      slots_[slot] = static_cast<int32_t>(groups.bucket_of.size());
      groups.bucket_of.push_back(bucket);
    }
    number = slots_[slot];
  }
}

}  // namespace nashgap
