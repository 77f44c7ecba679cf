#include "measure/full_response.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "measure/beaten_lanes.h"
#include "measure/class_lanes.h"
#include "measure/lane_kernels.h"
#include "measure/lane_plan.h"
#include "ranges/blocks.h"
#include "ranges/board_steps.h"

namespace nashgap {
namespace {

// For each round but the last, how many cards of a hand were dealt to the board by it: a renaming of suits must leave
// the boards of all rounds as they are, and not only all cards together.
std::vector<std::vector<float>> dealt_by_round(const Rules& rules, int last_round, const std::vector<uint8_t>& board) {
  std::vector<std::vector<float>> dealt;
  const std::vector<uint8_t> deck = rules.deck();
  for (int round = 0; round < last_round; ++round) {
    std::vector<float>& counts = dealt.emplace_back(rules.num_private_hands(), 0.0f);
    const auto end = board.begin() + rules.board_cards_by(round);
    const auto lies = [&](uint8_t card) { return std::find(board.begin(), end, card) != end; };
    for (const uint8_t first : deck)
      for (const uint8_t second : deck) {
        if (rules.num_hole_cards == 2 && second >= first) break;
        const uint8_t hand[2] = {first, second};
        counts[rules.hand_place(hand)] = static_cast<float>(lies(first) + (rules.num_hole_cards == 2 && lies(second)));
        if (rules.num_hole_cards == 1) break;
      }
  }
  return dealt;
}

// One player's best response from one board on.
class Responder {
 public:
  // has_value: find what the player wins by the strategy itself, too.
  Responder(const Rules& rules, const std::vector<StreetGroup>& groups, const Trunk& trunk, const BoardTree& boards,
            const BoardClasses& classes, const KnownStrategy& strategy, int player, bool has_value, int most_next,
            const LaneKernels& kernels)
      : groups_(groups),
        trunk_(trunk),
        boards_(boards),
        classes_(classes),
        player_(player),
        has_value_(has_value),
        most_next_(most_next),
        num_rounds_(rules.num_rounds),
        kernels_(kernels),
        run_out_(boards, rules.num_rounds, kernels),
        num_hands_(rules.num_private_hands()),
        won_(int64_t{trunk.num_sequences(player)} * num_hands_, 0.0) {
    for (const StreetGroup& group : groups) plans_.emplace_back(group, player, is_complete(group));
    int64_t num_floats = 0;
    for (size_t number = 0; number < groups.size(); ++number) {
      LanePlan& plan = plans_[number];
      plan.keep_for(groups[number], plans_);
      own_lanes_.emplace_back(strategy, player, groups[number], plan.own);
      other_lanes_.emplace_back(strategy, 1 - player, groups[number], plan.other);
      num_floats += (has_value ? own_lanes_.back().num_floats() : 0) + other_lanes_.back().num_floats();
    }
    keeps_lanes_ = num_floats <= kMostKept;
    levels_.resize(rules.num_rounds);
    all_hands_.resize(std::max(own(0).size(), other(0).size()));
    std::iota(all_hands_.begin(), all_hands_.end(), 0);
  }

  double value() const { return value_; }
  // [sequences of the trunk][private hands]
  const std::vector<double>& won() const { return won_; }

  void respond() {
    AlignedFloats values;
    follow(0, begin(), [&](int group, const Visit& visit) {
      if (!is_reached(group, visit)) return;
      values.resize(int64_t{groups_[group].size()} * own(0).padded_size());
      walk(group, visit, values.data());
      add_streets(group, values.data());
    });
  }

  // One board after the other, where streets are grouped by round.
  void enter(int64_t board);
  void leave(int64_t board);

 private:
  static constexpr int64_t kMostKept = int64_t{1} << 25;  // floats: rows of classes, for the boards that follow

  // A group of streets on a board. weight: chance of the board and its images.
  struct Visit {
    int64_t board;
    HandMass own, other;
    double weight;
  };

