#include "abstraction/buckets.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "abstraction/parallel.h"
#include "random/philox.h"

namespace nashgap {
namespace {

constexpr uint64_t kDealPurpose = 0x6275636b;  // "buck"
constexpr int kMaxDealCards = 7;
constexpr int64_t kDealsPerLane = 1 << 16;  // so that the sample does not depend on the number of threads

// So many deals of a level of strength, within a combination of remembered buckets.
struct WeightedLevel {
  uint64_t key;  // parent << 16 | level
  uint64_t weight;
};

// cuts[num_cuts] of levels in ascending order, so that the buckets' weights are as equal as whole levels allow: a level
// goes where the middle of its deals falls.
void cut_equal_shares(const WeightedLevel* levels, size_t num_levels, int num_cuts, uint16_t* cuts) {
  std::fill(cuts, cuts + num_cuts, kNoLevel);
  unsigned __int128 total = 0, below = 0;
  for (size_t i = 0; i < num_levels; ++i) total += levels[i].weight;
  int num_set = 0;
  for (size_t i = 0; i < num_levels;) {
    const uint64_t key = levels[i].key;
    unsigned __int128 here = 0;
    for (; i < num_levels && levels[i].key == key; ++i) here += levels[i].weight;
    const auto bucket = static_cast<int>((2 * below + here) * static_cast<unsigned>(num_cuts + 1) / (2 * total));
    while (num_set < bucket) cuts[num_set++] = static_cast<uint16_t>(key);
    below += here;
  }
}

// Seven different cards: the hole cards, then the board in the order of the deal.
void deal(Philox& random, uint8_t* cards) {
  uint64_t dealt = 0;
  for (int i = 0; i < kMaxDealCards; ++i) {
    do cards[i] = static_cast<uint8_t>(random.below(kNumCards));
    while (dealt >> cards[i] & 1);
    dealt |= 1ULL << cards[i];
  }
}

}  // namespace

StrengthBuckets::StrengthBuckets(std::vector<RoundCuts> plans, int64_t num_deals, uint64_t seed,
                                 int num_threads) {
  const SuitIsomorphism classes({2});
  for (int hand = 0; hand < kNumHands; ++hand)
    preflop_class_[hand] = static_cast<uint8_t>(classes.index(cards_of_hands()[hand].data()));
  for (size_t number = 0; number < plans.size(); ++number) {
    Round& round = rounds_.emplace_back(std::move(plans[number]), kStreetBoardCards[number]);
    round.num_own = round.plan.is_lossless ? classes.size() : round.plan.num_cuts + 1;
    for (const int earlier : round.plan.remembered) {
      round.remembered_sizes.push_back(rounds_[earlier].num_own);
      round.num_parents *= rounds_[earlier].num_own;
    }
    if (round.plan.is_lossless) continue;
    if (round.plan.is_uniform)
      for (int cut = 1; cut <= round.plan.num_cuts; ++cut)
        round.cuts.push_back(static_cast<uint16_t>((int64_t{cut} * round.plan.max_level + round.plan.num_cuts) /
                                                   (round.plan.num_cuts + 1)));
    else if (round.plan.is_nested && round.num_parents > 1)
      cut_by_joint_deals(static_cast<int>(number), num_deals, seed, num_threads);
    else
      cut_over_all_deals(round);
  }
}

void StrengthBuckets::cut_over_all_deals(Round& round) {
  std::vector<WeightedLevel> levels(kNoLevel + size_t{1});
  for (size_t level = 0; level < levels.size(); ++level) levels[level] = {level, 0};
  uint8_t cards[5];
  for (int64_t board = 0; board < round.boards.size(); ++board) {
    const auto weight = static_cast<uint64_t>(round.boards.unindex(board, cards));
    const uint16_t* row = round.plan.levels + board * kNumHands;
    for (int hand = 0; hand < kNumHands; ++hand) levels[row[hand]].weight += weight;
  }
  round.plan.is_nested = false;
  round.cuts.resize(round.plan.num_cuts);
  cut_equal_shares(levels.data(), kNoLevel, round.plan.num_cuts, round.cuts.data());
}

void StrengthBuckets::cut_by_joint_deals(int round_number, int64_t num_deals, uint64_t seed, int num_threads) {
  Round& round = rounds_[round_number];
  std::vector<WeightedLevel> levels;
  const auto weighted = [&](const uint8_t* cards, uint64_t weight) {
    std::array<int32_t, kNumStreets> own{};
    for (int earlier = 0; earlier < round_number; ++earlier) {
      const Round& before = rounds_[earlier];
      const BoardIndex::Place place = before.boards.find(cards + 2);
      const int hand = place.hand(cards);
      const uint16_t level = before.plan.levels[place.board * kNumHands + hand];
      own[earlier] = own_bucket(before, parent_of(before, own.data()), hand, level);
    }
    const BoardIndex::Place place = round.boards.find(cards + 2);
    const uint16_t level = round.plan.levels[place.board * kNumHands + place.hand(cards)];
    return WeightedLevel{static_cast<uint64_t>(parent_of(round, own.data())) << 16 | level, weight};
  };
  if (round_number == 1) {  // few enough to take all
    uint8_t cards[5];
    for (int64_t board = 0; board < round.boards.size(); ++board) {
      const auto weight = static_cast<uint64_t>(round.boards.unindex(board, cards + 2));
      for (int hand = 0; hand < kNumHands; ++hand) {
        if (round.plan.levels[board * kNumHands + hand] == kNoLevel) continue;
        std::copy_n(cards_of_hands()[hand].begin(), 2, cards);
        levels.push_back(weighted(cards, weight));
      }
    }
  } else {
    levels.resize(num_deals);
    for_each_item((num_deals + kDealsPerLane - 1) / kDealsPerLane, num_threads, [&](int64_t lane) {
      Philox random(seed, kDealPurpose, static_cast<uint64_t>(round_number), static_cast<uint64_t>(lane));
      uint8_t cards[kMaxDealCards];
      const int64_t end = std::min(num_deals, (lane + 1) * kDealsPerLane);
      for (int64_t i = lane * kDealsPerLane; i < end; ++i) {
        deal(random, cards);
        levels[i] = weighted(cards, 1);
      }
    });
  }
  std::ranges::sort(levels, {}, &WeightedLevel::key);
  round.cuts.resize(round.num_parents * round.plan.num_cuts);
  auto start = levels.begin();
  for (int64_t parent = 0; parent < round.num_parents; ++parent) {
    const auto end = std::ranges::lower_bound(start, levels.end(), static_cast<uint64_t>(parent + 1) << 16, {},
                                              &WeightedLevel::key);
    cut_equal_shares(levels.data() + (start - levels.begin()), static_cast<size_t>(end - start), round.plan.num_cuts,
                     round.cuts.data() + parent * round.plan.num_cuts);
    start = end;
  }
}

int32_t StrengthBuckets::own_bucket(const Round& round, int64_t parent, int hand, uint16_t level) const {
  if (round.plan.is_lossless) return preflop_class_[hand];
  const uint16_t* cuts = round.cuts.data() + (round.plan.is_nested ? parent * round.plan.num_cuts : 0);
  int32_t first = 0;  // a search without branches that could be guessed wrong
  for (int32_t size = round.plan.num_cuts; size > 0;) {
    const int32_t half = (size + 1) / 2;
    first += cuts[first + half - 1] <= level ? half : 0;
    size -= half;
  }
  return first;
}

int64_t StrengthBuckets::parent_of(const Round& round, const int32_t* own) {
  int64_t parent = 0;
  for (size_t i = 0; i < round.plan.remembered.size(); ++i)
    parent = parent * round.remembered_sizes[i] + own[round.plan.remembered[i]];
  return parent;
}

void StrengthBuckets::hand_buckets(const uint8_t* hole_cards, const uint8_t* board, int last_round,
                                   int32_t* buckets) const {
  std::array<int32_t, kNumStreets> own{};
  for (int number = 0; number <= last_round; ++number) {
    const Round& round = rounds_[number];
    const BoardIndex::Place place = round.boards.find(board);
    const int hand = place.hand(hole_cards);
    const int64_t parent = parent_of(round, own.data());
    own[number] = own_bucket(round, parent, hand, round.plan.levels[place.board * kNumHands + hand]);
    buckets[number] = static_cast<int32_t>(parent * round.num_own + own[number]);
  }
}

void StrengthBuckets::all_buckets(const uint8_t* board, int round_number, int32_t* buckets) const {
  std::array<const uint16_t*, kNumStreets> rows;
  std::array<const uint16_t*, kNumStreets> maps;
  for (int number = 0; number <= round_number; ++number) {
    const BoardIndex::Place place = rounds_[number].boards.find(board);
    rows[number] = rounds_[number].plan.levels + place.board * kNumHands;
    maps[number] = hand_map(place.suit_map).data();
  }
  const Round& last = rounds_[round_number];
  std::array<int32_t, kNumStreets> own{};
  for (int hand = 0; hand < kNumHands; ++hand) {
    if (rows[round_number][maps[round_number][hand]] == kNoLevel) {
      buckets[hand] = -1;
      continue;
    }
    // A round that the last does not remember may still be remembered by one that it does.
    for (int number = last.plan.remembered.empty() ? round_number : 0; number <= round_number; ++number) {
      const Round& round = rounds_[number];
      own[number] = own_bucket(round, parent_of(round, own.data()), hand, rows[number][maps[number][hand]]);
    }
    buckets[hand] = static_cast<int32_t>(parent_of(last, own.data()) * last.num_own + own[round_number]);
  }
}

void StrengthBuckets::sample(int64_t num_deals, uint64_t seed, uint16_t* levels, int32_t* buckets) const {
  Philox random(seed, kDealPurpose, kNumStreets, 0);
  uint8_t cards[kMaxDealCards];
  for (int64_t i = 0; i < num_deals; ++i, levels += num_rounds(), buckets += num_rounds()) {
    deal(random, cards);
    hand_buckets(cards, cards + 2, num_rounds() - 1, buckets);
    for (int number = 0; number < num_rounds(); ++number) {
      const BoardIndex::Place place = rounds_[number].boards.find(cards + 2);
      levels[number] = rounds_[number].plan.levels[place.board * kNumHands + place.hand(cards)];
    }
  }
}

bool LosslessSmall::fits(const Rules& rules) {
  if (rules.num_hole_cards < 1 || rules.num_hole_cards > 2) return false;
  int64_t num_codes = 1;
  for (int i = 0; i < rules.num_hole_cards + rules.total_board_cards(); ++i) {
    num_codes *= rules.num_suits * rules.num_ranks;
    if (num_codes > kMaxCodes) return false;
  }
  return true;
}

LosslessSmall::LosslessSmall(const Rules& rules) : rules_(rules), deck_(rules.deck()) {
  const auto deck_size = static_cast<int64_t>(deck_.size());
  for (size_t i = 0; i < deck_.size(); ++i) place_[deck_[i]] = static_cast<uint8_t>(i);
  for (int round = 0; round < rules.num_rounds; ++round) {
    const int num_cards = rules.num_hole_cards + rules.board_cards_by(round);
    int64_t num_codes = 1;
    for (int i = 0; i < num_cards; ++i) num_codes *= deck_size;
    std::vector<int32_t> bucket_of(num_codes, -1);
    std::vector<uint8_t> cards(num_cards), sorted;
    int32_t num_found = 0;
    for (int64_t code = 0; code < num_codes; ++code) {
      for (int64_t i = num_cards - 1, rest = code; i >= 0; --i, rest /= deck_size)
        cards[i] = static_cast<uint8_t>(rest % deck_size);
      // In ascending order within each round a deal has its least code, which has been met before all others.
      sorted = cards;
      auto end = sorted.begin() + rules.num_hole_cards;
      std::sort(sorted.begin(), end);
      for (int r = 0; r <= round; ++r) {
        const auto start = std::exchange(end, end + rules.num_board_cards[r]);
        std::sort(start, end);
      }
      int64_t least = 0;
      uint64_t seen = 0;
      for (const uint8_t card : sorted) {
        least = least * deck_size + card;
        seen |= 1ULL << card;
      }
      if (std::popcount(seen) != num_cards) continue;
      bucket_of[code] = least == code ? num_found++ : bucket_of[least];
    }
    bucket_of_.push_back(std::move(bucket_of));
    num_buckets_.push_back(num_found);
  }
}

void LosslessSmall::hand_buckets(const uint8_t* hole_cards, const uint8_t* board, int last_round,
                                 int32_t* buckets) const {
  const auto deck_size = static_cast<int64_t>(deck_.size());
  int64_t code = 0;
  for (int i = 0; i < rules_.num_hole_cards; ++i) code = code * deck_size + place_[hole_cards[i]];
  for (int round = 0; round <= last_round; ++round) {
    for (int i = 0; i < rules_.num_board_cards[round]; ++i) code = code * deck_size + place_[*board++];
    buckets[round] = bucket_of_[round][code];
  }
}

void LosslessSmall::all_buckets(const uint8_t* board, int round, int32_t* buckets) const {
  std::array<int32_t, kMaxRounds> by_round;
  if (rules_.num_hole_cards == 1) {
    for (size_t i = 0; i < deck_.size(); ++i) {
      hand_buckets(&deck_[i], board, round, by_round.data());
      buckets[i] = by_round[round];
    }
    return;
  }
  std::fill(buckets, buckets + kNumHands, -1);
  for (size_t i = 0; i < deck_.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const uint8_t hole_cards[2] = {deck_[i], deck_[j]};
      hand_buckets(hole_cards, board, round, by_round.data());
      buckets[hand_index(deck_[i], deck_[j])] = by_round[round];
    }
}

}  // namespace nashgap
