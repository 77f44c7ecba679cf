#include "abstraction/board_places.h"

#include <algorithm>
#include <utility>

#include "abstraction/strength_tables.h"

namespace nashgap {
namespace {

constexpr int kNumFlops = kNumCards * (kNumCards - 1) * (kNumCards - 2) / 6;

constexpr int flop_number(int first, int second, int third) {
  if (first < second) std::swap(first, second);
  if (second < third) std::swap(second, third);
  if (first < second) std::swap(first, second);
  return first * (first - 1) * (first - 2) / 6 + hand_index(second, third);
}

BoardPlace place_of(const BoardIndex& index, const uint8_t* board) {
  const BoardIndex::Place place = index.find(board);
  return {place.board, place.suit_code()};
}

// [num_boards, kNumCards] the place of each canonical board with one more card; unset for a card that is on it.
std::vector<BoardPlace> next_places(const BoardIndex& boards, const BoardIndex& next) {
  std::vector<BoardPlace> places(boards.size() * kNumCards);
  uint8_t cards[5];
  const int num_cards = boards.num_cards();
  for (int64_t board = 0; board < boards.size(); ++board) {
    boards.unindex(board, cards);
    for (int card = 0; card < kNumCards; ++card) {
      if (std::find(cards, cards + num_cards, card) != cards + num_cards) continue;
      cards[num_cards] = static_cast<uint8_t>(card);
      places[board * kNumCards + card] = place_of(next, cards);
    }
  }
  return places;
}

struct BoardWalk {
  BoardWalk() {
    const BoardIndex flops(3), turns(4), rivers(5);
    for (uint8_t first = 2; first < kNumCards; ++first)
      for (uint8_t second = 1; second < first; ++second)
        for (uint8_t third = 0; third < second; ++third) {
          const uint8_t cards[3] = {first, second, third};
          flop[flop_number(first, second, third)] = place_of(flops, cards);
        }
    after_flop = next_places(flops, turns);
    after_turn = next_places(turns, rivers);
  }

  std::array<BoardPlace, kNumFlops> flop;
  std::vector<BoardPlace> after_flop, after_turn;
};

const BoardWalk& board_walk() {
  static const BoardWalk walk;
  return walk;
}

}  // namespace

DealtBoard place_board(const uint8_t* board, int last_street) {
  DealtBoard dealt{board, {}};
  if (last_street < 1) return dealt;
  const BoardWalk& walk = board_walk();
  dealt.places[1] = walk.flop[flop_number(board[0], board[1], board[2])];
  const auto follow = [&](int street, const std::vector<BoardPlace>& next) {
    const BoardPlace before = dealt.places[street - 1];
    const int card = before.card(board[kStreetBoardCards[street] - 1]);
    dealt.places[street] = before.followed_by(next[before.board() * kNumCards + card]);
  };
  if (last_street >= 2) follow(2, walk.after_flop);
  if (last_street >= 3) follow(3, walk.after_turn);
  return dealt;
}

}  // namespace nashgap
