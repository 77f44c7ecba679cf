#include <memory>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "agents/master.h"
#include "agents/table_agent.h"
#include "bind/arrays.h"
#include "bind/games.h"
#include "strategies/abstract_strategy.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr uint64_t kPathStream = 0x70617468;  // "path"

StrategyTable table_of(const AbstractGame& game, int round, nb::handle array) {
  require_within(round, 0, game.tree().num_rounds - 1, "round");
  const int64_t size = game.entry_start(round + 1) - game.entry_start(round);
  Array<const float> floats;
  if (nb::try_cast(array, floats, false)) {
    require_size(floats, size, "table");
    return floats.data();
  }
  Array<const uint8_t> bytes;
  if (nb::try_cast(array, bytes, false)) {
    require_size(bytes, size, "table");
    return bytes.data();
  }
  throw nb::type_error("a table is a contiguous array of float32 or uint8");
}

void require_translation(int translation) {
  require_within(translation, 0, static_cast<int>(Translation::kPseudoHarmonic), "translation");
}

// segments: (game, tables) of each; the strategy keeps the arrays, whatever becomes of the lists that they came in.
void make_strategy(nb::pointer_and_handle<AbstractStrategy> self,
                   const std::vector<std::pair<std::shared_ptr<AbstractGame>, nb::tuple>>& parts,
                   bool falls_back_to_call, bool folds_off_tree, int translation, double threshold, bool purify) {
  if (parts.empty()) throw nb::value_error("at least one segment is needed");
  require_translation(translation);
  std::vector<Segment> segments;
  for (const auto& [game, arrays] : parts) {
    if (!game) throw nb::value_error("a segment has no game");
    require_same_game(parts[0].first->rules(), game->rules(), "a segment");
    if (static_cast<int>(arrays.size()) != game->tree().num_rounds)
      throw nb::value_error("one table for each round is needed");
    std::vector<StrategyTable> tables;
    for (size_t round = 0; round < arrays.size(); ++round) {
      tables.push_back(table_of(*game, static_cast<int>(round), arrays[round]));
      nb::keep_alive_obj(self.h, nb::object(arrays[round]));
    }
    segments.push_back({game, std::move(tables)});
  }
  const PlayOptions options{falls_back_to_call ? Fallback::kCall : Fallback::kUniform,
                            folds_off_tree ? OffTree::kFold : OffTree::kCall, static_cast<Translation>(translation),
                            threshold, purify};
  new (self.p) AbstractStrategy(std::move(segments), options);
}

void require_decision(const AbstractStrategy& strategy, const PublicState* state) {
  if (state == nullptr || state->rules() != strategy.rules() || state->betting().is_over() ||
      state->num_missing_cards() > 0)
    throw nb::value_error("a policy is for a state of the strategy's game in which a seat is to act");
}

nb::tuple to_python(AllHandsPolicy&& policy, int num_hands) {
  const size_t width = policy.actions.size();
  auto* values = new std::vector<double>(std::move(policy.probabilities));
  nb::capsule owner(values, [](void* held) noexcept { delete static_cast<std::vector<double>*>(held); });
  nb::ndarray<nb::numpy, double> array(values->data(), {static_cast<size_t>(num_hands), width}, owner);
  return nb::make_tuple(nb::tuple(nb::cast(policy.actions)), array);
}

}  // namespace

void bind_strategies(nb::module_& m) {
  nb::class_<AbstractStrategy>(m, "AbstractStrategy")
      .def("__init__", &make_strategy, "segments"_a, "falls_back_to_call"_a, "folds_off_tree"_a, "translation"_a,
           "threshold"_a, "purify"_a)
      .def(
          "policies",  // (actions, probabilities [hands, actions]) of each; seed: one path drawn, or none for all
          [](const AbstractStrategy& self, const std::vector<const PublicState*>& states, nb::object seed) {
            for (const PublicState* state : states) require_decision(self, state);
            const bool is_sampled = !seed.is_none();
            const uint64_t key = is_sampled ? nb::cast<uint64_t>(seed) : 0;
            std::vector<AllHandsPolicy> policies;
            {
              nb::gil_scoped_release release;
              for (size_t i = 0; i < states.size(); ++i) {
                Philox random(key, kPathStream, i, 0);
                policies.push_back(is_sampled ? self.sample_policy(*states[i], random) : self.policy(*states[i]));
              }
            }
            nb::list answers;
            for (AllHandsPolicy& policy : policies) answers.append(to_python(std::move(policy), self.num_hands()));
            return answers;
          },
          "states"_a, "seed"_a.none())
      .def(
          "places",  // the segment, and (weight, node or rule, real actions) of each path
          [](const AbstractStrategy& self, const PublicState& state) {
            require_decision(self, &state);
            nb::list answers;
            const auto [segment, places] = self.paths(state);
            for (const TreePlace& place : places) {
              const int num_actions = place.node < 0 ? 0 : self.game(segment).node(place.node).num_actions;
              const std::vector<Action> actions(place.actions.begin(), place.actions.begin() + num_actions);
              answers.append(nb::make_tuple(place.weight, place.node, nb::tuple(nb::cast(actions))));
            }
            return nb::make_tuple(segment, answers);
          },
          "state"_a);
  m.attr("CALL_ON") = TreePlace::kCallOn;
  m.attr("OFF_TREE") = TreePlace::kOffTree;
  m.def(
      "smaller_share",
      [](int translation, double smaller, double larger, double size) {
        require_translation(translation);
        return smaller_share(static_cast<Translation>(translation), smaller, larger, size);
      },
      "translation"_a, "smaller"_a, "larger"_a, "size"_a);

  m.def(
      "quantise_table",
      [](const AbstractGame& game, int round, Array<const float> probabilities, Array<uint8_t> bytes) {
        require_within(round, 0, game.tree().num_rounds - 1, "round");
        const int64_t size = game.entry_start(round + 1) - game.entry_start(round);
        require_size(probabilities, size, "probabilities");
        require_size(bytes, size, "bytes");
        nb::gil_scoped_release release;
        quantise(game, round, probabilities.data(), bytes.data());
      },
      "game"_a, "round"_a, "probabilities"_a.noconvert(), "bytes"_a.noconvert());
  m.def(
      "check_table",  // largest error of a sum, rows of zeros, entries that are no probabilities
      [](const AbstractGame& game, int round, nb::object array) {
        const StrategyTable table = table_of(game, round, array);
        TableCheck check;
        {
          nb::gil_scoped_release release;
          check = check_table(game, round, table);
        }
        return nb::make_tuple(check.largest_error, check.num_unreached, check.num_wrong);
      },
      "game"_a, "round"_a, "table"_a);

  nb::class_<TableAgent, Agent>(m, "TableAgent").def(nb::init<std::shared_ptr<AbstractStrategy>>(), "strategy"_a);
  nb::class_<Master, Agent>(m, "MasterAgent")
      .def(
          "__init__",
          [](Master* self, const Agent& base, std::shared_ptr<AbstractStrategy> experts) {
            base.require_game(experts->rules());
            new (self) Master(base.fresh(), std::move(experts));
          },
          "base"_a, "experts"_a);
}

}  // namespace nashgap
