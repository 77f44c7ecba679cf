#include "explain/nearest.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstring>
#include <limits>
#include <vector>

#include "abstraction/parallel.h"

namespace nashgap {
namespace {

typedef double Pair __attribute__((vector_size(16)));
typedef int64_t PairBits __attribute__((vector_size(16)));

constexpr int kPairs = 4;  // of a group: as many sums as leave registers for the differences
constexpr int kGroup = 2 * kPairs;
constexpr int kStride = 6;               // features between two looks at whether a group can be left
constexpr int64_t kTileBytes = 1 << 17;  // of points, which stay in the cache while a batch of queries meets them
constexpr int64_t kQueriesPerItem = 32;

struct Found {
  double distance;
  int64_t index;
  auto operator<=>(const Found&) const = default;
};

// The nearest points so far, the farthest of them first: a heap.
class Nearest {
 public:
  explicit Nearest(int64_t capacity) : capacity_(capacity) { heap_.reserve(static_cast<size_t>(capacity)); }

  // What is farther than this cannot enter.
  double limit() const { return is_full() ? heap_.front().distance : std::numeric_limits<double>::infinity(); }

  void offer(const Found& found) {
    if (is_full()) {
      if (!(found < heap_.front())) return;
      std::ranges::pop_heap(heap_);
      heap_.back() = found;
    } else {
      heap_.push_back(found);
    }
    std::ranges::push_heap(heap_);
  }

  const std::vector<Found>& sorted() {
    std::ranges::sort_heap(heap_);
    return heap_;
  }

 private:
  bool is_full() const { return static_cast<int64_t>(heap_.size()) == capacity_; }

  int64_t capacity_;
  std::vector<Found> heap_;
};

// Points side by side, [groups][features][kPairs]; lanes without a point are infinitely far.
class Groups {
 public:
  Groups(const double* points, int64_t num_points, int64_t num_features)
      : num_points_(num_points),
        num_features_(num_features),
        num_groups_((num_points + kGroup - 1) / kGroup),
        pairs_(num_groups_ * num_features * kPairs, Pair{kFar, kFar}) {
    for (int64_t point = 0; point < num_points; ++point)
      for (int64_t feature = 0; feature < num_features; ++feature)
        pairs_[((point / kGroup) * num_features + feature) * kPairs + point % kGroup / 2][point % 2] =
            points[point * num_features + feature];
  }

  int64_t size() const { return num_groups_; }
  int64_t groups_per_tile() const {
    return std::max<int64_t>(1, kTileBytes / (num_features_ * kPairs * static_cast<int64_t>(sizeof(Pair))));
  }

  // Offers the points of groups first .. last - 1.
  template <Norm norm>
  void search(int64_t first, int64_t last, const double* query, Nearest& nearest) const {
    for (int64_t group = first; group < last; ++group) {
      const Pair* value = pairs_.data() + group * num_features_ * kPairs;
      const Pair limit = {nearest.limit(), nearest.limit()};
      Pair sums[kPairs] = {};
      bool is_near = true;
      for (int64_t feature = 0; is_near && feature < num_features_;) {
        const int64_t stop = std::min(feature + kStride, num_features_);
        for (; feature < stop; ++feature, value += kPairs) {
          const Pair wanted = {query[feature], query[feature]};
          for (int i = 0; i < kPairs; ++i) sums[i] += term<norm>(value[i] - wanted);
        }
        PairBits below = sums[0] <= limit;
        for (int i = 1; i < kPairs; ++i) below |= sums[i] <= limit;
        is_near = below[0] | below[1];
      }
      if (!is_near) continue;
      const int64_t begin = group * kGroup, end = std::min(begin + kGroup, num_points_);
      double distances[kGroup];
      std::memcpy(distances, sums, sizeof(sums));
      for (int64_t point = begin; point < end; ++point) nearest.offer({distances[point - begin], point});
    }
  }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();

  template <Norm norm>
  static Pair term(Pair difference) {
    if constexpr (norm == Norm::kL2) return difference * difference;
    constexpr int64_t kNoSign = std::numeric_limits<int64_t>::max();
    return reinterpret_cast<Pair>(reinterpret_cast<PairBits>(difference) & PairBits{kNoSign, kNoSign});
  }

  int64_t num_points_, num_features_, num_groups_;
  std::vector<Pair> pairs_;
};

template <Norm norm>
void find(const NearestPlan& plan, const double* points, const double* queries, int64_t* indices, double* distances) {
  const Groups groups(points, plan.num_points, plan.num_features);
  const int64_t tile = groups.groups_per_tile();
  for_each_item((plan.num_queries + kQueriesPerItem - 1) / kQueriesPerItem, plan.num_threads, [&](int64_t item) {
    const int64_t begin = item * kQueriesPerItem, end = std::min(plan.num_queries, begin + kQueriesPerItem);
    std::vector<Nearest> nearest(end - begin, Nearest(plan.num_neighbours));
    for (int64_t group = 0; group < groups.size(); group += tile)
      for (int64_t query = begin; query < end; ++query)
        groups.search<norm>(group, std::min(groups.size(), group + tile), queries + query * plan.num_features,
                            nearest[query - begin]);
    for (int64_t query = begin; query < end; ++query) {
      int64_t place = query * plan.num_neighbours;
      for (const Found& found : nearest[query - begin].sorted()) {
        indices[place] = found.index;
        distances[place++] = norm == Norm::kL2 ? std::sqrt(found.distance) : found.distance;
      }
    }
  });
}

}  // namespace

void find_nearest(const NearestPlan& plan, const double* points, const double* queries, int64_t* indices,
                  double* distances) {
  if (plan.norm == Norm::kL1) {
    find<Norm::kL1>(plan, points, queries, indices, distances);
  } else {
    find<Norm::kL2>(plan, points, queries, indices, distances);
  }
}

}  // namespace nashgap
