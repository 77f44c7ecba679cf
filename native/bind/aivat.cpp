#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arena/match.h"
#include "bind/arrays.h"
#include "bind/games.h"
#include "measure/aivat.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr int kMostDrawn = 1'000'000;

int num_deal_cards(const Rules& rules) { return rules.num_seats * rules.num_hole_cards + rules.total_board_cards(); }

// Which board cards were dealt is seen by the rounds that the betting has.
int num_dealt_cards(const Rules& rules, const std::string& betting) {
  const auto rounds = std::count(betting.begin(), betting.end(), '/');
  return rules.board_cards_by(static_cast<int>(std::min<int64_t>(rounds, rules.num_rounds - 1)));
}

// As long as the betting went on, the board cards of the deal lie with it.
PublicState end_of(const std::shared_ptr<const Rules>& rules, const std::string& betting, const uint8_t* cards) {
  const uint8_t* board = cards + rules->num_seats * rules->num_hole_cards;
  return PublicState::parse(rules, betting, {board, board + num_dealt_cards(*rules, betting)});
}

// All that the betting came to is known of the board; of the hole cards those of a seat may be hidden.
void require_cards(const Rules& rules, const std::string& betting, const uint8_t* cards) {
  const int num_hole_cards = rules.num_hole_cards;
  std::vector<uint8_t> known;
  for (int seat = 0; seat < rules.num_seats; ++seat, cards += num_hole_cards) {
    const auto num_hidden = std::count(cards, cards + num_hole_cards, kHiddenCard);
    if (num_hidden == 0) known.insert(known.end(), cards, cards + num_hole_cards);
    if (num_hidden != 0 && num_hidden != num_hole_cards)
      throw nb::value_error("all hole cards of a seat are hidden, or none");
  }
  const int num_dealt = num_dealt_cards(rules, betting);
  known.insert(known.end(), cards, cards + num_dealt);
  for (int i = num_dealt; i < rules.total_board_cards(); ++i)
    if (cards[i] != kHiddenCard) known.push_back(cards[i]);
  require_unseen(rules, known.data(), known.size());
}

// By tables of strength, of hold'em with all or the first of its rounds.
void require_holdem_hands(const Rules& rules) {
  bool is_holdem = rules.num_hole_cards == 2 && rules.num_suits == kNumSuits && rules.num_ranks == kNumRanks &&
                   rules.num_rounds <= kNumStreets;
  for (int round = 0; round < rules.num_rounds && is_holdem; ++round)
    is_holdem = rules.board_cards_by(round) == kStreetBoardCards[round];
  if (!is_holdem) throw nb::value_error("tables of strength are for hold'em");
}

}  // namespace

