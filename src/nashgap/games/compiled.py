"""A named game, compiled."""

from __future__ import annotations

from typing import Any

from nashgap.core.compile import MAX_NODES, compile_tree
from nashgap.core.game import Game
from nashgap.core.tree import GameTree
from nashgap.games.spec import game_name, game_parameters, game_spec, load_game

__all__ = ["game_definition", "load_tree", "tree_of"]


def load_tree(spec: str, *, max_nodes: int = MAX_NODES) -> GameTree:
    """The compiled game that `spec` names, such as `leduc(players=3)`."""
    return tree_of(load_game(spec), max_nodes=max_nodes)


def tree_of(game: Game, *, max_nodes: int = MAX_NODES) -> GameTree:
    """The compiled game under its canonical name."""
    return compile_tree(game, game_spec(game), max_nodes=max_nodes)


def game_definition(game: Game) -> dict[str, Any]:
    """Name and parameters, as a strategy file keeps them; `game_from_parameters(**...)` builds the game again."""
    return {"name": game_name(game), "parameters": game_parameters(game)}
