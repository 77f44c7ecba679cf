#include "poker/answer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <vector>

#include "poker/notation.h"

namespace nashgap {

namespace {

bool is_space(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

// Reads a line from left to right; what cannot be read is left where it is.
struct LineReader {
  std::string_view text;
  size_t place = 0;

  char next() const { return place < text.size() ? text[place] : '\0'; }
  bool take(char letter) {
    if (next() != letter || place >= text.size()) return false;
    ++place;
    return true;
  }
  bool take(std::string_view word) {
    if (!text.substr(place).starts_with(word)) return false;
    place += word.size();
    return true;
  }

  // A whole number, perhaps with a sign, after any spaces; one that is too large becomes the largest there is.
  std::optional<int32_t> number() {
    size_t start = place;
    while (start < text.size() && is_space(text[start])) ++start;
    const bool has_plus = start < text.size() && text[start] == '+';
    int32_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + start + has_plus, text.data() + text.size(), value);
    const bool has_two_signs = has_plus && start + 1 < text.size() && text[start + 1] == '-';
    if (error == std::errc::invalid_argument || has_two_signs) return std::nullopt;
    if (error == std::errc::result_out_of_range)
      value = text[start] == '-' ? std::numeric_limits<int32_t>::min() : std::numeric_limits<int32_t>::max();
    place = static_cast<size_t>(end - text.data());
    return value;
  }

  // Up to so many cards; returns how many there were.
  int cards(int max_cards, uint8_t* cards) {
    for (int count = 0; count < max_cards; ++count) {
      if (place + 2 > text.size()) return count;
      const std::optional<uint8_t> card = find_card(text[place], text[place + 1]);
      if (!card) return count;
      cards[count] = *card;
      place += 2;
    }
    return max_cards;
  }

 private:
  static std::optional<uint8_t> find_card(char rank, char suit) {
    const size_t rank_place = kRankLetters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(rank))));
    const size_t suit_place = kSuitLetters.find(static_cast<char>(std::tolower(static_cast<unsigned char>(suit))));
    if (rank_place == std::string_view::npos || suit_place == std::string_view::npos) return std::nullopt;
    return static_cast<uint8_t>(make_card(static_cast<int>(rank_place), static_cast<int>(suit_place)));
  }
};

enum class Kind { kFold, kCall, kRaise, kNone };

Kind kind_of(char letter) {
  switch (letter) {
    case 'f':
    case 'F': return Kind::kFold;
    case 'c':
    case 'C':
    case 'k':
    case 'K': return Kind::kCall;
    case 'r':
    case 'R':
    case 'b':
    case 'B': return Kind::kRaise;
    default: return Kind::kNone;
  }
}

// What a line says of a state; the cards of others do not matter.
struct SaidState {
  int32_t seat = 0, hand_number = 0;
  std::vector<Action> actions;  // kFold, kCall or the number after r, 1 in games without sizes
  std::vector<uint8_t> own_cards, board;

  bool operator==(const SaidState&) const = default;
};

bool read_betting(LineReader& line, const Rules& rules, std::vector<Action>& actions) {
  while (line.place < line.text.size()) {
    if (line.take(':')) return true;
    if (line.take('/')) continue;  // wherever it stands
    const Kind kind = kind_of(line.next());
    ++line.place;
    if (kind == Kind::kNone) return false;
    Action action = kind == Kind::kFold ? kFold : kind == Kind::kCall ? kCall : 1;
    if (kind == Kind::kRaise && rules.betting != Betting::kLimit) {
      const std::optional<int32_t> size = line.number();
      if (!size || *size <= 0) return false;
      action = *size;
    }
    actions.push_back(action);
  }
  return true;
}

bool read_cards(LineReader& line, const Rules& rules, int round, SaidState& said) {
  for (int seat = 0; seat < rules.num_seats; ++seat) {
    if (seat > 0) line.take('|');
    std::vector<uint8_t> hand(rules.num_hole_cards);
    const int count = line.cards(rules.num_hole_cards, hand.data());
    if (count > 0 && count < rules.num_hole_cards) return false;
    if (count > 0 && seat == said.seat) said.own_cards = std::move(hand);
  }
  for (int number = 0; number <= round; ++number) {
    const int size = rules.num_board_cards[number];
    if (number > 0 || size > 0) line.take('/');
    std::vector<uint8_t> dealt(size);
    if (line.cards(size, dealt.data()) < size) return false;
    said.board.insert(said.board.end(), dealt.begin(), dealt.end());
  }
  return true;
}

// round: of the state that is expected; of another state the cards are read wrongly, but then its betting differs.
std::optional<SaidState> read_said_state(LineReader& line, const Rules& rules, int round) {
  SaidState said;
  if (!line.take("MATCHSTATE:")) return std::nullopt;
  const std::optional<int32_t> seat = line.number();
  if (!seat || !line.take(':')) return std::nullopt;
  const std::optional<int32_t> hand_number = line.number();
  if (!hand_number || !line.take(':')) return std::nullopt;
  said.seat = *seat;
  said.hand_number = *hand_number;
  if (!read_betting(line, rules, said.actions) || !read_cards(line, rules, round, said)) return std::nullopt;
  return said;
}

}  // namespace

std::optional<Answer> read_answer(const PublicState& state, std::string_view asked, std::string_view line) {
  const Rules& rules = state.rules();
  LineReader answer{line};
  const bool is_repeated = line.starts_with(asked) && line.substr(asked.size()).starts_with(':');
  if (is_repeated) {
    answer.place = asked.size();
  } else {
    const int round = state.betting().round();
    LineReader question{asked};
    const std::optional<SaidState> said = read_said_state(answer, rules, round);
    if (!said || said != read_said_state(question, rules, round)) return std::nullopt;
  }
  const LegalActions legal = state.betting().legal(rules);
  constexpr Answer kMendedCall{kCall, true};
  if (!answer.take(':')) return kMendedCall;
  const Kind kind = kind_of(answer.next());
  ++answer.place;  // what stands after the action is not looked at
  switch (kind) {
    case Kind::kNone: return kMendedCall;
    case Kind::kCall: return Answer{kCall, false};
    case Kind::kFold: return legal.can_fold ? Answer{kFold, false} : kMendedCall;
    case Kind::kRaise: break;
  }
  if (legal.max_raise_to == 0) return kMendedCall;
  if (rules.betting == Betting::kLimit) return Answer{legal.max_raise_to, false};
  const std::optional<int32_t> size = answer.number();
  if (!size) return kMendedCall;
  const Action nearest = std::clamp(*size, legal.min_raise_to, legal.max_raise_to);
  return Answer{nearest, nearest != *size};
}

}  // namespace nashgap
