#include "solvers/range_cfr.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "abstraction/parallel.h"
#include "ranges/board_steps.h"
#include "ranges/meeting.h"

namespace nashgap {
namespace {

// Of the other's reach: what less of it meets a hand is the rounding of inclusion and exclusion.
constexpr float kLeastShareMet = 1e-5f;

// The weight of all pairs of hands that can meet on the root board.
double weight_of_deals(const RangeBoard& root, const std::array<AlignedFloats, 2>& reach) {
  const RangeHands& first = root.hands[0];
  const RangeHands& second = root.hands[1];
  std::array<double, kNumCards + 1> by_card{};
  double all = 0.0, total = 0.0;
  for (int hand = 0; hand < second.size(); ++hand) {
    all += reach[1].data()[hand];
    for (const uint8_t card : second.cards[hand]) by_card[card] += reach[1].data()[hand];
  }
  by_card[kNoCard] = 0.0;
  for (int hand = 0; hand < first.size(); ++hand) {
    double met = all;
    for (const uint8_t card : first.cards[hand]) met -= by_card[card];
    if (first.same[hand] >= 0) met += reach[1].data()[first.same[hand]];
    total += reach[0].data()[hand] * met;
  }
  return total;
}

}  // namespace

std::vector<std::vector<float>> columns_of(const std::vector<RangeLock>& locks) {
  std::vector<std::vector<float>> columns;
  for (const RangeLock& lock : locks)
    for (int action = 0; action < lock.num_actions; ++action) {
      std::vector<float>& column = columns.emplace_back();
      for (size_t entry = action; entry < lock.strategy.size(); entry += lock.num_actions)
        column.push_back(lock.strategy[entry]);
    }
  return columns;
}

RangeCfr::RangeCfr(const Rules& rules, const BettingTree& tree, const std::vector<uint8_t>& board,
                   const std::array<std::vector<float>, 2>& ranges, const Rake& rake,
                   const std::vector<RangeLock>& locks, RangeStorage storage, int num_threads)
    : game_(rules, tree, board, ranges, rake, columns_of(locks)), storage_(storage) {
  for (int player = 0; player < 2; ++player) {
    tables_[player] = std::make_unique<RangeTables>(storage, game_.layout.num_entries[player]);
    const RangeHands& hands = game_.boards[0].hands[player];
    root_reach_[player].resize(hands.padded_size());
    for (int hand = 0; hand < hands.size(); ++hand)
      root_reach_[player].data()[hand] = ranges[player][hands.place[hand]];
  }
  const std::array tables = {tables_[0].get(), tables_[1].get()};
  for (int thread = 0; thread < num_threads; ++thread)
    walkers_.push_back(std::make_unique<RangeWalker>(game_, locked_, tables));
  deal_weight_ = weight_of_deals(game_.boards[0], root_reach_);
  for (const RangeLock& each : locks) lock(each);
}

void RangeCfr::lock(const RangeLock& lock) {
  const auto [street, number] = game_.find_node(lock.node);
  if (street->nodes[number].num_actions != lock.num_actions) throw std::invalid_argument("a lock has other actions");
  if (!lock.board.empty()) return lock_on(lock, *street, number, game_.find(lock.node, lock.board).board);
  SuitRenaming as_it_is;
  std::iota(as_it_is.begin(), as_it_is.end(), uint8_t{0});
  const BoardTree& boards = game_.boards;
  for (int64_t board = boards.round_start(street->round); board < boards.round_start(street->round + 1); ++board)
    lock_on(lock, *street, number, {board, as_it_is});
}

// Weights in proportion to a strategy are that strategy, to whoever matches regrets or takes averages.
void RangeCfr::lock_on(const RangeLock& lock, const Street& street, int number, const TreeBoard& place) {
  const StreetNode& node = street.nodes[number];
  if (!locked_.add(game_, street, number, place.board))
    throw std::invalid_argument("a decision is locked twice, there or on a board that suits alone tell apart");
  const std::vector<int32_t> places = game_.real_places(place, node.player);
  RangeTables& tables = *tables_[node.player];
  const int num_hands = static_cast<int>(places.size());
  std::vector<Block> room(node.num_actions);
  for (int first = 0; first < num_hands; first += kHandsPerBlock) {
    const int64_t slots = game_.place_of(street, place.board, node.player, first / kHandsPerBlock) + node.first_slot;
    for (RangeTable* table : {&tables.regrets, &tables.sums}) {
      Block* weights = table->open(slots, node.num_actions, room.data());
      for (int hand = first; hand < std::min(first + kHandsPerBlock, num_hands); ++hand)
        for (int action = 0; action < node.num_actions; ++action)
          hands_of(weights[action])[hand - first] = lock.strategy[int64_t{places[hand]} * node.num_actions + action];
      table->close(slots, node.num_actions, weights, 0);
    }
  }
}

void RangeCfr::set_predictive(bool is_predictive) {
  for (const auto& tables : tables_) {
    if (!is_predictive) tables->optimistic.reset();
    if (!is_predictive || tables->optimistic) continue;
    tables->optimistic = std::make_unique<RangeTable>(storage_, tables->regrets.num_entries());
    tables->optimistic->copy_from(tables->regrets);
  }
}

void RangeCfr::iterate(int64_t iteration, const KeptShares& kept) {
  for (int player = 0; player < 2; ++player)
    walk_all({.player = player,
              .mode = RangeWalk::kLearn,
              .kept = kept,
              .iteration = iteration,
              .predicts = is_predictive()});
}

double RangeCfr::value(int player) { return walk_all({.player = player, .mode = RangeWalk::kEvaluate}); }
double RangeCfr::response_value(int player, bool keeps_locks) {
  return walk_all({.player = player, .mode = RangeWalk::kRespond, .keeps_locks = keeps_locks});
}

AlignedFloats RangeCfr::averages_at(const Street& street, int64_t board, const StreetNode& node) const {
  const int num_blocks = game_.boards[board].hands[node.player].num_blocks();
  std::vector<Block> room(node.num_actions), strategy(node.num_actions);
  AlignedFloats found;
  found.resize(int64_t{node.num_actions} * num_blocks * kHandsPerBlock);
  for (int block = 0; block < num_blocks; ++block) {
    const int64_t place = game_.place_of(street, board, node.player, block) + node.first_slot;
    match(tables_[node.player]->sums.read(place, node.num_actions, room.data()), node.num_actions, strategy.data());
    for (int action = 0; action < node.num_actions; ++action)
      blocks(found.data())[int64_t{action} * num_blocks + block] = strategy[action];
  }
  return found;
}

std::array<AlignedFloats, 2> RangeCfr::reach_of_street(const Street& street, int64_t board) const {
  if (street.parent < 0) return root_reach_;
  const Street& before = game_.streets[street.parent];
  const int64_t board_before = game_.boards[board].parent;
  std::array<AlignedFloats, 2> reach = reach_of_street(before, board_before);
  std::array<AlignedFloats, 2> found;
  for (int player = 0; player < 2; ++player) {
    reach_sequence(before, board_before, player, before.exits[street.parent_exit].sequence[player], reach[player]);
    const RangeHands& hands = game_.boards[board].hands[player];
    found[player].resize(hands.padded_size());
    for (int hand = 0; hand < hands.size(); ++hand)
      found[player].data()[hand] = reach[player].data()[hands.image[hand]];
  }
  return found;
}

void RangeCfr::reach_sequence(const Street& street, int64_t board, int player, int32_t sequence,
                              AlignedFloats& reach) const {
  for (size_t number = street.nodes.size(); number-- > 0;) {
    const StreetNode& node = street.nodes[number];
    const int action = sequence - 1 - node.first_slot;
    if (node.player != player || action < 0 || action >= node.num_actions) continue;
    const AlignedFloats averages = averages_at(street, board, node);
    const RangeHands& own = game_.boards[board].hands[player];
    for (int hand = 0; hand < own.size(); ++hand)
      reach.data()[hand] *= averages.data()[int64_t{action} * own.padded_size() + hand];
    sequence = node.sequence;
  }
}

std::vector<float> RangeCfr::average_strategy(int64_t node, const std::vector<uint8_t>& board) const {
  const RangePlace place = game_.find(node, board);
  const StreetNode& decision = place.node();
  std::vector<float> strategy(int64_t{game_.rules.num_private_hands()} * decision.num_actions);
  const std::vector<int32_t> places = game_.real_places(place.board, decision.player);
  const AlignedFloats averages = averages_at(*place.street, place.board.board, decision);
  const int64_t size = game_.boards[place.board.board].hands[decision.player].padded_size();
  for (size_t hand = 0; hand < places.size(); ++hand)
    for (int action = 0; action < decision.num_actions; ++action)
      strategy[int64_t{places[hand]} * decision.num_actions + action] = averages.data()[action * size + hand];
  return strategy;
}

RangeDecision RangeCfr::view(int64_t node, const std::vector<uint8_t>& board) {
  const RangePlace place = game_.find(node, board);
  const StreetNode& decision = place.node();
  const int64_t board_number = place.board.board;
  const int player = decision.player, num_actions = decision.num_actions;
  const int num_own = game_.boards[board_number].hands[player].padded_size();

  std::array<AlignedFloats, 2> reach = reach_of_street(*place.street, board_number);
  RangeWalker& walker = *walkers_[0];
  AlignedFloats action_values, values;
  action_values.resize(int64_t{num_actions} * num_own);
  values.resize(num_own);
  walker.begin({.player = player, .mode = RangeWalk::kEvaluate});
  walker.watch(&decision, &action_values);
  walker.walk(*place.street, board_number, reach[player].data(), reach[1 - player].data(), values.data());
  walker.watch(nullptr, nullptr);

  const std::array<int32_t, 2> sequence = sequences_at(*place.street, place.number);
  for (int each = 0; each < 2; ++each) reach_sequence(*place.street, board_number, each, sequence[each], reach[each]);

  RangeDecision view;
  view.player = player;
  view.num_actions = num_actions;
  view.strategy = average_strategy(node, board);
  const int64_t num_hands = game_.rules.num_private_hands();
  for (int each = 0; each < 2; ++each) {
    view.reach[each].assign(num_hands, 0.0f);
    const std::vector<int32_t> places = game_.real_places(place.board, each);
    for (size_t hand = 0; hand < places.size(); ++hand) view.reach[each][places[hand]] = reach[each].data()[hand];
  }
  meet(place, reach[1 - player], view);
  view.values.assign(num_hands * num_actions, 0.0f);
  const std::vector<int32_t> places = game_.real_places(place.board, player);
  for (size_t hand = 0; hand < places.size(); ++hand) {
    const int64_t row = int64_t{places[hand]} * num_actions;
    const float met = view.met[places[hand]];
    for (int action = 0; met > 0.0f && action < num_actions; ++action)
      view.values[row + action] = action_values.data()[int64_t{action} * num_own + hand] / met;
  }
  return view;
}

// One lane of reach: what meets each hand, and what it wins of a pot of 1.
void RangeCfr::meet(const RangePlace& place, const AlignedFloats& other_reach, RangeDecision& view) {
  const RangeBoard& here = game_.boards[place.board.board];
  const RangeHands& own = here.hands[view.player];
  const RangeHands& other = here.hands[1 - view.player];
  AlignedFloats lanes, met, equity, payoff;
  for (AlignedFloats* each : {&lanes, &met, &equity})
    each->resize(int64_t{kLanesPerVector} * std::max(own.padded_size(), other.padded_size()));
  for (int hand = 0; hand < other.size(); ++hand)
    lanes.data()[int64_t{hand} * kLanesPerVector] = other_reach.data()[hand];
  payoff.resize(4 * kHandsPerBlock);
  float* win = payoff.data();
  float* tie = win + kHandsPerBlock;
  float* lose = tie + kHandsPerBlock;
  std::fill_n(win, kLanesPerVector, 1.0f);
  std::fill_n(tie, kLanesPerVector, 0.5f);
  std::fill_n(lose, kLanesPerVector, 0.0f);
  meet_at_folds(here, view.player, kLanesPerVector, lanes.data(), win, met.data());
  walkers_[0]->run_out(place.board.board, place.street->round, kLanesPerVector, {win, tie, lose}, lanes.data(),
                       equity.data());

  const std::vector<float>& others = view.reach[1 - view.player];
  const float all_others = std::accumulate(others.begin(), others.end(), 0.0f);
  view.met.assign(game_.rules.num_private_hands(), 0.0f);
  view.equity.assign(game_.rules.num_private_hands(), 0.0f);
  const std::vector<int32_t> places = game_.real_places(place.board, view.player);
  for (int hand = 0; hand < own.size(); ++hand) {
    const float mass = met.data()[int64_t{hand} * kLanesPerVector];
    if (!(mass > kLeastShareMet * all_others)) continue;
    view.met[places[hand]] = mass;
    view.equity[places[hand]] = equity.data()[int64_t{hand} * kLanesPerVector] / mass;
  }
}

double RangeCfr::walk_all(const RangeWalk& walk) {
  for (const auto& walker : walkers_) walker->begin(walk);
  const int player = walk.player;
  RangeWalker& walker = *walkers_[0];
  const Street& street = game_.streets[0];
  const RangeHands& hands = game_.boards[0].hands[player];
  const int num_next = game_.boards[0].num_children;
  const float* own_reach = root_reach_[player].data();
  walker.descend(street, 0, own_reach, root_reach_[1 - player].data());

  // Each exit on each board is a piece of work; adding up afterwards, in order, makes the number of threads invisible.
  const int64_t num_pieces = static_cast<int64_t>(street.exits.size()) * num_next;
  std::vector<AlignedFloats> pieces(num_pieces);
  for_each_item(num_pieces, static_cast<int>(walkers_.size()), [&](int64_t piece, int thread) {
    const int64_t next = game_.boards[0].first_child + piece % num_next;
    pieces[piece].resize(int64_t{walker.num_vectors()} * game_.boards[next].hands[player].padded_size());
    walkers_[thread]->walk_exit_of(walker, street, static_cast<int>(piece / num_next), 0, next, pieces[piece].data());
  });
  for (int exit = 0; exit < static_cast<int>(street.exits.size()); ++exit)
    walker.take_back(street, exit, 0, [&](int64_t next) {
      return pieces[int64_t{exit} * num_next + next - game_.boards[0].first_child].data();
    });
  AlignedFloats values;
  values.resize(int64_t{walker.num_vectors()} * hands.padded_size());
  walker.ascend(street, 0, own_reach, values.data());
  double total = 0.0;
  for (int hand = 0; hand < hands.size(); ++hand) total += static_cast<double>(own_reach[hand]) * values.data()[hand];
  return total / deal_weight_;
}

}  // namespace nashgap
