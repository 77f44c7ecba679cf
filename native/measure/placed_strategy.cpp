#include "measure/placed_strategy.h"

#include <algorithm>
#include <utility>

namespace nashgap {

PlacedStrategy::PlacedStrategy(std::shared_ptr<const AbstractStrategy> strategy, std::vector<StrategyPlace> places,
                               std::vector<int64_t> first_place, std::vector<int64_t> first_edge)
    : strategy_(std::move(strategy)),
      places_(std::move(places)),
      first_place_(std::move(first_place)),
      first_edge_(std::move(first_edge)) {
  for (int segment = 0; segment < strategy_->num_segments(); ++segment)
    for (const Lens& lens : strategy_->game(segment).lenses()) {
      std::vector<const CardAbstraction*>& known = cards_[lens.seat];
      if (std::ranges::find(known, lens.cards.get()) == known.end()) known.push_back(lens.cards.get());
    }
}

int64_t PlacedStrategy::num_classes(int player, int round) const {
  constexpr int64_t kTooMany = int64_t{1} << 31;  // for any further question
  int64_t number = 1;
  for (const CardAbstraction* cards : cards_[player]) number = std::min(number, kTooMany) * cards->num_buckets(round);
  return number;
}

void PlacedStrategy::classes(const uint8_t* board, int round, int player, int32_t* classes) const {
  const int num_hands = strategy_->num_hands();
  std::vector<int32_t> buckets(num_hands);
  std::fill_n(classes, num_hands, 0);
  for (const CardAbstraction* cards : cards_[player]) {
    cards->all_buckets(board, round, buckets.data());
    const auto number = static_cast<int32_t>(cards->num_buckets(round));
    for (int hand = 0; hand < num_hands; ++hand) classes[hand] = classes[hand] * number + std::max(buckets[hand], 0);
  }
}

int32_t PlacedStrategy::bucket_of(int32_t hand_class, int player, int round, const CardAbstraction* cards) const {
  for (size_t i = cards_[player].size(); i-- > 0;) {
    const auto number = static_cast<int32_t>(cards_[player][i]->num_buckets(round));
    if (cards_[player][i] == cards) return hand_class % number;
    hand_class /= number;
  }
  return 0;
}

void PlacedStrategy::row(int32_t node, int32_t hand_class, double* probabilities) const {
  std::fill_n(probabilities, first_edge_[node + 1] - first_edge_[node], 0.0);
  std::array<double, AbstractGame::kMaxActions> own;
  for (int64_t i = first_place_[node]; i < first_place_[node + 1]; ++i) {
    const StrategyPlace& place = places_[i];
    if (place.node == StrategyPlace::kRule) {
      probabilities[place.columns[0]] += place.weight;
      continue;
    }
    const AbstractGame& game = strategy_->game(place.segment);
    const AbstractGame::Node& there = game.node(place.node);
    const CardAbstraction* cards = game.lenses()[there.lens].cards.get();
    strategy_->row(place.segment, there, bucket_of(hand_class, there.seat, there.round, cards), own.data());
    for (int action = 0; action < there.num_actions; ++action)
      probabilities[place.columns[action]] += place.weight * own[action];
  }
}

}  // namespace nashgap
