#include "solvers/poker_mccfr.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"

namespace nashgap {

using namespace nb::literals;

namespace {

template <typename T>
using View = nb::ndarray<nb::numpy, T>;

template <typename T>
View<T> view_of(PokerMccfr& owner, HugeArray<T>& values) {
  return View<T>(values.data(), {static_cast<size_t>(values.size())}, nb::find(owner));
}

void require_round(const PokerMccfr& solver, int round) {
  if (round < 0 || round >= solver.game().tree().num_rounds) throw nb::value_error("no such round");
}

int64_t num_round_entries(const PokerMccfr& solver, int round) {
  return solver.game().entry_start(round + 1) - solver.game().entry_start(round);
}

// Of an array that has a number for each seat.
int64_t num_rows(const PokerMccfr& solver, const Array<double>& by_hand) {
  const int num_seats = solver.game().rules().num_seats;
  if (by_hand.size() % num_seats != 0) throw nb::value_error("a number is needed for each seat");
  return static_cast<int64_t>(by_hand.size()) / num_seats;
}

}  // namespace

void bind_poker_mccfr(nb::module_& m) {
  m.attr("MAX_WIDE_ROUNDS") = kMaxWideRounds;
  m.attr("MAX_WIDE_ENTRIES") = kMaxWideEntries;

  nb::class_<PokerMccfr>(m, "PokerMccfr")
      .def(
          "__init__",
          [](PokerMccfr* self, std::shared_ptr<AbstractGame> game, int sampling, double exploration,
             bool has_linear_regret, bool has_linear_average, double regret_floor, double prune_below, int num_hands,
             double tilt, bool discards, const std::vector<int>& frozen, uint64_t seed) {
            uint16_t seats = 0;
            for (const int seat : frozen) {
              if (seat < 0 || seat >= game->rules().num_seats) throw nb::value_error("no such seat");
              seats = static_cast<uint16_t>(seats | 1u << seat);
            }
            const PokerMccfrOptions options{static_cast<PokerSampling>(sampling),
                                            exploration,
                                            has_linear_regret,
                                            has_linear_average,
                                            regret_floor,
                                            prune_below,
                                            num_hands,
                                            tilt,
                                            discards,
                                            seats,
                                            seed};
            new (self) PokerMccfr(std::move(game), options);
          },
          "game"_a, "sampling"_a, "exploration"_a, "has_linear_regret"_a, "has_linear_average"_a, "regret_floor"_a,
          "prune_below"_a, "num_hands"_a, "tilt"_a, "discards"_a, "frozen"_a, "seed"_a)
      .def("run", &PokerMccfr::run, nb::call_guard<nb::gil_scoped_release>(), "first_iteration"_a, "num_iterations"_a,
           "num_threads"_a)
      .def_prop_ro("num_visits", &PokerMccfr::num_visits)
      .def_prop_ro("wide_regret_sum", [](PokerMccfr& self) { return view_of(self, self.wide().regret_sum); })
      .def_prop_ro("wide_strategy_sum", [](PokerMccfr& self) { return view_of(self, self.wide().strategy_sum); })
      .def_prop_ro("narrow_regret_sum", [](PokerMccfr& self) { return view_of(self, self.narrow().regret_sum); })
      .def_prop_ro("narrow_strategy_sum", [](PokerMccfr& self) { return view_of(self, self.narrow().strategy_sum); })
      .def(
          "average_strategy",
          [](const PokerMccfr& self, int round, Array<float> probabilities) {
            require_round(self, round);
            require_size(probabilities, num_round_entries(self, round), "probabilities");
            nb::gil_scoped_release release;
            self.average_strategy(round, probabilities.data());
          },
          "round"_a, "probabilities"_a.noconvert())
      .def(
          "start_from",
          [](PokerMccfr& self, int round, int seat, Array<const float> probabilities, double weight) {
            require_round(self, round);
            require_size(probabilities, num_round_entries(self, round), "probabilities");
            nb::gil_scoped_release release;
            self.start_from(round, seat, probabilities.data(), weight);
          },
          "round"_a, "seat"_a, "probabilities"_a.noconvert(), "weight"_a)
      .def("discount", &PokerMccfr::discount, nb::call_guard<nb::gil_scoped_release>(), "positive"_a, "negative"_a,
           "average"_a, "num_threads"_a)
      .def(
          "positive_regret",
          [](const PokerMccfr& self, int round) {
            require_round(self, round);
            std::vector<double> by_seat(self.game().rules().num_seats);
            {
              nb::gil_scoped_release release;
              self.positive_regret(round, by_seat.data());
            }
            return nb::tuple(nb::cast(by_seat));
          },
          "round"_a)
      .def(
          "self_play",
          [](const PokerMccfr& self, uint64_t seed, int64_t first_hand, Array<double> won) {
            const int64_t num_hands = num_rows(self, won);
            SelfPlay played;
            {
              nb::gil_scoped_release release;
              played = self.self_play(seed, first_hand, num_hands, won.data());
            }
            return nb::make_tuple(played.num_decisions, played.num_unvisited, played.sequences);
          },
          "seed"_a, "first_hand"_a, "won"_a.noconvert())
      .def(
          "deal_values",
          [](const PokerMccfr& self, uint64_t seed, int64_t first_hand, Array<double> values) {
            const int64_t num_hands = num_rows(self, values);
            nb::gil_scoped_release release;
            self.deal_values(seed, first_hand, num_hands, values.data());
          },
          "seed"_a, "first_hand"_a, "values"_a.noconvert());
}

}  // namespace nashgap
