"""The strategies that come with the package: sound, small, there without tables, and no chumps."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import nashgap as ng
from nashgap.catalogue import RECIPES, RESIDENTS
from nashgap.poker.rules import load_rules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.bot import FileBot, bot_from_identity
from nashgap.strategies.load import load
from nashgap.strategies.spec import parse_bot

RESIDENT_OF = {"hunl": "resident-hunl", "lhe2": "resident-lhe2", "lhe3": "resident-lhe3"}
CHUMPS = ("always-fold", "always-call", "always-raise", "probe", "random", "half-call-half-raise")
LARGEST = 4_000_000  # bytes of all, in the wheel and in every clone of the repository

PLAYED = """
import json, os
from nashgap.agents.named import load_agent
from nashgap.poker.rules import load_rules

rules = load_rules({game!r})
strategy = load_agent({name!r}, rules).strategy
state, cards = rules.root(), iter([0, 17, 34, 50, 41])
told = []
while not state.is_over:
    if state.seat < 0:
        state = state.deal([next(cards) for _ in range(state.num_missing_cards)])
        continue
    told.append(strategy.policies([state])[0].probabilities.sum(axis=0).tolist())
    state = state.act(0)
print(json.dumps([told, os.listdir(os.environ["NASHGAP_CACHE"])]))
"""


def test_there_is_one_for_each_of_the_usual_games():
    assert list(RESIDENTS.entries) == list(RESIDENT_OF.values())
    assert sum(RESIDENTS.load(name).stat().st_size for name in RESIDENTS.entries) < LARGEST
    for game, name in RESIDENT_OF.items():
        strategy = ng.load(name)
        assert isinstance(strategy, AbstractStrategy) and strategy.rules == load_rules(game)
        assert strategy.facts["recipe"] == name and name in RECIPES.entries, "so it can be made anew"


@pytest.mark.parametrize("name", RESIDENT_OF.values())
def test_the_file_is_sound_and_adds_up(name):
    found = ng.check(name)
    assert found.largest_error < 1e-15, "bytes of an information set add up to 255"
    strategy = ng.load(name)
    assert {table.dtype for table in strategy.tables} == {np.dtype(np.uint8)}
    (policy,) = strategy.policies([strategy.rules.root()])
    np.testing.assert_allclose(policy.probabilities.sum(axis=1), 1.0, atol=1e-12)


@pytest.mark.parametrize("name", RESIDENT_OF.values())
def test_what_it_is_known_by_covers_the_file(name):
    bot = parse_bot(name)
    assert isinstance(bot, FileBot) and bot.text == bot.name == name
    assert bot.identity() == FileBot(str(RESIDENTS.load(name))).identity()
    assert bot.digest == load(bot).digest
    again = bot_from_identity(bot.identity(), bot.inputs())
    assert again == bot and again.text == name
    pure = parse_bot(f"{name}(purify=yes)")
    assert pure.text == f"{name}(purify=yes)" and pure.identity() != bot.identity()


@pytest.mark.parametrize(("game", "name"), RESIDENT_OF.items())
def test_it_plays_the_same_without_tables(game, name, tmp_path):
    """On a new machine nobody waits until the strength of every hand on every board is found."""
    script = PLAYED.format(game=game, name=name)
    environment = {**os.environ, "NASHGAP_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    told, files = json.loads(done.stdout)
    assert files == [], "nothing was built"
    strategy = ng.load(name)
    states, state, cards = [], strategy.rules.root(), iter([0, 17, 34, 50, 41])
    while not state.is_over:
        if state.seat < 0:
            state = state.deal([next(cards) for _ in range(state.num_missing_cards)])
            continue
        states.append(state)
        state = state.act(0)
    answers = strategy.native.policies([state.native for state in states], None)  # by the tables
    assert [probabilities.sum(axis=0).tolist() for _, probabilities in answers] == told


@pytest.mark.parametrize("chump", CHUMPS)
@pytest.mark.parametrize("game", RESIDENT_OF)
def test_it_wins_from_those_that_know_nothing(game, chump):
    """Duplicate, so that an interval of 95% is clear of zero within seconds."""
    seats = load_rules(game).num_seats
    result = ng.match(RESIDENT_OF[game], *([chump] * (seats - 1)), game=game, deals=3_000, seed=1)
    assert result.winrates[0] - result.ci95[0] > 0
