#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "abstraction/cuts.h"
#include "abstraction/grid_buckets.h"
#include "abstraction/holdem_buckets.h"
#include "abstraction/kmeans.h"
#include "abstraction/lossless_small.h"
#include "abstraction/strength_tables.h"
#include "bind/arrays.h"
#include "bind/games.h"
#include "cards/evaluator.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr int64_t kNumPreflopClasses = 169;

StrengthMetric metric_of(int number) {
  if (number < 0 || number > 3) throw nb::value_error("a metric is 0, 1, 2 or 3");
  return static_cast<StrengthMetric>(number);
}

void require_distinct(const uint8_t* first, size_t num_first, const uint8_t* second, size_t num_second) {
  HandKey hand;
  for (size_t i = 0; i < num_first; ++i) hand = hand.with(first[i]);
  for (size_t i = 0; i < num_second; ++i) hand = hand.with(second[i]);
  if (!hand.has_distinct(static_cast<int>(num_first + num_second)))
    throw nb::value_error("cards must be different and below 52");
}

// Of the deck, too, where it is a small one.
void require_cards(const HoldemBuckets&, const uint8_t* first, size_t num_first, const uint8_t* second,
                   size_t num_second) {
  require_distinct(first, num_first, second, num_second);
}
void require_cards(const LosslessSmall& buckets, const uint8_t* first, size_t num_first, const uint8_t* second,
                   size_t num_second) {
  require_unseen(buckets.rules(), first, num_first);
  require_unseen(buckets.rules(), second, num_second, bits_of({first, first + num_first}));
}

int board_cards_by(const HoldemBuckets&, int round) { return kStreetBoardCards[round]; }
int board_cards_by(const LosslessSmall& buckets, int round) { return buckets.rules().board_cards_by(round); }
int num_hole_cards(const HoldemBuckets&) { return 2; }
int num_hole_cards(const LosslessSmall& buckets) { return buckets.rules().num_hole_cards; }
int64_t num_hands(const HoldemBuckets&) { return kNumHands; }
int64_t num_hands(const LosslessSmall& buckets) {
  return num_hole_cards(buckets) == 2 ? kNumHands : static_cast<int64_t>(buckets.rules().deck().size());
}

template <typename Buckets>
void require_board(const Buckets& self, const Array<const uint8_t>& board, size_t num_columns, int round) {
  if (round < 0 || round >= self.num_rounds()) throw nb::value_error("no such round");
  if (static_cast<int>(num_columns) != board_cards_by(self, round))
    throw nb::value_error("the board must have all cards dealt by the round");
  if (board.ndim() < 1) throw nb::value_error("the board must be a row of cards");
}

template <typename Buckets>
void bind_lookups(nb::class_<Buckets, CardAbstraction>& face) {
  face.def(
          "hand_buckets",
          [](const Buckets& self, Array<const uint8_t> hole_cards, Array<const uint8_t> boards, int last_round,
             Array<int32_t> buckets) {
            if (hole_cards.ndim() != 2 || boards.ndim() != 2 || boards.shape(0) != hole_cards.shape(0) ||
                static_cast<int>(hole_cards.shape(1)) != num_hole_cards(self))
              throw nb::value_error("hole_cards and boards must have the shapes [N, H] and [N, B]");
            require_board(self, boards, boards.shape(1), last_round);
            const auto num_rows = static_cast<int64_t>(hole_cards.shape(0));
            require_size(buckets, num_rows * (last_round + 1), "buckets");
            for (int64_t i = 0; i < num_rows; ++i)
              require_cards(self, hole_cards.data() + i * hole_cards.shape(1), hole_cards.shape(1),
                            boards.data() + i * boards.shape(1), boards.shape(1));
            nb::gil_scoped_release release;
            for (int64_t i = 0; i < num_rows; ++i) {
              const DealtBoard board = self.deal_board(boards.data() + i * boards.shape(1), last_round);
              self.hand_buckets(hole_cards.data() + i * hole_cards.shape(1), board, last_round,
                                buckets.data() + i * (last_round + 1));
            }
          },
          "hole_cards"_a.noconvert(), "boards"_a.noconvert(), "last_round"_a, "buckets"_a.noconvert())
      .def(
          "all_buckets",
          [](const Buckets& self, Array<const uint8_t> board, int round, Array<int32_t> buckets) {
            require_board(self, board, board.size(), round);
            require_cards(self, board.data(), board.size(), nullptr, 0);
            require_size(buckets, num_hands(self), "buckets");
            nb::gil_scoped_release release;
            self.all_buckets(board.data(), round, buckets.data());
          },
          "board"_a.noconvert(), "round"_a, "buckets"_a.noconvert());
}

void require_street(int street) {
  if (street < 0 || street >= kNumStreets) throw nb::value_error("a street is 0 to 3");
}

