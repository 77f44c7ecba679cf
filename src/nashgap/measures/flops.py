"""The boards of the second betting round, up to a renaming of the suits: the flops of hold'em, and theirs in any game.

A game "whose flops are these" deals hole cards and one of these flops, all combinations that share no card alike; what
follows is dealt as ever. Given boards may be of a later round, too, with the cards of each round in their order: a flop
and its turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise, permutations

import numpy as np

from nashgap.cards.card import NUM_CARDS, format_cards, parse_cards
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.poker.hands import hands_of
from nashgap.poker.rules import PokerRules

__all__ = ["ALL", "DRAWN", "GIVEN", "Flops", "FlopsAsked", "asked_flops", "round_of_board"]

ALL, DRAWN, GIVEN = "all", "drawn", "given"

MOST_DRAWN, LONGEST_NUMBER = 1_000_000, 12
FlopsAsked = int | str | Sequence[str]
"""How many to draw, `all`, or a list, `QsJh2h, Td9d6h`, perhaps with their turns: `QsJh2h8c`."""

NUM_SUITS = 4
MOST_FLOPS = 100_000  # boards of a second round that are listed


@dataclass(frozen=True)
class Flops:
    """All boards of the second round of a game; of a game of one round, the empty board.

    Boards that a renaming of the suits turns into each other are a class; the first of them stands for it.
    """

    rules: PokerRules

    def __post_init__(self) -> None:
        rules = self.rules
        if rules.num_board_cards[0] > 0:
            raise UnsupportedGameError(f"{rules.name or 'the game'} has board cards before the first bet")
        if len(self.boards) == 0:
            raise UnsupportedGameError(f"{rules.name or 'the game'} has too many boards in the second round")

    @property
    def round(self) -> int:
        """Of these boards, from 0."""
        return min(1, self.rules.num_rounds - 1)

    @property
    def num_cards(self) -> int:
        return self.rules.board_cards_by(self.round)

    @cached_property
    def boards(self) -> np.ndarray:
        """`[N, cards]` all of them, cards ascending; none where there are too many."""
        return _boards(self.rules.deck, self.num_cards)

    @cached_property
    def class_of(self) -> np.ndarray:
        """`[N]` the class of each board."""
        return _classes(self.boards, self._renamings)[1]

    @cached_property
    def firsts(self) -> np.ndarray:
        """`[classes]` the board that stands for each class."""
        return _classes(self.boards, self._renamings)[0]

    @cached_property
    def sizes(self) -> np.ndarray:
        """`[classes]` boards in each class."""
        return np.bincount(self.class_of)

    @cached_property
    def hand_classes(self) -> np.ndarray:
        """`[hands]` the class of each private hand under renaming of suits; 169 in hold'em."""
        hands = np.sort(np.array(hands_of(self.rules), np.int64), axis=1)
        in_deck = np.isin(hands, self.rules.deck).all(axis=1)
        classes = np.zeros(len(hands), np.int64)
        classes[in_deck] = _classes(hands[in_deck], self._renamings)[1]
        return classes

    def drawn(self, number: int, seed: int) -> list[int]:
        """Boards drawn with the seed, all alike likely; the first of more are the same."""
        return [int(np.random.default_rng([seed, draw]).integers(len(self.boards))) for draw in range(number)]

    def num_run_outs(self, board: Sequence[int]) -> int:
        """Boards of the last round that may come of it, one card after the other; those counted once that a renaming
        turns into each other and leaves the board, as Burnside counts them."""
        row = np.array([board], np.int64)
        keeps = self._renamings[(_renamed(row, self._renamings) == np.sort(row)).all(axis=(1, 2))]
        left = np.array([card for card in self.rules.deck if card not in board], np.int64)
        fixed = (keeps[:, left % NUM_SUITS] == left % NUM_SUITS).sum(axis=1)
        ways = np.ones(len(keeps), np.int64)
        for taken in range(self.rules.total_board_cards - len(board)):
            ways *= np.maximum(fixed - taken, 0)
        return int(ways.sum()) // len(keeps)

    def images(self, board: Sequence[int]) -> np.ndarray:
        """`[renamings, cards]` the board with its suits renamed in all ways; some are equal where few suits lie."""
        return _renamed(np.array([board], np.int64), self._renamings)[:, 0]

    @property
    def _renamings(self) -> np.ndarray:
        """`[renamings, 4]` which suit each suit becomes; suits that are not in the deck stay."""
        absent = list(range(NUM_SUITS - self.rules.num_suits))
        return np.array([[*absent, *order] for order in permutations(range(len(absent), NUM_SUITS))])


