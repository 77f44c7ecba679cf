// Private hands sorted into a few classes by how strong they are on the board so far: what the values of AIVAT tell
// apart of the cards. See nashgap/measures/hand_values.py.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "abstraction/board_places.h"
#include "poker/private_hands.h"
#include "poker/rules.h"

namespace nashgap {

inline constexpr int kNumHandClasses = 16;
inline constexpr uint8_t kNoClass = 255;  // the hand shares a card with the board, or is not of the deck

class HandClasses {
 public:
  // Where each class but the first begins: the share of hands that are weaker. Finer among the strong, which play the
  // large pots.
  static constexpr std::array<double, kNumHandClasses - 1> kCuts = {0.10, 0.20, 0.30, 0.40, 0.50, 0.60,  0.70, 0.77,
                                                                    0.83, 0.88, 0.92, 0.95, 0.97, 0.985, 0.995};

  // By the rank of the cards so far among all hands; any game of one or two hole cards.
  explicit HandClasses(const Rules& rules);
  // Hold'em by tables of strength: levels: by street [boards, kNumHands] as in strength_tables.h, must outlive this;
  // cuts: by street, the first level of each class but the first.
  HandClasses(const Rules& rules, const std::array<const uint16_t*, kNumStreets>& levels,
              const std::array<std::array<uint16_t, kNumHandClasses - 1>, kNumStreets>& cuts);

  const Rules& rules() const { return rules_; }
  const PrivateHands& hands() const { return hands_; }
  // classes[private hands] on the first cards of a board.
  void all(const uint8_t* board, int num_board_cards, uint8_t* classes) const;
  // That of one hand, which shares no card with the board.
  uint8_t one(const uint8_t* hole_cards, const uint8_t* board, int num_board_cards) const;
  // The share of each class among all hands before any card is dealt.
  const std::array<double, kNumHandClasses>& shares() const { return shares_; }

 private:
  void find_shares();
  void rank_hands(const uint8_t* board, int num_board_cards, uint8_t* classes) const;
  static int street_of(int num_board_cards) { return num_board_cards == 0 ? 0 : num_board_cards - 2; }

  Rules rules_;
  PrivateHands hands_;
  bool has_tables_ = false;
  std::array<const uint16_t*, kNumStreets> levels_{};
  std::array<std::vector<uint8_t>, kNumStreets> class_of_level_;
  std::array<double, kNumHandClasses> shares_{};
  // By the cards of the board, where there is no table; not for several threads at once.
  static constexpr size_t kMaxRanked = 4096;
  mutable std::unordered_map<uint64_t, std::vector<uint8_t>> ranked_;
};

}  // namespace nashgap
