#include <nanobind/stl/vector.h>

#include <vector>

#include "bind/arrays.h"
#include "cards/evaluator.h"
#include "cards/isomorphism.h"

namespace nashgap {

using namespace nb::literals;

namespace {

bool are_distinct(const uint8_t* cards, size_t num_cards) {
  HandKey hand;
  for (size_t i = 0; i < num_cards; ++i) hand = hand.with(cards[i]);
  return hand.has_distinct(static_cast<int>(num_cards));
}

const uint8_t* data(const nb::bytes& cards) { return reinterpret_cast<const uint8_t*>(cards.c_str()); }

void require_columns(const Array<const uint8_t>& cards, int64_t num_columns) {
  if (cards.ndim() != 2 || static_cast<int64_t>(cards.shape(1)) != num_columns)
    throw nb::value_error("cards must have the shape [N, K] with K the number of cards of all rounds");
}

void bind_evaluator(nb::module_& m) {
  m.def(
      "hand_rank",
      [](nb::bytes cards) {
        const size_t size = cards.size();
        const bool is_hand = 1 <= size && size <= kMaxHandCards && are_distinct(data(cards), size);
        return is_hand ? hand_rank(data(cards), static_cast<int>(size)) : uint16_t{0};
      },
      "cards"_a);

  m.def(
      "hand_ranks",
      [](Array<const uint8_t> cards, Array<uint16_t> ranks) {
        if (cards.ndim() != 2 || cards.shape(1) < 1 || cards.shape(1) > kMaxHandCards)
          throw nb::value_error("cards must have the shape [N, K] with K from 1 to 10");
        const auto num_hands = static_cast<int64_t>(cards.shape(0));
        require_size(ranks, num_hands, "ranks");
        nb::gil_scoped_release release;
        return hand_ranks(cards.data(), num_hands, static_cast<int>(cards.shape(1)), ranks.data());
      },
      "cards"_a.noconvert(), "ranks"_a.noconvert());

  m.def(
      "hand_ranks_on_board",
      [](Array<const uint8_t> board, Array<uint16_t> ranks) {
        if (board.size() > 5) throw nb::value_error("a board has at most 5 cards");
        if (!are_distinct(board.data(), board.size())) throw nb::value_error("a board has different cards below 52");
        require_size(ranks, kNumHands, "ranks");
        nb::gil_scoped_release release;
        hand_ranks_on_board(board.data(), static_cast<int>(board.size()), ranks.data());
      },
      "board"_a.noconvert(), "ranks"_a.noconvert());

  m.def(
      "count_categories",
      [](int num_cards, Array<int64_t> counts) {
        if (num_cards < 5 || num_cards > kMaxKeyCards) throw nb::value_error("num_cards must be 5, 6 or 7");
        require_size(counts, kNumCategories, "counts");
        nb::gil_scoped_release release;
        count_categories(num_cards, counts.data());
      },
      "num_cards"_a, "counts"_a.noconvert());
}

void bind_isomorphism(nb::module_& m) {
  nb::class_<SuitIsomorphism>(m, "SuitIsomorphism")
      .def(
          "__init__",
          [](SuitIsomorphism* self, const std::vector<int>& cards_per_round) {
            int num_cards = 0;
            for (const int count : cards_per_round) {
              if (count < 1 || count > SuitIsomorphism::kMaxCards) throw nb::value_error("a round has 1 to 10 cards");
              num_cards += count;
            }
            if (cards_per_round.empty() || cards_per_round.size() > SuitIsomorphism::kMaxRounds ||
                num_cards > SuitIsomorphism::kMaxCards)
              throw nb::value_error("1 to 4 rounds of 10 cards in all");
            new (self) SuitIsomorphism(cards_per_round);
          },
          "cards_per_round"_a)
      .def_prop_ro("size", &SuitIsomorphism::size)
      .def(
          "index",
          [](const SuitIsomorphism& self, nb::bytes cards) {
            const bool is_hand = static_cast<int>(cards.size()) == self.num_cards() &&
                                 are_distinct(data(cards), cards.size());
            return is_hand ? self.index(data(cards)) : int64_t{-1};
          },
          "cards"_a)
      .def(
          "unindex",
          [](const SuitIsomorphism& self, int64_t index) {
            if (index < 0 || index >= self.size()) throw nb::value_error("index out of range");
            uint8_t cards[SuitIsomorphism::kMaxCards];
            self.unindex(index, cards);
            return nb::bytes(reinterpret_cast<const char*>(cards), self.num_cards());
          },
          "index"_a)
      .def(
          "index_batch",
          [](const SuitIsomorphism& self, Array<const uint8_t> cards, Array<int64_t> indices) {
            require_columns(cards, self.num_cards());
            require_size(indices, static_cast<int64_t>(cards.shape(0)), "indices");
            nb::gil_scoped_release release;
            return self.index_batch(cards.data(), static_cast<int64_t>(indices.size()), indices.data());
          },
          "cards"_a.noconvert(), "indices"_a.noconvert())
      .def(
          "unindex_batch",
          [](const SuitIsomorphism& self, Array<const int64_t> indices, Array<uint8_t> cards) {
            const auto num_hands = static_cast<int64_t>(indices.size());
            require_size(cards, num_hands * self.num_cards(), "cards");
            nb::gil_scoped_release release;
            return self.unindex_batch(indices.data(), num_hands, cards.data());
          },
          "indices"_a.noconvert(), "cards"_a.noconvert());
}

}  // namespace

void bind_cards(nb::module_& m) {
  bind_evaluator(m);
  bind_isomorphism(m);
}

}  // namespace nashgap
