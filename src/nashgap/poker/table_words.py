"""What is said at a table, whoever shows it: `you raise to 300, all in`, `poki wins 40`, `D SB`, `flop`."""

from __future__ import annotations

from collections.abc import Sequence

from nashgap.poker.notation import HandRecord, format_payoff
from nashgap.poker.replay import Step, chips_before_round
from nashgap.poker.rules import UNLIMITED, PokerRules
from nashgap.poker.state import CALL, FOLD, PublicState
from nashgap.poker.streets import STREETS, street_names

__all__ = [
    "YOU",
    "action_sentence",
    "has_bet",
    "has_stacks",
    "seat_role",
    "shown_chips",
    "shown_round",
    "uncalled_chips",
    "winners_sentence",
]

YOU = "you"
"""What a person is called on the own screen."""


def action_sentence(step: Step, name: str) -> str:
    """What the player of this name did; chips are counted from the beginning of the round."""
    seat, before = step.before.seat, chips_before_round(step.before)
    ending = "" if name == YOU else "s"
    if step.action == FOLD:
        return f"{name} fold{ending}"
    if step.action == CALL:
        cost = step.before.to_call
        text = f"{name} call{ending} {shown_chips(cost)}" if cost > 0 else f"{name} check{ending}"
    else:
        verb = f"raise{ending} to" if has_bet(step.before) else f"bet{ending}"
        text = f"{name} {verb} {shown_chips(step.after.spent[seat] - before[seat])}"
    is_all_in = step.after.spent[seat] == step.after.rules.stacks[seat] != step.before.spent[seat]
    return f"{text}, all in" if is_all_in else text


def winners_sentence(hand: HandRecord, names: Sequence[str]) -> str:
    """Who takes how much of the pot. A bet that nobody called was never in it."""
    spent = hand.state.spent
    second = max(spent) - uncalled_chips(hand.state)
    taken = [won + min(put_in, second) for won, put_in in zip(hand.payoffs, spent, strict=True)]
    return ", ".join(
        f"{name} {'win' if name == YOU else 'wins'} {shown_chips(chips)}"
        for name, chips in zip(names, taken, strict=True)
        if chips > 1e-9
    )


def uncalled_chips(state: PublicState) -> int:
    """What one seat has put in beyond all others."""
    *_, second, first = sorted(state.spent)
    return first - second


def shown_chips(chips: float) -> str:
    """`1,500`, `2.5`: as people read amounts."""
    whole, point, part = format_payoff(chips).partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    return f"{sign}{int(digits):,}{point}{part}"


def has_bet(state: PublicState) -> bool:
    """Whether there is a bet, or a blind, to raise in this round."""
    return any(now > then for now, then in zip(state.spent, chips_before_round(state), strict=True))


def has_stacks(rules: PokerRules) -> bool:
    """Whether chips can run out."""
    return UNLIMITED not in rules.stacks


def seat_role(rules: PokerRules, seat: int) -> str:
    """D: the button; SB and BB where the game has two blinds."""
    is_button = seat == rules.num_seats - 1
    blinds = sorted(filter(None, rules.blinds))
    role = ""
    if not rules.has_antes and len(blinds) == 2 and rules.blinds[seat] > 0:
        role = "BB" if rules.blinds[seat] == blinds[1] else "SB"
    return f"{'D' if is_button else ''}{' ' if is_button and role else ''}{role}"


def shown_round(state: PublicState) -> str:
    """The name of the round that the board belongs to."""
    names = street_names(state.rules)
    if names[0] == STREETS[0]:
        return names[max(0, len(state.board) - 2)]
    return "table" if len(names) == 1 else names[state.round]
