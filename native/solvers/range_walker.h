// One player's walk through a game of two ranges: the other's reach goes down, values of the player's hands come up,
// and regrets are learned on the way.
//
// What a walk needs of a street on a board lies together, [block of hands][slot][hand], so that a block goes through
// all decisions of the street while it is in the nearest cache.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ranges/blocks.h"
#include "ranges/board_steps.h"
#include "ranges/street_values.h"
#include "solvers/range_game.h"
#include "solvers/range_table.h"

namespace nashgap {

// What an iteration keeps of the past.
struct KeptShares {
  float positive, negative;  // of regret
  float sum;                 // of the strategies of the iterations before
};

// What is known of one player's hands: a number for each slot and hand, see RangeLayout.
struct RangeTables {
  RangeTables(RangeStorage storage, int64_t num_entries) : regrets(storage, num_entries), sums(storage, num_entries) {}

  // What strategies are matched to.
  const RangeTable& matched() const { return optimistic ? *optimistic : regrets; }

  RangeTable regrets;
  RangeTable sums;                         // of strategies
  std::unique_ptr<RangeTable> optimistic;  // regrets with what the next iteration is expected to add, or null
};

// What a walk is for.
struct RangeWalk {
  enum Mode : uint8_t {
    kLearn,     // both play by their regrets; the player learns
    kEvaluate,  // both play their average strategies
    kRespond,   // the other plays its average strategy, the player its best answer
  };
  int player = 0;
  Mode mode = kLearn;
  KeptShares kept{};        // where it learns
  int64_t iteration = 0;    // where it learns, counted from 1
  bool predicts = false;    // where it learns: strategies are matched to optimistic regrets
  bool keeps_locks = true;  // where it responds
};

// One thread's work: vectors of one street for each round on the way.
class RangeWalker {
 public:
  RangeWalker(const RangeGame& game, const LockedNodes& locked, const std::array<RangeTables*, 2>& tables);

  void begin(const RangeWalk& walk);
  // The next walk tells, of this decision of the player, values[actions][own hands].
  void watch(const StreetNode* node, AlignedFloats* values) {
    watched_ = node;
    watched_values_ = values;
  }
  // values[own hands][lanes] at a showdown after all cards that are missing.
  void run_out(int64_t board, int round, int num_lanes, const ShowdownPayoffs& payoffs, const float* reach,
               float* values) {
    run_out_.meet(board, round, walk_.player, num_lanes, payoffs, reach, values);
  }

  // Vectors that come up, [vectors][own hands]: values by the strategies that are played; where the walk predicts also
  // their forecast, which is by the strategies of the next iteration.
  int num_vectors() const { return walk_.predicts ? 2 : 1; }

  // values[vectors][own hands] of the street on the board.
  void walk(const Street& street, int64_t board, const float* own_reach, const float* other_reach, float* values);
  // The parts of it: what comes before the exits, one of them on one board, and what comes after them.
  void descend(const Street& street, int64_t board, const float* own_reach, const float* other_reach);
  void walk_exit(const Street& street, int exit, int64_t board, int64_t next_board, float* next_values) {
    walk_exit_of(*this, street, exit, board, next_board, next_values);
  }
  // The same where another has descended.
  void walk_exit_of(RangeWalker& above, const Street& street, int exit, int64_t board, int64_t next_board,
                    float* next_values);
  // What an exit comes to on all boards that may follow; `values_on(next)` is [vectors][own hands] on each.
  template <typename ValuesOn>
  void take_back(const Street& street, int exit, int64_t board, ValuesOn&& values_on) {
    const int64_t size = own(board).padded_size();
    float* values = levels_[street.round].exit_values.data() + exit * size;
    const int64_t to_next_vector = static_cast<int64_t>(street.exits.size()) * size;
    for (int vector = 0; vector < num_vectors(); ++vector) std::fill_n(values + vector * to_next_vector, size, 0.0f);
    const RangeBoard& here = game_.boards[board];
    for (int64_t next = here.first_child; next < here.first_child + here.num_children; ++next) {
      const float* next_values = values_on(next);
      for (int vector = 0; vector < num_vectors(); ++vector)
        add_from_next(game_.boards[next], walk_.player, next_values + int64_t{vector} * own(next).padded_size(),
                      values + vector * to_next_vector);
    }
  }
  void ascend(const Street& street, int64_t board, const float* own_reach, float* values);

 private:
  struct Level {
    AlignedFloats fold_reach, fold_values, showdown_reach, showdown_values;   // [hand][lane]
    AlignedFloats exit_own, exit_other;                                       // [exit][hand]
    AlignedFloats exit_values;                                                // [vector][exit][hand]
    AlignedFloats next_own, next_other;                                       // [hand] of the next board
    AlignedFloats next_values;                                                // [vector][hand] of the next board
    std::vector<Block> reach, strategy, values, forecasts, folds, showdowns;  // of one block
    std::vector<Block> regrets, optimistic, sums;                             // of one block, where they are packed
  };

  // What tables have of one block in a street: [slots] of the player.
  struct OpenRow {
    Block *regrets, *optimistic, *sums;  // null where they are not needed
  };

  const RangeHands& own(int64_t board) const { return game_.boards[board].hands[walk_.player]; }
  const RangeHands& other(int64_t board) const { return game_.boards[board].hands[1 - walk_.player]; }
  bool learns() const { return walk_.mode == RangeWalk::kLearn; }
  void make_room(const Street& street, int64_t board, Level& level) const;
  void reach_sequences(const Street& street, const Block* weights, int player, const Block& reach, Level& level) const;
  void descend_other(const Street& street, int64_t board, const float* reach, Level& level);
  void descend_own(const Street& street, int64_t board, const float* reach, Level& level);
  void put_lanes(const std::vector<StreetEnd>& ends, int block, const std::vector<Block>& reach, float* lanes) const;
  OpenRow open(int64_t place, int num_slots, bool has_locks, Level& level);
  void close(int64_t place, int num_slots, const OpenRow& row);
  void take_ends(const Street& street, int block, Level& level) const;
  void add_strategy(const Street& street, const uint8_t* is_locked, const OpenRow& row, const Level& level) const;
  void climb(const Street& street, int64_t board, int block, const uint8_t* is_locked, const OpenRow& row,
             Level& level);
  Block forecast(const StreetNode& node, const StreetChild* children, const StreetValues& forecasts, bool is_given,
                 const OpenRow& row, Block* strategy) const;

  const RangeGame& game_;
  const LockedNodes& locked_;
  std::array<RangeTables*, 2> tables_;
  RangeWalk walk_;
  const StreetNode* watched_ = nullptr;
  AlignedFloats* watched_values_ = nullptr;
  std::vector<Level> levels_;
  std::array<std::vector<LanePayoffs>, 2> payoffs_;  // [players][streets]
  RunOut run_out_;
};

}  // namespace nashgap
