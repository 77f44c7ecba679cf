// An opponent whose strategy is asked elsewhere: it knows the answers that it was told, and notes those that it misses.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "measure/ranged_opponent.h"
#include "poker/state.h"

namespace nashgap {

// What is done in one public state. Tables: [hands, moves], or one row for all hands.
struct AskedAnswer {
  std::vector<MoveRange> moves;
  std::vector<double> believed;
  std::vector<double> played;  // a sample of its own, where the strategy is known by samples; else empty

  // The row of a hand in one of the tables.
  const double* row(const std::vector<double>& table, int hand) const {
    return table.data() + (table.size() == moves.size() ? 0 : hand * moves.size());
  }
  // The chance of one action in a row.
  double chance(const double* row, Action action) const;
  int64_t num_bytes() const {
    return static_cast<int64_t>(sizeof(AskedAnswer) + moves.size() * sizeof(MoveRange) +
                                (believed.size() + played.size()) * sizeof(double));
  }
};

class AskedOpponent final : public RangedOpponent {
 public:
  static constexpr int64_t kMostBytes = int64_t{256} << 20;

  // is_sampled: an answer is for one hand alone. most_bytes: of the answers that are kept, but for those that were
  // told or looked at since the last were told: who tries again from the beginning finds all that was there before.
  AskedOpponent(std::shared_ptr<const Rules> rules, bool is_sampled, int64_t most_bytes = kMostBytes)
      : rules_(std::move(rules)), is_sampled_(is_sampled), most_bytes_(most_bytes) {}

  void require_game(const Rules& rules) const override;
  void start_hand(const HandName& hand) override;
  bool act(const Situation& situation, Philox& random, Action& action) override;
  bool observe(const Situation& situation, Action action, double* weights, int num_hands) override;
  void consider(const Situation&, const RangeView& range) override { range_ = range; }
  bool fold_sums(const Situation& situation, RangeSums& sums) override;
  bool raise_sums(const Situation& situation, std::vector<RaiseSums>& raises) override;
  bool policy(const Situation& situation, HandPolicy& policy) override;
  bool answers(const Situation& situation, bool has_raises, AnswerLanes& lanes,
               std::vector<AnswerPart>& parts) override;

  // States that it was asked about, each once.
  const std::vector<PublicState>& missing() const { return missing_; }
  // Deal and seating of the hand that each is for, where answers are for one hand alone.
  const std::vector<std::pair<uint64_t, uint64_t>>& missing_hands() const { return missing_hands_; }
  // answers: for the missing states, in their order; then none is missing.
  void tell(std::vector<AskedAnswer> answers);
  // Answers so far.
  int64_t num_told() const { return num_told_; }

 private:
  const AskedAnswer* find(const Situation& situation);

  std::shared_ptr<const Rules> rules_;
  bool is_sampled_;
  int64_t most_bytes_;
  HandName hand_{};
  std::string hand_key_;
  // By betting and board: those of late, and those before, which go when as many have come again.
  std::unordered_map<std::string, AskedAnswer> recent_, older_;
  int64_t recent_bytes_ = 0, num_told_ = 0;
  std::vector<PublicState> missing_;
  std::vector<std::string> missing_keys_;
  std::unordered_set<std::string> is_missing_;
  std::vector<std::pair<uint64_t, uint64_t>> missing_hands_;
  RangeView range_{};
};

}  // namespace nashgap
