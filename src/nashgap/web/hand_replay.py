"""Hands of a leak report step by step, as JSON: what a page needs to draw each step, and nothing else to work out.

Chips are whole numbers, as at the tables. Both sides' cards are open: a hand of a report is over, and nobody plays it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from nashgap.cards.card import format_card, parse_cards
from nashgap.core.estimate import significant
from nashgap.core.game import CHANCE
from nashgap.errors import FileFormatError
from nashgap.poker.notation import HandRecord
from nashgap.poker.replay import chips_before_round, replay
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, FOLD, PublicState
from nashgap.poker.table_words import action_sentence, has_stacks, seat_role, shown_round, winners_sentence

__all__ = ["example_hand", "replayed_hands"]

LBR, BOT = "LBR", "bot"
MOST_HANDS = 100
_ACTIONS = re.compile(r"f|c|r\d*")


def replayed_hands(rules: PokerRules, situations: Sequence[Mapping[str, Any]], unit: str) -> list[dict[str, Any]]:
    """The example of each situation that has one, with all its steps. situations: as a result tells them."""
    found = []
    for place, leak in enumerate(situations[:MOST_HANDS], 1):
        if example := leak.get("example"):
            found.append({"place": place, "situation": str(leak["situation"]), **example_hand(rules, example, unit)})
    return found


def example_hand(rules: PokerRules, example: Mapping[str, Any], unit: str) -> dict[str, Any]:
    """One hand: who sat where, and a step for the beginning and for everything that happened."""
    try:
        seat = int(example["seat"]) - 1
        bots = [parse_cards(text) for text in str(example["bot_cards"]).split()]
        hole_cards = (*bots[:seat], parse_cards(str(example["lbr_cards"])), *bots[seat:])
        state = _state_after(rules, str(example["line"]), parse_cards(str(example["board"])))
        deal, won = int(example["deal"]), float(example["won"])
    except (LookupError, OverflowError, TypeError, ValueError) as error:
        raise FileFormatError(f"a hand of the leak report is damaged: {error}") from error
    if len(hole_cards) != rules.num_seats or not 0 <= seat < rules.num_seats:
        raise FileFormatError(f"a hand of the leak report does not fit the {rules.num_seats} seats of the game")
    names = _names(rules.num_seats, seat)
    root = next((step.before for step in replay(state)), state)
    steps: list[dict[str, Any]] = [{"text": "the cards are dealt", "state": root}]
    for step in replay(state):
        if step.action is None:
            text = f"{shown_round(step.after)}: {' '.join(map(format_card, step.after.board))}"
        else:
            text = action_sentence(step, names[step.before.seat])
        steps.append({"text": text, "state": step.after})
    steps.append({"text": _ending(state, hole_cards, names), "state": state})
    drawn = [{"text": each["text"], **_drawn(each["state"])} for each in steps]
    return {
        "deal": deal,
        "won": f"{'+' if won > 0 else ''}{significant(won)} {unit.removesuffix('_per_hand')}",
        "seats": [
            {"name": name, "role": seat_role(rules, number), "cards": [format_card(card) for card in cards]}
            for number, (name, cards) in enumerate(zip(names, hole_cards, strict=True))
        ],
        "num_board_cards": rules.board_cards_by(rules.num_rounds - 1),
        "steps": drawn,
    }


def _names(num_seats: int, lbr_seat: int) -> list[str]:
    if num_seats == 2:
        return [LBR if seat == lbr_seat else BOT for seat in range(2)]
    numbers = iter(range(1, num_seats))
    return [LBR if seat == lbr_seat else f"{BOT} {next(numbers)}" for seat in range(num_seats)]


def _state_after(rules: PokerRules, line: str, board: Sequence[int]) -> PublicState:
    """After this betting, with as much of the board as was seen: none is dealt behind an all-in."""
    state, seen = rules.root(), 0
    for actions in line.split("/"):
        if not re.fullmatch(r"(f|c|r\d*)*", actions):
            raise ValueError(f"betting {actions!r}")
        if state.seat == CHANCE:
            if len(board) - seen < state.num_missing_cards:
                return state
            cards = board[seen : seen + state.num_missing_cards]
            state, seen = state.deal(cards), seen + len(cards)
        for action in _ACTIONS.findall(actions):
            if action == "f":
                state = state.act(FOLD)
            elif action == "c":
                state = state.act(CALL)
            else:
                state = state.act(int(action[1:] or state.legal.max_raise_to))
    return state


def _drawn(state: PublicState) -> dict[str, Any]:
    rules, before = state.rules, chips_before_round(state)
    has_chips = has_stacks(rules)
    return {
        "round": shown_round(state),
        "pot": state.pot,
        "board": [format_card(card) for card in state.board],
        "seats": [
            {
                "bet": state.spent[seat] - before[seat],
                "in_pot": state.spent[seat],
                "stack": rules.stacks[seat] - state.spent[seat] if has_chips else None,
                "has_folded": state.has_folded[seat],
                "is_turn": state.seat == seat,
            }
            for seat in range(rules.num_seats)
        ],
    }


def _ending(state: PublicState, hole_cards: Sequence[tuple[int, ...]], names: Sequence[str]) -> str:
    if not state.is_over:
        return "all in: counted as the mean over the boards to come"
    record = HandRecord(0, state, tuple(hole_cards), state.payoffs(hole_cards), tuple(names))
    return winners_sentence(record, names)
