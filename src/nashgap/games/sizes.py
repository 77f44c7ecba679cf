"""How large every game of the catalogue is, counted exactly."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from nashgap.catalogue import describe
from nashgap.errors import GameSizeError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.poker import sizes
from nashgap.poker.rules import load_rules

__all__ = ["describe_sizes"]

POKER_COUNTS = (
    "chance_outcomes",
    "betting_sequences",
    "game_states",
    "information_sets",
    "canonical_information_sets",
    "terminal_sequences",
    "terminal_states",
    "game_state_actions",
    "infoset_actions",
    "canonical_infoset_actions",
)


def describe_sizes() -> list[dict[str, Any]]:
    """All games as `catalogue.describe` has them, each with its `size`; the largest take some seconds.

    A size that cannot be counted says why: `not_counted`.
    """
    games = describe("games")
    for record in games:
        record["size"] = _poker_size(record["name"]) if record["form"] == "poker" else _tree_size(record["name"])
    return games


def _tree_size(name: str) -> dict[str, Any]:
    """Of the game with its default parameters."""
    if name == "openspiel":
        return {"not_counted": "whose games have each their own size"}
    tree = load_tree(name)
    return {"histories": tree.num_nodes, "information_sets": tree.num_infosets, "infoset_actions": tree.num_slots}


def _poker_size(name: str) -> dict[str, Any]:
    try:
        size = sizes.game_size(load_rules(name))
    except (GameSizeError, UnsupportedGameError) as error:
        return {"not_counted": str(error).removeprefix(f"{name}: not counted, ")}
    published = {count: asdict(figure) for count, figure in sizes.PUBLISHED.get(name, {}).items()}
    return {
        **{count: getattr(size, count) for count in POKER_COUNTS},
        "rounds": [asdict(each) for each in size.rounds],
        "published": published,
    }
