#include "solvers/range_cfr.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "abstraction/parallel.h"
#include "ranges/board_steps.h"
#include "ranges/meeting.h"

namespace nashgap {
namespace {

// Less than this is nothing: it has no reciprocal among floats.
constexpr float kLeastWeight = std::numeric_limits<float>::min();

// Each action in proportion to its positive weight, all alike where none has any.
inline void match(const Block* weights, int num_actions, Block* strategy) {
  const Block zero = Block::all(0.0f);
  Block total = zero;
  for (int action = 0; action < num_actions; ++action) {
    strategy[action] = max(weights[action], zero);
    total = total + strategy[action];
  }
  Block share, alike;
  for (int k = 0; k < kVectors; ++k) {
    const auto is_positive = total.part[k] >= Vector{} + kLeastWeight;
    share.part[k] = is_positive ? 1.0f / total.part[k] : zero.part[k];
    alike.part[k] = is_positive ? zero.part[k] : Vector{} + 1.0f / static_cast<float>(num_actions);
  }
  for (int action = 0; action < num_actions; ++action) strategy[action] = strategy[action] * share + alike;
}

// Tables are read in order, through boards that follow each other: what comes soon is asked for, by so many lines,
// since the processor's own guess ends with each page.
inline constexpr int kLinesAhead = 64;
inline void ask_ahead(const Block* table, int num_lines) {
  for (int line = 0; line < num_lines; ++line) __builtin_prefetch(table + kLinesAhead + line);
}

}  // namespace

// One thread's work: vectors of one street for each round on the way.
class RangeWalker {
 public:
  explicit RangeWalker(RangeCfr& solver);

  // What the next walk is for.
  void begin(int player, RangeCfr::Mode mode);
  // The next walk tells, of this decision of the player, values[actions][own hands].
  void watch(const StreetNode* node, AlignedFloats* values) {
    watched_ = node;
    watched_values_ = values;
  }
  // values[own hands][lanes] at a showdown after all cards that are missing.
  void run_out(int64_t board, int round, int num_lanes, const ShowdownPayoffs& payoffs, const float* reach,
               float* values) {
    run_out_.meet(board, round, player_, num_lanes, payoffs, reach, values);
  }

  // values[own hands] of the street on the board.
  void walk(const Street& street, int64_t board, const float* own_reach, const float* other_reach, float* values);
  // The parts of it: what comes before the exits, one of them on one board, and what comes after them.
  void descend(const Street& street, int64_t board, const float* own_reach, const float* other_reach);
  void walk_exit(const Street& street, int exit, int64_t board, int64_t next_board, float* next_values) {
    walk_exit_of(*this, street, exit, board, next_board, next_values);
  }
  // The same where another has descended.
  void walk_exit_of(RangeWalker& above, const Street& street, int exit, int64_t board, int64_t next_board,
                    float* next_values);
  // values[own hands of the exit's board] of the exit on all boards that may come; `values_on(next)` on each.
  template <typename ValuesOn>
  void take_back(const Street& street, int exit, int64_t board, ValuesOn&& values_on);
  void ascend(const Street& street, int64_t board, const float* own_reach, float* values);

 private:
  struct Level {
    AlignedFloats fold_reach, fold_values, showdown_reach, showdown_values;  // [hand][lane]
    AlignedFloats exit_own, exit_other, exit_values;                         // [exit][hand]
    AlignedFloats next_own, next_other, next_values;                         // [hand] of the next board
    std::vector<Block> reach, strategy, values, folds, showdowns;
  };

  const RangeHands& own(int64_t board) const { return solver_.boards_[board].hands[player_]; }
  const RangeHands& other(int64_t board) const { return solver_.boards_[board].hands[1 - player_]; }
  void reach_sequences(const Street& street, const Block* weights, int player, const Block& reach, Level& level) const;
  void descend_other(const Street& street, int64_t board, const float* reach, Level& level);
  void descend_own(const Street& street, int64_t board, const float* reach, Level& level);
  void put_lanes(const std::vector<StreetEnd>& ends, int block, const std::vector<Block>& reach, float* lanes) const;

