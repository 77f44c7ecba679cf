#include "abstraction/strength_tables.h"

#include <algorithm>

#include "abstraction/parallel.h"
#include "cards/evaluator.h"

namespace nashgap {
namespace {

constexpr int kNumRiverHands = 1081;
constexpr int kMaxPairShares = 6 * (990 * 903 / 2);  // sixths of a pot over all pairs of two opponents' hands

// The hands of a complete board from the weakest up: a radix sort by rank in two passes.
void sort_hands(const uint16_t* ranks, uint16_t* sorted) {
  uint16_t passed[kNumRiverHands];
  std::array<int, 257> low{}, high{};
  for (int hand = 0; hand < kNumHands; ++hand)
    if (ranks[hand]) ++low[(ranks[hand] & 255) + 1], ++high[(ranks[hand] >> 8) + 1];
  for (int i = 0; i < 256; ++i) low[i + 1] += low[i], high[i + 1] += high[i];
  for (int hand = 0; hand < kNumHands; ++hand)
    if (ranks[hand]) passed[low[ranks[hand] & 255]++] = static_cast<uint16_t>(hand);
  for (const uint16_t hand : passed) sorted[high[ranks[hand] >> 8]++] = hand;
}

// Hands of some kind on the board: in all, and with each card.
struct HandCounts {
  int total = 0;
  std::array<int32_t, kNumCards> with_card{};

