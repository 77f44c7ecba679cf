#include "solvers/range_cfr.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/boards.h"
#include "bind/games.h"

namespace nashgap {

using namespace nb::literals;

namespace {

template <typename T>
nb::object view_of(RangeCfr& owner, HugeArray<T>& values) {
  return nb::cast(nb::ndarray<nb::numpy, T>(values.data(), {static_cast<size_t>(values.size())}, nb::find(owner)));
}

// What a player's tables are kept in, by name.
nb::dict arrays_of(RangeCfr& owner, int player) {
  nb::dict found;
  const auto add = [&](const std::string& name, RangeTable& table) {
    found[name.c_str()] = table.is_packed() ? view_of(owner, table.integers()) : view_of(owner, table.floats());
    if (table.is_packed()) found[(name + "_exponent").c_str()] = view_of(owner, table.exponents());
  };
  RangeTables& tables = owner.tables(player);
  add("regret_sum", tables.regrets);
  add("strategy_sum", tables.sums);
  if (tables.optimistic) add("optimistic_regret", *tables.optimistic);
  return found;
}

void require_player(int player) { require_within(player, 0, 1, "player"); }

bool are_weights(const Array<const float>& values) {
  return std::all_of(values.data(), values.data() + values.size(),
                     [](float each) { return each >= 0.0f && std::isfinite(each); });
}

std::vector<float> weights_of(const Array<const float>& ranges, const Rules& rules, int player) {
  const int64_t size = rules.num_private_hands();
  require_size(ranges, 2 * size, "ranges");
  if (!are_weights(ranges)) throw nb::value_error("ranges are of weights, 0 or more");
  return {ranges.data() + player * size, ranges.data() + (player + 1) * size};
}

// Two ranges meet on a board of the first round, in the betting of the whole tree.
void require_spot(const Rules& rules, const BettingTree& tree, const std::vector<uint8_t>& board) {
  require_range_hands(rules);
  require_same_game(rules, tree.rules, "the betting tree");
  if (!tree.prefix.empty() || tree.truncation.num_rounds < rules.num_rounds)
    throw nb::value_error("the betting tree of a whole game is needed");
  require_board(rules, board, 0);
}

RangeStorage storage_of(bool is_packed) { return is_packed ? RangeStorage::kInt16 : RangeStorage::kFloat32; }

// Boards, action nodes, bytes.
nb::tuple size_of(const RangeLayout& layout, int64_t num_bytes) {
  return nb::make_tuple(layout.num_boards, layout.num_action_nodes, num_bytes);
}

// A node, a board or none, and [hands][actions].
using Lock = std::tuple<int64_t, std::vector<uint8_t>, Array<const float>>;

RangeLock lock_of(const Lock& lock, const Rules& rules) {
  const auto& [node, board, strategy] = lock;
  const int64_t num_hands = rules.num_private_hands(), num_actions = static_cast<int64_t>(strategy.size()) / num_hands;
  require_size(strategy, num_hands * num_actions, "strategy");
  if (!are_weights(strategy)) throw nb::value_error("a lock is of probabilities, 0 or more");
  return {node, board, static_cast<int>(num_actions), {strategy.data(), strategy.data() + strategy.size()}};
}

std::vector<RangeLock> locks_of(const std::vector<Lock>& locks, const Rules& rules) {
  std::vector<RangeLock> found;
  for (const Lock& each : locks) found.push_back(lock_of(each, rules));
  return found;
}

}  // namespace

void bind_range_cfr(nb::module_& m) {
  m.def(
      "count_range_game",
      [](const Rules& rules, const BettingTree& tree, const std::vector<uint8_t>& board, Array<const float> ranges,
         const std::vector<Lock>& locks, bool is_packed, bool is_predictive) {
        require_spot(rules, tree, board);
        const std::array weights = {weights_of(ranges, rules, 0), weights_of(ranges, rules, 1)};
        const std::vector<RangeLock> locked = locks_of(locks, rules);
        RangeLayout layout;
        {
          nb::gil_scoped_release release;
          const BoardTree boards(rules, 0, board, {weights[0].data(), weights[1].data()}, columns_of(locked));
          layout = lay_out(rules, boards, cut_into_streets(rules, tree, {}));
        }
        return size_of(layout, layout.num_bytes(storage_of(is_packed), is_predictive));
      },
      "rules"_a, "tree"_a, "board"_a, "ranges"_a.noconvert(), "locks"_a, "is_packed"_a, "is_predictive"_a);
  nb::class_<RangeCfr>(m, "RangeCfr")
      .def(
          "__init__",
          [](RangeCfr* self, const Rules& rules, const BettingTree& tree, const std::vector<uint8_t>& board,
             Array<const float> ranges, double rake_share, double rake_cap, const std::vector<Lock>& locks,
             bool is_packed, int num_threads) {
            require_threads(num_threads);
            require_spot(rules, tree, board);
            if (!(rake_share >= 0.0 && rake_share <= 1.0 && rake_cap >= 0.0))
              throw nb::value_error("a rake is a share from 0 to 1, and a cap of 0 or more chips");
            const std::array weights = {weights_of(ranges, rules, 0), weights_of(ranges, rules, 1)};
            const std::vector<RangeLock> locked = locks_of(locks, rules);
            nb::gil_scoped_release release;
            new (self) RangeCfr(rules, tree, board, weights, {rake_share, rake_cap}, locked, storage_of(is_packed),
                                num_threads);
          },
          nb::keep_alive<1, 2>(), "rules"_a, "tree"_a, "board"_a, "ranges"_a.noconvert(), "rake_share"_a, "rake_cap"_a,
          "locks"_a, "is_packed"_a, "num_threads"_a)
      .def(
          "iterate",
          [](RangeCfr& self, int64_t first, Array<const double> weights) {
            const int64_t num_iterations = static_cast<int64_t>(weights.size()) / 3;
            require_size(weights, 3 * num_iterations, "weights");
            require_row(first, num_iterations, "first");
            nb::gil_scoped_release release;
            for (int64_t i = 0; i < num_iterations; ++i) {
              const double* kept = weights.data() + 3 * i;
              const KeptShares shares = {static_cast<float>(kept[0]), static_cast<float>(kept[1]),
                                         static_cast<float>(kept[2])};
              self.iterate(first + i, shares);
            }
          },
          "first"_a, "weights"_a.noconvert())
      .def("set_predictive", &RangeCfr::set_predictive, "is_predictive"_a)
      .def_prop_ro("is_predictive", &RangeCfr::is_predictive)
      .def(
          "value",
          [](RangeCfr& self, int player) {
            require_player(player);
            nb::gil_scoped_release release;
            return self.value(player);
          },
          "player"_a)
      .def(
          "response_value",
          [](RangeCfr& self, int player, bool keeps_locks) {
            require_player(player);
            nb::gil_scoped_release release;
            return self.response_value(player, keeps_locks);
          },
          "player"_a, "keeps_locks"_a)
      .def(
          "view",
          [](RangeCfr& self, int64_t node, const std::vector<uint8_t>& board) {
            auto view = std::make_unique<RangeDecision>();
            {
              nb::gil_scoped_release release;
              *view = self.view(node, board);
            }
            RangeDecision* kept = view.release();
            const nb::capsule owner(kept, [](void* each) noexcept { delete static_cast<RangeDecision*>(each); });
            const size_t num_hands = kept->met.size(), num_actions = static_cast<size_t>(kept->num_actions);
            const auto matrix = [&](std::vector<float>& values) {
              return nb::ndarray<nb::numpy, float>(values.data(), {num_hands, num_actions}, owner);
            };
            const auto row = [&](std::vector<float>& values) {
              return nb::ndarray<nb::numpy, float>(values.data(), {num_hands}, owner);
            };
            return nb::make_tuple(kept->player, matrix(kept->strategy), matrix(kept->values),
                                  nb::make_tuple(row(kept->reach[0]), row(kept->reach[1])), row(kept->met),
                                  row(kept->equity));
          },
          "node"_a, "board"_a)
      .def(
          "average_strategy",
          [](const RangeCfr& self, int64_t node, const std::vector<uint8_t>& board) {
            auto strategy = std::make_unique<std::vector<float>>(self.average_strategy(node, board));
            std::vector<float>* kept = strategy.release();
            const nb::capsule owner(kept, [](void* each) noexcept { delete static_cast<std::vector<float>*>(each); });
            return nb::ndarray<nb::numpy, float>(kept->data(), {kept->size()}, owner);
          },
          "node"_a, "board"_a)
      .def(
          "arrays",
          [](RangeCfr& self, int player) {
            require_player(player);
            return arrays_of(self, player);
          },
          "player"_a)
      .def_prop_ro("size", [](const RangeCfr& self) { return size_of(self.layout(), self.num_bytes()); });
}

}  // namespace nashgap
