"""Hand strength against brute force, known values, and the files of the cache."""

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest

from nashgap.abstraction.strength import board_strengths, canonical_boards, load_strength_tables
from nashgap.cards.card import parse_cards
from nashgap.cards.evaluator import hand_ranks
from nashgap.cards.isomorphism import SuitIsomorphism
from nashgap.core.user_folders import cache_folder
from nashgap.errors import ConfigError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def hand_index(cards):
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low


def deal(seed, num_cards):
    return [int(card) for card in np.random.default_rng(seed).permutation(52)[:num_cards]]


def river_strength(hole, board):
    """HS by going through the 990 hands of one opponent."""
    rest = [card for card in range(52) if card not in {*hole, *board}]
    others = np.array([[*other, *board] for other in itertools.combinations(rest, 2)], dtype=np.uint8)
    theirs = hand_ranks(others).astype(int)
    own = int(hand_ranks(np.array([[*hole, *board]], dtype=np.uint8))[0])
    return float(np.mean((theirs < own) + 0.5 * (theirs == own)))


def two_hand_share(hole, board):
    """The share of the pot against every pair of hands of two opponents."""
    rest = [card for card in range(52) if card not in {*hole, *board}]
    hands = list(itertools.combinations(range(45), 2))
    ranks = hand_ranks(np.array([[rest[a], rest[b], *board] for a, b in hands], dtype=np.uint8)).astype(int)
    own = int(hand_ranks(np.array([[*hole, *board]], dtype=np.uint8))[0])
    holds = np.zeros((len(hands), 45), dtype=np.float32)
    for number, (a, b) in enumerate(hands):
        holds[number, [a, b]] = 1
    is_disjoint = np.triu(holds @ holds.T == 0)
    num_equal = (ranks == own)[:, None].astype(int) + (ranks == own)[None, :]
    is_best = (ranks <= own)[:, None] & (ranks <= own)[None, :]
    return float(np.mean((is_best / (1 + num_equal))[is_disjoint]))


