"""Where LBR's winnings come from: everything adds up to the bound, however the deals are cut into batches."""

import json
import math
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from nashgap import _native
from nashgap.cards.card import format_cards
from nashgap.jobs.lbr import LbrJob
from nashgap.jobs.lbr_bound import METHOD
from nashgap.measures import leaks
from nashgap.measures.leak_keys import CATEGORIES
from nashgap.measures.leaks import OTHER, combine_leaks, count_leaks
from nashgap.measures.local_best_response import LbrOptions, play_lbr
from nashgap.poker.rules import load_rules
from nashgap.strategies.chumps import always_call, random
from nashgap.strategies.spec import parse_bot

SEED = 3
GAMES = ["hunl", "lhe2", "nlhe3", "kuhn2", "leduc2", "kuhn3"]


def played(game, strategy=always_call, num_deals=300, options=None, first_deal=0):
    """The rules and hands, and the leaks as the batch's JSON gives them."""
    rules = load_rules(game)
    chump = strategy()
    hands = play_lbr(
        rules, [chump] * (rules.num_seats - 1), options or LbrOptions(), seed=SEED,
        first_deal=first_deal, num_deals=num_deals, has_lines=True,
    )  # fmt: skip
    return rules, hands, json.loads(json.dumps(count_leaks(rules, hands, seed=SEED, first_deal=first_deal)))


def told(rules, *counts):
    return combine_leaks(rules, counts, seed=SEED, method=METHOD)


@pytest.mark.parametrize("strategy", [always_call, random])
@pytest.mark.parametrize("game", GAMES)
def test_the_parts_of_every_category_add_up_to_the_bound(game, strategy):
    rules, hands, counts = played(game, strategy)
    found = told(rules, counts)
    assert found.hands == hands.chips.size
    for category, parts in found.parts.items():
        chips = hands.dealt_chips if category == "hand_class" else hands.chips
        assert sum(part.contribution.mean for part in parts) == pytest.approx(chips.mean() / rules.unit_chips)
        assert sum(part.share for part in parts) == pytest.approx(1.0)
        assert sum(part.hands for part in parts) == hands.chips.size
        assert len({part.key for part in parts}) == len(parts)


def test_categories_that_mean_nothing_in_a_game_are_left_out():
    missing = {game: set(CATEGORIES) - set(told(*played(game)[::2]).parts) for game in GAMES}
    assert missing == {
        "hunl": set(),
        "lhe2": {"bet_size"},
        "nlhe3": {"hand_class"},
        "kuhn2": {"bet_size", "texture"},
        "leduc2": {"bet_size", "texture"},
        "kuhn3": {"bet_size", "texture", "hand_class"},
    }


def test_counts_are_the_same_cut_into_other_batches():
    rules, _, whole = played("hunl", num_deals=300)
    cut = [played("hunl", num_deals=100, first_deal=first)[2] for first in (0, 100, 200)]
    one, three = told(rules, whole), told(rules, *cut)
    assert one.deals == three.deals == 300
    for category, parts in one.parts.items():
        for ours, theirs in zip(parts, three.parts[category], strict=True):
            assert (ours.key, ours.hands) == (theirs.key, theirs.hands)
            assert ours.contribution.mean == pytest.approx(theirs.contribution.mean)
            assert ours.contribution.ci95 == pytest.approx(theirs.contribution.ci95)
    for ours, theirs in zip(one.situations, three.situations, strict=True):
        assert (ours.situation, ours.costliest) == (theirs.situation, theirs.costliest)
        assert ours.example.won == theirs.example.won
    assert told(rules, *cut) == three


def test_intervals_stand_on_deals():
    """Both hands of a deal may count for the same street; they are one sample then."""
    rules, hands, counts = played("hunl")
    streets = told(rules, counts).parts["street"]
    for number, name in enumerate(("preflop", "flop", "turn", "river")):
        samples = np.where(hands.end_rounds == number, hands.chips, 0.0).mean(axis=1) / rules.unit_chips
        part = next(part for part in streets if part.key == name)
        assert part.contribution.mean == pytest.approx(samples.mean())
        half = part.contribution.ci95 / (samples.std(ddof=1) / math.sqrt(len(samples)))
        assert half == pytest.approx(1.968, abs=1e-3)  # Student's t of 299


