#include "solvers/range_walker.h"

#include <algorithm>

#include "ranges/meeting.h"

namespace nashgap {
RangeWalker::RangeWalker(const RangeGame& game, const LockedNodes& locked, const std::array<RangeTables*, 2>& tables)
    : game_(game),
      locked_(locked),
      tables_(tables),
      levels_(game.rules.num_rounds),
      run_out_(game.boards, game.rules.num_rounds) {
  for (int player = 0; player < 2; ++player)
    for (const Street& street : game.streets) payoffs_[player].emplace_back(street, player);
}

void RangeWalker::begin(const RangeWalk& walk) { walk_ = walk; }

void RangeWalker::walk(const Street& street, int64_t board, const float* own_reach, const float* other_reach,
                       float* values) {
  descend(street, board, own_reach, other_reach);
  for (int exit = 0; exit < static_cast<int>(street.exits.size()); ++exit)
    take_back(street, exit, board, [&](int64_t next) {
      AlignedFloats& next_values = levels_[street.round].next_values;
      next_values.resize(int64_t{num_vectors()} * own(next).padded_size());
      walk_exit(street, exit, board, next, next_values.data());
      return next_values.data();
    });
  ascend(street, board, own_reach, values);
}

void RangeWalker::make_room(const Street& street, int64_t board, Level& level) const {
  const int64_t num_folds = padded(street.folds.size()), num_showdowns = padded(street.showdowns.size());
  const int64_t num_exits = static_cast<int64_t>(street.exits.size());
  const int64_t num_slots = std::max(street.num_slots[0], street.num_slots[1]);
  const auto have = [](std::vector<Block>& room, int64_t size) {
    if (static_cast<int64_t>(room.size()) < size) room.resize(size);
  };
  have(level.reach, num_slots + 1);
  have(level.strategy, num_slots);
  for (std::vector<Block>* room : {&level.regrets, &level.optimistic, &level.sums}) have(*room, num_slots);
  have(level.values, static_cast<int64_t>(street.nodes.size()));
  have(level.forecasts, static_cast<int64_t>(street.nodes.size()));
  have(level.folds, num_folds);
  have(level.showdowns, num_showdowns);
  level.fold_reach.resize(num_folds * other(board).padded_size());
  level.showdown_reach.resize(num_showdowns * other(board).padded_size());
  level.exit_other.resize(num_exits * other(board).padded_size());
  level.fold_values.resize(num_folds * own(board).padded_size());
  level.showdown_values.resize(num_showdowns * own(board).padded_size());
  level.exit_own.resize(num_exits * own(board).padded_size());
  level.exit_values.resize(num_vectors() * num_exits * own(board).padded_size());
}

void RangeWalker::descend(const Street& street, int64_t board, const float* own_reach, const float* other_reach) {
  Level& level = levels_[street.round];
  make_room(street, board, level);
  descend_other(street, board, other_reach, level);
  if (learns() && !street.exits.empty()) descend_own(street, board, own_reach, level);
  LanePayoffs& paid = payoffs_[walk_.player][game_.number_of(street)];
  if (!street.folds.empty())
    meet_at_folds(game_.boards[board], walk_.player, padded(street.folds.size()), level.fold_reach.data(),
                  paid.fold.data(), level.fold_values.data());
  if (!street.showdowns.empty())
    run_out(board, street.round, padded(street.showdowns.size()), {paid.win.data(), paid.tie.data(), paid.lose.data()},
            level.showdown_reach.data(), level.showdown_values.data());
}

void RangeWalker::reach_sequences(const Street& street, const Block* weights, int player, const Block& reach,
                                  Level& level) const {
  level.reach[0] = reach;
  for (const StreetNode& node : street.nodes) {
    if (node.player != player) continue;
    Block* strategy = &level.strategy[node.first_slot];
    match(weights + node.first_slot, node.num_actions, strategy);
    for (int action = 0; action < node.num_actions; ++action)
      level.reach[1 + node.first_slot + action] = level.reach[node.sequence] * strategy[action];
  }
}

void RangeWalker::put_lanes(const std::vector<StreetEnd>& ends, int block, const std::vector<Block>& reach,
                            float* lanes) const {
  const int num_lanes = padded(ends.size());
  for (int first = 0; first < num_lanes; first += 4) {
    const Block* from[4];
    for (int lane = 0; lane < 4; ++lane) {
      const size_t end = std::min<size_t>(first + lane, ends.size() - 1);  // lanes that nobody looks at repeat the last
      from[lane] = &reach[ends[end].sequence[1 - walk_.player]];
    }
    lanes_from_blocks(from, num_lanes, lanes + int64_t{block} * kHandsPerBlock * num_lanes + first);
  }
}

void RangeWalker::descend_other(const Street& street, int64_t board, const float* reach, Level& level) {
  const int player = 1 - walk_.player;
  const int num_blocks = other(board).num_blocks(), num_slots = street.num_slots[player];
  const RangeTable& table = learns() ? tables_[player]->matched() : tables_[player]->sums;
  int64_t place = game_.place_of(street, board, player, 0);
  for (int block = 0; block < num_blocks; ++block, place += num_slots) {
    const Block* weights = table.read(place, num_slots, level.regrets.data());
    reach_sequences(street, weights, player, blocks(reach)[block], level);
    if (!street.folds.empty()) put_lanes(street.folds, block, level.reach, level.fold_reach.data());
    if (!street.showdowns.empty()) put_lanes(street.showdowns, block, level.reach, level.showdown_reach.data());
    for (size_t exit = 0; exit < street.exits.size(); ++exit)
      blocks(level.exit_other.data())[exit * num_blocks + block] = level.reach[street.exits[exit].sequence[player]];
  }
}

void RangeWalker::descend_own(const Street& street, int64_t board, const float* reach, Level& level) {
  const int player = walk_.player;
  const int num_blocks = own(board).num_blocks(), num_slots = street.num_slots[player];
  int64_t place = game_.place_of(street, board, player, 0);
  for (int block = 0; block < num_blocks; ++block, place += num_slots) {
    const Block* matched = tables_[player]->matched().read(place, num_slots, level.regrets.data());
    reach_sequences(street, matched, player, blocks(reach)[block], level);
    for (size_t exit = 0; exit < street.exits.size(); ++exit)
      blocks(level.exit_own.data())[exit * num_blocks + block] = level.reach[street.exits[exit].sequence[player]];
  }
}

void RangeWalker::walk_exit_of(RangeWalker& above, const Street& street, int exit, int64_t board, int64_t next_board,
                               float* next_values) {
  Level& from = above.levels_[street.round];
  Level& level = levels_[street.round];
  const auto take = [](const RangeHands& hands, const float* reach, AlignedFloats& to) {
    to.resize(hands.padded_size());
    take_to_next(hands, reach, to.data());
  };
  take(other(next_board), from.exit_other.data() + int64_t{exit} * other(board).padded_size(), level.next_other);
  if (learns()) take(own(next_board), from.exit_own.data() + int64_t{exit} * own(board).padded_size(), level.next_own);
  const Street& next = game_.streets[street.exits[exit].street];
  walk(next, next_board, level.next_own.data(), level.next_other.data(), next_values);
}

void RangeWalker::ascend(const Street& street, int64_t board, const float* own_reach, float* values) {
  Level& level = levels_[street.round];
  const int player = walk_.player;
  const int num_blocks = own(board).num_blocks(), num_slots = street.num_slots[player];
  const uint8_t* is_locked = walk_.keeps_locks ? locked_.on(street, board) : nullptr;
  int64_t place = game_.place_of(street, board, player, 0);
  for (int block = 0; block < num_blocks; ++block, place += num_slots) {
    const OpenRow row = open(place, num_slots, is_locked != nullptr, level);
    take_ends(street, block, level);
    if (learns()) {
      reach_sequences(street, walk_.predicts ? row.optimistic : row.regrets, player, blocks(own_reach)[block], level);
      add_strategy(street, is_locked, row, level);
    } else if (row.sums) {
      for (const StreetNode& node : street.nodes)
        if (node.player == player)
          match(row.sums + node.first_slot, node.num_actions, &level.strategy[node.first_slot]);
    }
    climb(street, board, block, is_locked, row, level);
    if (learns()) close(place, num_slots, row);
    blocks(values)[block] = level.values[0];
    if (walk_.predicts) blocks(values)[num_blocks + block] = level.forecasts[0];
  }
}

RangeWalker::OpenRow RangeWalker::open(int64_t place, int num_slots, bool has_locks, Level& level) {
  RangeTables& tables = *tables_[walk_.player];
  OpenRow row{};
  if (learns()) row.regrets = tables.regrets.open(place, num_slots, level.regrets.data());
  if (walk_.predicts) row.optimistic = tables.optimistic->open(place, num_slots, level.optimistic.data());
  if (walk_.mode != RangeWalk::kRespond || has_locks) row.sums = tables.sums.open(place, num_slots, level.sums.data());
  return row;
}

void RangeWalker::close(int64_t place, int num_slots, const OpenRow& row) {
  RangeTables& tables = *tables_[walk_.player];
  tables.regrets.close(place, num_slots, row.regrets, walk_.iteration);
  tables.sums.close(place, num_slots, row.sums, walk_.iteration);
  if (walk_.predicts) tables.optimistic->close(place, num_slots, row.optimistic, walk_.iteration);
}

void RangeWalker::take_ends(const Street& street, int block, Level& level) const {
  const auto take = [&](int num_lanes, const AlignedFloats& lanes, Block* to) {
    const float* rows = lanes.data() + int64_t{block} * kHandsPerBlock * num_lanes;
    for (int lane = 0; lane < num_lanes; lane += 4) blocks_from_lanes(rows + lane, num_lanes, to + lane);
  };
  take(padded(street.folds.size()), level.fold_values, level.folds.data());
  take(padded(street.showdowns.size()), level.showdown_values, level.showdowns.data());
}

// The strategy that is played, weighted by own reach; the sums of a locked decision are what is given there.
void RangeWalker::add_strategy(const Street& street, const uint8_t* is_locked, const OpenRow& row,
                               const Level& level) const {
  const float kept = walk_.kept.sum;
  const int num_slots = street.num_slots[walk_.player];
  for (int slot = 0; slot < num_slots; ++slot) row.sums[slot] = row.sums[slot] * kept + level.reach[1 + slot];
  for (size_t number = 0; is_locked && number < street.nodes.size(); ++number)
    if (const StreetNode& node = street.nodes[number]; is_locked[number] && node.player == walk_.player)
      std::copy_n(row.regrets + node.first_slot, node.num_actions, row.sums + node.first_slot);
}

// Values of the street's decisions for one block, bottom-up, and what is learned at them.
void RangeWalker::climb(const Street& street, int64_t board, int block, const uint8_t* is_locked, const OpenRow& row,
                        Level& level) {
  const int num_blocks = own(board).num_blocks();
  const Block* exits = blocks(level.exit_values.data()) + block;
  const StreetValues values{level.values.data(), level.folds.data(), level.showdowns.data(), exits, num_blocks};
  const KeptShares kept = walk_.kept;
  const Block zero = Block::all(0.0f);
  StreetValues forecasts = values;
  forecasts.nodes = level.forecasts.data();
  forecasts.exits = exits + static_cast<int64_t>(street.exits.size()) * num_blocks;
  for (size_t number = street.nodes.size(); number-- > 0;) {
    const StreetNode& node = street.nodes[number];
    const StreetChild* children = &street.children[node.first_child];
    const bool is_given = is_locked && is_locked[number];
    Block* strategy = &level.strategy[node.first_slot];
    Block value = zero;
    if (node.player != walk_.player) {
      for (int action = 0; action < node.num_actions; ++action) value = value + values.at(children[action]);
    } else if (walk_.mode == RangeWalk::kRespond && !is_given) {
      value = values.at(children[0]);
      for (int action = 1; action < node.num_actions; ++action) value = max(value, values.at(children[action]));
    } else {
      for (int action = 0; action < node.num_actions; ++action)
        value = value + strategy[action] * values.at(children[action]);
      if (learns() && !is_given) {
        Block* regrets = row.regrets + node.first_slot;
        for (int action = 0; action < node.num_actions; ++action) {
          const Block sum = regrets[action] + (values.at(children[action]) - value);
          regrets[action] = max(sum, zero) * kept.positive + min(sum, zero) * kept.negative;
        }
      }
    }
    level.values[number] = value;
    if (walk_.predicts) level.forecasts[number] = forecast(node, children, forecasts, is_given, row, strategy);
    if (&node == watched_)
      for (int action = 0; action < node.num_actions; ++action)
        blocks(watched_values_->data())[int64_t{action} * num_blocks + block] = values.at(children[action]);
  }
}

// What the decision gets by the strategies of the next iteration, if the other goes on as it is (Farina, Kroer &
// Sandholm 2021: predictions go bottom-up too). Its own follows from what it is expected to regret, if it is not given.
Block RangeWalker::forecast(const StreetNode& node, const StreetChild* children, const StreetValues& forecasts,
                            bool is_given, const OpenRow& row, Block* strategy) const {
  if (node.player != walk_.player) {
    Block total = Block::all(0.0f);
    for (int action = 0; action < node.num_actions; ++action) total = total + forecasts.at(children[action]);
    return total;
  }
  const auto expect = [&] {
    Block expected = Block::all(0.0f);
    for (int action = 0; action < node.num_actions; ++action)
      expected = expected + strategy[action] * forecasts.at(children[action]);
    return expected;
  };
  if (!is_given) {
    const Block expected = expect();
    Block* optimistic = row.optimistic + node.first_slot;
    for (int action = 0; action < node.num_actions; ++action)
      optimistic[action] = row.regrets[node.first_slot + action] + (forecasts.at(children[action]) - expected);
    match(optimistic, node.num_actions, strategy);
  }
  return expect();
}

}  // namespace nashgap
