#include "strategies/abstract_strategy.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace nashgap {

namespace {

constexpr int kBytesTotal = 255;

// Calls visit(node, bucket, first entry within the round) for every information set of a round.
template <typename Visit>
void for_each_row(const AbstractGame& game, int round, Visit&& visit) {
  for (int64_t n = game.tree().round_start[round]; n < game.tree().round_start[round + 1]; ++n) {
    const AbstractGame::Node& node = game.node(n);
    const int64_t num_buckets = game.num_buckets(node);
    for (int64_t bucket = 0; bucket < num_buckets; ++bucket) visit(node, node.entry(bucket) - game.entry_start(round));
  }
}

// The most likely ones only, each equally often.
void purify(double* probabilities, int size) {
  const double most = *std::max_element(probabilities, probabilities + size);
  int num_most = 0;
  for (int a = 0; a < size; ++a) num_most += probabilities[a] == most;
  for (int a = 0; a < size; ++a) probabilities[a] = probabilities[a] == most ? 1.0 / num_most : 0.0;
}

void cut_below(double threshold, double* probabilities, int size) {
  double kept = 0.0;
  for (int a = 0; a < size; ++a)
    if (probabilities[a] >= threshold) kept += probabilities[a];
  if (kept == 0.0) return purify(probabilities, size);
  for (int a = 0; a < size; ++a) probabilities[a] = probabilities[a] >= threshold ? probabilities[a] / kept : 0.0;
}

}  // namespace

BucketCache::Buckets BucketCache::find(const CardAbstraction& cards, const std::vector<uint8_t>& board, int round,
                                       int num_hands) {
  Key key{&cards, round, {}};
  std::ranges::copy(board, key.board.begin());
  {
    const std::lock_guard lock(mutex_);
    for (Known& known : boards_)
      if (known.key == key) {
        known.last_use = ++num_uses_;
        return known.buckets;
      }
  }
  auto buckets = std::make_shared<std::vector<int32_t>>(num_hands);
  cards.all_buckets(board.data(), round, buckets->data());
  const std::lock_guard lock(mutex_);
  if (boards_.size() < kMaxBoards) {
    boards_.push_back({key, buckets, ++num_uses_});
  } else {
    *std::ranges::min_element(boards_, {}, &Known::last_use) = {key, buckets, ++num_uses_};
  }
  return buckets;
}

AbstractStrategy::AbstractStrategy(std::vector<Segment> segments, PlayOptions options)
    : segments_(std::move(segments)), options_(options) {}

BettingWalk AbstractStrategy::walk() const {
  std::vector<const AbstractGame*> games;
  for (const Segment& segment : segments_) games.push_back(segment.game.get());
  return {std::move(games), options_.translation};
}

int AbstractStrategy::num_hands() const { return rules().num_private_hands(); }

void AbstractStrategy::rows(int segment, const AbstractGame::Node& node, std::span<const int32_t> buckets,
                            double* probabilities) const {
  const int64_t start = segments_[segment].game->entry_start(node.round);
  const auto read = [&](const auto* table, auto size) {
    for (const int32_t bucket : buckets) {
      const auto* entries = table + (node.entry(bucket) - start);
      double total = 0.0;
      for (int a = 0; a < size; ++a) total += probabilities[a] = static_cast<double>(entries[a]);
      if (total > 0.0) {
        const double scale = 1.0 / total;
        for (int a = 0; a < size; ++a) probabilities[a] *= scale;
      } else if (options_.fallback == Fallback::kUniform) {
        std::fill(probabilities, probabilities + size, 1.0 / size);
      } else {
        std::fill(probabilities, probabilities + size, 0.0);
        probabilities[node.first_raise > node.num_folds ? node.num_folds : 0] = 1.0;
      }
      if (options_.threshold > 0.0) cut_below(options_.threshold, probabilities, size);
      if (options_.purify) purify(probabilities, size);
      probabilities += size;
    }
  };
  const auto read_short = [&](const auto* table) {  // with sizes that the compiler knows
    switch (node.num_actions) {
      case 2: return read(table, std::integral_constant<int, 2>());
      case 3: return read(table, std::integral_constant<int, 3>());
      case 4: return read(table, std::integral_constant<int, 4>());
      default: return read(table, int{node.num_actions});
    }
  };
  std::visit(read_short, segments_[segment].tables[node.round]);
}

AbstractStrategy::Paths AbstractStrategy::paths(const PublicState& state) const {
  BettingWalk walk = this->walk();
  BettingState betting(rules());
  for (const auto& actions : state.history())
    for (const Action action : actions) {
      walk.follow(betting, action);
      betting.act(rules(), action);
    }
  return {walk.segment(), walk.places(state.betting())};
}

AllHandsPolicy AbstractStrategy::policy(const PublicState& state) const { return policy_of(state, paths(state)); }

