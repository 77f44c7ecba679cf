#include "measure/aivat.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "cards/evaluator.h"

namespace nashgap {

namespace {

constexpr int kPointRunouts = 1000;       // drawn where hands are known: they cost little
constexpr uint64_t kLuckStream = 6 << 8;  // beside those of arena/match.h and measure/table_opponent.cpp

double total_of(const std::vector<double>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

void add(const std::array<double, kMaxSeats>& from, double weight, int num_seats, double* to) {
  for (int seat = 0; seat < num_seats; ++seat) to[seat] += weight * from[seat];
}

}  // namespace

Aivat::Aivat(std::shared_ptr<const ValueTable> values, std::vector<std::shared_ptr<HandPolicies>> policies,
             AivatOptions options)
    : values_(std::move(values)),
      rules_(values_->rules()),
      classes_(values_->classes()),
      policies_(std::move(policies)),
      options_(options),
      board_hands_(rules_),
      deck_(rules_.deck()),
      bits_(rules_.num_private_hands()),
      now_(bits_.size()),
      then_(bits_.size()) {
  for (const int place : classes_.hands().places)
    for (int i = 0; i < rules_.num_hole_cards; ++i) bits_[place] |= 1ULL << classes_.hands().cards[place][i];
  for (auto& range : ranges_) range.resize(bits_.size());
}

bool Aivat::has_policies(const PublicState& end) const {
  bool has_all = true;
  PublicState state(values_->shared_rules());
  int num_board_cards = 0;
  for (const auto& actions : end.history())
    for (const Action action : actions) {
      if (const int missing = state.num_missing_cards(); missing > 0) {
        state = state.deal({board_.begin() + num_board_cards, board_.begin() + num_board_cards + missing});
        num_board_cards += missing;
      }
      if (known_[state.betting().seat()]) has_all &= known_[state.betting().seat()]->knows(state);
      state = state.act(action);
    }
  return has_all;
}

void Aivat::sit_down(const PlayedHand& hand) {
  hand_ = &hand;
  num_averaged_ = 0;
  shown_ = 0;
  has_met_ = false;
  for (int seat = 0; seat < rules_.num_seats; ++seat) {
    known_[seat] = options_.has_decisions ? policies_[hand.agents[seat]].get() : nullptr;
    kinds_[seat] = Seat::kShown;
    if (known_[seat] && options_.has_averages && num_averaged_ < 2) {
      kinds_[seat] = Seat::kAveraged;
      averaged_[num_averaged_++] = seat;
    } else if (hole_cards(seat)[0] == kHiddenCard) {
      kinds_[seat] = Seat::kHidden;
    } else {
      for (int i = 0; i < rules_.num_hole_cards; ++i) shown_ |= 1ULL << hole_cards(seat)[i];
    }
  }
  dead_ = shown_;
  const uint8_t* board = hand.cards + rules_.num_seats * rules_.num_hole_cards;
  std::copy_n(board, rules_.total_board_cards(), board_.begin());
  for (int i = 0; i < num_averaged_; ++i) {
    auto& range = ranges_[averaged_[i]];
    std::ranges::fill(range, 0.0);
    for (const int place : classes_.hands().places) range[place] = bits_[place] & dead_ ? 0.0 : 1.0;
  }
  key_ = BettingKey(hand.arrangement);
  random_ = Philox(hand.seed, kLuckStream, hand.deal, hand.seating);
  num_board_cards_ = 0;
  classes_.all(board_.data(), 0, now_.data());
}

// The ranges of the averaged seats lose the hands that have a card of the board.
void Aivat::see_board(int num_board_cards) {
  for (; num_board_cards_ < num_board_cards; ++num_board_cards_) {
    const uint8_t card = board_[num_board_cards_];
    dead_ |= 1ULL << card;
    for (int i = 0; i < num_averaged_; ++i)
      for (const int place : classes_.hands().places_with[card]) ranges_[averaged_[i]][place] = 0.0;
  }
  classes_.all(board_.data(), num_board_cards_, now_.data());
}

// The weight of a hand is its own times that of all hands that the other averaged seat may hold beside it.
void Aivat::weigh(const Weights& weights, uint64_t blocked, Joint& joint) const {
  joint.total = 1.0;
  for (int i = 0; i < num_averaged_; ++i) {
    joint.weights[i].assign(weights[i], weights[i] + bits_.size());
    if (blocked == 0) continue;
    for (const int place : classes_.hands().places)
      if (bits_[place] & blocked) joint.weights[i][place] = 0.0;
  }
  if (num_averaged_ == 1) joint.total = total_of(joint.weights[0]);
  if (num_averaged_ < 2) return;
  const auto& cards = classes_.hands().cards;
  const bool has_two = rules_.num_hole_cards == 2;
  std::array<std::array<double, kNumCards>, 2> with{};
  std::array<double, 2> all{};
  for (int i = 0; i < 2; ++i)
    for (const int place : classes_.hands().places) {
      const double weight = joint.weights[i][place];
      if (weight == 0.0) continue;
      all[i] += weight;
      with[i][cards[place][0]] += weight;
      if (has_two) with[i][cards[place][1]] += weight;
    }
  joint.total = 0.0;
  for (const int place : classes_.hands().places) {
    std::array<double, 2> beside{};
    for (int i = 0; i < 2; ++i) {
      beside[i] = all[i] - with[i][cards[place][0]];
      if (has_two) beside[i] += joint.weights[i][place] - with[i][cards[place][1]];
    }
    joint.weights[0][place] *= std::max(beside[1], 0.0);
    joint.weights[1][place] *= std::max(beside[0], 0.0);
    joint.total += joint.weights[0][place];
  }
}

void Aivat::spread(int seat, const double* weights, const uint8_t* classes, ClassMass& mass) const {
  if (kinds_[seat] == Seat::kHidden) {
    mass = classes_.shares();
    return;
  }
  mass.fill(0.0);
  if (kinds_[seat] == Seat::kShown) {
    mass[classes[place_of(seat)]] = 1.0;
    return;
  }
  // Four sums side by side, so that an addition need not wait for the one before.
  std::array<std::array<double, 4>, 256> lanes{};
  double total = 0.0;
  for (size_t hand = 0; hand < bits_.size(); ++hand) lanes[classes[hand]][hand & 3] += weights[hand];
  std::array<double, kNumHandClasses> sums;
  for (int number = 0; number < kNumHandClasses; ++number)
    sums[number] = (lanes[number][0] + lanes[number][1]) + (lanes[number][2] + lanes[number][3]);
  for (int number = 0; number < kNumHandClasses; ++number) total += sums[number];
  if (total <= 0.0) {
    mass = classes_.shares();
    return;
  }
  for (int number = 0; number < kNumHandClasses; ++number) mass[number] = sums[number] / total;
}

void Aivat::spread_all(const uint8_t* classes) {
  for (int seat = 0; seat < rules_.num_seats; ++seat) spread(seat, ranges_[seat].data(), classes, mass_[seat]);
}

// By the cells of node_.
void Aivat::node_chips(const BettingState& state, const ClassMass* mass, Chips& chips) const {
  std::array<double, kMaxSeats> shares;
  node_.shares(mass, state.ending().folded, shares.data());
  const auto pot = static_cast<double>(state.pot(rules_));
  for (int seat = 0; seat < rules_.num_seats; ++seat) chips[seat] = pot * shares[seat] - state.spent(seat);
}

// The cards of shown seats are dealt first: the mean is over all that they could be.
void Aivat::take_off_deal(double* corrected) {
  const BettingState start(rules_);
  values_->find(key_, start, 0, node_);
  const auto& places = classes_.hands().places;
  for (int seat = 0; seat < rules_.num_seats; ++seat) mass_[seat] = classes_.shares();
  Chips base, chips;
  node_chips(start, mass_.data(), base);
  // Every seat for itself, so that the mean over all deals is that over the hands of each.
  for (int seat = 0; seat < rules_.num_seats; ++seat) {
    if (kinds_[seat] != Seat::kShown) continue;
    std::array<Chips, kNumHandClasses> by_class;
    for (int number = 0; number < kNumHandClasses; ++number) {
      mass_[seat].fill(0.0);
      mass_[seat][number] = 1.0;
      node_chips(start, mass_.data(), by_class[number]);
    }
    mass_[seat] = classes_.shares();
    chips = by_class[now_[place_of(seat)]];
    add(chips, -1.0, rules_.num_seats, corrected);
    for (const int place : places)
      add(by_class[now_[place]], 1.0 / static_cast<double>(places.size()), rules_.num_seats, corrected);
  }
}

// Whether a showdown of these seats on a whole board is known without the cards of averaged ones.
bool Aivat::can_show_down(const BettingState& end) const {
  for (int seat = 0; seat < rules_.num_seats; ++seat)
    if (!end.has_folded(seat) && kinds_[seat] == Seat::kHidden) return false;
  return end.num_active() == 2;
}

void Aivat::value_after(const BettingKey& key, const BettingState& after, int seat, const double* weights,
                        Chips& chips) {
  if (after.num_active() == 1) {
    chips.fill(0.0);
    add_payoffs(after, std::array<uint16_t, kMaxSeats>{}.data(), 1.0, chips);
    return;
  }
  if (after.is_over() && num_board_cards_ == rules_.total_board_cards() && can_show_down(after)) {
    Weights by_number = ranges();
    for (int i = 0; i < num_averaged_; ++i)
      if (averaged_[i] == seat) by_number[i] = weights;
    show_down(after, board_.data(), by_number, chips);
    return;
  }
  values_->find(key, after, num_board_cards_, node_);
  std::array<ClassMass, kMaxSeats> mass = mass_;
  if (kinds_[seat] == Seat::kAveraged) spread(seat, weights, now_.data(), mass[seat]);
  node_chips(after, mass.data(), chips);
}

bool Aivat::take_off_action(const PublicState& before, Action action, double* corrected) {
  const BettingState& state = before.betting();
  const int seat = state.seat();
  if (known_[seat] == nullptr) return true;
  const SeatPolicy& policy = known_[seat]->at(before);
  const auto num_moves = policy.moves.size();
  const bool is_averaged = kinds_[seat] == Seat::kAveraged;
  if (hole_cards(seat)[0] != kHiddenCard) {
    const double* row = policy.row(place_of(seat));
    double chance = 0.0;
    for (size_t m = 0; m < num_moves; ++m) chance += policy.moves[m].has(action) ? row[m] : 0.0;
    if (chance == 0.0) return false;
  }
  std::vector<double> chances(num_moves);
  auto& range = ranges_[seat];
  if (is_averaged) {
    const int number = averaged_[0] == seat ? 0 : 1;
    weigh(ranges(), 0, joint_);
    for (size_t hand = 0; hand < range.size(); ++hand) {
      const double weight = joint_.weights[number][hand];
      if (weight == 0.0) continue;
      const double* row = policy.row(static_cast<int>(hand));
      for (size_t m = 0; m < num_moves; ++m) chances[m] += weight * row[m];
    }
    for (double& chance : chances) chance /= joint_.total;
  } else {
    std::copy_n(policy.row(place_of(seat)), num_moves, chances.begin());
  }
  double taken = 0.0;
  for (size_t m = 0; m < num_moves; ++m)
    if (policy.moves[m].has(action)) taken += chances[m] * policy.moves[m].chance();
  if (!(taken > 0.0)) return false;
  spread_all(now_.data());
  after_.resize(std::max(after_.size(), num_moves));
  for (size_t m = 0; m < num_moves; ++m) {
    if (chances[m] == 0.0) continue;
    if (is_averaged) {
      after_[m].resize(range.size());
      for (size_t hand = 0; hand < range.size(); ++hand)
        after_[m][hand] = range[hand] == 0.0 ? 0.0 : range[hand] * policy.row(static_cast<int>(hand))[m];
    }
    const SeatPolicy::Move& move = policy.moves[m];
    BettingKey key = key_;
    BettingState after = state;
    key.act(rules_, state, move.middle());
    after.act(rules_, move.middle());
    Chips chips;
    value_after(key, after, seat, after_[m].data(), chips);
    const double was_it = move.has(action) ? chances[m] * move.chance() / taken : 0.0;
    add(chips, chances[m] - was_it, rules_.num_seats, corrected);
  }
  if (is_averaged)
    for (size_t hand = 0; hand < range.size(); ++hand) {
      if (range[hand] == 0.0) continue;
      const double* row = policy.row(static_cast<int>(hand));
      double chance = 0.0;
      for (size_t m = 0; m < num_moves; ++m)
        if (policy.moves[m].has(action)) chance += row[m] * policy.moves[m].chance();
      range[hand] *= chance;
    }
  return true;
}

// The chance of each card to come next, by joint_.
void Aivat::weigh_cards(double* chances) const {
  double total = 0.0;
  for (const uint8_t card : deck_) {
    chances[card] = 0.0;
    if (dead_ >> card & 1) continue;
    double with = 0.0;
    for (int i = 0; i < num_averaged_; ++i)
      for (const int place : classes_.hands().places_with[card]) with += joint_.weights[i][place];
    chances[card] = std::max(joint_.total - with, 0.0);
    total += chances[card];
  }
  for (const uint8_t card : deck_) chances[card] /= total;
}

void Aivat::prepare_draws() {
  for (int i = 0; i < num_averaged_; ++i) {
    // The second is drawn beside the first: by its own weights alone.
    const auto& weights = i == 0 ? joint_.weights[0] : ranges_[averaged_[1]];
    cumulative_[i].resize(weights.size());
    std::partial_sum(weights.begin(), weights.end(), cumulative_[i].begin());
  }
}

int Aivat::draw_place(const std::vector<double>& cumulative) {
  const double drawn = random_.uniform() * cumulative.back();
  const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), drawn);
  return static_cast<int>(std::min(found, cumulative.end() - 1) - cumulative.begin());
}