  RangeCfr& solver_;
  int player_ = 0;
  RangeCfr::Mode mode_ = RangeCfr::Mode::kLearn;
  const float* other_tables_ = nullptr;
  const StreetNode* watched_ = nullptr;
  AlignedFloats* watched_values_ = nullptr;
  std::vector<Level> levels_;
  // [lanes] what ends pay.
  struct Payoffs {
    AlignedFloats fold, win, tie, lose;
  };
  std::array<std::vector<Payoffs>, 2> payoffs_;  // [players][streets]
  RunOut run_out_;
};

RangeWalker::RangeWalker(RangeCfr& solver)
    : solver_(solver), levels_(solver.rules_.num_rounds), run_out_(solver.boards_, solver.rules_.num_rounds) {
  const auto put = [](const std::vector<StreetEnd>& ends, int player, auto part, AlignedFloats& lanes) {
    lanes.resize(padded(static_cast<int>(ends.size())));
    for (size_t lane = 0; lane < ends.size(); ++lane) lanes.data()[lane] = (ends[lane].*part)[player];
  };
  for (int player = 0; player < 2; ++player)
    for (const Street& street : solver.streets_) {
      Payoffs& paid = payoffs_[player].emplace_back();
      put(street.folds, player, &StreetEnd::win, paid.fold);
      put(street.showdowns, player, &StreetEnd::win, paid.win);
      put(street.showdowns, player, &StreetEnd::tie, paid.tie);
      put(street.showdowns, player, &StreetEnd::lose, paid.lose);
    }
}

void RangeWalker::begin(int player, RangeCfr::Mode mode) {
  player_ = player;
  mode_ = mode;
  other_tables_ = (mode == RangeCfr::Mode::kLearn ? solver_.regrets_ : solver_.sums_)[1 - player]->data();
}

void RangeWalker::walk(const Street& street, int64_t board, const float* own_reach, const float* other_reach,
                       float* values) {
  descend(street, board, own_reach, other_reach);
  for (int exit = 0; exit < static_cast<int>(street.exits.size()); ++exit)
    take_back(street, exit, board, [&](int64_t next) {
      AlignedFloats& next_values = levels_[street.round].next_values;
      next_values.resize(own(next).padded_size());
      walk_exit(street, exit, board, next, next_values.data());
      return next_values.data();
    });
  ascend(street, board, own_reach, values);
}

void RangeWalker::descend(const Street& street, int64_t board, const float* own_reach, const float* other_reach) {
  Level& level = levels_[street.round];
  const int num_folds = padded(street.folds.size()), num_showdowns = padded(street.showdowns.size());
  const size_t most = std::max(street.num_slots[0], street.num_slots[1]) + 1;
  level.reach.resize(std::max(level.reach.size(), most));
  level.strategy.resize(std::max(level.strategy.size(), most));
  level.values.resize(std::max(level.values.size(), street.nodes.size()));
  level.folds.resize(std::max<size_t>(level.folds.size(), num_folds));
  level.showdowns.resize(std::max<size_t>(level.showdowns.size(), num_showdowns));
  level.fold_reach.resize(int64_t{num_folds} * other(board).padded_size());
  level.showdown_reach.resize(int64_t{num_showdowns} * other(board).padded_size());
  level.fold_values.resize(int64_t{num_folds} * own(board).padded_size());
  level.showdown_values.resize(int64_t{num_showdowns} * own(board).padded_size());
  level.exit_own.resize(static_cast<int64_t>(street.exits.size()) * own(board).padded_size());
  level.exit_values.resize(static_cast<int64_t>(street.exits.size()) * own(board).padded_size());
  level.exit_other.resize(static_cast<int64_t>(street.exits.size()) * other(board).padded_size());

  descend_other(street, board, other_reach, level);
  if (mode_ == RangeCfr::Mode::kLearn && !street.exits.empty()) descend_own(street, board, own_reach, level);
  Payoffs& paid = payoffs_[player_][&street - solver_.streets_.data()];
  if (num_folds > 0)
    meet_at_folds(solver_.boards_[board], player_, num_folds, level.fold_reach.data(), paid.fold.data(),
                  level.fold_values.data());
  if (num_showdowns > 0)
    run_out(board, street.round, num_showdowns, {paid.win.data(), paid.tie.data(), paid.lose.data()},
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
      from[lane] = &reach[ends[end].sequence[1 - player_]];
    }
    lanes_from_blocks(from, num_lanes, lanes + int64_t{block} * kHandsPerBlock * num_lanes + first);
  }
}

