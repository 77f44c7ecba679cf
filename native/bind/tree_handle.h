// A compiled game of Python's: the view and the arrays it points into.
#pragma once

#include <vector>

#include "bind/arrays.h"
#include "tree/tree.h"

namespace nashgap {

struct TreeHandle {
  Tree tree;
  bool has_sequence_form = false;  // see tree_checks.h
  std::vector<nb::object> arrays;
};

}  // namespace nashgap
