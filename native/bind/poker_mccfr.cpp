#include "solvers/poker_mccfr.h"

#include <memory>
#include <string>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"

namespace nashgap {

using namespace nb::literals;

namespace {

using Given = std::vector<std::shared_ptr<CardAbstraction>>;

template <typename T>
using View = nb::ndarray<nb::numpy, T>;

Abstractions checked(const BettingTree& tree, const Given& given) {
  if (static_cast<int>(given.size()) != tree.num_seats) throw nb::value_error("an abstraction is needed for each seat");
  for (const auto& abstraction : given)
    if (abstraction == nullptr || abstraction->num_rounds() < tree.num_rounds)
      throw nb::value_error("an abstraction has fewer rounds than the betting tree");
  return Abstractions(given.begin(), given.end());
}

template <typename T>
View<T> view_of(PokerMccfr& owner, HugeArray<T>& values) {
  return View<T>(values.data(), {static_cast<size_t>(values.size())}, nb::find(owner));
}

}  // namespace

void bind_poker_mccfr(nb::module_& m) {
  m.def(
      "count_poker_entries",
      [](const BettingTree& tree, const Given& abstractions) {
        const EntryCounts counts = count_entries(tree, checked(tree, abstractions));
        const std::vector<int64_t> by_round(counts.by_round.begin(), counts.by_round.begin() + tree.num_rounds);
        const int64_t num_bytes = 2 * (counts.num_wide * sizeof(double) + counts.num_narrow * sizeof(float));
        return nb::make_tuple(nb::tuple(nb::cast(by_round)), counts.num_infosets, num_bytes);
      },
      "tree"_a, "abstractions"_a);

  nb::class_<PokerMccfr>(m, "PokerMccfr")
      .def(
          "__init__",
          [](PokerMccfr* self, std::shared_ptr<Rules> rules, std::shared_ptr<BettingTree> tree,
             const Given& abstractions, int sampling, double exploration, bool is_linear, double regret_floor,
             uint64_t seed) {
            if (rules->num_seats != tree->num_seats || rules->num_rounds != tree->num_rounds)
              throw nb::value_error("the betting tree is of another game");
            const PokerMccfrOptions options{static_cast<PokerSampling>(sampling), exploration, is_linear, regret_floor,
                                            seed};
            new (self) PokerMccfr(rules, tree, checked(*tree, abstractions), options);
          },
          "rules"_a, "tree"_a, "abstractions"_a, "sampling"_a, "exploration"_a, "is_linear"_a, "regret_floor"_a,
          "seed"_a)
      .def("run", &PokerMccfr::run, nb::call_guard<nb::gil_scoped_release>(), "first_iteration"_a, "num_iterations"_a,
           "num_threads"_a)
      .def("count_visited", &PokerMccfr::count_visited, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("num_visits", &PokerMccfr::num_visits)
      .def_prop_ro("wide_regret_sum", [](PokerMccfr& self) { return view_of(self, self.wide().regret_sum); })
      .def_prop_ro("wide_strategy_sum", [](PokerMccfr& self) { return view_of(self, self.wide().strategy_sum); })
      .def_prop_ro("narrow_regret_sum", [](PokerMccfr& self) { return view_of(self, self.narrow().regret_sum); })
      .def_prop_ro("narrow_strategy_sum", [](PokerMccfr& self) { return view_of(self, self.narrow().strategy_sum); })
      .def(
          "average_strategy",
          [](const PokerMccfr& self, int round, Array<float> probabilities) {
            if (round < 0 || round >= kMaxRounds) throw nb::value_error("no such round");
            require_size(probabilities, self.counts().by_round[round], "probabilities");
            nb::gil_scoped_release release;
            if (probabilities.size() > 0) self.average_strategy(round, probabilities.data());
          },
          "round"_a, "probabilities"_a.noconvert());
}

}  // namespace nashgap
