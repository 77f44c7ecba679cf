#include "arena/match.h"

#include <algorithm>
#include <array>
#include <utility>

#include "poker/state.h"

namespace nashgap {

void deal_cards(const Rules& rules, const std::vector<uint8_t>& deck, uint64_t seed, uint64_t deal, uint8_t* cards) {
  Philox random(seed, kCardStream, deal, 0);
  std::vector<uint8_t> rest = deck;
  const int num_cards = rules.num_seats * rules.num_hole_cards + rules.total_board_cards();
  for (int dealt = 0; dealt < num_cards; ++dealt) {
    std::swap(rest[dealt], rest[dealt + random.below(rest.size() - dealt)]);
    cards[dealt] = rest[dealt];
  }
}

void deal_cards_beside(const Rules& rules, const std::vector<uint8_t>& deck, const Boards& boards, uint64_t seed,
                       uint64_t deal, uint8_t* cards) {
  Philox random(seed, kCardStream, deal, 0);
  const std::vector<uint8_t>& board = boards[random.below(boards.size())];
  std::vector<uint8_t> rest;
  for (const uint8_t card : deck)
    if (std::find(board.begin(), board.end(), card) == board.end()) rest.push_back(card);
  const size_t num_hole = static_cast<size_t>(rules.num_seats) * rules.num_hole_cards;
  const size_t num_dealt = num_hole + rules.total_board_cards() - board.size();
  for (size_t dealt = 0; dealt < num_dealt; ++dealt) {
    std::swap(rest[dealt], rest[dealt + random.below(rest.size() - dealt)]);
    cards[dealt < num_hole ? dealt : dealt + board.size()] = rest[dealt];
  }
  std::copy(board.begin(), board.end(), cards + num_hole);
}

void HandCounter::note(const BettingState& state, Action action) {
  constexpr int kMaxSequenceActions = 31;
  const int kind = action == kFold ? 0 : action != kCall ? 3 : state.to_call(rules_) > 0 ? 2 : 1;
  auto& count = counts_[state.seat()];
  if (state.round() > 0) {
    ++count[kLaterFolds + kind];
    return;
  }
  ++count[kPreflopFolds + kind];
  if (kind >= 2) count[kVoluntary] = 1;
  if (kind == 3) count[kPreflopRaise] = 1;
  if (is_sequence_open_ && num_sequence_actions_++ < kMaxSequenceActions)
    sequence_ = sequence_ << 2 | (kind == 0 ? 1 : kind == 3 ? 3 : 2);
  is_sequence_open_ &= kind != 0;
}

bool HandCounter::is_heads_up() const {
  int num_folds = 0;
  for (int seat = 0; seat < rules_.num_seats; ++seat) num_folds += counts_[seat][kPreflopFolds];
  return num_folds == rules_.num_seats - 2;
}

void HandCounter::finish(const BettingState& state, const int64_t* payoff, int64_t* const* counts) const {
  for (int seat = 0; seat < rules_.num_seats; ++seat) {
    for (int count = 0; count < kNumCounts; ++count) counts[seat][count] += counts_[seat][count];
    const bool shows = !state.has_folded(seat) && state.num_active() > 1;
    ++counts[seat][kHands];
    counts[seat][kShowdowns] += shows;
    counts[seat][kShowdownsWon] += shows && payoff[seat] > 0;
  }
}

namespace {

// The cards of deals in a row, and what they are worth at showdown.
class Deals {
 public:
  Deals(const Rules& rules, uint64_t seed, uint64_t first, int64_t size)
      : num_seats_(rules.num_seats),
        num_private_(rules.num_seats * rules.num_hole_cards),
        num_cards_(num_private_ + rules.total_board_cards()),
        cards_(size * num_cards_),
        strength_(size * num_seats_) {
    const std::vector<uint8_t> deck = rules.deck();
    for (int64_t deal = 0; deal < size; ++deal) {
      uint8_t* dealt = cards_.data() + deal * num_cards_;
      deal_cards(rules, deck, seed, first + deal, dealt);
      showdown_strength(rules, dealt, board(deal), rules.total_board_cards(), strength_.data() + deal * num_seats_);
    }
  }

  const uint8_t* hole_cards(int64_t deal) const { return cards_.data() + deal * num_cards_; }  // seat by seat
  const uint8_t* board(int64_t deal) const { return hole_cards(deal) + num_private_; }
  const uint16_t* strength(int64_t deal) const { return strength_.data() + deal * num_seats_; }  // [N]

 private:
  int num_seats_, num_private_, num_cards_;  // cards of all seats, cards with the board
  std::vector<uint8_t> cards_;
  std::vector<uint16_t> strength_;
};

// One hand in one seating.
struct Hand {
  const Rules& rules;
  const uint8_t* hole_cards;
  const uint8_t* board;
  BucketMemo& buckets;

