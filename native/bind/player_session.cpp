#include <memory>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arena/player_session.h"
#include "bind/arrays.h"
#include "bind/hands.h"

namespace nashgap {

using namespace nb::literals;

namespace {

std::string_view view_of(const nb::bytes& data) { return {data.c_str(), data.size()}; }

// What both kinds of sessions tell of the match.
template <typename Session, typename Class>
void bind_score(Class& bound, const PlayerSession& (*session)(const Session&)) {
  bound.def_prop_ro("is_between_hands", [session](const Session& self) { return session(self).is_between_hands(); })
      .def_prop_ro("is_in_line", [session](const Session& self) { return session(self).is_in_line(); })
      .def_prop_ro("num_hands", [session](const Session& self) { return session(self).num_hands(); })
      .def_prop_ro("won_shares", [session](const Session& self) { return session(self).won_shares(); });
}

}  // namespace

void bind_player_session(nb::module_& m) {
  nb::class_<PlayerSession> session(m, "PlayerSession");
  session
      .def(
          "__init__",
          [](PlayerSession* self, std::shared_ptr<Rules> rules) { new (self) PlayerSession(std::move(rules)); },
          "rules"_a)
      .def(
          "hear", [](PlayerSession& self, const nb::bytes& data) { self.hear(view_of(data)); }, "data"_a)
      .def("next", [](PlayerSession& self) { return static_cast<int>(self.next()); })
      .def(
          "answer",
          [](const PlayerSession& self, Action action) {
            if (!self.state().betting().is_legal(self.state().rules(), action))
              throw nb::value_error("this action is not legal");
            return self.answer(action);
          },
          "action"_a)
      .def_prop_ro("seat", &PlayerSession::seat)
      .def_prop_ro("hand_number", &PlayerSession::hand_number)
      .def_prop_ro("state", [](const PlayerSession& self) { return self.state(); })
      .def_prop_ro("hole_cards", [](const PlayerSession& self) { return hands_tuple(self.hole_cards()); })
      .def_prop_ro("payoff_shares",
                   [](const PlayerSession& self) { return nb::tuple(nb::cast(self.payoff_shares())); });
  bind_score<PlayerSession>(session, [](const PlayerSession& self) -> const PlayerSession& { return self; });
  m.attr("SESSION_START") = static_cast<int>(PlayerSession::kStart);
  m.attr("SESSION_TURN") = static_cast<int>(PlayerSession::kTurn);
  m.attr("SESSION_OVER") = static_cast<int>(PlayerSession::kOver);

  nb::class_<AgentSession> agent_session(m, "AgentSession");
  agent_session
      .def(
          "__init__",
          [](AgentSession* self, std::shared_ptr<Rules> rules, const Agent& agent, uint64_t seed) {
            agent.require_game(*rules);
            new (self) AgentSession(std::move(rules), agent.fresh(), seed);
          },
          "rules"_a, "agent"_a, "seed"_a, nb::keep_alive<1, 3>())
      .def(
          "reply",
          [](AgentSession& self, const nb::bytes& data) {
            const std::string replies = self.reply(view_of(data));
            return nb::bytes(replies.data(), replies.size());
          },
          "data"_a);
  bind_score<AgentSession>(agent_session,
                           [](const AgentSession& self) -> const PlayerSession& { return self.session(); });
}

}  // namespace nashgap
