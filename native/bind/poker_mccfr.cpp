#include "solvers/poker_mccfr.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/games.h"

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
  require_within(round, 0, solver.game().tree().num_rounds - 1, "round");
}

void require_seat(const Rules& rules, int seat) { require_within(seat, 0, rules.num_seats - 1, "seat"); }

int64_t num_round_entries(const PokerMccfr& solver, int round) {
  return solver.game().entry_start(round + 1) - solver.game().entry_start(round);
}

constexpr int64_t kMaxIteration = int64_t{1} << 62, kMaxExchange = int64_t{1} << 30;

void require_parts(const PokerMccfr& solver, int64_t exchange) {
  if (const std::string refusal = solver.part_refusal(); !refusal.empty()) throw nb::value_error(refusal.c_str());
  if (exchange < 1 || exchange > kMaxExchange) throw nb::value_error("exchange must be from 1 to 2^30 iterations");
}

// Of an array that has a number for each seat.
int64_t num_rows(const PokerMccfr& solver, int64_t first_hand, const Array<double>& by_hand) {
  require_row(first_hand, 0, "first_hand");
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
            require_within(sampling, 0, static_cast<int>(PokerSampling::kPublic), "sampling");
            const BettingTree& tree = game->tree();
            const bool is_plain = tree.prefix.empty() && !game->dealer().has_ranges() &&
                                  tree.truncation.num_board_cards(game->rules()) == game->rules().total_board_cards();
            if (static_cast<PokerSampling>(sampling) == PokerSampling::kPublic && !is_plain)
              throw nb::value_error("public chance sampling deals all hands alike, and all cards");
            if (!(exploration >= 0.0 && exploration <= 1.0)) throw nb::value_error("exploration is from 0 to 1");
            for (const double number : {regret_floor, prune_below, tilt})
              if (std::isnan(number)) throw nb::value_error("a floor, a bound of pruning or a tilt is no number");
            if (num_hands != 1 && num_hands != 4 && num_hands != 8 && num_hands != 16)
              refuse("num_hands is " + std::to_string(num_hands) + "; 1, 4, 8 and 16 are allowed");
            uint16_t seats = 0;
            for (const int seat : frozen) {
              require_seat(game->rules(), seat);
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
      .def(
          "run",
          [](PokerMccfr& self, int64_t first_iteration, int64_t num_iterations, int num_threads) {
            require_row(first_iteration, num_iterations, "a number of iterations");
            require_threads(num_threads);
            nb::gil_scoped_release release;
            self.run(first_iteration, num_iterations, num_threads);
          },
          "first_iteration"_a, "num_iterations"_a, "num_threads"_a)
      .def(
          "run_part",
          [](PokerMccfr& self, int64_t first_iteration, int64_t num_iterations, int64_t exchange,
             Array<const uint8_t> is_own, bool has_first_round, Array<int64_t> action_values) {
            require_parts(self, exchange);
            if (first_iteration < 1 || num_iterations < 0 || first_iteration > kMaxIteration ||
                num_iterations > exchange - (first_iteration - 1) % exchange)
              throw nb::value_error("iterations of a part must lie between two exchanges");
            const BettingTree& tree = self.game().tree();
            require_size(is_own, tree.num_nodes() - tree.round_start[1], "is_own");
            require_size(action_values, num_round_entries(self, 0), "action_values");
            nb::gil_scoped_release release;
            self.run_part(first_iteration, num_iterations,
                          {exchange, is_own.data(), has_first_round, action_values.data()});
          },
          "first_iteration"_a, "num_iterations"_a, "exchange"_a, "is_own"_a.noconvert(), "has_first_round"_a,
          "action_values"_a.noconvert())
      .def(
          "learn_first_round",
          [](PokerMccfr& self, int64_t last_iteration, int64_t exchange, Array<const int64_t> action_values) {
            require_parts(self, exchange);
            require_size(action_values, num_round_entries(self, 0), "action_values");
            nb::gil_scoped_release release;
            self.learn_first_round(last_iteration, exchange, action_values.data());
          },
          "last_iteration"_a, "exchange"_a, "action_values"_a.noconvert())
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
            require_seat(self.game().rules(), seat);
            require_size(probabilities, num_round_entries(self, round), "probabilities");
            nb::gil_scoped_release release;
            self.start_from(round, seat, probabilities.data(), weight);
          },
          "round"_a, "seat"_a, "probabilities"_a.noconvert(), "weight"_a)
      .def(
          "discount",
          [](PokerMccfr& self, double positive, double negative, double average, int num_threads) {
            require_threads(num_threads);
            nb::gil_scoped_release release;
            self.discount(positive, negative, average, num_threads);
          },
          "positive"_a, "negative"_a, "average"_a, "num_threads"_a)
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
            const int64_t num_hands = num_rows(self, first_hand, won);
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
            const int64_t num_hands = num_rows(self, first_hand, values);
            nb::gil_scoped_release release;
            self.deal_values(seed, first_hand, num_hands, values.data());
          },
          "seed"_a, "first_hand"_a, "values"_a.noconvert());
}

}  // namespace nashgap
