#include "measure/full_response.h"

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/flops.h"

namespace nashgap {

using namespace nb::literals;

namespace {

void require_board(const Rules& rules, const std::vector<uint8_t>& board, int round) {
  if (round < 0 || round > 1 || round >= rules.num_rounds) throw nb::value_error("boards are of the first two rounds");
  if (static_cast<int>(board.size()) != rules.board_cards_by(round))
    throw nb::value_error("the board has all cards that lie in the round");
  if (round == 1) require_flops(rules, board);
}

nb::ndarray<nb::numpy, double> table_of(std::vector<double>&& values, size_t num_rows, size_t num_hands) {
  auto* kept = new std::vector<double>(std::move(values));
  const nb::capsule owner(kept, [](void* each) noexcept { delete static_cast<std::vector<double>*>(each); });
  return nb::ndarray<nb::numpy, double>(kept->data(), {num_rows, num_hands}, owner);
}

}  // namespace

void bind_full_response(nb::module_& m) {
  nb::class_<KnownStrategy>(m, "KnownStrategy");
  nb::class_<TableStrategy, KnownStrategy>(m, "TableStrategy")
      .def(nb::init<std::shared_ptr<AbstractStrategy>>(), "strategy"_a);
  nb::class_<BlindStrategy, KnownStrategy>(m, "BlindStrategy")
      .def(
          "__init__",
          [](BlindStrategy* self, const Rules& rules, const BettingTree& tree, Array<const double> probabilities) {
            require_size(probabilities, tree.num_edges(), "probabilities");
            new (self) BlindStrategy({probabilities.data(), probabilities.data() + probabilities.size()},
                                     tree.first_edge, rules.num_private_hands());
          },
          "rules"_a, "tree"_a, "probabilities"_a.noconvert());
  nb::class_<FullResponse>(m, "FullResponse")
      .def(
          "__init__",
          [](FullResponse* self, std::shared_ptr<Rules> rules, const BettingTree& tree,
             std::shared_ptr<KnownStrategy> strategy, bool has_isomorphism) {
            if (rules->num_hole_cards < 1 || rules->num_hole_cards > 2)
              throw nb::value_error("ranges are of hands of 1 or 2 hole cards");
            if (!tree.prefix.empty() || tree.num_rounds != rules->num_rounds)
              throw nb::value_error("the betting tree of a whole game is needed");
            new (self) FullResponse(std::move(rules), tree, std::move(strategy), has_isomorphism);
          },
          "rules"_a, "tree"_a, "strategy"_a, "has_isomorphism"_a)
      .def(
          "trunk",
          [](const FullResponse& self, int player) {
            if (player < 0 || player > 1) throw nb::value_error("players are 0 and 1");
            std::vector<std::tuple<int, int, int, int>> nodes;
            for (const TrunkNode& each : self.trunk(player))
              nodes.emplace_back(each.node, each.sequence, each.first, each.number);
            return nodes;
          },
          "player"_a)
      .def(
          "respond",
          [](const FullResponse& self, const std::vector<uint8_t>& board, int round, int most_next) {
            require_board(self.rules(), board, round);
            BoardResponse found;
            {
              nb::gil_scoped_release release;
              found = self.respond(board, round, most_next);
            }
            const auto payoffs = [&](int player) {
              const auto num_hands = static_cast<size_t>(self.rules().num_private_hands());
              const size_t num_rows = found.payoffs[player].size() / num_hands;
              return table_of(std::move(found.payoffs[player]), num_rows, num_hands);
            };
            return nb::make_tuple(payoffs(0), payoffs(1), found.value);
          },
          "board"_a, "round"_a, "most_next"_a);
}

}  // namespace nashgap
