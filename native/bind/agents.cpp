#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

#include <nanobind/stl/tuple.h>

#include "agents/poki.h"
#include "agents/poki_sim.h"
#include "bind/arrays.h"
#include "bind/games.h"
#include "cards/strength.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr int kMostTrials = 1'000'000;

PreflopTable make_preflop_table(const Array<const uint8_t>& plays) {
  require_size(plays, kNumSpots * kNumHands, "preflop");
  PreflopTable table;
  for (size_t i = 0; i < plays.size(); ++i) {
    if (plays.data()[i] > static_cast<uint8_t>(PreflopPlay::kRaise))
      throw nb::value_error("preflop plays are 0 fold, 1 call, 2 raise");
    table.push_back(static_cast<PreflopPlay>(plays.data()[i]));
  }
  return table;
}

}  // namespace

void bind_agents(nb::module_& m) {
  m.attr("NUM_SPOTS") = kNumSpots;

  nb::class_<Poki, Agent>(m, "PokiAgent")
      .def(
          "__init__",
          [](Poki* self, Array<const uint8_t> preflop) {
            new (self) Poki(std::make_shared<const PreflopTable>(make_preflop_table(preflop)));
          },
          "preflop"_a.noconvert());
  nb::class_<PokiSim, Agent>(m, "PokiSimAgent")
      .def(
          "__init__",
          [](PokiSim* self, Array<const uint8_t> preflop, Array<const float> preflop_order, int num_trials) {
            require_size(preflop_order, kNumHands, "preflop_order");
            require_within(num_trials, 1, kMostTrials, "num_trials");
            auto settings = std::make_shared<PokiSimSettings>();
            settings->preflop = make_preflop_table(preflop);
            std::copy_n(preflop_order.data(), kNumHands, settings->preflop_order.begin());
            settings->num_trials = num_trials;
            new (self) PokiSim(std::move(settings));
          },
          "preflop"_a.noconvert(), "preflop_order"_a.noconvert(), "num_trials"_a);

  m.def(
      "hand_potential",  // HS, PPot, NPot and EHS
      [](nb::bytes hole_cards, nb::bytes board, int num_opponents) {
        const auto* hole = static_cast<const uint8_t*>(hole_cards.data());
        const auto* dealt = static_cast<const uint8_t*>(board.data());
        uint64_t seen = 0;
        for (size_t i = 0; i < hole_cards.size() + board.size(); ++i) {
          const uint8_t card = i < hole_cards.size() ? hole[i] : dealt[i - hole_cards.size()];
          if (card >= kNumCards || seen >> card & 1) throw nb::value_error("cards must be 0 to 51 and differ");
          seen |= uint64_t{1} << card;
        }
        if (hole_cards.size() != 2 || board.size() < 3 || board.size() > 5)
          throw nb::value_error("two hole cards and 3 to 5 board cards are needed");
        nb::gil_scoped_release release;
        const HandPotential found = BoardStrength(dealt, static_cast<int>(board.size())).potential(hole);
        return std::make_tuple(found.strength, found.positive, found.negative, found.effective(num_opponents));
      },
      "hole_cards"_a, "board"_a, "num_opponents"_a);
}

}  // namespace nashgap