  struct Level {
    Visit entered{};                                  // where boards are entered one after the other
    int last = -1;                                    // group whose rows are known, where not all are kept
    AlignedFloats by_card, met;                       // see LaneSums
    AlignedFloats run_out_reach, beaten;              // [hand][lane]
    AlignedFloats cells;                              // [cell][hands of a block]
    AlignedFloats exit_own, exit_other, exit_values;  // [hand][LanePlan::kept], [exit][hand]
    AlignedFloats next_values;                        // [street][hand] of the next board

    LaneSums sums() { return {by_card.data(), met.data()}; }
  };

  const RangeHands& own(int64_t board) const { return boards_[board].hands[player_]; }
  const RangeHands& other(int64_t board) const { return boards_[board].hands[1 - player_]; }
  Level& level_of(int group) { return levels_[groups_[group].all.round]; }
  // Of the board on which the group's streets are walked, which may be that of a later round.
  int board_round(const StreetGroup& group) const { return std::max(group.all.round, trunk_.num_rounds()); }
  bool is_complete(const StreetGroup& group) const { return board_round(group) + 1 == num_rounds_; }

  Visit begin() {
    ones_.assign(plans_[0].mass_of.size(), 1.0f);
    return {0, {ones_.data(), all_hands_.data(), 0}, {ones_.data(), all_hands_.data(), 0}, 1.0};
  }

  // The group that comes next after `group`, on a board whose hands have these places.
  Visit after(int group, int number, int64_t board, const int32_t* own_place, const int32_t* other_place,
              double weight) {
    const Level& level = level_of(group);
    const LanePlan& plan = plans_[group];
    const auto stride = static_cast<int64_t>(plan.kept.size());
    const int32_t from = plan.kept_from[number];
    return {board,
            {level.exit_own.data() + from, own_place, stride},
            {level.exit_other.data() + from, other_place, stride},
            weight};
  }

  Visit after_on_same(int group, int number, const Visit& visit) {
    return after(group, number, visit.board, all_hands_.data(), all_hands_.data(), visit.weight);
  }
  // weight: of the board before.
  Visit after_on(int64_t next, int group, int number, double weight) {
    const double chance = static_cast<double>(boards_[next].deal_chance) *
                          static_cast<double>(boards_[next].images.size());
    return after(group, number, next, own(next).image.data(), other(next).image.data(), weight * chance);
  }

  // Where streets are grouped by round: nobody comes to a round that has none.
  bool has_betting(int round) const { return round < static_cast<int>(groups_.size()); }

  LaneReach reach_of(int group, const Visit& visit) const {
    return {plans_[group].num_lanes, other_lanes_[group].rows(0), visit.other};
  }

  // values[streets][hands]: of a group that the trunk leads to.
  void add_streets(int group, const float* values) {
    for (int street = 0; street < groups_[group].size(); ++street, values += own(0).padded_size()) {
      double* sums = &won_[trunk_.sequence(group, player_, street) * num_hands_];
      for (int hand = 0; hand < own(0).size(); ++hand) sums[own(0).place[hand]] += values[hand];
    }
  }

  template <typename AtBoard>
  void follow(int group, const Visit& visit, AtBoard&& at_board);
  void add_ends(int group, const Visit& visit);

  // values[streets][own hands] of the group.
  void walk(int group, const Visit& visit, float* values) {
    descend(group, visit, classes_.on(visit.board, player_), classes_.on(visit.board, 1 - player_));
    for (size_t next = 0; next < groups_[group].next.size(); ++next) walk_next(group, static_cast<int>(next), visit);
    ascend(group, visit, values);
  }

  void descend(int group, const Visit& visit, const std::vector<int32_t>& own_classes,
               const std::vector<int32_t>& other_classes);
  void find_rows(int group, const std::vector<int32_t>& own_classes, const std::vector<int32_t>& other_classes);
  void spread_run_out(int group, const Visit& visit);
  void spread_exits(int group, const HandMass& mass, int num_hands, const ClassLanes& lanes, int first_exit,
                    float* kept) const;
  void fill_ends(int group, const Visit& visit, int block);
  double value_of_run_out(int group, const Visit& visit, int block);
  bool is_reached(int group, const Visit& visit) const;
  void walk_next(int group, int number, const Visit& visit);
  void clear_values(int group, int number, int64_t board);
  template <typename Find>
  void add_values(int group, int number, int64_t next, Find&& find);
  void ascend(int group, const Visit& visit, float* values);

