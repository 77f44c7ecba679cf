#include "search/poker_world.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace nashgap {

namespace {

constexpr size_t kNumKnownChances = 127;  // of a round: as many games may be thought about side by side

void require_answer(bool is_there) {
  if (!is_there) throw MissingAnswer();
}

}  // namespace

PokerWorld::PokerWorld(std::shared_ptr<const AbstractGame> game, int seat, std::shared_ptr<RangedOpponent> opponent,
                       std::shared_ptr<const PreflopChances> preflop, const Options& options)
    : game_(std::move(game)),
      rules_(game_->rules()),
      seat_(seat),
      opponent_(std::move(opponent)),
      options_(options),
      hands_(rules_),
      deck_(rules_.deck()),
      num_hole_cards_(rules_.num_hole_cards),
      num_cards_(2 * num_hole_cards_ + rules_.total_board_cards()),
      win_chances_(rules_, std::move(preflop)) {
  first_infoset_.push_back(0);
  for (const AbstractGame::Node& node : game_->nodes()) {
    const bool is_own = node.seat == seat_;
    first_infoset_.push_back(first_infoset_.back() + (is_own ? game_->num_buckets(node) : 0));
    if (is_own) most_actions_ = std::max<int>(most_actions_, node.num_actions);
  }
  find_bounds();
}

// All hands but those that share a card with the responder's are alike.
PokerWorld::Episode PokerWorld::sit_down(const Cards& cards) const {
  BettingWalk walk({game_.get()}, Translation::kHard);
  const std::vector<double> nothing(hands_.cards.size());
  Episode episode{{.cards = cards, .betting = BettingState(rules_), .walk = std::move(walk), .belief = {nothing}},
                  nothing};
  Belief& belief = episode.real.belief;
  for (const int place : hands_.places) belief.weights[place] = 1.0;
  for (int i = 0; i < num_hole_cards_; ++i) remove_card(cards[i], belief);
  return episode;
}

PokerWorld::Episode PokerWorld::begin(Philox& random) {
  Cards cards{};
  deal_rest(random, 0, 0, cards);
  Episode episode = sit_down(cards);
  opponent_->start_hand({random.next(), 0, 0, 1 - seat_});
  move_on(episode.real, random, true);
  add_up(episode);
  return episode;
}

PokerWorld::Episode PokerWorld::episode_at(const PublicState& state, const uint8_t* hole_cards) {
  Cards cards{};
  std::copy_n(hole_cards, num_hole_cards_, cards.begin());
  std::ranges::copy(state.board(), cards.begin() + 2 * num_hole_cards_);
  Episode episode = sit_down(cards);
  History& history = episode.real;
  opponent_->start_hand({0, 0, 0, 1 - seat_});
  for (const auto& actions : state.history())
    for (const Action action : actions) {
      see_board(history);
      if (history.betting.seat() != seat_) watch(history, action);
      take(history, action);
    }
  see_board(history);
  add_up(episode);
  find_place(history);
  return episode;
}

void PokerWorld::draw(const Episode& episode, Philox& random, History& history) const {
  const History& real = episode.real;
  const double* first = episode.sums.data();
  const auto hand = std::upper_bound(first, first + episode.sums.size() - 1, random.uniform() * episode.sums.back());
  history.cards = real.cards;
  std::copy_n(hands_.cards[hand - first].begin(), num_hole_cards_, history.cards.begin() + num_hole_cards_);
  uint64_t seen = 0;
  const int num_seen = 2 * num_hole_cards_ + real.belief.num_board_cards;
  for (int i = 0; i < num_seen; ++i) seen |= 1ULL << history.cards[i];
  deal_rest(random, seen, num_seen, history.cards);
  history.betting = real.betting;
  history.past = real.past;
  history.walk.stand_at(real.walk);
  history.buckets = real.buckets;
  history.num_known_rounds = real.betting.round() + 1;
  history.node = real.node;
  history.place = real.place;
  history.actions = real.actions;
  if (sees_beliefs()) history.belief = real.belief;
}

