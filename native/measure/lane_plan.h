// Where the ends of a group of streets lie among lanes, and how what is won there goes back to where the streets begin.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/lane_kernels.h"
#include "measure/street_group.h"

namespace nashgap {

// A place in a row takes the reach of a sequence of the row's player, times a factor.
struct LaneTerm {
  int32_t place, sequence;
  double factor;
};
struct LaneTerms {
  std::vector<LaneTerm> all;
  int32_t width = 0;
};

// Ends after the same sequence of the other player have the same reach, so that they share a lane. Where all cards lie,
// lanes are met once for folds and showdowns. Else showdowns have lanes of their own, for which cards are run out.
class LanePlan {
 public:
  LanePlan(const StreetGroup& group, int player, bool is_complete);

  int num_lanes = 0;    // met on the board
  int num_run_out = 0;  // met after cards that are missing
  // What is kept of a hand where the streets begin: that of the street of each quad of lanes, then of each street.
  std::vector<int32_t> mass_of;
  int first_street() const { return num_lanes / kLanesPerQuad; }
  std::vector<int32_t> run_out_of;  // [num_run_out] their streets
  std::vector<int32_t> exit_of;     // [exits] their streets
  // What is kept of a hand at the exits, for the groups that follow: the exit of each number; where those of each group
  // begin.
  std::vector<int32_t> kept, kept_from;
  // Rows of the other player: lanes, run out lanes, exits. Of the player: factors of what the lanes have met, of what
  // they have beaten (see first_beaten), exits.
  LaneTerms other, own;
  int32_t num_beaten() const { return is_complete_ ? num_lanes : num_run_out; }

  // Cells are those of the lanes, met and beaten, then nodes, then exits.
  int32_t first_node() const { return num_lanes + num_beaten(); }
  int32_t first_exit() const { return first_node() + static_cast<int32_t>(nodes.size()); }
  int32_t num_cells() const { return first_exit() + static_cast<int32_t>(exit_of.size()); }
  std::vector<ClimbNode> nodes;
  std::vector<ClimbChild> children;
  std::vector<ClimbChild> folds, showdowns;  // what the ends pay

  // plans: of all groups.
  void keep_for(const StreetGroup& group, const std::vector<LanePlan>& plans);

 private:
  void add_lanes(const StreetGroup& group, int player);
  void add_nodes(const StreetGroup& group, int player);

  bool is_complete_;
  std::vector<int32_t> fold_lane_, showdown_lane_;  // [ends]
};

}  // namespace nashgap
