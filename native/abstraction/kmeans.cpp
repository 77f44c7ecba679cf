#include "abstraction/kmeans.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "abstraction/deal.h"
#include "abstraction/parallel.h"
#include "abstraction/strength_tables.h"

namespace nashgap {
namespace {

constexpr int kTrainingPurpose = 16;
constexpr int kMaxIterations = 40;
constexpr int64_t kPointsPerItem = 1024;
constexpr int kLanes = 8;  // of 16 bits, in a vector

// Cumulative shares of every hand of a board.
class FutureStrength {
 public:
  FutureStrength(int street, int num_bins, const uint16_t* river)
      : boards_(kStreetBoardCards[street]), num_bins_(num_bins), unit_(INT16_MAX / num_bins), river_(river) {
    for (int level = 0; level <= kRiverUnit; ++level)
      bin_[level] = static_cast<uint8_t>(std::min(level * num_bins / kRiverUnit, num_bins - 1));
  }

  const BoardIndex& boards() const { return boards_; }
  int num_dims() const { return num_bins_ - 1; }  // the last share is always all

  // shares[kNumHands][num_dims()] of unit, so that any distance fits 16 bits; of hands on the board all zero.
  void shares(int64_t board, std::vector<uint16_t>& counts, int16_t* shares) const {
    std::array<uint8_t, 5> cards{};
    boards_.unindex(board, cards.data());
    counts.assign(size_t{kNumHands} * num_bins_, 0);
    add_runouts(cards, boards_.num_cards(), 0, counts.data());
    for (int hand = 0; hand < kNumHands; ++hand) {
      const uint16_t* count = counts.data() + hand * num_bins_;
      const int32_t total = std::max(1, std::accumulate(count, count + num_bins_, 0));
      int32_t below = 0;
      for (int dim = 0; dim < num_dims(); ++dim) {
        below += count[dim];
        *shares++ = static_cast<int16_t>(below * unit_ / total);
      }
    }
  }

 private:
  void add_runouts(std::array<uint8_t, 5>& cards, int num_cards, int first_card, uint16_t* counts) const {
    if (num_cards == 5) {
      const BoardPlace place = place_board(cards.data(), 3).places[3];
      const auto& map = hand_map(place.suit_code());
      const uint16_t* row = river_ + place.board() * kNumHands;
      for (int hand = 0; hand < kNumHands; ++hand, counts += num_bins_) {
        const uint16_t level = row[map[hand]];
        if (level != kNoLevel) ++counts[bin_[level]];
      }
      return;
    }
    for (int card = first_card; card < kNumCards; ++card) {
      const auto end = cards.begin() + boards_.num_cards();
      if (std::find(cards.begin(), end, card) != end) continue;
      cards[num_cards] = static_cast<uint8_t>(card);
      add_runouts(cards, num_cards + 1, card + 1, counts);
    }
  }

  BoardIndex boards_;
  int num_bins_;
  int32_t unit_;
  const uint16_t* river_;
  std::array<uint8_t, kRiverUnit + 1> bin_;
};

// Centres side by side, so that the distances to many are found at once: [num_dims][width].
class Centres {
 public:
  Centres(int num_centres, int num_dims)
      : num_centres_(num_centres),
        num_dims_(num_dims),
        width_((num_centres + kLanes - 1) / kLanes * kLanes),
        values_(size_t(num_dims) * width_) {}

  int size() const { return num_centres_; }
  int16_t value(int centre, int dim) const { return values_[size_t(dim) * width_ + centre]; }
  void set(int centre, const int16_t* point) {
    for (int dim = 0; dim < num_dims_; ++dim) values_[size_t(dim) * width_ + centre] = point[dim];
  }

  // The first of the nearest ones. distances: room for size() rounded up to whole vectors.
  int nearest(const int16_t* point, std::vector<int16_t>& distances) const {
    distances.assign(width_, 0);
    for (int dim = 0; dim < num_dims_; ++dim) {
      const int16_t* values = values_.data() + size_t(dim) * width_;
      for (int centre = 0; centre < width_; ++centre) {
        const auto difference = static_cast<int16_t>(values[centre] - point[dim]);
        distances[centre] = static_cast<int16_t>(distances[centre] + (difference < 0 ? -difference : difference));
      }
    }
    return static_cast<int>(std::min_element(distances.begin(), distances.begin() + num_centres_) - distances.begin());
  }

