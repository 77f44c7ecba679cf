#include "abstraction/grid_buckets.h"

#include <algorithm>
#include <array>
#include <bit>

#include "abstraction/cuts.h"
#include "abstraction/parallel.h"
#include "abstraction/strength_tables.h"

namespace nashgap {
namespace {

constexpr uint32_t kWheel = 0b1'0000'0000'1111;  // A2345

// Straights that two more cards make, those that one card makes first.
int count_straights(uint32_t ranks) {
  int count = 0;
  for (int low = -1; low <= kNumRanks - 5; ++low) {
    const int num_there = std::popcount(ranks & (low < 0 ? kWheel : 0b11111U << low));
    count += num_there >= 4 ? 16 : num_there == 3 ? 1 : 0;
  }
  return count;
}

}  // namespace

uint64_t board_texture(const uint8_t* board, int num_cards) {
  std::array<int, kNumSuits> in_suit{};
  std::array<int, kNumRanks> of_rank{};
  uint32_t ranks = 0;
  for (int i = 0; i < num_cards; ++i) {
    ++in_suit[suit_of(board[i])];
    ++of_rank[rank_of(board[i])];
    ranks |= 1U << rank_of(board[i]);
  }
  uint64_t texture = static_cast<uint64_t>(std::ranges::max(in_suit));
  int pairs = 0;  // pairs of equal ranks: 0, 1 a pair, 2 two pair, 3 three of a kind, 4 a full house, 6 four of a kind
  for (const int count : of_rank) pairs += count * (count - 1) / 2;
  texture = texture << 3 | static_cast<uint64_t>(pairs);
  texture = texture << 8 | static_cast<uint64_t>(count_straights(ranks));
  for (int rank = kNumRanks - 1; rank >= 0; --rank)
    for (int i = 0; i < of_rank[rank]; ++i) texture = texture << 4 | static_cast<uint64_t>(rank);
  return texture;
}

GridBuckets::GridBuckets(int street, const uint16_t* strengths, const uint16_t* squares, GridShape shape,
                         int num_threads)
    : street_(street), strengths_(strengths), squares_(squares), shape_(shape) {
  class_boards();
  std::vector<std::vector<int64_t>> members(shape.num_boards);
  for (size_t board = 0; board < class_of_board_.size(); ++board)
    members[class_of_board_[board]].push_back(static_cast<int64_t>(board));
  const int64_t num_cells = int64_t{shape.num_boards} * shape.num_strengths;
  strength_cuts_.resize(num_cells - shape.num_boards);
  spread_cuts_.resize(num_cells * (shape.num_spreads - 1));
  for_each_item(shape.num_boards, num_threads,
                [&](int64_t board_class) { cut_class(members[board_class], static_cast<int>(board_class)); });
}

void GridBuckets::class_boards() {
  struct Board {
    uint64_t texture;
    int64_t number, weight;
  };
  const BoardIndex index(kStreetBoardCards[street_]);
  std::vector<Board> boards;
  int64_t total = 0;
  uint8_t cards[5];
  for (int64_t number = 0; number < index.size(); ++number) {
    const int64_t weight = index.unindex(number, cards);
    boards.push_back({board_texture(cards, index.num_cards()), number, weight});
    total += weight;
  }
  std::ranges::stable_sort(boards, {}, &Board::texture);
  class_of_board_.resize(boards.size());
  int64_t below = 0;
  for (const Board& board : boards) {
    class_of_board_[board.number] = static_cast<uint16_t>((2 * below + board.weight) * shape_.num_boards / (2 * total));
    below += board.weight;
  }
}

uint16_t GridBuckets::spread(int64_t row) const {
  const int64_t strength = strengths_[row];
  const int64_t variance = int64_t{squares_[row]} * kLevelUnit - strength * strength;  // below kLevelUnit^2 / 4
  return static_cast<uint16_t>(std::clamp<int64_t>(variance >> 14, 0, kLevelUnit));
}

void GridBuckets::cut_class(const std::vector<int64_t>& boards, int board_class) {
  const BoardIndex index(kStreetBoardCards[street_]);
  std::vector<WeightedLevel> levels(kNoLevel + size_t{1});
  for (size_t level = 0; level < levels.size(); ++level) levels[level] = {level, 0};
  const auto each_hand = [&](const auto& visit) {
    uint8_t cards[5];
    for (const int64_t board : boards) {
      const auto weight = static_cast<uint64_t>(index.unindex(board, cards));
      for (int64_t row = board * kNumHands; row < (board + 1) * kNumHands; ++row)
        if (strengths_[row] != kNoLevel) visit(row, weight);
    }
  };
  each_hand([&](int64_t row, uint64_t weight) { levels[strengths_[row]].weight += weight; });
  const int num_cuts = shape_.num_strengths - 1, num_spread_cuts = shape_.num_spreads - 1;
  uint16_t* cuts = strength_cuts_.data() + int64_t{board_class} * num_cuts;
  cut_equal_shares(levels.data(), kNoLevel, num_cuts, cuts);
  if (num_spread_cuts == 0) return;
  levels.clear();
  each_hand([&](int64_t row, uint64_t weight) {
    const auto cell = static_cast<uint64_t>(count_cuts(cuts, num_cuts, strengths_[row]));
    levels.push_back({cell << 16 | spread(row), weight});
  });
  cut_within_parents(levels, shape_.num_strengths, num_spread_cuts,
                     spread_cuts_.data() + int64_t{board_class} * shape_.num_strengths * num_spread_cuts);
}

int32_t GridBuckets::bucket(const PlacedHand& hand, int64_t) const {
  const int64_t board_class = class_of_board_[hand.board];
  const int num_cuts = shape_.num_strengths - 1, num_spread_cuts = shape_.num_spreads - 1;
  const int64_t cell = board_class * shape_.num_strengths +
                       count_cuts(strength_cuts_.data() + board_class * num_cuts, num_cuts, strengths_[hand.row]);
  if (num_spread_cuts == 0) return static_cast<int32_t>(cell);
  const uint16_t* cuts = spread_cuts_.data() + cell * num_spread_cuts;
  return static_cast<int32_t>(cell * shape_.num_spreads + count_cuts(cuts, num_spread_cuts, spread(hand.row)));
}

}  // namespace nashgap
