"""Measure by best responses: exactly in small games, and over all hands of a betting tree, board by board."""

from __future__ import annotations

import base64
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap.cards.card import format_cards, parse_cards
from nashgap.catalogue import POKER_GAMES, POKER_STRATEGIES
from nashgap.core.estimate import Estimate, significant
from nashgap.core.game import Game
from nashgap.core.job import BatchJob, budget, is_whole, require_seed
from nashgap.core.result import Result, frame
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, OptionError
from nashgap.jobs.perform import Keep, perform
from nashgap.measures.best_response import Exploitability, Gains
from nashgap.measures.best_response import measure_br as measure_small
from nashgap.measures.flops import ALL, DRAWN, GIVEN, Flops, FlopsAsked, asked_flops
from nashgap.measures.full_response import TreeResponse, Trunk, is_holdem
from nashgap.measures.played_tree import OWN, parse_tree, played_tree, require_two_seats
from nashgap.measures.subject import one_bot
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.runs.config import package_version
from nashgap.runs.progress import Progressing
from nashgap.runs.workers import Workers
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.bot import Bot, NamedBot
from nashgap.strategies.chumps import Chump
from nashgap.strategies.load import load, rules_of
from nashgap.strategies.spec import file_word

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FullGap", "FullResponseJob", "is_answered_exactly", "measure_br"]

METHOD = "br"
FULL = "full"
FEW_FLOPS = 100  # classes of flops that are all looked at where nobody says how many
USUAL_DRAWN = 20
NUM_PARTS = 10  # of drawn flops: each is answered as the others say
TRIAL_TURNS = 6