def asked_flops(asked: FlopsAsked, rules: PokerRules) -> tuple[str, int, tuple[str, ...]]:
    """Which flops are asked for (`all`, `drawn` or `given`), how many are drawn, and those that are given."""
    text = str(asked).strip() if isinstance(asked, str | int) else ",".join(map(str, asked))
    if text == ALL:
        return ALL, 0, ()
    if re.fullmatch(r"[+-]?[0-9]+", text):
        number = int(text) if len(text) <= LONGEST_NUMBER else MOST_DRAWN + 1
        if not 2 <= number <= MOST_DRAWN:
            raise ConfigError(f"flops = {text}; 2 to {MOST_DRAWN:,} are drawn, or give them as QsJh2h, Td9d6h")
        return DRAWN, number, ()
    return GIVEN, 0, _parsed_boards(text, rules)


def round_of_board(rules: PokerRules, board: Sequence[int]) -> int:
    """In which the cards lie, from 0; after the first, where there are several."""
    sizes = [rules.board_cards_by(number) for number in range(rules.num_rounds)]
    return sizes.index(len(board), min(1, len(sizes) - 1))


def _parsed_boards(text: str, rules: PokerRules) -> tuple[str, ...]:
    """The boards of a list as text in one way of writing."""
    sizes = sorted({rules.board_cards_by(number) for number in range(Flops(rules).round, rules.num_rounds)})
    found = []
    for part in filter(None, (each.strip() for each in text.split(","))):
        cards = parse_cards(part)
        if len(cards) not in sizes or not set(cards) <= set(rules.deck):
            number = " or ".join(filter(None, (", ".join(map(str, sizes[:-1])), str(sizes[-1]))))
            raise ConfigError(
                f"board {part!r}: {number} cards of the deck lie after the first round of {rules.name or 'the game'}"
            )
        found.append(_by_round(cards, rules))
    if not found:
        raise ConfigError("flops: none are given; write how many to draw, all, or a list such as QsJh2h, Td9d6h")
    if len({*found}) < len(found):
        twice = next(each for each in found if found.count(each) > 1)
        raise ConfigError(f"board {twice} is there twice; each counts once")
    if other := [each for each in found if len(each) != len(found[0])]:
        raise ConfigError(f"boards {found[0]} and {other[0]} are of different rounds; give those of one")
    return tuple(found)


def _by_round(cards: Sequence[int], rules: PokerRules) -> str:
    """With those that come together in one order."""
    ends = [rules.board_cards_by(number) for number in range(rules.num_rounds)]
    return "".join(format_cards(sorted(cards[first:end], reverse=True)) for first, end in pairwise([0, *ends]))


@lru_cache(8)
def _boards(deck: tuple[int, ...], num_cards: int) -> np.ndarray:
    num_boards = 1
    for taken in range(num_cards):
        num_boards = num_boards * (len(deck) - taken) // (taken + 1)
    if num_boards > MOST_FLOPS:
        return np.empty((0, num_cards), np.int64)
    return np.array(list(combinations(deck, num_cards)), np.int64).reshape(num_boards, num_cards)


def _renamed(cards: np.ndarray, renamings: np.ndarray) -> np.ndarray:
    """`[renamings, N, cards]`, ascending in each row."""
    images: np.ndarray = np.sort(cards - cards % NUM_SUITS + renamings[:, cards % NUM_SUITS], axis=-1)
    return images


def _classes(cards: np.ndarray, renamings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The row that stands for each class, and `[N]` the class of each row."""
    places = NUM_CARDS ** np.arange(cards.shape[1], dtype=np.int64)
    least = (_renamed(cards, renamings) @ places).min(axis=0)
    _, firsts, classes = np.unique(least, return_index=True, return_inverse=True)
    return firsts, classes
