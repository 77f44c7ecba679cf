#include "cards/isomorphism.h"

#include <algorithm>
#include <bit>

namespace nashgap {
namespace {

using Binomials = std::array<std::array<int32_t, kNumRanks + 1>, kNumRanks + 1>;
constexpr Binomials CHOOSE = [] {
  Binomials table{};
  for (int n = 0; n <= kNumRanks; ++n) {
    table[n][0] = 1;
    for (int k = 1; k <= n; ++k) table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
  }
  return table;
}();

// The place of a set among those of its size, ordered by their highest members first: the sum of choose(member, place).
int set_ordinal(uint32_t set) {
  int ordinal = 0;
  for (int place = 1; set != 0; ++place, set &= set - 1) ordinal += CHOOSE[std::countr_zero(set)][place];
  return ordinal;
}

uint32_t set_of_ordinal(int ordinal, int size) {
  uint32_t set = 0;
  int member = kNumRanks;
  for (int place = size; place > 0; --place) {
    do --member;
    while (CHOOSE[member][place] > ordinal);
    ordinal -= CHOOSE[member][place];
    set |= 1U << member;
  }
  return set;
}

// Turns places among the ranks that are not `used` back into ranks.
uint32_t spread_around(uint32_t places, uint32_t used) {
  for (; used != 0; used &= used - 1) {
    const uint32_t lower = (used & -used) - 1;
    places = (places & lower) | (places & ~lower) << 1;
  }
  return places;
}

// How many multisets of `count` elements there are out of n.
constexpr int64_t num_multisets(int64_t n, int count) {
  // Divisors that the compiler knows: half of the time of an index would go into divisions otherwise.
  if (count == 1) return n;
  if (count == 2) return n * (n + 1) / 2;
  if (count == 3) return n * (n + 1) * (n + 2) / 6;
  return n * (n + 1) * (n + 2) * (n + 3) / 24;
}

// The multiset's place for elements in falling order. The first comes after all multisets of smaller elements, which
// number num_multisets(first, count), and so on for those that follow.
int64_t multiset_ordinal(const uint64_t* elements, int count) {
  int64_t ordinal = 0;
  for (; count > 0; --count) ordinal += num_multisets(static_cast<int64_t>(*elements++ & UINT32_MAX), count);
  return ordinal;
}

void multiset_of_ordinal(int64_t ordinal, int64_t n, int count, int64_t* elements) {
  for (; count > 1; --count) {
    int64_t low = 0, high = n;  // low comes not after the ordinal, high does
    while (high - low > 1) {
      const int64_t middle = (low + high) / 2;
      (num_multisets(middle, count) <= ordinal ? low : high) = middle;
    }
    *elements++ = low;
    ordinal -= num_multisets(low, count);
  }
  *elements = ordinal;
}

int run_length(const std::array<int, kNumSuits>& shapes, int start) {
  int end = start + 1;
  while (end < kNumSuits && shapes[end] == shapes[start]) ++end;
  return end - start;
}

void order(uint64_t& first, uint64_t& second) {
  const uint64_t larger = std::max(first, second);
  second = std::min(first, second);
  first = larger;
}

bool are_distinct(const uint8_t* cards, int num_cards) {
  uint64_t seen = 0;
  bool is_card = true;
  for (int i = 0; i < num_cards; ++i) {
    is_card &= cards[i] < kNumCards;
    seen |= 1ULL << (cards[i] & 63);
  }
  return is_card && std::popcount(seen) == num_cards;
}

}  // namespace

SuitIsomorphism::SuitIsomorphism(const std::vector<int>& cards_per_round)
    : num_rounds_(static_cast<int>(cards_per_round.size())) {
  std::ranges::copy(cards_per_round, cards_per_round_.begin());
  for (uint32_t set = 0; set < set_ordinal_.size(); ++set) set_ordinal_[set] = static_cast<uint16_t>(set_ordinal(set));
  add_shapes();
  next_.assign(num_shapes_, -1);
  add_blocks({}, 0, 0);
}

void SuitIsomorphism::add_shapes() {
  num_shapes_ = 1;
  // The first round is the leading digit.
  for (int round = num_rounds_ - 1; round >= 0; --round) {
    shape_unit_[round] = num_shapes_;
    num_shapes_ *= cards_per_round_[round] + 1;
    num_cards_ += cards_per_round_[round];
  }
  for (int shape = 0; shape < num_shapes_; ++shape) {
    int64_t num_holdings = 1;
    int num_left = kNumRanks;
    for (int round = 0; round < num_rounds_; ++round) {
      const int count = count_in_round(shape, round);
      num_holdings *= CHOOSE[num_left][count];
      num_left -= count;
    }
    num_holdings_.push_back(num_holdings);
  }
}

// Goes through all ways to share out the cards of every round to the suits, shapes in falling order.
void SuitIsomorphism::add_blocks(Shapes shapes, int num_chosen, int node) {
  for (int shape = num_chosen ? shapes[num_chosen - 1] : num_shapes_ - 1; shape >= 0; --shape) {
    shapes[num_chosen] = shape;
    bool fits = true;
    for (int round = 0; round < num_rounds_; ++round) {
      int num_dealt = 0;
      for (int suit = 0; suit <= num_chosen; ++suit) num_dealt += count_in_round(shapes[suit], round);
      const bool is_last = num_chosen == kNumSuits - 1;
      fits &= is_last ? num_dealt == cards_per_round_[round] : num_dealt <= cards_per_round_[round];
    }
    if (!fits) continue;
    const size_t edge = static_cast<size_t>(node) * num_shapes_ + shape;
    if (num_chosen < kNumSuits - 1) {
      const int child = static_cast<int>(next_.size()) / num_shapes_;
      next_[edge] = child;
      next_.resize(next_.size() + num_shapes_, -1);
      add_blocks(shapes, num_chosen + 1, child);
    } else {
      next_[edge] = static_cast<int32_t>(blocks_.size());
      blocks_.push_back({size_, shapes});
      int64_t num_classes = 1;
      for (int i = 0; i < kNumSuits; i += run_length(shapes, i))
        num_classes *= num_multisets(num_holdings_[shapes[i]], run_length(shapes, i));
      size_ += num_classes;
    }
  }
}

int64_t SuitIsomorphism::index(const uint8_t* cards) const {
  std::array<uint64_t, kNumSuits> suits{};  // shape in the upper half, holding in the lower
  std::array<uint32_t, kNumSuits> used{};
  for (int round = 0; round < num_rounds_; ++round) {
    const uint64_t unit = static_cast<uint64_t>(shape_unit_[round]) << 32;
    std::array<uint32_t, kNumSuits> places{}, ranks{};
    for (int i = 0; i < cards_per_round_[round]; ++i) {
      const int card = *cards++, suit = suit_of(card);
      const uint32_t rank = 1U << rank_of(card);
      places[suit] |= rank >> std::popcount(used[suit] & (rank - 1));
      ranks[suit] |= rank;
      suits[suit] += unit;
    }
    for (int suit = 0; suit < kNumSuits; ++suit) {
      const uint64_t shape = suits[suit] & ~uint64_t{UINT32_MAX};
      const uint32_t num_ways = CHOOSE[kNumRanks - std::popcount(used[suit])][std::popcount(places[suit])];
      suits[suit] = shape | (static_cast<uint32_t>(suits[suit]) * num_ways + set_ordinal_[places[suit]]);
      used[suit] |= ranks[suit];
    }
  }
  order(suits[0], suits[1]);
  order(suits[2], suits[3]);
  order(suits[0], suits[2]);
  order(suits[1], suits[3]);
  order(suits[1], suits[2]);

  int32_t node = 0;
  Shapes shapes;
  for (int i = 0; i < kNumSuits; ++i) {
    shapes[i] = static_cast<int>(suits[i] >> 32);
    node = next_[static_cast<size_t>(node) * num_shapes_ + shapes[i]];
  }
  int64_t within = 0;
  for (int i = 0; i < kNumSuits;) {
    const int count = run_length(shapes, i);
    within = within * num_multisets(num_holdings_[shapes[i]], count) + multiset_ordinal(&suits[i], count);
    i += count;
  }
  return blocks_[node].first + within;
}

void SuitIsomorphism::unindex(int64_t index, uint8_t* cards) const {
  const auto after = std::ranges::upper_bound(blocks_, index, {}, &Block::first);
  const Block& block = *(after - 1);
  int64_t within = index - block.first;
  std::array<int64_t, kNumSuits> holdings{};
  for (int end = kNumSuits; end > 0;) {
    int start = end - 1;
    while (start > 0 && block.shapes[start - 1] == block.shapes[start]) --start;
    const int64_t num_holdings = num_holdings_[block.shapes[start]];
    const int64_t num_ways = num_multisets(num_holdings, end - start);
    multiset_of_ordinal(within % num_ways, num_holdings, end - start, &holdings[start]);
    within /= num_ways;
    end = start;
  }
  std::array<uint64_t, kMaxRounds> dealt{};  // the cards of a round as a set
  for (int i = 0; i < kNumSuits; ++i) add_holding(block.shapes[i], holdings[i], kNumSuits - 1 - i, dealt.data());
  for (int round = 0; round < num_rounds_; ++round)
    for (uint64_t left = dealt[round]; left != 0; left = std::bit_floor(left) ^ left)
      *cards++ = static_cast<uint8_t>(std::bit_width(left) - 1);
}

void SuitIsomorphism::add_holding(int shape, int64_t holding, int suit, uint64_t* dealt) const {
  std::array<int, kMaxRounds> ordinals{};
  int num_left = kNumRanks;
  for (int round = 0; round < num_rounds_; ++round) num_left -= count_in_round(shape, round);
  for (int round = num_rounds_ - 1; round >= 0; --round) {
    const int count = count_in_round(shape, round);
    num_left += count;
    ordinals[round] = static_cast<int>(holding % CHOOSE[num_left][count]);
    holding /= CHOOSE[num_left][count];
  }
  uint32_t used = 0;
  for (int round = 0; round < num_rounds_; ++round) {
    const uint32_t ranks = spread_around(set_of_ordinal(ordinals[round], count_in_round(shape, round)), used);
    for (uint32_t left = ranks; left != 0; left &= left - 1)
      dealt[round] |= 1ULL << make_card(std::countr_zero(left), suit);
    used |= ranks;
  }
}

int64_t SuitIsomorphism::index_batch(const uint8_t* cards, int64_t num_hands, int64_t* indices) const {
  for (int64_t i = 0; i < num_hands; ++i, cards += num_cards_) {
    if (!are_distinct(cards, num_cards_)) return i;
    indices[i] = index(cards);
  }
  return num_hands;
}

int64_t SuitIsomorphism::unindex_batch(const int64_t* indices, int64_t num_hands, uint8_t* cards) const {
  for (int64_t i = 0; i < num_hands; ++i, cards += num_cards_) {
    if (indices[i] < 0 || indices[i] >= size_) return i;
    unindex(indices[i], cards);
  }
  return num_hands;
}

}  // namespace nashgap