void RangeWalker::descend_other(const Street& street, int64_t board, const float* reach, Level& level) {
  const int num_blocks = other(board).num_blocks(), num_slots = street.num_slots[1 - player_];
  const Block* weights = blocks(other_tables_ + solver_.first_entry(street, board, 1 - player_));
  for (int block = 0; block < num_blocks; ++block) {
    ask_ahead(weights + int64_t{block} * num_slots, num_slots);
    reach_sequences(street, weights + int64_t{block} * num_slots, 1 - player_, blocks(reach)[block], level);
    if (!street.folds.empty()) put_lanes(street.folds, block, level.reach, level.fold_reach.data());
    if (!street.showdowns.empty()) put_lanes(street.showdowns, block, level.reach, level.showdown_reach.data());
    for (size_t exit = 0; exit < street.exits.size(); ++exit)
      blocks(level.exit_other.data())[exit * num_blocks + block] =
          level.reach[street.exits[exit].sequence[1 - player_]];
  }
}

void RangeWalker::descend_own(const Street& street, int64_t board, const float* reach, Level& level) {
  const int num_blocks = own(board).num_blocks(), num_slots = street.num_slots[player_];
  const Block* regrets = blocks(solver_.regrets_[player_]->data() + solver_.first_entry(street, board, player_));
  for (int block = 0; block < num_blocks; ++block) {
    reach_sequences(street, regrets + int64_t{block} * num_slots, player_, blocks(reach)[block], level);
    for (size_t exit = 0; exit < street.exits.size(); ++exit)
      blocks(level.exit_own.data())[exit * num_blocks + block] = level.reach[street.exits[exit].sequence[player_]];
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
  if (mode_ == RangeCfr::Mode::kLearn)
    take(own(next_board), from.exit_own.data() + int64_t{exit} * own(board).padded_size(), level.next_own);
  const Street& next = solver_.streets_[street.exits[exit].street];
  walk(next, next_board, level.next_own.data(), level.next_other.data(), next_values);
}

template <typename ValuesOn>
void RangeWalker::take_back(const Street& street, int exit, int64_t board, ValuesOn&& values_on) {
  float* values = levels_[street.round].exit_values.data() + int64_t{exit} * own(board).padded_size();
  std::fill_n(values, own(board).padded_size(), 0.0f);
  const RangeBoard& here = solver_.boards_[board];
  for (int64_t next = here.first_child; next < here.first_child + here.num_children; ++next)
    add_from_next(solver_.boards_[next], player_, values_on(next), values);
}

void RangeWalker::ascend(const Street& street, int64_t board, const float* own_reach, float* values) {
  Level& level = levels_[street.round];
  const int num_blocks = own(board).num_blocks(), num_slots = street.num_slots[player_];
  const int num_folds = padded(street.folds.size()), num_showdowns = padded(street.showdowns.size());
  const int64_t first = solver_.first_entry(street, board, player_);
  Block* regrets = blocks(solver_.regrets_[player_]->data() + first);
  Block* sums = blocks(solver_.sums_[player_]->data() + first);
  const KeptShares& kept = solver_.kept_;
  const uint8_t* is_locked = solver_.locked_nodes(street, board);
  const Block zero = Block::all(0.0f);
  for (int block = 0; block < num_blocks; ++block, regrets += num_slots, sums += num_slots) {
    if (mode_ == RangeCfr::Mode::kLearn) ask_ahead(regrets, num_slots);
    if (mode_ != RangeCfr::Mode::kRespond) ask_ahead(sums, num_slots);
    for (int lane = 0; lane < num_folds; lane += 4)
      blocks_from_lanes(level.fold_values.data() + int64_t{block} * kHandsPerBlock * num_folds + lane, num_folds,
                        &level.folds[lane]);
    for (int lane = 0; lane < num_showdowns; lane += 4)
      blocks_from_lanes(level.showdown_values.data() + int64_t{block} * kHandsPerBlock * num_showdowns + lane,
                        num_showdowns, &level.showdowns[lane]);
    if (mode_ == RangeCfr::Mode::kLearn) {
      reach_sequences(street, regrets, player_, blocks(own_reach)[block], level);
      for (int slot = 0; slot < num_slots; ++slot) sums[slot] = sums[slot] * kept.sum + level.reach[1 + slot];
      for (size_t number = 0; is_locked && number < street.nodes.size(); ++number)
        if (const StreetNode& node = street.nodes[number]; is_locked[number] && node.player == player_)
          std::copy_n(regrets + node.first_slot, node.num_actions, sums + node.first_slot);
    } else if (mode_ == RangeCfr::Mode::kEvaluate || is_locked) {
      for (const StreetNode& node : street.nodes)
        if (node.player == player_) match(sums + node.first_slot, node.num_actions, &level.strategy[node.first_slot]);
    }
    for (size_t number = street.nodes.size(); number-- > 0;) {
      const StreetNode& node = street.nodes[number];
      const StreetChild* children = &street.children[node.first_child];
      const auto value_of = [&](int action) -> const Block& {
        const int32_t index = children[action].index;
        switch (children[action].kind) {
          case StreetChild::kNode: return level.values[index];
          case StreetChild::kFold: return level.folds[index];
          case StreetChild::kShowdown: return level.showdowns[index];
          default: return blocks(level.exit_values.data())[int64_t{index} * num_blocks + block];
        }
      };
      Block value = zero;
      if (node.player != player_) {
        for (int action = 0; action < node.num_actions; ++action) value = value + value_of(action);
      } else if (mode_ == RangeCfr::Mode::kRespond && !(is_locked && is_locked[number])) {
        value = value_of(0);
        for (int action = 1; action < node.num_actions; ++action) value = max(value, value_of(action));
      } else {
        const Block* strategy = &level.strategy[node.first_slot];
        for (int action = 0; action < node.num_actions; ++action) value = value + strategy[action] * value_of(action);
        if (mode_ == RangeCfr::Mode::kLearn && !(is_locked && is_locked[number]))
          for (int action = 0; action < node.num_actions; ++action) {
            Block& regret = regrets[node.first_slot + action];
            const Block sum = regret + (value_of(action) - value);
            regret = max(sum, zero) * kept.positive + min(sum, zero) * kept.negative;
          }
      }
      level.values[number] = value;
      if (&node == watched_)
        for (int action = 0; action < node.num_actions; ++action)
          blocks(watched_values_->data())[int64_t{action} * num_blocks + block] = value_of(action);
    }
    blocks(values)[block] = level.values[0];
  }
}

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
                   const std::vector<RangeLock>& locks, int num_threads)
    : rules_(rules),
      boards_(rules, 0, board, {ranges[0].data(), ranges[1].data()}, columns_of(locks)),
      streets_(cut_into_streets(rules, tree, rake)),
      layout_(lay_out(rules, boards_, streets_)) {
  for (int player = 0; player < 2; ++player) {
    regrets_[player] = std::make_unique<HugeArray<float>>(layout_.num_entries[player]);
    sums_[player] = std::make_unique<HugeArray<float>>(layout_.num_entries[player]);
    const RangeHands& hands = boards_[0].hands[player];
    root_reach_[player].resize(hands.padded_size());
    for (int hand = 0; hand < hands.size(); ++hand)
      root_reach_[player].data()[hand] = ranges[player][hands.place[hand]];
  }
  for (int thread = 0; thread < num_threads; ++thread) walkers_.push_back(std::make_unique<RangeWalker>(*this));
  const RangeHands& first = boards_[0].hands[0];
  const RangeHands& second = boards_[0].hands[1];
  std::array<double, kNumCards + 1> by_card{};
  double all = 0.0;
  for (int hand = 0; hand < second.size(); ++hand) {
    all += root_reach_[1].data()[hand];
    for (const uint8_t card : second.cards[hand]) by_card[card] += root_reach_[1].data()[hand];
  }
  by_card[kNoCard] = 0.0;
  for (int hand = 0; hand < first.size(); ++hand) {
    double met = all;
    for (const uint8_t card : first.cards[hand]) met -= by_card[card];
    if (first.same[hand] >= 0) met += root_reach_[1].data()[first.same[hand]];
    deal_weight_ += root_reach_[0].data()[hand] * met;
  }
  for (const RangeLock& each : locks) lock(each);
}

