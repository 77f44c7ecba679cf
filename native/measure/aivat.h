// Winnings of a finished hand with less luck in them (AIVAT: Burch et al. 2018). See nashgap/measures/aivat.py.
//
// An observer knows the betting, the board and the cards of the seats that are not averaged. At each step that is drawn
// by known chances, a card or an action of a known seat, the value after it is compared with the mean of what could
// have come; the difference is luck and is taken off. At the end the hand counts as the mean over the hands that the
// averaged seats may hold by then. Whatever the values are, the mean over all hands stays what it is.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "measure/hand_policies.h"
#include "measure/value_table.h"
#include "random/philox.h"
#include "ranges/board_hands.h"

namespace nashgap {

inline constexpr uint8_t kHiddenCard = 255;

struct AivatOptions {
  bool has_averages = true;   // over the hands of known seats, of up to two
  bool has_decisions = true;  // luck of the actions of known seats is taken off
  bool has_chance = true;     // and that of the cards
  int num_boards = 16;        // that are drawn where several cards come at once
  int num_runouts = 32;       // that are drawn where two cards or more are missing at a showdown
};

// A hand to be corrected.
struct PlayedHand {
  const PublicState& state;  // at its end
  const uint8_t* cards;      // hole cards seat by seat, then the board; kHiddenCard where they are not known
  const int8_t* agents;      // [seats]
  uint64_t arrangement;      // as ValueTable::learn was told
  const double* payoffs;     // [seats] chips that were won
  uint64_t seed, deal, seating;
};

class Aivat {
 public:
  enum class Outcome : uint8_t { kDone, kMissing, kImpossible };

  // policies: [agents], null for those that are not known.
  Aivat(std::shared_ptr<const ValueTable> values, std::vector<std::shared_ptr<HandPolicies>> policies,
        AivatOptions options);

  // corrected: [seats] chips. kMissing: a policy has to be told first. kImpossible: a known seat never takes the action
  // of that number in the hand.
  Outcome correct(const PlayedHand& hand, double* corrected);
  int impossible_action() const { return impossible_action_; }
  int impossible_seat() const { return impossible_seat_; }

  const Rules& rules() const { return rules_; }
  const ValueTable& values() const { return *values_; }
  const std::shared_ptr<const Rules>& shared_rules() const { return values_->shared_rules(); }
  int num_agents() const { return static_cast<int>(policies_.size()); }

 private:
  enum class Seat : uint8_t { kAveraged, kShown, kHidden };
  using Chips = std::array<double, kMaxSeats>;
  // Weights of the averaged seats' hands beside those that the others can hold, and their sum.
  struct Joint {
    std::array<std::vector<double>, 2> weights;
    double total = 1.0;
  };

  using Weights = std::array<const double*, 2>;  // of the averaged seats' hands, by their number

  bool has_policies(const PublicState& end) const;
  void sit_down(const PlayedHand& hand);
  void see_board(int num_board_cards);

  void take_off_deal(double* corrected);
  void take_off_cards(const BettingState& state, int num_board_cards, double* corrected);
  bool take_off_action(const PublicState& before, Action action, double* corrected);
  void count_ending(const BettingState& end, double* corrected);

  void weigh(const Weights& weights, uint64_t blocked, Joint& joint) const;
  void spread(int seat, const double* weights, const uint8_t* classes, ClassMass& mass) const;
  void spread_all(const uint8_t* classes);
  void node_chips(const BettingState& state, const ClassMass* mass, Chips& chips) const;
  void value_after(const BettingKey& key, const BettingState& after, int seat, const double* weights, Chips& chips);

  bool can_show_down(const BettingState& end) const;
  void show_down(const BettingState& end, const uint8_t* board, const Weights& weights, Chips& chips);
  void meet(const uint8_t* board, const Weights& weights);
  void compare(const std::array<int, 2>& active, const uint8_t* board, const Weights& weights);
  void show_down_many(const BettingState& end, Chips& chips);
  void add_payoffs(const BettingState& end, const uint16_t* strength, double weight, Chips& chips) const;
  uint16_t strength(const uint8_t* hole_cards, const uint8_t* board) const;

  // Goes through the boards of so many cards that may come now, or draws some; tells each with its chance.
  template <typename Tell>
  void each_board(int num_board_cards, int num_drawn, Tell tell);
  void weigh_cards(double* chances) const;
  void prepare_draws();
  uint64_t draw_hands();
  int draw_place(const std::vector<double>& cumulative);

  Weights ranges() const { return {ranges_[averaged_[0]].data(), ranges_[averaged_[1]].data()}; }
  const uint8_t* hole_cards(int seat) const { return hand_->cards + seat * rules_.num_hole_cards; }
  int place_of(int seat) const { return rules_.hand_place(hole_cards(seat)); }

  std::shared_ptr<const ValueTable> values_;
  const Rules& rules_;
  const HandClasses& classes_;
  std::vector<std::shared_ptr<HandPolicies>> policies_;
  AivatOptions options_;
  BoardHands board_hands_;
  std::vector<uint8_t> deck_;
  std::vector<uint64_t> bits_;  // [hands] of their cards

  // The hand.
  const PlayedHand* hand_ = nullptr;
  std::array<Seat, kMaxSeats> kinds_{};
  std::array<HandPolicies*, kMaxSeats> known_{};  // by seat
  std::array<int, 2> averaged_{};                 // seats
  int num_averaged_ = 0;
  std::array<std::vector<double>, kMaxSeats> ranges_;  // weights of the averaged seats' hands
  std::array<uint8_t, kMaxHandCards> board_{};         // all of it that is known
  int num_board_cards_ = 0;                            // dealt so far
  uint64_t shown_ = 0, dead_ = 0;                      // cards of the seats that are shown, and with those of the board
  BettingKey key_{0};
  Philox random_{0, 0, 0, 0};
  std::vector<uint8_t> now_, then_;  // [hands] classes on the board, and on one that could come
  std::array<ClassMass, kMaxSeats> mass_{};
  Joint joint_, joint_at_end_;
  std::array<std::vector<double>, 2> cumulative_;
  std::vector<std::vector<double>> after_;  // [moves][hands]
  NodeValues node_;
  std::array<uint8_t, kMaxHandCards> met_board_{};  // of board_hands_
  bool has_met_ = false;
  std::array<std::vector<double>, 2> reach_;
  std::vector<double> met_;
  double won_ = 0.0, tied_ = 0.0, all_ = 0.0;  // by the first of two seats: weights
  int impossible_action_ = -1, impossible_seat_ = kNobody;
};

}  // namespace nashgap
