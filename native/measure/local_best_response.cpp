#include "measure/local_best_response.h"

#include <algorithm>
#include <utility>

#include "arena/match.h"

namespace nashgap {

LocalBestResponse::LocalBestResponse(std::shared_ptr<const Rules> rules, LbrOptions options,
                                     std::vector<RangedOpponent*> opponents,
                                     std::shared_ptr<const PreflopChances> preflop)
    : rules_(std::move(rules)),
      options_(std::move(options)),
      opponents_(std::move(opponents)),
      stand_in_(static_cast<int>(opponents_.size()) == rules_->num_seats ? opponents_.back() : nullptr),
      win_chances_(*rules_, std::move(preflop)),
      num_hands_(rules_->num_private_hands()),
      hands_(*rules_),
      state_(*rules_),
      chances_(num_hands_) {
  for (Range& range : ranges_) {
    range.weights.resize(num_hands_);
    range.winning.resize(num_hands_);
  }
}

// The opponents may hold anything but LBR's own cards.
void LocalBestResponse::sit_down(const int8_t* seating, const uint8_t* hole_cards, const uint8_t* board) {
  for (int seat = 0; seat < rules_->num_seats; ++seat) {
    at_[seat] = seating[seat] == 0 ? stand_in_ : opponents_[seating[seat] - 1];
    if (seating[seat] == 0) seat_ = seat;
  }
  std::copy_n(hole_cards, rules_->num_hole_cards, hole_cards_.begin());
  board_ = board;
  num_board_cards_ = 0;
  chances_board_ = -1;
  state_ = BettingState(*rules_);
  history_.clear();
  for (int seat = 0; seat < rules_->num_seats; ++seat) {
    if (seat == seat_) continue;
    auto& weights = ranges_[seat].weights;
    std::ranges::fill(weights, 0.0);
    for (const int place : hands_.places) weights[place] = 1.0;
  }
  for (int i = 0; i < rules_->num_hole_cards; ++i) remove_card(hole_cards[i]);
}

void LocalBestResponse::remove_card(uint8_t card) {
  for (int seat = 0; seat < rules_->num_seats; ++seat)
    if (seat != seat_)
      for (const int place : hands_.places_with[card]) ranges_[seat].weights[place] = 0.0;
}

void LocalBestResponse::see_board(int num_board_cards) {
  while (num_board_cards_ < num_board_cards) remove_card(board_[num_board_cards_++]);
}

void LocalBestResponse::find_chances() {
  if (chances_board_ == num_board_cards_) return;
  win_chances_.compute(hole_cards_.data(), board_, num_board_cards_, chances_.data());
  chances_board_ = num_board_cards_;
}

Situation LocalBestResponse::situation(const BettingState& state, const uint8_t* hole_cards) const {
  return {*rules_, state, hole_cards, board_, num_board_cards_, history_};
}

void LocalBestResponse::take(Action action) {
  history_.push_back({state_, action});
  state_.act(*rules_, action);
}

bool LocalBestResponse::play(const int8_t* seating, const uint8_t* cards, const DealName& name, LbrHand& hand,
                             std::string* betting) {
  const int num_hole_cards = rules_->num_hole_cards, num_seats = rules_->num_seats;
  const int own = static_cast<int>(std::find(seating, seating + num_seats, 0) - seating);
  sit_down(seating, cards + own * num_hole_cards, cards + num_seats * num_hole_cards);
  std::vector<Philox> random;
  for (int seat = 0; seat < num_seats; ++seat) {
    random.emplace_back(name.seed, kSeatStream + seat, name.deal, name.seating);
    if (at_[seat]) at_[seat]->start_hand({name.seed, name.deal, name.seating, seat});
  }
  hand = {};
  while (!state_.is_over()) {
    const int seat = state_.seat();
    hand.end_round = state_.round();
    see_board(rules_->board_cards_by(state_.round()));
    Action action = kCall;
    if (at_[seat]) {
      ++num_queries_;
      if (!at_[seat]->act(situation(state_, cards + seat * num_hole_cards), random[seat], action)) return false;
      if (seat != seat_ &&
          !at_[seat]->observe(situation(state_, nullptr), action, ranges_[seat].weights.data(), num_hands_))
        return false;
    } else if (!choose(action)) {
      return false;
    }
    if (betting) append_action(*rules_, action, *betting);
    const int round = state_.round();
    take(action);
    if (betting) betting->append(std::max(0, state_.round() - round), '/');
  }
  finish(cards, hand);
  return true;
}

bool LocalBestResponse::decide(const int8_t* seating, const PublicState& state, const uint8_t* hole_cards,
                               Action& action) {
  sit_down(seating, hole_cards, state.board().data());
  for (int seat = 0; seat < rules_->num_seats; ++seat)
    if (at_[seat]) at_[seat]->start_hand({0, 0, 0, seat});
  for (const auto& actions : state.history())
    for (const Action past : actions) {
      see_board(rules_->board_cards_by(state_.round()));
      const int seat = state_.seat();
      if (seat != seat_ &&
          !at_[seat]->observe(situation(state_, nullptr), past, ranges_[seat].weights.data(), num_hands_))
        return false;
      take(past);
    }
  see_board(rules_->board_cards_by(state_.round()));
  return choose(action);
}

bool LocalBestResponse::choose(Action& action) {
  action = kCall;
  if (!(options_.active_rounds >> state_.round() & 1)) return true;
  abstract_actions(*rules_, *options_.bets, state_, considered_);
  if (considered_.size() == 1) {
    action = considered_[0];
    return true;
  }
  find_chances();
  for (int seat = 0; seat < rules_->num_seats; ++seat) {
    if (seat == seat_ || state_.has_folded(seat)) continue;
    Range& range = ranges_[seat];
    sums_[seat] = sum_of(num_hands_, [&](int hand) {
      range.winning[hand] = range.weights[hand] * chances_[hand];
      return RangeSums{range.weights[hand], range.winning[hand]};
    });
    at_[seat]->consider(situation(state_, nullptr),
                        {range.weights.data(), range.winning.data(), num_hands_, sums_[seat]});
  }
  is_answered_ = true;
  // Folding is worth 0, a free check never less.
  double most = 0.0;
  action = state_.legal(*rules_).can_fold ? kFold : kCall;
  for (const Action considered : considered_) {
    if (considered == kFold) continue;
    BettingState after = state_;
    history_.push_back({state_, considered});
    after.act(*rules_, considered);
    const double value = value_after(after);
    history_.pop_back();
    if (value > most + indifference(after)) {
      most = value;
      action = considered;
    }
  }
  return is_answered_;
}

// In chips, beyond folding now: who still has to answer a bet folds or calls, then everybody checks to the end.
double LocalBestResponse::value_after(const BettingState& state) {
  const int seat = state.seat();
  if (state.is_over() || seat == seat_ || state.round() != state_.round() || state.to_call(*rules_) == 0)
    return leaf_value(state);
  ++num_queries_;
  RangeSums folds;
  is_answered_ &= at_[seat]->fold_sums(situation(state, nullptr), folds);
  const RangeSums all = sums_[seat];
  const double share = all.mass > 0.0 ? std::min(folds.mass / all.mass, 1.0) : 0.0;
  double value = 0.0;
  if (share > 0.0 || !is_answered_) {
    sums_[seat] = folds;
    value += share * value_of_answer(state, kFold);
  }
  RangeSums calls = {all.mass - folds.mass, all.winning - folds.winning};
  double call_share = 1.0 - share;
  if (options_.sees_raises && rules_->num_seats == 2 && all.mass > 0.0) {
    is_answered_ &= at_[seat]->raise_sums(situation(state, nullptr), raises_);
    for (const RaiseSums& raise : raises_) {
      calls = {calls.mass - raise.sums.mass, calls.winning - raise.sums.winning};
      call_share -= raise.sums.mass / all.mass;
      sums_[seat] = raise.sums;
      value += raise.sums.mass / all.mass * value_of_raise(state, raise.raise_to);
    }
  }
  if (call_share > 0.0) {
    sums_[seat] = calls;
    value += call_share * value_of_answer(state, kCall);
  }
  sums_[seat] = all;
  return value;
}

// LBR answers by what is better then, folding or calling.
double LocalBestResponse::value_of_raise(const BettingState& state, Action raise_to) {
  BettingState after = state;
  after.act(*rules_, raise_to);
  const double folding = state_.spent(seat_) - after.spent(seat_);
  if (after.seat() == seat_) after.act(*rules_, kCall);
  return std::max(folding, leaf_value(after));
}

double LocalBestResponse::value_of_answer(const BettingState& state, Action answer) {
  BettingState after = state;
  history_.push_back({state, answer});
  after.act(*rules_, answer);
  const double value = value_after(after);
  history_.pop_back();
  return value;
}

// The chance to beat several hands is taken as if they were independent.
double LocalBestResponse::leaf_value(const BettingState& state) const {
  int32_t matched = 0;
  double chance = 1.0;
  for (int seat = 0; seat < rules_->num_seats; ++seat) {
    if (seat == seat_) continue;
    matched = std::max(matched, state.spent(seat));
    if (!state.has_folded(seat) && sums_[seat].mass > 0.0) chance *= sums_[seat].winning / sums_[seat].mass;
  }
  matched = std::min(matched, state.spent(seat_));
  double pot = matched;
  for (int seat = 0; seat < rules_->num_seats; ++seat)
    if (seat != seat_) pot += std::min(state.spent(seat), matched);
  return chance * pot - (matched - state_.spent(seat_));
}

// What LBR has won; the betting is over.
void LocalBestResponse::finish(const uint8_t* cards, LbrHand& hand) {
  const bool is_shown = state_.num_active() > 1;
  if (rules_->num_seats > 2 || !is_shown) {
    std::array<uint16_t, kMaxSeats> strength{};
    if (is_shown) showdown_strength(*rules_, cards, board_, rules_->total_board_cards(), strength.data());
    std::array<int64_t, kMaxSeats> shares;
    payoffs(*rules_, state_.ending(), strength.data(), shares.data());
    hand.chips = hand.dealt_chips = static_cast<double>(shares[seat_]) / kChipShares;
    return;
  }
  see_board(options_.has_all_in_expectation ? std::max(num_board_cards_, options_.num_chosen_cards)
                                            : rules_->total_board_cards());
  find_chances();
  const int other = 1 - seat_;
  const auto& weights = ranges_[other].weights;
  const int32_t matched = std::min(state_.spent(0), state_.spent(1));
  const auto chips = [&](double chance) { return (2.0 * chance - 1.0) * matched; };
  hand.chips = hand.dealt_chips = chips(chances_[rules_->hand_place(cards + other * rules_->num_hole_cards)]);
  if (!options_.has_imaginary_hands) return;
  const RangeSums total = sum_of(num_hands_, [&](int i) { return RangeSums{weights[i], weights[i] * chances_[i]}; });
  if (total.mass > 0.0) hand.chips = chips(total.winning / total.mass);
}

}  // namespace nashgap
