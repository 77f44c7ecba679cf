from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nashgap.catalogue import (
    ABSTRACTIONS,
    AGENTS,
    GAMES,
    KINDS,
    MEASURES,
    POKER_GAMES,
    POKER_STRATEGIES,
    POLICIES,
    RECIPE_SOLVERS,
    RECIPES,
    REPRODUCTIONS,
    RESIDENTS,
    SEEDINGS,
    SOLVERS,
)
from nashgap.cli.list import TASKS, Kind
from nashgap.errors import UnsupportedGameError
from nashgap.poker.rules import PokerRules

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_everything_that_has_a_name_is_listed(nashgap: Callable[..., Any]) -> None:
    document = nashgap("list", "--json").json
    kinds = {
        "games": [*GAMES.entries, *POKER_GAMES.entries],
        "agents": [*RESIDENTS.entries, *POKER_STRATEGIES.entries, *AGENTS.entries],
        "solvers": list(SOLVERS.entries),
        "measures": list(MEASURES.entries),
        "strategies": list(POLICIES.entries | POKER_STRATEGIES.entries | RESIDENTS.entries),
        "recipes": list(RECIPES.entries),
        "seedings": list(SEEDINGS.entries),
        "abstractions": list(ABSTRACTIONS.entries),
        "reproductions": list(REPRODUCTIONS.entries),
    }
    assert list(document) == list(kinds)
    for kind, names in kinds.items():
        assert [entry["name"] for entry in document[kind]] == names
        text = nashgap("list", kind).out
        assert all(name in text for name in names)
        assert max(map(len, text.splitlines())) <= 80


def test_solvers_that_recipes_use_say_so(nashgap: Callable[..., Any]) -> None:
    summaries = {entry["name"]: entry["summary"] for entry in nashgap("list", "solvers", "--json").json["solvers"]}
    told = [name for name, summary in summaries.items() if summary.startswith(("for recipes", "for spots"))]
    assert told == list(RECIPE_SOLVERS)


def test_the_list_opens_with_what_one_can_do_on_one_screen(nashgap: Callable[..., Any]) -> None:
    text = nashgap("list").out
    lines = text.splitlines()
    assert len(lines) < 24 and max(map(len, lines)) <= 80
    for kind, registries in KINDS.items():
        assert f"{kind} ({len(set().union(*(registry.entries for registry in registries)))})" in text
    for task, example, _ in TASKS:
        assert f"{task} " in text and re.search(rf"{re.escape(example)}( |$)", text, re.M)  # neither is cut


def test_what_the_list_suggests_is_there(nashgap: Callable[..., Any]) -> None:
    assert sorted(kind for _, _, kinds in TASKS for kind in kinds) == sorted(Kind) == sorted(KINDS)
    for _, example, _ in TASKS:
        words = example.split()
        assert words[0] == "nashgap"
        assert nashgap(words[1], "--help").status == 0
    assert nashgap("measure", "uniform", "--game", "kuhn").status == 0
    assert nashgap("solve", "hunl-fcpa-small", "--dry-run").status == 0
    assert "chumps.toml" in {path.name for path in EXAMPLES.iterdir()}


def test_games_are_listed_with_their_form_and_parameters(nashgap: Callable[..., Any]) -> None:
    games = {game["name"]: game for game in nashgap("list", "games", "--json").json["games"]}
    assert games["kuhn"]["parameters"] == {"players": 2}
    assert (games["kuhn"]["form"], games["kuhn2"]["form"]) == ("tree", "poker")
    assert set(games["kuhn"]) == set(games["kuhn2"]) == {"name", "summary", "paper", "form", "parameters"}
    assert "(players=2)" in nashgap("list", "games").out


def test_one_kind_is_listed_alone(nashgap: Callable[..., Any]) -> None:
    assert list(nashgap("list", "solvers", "--json").json) == ["solvers"]
    assert "kuhn" not in nashgap("list", "solvers").out
    assert list(nashgap("list", "agents", "--json").json) == ["agents"]


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only games that are counted at once."""
    for registry, kept in ((GAMES, ("kuhn", "openspiel")), (POKER_GAMES, ("lhe2", "lhe3", "leduc2"))):
        monkeypatch.setattr(registry, "entries", {each: registry.entries[each] for each in kept})


@pytest.mark.usefixtures("few_games")
def test_sizes_stand_beside_the_published_ones(nashgap: Callable[..., Any]) -> None:
    outcome = nashgap("list", "games", "--sizes")
    assert outcome.status == 0
    lines = [" ".join(line.split()) for line in outcome.out.splitlines()]
    assert "kuhn 55 12 24" in lines
    assert "lhe2 chance outcomes 5.56e13 5.56e13 Abou Risk 2009" in lines
    assert "game states 3.16e17 3.16e17 Bowling et al. 2015" in lines
    assert "game states 4.78e23 about 1e24 Abou Risk 2009" in lines
    assert "information sets 936" in lines
    assert "not counted: openspiel, whose games have each their own size" in lines
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.usefixtures("few_games")
def test_sizes_are_exact_in_json(nashgap: Callable[..., Any]) -> None:
    games = {game["name"]: game["size"] for game in nashgap("list", "--sizes", "--json").json["games"]}
    assert games["kuhn"] == {"histories": 55, "information_sets": 12, "infoset_actions": 24}
    assert games["lhe2"]["chance_outcomes"] == 55_627_620_048_000
    assert games["lhe2"]["information_sets"] == sum(
        each["decisions"] * each["hands"] for each in games["lhe2"]["rounds"]
    )
    assert games["lhe2"]["published"]["game_states"] == {
        "value": 3.16e17,
        "source": "Bowling et al. 2015",
        "is_rough": False,
    }
    assert games["leduc2"]["published"] == {}


@pytest.mark.usefixtures("few_games")
def test_a_game_that_cannot_be_counted_says_why(nashgap: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(rules: PokerRules) -> None:
        raise UnsupportedGameError(f"{rules.name}: not counted, its stacks differ")

    monkeypatch.setattr("nashgap.poker.sizes.game_size", refuse)
    assert "not counted: lhe2, its stacks differ" in nashgap("list", "games", "--sizes").out


def test_only_games_have_sizes(nashgap: Callable[..., Any]) -> None:
    outcome = nashgap("list", "solvers", "--sizes")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "nashgap: --sizes is for games, not for solvers\n"
