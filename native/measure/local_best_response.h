// Local Best Response (Lisy & Bowling 2016): plays against strategies that tell what they do with every hand, and wins
// what a legal player can win: a lower bound on what a best response wins. See nashgap/measure/local_best_response.py.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "measure/ranged_opponent.h"
#include "poker/betting_abstraction.h"
#include "poker/private_hands.h"
#include "poker/state.h"
#include "ranges/win_chances.h"

namespace nashgap {

struct LbrOptions {
  std::shared_ptr<const BettingAbstraction> bets;  // that are considered
  uint32_t active_rounds = ~0u;                    // a bit a round; in others it checks and calls
  // Heads-up, whether raises in answer to its bets are looked at too, which LBR would fold or call to.
  bool sees_raises = false;
  // Both need two seats. Showdowns count as the mean over all hands that the other may hold by then; all-ins as the
  // mean over the boards to come.
  bool has_imaginary_hands = true;
  bool has_all_in_expectation = true;
  // Board cards that do not come from the whole deck: an all-in counts as the mean over those that follow.
  int num_chosen_cards = 0;
};

// By how much an action must seem better than another to be preferred: values that are equal but for rounding break
// ties the same way however they were added up.
inline double indifference(const BettingState& after) { return 1e-9 * after.max_spent(); }

// Which deal, and in which seating: names the draws of all seats.
struct DealName {
  uint64_t seed, deal, seating;
};

struct LbrHand {
  double chips = 0.0;        // that LBR won
  double dealt_chips = 0.0;  // the same against the hand that the other really held, without imaginary ones
  int end_round = 0;         // of the last action
};

class LocalBestResponse {
 public:
  // opponents: [num_seats - 1], or one more, who plays in LBR's place: what it wins there is what LBR gains on. They
  // must outlive this. preflop: see WinChances.
  LocalBestResponse(std::shared_ptr<const Rules> rules, LbrOptions options, std::vector<RangedOpponent*> opponents,
                    std::shared_ptr<const PreflopChances> preflop);

  // Plays a deal. seating: [num_seats], 0 is LBR and i is opponent i - 1. cards: hole cards seat by seat, then the
  // board. betting: the text of the hand is added to it; or null. False where an answer of an opponent is missing.
  bool play(const int8_t* seating, const uint8_t* cards, const DealName& name, LbrHand& hand, std::string* betting);
  // What LBR does when it is to act.
  bool decide(const int8_t* seating, const PublicState& state, const uint8_t* hole_cards, Action& action);

  int64_t num_queries() const { return num_queries_; }

 private:
  struct Range {
    std::vector<double> weights, winning;  // [hands]
  };

  void sit_down(const int8_t* seating, const uint8_t* hole_cards, const uint8_t* board);
  void remove_card(uint8_t card);
  void see_board(int num_board_cards);
  void find_chances();
  void take(Action action);
  bool choose(Action& action);
  double value_after(const BettingState& state);
  double value_of_answer(const BettingState& state, Action answer);
  double value_of_raise(const BettingState& state, Action raise_to);
  double leaf_value(const BettingState& state) const;
  void finish(const uint8_t* cards, LbrHand& hand);
  Situation situation(const BettingState& state, const uint8_t* hole_cards) const;

  std::shared_ptr<const Rules> rules_;
  LbrOptions options_;
  std::vector<RangedOpponent*> opponents_;
  RangedOpponent* stand_in_;  // null: LBR plays itself
  WinChances win_chances_;
  int num_hands_;
  PrivateHands hands_;

  // The hand that is played.
  int seat_ = 0;                                 // of LBR
  std::array<RangedOpponent*, kMaxSeats> at_{};  // by seat; null for LBR
  std::array<uint8_t, 2> hole_cards_{};
  const uint8_t* board_ = nullptr;
  int num_board_cards_ = 0;  // seen
  BettingState state_;
  std::vector<PastAction> history_;
  std::array<Range, kMaxSeats> ranges_;
  std::vector<double> chances_;  // of LBR's hand against each other
  int chances_board_ = -1;       // board cards that they are for

  // While an action is chosen.
  std::vector<Action> considered_;
  std::array<RangeSums, kMaxSeats> sums_;  // of the hands that are still in
  std::vector<RaiseSums> raises_;
  bool is_answered_ = true;

  int64_t num_queries_ = 0;
};

}  // namespace nashgap
