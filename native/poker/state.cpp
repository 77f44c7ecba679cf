#include "poker/state.h"

#include <charconv>
#include <stdexcept>
#include <utility>

#include "cards/evaluator.h"
#include "poker/notation.h"

namespace nashgap {

PublicState::PublicState(std::shared_ptr<const Rules> rules)
    : rules_(std::move(rules)), betting_(*rules_), history_(1) {
  history_.resize(betting_.round() + 1);
}

int PublicState::num_missing_cards() const {
  if (betting_.is_over() && betting_.num_active() == 1) return 0;
  return rules_->board_cards_by(betting_.round()) - static_cast<int>(board_.size());
}

void PublicState::play(Action action) {
  history_[betting_.round()].push_back(action);
  betting_.act(*rules_, action);
  history_.resize(betting_.round() + 1);
}

void PublicState::replay(std::vector<PastAction>& past) const {
  past.clear();
  BettingState betting(*rules_);
  for (const std::vector<Action>& actions : history_)
    for (const Action action : actions) {
      past.push_back({betting, action});
      betting.act(*rules_, action);
    }
}

PublicState PublicState::act(Action action) const {
  PublicState next = *this;
  next.play(action);
  return next;
}

PublicState PublicState::deal(const std::vector<uint8_t>& cards) const {
  PublicState next = *this;
  next.put_on_board(cards.data(), static_cast<int>(cards.size()));
  return next;
}

void append_action(const Rules& rules, Action action, std::string& text) {
  text += action == kFold ? 'f' : action == kCall ? 'c' : 'r';
  if (action > 0 && rules.betting != Betting::kLimit) text += std::to_string(action);
}

std::string PublicState::betting_text() const {
  std::string text;
  for (size_t round = 0; round < history_.size(); ++round) {
    if (round > 0) text += '/';
    for (const Action action : history_[round]) append_action(*rules_, action, text);
  }
  return text;
}

namespace {

constexpr size_t kMaxShown = 60;

std::string shortened(std::string_view text) {
  return text.size() <= kMaxShown ? std::string(text) : std::string(text.substr(0, kMaxShown)) + "...";
}

[[noreturn]] void refuse(std::string_view betting, size_t place, const std::string& why) {
  throw std::invalid_argument("betting '" + shortened(betting) + "', character " + std::to_string(place + 1) + ": " +
                              why);
}

std::string legal_text(const LegalActions& legal, bool has_sizes) {
  std::string text = legal.can_fold ? "f, c" : "c";
  if (legal.max_raise_to > 0) {
    text += ", r";
    if (has_sizes) text += std::to_string(legal.min_raise_to) + " to r" + std::to_string(legal.max_raise_to);
  }
  return text;
}

}  // namespace

PublicState PublicState::parse(std::shared_ptr<const Rules> rules, std::string_view betting,
                               std::vector<uint8_t> board) {
  if (betting.find_first_not_of("fcr0123456789/") != std::string_view::npos)
    throw std::invalid_argument("betting " + quoted(betting) + ": only f, c, r with its digits, and / are allowed");
  PublicState state(std::move(rules));
  const Rules& game = *state.rules_;
  const bool has_sizes = game.betting != Betting::kLimit;
  size_t round = 0;  // slashes seen
  for (size_t place = 0; place < betting.size();) {
    const size_t start = place;
    const char letter = betting[place++];
    if (letter == '/') {
      if (++round >= state.history_.size()) refuse(betting, start, "the betting round is not over");
      continue;
    }
    if (letter != 'f' && letter != 'c' && letter != 'r')
      refuse(betting, start, std::string("'") + letter + "' is no action; actions are f, c and r");
    if (round + 1 < state.history_.size())
      refuse(betting, start,
             state.betting_.is_over() ? "the hand is over" : "the betting round is over, '/' is missing");
    if (state.betting_.is_over()) refuse(betting, start, "the hand is over");
    const LegalActions legal = state.betting_.legal(game);
    Action action = letter == 'f' ? kFold : kCall;
    if (letter == 'r') {
      action = legal.max_raise_to;
      if (has_sizes) {
        const auto [end, error] = std::from_chars(betting.data() + place, betting.data() + betting.size(), action);
        if (error != std::errc() || action <= 0)
          refuse(betting, start, "a raise has no size, or one that is too large");
        place = static_cast<size_t>(end - betting.data());
      }
    }
    const bool is_raise_nowhere = letter == 'r' && legal.max_raise_to == 0;
    if (is_raise_nowhere || !state.betting_.is_legal(game, action))
      refuse(betting, start,
             shortened(betting.substr(start, place - start)) + " is not legal; legal: " + legal_text(legal, has_sizes));
    state.play(action);
  }
  if (round + 1 < state.history_.size()) refuse(betting, betting.size(), "the betting round is over, '/' is missing");
  const int expected = game.board_cards_by(state.betting_.round());
  if (static_cast<int>(board.size()) != expected)
    throw std::invalid_argument("betting '" + shortened(betting) + "' goes with " + std::to_string(expected) +
                                " board cards, not " + std::to_string(board.size()));
  state.board_ = std::move(board);
  return state;
}

void showdown_strength(const Rules& rules, const uint8_t* hole_cards, const uint8_t* board, int num_board_cards,
                       uint16_t* strength) {
  uint8_t cards[kMaxHandCards];
  const int num_hole = rules.num_hole_cards;
  for (int card = 0; card < num_board_cards; ++card) cards[num_hole + card] = board[card];
  for (int seat = 0; seat < rules.num_seats; ++seat) {
    for (int card = 0; card < num_hole; ++card) cards[card] = hole_cards[seat * num_hole + card];
    strength[seat] = hand_rank(cards, num_hole + num_board_cards);
  }
}

}  // namespace nashgap