// The cards of hands that the averaged seats may hold, drawn by their weights.
uint64_t Aivat::draw_hands() {
  if (num_averaged_ == 0) return 0;
  const uint64_t first = bits_[draw_place(cumulative_[0])];
  if (num_averaged_ == 1) return first;
  constexpr int kMaxTries = 16;
  for (int i = 0; i < kMaxTries; ++i) {
    const uint64_t second = bits_[draw_place(cumulative_[1])];
    if (!(first & second)) return first | second;
  }
  // Nearly all hands of the other share a card with this one.
  std::vector<double> beside = ranges_[averaged_[1]];
  double sum = 0.0;
  for (size_t hand = 0; hand < beside.size(); ++hand) {
    sum += bits_[hand] & first ? 0.0 : beside[hand];
    beside[hand] = sum;
  }
  return first | bits_[draw_place(beside)];
}

template <typename Tell>
void Aivat::each_board(int num_board_cards, int num_drawn, Tell tell) {
  weigh(ranges(), 0, joint_);
  auto board = board_;
  if (num_board_cards == num_board_cards_ + 1) {
    std::array<double, kNumCards> chances;
    weigh_cards(chances.data());
    for (const uint8_t card : deck_) {
      if (chances[card] == 0.0) continue;
      board[num_board_cards_] = card;
      tell(board.data(), chances[card]);
    }
    return;
  }
  prepare_draws();
  for (int drawn = 0; drawn < num_drawn; ++drawn) {
    uint64_t taken = dead_ | draw_hands();
    for (int i = num_board_cards_; i < num_board_cards; ++i) {
      uint8_t card;
      do {
        card = deck_[random_.below(deck_.size())];
      } while (taken >> card & 1);
      taken |= 1ULL << card;
      board[i] = card;
    }
    tell(board.data(), 1.0 / num_drawn);
  }
}