void RangeCfr::lock(const RangeLock& lock) {
  const auto [street, number] = find_node(lock.node);
  if (street->nodes[number].num_actions != lock.num_actions) throw std::invalid_argument("a lock has other actions");
  if (is_locked_.empty()) {
    std::vector<int64_t> num_nodes(rules_.num_rounds);
    for (const Street& each : streets_) num_nodes[each.round] += static_cast<int64_t>(each.nodes.size());
    int64_t total = 0;
    for (int round = 0; round < rules_.num_rounds; ++round)
      for (int64_t each = boards_.round_start(round); each < boards_.round_start(round + 1); ++each) {
        first_node_.push_back(total);
        total += num_nodes[round];
      }
    is_locked_.resize(total);
  }
  if (!lock.board.empty()) return lock_on(lock, *street, number, std::get<TreeBoard>(find(lock.node, lock.board)));
  SuitRenaming as_it_is;
  std::iota(as_it_is.begin(), as_it_is.end(), uint8_t{0});
  for (int64_t board = boards_.round_start(street->round); board < boards_.round_start(street->round + 1); ++board)
    lock_on(lock, *street, number, {board, as_it_is});
}

// Weights in proportion to a strategy are that strategy, to whoever matches regrets or takes averages.
void RangeCfr::lock_on(const RangeLock& lock, const Street& street, int number, const TreeBoard& place) {
  const StreetNode& node = street.nodes[number];
  uint8_t& is_locked = is_locked_[first_node_[place.board] + street.first_node + number];
  if (is_locked)
    throw std::invalid_argument("a decision is locked twice, there or on a board that suits alone tell apart");
  is_locked = 1;
  const std::vector<int32_t> places = real_places(boards_[place.board].hands[node.player], place.renaming);
  for (int hand = 0; hand < static_cast<int>(places.size()); ++hand) {
    const int64_t entry = entry_of(street, place.board, node, hand);
    for (int action = 0; action < node.num_actions; ++action) {
      const float share = lock.strategy[int64_t{places[hand]} * node.num_actions + action];
      for (const auto& tables : {&regrets_, &sums_})
        (*tables)[node.player]->data()[entry + action * kHandsPerBlock] = share;
    }
  }
}