void bind_aivat(nb::module_& m) {
  m.attr("HIDDEN_CARD") = static_cast<int>(kHiddenCard);
  m.def("hand_class_cuts", [] { return std::vector<double>(HandClasses::kCuts.begin(), HandClasses::kCuts.end()); });
  nb::class_<HandClasses>(m, "HandClasses")
      .def(
          "__init__",
          [](nb::pointer_and_handle<HandClasses> self, std::shared_ptr<Rules> rules,
             const std::vector<Array<const uint16_t>>& levels, const std::vector<std::vector<uint16_t>>& cuts) {
            require_range_hands(*rules);
            if (levels.empty() && cuts.empty()) {
              new (self.p) HandClasses(*rules);
              return;
            }
            require_holdem_hands(*rules);
            if (levels.size() != kNumStreets || cuts.size() != kNumStreets)
              throw nb::value_error("levels and cuts of four streets, or none, are needed");
            constexpr std::array<int64_t, kNumStreets> kNumBoards = {1, 1755, 16432, 134459};
            std::array<const uint16_t*, kNumStreets> tables;
            std::array<std::array<uint16_t, kNumHandClasses - 1>, kNumStreets> rows;
            for (int street = 0; street < kNumStreets; ++street) {
              require_size(levels[street], kNumBoards[street] * kNumHands, "levels");
              if (cuts[street].size() != kNumHandClasses - 1) throw nb::value_error("one cut less than classes");
              tables[street] = levels[street].data();
              nb::keep_alive_obj(self.h, nb::cast(levels[street]));
              std::copy(cuts[street].begin(), cuts[street].end(), rows[street].begin());
            }
            new (self.p) HandClasses(*rules, tables, rows);
          },
          "rules"_a, "levels"_a, "cuts"_a);
  nb::class_<ValueTable>(m, "ValueTable")
      .def(
          "__init__",
          [](ValueTable* self, std::shared_ptr<Rules> rules, std::shared_ptr<HandClasses> classes) {
            require_same_game(*rules, classes->rules(), "the classes of hands");
            new (self) ValueTable(std::move(rules), std::move(classes));
          },
          "rules"_a, "classes"_a)
      .def(
          "note_hands",  // of deals of a seed
          [](ValueTable& self, uint64_t seed, Array<const int64_t> deals, const std::vector<std::string>& betting,
             Array<const uint64_t> arrangements) {
            require_size(deals, static_cast<int64_t>(betting.size()), "deals");
            require_size(arrangements, static_cast<int64_t>(betting.size()), "arrangements");
            nb::gil_scoped_release release;
            const Rules& rules = self.rules();
            const std::vector<uint8_t> deck = rules.deck();
            std::vector<uint8_t> cards(num_deal_cards(rules));
            for (size_t i = 0; i < betting.size(); ++i) {
              deal_cards(rules, deck, seed, static_cast<uint64_t>(deals.data()[i]), cards.data());
              const PublicState end = end_of(self.shared_rules(), betting[i], cards.data());
              if (!end.betting().is_over()) throw std::invalid_argument("a hand is not over");
              self.note_hand(end, cards.data(), arrangements.data()[i]);
            }
          },
          "seed"_a, "deals"_a, "betting"_a, "arrangements"_a)
      .def("settle", &ValueTable::settle, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("num_nodes", &ValueTable::num_nodes);
  nb::class_<HandPolicies>(m, "HandPolicies");
  nb::class_<TablePolicies, HandPolicies>(m, "TablePolicies")
      .def(nb::init<std::shared_ptr<AbstractStrategy>>(), "strategy"_a);
  nb::class_<ToldPolicies, HandPolicies>(m, "ToldPolicies")
      .def(nb::init<>())
      .def_prop_ro("missing", [](const ToldPolicies& self) { return self.missing(); })
      .def(
          "tell",  // of each missing state: moves as (low, high), and the table
          [](ToldPolicies& self, const nb::list& told) {
            if (told.size() != self.missing().size()) throw nb::value_error("an answer for each missing state");
            std::vector<SeatPolicy> policies;
            for (size_t i = 0; i < told.size(); ++i) {
              const nb::tuple parts = nb::cast<nb::tuple>(told[i]);
              if (parts.size() != 2) throw nb::value_error("an answer is moves and probabilities");
              SeatPolicy policy;
              for (const auto& [low, high] : nb::cast<std::vector<std::pair<Action, Action>>>(parts[0]))
                policy.moves.push_back({low, high});
              const auto table = nb::cast<Array<const double>>(parts[1], false);
              const auto num_hands = static_cast<size_t>(self.missing()[i].rules().num_private_hands());
              require_moves(self.missing()[i], policy.moves);
              if (table.size() != policy.moves.size() && table.size() != num_hands * policy.moves.size())
                throw nb::value_error("a row of probabilities for each hand, or one for all, is needed");
              policy.table.assign(table.data(), table.data() + table.size());
              policies.push_back(std::move(policy));
            }
            self.tell(std::move(policies));
          },
          "answers"_a);
  nb::class_<Aivat>(m, "Aivat")
      .def(
          "__init__",
          [](Aivat* self, std::shared_ptr<ValueTable> values, std::vector<std::shared_ptr<HandPolicies>> policies,
             bool has_averages, bool has_decisions, bool has_chance, int num_boards, int num_runouts) {
            require_within(num_boards, 1, kMostDrawn, "num_boards");
            require_within(num_runouts, 1, kMostDrawn, "num_runouts");
            for (const auto& policy : policies)
              if (policy) policy->require_game(values->rules());
            new (self) Aivat(std::move(values), std::move(policies),
                             {has_averages, has_decisions, has_chance, num_boards, num_runouts});
          },
          "values"_a, "policies"_a, "has_averages"_a, "has_decisions"_a, "has_chance"_a, "num_boards"_a,
          "num_runouts"_a)
      .def(
          // Whether all is done: else policies are missing. The hand, action and seat where a known one cannot have
          // acted so.
          "correct",
          [](Aivat& self, Array<const uint8_t> cards, const std::vector<std::string>& betting,
             Array<const int8_t> agents, Array<const uint64_t> arrangements, Array<const double> payoffs, uint64_t seed,
             Array<const int64_t> names,
             Array<double> corrected) -> std::tuple<bool, std::optional<std::tuple<int64_t, int, int>>> {
            const Rules& rules = self.rules();
            if (!self.values().is_settled()) throw nb::value_error("hands were noted whose values are not settled");
            const auto size = static_cast<int64_t>(betting.size());
            const int64_t num_seats = rules.num_seats, num_cards = num_deal_cards(rules);
            require_size(cards, size * num_cards, "cards");
            require_size(agents, size * num_seats, "agents");
            require_size(arrangements, size, "arrangements");
            require_size(payoffs, size * num_seats, "payoffs");
            require_size(names, size * 2, "names");
            require_size(corrected, size * num_seats, "corrected");
            for (int64_t i = 0; i < size * num_seats; ++i)
              if (agents.data()[i] < 0 || agents.data()[i] >= self.num_agents()) throw nb::value_error("no such agent");
            nb::gil_scoped_release release;
            bool is_done = true;
            for (int64_t i = 0; i < size; ++i) {
              const uint8_t* dealt = cards.data() + i * num_cards;
              require_cards(rules, betting[i], dealt);
              const PublicState end = end_of(self.shared_rules(), betting[i], dealt);
              if (!end.betting().is_over()) throw std::invalid_argument("a hand is not over");
              const PlayedHand hand{end,
                                    dealt,
                                    agents.data() + i * num_seats,
                                    arrangements.data()[i],
                                    payoffs.data() + i * num_seats,
                                    seed,
                                    static_cast<uint64_t>(names.data()[2 * i]),
                                    static_cast<uint64_t>(names.data()[2 * i + 1])};
              const Aivat::Outcome outcome = self.correct(hand, corrected.data() + i * num_seats);
              is_done &= outcome != Aivat::Outcome::kMissing;
              if (outcome == Aivat::Outcome::kImpossible)
                return {true, std::tuple{i, self.impossible_action(), self.impossible_seat()}};
            }
            return {is_done, std::nullopt};
          },
          "cards"_a, "betting"_a, "agents"_a, "arrangements"_a, "payoffs"_a, "seed"_a, "names"_a,
          "corrected"_a.noconvert());
}

}  // namespace nashgap
