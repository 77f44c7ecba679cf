"""Local Best Response with all hands at once: on a board, all lines of the betting are followed.

What a strategy does with every hand is known from one answer, and LBR takes one action with each of its own. So on a
dealt board all pairs of hands that can meet are played together: LBR's hands are shared out among the lines of the
betting, each by what it believes itself; the opponent comes to each line with its reach; and every ending counts by the
pairs that come there. Only the board is drawn. An ending of a round counts over all pairs that the board of that round
leaves, before later cards take some of them away.

Lines that hardly anybody takes cost as much as others. Those with less at stake than `LbrOptions.stake` are drawn:
followed as often as their stake is of it, and counted as many times more. That keeps the mean. What is at stake is the
pot and a twentieth of the chips behind, times the chance to come there. Sizes are drawn, too, of a strategy that raises
by any size of a range.

What is left of luck is that of the board. When lines come to a round, the stakes of each are shared out by the chances
of both ranges to win; what that changes by the new cards, and by the lines that were drawn, is 0 as a mean whatever the
strategy does (`LinesPlayed.luck`), and goes with what LBR wins. `nashgap.measures.controls` takes it off.

What LBR wins has the mean of hands that are dealt one by one (`nashgap.measures.local_best_response`). Two players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from nashgap import _native
from nashgap.errors import ConfigError
from nashgap.measures.local_best_response import LbrOptions, preflop_table
from nashgap.measures.opponents import EXACTLY, opponent_of
from nashgap.poker.rules import PokerRules
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["LineTallies", "LinesPlayed", "all_boards", "follow_lines", "num_boards"]

MOST_NODES = 200_000  # of the betting on one board from one seat


@dataclass(frozen=True, eq=False)
class LineTallies:
    """Where lines ended. E endings, L lines, D deals, C classes of the bot's hands.

    lines:    `[L]` the seat of LBR and the betting.
    deal:     `[E]` number in the batch, `line`, and per pair of hands `mass` and the `chips` that LBR won.
    by_line:  `[L, C, 2]` mass and chips by the bot's hand; `by_deal`: `[D, C, 2]`.
    examples: `[L]` deal, hands of LBR and of the bot by their place, chips.
    """

    lines: tuple[tuple[int, str], ...]
    deal: np.ndarray
    line: np.ndarray
    mass: np.ndarray
    chips: np.ndarray
    by_line: np.ndarray
    by_deal: np.ndarray
    examples: tuple[tuple[int, int, int, float], ...]


@dataclass(frozen=True, eq=False)
class LinesPlayed:
    """What LBR won on boards. D deals, S seats, R rounds.

    boards:  `[D]` complete.
    mass:    `[D, S, R]` by LBR's seat and the round of the last action, per pair of hands; adds up to about 1.
    chips:   `[D, S, R]` that LBR won, likewise.
    luck:    `[D, S, R]` chips by the round whose cards brought them; 0 as a mean, and where it was not found.
    queries: states that the strategy was asked about.
    """

    boards: tuple[tuple[int, ...], ...]
    mass: np.ndarray
    chips: np.ndarray
    luck: np.ndarray
    queries: int
    tallies: LineTallies | None


def num_boards(rules: PokerRules) -> int:
    """Complete ones, told apart by what is dealt in each round."""
    number, left = 1, len(rules.deck)
    for cards in rules.num_board_cards:
        number *= comb(left, cards)
        left -= cards
    return number


def all_boards(rules: PokerRules) -> list[tuple[int, ...]]:
    """All complete boards of a small game, each once."""
    boards: list[tuple[int, ...]] = [()]
    for cards in rules.num_board_cards:
        boards = [
            (*board, *dealt) for board in boards for dealt in combinations(sorted({*rules.deck} - {*board}), cards)
        ]
    return boards


def follow_lines(
    rules: PokerRules,
    strategy: PokerStrategy,
    options: LbrOptions,
    boards: Sequence[tuple[int, Sequence[int]]],
    *,
    seed: int = 0,
    num_chosen_cards: int = 0,
    finds_luck: bool = False,
    num_classes: int = 0,
    class_of: np.ndarray | None = None,
) -> LinesPlayed:
    """Follow the betting on complete boards, each with the number of its deal, which names what is drawn on it.

    num_chosen_cards: of each board that do not come from the whole deck.
    finds_luck:       takes no more answers, but time.
    class_of:         `[D, R, hands]` of the bot's hands, by what lies in a round; tells endings apart.
    """
    opponent = opponent_of(rules, strategy, EXACTLY, (seed, 0))
    batch = _native.LbrLinesBatch(
        rules.native,
        options.abstraction([strategy]).native(rules),
        sum(1 << number for number in options.active_rounds(rules)),
        options.lookahead == 2,
        options.all_in,
        opponent.native,
        preflop_table(rules),
        [(number, tuple(board)) for number, board in boards],
        num_chosen_cards,
        seed,
        options.stake * rules.big_blind,
        MOST_NODES,
        finds_luck,
        num_classes,
        class_of,
    )
    while not batch.advance():
        is_answered = opponent.answer()
        assert is_answered, "a line that is not finished waits for an answer"
    if batch.is_too_large:
        raise ConfigError(
            f"stake = {options.stake:g}: the betting has more than {MOST_NODES:,} lines on a board with bets"
            f" {options.bets}; a larger stake draws more of them, and lines dealt plays hand by hand"
        )
    mass, chips, luck = (np.empty((len(boards), rules.num_seats, rules.num_rounds)) for _ in range(3))
    batch.read(mass, chips, luck)
    tallies = None if class_of is None else _tallies(batch, len(boards), num_classes)
    return LinesPlayed(tuple(tuple(board) for _, board in boards), mass, chips, luck, batch.num_queries, tallies)


def _tallies(batch: _native.LbrLinesBatch, num_deals: int, num_classes: int) -> LineTallies:
    lines = [(int(seat), betting) for seat, _, betting in (line.partition(" ") for line in batch.lines)]
    size = batch.num_endings
    deal, line = np.empty(size, np.int64), np.empty(size, np.int32)
    mass, chips = np.empty(size), np.empty(size)
    batch.read_endings(deal, line, mass, chips)
    by_line, by_deal = np.empty((len(lines), num_classes, 2)), np.empty((num_deals, num_classes, 2))
    batch.read_classes(by_line, by_deal)
    return LineTallies(tuple(lines), deal, line, mass, chips, by_line, by_deal, tuple(batch.examples))
