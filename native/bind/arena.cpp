#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include "agents/chump.h"
#include "arena/match.h"
#include "bind/arrays.h"
#include "bind/boards.h"
#include "bind/games.h"
#include "cards/evaluator.h"
#include "poker/state.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr double kMostChance = 1.0 + 1e-9;  // rounding included

// Of numbers of things, none of which is negative.
int64_t product(std::initializer_list<int64_t> numbers) {
  int64_t total = 1;
  for (const int64_t number : numbers)
    if (__builtin_mul_overflow(total, number, &total)) throw nb::value_error("more hands than 64 bits can count");
  return total;
}

}  // namespace

void bind_arena(nb::module_& m) {
  nb::class_<Philox>(m, "Stream")
      .def(nb::init<uint64_t, uint64_t, uint64_t, uint64_t>(), "seed"_a, "purpose"_a, "iteration"_a, "lane"_a);
  m.attr("CARD_STREAM") = kCardStream;
  m.attr("SEAT_STREAM") = kSeatStream;
  m.attr("NUM_COUNTS") = static_cast<int>(kNumCounts);

  nb::class_<Agent>(m, "Agent")
      .def("fresh", [](const Agent& self) { return self.fresh(); })
      .def_prop_ro("has_memory", &Agent::has_memory)
      .def(
          "act",
          [](Agent& self, const PublicState& state, const std::vector<uint8_t>& hole_cards, Philox& random) {
            const Rules& rules = state.rules();
            if (!can_hold(state, hole_cards) || state.betting().is_over() || state.num_missing_cards() > 0)
              throw nb::value_error("an agent acts when its seat is to act, with its own hole cards");
            self.require_game(rules);
            std::vector<PastAction> history;
            state.replay(history);
            const Situation situation{rules,
                                      state.betting(),
                                      hole_cards.data(),
                                      state.board().data(),
                                      static_cast<int>(state.board().size()),
                                      history};
            return self.act(situation, random);
          },
          "state"_a, "hole_cards"_a, "random"_a)
      .def(
          "watch",  // the actions of the hand from number num_seen on; returns how many there are by now
          [](Agent& self, const PublicState& state, int num_seen) {
            self.require_game(state.rules());
            BettingState betting(state.rules());
            int number = 0;
            for (const auto& actions : state.history()) {
              for (const Action action : actions) {
                if (number++ >= num_seen) self.watch(state.rules(), betting, action);
                betting.act(state.rules(), action);
              }
            }
            return number;
          },
          "state"_a, "num_seen"_a)
      .def(
          "end_hand",
          [](Agent& self, const PublicState& state, int seat) {
            require_within(seat, 0, state.rules().num_seats - 1, "seat");
            if (!state.betting().is_over()) throw nb::value_error("the hand is not over");
            self.require_game(state.rules());
            self.end_hand(state.rules(), state.betting(), seat);
          },
          "state"_a, "seat"_a);
  nb::class_<BlindAgent, Agent>(m, "BlindAgent");
  nb::class_<Triple, BlindAgent>(m, "TripleAgent")
      .def(
          "__init__",
          [](Triple* self, double fold, double call, int size) {
            require_within(size, 0, static_cast<int>(ChumpSize::kAllIn), "size");
            if (!(fold >= 0.0 && call >= 0.0 && fold + call <= kMostChance))
              throw nb::value_error("fold and call are chances, 0 to 1 together");
            new (self) Triple(fold, call, static_cast<ChumpSize>(size));
          },
          "fold"_a, "call"_a, "size"_a);
  nb::class_<UniformRandom, BlindAgent>(m, "RandomAgent").def(nb::init<bool>(), "has_sizes"_a = true);

  m.def(
      "deal_cards",
      [](std::shared_ptr<Rules> rules, uint64_t seed, uint64_t deal, const Boards& boards) {
        require_boards(*rules, boards);
        std::vector<uint8_t> cards(rules->num_seats * rules->num_hole_cards + rules->total_board_cards());
        if (boards.empty())
          deal_cards(*rules, rules->deck(), seed, deal, cards.data());
        else
          deal_cards_beside(*rules, rules->deck(), boards, seed, deal, cards.data());
        return nb::tuple(nb::cast(cards));
      },
      "rules"_a, "seed"_a, "deal"_a, "boards"_a = Boards{});

  m.def(
      "count_hand",
      [](const PublicState& state, const std::vector<int64_t>& payoff, const std::vector<int>& agent_at,
         Array<int64_t> counts) {
        const Rules& rules = state.rules();
        const size_t num_seats = rules.num_seats;
        if (payoff.size() != num_seats || agent_at.size() != num_seats || !state.betting().is_over())
          throw nb::value_error("a payoff and an agent for each seat of a finished hand are needed");
        require_size(counts, static_cast<int64_t>(num_seats) * kNumCounts, "counts");
        HandCounter counter(rules);
        BettingState betting(rules);
        for (const auto& actions : state.history()) {
          for (const Action action : actions) {
            counter.note(betting, action);
            betting.act(rules, action);
          }
        }
        std::array<int64_t*, kMaxSeats> counts_of{};
        for (size_t seat = 0; seat < num_seats; ++seat) {
          require_within(agent_at[seat], 0, rules.num_seats - 1, "an agent");
          counts_of[seat] = counts.data() + agent_at[seat] * kNumCounts;
        }
        counter.finish(betting, payoff.data(), counts_of.data());
        return std::make_tuple(counter.sequence(), counter.is_heads_up());
      },
      "state"_a, "payoff"_a, "agent_at"_a, "counts"_a.noconvert());

  m.def(
      "play_matches",
      [](std::shared_ptr<Rules> rules, const std::vector<const Agent*>& agents, uint64_t seed, uint64_t first_match,
         int64_t hands_per_match, Array<const int8_t> seatings, Array<int64_t> match_payoffs,
         Array<double> hand_squares, Array<int64_t> counts, std::optional<Array<int64_t>> hand_payoffs) {
        const int64_t num_seats = rules->num_seats;
        if (seatings.ndim() != 3) throw nb::value_error("seatings has three axes: matches or 1, seatings, seats");
        const int64_t num_seatings = static_cast<int64_t>(seatings.shape(1));
        const int64_t num_matches = static_cast<int64_t>(match_payoffs.size()) / num_seats;
        if (static_cast<int64_t>(agents.size()) != num_seats || std::ranges::find(agents, nullptr) != agents.end())
          throw nb::value_error("one agent for each seat is needed");
        for (const Agent* agent : agents) agent->require_game(*rules);
        if (hands_per_match < 1) throw nb::value_error("hands_per_match must be at least 1");
        if (num_seatings < 1) throw nb::value_error("there is at least one seating");
        const int64_t num_payoffs = product({num_matches, num_seatings, hands_per_match, num_seats});
        const bool has_seatings_per_match = seatings.shape(0) > 1;
        require_size(seatings, (has_seatings_per_match ? num_matches : 1) * num_seatings * num_seats, "seatings");
        require_size(match_payoffs, num_matches * num_seats, "match_payoffs");
        require_size(hand_squares, num_seats, "hand_squares");
        require_size(counts, num_seats * kNumCounts, "counts");
        for (size_t i = 0; i < seatings.size(); ++i)
          require_within(seatings.data()[i], 0, num_seats - 1, "an agent of a seating");
        if (hand_payoffs) require_size(*hand_payoffs, num_payoffs, "hand_payoffs");
        MatchTask task{
            seed, first_match, num_matches, hands_per_match, seatings.data(), num_seatings, has_seatings_per_match,
        };
        std::vector<std::string> betting;
        MatchTally tally{match_payoffs.data(),
                         hand_squares.data(),
                         counts.data(),
                         hand_payoffs ? hand_payoffs->data() : nullptr,
                         hand_payoffs ? &betting : nullptr,
                         {}};
        {
          nb::gil_scoped_release release;
          play_matches(*rules, agents, task, tally);
        }
        return std::make_tuple(std::move(tally.sequences), std::move(betting));
      },
      "rules"_a, "agents"_a, "seed"_a, "first_match"_a, "hands_per_match"_a, "seatings"_a.noconvert(),
      "match_payoffs"_a.noconvert(), "hand_squares"_a.noconvert(), "counts"_a.noconvert(),
      "hand_payoffs"_a.noconvert().none() = nb::none());
}

}  // namespace nashgap
