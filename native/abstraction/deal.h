// Random deals of one hand and board of hold'em.
#pragma once

#include <cstdint>

#include "cards/card.h"
#include "random/philox.h"

namespace nashgap {

inline constexpr int kMaxDealCards = 7;

// What deals are sampled for is told apart by the purpose, lanes by the threads' pieces of work.
inline Philox deal_stream(uint64_t seed, int purpose, int64_t lane) {
  constexpr uint64_t kDealPurpose = 0x6275636b;  // "buck"
  return {seed, kDealPurpose, static_cast<uint64_t>(purpose), static_cast<uint64_t>(lane)};
}

// cards[kMaxDealCards], all different: the hole cards, then the board in the order of the deal.
inline void sample_deal(Philox& random, uint8_t* cards) {
  uint64_t dealt = 0;
  for (int i = 0; i < kMaxDealCards; ++i) {
    do cards[i] = static_cast<uint8_t>(random.below(kNumCards));
    while (dealt >> cards[i] & 1);
    dealt |= 1ULL << cards[i];
  }
}

}  // namespace nashgap