RangeCfr::~RangeCfr() = default;

void RangeCfr::iterate(const KeptShares& kept) {
  kept_ = kept;
  for (int player = 0; player < 2; ++player) walk_all(player, Mode::kLearn);
}

double RangeCfr::value(int player) { return walk_all(player, Mode::kEvaluate); }
double RangeCfr::response_value(int player, bool keeps_locks) {
  keeps_locks_ = keeps_locks;
  const double value = walk_all(player, Mode::kRespond);
  keeps_locks_ = true;
  return value;
}

namespace {

// What the average strategy of a hand does, of sums [actions] that lie a block apart.
void average(const float* sums, int num_actions, float* probabilities) {
  float total = 0.0f;
  for (int action = 0; action < num_actions; ++action) total += std::max(sums[action * kHandsPerBlock], 0.0f);
  for (int action = 0; action < num_actions; ++action)
    probabilities[action] = total >= kLeastWeight ? std::max(sums[action * kHandsPerBlock], 0.0f) / total
                                                  : 1.0f / static_cast<float>(num_actions);
}

}  // namespace

int64_t RangeCfr::entry_of(const Street& street, int64_t board, const StreetNode& node, int hand) const {
  return first_entry(street, board, node.player) +
         (int64_t{hand / kHandsPerBlock} * street.num_slots[node.player] + node.first_slot) * kHandsPerBlock +
         hand % kHandsPerBlock;
}

const float* RangeCfr::sums_of(const Street& street, int64_t board, const StreetNode& node, int hand) const {
  return sums_[node.player]->data() + entry_of(street, board, node, hand);
}

std::vector<int32_t> RangeCfr::real_places(const RangeHands& hands, const SuitRenaming& renaming) const {
  SuitRenaming back{};
  for (int suit = 0; suit < kNumSuits; ++suit) back[renaming[suit]] = static_cast<uint8_t>(suit);
  std::vector<int32_t> places;
  for (const auto& cards : hands.cards) {
    uint8_t real[2] = {cards[0], cards[1]};
    for (uint8_t& card : real)
      if (card != kNoCard) card = static_cast<uint8_t>(make_card(rank_of(card), back[suit_of(card)]));
    places.push_back(rules_.hand_place(real));
  }
  return places;
}

std::pair<const Street*, int> RangeCfr::find_node(int64_t node) const {
  for (const Street& street : streets_)
    for (size_t number = 0; number < street.nodes.size(); ++number)
      if (street.nodes[number].node == node) return {&street, static_cast<int>(number)};
  throw std::invalid_argument("no such decision");
}

