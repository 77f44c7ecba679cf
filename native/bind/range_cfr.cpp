#include "solvers/range_cfr.h"

#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"

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

void require_player(int player) {
  if (player < 0 || player > 1) throw nb::value_error("players are 0 and 1");
}

std::vector<float> weights_of(const Array<const float>& ranges, const Rules& rules, int player) {
  const int64_t size = rules.num_private_hands();
  require_size(ranges, 2 * size, "ranges");
  return {ranges.data() + player * size, ranges.data() + (player + 1) * size};
}

void require_board(const Rules& rules, const std::vector<uint8_t>& board) {
  if (rules.num_hole_cards < 1 || rules.num_hole_cards > 2)
    throw nb::value_error("ranges are of hands of 1 or 2 hole cards");
  if (static_cast<int>(board.size()) != rules.num_board_cards[0])
    throw nb::value_error("the board of the first round is needed");
  for (const uint8_t card : board)
    if (card >= kNumCards) throw nb::value_error("a card is 0 to 51");
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
        require_board(rules, board);
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
            if (num_threads < 1 || num_threads > 1024) throw nb::value_error("num_threads must be 1 to 1024");
            require_board(rules, board);
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
