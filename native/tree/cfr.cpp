#include "tree/cfr.h"

#include <algorithm>
#include <vector>

#include "tree/sequence_form.h"

namespace nashgap {
namespace {

struct Scratch {
  explicit Scratch(const Tree& tree)
      : reach(tree.num_sequences()),
        value(tree.num_sequences()),
        forecast(tree.num_sequences()),
        expected(tree.max_group_hands),
        total(tree.max_group_hands),
        optimistic(tree.max_group_slots),
        played(tree.max_group_slots) {}

  std::vector<double> reach, value, forecast;               // [Q]
  std::vector<double> expected, total, optimistic, played;  // of one group
};

// expected[h] = sum over actions of strategy * value; both [action][hand].
template <typename Hands>
void expectation(int64_t num_actions, Hands num_hands, const double* __restrict__ strategy,
                 const double* __restrict__ value, double* __restrict__ expected) {
  for (int64_t h = 0; h < num_hands; ++h) expected[h] = strategy[h] * value[h];
  for (int64_t a = 1; a < num_actions; ++a)
    for (int64_t h = 0; h < num_hands; ++h) expected[h] += strategy[a * num_hands + h] * value[a * num_hands + h];
}

// Play in proportion to positive regret; uniformly where none is positive. See nashgap/solvers/cfr.py.
template <typename Hands>
void regret_matching(int64_t num_actions, Hands num_hands, const double* __restrict__ regret,
                     double* __restrict__ total, double* __restrict__ strategy) {
  for (int64_t h = 0; h < num_hands; ++h) total[h] = 0.0;
  for (int64_t a = 0; a < num_actions; ++a)
    for (int64_t h = 0; h < num_hands; ++h) total[h] += std::max(regret[a * num_hands + h], 0.0);
  const double uniform = 1.0 / static_cast<double>(num_actions);
  for (int64_t a = 0; a < num_actions; ++a)
    for (int64_t h = 0; h < num_hands; ++h) {
      const double share = std::max(regret[a * num_hands + h], 0.0) / (total[h] > 0.0 ? total[h] : 1.0);
      strategy[a * num_hands + h] = total[h] > 0.0 ? share : uniform;
    }
}

// Regret plus the regret that the others' present reach would add once more, with the new strategies already in place
// further down (Farina, Kroer & Sandholm 2021: predictions go bottom-up too).
template <typename Hands>
void predict(int64_t num_actions, Hands num_hands, const double* regret_sum, const double* forecast,
             const double* strategy, double* expected, double* optimistic) {
  expectation(num_actions, num_hands, strategy, forecast, expected);
  for (int64_t a = 0; a < num_actions; ++a)
    for (int64_t h = 0; h < num_hands; ++h) {
      const int64_t s = a * num_hands + h;
      optimistic[s] = regret_sum[s] + (forecast[s] - expected[h]);
    }
}

void restore_fixed(const Group& group, const uint8_t* is_fixed, const double* played, double* strategy,
                   double* regret_sum) {
  for (int64_t h = 0; h < group.num_hands; ++h) {
    if (!is_fixed[group.first + h]) continue;
    for (int64_t a = 0; a < group.num_actions; ++a) {
      strategy[a * group.num_hands + h] = played[a * group.num_hands + h];
      regret_sum[a * group.num_hands + h] = 0.0;
    }
  }
}

// Average strategy first, with the reach of the strategy that was played; then regret; then the next strategy. The
// group's value goes up to its parent sequences with the strategy that was played.
template <typename Hands>
void update_group(const Group& group, Hands num_hands, const CfrState& state, const CfrWeights& weights,
                  bool is_predictive, int64_t shift, Scratch& scratch) {
  const int64_t num_actions = group.num_actions, num_slots = num_actions * num_hands;
  double* __restrict__ const strategy = state.strategy + group.slot;
  double* __restrict__ const regret_sum = state.regret_sum + group.slot;
  double* __restrict__ const strategy_sum = state.strategy_sum + group.slot;
  double* __restrict__ const expected = scratch.expected.data();
  const double* __restrict__ const action_value = scratch.value.data() + group.slot + shift;
  const double* __restrict__ const forecast = scratch.forecast.data() + group.slot + shift;
  const double* __restrict__ const reach = scratch.reach.data() + group.slot + shift;
  if (state.is_fixed) std::copy_n(strategy, num_slots, scratch.played.begin());

  expectation(num_actions, num_hands, strategy, action_value, expected);
  for (int64_t h = 0; h < num_hands; ++h) scratch.value[group.parent[h]] += expected[h];
  for (int64_t a = 0; a < num_actions; ++a)
    for (int64_t h = 0; h < num_hands; ++h) {
      const int64_t s = a * num_hands + h;
      strategy_sum[s] = strategy_sum[s] * weights.average + reach[s];
      const double sum = regret_sum[s] + (action_value[s] - expected[h]);
      regret_sum[s] = sum * (sum > 0.0 ? weights.positive : weights.negative);
    }
  const double* basis = regret_sum;
  if (is_predictive) {
    basis = scratch.optimistic.data();
    predict(num_actions, num_hands, regret_sum, forecast, strategy, expected, scratch.optimistic.data());
  }
  regret_matching(num_actions, num_hands, basis, scratch.total.data(), strategy);

  if (state.is_fixed) restore_fixed(group, state.is_fixed, scratch.played.data(), strategy, regret_sum);
  if (is_predictive) {
    expectation(num_actions, num_hands, strategy, forecast, expected);
    for (int64_t h = 0; h < num_hands; ++h) scratch.forecast[group.parent[h]] += expected[h];
  }
}

// All infosets of one player, bottom-up.
void update(const Tree& tree, const CfrState& state, const CfrWeights& weights, bool is_predictive, int player,
            Scratch& scratch) {
  if (is_predictive) scratch.forecast = scratch.value;
  for (int32_t g = tree.player_group[player + 1] - 1; g >= tree.player_group[player]; --g) {
    const Group group(tree, g);
    with_fixed_hands(group.num_hands, [&](auto num_hands) {
      update_group(group, num_hands, state, weights, is_predictive, Tree::sequence_shift(player), scratch);
    });
  }
}

bool is_all_fixed(const Tree& tree, const CfrState& state, int player) {
  if (!state.is_fixed) return false;
  const int32_t begin = tree.group_infoset[tree.player_group[player]];
  const int32_t end = tree.group_infoset[tree.player_group[player + 1]];
  return std::all_of(state.is_fixed + begin, state.is_fixed + end, [](uint8_t fixed) { return fixed != 0; });
}

}  // namespace

void cfr(const Tree& tree, const CfrState& state, const CfrWeights* weights, int64_t num_iterations,
         const CfrOptions& options) {
  Scratch scratch(tree);
  LeafValues leaf_values(tree);
  std::vector<int> learners;
  for (int player = 0; player < tree.num_players; ++player) {
    own_reach(tree, player, state.strategy, scratch.reach.data());
    if (!is_all_fixed(tree, state, player)) learners.push_back(player);
  }
  for (int64_t t = 0; t < num_iterations; ++t) {
    for (int player : learners) {
      leaf_values(player, scratch.reach.data(), scratch.value.data());
      update(tree, state, weights[t], options.is_predictive, player, scratch);
      if (options.is_alternating) own_reach(tree, player, state.strategy, scratch.reach.data());
    }
    if (!options.is_alternating)
      for (int player : learners) own_reach(tree, player, state.strategy, scratch.reach.data());
  }
}

}  // namespace nashgap
