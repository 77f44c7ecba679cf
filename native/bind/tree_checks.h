// Whether the arrays of a tree fit together: everything in them that is a place is one that is there.
#pragma once

#include <cstdint>

#include "tree/tree.h"

namespace nashgap {

// Of arrays whose length the tree itself does not keep.
struct TreeSizes {
  int64_t num_edges, num_chance_nodes, num_chance_edges, num_returns, num_payoffs;
};

// Throws ValueError where they do not. Looks at every entry once.
void require_sound(const Tree& tree, const TreeSizes& sizes);

// Whether passes over sequences are possible: games without perfect recall have none.
bool has_sequence_form(const Tree& tree);

}  // namespace nashgap
