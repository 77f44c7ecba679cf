// Real betting followed in an abstract betting tree. See nashgap/strategies/translation.py for what is done and why.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "abstraction/abstract_game.h"

namespace nashgap {

// How a raise that the tree does not have is shared between its neighbours there.
enum class Translation : uint8_t { kHard = 0, kSoft = 1, kPseudoHarmonic = 2 };

// The share of the smaller neighbour; sizes are fractions of the pot, 0 <= smaller < size < larger.
double smaller_share(Translation translation, double smaller, double larger, double size);

// A decision as one path through the tree shows it.
struct TreePlace {
  static constexpr int32_t kCallOn = -1;   // the path has ended or is ahead: check or call
  static constexpr int32_t kOffTree = -2;  // somebody has raised in this round when the path had no raise left

  double weight;
  int32_t node;                                           // or one of the above
  std::array<Action, AbstractGame::kMaxActions> actions;  // the real action of each edge of the node
};

// Where a real betting history may stand in the tree, action by action. As long as the history is in the tree this is
// one node; after that it is a set of weighted paths.
//
// Several abstract games can share a hand: each begins behind the prefix of its tree, in the place of the one before. A
// raise of the prefix is one that hard translation takes for it, whatever the translation behind it.
class BettingWalk {
 public:
  // games: of the same rules; they must outlive the walk.
  BettingWalk(std::vector<const AbstractGame*> games, Translation translation);

  // The seat to act in the state does this.
  void follow(const BettingState& before, Action action);
  // All that was done in a hand; goes on from where the walk stands if that is on the way.
  void follow_to(std::span<const PastAction> history);
  // Where the other walk stands, which is of the same game.
  void stand_at(const BettingWalk& other);
  // The game that is played now, by its place among those given; -1 where none has begun.
  int segment() const { return segment_; }
  // The decision in the state that the actions led to; valid until the walk moves on. The weights add up to 1. Where no
  // game has begun, calls.
  // has_actions: whether the real actions are wanted.
  const std::vector<TreePlace>& places(const BettingState& now, bool has_actions = true);

 private:
  static constexpr size_t kMaxPaths = 256;

  struct Path {
    double weight;
    int32_t target;       // in the tree: a node, or -1 - ending
    int8_t excess_round;  // the last round in which a raise had no place; -1
    BettingState state;   // the abstract betting
  };

  // Two edges that a raise lies between, by their place among the options, and the share of the smaller one; -1: none.
  struct Neighbours {
    int smaller, larger;
    double smaller_share;
  };

  void restart();
  void begin(int segment);
  bool begin_next(const BettingState& before, Action action);
  bool is_taken_for(const AbstractGame& game, BettingState& abstract) const;
  const std::vector<Action>& options_at(const BettingState& state);
  int exact_edge(const BettingState& before, Action action);
  bool catch_up(Path& path, const BettingState& real);
  void follow_path(Path path, const BettingState& before, Action action);
  void follow_raise(Path path, const BettingState& before, Action action);
  void take(Path path, int edge);
  void advance(Path& path, int edge);
  Neighbours neighbours(const BettingState& abstract, const std::vector<Action>& options, const BettingState& before,
                        Action action, Translation translation) const;
  bool is_open_to_call(const BettingState& abstract) const;
  Action real_action(const BettingState& abstract, Action action, const BettingState& real,
                     const LegalActions& legal) const;
  void drop_lightest();

  std::vector<const AbstractGame*> games_;  // pointers, so that walks can be assigned
  size_t longest_prefix_ = 0;
  Translation translation_;
  const AbstractGame* game_;  // one of them: the one that is played, or the first before that
  int segment_ = -1;
  bool has_plain_edges_;  // limit: fold, call, raise
  bool is_exact_ = true;  // the history is in the tree, at target_
  int32_t target_;
  std::vector<Path> paths_, next_;  // if it is not
  std::vector<Action> followed_;    // so far
  std::vector<PastAction> begun_;   // of it, as much as prefixes are long; where raises have sizes
  const AbstractGame* options_game_ = nullptr;
  BettingState options_state_;
  std::vector<Action> options_;  // of that state in that game: asked for several times in a row
  std::vector<TreePlace> places_;
};

}  // namespace nashgap
