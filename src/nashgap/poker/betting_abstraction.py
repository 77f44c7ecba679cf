"""Which raises an abstract game keeps, and the notation for it.

A line of text says it: `0.5,1,a` keeps raises by half the pot, by the pot and all-in. Rounds are apart by `/`, and
within a round `>` comes between the first raise, the second and so on; what is said last holds for all that follow.

    fcpa                          fold, call, pot, all-in; the same as 1,a
    50%,100%,a                    the same as 0.5,1,a
    1,a / 0.5,1,a / fc / fc       per round; fc keeps no raise
    0.5,1 > 1,a > a               per raise within a round
    full caps=3/4/4/3             every legal raise (in limit games there is one), and so many raises per round
    push-fold                     fold or all-in: no call for less where the seat could raise all-in
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from nashgap import _native
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState

__all__ = ["ALL_IN", "EVERY", "MAX_FRACTION", "MIN", "BettingAbstraction", "RaiseSize", "parse_betting_abstraction"]

RaiseSize = Fraction | str
"""A fraction of the pot after calling, or MIN, ALL_IN or EVERY."""
MIN = "min"
ALL_IN = "a"
EVERY = "full"
MAX_FRACTION = 1000
MAX_CAP = 255  # as many raises as a game definition can allow
NO_RAISE = "fc"
PUSH_FOLD = "push-fold"
FCPA = "fcpa"

_CODES = {MIN: _native.SMALLEST_RAISE, ALL_IN: _native.ALL_IN_RAISE, EVERY: _native.EVERY_RAISE}
_FRACTION = re.compile(r"[0-9]{1,4}(\.[0-9]{1,12})?")
_PERCENT = re.compile(r"(?P<number>[0-9]{1,6}(\.[0-9]{1,10})?)\s*%")
_CAP = re.compile(r"[0-9]{1,3}")
_T = TypeVar("_T")


@dataclass(frozen=True)
class BettingAbstraction:
    """The raises that are kept; equal meanings are equal values. Folding and calling are always kept.

    sizes:  by round, by raise within the round, sizes ascending; one entry stands for all rounds, and the last entry of
            a round for all later raises. Sizes are rounded to whole chips (halves up) and clipped to what is legal;
            sizes that come to the same number of chips are one action. ALL_IN is the largest legal raise.
    caps:   raises in each round, beside what the rules allow; one entry stands for all rounds, none for no caps.
    pushes: `push-fold`: a seat that could fold or raise all-in does not call.
    """

    sizes: tuple[tuple[tuple[RaiseSize, ...], ...], ...]
    caps: tuple[int, ...] = ()
    pushes: bool = False

    def __post_init__(self) -> None:
        sizes = _once([_without_repeats([_checked(sizes) for sizes in by_raise]) for by_raise in self.sizes])
        for name, entries in (("sizes", self.sizes), ("caps", self.caps)):
            if len(entries) > _native.MAX_ROUNDS:
                raise ConfigError(f"betting abstraction: {name} of {len(entries)} rounds, at most {_native.MAX_ROUNDS}")
        if not sizes or not all(sizes):
            raise ConfigError("betting abstraction: a round has no sizes")
        if self.pushes and sizes != (((ALL_IN,),),):
            raise ConfigError(f"betting abstraction: {PUSH_FOLD} has no raise but all-in")
        for cap in self.caps:
            if not 0 <= cap <= MAX_CAP:
                raise ConfigError(f"betting abstraction: cap {cap} is not in 0..{MAX_CAP}")
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "caps", _once(self.caps))

    def __str__(self) -> str:
        rounds = [" > ".join(_sizes_text(sizes) for sizes in by_raise) for by_raise in self.sizes]
        text = " / ".join(rounds)
        if self.pushes:
            text = PUSH_FOLD
        elif text == f"1,{ALL_IN}":
            text = FCPA
        return f"{text} caps={'/'.join(map(str, self.caps))}" if self.caps else text

    def actions(self, state: PublicState) -> tuple[Action, ...]:
        """What is kept of the legal actions of the seat to act: fold (if legal), call, raises ascending."""
        return _native.abstract_actions(self.native(state.rules), state.native)

    def from_round(self, number: int) -> BettingAbstraction:
        """What it has of a round (0-based) and those after it."""

        def rest(entries: tuple[_T, ...]) -> tuple[_T, ...]:
            return entries[number:] if len(entries) > 1 else entries

        return replace(self, sizes=rest(self.sizes), caps=rest(self.caps))

    def native(self, rules: PokerRules) -> _native.BettingAbstraction:
        """The engine's handle of this abstraction for a game, which must have its number of rounds."""
        for name, entries in (("sizes", self.sizes), ("caps", self.caps)):
            if len(entries) not in (0, 1, rules.num_rounds):
                raise UnsupportedGameError(
                    f"betting abstraction {self}: {name} of {len(entries)} rounds, {rules.name or 'the game'} has "
                    f"{rules.num_rounds}"
                )
        if self.pushes and not rules.has_sizes:
            raise UnsupportedGameError(f"betting abstraction {self}: {rules.name or 'the game'} is a limit game")
        sizes = [[[_code(size) for size in sizes] for sizes in by_raise] for by_raise in self.sizes]
        caps = self.caps or (MAX_CAP,)
        return _native.make_betting_abstraction(
            sizes * rules.num_rounds if len(sizes) == 1 else sizes,
            caps * rules.num_rounds if len(caps) == 1 else caps,
            self.pushes,
        )


