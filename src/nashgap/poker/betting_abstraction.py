"""Which raises an abstract game keeps, and the notation for it.

A line of text says it: `0.5,1,a` keeps raises by half the pot, by the pot and all-in. Rounds are apart by `/`, and
within a round `>` comes between the first raise, the second and so on; what is said last holds for all that follow.

    fcpa                          fold, call, pot, all-in; the same as 1,a
    50%,100%,a                    the same as 0.5,1,a
    1,a / 0.5,1,a / fc / fc       per round; fc keeps no raise
    0.5,1 > 1,a > a               per raise within a round
    0.6,e,a > 2.5x                geometric: the same share of the pot in each round left, so that the last bet is
                                  all-in (2e: in two rounds); then raises to 2.5 times the bet
    min                           the smallest legal raise
    full caps=3/4/4/3             every legal raise (in limit games there is one), and so many raises per round
    push-fold                     fold or all-in: no call for less where the seat could raise all-in
    0.33 > 3x | 0.5,1 > 2.5x      per seat: all that comes before the options is said for each

Options follow, each after a space; shares are of the pot after calling, without rounds.

    caps=3/4/4/3                  at most so many raises per round, or one number for all rounds
    donk=-/-/0.5                  what is bet, by round, into the last raiser of the round before, who is still to act;
                                  - for what the round has for any bet
    add-all-in=1.5                all-in, too, where it is a raise by at most so much
    force-all-in=0.15             all-in in place of a raise after which, once it is called, at most so much is left
    merge=0.1                     a raise is dropped beside a larger one if that makes the pot, before it is called, at
                                  most so much larger; the largest stays, then the next that is not close, and so on

The last four are the rules of the b-inary/postflop-solver library, and so are `e`, `2e` and `2.5x`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from nashgap import _native
from nashgap.errors import ConfigError, GameSizeError, UnsupportedGameError
from nashgap.poker.raise_size import (
    ALL_IN,
    EVERY,
    MAX_FRACTION,
    MIN,
    SIZE_WORDS,
    Geometric,
    Multiple,
    RaiseSize,
    checked_sizes,
    is_share,
    parse_share,
    parse_size,
    share_code,
    share_text,
    size_code,
    size_text,
)
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState

__all__ = [
    "ALL_IN", "EVERY", "MAX_FRACTION", "MIN", "BettingAbstraction", "Geometric", "Multiple", "RaiseSize",
    "parse_betting_abstraction",
]  # fmt: skip

MAX_CAP = 255  # as many raises as a game definition can allow
MOST_RAISES = 1_000_000  # of one decision
NO_RAISE = "fc"
ANY_BET = "-"
PUSH_FOLD = "push-fold"
FCPA = "fcpa"
CAPS, DONK = "caps", "donk"
SHARES = {"add-all-in": "add_all_in", "force-all-in": "force_all_in", "merge": "merge"}
"""Options that are shares of the pot, and their fields."""
OPTIONS = (CAPS, DONK, *SHARES)

_CAP = re.compile(r"[0-9]{1,3}")
_OPTION = re.compile(r"([a-z-]+)=")
_T = TypeVar("_T")
Sizes = tuple[RaiseSize, ...]
SizesByRound = tuple[tuple[Sizes, ...], ...]


@dataclass(frozen=True)
class BettingAbstraction:
    """The raises that are kept; equal meanings are equal values. Folding and calling are always kept.

    sizes:  by round, by raise within the round, sizes ascending; one entry stands for all rounds, and the last entry of
            a round for all later raises. Sizes are rounded to whole chips (halves up) and clipped to what is legal;
            sizes that come to the same number of chips are one action. ALL_IN is the largest legal raise.
    caps:   raises in each round, beside what the rules allow; one entry stands for all rounds, none for no caps.
    pushes: `push-fold`: a seat that could fold or raise all-in does not call.
    donks:  by round, what is bet into the last raiser of the round before; None for what is bet anyway. One entry
            stands for all rounds, none for none. The first round has no such bet.
    add_all_in, force_all_in, merge: shares of the pot, rounded to whole chips, as the notation has them; 0 for not at
            all. A round or raise without sizes stays without.
    others: sizes of the seats after the first, where not all seats have the same.
    """

    sizes: SizesByRound
    caps: tuple[int, ...] = ()
    pushes: bool = False
    donks: tuple[Sizes | None, ...] = ()
    add_all_in: Fraction = Fraction(0)
    force_all_in: Fraction = Fraction(0)
    merge: Fraction = Fraction(0)
    others: tuple[SizesByRound, ...] = ()

    def __post_init__(self) -> None:
        sizes, *others = _once([_checked_rounds(each) for each in (self.sizes, *self.others)])
        for name, entries in self._by_round():
            if len(entries) > _native.MAX_ROUNDS:
                raise ConfigError(f"betting abstraction: {name} of {len(entries)} rounds, at most {_native.MAX_ROUNDS}")
        for cap in self.caps:
            if not 0 <= cap <= MAX_CAP:
                raise ConfigError(f"betting abstraction: cap {cap} is not in 0..{MAX_CAP}")
        for option, share in self._shares():
            if share != 0 and not is_share(Fraction(share)):
                raise ConfigError(f"betting abstraction: {option}={share} is not a share of the pot")
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "others", tuple(others))
        object.__setattr__(self, "caps", _once(self.caps))
        object.__setattr__(self, "donks", _checked_donks(self.donks))
        for option, share in self._shares():
            object.__setattr__(self, SHARES[option], Fraction(share))
        if self.pushes and replace(self, pushes=False, caps=()) != BettingAbstraction((((ALL_IN,),),)):
            raise ConfigError(f"betting abstraction: {PUSH_FOLD} has no raise but all-in")

    def __str__(self) -> str:
        text = " | ".join(map(_rounds_text, self._by_seat()))
        if self.pushes:
            text = PUSH_FOLD
        elif text == f"1,{ALL_IN}":
            text = FCPA
        words = [text]
        if self.caps:
            words.append(f"{CAPS}={'/'.join(map(str, self.caps))}")
        if self.donks:
            words.append(f"{DONK}={'/'.join(ANY_BET if sizes is None else _sizes_text(sizes) for sizes in self.donks)}")
        return " ".join(words + [f"{option}={share_text(share)}" for option, share in self._shares() if share])

    def actions(self, state: PublicState) -> tuple[Action, ...]:
        """What is kept of the legal actions of the seat to act: fold (if legal), call, raises ascending."""
        return _native.abstract_actions(self.native(state.rules), state.native)

    def from_round(self, number: int) -> BettingAbstraction:
        """What it has of a round (0-based) and those after it."""

        def rest(entries: tuple[_T, ...]) -> tuple[_T, ...]:
            return entries[number:] if len(entries) > 1 else entries

        donks = (None, *self.donks[number + 1 :]) if len(self.donks) > 1 else self.donks
        others = tuple(rest(sizes) for sizes in self.others)
        return replace(self, sizes=rest(self.sizes), caps=rest(self.caps), donks=donks, others=others)

    def native(self, rules: PokerRules) -> _native.BettingAbstraction:
        """The engine's handle of this abstraction for a game, which must have its number of rounds."""
        self._check_rules(rules)
        if rules.has_sizes and max(rules.stacks) > MOST_RAISES and self._has_every_size:
            raise GameSizeError(
                f"betting abstraction '{self}': stacks of {max(rules.stacks):,} chips have as many sizes of a raise;"
                f" {EVERY} is for up to {MOST_RAISES:,}, fractions of the pot for any"
            )
        sizes = [
            [[[size_code(size) for size in sizes] for sizes in by_raise] for by_raise in _for_all(rules, rounds)]
            for rounds in self._by_seat()
        ]
        donks = [None if sizes is None else [size_code(size) for size in sizes] for sizes in self.donks or (None,)]
        shares = {SHARES[option]: share_code(share) for option, share in self._shares()}
        return _native.make_betting_abstraction(
            sizes,
            _for_all(rules, self.caps or (MAX_CAP,)),
            self.pushes,
            _for_all(rules, donks),
            **shares,
        )

    @property
    def _has_every_size(self) -> bool:
        return any(EVERY in sizes for rounds in self._by_seat() for by_raise in rounds for sizes in by_raise)

    def _by_seat(self) -> tuple[SizesByRound, ...]:
        return (self.sizes, *self.others)

    def _by_round(self) -> tuple[tuple[str, tuple[object, ...]], ...]:
        return *(("sizes", sizes) for sizes in self._by_seat()), (CAPS, self.caps), (f"{DONK}s", self.donks)

    def _shares(self) -> tuple[tuple[str, Fraction], ...]:
        return tuple((option, getattr(self, field)) for option, field in SHARES.items())

    def _check_rules(self, rules: PokerRules) -> None:
        game = rules.name or "the game"
        for name, entries in self._by_round():
            if len(entries) not in (0, 1, rules.num_rounds):
                raise UnsupportedGameError(
                    f"betting abstraction {self}: {name} of {len(entries)} rounds, {game} has {rules.num_rounds}"
                )
        if self.others and len(self._by_seat()) != rules.num_seats:
            raise UnsupportedGameError(
                f"betting abstraction {self}: sizes of {len(self._by_seat())} seats, {game} has {rules.num_seats}"
            )
        if not rules.has_sizes and (self.pushes or any(share for _, share in self._shares())):
            raise UnsupportedGameError(f"betting abstraction {self}: {game} is a limit game")
        for sizes in self._by_seat():
            self._check_multiples(rules, sizes)

    def _check_multiples(self, rules: PokerRules, sizes: SizesByRound) -> None:
        for number, by_raise in enumerate(_for_all(rules, sizes), 1):
            has_blind = number == 1 and len(set(rules.blinds)) > 1
            for size in by_raise[0]:
                if isinstance(size, Multiple) and not has_blind:
                    raise UnsupportedGameError(
                        f"betting abstraction {self}: round {number}, raise 1: there is no bet yet for "
                        f"{size_text(size)}; what is bet comes before >, as in 0.5 > {size_text(size)}"
                    )


