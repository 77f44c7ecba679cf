#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/boards.h"
#include "bind/games.h"
#include "measure/asked_opponent.h"
#include "measure/blind_opponent.h"
#include "measure/lbr_batch.h"
#include "measure/lbr_lines_batch.h"
#include "measure/table_opponent.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr int64_t kMaxDeals = 10'000'000;  // of a batch; all its hands are kept
constexpr int kMaxSamples = 1'000'000;
constexpr int kMaxClasses = 127;  // whose numbers fit into a byte

void require_seatings(const Rules& rules, const Array<const int8_t>& seatings) {
  const int num_seats = rules.num_seats;
  if (seatings.size() == 0 || seatings.size() % num_seats != 0) throw nb::value_error("seatings has rows of all seats");
  for (size_t row = 0; row < seatings.size(); row += num_seats) {
    uint32_t seen = 0;
    for (int seat = 0; seat < num_seats; ++seat) {
      require_within(seatings.data()[row + seat], 0, num_seats - 1, "an entry of a seating");
      seen |= 1u << seatings.data()[row + seat];
    }
    if (seen != (1u << num_seats) - 1) throw nb::value_error("a seating has LBR, 0, and each opponent once");
  }
}

void require_opponent(const Rules& rules, const std::shared_ptr<RangedOpponent>& opponent) {
  if (!opponent) throw nb::value_error("an opponent is None");
  opponent->require_game(rules);
}

void make_batch(LbrBatch* self, std::shared_ptr<Rules> rules, std::shared_ptr<BettingAbstraction> bets,
                uint32_t active_rounds, bool sees_raises, bool has_imaginary_hands, bool has_all_in_expectation,
                std::vector<std::shared_ptr<RangedOpponent>> opponents, std::shared_ptr<PreflopChances> preflop,
                Array<const int8_t> seatings, uint64_t seed, uint64_t first_deal, int64_t num_deals, bool is_duplicate,
                bool has_lines, Boards boards) {
  require_boards(*rules, boards);
  require_seatings(*rules, seatings);
  require_range_hands(*rules);
  require_fit(*rules, *bets);
  require_within(num_deals, 0, kMaxDeals, "num_deals");
  for (const auto& opponent : opponents) require_opponent(*rules, opponent);
  const int num_opponents = static_cast<int>(opponents.size());
  if (num_opponents != rules->num_seats - 1 && num_opponents != rules->num_seats)
    throw nb::value_error("an opponent for each other seat, and perhaps one for LBR's");
  const int num_chosen_cards = boards.empty() ? 0 : static_cast<int>(boards[0].size());
  LbrOptions options{std::move(bets),     active_rounds,          sees_raises,
                     has_imaginary_hands, has_all_in_expectation, num_chosen_cards};
  new (self) LbrBatch(std::move(rules), std::move(options), std::move(opponents), std::move(preflop),
                      {seatings.data(), seatings.data() + seatings.size()}, seed, first_deal, num_deals, is_duplicate,
                      has_lines, std::move(boards));
}

