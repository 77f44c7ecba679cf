// What a strategy does with every hand in a public state: what AIVAT asks of the seats that it knows.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "poker/state.h"
#include "strategies/abstract_strategy.h"

namespace nashgap {

struct SeatPolicy {
  // An action, or any raise from `low` to `high` with equal chances.
  struct Move {
    Action low, high;

    bool has(Action action) const { return low <= action && action <= high; }
    double chance() const { return 1.0 / (high - low + 1.0); }  // of each action
    Action middle() const { return low + (high - low) / 2; }
  };

  std::vector<Move> moves;
  std::vector<double> table;  // [hands, moves], or one row for all hands

  const double* row(int hand) const { return table.data() + (table.size() == moves.size() ? 0 : hand * moves.size()); }
};

class HandPolicies {
 public:
  virtual ~HandPolicies() = default;
  // Throws std::invalid_argument where it cannot play the game; asked once, before anything else.
  virtual void require_game(const Rules&) const {}
  // Whether `at` can be asked; what is missing is noted.
  virtual bool knows(const PublicState&) { return true; }
  // In a state in which a seat is to act; valid until the next question.
  virtual const SeatPolicy& at(const PublicState& state) = 0;
};

// A strategy of an abstract game; where the betting has left its tree, the mean of its paths.
class TablePolicies final : public HandPolicies {
 public:
  explicit TablePolicies(std::shared_ptr<const AbstractStrategy> strategy) : strategy_(std::move(strategy)) {}

  void require_game(const Rules& rules) const override {
    if (rules != strategy_->rules()) throw std::invalid_argument("a strategy is for another game");
  }
  const SeatPolicy& at(const PublicState& state) override {
    AllHandsPolicy found = strategy_->policy(state);
    policy_.moves.clear();
    for (const Action action : found.actions) policy_.moves.push_back({action, action});
    policy_.table = std::move(found.probabilities);
    return policy_;
  }

 private:
  std::shared_ptr<const AbstractStrategy> strategy_;
  SeatPolicy policy_;
};

// A strategy that is asked elsewhere: it knows what it was told, and notes what it misses.
class ToldPolicies final : public HandPolicies {
 public:
  bool knows(const PublicState& state) override {
    std::string key = key_of(state);
    if (told_.contains(key)) return true;
    if (is_missing_.try_emplace(key).second) {
      missing_.push_back(state);
      missing_keys_.push_back(std::move(key));
    }
    return false;
  }
  const SeatPolicy& at(const PublicState& state) override { return told_.at(key_of(state)); }

  const std::vector<PublicState>& missing() const { return missing_; }
  // Answers to all that is missing, in its order.
  void tell(std::vector<SeatPolicy> policies) {
    for (size_t i = 0; i < policies.size(); ++i) told_.emplace(std::move(missing_keys_[i]), std::move(policies[i]));
    missing_.clear();
    missing_keys_.clear();
    is_missing_.clear();
  }

 private:
  static std::string key_of(const PublicState& state) {
    return state.betting_text() + '|' + std::string(state.board().begin(), state.board().end());
  }

  std::unordered_map<std::string, SeatPolicy> told_;
  std::vector<PublicState> missing_;
  std::vector<std::string> missing_keys_;
  std::unordered_map<std::string, bool> is_missing_;
};

}  // namespace nashgap
