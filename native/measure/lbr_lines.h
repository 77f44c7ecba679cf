// Local Best Response with all of its hands at once, heads-up. See nashgap/measures/lbr_lines.py.
//
// LBR takes one action with each hand, so its hands are shared out among the lines of the betting, while the opponent's
// come to each of them with some reach; neither depends on what the other holds. What a strategy answers about all its
// hands is used for all pairs of hands that can meet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "measure/local_best_response.h"
#include "measure/ranged_opponent.h"
#include "random/philox.h"
#include "ranges/range_equity.h"

namespace nashgap {

// Where a line of the betting stands, and who comes there.
struct LineNode {
  BettingState state;
  std::vector<PastAction> history;
  std::vector<int32_t> hands;  // of LBR, by place
  std::vector<double> reach;   // [hands] of the opponent
  int num_board_cards = 0;     // that the hands of both leave
  double weight = 1.0;         // more than 1 where it was drawn
};

// How a line ended. Sums over pairs of hands that can meet, each once.
struct LineEnding {
  int num_board_cards = 0;  // that the pairs leave
  double mass = 0.0;
  double chips = 0.0;              // that LBR won
  std::vector<double> mass_with;   // [hands] by the opponent's
  std::vector<double> chips_with;  // [hands]
};

// What names the draws of a board.
struct LineDraws {
  uint64_t seed, deal;
};

class LbrLines {
 public:
  // The opponent must outlive this. preflop: see WinChances.
  LbrLines(std::shared_ptr<const Rules> rules, LbrOptions options, RangedOpponent& opponent,
           std::shared_ptr<const PreflopChances> preflop);

  // LBR sits there; the board is all of it, and stays. draws: names what is drawn by line for this board; where it is
  // none, a strategy that raises by any size of a range is not followed.
  void sit_down(int seat, const uint8_t* board, std::optional<LineDraws> draws);
  LineNode root() const;
  // The cards that lie when the seat to act does so; those of a round without board cards are no more than before.
  void see_board(LineNode& node) const;
  // All that may be done next and comes with some pair of hands. False where an answer is missing.
  bool expand(const LineNode& node, std::vector<LineNode>& children);
  // Whether sizes had to be drawn, and could not be.
  bool lacks_draws() const { return lacks_draws_; }
  // The draws of a line, or of something else that has a name.
  Philox random_of(const std::vector<PastAction>& history, uint64_t purpose) const;
  // What LBR wins where the betting is over. Endings of neighbours are found together.
  std::vector<LineEnding> finish(std::span<LineNode> nodes);
  // The chances of LBR's hands to win less those to lose, over pairs of hands that come to each node; beside as many
  // board cards as all have seen.
  std::vector<double> leads(std::span<const LineNode> nodes);
  // Pairs of hands that come to a node.
  double mass_of(const LineNode& node);
  // As many board cards as endings of a round are counted by.
  int counted_cards(const LineNode& node) const;

  // Pairs of hands that can meet beside so many board cards.
  double num_pairs(int num_board_cards) const;
  int seat() const { return seat_; }
  int64_t num_queries() const { return num_queries_; }
  const RangeEquity& equity() const { return equity_; }

 private:
  // Chips beyond folding now, where everybody checks from then on: chance to win * pot - cost.
  struct Stakes {
    double pot, cost;
  };
  // A raise in answer to a bet, to which LBR folds or calls.
  struct RaiseAnswer {
    Action raise_to;
    double if_folded;
    Stakes if_called;
    std::vector<AnswerPart> parts;
  };
  // What LBR looks at before it takes an action.
  struct Considered {
    Action action;
    double tie;  // a value must be larger by so much to be preferred
    Stakes if_called;
    double if_folded;
    std::vector<AnswerPart> folds;  // none where nobody needs to answer
    std::vector<RaiseAnswer> raises;
  };

  void remove_cards(LineNode& node, int num_board_cards) const;
  LineEnding ending_of(const LineNode& node, int lane) const;
  bool expand_own(const LineNode& node, std::vector<LineNode>& children);
  bool expand_other(const LineNode& node, std::vector<LineNode>& children);
  bool consider(const LineNode& node);
  bool consider_answers(const LineNode& node, const BettingState& after, Considered& considered);
  Stakes stakes(const LineNode& node, const BettingState& state) const;
  Action best_action(const LineNode& node, int32_t hand) const;
  double value_of(const Considered& considered, int32_t hand) const;
  void find_lanes(const LineNode& node);
  RangeSums sums_of(int lane, int32_t hand) const;
  Situation situation(const BettingState& state, const std::vector<PastAction>& history, int num_board_cards) const;

  std::shared_ptr<const Rules> rules_;
  LbrOptions options_;
  RangedOpponent& opponent_;
  RangeEquity equity_;
  int num_hands_;

  int seat_ = 0;
  const uint8_t* board_ = nullptr;
  std::optional<LineDraws> draws_;
  bool lacks_draws_ = false;

  // While actions are considered.
  std::vector<Action> actions_;
  std::vector<Considered> considered_;
  std::vector<PastAction> ahead_;
  AnswerLanes answers_;
  std::vector<RangeLanes> lanes_;  // all hands, then those of the answers' lanes
  HandPolicy policy_;
  std::vector<int32_t> others_;

  int64_t num_queries_ = 0;
};

}  // namespace nashgap