def parse_betting_abstraction(text: str) -> BettingAbstraction:
    """Reads the notation; `str` of the result writes it, and equal abstractions are written alike."""
    body, options = _split_options(text)
    caps = tuple(_parsed_cap(text, part) for part in options.get(CAPS, ()))
    donks = tuple(_parsed_donk(text, number, part) for number, part in enumerate(options.get(DONK, ()), 1))
    add, force, merge = (_parsed_share(text, name, "/".join(options.get(name, ["0"]))) for name in SHARES)
    if body == PUSH_FOLD:
        if donks or add or force or merge:
            raise _error(text, f"{PUSH_FOLD} has no raise but all-in, and no option but {CAPS}=")
        return BettingAbstraction((((ALL_IN,),),), caps, pushes=True)
    seats = body.split("|")
    sizes, *others = [
        _parsed_rounds(text, f"seat {number}, " if len(seats) > 1 else "", part) for number, part in enumerate(seats, 1)
    ]
    for name, entries in ((CAPS, caps), (f"{DONK}s", donks)):
        _require_rounds(text, name, len(entries))
    return BettingAbstraction(sizes, caps, False, donks, add, force, merge, tuple(others))


def _split_options(text: str) -> tuple[str, dict[str, list[str]]]:
    """The sizes, and the parts of each option between `/`."""
    body, *rest = _OPTION.split(text)
    before, options = body, {}
    for name, value in zip(rest[::2], rest[1::2], strict=True):
        if name not in OPTIONS:
            meant = next((option for option in OPTIONS if name.endswith(option)), None)
            raise _error(text, f"put a space before {meant}=" if meant else f"{name}= is not one of {_option_words()}")
        if before and not before[-1].isspace():
            raise _error(text, f"put a space before {name}=")
        if name in options:
            raise _error(text, f"{name}= is named twice")
        options[name] = [part.strip() for part in value.split("/")]
        before = value
    return body.strip(), options


