// The boards that may come, each with the hands that two players can hold on it, up to a renaming of the suits.
//
// Boards that a renaming turns into each other are one board with several images, where the renaming changes neither
// what lies there already nor the ranges: what is true of a hand on one is true of its image on another.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "poker/rules.h"

namespace nashgap {

inline constexpr int kHandsPerBlock = 16;      // vectors over hands are padded with zeros to whole blocks
inline constexpr uint8_t kNoCard = kNumCards;  // the second card of a hand that has one

// One player's hands on a board. Where all cards lie they are in order of strength, the weakest first; else in the
// order of the game.
struct RangeHands {
  std::vector<std::array<uint8_t, 2>> cards;
  std::vector<int32_t> place;      // in the order of the game, see Rules::hand_place
  std::vector<uint16_t> strength;  // where all cards lie
  std::vector<int32_t> same;       // where the other player has the same hand of two cards; -1: nowhere
  // [images][hands] where the parent board has each hand's image; the first image is the hand itself.
  std::vector<int32_t> image;

  int size() const { return static_cast<int>(cards.size()); }
  int num_blocks() const { return (size() + kHandsPerBlock - 1) / kHandsPerBlock; }
  int padded_size() const { return num_blocks() * kHandsPerBlock; }
};

// Own hands that are equally strong, and how many of the other's are weaker than they, or not stronger.
struct StrengthClass {
  int32_t own_end, weaker_end, equal_end;
};

// Which suit each suit becomes.
using SuitRenaming = std::array<uint8_t, kNumSuits>;

struct RangeBoard {
  std::vector<uint8_t> cards;
  int64_t parent = -1;
  int32_t first_child = 0, num_children = 0;
  std::vector<SuitRenaming> images;  // of what is dealt last; the first leaves all as it is
  float deal_chance = 1.0f;          // of one of its images, for any two hands that leave it
  std::array<RangeHands, 2> hands;
  std::array<std::vector<StrengthClass>, 2> classes;  // of each player's hands, where all cards lie
};

// Where a real board is in the tree.
struct TreeBoard {
  int64_t board;          // -1: nowhere
  SuitRenaming renaming;  // that makes the real cards those of the tree's board
};

class BoardTree {
 public:
  // board: what lies in the first of the rounds. ranges: [2][Rules::num_private_hands] weights; a hand of weight 0 is
  // left out. told_apart: more numbers for each hand; hands that differ in them are not the same by suit. Games of one
  // or two hole cards.
  BoardTree(const Rules& rules, int first_round, const std::vector<uint8_t>& board,
            const std::array<const float*, 2>& ranges, const std::vector<std::vector<float>>& told_apart = {});

  const RangeBoard& operator[](int64_t board) const { return boards_[board]; }
  int64_t size() const { return static_cast<int64_t>(boards_.size()); }
  // Boards of a round are round_start(round) .. round_start(round + 1) - 1.
  int64_t round_start(int round) const { return round_start_[round]; }
  int round_of(int64_t board) const {
    int round = first_round_;
    while (board >= round_start_[round + 1]) ++round;
    return round;
  }
  // cards: those of the first round and of all rounds up to the one that is meant, in the order in which they came.
  TreeBoard find(const std::vector<uint8_t>& cards) const;

 private:
  using Renamings = std::vector<SuitRenaming>;

  void add_root(const std::vector<uint8_t>& board, const std::array<const float*, 2>& ranges);
  void add_children(int64_t parent, int round);
  void finish_hands(RangeBoard& board, int round) const;
  TreeBoard find_child(const TreeBoard& parent, uint64_t dealt) const;
  Renamings renamings_of(const std::vector<uint8_t>& board, const std::vector<const float*>& numbers) const;
  void sort_by_strength(RangeBoard& board, RangeHands& hands) const;

  const Rules& rules_;
  int first_round_;
  std::vector<uint8_t> deck_;
  std::vector<RangeBoard> boards_;
  std::vector<Renamings> renamings_;  // [boards] that leave it and the ranges as they are
  std::array<int64_t, kMaxRounds + 1> round_start_{};
};

}  // namespace nashgap
