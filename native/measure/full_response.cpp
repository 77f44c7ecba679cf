#include "measure/full_response.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "measure/class_lanes.h"
#include "ranges/blocks.h"
#include "ranges/board_steps.h"
#include "ranges/meeting.h"

namespace nashgap {
namespace {

// What the ends of a street pay a player: [lanes].
struct LanePayoffs {
  AlignedFloats fold, win, tie, lose;

  LanePayoffs(const Street& street, int player) {
    const auto put = [&](const std::vector<StreetEnd>& ends, auto part, AlignedFloats& lanes) {
      lanes.resize(padded(static_cast<int>(ends.size())));
      for (size_t lane = 0; lane < ends.size(); ++lane) lanes.data()[lane] = (ends[lane].*part)[player];
    };
    put(street.folds, &StreetEnd::win, fold);
    put(street.showdowns, &StreetEnd::win, win);
    put(street.showdowns, &StreetEnd::tie, tie);
    put(street.showdowns, &StreetEnd::lose, lose);
  }
};

// Rows of classes need not lie on the bounds of vectors.
inline Vector load(const float* lanes) {
  Vector vector;
  std::memcpy(&vector, lanes, sizeof vector);
  return vector;
}
inline void store(float* lanes, const Vector& vector) { std::memcpy(lanes, &vector, sizeof vector); }

// Whether any of the hands comes to any of the streets: reach[streets][hands].
bool is_reached(const float* reach, int num_streets, const RangeHands& hands) {
  for (int street = 0; street < num_streets; ++street) {
    const float* row = reach + int64_t{street} * hands.padded_size();
    if (std::any_of(row, row + hands.size(), [](float each) { return each != 0.0f; })) return true;
  }
  return false;
}

// One player's best response from one board on.
class Responder {
 public:
  // has_value: find what the player wins by the strategy itself, too.
  Responder(const Rules& rules, const std::vector<StreetGroup>& groups, const BoardTree& boards,
            const BoardClasses& classes, const KnownStrategy& strategy, int player, bool has_value, int most_next)
      : groups_(groups),
        boards_(boards),
        classes_(classes),
        player_(player),
        has_value_(has_value),
        most_next_(most_next),
        run_out_(boards, rules.num_rounds) {
    for (const StreetGroup& group : groups) payoffs_.emplace_back(group.all, player);
    for (int round = 0; round < rules.num_rounds; ++round) levels_.push_back(std::make_unique<Level>(strategy, player));
  }

  double value() const { return value_; }

  // payoffs[private hands]: of the first street on the first board.
  void respond(double* payoffs) {
    const std::vector<float> ones = ones_of_root();
    AlignedFloats values;
    values.resize(own(0).padded_size());
    walk(groups_[0], 0, ones.data(), ones.data(), 1.0, values.data());
    add_hands(values.data(), payoffs);
  }

  // payoffs[sequences][private hands]: of the second street on, after the betting of the first.
  void respond_behind(int64_t num_hands, double* payoffs) {
    const StreetGroup& trunk = groups_[0];
    const std::vector<float> ones = ones_of_root();
    Level& level = *levels_[0];
    descend(trunk, 0, classes_.before(player_), classes_.before(1 - player_), 1, ones.data(), ones.data(), 1.0);
    if (!trunk.all.exits.empty())
      walk(groups_[trunk.next[0]], 0, level.exit_own.data(), level.exit_other.data(), 1.0, level.exit_values.data());
    const LanePlan& plan = level.other.plan();
    const auto add = [&](const auto& ends, const float* values, int64_t to_hand, int64_t to_end) {
      for (size_t end = 0; end < ends.size(); ++end) {
        double* sums = payoffs + ends[end].sequence[player_] * num_hands;
        for (int hand = 0; hand < own(0).size(); ++hand)
          sums[own(0).place[hand]] += values[hand * to_hand + static_cast<int64_t>(end) * to_end];
      }
    };
    add(trunk.all.folds, level.fold_values.data(), plan.folds, 1);
    add(trunk.all.showdowns, level.showdown_values.data(), plan.showdowns, 1);
    add(trunk.all.exits, level.exit_values.data(), 1, own(0).padded_size());
  }

 private:
  struct Level {
    Level(const KnownStrategy& strategy, int player) : own(strategy, player), other(strategy, 1 - player) {}

    ClassLanes own, other;
    AlignedFloats fold_reach, fold_values, showdown_reach, showdown_values;  // [hand][lane]
    AlignedFloats exit_own, exit_other, exit_values;                         // [exit][hand]
    AlignedFloats next_own, next_other, next_values;                         // [street][hand] of the next board
    std::vector<Block> values, folds, showdowns;
  };

