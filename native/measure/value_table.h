// What a seat wins on average after some betting, by the class of hands: learned from hands that were played, and asked
// for other ones. See nashgap/measures/hand_values.py.
//
// A value is a share: what a seat wins from here on, with what it has put in so far, of the pot as it is. Two seats: a
// cell for each pair of classes. More: a cell for each seat and class, whose deviations from the mean add up. A node
// that was met rarely is drawn towards a coarser one that has its round, who acts, and what is to be called.
//
// What a hand is worth at a node is taken to be what it is worth at the next one, so that all hands that came by there
// count, not only those that came by both.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "measure/hand_classes.h"
#include "poker/state.h"

namespace nashgap {

// How the hands of a seat are spread over the classes; adds up to 1.
using ClassMass = std::array<double, kNumHandClasses>;

// Names the betting so far. Sizes of raises are told apart roughly, as fractions of the pot.
class BettingKey {
 public:
  explicit BettingKey(uint64_t arrangement) : path_(arrangement) {}
  // The seat to act is about to do this.
  void act(const Rules& rules, const BettingState& before, Action action);

  uint64_t fine(int num_board_cards) const;
  static uint64_t coarse(const Rules& rules, const BettingState& state, int num_board_cards);

 private:
  uint64_t path_;
};

// The cells of one node, in shares of its pot.
struct NodeValues {
  int num_seats;
  std::array<double, kMaxSeats> mean{};  // more than two seats
  std::vector<double> cells;             // [C, C] of the first seat; or [seats, C, seats]

  // shares[seats], of hands so spread; folded seats, a bit each, have none.
  void shares(const ClassMass* mass, uint32_t folded, double* shares) const;
};

class ValueTable {
 public:
  ValueTable(std::shared_ptr<const Rules> rules, std::shared_ptr<const HandClasses> classes)
      : rules_(std::move(rules)), classes_(std::move(classes)) {}

  // A finished hand: hole cards seat by seat, then the board. arrangement: who sits where, as a number.
  void note_hand(const PublicState& hand, const uint8_t* cards, uint64_t arrangement);
  // Finds the values by the hands noted so far, and forgets the hands.
  void settle();
  // Those of a node.
  void find(const BettingKey& key, const BettingState& state, int num_board_cards, NodeValues& values) const;

  // Whether no hands were noted since the values were found.
  bool is_settled() const { return first_visit_.size() == 1; }

  const Rules& rules() const { return *rules_; }
  const std::shared_ptr<const Rules>& shared_rules() const { return rules_; }
  const HandClasses& classes() const { return *classes_; }
  int64_t num_nodes() const { return static_cast<int64_t>(fine_.size()); }

 private:
  static constexpr size_t kMaxNodes = 1 << 16;  // further ones have their coarse node alone
  static constexpr double kPriorHands = 4.0;    // that the coarser value counts for

  struct Cells {
    std::vector<double> count;             // [cells]
    std::vector<double> sums;              // [cells, shares]
    std::vector<double> values;            // [cells, shares]; of fine nodes, once they are settled
    std::array<double, kMaxSeats> mean{};  // of the values over the hands that were met; more than two seats
  };
  // Where a hand came by.
  struct Visit {
    int32_t fine, coarse;    // nodes; -1: none
    uint32_t folded;         // a bit a seat
    const int32_t* spent;    // [seats]
    const uint8_t* classes;  // [seats]
  };

  bool is_heads_up() const { return rules_->num_seats == 2; }
  int num_cells() const { return kNumHandClasses * (is_heads_up() ? kNumHandClasses : rules_->num_seats); }
  int num_shares() const { return is_heads_up() ? 1 : rules_->num_seats; }
  Visit visit(int64_t number) const;
  void note(const BettingKey& key, const BettingState& state, int num_board_cards, const uint8_t* cards);
  int32_t node(std::unordered_map<uint64_t, int32_t>& numbers, std::vector<Cells>& nodes, uint64_t key);
  void add(Cells& cells, const Visit& visit, const double* chips) const;
  void chips_at(const Visit& visit, double* chips) const;
  void draw_towards(const Cells& cells, bool has_shift, std::vector<double>& values) const;
  void start_even(uint32_t folded, std::vector<double>& values) const;
  void find_mean(const Cells& cells, const std::vector<double>& values, double* mean) const;

  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<const HandClasses> classes_;
  std::unordered_map<uint64_t, int32_t> fine_, coarse_;
  std::vector<Cells> fine_cells_, coarse_cells_;
  // Of the hands noted so far; visits in a row, hand after hand.
  std::vector<std::array<int32_t, 2>> visited_;  // nodes, fine and coarse
  std::vector<uint16_t> folded_;
  std::vector<int32_t> spent_;           // [visits, seats]
  std::vector<uint8_t> seat_classes_;    // [visits, seats]
  std::vector<int64_t> first_visit_{0};  // of each hand
  std::vector<double> worth_;            // [hands, seats] what was won, in chips
};

}  // namespace nashgap
