#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/games.h"
#include "bind/hands.h"
#include "poker/answer.h"
#include "poker/dealt_hand.h"
#include "poker/notation.h"
#include "poker/state.h"
#include "tree/tree.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr int kMostRaises = 255;  // of a round, as in a game definition

template <typename T, size_t N>
void copy_into(std::array<T, N>& target, const std::vector<int32_t>& values, int size, const char* name) {
  if (static_cast<int>(values.size()) != size || values.size() > N) {
    const std::string message = std::string(name) + " has " + std::to_string(values.size()) + " entries, expected " +
                                std::to_string(size);
    throw nb::value_error(message.c_str());
  }
  for (int i = 0; i < size; ++i) {
    require_within(values[i], std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), name);
    target[i] = static_cast<T>(values[i]);
  }
}

// With r raises before it, a raise comes after (r + 1) num_seats actions at most.
bool could_reach_action_cap(const Rules& rules) {
  int64_t raises = *std::max_element(rules.max_raises.begin(), rules.max_raises.begin() + rules.num_rounds);
  if (rules.betting != Betting::kLimit) {
    const int64_t stack = *std::max_element(rules.stacks.begin(), rules.stacks.begin() + rules.num_seats);
    raises = std::min(raises, stack / rules.smallest_bet + 1);
  }
  return rules.conventions == Conventions::kAcpc && (raises + 1) * rules.num_seats > kMaxRoundActions;
}

// What Python says of games in more words; here for who does not ask it.
void require_sense(const Rules& rules) {
  require_within(rules.num_suits, 1, kNumSuits, "num_suits");
  require_within(rules.num_ranks, 1, kNumRanks, "num_ranks");
  require_within(rules.num_hole_cards, 1, kMaxHandCards, "num_hole_cards");
  const bool is_limit = rules.betting == Betting::kLimit;
  const auto is_unlimited = [](int32_t stack) { return stack == kUnlimitedStack; };
  const auto stacks_end = rules.stacks.begin() + rules.num_seats;
  const bool has_stacks = !is_limit || !std::all_of(rules.stacks.begin(), stacks_end, is_unlimited);
  for (int seat = 0; seat < rules.num_seats; ++seat) {
    require_within(rules.stacks[seat], 1, has_stacks ? kMaxChips : kUnlimitedStack, "a stack");
    require_within(rules.blinds[seat], 0, std::min(rules.stacks[seat], kMaxChips), "a blind");
  }
  int64_t most_spent = rules.largest_blind;
  for (int round = 0; round < rules.num_rounds; ++round) {
    require_within(rules.first_seats[round], 0, rules.num_seats - 1, "a first seat");
    require_within(rules.max_raises[round], 0, kMostRaises, "max_raises");
    require_within(rules.raise_sizes[round], is_limit, kMaxChips, "a raise size");
    require_within(rules.num_board_cards[round], 0, kMaxHandCards, "num_board_cards");
    most_spent += int64_t{rules.raise_sizes[round]} * rules.max_raises[round];
  }
  if (is_limit) require_within(most_spent, 0, kMaxChips, "what a hand could cost");
  require_within(rules.smallest_bet, 1, kMaxChips, "smallest_bet");
  const int num_board_cards = rules.total_board_cards();
  require_within(rules.num_hole_cards + num_board_cards, 1, kMaxHandCards, "the number of hole and board cards");
  require_within(rules.num_seats * rules.num_hole_cards + num_board_cards, 1, rules.num_suits * rules.num_ranks,
                 "the number of cards that are dealt");
}

std::shared_ptr<const Rules> make_rules(int betting, int conventions, int num_suits, int num_ranks, int num_hole_cards,
                                        const std::vector<int32_t>& blinds, const std::vector<int32_t>& stacks,
                                        const std::vector<int32_t>& raise_sizes, const std::vector<int32_t>& max_raises,
                                        const std::vector<int32_t>& first_seats,
                                        const std::vector<int32_t>& num_board_cards, int smallest_bet) {
  require_within(betting, 0, static_cast<int>(Betting::kPotLimit), "betting");
  require_within(conventions, 0, static_cast<int>(Conventions::kCasino), "conventions");
  require_within(static_cast<int64_t>(blinds.size()), 1, kMaxSeats, "the number of seats");
  require_within(static_cast<int64_t>(first_seats.size()), 1, kMaxRounds, "the number of rounds");
  auto rules = std::make_shared<Rules>();
  rules->betting = static_cast<Betting>(betting);
  rules->conventions = static_cast<Conventions>(conventions);
  rules->num_seats = static_cast<int>(blinds.size());
  rules->num_rounds = static_cast<int>(first_seats.size());
  rules->num_suits = num_suits;
  rules->num_ranks = num_ranks;
  rules->num_hole_cards = num_hole_cards;
  copy_into(rules->blinds, blinds, rules->num_seats, "blinds");
  copy_into(rules->stacks, stacks, rules->num_seats, "stacks");
  copy_into(rules->raise_sizes, raise_sizes, rules->num_rounds, "raise_sizes");
  copy_into(rules->max_raises, max_raises, rules->num_rounds, "max_raises");
  copy_into(rules->first_seats, first_seats, rules->num_rounds, "first_seats");
  copy_into(rules->num_board_cards, num_board_cards, rules->num_rounds, "num_board_cards");
  for (const int32_t blind : blinds) rules->largest_blind = std::max(rules->largest_blind, blind);
  rules->smallest_bet = smallest_bet > 0 ? smallest_bet : std::max(rules->largest_blind, 1);
  require_sense(*rules);
  rules->counts_actions = could_reach_action_cap(*rules);
  return rules;
}

