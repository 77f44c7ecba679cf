"""A person plays a small game, game after game; what is shown and where answers come from is given.

A person is told its information set and its actions, and nothing else: neither what chance or others did in secret, nor
what the others' strategy says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nashgap.core.game import CHANCE, TERMINAL
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.strategies.table import TableStrategy

__all__ = ["PlayedGame", "TreeSession", "Turn", "parse_choice"]


@dataclass(frozen=True)
class Turn:
    """What a player (0-based) knows when it is to act."""

    player: int
    infoset: str
    actions: tuple[str, ...]


@dataclass(frozen=True)
class PlayedGame:
    """A finished game. player: the person's place in it, 0-based; returns: `[P]` payoffs in the game's unit."""

    player: int
    returns: tuple[float, ...]


class TreeSession:
    """Games of one sitting. The person moves on by one place after each.

    strategy: of all other players, and of the game.
    player:   the person's place in the first game, 0-based.
    ask:      gives the number of the action that the person takes; may raise `LeaveTable`.
    seed:     of chance and of the others; the same answers give the same games.
    """

    def __init__(self, strategy: TableStrategy, player: int, ask: Callable[[Turn], int], *, seed: int = 0) -> None:
        tree = strategy.tree
        if not 0 <= player < tree.num_players:
            raise ConfigError(f"player {player + 1}; {tree.game} has players 1 to {tree.num_players}")
        self.strategy = strategy
        self.num_games = 0
        self.total = 0.0
        self._first_player = player
        self._ask = ask
        self._seed = seed

    def play(self) -> PlayedGame:
        """The next game; one that is broken off does not count."""
        tree = self.strategy.tree
        person = (self._first_player + self.num_games) % tree.num_players
        returns = self._returns(person, np.random.default_rng([self._seed, self.num_games]))
        self.num_games += 1
        self.total += returns[person]
        return PlayedGame(person, returns)

    @property
    def score_text(self) -> str:
        """For people; empty before the first game has ended."""
        if not self.num_games:
            return ""
        games = f"{self.num_games} game{'' if self.num_games == 1 else 's'}"
        return f"score after {games}: {self.total:+.6g}, {self.total / self.num_games:+.6g} {self.strategy.tree.unit}"

    def _returns(self, person: int, rng: np.random.Generator) -> tuple[float, ...]:
        tree, block, lane = self.strategy.tree, 0, 0
        while (player := int(tree.block_player[block])) != TERMINAL:
            row = int(tree.node_row[tree.block_start[block] + lane])
            if player == CHANCE:
                edges = slice(int(tree.chance_start[row]), int(tree.chance_start[row + 1]))
                edge = edges.start + _drawn(tree.chance_prob[edges], rng)
                block, lane = int(tree.chance_block[edge]), int(tree.chance_lane[edge])
                continue
            if player == person:
                action = self._asked(Turn(player, tree.infoset_name[row], tree.actions(row)))
            else:
                action = _drawn(self.strategy.probabilities[tree.slots(row)], rng)
            block = int(tree.edge_block[tree.block_edge[block] + action])
        row = int(tree.node_row[tree.block_start[block] + lane])
        return tuple(tree.returns[row].tolist())

    def _asked(self, turn: Turn) -> int:
        action = self._ask(turn)
        if not 0 <= action < len(turn.actions):
            raise IllegalActionError(f"action {action}; {len(turn.actions)} are legal: {', '.join(turn.actions)}")
        return action


def parse_choice(answer: str, actions: Sequence[str]) -> int:
    """The number (0-based) of the action that a person means: by its place, counted from 1, its name or its beginning.

    IllegalActionError says what is allowed.
    """
    text = answer.strip().lower()
    names = [action.lower() for action in actions]
    if text in names:
        return names.index(text)
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(actions):
        return int(text) - 1
    found = [place for place, name in enumerate(names) if text and name.startswith(text)]
    if len(found) == 1:
        return found[0]
    allowed = ", ".join(f"{place} {action}" for place, action in enumerate(actions, start=1))
    problem = "may mean several actions" if found else "is no action"
    raise IllegalActionError(f"{answer.strip()[:30]!r} {problem}; allowed: {allowed}")


def _drawn(probabilities: np.ndarray, rng: np.random.Generator) -> int:
    up_to = np.cumsum(probabilities)
    return int(np.searchsorted(up_to, up_to[-1] * rng.random(), side="right"))
