// Poker for two at the real table as one seat, the responder, meets it, when the other's strategy is known: see
// search/search.h.
//
// What the responder tells apart are the information sets of an abstract game of its own: a node of its betting tree
// and a bucket of its cards. With several levels it also tells apart, in equal steps, how likely its hand is to win
// against what the opponent may hold by then: the belief follows simulations, too, and their showdowns count as the
// mean over it. What it wins is won at the real table all the same. A raise that its tree does not have is taken for
// one that it has (hard translation); where the tree has ended, or has no raise left, it checks or calls.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "measure/ranged_opponent.h"
#include "poker/private_hands.h"
#include "poker/state.h"
#include "ranges/win_chances.h"
#include "search/search.h"
#include "strategies/betting_walk.h"

namespace nashgap {

class PokerWorld {
 public:
  static constexpr bool kMayMiss = true;
  using Cards = std::array<uint8_t, 2 + kMaxHandCards>;  // the responder's, the opponent's, the whole board
  // In a hand of the opponent by its weight: the chance that it has done what was done.
  struct Belief {
    std::vector<double> weights;  // [hands]; 0 for those that share a card with the responder's or the board
    int num_board_cards = 0;      // seen
  };
  struct History {
    Cards cards;
    BettingState betting;
    BettingWalk walk;  // in the responder's tree
    std::vector<PastAction> past{};
    std::array<int32_t, kMaxRounds> buckets{};  // of the responder's hand
    int num_known_rounds = 0;                   // of these
    // The decision that it has come to.
    int32_t node = -1;
    SearchPlace place{};
    std::array<Action, AbstractGame::kMaxActions> actions{};  // at the real table
    Belief belief{};                                          // where there is one level, of real games only
  };
  struct Episode {
    History real;
    std::vector<double> sums;  // [hands] of the belief's weights up to each
  };
  struct Options {
    double unit = 1.0;              // chips to the unit of payoffs
    int num_levels = 1;             // of the chance to win
    bool has_exact_beliefs = true;  // else showdowns count as dealt
  };

  // game: the responder's, a whole tree. preflop: see WinChances.
  PokerWorld(std::shared_ptr<const AbstractGame> game, int seat, std::shared_ptr<RangedOpponent> opponent,
             std::shared_ptr<const PreflopChances> preflop, const Options& options);

  Episode begin(Philox& random);
  void draw(const Episode& episode, Philox& random, History& history) const;
  void act(Episode& episode, int action, Philox& random);
  void act(History& history, int action, Philox& random);
  SearchPlace place(const History& history) const { return history.place; }
  double payoff(const History& history);
  // Check or call: somebody who folds at random learns that nothing is worth a bet.
  int usual_action(const History& history) const {
    const AbstractGame::Node& node = game_->node(history.node);
    return node.first_raise > node.num_folds ? node.num_folds : 0;  // push-fold has no call
  }
  // Of the abstract betting below the decision.
  std::pair<double, double> bounds(const Episode& episode) const { return bounds_[episode.real.node]; }
  const History& real(const Episode& episode) const { return episode.real; }

  const AbstractGame& game() const { return *game_; }
  int seat() const { return seat_; }
  // Those of the abstract game, level by level.
  int64_t num_infosets() const { return first_infoset_.back() * options_.num_levels; }
  int64_t num_slots() const { return game_->num_entries() * options_.num_levels; }
  int most_actions() const { return most_actions_; }
  int num_cards() const { return num_cards_; }

  // What the responder knows when it is to act in the state with these hole cards; the opponent's are left open. As
  // begin and act it throws MissingAnswer where the opponent misses one.
  Episode episode_at(const PublicState& state, const uint8_t* hole_cards);

 private:
  Episode sit_down(const Cards& cards) const;
  // By what the opponent does, up to a decision of the responder or the end. watches: what is believed then.
  void move_on(History& history, Philox& random, bool watches);
  void watch(History& history, Action action);
  void see_board(History& history) const;
  void remove_card(uint8_t card, Belief& belief) const;
  void add_up(Episode& episode) const;
  void take(History& history, Action action) const;
  // Whether the responder has a choice to make.
  bool find_place(History& history);
  int32_t bucket(const CardAbstraction& abstraction, History& history) const;
  bool sees_beliefs() const { return options_.num_levels > 1; }
  // That the responder's hand wins against what it believes in, over all boards to come.
  double chance_to_win(const History& history);
  const std::vector<double>& chances_of(const History& history);
  Situation situation(const History& history, const uint8_t* hole_cards) const;
  // All cards from number `num_dealt` on, of those that are not seen.
  void deal_rest(Philox& random, uint64_t seen, int num_dealt, Cards& cards) const;
  void find_bounds();

  // Chances of a hand on a board; asked for again and again while decisions are thought about.
  struct KnownChances {
    Cards cards{};  // the responder's and the board's, others 0
    int num_board_cards = -1;
    std::vector<double> chances;  // [hands]
  };

  std::shared_ptr<const AbstractGame> game_;
  const Rules& rules_;
  int seat_;
  std::shared_ptr<RangedOpponent> opponent_;
  Options options_;
  PrivateHands hands_;
  std::vector<uint8_t> deck_;
  int num_hole_cards_, num_cards_;  // of a seat, and all that are dealt
  int most_actions_ = 1;
  std::vector<int64_t> first_infoset_;             // [nodes + 1] of the responder's
  std::vector<std::pair<double, double>> bounds_;  // [nodes]
  WinChances win_chances_;
  std::array<std::vector<KnownChances>, kMaxRounds> known_chances_;  // the last of each round and remainder
};

}  // namespace nashgap
