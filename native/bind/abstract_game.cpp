#include "abstraction/abstract_game.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/games.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr uint64_t kDealStream = 0x6465616c;  // "deal"

void require_ranges(const Rules& rules, const Ranges& ranges) {
  require_range_hands(rules);
  if (static_cast<int>(ranges.size()) != rules.num_seats) throw nb::value_error("a range is needed for each seat");
  for (const auto& of_seat : ranges) {
    if (static_cast<int>(of_seat.size()) != rules.num_private_hands())
      throw nb::value_error("a range needs a number for each hand");
    if (!std::ranges::all_of(of_seat, [](double chance) { return chance >= 0.0 && std::isfinite(chance); }))
      throw nb::value_error("a range is of chances, 0 or more");
  }
}

}  // namespace

void bind_abstract_game(nb::module_& m) {
  m.def(
      "check_ranges",
      [](const Rules& rules, Ranges ranges) {
        require_ranges(rules, ranges);
        Dealer(rules, std::move(ranges));
      },
      "rules"_a, "ranges"_a);

  nb::class_<AbstractGame>(m, "AbstractGame")
      .def(
          "__init__",
          [](AbstractGame* self, std::shared_ptr<Rules> rules, std::shared_ptr<BettingAbstraction> betting,
             std::shared_ptr<BettingTree> tree, const std::vector<std::vector<std::shared_ptr<CardAbstraction>>>& cards,
             Ranges ranges) {
            require_same_game(*rules, tree->rules, "the betting tree");
            if (!tree->abstraction || *tree->abstraction != *betting)
              throw nb::value_error("the betting tree is of another betting abstraction");
            if (static_cast<int>(cards.size()) != rules->num_seats)
              throw nb::value_error("card abstractions are needed for each seat");
            CardsBySeat by_seat;
            for (const auto& by_active : cards) {
              if (static_cast<int>(by_active.size()) != rules->num_seats + 1)
                throw nb::value_error("a card abstraction is needed for each number of players");
              for (int active = 2; active <= rules->num_seats; ++active)
                if (by_active[active] == nullptr || !by_active[active]->is_for(*rules))
                  throw nb::value_error("a card abstraction is missing, or is for other cards than the game's");
              by_seat.emplace_back(by_active.begin(), by_active.end());
            }
            if (!ranges.empty()) require_ranges(*rules, ranges);
            nb::gil_scoped_release release;
            new (self) AbstractGame(rules, betting, tree, by_seat, std::move(ranges));
          },
          "rules"_a, "betting"_a, "tree"_a, "cards"_a.noconvert(), "ranges"_a)
      .def_prop_ro("entry_start",
                   [](const AbstractGame& self) {
                     std::vector<int64_t> starts;
                     for (int round = 0; round <= self.tree().num_rounds; ++round)
                       starts.push_back(self.entry_start(round));
                     return nb::tuple(nb::cast(starts));
                   })
      .def_prop_ro("num_infosets", &AbstractGame::num_infosets)
      .def(
          "place",
          [](const AbstractGame& self, int64_t number) {
            if (number < 0 || number >= static_cast<int64_t>(self.nodes().size()))
              throw nb::index_error("no such node");
            const AbstractGame::Node& node = self.node(number);
            return nb::make_tuple(node.offset, node.stride, node.num_actions, self.num_buckets(node));
          },
          "node"_a)
      .def(
          "deal",  // cards [deals, hole cards of all seats and board] of the deals of a seed
          [](const AbstractGame& self, uint64_t seed, int64_t first_deal, Array<uint8_t> cards) {
            const Rules& rules = self.rules();
            const auto width = static_cast<size_t>(rules.num_seats * rules.num_hole_cards + rules.total_board_cards());
            if (cards.size() % width != 0) throw nb::value_error("all cards of a deal are needed");
            require_row(first_deal, 0, "first_deal");
            nb::gil_scoped_release release;
            std::array<uint8_t, kNumCards> dealt;
            for (size_t i = 0; i < cards.size() / width; ++i) {
              self.dealer().deal(Philox(seed, kDealStream, static_cast<uint64_t>(first_deal) + i, 0), false,
                                 dealt.data());
              std::copy_n(dealt.data(), width, cards.data() + i * width);
            }
          },
          "seed"_a, "first_deal"_a, "cards"_a.noconvert());
}

}  // namespace nashgap
