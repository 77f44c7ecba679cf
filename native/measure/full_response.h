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

#include "measure/known_strategy.h"
#include "measure/street_group.h"
#include "ranges/board_tree.h"
#include "ranges/street.h"

namespace nashgap {

// A decision of a player in the betting before the board: after `sequence` it has the sequences first .. first + number
// - 1.
struct TrunkNode {
  int32_t node;  // of the betting tree
  int32_t sequence, first, number;
};

// The decisions of a player in a street, in their order.
std::vector<TrunkNode> trunk_of(const Street& street, int player);

// What comes of one board, in chips, each pair of hands that can be dealt counted once.
struct BoardResponse {
  // [sequences][private hands] of each player in the betting before the board: what the hand wins where the betting
  // ends or goes on after that sequence, if it answers best from the board on. In the order of Rules::hand_place.
  std::array<std::vector<double>, 2> payoffs;
  double value = 0.0;  // what the first player wins if both play the strategy
};

class FullResponse {
 public:
  // has_isomorphism: boards that suits alone tell apart are one, where hands that suits alone tell apart are of the
  // same classes before any card lies.
  FullResponse(std::shared_ptr<const Rules> rules, const BettingTree& tree,
               std::shared_ptr<const KnownStrategy> strategy, bool has_isomorphism);

  // The decisions of a player in the first betting round, which comes before boards of the second.
  std::vector<TrunkNode> trunk(int player) const { return trunk_of(streets_[0], player); }
  int32_t num_sequences(int player, int round) const { return round == 0 ? 1 : 1 + streets_[0].num_slots[player]; }

  // The board is that of the first or of the second round; before it lie no decisions, or those of the first.
  // most_next: walk only so many of the boards that follow, to find out how long it takes; 0: all.
  BoardResponse respond(const std::vector<uint8_t>& board, int round, int most_next) const;

  const Rules& rules() const { return *rules_; }

 private:
  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<const KnownStrategy> strategy_;
  std::vector<Street> streets_;
  std::vector<StreetGroup> groups_;
  bool has_isomorphism_;
};

}  // namespace nashgap
