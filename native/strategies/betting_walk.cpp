#include "strategies/betting_walk.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nashgap {

namespace {

// The pot that a raise is a fraction of: with the chips of the call in it.
int64_t pot_after_call(const Rules& rules, const BettingState& state) {
  return std::max<int64_t>(state.pot(rules) + state.to_call(rules), 1);
}

}  // namespace

double smaller_share(Translation translation, double smaller, double larger, double size) {
  switch (translation) {
    case Translation::kHard: return smaller / size > size / larger ? 1.0 : 0.0;
    case Translation::kSoft: {
      const double to_smaller = smaller * (larger - size), to_larger = size * (size - smaller);
      return to_smaller / (to_smaller + to_larger);
    }
    case Translation::kPseudoHarmonic: return (larger - size) * (1.0 + smaller) / ((larger - smaller) * (1.0 + size));
  }
  return 0.0;
}

BettingWalk::BettingWalk(std::vector<const AbstractGame*> games, Translation translation)
    : games_(std::move(games)),
      translation_(translation),
      game_(games_.front()),
      has_plain_edges_(game_->rules().betting == Betting::kLimit),
      target_(game_->tree().root),
      options_state_(game_->rules()) {
  for (const AbstractGame* game : games_) longest_prefix_ = std::max(longest_prefix_, game->tree().prefix.size());
  restart();
}

void BettingWalk::restart() {
  followed_.clear();
  begun_.clear();
  segment_ = -1;
  is_exact_ = true;
  for (size_t i = 0; i < games_.size(); ++i)
    if (games_[i]->tree().prefix.empty()) begin(static_cast<int>(i));
}

void BettingWalk::begin(int segment) {
  segment_ = segment;
  game_ = games_[segment];
  target_ = game_->tree().root;
  is_exact_ = true;
}

// Whether the action, the last one followed, ends the prefix of a game.
bool BettingWalk::begin_next(const BettingState& before, Action action) {
  if (!has_plain_edges_) begun_.push_back({before, action});
  for (size_t i = 0; i < games_.size(); ++i) {
    const std::vector<Action>& prefix = games_[i]->tree().prefix;
    if (prefix.size() != followed_.size() || prefix.back() != action || prefix != followed_) continue;
    begin(static_cast<int>(i));
    return true;
  }
  for (size_t i = 0; i < games_.size() && !has_plain_edges_; ++i) {
    BettingState abstract(games_[i]->rules());
    if (games_[i]->tree().prefix.size() != followed_.size() || !is_taken_for(*games_[i], abstract)) continue;
    begin(static_cast<int>(i));
    is_exact_ = false;
    paths_.assign(1, {1.0, target_, -1, abstract});
    return true;
  }
  return false;
}

// Whether what has begun is the prefix of the game but for sizes that come to the same. abstract: the start of a hand,
// which becomes the betting behind the prefix.
bool BettingWalk::is_taken_for(const AbstractGame& game, BettingState& abstract) const {
  std::vector<Action> options;
  for (size_t i = 0; i < begun_.size(); ++i) {
    const Action wanted = game.tree().prefix[i], action = begun_[i].action;
    if (action != wanted) {
      if (wanted <= kCall || action <= kCall) return false;
      abstract_actions(game.rules(), game.betting(), abstract, options);
      const auto [smaller, larger, share] = neighbours(abstract, options, begun_[i].before, action, Translation::kHard);
      if (options[share > 0.5 ? smaller : larger] != wanted) return false;
    }
    abstract.act(game.rules(), wanted);
  }
  return true;
}

void BettingWalk::follow_to(std::span<const PastAction> history) {
  const auto is_same = [](Action action, const PastAction& past) { return action == past.action; };
  if (followed_.size() > history.size() ||
      !std::equal(followed_.begin(), followed_.end(), history.begin(), history.begin() + followed_.size(), is_same))
    restart();
  for (size_t i = followed_.size(); i < history.size(); ++i) follow(history[i].before, history[i].action);
}

void BettingWalk::stand_at(const BettingWalk& other) {
  game_ = other.game_;
  segment_ = other.segment_;
  is_exact_ = other.is_exact_;
  target_ = other.target_;
  paths_ = other.paths_;
  followed_ = other.followed_;
  begun_ = other.begun_;
}

const std::vector<Action>& BettingWalk::options_at(const BettingState& state) {
  if (game_ == options_game_ && state == options_state_) return options_;
  options_game_ = game_;
  options_state_ = state;
  abstract_actions(game_->rules(), game_->betting(), state, options_);
  return options_;
}

