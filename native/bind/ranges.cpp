#include <memory>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "ranges/board_hands.h"

namespace nashgap {

using namespace nb::literals;

void bind_ranges(nb::module_& m) {
  nb::class_<BoardHands>(m, "BoardHands")
      .def(
          "__init__",
          [](BoardHands* self, std::shared_ptr<Rules> rules, Array<const uint8_t> board) {
            if (rules->num_hole_cards < 1 || rules->num_hole_cards > 2)
              throw nb::value_error("ranges are of hands of 1 or 2 hole cards");
            require_size(board, rules->total_board_cards(), "board");
            for (size_t i = 0; i < board.size(); ++i)
              if (board.data()[i] >= kNumCards) throw nb::value_error("a card is from 0 to 51");
            new (self) BoardHands(*rules);
            self->deal(board.data(), 0);
          },
          "rules"_a, "board"_a.noconvert())
      .def_prop_ro("size", &BoardHands::size)
      .def(
          "cards",
          [](const BoardHands& self, int hand) {
            if (hand < 0 || hand >= self.size()) throw nb::index_error("no such hand");
            return nb::tuple(nb::cast(std::vector<int>(self.cards(hand), self.cards(hand) + self.num_hole_cards())));
          },
          "hand"_a)
      .def(
          "fold_values",
          [](const BoardHands& self, Array<const double> reach, double payoff, Array<double> values) {
            require_size(reach, self.size(), "reach");
            require_size(values, self.size(), "values");
            nb::gil_scoped_release release;
            self.fold_values(reach.data(), payoff, values.data());
          },
          "reach"_a.noconvert(), "payoff"_a, "values"_a.noconvert())
      .def(
          "showdown_values",
          [](const BoardHands& self, Array<const double> reach, double win, double tie, double lose,
             Array<double> values) {
            require_size(reach, self.size(), "reach");
            require_size(values, self.size(), "values");
            nb::gil_scoped_release release;
            self.showdown_values(reach.data(), win, tie, lose, values.data());
          },
          "reach"_a.noconvert(), "win"_a, "tie"_a, "lose"_a, "values"_a.noconvert());
}

}  // namespace nashgap
