"""What the hands that LBR has played are told apart by: street, position, bets, board, and the hand of the bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nashgap import _native
from nashgap.cards.card import RANKS
from nashgap.cards.made_hands import BOARD_TEXTURES, MADE_HANDS, board_texture, made_hand, made_hands
from nashgap.measures.local_best_response import LbrHands
from nashgap.poker.betting_line import SIZE_CLASSES, LineStep, line_text, line_words, read_line, size_words
from nashgap.poker.hands import hands_of
from nashgap.poker.place import position_name, pot_name
from nashgap.poker.rules import PokerRules
from nashgap.poker.streets import street_name, street_names

__all__ = [
    "CATEGORIES",
    "HAND_CLASS",
    "LINE",
    "SITUATION",
    "TEXTURE",
    "KeyedHand",
    "hand_classes",
    "keyed_hands",
    "keyed_line",
    "ordered_keys",
]

LINE = "line"
HAND_CLASS = "hand_class"
SITUATION = "situation"
TEXTURE = "texture"
CATEGORIES = ("street", "position", "bet_size", TEXTURE, HAND_CLASS, LINE)
"""Those that mean nothing in a game are left out: board and bet size, or with several bots their hands.

street:     on which the hand ended, or LBR folded.
position:   of the bot; of LBR where there are several bots.
bet_size:   LBR's last bet or raise.
texture:    the board that was seen by then.
hand_class: what the bot held by then.
line:       the whole betting, sizes grouped.
"""

NO_BET = "no bet"


@dataclass(frozen=True)
class KeyedHand:
    """A hand that LBR played, with its key in each category and its situation.

    deal:        from 0; `seat` is that of LBR.
    board:       that was seen when the last action was taken.
    chips:       that LBR won; `dealt_chips` against the hand that the bot really held.
    """

    deal: int
    seat: int
    hole_cards: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    line: str
    chips: float
    dealt_chips: float
    keys: dict[str, str]


def keyed_hands(rules: PokerRules, hands: LbrHands, *, seed: int, first_deal: int) -> list[KeyedHand]:
    """Deal after deal, each in its seatings."""
    num_seatings = hands.chips.shape[1]
    known: dict[tuple[str, int], tuple[int, dict[str, str]]] = {}  # lines come again and again
    played = []
    for index in range(len(hands.chips)):
        cards = _native.deal_cards(rules.native, seed, first_deal + index, hands.boards)
        size = rules.num_hole_cards
        hole_cards = tuple(cards[seat * size : (seat + 1) * size] for seat in range(rules.num_seats))
        for seating in range(num_seatings):
            seat, line = int(hands.seats[index, seating]), hands.lines[index * num_seatings + seating]
            if (line, seat) not in known:
                known[line, seat] = keyed_line(rules, line, seat)
            num_seen, line_keys = known[line, seat]
            board = cards[rules.num_seats * size :][:num_seen]
            played.append(
                KeyedHand(
                    first_deal + index,
                    seat,
                    hole_cards,
                    board,
                    line,
                    float(hands.chips[index, seating]),
                    float(hands.dealt_chips[index, seating]),
                    line_keys | _card_keys(rules, hole_cards, board, seat),
                )
            )
    return played


def ordered_keys(rules: PokerRules, category: str) -> tuple[str, ...]:
    """The keys of the category in the order in which people expect them; none where they have no order of their own."""
    match category:
        case "street":
            return street_names(rules)
        case "position":
            return tuple(position_name(rules, seat) for seat in range(rules.num_seats))
        case "bet_size":
            return (NO_BET, *map(size_words, SIZE_CLASSES))
        case "texture":
            return BOARD_TEXTURES
        case "hand_class" if rules.is_holdem:
            return MADE_HANDS
        case "hand_class":
            return (*RANKS, *map(_pair_of, RANKS))
    return ()


def keyed_line(rules: PokerRules, line: str, seat: int) -> tuple[int, dict[str, str]]:
    """How many board cards lie when the last action is taken, and what the betting says; LBR sits at the seat."""
    steps = _until_fold(read_line(rules, line), seat)
    return rules.board_cards_by(steps[-1].round), _line_keys(rules, steps, seat)


def hand_classes(rules: PokerRules, board: Sequence[int]) -> np.ndarray:
    """The place of every hand of the bot, heads-up, among `ordered_keys` of hand classes; -1: it has none."""
    if rules.is_holdem:
        return made_hands(board)
    if rules.num_hole_cards != 1:
        return np.full(len(hands_of(rules)), -1, np.int8)
    ranks = {card // 4 for card in board}
    places = [
        -1 if card in board else card // 4 + (len(RANKS) if card // 4 in ranks else 0) for (card,) in hands_of(rules)
    ]
    return np.array(places, np.int8)


def _until_fold(steps: Sequence[LineStep], seat: int) -> Sequence[LineStep]:
    """What happened while LBR was in the hand; the others may go on without it."""
    folds = [place for place, step in enumerate(steps) if step.seat == seat and step.kind == "f"]
    return steps[: folds[0] + 1] if folds else steps


def _line_keys(rules: PokerRules, steps: Sequence[LineStep], seat: int) -> dict[str, str]:
    """What the betting says; LBR sits at the seat."""
    is_heads_up = rules.num_seats == 2
    position = position_name(rules, 1 - seat if is_heads_up else seat)
    street = street_name(rules, steps[-1].round)
    last_steps = [step for step in steps if step.round == steps[-1].round]
    words = line_words(last_steps, ["LBR" if other == seat else "bot" for other in range(rules.num_seats)])
    situation = f"{'Bot' if is_heads_up else 'LBR'} {position}, {street}{_pot(rules, steps)}: {words}"
    keys = {"street": street, "position": position, LINE: line_text(steps), SITUATION: situation}
    if rules.has_sizes:
        sizes = [step.size for step in steps if step.seat == seat and step.is_aggressive]
        keys["bet_size"] = size_words(sizes[-1]) if sizes else NO_BET
    return keys


def _card_keys(
    rules: PokerRules, hole_cards: Sequence[Sequence[int]], board: Sequence[int], seat: int
) -> dict[str, str]:
    """What the cards say; of several bots no hand is told."""
    keys = {TEXTURE: board_texture(board)} if rules.is_holdem else {}
    if rules.num_seats > 2:
        return keys
    held = hole_cards[1 - seat]
    if rules.is_holdem:
        keys[HAND_CLASS] = made_hand(held, board)
    elif rules.num_hole_cards == 1:
        rank = RANKS[held[0] // 4]
        keys[HAND_CLASS] = _pair_of(rank) if any(card // 4 == held[0] // 4 for card in board) else rank
    return keys


def _pot(rules: PokerRules, steps: Sequence[LineStep]) -> str:
    """By the raises before the flop; nothing while it has not come."""
    if not rules.is_holdem or steps[-1].round == 0:
        return ""
    return f", {pot_name(steps)}"


def _pair_of(rank: str) -> str:
    return f"pair of {rank}"
