"""What a bot does on the way to a leak, and what the changes that are tried would move."""

import numpy as np
import pytest

import nashgap as ng
from nashgap.cards.ranges import parse_range
from nashgap.measures.advice import ACTIONS, candidates, decisions_of, look_at
from nashgap.poker.rules import load_rules
from nashgap.strategies.load import load
from nashgap.strategies.patched import PatchedStrategy

HUNL = load_rules("hunl")


class Tight:
    """Raises by the pot with pairs, calls with aces, folds the rest; never looks at the board."""

    name, is_sampled = "tight", False

    def policies(self, states):
        return [self.policy(state) for state in states]

    def policy(self, state):
        from nashgap.poker.hands import hand_names

        names = hand_names(state.rules)
        pair = np.array([name[0] == name[2] for name in names])
        ace = np.array(["A" in name for name in names]) & ~pair
        raise_to = state.legal.nearest_raise(max(state.spent) + state.pot + state.to_call)
        first = ng.FOLD if state.legal.can_fold else ng.CALL
        moves = tuple(dict.fromkeys((first, ng.CALL, raise_to)))
        chosen = np.where(pair, raise_to, np.where(ace, ng.CALL, first))
        return ng.Policy(names, (), (chosen[:, None] == np.array(moves)).astype(float), moves)


def decision(strategy, betting, board=""):
    found = look_at(HUNL, load(strategy, HUNL), betting, board, seed=1)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("betting", "board", "minimum", "size"),
    [
        ("r20000", "", 150 / (150 + 19_950), "all-in, 100 times the pot"),
        ("r300", "", 150 / (150 + 250), "100% of the pot"),
        ("cc/r200", "AhKd2c", 200 / 300, "50% of the pot"),
        ("cc/r232", "AhKd2c", 200 / 332, "66% of the pot"),
        ("cc/cr300r900", "AhKd2c", 400 / 1200, "100% of the pot"),
        ("cc/", "AhKd2c", None, ""),
    ],
)
def test_bets_are_named_as_they_were_made(betting, board, minimum, size):
    """A raise to 900 adds 600 to a call of 200 (of the pot of 600 after it), and puts 800 in."""
    found = decision("half-call-half-raise", betting, board)
    assert found.size == size
    assert found.minimum_defence == (None if minimum is None else pytest.approx(minimum))
    assert found.shares[0] == 0.0 and sum(found.shares) == pytest.approx(1.0)
    assert size.removeprefix("all-in, ") in found.words


def test_shares_are_those_of_the_range_that_comes_there():
    """Who opened with pairs alone holds nothing else; who limped with aces holds these."""
    opened = decision(Tight(), "r300r900")
    assert opened.shares == (0.0, 0.0, pytest.approx(1.0))
    limped = decision(Tight(), "cr300")
    assert limped.shares == (0.0, pytest.approx(1.0), 0.0)
    assert limped.weights.sum() == pytest.approx(1.0)
    first = decision(Tight(), "")
    assert first.shares[0] == pytest.approx(1 - (78 + 4 * 48) / 1326)  # 13 pairs of 6, and an ace with another rank
    assert first.going_on[0] == "22" or first.going_on[0].startswith("A")
    assert first.folding[0].startswith("K")


def test_a_line_that_is_never_played_is_not_looked_at():
    assert look_at(HUNL, load("always-call", HUNL), "r300r900", "", seed=1) is None


@pytest.mark.parametrize(("betting", "board"), [("r300", ""), ("cc/r300", "AhKd2c"), ("cr20000", ""), ("", "")])
def test_changes_move_what_they_say(betting, board):
    """Looked at once more, the patched strategy does otherwise with so much of the same range."""
    base = load("half-call-half-raise", HUNL) if betting == "cc/r300" else load("triple(0.3,0.5,0.2)", HUNL)
    before = look_at(HUNL, base, betting, board, seed=1)
    tried = candidates(before)
    assert len(tried) >= 2
    assert len({str(each.patch) for each in tried}) == len(tried)
    for each in tried:
        changed = PatchedStrategy("changed", base, (each.patch,), HUNL)
        after = look_at(HUNL, changed, betting, board, seed=1)
        moved = np.abs(after.actions - before.actions).sum(axis=1) / 2
        assert each.moved == pytest.approx(float(before.weights @ moved), abs=1e-9)


def test_hands_that_move_are_named_before_the_flop():
    """Those that do otherwise in the patched strategy, and no others; behind the flop boards differ."""
    before = decision(Tight(), "r300")
    assert candidates(before)
    for each in candidates(before):
        changed = PatchedStrategy("changed", load(Tight(), HUNL), (each.patch,), HUNL)
        after = look_at(HUNL, changed, "r300", "", seed=1)
        differs = np.abs(after.actions - before.actions).sum(axis=1) > 1e-9
        named = np.max([parse_range(hands).weights for hands in each.hands if hands], axis=0)
        assert len(each.hands) == len(each.patch.changes)
        assert named.tolist() == differs.astype(float).tolist(), str(each.patch)
    behind = candidates(decision(Tight(), "cc/r300", "AhKd2c"))
    assert behind and all(each.hands == () for each in behind)


def test_as_many_hands_are_to_defend_as_leave_a_bluff_no_profit():
    before = decision("triple(0.8,0.2,0)", "cc/r300", "AhKd2c")
    assert before.minimum_defence == 0.5
    patch = candidates(before)[0].patch
    changed = PatchedStrategy("changed", load("triple(0.8,0.2,0)", HUNL), (patch,), HUNL)
    after = look_at(HUNL, changed, "cc/r300", "AhKd2c", seed=1)
    assert after.defends == pytest.approx(0.5, abs=0.02)  # thresholds are whole hundredths
    assert dict(zip(ACTIONS, after.shares, strict=True))["bet or raise"] == 0.0


def test_the_decisions_of_a_leak_are_those_of_its_street_the_last_first():
    bound = ng.measure("always-call", game="hunl", by="lbr", deals=200)
    for leak in bound.leaks.situations:
        bettings = decisions_of(HUNL, leak)
        assert bettings, leak.situation
        words = look_at(HUNL, load("always-call", HUNL), bettings[0], leak.example.board, seed=0).words
        position, street, *_ = leak.situation.removeprefix("Bot ").split(":")[0].split(", ")
        assert words.startswith(f"{position}, {street}")
        assert [len(each) for each in bettings] == sorted(map(len, bettings), reverse=True)
