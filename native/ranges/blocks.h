// Vectors over hands in whole blocks, and the way between them and lanes that lie side by side.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "memory/vectors.h"
#include "ranges/board_tree.h"
#include "ranges/meeting.h"

namespace nashgap {

// Floats for whole blocks of hands: aligned to cache lines, zeros at first, kept when fewer are needed.
class AlignedFloats {
 public:
  void resize(int64_t size) {
    const size_t num_lines = static_cast<size_t>((size + kLine - 1) / kLine);
    if (lines_.size() < num_lines) lines_.resize(num_lines);
  }
  float* data() { return reinterpret_cast<float*>(lines_.data()); }
  const float* data() const { return reinterpret_cast<const float*>(lines_.data()); }

 private:
  static constexpr int64_t kLine = 16;
  struct alignas(64) Line {
    float numbers[kLine];
  };
  std::vector<Line> lines_;
};

typedef float Vector __attribute__((vector_size(4 * kLanesPerVector), may_alias));
inline constexpr int kVectors = kHandsPerBlock / kLanesPerVector;

// Sixteen hands: a cache line.
struct alignas(64) Block {
  Vector part[kVectors];

  static Block all(float number) {
    Block block;
    for (Vector& part : block.part) part = Vector{} + number;
    return block;
  }
};

template <typename Operation>
inline Block combine(const Block& one, const Block& other, Operation&& operation) {
  Block result;
  for (int k = 0; k < kVectors; ++k) result.part[k] = operation(one.part[k], other.part[k]);
  return result;
}

inline Block operator+(const Block& one, const Block& other) {
  return combine(one, other, [](Vector a, Vector b) { return a + b; });
}
inline Block operator-(const Block& one, const Block& other) {
  return combine(one, other, [](Vector a, Vector b) { return a - b; });
}
inline Block operator*(const Block& one, const Block& other) {
  return combine(one, other, [](Vector a, Vector b) { return a * b; });
}
inline Block max(const Block& one, const Block& other) {
  return combine(one, other, [](Vector a, Vector b) { return a > b ? a : b; });
}
inline Block min(const Block& one, const Block& other) {
  return combine(one, other, [](Vector a, Vector b) { return a < b ? a : b; });
}
inline Block operator*(const Block& one, float number) { return one * Block::all(number); }

// Less than this is nothing: it has no reciprocal among floats.
inline constexpr float kLeastWeight = std::numeric_limits<float>::min();

// Each action in proportion to its positive weight, all alike where none has any.
inline void match(const Block* weights, int num_actions, Block* strategy) {
  const Block zero = Block::all(0.0f);
  Block total = zero;
  for (int action = 0; action < num_actions; ++action) {
    strategy[action] = max(weights[action], zero);
    total = total + strategy[action];
  }
  Block share, alike;
  for (int k = 0; k < kVectors; ++k) {
    const auto is_positive = total.part[k] >= Vector{} + kLeastWeight;
    share.part[k] = is_positive ? 1.0f / total.part[k] : zero.part[k];
    alike.part[k] = is_positive ? zero.part[k] : Vector{} + 1.0f / static_cast<float>(num_actions);
  }
  for (int action = 0; action < num_actions; ++action) strategy[action] = strategy[action] * share + alike;
}

inline const Block* blocks(const float* hands) { return reinterpret_cast<const Block*>(hands); }
inline Block* blocks(float* hands) { return reinterpret_cast<Block*>(hands); }
inline float* hands_of(Block& block) { return reinterpret_cast<float*>(&block); }

// Four rows of four become four columns.
inline void transpose(Vector& a, Vector& b, Vector& c, Vector& d) {
  const Vector low_ab = NASHGAP_SHUFFLE(a, b, 0, 4, 1, 5), high_ab = NASHGAP_SHUFFLE(a, b, 2, 6, 3, 7);
  const Vector low_cd = NASHGAP_SHUFFLE(c, d, 0, 4, 1, 5), high_cd = NASHGAP_SHUFFLE(c, d, 2, 6, 3, 7);
  a = NASHGAP_SHUFFLE(low_ab, low_cd, 0, 1, 4, 5);
  b = NASHGAP_SHUFFLE(low_ab, low_cd, 2, 3, 6, 7);
  c = NASHGAP_SHUFFLE(high_ab, high_cd, 0, 1, 4, 5);
  d = NASHGAP_SHUFFLE(high_ab, high_cd, 2, 3, 6, 7);
}

// A block of each of four lanes goes to where lanes lie side by side; `lanes` is the place of the first in the row of
// the block's first hand.
inline void lanes_from_blocks(const Block* const (&from)[4], int num_lanes, float* lanes) {
  for (int k = 0; k < kVectors; ++k) {
    Vector rows[4] = {from[0]->part[k], from[1]->part[k], from[2]->part[k], from[3]->part[k]};
    transpose(rows[0], rows[1], rows[2], rows[3]);
    for (int row = 0; row < 4; ++row) *reinterpret_cast<Vector*>(lanes + int64_t{4 * k + row} * num_lanes) = rows[row];
  }
}

inline void blocks_from_lanes(const float* lanes, int num_lanes, Block* to) {
  for (int k = 0; k < kVectors; ++k) {
    Vector rows[4];
    for (int row = 0; row < 4; ++row)
      rows[row] = *reinterpret_cast<const Vector*>(lanes + int64_t{4 * k + row} * num_lanes);
    transpose(rows[0], rows[1], rows[2], rows[3]);
    for (int lane = 0; lane < 4; ++lane) to[lane].part[k] = rows[lane];
  }
}

// Lanes in whole vectors.
constexpr int padded(int number) { return (number + kLanesPerVector - 1) / kLanesPerVector * kLanesPerVector; }

}  // namespace nashgap
