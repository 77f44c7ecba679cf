#include "measure/hand_classes.h"

#include <algorithm>

#include "abstraction/strength_tables.h"
#include "cards/evaluator.h"

namespace nashgap {

HandClasses::HandClasses(const Rules& rules) : rules_(rules), hands_(rules) { find_shares(); }

HandClasses::HandClasses(const Rules& rules, const std::array<const uint16_t*, kNumStreets>& levels,
                         const std::array<std::array<uint16_t, kNumHandClasses - 1>, kNumStreets>& cuts)
    : rules_(rules), hands_(rules), has_tables_(true), levels_(levels) {
  for (int street = 0; street < kNumStreets; ++street) {
    class_of_level_[street].resize(1 << 16);
    for (int level = 0; level < kNoLevel; ++level)
      class_of_level_[street][level] = static_cast<uint8_t>(
          std::ranges::count_if(cuts[street], [&](uint16_t cut) { return cut <= static_cast<uint16_t>(level); }));
    class_of_level_[street][kNoLevel] = kNoClass;
  }
  find_shares();
}

void HandClasses::find_shares() {
  std::vector<uint8_t> classes(hands_.cards.size());
  all(nullptr, 0, classes.data());
  for (const int place : hands_.places)
    if (classes[place] != kNoClass) shares_[classes[place]] += 1.0 / static_cast<double>(hands_.places.size());
}

void HandClasses::all(const uint8_t* board, int num_board_cards, uint8_t* classes) const {
  uint64_t on_board = 0;
  for (int i = 0; i < num_board_cards; ++i) on_board |= 1ULL << board[i];
  if (has_tables_) {
    const int street = street_of(num_board_cards);
    const BoardPlace place = place_board(board, street).places[street];
    const std::array<uint16_t, kNumHands>& map = hand_map(place.suit_code());
    const uint16_t* levels = levels_[street] + place.board() * kNumHands;
    const uint8_t* class_of = class_of_level_[street].data();
    for (int hand = 0; hand < kNumHands; ++hand) classes[hand] = class_of[levels[map[hand]]];
    return;
  }
  const auto found = ranked_.find(on_board);
  if (found != ranked_.end()) {
    std::ranges::copy(found->second, classes);
    return;
  }
  rank_hands(board, num_board_cards, classes);
  if (ranked_.size() < kMaxRanked)
    ranked_.emplace(on_board, std::vector<uint8_t>(classes, classes + hands_.cards.size()));
}

void HandClasses::rank_hands(const uint8_t* board, int num_board_cards, uint8_t* classes) const {
  uint64_t on_board = 0;
  for (int i = 0; i < num_board_cards; ++i) on_board |= 1ULL << board[i];
  std::fill_n(classes, hands_.cards.size(), kNoClass);
  std::vector<std::pair<uint16_t, int>> ranked;
  std::array<uint8_t, kMaxHandCards> cards{};
  for (int i = 0; i < num_board_cards; ++i) cards[rules_.num_hole_cards + i] = board[i];
  for (const int place : hands_.places) {
    uint64_t own = 0;
    for (int i = 0; i < rules_.num_hole_cards; ++i) {
      cards[i] = hands_.cards[place][i];
      own |= 1ULL << cards[i];
    }
    if (own & on_board) continue;
    ranked.emplace_back(hand_rank(cards.data(), rules_.num_hole_cards + num_board_cards), place);
  }
  std::ranges::sort(ranked);
  for (size_t begin = 0, end; begin < ranked.size(); begin = end) {
    for (end = begin; end < ranked.size() && ranked[end].first == ranked[begin].first; ++end) continue;
    const double share = 0.5 * static_cast<double>(begin + end) / static_cast<double>(ranked.size());
    const auto number = static_cast<uint8_t>(std::ranges::count_if(kCuts, [&](double cut) { return cut <= share; }));
    for (size_t i = begin; i < end; ++i) classes[ranked[i].second] = number;
  }
}

uint8_t HandClasses::one(const uint8_t* hole_cards, const uint8_t* board, int num_board_cards) const {
  if (has_tables_) {
    const int street = street_of(num_board_cards);
    const BoardPlace place = place_board(board, street).places[street];
    const uint8_t found = class_of_level_[street][levels_[street][place.row(hole_cards)]];
    return std::min<uint8_t>(found, kNumHandClasses - 1);  // a table may have no level where there should be one
  }
  std::vector<uint8_t> classes(hands_.cards.size());
  all(board, num_board_cards, classes.data());
  return classes[rules_.hand_place(hole_cards)];
}

}  // namespace nashgap
