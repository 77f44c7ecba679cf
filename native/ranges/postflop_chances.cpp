#include "ranges/postflop_chances.h"

#include <algorithm>
#include <array>
#include <bit>

#include "cards/evaluator.h"

namespace nashgap {
namespace {

// Pairs of ranks: first the different ones, as hand_index has cards, then the equal ones. So the hands of one suit are
// the first places, in their order.
constexpr int kNumUnequal = kNumRanks * (kNumRanks - 1) / 2;
constexpr int kNumRankPairs = kNumUnequal + kNumRanks;

constexpr auto kPairOf = [] {
  std::array<std::array<uint8_t, kNumRanks>, kNumRanks> table{};
  for (int x = 0; x < kNumRanks; ++x)
    for (int y = 0; y < kNumRanks; ++y)
      table[x][y] = static_cast<uint8_t>(x == y ? kNumUnequal + x : hand_index(std::max(x, y), std::min(x, y)));
  return table;
}();

struct RankPair {
  uint32_t key;     // the part of a HandKey's sum that is of ranks
  uint32_t ranks;   // a bit a rank
  uint64_t counts;  // four bits a rank
};

constexpr auto kPairs = [] {
  std::array<RankPair, kNumRankPairs> table{};
  for (int x = 0; x < kNumRanks; ++x)
    for (int y = 0; y <= x; ++y) {
      const HandKey hand = HandKey().with(make_card(x, 0)).with(make_card(y, 1));
      table[kPairOf[x][y]] = {static_cast<uint32_t>(hand.sum), 1U << x | 1U << y, (1ULL << 4 * x) + (1ULL << 4 * y)};
    }
  return table;
}();

// Strengths that compare as signed numbers, which vector instructions prefer.
using Strength = int16_t;
constexpr Strength strength_of(uint16_t rank) { return static_cast<Strength>(rank - 0x8000); }
constexpr Strength kNoHand = strength_of(0);
constexpr Strength kFlushes = strength_of(5 << 12);  // below all flushes, above all straights: see hand_category

constexpr int score(Strength hero, Strength other) { return (hero > other) - (hero < other); }

constexpr int kNumLanes = 8;
typedef int16_t Lanes __attribute__((vector_size(2 * kNumLanes), may_alias));

// The same for eight others: a comparison that holds is -1.
inline Lanes score(Lanes hero, Lanes other) { return (hero < other) - (hero > other); }
inline Lanes spread(int value) { return static_cast<int16_t>(value) - Lanes{}; }

// A number for each pair of ranks.
struct alignas(sizeof(Lanes)) PairRow {
  static constexpr int kNumGroups = (kNumRankPairs + kNumLanes - 1) / kNumLanes;
  static constexpr int kNumUnequalGroups = (kNumUnequal + kNumLanes - 1) / kNumLanes;

  std::array<int16_t, kNumGroups * kNumLanes> at;

  Lanes& lanes(int group) { return reinterpret_cast<Lanes&>(at[group * kNumLanes]); }
  const Lanes& lanes(int group) const { return reinterpret_cast<const Lanes&>(at[group * kNumLanes]); }
};

// For each rank, -1 at the pairs that have it; at kNumRanks, none.
constexpr auto kHasRank = [] {
  std::array<PairRow, kNumRanks + 1> table{};
  for (int x = 0; x < kNumRanks; ++x)
    for (int y = 0; y < kNumRanks; ++y) table[x].at[kPairOf[x][y]] = -1;
  return table;
}();

// One computation: the scores of a hand, wins less losses, against every hand over all run-outs of so many cards.
template <int kNumNext>
class Showdowns {
 public:
  Showdowns(const uint8_t* hole_cards, const uint8_t* board);

  void write(double* chances) const;

 private:
  static constexpr int choose_next(int n) { return kNumNext == 0 ? 1 : kNumNext == 1 ? n : n * (n - 1) / 2; }
  static constexpr int kNumBoardCards = 5 - kNumNext;
  static constexpr int kNumLive = kNumCards - 2 - kNumBoardCards;
  static constexpr int kNumRunOuts = choose_next(kNumLive);
  static constexpr int kNumMet = choose_next(kNumLive - 2);  // those that leave the other its cards
  static constexpr int kNumRows = kNumNext == 2 ? kNumRankPairs : kNumNext == 1 ? kNumRanks : 1;

  struct RunOut {
    std::array<uint8_t, 2> cards;  // the first kNumNext
    uint8_t row;                   // in strengths_
    Strength hero;
  };

