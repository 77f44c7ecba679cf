// Monte Carlo CFR on the nodes of the tree. See nashgap/solvers/mccfr.py for the algorithms and their papers.
#pragma once

#include <cstdint>

#include "tree/tree.h"

namespace nashgap {

enum class Sampling { kChance = 0, kExternal = 1, kOutcome = 2 };

struct MccfrState {
  double* regret_sum;       // [S]
  double* strategy_sum;     // [S]
  const double* fixed;      // [S] strategy of the fixed infosets; null if there are none
  const uint8_t* is_fixed;  // [I]; null if there are none
};

// Runs iterations first_iteration .. first_iteration + num_iterations - 1; iteration t draws from streams that are
// named by (seed, t), so a run can be cut anywhere.
void mccfr(const Tree& tree, const MccfrState& state, Sampling sampling, double exploration, uint64_t seed,
           uint64_t first_iteration, int64_t num_iterations);

}  // namespace nashgap
