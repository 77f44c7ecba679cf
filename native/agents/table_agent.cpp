#include "agents/table_agent.h"

#include <stdexcept>
#include <utility>

namespace nashgap {

TableAgent::TableAgent(std::shared_ptr<const AbstractStrategy> strategy)
    : strategy_(std::move(strategy)), walk_(strategy_->walk()) {}

Action TableAgent::act(const Situation& situation, Philox& random) {
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
  walk_.follow_to(situation.history);
  return walk_.segment() >= 0;
}

void TableAgent::require_game(const Rules& rules) const {
  if (rules != strategy_->rules()) throw std::invalid_argument("the agent's strategy is for another game");
}

}  // namespace nashgap