// [num_boards, kNumHands] of the street; Python keeps it alive as long as what is built on it.
void require_table(int street, const Array<const uint16_t>& table) {
  require_street(street);
  require_size(table, BoardIndex(kStreetBoardCards[street]).size() * kNumHands, "table");
}

// Hands that share a card with the board have none.
void require_buckets(int street, const uint16_t* table, int32_t size) {
  const BoardIndex boards(kStreetBoardCards[street]);
  const auto& cards = cards_of_hands();
  for (int64_t board = 0; board < boards.size(); ++board, table += kNumHands) {
    std::array<uint8_t, kNumHands> is_none;
    for (int hand = 0; hand < kNumHands; ++hand) is_none[hand] = table[hand] >= size;
    uint8_t on_board[5];
    boards.unindex(board, on_board);
    uint64_t dealt = 0;
    for (int i = 0; i < kStreetBoardCards[street]; ++i) dealt |= uint64_t{1} << on_board[i];
    for (int hand = 0; hand < kNumHands; ++hand)
      if (is_none[hand] && !((dealt >> cards[hand][0] | dealt >> cards[hand][1]) & 1))
        refuse("a table of " + std::to_string(size) + " buckets has an entry " + std::to_string(table[hand]));
  }
}

void require_cuts(int num_cuts) {
  if (num_cuts < 0 || num_cuts >= kLevelUnit) throw nb::value_error("num_cuts must be 0 to 65533");
}

void require_remembered(const std::vector<int>& remembered, int round) {
  for (size_t i = 0; i < remembered.size(); ++i)
    if (remembered[i] < 0 || remembered[i] >= round || (i && remembered[i] <= remembered[i - 1]))
      throw nb::value_error("remembered rounds are earlier ones in ascending order");
}

void make_holdem_buckets(HoldemBuckets* self, const std::vector<std::shared_ptr<RoundBuckets>>& rounds,
                         const std::vector<std::vector<int>>& remembered) {
  if (rounds.empty() || rounds.size() > kNumStreets || remembered.size() != rounds.size())
    throw nb::value_error("1 to 4 rounds, and as many lists of remembered ones");
  std::vector<HoldemBuckets::Round> placed;
  for (size_t i = 0; i < rounds.size(); ++i) {
    const int round = static_cast<int>(i);
    if (!rounds[i] || rounds[i]->street() != round) throw nb::value_error("the rounds' streets must be 0, 1, 2, ...");
    require_remembered(remembered[i], round);
    int64_t num_parents = 1;
    for (const int earlier : remembered[i]) {
      num_parents *= rounds[earlier]->size();
      if (num_parents > INT32_MAX) throw nb::value_error("more than 2^31 - 1 buckets in a round");
    }
    const auto* cuts = dynamic_cast<const LevelCuts*>(rounds[i].get());
    if (cuts && !cuts->fits(num_parents)) throw nb::value_error("a round has cuts for another number of parents");
    if (num_parents * rounds[i]->size() > INT32_MAX) throw nb::value_error("more than 2^31 - 1 buckets in a round");
    placed.push_back({rounds[i], remembered[i]});
  }
  new (self) HoldemBuckets(placed);
}

void bind_rounds(nb::module_& m) {
  nb::class_<RoundBuckets>(m, "RoundBuckets").def_prop_ro("size", &RoundBuckets::size);
  nb::class_<LevelCuts, RoundBuckets>(m, "LevelCuts")
      .def(
          "__init__",
          [](LevelCuts* self, int street, Array<const uint16_t> levels, int num_cuts, std::vector<uint16_t> cuts) {
            require_table(street, levels);
            require_cuts(num_cuts);
            if (num_cuts ? cuts.empty() || cuts.size() % num_cuts : !cuts.empty())
              throw nb::value_error("cuts must be rows of num_cuts");
            new (self) LevelCuts(street, levels.data(), num_cuts, std::move(cuts));
          },
          "street"_a, "levels"_a.noconvert(), "num_cuts"_a, "cuts"_a, nb::keep_alive<1, 3>());
  nb::class_<BucketTable, RoundBuckets>(m, "BucketTable")
      .def(
          "__init__",
          [](BucketTable* self, int street, Array<const uint16_t> table, int64_t size) {
            require_table(street, table);
            require_within(size, 1, kLevelUnit, "the number of buckets");
            require_buckets(street, table.data(), static_cast<int32_t>(size));
            new (self) BucketTable(street, table.data(), size);
          },
          "street"_a, "table"_a.noconvert(), "size"_a, nb::keep_alive<1, 3>());
  nb::class_<LosslessRound, RoundBuckets>(m, "LosslessRound")
      .def(
          "__init__",
          [](LosslessRound* self, int street) {
            require_street(street);
            new (self) LosslessRound(street);
          },
          "street"_a);
  nb::class_<RankBuckets, RoundBuckets>(m, "RankBuckets")
      .def(
          "__init__",
          [](RankBuckets* self, int num_threads) {
            require_threads(num_threads);
            nb::gil_scoped_release release;
            new (self) RankBuckets(num_threads);
          },
          "num_threads"_a);
  nb::class_<GridBuckets, RoundBuckets>(m, "GridBuckets")
      .def(
          "__init__",
          [](GridBuckets* self, int street, Array<const uint16_t> strengths, Array<const uint16_t> squares,
             int num_boards, int num_strengths, int num_spreads, int num_threads) {
            require_table(street, strengths);
            require_table(street, squares);
            require_threads(num_threads);
            for (const int number : {num_boards, num_strengths, num_spreads})
              if (number < 1 || number > kLevelUnit) throw nb::value_error("a feature is cut into 1 to 65534");
            if (int64_t{num_boards} * num_strengths * num_spreads > INT32_MAX)
              throw nb::value_error("more than 2^31 - 1 buckets in a round");
            if (street == 3 && num_spreads > 1) throw nb::value_error("the river has no spread");
            nb::gil_scoped_release release;
            new (self) GridBuckets(street, strengths.data(), squares.data(), {num_boards, num_strengths, num_spreads},
                                   num_threads);
          },
          "street"_a, "strengths"_a.noconvert(), "squares"_a.noconvert(), "num_boards"_a, "num_strengths"_a,
          "num_spreads"_a, "num_threads"_a, nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>());
}