  const RangeHands& own(int64_t board) const { return boards_[board].hands[player_]; }
  const RangeHands& other(int64_t board) const { return boards_[board].hands[1 - player_]; }

  std::vector<float> ones_of_root() const {
    return std::vector<float>(std::max(own(0).padded_size(), other(0).padded_size()), 1.0f);
  }

  void add_hands(const float* values, double* payoffs) const {
    for (int hand = 0; hand < own(0).size(); ++hand) payoffs[own(0).place[hand]] += values[hand];
  }

  // values[streets][own hands] of the group on the board; reaches: [streets][hands]. weight: chance of the board and
  // its images.
  void walk(const StreetGroup& group, int64_t board, const float* own_reach, const float* other_reach, double weight,
            float* values) {
    descend(group, board, classes_.on(board, player_), classes_.on(board, 1 - player_), group.all.round, own_reach,
            other_reach, weight);
    for (int street = 0; street < group.size(); ++street)
      if (group.next[street] >= 0) walk_next(group, street, board, weight);
    ascend(group, board, values);
  }

  void descend(const StreetGroup& group, int64_t board, const std::vector<int32_t>& own_classes,
               const std::vector<int32_t>& other_classes, int board_round, const float* own_reach,
               const float* other_reach, double weight);
  void spread_other(const StreetGroup& group, const RangeHands& hands, const std::vector<int32_t>& classes,
                    const float* reach, Level& level);
  void spread_own(const StreetGroup& group, const RangeHands& hands, const std::vector<int32_t>& classes,
                  const float* reach, Level& level);
  double value_at_ends(const StreetGroup& group, const RangeHands& hands, const std::vector<int32_t>& classes,
                       const float* reach, Level& level);
  // Of the streets that lanes are of, what comes there of the hand that is looked at.
  Vector masses(const std::vector<int32_t>& streets, int lane) const {
    const int32_t* of = &streets[lane];
    return Vector{mass_[of[0]], mass_[of[1]], mass_[of[2]], mass_[of[3]]};
  }
  void walk_next(const StreetGroup& group, int street, int64_t board, double weight);
  void ascend(const StreetGroup& group, int64_t board, float* values);

