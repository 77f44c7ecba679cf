"""The evaluator against a plain twin, against phevaluator and against the known numbers of hands."""

from collections import Counter
from itertools import combinations, pairwise, permutations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from nashgap.cards.card import NUM_CARDS, NUM_HANDS, SUITS, hand_cards, parse_cards
from nashgap.cards.evaluator import (
    CATEGORIES,
    count_categories,
    hand_category,
    hand_rank,
    hand_ranks,
    hand_ranks_on_board,
)
from nashgap.errors import ConfigError

# Worst to best, as in CATEGORIES. Five cards: textbook combinatorics; seven: the numbers that every evaluator reports.
FIVE_CARD_COUNTS = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40)
SEVEN_CARD_COUNTS = (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584)


def random_hands(rng, num_hands, num_cards):
    """`[N, K]` uint8, each row different cards in random order."""
    hands = rng.random((num_hands, NUM_CARDS)).argpartition(num_cards, axis=1)[:, :num_cards]
    return hands.astype(np.uint8)


def all_hands(num_cards):
    """`[C(52, K), K]` uint8, cards rising."""
    hands = np.arange(NUM_CARDS, dtype=np.uint8)[:, None]
    for _ in range(num_cards - 1):
        num_higher = NUM_CARDS - 1 - hands[:, -1].astype(int)
        ends = np.cumsum(num_higher)
        steps = np.arange(ends[-1]) - np.repeat(ends - num_higher, num_higher)
        longer = np.repeat(hands, num_higher, axis=0)
        hands = np.column_stack([longer, (longer[:, -1] + 1 + steps).astype(np.uint8)])
    return hands


def plain_strength(cards):
    """The best hand of at most five cards as a tuple that compares as the hands do: category, then ranks."""
    return max(_plain_five(five) for five in combinations(cards, min(len(cards), 5)))


def _plain_five(cards):
    counts = Counter(card // 4 for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    is_flush = len(cards) == 5 and len({card % 4 for card in cards}) == 1
    straight_high = None
    if len(ranks) == 5:
        if ranks[0] - ranks[4] == 4:
            straight_high = ranks[0]
        elif ranks == [12, 3, 2, 1, 0]:
            straight_high = 3
    if straight_high is not None:
        return (8 if is_flush else 4, straight_high)
    if is_flush:
        return (5, *ranks)
    pairs = [*shape, 0][:2]
    category = {(4, 1): 7, (4, 0): 7, (3, 2): 6, (3, 1): 3, (3, 0): 3, (2, 2): 2, (2, 1): 1, (2, 0): 1}
    return (category.get(tuple(pairs), 0), *ranks)


def assert_same_order_as_plain_twin(hands):
    by_rank = sorted((hand_rank(hand), plain_strength(hand)) for hand in hands)
    for (rank, strength), (next_rank, next_strength) in pairwise(by_rank):
        assert (rank == next_rank) == (strength == next_strength)
        assert strength <= next_strength


def sign(numbers):
    return np.sign(numbers.astype(np.int64))


def assert_same_order_as_phevaluator(rng, num_pairs, num_cards):
    hands = random_hands(rng, 2 * num_pairs, num_cards)
    theirs = np.array([evaluate_cards(*hand) for hand in hands.tolist()])  # the best hand is 1
    ours = hand_ranks(hands).astype(np.int64)
    np.testing.assert_array_equal(sign(ours[::2] - ours[1::2]), sign(theirs[1::2] - theirs[::2]))


@pytest.mark.parametrize(("num_cards", "num_pairs"), [(5, 20_000), (6, 20_000), (7, 50_000)])
def test_order_of_hands_agrees_with_phevaluator(num_cards, num_pairs):
    assert_same_order_as_phevaluator(np.random.default_rng(num_cards), num_pairs, num_cards)


@pytest.mark.slow
def test_order_of_a_million_pairs_agrees_with_phevaluator():
    rng = np.random.default_rng(77)
    for _ in range(20):
        assert_same_order_as_phevaluator(rng, 50_000, 7)


@pytest.mark.parametrize(("num_cards", "known"), [(5, FIVE_CARD_COUNTS), (7, SEVEN_CARD_COUNTS)])
def test_categories_of_all_hands_are_the_known_ones(num_cards, known):
    assert sum(known) == comb(NUM_CARDS, num_cards)
    assert count_categories(num_cards) == dict(zip(CATEGORIES, known, strict=True))


def test_all_five_card_hands_have_7462_ranks():
    ranks, counts = np.unique(hand_ranks(all_hands(5)), return_counts=True)
    assert len(ranks) == 7462
    assert ranks[0] > 0
    by_category = Counter()
    for rank, count in zip(ranks.tolist(), counts.tolist(), strict=True):
        by_category[hand_category(rank)] += count
    assert tuple(by_category[name] for name in CATEGORIES) == FIVE_CARD_COUNTS


@pytest.mark.parametrize("num_cards", range(1, 11))
def test_order_agrees_with_the_plain_twin(num_cards):
    assert_same_order_as_plain_twin(random_hands(np.random.default_rng(num_cards), 100, num_cards).tolist())


@pytest.mark.parametrize("num_cards", [1, 2, 3])
def test_all_small_hands_order_as_the_plain_twin_does(num_cards):
    assert_same_order_as_plain_twin(combinations(range(NUM_CARDS), num_cards))


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ("Ks", "As"),  # Kuhn
        ("AsKh", "JsJh"),  # Leduc: the board pairs
        ("AsAh", "AsAh2c"),  # a missing kicker is below every kicker
        ("5s4h3c2d", "6s4h3c2d"),  # four to a straight and to a flush are nothing
        ("AsKsQsJs", "2c2d3h4h"),
        ("Ac2d3h4s5s", "Ac2d3h4s5s2h2s2c"),  # eight cards: quads beat the wheel
        ("AcKcQcJc9c8d8h", "8c8d8h9d9hAcKcQcJc"),  # nine cards: the full house beats the flush
        ("2c3c4c5c7c8h8d8sAc", "2c3c4c5c6c8h8d8s9h9d"),  # ten cards: a straight flush beats a full house
        ("AhKhQhJh9h2s3s4s5s7s", "Ah2h3h4h5hAsKsQsJs9s"),  # two flushes: the better one counts
    ],
)
def test_a_better_hand_ranks_higher(worse, better):
    assert hand_rank(parse_cards(worse)) < hand_rank(parse_cards(better))


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("7h5d4c3s2c", "high card"),
        ("2h2d", "pair"),
        ("2h2d3s3c", "two pair"),
        ("2h2d2s", "three of a kind"),
        ("Ah2d3s4c5h", "straight"),
        ("Ah2h3h4h6h", "flush"),
        ("2h2d2s3c3h", "full house"),
        ("2h2d2s2c", "four of a kind"),
        ("AhKhQhJhTh", "straight flush"),
    ],
)
def test_categories_have_names(cards, category):
    assert hand_category(hand_rank(parse_cards(cards))) == category


