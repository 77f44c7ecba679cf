// An abstract game: betting tree x card buckets, and where the entries of its information sets lie.
//
// An entry is one action of one bucket at one node. All that a seat decides with one bucket within one betting round,
// from the round's start on, lies together: [round][start of the round][seat][bucket][node][action]. A walk of the tree
// goes through all own nodes of a round with one bucket, so it finds them in a few cache lines instead of one each.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "abstraction/card_abstraction.h"
#include "abstraction/dealer.h"
#include "poker/betting_tree.h"

namespace nashgap {

// One seat's cards as one abstraction sees them.
struct Lens {
  int seat;
  std::shared_ptr<const CardAbstraction> cards;
};

// cards[seat][n]: the abstraction while n seats are in the hand, 2 <= n <= num_seats; others are not looked at.
using CardsBySeat = std::vector<std::vector<std::shared_ptr<const CardAbstraction>>>;

class AbstractGame {
 public:
  // All that a visit needs of a node, in one piece of memory.
  struct Node {
    int64_t offset;       // of its first bucket's entries
    uint32_t first_edge;  // in the tree
    uint32_t stride;      // entries from one bucket to the next
    uint8_t seat, num_actions, round, lens;
    uint8_t num_folds, first_raise;  // as in the tree

    int64_t entry(int64_t bucket) const { return offset + bucket * stride; }
  };
  static constexpr int kMaxActions = 32;

  AbstractGame(std::shared_ptr<const Rules> rules, std::shared_ptr<const BettingAbstraction> betting,
               std::shared_ptr<const BettingTree> tree, const CardsBySeat& cards, Ranges ranges);

  const Rules& rules() const { return *rules_; }
  const BettingAbstraction& betting() const { return *betting_; }
  const BettingTree& tree() const { return *tree_; }
  const Dealer& dealer() const { return dealer_; }
  // Of seats that decide something; others have no lens.
  const std::vector<Lens>& lenses() const { return lenses_; }
  bool decides(int seat) const;
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& node(int64_t number) const { return nodes_[number]; }
  int64_t num_buckets(const Node& node) const { return lenses_[node.lens].cards->num_buckets(node.round); }
  // Entries of round r are entry_start(r) .. entry_start(r + 1) - 1.
  int64_t entry_start(int round) const { return entry_start_[round]; }
  int64_t num_entries() const { return entry_start_[tree_->num_rounds]; }
  int64_t num_infosets() const { return num_infosets_; }

 private:
  void add_lenses(const CardsBySeat& cards);
  void place_entries(const CardsBySeat& cards);

  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<const BettingAbstraction> betting_;
  std::shared_ptr<const BettingTree> tree_;
  Dealer dealer_;
  std::vector<Lens> lenses_;
  std::vector<Node> nodes_;
  std::array<int64_t, kMaxRounds + 1> entry_start_{};
  int64_t num_infosets_ = 0;
};

// Everybody's bucket in every round of one deal: buckets[lens][round].
using DealBuckets = std::vector<std::array<int32_t, kMaxRounds>>;
// hole_cards: seat by seat; board: all of it.
void deal_buckets(const AbstractGame& game, const uint8_t* hole_cards, const uint8_t* board, DealBuckets& buckets);

}  // namespace nashgap
