#include "tree/cfr.h"

#include <algorithm>
#include <vector>

#include "tree/sequence_form.h"

namespace nashgap {
namespace {

struct Scratch {
  std::vector<double> reach, value, expected, total, optimistic, played;
};

void restore_fixed(const uint8_t* is_fixed, int64_t num_actions, int64_t num_hands, const std::vector<double>& played,
                   double* strategy, double* regret_sum) {
  for (int64_t h = 0; h < num_hands; ++h) {
    if (!is_fixed[h]) continue;
    for (int64_t a = 0; a < num_actions; ++a) {
      strategy[a * num_hands + h] = played[a * num_hands + h];
      regret_sum[a * num_hands + h] = 0.0;
    }
  }
}

// Average strategy first, with the reach of the strategy that was played; then regret, bottom up; then the next
// strategy. An infoset's value goes up to its parent sequence with the strategy that was played.
void update(const Tree& tree, const CfrState& state, const CfrWeights& weights, int player, Scratch& scratch) {
  const int64_t shift = Tree::sequence_shift(player);
  double* const expected = scratch.expected.data();
  for (int32_t g = tree.player_group[player + 1] - 1; g >= tree.player_group[player]; --g) {
    const int32_t first = tree.group_infoset[g];
    const int64_t num_hands = tree.group_infoset[g + 1] - first;
    const int64_t num_actions = tree.infoset_size[first], slot = tree.infoset_slot[first];
    const int64_t num_slots = num_actions * num_hands;
    double* const strategy = state.strategy + slot;
    double* const regret_sum = state.regret_sum + slot;
    double* const strategy_sum = state.strategy_sum + slot;
    const double* const action_value = scratch.value.data() + slot + shift;
    const double* const reach = scratch.reach.data() + slot + shift;

    for (int64_t s = 0; s < num_slots; ++s) strategy_sum[s] = strategy_sum[s] * weights.average + reach[s];

    std::fill_n(expected, num_hands, 0.0);
    for (int64_t a = 0; a < num_actions; ++a)
      for (int64_t h = 0; h < num_hands; ++h) expected[h] += strategy[a * num_hands + h] * action_value[a * num_hands + h];
    for (int64_t h = 0; h < num_hands; ++h) scratch.value[tree.infoset_parent[first + h]] += expected[h];
    if (state.is_fixed) std::copy_n(strategy, num_slots, scratch.played.begin());

    for (int64_t a = 0; a < num_actions; ++a)
      for (int64_t h = 0; h < num_hands; ++h) {
        const int64_t s = a * num_hands + h;
        const double regret = action_value[s] - expected[h];
        const double sum = regret_sum[s] + regret;
        regret_sum[s] = sum * (sum > 0.0 ? weights.positive : weights.negative);
        if (state.forecast) state.forecast[slot + s] = regret;
      }
    const double* basis = regret_sum;
    if (state.forecast) {
      for (int64_t s = 0; s < num_slots; ++s) scratch.optimistic[s] = regret_sum[s] + state.forecast[slot + s];
      basis = scratch.optimistic.data();
    }
    regret_matching(basis, num_actions, num_hands, scratch.total.data(), strategy);
    if (state.is_fixed) restore_fixed(state.is_fixed + first, num_actions, num_hands, scratch.played, strategy, regret_sum);
  }
}

bool is_all_fixed(const Tree& tree, const CfrState& state, int player) {
  if (!state.is_fixed) return false;
  const int32_t begin = tree.group_infoset[tree.player_group[player]];
  const int32_t end = tree.group_infoset[tree.player_group[player + 1]];
  return std::all_of(state.is_fixed + begin, state.is_fixed + end, [](uint8_t fixed) { return fixed != 0; });
}

int64_t max_group_slots(const Tree& tree) {
  int64_t most = 0;
  for (int32_t g = 0; g < tree.player_group[tree.num_players]; ++g) {
    const int32_t first = tree.group_infoset[g];
    most = std::max<int64_t>(most, int64_t{tree.infoset_size[first]} * (tree.group_infoset[g + 1] - first));
  }
  return most;
}

}  // namespace

void cfr(const Tree& tree, const CfrState& state, const CfrWeights* weights, int64_t num_iterations,
         bool is_alternating) {
  Scratch scratch;
  scratch.reach.resize(tree.num_sequences());
  scratch.value.resize(tree.num_sequences());
  scratch.expected.resize(tree.max_group_hands);
  scratch.total.resize(tree.max_group_hands);
  scratch.optimistic.resize(max_group_slots(tree));
  scratch.played.resize(max_group_slots(tree));
  LeafValues leaf_values(tree);
  std::vector<int> learners;
  for (int player = 0; player < tree.num_players; ++player) {
    own_reach(tree, player, state.strategy, scratch.reach.data());
    if (!is_all_fixed(tree, state, player)) learners.push_back(player);
  }
  for (int64_t t = 0; t < num_iterations; ++t) {
    for (int player : learners) {
      leaf_values(player, scratch.reach.data(), scratch.value.data());
      update(tree, state, weights[t], player, scratch);
      if (is_alternating) own_reach(tree, player, state.strategy, scratch.reach.data());
    }
    if (!is_alternating)
      for (int player : learners) own_reach(tree, player, state.strategy, scratch.reach.data());
  }
}

}  // namespace nashgap
