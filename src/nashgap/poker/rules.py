"""The rules of a poker game, as an ACPC game definition writes them down.

The format is the competition's. Two things are added, and left out again when a definition that does not need them is
written: the betting `potlimit`, `conventions = casino` (see `PokerRules.conventions`), and `smallestBet`.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nashgap import _native
from nashgap.cards.card import NUM_CARDS
from nashgap.catalogue import POKER_GAMES
from nashgap.core.regular_file import read_text
from nashgap.errors import ConfigError, FileFormatError

if TYPE_CHECKING:
    from nashgap.poker.state import PublicState

__all__ = ["HOLDEM_BOARD", "MAX_RAISES", "UNLIMITED", "PokerRules", "load_rules", "parse_rules"]

BETTING = ("limit", "nolimit", "potlimit")
CONVENTIONS = ("acpc", "casino")
HOLDEM_BOARD = (0, 3, 1, 1)  # cards dealt before each round
UNLIMITED = 2**31 - 1  # the stack of a limit game that names none
MAX_UNNAMED_STACKS = 4  # the competition's reader takes no more for given
MAX_SEATS = 10
MAX_ROUNDS = 8
MAX_HAND_CARDS = 10
MAX_CHIPS = 10**9
MAX_RAISES = 255
MAX_BYTES = 1 << 20  # of a game definition


@dataclass(frozen=True)
class PokerRules:
    """One game; equal rules are equal whatever their name. N seats, R rounds. Seat 0 is the first left of the button.

    betting:         limit, nolimit or potlimit.
    blinds:          `[N]` chips that each seat puts in before the deal (antes, where all are equal).
    stacks:          `[N]` chips that each seat has, blinds included; UNLIMITED in limit games that name none.
    raise_sizes:     `[R]` chips of a bet or raise; limit games only.
    first_seats:     `[R]` seat that acts first, 0-based.
    max_raises:      `[R]` bets and raises in a round.
    num_board_cards: `[R]` cards dealt before the round.
    num_ranks, num_suits: the deck; a small one has the highest ranks and suits.
    smallest_bet:    chips of the smallest bet where bets have sizes; 0: the big blind.
    conventions:     `acpc`: a split pot is split exactly, in fractions of a chip; any all-in raise reopens the betting.
                     `casino`: odd chips go to the first winner left of the button; an all-in for less than a full bet
                     or raise does not reopen the betting for who has acted (unless he faces a full one in all), and a
                     raise of it is by the last full raise; nobody is asked who has nothing to decide, nor may raise
                     what nobody can call.
    """

    betting: str
    blinds: tuple[int, ...]
    raise_sizes: tuple[int, ...]
    first_seats: tuple[int, ...]
    max_raises: tuple[int, ...]
    num_suits: int
    num_ranks: int
    num_hole_cards: int
    num_board_cards: tuple[int, ...]
    stacks: tuple[int, ...]
    conventions: str = "acpc"
    smallest_bet: int = 0
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        for problem in _problems(self):
            raise ConfigError(f"game definition{f' {self.name}' if self.name else ''}: {problem}")

    def __repr__(self) -> str:
        sizes = f"{self.betting}, {self.num_seats} seats, {self.num_rounds} rounds"
        return f"<PokerRules {self.name or 'of its own'}: {sizes}, blinds {'/'.join(map(str, self.blinds))}>"

    def to_config(self) -> dict[str, str]:
        """As the config of a run keeps it."""
        return {"name": self.name, "definition": self.to_text()}

    @classmethod
    def from_config(cls, value: Mapping[str, str], inputs: Mapping[str, str]) -> PokerRules:
        return parse_rules(value["definition"], value["name"])

    @property
    def is_shipped(self) -> bool:
        """Whether its name stands for it wherever it is typed; that of a game definition file does not."""
        from nashgap.games.spec import is_game

        return self.name in POKER_GAMES.entries or is_game(self.name)

    @property
    def num_seats(self) -> int:
        return len(self.blinds)

    @property
    def num_rounds(self) -> int:
        return len(self.first_seats)

    @property
    def has_sizes(self) -> bool:
        """Whether a raise names its size."""
        return self.betting != "limit"

    @property
    def has_antes(self) -> bool:
        """Whether every seat puts in the same before the deal."""
        return self.blinds[0] > 0 and len(set(self.blinds)) == 1

    @property
    def big_blind(self) -> int:
        return max(self.blinds)

    @property
    def limit_cost(self) -> int:
        """The most chips that one seat can put into a hand where only the limit on raises stops it."""
        return self.big_blind + sum(
            size * number for size, number in zip(self.raise_sizes, self.max_raises, strict=True)
        )

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """All cards, in ascending order."""
        return tuple(
            rank * 4 + suit for rank in range(13 - self.num_ranks, 13) for suit in range(4 - self.num_suits, 4)
        )

    @property
    def is_holdem(self) -> bool:
        """Whether it is Texas hold'em, however it is bet: its hands, and all of its rounds."""
        return self.has_holdem_hands and self.num_rounds == len(HOLDEM_BOARD)

    @property
    def has_holdem_hands(self) -> bool:
        """Whether hands and boards are those of hold'em, two of 52 cards for a seat; the last rounds may be missing."""
        is_dealt_so = self.num_board_cards == HOLDEM_BOARD[: self.num_rounds]
        return len(self.deck) == NUM_CARDS and self.num_hole_cards == 2 and is_dealt_so

    @property
    def total_board_cards(self) -> int:
        return sum(self.num_board_cards)

    def board_cards_by(self, round_number: int) -> int:
        """Board cards on the table when the round (0-based) is bet."""
        return sum(self.num_board_cards[: round_number + 1])

    @property
    def unit(self) -> str:
        """What winnings are counted in: antes, small bets in limit games, thousandths of a big blind otherwise.

        Chips, where there is neither a blind nor a fixed bet.
        """
        if self.has_antes:
            return "antes_per_hand"
        if not self.has_sizes:
            return "sb_per_hand"
        return "mbb_per_hand" if self.big_blind else "chips_per_hand"

    @property
    def unit_chips(self) -> float:
        """Chips in one of the unit."""
        if self.has_antes:
            return float(self.blinds[0])
        if not self.has_sizes:
            return float(self.raise_sizes[0])
        return self.big_blind / 1000 if self.big_blind else 1.0

    def root(self) -> PublicState:
        """The state at the start of a hand, blinds posted and hole cards dealt."""
        from nashgap.poker.state import PublicState

        return PublicState(self, _native.PokerState(self.native))

    @cached_property
    def native(self) -> _native.PokerRules:
        """The engine's handle of these rules."""
        return _native.make_poker_rules(
            BETTING.index(self.betting),
            CONVENTIONS.index(self.conventions),
            self.num_suits,
            self.num_ranks,
            self.num_hole_cards,
            self.blinds,
            self.stacks,
            self.raise_sizes,
            self.max_raises,
            self.first_seats,
            self.num_board_cards,
            self.smallest_bet,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # not the handle

    def to_text(self) -> str:
        """The game definition; `parse_rules` reads it back."""
        lines = ["GAMEDEF", self.betting]
        numbers: dict[str, tuple[int, ...] | int] = {"numPlayers": self.num_seats, "numRounds": self.num_rounds}
        if any(stack != UNLIMITED for stack in self.stacks) or self.num_seats > MAX_UNNAMED_STACKS:
            numbers["stack"] = self.stacks
        numbers["blind"] = self.blinds
        if not self.has_sizes:
            numbers["raiseSize"] = self.raise_sizes
        numbers["firstPlayer"] = tuple(seat + 1 for seat in self.first_seats)
        if any(number != MAX_RAISES for number in self.max_raises):
            numbers["maxRaises"] = self.max_raises
        numbers |= {"numSuits": self.num_suits, "numRanks": self.num_ranks, "numHoleCards": self.num_hole_cards}
        numbers["numBoardCards"] = self.num_board_cards
        if self.smallest_bet:
            numbers["smallestBet"] = self.smallest_bet
        for key, value in numbers.items():
            lines.append(f"{key} = {value if isinstance(value, int) else ' '.join(map(str, value))}")
        if self.conventions != "acpc":
            lines.append(f"conventions = {self.conventions}")
        return "\n".join([*lines, "END GAMEDEF", ""])


def load_rules(game: str) -> PokerRules:
    """The rules of a shipped game (`lhe3`), of a small one (`kuhn(players=3)`), or of a game definition file."""
    from nashgap.games.spec import is_game, load_game

    if game in POKER_GAMES.entries:
        text = resources.files("nashgap.poker").joinpath("gamedefs", f"{game}.game").read_text(encoding="utf-8")
        return parse_rules(text, game)
    if is_game(game):
        rules = getattr(load_game(game), "rules", None)
        if isinstance(rules, PokerRules):
            return rules
        raise ConfigError(f"{game} is not played at the poker table; kuhn, leduc, {', '.join(POKER_GAMES.entries)} are")
    path = Path(game)
    if "/" not in game and path.suffix != ".game" and not os.path.isfile(game):
        POKER_GAMES.entry(game)  # says which names there are
    try:
        text = read_text(path, max_bytes=MAX_BYTES)
    except OSError as error:
        raise FileFormatError(f"{game}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{game}: not a game definition: it is not text") from error
    try:
        return dataclasses.replace(parse_rules(text), name=path.stem)
    except ConfigError as error:
        raise ConfigError(f"{game}: {error}") from error


def parse_rules(text: str, name: str = "") -> PokerRules:
    """The rules that the game definition says; errors name the line."""
    betting, conventions = "", "acpc"
    numbers: dict[str, tuple[int, tuple[int, ...]]] = {}
    is_open = is_closed = False
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition("#")[0].strip()
        word = content.lower()
        if not content or is_closed:
            continue
        if not is_open:
            if word != "gamedef":
                raise ConfigError(f"line {number}: {content[:40]!r}; a game definition starts with GAMEDEF")
            is_open = True
        elif word == "end gamedef":
            is_closed = True
        elif word in BETTING:
            if betting:
                raise ConfigError(f"line {number}: {word} after {betting}; one kind of betting is allowed")
            betting = word
        else:
            key, equals, values = (part.strip() for part in content.partition("="))
            if key.lower() == "conventions":
                conventions = values.lower()
                continue
            if not equals or key.lower() not in _KEYS:
                allowed = ", ".join([*BETTING, *_KEYS.values(), "conventions"])
                raise ConfigError(f"line {number}: {content[:40]!r} is not known; allowed: {allowed}")
            if key.lower() in numbers:
                raise ConfigError(f"line {number}: {key} is given twice")
            numbers[key.lower()] = number, _whole_numbers(number, key, values)
    if not is_closed:
        raise ConfigError("the line END GAMEDEF is missing" if is_open else "the line GAMEDEF is missing")
    return _from_numbers(numbers, betting, conventions, name)


_KEYS = {
    key.lower(): key
    for key in (
        "numPlayers",
        "numRounds",
        "stack",
        "blind",
        "raiseSize",
        "firstPlayer",
        "maxRaises",
        "numSuits",
        "numRanks",
        "numHoleCards",
        "numBoardCards",
        "smallestBet",
    )
}


def _whole_numbers(number: int, key: str, values: str) -> tuple[int, ...]:
    words = values.split()
    if not words or not all(word.isascii() and word.isdigit() and len(word) <= 10 for word in words):
        raise ConfigError(f"line {number}: {key} = {values[:40]!r}; whole numbers of at most 10 digits are needed")
    return tuple(map(int, words))


def _from_numbers(
    numbers: dict[str, tuple[int, tuple[int, ...]]], betting: str, conventions: str, name: str
) -> PokerRules:
    def row(key: str, length: int, default: int | None = None) -> tuple[int, ...]:
        """The values of a key; where there may be more than needed, as in the competition's files, the first ones."""
        if key.lower() not in numbers:
            if default is None:
                raise ConfigError(f"{key} is missing")
            return (default,) * length
        line, values = numbers[key.lower()]
        if len(values) < length:
            raise ConfigError(f"line {line}: {key} has {len(values)} values; {length} are needed")
        return values[:length]

    if not betting:
        raise ConfigError(f"the kind of betting is missing; it is a line {', '.join(BETTING[:-1])} or {BETTING[-1]}")
    (num_seats,), (num_rounds,) = row("numPlayers", 1), row("numRounds", 1)
    if not 2 <= num_seats <= MAX_SEATS:
        raise ConfigError(f"numPlayers = {num_seats}; 2 to {MAX_SEATS} are allowed")
    if not 1 <= num_rounds <= MAX_ROUNDS:
        raise ConfigError(f"numRounds = {num_rounds}; 1 to {MAX_ROUNDS} are allowed")
    is_limit = betting == "limit"
    return PokerRules(
        betting=betting,
        blinds=row("blind", num_seats, 0),
        stacks=row("stack", num_seats, UNLIMITED if is_limit else None),
        raise_sizes=row("raiseSize", num_rounds) if is_limit else (0,) * num_rounds,
        first_seats=tuple(seat - 1 for seat in row("firstPlayer", num_rounds, 1)),
        max_raises=row("maxRaises", num_rounds, MAX_RAISES),
        num_suits=row("numSuits", 1)[0],
        num_ranks=row("numRanks", 1)[0],
        num_hole_cards=row("numHoleCards", 1)[0],
        num_board_cards=row("numBoardCards", num_rounds, 0),
        conventions=conventions,
        smallest_bet=row("smallestBet", 1, 0)[0],
        name=name,
    )


def _problems(rules: PokerRules) -> Iterator[str]:
    """What is wrong with the rules, in the words of the format; each check may take those before it as passed."""
    seats, rounds = len(rules.blinds), len(rules.first_seats)

    def outside(key: str, values: tuple[int, ...], low: int, high: int) -> Iterator[str]:
        for value in values:
            if not low <= value <= high:
                yield f"{key} = {value}; {low} to {high} are allowed"

    if rules.betting not in BETTING:
        yield f"betting {rules.betting!r}; allowed: {', '.join(BETTING)}"
    if rules.conventions not in CONVENTIONS:
        yield f"conventions = {rules.conventions!r}; allowed: {', '.join(CONVENTIONS)}"
    yield from outside("numPlayers", (seats,), 2, MAX_SEATS)
    yield from outside("numRounds", (rounds,), 1, MAX_ROUNDS)
    per_round = (rules.raise_sizes, rules.max_raises, rules.num_board_cards)
    if len(rules.stacks) != seats or any(len(values) != rounds for values in per_round):
        yield f"blind and stack need {seats} values, the others {rounds}"
    yield from outside("blind", rules.blinds, 0, MAX_CHIPS)
    is_unlimited = rules.stacks == (UNLIMITED,) * seats
    if is_unlimited and rules.has_sizes:
        yield f"stack is missing; a {rules.betting} game needs it"
    if not is_unlimited:
        yield from outside("stack", rules.stacks, 1, MAX_CHIPS)
    for seat, (blind, stack) in enumerate(zip(rules.blinds, rules.stacks, strict=True)):
        if blind > stack:
            yield f"blind {blind} of player {seat + 1} is more than the stack {stack}"
    yield from outside("firstPlayer", tuple(seat + 1 for seat in rules.first_seats), 1, seats)
    yield from outside("maxRaises", rules.max_raises, 0, MAX_RAISES)
    if not rules.has_sizes:
        yield from outside("raiseSize", rules.raise_sizes, 1, MAX_CHIPS)
        if rules.limit_cost > MAX_CHIPS:
            yield f"a hand could cost {rules.limit_cost} chips; at most {MAX_CHIPS} are allowed"
    yield from outside("smallestBet", (rules.smallest_bet,), 0, MAX_CHIPS)
    yield from outside("numSuits", (rules.num_suits,), 1, 4)
    yield from outside("numRanks", (rules.num_ranks,), 1, 13)
    yield from outside("numHoleCards", (rules.num_hole_cards,), 1, MAX_HAND_CARDS)
    yield from outside("numBoardCards", rules.num_board_cards, 0, MAX_HAND_CARDS)
    in_hand = rules.num_hole_cards + rules.total_board_cards
    if in_hand > MAX_HAND_CARDS:
        yield f"a hand would have {in_hand} hole and board cards; at most {MAX_HAND_CARDS} are allowed"
    dealt, in_deck = seats * rules.num_hole_cards + rules.total_board_cards, rules.num_suits * rules.num_ranks
    if dealt > in_deck:
        yield f"{seats} players need {dealt} cards; the deck has {in_deck}"
