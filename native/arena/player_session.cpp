#include "arena/player_session.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

#include "arena/match.h"

namespace nashgap {

namespace {

constexpr size_t kMaxLineBytes = 1 << 16;
constexpr int kMaxComments = 10'000;  // no dealer has that much to remark

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

std::string_view without_spaces_behind(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

}  // namespace

void PlayerSession::hear(std::string_view data) {
  unread_.erase(0, first_);
  first_ = 0;
  unread_ += data;
}

bool PlayerSession::take_line() {
  const size_t end = std::string_view(unread_).substr(0, first_ + kMaxLineBytes).find('\n', first_);
  if (end == std::string::npos) {
    if (unread_.size() - first_ >= kMaxLineBytes)
      refuse("sent " + std::to_string(kMaxLineBytes) + " bytes without a line end");
    return false;
  }
  line_.assign(unread_, first_, end - first_);
  if (line_.ends_with('\r')) line_.pop_back();
  first_ = end + 1;
  return true;
}

// A later state of the hand has everything that is in this one.
bool PlayerSession::is_overtaken() const {
  const std::string_view rest = std::string_view(unread_).substr(first_);
  return !is_over_ && line_.starts_with(beginning_) && rest.starts_with(beginning_) &&
         rest.find('\n') != std::string_view::npos;
}

PlayerSession::Event PlayerSession::next() {
  for (;;) {
    if (!is_read_) {
      if (!take_line()) return kNothing;
      if (line_.empty() || line_[0] == '#' || line_[0] == ';') {
        if (++num_comments_ == kMaxComments) refuse("sent " + std::to_string(kMaxComments) + " comments on end");
        continue;
      }
      num_comments_ = 0;
      if (is_overtaken()) continue;
      read_line();
      is_read_ = true;
      if (is_over_) {
        is_over_ = false;
        return kStart;
      }
    }
    is_read_ = false;
    if (state_.betting().is_over()) {
      count_payoffs();
      is_over_ = true;
      return kOver;
    }
    if (state_.betting().seat() == seat_ && line_ != answered_) {
      answered_ = line_;
      return kTurn;
    }
  }
}

void PlayerSession::read_line() {
  const auto refuse_line = [&](const std::string& why) { refuse("sent " + quoted(line_) + ": " + why); };
  MatchState read{-1, -1, {PublicState(rules_), {}}};
  try {
    read = parse_match_state(rules_, without_spaces_behind(line_));
  } catch (const std::invalid_argument& error) {
    refuse_line(error.what());
  }
  if (read.known.hole_cards[read.seat].empty()) refuse_line("own hole cards are missing");
  if (is_over_) {
    hand_number_ = read.hand_number;
    seat_ = read.seat;
    beginning_ = "MATCHSTATE:" + std::to_string(seat_) + ':' + std::to_string(hand_number_) + ':';
  }
  if (read.hand_number != hand_number_)
    refuse("starts hand " + std::to_string(read.hand_number) + " before the end of hand " +
           std::to_string(hand_number_));
  if (read.seat != seat_)
    refuse("moves the player from position " + std::to_string(seat_) + " to " + std::to_string(read.seat) +
           " in hand " + std::to_string(hand_number_));
  state_ = std::move(read.known.state);
  hole_cards_ = std::move(read.known.hole_cards);
}

void PlayerSession::count_payoffs() {
  const Rules& rules = *rules_;
  const BettingState& betting = state_.betting();
  std::array<uint16_t, kMaxSeats> strength{};
  if (betting.num_active() > 1) {
    std::vector<uint8_t> cards;  // those of the player stand in for hands that were folded
    for (int seat = 0; seat < rules.num_seats; ++seat) {
      const std::vector<uint8_t>& hand = betting.has_folded(seat) ? hole_cards_[seat_] : hole_cards_[seat];
      if (hand.empty())
        refuse("ends hand " + std::to_string(hand_number_) + ": no hole cards of seat " + std::to_string(seat + 1) +
               " at the showdown; " + std::to_string(rules.num_hole_cards) + " are needed");
      cards.insert(cards.end(), hand.begin(), hand.end());
    }
    showdown_strength(rules, cards.data(), state_.board().data(), rules.total_board_cards(), strength.data());
  }
  payoffs_.resize(rules.num_seats);
  payoffs(rules, betting.ending(), strength.data(), payoffs_.data());
  ++num_hands_;
  won_shares_ += payoffs_[seat_];
}

std::string PlayerSession::answer(Action action) const {
  std::string text = line_ + ':';
  append_action(*rules_, action, text);
  return text;
}

std::string AgentSession::reply(std::string_view data) {
  std::string replies;
  session_.hear(data);
  for (;;) {
    switch (session_.next()) {
      case PlayerSession::kNothing: return replies;
      case PlayerSession::kStart:
        random_ = Philox(seed_, kSeatStream + session_.seat(), session_.hand_number(), 0);
        num_watched_ = 0;
        break;
      case PlayerSession::kTurn:
        replies += session_.answer(act());
        replies += "\r\n";
        break;
      case PlayerSession::kOver:
        if (!agent_->has_memory()) break;
        watch();
        agent_->end_hand(session_.state().rules(), session_.state().betting(), session_.seat());
        break;
    }
  }
}

void AgentSession::watch() {
  session_.state().replay(history_);
  if (!agent_->has_memory()) return;
  for (; num_watched_ < history_.size(); ++num_watched_) {
    const auto& [before, action] = history_[num_watched_];
    agent_->watch(session_.state().rules(), before, action);
  }
}

Action AgentSession::act() {
  watch();
  const PublicState& state = session_.state();
  const Situation situation{state.rules(),
                            state.betting(),
                            session_.hole_cards()[session_.seat()].data(),
                            state.board().data(),
                            static_cast<int>(state.board().size()),
                            history_};
  return agent_->act(situation, random_);
}

}  // namespace nashgap