  const std::vector<StreetGroup>& groups_;
  const Trunk& trunk_;
  const BoardTree& boards_;
  const BoardClasses& classes_;
  int player_;
  bool has_value_;
  int most_next_, num_rounds_;
  double value_ = 0.0;
  const LaneKernels& kernels_;
  BeatenLanes run_out_;
  int64_t num_hands_;
  std::vector<double> won_;
  std::vector<LanePlan> plans_;                      // [groups]
  std::vector<ClassLanes> own_lanes_, other_lanes_;  // [groups]
  bool keeps_lanes_;
  std::vector<Level> levels_;  // [rounds]
  std::vector<int32_t> all_hands_;
  std::vector<float> ones_;
};

// Goes through the rounds before the first board; at_board: for each group that begins with it.
template <typename AtBoard>
void Responder::follow(int group, const Visit& visit, AtBoard&& at_board) {
  const int round = groups_[group].all.round;
  if (round == trunk_.num_rounds()) return at_board(group, visit);
  descend(group, visit, classes_.before(round, player_), classes_.before(round, 1 - player_));
  add_ends(group, visit);
  for (size_t number = 0; number < groups_[group].next.size(); ++number)
    follow(groups_[group].next[number].group, after_on_same(group, static_cast<int>(number), visit), at_board);
}

// What is won where the betting ends before the first board.
void Responder::add_ends(int group, const Visit& visit) {
  const LanePlan& plan = plans_[group];
  for (int block = 0; block < own(0).num_blocks(); ++block) {
    fill_ends(group, visit, block);
    const int first = block * kHandsPerBlock, last = std::min(first + kHandsPerBlock, own(0).size());
    const auto add = [&](const std::vector<StreetEnd>& ends, const std::vector<ClimbChild>& paid) {
      for (size_t end = 0; end < ends.size(); ++end) {
        double* sums = &won_[trunk_.sequence(group, player_, ends[end].sequence[player_]) * num_hands_];
        const float* cell = level_of(group).cells.data() + int64_t{paid[end].cell} * kHandsPerBlock;
        for (int hand = first; hand < last; ++hand) sums[own(0).place[hand]] += cell[hand - first] * paid[end].factor;
      }
    };
    add(groups_[group].all.folds, plan.folds);
    add(groups_[group].all.showdowns, plan.showdowns);
  }
}

void Responder::enter(int64_t board) {
  const auto descend_to = [&](int round, const Visit& visit) {
    level_of(round).entered = visit;
    descend(round, visit, classes_.on(board, player_), classes_.on(board, 1 - player_));
    for (size_t next = 0; next < groups_[round].next.size(); ++next) clear_values(round, static_cast<int>(next), board);
  };
  const int round = boards_.round_of(board);
  for (int told = board == 0 ? 0 : round; told <= round && has_betting(told); ++told) {
    own_lanes_[told].forget();
    other_lanes_[told].forget();
  }
  if (board == 0) return follow(0, begin(), descend_to);
  if (has_betting(round)) descend_to(round, after_on(board, round - 1, 0, level_of(round - 1).entered.weight));
}

void Responder::leave(int64_t board) {
  const int round = boards_.round_of(board);
  if (!has_betting(round)) return;
  const auto ascend_from = [&](float* values) { ascend(round, level_of(round).entered, values); };
  if (board != 0) return add_values(round - 1, 0, board, ascend_from);
  AlignedFloats values;
  values.resize(int64_t{groups_[round].size()} * own(0).padded_size());
  ascend_from(values.data());
  add_streets(round, values.data());
}

// Rows of all groups are kept where they are few, else those of a round's last group.
void Responder::find_rows(int group, const std::vector<int32_t>& own_classes,
                          const std::vector<int32_t>& other_classes) {
  Level& level = level_of(group);
  if (!keeps_lanes_ && level.last >= 0 && level.last != group) {
    own_lanes_[level.last].forget();
    other_lanes_[level.last].forget();
  }
  level.last = group;
  other_lanes_[group].find(other_classes);
  if (has_value_) own_lanes_[group].find(own_classes);
}

void Responder::descend(int group, const Visit& visit, const std::vector<int32_t>& own_classes,
                        const std::vector<int32_t>& other_classes) {
  Level& level = level_of(group);
  const LanePlan& plan = plans_[group];
  const RangeHands& owns = own(visit.board);
  const RangeHands& others = other(visit.board);
  find_rows(group, own_classes, other_classes);
  level.by_card.resize(int64_t{plan.num_lanes} * kSumRows);
  level.met.resize(int64_t{plan.num_lanes} * owns.size());
  level.cells.resize(int64_t{plan.num_cells()} * kHandsPerBlock);
  const auto meet = is_complete(groups_[group]) ? kernels_.sweep : kernels_.sum;
  meet(hands_of(boards_[visit.board], player_), reach_of(group, visit), level.sums());
  if (plan.num_run_out > 0) {
    level.run_out_reach.resize(int64_t{plan.num_run_out} * others.padded_size());
    level.beaten.resize(int64_t{plan.num_run_out} * owns.padded_size());
    spread_run_out(group, visit);
    run_out_.find(visit.board, board_round(groups_[group]), player_, plan.num_run_out, level.run_out_reach.data(),
                  level.beaten.data());
  }
  if (plan.kept.empty()) return;
  const auto num_kept = static_cast<int64_t>(plan.kept.size());
  level.exit_other.resize(num_kept * others.size());
  level.exit_own.resize(num_kept * owns.size());
  level.exit_values.resize(static_cast<int64_t>(plan.exit_of.size()) * owns.padded_size());
  spread_exits(group, visit.other, others.size(), other_lanes_[group], plan.num_lanes + plan.num_run_out,
               level.exit_other.data());
  if (has_value_)
    spread_exits(group, visit.own, owns.size(), own_lanes_[group], plan.first_node(), level.exit_own.data());
}

// What the other player's hands do up to showdowns for which cards are run out.
void Responder::spread_run_out(int group, const Visit& visit) {
  const LanePlan& plan = plans_[group];
  for (int hand = 0; hand < other(visit.board).size(); ++hand) {
    const float* lanes = other_lanes_[group].of(hand) + plan.num_lanes;
    const float* mass = visit.other.of(hand) + plan.first_street();
    float* reach = level_of(group).run_out_reach.data() + int64_t{hand} * plan.num_run_out;
    for (int lane = 0; lane < plan.num_run_out; ++lane) reach[lane] = mass[plan.run_out_of[lane]] * lanes[lane];
  }
}

void Responder::spread_exits(int group, const HandMass& mass, int num_hands, const ClassLanes& lanes, int first_exit,
                             float* kept) const {
  const LanePlan& plan = plans_[group];
  for (int hand = 0; hand < num_hands; ++hand) {
    const float* exits = lanes.of(hand) + first_exit;
    const float* streets = mass.of(hand) + plan.first_street();
    for (const int32_t exit : plan.kept) *kept++ = streets[plan.exit_of[exit]] * exits[exit];
  }
}

// The cells of ends on the board.
void Responder::fill_ends(int group, const Visit& visit, int block) {
  Level& level = level_of(group);
  const LanePlan& plan = plans_[group];
  float* cells = level.cells.data();
  const LaneWeights weights{own_lanes_[group].rows(0), own_lanes_[group].rows(plan.num_lanes), visit.own};
  const double won = kernels_.fill(hands_of(boards_[visit.board], player_), reach_of(group, visit), level.sums(),
                                   has_value_ ? &weights : nullptr, block * kHandsPerBlock, is_complete(groups_[group]),
                                   cells);
  for (int lane = 0; lane < plan.num_run_out; lane += kLanesPerVector)
    blocks_from_lanes(level.beaten.data() + int64_t{block} * kHandsPerBlock * plan.num_run_out + lane, plan.num_run_out,
                      blocks(cells) + plan.num_lanes + lane);
  if (has_value_) value_ += visit.weight * (won + value_of_run_out(group, visit, block));
}

double Responder::value_of_run_out(int group, const Visit& visit, int block) {
  const LanePlan& plan = plans_[group];
  double total = 0.0;
  const int first = block * kHandsPerBlock, last = std::min(first + kHandsPerBlock, own(visit.board).size());
  for (int hand = first; hand < last && plan.num_run_out > 0; ++hand) {
    const float* factors = own_lanes_[group].of(hand) + plan.num_lanes;
    const float* beaten = level_of(group).beaten.data() + int64_t{hand} * plan.num_run_out;
    const float* mass = visit.own.of(hand) + plan.first_street();
    for (int lane = 0; lane < plan.num_run_out; ++lane)
      total += mass[plan.run_out_of[lane]] * factors[lane] * beaten[lane];
  }
  return total;
}

// Whether any of the other player's hands comes to the group.
bool Responder::is_reached(int group, const Visit& visit) const {
  for (int hand = 0; hand < other(visit.board).size(); ++hand) {
    const float* streets = visit.other.of(hand) + plans_[group].first_street();
    if (std::any_of(streets, streets + groups_[group].size(), [](float each) { return each != 0.0f; })) return true;
  }
  return false;
}

void Responder::walk_next(int group, int number, const Visit& visit) {
  const int next_group = groups_[group].next[number].group;
  clear_values(group, number, visit.board);
  if (!is_reached(next_group, after_on_same(group, number, visit))) return;
  const RangeBoard& here = boards_[visit.board];
  int num_boards = here.num_children;
  if (visit.board == 0 && most_next_ > 0) num_boards = std::min(num_boards, most_next_);
  for (int64_t next = here.first_child; next < here.first_child + num_boards; ++next)
    add_values(group, number, next,
               [&](float* values) { walk(next_group, after_on(next, group, number, visit.weight), values); });
}

void Responder::clear_values(int group, int number, int64_t board) {
  const NextGroup& next = groups_[group].next[number];
  const int64_t size = own(board).padded_size();
  std::fill_n(level_of(group).exit_values.data() + next.first_exit * size, groups_[next.group].size() * size, 0.0f);
}

// What is won on a board that follows, at the exits of the group before it; find(values): [streets][own hands].
template <typename Find>
void Responder::add_values(int group, int number, int64_t next, Find&& find) {
  Level& level = level_of(group);
  const NextGroup& next_group = groups_[group].next[number];
  const int num_streets = groups_[next_group.group].size();
  const int64_t size = own(boards_[next].parent).padded_size(), next_size = own(next).padded_size();
  level.next_values.resize(num_streets * next_size);
  find(level.next_values.data());
  for (int street = 0; street < num_streets; ++street)
    add_from_next(boards_[next], player_, level.next_values.data() + street * next_size,
                  level.exit_values.data() + (next_group.first_exit + street) * size);
}

void Responder::ascend(int group, const Visit& visit, float* values) {
  Level& level = level_of(group);
  const LanePlan& plan = plans_[group];
  const int num_blocks = own(visit.board).num_blocks();
  for (int block = 0; block < num_blocks; ++block) {
    fill_ends(group, visit, block);
    for (size_t exit = 0; exit < plan.exit_of.size(); ++exit)
      blocks(level.cells.data())[plan.first_exit() + exit] =
          blocks(level.exit_values.data())[static_cast<int64_t>(exit) * num_blocks + block];
    kernels_.climb(plan.nodes.data(), static_cast<int>(plan.nodes.size()), plan.children.data(), level.cells.data());
    for (int street = 0; street < groups_[group].size(); ++street)
      blocks(values)[int64_t{street} * num_blocks + block] =
          blocks(level.cells.data())[plan.first_node() + groups_[group].roots[street]];
  }
}

}  // namespace

FullResponse::FullResponse(std::shared_ptr<const Rules> rules, const BettingTree& tree,
                           std::shared_ptr<const KnownStrategy> strategy, bool has_isomorphism)
    : rules_(std::move(rules)),
      strategy_(std::move(strategy)),
      groups_(group_streets(cut_into_streets(*rules_, tree, Rake{}), Grouping::kSmall)),
      has_isomorphism_(has_isomorphism) {}

BoardResponse FullResponse::respond(const std::vector<uint8_t>& board, int round, int most_next, bool is_narrow) const {
  // Hands whose classes differ before any card lies are told apart as hands of different weights are.
  std::vector<int32_t> classes(rules_->num_private_hands());
  std::array<std::vector<float>, 2> weights;
  for (int player = 0; player < 2; ++player) {
    strategy_->classes(board.data(), 0, player, classes.data());
    for (int hand = 0; hand < rules_->num_private_hands(); ++hand)
      weights[player].push_back(1.0f + static_cast<float>(has_isomorphism_ ? std::max(classes[hand], 0) : hand));
  }
  const BoardTree boards(*rules_, round, board, {weights[0].data(), weights[1].data()},
                         dealt_by_round(*rules_, round, board));
  const BoardClasses board_classes(*rules_, *strategy_, boards, round);
  const Trunk trunk = this->trunk(round);
  BoardResponse found;
  for (int player = 0; player < 2; ++player) {
    // Both win together what nobody loses, so that one player's value is enough.
    Responder responder(*rules_, groups_, trunk, boards, board_classes, *strategy_, player, player == 0, most_next,
                        is_narrow ? kNarrowKernels : lane_kernels());
    responder.respond();
    found.payoffs[player] = responder.won();
    if (player == 0) found.value = responder.value();
  }
  return found;
}

struct SteppedResponse::Walk {
  Walk(const Rules& rules, const BettingTree& tree, const AskedStrategy& strategy, const std::vector<uint8_t>& board,
       int round, const std::vector<float>& weights)
      : groups(group_streets(cut_into_streets(rules, tree, Rake{}), Grouping::kByRound)),
        trunk(groups, round),
        boards(rules, round, board, {weights.data(), weights.data()}),
        classes(rules, strategy, boards, round),
        responders{Responder(rules, groups, trunk, boards, classes, strategy, 0, true, 0, lane_kernels()),
                   Responder(rules, groups, trunk, boards, classes, strategy, 1, false, 0, lane_kernels())} {}

