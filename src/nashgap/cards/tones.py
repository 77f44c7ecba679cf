"""The colours and letters of actions, the same in pictures, pages and terminals.

Folding is blue, checking and calling green, and bets and raises go from yellow to red by size: tones that stay apart
for colour-blind readers, and are all light enough for one dark ink. Other actions take what tones are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["INK", "MAX_TONES", "action_codes", "action_colours"]

INK = "#14181d"
"""Legible on every tone."""

_FOLD, _CALL, _RANGE = "#6f9fe0", "#8ed6b0", "#56b4e9"
_RAISES = ("#f7d65a", "#f09d4a", "#dd5f4b")  # the smallest, the middle, the largest
_ONE_RAISE = "#ee8a4b"
_OTHERS = ("#56b4e9", "#cc79a7", "#e69f00", "#8f9bea", "#b8a07c", "#5fd0b0", "#f4e05c", "#e35e49")
MAX_TONES = len(_OTHERS)
"""Actions that can be told apart by colour."""

_TONE_OF = {"fold": _FOLD, "check": _CALL, "call": _CALL, "in range": _RANGE}
_RAISING = ("bet", "raise", "all-in")


def action_colours(actions: Sequence[str], chosen: Mapping[str, str] | None = None) -> dict[str, str]:
    """`#rrggbb` of every action: the chosen one, else that of its kind, else the next that is free.

    An action's kind is its first word; bets and raises stand in the order of their sizes.
    """
    chosen = chosen or {}
    raises = [action for action in actions if _kind(action) in _RAISING]
    by_size = dict(zip(raises, _ramp(len(raises)), strict=True))
    colours: dict[str, str] = {action: chosen[action] for action in actions if action in chosen}
    for action in actions:
        tone = by_size.get(action) or _TONE_OF.get(action) or _TONE_OF.get(_kind(action))
        if tone is not None and action not in colours and tone not in colours.values():
            colours[action] = tone
    free = iter(_OTHERS)
    for action in actions:
        if action not in colours:
            colours[action] = next((tone for tone in free if tone not in colours.values()), _OTHERS[-1])
    return {action: colours[action] for action in actions}


def action_codes(actions: Sequence[str]) -> dict[str, str]:
    """One letter for each action, `R`; two where the first is shared, `Ra` and `Rb`; none for a single action."""
    if len(actions) == 1:
        return {actions[0]: ""}
    letters = [action.strip()[0].upper() for action in actions]
    return {
        action: letter if letters.count(letter) == 1 else letter + _small_letter(letters[:number].count(letter))
        for number, (action, letter) in enumerate(zip(actions, letters, strict=True))
    }


def _small_letter(number: int) -> str:
    return chr(ord("a") + number % 26)


def _kind(action: str) -> str:
    return next(iter(action.lower().split()), "")


def _ramp(number: int) -> list[str]:
    """So many tones from the smallest raise's to the largest's."""
    if number == 1:
        return [_ONE_RAISE]
    return [_mixed(step / (number - 1)) for step in range(number)]


def _mixed(part: float) -> str:
    """The tone at this part of the way along the raises."""
    place = part * (len(_RAISES) - 1)
    first = min(int(place), len(_RAISES) - 2)
    left, right = (_channels(_RAISES[number]) for number in (first, first + 1))
    mixed = (round(a + (b - a) * (place - first)) for a, b in zip(left, right, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[start : start + 2], 16) for start in (1, 3, 5))
