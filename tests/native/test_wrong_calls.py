"""No call of the compiled module, however wrong, ends the process: it is taken, or refused by an exception."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import native_samples
import numpy as np
import pytest
from native_samples import CALLS, NEVER_RUN, NUM_HANDS, all_names, handle, perform, sound, tree_arguments, zeros

from nashgap import _native

PROGRAM = Path(__file__).with_name("wrong_calls.py")
SHORT, LONG = 600, 10_000
# Where native code is checked, what would be a MemoryError is the end of the process, too.
NO_MEMORY = re.compile("allocation-size-too-big|out-of-memory|rss-limit|calloc-overflow|requested allocation size")


@pytest.fixture(scope="module")
def games() -> dict[str, native_samples.Game]:
    return native_samples.games()


def wrong_calls(first: int, last: int, folder: Path) -> list[dict[str, Any]]:
    """Those that ended their process."""
    options = f"{os.environ.get('ASAN_OPTIONS', '')}:log_path={folder}/fault:max_allocation_size_mb=4000"
    reports = {"ASAN_OPTIONS": options}
    command = [sys.executable, str(PROGRAM), str(first), str(last)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | reports, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_every_name_of_the_module_is_called() -> None:
    assert CALLS.keys() == all_names()


@pytest.mark.parametrize("name", sorted(CALLS.keys() - NEVER_RUN - {"BlindResponse.respond"}))
def test_what_is_made_wrong_was_sound(name: str, games: dict[str, native_samples.Game]) -> None:
    """Else all of it would be refused for the same reason."""
    for game in CALLS[name][0]:
        perform(name, sound(name, games[game]))


@pytest.mark.parametrize("number", [SHORT, pytest.param(LONG, marks=pytest.mark.long)])
def test_no_wrong_call_ends_the_process(number: int, tmp_path: Path) -> None:
    ended = wrong_calls(0, number, tmp_path)
    faults = [path.read_text(errors="replace") for path in tmp_path.glob("fault.*")]
    assert [fault[:4000] for fault in faults if not NO_MEMORY.search(fault)] == []
    assert len(ended) == len(faults), ended


def refused(name: str, arguments: dict[str, Any], *words: str) -> None:
    with pytest.raises((ValueError, TypeError)) as error:
        perform(name, arguments)
    assert all(word in str(error.value) for word in words), error.value


@pytest.mark.parametrize("opponents", [[None], [None, None], None])
def test_an_opponent_that_is_none_is_refused(opponents: Any, games: dict[str, native_samples.Game]) -> None:
    for name in ("LbrBatch", "lbr_decision"):
        refused(name, sound(name, games["leduc"]) | {"opponents": opponents})


@pytest.mark.parametrize("entries", [[32, 33], [0, -31], [-32, 1], [0, 33], [0, 0], [127, -128]])
def test_a_seating_out_of_range_is_refused(entries: list[int], games: dict[str, native_samples.Game]) -> None:
    """Some of these are 0 and 1 in their last five bits."""
    arguments = sound("LbrBatch", games["leduc"]) | {"seatings": np.array([entries, [0, 1]], np.int8)}
    refused("LbrBatch", arguments, "seating")


@pytest.mark.parametrize("kind", ["TableOpponent", "AskedOpponent"])
def test_an_opponent_of_another_game_is_refused(kind: str, games: dict[str, native_samples.Game]) -> None:
    stranger = handle(kind, games["pairs"])
    refused("LbrBatch", sound("LbrBatch", games["leduc"]) | {"opponents": [stranger]}, "game")
    refused("LbrLinesBatch", sound("LbrLinesBatch", games["leduc"]) | {"opponent": stranger}, "game")
    refused("lbr_decision", sound("lbr_decision", games["leduc"]) | {"opponents": [stranger]}, "game")
    refused("PokerSearch", sound("PokerSearch", games["leduc"]) | {"opponent": stranger}, "game")


@pytest.mark.parametrize(
    ("name", "argument", "what"),
    [
        ("FullResponse", "strategy", "tree"),
        ("FullResponse", "tree", "game"),
        ("SteppedResponse", "strategy", "tree"),
        ("AbstractGame", "tree", "game"),
        ("AbstractGame", "betting", "betting"),
        ("PlacedStrategy", "strategy", "game"),
        ("RangeCfr", "tree", "game"),
        ("ValueTable", "classes", "game"),
        ("Agent.act", "self", "game"),
        ("AbstractStrategy.policies", "states", "game"),
        ("find_betting_place", "tree", "game"),
        ("Aivat", "policies", "game"),
    ],
)
def test_a_handle_of_another_game_is_refused(
    name: str, argument: str, what: str, games: dict[str, native_samples.Game]
) -> None:
    strange = sound(name, games["leduc" if name != "RangeCfr" else "pairs"])[argument]
    refused(name, sound(name, games["sized"]) | {argument: strange}, what)


@pytest.mark.parametrize("place", [0, 700_000, -1])
def test_a_bucket_beyond_their_number_is_refused(place: int) -> None:
    table = np.full(1755 * NUM_HANDS, 2, np.uint16)
    _native.BucketTable(1, table.reshape(1755, NUM_HANDS), 3)
    free = int(np.flatnonzero(table[place:] == 2)[0]) + place if place >= 0 else len(table) - 1
    for entry in (3, 65_535):
        wrong = table.copy()
        wrong[free] = entry
        shares_a_card = _shares_a_card(free)
        if shares_a_card:
            _native.BucketTable(1, wrong, 3)
        else:
            refused("BucketTable", {"street": 1, "table": wrong, "size": 3}, "3 buckets", str(entry))


def _shares_a_card(entry: int) -> bool:
    boards, number = np.zeros((1755, 3), np.uint8), np.zeros(1755, np.int32)
    _native.BoardIndex(3).boards(boards, number)
    ranks = np.zeros(NUM_HANDS, np.uint16)
    _native.hand_ranks_on_board(boards[entry // NUM_HANDS], ranks)
    return bool(ranks[entry % NUM_HANDS] == 0)


def test_hands_that_share_a_card_with_the_board_have_no_bucket() -> None:
    table = np.zeros((1755, NUM_HANDS), np.uint16)
    boards, number = np.zeros((1755, 3), np.uint8), np.zeros(1755, np.int32)
    _native.BoardIndex(3).boards(boards, number)
    for row, board in zip(table, boards, strict=True):
        ranks = np.zeros(NUM_HANDS, np.uint16)
        _native.hand_ranks_on_board(board, ranks)
        row[ranks == 0] = 65_535
    assert _native.BucketTable(1, table, 1).size == 1


TREE_FAULTS = [
    ("edge_block", 0, 0),
    ("edge_block", 0, 10**6),
    ("edge_block", -1, -1),
    ("chance_block", 0, 0),
    ("chance_block", 1, 2**31 - 1),
    ("chance_lane", 0, 99),
    ("chance_lane", 0, -1),
    ("node_row", 0, 99),
    ("node_row", 1, -1),
    ("block_player", 1, 2),
    ("block_player", 1, -3),
    ("block_start", 1, 10**6),
    ("block_edge", 1, -5),
    ("chance_start", 0, -1),
    ("infoset_slot", 0, -1),
    ("infoset_slot", 1, 10**6),
    ("infoset_stride", 0, 10**6),
    ("infoset_stride", 0, -1),
    ("infoset_size", 0, 10**6),
    ("infoset_size", 0, 0),
    ("infoset_parent", 0, 10**6),
    ("infoset_parent", 0, -2),
    ("group_infoset", 1, 10**6),
    ("group_infoset", 0, -1),
    ("player_group", 1, 99),
    ("leaf_sequence", 0, -1),
    ("leaf_sequence", 0, 10**6),
    ("leaf_size", 0, 10**6),
    ("leaf_size", 0, 0),
    ("leaf_payoff", 0, 10**9),
    ("leaf_payoff", 0, -1),
]


@pytest.mark.parametrize(("array", "place", "entry"), TREE_FAULTS)
def test_a_tree_whose_entries_point_nowhere_is_refused(array: str, place: int, entry: int) -> None:
    arguments = tree_arguments("kuhn")
    _native.Tree(**arguments)
    arguments[array].reshape(-1)[place] = entry
    refused("Tree", arguments)


def test_a_tree_that_is_too_deep_to_walk_is_refused() -> None:
    """A row of decisions with one action each; walks go down it by calling themselves."""

    def chain(length: int) -> dict[str, Any]:
        blocks = np.arange(length + 2, dtype=np.int32)
        infosets, empty = np.arange(length, dtype=np.int32), np.zeros(0, np.int32)
        return {
            "num_players": 1,
            "block_player": np.array([0] * length + [-2], np.int8),
            "block_start": blocks.astype(np.int64),
            "block_edge": np.minimum(blocks, length).astype(np.int32),
            "edge_block": blocks[1:-1].copy(),
            "node_row": np.append(infosets, 0).astype(np.int32),
            "chance_start": np.zeros(1, np.int64),
            "chance_block": empty,
            "chance_lane": empty,
            "chance_prob": np.zeros(0),
            "returns": np.ones((1, 1)),
            "infoset_slot": infosets,
            "infoset_stride": np.ones(length, np.int32),
            "infoset_size": np.ones(length, np.int32),
            "infoset_parent": infosets,
            "group_infoset": np.arange(length + 1, dtype=np.int32),
            "player_group": np.array([0, length], np.int32),
            "leaf_sequence": np.array([length], np.int32),
            "leaf_size": np.ones(1, np.int32),
            "leaf_payoff": np.zeros(1, np.int64),
            "payoff": np.ones(1),
        }

    tree, sums = _native.Tree(**chain(4000)), np.ones(4000)
    _native.mccfr(tree, sums, sums.copy(), None, None, 1, 0.0, 1, 1, 1)
    returns = np.zeros(1)
    _native.expected_returns(tree, np.ones(4000), returns)
    assert returns[0] == 1.0
    refused("Tree", chain(1_000_000), "depth")


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [
        ("mccfr", "sampling", 99),
        ("mccfr", "sampling", -1),
        ("PokerMccfr", "sampling", 99),
        ("PokerMccfr", "num_hands", 99),
        ("PokerMccfr", "frozen", [99]),
        ("PokerMccfr.start_from", "seat", 99),
        ("PokerMccfr.start_from", "seat", -1),
        ("PokerMccfr.run", "num_threads", 0),
        ("PokerMccfr.run", "num_threads", -1),
        ("PokerMccfr.run", "num_threads", 10**6),
        ("PokerMccfr.discount", "num_threads", 0),
        ("RangeCfr", "num_threads", 0),
        ("find_nearest", "num_threads", 0),
        ("GridBuckets", "num_threads", 0),
        ("RankBuckets", "num_threads", 0),
        ("PokerSearch", "seat", 99),
        ("DealtHand.message", "seat", 99),
        ("Agent.end_hand", "seat", 99),
        ("PlacedStrategy.num_classes", "player", 99),
        ("PlacedStrategy.num_classes", "round", 99),
        ("BlindResponse.num_different", "round", 99),
        ("FullResponse.trunk", "round", 99),
        ("smaller_share", "translation", 99),
        ("TableOpponent", "num_samples", -1),
        ("LbrBatch", "num_deals", 2**62),
        ("LbrLinesBatch", "num_chosen_cards", 99),
        ("make_poker_rules", "num_suits", 99),
        ("make_poker_rules", "num_ranks", 0),
        ("make_poker_rules", "betting", 99),
        ("build_betting_tree", "num_rounds", 99),
    ],
)
def test_a_number_that_means_nothing_is_refused(
    name: str, argument: str, value: Any, games: dict[str, native_samples.Game]
) -> None:
    wrong = value[0] if isinstance(value, list) else value
    refused(name, sound(name, games[CALLS[name][0][0]]) | {argument: value}, str(wrong))


def test_ranges_that_are_no_weights_are_refused(games: dict[str, native_samples.Game]) -> None:
    """A number that is not itself leaves no renaming of suits, not even the one that renames nothing."""
    for wrong in (np.nan, np.inf, -1.0):
        ranges = games["sized"].ranges()
        ranges[0, 2] = wrong
        refused("RangeCfr", sound("RangeCfr", games["sized"]) | {"ranges": ranges}, "weights")


def test_an_answer_that_is_not_legal_is_refused(games: dict[str, native_samples.Game]) -> None:
    for moves in ([(-5, -5)], [(0, 10**9)], [(10**9, 10**9)], [(2, 1)], []):
        arguments = sound("AskedOpponent.tell", games["leduc"])
        table = np.ones((games["leduc"].num_hands, max(len(moves), 1)))
        arguments["answers"] = [(moves, table, None) for _ in arguments["answers"]]
        with pytest.raises(ValueError):
            perform("AskedOpponent.tell", arguments)


def test_boards_are_entered_from_the_one_before_them(games: dict[str, native_samples.Game]) -> None:
    response = native_samples.told_response(games["leduc"])
    with pytest.raises(ValueError, match="not entered"):
        response.leave(0)
    response.enter(0)
    with pytest.raises(ValueError, match="entered from"):
        response.enter(0)
    untold = handle("SteppedResponse", games["leduc"])
    with pytest.raises(ValueError, match="not told"):
        untold.enter(0)


def test_values_that_are_not_settled_are_refused(games: dict[str, native_samples.Game]) -> None:
    arguments = sound("ValueTable.note_hands", games["leduc"])
    values = arguments.pop("self")
    values.note_hands(**arguments)
    corrector = _native.Aivat(**(sound("Aivat", games["leduc"]) | {"values": values}))
    with pytest.raises(ValueError, match="settled"):
        corrector.correct(**native_samples.hand_arguments(games["leduc"]))


def test_a_strategy_keeps_its_tables_alive(games: dict[str, native_samples.Game]) -> None:
    """Also where the list that they came in is emptied."""
    game = games["leduc"]
    segments = [(game.abstract_game, game.tables())]
    strategy = _native.AbstractStrategy(segments, True, False, 0, 0.0, False)
    before = strategy.policies([game.state()], None)[0][1].copy()
    segments.clear()
    sizes = [end - start for start, end in pairwise(game.abstract_game.entry_start)]
    waste = [np.full(size, 1e9, np.float32) for size in sizes for _ in range(50)]
    np.testing.assert_array_equal(strategy.policies([game.state()], None)[0][1], before)
    assert len(waste) == 50 * len(sizes)


def test_arrays_at_odd_addresses_are_refused() -> None:
    memory = np.zeros(9 * 8 + 1, np.uint8)
    odd = memory[1:].view(np.uint64)
    with pytest.raises(TypeError):
        _native.philox(1, 2, 3, 4, odd)
    _native.philox(1, 2, 3, 4, odd.copy())


def test_a_truncated_tree_ends_before_the_hand(games: dict[str, native_samples.Game]) -> None:
    game = games["leduc"]
    tree = _native.build_betting_tree(game.native, game.bets, [], 1, False, False, 1000)
    target, num_followed = _native.find_betting_place(game.native, game.bets, tree, [0, 0, 0])
    assert target < 0
    assert num_followed == 2


def test_tables_of_strength_are_kept_alive() -> None:
    arguments = native_samples.holdem_classes()
    classes = _native.HandClasses(**arguments)
    arguments.clear()
    _native.ValueTable(native_samples.HUNL.native, classes)
    assert zeros(0).size == NUM_HANDS
