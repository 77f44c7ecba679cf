// A player's answer, read as the competition's dealer reads it. See nashgap/poker/protocol.py.
#pragma once

#include <optional>
#include <string_view>

#include "poker/state.h"

namespace nashgap {

struct Answer {
  Action action;
  bool is_mended;
};

// The answer to the line `asked`, which tells the state to the seat to act; none if the line answers something else.
std::optional<Answer> read_answer(const PublicState& state, std::string_view asked, std::string_view line);

}  // namespace nashgap
