// A poker game: seats, blinds, stacks, betting, deck. What an ACPC game definition can say, and a little more.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "cards/card.h"

namespace nashgap {

constexpr int kMaxSeats = 10;
constexpr int kMaxRounds = 8;
constexpr int32_t kMaxChips = 1'000'000'000;        // of a seat; sums of two fit into 32 bits
constexpr int32_t kUnlimitedStack = 2'147'483'647;  // of a limit game in which raises alone end
constexpr int kMaxRoundActions = 64;                // of the competition's dealer

enum class Betting : uint8_t { kLimit = 0, kNoLimit = 1, kPotLimit = 2 };

// What tables disagree about. kAcpc: split pots are exact fractions of a chip, any all-in raise reopens the betting,
// the smallest raise after a short all-in is what the competition's dealer takes, nobody raises where a round might
// come to more than kMaxRoundActions actions, and in limit games who has just the bet may call it or go all in by a
// raise, after which the others act again. kCasino: odd chips go to the first winner left of the button; a short all-in
// reopens nothing to who has acted, unless he faces a full bet or raise in all, and leaves the size of the smallest
// raise as it was; who has nothing to decide is not asked.
enum class Conventions : uint8_t { kAcpc = 0, kCasino = 1 };

struct Rules {
  Betting betting = Betting::kLimit;
  Conventions conventions = Conventions::kAcpc;
  int num_seats = 0;
  int num_rounds = 0;
  int num_suits = 0;
  int num_ranks = 0;
  int num_hole_cards = 0;
  int largest_blind = 0;
  int smallest_bet = 1;  // where bets have sizes
  std::array<int32_t, kMaxSeats> blinds{};
  std::array<int32_t, kMaxSeats> stacks{};
  std::array<int32_t, kMaxRounds> raise_sizes{};  // limit games only
  std::array<int32_t, kMaxRounds> max_raises{};
  std::array<int8_t, kMaxRounds> first_seats{};
  std::array<int8_t, kMaxRounds> num_board_cards{};  // dealt before the round's betting

  bool counts_actions = false;  // whether a round could come near kMaxRoundActions, where that matters

  // Board cards dealt by the time of the round's betting.
  int board_cards_by(int round) const {
    int total = 0;
    for (int r = 0; r <= round; ++r) total += num_board_cards[r];
    return total;
  }
  int total_board_cards() const { return board_cards_by(num_rounds - 1); }
  // Private hands of one or two cards, and their order: that of the deck, or of hand_index.
  int num_private_hands() const { return num_hole_cards == 2 ? kNumHands : num_suits * num_ranks; }
  int hand_place(const uint8_t* hole_cards) const {
    const auto [low, high] = std::minmax(hole_cards[0], hole_cards[num_hole_cards - 1]);
    if (num_hole_cards == 2) return hand_index(high, low);
    return (rank_of(low) - (kNumRanks - num_ranks)) * num_suits + suit_of(low) - (kNumSuits - num_suits);
  }
  // The highest ranks and suits, as the competition's dealer has it, in ascending order.
  std::vector<uint8_t> deck() const {
    std::vector<uint8_t> cards;
    for (int rank = kNumRanks - num_ranks; rank < kNumRanks; ++rank)
      for (int suit = kNumSuits - num_suits; suit < kNumSuits; ++suit)
        cards.push_back(static_cast<uint8_t>(make_card(rank, suit)));
    return cards;
  }

  // Whether it is the same game.
  bool operator==(const Rules&) const = default;
};

}  // namespace nashgap
