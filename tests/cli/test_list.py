from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nashgap.catalogue import GAMES, MEASURES, POLICIES, REPRODUCTIONS, SOLVERS


def test_everything_that_has_a_name_is_listed(nashgap: Callable[..., Any]) -> None:
    text = nashgap("list").out
    document = nashgap("list", "--json").json
    registries = {
        "games": GAMES, "solvers": SOLVERS, "measures": MEASURES, "strategies": POLICIES,
        "reproductions": REPRODUCTIONS,
    }  # fmt: skip
    assert list(document) == list(registries)
    for kind, registry in registries.items():
        assert [entry["name"] for entry in document[kind]] == list(registry.entries)
        assert all(name in text for name in registry.entries)
    assert max(map(len, text.splitlines())) <= 80


def test_games_are_listed_with_their_parameters(nashgap: Callable[..., Any]) -> None:
    games = nashgap("list", "games", "--json").json["games"]
    kuhn = next(game for game in games if game["name"] == "kuhn")
    assert kuhn["parameters"] == {"players": 2}
    assert set(kuhn) == {"name", "summary", "paper", "status", "parameters"}
    assert "(players=2)" in nashgap("list", "games").out


def test_one_kind_is_listed_alone(nashgap: Callable[..., Any]) -> None:
    assert list(nashgap("list", "solvers", "--json").json) == ["solvers"]
    assert "kuhn" not in nashgap("list", "solvers").out
