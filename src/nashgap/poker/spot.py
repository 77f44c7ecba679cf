"""A spot: two players with their ranges on a board, a pot, stacks, and the bets that are considered from there on.

A bet of 50% is half the pot; a raise of 100% is to the last bet plus the pot after calling it. What is at or beyond the
stack is all-in, `a`, once. As rules the pot is what both have put in, half each, so that every face of poker takes it;
of unequal stacks the smaller one is what both can lose.

Betting is written as players say it, chips counted within the street: `x b100 c 7h b300` is a check, a bet of 100, a
call, the seven of hearts and a bet of 300. `f` folds, `x` and `c` check, `c` calls, `b300` bets or raises to 300, `a`
is all-in; `*` is whatever card.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nashgap.cards.card import NUM_CARDS, format_cards
from nashgap.cards.ranges import Range, parse_range
from nashgap.core.game import CHANCE
from nashgap.core.job import is_whole
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.poker.betting_abstraction import BettingAbstraction, parse_betting_abstraction
from nashgap.poker.betting_tree import BettingTree, build_betting_tree
from nashgap.poker.replay import chips_before_round, replay
from nashgap.poker.rules import MAX_RAISES, PokerRules
from nashgap.poker.state import CALL, FOLD, Action, PublicState
from nashgap.poker.typed_state import typed_cards

__all__ = ["MOST_CHIPS", "POSITIONS", "STREETS", "Spot", "spot_betting"]

STREETS = {3: "flop", 4: "turn", 5: "river"}  # by cards on the board
POSITIONS = ("out of position", "in position")
_CARD = re.compile(r"[2-9tjqka][shdc]", re.IGNORECASE)
_TOKEN = re.compile(r"[br](?P<chips>[0-9]{1,9}(\.5)?)|[fcxa]", re.IGNORECASE)
_SPACE = re.compile(r"[\s,/]*")
ANY_CARD = "*"
NO_ACTION = -(10**9)  # legal nowhere
MOST_CHIPS = 10**8
LEAST_WEIGHT = 1e-6  # of a hand: less is none


@dataclass(frozen=True)
class Spot:
    """One spot of hold'em, two players, the one out of position first.

    board:   three to five cards.
    ranges:  of both.
    pot:     chips in it.
    stacks:  chips that each has left.
    betting: for the streets to come, or one entry for all.
    rake:    the share of the pot that is taken where it is won, and the most chips of it.
    """

    board: tuple[int, ...]
    ranges: tuple[Range, Range]
    pot: int
    stacks: tuple[int, int]
    betting: BettingAbstraction
    rake: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if len(self.board) not in STREETS or len(set(self.board)) < len(self.board):
            raise ConfigError(f"board {format_cards(self.board)!r}; it must be 3 to 5 different cards")
        for name, chips in (("pot", self.pot), ("stack", self.stacks[0]), ("stack", self.stacks[1])):
            if not is_whole(chips) or not 0 < chips <= MOST_CHIPS:
                raise ConfigError(f"{name} {chips}; it must be 1 to {MOST_CHIPS:,} whole chips")
        share, cap = self.rake
        if not (0 <= share < 1 and 0 <= cap < math.inf):
            raise ConfigError(f"rake {share:g} up to {cap:g} chips; a share from 0 to below 1 and a cap are needed")
        if not self.has_deal:
            first, second = (_shortened(each.text) for each in self.ranges)
            raise ConfigError(f"the ranges leave no deal on {self.board_text}: {first!r} against {second!r}")

    @property
    def street(self) -> str:
        return STREETS[len(self.board)]

    @property
    def board_text(self) -> str:
        return format_cards(self.board)

    @property
    def scale(self) -> int:
        """Chips of the rules for one of the spot: an odd pot is no two equal halves."""
        return 1 + self.pot % 2

    @cached_property
    def rules(self) -> PokerRules:
        """The game from here on. Winnings are less what each has put in, half of the pot included."""
        rounds, half, effective = 6 - len(self.board), self.scale * self.pot // 2, self.scale * min(self.stacks)
        return PokerRules(
            betting="nolimit",
            blinds=(half, half),
            raise_sizes=(0,) * rounds,
            first_seats=(0,) * rounds,
            max_raises=(MAX_RAISES,) * rounds,
            num_suits=4,
            num_ranks=13,
            num_hole_cards=2,
            num_board_cards=(len(self.board), *(1,) * (rounds - 1)),
            stacks=(half + effective,) * 2,
            smallest_bet=self.scale,
            name=f"{self.street} spot",
        )

    @property
    def scaled_rake(self) -> tuple[float, float]:
        """In chips of the rules."""
        return self.rake[0], self.rake[1] * self.scale

    @cached_property
    def tree(self) -> BettingTree:
        return build_betting_tree(self.rules, self.betting)

    @cached_property
    def weights(self) -> np.ndarray:
        """`[2, 1326]` of both ranges, without what lies on the board; what floats do not hold is 0."""
        weights = np.stack([each.without(self.board).weights for each in self.ranges])
        return np.where(weights >= LEAST_WEIGHT, weights, 0.0)

    @property
    def has_deal(self) -> bool:
        """Whether two hands of the ranges can meet on the board."""
        first, second = self.weights
        return _met(first, second) > 0

    @cached_property
    def fingerprint(self) -> str:
        """Differs where anything of the spot does, or the rules that are made of it."""
        told = json.dumps([self.to_config(), self.rules.to_text()], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def to_config(self) -> dict[str, Any]:
        return {
            "board": self.board_text,
            "oop": self.ranges[0].text,
            "ip": self.ranges[1].text,
            "pot": self.pot,
            "stacks": list(self.stacks),
            "betting": str(self.betting),
            "rake": list(self.rake),
        }

    @classmethod
    def from_config(cls, value: Mapping[str, Any], inputs: Mapping[str, str]) -> Spot:
        first, second = value["stacks"]
        share, cap = value["rake"]
        return cls(
            typed_cards(value["board"]),
            (parse_range(value["oop"]), parse_range(value["ip"])),
            value["pot"],
            (first, second),
            parse_betting_abstraction(value["betting"]),
            (float(share), float(cap)),
        )

    def chips_won(self, winnings: tuple[float, float]) -> tuple[float, float]:
        """Chips of the spot that each gets who wins so many of the rules."""
        first, second = winnings
        return first / self.scale + self.pot / 2, second / self.scale + self.pot / 2

    def root(self) -> PublicState:
        return self.rules.root().deal(self.board)

    def state_after(self, line: str = "") -> PublicState:
        """The decision after this betting, with the cards that came inside; refused where nobody decides there."""
        state, rest = self.root(), line.strip()
        while rest:
            state, rest = self._step(state, rest, line)
            rest = rest[_SPACE.match(rest).end() :]  # type: ignore[union-attr]
        if state.is_over:
            raise IllegalActionError(f"line {line!r}: the hand is over there; nobody decides")
        if state.seat == CHANCE:
            raise ConfigError(f"line {line!r}: the {STREETS[len(state.board) + 1]} card is missing at its end")
        return state

    def _step(self, state: PublicState, rest: str, line: str) -> tuple[PublicState, str]:
        """The state after the next card or action, and what is left to read."""
        if state.is_over:
            raise IllegalActionError(f"line {line!r}: {rest!r} comes too late; the hand is over")
        if state.seat == CHANCE:
            if rest.startswith(ANY_CARD):
                return _with_any_card(state), rest[1:]
            card = _CARD.match(rest)
            if card is None:
                raise ConfigError(f"line {line!r}: the {STREETS[len(state.board) + 1]} card must stand before {rest!r}")
            (dealt,) = typed_cards(card[0])
            if dealt in state.board:
                raise ConfigError(f"line {line!r}: {card[0]} lies on the board {format_cards(state.board)} already")
            return state.deal([dealt]), rest[2:]
        token = _TOKEN.match(rest)
        action = None if token is None else self._action(state, token[0].lower(), token["chips"])
        if token is None or action not in self.betting.actions(state):
            known = ", ".join(self.action_text(state, each) for each in self.betting.actions(state))
            raise IllegalActionError(f"line {line!r}: {rest.split()[0]!r} is not in the tree there; there are {known}")
        assert action is not None, "no action is in no tree"
        return state.act(action), rest[token.end() :]

    def dealt_marks(self, line: str) -> list[str]:
        """The cards that a line deals, as they are written, `*` for any."""
        state, rest, marks = self.root(), line.strip(), []
        while rest:
            before, (state, after) = state, self._step(state, rest, line)
            if before.seat == CHANCE:
                marks.append(rest[: len(rest) - len(after)])
            rest = after[_SPACE.match(after).end() :]  # type: ignore[union-attr]
        return marks

    def _action(self, state: PublicState, token: str, chips: str | None) -> Action:
        if chips is not None:
            asked = float(chips) * self.scale
            return chips_before_round(state)[state.seat] + int(asked) if asked == int(asked) else NO_ACTION
        if token == "a":
            return self.rules.stacks[state.seat]
        if token == "x" and state.to_call > 0:
            return NO_ACTION
        return FOLD if token == "f" else CALL

    def written_action(self, state: PublicState, token: str) -> str:
        """What somebody types, as `action_text` has it: an all-in may be told by its size. What is no size stays."""
        size = _TOKEN.fullmatch(token)
        if size is None or size["chips"] is None:
            return token
        action = self._action(state, token, size["chips"])
        return token if action == NO_ACTION else self.action_text(state, action)

    def action_text(self, state: PublicState, action: Action) -> str:
        """As it is written in a line: `f`, `x`, `c`, `b300`, `a`."""
        if action == FOLD:
            return "f"
        if action == CALL:
            return "c" if state.to_call > 0 else "x"
        if action == self.rules.stacks[state.seat]:
            return "a"
        return f"b{self._street_chips(state, action)}"

    def action_words(self, state: PublicState, action: Action) -> str:
        """As people say it: `check`, `bet 100`, `raise to 300`, `all-in 900`."""
        if action == FOLD:
            return "fold"
        if action == CALL:
            return "call" if state.to_call > 0 else "check"
        chips = self._street_chips(state, action)
        if action == self.rules.stacks[state.seat]:
            return f"all-in {chips}"
        return f"{'raise to' if state.to_call > 0 else 'bet'} {chips}"

    def _street_chips(self, state: PublicState, action: Action) -> str:
        return str(self.chips(action - chips_before_round(state)[state.seat]))

    def chips(self, chips: int) -> int | float:
        """Chips of the rules as those of the spot: halves where its pot is odd."""
        return chips // self.scale if chips % self.scale == 0 else chips / self.scale

    def line_text(self, state: PublicState) -> str:
        """The line that leads to the state."""
        return " ".join(self._line(state))

    def _line(self, state: PublicState) -> Iterator[str]:
        for step in replay(state):
            if step.action is not None:
                yield self.action_text(step.before, step.action)
            elif len(step.before.board) >= len(self.board):
                yield format_cards(step.after.board[len(step.before.board) :])

    def decisions(self) -> Iterator[PublicState]:
        """Every decision of the betting, on whatever board: which cards they are does not matter to the betting."""
        yield from self._decisions_below(self.root())

    def _decisions_below(self, state: PublicState) -> Iterator[PublicState]:
        while state.seat == CHANCE:
            state = _with_any_card(state)
        if not state.is_over:
            yield state
            for action in self.betting.actions(state):
                yield from self._decisions_below(state.act(action))


def spot_betting(bets: str, raises: str = "") -> BettingAbstraction:
    """The betting with these sizes of bets and of raises, by streets apart by `/`; raises are as bets if not told."""
    first, then = ([part.strip() for part in text.split("/")] for text in (bets, raises or bets))
    if 1 not in (len(first), len(then)) and len(first) != len(then):
        raise ConfigError(f"bets {bets!r} are for {len(first)} streets, raises {raises!r} for {len(then)}")
    rounds = max(len(first), len(then))
    parts = zip(first * (rounds // len(first)), then * (rounds // len(then)), strict=True)
    return parse_betting_abstraction(" / ".join(f"{bet} > {more}" for bet, more in parts))


def _with_any_card(state: PublicState) -> PublicState:
    return state.deal([next(card for card in state.rules.deck if card not in state.board)])


def _met(first: np.ndarray, second: np.ndarray) -> float:
    """The weight of all pairs of hands that share no card."""
    high, low = np.tril_indices(NUM_CARDS, -1)
    by_card = np.bincount(high, second, NUM_CARDS) + np.bincount(low, second, NUM_CARDS)
    apart = second.sum() - by_card[high] - by_card[low] + second
    return float(first @ np.where(apart > 1e-9, apart, 0.0))  # what is less is rounding


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
