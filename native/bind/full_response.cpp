#include "measure/full_response.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "abstraction/strength_tables.h"
#include "bind/arrays.h"
#include "bind/flops.h"
#include "measure/blind_response.h"

namespace nashgap {

using namespace nb::literals;

namespace {

void require_board(const Rules& rules, const std::vector<uint8_t>& board, int round) {
  if (round < 0 || round > 1 || round >= rules.num_rounds) throw nb::value_error("boards are of the first two rounds");
  if (static_cast<int>(board.size()) != rules.board_cards_by(round))
    throw nb::value_error("the board has all cards that lie in the round");
  if (round == 1) require_flops(rules, board);
}

// Its rows are of all hands.
nb::ndarray<nb::numpy, double> table_of(std::vector<double>&& values, int num_hands) {
  auto* kept = new std::vector<double>(std::move(values));
  const nb::capsule owner(kept, [](void* each) noexcept { delete static_cast<std::vector<double>*>(each); });
  const auto width = static_cast<size_t>(num_hands);
  return nb::ndarray<nb::numpy, double>(kept->data(), {kept->size() / width, width}, owner);
}

std::vector<std::tuple<int, int, int, int>> rows_of(const std::vector<TrunkNode>& nodes) {
  std::vector<std::tuple<int, int, int, int>> rows;
  for (const TrunkNode& each : nodes) rows.emplace_back(each.node, each.sequence, each.first, each.number);
  return rows;
}

void require_holdem(const Rules& rules) {
  bool is_holdem = rules.num_hole_cards == 2 && rules.num_rounds == 4 && rules.deck().size() == kNumCards;
  for (int round = 0; round < 4 && is_holdem; ++round)
    is_holdem = rules.board_cards_by(round) == kStreetBoardCards[round];
  if (!is_holdem) throw nb::value_error("hold'em is needed");
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
            if (!tree.prefix.empty() || tree.truncation.num_rounds < rules->num_rounds)
              throw nb::value_error("the betting tree of a whole game is needed");
            new (self) FullResponse(std::move(rules), tree, std::move(strategy), has_isomorphism);
          },
          "rules"_a, "tree"_a, "strategy"_a, "has_isomorphism"_a)
      .def(
          "trunk",
          [](const FullResponse& self, int player) {
            if (player < 0 || player > 1) throw nb::value_error("players are 0 and 1");
            return rows_of(self.trunk(player));
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
            const int num_hands = self.rules().num_private_hands();
            return nb::make_tuple(table_of(std::move(found.payoffs[0]), num_hands),
                                  table_of(std::move(found.payoffs[1]), num_hands), found.value);
          },
          "board"_a, "round"_a, "most_next"_a);
  nb::class_<BlindResponse>(m, "BlindResponse")
      .def(
          "__init__",
          [](BlindResponse* self, std::shared_ptr<Rules> rules, const BettingTree& tree,
             Array<const double> probabilities, Array<const uint16_t> river_levels) {
            require_holdem(*rules);
            require_size(probabilities, tree.num_edges(), "probabilities");
            require_size(river_levels, BoardIndex(5).size() * kNumHands, "river_levels");
            if (!tree.prefix.empty() || tree.truncation.num_rounds < rules->num_rounds)
              throw nb::value_error("the betting tree of a whole game is needed");
            new (self)
                BlindResponse(std::move(rules), tree,
                              {probabilities.data(), probabilities.data() + probabilities.size()}, river_levels.data());
          },
          nb::keep_alive<1, 5>(), "rules"_a, "tree"_a, "probabilities"_a.noconvert(), "river_levels"_a.noconvert())
      .def(
          "trunk",
          [](const BlindResponse& self, int player) {
            if (player < 0 || player > 1) throw nb::value_error("players are 0 and 1");
            return rows_of(self.trunk(player));
          },
          "player"_a)
      .def(
          "num_different", [](const BlindResponse& self, int round) { return self.num_different(round & 3); },
          "round"_a)
      .def(
          "respond",
          [](const BlindResponse& self, const std::vector<uint8_t>& flop) {
            if (flop.size() != 3) throw nb::value_error("a flop has three cards");
            for (const uint8_t card : flop)
              if (card >= kNumCards || std::ranges::count(flop, card) != 1)
                throw nb::value_error("a flop has different cards of the deck");
            BoardResponse found;
            {
              nb::gil_scoped_release release;
              found = self.respond({flop[0], flop[1], flop[2]});
            }
            return nb::make_tuple(table_of(std::move(found.payoffs[0]), kNumHands),
                                  table_of(std::move(found.payoffs[1]), kNumHands));
          },
          "flop"_a);
}

}  // namespace nashgap
