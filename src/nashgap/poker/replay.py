"""A hand step by step, as it was played, and its chips round by round, as players count them."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from nashgap.core.game import CHANCE
from nashgap.poker.state import Action, PublicState

__all__ = ["Step", "chips_before_round", "replay"]


@dataclass(frozen=True)
class Step:
    """What happened in a hand: an action, or board cards (action None)."""

    before: PublicState
    action: Action | None
    after: PublicState


def replay(state: PublicState) -> Iterator[Step]:
    """Every step from the start of the hand to this state."""
    here = state.rules.root()
    for actions in state.history:
        here = yield from _dealt(here, state)
        for action in actions:
            step = Step(here, action, here.act(action))
            yield step
            here = step.after
    yield from _dealt(here, state)


def _dealt(here: PublicState, state: PublicState) -> Generator[Step, None, PublicState]:
    start = len(here.board)
    if here.seat != CHANCE or len(state.board) == start:
        return here
    after = here.deal(state.board[start : start + here.num_missing_cards])
    yield Step(here, None, after)
    return after


def chips_before_round(state: PublicState) -> tuple[int, ...]:
    """`[N]` chips that each seat had put in when the round began; antes belong to no round, blinds to the first."""
    before = state.rules.blinds if state.rules.has_antes else (0,) * state.rules.num_seats
    for step in replay(state):
        if step.after.round > step.before.round:
            before = step.after.spent
    return before
