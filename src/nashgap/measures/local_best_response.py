"""Local Best Response (Lisý & Bowling 2016): how much does a simple, legal opponent win from a strategy?

LBR knows what the strategy does with every hand. It keeps the probability of each hand of the opponent by Bayes' rule,
and takes the action that is best if the opponent folds or calls right after it and everybody checks from then on. What
it wins is a lower bound on what a best response wins; it may be far below, and even negative.

As published but for two slips of Figure 1: the strategy is asked after the bet, and ties count half. A free check is
never folded. With several opponents their hands are taken as independent, which changes LBR's play, not the bound.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from nashgap import _native
from nashgap.cards.equity import load_preflop_chances
from nashgap.errors import ConfigError, IllegalActionError, UnsupportedGameError
from nashgap.measures.opponents import Opponent, opponent_of
from nashgap.poker.betting_abstraction import BettingAbstraction, parse_betting_abstraction
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = [
    "ALL_LINES",
    "DEALT",
    "ON_TREE",
    "LbrHands",
    "LbrOptions",
    "lbr_decision",
    "lbr_seatings",
    "play_lbr",
    "preflop_table",
]

ON_TREE = "on-tree"
DEALT, ALL_LINES = "dealt", "all"
FIFTY_SIX = "56"
_NUM_FRACTIONS = 55
_ROUNDS = re.compile(r"([1-9])(?:-([1-9]))?")


@dataclass(frozen=True)
class LbrOptions:
    """What LBR may do, and how its winnings are counted.

    bets:      that it considers beside folding and calling: `fc` none, `fcpa` pot and all-in, `56` all-in and 55
               fractions of the pot, `on-tree` those of the strategy's own abstraction, or a list, `min,2,4,8,a`; see
               `nashgap.poker.betting_abstraction`.
    rounds:    in which it chooses, `1-4`, `3-4`, `4`, `1,3`; in the others it checks and calls. Empty: all.
    samples:   of a strategy that is known by samples only, for what it is believed to do in a state.
    duplicate: every deal is played in all seatings.
    imaginary: heads-up, a showdown counts as the mean over all hands that the opponent may hold by then; not for
               sampled strategies, of which they are not known exactly.
    all_in:    heads-up, an all-in counts as the mean over the boards to come.
    lookahead: 1, as published: the opponent folds to a bet or calls it. 2, heads-up: or raises, and LBR folds or calls;
               where a strategy draws sizes from a range, its middle stands for it.
    lines:     `dealt`, as published: a pair of hands is dealt and plays one line of the betting. `all`, heads-up: all
               hands of both on a dealt board, all lines of the betting (`nashgap.measures.lbr_lines`).
    stake:     of `all` lines, in big blinds: those with less at stake are drawn, which keeps the mean; 0 follows all.
    """

    bets: str = "fcpa"
    rounds: str = ""
    samples: int = 10
    duplicate: bool = True
    imaginary: bool = True
    all_in: bool = True
    lookahead: int = 1
    lines: str = DEALT
    stake: float = 1.0

    def __post_init__(self) -> None:
        if self.lookahead not in (1, 2):
            raise ConfigError(f"lookahead = {self.lookahead}; it must be 1 or 2")
        if self.samples < 1:
            raise ConfigError(f"samples = {self.samples}; at least 1 is needed")
        if self.lines not in (DEALT, ALL_LINES):
            raise ConfigError(f"lines {self.lines!r}; known: {ALL_LINES}, {DEALT}")
        if not (math.isfinite(self.stake) and self.stake >= 0):
            raise ConfigError(f"stake = {self.stake}; it must be 0 or more big blinds")

    def abstraction(self, strategies: Sequence[PokerStrategy]) -> BettingAbstraction:
        """The bets, against these strategies."""
        if self.bets == FIFTY_SIX:
            # To twelve decimals: in every pot of up to 40,000 chips the same whole chips as by exact fractions.
            fractions = [f"{0.05 * 1.15**k:.12f}" for k in range(_NUM_FRACTIONS)]
            return parse_betting_abstraction(",".join([*fractions, "a"]))
        if self.bets != ON_TREE:
            return parse_betting_abstraction(self.bets)
        for strategy in strategies:
            if isinstance(strategy, AbstractStrategy):
                return strategy.game.tree.abstraction
        raise ConfigError("bets on-tree: only a strategy of an abstract game has a tree of its own")

    def why_dealt(self, rules: PokerRules, strategies: Sequence[PokerStrategy]) -> str:
        """Why hands have to be dealt one by one in this game, against these strategies; empty where they need not."""
        if rules.num_seats != 2:
            return f"{rules.name or 'the game'} has {rules.num_seats} seats, and lines are followed for two"
        for strategy in strategies:
            if strategy.is_sampled and not isinstance(strategy, AbstractStrategy):
                return f"{strategy.name} is known by samples only, and lines need what it does exactly"
        if not (self.duplicate and self.imaginary):
            return "without duplicate deals or imaginary hands there is one hand at a time"
        return ""

    def effective(self, rules: PokerRules, strategies: Sequence[PokerStrategy]) -> LbrOptions:
        """As they are in force in this game, against these strategies."""
        _require_few_hole_cards(rules)
        is_heads_up = rules.num_seats == 2
        if self.lookahead > 1 and not is_heads_up:
            raise ConfigError(f"lookahead = {self.lookahead}; with {rules.num_seats} seats it must be 1")
        if self.lines == ALL_LINES and (reason := self.why_dealt(rules, strategies)):
            raise ConfigError(f"lines {ALL_LINES}: {reason}; {DEALT} can be had")
        is_known = self.lines == ALL_LINES or not any(strategy.is_sampled for strategy in strategies)
        return replace(self, imaginary=self.imaginary and is_heads_up and is_known, all_in=self.all_in and is_heads_up)

    def active_rounds(self, rules: PokerRules) -> tuple[int, ...]:
        """The rounds in which LBR chooses, from 0."""
        if not self.rounds:
            return tuple(range(rules.num_rounds))
        chosen: set[int] = set()
        for part in self.rounds.split(","):
            match = _ROUNDS.fullmatch(part.strip())
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
            if not 1 <= first <= last <= rules.num_rounds:
                name = rules.name or "the game"
                raise ConfigError(
                    f"rounds {self.rounds!r}: {part.strip()!r} is none of the {rules.num_rounds} rounds of {name};"
                    " write 3-4, 4 or 1,3"
                )
            chosen.update(range(first - 1, last))
        return tuple(sorted(chosen))


@dataclass(frozen=True, eq=False)
class LbrHands:
    """Hands that LBR has played. D deals, S seatings of each (1 where they are not duplicated).

    chips:       `[D, S]` that LBR won.
    dealt_chips: `[D, S]` the same against the hand that the opponent really held; noisier.
    seats:       `[D, S]` where it sat.
    end_rounds:  `[D, S]` of the last action.
    lines:       `[D * S]` the betting of each hand, if asked for.
    queries:     states that the strategies were asked about.
    boards:      with which those of the game begin; none: all.
    """

    chips: np.ndarray
    dealt_chips: np.ndarray
    seats: np.ndarray
    end_rounds: np.ndarray
    lines: tuple[str, ...]
    queries: int
    boards: tuple[tuple[int, ...], ...] = ()


def play_lbr(
    rules: PokerRules,
    strategies: Sequence[PokerStrategy],
    options: LbrOptions,
    *,
    seed: int = 0,
    first_deal: int = 0,
    num_deals: int,
    has_lines: bool = False,
    stand_in: PokerStrategy | None = None,
    boards: Sequence[Sequence[int]] = (),
    seat: int | None = None,
) -> LbrHands:
    """Play deals against strategies, one for each other seat, in the seatings of `lbr_seatings`.

    The same deals, seed and strategies give the same hands, however they are cut into calls.

    stand_in: plays in LBR's place, with the same cards against the same others.
    boards:   with which those of the game begin, each alike likely beside hole cards that leave it; none: all.
    seat:     of LBR; None: it sits at all of them.
    """
    options = options.effective(rules, strategies)
    opponents = _opponents(rules, strategies, options, seed)
    if stand_in is not None:
        opponents.append(opponent_of(rules, stand_in, options.samples, (seed, len(opponents))))
    seatings = lbr_seatings(rules, strategies)
    if seat is not None:
        seatings = np.ascontiguousarray(seatings[np.argmin(seatings, axis=1) == seat])
    begun = tuple(tuple(board) for board in boards)
    batch = _native.LbrBatch(
        rules.native,
        options.abstraction(strategies).native(rules),
        sum(1 << number for number in options.active_rounds(rules)),
        options.lookahead == 2,
        options.imaginary,
        options.all_in,
        [opponent.native for opponent in opponents],
        preflop_table(rules),
        seatings,
        seed,
        first_deal,
        num_deals,
        options.duplicate,
        has_lines,
        begun,
    )
    while not batch.advance():
        answered = [opponent.answer() for opponent in opponents]
        assert any(answered), "a hand that is not finished waits for an answer"
    num_seatings = len(seatings) if options.duplicate else 1
    chips, dealt_chips = (np.empty((num_deals, num_seatings)) for _ in range(2))
    end_rounds = np.empty(chips.shape, np.int8)
    batch.read(chips, dealt_chips, end_rounds)
    numbers = np.arange(first_deal, first_deal + num_deals)[:, None] % len(seatings)
    seatings_of = np.arange(len(seatings))[None, :] if options.duplicate else numbers
    seats = np.broadcast_to(np.argmin(seatings, axis=1)[seatings_of], chips.shape)
    return LbrHands(chips, dealt_chips, seats, end_rounds, tuple(batch.lines), batch.num_queries, begun)


def lbr_decision(
    state: PublicState, hole_cards: Sequence[int], strategies: Sequence[PokerStrategy], options: LbrOptions
) -> Action:
    """What LBR does with this hand when it is to act; the others sit to its left in order."""
    rules = state.rules
    if state.seat < 0:
        raise IllegalActionError(f"nobody is to act after {state.betting!r}")
    seen = [*hole_cards, *state.board]
    if len(hole_cards) != rules.num_hole_cards or len({*seen}) < len(seen) or not {*seen} <= {*rules.deck}:
        raise ConfigError(
            f"hole cards {list(hole_cards)}: {rules.num_hole_cards} of the deck that are not on the board are needed"
        )
    options = options.effective(rules, strategies)
    opponents = _opponents(rules, strategies, options, 0)
    seating = np.roll(np.arange(rules.num_seats, dtype=np.int8), state.seat)
    bets = options.abstraction(strategies).native(rules)
    active = sum(1 << number for number in options.active_rounds(rules))
    while True:
        action = _native.lbr_decision(
            state.native,
            rules.native,
            bets,
            active,
            options.lookahead == 2,
            [opponent.native for opponent in opponents],
            preflop_table(rules),
            np.ascontiguousarray(seating),
            list(hole_cards),
        )
        if action is not None:
            return action
        for opponent in opponents:
            opponent.answer()


def lbr_seatings(rules: PokerRules, strategies: Sequence[PokerStrategy]) -> np.ndarray:
    """`[S, N]` who sits where: LBR, 0, at each seat in turn, the others to its left in every order that differs."""
    others = range(len(strategies))
    orders = [tuple(others)]
    if any(strategy is not strategies[0] for strategy in strategies):
        by_kind: dict[tuple[int, ...], tuple[int, ...]] = {}
        for order in permutations(others):  # the first of those that seat the same strategies
            by_kind.setdefault(tuple(id(strategies[i]) for i in order), order)
        orders = list(by_kind.values())
    seatings = [np.roll([0, *(1 + i for i in order)], seat) for order in orders for seat in range(rules.num_seats)]
    return np.array(seatings, dtype=np.int8)


def preflop_table(rules: PokerRules) -> _native.PreflopChances | None:
    """The table of hold'em's first round serves five board cards however they are dealt."""
    has_table = len(rules.deck) == 52 and rules.num_hole_cards == 2 and rules.total_board_cards == 5
    return load_preflop_chances() if has_table else None


def _require_few_hole_cards(rules: PokerRules) -> None:
    if rules.num_hole_cards > 2:
        raise UnsupportedGameError(
            f"{rules.name or 'the game'} deals {rules.num_hole_cards} hole cards; LBR plays games with one or two"
        )


def _opponents(
    rules: PokerRules, strategies: Sequence[PokerStrategy], options: LbrOptions, seed: int
) -> list[Opponent]:
    _require_few_hole_cards(rules)
    if len(strategies) != rules.num_seats - 1:
        raise ConfigError(
            f"{len(strategies)} strategies; LBR needs one for each of the {rules.num_seats - 1} other seats"
        )
    return [opponent_of(rules, strategy, options.samples, (seed, number)) for number, strategy in enumerate(strategies)]
