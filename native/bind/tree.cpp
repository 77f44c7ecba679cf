#include "tree/tree.h"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>

#include "bind/arrays.h"
#include "bind/games.h"
#include "bind/tree_checks.h"
#include "bind/tree_handle.h"
#include "tree/cfr.h"
#include "tree/mccfr.h"
#include "tree/sequence_form.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr int kMaxPlayers = 127;                       // whose numbers fit into a byte
constexpr int64_t kMaxSlots = (int64_t{1} << 31) - 1;  // whose numbers fit into 32 bits, sequences included

// Passes over the sequences of players need them.
const Tree& sequence_form(const TreeHandle& handle) {
  if (!handle.has_sequence_form) throw nb::value_error("a tree of a game with perfect recall is needed");
  return handle.tree;
}

template <typename T>
const T* keep(TreeHandle& handle, const Array<const T>& array) {
  handle.arrays.push_back(nb::cast(array));
  return array.data();
}

// An optional array: none at all, or one of the right size.
template <typename T>
T* optional_data(std::optional<Array<T>>& array, int64_t size, const char* name) {
  if (!array) return nullptr;
  require_size(*array, size, name);
  return array->data();
}

}  // namespace

void bind_tree(nb::module_& m) {
  nb::class_<TreeHandle>(m, "Tree").def(
      "__init__",
      [](TreeHandle* self, int num_players, Array<const int8_t> block_player, Array<const int64_t> block_start,
         Array<const int32_t> block_edge, Array<const int32_t> edge_block, Array<const int32_t> node_row,
         Array<const int64_t> chance_start, Array<const int32_t> chance_block, Array<const int32_t> chance_lane,
         Array<const double> chance_prob, Array<const double> returns, Array<const int32_t> infoset_slot,
         Array<const int32_t> infoset_stride, Array<const int32_t> infoset_size, Array<const int32_t> infoset_parent,
         Array<const int32_t> group_infoset, Array<const int32_t> player_group, Array<const int32_t> leaf_sequence,
         Array<const int32_t> leaf_size, Array<const int64_t> leaf_payoff, Array<const double> payoff) {
        require_within(num_players, 1, kMaxPlayers, "num_players");
        TreeHandle handle;
        Tree& tree = handle.tree;
        tree.num_players = num_players;
        tree.num_blocks = static_cast<int64_t>(block_player.size());
        tree.num_nodes = static_cast<int64_t>(node_row.size());
        tree.num_infosets = static_cast<int64_t>(infoset_slot.size());
        tree.num_leaves = static_cast<int64_t>(leaf_sequence.size()) / num_players;
        require_size(block_start, tree.num_blocks + 1, "block_start");
        require_size(block_edge, tree.num_blocks + 1, "block_edge");
        require_size(player_group, num_players + 1, "player_group");
        for (const auto& [column, name] : {std::pair{&infoset_stride, "infoset_stride"},
                                           {&infoset_size, "infoset_size"},
                                           {&infoset_parent, "infoset_parent"}})
          require_size(*column, tree.num_infosets, name);
        require_size(leaf_sequence, tree.num_leaves * num_players, "leaf_sequence");
        require_size(leaf_size, tree.num_leaves * num_players, "leaf_size");
        require_size(leaf_payoff, tree.num_leaves * num_players, "leaf_payoff");
        require_size(node_row, block_start.data()[tree.num_blocks], "node_row");
        require_size(edge_block, block_edge.data()[tree.num_blocks], "edge_block");
        require_size(group_infoset, int64_t{player_group.data()[num_players]} + 1, "group_infoset");
        const int64_t num_chance_edges = chance_start.size() ? chance_start.data()[chance_start.size() - 1] : -1;
        require_size(chance_block, num_chance_edges, "chance_block");
        require_size(chance_lane, num_chance_edges, "chance_lane");
        require_size(chance_prob, num_chance_edges, "chance_prob");
        const int64_t num_returns = static_cast<int64_t>(returns.size()) / num_players;
        require_size(returns, num_returns * num_players, "returns");
        for (size_t i = 0; i < infoset_size.size(); ++i) {
          require_within(infoset_size.data()[i], 1, kMaxSlots, "an infoset_size");
          tree.num_slots += infoset_size.data()[i];
        }
        require_within(tree.num_slots, 0, kMaxSlots, "the number of slots");
        const TreeSizes sizes{static_cast<int64_t>(edge_block.size()), static_cast<int64_t>(chance_start.size()) - 1,
                              num_chance_edges, num_returns, static_cast<int64_t>(payoff.size())};
        tree.block_player = keep(handle, block_player);
        tree.block_start = keep(handle, block_start);
        tree.block_edge = keep(handle, block_edge);
        tree.edge_block = keep(handle, edge_block);
        tree.node_row = keep(handle, node_row);
        tree.chance_start = keep(handle, chance_start);
        tree.chance_block = keep(handle, chance_block);
        tree.chance_lane = keep(handle, chance_lane);
        tree.chance_prob = keep(handle, chance_prob);
        tree.returns = keep(handle, returns);
        tree.infoset_slot = keep(handle, infoset_slot);
        tree.infoset_stride = keep(handle, infoset_stride);
        tree.infoset_size = keep(handle, infoset_size);
        tree.infoset_parent = keep(handle, infoset_parent);
        tree.group_infoset = keep(handle, group_infoset);
        tree.player_group = keep(handle, player_group);
        tree.leaf_sequence = keep(handle, leaf_sequence);
        tree.leaf_size = keep(handle, leaf_size);
        tree.leaf_payoff = keep(handle, leaf_payoff);
        tree.payoff = keep(handle, payoff);
        require_sound(tree, sizes);
        tree.measure();
        handle.has_sequence_form = has_sequence_form(tree);
        new (self) TreeHandle(std::move(handle));
      },
      "num_players"_a, "block_player"_a.noconvert(), "block_start"_a.noconvert(), "block_edge"_a.noconvert(),
      "edge_block"_a.noconvert(), "node_row"_a.noconvert(), "chance_start"_a.noconvert(), "chance_block"_a.noconvert(),
      "chance_lane"_a.noconvert(), "chance_prob"_a.noconvert(), "returns"_a.noconvert(), "infoset_slot"_a.noconvert(),
      "infoset_stride"_a.noconvert(), "infoset_size"_a.noconvert(), "infoset_parent"_a.noconvert(),
      "group_infoset"_a.noconvert(), "player_group"_a.noconvert(), "leaf_sequence"_a.noconvert(),
      "leaf_size"_a.noconvert(), "leaf_payoff"_a.noconvert(), "payoff"_a.noconvert());

  m.def(
      "expected_returns",
      [](const TreeHandle& handle, Array<const double> strategy, Array<double> returns) {
        require_size(strategy, handle.tree.num_slots, "strategy");
        require_size(returns, handle.tree.num_players, "returns");
        nb::gil_scoped_release release;
        expected_returns(handle.tree, strategy.data(), returns.data());
      },
      "tree"_a, "strategy"_a.noconvert(), "returns"_a.noconvert());

  m.def(
      "best_response",
      [](const TreeHandle& handle, Array<const double> strategy, Array<double> returns, Array<double> best_returns,
         Array<double> response) {
        const Tree& tree = sequence_form(handle);
        require_size(strategy, tree.num_slots, "strategy");
        require_size(returns, tree.num_players, "returns");
        require_size(best_returns, tree.num_players, "best_returns");
        require_size(response, tree.num_slots, "response");
        nb::gil_scoped_release release;
        best_response(tree, strategy.data(), returns.data(), best_returns.data(), response.data());
      },
      "tree"_a, "strategy"_a.noconvert(), "returns"_a.noconvert(), "best_returns"_a.noconvert(),
      "response"_a.noconvert());

  m.def(
      "normalise",
      [](const TreeHandle& handle, Array<const double> sums, Array<double> strategy) {
        require_size(sums, handle.tree.num_slots, "sums");
        require_size(strategy, handle.tree.num_slots, "strategy");
        nb::gil_scoped_release release;
        normalise(handle.tree, sums.data(), strategy.data());
      },
      "tree"_a, "sums"_a.noconvert(), "strategy"_a.noconvert());

  m.def(
      "own_reach",
      [](const TreeHandle& handle, Array<const double> strategy, Array<double> reach) {
        const Tree& tree = sequence_form(handle);
        require_size(strategy, tree.num_slots, "strategy");
        require_size(reach, tree.num_sequences(), "reach");
        nb::gil_scoped_release release;
        for (int player = 0; player < tree.num_players; ++player)
          own_reach(tree, player, strategy.data(), reach.data());
      },
      "tree"_a, "strategy"_a.noconvert(), "reach"_a.noconvert());

  m.def(
      "cfr",
      [](const TreeHandle& handle, Array<double> regret_sum, Array<double> strategy_sum, Array<double> strategy,
         std::optional<Array<const uint8_t>> is_fixed, Array<const double> weights, bool is_alternating,
         bool is_predictive) {
        const Tree& tree = sequence_form(handle);
        require_size(regret_sum, tree.num_slots, "regret_sum");
        require_size(strategy_sum, tree.num_slots, "strategy_sum");
        require_size(strategy, tree.num_slots, "strategy");
        const int64_t num_iterations = static_cast<int64_t>(weights.size()) / 3;
        require_size(weights, num_iterations * 3, "weights");
        const CfrState state{regret_sum.data(), strategy_sum.data(), strategy.data(),
                             optional_data(is_fixed, tree.num_infosets, "is_fixed")};
        std::vector<CfrWeights> schedule(num_iterations);
        for (int64_t t = 0; t < num_iterations; ++t)
          schedule[t] = {weights.data()[3 * t], weights.data()[3 * t + 1], weights.data()[3 * t + 2]};
        nb::gil_scoped_release release;
        cfr(tree, state, schedule.data(), num_iterations, {is_alternating, is_predictive});
      },
      "tree"_a, "regret_sum"_a.noconvert(), "strategy_sum"_a.noconvert(), "strategy"_a.noconvert(),
      "is_fixed"_a.noconvert().none(), "weights"_a.noconvert(), "is_alternating"_a, "is_predictive"_a);

  m.def(
      "mccfr",
      [](const TreeHandle& handle, Array<double> regret_sum, Array<double> strategy_sum,
         std::optional<Array<const double>> fixed, std::optional<Array<const uint8_t>> is_fixed, int sampling,
         double exploration, uint64_t seed, uint64_t first_iteration, int64_t num_iterations) {
        const Tree& tree = handle.tree;
        require_size(regret_sum, tree.num_slots, "regret_sum");
        require_size(strategy_sum, tree.num_slots, "strategy_sum");
        require_within(sampling, 0, static_cast<int>(Sampling::kOutcome), "sampling");
        if (!(exploration >= 0.0 && exploration <= 1.0)) throw nb::value_error("exploration is from 0 to 1");
        require_within(num_iterations, 0, std::numeric_limits<int64_t>::max(), "num_iterations");
        if (fixed.has_value() != is_fixed.has_value()) throw nb::value_error("fixed and is_fixed go together");
        const MccfrState state{regret_sum.data(), strategy_sum.data(), optional_data(fixed, tree.num_slots, "fixed"),
                               optional_data(is_fixed, tree.num_infosets, "is_fixed")};
        nb::gil_scoped_release release;
        mccfr(tree, state, static_cast<Sampling>(sampling), exploration, seed, first_iteration, num_iterations);
      },
      "tree"_a, "regret_sum"_a.noconvert(), "strategy_sum"_a.noconvert(), "fixed"_a.noconvert().none(),
      "is_fixed"_a.noconvert().none(), "sampling"_a, "exploration"_a, "seed"_a, "first_iteration"_a,
      "num_iterations"_a);
}

}  // namespace nashgap
