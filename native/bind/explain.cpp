#include "bind/arrays.h"
#include "bind/games.h"
#include "explain/nearest.h"

namespace nashgap {

using namespace nb::literals;

void bind_explain(nb::module_& m) {
  m.def(
      "find_nearest",  // points and queries [., features]; indices and distances [queries, neighbours]
      [](Array<const double> points, Array<const double> queries, bool is_l2, int num_threads, Array<int64_t> indices,
         Array<double> distances) {
        if (points.ndim() != 2 || queries.ndim() != 2 || indices.ndim() != 2)
          throw nb::value_error("points, queries and indices are matrices");
        const NearestPlan plan{.norm = is_l2 ? Norm::kL2 : Norm::kL1,
                               .num_points = static_cast<int64_t>(points.shape(0)),
                               .num_features = static_cast<int64_t>(points.shape(1)),
                               .num_queries = static_cast<int64_t>(queries.shape(0)),
                               .num_neighbours = static_cast<int64_t>(indices.shape(1)),
                               .num_threads = num_threads};
        require_size(queries, plan.num_queries * plan.num_features, "queries");
        require_size(indices, plan.num_queries * plan.num_neighbours, "indices");
        require_size(distances, plan.num_queries * plan.num_neighbours, "distances");
        if (plan.num_neighbours < 1 || plan.num_neighbours > plan.num_points)
          throw nb::value_error("neighbours are from 1 to the number of points");
        require_threads(num_threads);
        nb::gil_scoped_release release;
        find_nearest(plan, points.data(), queries.data(), indices.data(), distances.data());
      },
      "points"_a.noconvert(), "queries"_a.noconvert(), "is_l2"_a, "num_threads"_a, "indices"_a.noconvert(),
      "distances"_a.noconvert());
}

}  // namespace nashgap
