// What every hand wins against a range over the boards to come: all hands at once, some ranges side by side.
//
// On a complete board one pass over the hands in order of strength finds it; with one card to come, a pass for each.
// With more, a table of the chances of all pairs of hands is made for the board so far. Hands that share a card cannot
// meet and are taken off by inclusion and exclusion, or have no chance in the table.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "poker/private_hands.h"
#include "poker/rules.h"
#include "ranges/points_sweep.h"
#include "ranges/win_chances.h"

namespace nashgap {

// Up to four ranges of one player and what the other's hands find against them. Arrays: [hands][kLanes], by place.
struct RangeLanes {
  static constexpr int kLanes = kSweepLanes;

  explicit RangeLanes(int num_hands) : reach(size_t{kLanes} * num_hands), mass(reach.size()), winning(reach.size()) {}

  std::vector<double> reach;    // given; 0 for hands that share a card with the board
  std::vector<double> mass;     // of the hands that can meet one
  std::vector<double> winning;  // the same, times its chance to win against each, ties half
};

class RangeEquity {
 public:
  // Games of 1 or 2 hole cards. preflop: see WinChances.
  RangeEquity(const Rules& rules, std::shared_ptr<const PreflopChances> preflop);

  // All of the board. What was made for a board that begins alike is kept, as far as it does.
  void deal(const uint8_t* board);
  // Whether chances with so many cards dealt are found in less than a second.
  bool is_affordable(int num_dealt) const;
  // The mass and winnings of some hands, by place, with so many cards of the board dealt.
  void find(int num_dealt, const std::vector<int32_t>& hands, RangeLanes& lanes);
  void find_mass(const std::vector<int32_t>& hands, RangeLanes& lanes) const;

  const PrivateHands& hands() const { return hands_; }
  int num_hands() const { return num_hands_; }

 private:
  // What is made for the first so many cards of the board.
  struct Dealt {
    bool is_made = false;
    std::vector<OrderedHands> boards;  // all that are complete after at most one card more
    std::vector<int32_t> places;       // of the hands that are left, where pairs are
    std::vector<int32_t> row_of;       // [hands] among them; -1
    std::vector<double> pairs;         // [places][places]
  };

  int num_to_come(int num_dealt) const { return num_board_cards_ - num_dealt; }
  bool is_left(int place, int num_dealt) const;
  Dealt& made(int num_dealt);
  void make_boards(int num_dealt, Dealt& dealt) const;
  void make_pairs(int num_dealt, Dealt& dealt) const;
  template <int kNumHoleCards>
  void add_mass(const std::vector<int32_t>& hands, RangeLanes& lanes) const;

  const Rules& rules_;
  WinChances chances_;
  bool has_preflop_table_;
  PrivateHands hands_;
  int num_hands_, num_board_cards_;
  AddPoints add_points_;
  std::vector<uint8_t> board_;
  std::vector<Dealt> dealt_;  // [board cards + 1]
};

}  // namespace nashgap