  // Where the other's hands find what flushes change, by how many cards of the suit they have.
  struct FlushScores {
    PairRow none, two;
    std::array<PairRow, kNumRanks> one;  // by the rank of that card
  };

  void rank_pairs(const HandKey& board);
  void rank_hero(const HandKey& hero);
  void score_cards(std::array<PairRow, kNumCards>* with_card) const;
  void score_pairs();
  void score_flushes(int suit);
  void score_two_suited(int suit, uint32_t ranks, const RunOut& run_out, PairRow* two) const;
  void score_one_suited(int suit, uint32_t ranks, const RunOut& run_out, FlushScores* scores);
  void add_flush_scores(int suit, const FlushScores& scores);

  const EvaluatorTables& tables_ = evaluator_tables();
  std::array<uint32_t, kNumSuits> board_ranks_{}, live_ranks_{};  // a bit a rank
  std::array<int, kNumRanks> num_live_{};                         // cards of each rank
  std::array<uint8_t, kNumLive> live_;                            // ascending
  int hero_pair_;
  std::array<RunOut, kNumRunOuts> run_outs_;  // those of two cards in the order of hand_index of places in live_
  std::array<PairRow, kNumRows> strengths_;   // [ranks of the run-out][ranks of the other's hand], flushes apart
  std::array<int16_t, kNumHands> scores_;
};

template <int kNumNext>
Showdowns<kNumNext>::Showdowns(const uint8_t* hole_cards, const uint8_t* board) {
  HandKey on_board;
  for (int i = 0; i < kNumBoardCards; ++i) {
    on_board = on_board.with(board[i]);
    board_ranks_[suit_of(board[i])] |= 1U << rank_of(board[i]);
  }
  const HandKey hero = on_board.with(hole_cards[0]).with(hole_cards[1]);
  for (int card = 0, i = 0; card < kNumCards; ++card) {
    if (hero.has(card)) continue;
    live_[i++] = static_cast<uint8_t>(card);
    live_ranks_[suit_of(card)] |= 1U << rank_of(card);
    ++num_live_[rank_of(card)];
  }
  hero_pair_ = kPairOf[rank_of(hole_cards[0])][rank_of(hole_cards[1])];
  rank_pairs(on_board);
  rank_hero(hero);
  score_pairs();
  for (int suit = 0; suit < kNumSuits; ++suit)
    if (std::popcount(board_ranks_[suit]) + kNumNext >= 3) score_flushes(suit);
}

template <int kNumNext>
void Showdowns<kNumNext>::write(double* chances) const {
  for (int hand = 0; hand < kNumHands; ++hand) chances[hand] = (kNumMet + scores_[hand]) / (2.0 * kNumMet);
}

// Of ranks alone, with the board and the run-out; kNoHand where there would be five cards of a rank.
template <int kNumNext>
void Showdowns<kNumNext>::rank_pairs(const HandKey& board) {
  RankPair dealt{static_cast<uint32_t>(board.sum), 0, 0};
  for (const uint32_t ranks : board_ranks_)
    for (uint32_t left = ranks; left; left &= left - 1) dealt.counts += 1ULL << (4 * std::countr_zero(left));
  const auto strength = [&](const RankPair& next, const RankPair& pair) {
    constexpr uint64_t kToEight = 0x3333333333333, kEight = 0x8888888888888;
    if ((dealt.counts + next.counts + pair.counts + kToEight) & kEight) return kNoHand;
    const uint32_t key = dealt.key + next.key + pair.key;
    return strength_of(tables_.rank[tables_.row[key >> 16] + tables_.column[static_cast<uint16_t>(key)]]);
  };
  for (int row = 0; row < kNumRows; ++row) {
    RankPair next{};
    if constexpr (kNumNext == 1) next = {kPairs[kPairOf[row][row]].key / 2, 0, 1ULL << (4 * row)};
    if constexpr (kNumNext == 2) next = kPairs[row];
    const int num_pairs = kNumNext == 2 ? row + 1 : kNumRankPairs;  // a run-out and a hand may change places
    for (int pair = 0; pair < num_pairs; ++pair) {
      strengths_[row].at[pair] = strength(next, kPairs[pair]);
      if constexpr (kNumNext == 2) strengths_[pair].at[row] = strengths_[row].at[pair];
    }
  }
}

template <int kNumNext>
void Showdowns<kNumNext>::rank_hero(const HandKey& hero) {
  RunOut* next = run_outs_.data();
  const auto add = [&](uint8_t first, uint8_t second, int row, const HandKey& hand) {
    *next++ = {{first, second}, static_cast<uint8_t>(row), strength_of(hand.rank(tables_))};
  };
  if constexpr (kNumNext == 0) return add(0, 0, 0, hero);
  for (int i = 0; i < kNumLive; ++i) {
    const uint8_t first = live_[i];
    const HandKey with_first = hero.with(first);
    if constexpr (kNumNext == 1) add(first, 0, rank_of(first), with_first);
    for (int j = 0; j < i && kNumNext == 2; ++j)
      add(first, live_[j], kPairOf[rank_of(first)][rank_of(live_[j])], with_first.with(live_[j]));
  }
}

// Against pairs of ranks: the scores of all run-outs with each live card. Those of the same ranks score the same,
// unless the hero has a flush.
template <int kNumNext>
void Showdowns<kNumNext>::score_cards(std::array<PairRow, kNumCards>* with_card) const {
  std::array<PairRow, kNumRanks> with_rank{};
  const auto add = [&](int row, int rank, int num_others) {
    const Lanes hero = spread(strengths_[row].at[hero_pair_]);
    for (int group = 0; group < PairRow::kNumGroups; ++group)
      with_rank[rank].lanes(group) += score(hero, strengths_[row].lanes(group)) * spread(num_others);
  };
  for (int x = 0; x < kNumRanks; ++x) {
    if constexpr (kNumNext == 1) add(x, x, 1);
    for (int y = 0; y < kNumRanks && kNumNext == 2; ++y) add(kPairOf[x][y], x, num_live_[y] - (x == y));
  }
  for (const uint8_t card : live_) (*with_card)[card] = with_rank[rank_of(card)];
  for (const RunOut& run_out : run_outs_) {
    const Strength by_ranks = strengths_[run_out.row].at[hero_pair_];
    if (run_out.hero == by_ranks) continue;
    for (int group = 0; group < PairRow::kNumGroups; ++group) {
      const Lanes others = strengths_[run_out.row].lanes(group);
      const Lanes change = score(spread(run_out.hero), others) - score(spread(by_ranks), others);
      for (int c = 0; c < kNumNext; ++c) (*with_card)[run_out.cards[c]].lanes(group) += change;
    }
  }
}

// Against hands: all run-outs, less those with one of its cards, plus the one with both, which is taken off twice.
template <int kNumNext>
void Showdowns<kNumNext>::score_pairs() {
  PairRow all{};
  std::array<PairRow, kNumCards> with_card;
  if constexpr (kNumNext > 0) score_cards(&with_card);
  for (int group = 0; group < PairRow::kNumGroups; ++group) {
    if constexpr (kNumNext == 0) {
      all.lanes(group) = score(spread(run_outs_[0].hero), strengths_[0].lanes(group));
    } else {
      for (const uint8_t card : live_) all.lanes(group) += with_card[card].lanes(group);
      all.lanes(group) /= spread(kNumNext);  // each run-out came once for each of its cards
    }
  }

  scores_.fill(-kNumMet);  // no chance against hands that share a card
  const RunOut* both = run_outs_.data();
  for (int i = 0; i < kNumLive; ++i) {
    const int first = live_[i];
    for (int j = 0; j < i; ++j) {
      const int second = live_[j];
      const int pair = kPairOf[rank_of(first)][rank_of(second)];
      int total = all.at[pair];
      if constexpr (kNumNext > 0) total -= with_card[first].at[pair] + with_card[second].at[pair];
      if constexpr (kNumNext == 2) total += score(both->hero, strengths_[both->row].at[pair]), ++both;
      scores_[hand_index(first, second)] = static_cast<int16_t>(total);
    }
  }
}

// What flushes of the suit change: their scores, less those that the same hands had by their ranks.
template <int kNumNext>
void Showdowns<kNumNext>::score_flushes(int suit) {
  FlushScores scores{};
  for (const RunOut& run_out : run_outs_) {
    uint32_t ranks = board_ranks_[suit];
    for (int c = 0; c < kNumNext; ++c)
      if (suit_of(run_out.cards[c]) == suit) ranks |= 1U << rank_of(run_out.cards[c]);
    const int num_suited = std::popcount(ranks);
    if (num_suited >= 3) score_two_suited(suit, ranks, run_out, &scores.two);
    if (num_suited >= 4) score_one_suited(suit, ranks, run_out, &scores);
  }
  add_flush_scores(suit, scores);
}

// ranks: of the suit, on the board and the run-out.
template <int kNumNext>
void Showdowns<kNumNext>::score_two_suited(int suit, uint32_t ranks, const RunOut& run_out, PairRow* two) const {
  const Lanes hero = spread(run_out.hero);
  PairRow flushes;
  if (run_out.hero < kFlushes) {  // whatever the flush, it wins
    flushes.at.fill(kFlushes);
  } else {
    for (int pair = 0; pair < kNumUnequal; ++pair)
      flushes.at[pair] = strength_of(tables_.flush_rank[ranks | kPairs[pair].ranks]);
  }
  // Hands with a card of the run-out cannot be; those with one of the board are never looked up.
  std::array<const PairRow*, kNumNext> taken;
  for (int c = 0; c < kNumNext; ++c)
    taken[c] = &kHasRank[suit_of(run_out.cards[c]) == suit ? rank_of(run_out.cards[c]) : kNumRanks];
  for (int group = 0; group < PairRow::kNumUnequalGroups; ++group) {
    Lanes change = score(hero, flushes.lanes(group)) - score(hero, strengths_[run_out.row].lanes(group));
    for (const PairRow* row : taken) change &= ~row->lanes(group);
    two->lanes(group) += change;
  }
}

// And no card of the suit, where five of it are on the board.
template <int kNumNext>
void Showdowns<kNumNext>::score_one_suited(int suit, uint32_t ranks, const RunOut& run_out, FlushScores* scores) {
  PairRow by_ranks;
  for (int group = 0; group < PairRow::kNumGroups; ++group)
    by_ranks.lanes(group) = score(spread(run_out.hero), strengths_[run_out.row].lanes(group));
  const auto add_change = [&](uint32_t flush, PairRow* row) {
    const int of_flush = score(run_out.hero, strength_of(tables_.flush_rank[flush]));
    for (int group = 0; group < PairRow::kNumGroups; ++group)
      row->lanes(group) += spread(of_flush) - by_ranks.lanes(group);
    return of_flush;
  };
  for (uint32_t left = live_ranks_[suit] & ~ranks; left; left &= left - 1) {
    const int rank = std::countr_zero(left);
    const int of_flush = add_change(ranks | 1U << rank, &scores->one[rank]);
    for (int c = 0; c < kNumNext; ++c) {
      const int taken = run_out.cards[c], card = make_card(rank, suit);
      if (suit_of(taken) != suit)  // the other cannot have it: what is added for its rank is taken back
        scores_[hand_index(std::max(card, taken), std::min(card, taken))] +=
            by_ranks.at[kPairOf[rank][rank_of(taken)]] - of_flush;
    }
  }
  if (std::popcount(ranks) == 5) add_change(ranks, &scores->none);
}

template <int kNumNext>
void Showdowns<kNumNext>::add_flush_scores(int suit, const FlushScores& scores) {
  const int most = std::popcount(board_ranks_[suit]) + kNumNext;
  for (int i = 0; i < kNumLive; ++i) {
    const int first = live_[i], rank = rank_of(first);
    if (suit_of(first) == suit) {
      for (uint32_t left = live_ranks_[suit] & ((1U << rank) - 1); left; left &= left - 1) {
        const int lower = std::countr_zero(left);
        scores_[hand_index(first, make_card(lower, suit))] += scores.two.at[kPairOf[rank][lower]];
      }
    }
    for (int j = 0; j < i && most >= 4; ++j) {
      const int second = live_[j];
      if (suit_of(first) == suit && suit_of(second) == suit) continue;
      const PairRow& row = suit_of(first) == suit    ? scores.one[rank]
                           : suit_of(second) == suit ? scores.one[rank_of(second)]
                                                     : scores.none;
      scores_[hand_index(first, second)] += row.at[kPairOf[rank][rank_of(second)]];
    }
  }
}

}  // namespace

void postflop_chances(const uint8_t* hole_cards, const uint8_t* board, int num_board_cards, double* chances) {
  if (num_board_cards == 3) Showdowns<2>(hole_cards, board).write(chances);
  if (num_board_cards == 4) Showdowns<1>(hole_cards, board).write(chances);
  if (num_board_cards == 5) Showdowns<0>(hole_cards, board).write(chances);
}

}  // namespace nashgap