@pytest.mark.parametrize("seed", range(6))
def test_river_strength_is_that_of_going_through_all_hands(seed):
    cards = deal(seed, 7)
    hole, board = cards[:2], cards[2:]
    expected = river_strength(hole, board)
    assert board_strengths("ehs", board)[hand_index(hole)] == pytest.approx(expected, abs=1e-12)
    assert board_strengths("ehs2", board)[hand_index(hole)] == pytest.approx(expected**2, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_strength_against_two_hands_is_that_of_going_through_all_pairs(seed):
    cards = deal(seed + 20, 7)
    strength = board_strengths("ehs-3p", cards[2:])[hand_index(cards[:2])]
    assert strength == pytest.approx(two_hand_share(cards[:2], cards[2:]), abs=0.5 / 65534 + 1e-12)
    assert board_strengths("ehs2-3p", cards[2:])[hand_index(cards[:2])] == pytest.approx(strength**2, abs=1e-12)


def test_the_square_against_two_hands_is_averaged_over_the_river_cards():
    """Squared on each river, then averaged: hands that may improve rank higher than by their mean share."""
    cards = deal(41, 6)
    hole, board = cards[:2], cards[2:]
    shares = [board_strengths("ehs-3p", [*board, card])[hand_index(hole)] for card in range(52) if card not in cards]
    squared = board_strengths("ehs2-3p", board)[hand_index(hole)]
    assert squared == pytest.approx(np.mean(np.square(shares)), abs=1e-12)
    assert squared > board_strengths("ehs-3p", board)[hand_index(hole)] ** 2


def test_everybody_splits_a_royal_flush_on_the_board():
    board = parse_cards("TsJsQsKsAs")
    for metric, expected in [("ehs", 1 / 2), ("ehs2", 1 / 4), ("ehs-3p", 1 / 3), ("ehs2-3p", 1 / 9)]:
        strengths = board_strengths(metric, board)
        assert np.count_nonzero(np.isnan(strengths)) == 1326 - 1081
        assert np.nanmax(np.abs(strengths - expected)) < 1e-5


def test_turn_strength_averages_the_river_cards():
    cards = deal(40, 6)
    hole, board = cards[:2], cards[2:]
    rivers = [river_strength(hole, [*board, card]) for card in range(52) if card not in cards]
    assert len(rivers) == 46
    assert board_strengths("ehs", board)[hand_index(hole)] == pytest.approx(np.mean(rivers), abs=1e-12)
    assert board_strengths("ehs2", board)[hand_index(hole)] == pytest.approx(np.mean(np.square(rivers)), abs=1e-12)


def test_flop_strength_averages_the_turn_cards():
    cards = deal(50, 5)
    hole, board = cards[:2], cards[2:]
    turns = [board_strengths("ehs2", [*board, card])[hand_index(hole)] for card in range(52) if card not in cards]
    assert len(turns) == 47
    assert board_strengths("ehs2", board)[hand_index(hole)] == pytest.approx(np.mean(turns), abs=1e-12)


@pytest.mark.parametrize(("num_cards", "num_boards"), [(3, 1_755), (4, 16_432), (5, 134_459)])
def test_canonical_boards_stand_for_all_boards(num_cards, num_boards):
    boards, num_renamings = canonical_boards(num_cards)
    assert len(boards) == num_boards
    assert num_renamings.sum() == math.comb(52, num_cards)
    for board, expected in list(zip(boards, num_renamings, strict=True))[:: num_boards // 50]:
        renamed = {
            frozenset(int(card) // 4 * 4 + suits[card % 4] for card in board)
            for suits in itertools.permutations(range(4))
        }
        assert len(renamed) == expected


def test_bad_boards_and_metrics_are_refused():
    with pytest.raises(ConfigError, match="unknown strength metric 'hs'; known: ehs, ehs2, ehs-3p, ehs2-3p"):
        board_strengths("hs", [1, 2, 3])
    for board in ([1, 2], [1, 1, 2], [1, 2, 52], [-1, 2, 3]):
        with pytest.raises(ConfigError, match="board"):
            board_strengths("ehs", board)


def test_the_environment_names_the_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("NASHGAP_CACHE", str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here"
    monkeypatch.delenv("NASHGAP_CACHE")
    assert cache_folder().name == "nashgap"


@pytest.mark.slow
def test_preflop_strengths_are_the_known_ones(tables_folder):
    """Six decimals of E[HS] as published tables of heads-up odds give them."""
    tables = load_strength_tables("ehs", folder=tables_folder)
    classes = SuitIsomorphism((2,))
    known = {"AsAh": 0.852037, "7s2h": 0.345836, "3s2h": 0.323032}
    for cards, expected in known.items():
        assert tables.preflop[classes.index(parse_cards(cards))] == pytest.approx(expected, abs=5e-7)
    hands = np.stack(np.tril_indices(52, -1), axis=1).astype(np.uint8)
    assert np.mean(tables.preflop[classes.index_batch(hands)]) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.slow
@pytest.mark.long
def test_preflop_strengths_against_two_hands_are_the_known_ones(folder):
    """73.4% for aces, and a third on average."""
    tables = load_strength_tables("ehs-3p", folder=folder)
    classes = SuitIsomorphism((2,))
    hands = np.stack(np.tril_indices(52, -1), axis=1).astype(np.uint8)
    assert tables.preflop[classes.index(parse_cards("AsAh"))] == pytest.approx(0.734, abs=1e-3)
    assert np.mean(tables.preflop[classes.index_batch(hands)]) == pytest.approx(1 / 3, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    "metric", ["ehs", "ehs2", *(pytest.param(metric, marks=pytest.mark.long) for metric in ("ehs-3p", "ehs2-3p"))]
)
def test_tables_agree_with_single_boards_in_any_suits(metric, tables_folder):
    tables = load_strength_tables(metric, folder=tables_folder)
    for seed, num_cards in [(1, 5), (2, 5), (3, 5), (4, 4), (5, 4), (6, 3)]:
        board = deal(seed, num_cards)
        np.testing.assert_allclose(tables.strengths(board), board_strengths(metric, board), rtol=0, atol=1e-5)


@pytest.mark.slow
@pytest.mark.long
def test_damaged_files_are_built_again(folder):
    before = load_strength_tables("ehs2", folder=folder)
    assert load_strength_tables("ehs2", folder=folder).build_seconds == 0
    flop = np.array(before.levels[1])
    path = next(folder.rglob("ehs2-flop.bin"))
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    again = load_strength_tables("ehs2", folder=folder)
    assert again.build_seconds > 0
    np.testing.assert_array_equal(again.levels[1], flop)
    path.write_bytes(content[:-1])
    np.testing.assert_array_equal(load_strength_tables("ehs2", folder=folder).levels[1], flop)
    assert not list(folder.rglob("*.part"))


# A line of the log for each call that builds.
LOADING = """
import sys
from pathlib import Path
from nashgap import _native
from nashgap.abstraction.strength import load_strength_tables

folder = Path(sys.argv[1])

def logged(name):
    build = getattr(_native, name)
    def call(*arguments):
        with open(folder / "log", "a") as log:
            log.write(name + "\\n")
        build(*arguments)
    setattr(_native, name, call)

logged("build_river_levels")
logged("build_earlier_levels")
load_strength_tables("ehs2", folder=folder)
"""


@pytest.mark.slow
def test_processes_that_need_the_same_tables_build_them_once(tmp_path):
    command = [sys.executable, "-c", LOADING, str(tmp_path)]
    processes = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert (tmp_path / "log").read_text().split() == ["build_river_levels", "build_earlier_levels"]
    assert load_strength_tables("ehs2", folder=tmp_path).build_seconds == 0
