"""A function over batches as a strategy: what a neural network needs.

The function is given public states and answers with weights of a fixed list of abstract actions, for every hand; which
of them are legal, how many chips they are and that rows add up to 1 is seen to here. Nothing but numpy is needed: a
network of any library is called inside the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from nashgap.core.strategy import Policy
from nashgap.errors import AgentError, ConfigError
from nashgap.poker.hands import hand_names
from nashgap.poker.moves import move_text
from nashgap.poker.state import CALL, FOLD, Action, PublicState
from nashgap.strategies.check_policy import place_text

__all__ = ["BatchedStrategy"]


class BatchedStrategy:
    """Asks the function for at most `batch_size` states at once. H hands, A actions.

    actions: `f`, `c`, `min`, `a` (all-in) and fractions of the pot after calling (`0.5`, `1`), as in betting
             abstractions; a raise that is too small or too large becomes the nearest legal one, as all do in limit.
    answer:  states to one array each, `[H, A]` or `[1, A]`, of weights that are 0 or more. Those of actions that are
             not legal are dropped, those that come to the same chips added; a hand without any left checks or calls.
    """

    is_sampled = False

    def __init__(
        self,
        actions: Sequence[str],
        answer: Callable[[Sequence[PublicState]], Sequence[Any] | np.ndarray],
        *,
        batch_size: int = 256,
        name: str = "batched",
    ) -> None:
        if batch_size < 1:
            raise ConfigError(f"batch_size = {batch_size}; it must be 1 or more")
        if not actions or len(set(actions)) < len(actions):
            raise ConfigError(f"actions {list(actions)}: some, each once, are needed")
        self.name = name
        self.actions = tuple(actions)
        self.batch_size = batch_size
        self._kinds = tuple(map(_kind, actions))
        self._answer = answer

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        policies: list[Policy] = []
        for first in range(0, len(states), self.batch_size):
            batch = states[first : first + self.batch_size]
            answers = self._answer(batch)
            if len(answers) != len(batch):
                raise AgentError(f"{self.name}: {len(answers)} arrays for {len(batch)} states")
            policies += [
                self._policy(state, np.asarray(weights)) for state, weights in zip(batch, answers, strict=True)
            ]
        return policies

    def _policy(self, state: PublicState, weights: np.ndarray) -> Policy:
        names, where = hand_names(state.rules), f"{self.name} {place_text(state)}"
        shapes = (len(names), len(self.actions)), (1, len(self.actions))
        if weights.shape not in shapes:
            raise AgentError(f"{where}: weights of shape {weights.shape}; {shapes[0]} or {shapes[1]} is needed")
        if not (np.isfinite(weights) & (weights >= 0)).all():
            raise AgentError(f"{where}: weights must be finite and 0 or more")
        columns: dict[Action, np.ndarray] = {CALL: np.zeros(len(weights))}
        for place, kind in enumerate(self._kinds):
            move = _move(kind, state)
            if move is not None:
                columns[move] = columns.get(move, 0.0) + weights[:, place].astype(np.float64)
        rows = np.column_stack(list(columns.values()))
        rows[rows.sum(axis=1) == 0, 0] = 1.0
        rows /= rows.sum(axis=1, keepdims=True)
        moves = tuple(columns)
        return Policy(names, tuple(move_text(state.rules, move) for move in moves), rows, moves)


def _kind(text: str) -> str | Fraction:
    if text in ("f", "c", "min", "a"):
        return text
    try:
        fraction = Fraction(text)
    except (ValueError, ZeroDivisionError):
        fraction = Fraction(0)
    if fraction <= 0:
        raise ConfigError(f"action {text!r}; allowed: f, c, min, a, or a fraction of the pot, such as 0.5")
    return fraction


def _move(kind: str | Fraction, state: PublicState) -> Action | None:
    """What the action is in this state; None where it is not legal."""
    legal = state.legal
    if kind == "f":
        return FOLD if legal.can_fold else None
    if kind == "c":
        return CALL
    if not legal.can_raise:
        return None
    if isinstance(kind, Fraction):
        pot = state.pot + state.to_call
        return legal.nearest_raise(floor(max(state.spent) + kind * pot + Fraction(1, 2)))
    return legal.min_raise_to if kind == "min" else legal.max_raise_to