AllHandsPolicy AbstractStrategy::sample_policy(const PublicState& state, Philox& random) const {
  const auto [segment, places] = paths(state);
  size_t drawn = 0;
  for (double left = random.uniform(); drawn + 1 < places.size() && left >= places[drawn].weight; ++drawn)
    left -= places[drawn].weight;
  TreePlace place = places[drawn];
  place.weight = 1.0;
  return policy_of(state, {segment, {place}});
}

AllHandsPolicy AbstractStrategy::policy_of(const PublicState& state, const Paths& paths) const {
  const AbstractGame& game = *segments_[std::max(paths.segment, 0)].game;
  const bool can_fold = state.betting().legal(rules()).can_fold;
  AllHandsPolicy policy;
  for (const TreePlace& place : paths.places) {
    if (place.node < 0) {
      policy.actions.push_back(rule_action(place, can_fold));
    } else {
      const auto first = place.actions.begin();
      policy.actions.insert(policy.actions.end(), first, first + game.node(place.node).num_actions);
    }
  }
  std::sort(policy.actions.begin(), policy.actions.end());
  policy.actions.erase(std::unique(policy.actions.begin(), policy.actions.end()), policy.actions.end());
  policy.probabilities.assign(num_hands() * policy.actions.size(), 0.0);
  for (const TreePlace& place : paths.places) {
    const int lens = place.node < 0 ? 0 : game.node(place.node).lens;
    const auto buckets =
        bucket_cache_.find(*game.lenses()[lens].cards, state.board(), state.betting().round(), num_hands());
    add_place(paths.segment, place, *buckets, policy, can_fold);
  }
  return policy;
}

void AbstractStrategy::add_place(int segment, const TreePlace& place, const std::vector<int32_t>& buckets,
                                 AllHandsPolicy& policy, bool can_fold) const {
  const size_t width = policy.actions.size();
  const auto column_of = [&](Action action) {
    return std::ranges::lower_bound(policy.actions, action) - policy.actions.begin();
  };
  double* out = policy.probabilities.data();
  if (place.node < 0) {
    const auto column = column_of(rule_action(place, can_fold));
    for (const int32_t bucket : buckets) {
      if (bucket >= 0) out[column] += place.weight;
      out += width;
    }
    return;
  }
  const AbstractGame::Node& node = game(segment).node(place.node);
  std::array<std::ptrdiff_t, AbstractGame::kMaxActions> columns;
  for (int a = 0; a < node.num_actions; ++a) columns[a] = column_of(place.actions[a]);
  std::array<double, AbstractGame::kMaxActions> probabilities;
  for (const int32_t bucket : buckets) {
    if (bucket >= 0) {
      row(segment, node, bucket, probabilities.data());
      for (int a = 0; a < node.num_actions; ++a) out[columns[a]] += place.weight * probabilities[a];
    }
    out += width;
  }
}

void quantise(const AbstractGame& game, int round, const float* probabilities, uint8_t* bytes) {
  for_each_row(game, round, [&](const AbstractGame::Node& node, int64_t entry) {
    const float* from = probabilities + entry;
    uint8_t* to = bytes + entry;
    double total = 0.0;
    for (int a = 0; a < node.num_actions; ++a) total += from[a];
    if (!(total > 0.0)) {
      std::fill(to, to + node.num_actions, uint8_t{0});
      return;
    }
    std::array<double, AbstractGame::kMaxActions> remainder;
    int left = kBytesTotal;
    for (int a = 0; a < node.num_actions; ++a) {
      const double exact = kBytesTotal * (from[a] / total);
      to[a] = static_cast<uint8_t>(exact);
      remainder[a] = exact - to[a];
      left -= to[a];
    }
    for (; left > 0; --left) {
      const auto largest = std::max_element(remainder.begin(), remainder.begin() + node.num_actions);
      ++to[largest - remainder.begin()];
      *largest = -1.0;
    }
  });
}

TableCheck check_table(const AbstractGame& game, int round, StrategyTable table) {
  TableCheck check;
  std::visit(
      [&](const auto* entries) {
        const double whole = std::is_same_v<decltype(entries), const float*> ? 1.0 : kBytesTotal;
        for_each_row(game, round, [&](const AbstractGame::Node& node, int64_t entry) {
          double total = 0.0;
          for (int a = 0; a < node.num_actions; ++a) {
            const double value = entries[entry + a] / whole;
            total += value;
            check.num_wrong += !(value >= 0.0 && value <= 1.0 + 1e-6);
          }
          if (total == 0.0)
            ++check.num_unreached;
          else
            check.largest_error = std::max(check.largest_error, std::abs(total - 1.0));
        });
      },
      table);
  return check;
}

}  // namespace nashgap
