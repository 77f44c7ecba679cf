#include "ranges/meeting.h"

#include <algorithm>
#include <cstring>

namespace nashgap {
namespace {

typedef float Vector __attribute__((vector_size(4 * kLanesPerVector), may_alias));

inline constexpr int kMaxVectors = 6;  // of lanes that a pass takes: their totals stay in registers

// Sums over hands of some lanes; a hand of one card has the last row, of zeros.
template <int kNum>
struct LaneSums {
  Vector total[kNum] = {};
  Vector by_card[kNumCards + 1][kNum] = {};

  void add(const std::array<uint8_t, 2>& cards, const Vector* reach) {
    for (int k = 0; k < kNum; ++k) total[k] += reach[k];
    for (int k = 0; k < kNum; ++k) by_card[cards[0]][k] += reach[k];
    if (cards[1] != kNoCard)
      for (int k = 0; k < kNum; ++k) by_card[cards[1]][k] += reach[k];
  }

  // Of the hands that share no card with this one, which is not among them.
  Vector apart(const std::array<uint8_t, 2>& cards, int k) const {
    return total[k] - by_card[cards[0]][k] - by_card[cards[1]][k];
  }
};

const Vector* vectors(const float* lanes) { return reinterpret_cast<const Vector*>(lanes); }
Vector* vectors(float* lanes) { return reinterpret_cast<Vector*>(lanes); }

template <int kNum>
void fold_pass(const RangeHands& own, const RangeHands& other, int num_vectors, const Vector* reach,
               const Vector* payoff, Vector* values) {
  LaneSums<kNum> sums;
  for (int hand = 0; hand < other.size(); ++hand) sums.add(other.cards[hand], reach + int64_t{hand} * num_vectors);
  for (int hand = 0; hand < own.size(); ++hand) {
    Vector* value = values + int64_t{hand} * num_vectors;
    const int same = own.same[hand];
    const Vector* taken_twice = same >= 0 ? reach + int64_t{same} * num_vectors : nullptr;
    for (int k = 0; k < kNum; ++k) {
      Vector met = sums.apart(own.cards[hand], k);
      if (taken_twice != nullptr) met += taken_twice[k];
      value[k] = met * payoff[k];
    }
  }
}

// A hand wins against the weaker and loses against the stronger: with A the reach of all hands, W of the weaker and N
// of those not stronger, win * W + tie * (N - W) + lose * (A - N).
template <int kNum>
void showdown_pass(const RangeBoard& board, int player, int num_vectors, const Vector* reach, const Vector* win,
                   const Vector* tie, const Vector* lose, Vector* values) {
  const RangeHands& own = board.hands[player];
  const RangeHands& other = board.hands[1 - player];
  LaneSums<kNum> sums;
  int met = 0, hand = 0;
  for (const StrengthClass& strength : board.classes[player]) {
    const int begin = hand;
    for (; met < strength.weaker_end; ++met) sums.add(other.cards[met], reach + int64_t{met} * num_vectors);
    for (hand = begin; hand < strength.own_end; ++hand)
      for (int k = 0; k < kNum; ++k)
        values[int64_t{hand} * num_vectors + k] = (win[k] - tie[k]) * sums.apart(own.cards[hand], k);
    for (; met < strength.equal_end; ++met) sums.add(other.cards[met], reach + int64_t{met} * num_vectors);
    for (hand = begin; hand < strength.own_end; ++hand) {
      const int same = own.same[hand];
      const Vector* taken_twice = same >= 0 ? reach + int64_t{same} * num_vectors : nullptr;
      for (int k = 0; k < kNum; ++k) {
        Vector not_stronger = sums.apart(own.cards[hand], k);
        if (taken_twice != nullptr) not_stronger += taken_twice[k];
        values[int64_t{hand} * num_vectors + k] += (tie[k] - lose[k]) * not_stronger;
      }
    }
  }
  for (; met < other.size(); ++met) sums.add(other.cards[met], reach + int64_t{met} * num_vectors);
  for (hand = 0; hand < own.size(); ++hand) {
    const int same = own.same[hand];
    const Vector* taken_twice = same >= 0 ? reach + int64_t{same} * num_vectors : nullptr;
    for (int k = 0; k < kNum; ++k) {
      Vector all = sums.apart(own.cards[hand], k);
      if (taken_twice != nullptr) all += taken_twice[k];
      values[int64_t{hand} * num_vectors + k] += lose[k] * all;
    }
  }
}

// Calls `pass` with the number of vectors as a constant, for all vectors in turn.
template <typename Pass>
void for_each_portion(int num_vectors, Pass&& pass) {
  for (int first = 0; first < num_vectors;) {
    const int left = num_vectors - first;
    // Equal portions: seven vectors are four and three, not six and one.
    const int num_portions = (left + kMaxVectors - 1) / kMaxVectors;
    const int number = (left + num_portions - 1) / num_portions;
    switch (number) {
      case 1: pass.template operator()<1>(first); break;
      case 2: pass.template operator()<2>(first); break;
      case 3: pass.template operator()<3>(first); break;
      case 4: pass.template operator()<4>(first); break;
      case 5: pass.template operator()<5>(first); break;
      default: pass.template operator()<kMaxVectors>(first);
    }
    first += number;
  }
}

}  // namespace

void meet_at_folds(const RangeBoard& board, int player, int num_lanes, const float* reach, const float* payoff,
                   float* values) {
  const int num_vectors = num_lanes / kLanesPerVector;
  for_each_portion(num_vectors, [&]<int kNum>(int first) {
    fold_pass<kNum>(board.hands[player], board.hands[1 - player], num_vectors, vectors(reach) + first,
                    vectors(payoff) + first, vectors(values) + first);
  });
}

void meet_at_showdowns(const RangeBoard& board, int player, int num_lanes, const float* reach,
                       const ShowdownPayoffs& payoffs, float* values) {
  const int num_vectors = num_lanes / kLanesPerVector;
  for_each_portion(num_vectors, [&]<int kNum>(int first) {
    showdown_pass<kNum>(board, player, num_vectors, vectors(reach) + first, vectors(payoffs.win) + first,
                        vectors(payoffs.tie) + first, vectors(payoffs.lose) + first, vectors(values) + first);
  });
}

}  // namespace nashgap
