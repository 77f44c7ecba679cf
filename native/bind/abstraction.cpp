#include <nanobind/stl/vector.h>

#include <algorithm>
#include <vector>

#include "abstraction/buckets.h"
#include "abstraction/strength_tables.h"
#include "bind/arrays.h"
#include "cards/evaluator.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr int64_t kNumPreflopClasses = 169;

StrengthMetric metric_of(int number) {
  if (number < 0 || number > 2) throw nb::value_error("a metric is 0, 1 or 2");
  return static_cast<StrengthMetric>(number);
}

void require_threads(int num_threads) {
  if (num_threads < 1 || num_threads > 1024) throw nb::value_error("num_threads must be 1 to 1024");
}

void require_distinct(const uint8_t* first, size_t num_first, const uint8_t* second, size_t num_second) {
  HandKey hand;
  for (size_t i = 0; i < num_first; ++i) hand = hand.with(first[i]);
  for (size_t i = 0; i < num_second; ++i) hand = hand.with(second[i]);
  if (!hand.has_distinct(static_cast<int>(num_first + num_second)))
    throw nb::value_error("cards must be different and below 52");
}

int board_cards_by(const StrengthBuckets&, int round) { return kStreetBoardCards[round]; }
int board_cards_by(const LosslessSmall& buckets, int round) { return buckets.rules().board_cards_by(round); }
int num_hole_cards(const StrengthBuckets&) { return 2; }
int num_hole_cards(const LosslessSmall& buckets) { return buckets.rules().num_hole_cards; }
int64_t num_hands(const StrengthBuckets&) { return kNumHands; }
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
              require_distinct(hole_cards.data() + i * hole_cards.shape(1), hole_cards.shape(1),
                               boards.data() + i * boards.shape(1), boards.shape(1));
            nb::gil_scoped_release release;
            for (int64_t i = 0; i < num_rows; ++i)
              self.hand_buckets(hole_cards.data() + i * hole_cards.shape(1), boards.data() + i * boards.shape(1),
                                last_round, buckets.data() + i * (last_round + 1));
          },
          "hole_cards"_a.noconvert(), "boards"_a.noconvert(), "last_round"_a, "buckets"_a.noconvert())
      .def(
          "all_buckets",
          [](const Buckets& self, Array<const uint8_t> board, int round, Array<int32_t> buckets) {
            require_board(self, board, board.size(), round);
            require_distinct(board.data(), board.size(), nullptr, 0);
            require_size(buckets, num_hands(self), "buckets");
            nb::gil_scoped_release release;
            self.all_buckets(board.data(), round, buckets.data());
          },
          "board"_a.noconvert(), "round"_a, "buckets"_a.noconvert());
}

// Python keeps the arrays of levels alive as long as the abstraction.
void make_strength_buckets(StrengthBuckets* self, nb::tuple levels, const std::vector<int>& max_levels,
                           const std::vector<int>& num_buckets, const std::vector<std::vector<int>>& remembered,
                           bool is_uniform, bool is_nested, bool is_preflop_lossless, int64_t num_deals, uint64_t seed,
                           int num_threads) {
  const size_t num_rounds = levels.size();
  if (num_rounds < 1 || num_rounds > kNumStreets || max_levels.size() != num_rounds ||
      num_buckets.size() != num_rounds || remembered.size() != num_rounds)
    throw nb::value_error("1 to 4 rounds, and as many entries of each list");
  require_threads(num_threads);
  if (num_deals < 1) throw nb::value_error("num_deals must be 1 or more");
  std::vector<RoundCuts> plans(num_rounds);
  std::vector<int64_t> num_own(num_rounds);
  for (size_t round = 0; round < num_rounds; ++round) {
    const auto table = nb::cast<Array<const uint16_t>>(levels[round], false);
    require_size(table, BoardIndex(kStreetBoardCards[round]).size() * kNumHands, "levels");
    if (num_buckets[round] < 1 || num_buckets[round] > kLevelUnit)
      throw nb::value_error("a round has 1 to 65534 buckets of its own");
    RoundCuts& plan = plans[round];
    plan.levels = table.data();
    plan.max_level = max_levels[round];
    plan.num_cuts = num_buckets[round] - 1;
    plan.is_uniform = is_uniform;
    plan.is_nested = is_nested && !is_uniform;
    plan.is_lossless = is_preflop_lossless && round == 0;
    plan.remembered = remembered[round];
    num_own[round] = plan.is_lossless ? kNumPreflopClasses : num_buckets[round];
    int64_t total = num_own[round];
    for (size_t i = 0; i < plan.remembered.size(); ++i) {
      const int earlier = plan.remembered[i];
      if (earlier < 0 || earlier >= static_cast<int>(round) || (i && earlier <= plan.remembered[i - 1]))
        throw nb::value_error("remembered rounds are earlier ones in ascending order");
      total *= num_own[earlier];
      if (total > INT32_MAX) throw nb::value_error("more than 2^31 - 1 buckets in a round");
    }
  }
  nb::gil_scoped_release release;
  new (self) StrengthBuckets(std::move(plans), num_deals, seed, num_threads);
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
  nb::class_<StrengthBuckets, CardAbstraction> strength(m, "StrengthBuckets");
  strength
      .def("__init__", &make_strength_buckets, "levels"_a, "max_levels"_a, "num_buckets"_a, "remembered"_a,
           "is_uniform"_a, "is_nested"_a, "is_preflop_lossless"_a, "num_deals"_a, "seed"_a, "num_threads"_a,
           nb::keep_alive<1, 2>())
      .def(
          "sample",
          [](const StrengthBuckets& self, uint64_t seed, Array<uint16_t> levels, Array<int32_t> buckets) {
            const auto num_deals = static_cast<int64_t>(buckets.size()) / self.num_rounds();
            require_size(buckets, num_deals * self.num_rounds(), "buckets");
            require_size(levels, num_deals * self.num_rounds(), "levels");
            nb::gil_scoped_release release;
            self.sample(num_deals, seed, levels.data(), buckets.data());
          },
          "seed"_a, "levels"_a.noconvert(), "buckets"_a.noconvert());
  bind_lookups(strength);
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
