// A player that tells what it does with every hand it could hold: what Local Best Response plays against.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "agents/agent.h"

namespace nashgap {

// Names the draws of what a strategy tells by samples only, apart from those of its play.
struct HandName {
  uint64_t seed, deal, seating;
  int seat;  // of the opponent
};

// Sums over the hands of a range.
struct RangeSums {
  double mass = 0.0;     // weights
  double winning = 0.0;  // weights times the chance that the other hand wins against it
};

// The sum of term(0), term(1), …; in four lanes, so that an addition need not wait for the one before.
template <typename Term>
RangeSums sum_of(int num_terms, Term term) {
  std::array<RangeSums, 4> lanes;
  const auto add = [&](int i, RangeSums& lane) {
    const RangeSums added = term(i);
    lane.mass += added.mass;
    lane.winning += added.winning;
  };
  int i = 0;
  for (; i + 4 <= num_terms; i += 4)
    for (int lane = 0; lane < 4; ++lane) add(i + lane, lanes[lane]);
  for (; i < num_terms; ++i) add(i, lanes[0]);
  return {(lanes[0].mass + lanes[1].mass) + (lanes[2].mass + lanes[3].mass),
          (lanes[0].winning + lanes[1].winning) + (lanes[2].winning + lanes[3].winning)};
}

struct RaiseSums {
  Action raise_to;
  RangeSums sums;
};

// Adds to the entry of the raise, or makes one.
inline void add_raise(Action raise_to, const RangeSums& sums, std::vector<RaiseSums>& raises) {
  for (RaiseSums& known : raises)
    if (known.raise_to == raise_to) {
      known.sums.mass += sums.mass;
      known.sums.winning += sums.winning;
      return;
    }
  raises.push_back({raise_to, sums});
}

// An action, or any raise from `low` to `high` with equal chances.
struct MoveRange {
  Action low, high;
};

// What is done with every hand in one state.
class HandPolicy {
 public:
  void clear() {
    moves_.clear();
    rows_.clear();
  }
  // The same with all hands.
  void add_blind(MoveRange move, double chance) {
    moves_.push_back(move);
    rows_.push_back({chance});
  }
  // [hands], to be filled.
  std::vector<double>& add(MoveRange move, int num_hands) {
    moves_.push_back(move);
    return rows_.emplace_back(num_hands, 0.0);
  }

  int size() const { return static_cast<int>(moves_.size()); }
  const MoveRange& move(int number) const { return moves_[number]; }
  std::vector<double>& row(int number) { return rows_[number]; }
  double chance(int number, int hand) const {
    const std::vector<double>& row = rows_[number];
    return row.size() == 1 ? row[0] : row[hand];
  }

 private:
  std::vector<MoveRange> moves_;
  std::vector<std::vector<double>> rows_;  // [moves][hands], or [moves][1]
};

// Chances of some answers by hand, which several bets share.
class AnswerLanes {
 public:
  explicit AnswerLanes(int num_hands) : num_hands_(num_hands) {}
  void clear() { num_lanes_ = 0; }
  int size() const { return num_lanes_; }
  const double* lane(int number) const { return chances_.data() + static_cast<int64_t>(number) * num_hands_; }
  // [hands], zeros to be filled; the number of the lane is size() - 1 then.
  double* add() {
    chances_.resize(static_cast<int64_t>(num_lanes_ + 1) * num_hands_);
    double* added = chances_.data() + static_cast<int64_t>(num_lanes_++) * num_hands_;
    std::fill_n(added, num_hands_, 0.0);
    return added;
  }

 private:
  int num_hands_, num_lanes_ = 0;
  std::vector<double> chances_;
};

// A share of what is answered to a bet: the action with the chances of a lane.
struct AnswerPart {
  static constexpr int kEveryHand = -1;

  Action action;
  int lane;
  double weight;
};

// What is known of an opponent's hand. Arrays: by place, in the order of CardAbstraction::all_buckets.
struct RangeView {
  const double* weights;  // 0 for hands that cannot be held
  const double* winning;  // weights times the chance that the other hand wins against it
  int num_hands;
  RangeSums total;
};

// Its hole cards are not in the situations, but for the one that it acts in. An answer may be missing: then false is
// returned, and it is known which one to look for.
class RangedOpponent {
 public:
  virtual ~RangedOpponent() = default;
  // Throws std::invalid_argument where it cannot play the game; asked once, before anything else.
  virtual void require_game(const Rules&) const {}
  virtual void start_hand(const HandName&) {}
  // Its turn: an action drawn for the hole cards of the situation.
  virtual bool act(const Situation& situation, Philox& random, Action& action) = 0;
  // Multiplies the weight of every hand by the chance that it takes the action in the situation. Where no hand takes
  // it, as far as is known, the weights stay.
  virtual bool observe(const Situation& situation, Action action, double* weights, int num_hands) = 0;
  // Questions about what it would do soon after this situation follow, with this range.
  virtual void consider(const Situation& situation, const RangeView& range) = 0;
  // The hands that fold in a situation that follows, by the same round's actions, from the one considered.
  virtual bool fold_sums(const Situation& situation, RangeSums& sums) = 0;
  // Those that raise, by what they raise to; where sizes are drawn from a range, its middle stands for it.
  virtual bool raise_sums(const Situation& situation, std::vector<RaiseSums>& raises) = 0;

  // What it does with every hand; hands that share a card with the board may have any chance.
  virtual bool policy(const Situation& situation, HandPolicy& policy) = 0;
  // The same of folds, and of raises if they are asked for, in a situation that follows the one considered: parts that
  // add up, whose lanes are those of earlier answers since then or are added.
  virtual bool answers(const Situation& situation, bool has_raises, AnswerLanes& lanes,
                       std::vector<AnswerPart>& parts) = 0;
};

}  // namespace nashgap