  void add(const std::array<uint8_t, 2>& cards, int sign = 1) {
    total += sign;
    with_card[cards[0]] += sign;
    with_card[cards[1]] += sign;
  }
};

using RankMatrix = std::array<std::array<uint16_t, kNumCards>, kNumCards>;  // 0 where the two cards make no hand

// Sixths of a pot won against pairs of w weaker and t equal hands, were none to share a card: all of it from two weaker
// ones, a half from one of each, a third from two equal ones.
int32_t pair_shares(int32_t w, int32_t t) { return 3 * w * (w - 1) + 3 * w * t + t * (t - 1); }

// The same for the hands as they are. Two hands share at most one card: what pairs that share it add is taken off card
// by card.
int32_t disjoint_pair_shares(const HandCounts& weaker, const HandCounts& equal, const RankMatrix& ranks, int first,
                             int second, int w, int t) {
  const auto rank = ranks[first][second];
  const uint16_t* of_first = ranks[first].data();
  const uint16_t* of_second = ranks[second].data();
  int32_t shared = 0;
  for (int card = 0; card < kNumCards; ++card) {
    const int32_t blocked_w = (of_first[card] != 0 && of_first[card] < rank) +
                              (of_second[card] != 0 && of_second[card] < rank);
    const int32_t blocked_t = (of_first[card] == rank) + (of_second[card] == rank);
    shared += pair_shares(weaker.with_card[card] - blocked_w, equal.with_card[card] - blocked_t);
  }
  for (const int own : {first, second})  // cards that the opponents cannot hold
    shared -= pair_shares(weaker.with_card[own], equal.with_card[own] - 1);
  return pair_shares(w, t) - shared;
}

uint16_t rounded_level(int64_t part, int64_t whole) {
  return static_cast<uint16_t>((part * (2 * kLevelUnit) + whole) / (2 * whole));
}

// What a river level adds to the sum of an earlier street.
template <bool kIsSquared>
uint64_t summand(uint16_t level) {
  const uint64_t value = level == kNoLevel ? 0 : level;
  return kIsSquared ? value * value : value;
}

// sums[kNumHands]: over the next card of the board, of the rows of the next street.
template <typename Sum, typename Row, typename Value>
void add_next_street(const BoardIndex& next, const uint8_t* board, const Row* rows, const Value& value, Sum* sums) {
  std::array<uint8_t, 5> then{};
  const int num_cards = next.num_cards() - 1;
  std::copy(board, board + num_cards, then.begin());
  for (int card = 0; card < kNumCards; ++card) {
    if (std::find(board, board + num_cards, card) != board + num_cards) continue;
    then[num_cards] = static_cast<uint8_t>(card);
    const BoardIndex::Place place = next.find(then.data());
    const auto& map = hand_map(place.suit_code());
    const Row* row = rows + place.board * kNumHands;
    for (int hand = 0; hand < kNumHands; ++hand) sums[hand] += value(row[map[hand]]);
  }
}

void write_levels(const uint8_t* board, int num_cards, const auto* sums, int64_t whole, uint16_t* levels) {
  for (int hand = 0; hand < kNumHands; ++hand) {
    const auto& cards = cards_of_hands()[hand];
    const bool collides = std::find_first_of(board, board + num_cards, cards.begin(), cards.end()) != board + num_cards;
    levels[hand] = collides ? kNoLevel : rounded_level(static_cast<int64_t>(sums[hand]), whole);
  }
}

}  // namespace

const std::array<std::array<uint8_t, 2>, kNumHands>& cards_of_hands() {
  static const auto table = [] {
    std::array<std::array<uint8_t, 2>, kNumHands> cards{};
    for (int first = 1; first < kNumCards; ++first)
      for (int second = 0; second < first; ++second)
        cards[hand_index(first, second)] = {static_cast<uint8_t>(first), static_cast<uint8_t>(second)};
    return cards;
  }();
  return table;
}

BoardIndex::BoardIndex(int num_cards) : num_cards_(num_cards), size_(1) {
  if (num_cards == 0) return;
  isomorphism_.emplace_back(std::vector<int>{num_cards});
  size_ = isomorphism_[0].size();
}

BoardIndex::Place BoardIndex::find(const uint8_t* board) const {
  if (isomorphism_.empty()) return {0, {0, 1, 2, 3}};
  // The ranks of each suit, and below them the suit: in falling order they name the canonical suits from spades down.
  std::array<uint32_t, kNumSuits> suits = {0, 1, 2, 3};
  for (int i = 0; i < num_cards_; ++i) suits[suit_of(board[i])] |= 4U << rank_of(board[i]);
  const auto order = [&](int i, int j) {
    const uint32_t larger = std::max(suits[i], suits[j]);
    suits[j] = std::min(suits[i], suits[j]);
    suits[i] = larger;
  };
  order(0, 1), order(2, 3), order(0, 2), order(1, 3), order(1, 2);
  Place place{isomorphism_[0].index(board), {}};
  for (int i = 0; i < kNumSuits; ++i) place.suit_map[suits[i] & 3] = static_cast<uint8_t>(kNumSuits - 1 - i);
  return place;
}

int BoardIndex::unindex(int64_t board, uint8_t* cards) const {
  if (isomorphism_.empty()) return 1;
  isomorphism_[0].unindex(board, cards);
  const Place place = find(cards);
  std::array<uint32_t, kNumSuits> ranks{};
  for (int i = 0; i < num_cards_; ++i) {
    cards[i] = static_cast<uint8_t>(place.card(cards[i]));
    ranks[suit_of(cards[i])] |= 1U << rank_of(cards[i]);
  }
  int num_renamings = 1;  // the orders of four suits, of which equal ones (they are neighbours) cannot be told apart
  for (int suit = 1, run = 1; suit < kNumSuits; ++suit) {
    run = ranks[suit] == ranks[suit - 1] ? run + 1 : 1;
    num_renamings = num_renamings * (suit + 1) / run;
  }
  return num_renamings;
}

const std::array<uint16_t, kNumHands>& hand_map(uint32_t suit_code) {
  using Maps = std::vector<std::array<uint16_t, kNumHands>>;
  static const Maps maps = [] {
    Maps built(256);
    for (int code = 0; code < 256; ++code) {
      BoardIndex::Place place{0, {}};
      int seen = 0;
      for (int suit = 0; suit < kNumSuits; ++suit) {
        place.suit_map[suit] = static_cast<uint8_t>(code >> 2 * suit & 3);
        seen |= 1 << place.suit_map[suit];
      }
      if (seen != 15) continue;  // two suits cannot become one
      for (int hand = 0; hand < kNumHands; ++hand)
        built[code][hand] = static_cast<uint16_t>(place.hand(cards_of_hands()[hand].data()));
    }
    return built;
  }();
  return maps[suit_code];
}

void river_levels(StrengthMetric metric, const uint8_t* board, uint16_t* levels) {
  const auto& cards_of = cards_of_hands();
  uint16_t ranks[kNumHands], sorted[kNumRiverHands];
  hand_ranks_on_board(board, 5, ranks);
  sort_hands(ranks, sorted);
  std::fill(levels, levels + kNumHands, kNoLevel);
  RankMatrix matrix{};
  if (is_against_two(metric))
    for (int hand = 0; hand < kNumHands; ++hand) {
      const auto [first, second] = cards_of[hand];
      matrix[first][second] = matrix[second][first] = ranks[hand];
    }
  HandCounts weaker, equal;
  for (int start = 0, end; start < kNumRiverHands; start = end) {
    for (end = start; end < kNumRiverHands && ranks[sorted[end]] == ranks[sorted[start]]; ++end)
      equal.add(cards_of[sorted[end]]);
    for (int i = start; i < end; ++i) {
      const auto [first, second] = cards_of[sorted[i]];
      const int w = weaker.total - weaker.with_card[first] - weaker.with_card[second];
      const int t = equal.total - equal.with_card[first] - equal.with_card[second] + 1;  // itself was taken off twice
      levels[sorted[i]] =
          is_against_two(metric)
              ? rounded_level(disjoint_pair_shares(weaker, equal, matrix, first, second, w, t), kMaxPairShares)
              : static_cast<uint16_t>(2 * w + t);
    }
    for (int i = start; i < end; ++i) {
      weaker.add(cards_of[sorted[i]]);
      equal.add(cards_of[sorted[i]], -1);
    }
  }
}

void build_river_levels(StrengthMetric metric, int num_threads, uint16_t* levels) {
  const BoardIndex index(5);
  for_each_item(index.size(), num_threads, [&](int64_t board) {
    uint8_t cards[5];
    index.unindex(board, cards);
    river_levels(metric, cards, levels + board * kNumHands);
  });
}

void build_earlier_levels(StrengthMetric metric, const uint16_t* river, int num_threads, uint16_t* turn, uint16_t* flop,
                          double* preflop) {
  const BoardIndex flops(3), turns(4), rivers(5);
  const int64_t one = river_summand(metric);
  std::vector<uint64_t> turn_sums(turns.size() * kNumHands);
  for_each_item(turns.size(), num_threads, [&](int64_t board) {
    uint8_t cards[4];
    turns.unindex(board, cards);
    uint64_t* sums = turn_sums.data() + board * kNumHands;
    if (is_squared(metric))
      add_next_street(rivers, cards, river, summand<true>, sums);
    else
      add_next_street(rivers, cards, river, summand<false>, sums);
    write_levels(cards, 4, sums, 46 * one, turn + board * kNumHands);
  });
  std::vector<uint64_t> flop_sums(flops.size() * kNumHands);
  for_each_item(flops.size(), num_threads, [&](int64_t board) {
    uint8_t cards[3];
    flops.unindex(board, cards);
    uint64_t* sums = flop_sums.data() + board * kNumHands;
    add_next_street(turns, cards, turn_sums.data(), [](uint64_t sum) { return sum; }, sums);
    write_levels(cards, 3, sums, 47 * 46 * one, flop + board * kNumHands);
  });
  // Over all flops, all hands of a class have the same sum; over canonical flops only their total is right.
  const SuitIsomorphism classes({2});
  std::vector<uint64_t> class_sums(classes.size()), class_flops(classes.size());
  for (int64_t board = 0; board < flops.size(); ++board) {
    uint8_t cards[3];
    const auto weight = static_cast<uint64_t>(flops.unindex(board, cards));
    for (int hand = 0; hand < kNumHands; ++hand) {
      if (flop[board * kNumHands + hand] == kNoLevel) continue;
      const int64_t preflop_class = classes.index(cards_of_hands()[hand].data());
      class_sums[preflop_class] += weight * flop_sums[board * kNumHands + hand];
      class_flops[preflop_class] += weight;
    }
  }
  for (int64_t i = 0; i < classes.size(); ++i)
    preflop[i] = static_cast<double>(class_sums[i]) /
                 (static_cast<double>(class_flops[i]) * static_cast<double>(47 * 46 * one));
}

void board_strengths(StrengthMetric metric, const uint8_t* board, int num_board_cards, double* strengths) {
  std::array<int64_t, kNumHands> sums{}, counts{};
  std::array<uint8_t, 5> full{};
  std::copy(board, board + num_board_cards, full.begin());
  uint16_t levels[kNumHands];
  const auto visit = [&](const auto& self, int num_dealt, int first_card) -> void {
    if (num_dealt == 5) {
      river_levels(metric, full.data(), levels);
      for (int hand = 0; hand < kNumHands; ++hand) {
        if (levels[hand] == kNoLevel) continue;
        ++counts[hand];
        sums[hand] += static_cast<int64_t>(is_squared(metric) ? summand<true>(levels[hand]) : levels[hand]);
      }
      return;
    }
    for (int card = first_card; card < kNumCards; ++card) {
      if (std::find(board, board + num_board_cards, card) != board + num_board_cards) continue;
      full[num_dealt] = static_cast<uint8_t>(card);
      self(self, num_dealt + 1, card + 1);
    }
  };
  visit(visit, num_board_cards, 0);
  const double one = static_cast<double>(river_summand(metric));
  for (int hand = 0; hand < kNumHands; ++hand)
    strengths[hand] = counts[hand] ? static_cast<double>(sums[hand]) / (static_cast<double>(counts[hand]) * one) : -1.0;
}

}  // namespace nashgap
