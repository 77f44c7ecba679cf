"""A named game, compiled."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from nashgap.core.compile import compile_tree
from nashgap.core.game import Game
from nashgap.core.python_class import told
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, MismatchError, NashGapError
from nashgap.games.spec import game_definition, game_from_parameters, game_spec, is_own_game, load_game

__all__ = ["load_tree", "rebuild_game", "rebuild_tree", "tree_of"]


def load_tree(
    game: str | Game, *, max_nodes: int | None = None, on_estimate: Callable[[float], None] | None = None
) -> GameTree:
    """The compiled game that a text such as `leduc(players=3)` names, or an object is; options as of `compile_tree`."""
    return tree_of(load_game(game), max_nodes=max_nodes, on_estimate=on_estimate)


def tree_of(
    game: Game, *, max_nodes: int | None = None, on_estimate: Callable[[float], None] | None = None
) -> GameTree:
    """The compiled game under its canonical name; options as of `compile_tree`."""
    spec, definition = game_spec(game), game_definition(game)
    try:
        tree = compile_tree(game, spec, definition=definition, max_nodes=max_nodes, on_estimate=on_estimate)
    except NashGapError:
        raise
    except BaseException as error:
        if not is_own_game(game):
            raise
        raise ConfigError(f"game {spec!r} fails: {told(error)}") from error
    if definition and is_own_game(game):  # its name may stand for other rules tomorrow
        return dataclasses.replace(tree, definition={**definition, "fingerprint": tree.fingerprint})
    return tree


def rebuild_game(definition: Mapping[str, Any]) -> Game:
    """The game from a tree's or a strategy file's definition."""
    return game_from_parameters(definition["name"], definition["parameters"])


def rebuild_tree(definition: Mapping[str, Any]) -> GameTree:
    """The compiled game from a tree's or a strategy file's definition; MismatchError if its rules have changed."""
    tree = tree_of(rebuild_game(definition))
    if definition.get("fingerprint", tree.fingerprint) != tree.fingerprint:
        raise MismatchError(f"the rules of {tree.game} have changed since it was made")
    return tree
