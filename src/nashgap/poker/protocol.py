"""What dealer and player of the competition say to each other, one line at a time (ACPC protocol 2.0.0).

    player: VERSION:2.0.0
    dealer: MATCHSTATE:position:hand:betting:cards           to every seat, after every action
    player: MATCHSTATE:position:hand:betting:cards:action    the line that it answers, and f, c, r or r1234

Lines that begin with `#` or `;` are comments and messages for a screen; both sides pass over them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nashgap import _native
from nashgap.poker.notation import HoleCards
from nashgap.poker.state import Action, PublicState

__all__ = ["VERSION_LINE", "Response", "is_comment", "is_version", "parse_response", "shown_cards"]

VERSION_LINE = "VERSION:2.0.0"

_VERSION = re.compile(r"VERSION:\s*[+-]?\d+\.\s*[+-]?\d+\.\s*[+-]?\d", re.ASCII)


class Response(NamedTuple):
    """A player's answer. is_mended: whether it said something else that is not legal."""

    action: Action
    is_mended: bool


def is_comment(line: str) -> bool:
    return line.startswith(("#", ";"))


def is_version(line: str) -> bool:
    """Whether the line is a player's greeting: three numbers, whatever they are, as the competition's dealer has it."""
    return _VERSION.match(line) is not None


def parse_response(line: str, asked: str, state: PublicState) -> Response | None:
    """The answer to the line `asked`, read and made legal as the competition's dealer does; None if it answers
    something else.

    The state may be written otherwise as long as it is the same: slashes, the cards of others, and upper and lower case
    do not matter. Actions are f, c or k, r or b; what stands after them is not looked at. A raise of a size that is not
    allowed becomes the nearest one that is, anything else a check or call.
    """
    line = line if line.isascii() else line.encode("ascii", "backslashreplace").decode()  # as the wire has it
    found = _native.read_answer(state.native, asked, line)
    return None if found is None else Response(*found)


def shown_cards(state: PublicState, hole_cards: HoleCards, seat: int) -> HoleCards:
    """The hole cards that a seat sees: its own, and at a showdown those of everybody who did not fold."""
    has_folded = state.has_folded
    is_showdown = state.is_over and has_folded.count(False) > 1
    return tuple(
        cards if other == seat or (is_showdown and not has_folded[other]) else None
        for other, cards in enumerate(hole_cards)
    )