void BettingWalk::follow(const BettingState& before, Action action) {
  followed_.push_back(action);
  if (followed_.size() <= longest_prefix_ && begin_next(before, action)) return;
  if (segment_ < 0) return;
  if (is_exact_ && target_ >= 0) {
    const int edge = exact_edge(before, action);
    if (edge >= 0) {
      target_ = game_->tree().child[game_->node(target_).first_edge + edge];
      return;
    }
  }
  if (is_exact_) {
    is_exact_ = false;
    paths_.assign(1, {1.0, target_, -1, before});
  }
  next_.clear();
  for (Path& path : paths_) {
    if (catch_up(path, before))
      follow_path(path, before, action);
    else
      next_.push_back(path);
  }
  std::swap(paths_, next_);
  if (paths_.size() > kMaxPaths) drop_lightest();
}

// The edge of this very action, or -1.
int BettingWalk::exact_edge(const BettingState& before, Action action) {
  const AbstractGame::Node& node = game_->node(target_);
  if (action == kFold) return node.num_folds > 0 ? 0 : -1;
  if (action == kCall) return node.first_raise > node.num_folds ? node.num_folds : -1;
  if (node.first_raise == node.num_actions) return -1;
  if (has_plain_edges_) return node.first_raise;
  const std::vector<Action>& options = options_at(before);
  const auto found = std::find(options.begin(), options.end(), action);
  return found == options.end() ? -1 : static_cast<int>(found - options.begin());
}

// Brings the path to the decision of the real state. Seats whose turn it is only in the path check or call there, or
// fold if they have really folded. False where the seat does not act in the path now: it is all-in there, or the round
// or the hand is over there.
bool BettingWalk::catch_up(Path& path, const BettingState& real) {
  const int seat = real.seat();
  while (path.target >= 0) {
    const AbstractGame::Node& node = game_->node(path.target);
    if (node.round > real.round()) return false;
    if (node.round == real.round()) {
      if (node.seat == seat) return true;
      if (path.state.has_folded(seat) || path.state.is_all_in(game_->rules(), seat)) return false;
    }
    const bool can_call = node.first_raise > node.num_folds;
    advance(path, real.has_folded(node.seat) || !can_call ? 0 : node.num_folds);
  }
  return false;
}

void BettingWalk::advance(Path& path, int edge) {
  path.state.act(game_->rules(), options_at(path.state)[edge]);
  path.target = game_->tree().child[game_->node(path.target).first_edge + edge];
}

void BettingWalk::take(Path path, int edge) {
  if (path.weight <= 0.0) return;
  advance(path, edge);
  next_.push_back(path);
}

void BettingWalk::follow_path(Path path, const BettingState& before, Action action) {
  const AbstractGame::Node& node = game_->node(path.target);
  if (action > 0 && node.first_raise < node.num_actions) {
    follow_raise(path, before, action);
  } else if (action == kFold || node.first_raise == node.num_folds) {
    // Nobody folds for free in the tree, and in push-fold a call is what stays in the hand.
    take(path, action == kFold ? 0 : node.first_raise);
  } else {
    if (action > 0 && path.state.legal(game_->rules()).max_raise_to > 0)
      path.excess_round = static_cast<int8_t>(before.round());
    take(path, node.num_folds);
  }
}

void BettingWalk::follow_raise(Path path, const BettingState& before, Action action) {
  if (has_plain_edges_) return take(path, game_->node(path.target).first_raise);
  const auto [smaller, larger, share] = neighbours(path.state, options_at(path.state), before, action, translation_);
  if (smaller < 0) return take(path, larger);
  if (larger < 0) return take(path, smaller);
  const double weight = path.weight;
  path.weight = weight * share;
  take(path, smaller);
  path.weight = weight * (1.0 - share);
  take(path, larger);
}

// Where the options, those of the abstract betting, have raises: the edges on both sides of a real raise. A raise that
// is one of them has that one only.
BettingWalk::Neighbours BettingWalk::neighbours(const BettingState& abstract, const std::vector<Action>& options,
                                                const BettingState& before, Action action,
                                                Translation translation) const {
  const Rules& rules = game_->rules();
  const LegalActions legal = before.legal(rules);
  const auto size_of = [&, pot = static_cast<double>(pot_after_call(rules, before))](Action raise_to) {
    return (raise_to - before.max_spent()) / pot;
  };
  const auto num_options = static_cast<int>(options.size());
  const auto first_of = [&](auto is_wanted) {
    return static_cast<int>(std::find_if(options.begin(), options.end(), is_wanted) - options.begin());
  };
  const int call = first_of([](Action option) { return option == kCall; });
  int smaller = -1, larger = -1, same = -1;
  Action smaller_chips = 0, larger_chips = 0;
  double miss = 0.0;
  const double abstract_pot = static_cast<double>(pot_after_call(rules, abstract));
  for (int edge = first_of([](Action option) { return option > kCall; }); edge < num_options; ++edge) {
    const Action chips = real_action(abstract, options[edge], before, legal);
    if (chips < action) {
      smaller = edge;
      smaller_chips = chips;
    } else if (chips > action) {
      larger = edge;
      larger_chips = chips;
      break;
    } else {  // of those that are clipped to the same chips, the one that was nearest before
      const double wanted = (options[edge] - abstract.max_spent()) / abstract_pot;
      const double distance = std::abs(wanted - size_of(action));
      if (same < 0 || distance < miss) {
        same = edge;
        miss = distance;
      }
    }
  }
  if (same >= 0) return {same, -1, 1.0};
  if (larger < 0) return {smaller, -1, 1.0};
  if (smaller < 0 && call < num_options && is_open_to_call(abstract)) {
    smaller = call;
    smaller_chips = before.max_spent();
  }
  if (smaller < 0) return {-1, larger, 0.0};
  return {smaller, larger, smaller_share(translation, size_of(smaller_chips), size_of(larger_chips), size_of(action))};
}

