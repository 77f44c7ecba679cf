// Best responses to a strategy over all hands and all boards that may come, in one betting tree of two players.
//
// The public tree of Johanson et al. (2011): the reach of the other player's hands goes down, what each own hand wins
// at best comes up, and boards that suits alone tell apart are one. Nothing is stored but the boards: what the strategy
// does in a street is worked out by classes of hands, once for all boards on which the street is walked in a row.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "measure/asked_strategy.h"
#include "measure/known_strategy.h"
#include "measure/street_group.h"
#include "measure/trunk.h"
#include "ranges/board_tree.h"
#include "ranges/street.h"

namespace nashgap {

// What comes of one board, in chips, each pair of hands that can be dealt counted once.
struct BoardResponse {
  // [sequences][private hands] of each player in the trunk: what the hand wins where the betting ends there or goes on
  // after that sequence, if it answers best from the board on. In the order of Rules::hand_place.
  std::array<std::vector<double>, 2> payoffs;
  double value = 0.0;  // what the first player wins if both play the strategy
};

class FullResponse {
 public:
  // has_isomorphism: boards that suits alone tell apart are one, where hands that suits alone tell apart are of the
  // same classes before any card lies.
  FullResponse(std::shared_ptr<const Rules> rules, const BettingTree& tree,
               std::shared_ptr<const KnownStrategy> strategy, bool has_isomorphism);

  // The betting before boards of a round.
  Trunk trunk(int round) const { return Trunk(groups_, round); }

  // The board is that of a round, its cards in the order of the rounds.
  // most_next: walk only so many of the boards that follow, to find out how long it takes; 0: all. is_narrow: as a
  // machine without wide vectors does, which finds the same numbers.
  BoardResponse respond(const std::vector<uint8_t>& board, int round, int most_next, bool is_narrow) const;

  const Rules& rules() const { return *rules_; }
  const KnownStrategy& strategy() const { return *strategy_; }

 private:
  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<const KnownStrategy> strategy_;
  std::vector<StreetGroup> groups_;
  bool has_isomorphism_;
};

// The same for a strategy that tells what it does board by board: one is entered, then those that follow it, one after
// the other, then it is left. No more is kept of the strategy than it has told last for each round.
class SteppedResponse {
 public:
  SteppedResponse(std::shared_ptr<const Rules> rules, const BettingTree& tree,
                  std::shared_ptr<const AskedStrategy> strategy, const std::vector<uint8_t>& board, int round);
  ~SteppedResponse();

  const BoardTree& boards() const;
  const Trunk& trunk() const;
  // What the strategy does on the board is told by then; for the first board, what it does in the rounds before, too.
  // Throws std::invalid_argument where it is not, and where a board does not follow the last one that was entered, or
  // is not that one when it is left.
  void enter(int64_t board);
  void leave(int64_t board);
  // Once the first board is left.
  BoardResponse found() const;

  const Rules& rules() const { return *rules_; }

 private:
  struct Walk;

  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<const AskedStrategy> strategy_;
  std::unique_ptr<Walk> walk_;
  std::vector<int64_t> path_;  // boards that were entered and not left, from the first on
};

}  // namespace nashgap