def _option_words() -> str:
    return ", ".join(f"{name}=" for name in OPTIONS)


def _parsed_cap(text: str, part: str) -> int:
    if not _CAP.fullmatch(part) or int(part) > MAX_CAP:
        raise _error(text, f"cap {part!r} is not a whole number in 0..{MAX_CAP}")
    return int(part)


def _parsed_donk(text: str, number: int, part: str) -> Sizes | None:
    sizes = None if part == ANY_BET else _parsed_sizes(text, f"{DONK} of round {number}", part)
    for size in sizes or ():
        if isinstance(size, Multiple):
            raise _error(text, f"{DONK} of round {number}: there is no bet yet for {size_text(size)}")
    return sizes


def _parsed_share(text: str, name: str, word: str) -> Fraction:
    share = parse_share(word)
    if share is None:
        raise _error(text, f"{name}={word} is not a fraction of the pot up to {MAX_FRACTION}, or as many percent of it")
    return share


def _parsed_rounds(text: str, seat: str, part: str) -> SizesByRound:
    rounds = part.split("/")
    _require_rounds(text, "sizes", len(rounds))
    return tuple(
        tuple(
            _parsed_sizes(text, f"{seat}round {round_number}, raise {raise_number}", part.strip())
            for raise_number, part in enumerate(by_raise.split(">"), 1)
        )
        for round_number, by_raise in enumerate(rounds, 1)
    )