hands = st.lists(st.integers(0, NUM_CARDS - 1), min_size=1, max_size=10, unique=True)


@given(hands, st.randoms(use_true_random=False), st.permutations(range(len(SUITS))))
@settings(deadline=None, max_examples=150)
def test_neither_order_nor_names_of_suits_matter(hand, random, suits):
    renamed = [card - card % 4 + suits[card % 4] for card in hand]
    random.shuffle(renamed)
    assert hand_rank(renamed) == hand_rank(hand)


@given(hands)
@settings(deadline=None, max_examples=150)
def test_a_hand_is_as_good_as_its_best_five_cards(hand):
    best = max(hand_rank(five) for five in combinations(hand, min(len(hand), 5)))
    assert hand_rank(hand) == best


@pytest.mark.parametrize("num_cards", range(1, 11))
def test_many_hands_rank_as_one_does(num_cards):
    hands = random_hands(np.random.default_rng(1), 200, num_cards)
    expected = [hand_rank(hand) for hand in hands.tolist()]
    assert hand_ranks(hands).tolist() == expected
    assert hand_ranks(hands.astype(np.int64)).tolist() == expected
    assert hand_ranks(np.asfortranarray(hands)).tolist() == expected


@pytest.mark.parametrize("num_board_cards", [3, 4, 5])
def test_ranks_on_a_board_are_those_of_hand_and_board(num_board_cards):
    for board in random_hands(np.random.default_rng(num_board_cards), 5, num_board_cards).tolist():
        ranks = hand_ranks_on_board(board)
        assert ranks.shape == (NUM_HANDS,)
        for index, rank in enumerate(ranks.tolist()):
            hand = hand_cards(index)
            expected = 0 if set(hand) & set(board) else hand_rank([*hand, *board])
            assert rank == expected


def test_no_cards_at_all_give_no_ranks():
    assert hand_ranks(np.zeros((0, 7), dtype=np.uint8)).shape == (0,)


@pytest.mark.parametrize("cards", [[], [5, 5], [52], [-1], [300], list(range(11)), [0.5]])
def test_what_is_no_hand_is_refused(cards):
    with pytest.raises(ConfigError, match=r"a hand is 1 to 10 different cards of 0 to 51"):
        hand_rank(cards)


@pytest.mark.parametrize(("num_cards", "wrong"), list(product([3, 5, 7, 9], [0, 52, 64, 200, 300, -1])))
def test_the_wrong_hand_of_many_is_named(num_cards, wrong):
    hands = np.tile(np.arange(num_cards), (4, 1))
    hands[2, -1] = wrong
    with pytest.raises(ConfigError, match=rf"hand 2 is \[.*{wrong}\]"):
        hand_ranks(hands)


@pytest.mark.parametrize("shape", [(7,), (2, 0), (2, 11), (2, 2, 2)])
def test_hands_of_a_wrong_shape_are_refused(shape):
    with pytest.raises(ConfigError, match=r"hands must have the shape \[N, K\]"):
        hand_ranks(np.zeros(shape, dtype=np.uint8))


@pytest.mark.parametrize("board", [[1, 2], [1, 2, 2], [1, 2, 52], list(range(6))])
def test_what_is_no_board_is_refused(board):
    with pytest.raises(ConfigError, match="a board is 3 to 5 different cards"):
        hand_ranks_on_board(board)


def test_only_hands_of_five_to_seven_cards_are_counted():
    with pytest.raises(ConfigError, match="5, 6 or 7 cards, not 8"):
        count_categories(8)


def test_a_card_that_came_twice_cannot_hide_behind_any_order():
    for hand in permutations([51, 51, 50, 49, 3]):
        with pytest.raises(ConfigError):
            hand_ranks(np.array([hand], dtype=np.uint8))
