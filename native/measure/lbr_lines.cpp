#include "measure/lbr_lines.h"

#include <algorithm>
#include <utility>

namespace nashgap {
namespace {

constexpr uint64_t kSizeStream = 6 << 8;  // beside those of arena/match.h and lbr_lines_batch.cpp
constexpr int kLanes = RangeLanes::kLanes;
// Sums by inclusion and exclusion that should be 0 are so up to rounding.
constexpr double kRounding = 1e-12;

int last_round(const LineNode& node) { return node.history.empty() ? 0 : node.history.back().before.round(); }

// A child without its hands, after an action.
LineNode after(const Rules& rules, const LineNode& node, Action action) {
  LineNode child{node.state, node.history, {}, {}, node.num_board_cards, node.weight};
  child.history.push_back({node.state, action});
  child.state.act(rules, action);
  return child;
}

}  // namespace

LbrLines::LbrLines(std::shared_ptr<const Rules> rules, LbrOptions options, RangedOpponent& opponent,
                   std::shared_ptr<const PreflopChances> preflop)
    : rules_(std::move(rules)),
      options_(std::move(options)),
      opponent_(opponent),
      equity_(*rules_, std::move(preflop)),
      num_hands_(rules_->num_private_hands()),
      answers_(num_hands_) {}

void LbrLines::sit_down(int seat, const uint8_t* board, std::optional<LineDraws> draws) {
  seat_ = seat;
  board_ = board;
  draws_ = draws;
  lacks_draws_ = false;
  equity_.deal(board);
}

LineNode LbrLines::root() const {
  LineNode node{BettingState(*rules_), {}, equity_.hands().places, std::vector<double>(num_hands_, 0.0), 0, 1.0};
  for (const int32_t place : node.hands) node.reach[place] = 1.0;
  return node;
}

double LbrLines::num_pairs(int num_board_cards) const {
  const double left = static_cast<double>(rules_->deck().size()) - num_board_cards;
  if (rules_->num_hole_cards == 1) return left * (left - 1.0);
  return left * (left - 1.0) / 2.0 * (left - 2.0) * (left - 3.0) / 2.0;
}

void LbrLines::remove_cards(LineNode& node, int num_board_cards) const {
  for (; node.num_board_cards < num_board_cards; ++node.num_board_cards) {
    const uint8_t card = board_[node.num_board_cards];
    for (const int32_t place : equity_.hands().places_with[card]) node.reach[place] = 0.0;
    std::erase_if(node.hands, [&](int32_t place) {
      const auto& cards = equity_.hands().cards[place];
      return cards[0] == card || cards[1] == card;
    });
  }
}

void LbrLines::see_board(LineNode& node) const { remove_cards(node, rules_->board_cards_by(node.state.round())); }

Situation LbrLines::situation(const BettingState& state, const std::vector<PastAction>& history,
                              int num_board_cards) const {
  return {*rules_, state, nullptr, board_, num_board_cards, history};
}

// Named by the line, so that the order in which lines are followed changes nothing.
Philox LbrLines::random_of(const std::vector<PastAction>& history, uint64_t purpose) const {
  uint64_t name = 14695981039346656037ULL;  // FNV
  for (const PastAction& past : history) name = (name ^ static_cast<uint32_t>(past.action)) * 1099511628211ULL;
  return {draws_->seed, purpose + seat_, draws_->deal, name};
}

bool LbrLines::expand(const LineNode& node, std::vector<LineNode>& children) {
  children.clear();
  return node.state.seat() == seat_ ? expand_own(node, children) : expand_other(node, children);
}

bool LbrLines::expand_other(const LineNode& node, std::vector<LineNode>& children) {
  if (!opponent_.policy(situation(node.state, node.history, node.num_board_cards), policy_)) return false;
  // A bet that LBR considered was asked about before it was made.
  const bool is_known = !node.history.empty() && node.history.back().action > kCall &&
                        node.history.back().before.seat() == seat_ &&
                        (options_.active_rounds >> node.state.round() & 1);
  num_queries_ += is_known ? 0 : 1;
  for (int number = 0; number < policy_.size(); ++number) {
    const MoveRange& move = policy_.move(number);
    Action action = move.low;
    if (move.high > move.low) {
      lacks_draws_ |= !draws_.has_value();
      if (draws_) action += static_cast<Action>(random_of(node.history, kSizeStream).below(move.high - move.low + 1));
    }
    LineNode child = after(*rules_, node, action);
    child.reach.resize(num_hands_);
    bool is_reached = false;
    for (int hand = 0; hand < num_hands_; ++hand) {
      child.reach[hand] = node.reach[hand] == 0.0 ? 0.0 : node.reach[hand] * policy_.chance(number, hand);
      is_reached |= child.reach[hand] > 0.0;
    }
    if (!is_reached) continue;
    child.hands = node.hands;
    children.push_back(std::move(child));
  }
  return true;
}

bool LbrLines::expand_own(const LineNode& node, std::vector<LineNode>& children) {
  if (!(options_.active_rounds >> node.state.round() & 1)) {
    children.push_back(after(*rules_, node, kCall));
    children.back().hands = node.hands;
  } else {
    if (!consider(node)) return false;
    find_lanes(node);
    for (const Action action : actions_) children.push_back(after(*rules_, node, action));
    for (const int32_t hand : node.hands) {
      const auto chosen = std::ranges::find(actions_, best_action(node, hand)) - actions_.begin();
      children[chosen].hands.push_back(hand);
    }
    std::erase_if(children, [](const LineNode& child) { return child.hands.empty(); });
  }
  for (LineNode& child : children) child.reach = node.reach;
  return true;
}

// What LBR may do, and what the opponent answers to it.
bool LbrLines::consider(const LineNode& node) {
  abstract_actions(*rules_, *options_.bets, node.state, actions_);
  answers_.clear();
  considered_.clear();
  if (actions_.size() == 1) return true;
  opponent_.consider(situation(node.state, node.history, node.num_board_cards), {});
  ahead_ = node.history;
  bool is_answered = true;
  int num_asked = 0;
  for (const Action action : actions_) {
    if (action == kFold) continue;
    BettingState after = node.state;
    after.act(*rules_, action);
    Considered& considered = considered_.emplace_back();
    considered.action = action;
    considered.tie = indifference(after);
    ahead_.push_back({node.state, action});
    if (after.is_over() || after.seat() == seat_ || after.round() != node.state.round() ||
        after.to_call(*rules_) == 0) {
      considered.if_called = stakes(node, after);
    } else {
      ++num_asked;
      is_answered &= consider_answers(node, after, considered);
    }
    ahead_.pop_back();
  }
  if (is_answered) num_queries_ += num_asked;
  return is_answered;
}

bool LbrLines::consider_answers(const LineNode& node, const BettingState& state, Considered& considered) {
  std::vector<AnswerPart> parts;
  const Situation bet = situation(state, ahead_, node.num_board_cards);
  if (!opponent_.answers(bet, options_.sees_raises, answers_, parts)) return false;
  BettingState folded = state, called = state;
  folded.act(*rules_, kFold);
  called.act(*rules_, kCall);
  const Stakes won = stakes(node, folded);
  considered.if_folded = won.pot - won.cost;
  considered.if_called = stakes(node, called);
  for (const AnswerPart& part : parts) {
    if (part.action == kFold) {
      considered.folds.push_back(part);
      continue;
    }
    auto raise = std::ranges::find(considered.raises, part.action, &RaiseAnswer::raise_to);
    if (raise == considered.raises.end()) {
      BettingState raised = state;
      raised.act(*rules_, part.action);
      const double folding = node.state.spent(seat_) - raised.spent(seat_);
      if (raised.seat() == seat_) raised.act(*rules_, kCall);
      considered.raises.push_back({part.action, folding, stakes(node, raised), {}});
      raise = considered.raises.end() - 1;
    }
    raise->parts.push_back(part);
  }
  return true;
}

LbrLines::Stakes LbrLines::stakes(const LineNode& node, const BettingState& state) const {
  const int32_t matched = std::min(state.spent(seat_), state.spent(1 - seat_));
  return {2.0 * matched, static_cast<double>(matched - node.state.spent(seat_))};
}

// The reach of all hands, then of those that answer as each lane of the answers says.
void LbrLines::find_lanes(const LineNode& node) {
  if (considered_.empty()) return;
  const int num_lanes = 1 + answers_.size();
  const size_t num_tiles = (num_lanes + kLanes - 1) / kLanes;
  while (lanes_.size() < num_tiles) lanes_.emplace_back(num_hands_);
  for (int lane = 0; lane < static_cast<int>(num_tiles) * kLanes; ++lane) {
    double* reach = lanes_[lane / kLanes].reach.data() + lane % kLanes;
    const double* chances = lane > 0 && lane < num_lanes ? answers_.lane(lane - 1) : nullptr;
    for (int hand = 0; hand < num_hands_; ++hand) {
      const double all = lane < num_lanes ? node.reach[hand] : 0.0;
      reach[int64_t{hand} * kLanes] = chances && all != 0.0 ? all * chances[hand] : all;
    }
  }
  for (size_t tile = 0; tile < num_tiles; ++tile) equity_.find(node.num_board_cards, node.hands, lanes_[tile]);
}

RangeSums LbrLines::sums_of(int lane, int32_t hand) const {
  const int64_t at = int64_t{hand} * kLanes + (lane + 1) % kLanes;
  const RangeLanes& tile = lanes_[(lane + 1) / kLanes];
  return {tile.mass[at], tile.winning[at]};
}

double LbrLines::value_of(const Considered& considered, int32_t hand) const {
  const RangeSums all = sums_of(AnswerPart::kEveryHand, hand);
  const auto add = [&](const std::vector<AnswerPart>& parts) {
    RangeSums sums;
    for (const AnswerPart& part : parts) {
      const RangeSums lane = sums_of(part.lane, hand);
      sums.mass += part.weight * lane.mass;
      sums.winning += part.weight * lane.winning;
    }
    return sums;
  };
  const auto leaf = [&](const RangeSums& sums, const Stakes& stakes) {
    return std::clamp(sums.winning / sums.mass, 0.0, 1.0) * stakes.pot - stakes.cost;
  };
  RangeSums calls = all;
  double value = 0.0;
  const auto take = [&](const RangeSums& sums, double worth) {
    value += sums.mass / all.mass * worth;
    calls = {calls.mass - sums.mass, calls.winning - sums.winning};
  };
  take(add(considered.folds), considered.if_folded);
  for (const RaiseAnswer& raise : considered.raises) {
    const RangeSums sums = add(raise.parts);
    if (sums.mass > kRounding * all.mass) take(sums, std::max(raise.if_folded, leaf(sums, raise.if_called)));
  }
  if (calls.mass > kRounding * all.mass) value += calls.mass / all.mass * leaf(calls, considered.if_called);
  return value;
}

Action LbrLines::best_action(const LineNode& node, int32_t hand) const {
  if (actions_.size() == 1) return actions_[0];
  // Folding is worth 0, a free check never less.
  Action best = node.state.legal(*rules_).can_fold ? kFold : kCall;
  double most = 0.0;
  if (sums_of(AnswerPart::kEveryHand, hand).mass <= kRounding) return best;  // it meets nobody
  for (const Considered& considered : considered_) {
    const double value = value_of(considered, hand);
    if (value > most + considered.tie) {
      most = value;
      best = considered.action;
    }
  }
  return best;
}

double LbrLines::mass_of(const LineNode& node) {
  const PrivateHands& hands = equity_.hands();
  std::array<double, kNumCards> by_card{};
  double total = 0.0, mass = 0.0;
  for (const int32_t place : hands.places) {
    if (node.reach[place] == 0.0) continue;
    total += node.reach[place];
    for (int c = 0; c < rules_->num_hole_cards; ++c) by_card[hands.cards[place][c]] += node.reach[place];
  }
  for (const int32_t place : node.hands) {
    mass += total - by_card[hands.cards[place][0]];
    if (rules_->num_hole_cards == 2) mass += node.reach[place] - by_card[hands.cards[place][1]];
  }
  return mass;
}

int LbrLines::counted_cards(const LineNode& node) const {
  const int round = last_round(node);
  int number = std::max(rules_->board_cards_by(round), options_.num_chosen_cards);
  if (node.state.num_active() < 2) return number;
  if (!options_.has_all_in_expectation) return rules_->total_board_cards();
  // Chances with several cards to come are dear. They are there where LBR chooses by them; else the cards that lie by
  // some later round are dealt first.
  const auto is_there = [&](int later) {
    const int to_come = rules_->total_board_cards() - rules_->board_cards_by(later);
    return to_come <= 1 || rules_->board_cards_by(later) == 0 || (options_.active_rounds >> later & 1);
  };
  for (int later = round; later < rules_->num_rounds; ++later)
    if (rules_->board_cards_by(later) >= number && is_there(later) &&
        equity_.is_affordable(rules_->board_cards_by(later)))
      return rules_->board_cards_by(later);
  return rules_->total_board_cards();
}

std::vector<LineEnding> LbrLines::finish(std::span<LineNode> nodes) {
  if (lanes_.empty()) lanes_.emplace_back(num_hands_);
  RangeLanes& lanes = lanes_[0];
  std::vector<LineEnding> endings;
  const auto is_shown = [](const LineNode& node) { return node.state.num_active() > 1; };
  for (size_t first = 0, last; first < nodes.size(); first = last) {
    const int num_cards = counted_cards(nodes[first]);
    std::ranges::fill(lanes.reach, 0.0);
    for (last = first; last < nodes.size() && last < first + kLanes; ++last) {
      LineNode& node = nodes[last];
      if (counted_cards(node) != num_cards || is_shown(node) != is_shown(nodes[first])) break;
      remove_cards(node, num_cards);
      for (const int32_t hand : node.hands) lanes.reach[int64_t{hand} * kLanes + (last - first)] = 1.0;
    }
    others_.clear();
    for (const int32_t place : equity_.hands().places)
      if (std::any_of(&nodes[first], &nodes[first] + (last - first),
                      [&](const LineNode& node) { return node.reach[place] > 0.0; }))
        others_.push_back(place);
    is_shown(nodes[first]) ? equity_.find(num_cards, others_, lanes) : equity_.find_mass(others_, lanes);
    for (size_t number = first; number < last; ++number)
      endings.push_back(ending_of(nodes[number], static_cast<int>(number - first)));
  }
  return endings;
}

std::vector<double> LbrLines::leads(std::span<const LineNode> nodes) {
  if (lanes_.empty()) lanes_.emplace_back(num_hands_);
  RangeLanes& lanes = lanes_[0];
  std::vector<double> found;
  for (size_t first = 0; first < nodes.size(); first += kLanes) {
    const auto tile = nodes.subspan(first, std::min<size_t>(kLanes, nodes.size() - first));
    std::ranges::fill(lanes.reach, 0.0);
    for (size_t lane = 0; lane < tile.size(); ++lane)
      for (const int32_t hand : tile[lane].hands) lanes.reach[int64_t{hand} * kLanes + lane] = 1.0;
    others_.clear();
    for (const int32_t place : equity_.hands().places)
      if (std::ranges::any_of(tile, [&](const LineNode& node) { return node.reach[place] > 0.0; }))
        others_.push_back(place);
    equity_.find(tile[0].num_board_cards, others_, lanes);
    for (size_t lane = 0; lane < tile.size(); ++lane) {
      double lead = 0.0;
      for (const int32_t place : others_) {
        const int64_t at = int64_t{place} * kLanes + lane;
        lead += tile[lane].reach[place] * (lanes.mass[at] - 2.0 * lanes.winning[at]);
      }
      found.push_back(lead);
    }
  }
  return found;
}

// By what LBR's hands, a lane, find against each of the opponent's.
LineEnding LbrLines::ending_of(const LineNode& node, int lane) const {
  LineEnding ending{node.num_board_cards, 0.0, 0.0, std::vector<double>(num_hands_, 0.0),
                    std::vector<double>(num_hands_, 0.0)};
  const bool is_shown = node.state.num_active() > 1;
  std::array<int64_t, kMaxSeats> shares{};
  if (!is_shown) {
    std::array<uint16_t, kMaxSeats> strength{};
    payoffs(*rules_, node.state.ending(), strength.data(), shares.data());
  }
  const double matched = std::min(node.state.spent(0), node.state.spent(1));
  for (const int32_t other : others_) {
    const int64_t at = int64_t{other} * kLanes + lane;
    const double mass = node.reach[other] * lanes_[0].mass[at];
    ending.mass_with[other] = mass;
    ending.chips_with[other] = is_shown ? matched * (mass - 2.0 * node.reach[other] * lanes_[0].winning[at])
                                        : mass * static_cast<double>(shares[seat_]) / kChipShares;
    ending.mass += mass;
    ending.chips += ending.chips_with[other];
  }
  return ending;
}

}  // namespace nashgap