def parse_betting_abstraction(text: str) -> BettingAbstraction:
    """Reads the notation; `str` of the result writes it, and equal abstractions are written alike."""
    body, mark, caps_text = text.partition("caps=")
    if mark and body and not body[-1].isspace():
        raise _error(text, "put a space before caps=")
    caps = tuple(_parsed_cap(text, part.strip()) for part in caps_text.split("/")) if mark else ()
    body = body.strip()
    if body == PUSH_FOLD:
        return BettingAbstraction((((ALL_IN,),),), caps, pushes=True)
    sizes = tuple(
        tuple(
            _parsed_sizes(text, f"round {round_number}, raise {raise_number}", part.strip())
            for raise_number, part in enumerate(by_raise.split(">"), 1)
        )
        for round_number, by_raise in enumerate(body.split("/"), 1)
    )
    for name, entries in (("sizes", sizes), ("caps", caps)):
        if len(entries) > _native.MAX_ROUNDS:
            raise _error(text, f"{name} of {len(entries)} rounds, at most {_native.MAX_ROUNDS}")
    return BettingAbstraction(sizes, caps)


def _parsed_cap(text: str, part: str) -> int:
    if not _CAP.fullmatch(part) or int(part) > MAX_CAP:
        raise _error(text, f"cap {part!r} is not a whole number in 0..{MAX_CAP}")
    return int(part)


def _parsed_sizes(text: str, place: str, part: str) -> tuple[RaiseSize, ...]:
    if part == NO_RAISE:
        return ()
    if part == FCPA:
        return (Fraction(1), ALL_IN)
    sizes = [_parsed_size(text, place, word.strip()) for word in part.split(",")]
    for number, size in enumerate(sizes):
        if size in sizes[:number]:
            raise _error(text, f"{place}: {_size_text(size)} is named twice")
    if EVERY in sizes and len(sizes) > 1:
        raise _error(text, f"{place}: {EVERY} stands alone, it has every size")
    return tuple(sizes)


def _parsed_size(text: str, place: str, word: str) -> RaiseSize:
    if word in _CODES:
        return word
    percent = _PERCENT.fullmatch(word)
    if percent is not None or _FRACTION.fullmatch(word):
        size = Fraction(word) if percent is None else Fraction(percent["number"]) / 100
        if 0 < size <= MAX_FRACTION:
            return size
    raise _error(
        text,
        f"{place}: {word!r} is not a size; {MIN}, {ALL_IN}, {EVERY} alone, {NO_RAISE} alone, or a fraction of the pot "
        f"up to {MAX_FRACTION} with at most 12 decimals, or as many percent of it",
    )


def _error(text: str, problem: str) -> ConfigError:
    return ConfigError(f"betting abstraction {' '.join(text.split())!r}: {problem}")


def _checked(sizes: tuple[RaiseSize, ...]) -> tuple[RaiseSize, ...]:
    for size in sizes:
        is_known = size in _CODES if isinstance(size, str) else 0 < size <= MAX_FRACTION and _is_exact(size)
        if not is_known:
            raise ConfigError(f"betting abstraction: {size!r} is not a size")
    if EVERY in sizes and len(sizes) > 1:
        raise ConfigError(f"betting abstraction: {EVERY} stands alone, it has every size")
    order = {MIN: 0, ALL_IN: 2, EVERY: 3}
    return tuple(sorted(set(sizes), key=lambda size: (1, size) if isinstance(size, Fraction) else (order[size], 0)))


def _is_exact(size: Fraction) -> bool:
    return _native.POT_SHARES % size.denominator == 0


def _without_repeats(entries: list[_T]) -> tuple[_T, ...]:
    """Without what the last entry, which stands for all that follow, repeats."""
    while len(entries) > 1 and entries[-1] == entries[-2]:
        entries = entries[:-1]
    return tuple(entries)


def _once(entries: Iterable[_T]) -> tuple[_T, ...]:
    """One entry where all are the same."""
    entries = tuple(entries)
    return entries[:1] if all(entry == entries[0] for entry in entries) else entries


def _code(size: RaiseSize) -> int:
    return _CODES[size] if isinstance(size, str) else int(size * _native.POT_SHARES)


def _sizes_text(sizes: tuple[RaiseSize, ...]) -> str:
    return ",".join(map(_size_text, sizes)) if sizes else NO_RAISE


def _size_text(size: RaiseSize) -> str:
    return size if isinstance(size, str) else f"{float(size):.12f}".rstrip("0").rstrip(".")