void make_lines_batch(LbrLinesBatch* self, std::shared_ptr<Rules> rules, std::shared_ptr<BettingAbstraction> bets,
                      uint32_t active_rounds, bool sees_raises, bool has_all_in_expectation,
                      std::shared_ptr<RangedOpponent> opponent, std::shared_ptr<PreflopChances> preflop,
                      const std::vector<std::pair<uint64_t, std::vector<uint8_t>>>& boards, int num_chosen_cards,
                      uint64_t seed, double least_stake, int64_t most_nodes, bool finds_luck, int num_classes,
                      std::optional<Array<const int8_t>> class_of) {
  if (rules->num_hole_cards > 2 || rules->num_seats != 2)
    throw nb::value_error("lines are followed for two seats with 1 or 2 hole cards");
  require_fit(*rules, *bets);
  require_opponent(*rules, opponent);
  require_within(num_chosen_cards, 0, rules->total_board_cards(), "num_chosen_cards");
  if (!(least_stake >= 0.0)) throw nb::value_error("least_stake is 0 or more");
  require_within(most_nodes, 0, std::numeric_limits<int32_t>::max(), "most_nodes");
  require_within(num_classes, 0, kMaxClasses, "num_classes");
  std::vector<LineDeal> deals;
  for (const auto& [number, board] : boards) {
    require_board(*rules, board, rules->num_rounds - 1);
    deals.push_back({board, {seed, number}});
  }
  std::optional<LineClasses> classes;
  if (class_of) {
    const auto size = static_cast<int64_t>(boards.size()) * rules->num_rounds * rules->num_private_hands();
    require_size(*class_of, size, "class_of");
    classes = {num_classes, {class_of->data(), class_of->data() + size}};
    if (std::ranges::any_of(classes->of, [&](int8_t each) { return each >= num_classes; }))
      throw nb::value_error("class_of has a class that is none");
  }
  LbrOptions options{std::move(bets), active_rounds, sees_raises, true, has_all_in_expectation, num_chosen_cards};
  new (self) LbrLinesBatch(std::move(rules), std::move(options), std::move(opponent), std::move(preflop),
                           std::move(deals), {least_stake, most_nodes, finds_luck}, std::move(classes));
}

std::vector<double> table_of(const Array<const double>& array, size_t num_moves, int num_hands) {
  if (array.size() != num_moves && array.size() != num_moves * num_hands)
    throw nb::value_error("probabilities are [hands or 1, moves]");
  return {array.data(), array.data() + array.size()};
}

}  // namespace

