#include <memory>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/games.h"
#include "ranges/board_hands.h"
#include "ranges/win_chances.h"

namespace nashgap {

using namespace nb::literals;

namespace {

void bind_win_chances(nb::module_& m) {
  nb::class_<PreflopChances>(m, "PreflopChances")
      .def(
          "__init__",
          [](PreflopChances* self, Array<const uint32_t> points) {
            require_size(points, kNumMatchups, "points");
            new (self) PreflopChances(points.data());
          },
          "points"_a.noconvert());

  m.def(
      "build_matchup_points",
      [](int num_threads, Array<uint32_t> points) {
        require_threads(num_threads);
        require_size(points, kNumMatchups, "points");
        nb::gil_scoped_release release;
        build_matchup_points(num_threads, points.data());
      },
      "num_threads"_a, "points"_a.noconvert());

  nb::class_<WinChances>(m, "WinChances")
      .def(
          "__init__",
          [](WinChances* self, Array<const uint8_t> deck, int num_hole_cards, int num_board_cards,
             std::shared_ptr<PreflopChances> preflop) {
            if (num_hole_cards < 1 || num_hole_cards > 2)
              throw nb::value_error("chances are of hands of 1 or 2 hole cards");
            if (num_board_cards < 0 || num_hole_cards + num_board_cards > kMaxHandCards)
              throw nb::value_error("hole and board cards are at most 10");
            for (size_t i = 0; i < deck.size(); ++i)
              if (deck.data()[i] >= kNumCards || (i && deck.data()[i] <= deck.data()[i - 1]))
                throw nb::value_error("a deck is different cards from 0 to 51 in ascending order");
            new (self) WinChances({deck.data(), deck.data() + deck.size()}, num_hole_cards, num_board_cards,
                                  std::move(preflop));
          },
          "deck"_a.noconvert(), "num_hole_cards"_a, "num_board_cards"_a, "preflop"_a.none())
      .def_prop_ro("num_places", &WinChances::num_places)
      .def(
          "compute",
          [](const WinChances& self, Array<const uint8_t> hole_cards, Array<const uint8_t> board,
             Array<double> chances) {
            require_size(hole_cards, self.num_hole_cards(), "hole_cards");
            if (static_cast<int>(board.size()) > self.num_board_cards()) throw nb::value_error("the board is too long");
            require_size(chances, self.num_places(), "chances");
            uint64_t left = 0;
            for (const uint8_t card : self.deck()) left |= 1ULL << card;
            for (const auto& cards : {hole_cards, board})
              for (size_t i = 0; i < cards.size(); ++i) {
                if (cards.data()[i] >= kNumCards || !(left >> cards.data()[i] & 1))
                  throw nb::value_error("cards must be different ones of the deck");
                left &= ~(1ULL << cards.data()[i]);
              }
            nb::gil_scoped_release release;
            self.compute(hole_cards.data(), board.data(), static_cast<int>(board.size()), chances.data());
          },
          "hole_cards"_a.noconvert(), "board"_a.noconvert(), "chances"_a.noconvert());
}

}  // namespace

void bind_ranges(nb::module_& m) {
  bind_win_chances(m);
  nb::class_<BoardHands>(m, "BoardHands")
      .def(
          "__init__",
          [](BoardHands* self, std::shared_ptr<Rules> rules, Array<const uint8_t> board) {
            require_range_hands(*rules);
            require_size(board, rules->total_board_cards(), "board");
            for (size_t i = 0; i < board.size(); ++i)
              if (board.data()[i] >= kNumCards) throw nb::value_error("a card is from 0 to 51");
            require_unseen(*rules, board.data(), board.size());
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