// Board cards are about to be dealt, up to so many.
void Aivat::take_off_cards(const BettingState& state, int num_board_cards, double* corrected) {
  values_->find(key_, state, num_board_cards, node_);
  const auto count = [&](const uint8_t* board, double weight) {
    Chips chips;
    classes_.all(board, num_board_cards, then_.data());
    spread_all(then_.data());
    node_chips(state, mass_.data(), chips);
    add(chips, weight, rules_.num_seats, corrected);
  };
  count(board_.data(), -1.0);
  each_board(num_board_cards, options_.num_boards, count);
}

uint16_t Aivat::strength(const uint8_t* hole_cards, const uint8_t* board) const {
  std::array<uint8_t, kMaxHandCards> cards{};
  std::copy_n(hole_cards, rules_.num_hole_cards, cards.begin());
  std::copy_n(board, rules_.total_board_cards(), cards.begin() + rules_.num_hole_cards);
  return hand_rank(cards.data(), rules_.num_hole_cards + rules_.total_board_cards());
}

void Aivat::add_payoffs(const BettingState& end, const uint16_t* strength, double weight, Chips& chips) const {
  std::array<int64_t, kMaxSeats> won;
  payoffs(rules_, end.ending(), strength, won.data());
  for (int seat = 0; seat < rules_.num_seats; ++seat)
    chips[seat] += weight * static_cast<double>(won[seat]) / kChipShares;
}

