#include "agents/table_agent.h"

#include <stdexcept>
#include <utility>

namespace nashgap {

TableAgent::TableAgent(std::shared_ptr<const AbstractStrategy> strategy)
    : strategy_(std::move(strategy)), walk_(strategy_->walk()) {}

Action TableAgent::act(const Situation& situation, Philox& random) {
  require_game(situation.rules);
  walk_.follow_to(situation.history);
  const int segment = walk_.segment();
  std::array<double, AbstractGame::kMaxActions> probabilities;
  double left = random.uniform();
  Action chosen = kCall;
  for (const TreePlace& place : walk_.places(situation.betting)) {
    if (place.node < 0) {
      chosen = strategy_->rule_action(place, situation.betting.to_call(situation.rules) > 0);
      left -= place.weight;
      if (left < 0.0) return chosen;
      continue;
    }
    const AbstractGame& game = strategy_->game(segment);
    const AbstractGame::Node& node = game.node(place.node);
    __builtin_prefetch(&game.tree().child[node.first_edge]);  // wanted next, and as far away as the row
    strategy_->row(segment, node, bucket_of(situation, *game.lenses()[node.lens].cards), probabilities.data());
    for (int a = 0; a < node.num_actions; ++a) {
      if (probabilities[a] == 0.0) continue;
      chosen = place.actions[a];
      left -= place.weight * probabilities[a];
      if (left < 0.0) return chosen;
    }
  }
  return chosen;  // rounding left a little
}

bool TableAgent::has_begun(const Situation& situation) {
  require_game(situation.rules);
  walk_.follow_to(situation.history);
  return walk_.segment() >= 0;
}

void TableAgent::require_game(const Rules& rules) {
  if (&rules == checked_rules_) return;
  const Rules& own = strategy_->rules();
  if (rules.betting != own.betting || rules.conventions != own.conventions || rules.num_seats != own.num_seats ||
      rules.num_rounds != own.num_rounds || rules.num_suits != own.num_suits || rules.num_ranks != own.num_ranks ||
      rules.num_hole_cards != own.num_hole_cards || rules.blinds != own.blinds || rules.stacks != own.stacks ||
      rules.raise_sizes != own.raise_sizes || rules.max_raises != own.max_raises ||
      rules.first_seats != own.first_seats || rules.num_board_cards != own.num_board_cards)
    throw std::invalid_argument("the agent's strategy is for another game");
  checked_rules_ = &rules;
}

}  // namespace nashgap