void PokerWorld::act(Episode& episode, int action, Philox& random) {
  take(episode.real, episode.real.actions[action]);
  move_on(episode.real, random, true);
  add_up(episode);
}

void PokerWorld::act(History& history, int action, Philox& random) {
  take(history, history.actions[action]);
  move_on(history, random, sees_beliefs());
}

double PokerWorld::payoff(const History& history) {
  const BettingState& betting = history.betting;
  if (betting.has_folded(seat_)) return -betting.spent(seat_) / options_.unit;
  if (betting.has_folded(1 - seat_)) return betting.spent(1 - seat_) / options_.unit;
  const double matched = std::min(betting.spent(0), betting.spent(1)) / options_.unit;
  if (sees_beliefs() && options_.has_exact_beliefs) return (2.0 * chance_to_win(history) - 1.0) * matched;
  std::array<uint16_t, kMaxSeats> strength;  // the responder's first
  showdown_strength(rules_, history.cards.data(), history.cards.data() + 2 * num_hole_cards_,
                    rules_.total_board_cards(), strength.data());
  return ((strength[0] > strength[1]) - (strength[0] < strength[1])) * matched;
}

double PokerWorld::chance_to_win(const History& history) {
  const std::vector<double>& chances = chances_of(history);
  const std::vector<double>& weights = history.belief.weights;
  const RangeSums sums = sum_of(static_cast<int>(weights.size()),
                                [&](int hand) { return RangeSums{weights[hand], weights[hand] * chances[hand]}; });
  return sums.mass > 0.0 ? sums.winning / sums.mass : 0.5;
}

const std::vector<double>& PokerWorld::chances_of(const History& history) {
  const int num_board_cards = history.belief.num_board_cards;
  Cards cards{};
  std::copy_n(history.cards.begin(), num_hole_cards_, cards.begin());
  const auto board = history.cards.begin() + 2 * num_hole_cards_;
  std::copy_n(board, num_board_cards, cards.begin() + num_hole_cards_);
  size_t number = 0;
  for (int i = 0; i < num_hole_cards_ + num_board_cards; ++i) number = number * 53 + cards[i];
  auto& round = known_chances_[history.betting.round()];
  round.resize(kNumKnownChances);
  KnownChances& known = round[number % kNumKnownChances];
  if (known.num_board_cards != num_board_cards || known.cards != cards) {
    known.chances.resize(hands_.cards.size());
    win_chances_.compute(cards.data(), &*board, num_board_cards, known.chances.data());
    known.cards = cards;
    known.num_board_cards = num_board_cards;
  }
  return known.chances;
}

void PokerWorld::move_on(History& history, Philox& random, bool watches) {
  history.place = {};
  while (!history.betting.is_over()) {
    if (watches) see_board(history);
    if (history.betting.seat() == seat_) {
      if (find_place(history)) break;
      take(history, kCall);
      continue;
    }
    Action action = kCall;
    require_answer(opponent_->act(situation(history, history.cards.data() + num_hole_cards_), random, action));
    if (watches) watch(history, action);
    take(history, action);
  }
}

// The opponent is about to take the action.
void PokerWorld::watch(History& history, Action action) {
  require_answer(opponent_->observe(situation(history, nullptr), action, history.belief.weights.data(),
                                    static_cast<int>(history.belief.weights.size())));
}

void PokerWorld::see_board(History& history) const {
  Belief& belief = history.belief;
  const int num_board_cards = rules_.board_cards_by(history.betting.round());
  while (belief.num_board_cards < num_board_cards)
    remove_card(history.cards[2 * num_hole_cards_ + belief.num_board_cards++], belief);
}

void PokerWorld::remove_card(uint8_t card, Belief& belief) const {
  for (const int place : hands_.places_with[card]) belief.weights[place] = 0.0;
}

