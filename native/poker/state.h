// All that everybody at the table sees of one hand: betting with its history, and the board.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "poker/betting.h"

namespace nashgap {

class PublicState {
 public:
  explicit PublicState(std::shared_ptr<const Rules> rules);

  // The state after this betting (`rc/cr300`), with the board that belongs to it. Throws std::invalid_argument that
  // says what is wrong and where.
  static PublicState parse(std::shared_ptr<const Rules> rules, std::string_view betting, std::vector<uint8_t> board);

  const Rules& rules() const { return *rules_; }
  const BettingState& betting() const { return betting_; }
  const std::vector<uint8_t>& board() const { return board_; }
  const std::vector<std::vector<Action>>& history() const { return history_; }
  // Board cards that are to be dealt now.
  int num_missing_cards() const;
  // The betting so far as text, rounds apart by `/`.
  std::string betting_text() const;

  // Every action so far with the betting before it.
  void replay(std::vector<PastAction>& past) const;

  // The action must be legal and no board card missing.
  PublicState act(Action action) const;
  PublicState deal(const std::vector<uint8_t>& cards) const;
  // The same in place.
  void play(Action action);
  void put_on_board(const uint8_t* cards, int num_cards) { board_.insert(board_.end(), cards, cards + num_cards); }

 private:
  std::shared_ptr<const Rules> rules_;
  BettingState betting_;
  std::vector<std::vector<Action>> history_;  // by round
  std::vector<uint8_t> board_;
};

// Writes the action as the competition does: f, c, r or, in games with sizes, r300.
void append_action(const Rules& rules, Action action, std::string& text);

// Of each seat's hole cards with the first cards of the board; hole_cards: `[num_seats * num_hole_cards]`.
void showdown_strength(const Rules& rules, const uint8_t* hole_cards, const uint8_t* board, int num_board_cards,
                       uint16_t* strength);

}  // namespace nashgap
