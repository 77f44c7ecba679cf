"""Strategies that have a name and exist for every compiled game.

The three chumps need a game with their actions; a game that names its actions otherwise is refused.
"""

from __future__ import annotations

from nashgap.core.tree import GameTree
from nashgap.errors import UnsupportedGameError
from nashgap.strategies.table import TableStrategy, tabulated, uniform

__all__ = ["always_call", "always_fold", "always_raise", "uniform"]

PASSIVE = ("check", "call")
AGGRESSIVE = ("raise", "bet")


def always_fold(tree: GameTree) -> TableStrategy:
    """Folds where a fold is legal, checks otherwise."""
    return _prefer(tree, "always-fold", ("fold", *PASSIVE))


def always_call(tree: GameTree) -> TableStrategy:
    """Calls, or checks where there is nothing to call."""
    return _prefer(tree, "always-call", PASSIVE)


def always_raise(tree: GameTree) -> TableStrategy:
    """Raises or bets where it can, calls otherwise."""
    return _prefer(tree, "always-raise", (*AGGRESSIVE, *PASSIVE))


def _prefer(tree: GameTree, name: str, wanted: tuple[str, ...]) -> TableStrategy:
    """In every infoset the first wanted action that is there. An action is known by the first word of its name."""

    def choose(player: int, infoset: str, actions: tuple[str, ...]) -> list[float]:
        kinds = [action.lower().split()[0] for action in actions]
        choice = next((kinds.index(kind) for kind in wanted if kind in kinds), None)
        if choice is None:
            raise UnsupportedGameError(
                f"{name} needs one of the actions {', '.join(wanted)};"
                f" {tree.game} has {', '.join(dict.fromkeys(actions))} at {infoset!r}"
            )
        return [float(action == choice) for action in range(len(actions))]

    return tabulated(tree, choose, {"name": name})