def _require_rounds(text: str, name: str, number: int) -> None:
    if number > _native.MAX_ROUNDS:
        raise _error(text, f"{name} of {number} rounds, at most {_native.MAX_ROUNDS}")


def _parsed_sizes(text: str, place: str, part: str) -> Sizes:
    if part == NO_RAISE:
        return ()
    if part == FCPA:
        return (Fraction(1), ALL_IN)
    sizes: list[RaiseSize] = []
    for word in part.split(","):
        size = parse_size(word.strip())
        if size is None:
            raise _error(text, f"{place}: {word.strip()!r} is not a size; {SIZE_WORDS}, or {NO_RAISE} alone")
        if size in sizes:
            raise _error(text, f"{place}: {size_text(size)} is named twice")
        sizes.append(size)
    if EVERY in sizes and len(sizes) > 1:
        raise _error(text, f"{place}: {EVERY} stands alone, it has every size")
    return tuple(sizes)


def _error(text: str, problem: str) -> ConfigError:
    return ConfigError(f"betting abstraction {' '.join(text.split())!r}: {problem}")


def _checked_rounds(sizes: SizesByRound) -> SizesByRound:
    checked = _once([_without_repeats([checked_sizes(sizes) for sizes in by_raise]) for by_raise in sizes])
    if not checked or not all(checked):
        raise ConfigError("betting abstraction: a round has no sizes")
    return checked


def _checked_donks(donks: tuple[Sizes | None, ...]) -> tuple[Sizes | None, ...]:
    checked = [None if sizes is None else checked_sizes(sizes) for sizes in donks]
    if any(isinstance(size, Multiple) for sizes in checked for size in sizes or ()):
        raise ConfigError(f"betting abstraction: a {DONK} is a bet; there is none yet to multiply")
    later = checked[1:] or checked  # no round comes before the first
    entries = _once(later) if len(_once(later)) < 2 else (None, *later)
    return () if entries == (None,) else entries


def _without_repeats(entries: list[_T]) -> tuple[_T, ...]:
    """Without what the last entry, which stands for all that follow, repeats."""
    while len(entries) > 1 and entries[-1] == entries[-2]:
        entries = entries[:-1]
    return tuple(entries)


def _once(entries: Iterable[_T]) -> tuple[_T, ...]:
    """One entry where all are the same."""
    entries = tuple(entries)
    return entries[:1] if all(entry == entries[0] for entry in entries) else entries


def _for_all(rules: PokerRules, entries: Iterable[_T]) -> list[_T]:
    """One entry a round; what is said once holds for all."""
    entries = list(entries)
    return entries * rules.num_rounds if len(entries) == 1 else entries


def _rounds_text(sizes: SizesByRound) -> str:
    return " / ".join(" > ".join(map(_sizes_text, by_raise)) for by_raise in sizes)


def _sizes_text(sizes: Sizes) -> str:
    return ",".join(map(size_text, sizes)) if sizes else NO_RAISE
