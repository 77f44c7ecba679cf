// A player of the competition's protocol: what the dealer sends, line by line, and what is to be answered. See
// nashgap/arena/acpc/player.py.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "poker/notation.h"

namespace nashgap {

class PlayerSession {
 public:
  enum Event {
    kNothing,  // more has to be heard first
    kStart,    // of a hand
    kTurn,     // the player is to act
    kOver,     // the hand is over
  };

  explicit PlayerSession(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)), state_(rules_) {}

  // What has come, lines cut anywhere.
  void hear(std::string_view data);
  // What happens next. Throws std::invalid_argument that says what the dealer did wrong; then the session is over.
  Event next();
  // The line that answers the turn.
  std::string answer(Action action) const;

  int seat() const { return seat_; }
  int64_t hand_number() const { return hand_number_; }
  const PublicState& state() const { return state_; }
  const SeatCards& hole_cards() const { return hole_cards_; }
  // [N] of the hand that is over, in shares of a chip.
  const std::vector<int64_t>& payoff_shares() const { return payoffs_; }

  bool is_between_hands() const { return is_over_; }
  bool is_in_line() const { return unread_.size() > first_; }
  int64_t num_hands() const { return num_hands_; }
  int64_t won_shares() const { return won_shares_; }

 private:
  // Whether there is a whole line; it becomes line_, without its end.
  bool take_line();
  bool is_overtaken() const;
  void read_line();
  void count_payoffs();

  std::shared_ptr<const Rules> rules_;
  std::string unread_;
  size_t first_ = 0;  // of what is unread
  std::string line_, answered_, beginning_;
  int num_comments_ = 0;  // on end
  bool is_over_ = true;
  bool is_read_ = false;  // whether the line has been told by no event yet
  int seat_ = -1;
  int64_t hand_number_ = -1;
  PublicState state_;
  SeatCards hole_cards_;
  std::vector<int64_t> payoffs_;
  int64_t num_hands_ = 0, won_shares_ = 0;
};

// The session of an agent of the engine. seed: of its choices, which are those of the match with the same seed.
class AgentSession {
 public:
  AgentSession(std::shared_ptr<const Rules> rules, std::unique_ptr<Agent> agent, uint64_t seed)
      : session_(std::move(rules)), agent_(std::move(agent)), seed_(seed), random_(seed, 0, 0, 0) {}

  // What is to be sent when this has come.
  std::string reply(std::string_view data);
  const PlayerSession& session() const { return session_; }

 private:
  void watch();
  Action act();

  PlayerSession session_;
  std::unique_ptr<Agent> agent_;
  uint64_t seed_;
  Philox random_;
  std::vector<PastAction> history_;
  size_t num_watched_ = 0;
};

}  // namespace nashgap