@dataclass(frozen=True, kw_only=True)
class FullResponseJob(BatchJob):
    """Best responses of both seats to one strategy; a board is a batch.

    tree:  `own`, of the strategy's abstract game; a betting abstraction; or both, `own+fcpa`.
    which: the flops: all of the game; so many, `drawn` with the seed; or those `given`, in the game that has no others,
           perhaps with their turns.
    """

    kind: ClassVar[str] = "br"

    rules: PokerRules
    strategy: Bot
    tree: str = OWN
    which: str = ALL
    given: tuple[str, ...] = ()
    seed: int = 0
    drawn: int = budget(0)

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if self.which not in (ALL, DRAWN, GIVEN):
            raise ConfigError(f"which = {self.which!r}; it must be one of {ALL}, {DRAWN}, {GIVEN}")
        if self.which == GIVEN and not self.given:
            raise ConfigError("no flops are given; write them as QsJh2h, Td9d6h")
        if self.which == DRAWN and (not is_whole(self.drawn) or self.drawn < 2):
            raise ConfigError(f"flops = {self.drawn}; an interval needs at least 2")

    @cached_property
    def response(self) -> TreeResponse:
        require_two_seats(self.rules)
        player = load(self.strategy, self.rules)
        has_own, bets = parse_tree(self.tree)
        if isinstance(player, AbstractStrategy):
            player.require_complete(self.strategy.text)
            if has_own and not bets and not player.grafts:
                return TreeResponse(player)
            return TreeResponse(player, played_tree(self.tree, self.rules, player))
        if has_own:
            raise ConfigError(
                f"{self.strategy.text} has no tree of its own; name one that has its moves, such as --tree full"
            )
        if isinstance(player, Chump):
            return TreeResponse(player, build_betting_tree(self.rules, parse_betting_abstraction(self.tree)))
        return TreeResponse(player, played_tree(self.tree, self.rules))

    @cached_property
    def boards(self) -> tuple[tuple[int, ...], ...]:
        """Of the batches, in their order."""
        flops = self.response.flops
        if self.which == GIVEN:
            return tuple(parse_cards(text) for text in self.given)
        if self.which == DRAWN:
            places = flops.drawn(self.drawn, self.seed)
            if self.response.has_equal_suits:
                places = [int(flops.firsts[flops.class_of[place]]) for place in places]
        else:
            places = flops.firsts.tolist() if self.response.has_equal_suits else list(range(len(flops.boards)))
        return tuple(tuple(flops.boards[place].tolist()) for place in places)

    @property
    def weights(self) -> np.ndarray:
        """`[batches]` how many flops each stands for."""
        if self.which == ALL and self.response.has_equal_suits:
            return self.response.flops.sizes.astype(np.float64)
        return np.ones(len(self.boards))

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.rules.name or 'game'}-{file_word(self.strategy.text)}"[:80]

    @property
    def size_text(self) -> str:
        number = len(self.boards)
        what = f"{self.kind_of_board}s" if number > 1 else self.kind_of_board
        suits = " up to suits" if self.which == ALL and self.response.has_equal_suits else ""
        asked = f", {self.num_questions:,} questions to {self.strategy.text}" if self.response.asked else ""
        return f"{self.rules.name or 'a game of its own'}: best responses on {number:,} {what}{suits}{asked}"

    @property
    def kind_of_board(self) -> str:
        return "flop" if len(self.boards[0]) == self.response.flops.num_cards else "board"

    @property
    def num_questions(self) -> int:
        """That the strategy is asked; 0 where the engine has all its answers."""
        asked = self.response.asked
        return sum(map(asked.num_questions, self.boards)) if asked else 0

    def command(self, found: FullGap) -> str | None:
        if not self.rules.is_shipped or not self.strategy.is_named:
            return None
        flops = {ALL: ALL, DRAWN: str(self.drawn), GIVEN: ", ".join(self.given)}[self.which]
        words = ["nashgap", "measure", self.strategy.text, "--game", self.rules.name, "--by", METHOD]
        words += ["--tree", self.tree, "--flops", flops]
        return shlex.join([*words, *(["--seed", str(self.seed)] if self.which == DRAWN else [])])

    def expected_seconds(self) -> float:
        """By a few questions; or by the board with the most run-outs, once with one card and once with a few."""
        if asked := self.response.asked:
            return asked.expected_seconds(self.boards)
        numbers = np.array([self.response.flops.num_run_outs(board) for board in self.boards])
        board = self.boards[int(numbers.argmax())]

        def seconds(most_next: int) -> float:
            begin = time.perf_counter()
            self.response.at_board(board, most_next=most_next)
            return time.perf_counter() - begin

        if self.rules.num_rounds <= 2 or self.response.is_blind or len(board) >= self.rules.total_board_cards:
            return seconds(0) * self.num_batches
        seconds(1)  # the first takes memory, which the others have then
        once, more = seconds(1), seconds(1 + TRIAL_TURNS)
        turns = numbers * (len(self.rules.deck) - len(board)) / numbers.max()  # as if each had the most rivers
        return float(np.sum(once + (turns - 1) * max(0.0, more - once) / TRIAL_TURNS))

    @property
    def num_batches(self) -> int:
        return len(self.boards)

    def describe_batch(self, index: int) -> str:
        board = self.given[index] if self.given else format_cards(reversed(self.boards[index]))
        return f"{self.kind_of_board} {board}"

    def run_batch(self, index: int) -> dict[str, Any]:
        """What comes of the board: `payoffs` of both seats as packed rows, and the first seat's `value`, in chips."""
        found = self.response.at_board(self.boards[index])
        if self._is_by_class:
            found = found.by_class(self.response.flops.hand_classes)
        return {"payoffs": [_packed(each) for each in found.payoffs], "value": found.value}

    @property
    def _is_by_class(self) -> bool:
        """Whether a batch stands for all images of its flop, over which only classes of hands matter."""
        return self.which != GIVEN and self.response.has_equal_suits

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> FullGap:
        seats = self.response.trunks(self.boards[0])
        hands = self.response.flops.hand_classes
        width = int(hands.max()) + 1 if self._is_by_class else len(hands)
        payoffs = [np.stack([_unpacked(batch["payoffs"][seat], width) for batch in batches]) for seat in range(2)]
        weights = self.weights / self.weights.sum()
        own = np.array([batch["value"] for batch in batches])
        unit_chips = self.rules.unit_chips
        best = [
            seat.best_value(self.boards, weights[:, None, None] * rows)
            for seat, rows in zip(seats, payoffs, strict=True)
        ]
        value = float(weights @ own)
        fresh: tuple[Estimate, ...] = ()
        if self.which == DRAWN:
            won = np.array([_on_fresh_flops(seat, rows) for seat, rows in zip(seats, payoffs, strict=True)])
            gains = np.stack([won[0] - own, won[1] + own, won.mean(axis=0)]) / unit_chips
            fresh = tuple(
                Estimate.from_samples(row, unit=self.rules.unit, method=METHOD, seed=self.seed) for row in gains
            )
        return FullGap(
            job=self,
            values=(value / unit_chips, -value / unit_chips),
            best_values=(best[0] / unit_chips, best[1] / unit_chips),
            queries=self.num_questions,
            fresh=fresh,
        )


