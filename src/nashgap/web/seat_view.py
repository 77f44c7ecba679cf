"""What one seat may know of its table, as JSON: all that a browser is ever told of a hand.

It is made from the seat's `View` of the hand and from the cards that the seat has been shown; nothing is left to the
browser to hide. Chips are whole numbers; what was won, which a split pot may divide, comes as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nashgap.agents.human import raise_presets
from nashgap.arena.session import signed_chips
from nashgap.cards.card import format_card
from nashgap.cards.evaluator import hand_category, hand_rank
from nashgap.core.estimate import Estimate, format_interval
from nashgap.poker.notation import HandRecord, HoleCards
from nashgap.poker.protocol import shown_cards
from nashgap.poker.replay import chips_before_round, replay
from nashgap.poker.state import View
from nashgap.poker.table_words import (
    YOU,
    action_sentence,
    has_bet,
    has_stacks,
    seat_role,
    shown_round,
    uncalled_chips,
    winners_sentence,
)
from nashgap.web.duplicate import BY_PERSON, LATER, hands_of_deal, told_after
from nashgap.web.tables import OpenHand, Table

__all__ = ["UNIT_WORDS", "deals_of", "pair_means", "seat_view"]

UNIT_WORDS = {
    "mbb_per_hand": "thousandths of a big blind per hand",
    "sb_per_hand": "small bets per hand",
    "antes_per_hand": "antes per hand",
    "chips_per_hand": "chips per hand",
}


def seat_view(table: Table, player: int) -> dict[str, Any]:
    """The table as this player sees it."""
    version = table.version  # before all else, or a view might pass for newer than it is
    hand, names = table.hand, table.names
    told = {
        "table": table.identifier,
        "version": version,
        "game": table.rules.name,
        "you": names[player],
        "score": _score(table, player),
        "problem": table.problem,
        "is_finished": table.is_finished,
        "missing": sum(each.is_missing for each in table.players),
        "options": {
            "open": table.job.is_open,
            "coach": table.job.has_coach,
            "duplicate": table.job.duplicate,
            "twin_is_missing": table.job.duplicate == BY_PERSON and table.twin is None,
        },
        "last_told": _last_told(table),
        "hand": None,
    }
    if hand is None:
        return told
    names[player] = YOU
    return told | {"hand": _hand(table, hand, player, names)}


def _hand(table: Table, hand: OpenHand, player: int, names: list[str]) -> dict[str, Any]:
    seat = hand.seat_of(player)
    view = View(hand.state, seat, hand.deal.hole_cards[seat])
    shown = shown_cards(view.state, hand.deal.hole_cards, seat)
    by_seat = [names[each] for each in hand.player_at]
    record = hand.record(names) if view.state.is_over else None
    waiting = [
        names[each]
        for each, someone in enumerate(table.players)
        if record is not None and someone.agent is None and each not in table.ready and each != player
    ]
    return {
        "number": hand.number,
        "step": len(hand.actions),
        "round": shown_round(view.state),
        "pot": view.state.pot - (uncalled_chips(view.state) if record is not None else 0),
        "board": [format_card(card) for card in view.state.board],
        "seats": _seats(view, shown, by_seat, record),
        "choices": _choices(view) if view.state.seat == seat and not table.is_finished else None,
        "told": _told(view, shown, by_seat, record),
        "is_over": record is not None,
        "is_ready": player in table.ready,
        "waits_for": ["the others"] if waiting and table.job.is_anonymous else waiting,
        "won": None if record is None else signed_chips(record.payoffs[seat]),
        "remark": table.remarks.get(hand.number, {}).get(player, ""),
    }


def _seats(view: View, shown: HoleCards, names: list[str], record: HandRecord | None) -> list[dict[str, Any]]:
    state, before = view.state, chips_before_round(view.state)
    has_chips = has_stacks(view.rules)
    return [
        {
            "name": name,
            "role": seat_role(view.rules, seat),
            "is_you": seat == view.seat,
            "is_turn": state.seat == seat,
            "has_folded": state.has_folded[seat],
            "bet": 0 if record is not None else state.spent[seat] - before[seat],
            "in_pot": state.spent[seat],
            "stack": view.rules.stacks[seat] - state.spent[seat] if has_chips else None,
            "cards": None if (cards := shown[seat]) is None else [format_card(card) for card in cards],
            "num_cards": view.rules.num_hole_cards,
            "won": None if record is None else signed_chips(record.payoffs[seat]),
        }
        for seat, name in enumerate(names)
    ]


def _choices(view: View) -> dict[str, Any]:
    """What the seat may do; chips are counted from the beginning of the round, as `parse_answer` takes them."""
    state, before = view.state, chips_before_round(view.state)[view.seat]
    legal = state.legal
    sizes = {"least": legal.min_raise_to - before, "most": legal.max_raise_to - before}
    raising = {"verb": "raise to" if has_bet(state) else "bet", **sizes, "presets": raise_presets(state)}
    return {
        "can_fold": legal.can_fold,
        "to_call": state.to_call,
        "raise": raising if legal.can_raise else None,
        "has_sizes": view.rules.has_sizes and legal.min_raise_to < legal.max_raise_to,
    }


def _told(view: View, shown: HoleCards, names: list[str], record: HandRecord | None) -> list[str]:
    """What happened, a line each, in order."""
    lines = []
    for step in replay(view.state):
        if step.action is None:
            board = " ".join(format_card(card) for card in step.after.board)
            lines.append(f"{shown_round(step.after)}: {board}")
        else:
            lines.append(action_sentence(step, names[step.before.seat]))
    if record is None:
        return lines
    if view.state.has_folded.count(False) > 1:
        for seat, cards in enumerate(shown):
            if cards is not None and not view.state.has_folded[seat]:
                verb = "show" if names[seat] == YOU else "shows"
                kind = hand_category(hand_rank((*cards, *view.state.board)))
                lines.append(f"{names[seat]} {verb} {' '.join(map(format_card, cards))}: {kind}")
    return [*lines, winners_sentence(record, names)]


def _score(table: Table, player: int) -> dict[str, Any]:
    """What the player has won by now; the interval is over hands, and needs two."""
    won, rules = list(table.totals[player]), table.rules
    told = {
        "hands": len(won),
        "chips": signed_chips(sum(won)),
        "unit": rules.unit,
        "unit_words": UNIT_WORDS[rules.unit],
        "rate": None,
    }
    if table.job.duplicate:
        told["duplicate"] = _duplicate_score(table, player, won)
    if len(won) < 2:
        return told
    return told | {"rate": _rate(table, won)}


def _rate(table: Table, chips: Sequence[float]) -> str:
    rules = table.rules
    unit = rules.unit_chips  # once: it is asked for at each action, after any number of hands
    samples = [each / unit for each in chips]
    found = Estimate.from_samples(samples, unit=rules.unit, method="session", seed=0)
    return format_interval(found.mean, found.ci95)


def _duplicate_score(table: Table, player: int, won: list[float]) -> dict[str, Any]:
    """Over deals that were played in all seats: each is one sample, the mean of its hands.

    after: the hand after which there are any; None where that depends on another person.
    """
    after = None
    if table.job.duplicate == LATER:
        means = pair_means(won, deals_of(table, len(won)))
        after, whose = told_after(table.rules.num_seats, 1), "yours in all seats"
    else:
        other = [] if table.twin is None else list(table.twin.totals[player])
        means = [(one + two) / 2 for one, two in zip(won, other, strict=False)]
        whose = "the mean of you and the person at the other table"
    rate = _rate(table, means) if len(means) > 1 else None
    return {"deals": len(means), "rate": rate, "whose": whose, "after": after}


def deals_of(table: Table, num_hands: int) -> list[tuple[int, ...]]:
    """The hands, by number, of each deal of a table by `later` of which all may be told after so many hands."""
    seats, seed = table.rules.num_seats, table.job.seed
    told = (number for number in range(1, num_hands + 1) if told_after(seats, number) <= num_hands)
    return sorted({hands_of_deal(seats, seed, number) for number in told})


def pair_means(won: Sequence[float], deals: Sequence[tuple[int, ...]]) -> list[float]:
    """The mean of the hands of each deal."""
    return [sum(won[number - 1] for number in hands) / len(hands) for hands in deals]


def _last_told(table: Table) -> int | None:
    """The latest hand of which all may be told."""
    return next((number for number in range(len(table.finished), 0, -1) if table.is_told(number)), None)
