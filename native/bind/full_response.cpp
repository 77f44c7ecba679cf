#include "measure/full_response.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "abstraction/strength_tables.h"
#include "bind/arrays.h"
#include "bind/boards.h"
#include "bind/games.h"
#include "measure/blind_response.h"
#include "measure/placed_strategy.h"

namespace nashgap {

using namespace nb::literals;

namespace {

// Its rows are of all hands.
nb::ndarray<nb::numpy, double> table_of(std::vector<double>&& values, int num_hands) {
  auto* kept = new std::vector<double>(std::move(values));
  const nb::capsule owner(kept, [](void* each) noexcept { delete static_cast<std::vector<double>*>(each); });
  const auto width = static_cast<size_t>(num_hands);
  return nb::ndarray<nb::numpy, double>(kept->data(), {kept->size() / width, width}, owner);
}

std::vector<std::tuple<int, int, int, int, int>> rows_of(const std::vector<TrunkNode>& nodes) {
  std::vector<std::tuple<int, int, int, int, int>> rows;
  for (const TrunkNode& each : nodes) rows.emplace_back(each.round, each.node, each.sequence, each.first, each.number);
  return rows;
}

nb::tuple told(BoardResponse&& found, const Rules& rules) {
  const int num_hands = rules.num_private_hands();
  return nb::make_tuple(table_of(std::move(found.payoffs[0]), num_hands),
                        table_of(std::move(found.payoffs[1]), num_hands), found.value);
}

void require_whole_tree(const Rules& rules, const BettingTree& tree) {
  require_range_hands(rules);
  require_same_game(rules, tree.rules, "the betting tree");
  if (rules.num_seats != 2) throw nb::value_error("a game of two seats is needed");
  if (!tree.prefix.empty() || tree.truncation.num_rounds < rules.num_rounds)
    throw nb::value_error("the betting tree of a whole game is needed");
}

void require_strategy(const KnownStrategy& strategy, const BettingTree& tree) {
  if (!strategy.is_for(tree)) throw nb::value_error("the strategy is for another betting tree");
  for (int player = 0; player < 2; ++player)
    for (int round = 0; round < tree.num_rounds; ++round)
      require_within(strategy.num_classes(player, round), 1, std::numeric_limits<int32_t>::max(),
                     "the number of classes of hands");
}

void require_player(int player) { require_within(player, 0, 1, "player"); }

void require_board_of(const SteppedResponse& response, int64_t board) {
  if (board < 0 || board >= response.boards().size()) throw nb::value_error("no such board");
}

void make_placed(PlacedStrategy* self, std::shared_ptr<AbstractStrategy> strategy, const BettingTree& tree,
                 Array<const int64_t> first_place, Array<const double> weights, Array<const int32_t> segments,
                 Array<const int32_t> nodes, Array<const uint8_t> columns) {
  if (tree.num_seats != 2) throw nb::value_error("a betting tree of two seats is needed");
  require_same_game(strategy->rules(), tree.rules, "the betting tree");
  const size_t num_places = weights.size();
  require_size(first_place, tree.num_nodes() + 1, "first_place");
  require_size(segments, num_places, "segments");
  require_size(nodes, num_places, "nodes");
  require_size(columns, num_places * AbstractGame::kMaxActions, "columns");
  std::vector<StrategyPlace> places(num_places);
  for (int64_t node = 0; node < tree.num_nodes(); ++node) {
    const int64_t first = first_place.data()[node], last = first_place.data()[node + 1];
    if (first < 0 || last < first || last > static_cast<int64_t>(num_places))
      throw nb::value_error("first_place does not ascend");
    for (int64_t i = first; i < last; ++i) {
      StrategyPlace& place = places[i];
      place = {weights.data()[i], segments.data()[i], nodes.data()[i], {}};
      std::copy_n(columns.data() + i * AbstractGame::kMaxActions, AbstractGame::kMaxActions, place.columns.begin());
      const bool is_rule = place.node == StrategyPlace::kRule;
      if (!is_rule && (place.segment < 0 || place.segment >= strategy->num_segments() || place.node < 0 ||
                       place.node >= strategy->game(place.segment).tree().num_nodes()))
        throw nb::value_error("no such node of the strategy");
      const int num_own = is_rule ? 1 : strategy->game(place.segment).node(place.node).num_actions;
      for (int action = 0; action < num_own; ++action)
        if (place.columns[action] >= tree.num_actions(node)) throw nb::value_error("no such action of the tree");
    }
  }
  new (self) PlacedStrategy(std::move(strategy), std::move(places),
                            {first_place.data(), first_place.data() + first_place.size()}, tree.first_edge);
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
            require_same_game(rules, tree.rules, "the betting tree");
            require_range_hands(rules);
            require_size(probabilities, tree.num_edges(), "probabilities");
            new (self) BlindStrategy({probabilities.data(), probabilities.data() + probabilities.size()},
                                     tree.first_edge, rules.num_private_hands());
          },
          "rules"_a, "tree"_a, "probabilities"_a.noconvert());
  nb::class_<PlacedStrategy, KnownStrategy>(m, "PlacedStrategy")
      .def("__init__", &make_placed, "strategy"_a, "tree"_a, "first_place"_a.noconvert(), "weights"_a.noconvert(),
           "segments"_a.noconvert(), "nodes"_a.noconvert(), "columns"_a.noconvert())
      .def(
          "num_classes",
          [](const PlacedStrategy& self, int player, int round) {
            require_player(player);
            require_within(round, 0, self.num_rounds() - 1, "round");
            return self.num_classes(player, round);
          },
          "player"_a, "round"_a);
  m.attr("MAX_ACTIONS") = AbstractGame::kMaxActions;
  nb::class_<AskedStrategy, KnownStrategy>(m, "AskedStrategy")
      .def(
          "__init__",
          [](AskedStrategy* self, const Rules& rules, const BettingTree& tree) {
            require_same_game(rules, tree.rules, "the betting tree");
            require_range_hands(rules);
            new (self) AskedStrategy(tree, rules.num_private_hands());
          },
          "rules"_a, "tree"_a)
      .def(
          "tell",
          [](AskedStrategy& self, int round, Array<const float> probabilities) {
            require_within(round, 0, self.num_rounds() - 1, "round");
            require_size(probabilities, self.table_size(round), "probabilities");
            self.tell(round, probabilities.data());
          },
          "round"_a, "probabilities"_a.noconvert());
  nb::class_<FullResponse>(m, "FullResponse")
      .def(
          "__init__",
          [](FullResponse* self, std::shared_ptr<Rules> rules, const BettingTree& tree,
             std::shared_ptr<KnownStrategy> strategy, bool has_isomorphism) {
            require_whole_tree(*rules, tree);
            require_strategy(*strategy, tree);
            new (self) FullResponse(std::move(rules), tree, std::move(strategy), has_isomorphism);
          },
          "rules"_a, "tree"_a, "strategy"_a, "has_isomorphism"_a)
      .def(
          "trunk",
          [](const FullResponse& self, int player, int round) {
            require_player(player);
            require_within(round, 0, self.rules().num_rounds - 1, "round");
            return rows_of(self.trunk(round).nodes(player));
          },
          "player"_a, "round"_a)
      .def(
          "respond",
          [](const FullResponse& self, const std::vector<uint8_t>& board, int round, int most_next, bool is_narrow) {
            require_board(self.rules(), board, round);
            if (!self.strategy().is_known()) throw nb::value_error("the strategy was not told");
            BoardResponse found;
            {
              nb::gil_scoped_release release;
              found = self.respond(board, round, most_next, is_narrow);
            }
            return told(std::move(found), self.rules());
          },
          "board"_a, "round"_a, "most_next"_a, "is_narrow"_a = false);
  nb::class_<SteppedResponse>(m, "SteppedResponse")
      .def(
          "__init__",
          [](SteppedResponse* self, std::shared_ptr<Rules> rules, const BettingTree& tree,
             std::shared_ptr<AskedStrategy> strategy, const std::vector<uint8_t>& board, int round) {
            require_whole_tree(*rules, tree);
            require_strategy(*strategy, tree);
            require_board(*rules, board, round);
            new (self) SteppedResponse(std::move(rules), tree, std::move(strategy), board, round);
          },
          "rules"_a, "tree"_a, "strategy"_a, "board"_a, "round"_a)
      .def(
          "trunk",
          [](const SteppedResponse& self, int player) {
            require_player(player);
            return rows_of(self.trunk().nodes(player));
          },
          "player"_a)
      .def(
          "cards",
          [](const SteppedResponse& self, int64_t board) {
            require_board_of(self, board);
            return nb::tuple(nb::cast(self.boards()[board].cards));
          },
          "board"_a)
      .def(
          "following",  // the first board that follows, and how many do
          [](const SteppedResponse& self, int64_t board) {
            require_board_of(self, board);
            return nb::make_tuple(self.boards()[board].first_child, self.boards()[board].num_children);
          },
          "board"_a)
      .def(
          "enter",
          [](SteppedResponse& self, int64_t board) {
            require_board_of(self, board);
            nb::gil_scoped_release release;
            self.enter(board);
          },
          "board"_a)
      .def(
          "leave",
          [](SteppedResponse& self, int64_t board) {
            require_board_of(self, board);
            nb::gil_scoped_release release;
            self.leave(board);
          },
          "board"_a)
      .def("found", [](const SteppedResponse& self) { return told(self.found(), self.rules()); });
  nb::class_<BlindResponse>(m, "BlindResponse")
      .def(
          "__init__",
          [](BlindResponse* self, std::shared_ptr<Rules> rules, const BettingTree& tree,
             Array<const double> probabilities, Array<const uint16_t> river_levels) {
            require_holdem(*rules);
            require_whole_tree(*rules, tree);
            require_size(probabilities, tree.num_edges(), "probabilities");
            require_size(river_levels, BoardIndex(5).size() * kNumHands, "river_levels");
            new (self)
                BlindResponse(std::move(rules), tree,
                              {probabilities.data(), probabilities.data() + probabilities.size()}, river_levels.data());
          },
          nb::keep_alive<1, 5>(), "rules"_a, "tree"_a, "probabilities"_a.noconvert(), "river_levels"_a.noconvert())
      .def(
          "num_different",
          [](const BlindResponse& self, int round) {
            require_within(round, 0, 3, "round");
            return self.num_different(round);
          },
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
