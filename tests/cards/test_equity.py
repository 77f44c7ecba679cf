"""Chances to win at showdown, held to plain loops over boards, to published figures and to themselves."""

import itertools
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nashgap import _native
from nashgap.cards.card import NUM_HANDS, hand_cards, hand_index, parse_cards
from nashgap.cards.equity import (
    build_matchup_points,
    equity,
    load_matchup_points,
    win_chances,
    win_chances_of_deck,
)
from nashgap.cards.evaluator import hand_rank, hand_ranks, hand_ranks_on_board
from nashgap.cards.isomorphism import SuitIsomorphism
from nashgap.cards.ranges import Range, parse_range
from nashgap.errors import ConfigError
from nashgap.poker.rules import load_rules

NUM_BOARDS = 1_712_304
HANDS = np.array([hand_cards(hand) for hand in range(NUM_HANDS)])
# Shapes of boards that random ones seldom have.
FLOPS = ["8s5s2s", "AhKhQh", "7d7h7s", "Th9h8c", "KsKd4s", "2c2d3h"]
BOARDS = [*FLOPS, "8s5s2sJs", "8s5s2sJd", "7d7h7s7c", "TsTd6s6d", "Th9h8cJh", "8s5s2sJsQs", "AhKhQhJhTh", "7d7h7s7c2d"]
HOLE_CARDS = ["AsKd", "9s6s", "JhTh", "3c3d", "5c4c"]


def is_apart(cards):
    return ~np.isin(HANDS, cards).any(axis=1)


def chances_by_boards(hole_cards, board):
    """Every whole board in turn; who ranks higher on it."""
    live = [card for card in range(52) if card not in (*hole_cards, *board)]
    points, num_boards = np.zeros(NUM_HANDS), np.zeros(NUM_HANDS)
    for run_out in itertools.combinations(live, 5 - len(board)):
        ranks = hand_ranks_on_board([*board, *run_out]).astype(int)
        own = ranks[hand_index(*hole_cards)]
        points += (1.0 * (own > ranks) + (own >= ranks)) * (ranks > 0)
        num_boards += ranks > 0
    return np.where(is_apart([*hole_cards, *board]), points / np.maximum(2 * num_boards, 1), 0.0)


def mean_over_next_cards(hole_cards, board):
    total, count = np.zeros(NUM_HANDS), np.zeros(NUM_HANDS)
    for card in set(range(52)) - {*hole_cards, *board}:
        total += win_chances(hole_cards, [*board, card])
        count += is_apart([*hole_cards, *board, card])
    return np.where(count > 0, total / np.maximum(count, 1), 0.0)


@pytest.mark.parametrize(("num_board_cards", "num_deals"), [(3, 6), (4, 30), (5, 200)])
def test_a_hand_wins_as_often_as_board_by_board(num_board_cards, num_deals):
    rng = np.random.default_rng(num_board_cards)
    for _ in range(num_deals):
        cards = rng.permutation(52)[: 2 + num_board_cards].tolist()
        expected = chances_by_boards(cards[:2], cards[2:])
        np.testing.assert_allclose(win_chances(cards[:2], cards[2:]), expected, atol=1e-12)


@pytest.mark.parametrize("board", BOARDS)
def test_flushes_pairs_and_straights_on_the_board_are_counted(board):
    dealt = parse_cards(board)
    num_hands = 2 if len(dealt) == 3 else len(HOLE_CARDS)
    for hole_cards in [cards for cards in map(parse_cards, HOLE_CARDS) if not set(cards) & set(dealt)][:num_hands]:
        np.testing.assert_allclose(
            win_chances(hole_cards, dealt), chances_by_boards(hole_cards, dealt), atol=1e-12, err_msg=str(hole_cards)
        )


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(52)), st.integers(3, 4))
def test_a_chance_is_the_mean_over_the_next_card(deck, num_board_cards):
    hole_cards, board = deck[:2], deck[2 : 2 + num_board_cards]
    np.testing.assert_allclose(win_chances(hole_cards, board), mean_over_next_cards(hole_cards, board), atol=1e-12)