 private:
  int num_centres_, num_dims_, width_;
  std::vector<int16_t> values_;
};

// points[num_points][num_dims] of sampled deals.
std::vector<int16_t> sample_points(const KmeansPlan& plan, const FutureStrength& future) {
  std::vector<int64_t> rows(plan.num_points);
  Philox random = deal_stream(plan.seed, kTrainingPurpose + plan.street, 0);
  uint8_t cards[kMaxDealCards];
  for (int64_t& row : rows) {
    sample_deal(random, cards);
    row = place_board(cards + 2, plan.street).places[plan.street].row(cards);
  }
  std::ranges::sort(rows);
  const int num_dims = future.num_dims();
  std::vector<int16_t> points(rows.size() * num_dims);
  for_each_item(future.boards().size(), plan.num_threads, [&](int64_t board) {
    auto row = std::ranges::lower_bound(rows, board * kNumHands);
    if (row == rows.end() || *row >= (board + 1) * kNumHands) return;
    std::vector<uint16_t> counts;
    std::vector<int16_t> shares(size_t{kNumHands} * num_dims);
    future.shares(board, counts, shares.data());
    for (; row != rows.end() && *row < (board + 1) * kNumHands; ++row)
      std::copy_n(shares.data() + (*row - board * kNumHands) * num_dims, num_dims,
                  points.data() + (row - rows.begin()) * num_dims);
  });
  return points;
}

template <typename Work>
void for_each_piece(int64_t num_points, int num_threads, const Work& work) {
  for_each_item((num_points + kPointsPerItem - 1) / kPointsPerItem, num_threads,
                [&](int64_t item) { work(item * kPointsPerItem, std::min(num_points, (item + 1) * kPointsPerItem)); });
}

// k-means++: each next centre is a point, taken in proportion to its squared distance from those there are.
Centres first_centres(const KmeansPlan& plan, const std::vector<int16_t>& points, int num_dims) {
  Centres centres(plan.num_centres, num_dims);
  std::vector<uint64_t> weights(plan.num_points, UINT64_MAX);
  Philox random = deal_stream(plan.seed, kTrainingPurpose + plan.street, 1);
  auto chosen = static_cast<int64_t>(random.below(static_cast<uint64_t>(plan.num_points)));
  for (int centre = 0;; ++centre) {
    const int16_t* start = points.data() + chosen * num_dims;
    centres.set(centre, start);
    if (centre + 1 == plan.num_centres) return centres;
    for_each_piece(plan.num_points, plan.num_threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int16_t* point = points.data() + i * num_dims;
        uint64_t distance = 0;
        for (int dim = 0; dim < num_dims; ++dim) distance += static_cast<uint64_t>(std::abs(point[dim] - start[dim]));
        weights[i] = std::min(weights[i], distance * distance);
      }
    });
    const uint64_t total = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
    uint64_t left = total ? random.below(total) : 0;
    for (chosen = 0; chosen + 1 < plan.num_points && left >= weights[chosen]; ++chosen) left -= weights[chosen];
  }
}

Centres train(const KmeansPlan& plan, const std::vector<int16_t>& points, int num_dims) {
  Centres centres = first_centres(plan, points, num_dims);
  std::vector<int> labels(plan.num_points, -1);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    std::vector<int> before = labels;
    for_each_piece(plan.num_points, plan.num_threads, [&](int64_t begin, int64_t end) {
      std::vector<int16_t> distances;
      for (int64_t i = begin; i < end; ++i) labels[i] = centres.nearest(points.data() + i * num_dims, distances);
    });
    if (labels == before) break;
    std::vector<int64_t> sums(size_t(plan.num_centres) * num_dims), counts(plan.num_centres);
    for (int64_t i = 0; i < plan.num_points; ++i) {
      ++counts[labels[i]];
      for (int dim = 0; dim < num_dims; ++dim) sums[size_t(labels[i]) * num_dims + dim] += points[i * num_dims + dim];
    }
    std::vector<int16_t> mean(num_dims);
    for (int centre = 0; centre < plan.num_centres; ++centre) {
      if (counts[centre] == 0) continue;  // it stays where it was
      for (int dim = 0; dim < num_dims; ++dim)
        mean[dim] =
            static_cast<int16_t>((2 * sums[size_t(centre) * num_dims + dim] + counts[centre]) / (2 * counts[centre]));
      centres.set(centre, mean.data());
    }
  }
  return centres;
}

// For each centre its place from the weakest up: the more of the strength lies low, the larger the cumulative shares.
std::vector<uint16_t> places_by_strength(const Centres& centres, int num_dims) {
  std::vector<std::pair<int64_t, int>> order;
  for (int centre = 0; centre < centres.size(); ++centre) {
    int64_t sum = 0;
    for (int dim = 0; dim < num_dims; ++dim) sum -= centres.value(centre, dim);
    order.emplace_back(sum, centre);
  }
  std::ranges::sort(order);
  std::vector<uint16_t> places(order.size());
  for (size_t place = 0; place < order.size(); ++place) places[order[place].second] = static_cast<uint16_t>(place);
  return places;
}

}  // namespace

void build_kmeans_buckets(const KmeansPlan& plan, const uint16_t* river, uint16_t* buckets) {
  const FutureStrength future(plan.street, plan.num_bins, river);
  const int num_dims = future.num_dims();
  const Centres centres = train(plan, sample_points(plan, future), num_dims);
  const std::vector<uint16_t> places = places_by_strength(centres, num_dims);
  for_each_item(future.boards().size(), plan.num_threads, [&](int64_t board) {
    std::vector<uint16_t> counts;
    std::vector<int16_t> shares(size_t{kNumHands} * num_dims), distances;
    future.shares(board, counts, shares.data());
    std::array<uint8_t, 5> cards{};
    future.boards().unindex(board, cards.data());
    uint64_t on_board = 0;
    for (int i = 0; i < future.boards().num_cards(); ++i) on_board |= 1ULL << cards[i];
    for (int hand = 0; hand < kNumHands; ++hand) {
      const auto [first, second] = cards_of_hands()[hand];
      const bool collides = (on_board >> first | on_board >> second) & 1;
      buckets[board * kNumHands + hand] =
          collides ? kNoLevel : places[centres.nearest(shares.data() + hand * num_dims, distances)];
    }
  });
}

}  // namespace nashgap