  std::vector<StreetGroup> groups;
  Trunk trunk;
  BoardTree boards;
  BoardClasses classes;
  std::array<Responder, 2> responders;
};

SteppedResponse::SteppedResponse(std::shared_ptr<const Rules> rules, const BettingTree& tree,
                                 std::shared_ptr<const AskedStrategy> strategy, const std::vector<uint8_t>& board,
                                 int round)
    : rules_(std::move(rules)), strategy_(std::move(strategy)) {
  std::vector<float> weights(rules_->num_private_hands());  // all different: nothing is known of suits
  std::iota(weights.begin(), weights.end(), 1.0f);
  walk_ = std::make_unique<Walk>(*rules_, tree, *strategy_, board, round, weights);
}

SteppedResponse::~SteppedResponse() = default;

const BoardTree& SteppedResponse::boards() const { return walk_->boards; }

const Trunk& SteppedResponse::trunk() const { return walk_->trunk; }

void SteppedResponse::enter(int64_t board) {
  const int round = walk_->boards.round_of(board);
  for (int told = board == 0 ? 0 : round; told <= round; ++told)
    if (!strategy_->is_told(told)) throw std::invalid_argument("the strategy was not told for the board");
  if (board == 0 ? !path_.empty() : path_.empty() || path_.back() != walk_->boards[board].parent)
    throw std::invalid_argument("a board is entered from the one before it");
  path_.push_back(board);
  for (Responder& responder : walk_->responders) responder.enter(board);
}

void SteppedResponse::leave(int64_t board) {
  if (path_.empty() || path_.back() != board) throw std::invalid_argument("the board was not entered last");
  path_.pop_back();
  for (Responder& responder : walk_->responders) responder.leave(board);
}

BoardResponse SteppedResponse::found() const {
  const auto& responders = walk_->responders;
  return {{responders[0].won(), responders[1].won()}, responders[0].value()};
}

}  // namespace nashgap
