"""The suit-isomorphism index: its published sizes, its inverse, and brute force over all 24 renamings of the suits."""

import pickle
from itertools import permutations

import numpy as np
import pytest

from nashgap.cards.card import NUM_CARDS, format_cards
from nashgap.cards.isomorphism import ORDERED_STREETS, STREETS, SuitIsomorphism
from nashgap.errors import ConfigError

# Waugh (2013), tables of the ordered and the unordered game.
SIZES = {
    (2,): 169,
    (2, 3): 1_286_792,
    (2, 3, 1): 55_190_538,
    (2, 3, 1, 1): 2_428_287_420,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
}
RENAMINGS = list(permutations(range(4)))
ROUNDS = pytest.mark.parametrize("rounds", [*SIZES, (5,), (1, 1, 1, 1), (4, 3, 2, 1)], ids=str)


def random_hands(rng, num_hands, num_cards):
    return rng.random((num_hands, NUM_CARDS)).argpartition(num_cards, axis=1)[:, :num_cards].astype(np.uint8)


def renamed(cards, renaming):
    """Cards with suit s turned into suit renaming[s]."""
    cards = np.asarray(cards)
    return cards - cards % 4 + np.asarray(renaming, dtype=cards.dtype)[cards % 4]


def by_round(cards, rounds):
    start = 0
    for count in rounds:
        yield cards[start : start + count]
        start += count


def brute_force_class(cards, rounds):
    """The least of all renamings of a hand, cards sorted within each round."""
    return min(
        tuple(card for part in by_round(renamed(cards, renaming).tolist(), rounds) for card in sorted(part))
        for renaming in RENAMINGS
    )


@pytest.mark.parametrize(("rounds", "size"), SIZES.items(), ids=str)
def test_sizes_are_the_published_ones(rounds, size):
    assert SuitIsomorphism(rounds).size == size


def test_streets_have_their_sizes():
    unordered = [SuitIsomorphism.of_street(street).size for street in STREETS]
    ordered = [SuitIsomorphism.of_street(street, is_ordered=True).size for street in ORDERED_STREETS]
    assert unordered == [169, 1_286_792, 13_960_050, 123_156_254]
    assert ordered == [169, 1_286_792, 55_190_538, 2_428_287_420]


@ROUNDS
def test_unindex_is_the_inverse(rounds):
    isomorphism = SuitIsomorphism(rounds)
    rng = np.random.default_rng(sum(rounds))
    size = isomorphism.size
    indices = np.concatenate([[0, 1, size - 2, size - 1], rng.integers(size, size=50_000)])
    cards = isomorphism.unindex_batch(indices)
    np.testing.assert_array_equal(isomorphism.index_batch(cards), indices)


@ROUNDS
def test_a_representative_is_isomorphic_to_the_hand_it_came_from(rounds):
    isomorphism = SuitIsomorphism(rounds)
    for hand in random_hands(np.random.default_rng(3), 50, sum(rounds)):
        representative = np.array(isomorphism.unindex(isomorphism.index(hand.tolist())))
        assert brute_force_class(representative, rounds) == brute_force_class(hand, rounds)


@ROUNDS
def test_neither_names_of_suits_nor_order_within_a_round_matter(rounds):
    isomorphism = SuitIsomorphism(rounds)
    rng = np.random.default_rng(4)
    hands = random_hands(rng, 2_000, sum(rounds))
    indices = isomorphism.index_batch(hands)
    for renaming in RENAMINGS:
        parts = [rng.permuted(part.T, axis=1) for part in by_round(renamed(hands, renaming).T, rounds)]
        np.testing.assert_array_equal(isomorphism.index_batch(np.concatenate(parts, axis=1)), indices)


@ROUNDS
def test_equal_index_means_isomorphic(rounds):
    """Few ranks and near relatives, so that both equal and different classes come up often."""
    isomorphism = SuitIsomorphism(rounds)
    rng = np.random.default_rng(5)
    num_cards = sum(rounds)
    hands = rng.random((150, 16)).argsort(axis=1)[:, :num_cards].astype(np.uint8) + 36
    num_equal = 0
    for hand in hands:
        other = renamed(hand, rng.permutation(4))
        first, second = rng.integers(num_cards, size=2)
        other[[first, second]] = other[[second, first]]
        is_equal = isomorphism.index(hand.tolist()) == isomorphism.index(other.tolist())
        assert is_equal == (brute_force_class(hand, rounds) == brute_force_class(other, rounds)), format_cards(hand)
        num_equal += is_equal
    assert num_equal > 0


def test_every_preflop_class_is_a_pair_a_suited_or_an_offsuit_hand():
    isomorphism = SuitIsomorphism.of_street("preflop")
    hands = np.array([(high, low) for high in range(NUM_CARDS) for low in range(high)])
    hits = np.bincount(isomorphism.index_batch(hands), minlength=isomorphism.size)
    assert np.bincount(hits).tolist() == [0, 0, 0, 0, 78, 0, 13, 0, 0, 0, 0, 0, 78]


