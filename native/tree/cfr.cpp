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

  std::vector<double> reach, value, forecast;                // [Q]
  std::vector<double> expected, total, optimistic, played;  // of one group
};

// A group of infosets and its place in the arrays.
struct Group {
  Group(const Tree& tree, int32_t g)
      : first(tree.group_infoset[g]),
        num_hands(tree.group_infoset[g + 1] - first),
        num_actions(tree.infoset_size[first]),
        slot(tree.infoset_slot[first]),
        parent(tree.infoset_parent + first) {}

  int64_t num_slots() const { return num_actions * num_hands; }

  int32_t first;
  int64_t num_hands, num_actions, slot;
  const int32_t* parent;  // [hands]
};

// expected[h] = sum over actions of strategy * value.
void expectation(const Group& group, const double* strategy, const double* value, double* expected) {
  std::fill_n(expected, group.num_hands, 0.0);
  for (int64_t a = 0; a < group.num_actions; ++a)
    for (int64_t h = 0; h < group.num_hands; ++h)
      expected[h] += strategy[a * group.num_hands + h] * value[a * group.num_hands + h];
}

// The next strategy if the others' reach stayed as it is: regret plus the regret that their reach would add, with the
// new strategies already in place further down (Farina, Kroer & Sandholm 2021: predictions go bottom-up too).
void predict(const Group& group, int64_t shift, const double* regret_sum, double* strategy, Scratch& scratch) {
  const double* value = scratch.forecast.data() + group.slot + shift;
  double* expected = scratch.expected.data();
  expectation(group, strategy, value, expected);
  for (int64_t a = 0; a < group.num_actions; ++a)
    for (int64_t h = 0; h < group.num_hands; ++h) {
      const int64_t s = a * group.num_hands + h;
      scratch.optimistic[s] = regret_sum[s] + (value[s] - expected[h]);
    }
  regret_matching(scratch.optimistic.data(), group.num_actions, group.num_hands, scratch.total.data(), strategy);
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

// Average strategy first, with the reach of the strategy that was played; then regret, bottom up; then the next
// strategy. An infoset's value goes up to its parent sequence with the strategy that was played.
void update(const Tree& tree, const CfrState& state, const CfrWeights& weights, bool is_predictive, int player,
            Scratch& scratch) {
  const int64_t shift = Tree::sequence_shift(player);
  double* const expected = scratch.expected.data();
  if (is_predictive) scratch.forecast = scratch.value;
  for (int32_t g = tree.player_group[player + 1] - 1; g >= tree.player_group[player]; --g) {
    const Group group(tree, g);
    const int64_t num_hands = group.num_hands, num_actions = group.num_actions, num_slots = group.num_slots();
    double* const strategy = state.strategy + group.slot;
    double* const regret_sum = state.regret_sum + group.slot;
    double* const strategy_sum = state.strategy_sum + group.slot;
    const double* const action_value = scratch.value.data() + group.slot + shift;
    const double* const reach = scratch.reach.data() + group.slot + shift;
    if (state.is_fixed) std::copy_n(strategy, num_slots, scratch.played.begin());

    for (int64_t s = 0; s < num_slots; ++s) strategy_sum[s] = strategy_sum[s] * weights.average + reach[s];

    expectation(group, strategy, action_value, expected);
    for (int64_t h = 0; h < num_hands; ++h) scratch.value[group.parent[h]] += expected[h];
    for (int64_t a = 0; a < num_actions; ++a)
      for (int64_t h = 0; h < num_hands; ++h) {
        const int64_t s = a * num_hands + h;
        const double sum = regret_sum[s] + (action_value[s] - expected[h]);
        regret_sum[s] = sum * (sum > 0.0 ? weights.positive : weights.negative);
      }
    if (is_predictive)
      predict(group, shift, regret_sum, strategy, scratch);
    else
      regret_matching(regret_sum, num_actions, num_hands, scratch.total.data(), strategy);

    if (state.is_fixed) restore_fixed(group, state.is_fixed, scratch.played.data(), strategy, regret_sum);
    if (is_predictive) {
      expectation(group, strategy, scratch.forecast.data() + group.slot + shift, expected);
      for (int64_t h = 0; h < num_hands; ++h) scratch.forecast[group.parent[h]] += expected[h];
    }
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
