// Many hands of Local Best Response, each finished as soon as all its answers are there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arena/match.h"
#include "measure/local_best_response.h"

namespace nashgap {

class LbrBatch {
 public:
  // seatings: [S, num_seats]. is_duplicate: every deal is played in each; else deal d in seating d % S alone.
  // has_lines: keep the betting of every hand. boards: see deal_cards_beside; empty: all of the game.
  LbrBatch(std::shared_ptr<const Rules> rules, LbrOptions options,
           std::vector<std::shared_ptr<RangedOpponent>> opponents, std::shared_ptr<const PreflopChances> preflop,
           std::vector<int8_t> seatings, uint64_t seed, uint64_t first_deal, int64_t num_deals, bool is_duplicate,
           bool has_lines, Boards boards);

  // Plays all hands whose answers are there. Whether all are finished.
  bool advance();

  int64_t num_queries() const { return num_queries_; }
  // [num_deals, S or 1].
  const std::vector<LbrHand>& hands() const { return hands_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::shared_ptr<const Rules> rules_;
  std::vector<std::shared_ptr<RangedOpponent>> opponents_;
  LocalBestResponse response_;
  std::vector<int8_t> seatings_;
  int64_t num_seatings_;
  uint64_t seed_, first_deal_;
  bool is_duplicate_, has_lines_;
  Boards boards_;
  std::vector<LbrHand> hands_;
  std::vector<std::string> lines_;
  std::vector<int64_t> open_;  // hands that are not finished
  int64_t num_queries_ = 0;    // of finished hands
};

}  // namespace nashgap
