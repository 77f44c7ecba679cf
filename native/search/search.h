// Information-state Monte Carlo tree search of one player against a fixed opponent (Timbers et al. 2020, Algorithm 1).
//
// The opponent's strategy and chance are inside the world: between two decisions of the player a history moves on by
// draws from them. Statistics are kept by information set, so that histories which the player cannot tell apart share
// them. A simulation begins at a history that is drawn from what the player can know: it never looks at the real one.
//
// Games may be played side by side. Where the world misses an answer of the opponent, a game waits with what it was
// about to do, a move or one simulation, and does that again from its beginning once the answer is there; the others
// come as far as they can, so that many answers are looked for at once. Nothing that is found depends on which answers
// were there.
//
// A World has
//   Episode                              a real game: its history, and what the player can know of it
//   History                              a game that is only thought of
//   kMayMiss                             whether begin and act may throw MissingAnswer, and leave anything behind
//   begin(random) -> Episode             a new game, up to the player's first decision or its end
//   draw(episode, random, history)       a history that the player cannot tell from the real one, by its exact chance
//   act(episode or history, action, random)   the player acts; up to its next decision or the end
//   place(history) -> SearchPlace        of the decision that the history has come to
//   payoff(history)                      of the player, at the end
//   bounds(episode)                      the least and the most that can still be won
//   real(episode) -> const History&
// and perhaps
//   usual_action(history)                what the player does beyond the tree, where nothing is known; else at random
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "random/philox.h"
#include "search/search_tree.h"

namespace nashgap {

// Thrown by a world; it is known which answer to look for.
struct MissingAnswer : std::logic_error {
  MissingAnswer() : std::logic_error("an answer of the opponent is missing") {}
};

// What games tell: D decisions of the player in them.
struct Episodes {
  std::vector<double> payoff;         // [episodes]
  std::vector<int64_t> decision_end;  // [episodes] how many decisions there were up to the end of each
  std::vector<int64_t> infoset;       // [D]
  std::vector<float> value;           // [D] what the search says of it
  std::vector<float> share;           // [D][most actions] of the visits
  int64_t num_simulations = 0;
  // Where the tree is kept: the slots that were visited, by how much more, and what that won.
  std::vector<int64_t> counted_slot;
  std::vector<float> counted_visits;
  std::vector<double> counted_total;
};

template <typename World>
class Search {
 public:
  using Episode = typename World::Episode;
  using History = typename World::History;

  Search(World& world, int64_t num_infosets, int64_t num_slots, int most_actions)
      : world_(world), num_infosets_(num_infosets), num_slots_(num_slots), most_actions_(most_actions) {}

  // Games first .. first + number - 1 are to be played. Each is a function of the seed, the options and the values;
  // where a tree is kept, of the games before it and beside it, too. What the values point to must stay.
  void start(const SearchOptions& options, const SearchValues& values, uint64_t seed, uint64_t first, int64_t number) {
    options_ = options;
    values_ = values;
    seed_ = seed;
    first_ = first;
    next_ = 0;
    told_.assign(number, {});
    const int64_t abreast = std::clamp<int64_t>(number, 1, std::max<int64_t>(1, options.num_abreast));
    const bool share_tree = options.keeps_tree || options.num_simulations == 0;
    num_groups_ = share_tree ? 1 : std::min(abreast, most_trees());
    while (static_cast<int64_t>(groups_.size()) < num_groups_) groups_.emplace_back(num_infosets_, num_slots_);
    for (int64_t number_of = 0; number_of < num_groups_; ++number_of) {
      Group& group = groups_[number_of];
      group.tree.forget();
      group.lanes.resize(share_tree ? abreast : 1);
      for (Lane& lane : group.lanes) take_next(lane);
    }
  }

  // As far as answers are there. Whether all games are finished.
  bool advance() {
    bool is_finished = true;
    for (int64_t group = 0; group < num_groups_; ++group) is_finished = advance(groups_[group]) && is_finished;
    return is_finished;
  }

