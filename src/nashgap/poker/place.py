"""Where a seat is to act, whatever the cards: its position, the street, the kind of pot, the betting of that street.

As text `button flop raised xb100`: the button, on the flop of a raised pot, after a check and a bet of about the pot.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nashgap.errors import ConfigError
from nashgap.poker.betting_line import SIZE_CLASSES, LineStep, line_text, read_line
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState
from nashgap.poker.streets import street_name, street_names

__all__ = ["BettingPlace", "parse_place", "place_before", "place_of", "position_name", "pot_name"]

_POTS = {"limped": "limped pot", "raised": "raised pot", "3-bet": "3-bet pot", "4-bet+": "4-bet pot or more"}
_POSITIONS = {"big-blind": "in the big blind", "button": "on the button", "small-blind": "in the small blind"}
_SEAT = re.compile(r"seat-([1-9][0-9]?)")
_STREET = re.compile(r"[a-z]+(-[0-9]+)?")
_LINE = re.compile(rf"([xcfa]|[br]({'|'.join(size for size in SIZE_CLASSES if size.isdigit())})?)+")


@dataclass(frozen=True)
class BettingPlace:
    """position: `button`, `big-blind`, `small-blind`, `seat-3`. street: `flop`, `round-2`.

    pot:  by the raises before the flop, `limped`, `raised`, `3-bet`, `4-bet+`; empty before it and in other games.
    line: the betting of the street so far, see `nashgap.poker.betting_line`; empty for who acts first.
    """

    position: str
    street: str
    pot: str = ""
    line: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.position, self.street, self.pot, self.line)))

    def require_game(self, rules: PokerRules) -> None:
        """Refuse a place that the game does not have."""
        name = rules.name or "the game"
        known = {
            "position": (self.position, tuple(_position(rules, seat) for seat in range(rules.num_seats))),
            "street": (self.street, tuple(map(_street, street_names(rules)))),
            "kind of pot": (self.pot, ("", *(_POTS if rules.is_holdem else ()))),
        }
        for what, (word, allowed) in known.items():
            if word not in allowed:
                words = ", ".join(filter(None, allowed)) or "none"
                raise ConfigError(f"place {str(self)!r}: {name} has no {what} {word!r}; it has {words}")


def parse_place(text: str) -> BettingPlace:
    """`button flop raised xb100`."""
    position, street, *rest = [*text.split(), "", ""][: max(2, len(text.split()))]
    pot = rest.pop(0) if rest and rest[0] in _POTS else ""
    line = rest.pop(0) if rest and _LINE.fullmatch(rest[0]) else ""
    is_position = position in _POSITIONS or _SEAT.fullmatch(position)
    if rest or not is_position or not _STREET.fullmatch(street):
        raise ConfigError(
            f"place {text!r}; it must be POSITION STREET [POT] [BETTING], such as 'big-blind preflop a' or 'button flop"
            f" raised xb100': positions {', '.join(_POSITIONS)}, seat-3; pots {', '.join(_POTS)}; betting x, c, f, a"
            " and b or r with 25, 50, 75, 100, 200 or 400 hundredths of the pot"
        )
    return BettingPlace(position, street, pot, line)


def place_of(state: PublicState) -> BettingPlace:
    """Where the seat to act is."""
    return place_before(state.rules, read_line(state.rules, state.betting), state.seat, state.round)


def place_before(rules: PokerRules, steps: Sequence[LineStep], seat: int, round_number: int) -> BettingPlace:
    """Where the seat is to act in the round, after these steps."""
    on_street = [step for step in steps if step.round == round_number]
    pot = "" if not rules.is_holdem or round_number == 0 else _pot(steps)
    return BettingPlace(_position(rules, seat), _street(street_name(rules, round_number)), pot, line_text(on_street))


def position_name(rules: PokerRules, seat: int) -> str:
    """For people, a name that no other seat has: `on the button`, `in seat 3`."""
    position = _position(rules, seat)
    return _POSITIONS.get(position, f"in {position.replace('-', ' ')}")


def pot_name(steps: Sequence[LineStep]) -> str:
    """For people, by the raises before the flop: `3-bet pot`."""
    return _POTS[_pot(steps)]


def _pot(steps: Sequence[LineStep]) -> str:
    num_raises = sum(step.is_aggressive for step in steps if step.round == 0)
    return tuple(_POTS)[min(num_raises, len(_POTS) - 1)]


def _position(rules: PokerRules, seat: int) -> str:
    has_blinds = not rules.has_antes and any(rules.blinds)
    if has_blinds and seat == rules.blinds.index(rules.big_blind):
        return "big-blind"
    if has_blinds and seat == rules.num_seats - 1:
        return "button"
    if has_blinds and seat == 0 and rules.blinds[0]:
        return "small-blind"
    return f"seat-{seat + 1}"


def _street(name: str) -> str:
    return name.replace(" ", "-")
