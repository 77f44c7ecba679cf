// Information-state Monte Carlo tree search of one player against a fixed opponent (Timbers et al. 2020, Algorithm 1).
//
// The opponent's strategy and chance are inside the world: between two decisions of the player a history moves on by
// draws from them. Statistics are kept by information set, so that histories which the player cannot tell apart share
// them. A simulation begins at a history that is drawn from what the player can know: it never looks at the real one.
//
// A World has
//   Episode                              a real game: its history, and what the player can know of it
//   History                              a game that is only thought of
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
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "random/philox.h"

namespace nashgap {

enum class SearchRule : uint8_t { kUct = 0, kPuct = 1 };

struct SearchOptions {
  int64_t num_simulations = 800;  // before each decision; 0: act by the priors alone
  SearchRule rule = SearchRule::kUct;
  double exploration = 2.6;  // of values from -1 to 1
  int64_t num_drawn = 0;     // first decisions of a game whose action is drawn by visits; later the most visited one
  bool keeps_tree = false;   // a game goes on with the tree of the game before
  // Above an action that was only tried counts what the best one there is worth, not what came of trying: else a
  // decision would be blamed for what was explored after it.
  bool counts_best = false;
};

// What was learned of information sets beforehand.
struct SearchValues {
  const float* value;       // [information sets] in the unit of the payoffs
  const float* prior;       // [slots]
  const uint8_t* is_known;  // [information sets]; where not, a simulation is played out to the end
  // What earlier searches have counted, with which the tree begins; null: it begins empty.
  const float* visits;  // [slots]
  const double* total;  // [slots] of what was won
};

// A decision of the player; -1 stands for the end. Action a has slot first_slot + a * stride.
struct SearchPlace {
  int64_t infoset = -1;
  int64_t first_slot = 0, stride = 1;
  int num_actions = 0;

  bool is_end() const { return infoset < 0; }
  int64_t slot(int action) const { return first_slot + action * stride; }
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
      : world_(world), stamp_(num_infosets), visits_(num_slots), total_(num_slots), most_actions_(most_actions) {}

  // Games first .. first + number - 1. Each is a function of the seed, the options and the values; where a tree is
  // kept, of the games before it, too.
  void play(const SearchOptions& options, const SearchValues& values, uint64_t seed, uint64_t first, int64_t number,
            Episodes& told) {
    forget();
    for (int64_t game = 0; game < number; ++game) {
      if (!options.keeps_tree) forget();
      play_game(options, values, seed, first + static_cast<uint64_t>(game), told);
    }
    if (options.keeps_tree) tell_counts(values, told);
  }

 private:
  static constexpr uint64_t kGame = 1, kSimulations = 2;

  void play_game(const SearchOptions& options, const SearchValues& values, uint64_t seed, uint64_t number,
                 Episodes& told) {
    Philox random(seed, kGame, number, 0);
    Episode episode = world_.begin(random);
    for (int64_t decision = 0;; ++decision) {
      const SearchPlace place = world_.place(world_.real(episode));
      if (place.is_end()) break;
      if (options.num_simulations > 0) {
        Philox draws(seed, kSimulations, number, static_cast<uint64_t>(decision));
        simulate(options, values, episode, draws, told.num_simulations);
        tell(place, told);
      }
      const bool is_drawn = decision < options.num_drawn;
      const int action = options.num_simulations > 0 ? choose(place, is_drawn, random) : known_best(values, episode);
      world_.act(episode, action, random);
    }
    told.payoff.push_back(world_.payoff(world_.real(episode)));
    told.decision_end.push_back(static_cast<int64_t>(told.infoset.size()));
  }

  void forget() {
    entered_.clear();
    if (++epoch_ == 0) {
      std::fill(stamp_.begin(), stamp_.end(), 0);
      epoch_ = 1;
    }
  }

  // Whether the information set was in the tree; it is from now on.
  bool enter(const SearchValues& values, const SearchPlace& place) {
    if (stamp_[place.infoset] == epoch_) return true;
    stamp_[place.infoset] = epoch_;
    bool was_there = false;
    for (int action = 0; action < place.num_actions; ++action) {
      const int64_t slot = place.slot(action);
      visits_[slot] = values.visits == nullptr ? 0.0f : values.visits[slot];
      total_[slot] = values.visits == nullptr ? 0.0 : values.total[slot];
      was_there = was_there || visits_[slot] > 0.0f;
    }
    entered_.push_back(place);
    return was_there;
  }

  void tell_counts(const SearchValues& values, Episodes& told) const {
    for (const SearchPlace& place : entered_)
      for (int action = 0; action < place.num_actions; ++action) {
        const int64_t slot = place.slot(action);
        const float visits = visits_[slot] - (values.visits == nullptr ? 0.0f : values.visits[slot]);
        if (visits == 0.0f) continue;
        told.counted_slot.push_back(slot);
        told.counted_visits.push_back(visits);
        told.counted_total.push_back(total_[slot] - (values.visits == nullptr ? 0.0 : values.total[slot]));
      }
  }

