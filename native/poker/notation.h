// Hands as the competition writes them. See nashgap/poker/notation.py.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "poker/state.h"

namespace nashgap {

inline constexpr std::string_view kRankLetters = "23456789TJQKA";
inline constexpr std::string_view kSuitLetters = "cdhs";

// Of each seat; empty where they are not known.
using SeatCards = std::vector<std::vector<uint8_t>>;

// For messages: in quotes, on one line and not long, whatever it is.
std::string quoted(std::string_view text);
void append_cards(const uint8_t* cards, int num_cards, std::string& text);
// The board as it is when the round is bet: a `/` before each round's cards, even if there are none; before the first
// round's only if there are some.
void append_board(const Rules& rules, int round, const uint8_t* board, std::string& text);
// Hole cards apart by `|`, then the board.
std::string cards_text(const Rules& rules, int round, const SeatCards& hole_cards, const uint8_t* board);

struct KnownState {
  PublicState state;
  SeatCards hole_cards;
};

struct MatchState {
  int seat;
  int64_t hand_number;
  KnownState known;
};

// Both throw std::invalid_argument that names the field and what is wrong with it.
KnownState parse_state(std::shared_ptr<const Rules> rules, std::string_view betting, std::string_view cards);
MatchState parse_match_state(std::shared_ptr<const Rules> rules, std::string_view text);

}  // namespace nashgap
