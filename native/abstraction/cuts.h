// Where levels of strength are cut so that buckets hold equal shares of the deals.
#pragma once

#include <cstdint>
#include <vector>

#include "abstraction/holdem_buckets.h"

namespace nashgap {

// So many deals of a level; keys of the same parent have the same upper bits.
struct WeightedLevel {
  uint64_t key;  // parent << 16 | level
  uint64_t weight;
};

// cuts[num_cuts] of one parent's levels in ascending order, so that the buckets' weights are as equal as whole levels
// allow: a level goes where the middle of its deals falls.
void cut_equal_shares(const WeightedLevel* levels, size_t num_levels, int32_t num_cuts, uint16_t* cuts);

// cuts[num_parents][num_cuts] of levels of any parents; sorts them.
void cut_within_parents(std::vector<WeightedLevel>& levels, int64_t num_parents, int32_t num_cuts, uint16_t* cuts);

// cuts[num_cuts] over every deal of hand and board. levels: [num_boards, kNumHands] of the street.
std::vector<uint16_t> share_cuts(int street, const uint16_t* levels, int32_t num_cuts);

// cuts[num_parents][num_cuts] of the street after `earlier`, within each combination of buckets that it remembers. The
// flop's count every deal; later ones come from num_deals sampled deals, since the exact joint distribution has
// billions of terms.
std::vector<uint16_t> nested_share_cuts(const HoldemBuckets& earlier, const std::vector<int>& remembered,
                                        const uint16_t* levels, int32_t num_cuts, int64_t num_deals, uint64_t seed,
                                        int num_threads);

// Levels and buckets of sampled deals, [num_deals, num_rounds]. tables: the levels of each round, [num_boards,
// kNumHands].
void sample_levels(const HoldemBuckets& buckets, const std::vector<const uint16_t*>& tables, int64_t num_deals,
                   uint64_t seed, uint16_t* levels_out, int32_t* buckets_out);

}  // namespace nashgap
