#include "measure/lbr_lines_batch.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "poker/state.h"
#include "random/philox.h"

namespace nashgap {
namespace {

constexpr uint64_t kLineStream = 5 << 8, kRoundStream = 7 << 8;  // beside those of arena/match.h
// Of the chips behind; of a few tried the one with which bots that lose much and little are measured best.
constexpr double kShareBehind = 0.05;

std::string betting_text(const Rules& rules, const LineNode& node) {
  std::string text;
  for (size_t i = 0; i < node.history.size(); ++i) {
    append_action(rules, node.history[i].action, text);
    const BettingState& next = i + 1 < node.history.size() ? node.history[i + 1].before : node.state;
    text.append(std::max(0, next.round() - node.history[i].before.round()), '/');
  }
  return text;
}

std::vector<Action> actions_of(const LineNode& node) {
  std::vector<Action> actions;
  for (const PastAction& past : node.history) actions.push_back(past.action);
  return actions;
}

}  // namespace

LbrLinesBatch::LbrLinesBatch(std::shared_ptr<const Rules> rules, LbrOptions options,
                             std::shared_ptr<RangedOpponent> opponent, std::shared_ptr<const PreflopChances> preflop,
                             std::vector<LineDeal> deals, LineLimits limits, std::optional<LineClasses> classes)
    : rules_(std::move(rules)),
      num_chosen_cards_(options.num_chosen_cards),
      opponent_(std::move(opponent)),
      lines_(rules_, std::move(options), *opponent_, preflop),
      chances_(*rules_, preflop),
      deals_(std::move(deals)),
      limits_(limits),
      classes_(std::move(classes)),
      walks_(deals_.size()),
      open_(deals_.size()),
      sums_(deals_.size()) {
  std::iota(open_.begin(), open_.end(), 0);
  if (classes_) tallies_.by_deal.resize(deals_.size() * classes_->number * 2);
}

bool LbrLinesBatch::is_before_board(const LineNode& node) const {
  return rules_->board_cards_by(node.state.round()) == 0;
}

// What may be won or lost: the pot, and a part of the chips behind, which are seldom put in.
double LbrLinesBatch::stake_of(const LineNode& node) const {
  const double behind = rules_->betting == Betting::kLimit
                            ? 0.0
                            : std::min(rules_->stacks[0], rules_->stacks[1]) - node.state.max_spent();
  return node.state.pot(*rules_) + kShareBehind * behind;
}

// What LBR wins of all stakes where nobody bets any more.
double LbrLinesBatch::lead_of(const std::vector<LineNode>& nodes) {
  const std::vector<double> leads = lines_.leads(nodes);
  double sum = 0.0;
  for (size_t number = 0; number < nodes.size(); ++number)
    sum += nodes[number].weight * 0.5 * stake_of(nodes[number]) * leads[number] /
           lines_.num_pairs(nodes[number].num_board_cards);
  return sum;
}

// Leaves the lines that are followed. Those with little at stake are drawn together, each as often as its stake says:
// at equal steps through all of them in their order, so that neighbours stand for each other.
void LbrLinesBatch::draw(std::vector<LineNode>& nodes, Philox random) {
  if (limits_.least_stake == 0.0) return;
  double sum = random.uniform();
  std::erase_if(nodes, [&](LineNode& node) {
    const double share = lines_.mass_of(node) / lines_.num_pairs(node.num_board_cards);
    const double chance = node.weight * share * stake_of(node) / limits_.least_stake;
    if (chance >= 1.0) return false;
    sum += chance;
    if (sum < 1.0) return true;
    sum -= 1.0;
    node.weight /= chance;
    return false;
  });
}

// The lines that come to the next round see its cards, and are drawn.
void LbrLinesBatch::enter_round(Walk& walk, LineSums& sums) {
  const auto round_of = [](const LineNode& node) { return node.state.round(); };
  const int round = round_of(*std::ranges::min_element(walk.later, {}, round_of));
  const auto rest = std::ranges::partition(walk.later, [&](const LineNode& node) { return round_of(node) == round; });
  walk.open.assign(std::make_move_iterator(walk.later.begin()), std::make_move_iterator(rest.begin()));
  walk.later.erase(walk.later.begin(), rest.begin());
  std::ranges::sort(walk.open, {},
                    [&](const LineNode& node) { return std::tuple(node.state.pot(*rules_), actions_of(node)); });
  const int num_before = walk.open[0].num_board_cards, num_after = rules_->board_cards_by(round);
  const RangeEquity& equity = lines_.equity();
  const bool finds_luck = limits_.finds_luck && num_after > num_before && num_before >= num_chosen_cards_ &&
                          equity.is_affordable(num_before) && equity.is_affordable(num_after);
  std::optional<double>& known = lead_[lines_.seat()];
  double before = 0.0;
  if (finds_luck) before = num_before == 0 && known ? *known : lead_of(walk.open);
  if (finds_luck && num_before == 0 && trunks_[lines_.seat()].num_nodes > 0) known = before;
  for (LineNode& node : walk.open) lines_.see_board(node);
  std::erase_if(walk.open, [](const LineNode& node) { return node.hands.empty(); });
  draw(walk.open, lines_.random_of({}, kRoundStream + (round << 4)));
  if (finds_luck) sums.luck[round] += lead_of(walk.open) - before;
}

// Until everything is finished or waits. entries: of the trunk, where lines that come to a board are put; sums: of a
// board.
bool LbrLinesBatch::go_on(Walk& walk, std::vector<LineNode>* entries, LineSums* sums) {
  std::swap(walk.open, walk.waiting);
  while (!is_too_large_ && !lines_.lacks_draws()) {
    if (walk.open.empty()) {
      if (!walk.waiting.empty() || walk.later.empty()) break;
      enter_round(walk, *sums);
      continue;
    }
    LineNode node = std::move(walk.open.back());
    walk.open.pop_back();
    if (!lines_.expand(node, children_)) {
      walk.waiting.push_back(std::move(node));
      continue;
    }
    walk.num_nodes += static_cast<int64_t>(children_.size());
    is_too_large_ |= walk.num_nodes > limits_.most_nodes;
    std::erase_if(children_, [&](LineNode& child) {
      if (child.state.is_over())
        walk.ended.push_back(std::move(child));
      else if (entries && !is_before_board(child))
        entries->push_back(std::move(child));
      else if (sums && child.state.round() != node.state.round())
        walk.later.push_back(std::move(child));
      else
        return false;
      return true;
    });
    if (sums) draw(children_, lines_.random_of(node.history, kLineStream));
    std::ranges::move(children_, std::back_inserter(walk.open));
  }
  return is_too_large_ || walk.waiting.empty();
}

// What is done before the first board card is the same for all boards, but where sizes are drawn.
bool LbrLinesBatch::walk_trunk(int seat) {
  Walk& trunk = trunks_[seat];
  if (trunk.is_finished) return true;
  lines_.sit_down(seat, deals_[0].board.data(), std::nullopt);
  opponent_->start_hand({0, 0, 0, 1 - seat});
  if (!trunk.is_begun) {
    LineNode root = lines_.root();
    (is_before_board(root) ? trunk.waiting : entries_[seat]).push_back(std::move(root));
  }
  trunk.is_begun = true;
  const bool is_walked = go_on(trunk, &entries_[seat], nullptr);
  if (lines_.lacks_draws()) {
    trunk = {};
    entries_[seat] = {lines_.root()};
  } else if (!is_walked) {
    return false;
  }
  trunk.is_finished = true;
  num_nodes_ += trunk.num_nodes;
  sort_ended(trunk);
  const auto other =
      std::ranges::partition_point(trunk.ended, [&](const LineNode& node) { return lines_.counted_cards(node) == 0; });
  trunk_endings_[seat] = lines_.finish({trunk.ended.begin(), other});
  return true;
}

bool LbrLinesBatch::advance() {
  if (deals_.empty()) return true;
  bool is_walked = true;
  for (int seat = 0; seat < kSeats; ++seat) is_walked &= walk_trunk(seat);
  if (!is_walked || is_too_large_) return is_too_large_;
  std::erase_if(open_, [&](int64_t deal) {
    bool is_finished = true;
    for (int seat = 0; seat < kSeats && !is_too_large_; ++seat) {
      Walk& walk = walks_[deal][seat];
      if (walk.is_finished) continue;
      lines_.sit_down(seat, deals_[deal].board.data(), deals_[deal].draws);
      if (!walk.is_begun) walk.later = entries_[seat];
      walk.is_begun = true;
      if (go_on(walk, nullptr, &sums_[deal][seat]))
        finish(deal, seat, walk);
      else
        is_finished = false;
    }
    return is_finished;
  });
  return is_too_large_ || open_.empty();
}

// In an order that does not depend on when answers came, those that are found together side by side.
void LbrLinesBatch::sort_ended(Walk& walk) const {
  std::ranges::sort(walk.ended, {}, [&](const LineNode& node) {
    return std::tuple(lines_.counted_cards(node), node.state.num_active(), actions_of(node));
  });
}

void LbrLinesBatch::finish(int64_t deal, int seat, Walk& walk) {
  if (is_too_large_) return;
  num_nodes_ += walk.num_nodes;
  const std::vector<LineNode>& trunk = trunks_[seat].ended;
  const std::vector<LineEnding>& known = trunk_endings_[seat];
  for (size_t number = 0; number < known.size(); ++number) count(deal, seat, trunk[number], known[number]);
  walk.ended.insert(walk.ended.end(), trunk.begin() + static_cast<int64_t>(known.size()), trunk.end());
  sort_ended(walk);
  const std::vector<LineEnding> endings = lines_.finish(walk.ended);
  for (size_t number = 0; number < endings.size(); ++number) count(deal, seat, walk.ended[number], endings[number]);
  walk.ended.clear();
  walk.is_finished = true;
}

void LbrLinesBatch::count(int64_t deal, int seat, const LineNode& node, const LineEnding& ending) {
  const int round = node.history.back().before.round();
  const double pairs = lines_.num_pairs(ending.num_board_cards) / node.weight;
  sums_[deal][seat].mass[round] += ending.mass / pairs;
  sums_[deal][seat].chips[round] += ending.chips / pairs;
  if (classes_) tally(deal, seat, round, node, ending);
}

void LbrLinesBatch::tally(int64_t deal, int seat, int round, const LineNode& node, const LineEnding& ending) {
  if (ending.mass <= 0.0) return;
  const double pairs = lines_.num_pairs(ending.num_board_cards) / node.weight;
  LineTallies& all = tallies_;
  const auto [found, is_new] = all.line_of.try_emplace(std::to_string(seat) + ' ' + betting_text(*rules_, node),
                                                       static_cast<int32_t>(all.lines.size()));
  if (is_new) {
    all.lines.push_back(found->first);
    all.examples.emplace_back();
    all.by_line.resize(all.by_line.size() + classes_->number * 2);
  }
  const int32_t line = found->second;
  all.endings.push_back({deal, line, ending.mass / pairs, ending.chips / pairs});
  if (all.examples[line].deal < 0 || ending.chips / pairs > all.examples[line].weight)
    all.examples[line] = example_of(deal, seat, node, ending);
  const int64_t num_hands = lines_.equity().num_hands();
  const int8_t* class_of = classes_->of.data() + (deal * rules_->num_rounds + round) * num_hands;
  for (int64_t hand = 0; hand < num_hands; ++hand) {
    if (class_of[hand] < 0 || ending.mass_with[hand] == 0.0) continue;
    for (double* sums : {&all.by_line[(int64_t{line} * classes_->number + class_of[hand]) * 2],
                         &all.by_deal[(deal * classes_->number + class_of[hand]) * 2]}) {
      sums[0] += ending.mass_with[hand] / pairs;
      sums[1] += ending.chips_with[hand] / pairs;
    }
  }
}

// The opponent's hand from which most was won, and the hand of LBR that wins most from it.
LineExample LbrLinesBatch::example_of(int64_t deal, int seat, const LineNode& node, const LineEnding& ending) const {
  LineExample example{deal, -1, -1, 0.0, ending.chips / lines_.num_pairs(ending.num_board_cards)};
  const auto best = std::ranges::max_element(ending.chips_with);
  example.other = static_cast<int32_t>(best - ending.chips_with.begin());
  if (*best <= 0.0)  // all lost, or nothing: the one that came most often
    example.other = static_cast<int32_t>(std::ranges::max_element(ending.mass_with) - ending.mass_with.begin());
  const PrivateHands& hands = lines_.equity().hands();
  const auto& other_cards = hands.cards[example.other];
  std::vector<double> chances(lines_.equity().num_hands());
  const bool is_shown = node.state.num_active() > 1;
  if (is_shown) chances_.compute(other_cards.data(), deals_[deal].board.data(), ending.num_board_cards, chances.data());
  double least = 2.0;
  for (const int32_t hand : node.hands) {
    const auto& cards = hands.cards[hand];
    const bool is_met = cards[0] != other_cards[0] && cards[0] != other_cards[1] && cards[1] != other_cards[0] &&
                        cards[1] != other_cards[1];
    if (!is_met || chances[hand] >= least) continue;
    least = chances[hand];
    example.own = hand;
  }
  if (is_shown) {
    example.chips = (1.0 - 2.0 * least) * std::min(node.state.spent(0), node.state.spent(1));
  } else {
    std::array<uint16_t, kMaxSeats> strength{};
    std::array<int64_t, kMaxSeats> shares{};
    payoffs(*rules_, node.state.ending(), strength.data(), shares.data());
    example.chips = static_cast<double>(shares[seat]) / kChipShares;
  }
  return example;
}

}  // namespace nashgap