def test_the_flop_index_is_exactly_one_number_a_class():
    """All 25,989,600 hands: every number is hit, by as many hands as its class has, so by no others.

    Renaming suits turns each pair of hole cards into one of 169, which stand for 4, 6 or 12 each.
    """
    flop = SuitIsomorphism.of_street("flop")
    preflop = SuitIsomorphism.of_street("preflop")
    pairs = np.array([(high, low) for high in range(NUM_CARDS) for low in range(high)])
    num_alike = np.bincount(preflop.index_batch(pairs))
    boards = np.array([(a, b, c) for a in range(NUM_CARDS) for b in range(a) for c in range(b)], dtype=np.uint8)
    board_sets = as_sets(boards)

    num_hits = np.zeros(flop.size, dtype=np.int64)
    for weight in (4, 6, 12):
        hands = []
        for hole in preflop.unindex_batch(np.flatnonzero(num_alike == weight)):
            free = boards[board_sets & as_sets(hole[None]) == 0]
            hands.append(np.column_stack([np.broadcast_to(hole, (len(free), 2)), free]))
        num_hits += weight * np.bincount(flop.index_batch(np.concatenate(hands)), minlength=flop.size)
    assert num_hits.sum() == 25_989_600

    representatives = flop.unindex_batch(np.arange(flop.size))
    np.testing.assert_array_equal(flop.index_batch(representatives), np.arange(flop.size))
    np.testing.assert_array_equal(num_hits, num_distinct_renamings(representatives[:, :2], representatives[:, 2:]))


def num_distinct_renamings(holes, boards):
    """24 over the number of renamings that leave a hand as it is."""
    hole_sets, board_sets = as_sets(holes), as_sets(boards)
    num_same = np.zeros(len(holes), dtype=np.int64)
    for renaming in RENAMINGS:
        candidates = np.flatnonzero(as_sets(renamed(holes, renaming)) == hole_sets)
        num_same[candidates] += as_sets(renamed(boards[candidates], renaming)) == board_sets[candidates]
    return 24 // num_same


def as_sets(hands):
    """`[N, K]` cards -> `[N]` sets of them as bits."""
    return sum(np.uint64(1) << cards.astype(np.uint64) for cards in hands.T)


@ROUNDS
def test_one_hand_and_many_give_the_same(rounds):
    isomorphism = SuitIsomorphism(rounds)
    hands = random_hands(np.random.default_rng(6), 100, sum(rounds))
    indices = isomorphism.index_batch(hands)
    assert indices.tolist() == [isomorphism.index(hand) for hand in hands.tolist()]
    representatives = isomorphism.unindex_batch(indices)
    assert list(map(tuple, representatives.tolist())) == [isomorphism.unindex(index) for index in indices.tolist()]


def test_a_representative_is_written_spades_first():
    isomorphism = SuitIsomorphism.of_street("preflop")
    texts = {format_cards(isomorphism.unindex(index)) for index in range(isomorphism.size)}
    assert {"AsKs", "AsAh", "AsKh"} <= texts


def test_an_index_can_be_sent_to_a_worker():
    isomorphism = pickle.loads(pickle.dumps(SuitIsomorphism((2, 3, 1))))
    assert isomorphism.cards_per_round == (2, 3, 1)
    assert isomorphism.size == 55_190_538


@pytest.mark.parametrize("rounds", [(), (0,), (2, 0), (2, -1), (11,), (1, 1, 1, 1, 1), (5, 6)])
def test_rounds_that_cannot_be_indexed_are_refused(rounds):
    with pytest.raises(ConfigError, match="at most 10 cards in all"):
        SuitIsomorphism(rounds)


def test_an_unknown_street_is_answered_with_the_known_ones():
    with pytest.raises(ConfigError, match="known: preflop, flop, turn, river"):
        SuitIsomorphism.of_street("fourth")


@pytest.mark.parametrize("cards", [(1,), (1, 1), (1, 52), (1, 300), (1, 2, 3)])
def test_what_is_no_hand_is_refused(cards):
    with pytest.raises(ConfigError, match="a hand is 2 different cards of 0 to 51"):
        SuitIsomorphism((2,)).index(cards)


@pytest.mark.parametrize("cards", [(1, 1), (1, 52), (1, 64), (1, -1), (1, 256)])
def test_the_wrong_hand_of_many_is_named(cards):
    with pytest.raises(ConfigError, match=r"hand 1 is \[1, -?\d+\]; a hand is 2 different cards"):
        SuitIsomorphism((2,)).index_batch(np.array([(0, 1), cards]))


def test_hands_of_a_wrong_shape_are_refused():
    with pytest.raises(ConfigError, match=r"the shape \[N, 2\], not \[4, 3\]"):
        SuitIsomorphism((2,)).index_batch(np.zeros((4, 3), dtype=np.uint8))


@pytest.mark.parametrize("index", [-1, 169])
def test_there_is_no_class_beyond_the_last(index):
    isomorphism = SuitIsomorphism((2,))
    with pytest.raises(ConfigError, match="they are 0 to 168"):
        isomorphism.unindex(index)
    with pytest.raises(ConfigError, match="they are 0 to 168"):
        isomorphism.unindex_batch(np.array([3, index]))
    with pytest.raises(ConfigError, match="a row of whole numbers"):
        isomorphism.unindex_batch(np.array([0.5]))