void PokerWorld::add_up(Episode& episode) const {
  Belief& belief = episode.real.belief;
  std::partial_sum(belief.weights.begin(), belief.weights.end(), episode.sums.begin());
  if (episode.sums.back() > 0.0) return;
  // Of a strategy that is known by samples what is really held may be thought impossible: then anything is possible.
  const int num_seen = std::exchange(belief.num_board_cards, 0);
  for (const int place : hands_.places) belief.weights[place] = 1.0;
  for (int i = 0; i < num_hole_cards_; ++i) remove_card(episode.real.cards[i], belief);
  while (belief.num_board_cards < num_seen)
    remove_card(episode.real.cards[2 * num_hole_cards_ + belief.num_board_cards++], belief);
  std::partial_sum(belief.weights.begin(), belief.weights.end(), episode.sums.begin());
}

void PokerWorld::take(History& history, Action action) const {
  history.walk.follow(history.betting, action);
  history.past.push_back({history.betting, action});
  history.betting.act(rules_, action);
}

bool PokerWorld::find_place(History& history) {
  const TreePlace& place = history.walk.places(history.betting)[0];  // hard translation knows one path
  if (place.node < 0) return false;
  const AbstractGame::Node& node = game_->node(place.node);
  const int32_t own = bucket(*game_->lenses()[node.lens].cards, history);
  history.node = place.node;
  int64_t level = 0;
  if (sees_beliefs())
    level =
        std::min<int64_t>(options_.num_levels - 1, static_cast<int64_t>(chance_to_win(history) * options_.num_levels));
  history.place = {level * first_infoset_.back() + first_infoset_[place.node] + own,
                   level * game_->num_entries() + node.entry(own), 1, node.num_actions};
  std::copy_n(place.actions.begin(), node.num_actions, history.actions.begin());
  return true;
}

int32_t PokerWorld::bucket(const CardAbstraction& abstraction, History& history) const {
  const int round = history.betting.round();
  if (history.num_known_rounds <= round) {
    const DealtBoard board = abstraction.deal_board(history.cards.data() + 2 * num_hole_cards_, round);
    abstraction.hand_buckets(history.cards.data(), board, round, history.buckets.data());
    history.num_known_rounds = round + 1;
  }
  return history.buckets[round];
}

Situation PokerWorld::situation(const History& history, const uint8_t* hole_cards) const {
  return {rules_,
          history.betting,
          hole_cards,
          history.cards.data() + 2 * num_hole_cards_,
          rules_.board_cards_by(history.betting.round()),
          history.past};
}

void PokerWorld::deal_rest(Philox& random, uint64_t seen, int num_dealt, Cards& cards) const {
  for (int i = num_dealt; i < num_cards_; ++i) {
    do cards[i] = deck_[random.below(deck_.size())];
    while (seen >> cards[i] & 1);
    seen |= 1ULL << cards[i];
  }
}

void PokerWorld::find_bounds() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const BettingTree& tree = game_->tree();
  bounds_.assign(tree.num_nodes(), {kInfinity, -kInfinity});
  const auto of_ending = [&](const Ending& ending) -> std::pair<double, double> {
    const double matched = std::min(ending.spent[0], ending.spent[1]) / options_.unit;
    return {ending.has_folded(1 - seat_) ? matched : -matched, ending.has_folded(seat_) ? -matched : matched};
  };
  for (int64_t node = tree.num_nodes(); node-- > 0;) {  // a node stands before those below it
    auto& [least, most] = bounds_[node];
    for (int64_t edge = tree.first_edge[node]; edge < tree.first_edge[node + 1]; ++edge) {
      const int32_t child = tree.child[edge];
      const auto below = child >= 0 ? bounds_[child] : of_ending(tree.endings[-1 - child]);
      least = std::min(least, below.first);
      most = std::max(most, below.second);
    }
  }
}

}  // namespace nashgap