  // What the finished games tell, in their order.
  Episodes take() {
    Episodes all;
    for (Told& game : told_) {
      all.payoff.push_back(game.payoff);
      all.infoset.insert(all.infoset.end(), game.infoset.begin(), game.infoset.end());
      all.value.insert(all.value.end(), game.value.begin(), game.value.end());
      all.share.insert(all.share.end(), game.share.begin(), game.share.end());
      all.decision_end.push_back(static_cast<int64_t>(all.infoset.size()));
    }
    all.num_simulations = static_cast<int64_t>(all.infoset.size()) * options_.num_simulations;
    if (options_.keeps_tree)
      groups_[0].tree.tell_counts(values_, [&](int64_t slot, float visits, double total) {
        all.counted_slot.push_back(slot);
        all.counted_visits.push_back(visits);
        all.counted_total.push_back(total);
      });
    told_.clear();
    return all;
  }

 private:
  static constexpr uint64_t kGame = 1, kSimulations = 2;
  static constexpr int kNone = -1;
  static constexpr int64_t kTreeBytes = int64_t{512} << 20;  // of the trees of games side by side

  struct Told {
    double payoff = 0.0;
    std::vector<int64_t> infoset;
    std::vector<float> value, share;
  };

  enum class Stage : uint8_t { kFree, kMoving, kArrived, kDeciding };

  // A game that is being played.
  struct Lane {
    Stage stage = Stage::kFree;
    int64_t game = 0;                                // of this call
    int action = kNone;                              // to be taken; none: the game is to begin
    int64_t num_decisions = 0, num_simulations = 0;  // before this decision, and of it
    Philox random{0, 0, 0, 0}, draws{0, 0, 0, 0};
    std::optional<Episode> episode, before;
    // A simulation of the decision; none of them is counted before all of the group are there.
    SearchScale scale;
    std::optional<History> history;  // one for all, so that its memory is used again
    SearchPath path;
    SearchPlace leaf;  // that is new to the tree, if any
    double won = 0.0;
    bool has_simulated = false;
  };

  // Games that share a tree.
  struct Group {
    Group(int64_t num_infosets, int64_t num_slots) : tree(num_infosets, num_slots) {}

    SearchTree tree;
    std::vector<Lane> lanes;
  };

  int64_t most_trees() const {
    return std::max<int64_t>(1, kTreeBytes / std::max<int64_t>(1, SearchTree::num_bytes(num_infosets_, num_slots_)));
  }

  bool advance(Group& group) {
    const auto all = [&](auto step) {
      bool is_done = true;
      for (Lane& lane : group.lanes) is_done = step(lane) && is_done;
      return is_done;
    };
    for (;;) {
      if (!all([&](Lane& lane) { return move(group, lane); })) return false;
      if (!all([&](Lane& lane) { return settle(group, lane); })) continue;
      if (all([](const Lane& lane) { return lane.stage == Stage::kFree; })) return true;
      do {
        if (!all([&](Lane& lane) { return simulate(group, lane); })) return false;
      } while (all([&](Lane& lane) { return count(group.tree, lane); }));
    }
  }

  void take_next(Lane& lane) {
    if (next_ == static_cast<int64_t>(told_.size())) {
      lane.stage = Stage::kFree;
      return;
    }
    lane.stage = Stage::kMoving;
    lane.game = next_++;
    lane.action = kNone;
    lane.num_decisions = 0;
    lane.has_simulated = false;
    lane.random = Philox(seed_, kGame, number_of(lane), 0);
  }

  uint64_t number_of(const Lane& lane) const { return first_ + static_cast<uint64_t>(lane.game); }

  // Whether the game has come to a decision or its end.
  bool move(Group& group, Lane& lane) {
    if (lane.stage != Stage::kMoving) return true;
    Philox random = lane.random;
    const bool is_new = lane.action == kNone;
    if constexpr (World::kMayMiss)
      if (!is_new) lane.before = lane.episode;
    try {
      if (is_new) {
        if (!options_.keeps_tree) group.tree.forget();
        lane.episode = world_.begin(random);
      } else {
        world_.act(*lane.episode, lane.action, random);
      }
    } catch (const MissingAnswer&) {
      if (!is_new) std::swap(lane.episode, lane.before);
      return false;
    }
    lane.random = random;
    lane.stage = Stage::kArrived;
    return true;
  }

  // Whether nothing is left to do but to simulate; else the game, or the next one, moves.
  bool settle(Group& group, Lane& lane) {
    if (lane.stage != Stage::kArrived) return true;
    const History& real = world_.real(*lane.episode);
    const SearchPlace place = world_.place(real);
    if (place.is_end()) {
      told_[lane.game].payoff = world_.payoff(real);
      take_next(lane);
      return lane.stage == Stage::kFree;
    }
    if (options_.num_simulations == 0) {
      lane.action = known_best(real, place);
      lane.stage = Stage::kMoving;
      return false;
    }
    const auto [least, most] = world_.bounds(*lane.episode);
    lane.scale = SearchScale(least, most);
    group.tree.enter(values_, place);
    lane.history = real;
    lane.draws = Philox(seed_, kSimulations, number_of(lane), static_cast<uint64_t>(lane.num_decisions));
    lane.num_simulations = 0;
    lane.stage = Stage::kDeciding;
    return true;
  }

