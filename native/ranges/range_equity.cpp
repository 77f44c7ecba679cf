#include "ranges/range_equity.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace nashgap {
namespace {

constexpr int kLanes = RangeLanes::kLanes;

// Two vectors of the width that every machine has.
struct Lanes {
  typedef double Pair __attribute__((vector_size(16)));

  Pair low, high;

  Lanes& operator+=(const Lanes& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
  Lanes& operator-=(const Lanes& other) {
    low -= other.low;
    high -= other.high;
    return *this;
  }
  friend Lanes operator+(Lanes one, const Lanes& other) { return one += other; }
  friend Lanes operator-(Lanes one, const Lanes& other) { return one -= other; }
  friend Lanes operator*(double factor, const Lanes& lanes) { return {factor * lanes.low, factor * lanes.high}; }
};
static_assert(sizeof(Lanes) == sizeof(double) * kLanes);

Lanes load(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
void store(const Lanes& lanes, double* to) { std::memcpy(to, &lanes, sizeof lanes); }

// The reach of some hands: in all, and of those with each card.
template <int kNumHoleCards>
struct LaneSums {
  Lanes total{};
  std::array<Lanes, kNumCards> by_card{};

  void add(const uint8_t* cards, const Lanes& reach) {
    total += reach;
    for (int c = 0; c < kNumHoleCards; ++c) by_card[cards[c]] += reach;
  }
  // Of those hands that share no card with this one, which is not among them.
  Lanes apart(const uint8_t* cards) const {
    Lanes left = total - by_card[cards[0]];
    if constexpr (kNumHoleCards == 2) left -= by_card[cards[1]];
    return left;
  }
  // The same where this hand, of so much reach, is among them.
  Lanes apart_from_own(const uint8_t* cards, const Lanes& reach) const {
    return kNumHoleCards == 2 ? apart(cards) + reach : apart(cards);
  }
};

int64_t combinations(int64_t from, int number) {
  int64_t count = 1;
  for (int i = 0; i < number; ++i) count = count * (from - i) / (i + 1);
  return count;
}

}  // namespace

RangeEquity::RangeEquity(const Rules& rules, std::shared_ptr<const PreflopChances> preflop)
    : rules_(rules),
      chances_(rules, preflop),
      has_preflop_table_(preflop != nullptr),
      hands_(rules),
      num_hands_(rules.num_private_hands()),
      num_board_cards_(rules.total_board_cards()),
      add_points_(points_sweep(rules.num_hole_cards)),
      dealt_(num_board_cards_ + 1) {}

void RangeEquity::deal(const uint8_t* board) {
  int same = 0;
  while (same < static_cast<int>(board_.size()) && board_[same] == board[same]) ++same;
  for (int num_dealt = same + 1; num_dealt <= num_board_cards_; ++num_dealt) dealt_[num_dealt] = {};
  board_.assign(board, board + num_board_cards_);
}

bool RangeEquity::is_affordable(int num_dealt) const {
  constexpr double kMostPairs = 3e9;  // of hands and boards to come; flops of hold'em have 1.6e9
  if (num_to_come(num_dealt) <= 1 || (num_dealt == 0 && has_preflop_table_)) return true;
  const auto num_left = static_cast<int64_t>(rules_.deck().size()) - num_dealt;
  const auto num_hands = static_cast<double>(combinations(num_left, rules_.num_hole_cards));
  return num_hands * num_hands * static_cast<double>(combinations(num_left, num_to_come(num_dealt))) < kMostPairs;
}

bool RangeEquity::is_left(int place, int num_dealt) const {
  return std::none_of(board_.begin(), board_.begin() + num_dealt,
                      [&](uint8_t card) { return hands_.cards[place][0] == card || hands_.cards[place][1] == card; });
}

RangeEquity::Dealt& RangeEquity::made(int num_dealt) {
  Dealt& dealt = dealt_[num_dealt];
  if (dealt.is_made) return dealt;
  num_to_come(num_dealt) <= 1 ? make_boards(num_dealt, dealt) : make_pairs(num_dealt, dealt);
  dealt.is_made = true;
  return dealt;
}

void RangeEquity::make_boards(int num_dealt, Dealt& dealt) const {
  std::vector<uint8_t> board(board_.begin(), board_.begin() + num_dealt);
  const auto add = [&] { dealt.boards.emplace_back(rules_, hands_, board.data()); };
  if (num_to_come(num_dealt) == 0) return add();
  board.push_back(0);
  for (const uint8_t card : rules_.deck()) {
    if (std::find(board_.begin(), board_.begin() + num_dealt, card) != board_.begin() + num_dealt) continue;
    board.back() = card;
    add();
  }
}

void RangeEquity::make_pairs(int num_dealt, Dealt& dealt) const {
  dealt.row_of.assign(num_hands_, -1);
  for (const int32_t place : hands_.places)
    if (is_left(place, num_dealt)) {
      dealt.row_of[place] = static_cast<int32_t>(dealt.places.size());
      dealt.places.push_back(place);
    }
  const size_t size = dealt.places.size();
  dealt.pairs.resize(size * size);
  std::vector<double> chances(num_hands_);
  for (size_t row = 0; row < size; ++row) {
    chances_.compute(hands_.cards[dealt.places[row]].data(), board_.data(), num_dealt, chances.data());
    for (size_t other = 0; other < size; ++other) dealt.pairs[row * size + other] = chances[dealt.places[other]];
  }
}

template <int kNumHoleCards>
void RangeEquity::add_mass(const std::vector<int32_t>& hands, RangeLanes& lanes) const {
  LaneSums<kNumHoleCards> all;
  for (const int32_t place : hands_.places)
    all.add(hands_.cards[place].data(), load(lanes.reach.data() + int64_t{place} * kLanes));
  for (const int32_t place : hands) {
    const int64_t at = int64_t{place} * kLanes;
    store(all.apart_from_own(hands_.cards[place].data(), load(lanes.reach.data() + at)), lanes.mass.data() + at);
  }
}

void RangeEquity::find_mass(const std::vector<int32_t>& hands, RangeLanes& lanes) const {
  rules_.num_hole_cards == 2 ? add_mass<2>(hands, lanes) : add_mass<1>(hands, lanes);
}

void RangeEquity::find(int num_dealt, const std::vector<int32_t>& hands, RangeLanes& lanes) {
  find_mass(hands, lanes);
  Dealt& dealt = made(num_dealt);
  if (num_to_come(num_dealt) > 1) {
    const size_t size = dealt.places.size();
    for (const int32_t place : hands) {
      Lanes sum{};
      if (dealt.row_of[place] >= 0) {
        const double* chance = dealt.pairs.data() + dealt.row_of[place] * size;
        for (size_t other = 0; other < size; ++other)
          sum += chance[other] * load(lanes.reach.data() + int64_t{dealt.places[other]} * kLanes);
      }
      store(sum, lanes.winning.data() + int64_t{place} * kLanes);
    }
    return;
  }
  std::fill(lanes.winning.begin(), lanes.winning.end(), 0.0);
  for (const OrderedHands& board : dealt.boards) add_points_(board, lanes.reach.data(), lanes.winning.data());
  // A pair of hands leaves so many of the boards.
  const auto num_boards = static_cast<double>(
      num_to_come(num_dealt) == 0 ? 1 : dealt.boards.size() - 2 * static_cast<size_t>(rules_.num_hole_cards));
  for (const int32_t place : hands)
    for (int lane = 0; lane < kLanes; ++lane) lanes.winning[int64_t{place} * kLanes + lane] /= 2.0 * num_boards;
}

}  // namespace nashgap