void bind_cuts(nb::module_& m) {
  m.def(
      "share_cuts",
      [](int street, Array<const uint16_t> levels, int num_cuts) {
        require_table(street, levels);
        require_cuts(num_cuts);
        nb::gil_scoped_release release;
        return share_cuts(street, levels.data(), num_cuts);
      },
      "street"_a, "levels"_a.noconvert(), "num_cuts"_a);
  m.def(
      "nested_share_cuts",
      [](const HoldemBuckets& earlier, const std::vector<int>& remembered, Array<const uint16_t> levels, int num_cuts,
         int64_t num_deals, uint64_t seed, int num_threads) {
        require_table(earlier.num_rounds(), levels);
        require_remembered(remembered, earlier.num_rounds());
        require_cuts(num_cuts);
        require_threads(num_threads);
        if (num_deals < 1) throw nb::value_error("num_deals must be 1 or more");
        nb::gil_scoped_release release;
        return nested_share_cuts(earlier, remembered, levels.data(), num_cuts, num_deals, seed, num_threads);
      },
      "earlier"_a, "remembered"_a, "levels"_a.noconvert(), "num_cuts"_a, "num_deals"_a, "seed"_a, "num_threads"_a);
  m.def(
      "build_kmeans_buckets",
      [](int street, Array<const uint16_t> river, int num_bins, int num_centres, int64_t num_points, uint64_t seed,
         int num_threads, Array<uint16_t> buckets) {
        if (street < 1 || street > 2) throw nb::value_error("k-means is for the flop (1) and the turn (2)");
        require_table(3, river);
        require_size(buckets, BoardIndex(kStreetBoardCards[street]).size() * kNumHands, "buckets");
        if (num_bins < 2 || num_bins > kMaxBins) throw nb::value_error("num_bins must be 2 to 100");
        if (num_centres < 1 || num_centres > kLevelUnit) throw nb::value_error("num_centres must be 1 to 65534");
        if (num_points < 1) throw nb::value_error("num_points must be 1 or more");
        require_threads(num_threads);
        nb::gil_scoped_release release;
        build_kmeans_buckets({street, num_bins, num_centres, num_points, seed, num_threads}, river.data(),
                             buckets.data());
      },
      "street"_a, "river"_a.noconvert(), "num_bins"_a, "num_centres"_a, "num_points"_a, "seed"_a, "num_threads"_a,
      "buckets"_a.noconvert());
}