def _on_fresh_flops(seat: Trunk, payoffs: np.ndarray) -> np.ndarray:
    """`[flops]` what the seat wins on each, if the answers before the flop are those that are best on other flops."""
    part = np.arange(len(payoffs)) % min(NUM_PARTS, len(payoffs))
    won = np.empty(len(payoffs))
    for number in range(part.max() + 1):
        _, choices = seat.choose(payoffs[part != number].mean(axis=0))
        for place in np.flatnonzero(part == number).tolist():
            won[place] = seat.evaluate(payoffs[place], choices)
    return won


def _packed(payoffs: np.ndarray) -> str:
    return base64.b64encode(payoffs.astype("<f4").tobytes()).decode()


def _unpacked(text: str, width: int) -> np.ndarray:
    rows: np.ndarray = np.frombuffer(base64.b64decode(text), "<f4").astype(np.float64).reshape(-1, width)
    return rows


@dataclass(frozen=True, eq=False, repr=False)
class FullGap(Gains, Result):
    """What both seats could gain by best responses that stay in the betting tree, in the game's unit.

    values:      by seat, of the strategy against itself, on the flops that were looked at.
    best_values: by seat, of a best response there: exact where these are all flops of the game; on drawn flops the
                 optimistic side, since the answers before the flop were chosen on the same flops.
    queries:     public states that the strategy was asked about; 0 where the engine has all its answers.
    fresh:       on drawn flops, the gain of each seat and their mean on flops on which nothing was chosen: lower
                 bounds. Empty elsewhere.
    """

    reporter: ClassVar[str] = "nashgap.reports.full_response:full_gap_report"

    job: FullResponseJob
    values: tuple[float, float]
    best_values: tuple[float, float]
    queries: int = 0
    fresh: tuple[Estimate, ...] = ()

    @property
    def strategy(self) -> str:
        return self.job.strategy.text

    @property
    def game(self) -> str:
        return self.job.rules.name or "a game of its own"

    @property
    def unit(self) -> str:
        return self.job.rules.unit

    @property
    def estimate(self) -> Estimate | None:
        """The exploitability on drawn flops, a lower bound; None where it is known exactly."""
        return self.fresh[2] if self.fresh else None

    @property
    def place(self) -> str:
        """Where it is true."""
        tree = "its own betting tree" if self.job.tree == OWN else f"the betting tree {self.job.tree}"
        number, kind = self.job.num_batches, self.job.kind_of_board
        flops = {
            ALL: "all flops",
            DRAWN: f"{number:,} flops drawn with seed {self.job.seed}",
            GIVEN: f"the game whose {kind}s are these {number:,}" if number > 1 else f"the game of this one {kind}",
        }[self.job.which]
        return f"{tree}, {flops}"

    @property
    def summary(self) -> str:
        begin = f"{self.strategy} in {self.game}, in {self.place}:"
        if self.estimate is None:
            asked = f" It was asked {self.queries:,} questions." if self.queries else ""
            won = f"{significant(self.exploitability, 6)} {self.unit}"
            return f"{begin} a best response wins {won} more, exactly.{asked}"
        lower, optimistic = significant(self.estimate.lower_bound_975), significant(self.exploitability)
        return (
            f"{begin} a response wins {self.estimate} more on flops on which it was not chosen, so that a best one wins"
            f" at least {lower} with 97.5% confidence; on those on which it was chosen {optimistic}."
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each seat, from 1."""
        numbers = zip(self.values, self.best_values, self.gains, strict=True)
        rows = [(seat, *row, self.unit) for seat, row in enumerate(numbers, 1)]
        return frame(("seat", "value", "best_response_value", "gain", "unit"), rows)

    def as_dict(self) -> dict[str, Any]:
        told = None if self.estimate is None else self.estimate.as_dict()
        return {
            "strategy": self.strategy,
            "game": self.game,
            "unit": self.unit,
            "tree": self.job.tree,
            "flops": list(self.job.given) if self.job.which == GIVEN else self.job.which,
            "num_flops": self.job.num_batches,
            "queries": self.queries,
            "is_exact": self.estimate is None,
            "nash_conv": self.nash_conv,
            "exploitability": self.exploitability,
            "values": list(self.values),
            "gains": list(self.gains),
            "best_response_values": list(self.best_values),
            **(
                {"on_fresh_flops": told, "gains_on_fresh_flops": [each.as_dict() for each in self.fresh[:2]]}
                if told
                else {}
            ),
            "method": METHOD,
            "seed": self.job.seed,
            "seconds": self.provenance.seconds,
            "version": package_version(),
        }


def measure_br(
    bots: tuple[Bot, ...],
    game: str | Game | GameTree | PokerRules | None,
    *,
    tree: str | None = None,
    flops: FlopsAsked | None = None,
    seed: int | None = None,
    workers: Workers | None = None,
    run: Keep = None,
    fresh: bool | None = None,
    progress: Progressing = None,
) -> Exploitability | FullGap:
    """Exact best responses, in a small game; or in a betting tree, over all hands and boards.

    tree:    `own`, that of the strategy's abstract game; a betting abstraction, which must have all moves of the
             strategy; or `own+fcpa`: those bets, and what the strategy may do beside them.
    flops:   how many to draw, `all`, or a list of them, perhaps with their turns; all where a game has few, else 20.
    seed:    of the drawn flops.
    """
    bot = one_bot(bots, METHOD)
    rules = _large_poker(bot, game) if tree is None else _rules(bot, game)
    if rules is None:
        told = {"flops": flops, "seed": seed, "workers": workers, "run": run, "fresh": fresh}
        if extra := [name for name, value in told.items() if value is not None]:
            raise OptionError(f"`{extra[0]}` of br goes with `tree`, the betting tree in which to answer")
        return measure_small(bots, game)
    is_blind = tree is None
    usual: FlopsAsked = ALL if is_blind or len(Flops(rules).firsts) <= FEW_FLOPS else USUAL_DRAWN
    which, drawn, given = asked_flops(usual if flops is None else flops, rules)
    job = FullResponseJob(
        rules=rules,
        strategy=bot,
        tree=FULL if tree is None else tree,
        which=which,
        given=given,
        drawn=drawn,
        seed=seed or 0 if drawn else 0,
    )
    processes = 1 if workers is None else workers
    found: FullGap = perform(job, run=run, workers=processes, fresh=bool(fresh), progress=progress)
    return found


def _rules(bot: Bot, game: str | Game | GameTree | PokerRules | None) -> PokerRules:
    if game is not None and not isinstance(game, str | PokerRules):
        raise ConfigError("tree: best responses in a betting tree are for poker")
    rules = load_rules(game) if isinstance(game, str) else game or rules_of(bot)
    if rules is None:
        raise OptionError(f"strategy {bot.text!r} may be for many games; name the game too (`game`)")
    return rules


def is_answered_exactly(bot: Bot, rules: PokerRules) -> bool:
    """Whether `measure_br` answers over all bets and flops at once: a strategy that ignores its cards, in limit."""
    return _large_poker(bot, rules) is not None


def _large_poker(bot: Bot, game: str | Game | GameTree | PokerRules | None) -> PokerRules | None:
    """Limit hold'em of two, where a strategy that ignores its cards is answered with all bets and on all flops."""
    if not isinstance(bot, NamedBot) or bot.name not in POKER_STRATEGIES.entries:
        return None
    if isinstance(game, str) and game not in POKER_GAMES.entries:
        return None
    rules = load_rules(game) if isinstance(game, str) else game
    if not isinstance(rules, PokerRules) or rules.num_seats != 2 or rules.has_sizes or not is_holdem(rules):
        return None
    return rules if isinstance(load(bot, rules), Chump) else None
