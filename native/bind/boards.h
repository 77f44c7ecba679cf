// Boards as Python tells them: all cards that lie in one of the rounds, in the order in which they were dealt.
#pragma once

#include <cstdint>
#include <vector>

#include "bind/games.h"
#include "poker/rules.h"

namespace nashgap {

inline void require_board(const Rules& rules, const std::vector<uint8_t>& board, int round) {
  if (round < 0 || round >= rules.num_rounds) throw nb::value_error("the game has no such round");
  if (static_cast<int>(board.size()) != rules.board_cards_by(round))
    throw nb::value_error("a board has all cards that lie in the round");
  require_unseen(rules, board.data(), board.size());
}

// All of one round after the first.
inline void require_boards(const Rules& rules, const std::vector<std::vector<uint8_t>>& boards) {
  int round = 1;
  while (!boards.empty() && round + 1 < rules.num_rounds &&
         rules.board_cards_by(round) < static_cast<int>(boards[0].size()))
    ++round;
  for (const std::vector<uint8_t>& board : boards) require_board(rules, board, round);
}

}  // namespace nashgap
