#include "cards/strength.h"

#include <algorithm>

#include "cards/evaluator.h"

namespace nashgap {

namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

// All bits set for the hands in a set, none for the others.
using HandMask = std::array<uint16_t, kNumHands>;
constexpr uint16_t kIn = 0xFFFF;

// Twice the hands of the sets that beat ours, and once those that tie. Rank 0 is no hand and does neither. Sums fit
// 16 bits, which lets the loop run in wide registers.
void add_losses(const uint16_t* ranks, uint16_t own, const HandMask& first, const HandMask& second, int64_t* losses) {
  uint16_t of_first = 0, of_second = 0;
  for (int hand = 0; hand < kNumHands; ++hand) {
    const auto loss = static_cast<uint16_t>((ranks[hand] > own) + (ranks[hand] >= own));
    of_first = static_cast<uint16_t>(of_first + (loss & first[hand]));
    of_second = static_cast<uint16_t>(of_second + (loss & second[hand]));
  }
  losses[0] += of_first;
  losses[1] += of_second;
}

}  // namespace

double HandPotential::strength_against(int num_opponents) const {
  double product = 1;  // not std::pow, whose last bits depend on the machine
  for (int i = 0; i < num_opponents; ++i) product *= strength;
  return product;
}

double HandPotential::effective(int num_opponents) const {
  const double ahead = strength_against(num_opponents);
  return ahead * (1 - negative) + (1 - ahead) * positive;
}

BoardStrength::BoardStrength(const uint8_t* board, int num_board_cards) {
  hand_ranks_on_board(board, num_board_cards, now_.data());
  if (num_board_cards == 5) return;
  std::array<uint8_t, 5> then{};
  std::copy(board, board + num_board_cards, then.begin());
  for (int card = 0; card < kNumCards; ++card)
    if (std::find(board, board + num_board_cards, card) == board + num_board_cards)
      next_cards_.push_back(static_cast<uint8_t>(card));
  then_.resize(next_cards_.size() * kNumHands);
  for (size_t i = 0; i < next_cards_.size(); ++i) {
    then[num_board_cards] = next_cards_[i];
    hand_ranks_on_board(then.data(), num_board_cards + 1, then_.data() + i * kNumHands);
  }
}

HandPotential BoardStrength::potential(const uint8_t* hole_cards) const {
  const int own = hole_index(hole_cards);
  HandMask ahead, behind;  // hands of the opponent that ours is ahead of, or behind
  std::vector<int> tied;
  int64_t num_ahead = 0, num_behind = 0;
  for (int first = 1, hand = 0; first < kNumCards; ++first) {
    for (int second = 0; second < first; ++second, ++hand) {
      const bool is_possible = now_[hand] > 0 && first != hole_cards[0] && first != hole_cards[1] &&
                               second != hole_cards[0] && second != hole_cards[1];
      const bool is_ahead = is_possible && now_[hand] < now_[own];
      const bool is_behind = is_possible && now_[hand] > now_[own];
      ahead[hand] = is_ahead ? kIn : 0;
      behind[hand] = is_behind ? kIn : 0;
      num_ahead += is_ahead;
      num_behind += is_behind;
      if (is_possible && now_[hand] == now_[own]) tied.push_back(hand);
    }
  }
  const double half_tied = 0.5 * static_cast<double>(tied.size());
  HandPotential result{};
  result.strength = (num_ahead + half_tied) / (num_ahead + num_behind + 2 * half_tied);
  if (next_cards_.empty()) return result;

  int64_t losses[2] = {0, 0};  // twice, after the next card: of hands that were ahead, and behind
  int64_t tied_to_ahead = 0, tied_to_behind = 0;
  for (size_t i = 0; i < next_cards_.size(); ++i) {
    const uint16_t* then = then_.data() + i * kNumHands;
    if (then[own] == 0) continue;  // the card is ours
    add_losses(then, then[own], ahead, behind, losses);
    for (const int hand : tied) {
      tied_to_ahead += then[hand] > 0 && then[hand] < then[own];
      tied_to_behind += then[hand] > then[own];
    }
  }
  const double num_next = static_cast<double>(next_cards_.size()) - 4;  // neither ours nor the opponent's
  result.positive =
      ratio(num_behind * num_next - 0.5 * losses[1] + 0.5 * tied_to_ahead, (num_behind + half_tied) * num_next);
  result.negative = ratio(0.5 * losses[0] + 0.5 * tied_to_behind, (num_ahead + half_tied) * num_next);
  return result;
}

void strength_order(const uint8_t* board, int num_board_cards, float* strengths) {
  std::array<uint16_t, kNumHands> ranks;
  hand_ranks_on_board(board, num_board_cards, ranks.data());
  std::array<uint32_t, kNumHands> order;  // rank in the high half, hand in the low
  int num_hands = 0;
  for (int hand = 0; hand < kNumHands; ++hand) {
    strengths[hand] = 0;
    if (ranks[hand] > 0) order[num_hands++] = static_cast<uint32_t>(ranks[hand]) << 16 | static_cast<uint32_t>(hand);
  }
  std::sort(order.begin(), order.begin() + num_hands);
  for (int begin = 0, end = 0; begin < num_hands; begin = end) {
    while (end < num_hands && order[end] >> 16 == order[begin] >> 16) ++end;
    const float strength = 0.5f * static_cast<float>(begin + end) / static_cast<float>(num_hands);
    for (int i = begin; i < end; ++i) strengths[order[i] & 0xFFFF] = strength;
  }
}

}  // namespace nashgap