// Whether everybody else still acts in this round after a call: who must answer the real raise then can.
bool BettingWalk::is_open_to_call(const BettingState& abstract) const {
  const Rules& rules = game_->rules();
  int num_others = -1;
  for (int seat = 0; seat < rules.num_seats; ++seat)
    num_others += !abstract.has_folded(seat) && !abstract.is_all_in(rules, seat);
  BettingState next = abstract;
  next.act(rules, kCall);
  int num_acting = 0;
  for (; !next.is_over() && next.round() == abstract.round(); ++num_acting) next.act(rules, kCall);
  return num_acting > 0 && num_acting == num_others;
}

// An abstract action at the real table: all-in stays all-in, other raises are the same fraction of the pot.
Action BettingWalk::real_action(const BettingState& abstract, Action action, const BettingState& real,
                                const LegalActions& legal) const {
  const Rules& rules = game_->rules();
  if (action == kFold) return legal.can_fold ? kFold : kCall;
  if (action == kCall || legal.max_raise_to == 0) return kCall;
  if (action >= rules.stacks[abstract.seat()]) return legal.max_raise_to;
  const int64_t by = action - abstract.max_spent(), pot = pot_after_call(rules, abstract);
  const __int128 doubled = __int128{2 * by} * pot_after_call(rules, real);  // more than 64 bits in the largest games
  const auto raise_to = static_cast<int64_t>(real.max_spent() + (doubled + pot) / (2 * pot));
  return static_cast<Action>(std::clamp<int64_t>(raise_to, legal.min_raise_to, legal.max_raise_to));
}

void BettingWalk::drop_lightest() {
  std::nth_element(paths_.begin(), paths_.begin() + kMaxPaths, paths_.end(),
                   [](const Path& a, const Path& b) { return a.weight > b.weight; });
  paths_.erase(paths_.begin() + kMaxPaths, paths_.end());
  double total = 0.0;
  for (const Path& path : paths_) total += path.weight;
  for (Path& path : paths_) path.weight /= total;
}

const std::vector<TreePlace>& BettingWalk::places(const BettingState& now, bool has_actions) {
  const Rules& rules = game_->rules();
  if (segment_ < 0 || (is_exact_ && target_ < 0)) {  // nothing has begun, or the tree is truncated
    places_.assign(1, {1.0, TreePlace::kCallOn, {}});
    return places_;
  }
  if (is_exact_) {
    places_.resize(1);
    TreePlace& place = places_[0];
    const AbstractGame::Node& node = game_->node(target_);
    place.weight = 1.0;
    place.node = target_;
    if (!has_actions) return places_;
    if (has_plain_edges_) {
      if (node.num_folds > 0) place.actions[0] = kFold;
      place.actions[node.num_folds] = kCall;
      if (node.first_raise < node.num_actions) place.actions[node.first_raise] = now.limit_raise(rules);
    } else {
      std::ranges::copy(options_at(now), place.actions.begin());
    }
    return places_;
  }
  const LegalActions legal = now.legal(rules);
  places_.resize(paths_.size());
  for (size_t i = 0; i < paths_.size(); ++i) {
    Path& path = paths_[i];
    TreePlace& place = places_[i];
    place.weight = path.weight;
    const bool acts = catch_up(path, now);
    if (path.excess_round == now.round()) {
      place.node = TreePlace::kOffTree;
    } else if (!acts) {
      place.node = TreePlace::kCallOn;
    } else {
      place.node = path.target;
      if (!has_actions) continue;
      const std::vector<Action>& options = options_at(path.state);
      for (size_t edge = 0; edge < options.size(); ++edge)
        place.actions[edge] = real_action(path.state, options[edge], now, legal);
    }
  }
  return places_;
}

}  // namespace nashgap
