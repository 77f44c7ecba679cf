// Blocks of hands in 16 bits a number: sixteen hands share an exponent.
//
// A number is a whole multiple of a power of two, the smallest that lets the largest of the block fit. What lies
// between two multiples goes up or down by a draw in proportion to what is nearer, so that increments below a step add
// up over many iterations, as they are on average, instead of being lost each time. A multiple stays what it is.
#pragma once

#include <bit>
#include <cstdint>

#include "ranges/blocks.h"

namespace nashgap {

typedef int32_t Integers __attribute__((vector_size(4 * kLanesPerVector)));
typedef uint32_t Draws __attribute__((vector_size(4 * kLanesPerVector)));
typedef int16_t Shorts __attribute__((vector_size(2 * kLanesPerVector), may_alias));

// Added to numbers of 16 bits it makes them positive, so that cutting them off is rounding down.
inline constexpr float kMiddle = 32768.0f;

struct alignas(32) PackedBlock {
  Shorts part[kVectors];
};

// Draws that only the place and the iteration decide: evenly spread over the hands, and anew in each iteration.
class Rounding {
 public:
  Rounding(int64_t iteration, int64_t place) {
    uint64_t mixed = (static_cast<uint64_t>(iteration) << 40) + static_cast<uint64_t>(place);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;  // splitmix64 (Steele, Lea & Flood 2014)
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    draws_ = static_cast<uint32_t>(mixed >> 32) + Draws{0, kStep, 2 * kStep, 3 * kStep};
  }

  // kMiddle and a draw: the middles of 128 parts of [0, 1), which floats from kMiddle to twice as much have exactly.
  Vector next() {
    draws_ += 4 * kStep;
    return reinterpret_cast<Vector>((draws_ >> 24) | (std::bit_cast<uint32_t>(kMiddle) | 1));
  }

 private:
  static constexpr uint32_t kStep = 0x9E3779B9;  // of 2^32, the golden section

  Draws draws_;
};

// Exponents are those of a block's largest number, as floats have them; 0 for a block of zeros. So many bits of the
// number come after its first: a step is 2^14 times less.
inline constexpr int kBitsAfterFirst = 14;
inline float power_of_two(int exponent) { return std::bit_cast<float>(exponent << 23); }

inline Block unpack(const PackedBlock& packed, uint8_t exponent) {
  const float step = exponent == 0 ? 0.0f : power_of_two(exponent - kBitsAfterFirst);
  Block block;
  for (int k = 0; k < kVectors; ++k)
    block.part[k] = __builtin_convertvector(__builtin_convertvector(packed.part[k], Integers), Vector) * step;
  return block;
}

inline uint8_t exponent_of(const Block& block) {
  const Block largest = max(block, Block::all(0.0f) - block);
  const auto larger = [](Vector a, Vector b) { return a > b ? a : b; };
  const Vector four = larger(larger(largest.part[0], largest.part[1]), larger(largest.part[2], largest.part[3]));
  float most = four[0];
  for (int lane = 1; lane < kLanesPerVector; ++lane) most = most > four[lane] ? most : four[lane];
  const int exponent = std::bit_cast<int32_t>(most) >> 23;
  return static_cast<uint8_t>(exponent <= kBitsAfterFirst ? 0 : exponent);
}

inline void pack(const Block& block, Rounding& rounding, PackedBlock& packed, uint8_t& exponent) {
  exponent = exponent_of(block);
  if (exponent == 0) {
    packed = PackedBlock{};
    return;
  }
  const float steps_in_one = power_of_two(2 * 127 + kBitsAfterFirst - exponent);
  const Vector most = Vector{} + (2 * kMiddle - 0.5f);
  for (int k = 0; k < kVectors; ++k) {
    Vector number = block.part[k] * steps_in_one + rounding.next();
    number = number < most ? number : most;
    const Integers whole = __builtin_convertvector(number, Integers) - static_cast<int32_t>(kMiddle);
    packed.part[k] = __builtin_convertvector(whole, Shorts);
  }
}

}  // namespace nashgap