// Both seats are averaged: sums over all pairs of hands that can meet.
void Aivat::meet(const uint8_t* board, const Weights& weights) {
  const int num_cards = rules_.total_board_cards();
  if (!has_met_ || !std::equal(board, board + num_cards, met_board_.begin())) {
    board_hands_.deal(board, shown_);
    std::copy_n(board, num_cards, met_board_.begin());
    has_met_ = true;
  }
  const int size = board_hands_.size();
  for (int i = 0; i < 2; ++i) {
    reach_[i].resize(size);
    for (int hand = 0; hand < size; ++hand) reach_[i][hand] = weights[i][board_hands_.place(hand)];
  }
  met_.resize(size);
  const auto sum = [&] {
    double total = 0.0;
    for (int hand = 0; hand < size; ++hand) total += reach_[0][hand] * met_[hand];
    return total;
  };
  board_hands_.showdown_values(reach_[1].data(), 1.0, 0.0, 0.0, met_.data());
  won_ = sum();
  board_hands_.showdown_values(reach_[1].data(), 0.0, 1.0, 0.0, met_.data());
  tied_ = sum();
  board_hands_.fold_values(reach_[1].data(), 1.0, met_.data());
  all_ = sum();
}

// One is averaged, or none.
void Aivat::compare(const std::array<int, 2>& active, const uint8_t* board, const Weights& weights) {
  const int number = kinds_[active[0]] == Seat::kAveraged ? 0 : kinds_[active[1]] == Seat::kAveraged ? 1 : -1;
  if (number < 0) {
    const uint16_t first = strength(hole_cards(active[0]), board), second = strength(hole_cards(active[1]), board);
    won_ = first > second;
    tied_ = first == second;
    all_ = 1.0;
    return;
  }
  uint64_t blocked = 0;
  for (int i = 0; i < rules_.total_board_cards(); ++i) blocked |= 1ULL << board[i];
  weigh(weights, blocked, joint_at_end_);
  const auto& own = joint_at_end_.weights[averaged_[0] == active[number] ? 0 : 1];
  const uint16_t other = strength(hole_cards(active[1 - number]), board);
  double better = 0.0;
  all_ = tied_ = 0.0;
  for (const int place : classes_.hands().places) {
    if (own[place] == 0.0) continue;
    const uint16_t rank = strength(classes_.hands().cards[place].data(), board);
    all_ += own[place];
    if (rank > other) better += own[place];
    if (rank == other) tied_ += own[place];
  }
  won_ = number == 0 ? better : all_ - better - tied_;
}

