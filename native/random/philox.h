// Philox4x64-10, a counter-based generator (Salmon et al. 2011); the same numbers as numpy.random.Philox.
//
// A stream is named by (seed, purpose, iteration, lane): asking for the same stream again gives the same numbers, so
// nothing about randomness has to be saved in a checkpoint and two streams never share a draw.
#pragma once

#include <array>
#include <cstdint>

namespace nashgap {

class Philox {
 public:
  Philox(uint64_t seed, uint64_t purpose, uint64_t iteration, uint64_t lane)
      : key_{seed, purpose}, counter_{0, iteration, lane, 0} {}

  uint64_t next() {
    if (used_ == 4) refill();
    return block_[used_++];
  }

  // Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // Uniform in 0 .. bound - 1, but for a bias below bound / 2^64.
  uint64_t below(uint64_t bound) { return static_cast<uint64_t>(static_cast<unsigned __int128>(next()) * bound >> 64); }

 private:
  static uint64_t multiply(uint64_t a, uint64_t b, uint64_t* high) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    *high = static_cast<uint64_t>(product >> 64);
    return static_cast<uint64_t>(product);
  }

  void refill() {
    ++counter_[0];  // numpy counts up before its first block too
    std::array<uint64_t, 4> x = counter_;
    uint64_t key0 = key_[0], key1 = key_[1];
    for (int round = 0; round < 10; ++round) {
      uint64_t high0, high1;
      const uint64_t low0 = multiply(0xD2E7470EE14C6C93ULL, x[0], &high0);
      const uint64_t low1 = multiply(0xCA5A826395121157ULL, x[2], &high1);
      x = {high1 ^ x[1] ^ key0, low1, high0 ^ x[3] ^ key1, low0};
      key0 += 0x9E3779B97F4A7C15ULL;
      key1 += 0xBB67AE8584CAA73BULL;
    }
    block_ = x;
    used_ = 0;
  }

  std::array<uint64_t, 2> key_;
  std::array<uint64_t, 4> counter_;
  std::array<uint64_t, 4> block_{};
  int used_ = 4;
};

}  // namespace nashgap
