#include "ranges/street.h"

#include <algorithm>
#include <stdexcept>

namespace nashgap {
namespace {

class Cutter {
 public:
  Cutter(const Rules& rules, const BettingTree& tree, const Rake& rake) : rules_(rules), tree_(tree), rake_(rake) {}

  std::vector<Street> cut() {
    starts_.push_back({tree_.root, -1, -1});
    for (size_t i = 0; i < starts_.size(); ++i) {  // grows
      street_ = Street{};
      street_.round = round_of(starts_[i].node);
      street_.parent = starts_[i].street;
      street_.parent_exit = starts_[i].exit;
      street_.first_node = num_nodes_[street_.round];
      add_node(starts_[i].node, {0, 0});
      num_nodes_[street_.round] += static_cast<int64_t>(street_.nodes.size());
      streets_.push_back(std::move(street_));
    }
    return std::move(streets_);
  }

 private:
  // A street that begins, and where it comes from.
  struct Start {
    int32_t node, street, exit;
  };

  int round_of(int32_t node) const {
    const auto after = std::upper_bound(tree_.round_start.begin(), tree_.round_start.end(), node);
    return static_cast<int>(after - tree_.round_start.begin()) - 1;
  }

  int32_t add_node(int32_t node, std::array<int32_t, 2> sequence) {
    const int32_t number = static_cast<int32_t>(street_.nodes.size());
    const int player = tree_.seat[node], num_actions = tree_.num_actions(node);
    const int32_t first_slot = street_.num_slots[player];
    const int32_t first_child = static_cast<int32_t>(street_.children.size());
    street_.nodes.push_back({node, static_cast<uint8_t>(player), static_cast<uint8_t>(num_actions), first_slot,
                             sequence[player], first_child});
    street_.num_slots[player] += num_actions;
    street_.children.resize(first_child + num_actions);
    for (int action = 0; action < num_actions; ++action) {
      std::array<int32_t, 2> after = sequence;
      after[player] = 1 + first_slot + action;
      const StreetChild child = add_child(tree_.child[tree_.first_edge[node] + action], after);
      street_.children[first_child + action] = child;
    }
    return number;
  }

  StreetChild add_child(int32_t target, const std::array<int32_t, 2>& sequence) {
    if (target >= 0 && round_of(target) == street_.round) return {StreetChild::kNode, add_node(target, sequence)};
    if (target >= 0) {
      street_.exits.push_back({sequence, static_cast<int32_t>(starts_.size())});
      starts_.push_back(
          {target, static_cast<int32_t>(streets_.size()), static_cast<int32_t>(street_.exits.size()) - 1});
      return {StreetChild::kNextStreet, static_cast<int32_t>(street_.exits.size()) - 1};
    }
    const Ending& ending = tree_.endings[-1 - target];
    const bool is_fold = ending.folded != 0;
    std::vector<StreetEnd>& ends = is_fold ? street_.folds : street_.showdowns;
    ends.push_back(end_of(ending, sequence));
    return {is_fold ? StreetChild::kFold : StreetChild::kShowdown, static_cast<int32_t>(ends.size()) - 1};
  }

  StreetEnd end_of(const Ending& ending, const std::array<int32_t, 2>& sequence) const {
    StreetEnd end{sequence, {}, {}, {}};
    const double matched = 2.0 * std::min(ending.spent[0], ending.spent[1]);  // what is not called goes back
    const double taken = std::min(rake_.share * matched, rake_.cap);
    for (int player = 0; player < 2; ++player) {
      const auto paid = [&](uint16_t own, uint16_t other) {
        uint16_t strength[kMaxSeats] = {};
        strength[player] = own;
        strength[1 - player] = other;
        int64_t shares[kMaxSeats];
        payoffs(rules_, ending, strength, shares);
        return static_cast<double>(shares[player]) / kChipShares;
      };
      if (ending.folded) {
        const double won = paid(1, 1);
        end.win[player] = static_cast<float>(ending.has_folded(player) ? won : won - taken);
        continue;
      }
      end.win[player] = static_cast<float>(paid(2, 1) - taken);
      end.tie[player] = static_cast<float>(paid(1, 1) - taken / 2);
      end.lose[player] = static_cast<float>(paid(1, 2));
    }
    return end;
  }

  const Rules& rules_;
  const BettingTree& tree_;
  const Rake& rake_;
  std::vector<Start> starts_;
  std::vector<Street> streets_;
  std::array<int64_t, kMaxRounds> num_nodes_{};
  Street street_;
};

}  // namespace

std::vector<Street> cut_into_streets(const Rules& rules, const BettingTree& tree, const Rake& rake) {
  if (rules.num_seats != 2) throw std::invalid_argument("ranges meet in games of two seats");
  return Cutter(rules, tree, rake).cut();
}

}  // namespace nashgap