// Two seats are left, and the board is whole.
void Aivat::show_down(const BettingState& end, const uint8_t* board, const Weights& weights, Chips& chips) {
  std::array<int, 2> active{};
  for (int seat = 0, found = 0; seat < rules_.num_seats; ++seat)
    if (!end.has_folded(seat)) active[found++] = seat;
  if (kinds_[active[0]] == Seat::kAveraged && kinds_[active[1]] == Seat::kAveraged)
    meet(board, weights);
  else
    compare(active, board, weights);
  chips.fill(0.0);
  const auto count = [&](uint16_t first, uint16_t second, double weight) {
    std::array<uint16_t, kMaxSeats> strengths{};
    strengths[active[0]] = first;
    strengths[active[1]] = second;
    add_payoffs(end, strengths.data(), weight / all_, chips);
  };
  count(2, 1, won_);
  count(1, 1, tied_);
  count(1, 2, all_ - won_ - tied_);
}

// More than two are left: the mean is over the hands of one averaged seat beside what the others hold.
void Aivat::show_down_many(const BettingState& end, Chips& chips) {
  int averaged = kNobody;
  uint64_t taken = dead_;
  std::array<uint16_t, kMaxSeats> strengths{};
  for (int seat = 0; seat < rules_.num_seats; ++seat) {
    if (averaged == kNobody && kinds_[seat] == Seat::kAveraged && !end.has_folded(seat)) {
      averaged = seat;
      continue;
    }
    for (int i = 0; i < rules_.num_hole_cards; ++i) taken |= 1ULL << hole_cards(seat)[i];
    strengths[seat] = strength(hole_cards(seat), board_.data());
  }
  chips.fill(0.0);
  if (averaged == kNobody) return add_payoffs(end, strengths.data(), 1.0, chips);
  std::map<uint16_t, double> weights;  // by strength
  double total = 0.0;
  for (const int place : classes_.hands().places) {
    const double weight = bits_[place] & taken ? 0.0 : ranges_[averaged][place];
    if (weight == 0.0) continue;
    weights[strength(classes_.hands().cards[place].data(), board_.data())] += weight;
    total += weight;
  }
  for (const auto& [rank, weight] : weights) {
    strengths[averaged] = rank;
    add_payoffs(end, strengths.data(), weight / total, chips);
  }
}