def test_rare_lines_are_counted_together(monkeypatch):
    whole = told(*played("hunl", random)[::2])
    monkeypatch.setattr(leaks, "MOST_KEYS", 5)
    rules, hands, counts = played("hunl", random)
    assert set(map(len, (counts["counts"]["line"], counts["counts"]["situation"]))) == {6}
    capped = told(rules, counts)
    assert capped.parts["line"][-1].key == OTHER
    assert sum(part.contribution.mean for part in capped.parts["line"]) * rules.unit_chips == pytest.approx(
        hands.chips.mean()
    )
    assert OTHER not in {leak.situation for leak in capped.situations}
    assert capped.parts["street"] == whole.parts["street"]
    assert len(whole.parts["line"]) > 6


def test_always_calling_is_expensive_where_lbr_bets():
    rules, _, counts = played("hunl", options=LbrOptions(rounds="4"), num_deals=500)
    found = told(rules, counts)
    assert {part.key for part in found.parts["line"]} == {"cx/xx/xx/xac", "cx/xx/xx/ac", "cx/xx/xx/xx"}
    assert {leak.situation for leak in found.situations} == {
        "Bot on the button, river, limped pot: LBR goes all-in, bot calls",
        "Bot in the big blind, river, limped pot: bot checks, LBR goes all-in, bot calls",
    }
    for leak in found.situations:
        assert leak.is_clear
        assert leak.costliest == "no pair"
        assert leak.contribution.mean == pytest.approx(leak.share * leak.mean.mean)
        assert leak.text.startswith(f"{leak.situation}: costs {leak.mean.mean:,.0f}")
        assert "mbb a hand" in leak.text
        assert leak.as_dict()["text"] == leak.text
    by_size = {part.key: part.contribution.mean for part in found.parts["bet_size"]}
    assert by_size["all-in"] > 0 > by_size["no bet"]
    by_hand = {part.key: part.contribution.mean for part in found.parts["hand_class"]}
    assert by_hand["no pair"] > 0 > by_hand["straight"]


def test_an_example_is_a_hand_that_was_played():
    rules, hands, counts = played("hunl")
    for leak in told(rules, counts).situations:
        example = leak.example
        cards = _native.deal_cards(rules.native, SEED, example.deal - 1)
        seatings = np.flatnonzero(hands.seats[example.deal - 1] == example.seat - 1)
        place = 2 * (example.deal - 1) + int(seatings[0])
        assert hands.lines[place] == example.line
        assert hands.dealt_chips.ravel()[place] / rules.unit_chips == example.won
        own = example.seat - 1
        assert example.lbr_cards == format_cards(cards[2 * own : 2 * own + 2])
        assert example.bot_cards == format_cards(cards[2 * (1 - own) : 2 * (1 - own) + 2])
        assert format_cards(cards[4:]).startswith(example.board)
        assert len(example.board) == 2 * rules.board_cards_by(int(hands.end_rounds.ravel()[place]))


def test_a_hand_ends_for_lbr_where_it_folds():
    rules, hands, counts = played("nlhe3")
    lines = {part.key: part.mean for part in told(rules, counts).parts["line"]}
    assert "fcc/cc/cc/cc" in hands.lines
    assert lines["f"] == 0.0  # LBR, on the button, folded without a blind; the others went on


def test_a_situation_of_few_hands_is_no_clear_leak():
    rules, _, counts = played("kuhn2", num_deals=40)
    few = [(leak.mean.mean, leak.mean.ci95, leak.is_clear) for leak in told(rules, counts).situations]
    assert few == [(2.0, 0.0, False)] * 2
    rules, _, counts = played("kuhn2", num_deals=400)
    assert all(leak.is_clear for leak in told(rules, counts).situations)


def test_counting_leaks_changes_no_number():
    plain = LbrJob(rules=load_rules("hunl"), strategies=(parse_bot("random"),), deals=40, batch_deals=20)
    counted = replace(plain, has_leaks=True)
    batches = [counted.run_batch(index) for index in range(2)]
    assert [plain.run_batch(index) for index in range(2)] == [
        {key: value for key, value in batch.items() if key != "leaks"} for batch in batches
    ]
    bound = counted.combine(batches)
    parts = bound.leaks.parts
    assert sum(part.contribution.mean for part in parts["position"]) == pytest.approx(bound.estimate.mean)
    assert LbrJob.from_config(counted.identity(), counted.budget()).has_leaks


def test_the_situations_are_a_frame(monkeypatch):
    found = told(*played("hunl")[::2])
    made = {}
    pandas = SimpleNamespace(DataFrame=lambda rows, columns: made.update(rows=rows, columns=columns))
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    found.to_frame()
    table = [dict(zip(made["columns"], row, strict=True)) for row in made["rows"]]
    assert [row["situation"] for row in table] == [leak.situation for leak in found.situations]
    assert [row["contribution"] for row in table] == [leak.contribution.mean for leak in found.situations]
    assert {row["unit"] for row in table} == {"mbb_per_hand"}