  // players, random: [N] by seat. history: memory to use. betting: or null. The state at the end.
  BettingState play(Agent* const* players, Philox* random, std::vector<PastAction>& history, HandCounter& counter,
                    std::string* betting) const {
    BettingState state(rules);
    history.clear();
    const bool is_watched = has_memory(players);
    int round = 0;
    while (!state.is_over()) {
      const int seat = state.seat();
      const Situation situation{rules,
                                state,
                                hole_cards + seat * rules.num_hole_cards,
                                board,
                                rules.board_cards_by(state.round()),
                                history,
                                {buckets, seat, state.round()}};
      const Action action = players[seat]->act(situation, random[seat]);
      if (is_watched)
        for (int watcher = 0; watcher < rules.num_seats; ++watcher) players[watcher]->watch(rules, state, action);
      counter.note(state, action);
      if (betting) append_action(rules, action, *betting);
      history.push_back({state, action});
      state.act(rules, action);
      if (betting)
        for (; round < state.round(); ++round) *betting += '/';
    }
    if (is_watched)
      for (int seat = 0; seat < rules.num_seats; ++seat) players[seat]->end_hand(rules, state, seat);
    return state;
  }

 private:
  bool has_memory(Agent* const* players) const {
    for (int seat = 0; seat < rules.num_seats; ++seat)
      if (players[seat]->has_memory()) return true;
    return false;
  }
};

}  // namespace

void play_matches(const Rules& rules, const std::vector<const Agent*>& agents, const MatchTask& task,
                  MatchTally& tally) {
  const int num_seats = rules.num_seats;
  const int64_t num_hands = task.hands_per_match;
  const int64_t num_deals = task.num_matches * num_hands;
  const uint64_t first_deal = task.first_match * num_hands;
  const Deals deals(rules, task.seed, first_deal, num_deals);
  std::vector<std::unique_ptr<Agent>> players(num_seats);
  for (int agent = 0; agent < num_seats; ++agent) players[agent] = agents[agent]->fresh();
  std::vector<Philox> random;  // of each seat
  std::vector<PastAction> history;
  BucketMemo buckets(rules);
  int64_t hand_number = 0;

  for (int64_t match = 0; match < task.num_matches; ++match) {
    int64_t* match_payoffs = tally.match_payoffs + match * num_seats;
    const int8_t* seatings = task.seatings + (task.has_seatings_per_match ? match * task.num_seatings * num_seats : 0);
    for (int64_t seating = 0; seating < task.num_seatings; ++seating) {
      for (int agent = 0; agent < num_seats; ++agent)
        if (players[agent]->has_memory()) players[agent] = agents[agent]->fresh();
      for (int64_t hand = 0; hand < num_hands; ++hand, ++hand_number) {
        const int64_t deal = match * num_hands + hand;
        // Where a match is one hand, the seatings of a deal follow each other.
        if (num_hands > 1 || seating == 0) buckets.start_deal(deals.hole_cards(deal), deals.board(deal));
        if (deal + 1 < num_deals && (num_hands > 1 || seating + 1 == task.num_seatings))
          buckets.prefetch(deals.hole_cards(deal + 1), deals.board(deal + 1));
        std::array<int, kMaxSeats> agent_at{};
        std::array<Agent*, kMaxSeats> player_at{};
        std::array<int64_t*, kMaxSeats> counts_of{};
        std::array<int64_t, kMaxSeats> payoff{};
        random.clear();
        for (int seat = 0; seat < num_seats; ++seat) {
          const int agent = agent_at[seat] = seatings[seating * num_seats + (seat + hand) % num_seats];
          player_at[seat] = players[agent].get();
          counts_of[seat] = tally.counts + agent * kNumCounts;
          random.emplace_back(task.seed, kSeatStream + seat, first_deal + deal, seating);
        }
        std::string* betting = tally.betting ? &tally.betting->emplace_back() : nullptr;
        HandCounter counter(rules);
        const Hand table{rules, deals.hole_cards(deal), deals.board(deal), buckets};
        const BettingState end = table.play(player_at.data(), random.data(), history, counter, betting);
        payoffs(rules, end.ending(), deals.strength(deal), payoff.data());
        counter.finish(end, payoff.data(), counts_of.data());
        auto& [num_hands_so, num_heads_up] = tally.sequences[counter.sequence()];
        ++num_hands_so;
        num_heads_up += counter.is_heads_up();
        for (int seat = 0; seat < num_seats; ++seat) {
          const double chips = static_cast<double>(payoff[seat]) / kChipShares;
          match_payoffs[agent_at[seat]] += payoff[seat];
          tally.hand_squares[agent_at[seat]] += chips * chips;
          if (tally.hand_payoffs) tally.hand_payoffs[hand_number * num_seats + seat] = payoff[seat];
        }
      }
    }
  }
}

}  // namespace nashgap
