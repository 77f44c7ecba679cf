#include "abstraction/cuts.h"

#include <algorithm>

#include "abstraction/deal.h"
#include "abstraction/parallel.h"
#include "abstraction/strength_tables.h"

namespace nashgap {
namespace {

constexpr int64_t kDealsPerLane = 1 << 16;  // so that the sample does not depend on the number of threads

}  // namespace

void cut_equal_shares(const WeightedLevel* levels, size_t num_levels, int32_t num_cuts, uint16_t* cuts) {
  std::fill(cuts, cuts + num_cuts, kNoLevel);
  unsigned __int128 total = 0, below = 0;
  for (size_t i = 0; i < num_levels; ++i) total += levels[i].weight;
  int num_set = 0;
  for (size_t i = 0; i < num_levels;) {
    const uint64_t key = levels[i].key;
    unsigned __int128 here = 0;
    for (; i < num_levels && levels[i].key == key; ++i) here += levels[i].weight;
    if (here == 0) continue;  // above the last level of any deal it would fall behind the last bucket
    const auto bucket = static_cast<int>((2 * below + here) * static_cast<unsigned>(num_cuts + 1) / (2 * total));
    while (num_set < bucket) cuts[num_set++] = static_cast<uint16_t>(key);
    below += here;
  }
}

void cut_within_parents(std::vector<WeightedLevel>& levels, int64_t num_parents, int32_t num_cuts, uint16_t* cuts) {
  std::ranges::sort(levels, {}, &WeightedLevel::key);
  auto start = levels.begin();
  for (int64_t parent = 0; parent < num_parents; ++parent, cuts += num_cuts) {
    const auto end =
        std::ranges::lower_bound(start, levels.end(), static_cast<uint64_t>(parent + 1) << 16, {}, &WeightedLevel::key);
    cut_equal_shares(levels.data() + (start - levels.begin()), static_cast<size_t>(end - start), num_cuts, cuts);
    start = end;
  }
}

std::vector<uint16_t> share_cuts(int street, const uint16_t* levels, int32_t num_cuts) {
  const BoardIndex boards(kStreetBoardCards[street]);
  std::vector<WeightedLevel> weighted(kNoLevel + size_t{1});
  for (size_t level = 0; level < weighted.size(); ++level) weighted[level] = {level, 0};
  uint8_t cards[5];
  for (int64_t board = 0; board < boards.size(); ++board) {
    const auto weight = static_cast<uint64_t>(boards.unindex(board, cards));
    const uint16_t* row = levels + board * kNumHands;
    for (int hand = 0; hand < kNumHands; ++hand) weighted[row[hand]].weight += weight;
  }
  std::vector<uint16_t> cuts(num_cuts);
  cut_equal_shares(weighted.data(), kNoLevel, num_cuts, cuts.data());
  return cuts;
}

std::vector<uint16_t> nested_share_cuts(const HoldemBuckets& earlier, const std::vector<int>& remembered,
                                        const uint16_t* levels, int32_t num_cuts, int64_t num_deals, uint64_t seed,
                                        int num_threads) {
  const int street = earlier.num_rounds();
  const Memory memory = earlier.memory(remembered);
  std::vector<WeightedLevel> weighted;
  const auto weigh = [&](const uint8_t* cards, uint64_t weight) {
    const DealtBoard board = place_board(cards + 2, street);
    std::array<int32_t, kNumStreets> own;
    earlier.own_buckets(cards, board, street - 1, own.data());
    const auto parent = static_cast<uint64_t>(memory.parent(own.data()));
    return WeightedLevel{parent << 16 | levels[board.places[street].row(cards)], weight};
  };
  if (street == 1) {  // few enough to take all
    const BoardIndex boards(3);
    uint8_t cards[5];
    for (int64_t board = 0; board < boards.size(); ++board) {
      const auto weight = static_cast<uint64_t>(boards.unindex(board, cards + 2));
      for (int hand = 0; hand < kNumHands; ++hand) {
        if (levels[board * kNumHands + hand] == kNoLevel) continue;
        std::copy_n(cards_of_hands()[hand].begin(), 2, cards);
        weighted.push_back(weigh(cards, weight));
      }
    }
  } else {
    weighted.resize(num_deals);
    for_each_item((num_deals + kDealsPerLane - 1) / kDealsPerLane, num_threads, [&](int64_t lane) {
      Philox random = deal_stream(seed, street, lane);
      uint8_t cards[kMaxDealCards];
      const int64_t end = std::min(num_deals, (lane + 1) * kDealsPerLane);
      for (int64_t i = lane * kDealsPerLane; i < end; ++i) {
        sample_deal(random, cards);
        weighted[i] = weigh(cards, 1);
      }
    });
  }
  std::vector<uint16_t> cuts(memory.num_parents * num_cuts);
  cut_within_parents(weighted, memory.num_parents, num_cuts, cuts.data());
  return cuts;
}

void sample_levels(const HoldemBuckets& buckets, const std::vector<const uint16_t*>& tables, int64_t num_deals,
                   uint64_t seed, uint16_t* levels_out, int32_t* buckets_out) {
  const int num_rounds = buckets.num_rounds();
  Philox random = deal_stream(seed, kNumStreets, 0);
  uint8_t cards[kMaxDealCards];
  for (int64_t i = 0; i < num_deals; ++i, levels_out += num_rounds, buckets_out += num_rounds) {
    sample_deal(random, cards);
    const DealtBoard board = place_board(cards + 2, num_rounds - 1);
    buckets.hand_buckets(cards, board, num_rounds - 1, buckets_out);
    for (int number = 0; number < num_rounds; ++number)
      levels_out[number] = tables[number][board.places[number].row(cards)];
  }
}

}  // namespace nashgap