  bool simulate(Group& group, Lane& lane) {
    if (lane.stage != Stage::kDeciding || lane.has_simulated) return true;
    Philox random = lane.draws;
    try {
      think(group.tree, lane, random);
    } catch (const MissingAnswer&) {
      return false;
    }
    lane.draws = random;
    lane.has_simulated = true;
    return true;
  }

  void think(SearchTree& tree, Lane& lane, Philox& random) {
    History& history = *lane.history;
    world_.draw(*lane.episode, random, history);
    lane.path.clear();
    lane.leaf = {};
    for (;;) {
      const SearchPlace place = world_.place(history);
      if (place.is_end()) {
        lane.won = world_.payoff(history);
        return;
      }
      if (!tree.has(values_, place)) {
        lane.leaf = place;
        lane.won = values_.is_known[place.infoset] ? values_.value[place.infoset] : play_out(history, place, random);
        return;
      }
      const int action = tree.select(options_, values_, place, lane.scale);
      lane.path.push_back({place, place.slot(action)});
      world_.act(history, action, random);
    }
  }

  double play_out(History& history, SearchPlace place, Philox& random) {
    for (; !place.is_end(); place = world_.place(history)) {
      if constexpr (requires { world_.usual_action(history); })
        world_.act(history, world_.usual_action(history), random);
      else
        world_.act(history, static_cast<int>(random.below(static_cast<uint64_t>(place.num_actions))), random);
    }
    return world_.payoff(history);
  }

  // Whether the decision, if there is one, needs more simulations; after the last the action is chosen.
  bool count(SearchTree& tree, Lane& lane) {
    if (lane.stage != Stage::kDeciding) return true;
    if (!lane.leaf.is_end()) tree.enter(values_, lane.leaf);
    tree.count(lane.path, lane.won, options_.counts_best);
    lane.has_simulated = false;
    if (++lane.num_simulations < options_.num_simulations) return true;
    const SearchPlace place = world_.place(world_.real(*lane.episode));
    tell(tree, place, told_[lane.game]);
    const bool is_drawn = lane.num_decisions++ < options_.num_drawn;
    lane.action = is_drawn ? drawn(tree, place, lane.random) : tree.most_visited(place);
    lane.stage = Stage::kMoving;
    return false;
  }

  // By the visits.
  int drawn(const SearchTree& tree, const SearchPlace& place, Philox& random) const {
    double left = random.uniform() * tree.num_visits(place);
    for (int action = 0; action < place.num_actions; ++action)
      if ((left -= tree.visits(place.slot(action))) < 0.0) return action;
    return tree.most_visited(place);
  }

  // By the priors alone.
  int known_best(const History& real, const SearchPlace& place) const {
    int best = 0;
    for (int action = 1; action < place.num_actions; ++action)
      if (values_.prior[place.slot(action)] > values_.prior[place.slot(best)]) best = action;
    if constexpr (requires { world_.usual_action(real); })
      if (values_.prior[place.slot(best)] <= 0.0f) return world_.usual_action(real);
    return best;
  }

  void tell(const SearchTree& tree, const SearchPlace& place, Told& told) const {
    const double visited = tree.num_visits(place);
    told.infoset.push_back(place.infoset);
    told.value.push_back(static_cast<float>(tree.mean(place.slot(tree.most_visited(place)))));
    for (int action = 0; action < most_actions_; ++action)
      told.share.push_back(action < place.num_actions ? static_cast<float>(tree.visits(place.slot(action)) / visited)
                                                      : 0.0f);
  }

  World& world_;
  int64_t num_infosets_, num_slots_;
  int most_actions_;
  SearchOptions options_;
  SearchValues values_{};
  uint64_t seed_ = 0, first_ = 0;
  int64_t next_ = 0, num_groups_ = 0;  // the game that begins next, and groups that play
  std::vector<Group> groups_;
  std::vector<Told> told_;  // [games]
};

}  // namespace nashgap
