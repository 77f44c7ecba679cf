"""Boards that are looked up one by one have the buckets of the tables, and the tables are held to what was told."""

import numpy as np
import pytest

from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.abstraction.cards_by_board import FEW_BOARDS, CardsByBoard
from nashgap.abstraction.levels_by_board import LevelsByBoard
from nashgap.abstraction.strength import load_strength_tables
from nashgap.errors import ConfigError, MismatchError
from nashgap.poker.rules import load_rules

RULES = load_rules("lhe2")
SPEC = parse_card_abstraction("percentile(ehs2, lossless/9/8/7, recall=none)")


@pytest.fixture(scope="module")
def whole():
    return build_abstraction(SPEC, RULES)


def boards(number, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.choice(52, size, replace=False).tolist() for _ in range(number) for size in (3, 4, 5)]


@pytest.mark.parametrize("metric", ["ehs", "ehs2"])
def test_levels_are_those_of_the_tables(metric):
    tables, found = load_strength_tables(metric), LevelsByBoard(metric)
    for board in boards(20):
        found.fill(board)
    num_rows = 0
    for street, levels in found.levels.items():
        rows = np.flatnonzero(levels.any(axis=1))
        np.testing.assert_array_equal(levels[rows], tables.levels[street][rows])
        num_rows += len(rows)
    assert num_rows == found.num_boards > 40


def test_buckets_are_those_of_the_tables(whole):
    apart = CardsByBoard(SPEC, RULES, whole.cuts, whole.fingerprint)
    for board in [[], *boards(10, seed=1)]:
        apart.look_up(board)
        street = {0: 0, 3: 1, 4: 2, 5: 3}[len(board)]
        found = np.empty(1326, np.int32)
        apart.by_board.all_buckets(np.array(board, np.uint8), street, found)
        np.testing.assert_array_equal(found, whole.all_buckets(board, street))
    np.testing.assert_array_equal(apart.all_buckets([0, 17, 34], 1), whole.all_buckets([0, 17, 34], 1))
    assert apart.num_buckets == whole.num_buckets
    assert apart.quality(num_deals=1000)[1].within_variance == whole.quality(num_deals=1000)[1].within_variance


def test_tables_are_opened_beside_the_play_once_many_boards_were_looked_up_and_they_are_there(whole, monkeypatch):
    has_tables = False
    monkeypatch.setattr("nashgap.abstraction.cards_by_board.has_kept_tables", lambda metric: has_tables)
    apart = CardsByBoard(SPEC, RULES, whole.cuts, whole.fingerprint)
    monkeypatch.setattr(apart, "_levels", LevelsByBoard("ehs2"))
    rivers = boards(FEW_BOARDS, seed=2)[2::3]  # which are quick
    for board in rivers[:-1]:
        apart.look_up(board)
    has_tables = True
    apart.open_after_many()
    assert apart._opening is None, "few boards"
    apart.look_up(rivers[-1])
    has_tables = False
    apart.open_after_many()
    assert apart._opening is None, "no tables"
    has_tables = True
    apart.open_after_many()
    apart._opening.join(60)
    assert apart.is_open and apart.all_buckets([0, 17, 34], 1).tolist() == whole.all_buckets([0, 17, 34], 1).tolist()


def test_other_buckets_than_the_tables_have_are_refused_when_these_are_opened(whole):
    cuts = [list(each) for each in whole.cuts]
    cuts[1][0] += 1
    for told in (CardsByBoard(SPEC, RULES, whole.cuts, "0" * 32), CardsByBoard(SPEC, RULES, cuts, whole.fingerprint)):
        with pytest.raises(MismatchError, match="not those that were told"):
            told.all_buckets([0, 17, 34], 1)


@pytest.mark.parametrize(
    ("text", "cuts", "problem"),
    [
        (SPEC.to_text(), [[], [1] * 8, [1] * 7], r"cuts by round; it needs \[0, 8, 7, 6\]"),
        (SPEC.to_text(), [[], [1] * 8, [1] * 7, [70_000] * 6], "no level from 0 to 65535"),
        ("percentile(ehs2, 9/9/8/7, recall=none)", [[1] * 8] * 4, "cannot be looked up by cuts"),
        ("percentile(ehs2-3p, lossless/9/8/7, recall=none)", [[], [1] * 8, [1] * 7, [1] * 6], "cannot be looked up"),
    ],
)
def test_cuts_that_do_not_fit_are_refused(text, cuts, problem):
    with pytest.raises(ConfigError, match=problem):
        CardsByBoard(parse_card_abstraction(text), RULES, cuts, "0" * 32)


@pytest.mark.parametrize(
    "text", ["kmeans(lossless/5/5/5)", "percentile(ehs2, 5/5/5/5, recall=none)", "grid(lossless/2x2x2/2x2x2/2x2)"]
)
def test_only_plain_cuts_behind_all_preflop_hands_are_told(text):
    assert not parse_card_abstraction(text).has_cuts
    assert SPEC.has_cuts
