"""A named game, compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nashgap.core.compile import compile_tree
from nashgap.core.game import Game
from nashgap.core.tree import GameTree
from nashgap.games.spec import game_from_parameters, game_name, game_parameters, game_spec, load_game

__all__ = ["load_tree", "rebuild_tree", "tree_of"]


def load_tree(
    spec: str, *, max_nodes: int | None = None, on_estimate: Callable[[float], None] | None = None
) -> GameTree:
    """The compiled game that `spec` names, such as `leduc(players=3)`; options as of `compile_tree`."""
    return tree_of(load_game(spec), max_nodes=max_nodes, on_estimate=on_estimate)


def tree_of(
    game: Game, *, max_nodes: int | None = None, on_estimate: Callable[[float], None] | None = None
) -> GameTree:
    """The compiled game under its canonical name; options as of `compile_tree`."""
    definition = {"name": game_name(game), "parameters": game_parameters(game)}
    return compile_tree(game, game_spec(game), definition=definition, max_nodes=max_nodes, on_estimate=on_estimate)


def rebuild_tree(definition: Mapping[str, Any]) -> GameTree:
    """The compiled game from a tree's or a strategy file's definition."""
    return tree_of(game_from_parameters(definition["name"], definition["parameters"]))
