"""What dealer and player of the competition say to each other, one line at a time (ACPC protocol 2.0.0).

    player: VERSION:2.0.0
    dealer: MATCHSTATE:position:hand:betting:cards           to every seat, after every action
    player: MATCHSTATE:position:hand:betting:cards:action    the line that it answers, and f, c, r or r1234

Lines that begin with `#` or `;` are comments and messages for a screen; both sides pass over them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nashgap.poker.notation import HoleCards
from nashgap.poker.state import CALL, FOLD, Action, PublicState

__all__ = ["VERSION_LINE", "Response", "is_comment", "is_version", "parse_response", "shown_cards"]

VERSION_LINE = "VERSION:2.0.0"

_VERSION = re.compile(r"VERSION:2\.0\.\d+\s*", re.ASCII)
_ACTION = re.compile(r"(?P<letter>[fcr])(?P<chips>\d*)\s*", re.ASCII)
_MAX_DIGITS = 18


@dataclass(frozen=True)
class Response:
    """A player's answer. is_mended: whether it said something else that is not legal."""

    action: Action
    is_mended: bool


def is_comment(line: str) -> bool:
    return line.startswith(("#", ";"))


def is_version(line: str) -> bool:
    """Whether the line is a player's greeting in a version that we speak."""
    return _VERSION.fullmatch(line) is not None


def parse_response(line: str, asked: str, state: PublicState) -> Response | None:
    """The answer to the line `asked`, made legal as the competition's dealer does; None if it answers something else.

    A raise of a size that is not allowed becomes the nearest one that is, anything else a check or call.
    """
    if not line.startswith(asked) or line[len(asked) : len(asked) + 1] != ":":
        return None
    found = _ACTION.fullmatch(line, len(asked) + 1)
    if found is None:
        return Response(CALL, True)
    if found["letter"] == "c":
        return Response(CALL, False)
    legal = state.legal
    if found["letter"] == "f":
        return Response(FOLD, False) if legal.can_fold else Response(CALL, True)
    if not state.rules.has_sizes:
        return Response(legal.max_raise_to, False) if legal.can_raise else Response(CALL, True)
    if not found["chips"]:
        return Response(CALL, True)
    chips = int(found["chips"]) if len(found["chips"]) <= _MAX_DIGITS else 10**_MAX_DIGITS
    nearest = legal.nearest_raise(chips)
    return Response(nearest, nearest != chips)


def shown_cards(state: PublicState, hole_cards: HoleCards, seat: int) -> HoleCards:
    """The hole cards that a seat sees: its own, and at a showdown those of everybody who did not fold."""
    has_folded = state.has_folded
    is_showdown = state.is_over and has_folded.count(False) > 1
    return tuple(
        cards if other == seat or (is_showdown and not has_folded[other]) else None
        for other, cards in enumerate(hole_cards)
    )
