"""Actions and rounds as players say them: `check`, `bet 600`, `raise to 900`, `all-in`; `flop`, `round 2`.

Chips are counted within the round, as at a table; the competition's notation, `r900`, counts them over the whole hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from nashgap.core.strategy import RaiseRange
from nashgap.poker.moves import Move
from nashgap.poker.replay import chips_before_round, replay
from nashgap.poker.rules import UNLIMITED, PokerRules
from nashgap.poker.state import CALL, FOLD, PublicState

__all__ = ["betting_words", "move_words", "round_name"]

_HOLDEM_BOARD, _HOLDEM_ROUNDS = (0, 3, 1, 1), ("preflop", "flop", "turn", "river")


def round_name(rules: PokerRules, number: int) -> str:
    """Of the round (0-based); empty where there is only one."""
    if rules.num_board_cards == _HOLDEM_BOARD:
        return _HOLDEM_ROUNDS[number]
    return f"round {number + 1}" if rules.num_rounds > 1 else ""


def move_words(state: PublicState, move: Move) -> str:
    """What the seat to act does; two moves of a state never have the same words."""
    if move == FOLD:
        return "fold"
    if move == CALL:
        return "call" if state.to_call > 0 else "check"
    seat, before = state.seat, chips_before_round(state)
    has_bet = any(now > then for now, then in zip(state.spent, before, strict=True))
    verb = "raise" if has_bet else "bet"
    if not state.rules.has_sizes:
        return verb
    if isinstance(move, RaiseRange):
        return f"{verb} {move.low - before[seat]} to {move.high - before[seat]}"
    if move == state.rules.stacks[seat] != UNLIMITED:
        return "all-in"
    return f"{'raise to' if has_bet else 'bet'} {move - before[seat]}"


def betting_words(state: PublicState) -> tuple[str, ...]:
    """One line for each round with actions: `preflop: player 2 raises to 300, player 1 calls`."""
    by_round: dict[int, list[str]] = {}
    for before, move in _moves(state):
        by_round.setdefault(before.round, []).append(f"player {before.seat + 1} {_told(before, move)}")
    names = {number: round_name(state.rules, number) for number in by_round}
    return tuple(
        f"{names[number]}: {', '.join(words)}" if names[number] else ", ".join(words)
        for number, words in by_round.items()
    )


def _told(state: PublicState, move: Move) -> str:
    verb, _, rest = move_words(state, move).partition(" ")
    return "goes all-in" if verb == "all-in" else f"{verb}s {rest}".rstrip()


def _moves(state: PublicState) -> Iterator[tuple[PublicState, int]]:
    for step in replay(state):
        if step.action is not None:
            yield step.before, step.action
