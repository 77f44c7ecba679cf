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

BettingWalk::BettingWalk(const AbstractGame& game, Translation translation)
    : game_(&game),
      translation_(translation),
      has_plain_edges_(game.rules().betting == Betting::kLimit),
      target_(game.tree().root),
      options_state_(game.rules()) {
  abstract_actions(game.rules(), game.betting(), options_state_, options_);
}

void BettingWalk::follow_to(std::span<const PastAction> history) {
  const auto is_same = [](Action action, const PastAction& past) { return action == past.action; };
  if (followed_.size() > history.size() ||
      !std::equal(followed_.begin(), followed_.end(), history.begin(), history.begin() + followed_.size(), is_same)) {
    followed_.clear();
    is_exact_ = true;
    target_ = game_->tree().root;
  }
  for (size_t i = followed_.size(); i < history.size(); ++i) follow(history[i].before, history[i].action);
}

void BettingWalk::stand_at(const BettingWalk& other) {
  is_exact_ = other.is_exact_;
  target_ = other.target_;
  paths_ = other.paths_;
  followed_ = other.followed_;
}

const std::vector<Action>& BettingWalk::options_at(const BettingState& state) {
  if (state == options_state_) return options_;
  options_state_ = state;
  abstract_actions(game_->rules(), game_->betting(), state, options_);
  return options_;
}

void BettingWalk::follow(const BettingState& before, Action action) {
  followed_.push_back(action);
  if (is_exact_) {
    const int edge = exact_edge(before, action);
    if (edge >= 0) {
      target_ = game_->tree().child[game_->node(target_).first_edge + edge];
      return;
    }
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
  const Rules& rules = game_->rules();
  const AbstractGame::Node node = game_->node(path.target);
  if (has_plain_edges_) return take(path, node.first_raise);
  const LegalActions legal = before.legal(rules);
  const auto size_of = [&, pot = static_cast<double>(pot_after_call(rules, before))](Action raise_to) {
    return (raise_to - before.max_spent()) / pot;
  };
  const std::vector<Action>& options = options_at(path.state);
  int smaller = -1, larger = -1, same = -1;  // edges
  Action smaller_chips = 0, larger_chips = 0;
  double miss = 0.0;
  const double abstract_pot = static_cast<double>(pot_after_call(rules, path.state));
  for (int edge = node.first_raise; edge < node.num_actions; ++edge) {
    const Action chips = real_action(path.state, options[edge], before, legal);
    if (chips < action) {
      smaller = edge;
      smaller_chips = chips;
    } else if (chips > action) {
      larger = edge;
      larger_chips = chips;
      break;
    } else {  // of those that are clipped to the same chips, the one that was nearest before
      const double wanted = (options[edge] - path.state.max_spent()) / abstract_pot;
      const double distance = std::abs(wanted - size_of(action));
      if (same < 0 || distance < miss) {
        same = edge;
        miss = distance;
      }
    }
  }
  if (same >= 0) return take(path, same);
  if (larger < 0) return take(path, smaller);
  if (smaller < 0 && node.first_raise > node.num_folds && is_open_to_call(path)) {
    smaller = node.num_folds;
    smaller_chips = before.max_spent();
  }
  if (smaller < 0) return take(path, larger);
  const double share = smaller_share(translation_, size_of(smaller_chips), size_of(larger_chips), size_of(action));
  const double weight = path.weight;
  path.weight = weight * share;
  take(path, smaller);
  path.weight = weight * (1.0 - share);
  take(path, larger);
}

// Whether everybody else still acts in this round after a call: who must answer the real raise then can.
bool BettingWalk::is_open_to_call(const Path& path) const {
  const Rules& rules = game_->rules();
  int num_others = -1;
  for (int seat = 0; seat < rules.num_seats; ++seat)
    num_others += !path.state.has_folded(seat) && !path.state.is_all_in(rules, seat);
  BettingState next = path.state;
  next.act(rules, kCall);
  int num_acting = 0;
  for (; !next.is_over() && next.round() == path.state.round(); ++num_acting) next.act(rules, kCall);
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
