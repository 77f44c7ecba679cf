// Full-width CFR on the sequence form. See nashgap/solvers/cfr.py for the algorithm and its papers.
#pragma once

#include <cstdint>

#include "tree/tree.h"

namespace nashgap {

// One iteration's weights: what nashgap.solvers.schedules.Schedule says for iteration t.
struct CfrWeights {
  double positive;  // kept share of positive regret
  double negative;  // kept share of negative regret
  double average;   // kept share of the strategy sum, applied before this iteration is added
};

struct CfrState {
  double* regret_sum;       // [S]
  double* strategy_sum;     // [S]
  double* strategy;         // [S] what is played in the next iteration
  const uint8_t* is_fixed;  // [I] infosets whose strategy never changes; null if there are none
};

struct CfrOptions {
  bool is_alternating;  // each player answers the others' newest strategies; otherwise all answer the last iteration's
  bool is_predictive;   // the next strategy counts on meeting the same reach of the others once more
};

// Runs one iteration per entry of `weights`.
void cfr(const Tree& tree, const CfrState& state, const CfrWeights* weights, int64_t num_iterations,
         const CfrOptions& options);

}  // namespace nashgap
