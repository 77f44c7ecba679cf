#include "ranges/points_sweep.h"

#include <algorithm>
#include <array>

#include "cards/evaluator.h"
#include "memory/vectors.h"
#include "ranges/points_sweep_inl.h"

namespace nashgap {

extern const AddPoints kWidePoints[2];

namespace {

struct RankedHand {
  uint16_t rank;
  OrderedHand hand;
};

// By one byte of the rank; stable.
void sort_by(int shift, const std::vector<RankedHand>& from, std::vector<RankedHand>& to) {
  std::array<int32_t, 257> starts{};
  for (const RankedHand& each : from) ++starts[(each.rank >> shift & 255) + 1];
  for (int i = 0; i < 256; ++i) starts[i + 1] += starts[i];
  for (const RankedHand& each : from) to[starts[each.rank >> shift & 255]++] = each;
}

}  // namespace

OrderedHands::OrderedHands(const Rules& rules, const PrivateHands& all, const uint8_t* board) {
  const int num_hole_cards = rules.num_hole_cards, num_board_cards = rules.total_board_cards();
  std::array<uint8_t, kMaxHandCards> cards{};
  uint64_t dead = 0;
  for (int i = 0; i < num_board_cards; ++i) {
    cards[num_hole_cards + i] = board[i];
    dead |= uint64_t{1} << board[i];
  }
  std::vector<RankedHand> ranked;
  ranked.reserve(all.places.size());
  for (const int32_t place : all.places) {
    const auto& own = all.cards[place];
    if ((dead >> own[0] | dead >> own[1]) & 1) continue;
    std::copy_n(own.begin(), num_hole_cards, cards.begin());
    ranked.push_back(
        {hand_rank(cards.data(), num_hole_cards + num_board_cards), {static_cast<uint16_t>(place), {own[0], own[1]}}});
  }
  std::vector<RankedHand> sorted(ranked.size());
  sort_by(0, ranked, sorted);
  sort_by(8, sorted, ranked);
  hands.reserve(ranked.size());
  for (size_t i = 0; i < ranked.size(); ++i) {
    if (i > 0 && ranked[i].rank != ranked[i - 1].rank) ends.push_back(static_cast<int32_t>(i));
    hands.push_back(ranked[i].hand);
  }
  ends.push_back(static_cast<int32_t>(ranked.size()));
}

AddPoints points_sweep(int num_hole_cards, bool is_narrow) {
  return (has_avx2() && !is_narrow ? kWidePoints : kAddPoints)[num_hole_cards - 1];
}

}  // namespace nashgap