  const std::vector<StreetGroup>& groups_;
  const BoardTree& boards_;
  const BoardClasses& classes_;
  int player_;
  bool has_value_;
  int most_next_;
  double value_ = 0.0;
  std::vector<float> mass_;  // [streets of a group]
  RunOut run_out_;
  std::vector<LanePayoffs> payoffs_;            // [groups]
  std::vector<std::unique_ptr<Level>> levels_;  // [rounds]
};

// board_round: of the board, which may be that of the round after the street's.
void Responder::descend(const StreetGroup& group, int64_t board, const std::vector<int32_t>& own_classes,
                        const std::vector<int32_t>& other_classes, int board_round, const float* own_reach,
                        const float* other_reach, double weight) {
  Level& level = *levels_[group.all.round];
  const RangeHands& owns = own(board);
  const RangeHands& others = other(board);
  level.other.begin(group);
  level.other.find(other_classes);
  const LanePlan& plan = level.other.plan();
  const int64_t num_exits = static_cast<int64_t>(group.all.exits.size());
  level.fold_reach.resize(int64_t{plan.folds} * others.padded_size());
  level.showdown_reach.resize(int64_t{plan.showdowns} * others.padded_size());
  level.exit_other.resize(num_exits * others.padded_size());
  level.fold_values.resize(int64_t{plan.folds} * owns.padded_size());
  level.showdown_values.resize(int64_t{plan.showdowns} * owns.padded_size());
  level.exit_own.resize(num_exits * owns.padded_size());
  level.exit_values.resize(num_exits * owns.padded_size());
  spread_other(group, others, other_classes, other_reach, level);
  LanePayoffs& paid = payoffs_[&group - groups_.data()];
  if (plan.folds > 0)
    meet_at_folds(boards_[board], player_, plan.folds, level.fold_reach.data(), paid.fold.data(),
                  level.fold_values.data());
  if (plan.showdowns > 0)
    run_out_.meet(board, board_round, player_, plan.showdowns, {paid.win.data(), paid.tie.data(), paid.lose.data()},
                  level.showdown_reach.data(), level.showdown_values.data());
  if (!has_value_) return;
  level.own.begin(group);
  level.own.find(own_classes);
  spread_own(group, owns, own_classes, own_reach, level);
  value_ += weight * value_at_ends(group, owns, own_classes, own_reach, level);
}

void Responder::spread_other(const StreetGroup& group, const RangeHands& hands, const std::vector<int32_t>& classes,
                             const float* reach, Level& level) {
  const LanePlan& plan = level.other.plan();
  const int num_exits = static_cast<int>(group.all.exits.size());
  const int64_t size = hands.padded_size();
  mass_.resize(group.size());
  for (int hand = 0; hand < hands.size(); ++hand) {
    const float* lanes = level.other.of(classes[hand]);
    for (int street = 0; street < group.size(); ++street) mass_[street] = reach[street * size + hand];
    float* folds = level.fold_reach.data() + int64_t{hand} * plan.folds;
    for (int lane = 0; lane < plan.folds; lane += kLanesPerVector)
      store(folds + lane, masses(plan.fold_streets, lane) * load(lanes + lane));
    float* showdowns = level.showdown_reach.data() + int64_t{hand} * plan.showdowns;
    for (int lane = 0; lane < plan.showdowns; lane += kLanesPerVector)
      store(showdowns + lane, masses(plan.showdown_streets, lane) * load(lanes + plan.folds + lane));
    for (int exit = 0; exit < num_exits; ++exit)
      level.exit_other.data()[exit * size + hand] = mass_[plan.exit_streets[exit]] * lanes[plan.first_exit() + exit];
  }
}

void Responder::spread_own(const StreetGroup& group, const RangeHands& hands, const std::vector<int32_t>& classes,
                           const float* reach, Level& level) {
  const int first_exit = level.own.plan().first_exit();
  const int64_t size = hands.padded_size();
  for (int hand = 0; hand < hands.size(); ++hand) {
    const float* lanes = level.own.of(classes[hand]) + first_exit;
    for (int street = 0, exit = 0; street < group.size(); ++street)
      for (; exit < group.exit_end[street]; ++exit)
        level.exit_own.data()[exit * size + hand] = reach[street * size + hand] * lanes[exit];
  }
}

double Responder::value_at_ends(const StreetGroup& group, const RangeHands& hands, const std::vector<int32_t>& classes,
                                const float* reach, Level& level) {
  const LanePlan& plan = level.own.plan();
  const int64_t size = hands.padded_size();
  mass_.resize(group.size());
  double total = 0.0;
  for (int hand = 0; hand < hands.size(); ++hand) {
    const float* lanes = level.own.of(classes[hand]);
    for (int street = 0; street < group.size(); ++street) mass_[street] = reach[street * size + hand];
    const float* folds = level.fold_values.data() + int64_t{hand} * plan.folds;
    const float* showdowns = level.showdown_values.data() + int64_t{hand} * plan.showdowns;
    Vector won{};
    for (int lane = 0; lane < plan.folds; lane += kLanesPerVector)
      won += masses(plan.fold_streets, lane) * load(lanes + lane) * load(folds + lane);
    for (int lane = 0; lane < plan.showdowns; lane += kLanesPerVector)
      won += masses(plan.showdown_streets, lane) * load(lanes + plan.folds + lane) * load(showdowns + lane);
    total += won[0] + won[1] + won[2] + won[3];
  }
  return total;
}

void Responder::walk_next(const StreetGroup& group, int street, int64_t board, double weight) {
  Level& level = *levels_[group.all.round];
  const StreetGroup& next_group = groups_[group.next[street]];
  const int num_next = next_group.size(), first = group.first_exit(street);
  const int64_t own_size = own(board).padded_size(), other_size = other(board).padded_size();
  float* values = level.exit_values.data() + first * own_size;
  std::fill_n(values, num_next * own_size, 0.0f);
  const float* reach = level.exit_other.data() + first * other_size;
  const float* own_reach = level.exit_own.data() + first * own_size;
  if (!is_reached(reach, num_next, other(board))) return;
  const RangeBoard& here = boards_[board];
  int num_boards = here.num_children;
  if (board == 0 && most_next_ > 0) num_boards = std::min(num_boards, most_next_);
  for (int64_t next = here.first_child; next < here.first_child + num_boards; ++next) {
    const int64_t own_next = own(next).padded_size(), other_next = other(next).padded_size();
    level.next_other.resize(num_next * other_next);
    level.next_own.resize(num_next * own_next);
    level.next_values.resize(num_next * own_next);
    for (int i = 0; i < num_next; ++i) {
      take_to_next(other(next), reach + i * other_size, level.next_other.data() + i * other_next);
      if (has_value_) take_to_next(own(next), own_reach + i * own_size, level.next_own.data() + i * own_next);
    }
    const double chance = static_cast<double>(boards_[next].deal_chance) *
                          static_cast<double>(boards_[next].images.size());
    walk(next_group, next, level.next_own.data(), level.next_other.data(), weight * chance, level.next_values.data());
    for (int i = 0; i < num_next; ++i)
      add_from_next(boards_[next], player_, level.next_values.data() + i * own_next, values + i * own_size);
  }
}

void Responder::ascend(const StreetGroup& group, int64_t board, float* values) {
  const Street& all = group.all;
  Level& level = *levels_[all.round];
  const LanePlan& plan = level.other.plan();
  const int num_blocks = own(board).num_blocks();
  level.values.resize(std::max(level.values.size(), all.nodes.size()));
  level.folds.resize(std::max<size_t>(level.folds.size(), plan.folds));
  level.showdowns.resize(std::max<size_t>(level.showdowns.size(), plan.showdowns));
  for (int block = 0; block < num_blocks; ++block) {
    for (int lane = 0; lane < plan.folds; lane += kLanesPerVector)
      blocks_from_lanes(level.fold_values.data() + int64_t{block} * kHandsPerBlock * plan.folds + lane, plan.folds,
                        &level.folds[lane]);
    for (int lane = 0; lane < plan.showdowns; lane += kLanesPerVector)
      blocks_from_lanes(level.showdown_values.data() + int64_t{block} * kHandsPerBlock * plan.showdowns + lane,
                        plan.showdowns, &level.showdowns[lane]);
    for (size_t number = all.nodes.size(); number-- > 0;) {
      const StreetNode& node = all.nodes[number];
      const StreetChild* children = &all.children[node.first_child];
      const auto value_of = [&](int action) -> const Block& {
        const int32_t index = children[action].index;
        switch (children[action].kind) {
          case StreetChild::kNode: return level.values[index];
          case StreetChild::kFold: return level.folds[index];
          case StreetChild::kShowdown: return level.showdowns[index];
          default: return blocks(level.exit_values.data())[int64_t{index} * num_blocks + block];
        }
      };
      Block value = value_of(0);
      for (int action = 1; action < node.num_actions; ++action)
        value = node.player == player_ ? max(value, value_of(action)) : value + value_of(action);
      level.values[number] = value;
    }
    for (int street = 0; street < group.size(); ++street)
      blocks(values)[int64_t{street} * num_blocks + block] = level.values[group.roots[street]];
  }
}

}  // namespace

FullResponse::FullResponse(std::shared_ptr<const Rules> rules, const BettingTree& tree,
                           std::shared_ptr<const KnownStrategy> strategy, bool has_isomorphism)
    : rules_(std::move(rules)),
      strategy_(std::move(strategy)),
      streets_(cut_into_streets(*rules_, tree, Rake{})),
      groups_(group_streets(streets_)),
      has_isomorphism_(has_isomorphism) {}

std::vector<TrunkNode> trunk_of(const Street& street, int player) {
  std::vector<TrunkNode> nodes;
  for (const StreetNode& node : street.nodes)
    if (node.player == player) nodes.push_back({node.node, node.sequence, 1 + node.first_slot, node.num_actions});
  return nodes;
}

BoardResponse FullResponse::respond(const std::vector<uint8_t>& board, int round, int most_next) const {
  // Hands whose classes differ before any card lies are told apart as hands of different weights are.
  const int num_hands = rules_->num_private_hands();
  std::vector<int32_t> classes(num_hands);
  std::array<std::vector<float>, 2> weights;
  for (int player = 0; player < 2; ++player) {
    strategy_->classes(board.data(), 0, player, classes.data());
    for (int hand = 0; hand < num_hands; ++hand)
      weights[player].push_back(1.0f + static_cast<float>(has_isomorphism_ ? std::max(classes[hand], 0) : hand));
  }
  const BoardTree boards(*rules_, round, board, {weights[0].data(), weights[1].data()});
  const BoardClasses board_classes(*rules_, *strategy_, boards, round);
  BoardResponse found;
  for (int player = 0; player < 2; ++player) {
    // Both win together what nobody loses, so that one player's value is enough.
    Responder responder(*rules_, groups_, boards, board_classes, *strategy_, player, player == 0, most_next);
    found.payoffs[player].assign(int64_t{num_sequences(player, round)} * num_hands, 0.0);
    if (round == 0)
      responder.respond(found.payoffs[player].data());
    else
      responder.respond_behind(num_hands, found.payoffs[player].data());
    if (player == 0) found.value = responder.value();
  }
  return found;
}

}  // namespace nashgap
