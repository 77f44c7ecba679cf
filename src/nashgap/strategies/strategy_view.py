"""What a strategy does in one public state, as a record: for every hand, by kinds of hands, and in all.

Two frequencies are told. *Of all hands* counts every hand that can be held once. *Of its range* counts a hand as often
as the strategy's own earlier decisions on the line bring it here. What others hold, and what their hands take from the
deck, is left out of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap.cards.card import NUM_HANDS, format_cards, parse_cards
from nashgap.cards.hand_rows import HandRow, HandRows, draw_rows, share_text
from nashgap.cards.made_hands import MADE_HANDS, made_hand
from nashgap.cards.matrix import HandMatrix, draw_matrix, strategy_matrix
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES
from nashgap.cards.tones import MAX_TONES
from nashgap.core.result import Result, frame
from nashgap.errors import ConfigError
from nashgap.poker.typed_state import typed_cards
from nashgap.runs.config import package_version

if TYPE_CHECKING:
    import pandas

__all__ = ["Onward", "StrategyView"]

_SAME_REACH = 1e-6  # parts of the largest
_LONGEST_NAME, _LONGEST_REPR, _MOST_SHARES = 60, 390, 5
_MOST_TEXTS = 6  # of those to type next, in a table
_PASSIVE = ("fold", "check", "call")
_ALL_IN = "all-in"
_STREET_WORDS = {"preflop": " ", "flop": " on the ", "turn": " on the ", "river": " on the ", "round": " in "}
_PREFLOP_KINDS = (1, 0, 2, 3, 4)  # numbers of made hands, the strong ones first, as after the flop


@dataclass(frozen=True)
class Onward:
    """Where one action leads.

    texts:           what to type to look there; several where chance moves first, none where the game is over.
    seat:            who acts there, 0-based; None where nobody does, or where it depends on chance.
    num_board_cards: to be added to the board.
    """

    action: str
    texts: tuple[str, ...]
    seat: int | None = None
    num_board_cards: int = 0

    @property
    def is_over(self) -> bool:
        return not self.texts

    @property
    def words(self) -> str:
        """`player 2 acts`, `3 board cards, player 1 acts`, `it is over`."""
        if self.is_over:
            return "it is over"
        cards = f"{self.num_board_cards} board card{'s' if self.num_board_cards > 1 else ''}"
        who = "" if self.seat is None else f"player {self.seat + 1} acts"
        return ", ".join(filter(None, (cards if self.num_board_cards else "", who))) or "chance moves"


@dataclass(frozen=True, eq=False, repr=False)
class StrategyView(Result):
    """One public state and what the strategy does there. H hands that can be held, A actions.

    strategy, game: their names.
    after, board:   the betting and the board so far, as they are typed.
    seat:           who acts, 0-based; `player` is the same for people.
    street:         the round's name; empty where there is only one.
    pot, to_call:   chips; None in games that do not tell.
    story:          what happened, a line for each round.
    actions:        `[A]` as they are typed, `f`, `c`, `r300`; in small games their names.
    words:          `[A]` the same for people: `fold`, `call`, `raise to 300`.
    hands:          `[H]` names.
    probabilities:  `[H, A]`.
    reach:          `[H]` how often its own earlier decisions bring each hand here, 0 to 1.
    onward:         `[A]` where each action leads.
    numbers:        `[H]` of the hands among the 1326 of hold'em; None in games without the 169 classes.
    raise_sizes:    the smallest and the largest raise that the rules allow, typed; None where sizes are not chosen.
    chosen:         a hand that is told apart; empty for none.
    """

    reporter: ClassVar[str] = "nashgap.reports.strategy:strategy_report"

    strategy: str
    game: str
    after: str
    board: str
    seat: int
    street: str
    pot: float | None
    to_call: float | None
    story: tuple[str, ...]
    actions: tuple[str, ...]
    words: tuple[str, ...]
    hands: tuple[str, ...]
    probabilities: np.ndarray
    reach: np.ndarray
    onward: tuple[Onward, ...]
    numbers: np.ndarray | None = None
    raise_sizes: tuple[str, str] | None = None
    chosen: str = ""

    @property
    def summary(self) -> str:
        """Where it is, and what happened."""
        return " ".join([self.situation, *(f"{line[0].upper()}{line[1:]}." for line in self.story)])

    @property
    def player(self) -> int:
        """The seat for people, from 1."""
        return self.seat + 1

    @property
    def is_reached(self) -> bool:
        """Whether the strategy itself ever plays this line."""
        return bool(self.reach.max() > 0)

    @property
    def has_own_range(self) -> bool:
        """Whether some hands come here more often than others."""
        return self.is_reached and bool(np.ptp(self.reach) > _SAME_REACH * self.reach.max())

    @property
    def range_share(self) -> float:
        """How much of all hands it still holds here."""
        return float(self.reach.mean())

    @property
    def weights(self) -> np.ndarray:
        """`[H]` how much each hand counts, adding up to 1: as in its range, or all alike where it has none."""
        return self.reach / self.reach.sum() if self.is_reached else np.full(len(self.hands), 1.0 / len(self.hands))

    @cached_property
    def frequencies(self) -> dict[str, float]:
        """Of each action, all hands counted alike."""
        return self._by_action(self.probabilities.mean(axis=0))

    @cached_property
    def range_frequencies(self) -> dict[str, float] | None:
        """Of each action, hands counted as often as they come here; None on a line that it never plays itself."""
        return self._by_action(self.weights @ self.probabilities) if self.is_reached else None

    def hand(self, hand: str) -> dict[str, float]:
        """What it does with one hand, `KsAs`; cards in any order."""
        return self._by_action(self.probabilities[self.place(hand)])

    def place(self, hand: str) -> int:
        """Where a hand stands among `hands`."""
        names = {name.lower(): number for number, name in enumerate(self.hands)}
        found = names.get(" ".join(hand.lower().split()))
        if found is None and _are_cards(self.hands[0]):
            found = names.get(format_cards(sorted(self._hole_cards(hand), reverse=True)).lower())
        if found is None:
            known = ", ".join(self.hands[:_MOST_TEXTS]) + (", ..." if len(self.hands) > _MOST_TEXTS else "")
            raise ConfigError(f"no hand {hand[:40]!r} here; hands are {known}")
        return found

    def _hole_cards(self, hand: str) -> tuple[int, ...]:
        cards, number = typed_cards(hand), len(self.hands[0]) // 2
        if len(cards) != number:
            needed = f"{number} cards, as {self.hands[-1]}" if number > 1 else f"one, as {self.hands[-1]}"
            raise ConfigError(f"hand {hand!r} has {len(cards)} card{'' if len(cards) == 1 else 's'}; it needs {needed}")
        if taken := set(cards) & set(parse_cards(self.board)):
            raise ConfigError(f"hand {hand!r}: {format_cards(taken)} lies on the board {self.board}")
        return cards

    @cached_property
    def classes(self) -> dict[str, dict[str, float]]:
        """What is done with each of the 169 classes that can be held; empty in games without them.

        Within a class hands count as in its range, or all alike where none of them is in it.
        """
        if self.numbers is None:
            return {}
        classes, size = CLASS_OF_HAND[self.numbers], len(HAND_CLASSES)
        counts = np.where(np.bincount(classes, self.weights, size)[classes] > 0, self.weights, 1.0)
        total = np.bincount(classes, counts, size)
        shares = np.column_stack([np.bincount(classes, counts * each, size) for each in self.probabilities.T])
        return {
            str(HAND_CLASSES[number]): self._by_action(shares[number] / total[number])
            for number in np.flatnonzero(total)
        }

    @property
    def grid(self) -> HandMatrix | None:
        """The 13x13 matrix; None in games without the 169 classes. Very many sizes of raises are drawn as a few."""
        return None if self.numbers is None else self._matrix(*self.drawn)

    def _matrix(self, actions: Sequence[str], probabilities: np.ndarray) -> HandMatrix:
        shares, weights = np.zeros((NUM_HANDS, len(actions))), np.zeros(NUM_HANDS)
        shares[self.numbers] = probabilities
        weights[self.numbers] = self.weights
        return strategy_matrix(self.title, actions, shares, "not held", weights)

    @cached_property
    def drawn(self) -> tuple[tuple[str, ...], np.ndarray]:
        """Words and probabilities of the actions as the grid has them: raises of neighbouring sizes together."""
        if len(self.words) <= MAX_TONES:
            return self.words, self.probabilities
        alone = [place for place, word in enumerate(self.words) if word.split()[0] in (*_PASSIVE, _ALL_IN)]
        raises = [place for place in range(len(self.words)) if place not in alone]
        parts = [[place] for place in alone]
        parts += [part.tolist() for part in np.array_split(raises, MAX_TONES - len(alone))]
        parts.sort()
        names = tuple(_span(self.words[part[0]], self.words[part[-1]]) for part in parts)
        return names, np.column_stack([self.probabilities[:, part].sum(axis=1) for part in parts])

    @cached_property
    def rows(self) -> HandRows:
        """By hand in small games; in hold'em by what the hand makes with the board."""
        if self.numbers is not None:
            return self._kinds_of_hands()
        weights = self.weights.tolist() if self.has_own_range else [None] * len(self.hands)
        shares = self.probabilities.clip(0.0, 1.0).tolist()
        rows = (
            HandRow(hand, dict(zip(self.words, row, strict=True)), weight)
            for hand, row, weight in zip(self.hands, shares, weights, strict=True)
        )
        return HandRows(self.title, tuple(rows), self.words)

    def _kinds_of_hands(self) -> HandRows:
        board, (names, probabilities) = parse_cards(self.board), self.drawn
        kinds = np.array([MADE_HANDS.index(made_hand(parse_cards(hand), board)) for hand in self.hands])
        rows = []
        for kind in np.unique(kinds)[::-1] if board else _PREFLOP_KINDS:
            held = np.where(kinds == kind, self.weights, 0.0)
            if held.sum() > 0:
                shares = (held @ probabilities / held.sum()).clip(0.0, 1.0).tolist()
                name = MADE_HANDS[kind].removeprefix("preflop: ")
                rows.append(HandRow(name, dict(zip(names, shares, strict=True)), float(held.sum())))
        whole = "of its range" if self.has_own_range else "of all hands"
        return HandRows("By kind of hand", tuple(rows), names, "holding", whole)

    @property
    def title(self) -> str:
        """`Player 1 on the river after r300c/cc/cc/, board 2c6dThJsQd`."""
        street = _STREET_WORDS.get(self.street.partition(" ")[0], "") + self.street
        after = f" after {self.after}" if self.after else ", first to act"
        board = f", board {self.board}" if self.board and self.board not in self.after else ""
        return f"Player {self.player}{street}{after}{board}"

    @property
    def situation(self) -> str:
        """The title with the chips: one sentence."""
        if self.pot is None:
            return f"{self.title}."
        return f"{self.title}: pot {self.pot}, {self.to_call or 'nothing'} to call."

    @property
    def range_note(self) -> str:
        """What the frequencies are shares of."""
        if not self.is_reached:
            return "It never plays this line itself, so that it has no range here: all hands count alike."
        if not self.has_own_range:
            return "All hands that can be held count alike."
        return (
            "In its range a hand counts as often as its own earlier decisions bring it here, which is"
            f" {self.range_share:.1%} of all hands."
        )

    def to_frame(self) -> pandas.DataFrame:
        """A row for each hand: in hold'em its class, how often it comes here, and every action's probability."""
        columns = self._columns()
        return frame(tuple(columns), columns)

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"hand": self.hands}
        if self.numbers is not None:
            columns["class"] = [HAND_CLASSES[number] for number in CLASS_OF_HAND[self.numbers]]
        columns["reach"] = self.reach
        return columns | dict(zip(self.actions, self.probabilities.T, strict=True))

    def as_dict(self) -> dict[str, Any]:
        """JSON-able: frequencies by action, by class or hand, and what to type to go on. Seats count from 1."""
        of_range = self.range_frequencies
        actions = [
            {
                "action": action,
                "words": words,
                "of_all_hands": self.frequencies[action],
                "of_range": None if of_range is None else of_range[action],
                "onward": list(onward.texts),
                "next_seat": None if onward.seat is None else onward.seat + 1,
                "board_cards_needed": onward.num_board_cards,
            }
            for action, words, onward in zip(self.actions, self.words, self.onward, strict=True)
        ]
        place = ("strategy", "game", "after", "board", "seat", "street", "pot", "to_call", "range_share")
        told = {name: getattr(self, name) for name in place} | {"seat": self.player, "actions": actions}
        if self.chosen:
            told["hand"] = {"cards": self.hands[self.place(self.chosen)], "actions": self.hand(self.chosen)}
        told["version"] = package_version()
        if self.numbers is not None:
            return told | {"classes": self.classes}
        return told | {"hands": dict(zip(self.hands, map(self._by_action, self.probabilities), strict=True))}

    def _by_action(self, shares: np.ndarray) -> dict[str, float]:
        return dict(zip(self.actions, map(float, shares), strict=True))

    def __repr__(self) -> str:
        shares = (self.range_frequencies or self.frequencies).items()
        largest = sorted(shares, key=lambda pair: -pair[1])[:_MOST_SHARES]
        shown = ", ".join(f"{action} {share_text(share)}" for action, share in largest if share > 0)
        whole = "its range" if self.has_own_range else "all hands"
        name, game = (_shortened(text, _LONGEST_NAME) for text in (self.strategy, self.game))
        line = f"{type(self).__name__} {name} in {game}: {self.situation[:-1]}; {shown} of {whole}"
        return f"<{_shortened(line, _LONGEST_REPR)}>"

    def _repr_html_(self) -> str:
        grid = self.grid
        heads = "".join(f"<th>{head}</th>" for head in ("action", "type", "of all hands", "of its range", "then"))
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self._action_cells()
        )
        return "\n".join(
            [
                f"<p><b>{escape(f'{self.strategy} in {self.game}')}</b><br>{escape(self.situation)}</p>",
                *([] if grid is None else [draw_matrix(grid)]),
                draw_rows(self.rows),
                f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>",
                f"<p>{escape(self.range_note)}</p>",
            ]
        )

    def _action_cells(self) -> list[tuple[str, ...]]:
        of_range = self.range_frequencies
        return [
            (
                words,
                ", ".join(onward.texts[:_MOST_TEXTS]) + (", ..." if len(onward.texts) > _MOST_TEXTS else ""),
                share_text(self.frequencies[action]),
                "" if of_range is None else share_text(of_range[action]),
                onward.words,
            )
            for action, words, onward in zip(self.actions, self.words, self.onward, strict=True)
        ]


def _are_cards(hand: str) -> bool:
    try:
        return bool(parse_cards(hand))
    except ConfigError:
        return False


def _span(first: str, last: str) -> str:
    """`raise to 300 to 900` of the first and the last of some raises."""
    return first if first == last else f"{first} to {last.rpartition(' ')[2]}"


def _shortened(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 3]}..."
