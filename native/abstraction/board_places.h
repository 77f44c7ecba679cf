// Where the boards of one deal stand among the canonical ones of BoardIndex, street after street.
//
// The canonical flop is looked up by its three cards; from there a table leads from each canonical board and next card
// to the next canonical board. That takes a few dependent reads, a fraction of the time that BoardIndex takes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cards/card.h"

namespace nashgap {

inline constexpr int kNumStreets = 4;
inline constexpr std::array<int, kNumStreets> kStreetBoardCards = {0, 3, 4, 5};

// A canonical board and how the suits on the table become its own.
class BoardPlace {
 public:
  BoardPlace() = default;
  BoardPlace(int64_t board, uint32_t suit_code) : code_(static_cast<uint32_t>(board) << 8 | suit_code) {}

  int64_t board() const { return code_ >> 8; }
  uint32_t suit_code() const { return code_ & 255; }  // two bits a suit
  int card(int table_card) const { return (table_card & ~3) | (code_ >> 2 * (table_card & 3) & 3); }
  // The row of a hand in a table [num_boards, kNumHands].
  int64_t row(const uint8_t* hole_cards) const {
    const int first = card(hole_cards[0]), second = card(hole_cards[1]);
    return board() * kNumHands + (first > second ? hand_index(first, second) : hand_index(second, first));
  }
  // The place of a board whose first cards are here and which lies there once these have their canonical suits.
  BoardPlace followed_by(BoardPlace next) const {
    uint32_t suit_code = 0;
    for (int suit = 0; suit < kNumSuits; ++suit)
      suit_code |= (next.code_ >> 2 * (code_ >> 2 * suit & 3) & 3) << 2 * suit;
    return {next.board(), suit_code};
  }

 private:
  uint32_t code_ = 0b11100100;  // board 0, every suit itself
};

// The cards of a board and, in hold'em, its place on each street up to the last that was asked for.
struct DealtBoard {
  const uint8_t* cards;
  std::array<BoardPlace, kNumStreets> places;
};

DealtBoard place_board(const uint8_t* board, int last_street);

}  // namespace nashgap