std::tuple<const Street*, int, TreeBoard> RangeCfr::find(int64_t node, const std::vector<uint8_t>& board) const {
  const auto [street, number] = find_node(node);
  const TreeBoard place = boards_.find(board);
  const bool lies_there = place.board >= boards_.round_start(street->round) &&
                          place.board < boards_.round_start(street->round + 1);
  if (!lies_there) throw std::invalid_argument("no such board lies there");
  return {street, number, place};
}

std::array<AlignedFloats, 2> RangeCfr::reach_of_street(const Street& street, int64_t board) const {
  if (street.parent < 0) return root_reach_;
  const Street& before = streets_[street.parent];
  const int64_t board_before = boards_[board].parent;
  std::array<AlignedFloats, 2> reach = reach_of_street(before, board_before);
  std::array<AlignedFloats, 2> found;
  for (int player = 0; player < 2; ++player) {
    reach_sequence(before, board_before, player, before.exits[street.parent_exit].sequence[player], reach[player]);
    const RangeHands& hands = boards_[board].hands[player];
    found[player].resize(hands.padded_size());
    for (int hand = 0; hand < hands.size(); ++hand)
      found[player].data()[hand] = reach[player].data()[hands.image[hand]];
  }
  return found;
}

void RangeCfr::reach_sequence(const Street& street, int64_t board, int player, int32_t sequence,
                              AlignedFloats& reach) const {
  std::vector<float> probabilities(256);
  for (size_t number = street.nodes.size(); number-- > 0;) {
    const StreetNode& node = street.nodes[number];
    const int action = sequence - 1 - node.first_slot;
    if (node.player != player || action < 0 || action >= node.num_actions) continue;
    for (int hand = 0; hand < boards_[board].hands[player].size(); ++hand) {
      average(sums_of(street, board, node, hand), node.num_actions, probabilities.data());
      reach.data()[hand] *= probabilities[action];
    }
    sequence = node.sequence;
  }
}

std::vector<float> RangeCfr::average_strategy(int64_t node, const std::vector<uint8_t>& board) const {
  const auto [street, number, place] = find(node, board);
  const StreetNode& decision = street->nodes[number];
  std::vector<float> strategy(int64_t{rules_.num_private_hands()} * decision.num_actions);
  const std::vector<int32_t> places = real_places(boards_[place.board].hands[decision.player], place.renaming);
  for (int hand = 0; hand < static_cast<int>(places.size()); ++hand)
    average(sums_of(*street, place.board, decision, hand), decision.num_actions,
            &strategy[int64_t{places[hand]} * decision.num_actions]);
  return strategy;
}

// Of the other's reach: what less of it meets a hand is the rounding of inclusion and exclusion.
constexpr float kLeastShareMet = 1e-5f;

