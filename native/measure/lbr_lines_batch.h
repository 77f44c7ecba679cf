// All lines of the betting on many boards, each board finished as soon as all its answers are there.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "measure/lbr_lines.h"

namespace nashgap {

// What LBR won on a board from one seat, per pair of hands that can meet: by the round of the last action.
struct LineSums {
  std::array<double, kMaxRounds> mass{};  // adds up to 1
  std::array<double, kMaxRounds> chips{};
  std::array<double, kMaxRounds> luck{};  // of the cards of a round, and of lines that were drawn then; 0 as a mean

  double total() const {
    double sum = 0.0;
    for (const double each : chips) sum += each;
    return sum;
  }
};

// One pair of hands that came to the end of a line.
struct LineExample {
  int64_t deal = -1;
  int32_t own = -1, other = -1;  // hands, by place
  double chips = 0.0;            // that LBR won with them
  double weight = 0.0;           // what the line won on that board
};

// What is told apart for a report of leaks. C classes of the opponent's hands.
struct LineTallies {
  struct Ending {
    int64_t deal;
    int32_t line;
    double mass, chips;
  };

  int num_classes = 0;
  std::vector<int8_t> class_of;                      // [deals, rounds, hands] by what lies at the last action; -1: none
  std::unordered_map<std::string, int32_t> line_of;  // by seat and betting
  std::vector<std::string> lines;                    // "seat betting"
  std::vector<LineExample> examples;                 // [lines]
  std::vector<Ending> endings;
  std::vector<double> by_line;  // [lines, C, 2] mass and chips
  std::vector<double> by_deal;  // [deals, C, 2] of both seats
};

// A complete board and what is drawn on it.
struct LineDeal {
  std::vector<uint8_t> board;
  LineDraws draws;
};

struct LineLimits {
  // Lines with less at stake are drawn: followed as often as their stake is of this, and counted the more. In chips; 0:
  // all lines are followed.
  double least_stake;
  int64_t most_nodes;  // of the betting on one board from one seat
  bool finds_luck;     // whether the luck of cards is found
};

// Classes of the opponent's hands, for tallies.
struct LineClasses {
  int number;
  std::vector<int8_t> of;  // [deals, rounds, hands] by what lies at the last action; -1: none
};

class LbrLinesBatch {
 public:
  static constexpr int kSeats = 2;

  // classes: none where nothing is told apart.
  LbrLinesBatch(std::shared_ptr<const Rules> rules, LbrOptions options, std::shared_ptr<RangedOpponent> opponent,
                std::shared_ptr<const PreflopChances> preflop, std::vector<LineDeal> deals, LineLimits limits,
                std::optional<LineClasses> classes);

  // Walks all boards as far as answers are there. Whether all are finished, or it is known that they do not fit.
  bool advance();
  // Whether a board had more nodes than allowed.
  bool is_too_large() const { return is_too_large_; }

  int64_t num_queries() const { return lines_.num_queries(); }
  int64_t num_nodes() const { return num_nodes_; }
  // [deals][seats]
  const std::vector<std::array<LineSums, kSeats>>& sums() const { return sums_; }
  const LineTallies& tallies() const { return tallies_; }

 private:
  // The lines that are not finished: before the first board card, or of one board and one seat.
  struct Walk {
    std::vector<LineNode> open, waiting;
    std::vector<LineNode> later;  // that come to a later round
    std::vector<LineNode> ended;  // sorted once all are there
    int64_t num_nodes = 0;
    bool is_begun = false, is_finished = false;
  };

  bool is_before_board(const LineNode& node) const;
  bool go_on(Walk& walk, std::vector<LineNode>* entries, LineSums* sums);
  double stake_of(const LineNode& node) const;
  double lead_of(const std::vector<LineNode>& nodes);
  void draw(std::vector<LineNode>& nodes, Philox random);
  void enter_round(Walk& walk, LineSums& sums);
  bool walk_trunk(int seat);
  void sort_ended(Walk& walk) const;
  void finish(int64_t deal, int seat, Walk& walk);
  void count(int64_t deal, int seat, const LineNode& node, const LineEnding& ending);
  void tally(int64_t deal, int seat, int round, const LineNode& node, const LineEnding& ending);
  LineExample example_of(int64_t deal, int seat, const LineNode& node, const LineEnding& ending) const;

  std::shared_ptr<const Rules> rules_;
  int num_chosen_cards_;
  std::shared_ptr<RangedOpponent> opponent_;
  LbrLines lines_;
  WinChances chances_;
  std::vector<LineDeal> deals_;
  LineLimits limits_;
  std::optional<LineClasses> classes_;

  std::array<Walk, kSeats> trunks_;
  std::array<std::vector<LineEnding>, kSeats> trunk_endings_;  // of trunks' lines that no board changes, else empty
  std::array<std::vector<LineNode>, kSeats> entries_;          // where the trunk comes to a board
  std::array<std::optional<double>, kSeats> lead_;             // of the entries
  std::vector<std::array<Walk, kSeats>> walks_;                // [deals]
  std::vector<int64_t> open_;                                  // deals that are not finished
  std::vector<std::array<LineSums, kSeats>> sums_;
  LineTallies tallies_;
  std::vector<LineNode> children_;
  int64_t num_nodes_ = 0;
  bool is_too_large_ = false;
};

}  // namespace nashgap
