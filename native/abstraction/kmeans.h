// k-means with the earth mover's distance on histograms of river strength, after Johanson et al. (2013).
//
// A point is a hand on a board, as the cumulative shares of its strength over all boards to come. In one dimension the
// earth mover's distance is the sum of the differences of cumulative shares, so a point is a row of numbers and the
// distance is L1. As in the paper a centre is the mean of its members.
#pragma once

#include <cstdint>

namespace nashgap {

inline constexpr int kMaxBins = 100;

struct KmeansPlan {
  int street;  // 1 or 2
  int num_bins;
  int num_centres;
  int64_t num_points;  // sampled deals that the centres are trained on
  uint64_t seed;
  int num_threads;
};

// buckets[num_boards, kNumHands] of the street: the nearest centre, from the weakest up; kNoLevel where cards collide.
// river: levels of HS, [num_boards, kNumHands]. The same for any number of threads.
void build_kmeans_buckets(const KmeansPlan& plan, const uint16_t* river, uint16_t* buckets);

}  // namespace nashgap
