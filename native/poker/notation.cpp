#include "poker/notation.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace nashgap {

namespace {

constexpr size_t kLongestCards = 200;  // characters; a whole deck with all its separators has fewer
constexpr size_t kMaxShown = 60;
constexpr size_t kMaxDigits = 18;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t start = 0;;) {
    const size_t end = text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

int64_t parse_whole(std::string_view text, const char* field) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const bool is_short = !text.empty() && text.size() <= kMaxDigits && text[0] != '-';
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (!is_short || error != std::errc() || read != end)
    throw std::invalid_argument(std::string(field) + " " + quoted(text) + "; a whole number is needed");
  return number;
}

// The cards field of a line, taken apart.
class CardsReader {
 public:
  CardsReader(const Rules& rules, std::string_view text) : rules_(rules), text_(text) {
    if (text.size() > kLongestCards) refuse(std::to_string(text.size()) + " characters, more than a deck has");
    const std::vector<std::string_view> parts = split(text, '/');
    const std::vector<std::string_view> hands = split(parts[0], '|');
    if (static_cast<int>(hands.size()) != rules.num_seats)
      refuse("hole cards of " + std::to_string(hands.size()) + " seats; the game has " +
             std::to_string(rules.num_seats));
    for (const std::string_view hand : hands) hole_cards.push_back(read(hand));
    std::vector<int> sizes;
    for (size_t part = 1; part < parts.size(); ++part) {
      const std::vector<uint8_t> dealt = read(parts[part]);
      sizes.push_back(static_cast<int>(dealt.size()));
      board.insert(board.end(), dealt.begin(), dealt.end());
    }
    for (const std::vector<uint8_t>& hand : hole_cards) {
      if (!hand.empty() && static_cast<int>(hand.size()) != rules.num_hole_cards)
        refuse(std::to_string(hand.size()) + " hole cards; the game has " + std::to_string(rules.num_hole_cards));
      for (const uint8_t card : hand) see(card);
    }
    for (const uint8_t card : board) see(card);
    check_board_sizes(sizes);
  }

  SeatCards hole_cards;
  std::vector<uint8_t> board;

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument("cards " + quoted(text_) + ": " + why);
  }

  std::vector<uint8_t> read(std::string_view text) const {
    std::vector<uint8_t> cards;
    for (size_t place = 0; place < text.size(); place += 2) {
      const std::string_view name = text.substr(place, 2);
      const size_t rank = kRankLetters.find(name[0]);
      const size_t suit = name.size() == 2 ? kSuitLetters.find(name[1]) : std::string_view::npos;
      if (rank == std::string_view::npos || suit == std::string_view::npos)
        refuse("no card " + quoted(name) + "; a card is one of " + std::string(kRankLetters) + " and one of " +
               std::string(kSuitLetters) + ", such as Ts");
      cards.push_back(static_cast<uint8_t>(make_card(static_cast<int>(rank), static_cast<int>(suit))));
    }
    return cards;
  }

  void see(uint8_t card) {
    std::string name;
    append_cards(&card, 1, name);
    if (seen_ >> card & 1) refuse(name + " is there twice");
    if (rank_of(card) < kNumRanks - rules_.num_ranks || suit_of(card) < kNumSuits - rules_.num_suits)
      refuse(name + " is not in the deck of this game");
    seen_ |= uint64_t{1} << card;
  }

  void check_board_sizes(const std::vector<int>& sizes) const {
    std::vector<int> needed;
    for (int round = 0; round < rules_.num_rounds; ++round)
      if (round > 0 || rules_.num_board_cards[round] > 0) needed.push_back(rules_.num_board_cards[round]);
    if (sizes.size() <= needed.size() && std::equal(sizes.begin(), sizes.end(), needed.begin())) return;
    std::string numbers;
    for (const int number : needed) {
      if (!numbers.empty()) numbers += '/';
      numbers += std::to_string(number);
    }
    refuse("the numbers of board cards are " + (numbers.empty() ? "none" : numbers));
  }

  const Rules& rules_;
  std::string_view text_;
  uint64_t seen_ = 0;
};

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string shown = "'";
  for (const char letter : text) {
    if (shown.size() > kMaxShown) return shown + "...'";
    const auto code = static_cast<unsigned char>(letter);
    if (code >= ' ' && code < 0x7f)
      shown += letter;
    else
      shown.append("\\x").append(1, kHex[code >> 4]).append(1, kHex[code & 15]);
  }
  return shown + "'";
}

void append_cards(const uint8_t* cards, int num_cards, std::string& text) {
  for (int i = 0; i < num_cards; ++i) {
    text += kRankLetters[rank_of(cards[i])];
    text += kSuitLetters[suit_of(cards[i])];
  }
}

void append_board(const Rules& rules, int round, const uint8_t* board, std::string& text) {
  for (int number = 0; number <= round; ++number) {
    const int num_cards = rules.num_board_cards[number];
    if (number == 0 && num_cards == 0) continue;
    text += '/';
    append_cards(board, num_cards, text);
    board += num_cards;
  }
}

std::string cards_text(const Rules& rules, int round, const SeatCards& hole_cards, const uint8_t* board) {
  std::string text;
  for (size_t seat = 0; seat < hole_cards.size(); ++seat) {
    if (seat > 0) text += '|';
    append_cards(hole_cards[seat].data(), static_cast<int>(hole_cards[seat].size()), text);
  }
  append_board(rules, round, board, text);
  return text;
}

KnownState parse_state(std::shared_ptr<const Rules> rules, std::string_view betting, std::string_view cards) {
  CardsReader read(*rules, cards);
  return {PublicState::parse(std::move(rules), betting, std::move(read.board)), std::move(read.hole_cards)};
}

MatchState parse_match_state(std::shared_ptr<const Rules> rules, std::string_view text) {
  const std::vector<std::string_view> fields = split(text, ':');
  if (fields.size() != 5 || fields[0] != "MATCHSTATE")
    throw std::invalid_argument(quoted(text) + " is not MATCHSTATE:position:hand:betting:cards");
  const int64_t seat = parse_whole(fields[1], "position");
  const int64_t hand_number = parse_whole(fields[2], "hand");
  if (seat >= rules->num_seats)
    throw std::invalid_argument("position " + std::to_string(seat) + "; the game has positions 0 to " +
                                std::to_string(rules->num_seats - 1));
  return {static_cast<int>(seat), hand_number, parse_state(std::move(rules), fields[3], fields[4])};
}

}  // namespace nashgap