  void simulate(const SearchOptions& options, const SearchValues& values, const Episode& episode, Philox& random,
                int64_t& num_simulations) {
    const auto [least, most] = world_.bounds(episode);
    middle_ = 0.5 * (least + most);
    scale_ = most > least ? 2.0 / (most - least) : 0.0;
    enter(values, world_.place(world_.real(episode)));
    History history = world_.real(episode);  // one for all simulations, so that its memory is used again
    for (int64_t simulation = 0; simulation < options.num_simulations; ++simulation) {
      world_.draw(episode, random, history);
      path_.clear();
      double won = 0.0;
      for (;;) {
        const SearchPlace place = world_.place(history);
        if (place.is_end()) {
          won = world_.payoff(history);
          break;
        }
        if (!enter(values, place)) {
          won = values.is_known[place.infoset] ? values.value[place.infoset] : play_out(history, place, random);
          break;
        }
        const int action = select(options, values, place);
        path_.push_back({place, place.slot(action)});
        world_.act(history, action, random);
      }
      count(won, options.counts_best);
    }
    num_simulations += options.num_simulations;
  }

  // From the end of the path to its beginning.
  void count(double won, bool counts_best) {
    for (size_t step = path_.size(); step-- > 0;) {
      const auto& [place, taken] = path_[step];
      visits_[taken] += 1.0f;
      total_[taken] += won;
      if (!counts_best) continue;
      const double own = mean(taken);
      double most = own;
      for (int action = 0; action < place.num_actions; ++action)
        if (const int64_t slot = place.slot(action); visits_[slot] > 0.0f) most = std::max(most, mean(slot));
      if (most > own) won = most;
    }
  }

  double mean(int64_t slot) const { return total_[slot] / visits_[slot]; }

  double play_out(History& history, SearchPlace place, Philox& random) {
    for (; !place.is_end(); place = world_.place(history)) {
      if constexpr (requires { world_.usual_action(history); })
        world_.act(history, world_.usual_action(history), random);
      else
        world_.act(history, static_cast<int>(random.below(static_cast<uint64_t>(place.num_actions))), random);
    }
    return world_.payoff(history);
  }

  int select(const SearchOptions& options, const SearchValues& values, const SearchPlace& place) const {
    const double visited = num_visits(place);
    const bool is_puct = options.rule == SearchRule::kPuct;
    const double bonus = options.exploration * std::sqrt(is_puct ? visited : std::log(std::max(visited, 1.0)));
    int best = 0;
    double best_score = -std::numeric_limits<double>::infinity();
    for (int action = 0; action < place.num_actions; ++action) {
      const int64_t slot = place.slot(action);
      const double count = visits_[slot];
      if (!is_puct && count == 0.0) return action;
      const double mean = count > 0.0 ? (total_[slot] / count - middle_) * scale_ : 0.0;
      const double score =
          mean + bonus * (is_puct ? static_cast<double>(values.prior[slot]) / (1.0 + count) : 1.0 / std::sqrt(count));
      if (score > best_score) {
        best_score = score;
        best = action;
      }
    }
    return best;
  }

  // The most visited action; of those the one that was worth more.
  int most_visited(const SearchPlace& place) const {
    int best = 0;
    for (int action = 1; action < place.num_actions; ++action) {
      const int64_t slot = place.slot(action), best_slot = place.slot(best);
      if (visits_[slot] > visits_[best_slot] ||
          (visits_[slot] == visits_[best_slot] && total_[slot] > total_[best_slot]))
        best = action;
    }
    return best;
  }

  int choose(const SearchPlace& place, bool is_drawn, Philox& random) const {
    if (!is_drawn) return most_visited(place);
    double left = random.uniform() * num_visits(place);
    for (int action = 0; action < place.num_actions; ++action)
      if ((left -= visits_[place.slot(action)]) < 0.0) return action;
    return most_visited(place);
  }

  // By the priors alone.
  int known_best(const SearchValues& values, const Episode& episode) const {
    const SearchPlace place = world_.place(world_.real(episode));
    int best = 0;
    for (int action = 1; action < place.num_actions; ++action)
      if (values.prior[place.slot(action)] > values.prior[place.slot(best)]) best = action;
    if constexpr (requires { world_.usual_action(world_.real(episode)); })
      if (values.prior[place.slot(best)] <= 0.0f) return world_.usual_action(world_.real(episode));
    return best;
  }

  void tell(const SearchPlace& place, Episodes& told) const {
    const double visited = num_visits(place);
    const int64_t best = place.slot(most_visited(place));
    told.infoset.push_back(place.infoset);
    told.value.push_back(static_cast<float>(total_[best] / visits_[best]));
    for (int action = 0; action < most_actions_; ++action)
      told.share.push_back(action < place.num_actions ? static_cast<float>(visits_[place.slot(action)] / visited)
                                                      : 0.0f);
  }

  double num_visits(const SearchPlace& place) const {
    double number = 0.0;
    for (int action = 0; action < place.num_actions; ++action) number += visits_[place.slot(action)];
    return number;
  }

  World& world_;
  uint32_t epoch_ = 0;
  std::vector<uint32_t> stamp_;                        // [information sets] the game in whose tree it is
  std::vector<float> visits_;                          // [slots]
  std::vector<double> total_;                          // [slots] of what was won
  std::vector<SearchPlace> entered_;                   // in the kept tree
  std::vector<std::pair<SearchPlace, int64_t>> path_;  // decisions of a simulation, and the slots that were taken
  int most_actions_;
  double middle_ = 0.0, scale_ = 1.0;
};

}  // namespace nashgap
