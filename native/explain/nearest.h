// Exact k nearest neighbours by brute force: every query against every point.
//
// A pair's distance is summed feature by feature in one order, so it does not depend on the number of threads. Several
// points stand side by side in a vector, and are left as soon as the sums of all of them exceed what the query has
// found: features that tell points apart should come first.
#pragma once

#include <cstdint>

namespace nashgap {

enum class Norm { kL1, kL2 };

struct NearestPlan {
  Norm norm;
  int64_t num_points;
  int64_t num_features;
  int64_t num_queries;
  int64_t num_neighbours;  // 1 .. num_points
  int num_threads;
};

// points[num_points, num_features] and queries[num_queries, num_features], all finite. For each query, nearest first
// and of equally near ones the lower index first: indices and distances, [num_queries, num_neighbours].
void find_nearest(const NearestPlan& plan, const double* points, const double* queries, int64_t* indices,
                  double* distances);

}  // namespace nashgap
