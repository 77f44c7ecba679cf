"""Is this an answer? What somebody's own strategy says is held to the state that it was asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from nashgap.cards.card import format_cards
from nashgap.core.python_class import told
from nashgap.core.strategy import Policy, RaiseRange
from nashgap.errors import AgentError, IllegalActionError
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.moves import Move, is_legal_move, move_text, parse_move
from nashgap.poker.place import position_name
from nashgap.poker.state import PublicState
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["SUM_TOLERANCE", "check_policies", "check_policy", "checked_answers", "place_text", "row_name"]

MAX_SHOWN = 8  # probabilities in a message
SUM_TOLERANCE = 1e-4  # how far a row may be from adding up to 1, which is then mended
ROUNDING = 1e-12  # so far it may be and stays as it is


def place_text(state: PublicState) -> str:
    """For messages: `after 'r300c/' on board AhKd2c, in the big blind`."""
    board = f" on board {format_cards(state.board)}" if state.board else ""
    return f"after {state.betting!r}{board}, {position_name(state.rules, state.seat)}"


def row_name(row: int, num_rows: int, names: Sequence[str]) -> str:
    """For messages, in which rows count from 1: `row 1, hand Qs`."""
    if num_rows == 1:
        return "the row of all hands"
    return f"row {row + 1}, hand {names[row]}" if row < len(names) else f"row {row + 1}"


def checked_answers(strategy: PokerStrategy, states: Sequence[PublicState]) -> list[Policy]:
    """What the strategy answers for the states, checked once: here, unless it says that it does so itself."""
    policies = strategy.policies(states)
    return policies if getattr(strategy, "is_checked", False) else check_policies(policies, states, strategy.name)


def check_policies(policies: object, states: Sequence[PublicState], who: str) -> list[Policy]:
    """One sound policy for each state; AgentError where there is none, whatever their own code raises."""
    try:
        return _checked(policies, states, who)
    except AgentError:
        raise
    except BaseException as error:
        raise AgentError(f"{who} answers what cannot be read as policies: {told(error)}") from error


def _checked(policies: object, states: Sequence[PublicState], who: str) -> list[Policy]:
    if not isinstance(policies, Sequence) or len(policies) != len(states):
        number = f"{len(policies)} policies" if isinstance(policies, Sequence) else f"a {type(policies).__name__}"
        raise AgentError(f"{who} answers {number} for {len(states)} states; a list with one policy each is needed")
    return [check_policy(policy, state, who) for policy, state in zip(policies, states, strict=True)]


def check_policy(policy: object, state: PublicState, who: str = "the strategy") -> Policy:
    """The policy with rows that add up to 1 and are 0 for hands that cannot be held; AgentError if it is none.

    Moves that are not given are read from the names of the actions; these are then ours.
    """
    where = f"{who} {place_text(state)}"
    if not isinstance(policy, Policy):
        raise AgentError(f"{where}: answers a {type(policy).__name__}, not a Policy")
    names = hand_names(state.rules)
    if policy.hands is not names and tuple(policy.hands) != names:
        raise AgentError(
            f"{where}: {len(policy.hands)} hands; the game's {len(names)}, {names[0]} to {names[-1]}, are needed in"
            " their order"
        )
    moves = _checked_moves(policy, state, where)
    probabilities = _checked_rows(policy.probabilities, len(moves), names, state, where)
    actions = tuple(move_text(state.rules, move) for move in moves)
    return replace(policy, hands=names, actions=actions, probabilities=probabilities, moves=moves)


def _checked_moves(policy: Policy, state: PublicState, where: str) -> tuple[Move, ...]:
    if policy.moves and policy.actions and len(policy.moves) != len(policy.actions):
        raise AgentError(f"{where}: {len(policy.moves)} moves have {len(policy.actions)} names")
    if policy.moves:
        moves = tuple(move if isinstance(move, RaiseRange) else _whole(move, where) for move in policy.moves)
    else:
        try:
            moves = tuple(parse_move(text, state) for text in map(str, policy.actions))
        except IllegalActionError as error:
            raise AgentError(f"{where}: action {error}") from None
    if not moves:
        raise AgentError(f"{where}: no actions; legal: {state.legal}")
    for move in moves:
        if not is_legal_move(move, state):
            raise AgentError(f"{where}: action {_name(move, state)} is not legal; legal: {state.legal}")
    for first, second in pairwise(sorted(moves, key=_ends)):  # what overlaps does so with its neighbour, too
        if _ends(second)[0] <= _ends(first)[1]:
            raise AgentError(f"{where}: actions {_name(first, state)} and {_name(second, state)} overlap")
    return moves


def _whole(move: object, where: str) -> int:
    if isinstance(move, bool) or not isinstance(move, int | np.integer):
        raise AgentError(f"{where}: move {move!r} is no action; actions are -1 (fold), 0 (call), chips or a RaiseRange")
    return int(move)


def _name(move: Move, state: PublicState) -> str:
    return repr(move_text(state.rules, move))


def _ends(move: Move) -> tuple[int, int]:
    return (move.low, move.high) if isinstance(move, RaiseRange) else (move, move)


def _checked_rows(
    given: object, num_actions: int, names: tuple[str, ...], state: PublicState, where: str
) -> np.ndarray:
    """`[H, A]` or `[1, A]` float64, rows adding up to 1 or 0."""
    try:
        rows = np.array(given, np.float64)
    except (TypeError, ValueError):
        raise AgentError(f"{where}: the probabilities are no table of numbers") from None
    if rows.shape not in ((len(names), num_actions), (1, num_actions)):
        raise AgentError(
            f"{where}: probabilities of shape {_shape(rows)}; hands x actions, {len(names)} x {num_actions}, or one row"
            " for all hands is needed"
        )
    is_possible = possible_hands(state) if len(rows) > 1 else np.ones(1, bool)
    with np.errstate(over="ignore"):
        totals = rows.sum(axis=1)
    for is_bad, what in (
        (~np.isfinite(rows).all(axis=1), "are not all finite"),
        ((rows < 0).any(axis=1), "are not all 0 or more"),
        (is_possible & ~(np.abs(totals - 1.0) <= SUM_TOLERANCE), "do not add up to 1"),
    ):
        if np.any(is_bad):
            raise AgentError(f"{where}: {_row_text(rows, int(np.argmax(is_bad)), names)} {what}")
    mended = np.where(is_possible[:, None], rows, 0.0)
    is_off = is_possible & (np.abs(totals - 1.0) > ROUNDING)
    np.divide(rows, totals[:, None], out=mended, where=is_off[:, None])
    return mended


def _row_text(rows: np.ndarray, row: int, names: tuple[str, ...]) -> str:
    values = ", ".join(f"{value:.6g}" for value in rows[row][:MAX_SHOWN])
    more = ", ..." if rows.shape[1] > MAX_SHOWN else ""
    return f"{row_name(row, len(rows), names)}: the probabilities {values}{more}"


def _shape(rows: np.ndarray) -> str:
    return " x ".join(map(str, rows.shape)) or "a single number"