void require_seat(const PublicState& state) {
  if (state.betting().is_over()) throw nb::value_error("nobody is to act");
}

std::vector<int64_t> state_payoffs(const PublicState& state, const std::vector<uint8_t>& hole_cards) {
  const Rules& rules = state.rules();
  if (!state.betting().is_over()) throw nb::value_error("the hand is not over");
  std::array<uint16_t, kMaxSeats> strength{};
  if (state.betting().num_active() > 1) {
    const size_t needed = static_cast<size_t>(rules.num_seats) * rules.num_hole_cards;
    if (hole_cards.size() != needed || static_cast<int>(state.board().size()) != rules.total_board_cards())
      throw nb::value_error("a showdown needs the cards of every seat and the whole board");
    uint64_t seen = bits_of(state.board());
    for (int seat = 0; seat < rules.num_seats; ++seat) {  // any hand stands in for one that folded
      const uint8_t* hand = hole_cards.data() + seat * rules.num_hole_cards;
      const bool has_folded = state.betting().has_folded(seat);
      require_unseen(rules, hand, rules.num_hole_cards, has_folded ? bits_of(state.board()) : seen);
      if (!has_folded) seen |= bits_of({hand, hand + rules.num_hole_cards});
    }
    showdown_strength(rules, hole_cards.data(), state.board().data(), rules.total_board_cards(), strength.data());
  }
  std::vector<int64_t> result(rules.num_seats);
  payoffs(rules, state.betting().ending(), strength.data(), result.data());
  return result;
}

void require_cards(const Rules& rules, const std::vector<uint8_t>& cards) {
  const size_t needed = rules.num_seats * rules.num_hole_cards + rules.total_board_cards();
  if (cards.size() != needed) throw nb::value_error("a hand needs all cards of its seats and board");
  require_unseen(rules, cards.data(), cards.size());
}

// Action and whether it was mended, or None.
nb::object answer_object(const PublicState& state, std::string_view asked, std::string_view line) {
  require_seat(state);
  const std::optional<Answer> answer = read_answer(state, asked, line);
  return answer ? nb::object(nb::make_tuple(answer->action, answer->is_mended)) : nb::none();
}

void bind_notation(nb::module_& m) {
  m.def(
      "parse_state",
      [](std::shared_ptr<Rules> rules, std::string_view betting, std::string_view cards) {
        KnownState known = parse_state(std::move(rules), betting, cards);
        return nb::make_tuple(std::move(known.state), hands_tuple(known.hole_cards));
      },
      "rules"_a, "betting"_a, "cards"_a);
  m.def(
      "parse_match_state",
      [](std::shared_ptr<Rules> rules, std::string_view text) {
        MatchState read = parse_match_state(std::move(rules), text);
        return nb::make_tuple(read.seat, read.hand_number, std::move(read.known.state),
                              hands_tuple(read.known.hole_cards));
      },
      "rules"_a, "text"_a);
  m.def(
      "cards_text",
      [](std::shared_ptr<Rules> rules, int round, const SeatCards& hole_cards, const std::vector<uint8_t>& board) {
        if (round < 0 || round >= rules->num_rounds || static_cast<int>(board.size()) < rules->board_cards_by(round))
          throw nb::value_error("a round of the game and its board are needed");
        const auto is_none = [](uint8_t card) { return card >= kNumCards; };
        for (const auto& hand : hole_cards)
          if (std::ranges::any_of(hand, is_none)) throw nb::value_error("cards are 0 to 51");
        if (std::ranges::any_of(board, is_none)) throw nb::value_error("cards are 0 to 51");
        return cards_text(*rules, round, hole_cards, board.data());
      },
      "rules"_a, "round"_a, "hole_cards"_a, "board"_a);
  m.def("read_answer", &answer_object, "state"_a, "asked"_a, "line"_a);

  nb::class_<DealtHand>(m, "DealtHand")
      .def(
          "__init__",
          [](DealtHand* self, std::shared_ptr<Rules> rules, int64_t number, std::vector<uint8_t> cards) {
            require_cards(*rules, cards);
            new (self) DealtHand(std::move(rules), number, std::move(cards));
          },
          "rules"_a, "number"_a, "cards"_a)
      .def_prop_ro("seat", [](const DealtHand& self) { return self.state().betting().seat(); })
      .def_prop_ro("state", [](const DealtHand& self) { return self.state(); })
      .def_prop_ro("betting_text", &DealtHand::betting_text)
      .def_prop_ro("passive_action",
                   [](const DealtHand& self) {
                     require_seat(self.state());
                     return self.state().betting().legal(self.state().rules()).can_fold ? kFold : kCall;
                   })
      .def_prop_ro("cards_text", &DealtHand::cards_text)
      .def_prop_ro("payoff_shares",
                   [](const DealtHand& self) {
                     if (!self.state().betting().is_over()) throw nb::value_error("the hand is not over");
                     return nb::tuple(nb::cast(self.payoff_shares()));
                   })
      .def(
          "message",
          [](const DealtHand& self, int seat) {
            require_within(seat, 0, self.state().rules().num_seats - 1, "seat");
            return self.message(seat);
          },
          "seat"_a)
      .def(
          "read_answer",
          [](const DealtHand& self, std::string_view asked, std::string_view line) {
            return answer_object(self.state(), asked, line);
          },
          "asked"_a, "line"_a)
      .def(
          "act",
          [](DealtHand& self, Action action) {
            if (!self.state().betting().is_legal(self.state().rules(), action))
              throw nb::value_error("this action is not legal");
            self.act(action);
          },
          "action"_a);
}

}  // namespace

