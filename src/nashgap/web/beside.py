"""Two strategies at one decision: whether they are for one game, and what one makes of bets that it does not have."""

from __future__ import annotations

from collections.abc import Iterable

from nashgap.core.game import CHANCE
from nashgap.errors import ConfigError, MismatchError
from nashgap.poker.moves import Move
from nashgap.poker.replay import Step, replay
from nashgap.poker.spot import Spot
from nashgap.poker.state import CALL, FOLD, Action, PublicState
from nashgap.poker.words import move_words
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.translation import smaller_share

__all__ = ["nearest_line", "require_one_spot", "translations"]


def require_one_spot(first: tuple[str, Spot], second: tuple[str, Spot]) -> None:
    """Refuse spots that differ in more than ranges and bets. Each with its name."""
    (name, spot), (other_name, other_spot) = first, second
    for what, own, other in (
        ("board", spot.board_text, other_spot.board_text),
        ("pot", spot.pot, other_spot.pot),
        ("stack", min(spot.stacks), min(other_spot.stacks)),
        ("rake", _rake_words(spot), _rake_words(other_spot)),
    ):
        if own != other:
            raise MismatchError(
                f"{other_name} has the {what} {other}, {name} has {own}; side by side both are of one spot, in which"
                " ranges and bets alone may differ"
            )


def _rake_words(spot: Spot) -> str:
    share, most = spot.rake
    return f"{100 * share:g}% up to {most:g} chips" if share > 0 else "0%"


def translations(strategy: object, state: PublicState) -> list[str]:
    """What the strategy takes for what, of the raises on the way here that are not in its betting tree."""
    if not isinstance(strategy, AbstractStrategy):
        return []
    told = []
    for step in replay(state):
        is_raise = step.action is not None and step.action not in (FOLD, CALL)
        if not is_raise or (not strategy.is_complete and strategy.segment_at(step.before) is None):
            continue
        own, taken = move_words(step.before, _move(step)), _taken_for(strategy, step)
        if all(place.node < 0 for place in strategy.places(step.after)):
            told.append(f"{own} is beyond its betting tree: taken for a call.")
        elif taken and list(taken) != [step.action]:
            parts = [
                f"{move_words(step.before, action)}" + (f" ({share:.0%})" if len(taken) > 1 else "")
                for action, share in sorted(taken.items())
            ]
            told.append(f"{own} is not in its betting tree: taken for {' and '.join(parts)}.")
    return told


def _taken_for(strategy: AbstractStrategy, step: Step) -> dict[Action, float]:
    """The actions of its tree that lead to where it then believes to be, with their shares."""
    segment = strategy.segment_at(step.after)
    if segment is None:
        return {}
    tree, found = segment.game.tree, dict[Action, float]()
    shares: dict[int, float] = {}
    for place in strategy.places(step.after):
        shares[place.node] = shares.get(place.node, 0.0) + place.weight
    for place in strategy.places(step.before):
        if place.node < 0:
            continue
        for edge, action in enumerate(place.actions, start=int(tree.first_edge[place.node])):
            share = shares.pop(int(tree.child[edge]), 0.0)
            if share > 0:
                found[action] = found.get(action, 0.0) + share
    return found


def _move(step: Step) -> Move:
    assert step.action is not None, "cards were dealt"
    return step.action


def nearest_line(spot: Spot, other: Spot, line: str) -> tuple[str, list[str]]:
    """The line of the spot that is nearest to a line of the other's tree, and what was taken for what.

    Bets are as near as their fractions of the pot, by the geometric rule of `nashgap.strategies.translation`.
    """
    here, told = spot.root(), list[str]()
    for step in replay(other.state_after(line)):
        if len(step.after.board) <= len(spot.board) and step.action is None:
            continue
        if here.is_over or (here.seat == CHANCE) != (step.action is None):
            raise ConfigError(f"{line!r} has no counterpart: by its nearest bets the hand is all-in or over by then")
        if step.action is None:
            here = here.deal(step.after.board[len(here.board) :])
            continue
        taken = _nearest(here, spot.betting.actions(here), step)
        if taken != step.action:
            bet, nearest = other.action_words(step.before, step.action), spot.action_words(here, taken)
            told.append(f"It has no {bet} there: its nearest is {nearest}.")
        here = here.act(taken)
    if here.is_over or here.seat == CHANCE:
        raise ConfigError(f"{line!r} has no counterpart: by its nearest bets the hand is all-in or over by then")
    return spot.line_text(here), told


def _nearest(here: PublicState, actions: Iterable[Action], step: Step) -> Action:
    """What is nearest to the step's action; a call to a raise where there is none."""
    assert step.action is not None
    own = list(actions)
    if step.action in own:
        return step.action
    raises = sorted(action for action in own if action not in (FOLD, CALL))
    if not raises or step.action in (FOLD, CALL):
        return CALL
    size = _fraction(step.before, step.action)
    sizes = [_fraction(here, action) for action in raises]
    smaller = [place for place, each in enumerate(sizes) if each <= size]
    if not smaller:
        return raises[0]
    below = smaller[-1]
    if below == len(raises) - 1 or sizes[below] == size:
        return raises[below]
    return raises[below if smaller_share("hard", sizes[below], sizes[below + 1], size) > 0.5 else below + 1]


def _fraction(state: PublicState, raise_to: Action) -> float:
    """Of the pot after calling."""
    return (raise_to - max(state.spent)) / (state.pot + state.to_call)
