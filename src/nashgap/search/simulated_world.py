"""Games that are never enumerated, as one player, the responder, meets them: chance and the opponent are inside.

What the responder can know of a real game is kept along it: all histories that it cannot tell from the real one, each
with its probability by chance and the opponent's strategy (the responder's own actions are the same in all of them).
When it is the responder's turn again, all of them have been continued in all ways, and those stay in which it sees what
it really sees. Where everything is seen there is one history, the real one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any

from nashgap.errors import AgentError, GameSizeError
from nashgap.games.simulated import SimulatedGame
from nashgap.strategies.simulated_policy import SimulatedPolicy

__all__ = ["MOST_HISTORIES", "Position", "SimulatedWorld"]

MOST_HISTORIES = 100_000  # that may be believed in at once
CHANCE, TERMINAL = -1, -4  # whose turn OpenSpiel says that it is

Weighted = tuple[Any, float]
"""A history, as a `pyspiel.State`, and its probability but for what the responder does."""


@dataclass(frozen=True, eq=False)
class Position:
    """A real game at a decision of the responder's, or at its end.

    state:    the real history, which only the game itself may look at.
    believed: histories that the responder cannot tell from it, with their probabilities; none where all is seen.
    reach:    these probabilities, added up one after the other.
    """

    state: Any
    believed: list[Weighted]
    reach: list[float]

    @property
    def is_end(self) -> bool:
        return bool(self.state.is_terminal())


@dataclass(frozen=True)
class SimulatedWorld:
    """The game for the responder `player` against the opponent.

    most_histories: a game in which the responder must believe in more is refused.
    """

    game: SimulatedGame
    opponent: SimulatedPolicy
    player: int
    most_histories: int = MOST_HISTORIES

    def begin(self, randoms: Sequence[Random]) -> list[Position]:
        """New games, up to the responder's first decision or their end."""
        states = [self.game.root() for _ in randoms]
        self.advance(states, randoms)
        return [self._seen(state, [(self.game.root(), 1.0)]) for state in states]

    def act(self, positions: Sequence[Position], actions: Sequence[int], randoms: Sequence[Random]) -> list[Position]:
        """The responder acts in each of the games; up to its next decision or the end."""
        states = [position.state.child(action) for position, action in zip(positions, actions, strict=True)]
        self.advance(states, randoms)
        return [
            self._seen(state, [(history.child(action), chance) for history, chance in position.believed])
            for state, position, action in zip(states, positions, actions, strict=True)
        ]

    def draw(self, position: Position, random: Random) -> Any:
        """A copy of a history that the responder cannot tell from the real one, by its exact chance."""
        if not position.believed:
            return position.state.clone()
        ((history, _),) = random.choices(position.believed, cum_weights=position.reach)
        return history.clone()

    def advance(self, states: Sequence[Any], randoms: Sequence[Random]) -> None:
        """Move each of the states on, by draws of chance and of the opponent, to the responder's decision or the end.

        The opponent is asked for all of them at once.
        """
        going = list(zip(states, randoms, strict=True))
        while going:
            asked = []
            for state, random in going:
                while (acting := state.current_player()) == CHANCE:
                    state.apply_action(_drawn_outcome(state, random))
                if acting not in (self.player, TERMINAL):
                    asked.append((state, random))
            if asked:
                moves = self.opponent.draw([state for state, _ in asked], [random for _, random in asked])
                for (state, _), move in zip(asked, moves, strict=True):
                    state.apply_action(move)
            going = asked

    def _seen(self, state: Any, before: list[Weighted]) -> Position:
        """before: what was believed, when the responder had acted."""
        if self.game.is_perfect_information or state.is_terminal():
            return Position(state, [], [])
        seen = state.information_state_string(self.player)
        believed = [
            (history, chance)
            for history, chance in self._continued(before)
            if history.information_state_string(self.player) == seen
        ]
        if not believed:
            raise AgentError(
                f"{self.opponent.name} gave no chance to what it has just played, after {state.history_str()!r}: asked"
                " twice about the same state it must answer the same"
            )
        total = sum(chance for _, chance in believed)
        believed = [(history, chance / total) for history, chance in believed]
        return Position(state, believed, list(accumulate(chance for _, chance in believed)))

    def _continued(self, histories: list[Weighted]) -> list[Weighted]:
        """All ways in which chance and the opponent go on to the responder's next decision; those that end are none."""
        found: list[Weighted] = []
        while histories:
            further: list[Weighted] = []
            asked: list[Weighted] = []
            for state, reach in histories:
                if state.is_chance_node():
                    further += [(state.child(outcome), reach * chance) for outcome, chance in state.chance_outcomes()]
                elif state.is_terminal():
                    continue
                elif state.current_player() == self.player:
                    found.append((state, reach))
                else:
                    asked.append((state, reach))
                self._require_few(len(found) + len(asked) + len(further))
            moves = self.opponent.moves([state for state, _ in asked])
            for (state, reach), (actions, chances) in zip(asked, moves, strict=True):
                further += [
                    (state.child(action), reach * chance) for action, chance in zip(actions, chances, strict=True)
                ]
                self._require_few(len(found) + len(further))
            histories = further
        return found

    def _require_few(self, number: int) -> None:
        if number > self.most_histories:
            raise GameSizeError(
                f"{self.game.spec}: {number:,} histories or more look alike to player {self.player + 1}; abr lists"
                f" them, and at most {self.most_histories:,}"
            )


def _drawn_outcome(state: Any, random: Random) -> int:
    left = random.random()
    outcomes = state.chance_outcomes()
    for outcome, chance in outcomes:
        left -= chance
        if left < 0.0:
            return int(outcome)
    return int(outcomes[-1][0])