void bind_poker(nb::module_& m) {
  nb::class_<Rules>(m, "PokerRules");
  m.def("make_poker_rules", &make_rules, "betting"_a, "conventions"_a, "num_suits"_a, "num_ranks"_a, "num_hole_cards"_a,
        "blinds"_a, "stacks"_a, "raise_sizes"_a, "max_raises"_a, "first_seats"_a, "num_board_cards"_a,
        "smallest_bet"_a);
  m.attr("CHIP_SHARES") = kChipShares;

  nb::class_<PublicState>(m, "PokerState")
      .def(
          "__init__", [](PublicState* self, std::shared_ptr<Rules> rules) { new (self) PublicState(std::move(rules)); },
          "rules"_a)
      .def_static(
          "parse",
          [](std::shared_ptr<Rules> rules, std::string_view betting, std::vector<uint8_t> board) {
            require_unseen(*rules, board.data(), board.size());
            return PublicState::parse(std::move(rules), betting, std::move(board));
          },
          "rules"_a, "betting"_a, "board"_a)
      .def_prop_ro("round", [](const PublicState& self) { return self.betting().round(); })
      .def_prop_ro("seat", [](const PublicState& self) { return self.betting().seat(); })
      .def_prop_ro("turn",
                   [](const PublicState& self) {
                     if (self.num_missing_cards() > 0) return kChance;
                     return self.betting().is_over() ? kTerminal : self.betting().seat();
                   })
      .def_prop_ro("num_missing_cards", &PublicState::num_missing_cards)
      .def_prop_ro("board", [](const PublicState& self) { return nb::tuple(nb::cast(self.board())); })
      .def_prop_ro("num_raises", [](const PublicState& self) { return self.betting().num_raises(); })
      .def_prop_ro("spent",
                   [](const PublicState& self) {
                     std::vector<int32_t> spent(self.rules().num_seats);
                     for (size_t seat = 0; seat < spent.size(); ++seat) spent[seat] = self.betting().spent(seat);
                     return nb::tuple(nb::cast(spent));
                   })
      .def_prop_ro("has_folded",
                   [](const PublicState& self) {
                     std::vector<bool> folded(self.rules().num_seats);
                     for (size_t seat = 0; seat < folded.size(); ++seat) folded[seat] = self.betting().has_folded(seat);
                     return nb::tuple(nb::cast(folded));
                   })
      .def_prop_ro("history",
                   [](const PublicState& self) {
                     nb::list rounds;
                     for (const auto& actions : self.history()) rounds.append(nb::tuple(nb::cast(actions)));
                     return nb::tuple(rounds);
                   })
      .def_prop_ro("betting_text", &PublicState::betting_text)
      .def_prop_ro("to_call",
                   [](const PublicState& self) {
                     require_seat(self);
                     return self.betting().to_call(self.rules());
                   })
      .def_prop_ro("legal",
                   [](const PublicState& self) {
                     require_seat(self);
                     const LegalActions legal = self.betting().legal(self.rules());
                     return nb::make_tuple(legal.can_fold, legal.min_raise_to, legal.max_raise_to);
                   })
      .def(
          "act",
          [](const PublicState& self, Action action) {
            if (self.num_missing_cards() > 0 || !self.betting().is_legal(self.rules(), action))
              throw nb::value_error("this action is not legal");
            return self.act(action);
          },
          "action"_a)
      .def(
          "deal",
          [](const PublicState& self, const std::vector<uint8_t>& cards) {
            if (static_cast<int>(cards.size()) != self.num_missing_cards())
              throw nb::value_error("not the number of cards that is to be dealt");
            require_unseen(self.rules(), cards.data(), cards.size(), bits_of(self.board()));
            return self.deal(cards);
          },
          "cards"_a)
      .def("payoffs", &state_payoffs, "hole_cards"_a)
      .def(
          "is_legal",
          [](const PublicState& self, Action action) {
            return self.num_missing_cards() == 0 && self.betting().is_legal(self.rules(), action);
          },
          "action"_a);
  bind_notation(m);
}

}  // namespace nashgap
