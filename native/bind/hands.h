// Hole cards for Python.
#pragma once

#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "poker/notation.h"

namespace nashgap {

// None where they are not known.
inline nb::tuple hands_tuple(const SeatCards& hole_cards) {
  nb::list hands;
  for (const auto& hand : hole_cards) hands.append(hand.empty() ? nb::none() : nb::object(nb::tuple(nb::cast(hand))));
  return nb::tuple(hands);
}

}  // namespace nashgap