void Aivat::count_ending(const BettingState& end, double* corrected) {
  const int total = rules_.total_board_cards();
  Chips chips;
  if (end.num_active() == 1 || !(options_.has_averages || options_.has_chance)) {
    std::copy_n(hand_->payoffs, rules_.num_seats, chips.begin());
  } else if (!can_show_down(end)) {
    for (int i = num_board_cards_; i < total; ++i) dead_ |= 1ULL << board_[i];
    show_down_many(end, chips);
  } else if (num_board_cards_ == total || !options_.has_chance) {
    show_down(end, board_.data(), ranges(), chips);
  } else {
    each_board(total, num_averaged_ == 0 ? kPointRunouts : options_.num_runouts,
               [&](const uint8_t* board, double chance) {
                 Chips on_board;
                 show_down(end, board, ranges(), on_board);
                 add(on_board, chance, rules_.num_seats, corrected);
               });
    return;
  }
  add(chips, 1.0, rules_.num_seats, corrected);
}

Aivat::Outcome Aivat::correct(const PlayedHand& hand, double* corrected) {
  sit_down(hand);
  if (!has_policies(hand.state)) return Outcome::kMissing;
  std::fill_n(corrected, rules_.num_seats, 0.0);
  if (options_.has_chance || options_.has_decisions) take_off_deal(corrected);
  PublicState state(values_->shared_rules());
  int number = 0;
  for (const auto& actions : hand.state.history())
    for (const Action action : actions) {
      if (const int missing = state.num_missing_cards(); missing > 0) {
        if (options_.has_chance) take_off_cards(state.betting(), num_board_cards_ + missing, corrected);
        state = state.deal({board_.begin() + num_board_cards_, board_.begin() + num_board_cards_ + missing});
        see_board(num_board_cards_ + missing);
      }
      if (!take_off_action(state, action, corrected)) {
        impossible_action_ = number;
        impossible_seat_ = state.betting().seat();
        return Outcome::kImpossible;
      }
      key_.act(rules_, state.betting(), action);
      state = state.act(action);
      ++number;
    }
  count_ending(state.betting(), corrected);
  return Outcome::kDone;
}

}  // namespace nashgap