void bind_strength(nb::module_& m) {
  m.def(
      "build_river_levels",
      [](int metric, int num_threads, Array<uint16_t> levels) {
        require_threads(num_threads);
        require_size(levels, BoardIndex(5).size() * kNumHands, "levels");
        const StrengthMetric wanted = metric_of(metric);
        nb::gil_scoped_release release;
        build_river_levels(wanted, num_threads, levels.data());
      },
      "metric"_a, "num_threads"_a, "levels"_a.noconvert());
  m.def(
      "build_earlier_levels",
      [](int metric, Array<const uint16_t> river, int num_threads, Array<uint16_t> turn, Array<uint16_t> flop,
         Array<double> preflop) {
        require_threads(num_threads);
        require_size(river, BoardIndex(5).size() * kNumHands, "river");
        require_size(turn, BoardIndex(4).size() * kNumHands, "turn");
        require_size(flop, BoardIndex(3).size() * kNumHands, "flop");
        require_size(preflop, kNumPreflopClasses, "preflop");
        const StrengthMetric wanted = metric_of(metric);
        nb::gil_scoped_release release;
        build_earlier_levels(wanted, river.data(), num_threads, turn.data(), flop.data(), preflop.data());
      },
      "metric"_a, "river"_a.noconvert(), "num_threads"_a, "turn"_a.noconvert(), "flop"_a.noconvert(),
      "preflop"_a.noconvert());
  m.def(
      "board_strengths",
      [](int metric, Array<const uint8_t> board, Array<double> strengths) {
        if (board.size() < 3 || board.size() > 5) throw nb::value_error("a board has 3 to 5 cards");
        require_distinct(board.data(), board.size(), nullptr, 0);
        require_size(strengths, kNumHands, "strengths");
        const StrengthMetric wanted = metric_of(metric);
        nb::gil_scoped_release release;
        board_strengths(wanted, board.data(), static_cast<int>(board.size()), strengths.data());
      },
      "metric"_a, "board"_a.noconvert(), "strengths"_a.noconvert());
  nb::class_<BoardIndex>(m, "BoardIndex")
      .def(
          "__init__",
          [](BoardIndex* self, int num_cards) {
            if (num_cards < 0 || num_cards > 5) throw nb::value_error("a board has 0 to 5 cards");
            new (self) BoardIndex(num_cards);
          },
          "num_cards"_a)
      .def_prop_ro("size", &BoardIndex::size)
      .def(
          "find",
          [](const BoardIndex& self, Array<const uint8_t> board, Array<uint8_t> suit_map) {
            require_size(board, self.num_cards(), "board");
            require_size(suit_map, kNumSuits, "suit_map");
            require_distinct(board.data(), board.size(), nullptr, 0);
            const BoardIndex::Place place = self.find(board.data());
            std::ranges::copy(place.suit_map, suit_map.data());
            return place.board;
          },
          "board"_a.noconvert(), "suit_map"_a.noconvert())
      .def(
          "boards",
          [](const BoardIndex& self, Array<uint8_t> boards, Array<int32_t> num_renamings) {
            require_size(boards, self.size() * self.num_cards(), "boards");
            require_size(num_renamings, self.size(), "num_renamings");
            nb::gil_scoped_release release;
            for (int64_t i = 0; i < self.size(); ++i)
              num_renamings.data()[i] = self.unindex(i, boards.data() + i * self.num_cards());
          },
          "boards"_a.noconvert(), "num_renamings"_a.noconvert());
}

}  // namespace

void bind_abstraction(nb::module_& m) {
  bind_strength(m);
  nb::class_<CardAbstraction>(m, "CardAbstraction")
      .def_prop_ro("num_rounds", &CardAbstraction::num_rounds)
      .def(
          "num_buckets",
          [](const CardAbstraction& self, int round) {
            if (round < 0 || round >= self.num_rounds()) throw nb::value_error("no such round");
            return self.num_buckets(round);
          },
          "round"_a);
  bind_rounds(m);
  nb::class_<HoldemBuckets, CardAbstraction> holdem(m, "HoldemBuckets");
  holdem.def("__init__", &make_holdem_buckets, "rounds"_a, "remembered"_a)
      .def(
          "sample",
          [](const HoldemBuckets& self, const std::vector<Array<const uint16_t>>& tables, uint64_t seed,
             Array<uint16_t> levels, Array<int32_t> buckets) {
            if (static_cast<int>(tables.size()) != self.num_rounds()) throw nb::value_error("a table for each round");
            std::vector<const uint16_t*> rows;
            for (int street = 0; street < self.num_rounds(); ++street) {
              require_table(street, tables[street]);
              rows.push_back(tables[street].data());
            }
            const auto num_deals = static_cast<int64_t>(buckets.size()) / self.num_rounds();
            require_size(buckets, num_deals * self.num_rounds(), "buckets");
            require_size(levels, num_deals * self.num_rounds(), "levels");
            nb::gil_scoped_release release;
            sample_levels(self, rows, num_deals, seed, levels.data(), buckets.data());
          },
          "tables"_a, "seed"_a, "levels"_a.noconvert(), "buckets"_a.noconvert());
  bind_lookups(holdem);
  bind_cuts(m);
  nb::class_<LosslessSmall, CardAbstraction> lossless(m, "LosslessSmall");
  lossless
      .def(
          "__init__",
          [](LosslessSmall* self, const Rules& rules) {
            if (!LosslessSmall::fits(rules)) throw nb::value_error("too many hands and boards");
            new (self) LosslessSmall(rules);
          },
          "rules"_a)
      .def_static("fits", &LosslessSmall::fits, "rules"_a);
  bind_lookups(lossless);
}

}  // namespace nashgap