def test_a_chance_on_two_board_cards_is_the_mean_over_the_third():
    hole_cards, board = parse_cards("QsJs"), parse_cards("Ts9d")
    np.testing.assert_allclose(win_chances(hole_cards, board), mean_over_next_cards(hole_cards, board), atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(52)), st.sampled_from([0, 3, 4, 5]))
def test_what_one_wins_the_other_loses(deck, num_board_cards):
    first, second, board = deck[:2], deck[2:4], deck[4 : 4 + num_board_cards]
    forth = win_chances(first, board)[hand_index(*second)]
    back = win_chances(second, board)[hand_index(*first)]
    assert forth + back == pytest.approx(1, abs=1e-15)


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(52)), st.sampled_from([0, 3, 4, 5]), st.permutations(range(4)))
def test_the_names_of_suits_do_not_matter(deck, num_board_cards, suits):
    def renamed(cards):
        return [card // 4 * 4 + suits[card % 4] for card in cards]

    hole_cards, board = deck[:2], deck[2 : 2 + num_board_cards]
    places = [hand_index(*renamed(hand)) for hand in HANDS.tolist()]
    np.testing.assert_array_equal(
        win_chances(hole_cards, board), win_chances(renamed(hole_cards), renamed(board))[places]
    )


@pytest.fixture(scope="module")
def places():
    """Of five cards among 48: `[1712304, 5]`."""
    return np.fromiter(itertools.chain.from_iterable(itertools.combinations(range(48), 5)), np.uint8).reshape(-1, 5)


@pytest.mark.parametrize("cards", ["AsAhKdKc", "AsKsQsQh", "7h2c8h7d", "6s5d6d5s"])
def test_before_the_flop_all_boards_are_counted(cards, places):
    first, second = parse_cards(cards)[:2], parse_cards(cards)[2:]
    left = np.array([card for card in range(52) if card not in (*first, *second)], np.uint8)
    hands = np.empty((NUM_BOARDS, 7), np.uint8)
    hands[:, 2:] = left[places]
    hands[:, :2] = first
    own = hand_ranks(hands)
    hands[:, :2] = second
    other = hand_ranks(hands)
    points = int((own > other).sum()) + int((own >= other).sum())
    assert win_chances(first)[hand_index(*second)] == points / (2 * NUM_BOARDS)


def test_before_the_flop_a_chance_is_the_mean_over_flops():
    """Another way to count than the table's: of all flops, each with all its run-outs."""
    hole_cards = parse_cards("8h7h")
    native = _native.WinChances(np.arange(52, dtype=np.uint8), 2, 5, None)
    hole, chances = np.array(hole_cards, np.uint8), np.empty(NUM_HANDS)
    total = np.zeros(NUM_HANDS)
    for flop in itertools.combinations(sorted(set(range(52)) - set(hole_cards)), 3):
        native.compute(hole, np.array(flop, np.uint8), chances)
        total += chances
    num_flops = 48 * 47 * 46 / 6
    np.testing.assert_allclose(win_chances(hole_cards), total / num_flops, atol=1e-12)


@pytest.mark.parametrize(
    ("hole_cards", "other", "published"),
    [
        ("AsAh", "KK", 0.8195),
        ("AsKs", "QQ", 0.46),
        ("AsKh", "22", 0.47),
        ("AsAh", "any", 0.852037),
        ("7h2c", "any", 0.345836),
        ("3d2s", "any", 0.323032),
    ],
)
def test_equities_before_the_flop_are_the_published_ones(hole_cards, other, published):
    """As tables of hold'em odds print them, to their last digit."""
    num_digits = len(f"{published}") - 2
    assert equity(parse_cards(hole_cards), parse_range(other)) == pytest.approx(published, abs=0.51 * 10**-num_digits)


def test_the_table_has_every_match_up_once():
    points = load_matchup_points()
    isomorphism = SuitIsomorphism((2, 2))
    ordered = np.arange(isomorphism.size)
    cards = isomorphism.unindex_batch(ordered)
    mirrors = isomorphism.index_batch(cards[:, [2, 3, 0, 1]])
    is_kept = ordered <= mirrors
    assert is_kept.sum() == len(points) == 47_008
    assert (points[mirrors[is_kept] == ordered[is_kept]] == NUM_BOARDS).all()  # hands that mirror each other break even
    for place in np.random.default_rng(1).integers(len(points), size=50):
        *first, high, low = cards[is_kept][place].tolist()
        assert win_chances(first)[hand_index(high, low)] == points[place] / (2 * NUM_BOARDS)


@pytest.mark.parametrize("hole_cards", ["AhQh", "9c9s", "Jd4s"])
def test_the_table_has_what_is_counted_without_it(hole_cards):
    native = _native.WinChances(np.arange(52, dtype=np.uint8), 2, 5, None)
    counted = np.empty(NUM_HANDS)
    native.compute(np.array(parse_cards(hole_cards), np.uint8), np.empty(0, np.uint8), counted)
    np.testing.assert_array_equal(win_chances(parse_cards(hole_cards)), counted)


@pytest.mark.long
def test_the_table_is_rebuilt_bit_for_bit():
    rebuilt = build_matchup_points(num_threads=os.cpu_count() or 1)
    np.testing.assert_array_equal(rebuilt, load_matchup_points())


def test_in_kuhn_poker_the_higher_card_wins():
    deck = load_rules("kuhn3").deck
    np.testing.assert_array_equal(win_chances_of_deck(deck, 0, [deck[1]]), [1, 0, 0, 0])
    np.testing.assert_array_equal(win_chances_of_deck(deck, 0, [deck[3]]), [1, 1, 1, 0])


def test_in_leduc_poker_the_board_may_pair():
    """J, Q, K twice each. A lower card wins if it pairs: one of the four boards left. Equal cards always tie."""
    deck = load_rules("leduc2").deck
    jack, _, queen, _, _, king = deck
    np.testing.assert_array_equal(win_chances_of_deck(deck, 1, [jack]), [0, 0.5, 0.25, 0.25, 0.25, 0.25])
    np.testing.assert_array_equal(win_chances_of_deck(deck, 1, [king]), [0.75, 0.75, 0.75, 0.75, 0.5, 0])
    np.testing.assert_array_equal(win_chances_of_deck(deck, 1, [queen], [jack]), [0, 0, 0, 0.5, 0, 0])


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_short_decks_are_counted_board_by_board(data):
    num_ranks, num_suits = data.draw(st.integers(3, 5)), data.draw(st.integers(2, 3))
    num_hole = data.draw(st.integers(1, 2))
    deck = [card for card in range(52 - 4 * num_ranks, 52) if card % 4 >= 4 - num_suits]
    num_board = data.draw(st.integers(0, min(5, len(deck) - 2 * num_hole)))
    cards = data.draw(st.permutations(deck))
    num_dealt = data.draw(st.integers(max(0, num_board - 2), num_board))
    hole_cards, board = cards[:num_hole], cards[num_hole : num_hole + num_dealt]
    chances = win_chances_of_deck(deck, num_board, hole_cards, board)
    live = [card for card in deck if card not in (*hole_cards, *board)]
    seen = set()
    for other in itertools.combinations(live, num_hole):
        scores = []
        for run_out in itertools.combinations([card for card in live if card not in other], num_board - len(board)):
            own_rank, other_rank = (hand_rank([*hand, *board, *run_out]) for hand in (hole_cards, other))
            scores.append((own_rank > other_rank) + 0.5 * (own_rank == other_rank))
        place = hand_index(*other) if num_hole == 2 else deck.index(other[0])
        seen.add(place)
        assert chances[place] == pytest.approx(np.mean(scores), abs=1e-12)
    assert not chances[[place for place in range(len(chances)) if place not in seen]].any()


@pytest.mark.parametrize("board", ["", "Qs7s2d", "Qs7s2d9h", "Qs7s2d9h3s"])
def test_equity_is_the_mean_over_the_hands_of_a_range_that_can_be_held(board):
    hole_cards, dealt = parse_cards("AsQd"), parse_cards(board)
    rng = np.random.default_rng(7)
    weights = rng.random(NUM_HANDS) * (rng.random(NUM_HANDS) < 0.3)
    chances = win_chances(hole_cards, dealt)
    total = won = 0.0
    for hand, (first, second) in enumerate(HANDS.tolist()):
        if not {first, second} & {*hole_cards, *dealt}:
            total += weights[hand]
            won += weights[hand] * chances[hand]
    assert equity(hole_cards, Range(weights), dealt) == pytest.approx(won / total, abs=1e-12)
    assert equity(hole_cards, 50 * weights, dealt) == pytest.approx(won / total, abs=1e-12)


@pytest.mark.parametrize(
    ("hole_cards", "board", "message"),
    [
        ([1, 2, 3], [], "no hand [1, 2, 3]; a hand of hold'em is 2 different cards of 0 to 51"),
        ([1, 52], [], "no card 52; cards are those of the deck, numbers from 0 to 51"),
        ([1, -1], [], "no card -1; cards are those of the deck, numbers from 0 to 51"),
        ("As", [], "no card 'A'; cards are those of the deck, numbers from 0 to 51"),
        ([1, 300], [], "no card 300; cards are those of the deck, numbers from 0 to 51"),
        ([1, 2.0], [], "no card 2.0; cards are those of the deck, numbers from 0 to 51"),
        ([1, 1], [], "cards 2d2d; hole and board cards must be different"),
        ([1, 2], [2, 3, 4], "cards 2d2h2h2s3c; hole and board cards must be different"),
        ([1, 2], [3, 4, 5, 6, 7, 8], "no board [3, 4, 5, 6, 7, 8]; it has at most 5 cards"),
    ],
)
def test_wrong_cards_are_refused(hole_cards, board, message):
    with pytest.raises(ConfigError) as refused:
        win_chances(hole_cards, board)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (np.ones(1225), "a range has 1326 weights, not an array of shape (1225,)"),
        (np.full(1326, -0.5), "a hand has weight -0.5; allowed: 0 and more"),
        (np.full(1326, np.nan), "a hand has weight nan; allowed: 0 and more"),
        (np.full(1326, np.inf), "a hand has weight inf; allowed: 0 and more"),
        (parse_range("AsAh"), "no hand of the range goes with the cards AsKs"),
    ],
)
def test_wrong_ranges_are_refused(hands, message):
    with pytest.raises(ConfigError) as refused:
        equity(parse_cards("AsKs"), hands)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("deck", "num_board_cards", "hole_cards", "message"),
    [
        ([5, 4, 3], 0, [5], "no deck [5, 4, 3]; a deck is different cards of 0 to 51 in ascending order"),
        ([3, 4, 5], 0, [3, 4], "a deck of 3 cards is too small for two hands and 0 board cards"),
        (range(52), 9, [3, 4], "no board of 9 cards; hole and board cards are at most 10 in all"),
        (range(52), 5, [3, 4, 5], "no hand of 3 cards; a hand is 1 or 2 cards"),
    ],
)
def test_games_that_cannot_be_dealt_are_refused(deck, num_board_cards, hole_cards, message):
    with pytest.raises(ConfigError) as refused:
        win_chances_of_deck(deck, num_board_cards, hole_cards)
    assert str(refused.value) == message
