// A compiled game of two players as one of them meets it, when the other's strategy is known: see search/search.h.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "random/philox.h"
#include "search/search.h"
#include "tree/tree.h"

namespace nashgap {

class TreeWorld {
 public:
  static constexpr bool kMayMiss = false;
  struct History {
    int64_t block = 0;
    int64_t lane = 0;
  };
  struct Episode {
    History real;
  };

  // The tree is kept, not copied. strategy: [S] of both players; that of `player` itself is not looked at. The player
  // must have perfect recall: histories of an information set are then told apart by chance and the opponent alone.
  // belief: [nodes] how likely the player thinks each history of its information sets; null: as likely as they are.
  TreeWorld(const Tree& tree, int player, const double* strategy, const double* belief = nullptr);

  Episode begin(Philox& random) const {
    Episode episode;
    move_on(episode.real, random);
    return episode;
  }
  void draw(const Episode& episode, Philox& random, History& history) const {
    history = draw_from(place(episode.real).infoset, random);
  }
  void act(Episode& episode, int action, Philox& random) const { act(episode.real, action, random); }
  void act(History& history, int action, Philox& random) const {
    history.block = tree_.edge_block[tree_.block_edge[history.block] + action];
    move_on(history, random);
  }
  SearchPlace place(const History& history) const {
    if (tree_.block_player[history.block] == kTerminal) return {};
    const int32_t infoset = row(history);
    return {infoset, tree_.infoset_slot[infoset], tree_.infoset_stride[infoset], tree_.infoset_size[infoset]};
  }
  double payoff(const History& history) const {
    return tree_.returns[int64_t{row(history)} * tree_.num_players + player_];
  }
  std::pair<double, double> bounds(const Episode& episode) const { return bounds_[row(episode.real)]; }
  const History& real(const Episode& episode) const { return episode.real; }

  const Tree& tree() const { return tree_; }
  int player() const { return player_; }
  int64_t num_infosets() const { return tree_.num_infosets; }
  int64_t num_slots() const { return tree_.num_slots; }
  int most_actions() const { return most_actions_; }

  // What the player believes in one of its information sets: histories, each with its chance times the opponent's.
  struct Belief {
    const History* histories;
    const double* cumulative;  // [number] sums of weights
    int64_t number;
    double total() const { return number == 0 ? 0.0 : cumulative[number - 1]; }
  };
  Belief belief(int64_t infoset) const {
    const int64_t first = first_history_[infoset];
    return {histories_.data() + first, cumulative_.data() + first, first_history_[infoset + 1] - first};
  }
  History draw_from(int64_t infoset, Philox& random) const;

 private:
  int32_t row(const History& history) const { return tree_.node_row[tree_.block_start[history.block] + history.lane]; }
  // By draws of chance and of the opponent, up to a decision of the player or the end.
  void move_on(History& history, Philox& random) const;
  void weigh_histories(const double* belief);
  void find_bounds();

  const Tree& tree_;
  int player_;
  int most_actions_ = 1;
  std::vector<double> strategy_;        // [S]
  std::vector<double> chance_sum_;      // [C] sums of the probabilities of a chance node up to each edge
  std::vector<int64_t> first_history_;  // [I + 1] of the player's information sets
  std::vector<History> histories_;
  std::vector<double> cumulative_;                 // of the weights within the information set
  std::vector<std::pair<double, double>> bounds_;  // [I] the least and the most that can still be won there
};

}  // namespace nashgap