RangeDecision RangeCfr::view(int64_t node, const std::vector<uint8_t>& board) {
  const auto [street, number, place] = find(node, board);
  const StreetNode& decision = street->nodes[number];
  const int player = decision.player, num_actions = decision.num_actions;
  const RangeBoard& here = boards_[place.board];
  const RangeHands& own = here.hands[player];
  const RangeHands& other = here.hands[1 - player];

  std::array<AlignedFloats, 2> reach = reach_of_street(*street, place.board);
  RangeWalker& walker = *walkers_[0];
  AlignedFloats action_values, values;
  action_values.resize(int64_t{num_actions} * own.padded_size());
  values.resize(own.padded_size());
  walker.begin(player, Mode::kEvaluate);
  walker.watch(&decision, &action_values);
  walker.walk(*street, place.board, reach[player].data(), reach[1 - player].data(), values.data());
  walker.watch(nullptr, nullptr);

  const std::array<int32_t, 2> sequence = sequences_at(*street, number);
  for (int each = 0; each < 2; ++each) reach_sequence(*street, place.board, each, sequence[each], reach[each]);

  // One lane of reach: what meets each hand, and what it wins of a pot of 1.
  AlignedFloats lanes, met, equity, payoff;
  for (AlignedFloats* each : {&lanes, &met, &equity})
    each->resize(int64_t{kLanesPerVector} * std::max(own.padded_size(), other.padded_size()));
  for (int hand = 0; hand < other.size(); ++hand)
    lanes.data()[int64_t{hand} * kLanesPerVector] = reach[1 - player].data()[hand];
  payoff.resize(4 * kHandsPerBlock);
  float* win = payoff.data();
  float* tie = win + kHandsPerBlock;
  float* lose = tie + kHandsPerBlock;
  std::fill_n(win, kLanesPerVector, 1.0f);
  std::fill_n(tie, kLanesPerVector, 0.5f);
  std::fill_n(lose, kLanesPerVector, 0.0f);
  meet_at_folds(here, player, kLanesPerVector, lanes.data(), win, met.data());
  walker.run_out(place.board, street->round, kLanesPerVector, {win, tie, lose}, lanes.data(), equity.data());

  RangeDecision view;
  view.player = player;
  view.num_actions = num_actions;
  const int64_t num_hands = rules_.num_private_hands();
  view.strategy = average_strategy(node, board);
  view.values.assign(num_hands * num_actions, 0.0f);
  for (std::vector<float>* each : {&view.reach[0], &view.reach[1], &view.met, &view.equity})
    each->assign(num_hands, 0.0f);
  for (int each = 0; each < 2; ++each) {
    const std::vector<int32_t> places = real_places(here.hands[each], place.renaming);
    for (size_t hand = 0; hand < places.size(); ++hand) view.reach[each][places[hand]] = reach[each].data()[hand];
  }
  const float all_others = std::accumulate(view.reach[1 - player].begin(), view.reach[1 - player].end(), 0.0f);
  const std::vector<int32_t> places = real_places(own, place.renaming);
  for (int hand = 0; hand < own.size(); ++hand) {
    const int64_t row = int64_t{places[hand]} * num_actions;
    const float mass = met.data()[int64_t{hand} * kLanesPerVector];
    if (!(mass > kLeastShareMet * all_others)) continue;
    view.met[places[hand]] = mass;
    view.equity[places[hand]] = equity.data()[int64_t{hand} * kLanesPerVector] / mass;
    for (int action = 0; action < num_actions; ++action)
      view.values[row + action] = action_values.data()[int64_t{action} * own.padded_size() + hand] / mass;
  }
  return view;
}

// What both have done in the street before one of its decisions.
std::array<int32_t, 2> RangeCfr::sequences_at(const Street& street, int number) {
  std::vector<std::array<int32_t, 2>> found(street.nodes.size());
  for (size_t place = 0; place < street.nodes.size(); ++place) {  // a node before those below it
    const StreetNode& node = street.nodes[place];
    for (int action = 0; action < node.num_actions; ++action) {
      const StreetChild& child = street.children[node.first_child + action];
      if (child.kind != StreetChild::kNode) continue;
      found[child.index] = found[place];
      found[child.index][node.player] = 1 + node.first_slot + action;
    }
  }
  return found[number];
}

double RangeCfr::walk_all(int player, Mode mode) {
  for (const auto& walker : walkers_) walker->begin(player, mode);
  RangeWalker& walker = *walkers_[0];
  const Street& street = streets_[0];
  const RangeHands& hands = boards_[0].hands[player];
  const int num_next = boards_[0].num_children;
  const float* own_reach = root_reach_[player].data();
  walker.descend(street, 0, own_reach, root_reach_[1 - player].data());

  // Each exit on each board is a piece of work; adding up afterwards, in order, makes the number of threads invisible.
  const int64_t num_pieces = static_cast<int64_t>(street.exits.size()) * num_next;
  std::vector<AlignedFloats> pieces(num_pieces);
  for_each_item(num_pieces, static_cast<int>(walkers_.size()), [&](int64_t piece, int thread) {
    const int64_t next = boards_[0].first_child + piece % num_next;
    pieces[piece].resize(boards_[next].hands[player].padded_size());
    walkers_[thread]->walk_exit_of(walker, street, static_cast<int>(piece / num_next), 0, next, pieces[piece].data());
  });
  for (int exit = 0; exit < static_cast<int>(street.exits.size()); ++exit)
    walker.take_back(street, exit, 0, [&](int64_t next) {
      return pieces[int64_t{exit} * num_next + next - boards_[0].first_child].data();
    });
  AlignedFloats values;
  values.resize(hands.padded_size());
  walker.ascend(street, 0, own_reach, values.data());
  double total = 0.0;
  for (int hand = 0; hand < hands.size(); ++hand) total += static_cast<double>(own_reach[hand]) * values.data()[hand];
  return total / deal_weight_;
}

}  // namespace nashgap