void bind_measure(nb::module_& m) {
  nb::class_<RangedOpponent>(m, "RangedOpponent");
  nb::class_<BlindOpponent, RangedOpponent>(m, "BlindOpponent").def(nb::init<std::shared_ptr<BlindAgent>>(), "agent"_a);
  nb::class_<TableOpponent, RangedOpponent>(m, "TableOpponent")
      .def(
          "__init__",
          [](TableOpponent* self, std::shared_ptr<AbstractStrategy> strategy, int num_samples) {
            require_within(num_samples, 0, kMaxSamples, "num_samples");
            new (self) TableOpponent(std::move(strategy), num_samples);
          },
          "strategy"_a, "num_samples"_a);
  nb::class_<AskedOpponent, RangedOpponent>(m, "AskedOpponent")
      .def(
          "__init__",
          [](AskedOpponent* self, std::shared_ptr<Rules> rules, bool is_sampled, int64_t most_bytes) {
            require_range_hands(*rules);
            new (self) AskedOpponent(std::move(rules), is_sampled, most_bytes);
          },
          "rules"_a, "is_sampled"_a, "most_bytes"_a = AskedOpponent::kMostBytes)
      .def_prop_ro("num_told", &AskedOpponent::num_told)
      .def_prop_ro("missing", [](const AskedOpponent& self) { return self.missing(); })
      .def_prop_ro("missing_hands", [](const AskedOpponent& self) { return self.missing_hands(); })
      .def(
          "tell",  // of each missing state: moves as (low, high), believed, played or none
          [](AskedOpponent& self, const nb::list& told) {
            if (told.size() != self.missing().size()) throw nb::value_error("an answer for each missing state");
            std::vector<AskedAnswer> answers;
            for (size_t i = 0; i < told.size(); ++i) {
              const nb::tuple parts = nb::cast<nb::tuple>(told[i]);
              if (parts.size() != 3) throw nb::value_error("an answer is moves, believed and played");
              AskedAnswer answer;
              for (const auto& [low, high] : nb::cast<std::vector<std::pair<Action, Action>>>(parts[0]))
                answer.moves.push_back({low, high});
              const int num_hands = self.missing()[i].rules().num_private_hands();
              answer.believed =
                  table_of(nb::cast<Array<const double>>(parts[1], false), answer.moves.size(), num_hands);
              if (!parts[2].is_none())
                answer.played =
                    table_of(nb::cast<Array<const double>>(parts[2], false), answer.moves.size(), num_hands);
              require_moves(self.missing()[i], answer.moves);
              answers.push_back(std::move(answer));
            }
            self.tell(std::move(answers));
          },
          "answers"_a);

  nb::class_<LbrBatch>(m, "LbrBatch")
      .def("__init__", &make_batch, "rules"_a, "bets"_a, "active_rounds"_a, "sees_raises"_a, "has_imaginary_hands"_a,
           "has_all_in_expectation"_a, "opponents"_a, "preflop"_a.none(), "seatings"_a.noconvert(), "seed"_a,
           "first_deal"_a, "num_deals"_a, "is_duplicate"_a, "has_lines"_a, "boards"_a)
      .def("advance", &LbrBatch::advance, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("num_queries", &LbrBatch::num_queries)
      .def_prop_ro("lines", &LbrBatch::lines)
      .def(
          "read",  // chips, chips against the hand really held, last round of each hand, [num_deals, S or 1]
          [](const LbrBatch& self, Array<double> chips, Array<double> dealt_chips, Array<int8_t> end_rounds) {
            const auto size = static_cast<int64_t>(self.hands().size());
            require_size(chips, size, "chips");
            require_size(dealt_chips, size, "dealt_chips");
            require_size(end_rounds, size, "end_rounds");
            for (int64_t i = 0; i < size; ++i) {
              chips.data()[i] = self.hands()[i].chips;
              dealt_chips.data()[i] = self.hands()[i].dealt_chips;
              end_rounds.data()[i] = static_cast<int8_t>(self.hands()[i].end_round);
            }
          },
          "chips"_a.noconvert(), "dealt_chips"_a.noconvert(), "end_rounds"_a.noconvert());

  nb::class_<LbrLinesBatch>(m, "LbrLinesBatch")
      .def("__init__", &make_lines_batch, "rules"_a, "bets"_a, "active_rounds"_a, "sees_raises"_a,
           "has_all_in_expectation"_a, "opponent"_a, "preflop"_a.none(), "boards"_a, "num_chosen_cards"_a, "seed"_a,
           "least_stake"_a, "most_nodes"_a, "finds_luck"_a, "num_classes"_a, "class_of"_a.none())
      .def("advance", &LbrLinesBatch::advance, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("is_too_large", &LbrLinesBatch::is_too_large)
      .def_prop_ro("num_queries", &LbrLinesBatch::num_queries)
      .def_prop_ro("num_nodes", &LbrLinesBatch::num_nodes)
      .def(
          "read",  // mass and chips by the round of the last action, luck by that of the cards, [deals, seats, rounds]
          [](const LbrLinesBatch& self, Array<double> mass, Array<double> chips, Array<double> luck) {
            const auto num_deals = static_cast<int64_t>(self.sums().size());
            const int64_t num_rounds = num_deals == 0 ? 0 : static_cast<int64_t>(mass.size()) / num_deals / 2;
            if (num_rounds > kMaxRounds) throw nb::value_error("mass has more rounds than a game");
            require_size(mass, num_deals * LbrLinesBatch::kSeats * num_rounds, "mass");
            require_size(chips, static_cast<int64_t>(mass.size()), "chips");
            require_size(luck, static_cast<int64_t>(mass.size()), "luck");
            int64_t at = 0;
            for (const auto& seats : self.sums())
              for (const LineSums& sums : seats)
                for (int64_t round = 0; round < num_rounds; ++round, ++at) {
                  mass.data()[at] = sums.mass[round];
                  chips.data()[at] = sums.chips[round];
                  luck.data()[at] = sums.luck[round];
                }
          },
          "mass"_a.noconvert(), "chips"_a.noconvert(), "luck"_a.noconvert())
      .def_prop_ro("lines", [](const LbrLinesBatch& self) { return self.tallies().lines; })
      .def_prop_ro("num_endings", [](const LbrLinesBatch& self) { return self.tallies().endings.size(); })
      .def(
          "read_endings",  // [endings] deal, line, mass, chips
          [](const LbrLinesBatch& self, Array<int64_t> deals, Array<int32_t> lines, Array<double> mass,
             Array<double> chips) {
            const auto& endings = self.tallies().endings;
            const auto size = static_cast<int64_t>(endings.size());
            require_size(deals, size, "deals");
            require_size(lines, size, "lines");
            require_size(mass, size, "mass");
            require_size(chips, size, "chips");
            for (int64_t i = 0; i < size; ++i) {
              deals.data()[i] = endings[i].deal;
              lines.data()[i] = endings[i].line;
              mass.data()[i] = endings[i].mass;
              chips.data()[i] = endings[i].chips;
            }
          },
          "deals"_a.noconvert(), "lines"_a.noconvert(), "mass"_a.noconvert(), "chips"_a.noconvert())
      .def(
          "read_classes",  // [lines, classes, 2] and [deals, classes, 2]: mass and chips
          [](const LbrLinesBatch& self, Array<double> by_line, Array<double> by_deal) {
            const LineTallies& tallies = self.tallies();
            require_size(by_line, static_cast<int64_t>(tallies.by_line.size()), "by_line");
            require_size(by_deal, static_cast<int64_t>(tallies.by_deal.size()), "by_deal");
            std::ranges::copy(tallies.by_line, by_line.data());
            std::ranges::copy(tallies.by_deal, by_deal.data());
          },
          "by_line"_a.noconvert(), "by_deal"_a.noconvert())
      .def_prop_ro("examples", [](const LbrLinesBatch& self) {  // of each line: deal, hands by place, chips
        std::vector<std::tuple<int64_t, int32_t, int32_t, double>> examples;
        for (const LineExample& each : self.tallies().examples)
          examples.emplace_back(each.deal, each.own, each.other, each.chips);
        return examples;
      });

  m.def(
      "add_points",  // reach, points [hands, 4]; see AddPoints
      [](const Rules& rules, const std::vector<uint8_t>& board, Array<const double> reach, Array<double> points,
         bool is_narrow) {
        require_range_hands(rules);
        require_board(rules, board, rules.num_rounds - 1);
        require_size(reach, int64_t{rules.num_private_hands()} * kSweepLanes, "reach");
        require_size(points, int64_t{rules.num_private_hands()} * kSweepLanes, "points");
        const OrderedHands hands(rules, PrivateHands(rules), board.data());
        points_sweep(rules.num_hole_cards, is_narrow)(hands, reach.data(), points.data());
      },
      "rules"_a, "board"_a, "reach"_a.noconvert(), "points"_a.noconvert(), "is_narrow"_a);

  m.def(
      "lbr_decision",  // what LBR does in a state; none where answers are missing
      [](const PublicState& state, std::shared_ptr<Rules> rules, std::shared_ptr<BettingAbstraction> bets,
         uint32_t active_rounds, bool sees_raises, std::vector<std::shared_ptr<RangedOpponent>> opponents,
         std::shared_ptr<PreflopChances> preflop, Array<const int8_t> seating,
         const std::vector<uint8_t>& hole_cards) -> std::optional<Action> {
        require_range_hands(*rules);
        require_same_game(*rules, state.rules(), "the state");
        require_fit(*rules, *bets);
        require_seatings(*rules, seating);
        require_size(seating, rules->num_seats, "seating");
        for (const auto& opponent : opponents) require_opponent(*rules, opponent);
        if (static_cast<int>(opponents.size()) != rules->num_seats - 1 || !can_hold(state, hole_cards) ||
            state.betting().is_over() || state.num_missing_cards() > 0 || seating.data()[state.betting().seat()] != 0)
          throw nb::value_error("LBR decides when its seat is to act, with its own hole cards");
        std::vector<RangedOpponent*> all;
        for (const auto& opponent : opponents) all.push_back(opponent.get());
        LocalBestResponse response(rules, {std::move(bets), active_rounds, sees_raises, true, true}, all,
                                   std::move(preflop));
        Action action = kCall;
        const bool is_answered = response.decide(seating.data(), state, hole_cards.data(), action);
        return is_answered ? std::optional(action) : std::nullopt;
      },
      "state"_a, "rules"_a, "bets"_a, "active_rounds"_a, "sees_raises"_a, "opponents"_a, "preflop"_a.none(),
      "seating"_a.noconvert(), "hole_cards"_a);
}

}  // namespace nashgap
