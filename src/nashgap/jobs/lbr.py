"""Measure by Local Best Response: batches of deals and what they add up to."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from nashgap import _native
from nashgap.cards.card import parse_cards
from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError, OptionError
from nashgap.jobs.dealing import DealsJob, curve_steps
from nashgap.jobs.lbr_bound import (
    METHOD,
    LbrBound,
    LbrGain,
    LbrSplit,
    bound_of,
    corrected_rows,
    estimate_of,
    paired_difference,
    seat_sums,
)
from nashgap.jobs.perform import Keep, perform
from nashgap.measures.controls import crossed
from nashgap.measures.flops import ALL, Flops, FlopsAsked, asked_flops
from nashgap.measures.lbr_lines import all_boards, follow_lines, num_boards
from nashgap.measures.leak_keys import HAND_CLASS, hand_classes, ordered_keys
from nashgap.measures.leaks import combine_leaks, count_leaks
from nashgap.measures.line_leaks import count_line_leaks
from nashgap.measures.local_best_response import (
    ALL_LINES,
    DEALT,
    ON_TREE,
    LbrHands,
    LbrOptions,
    lbr_seatings,
    play_lbr,
)
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.runs.progress import Progressing
from nashgap.runs.workers import Workers
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.bot import Bot
from nashgap.strategies.bot import by_hand as asked_by_hand
from nashgap.strategies.chumps import Chump
from nashgap.strategies.load import load, rules_of
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = [
    "DEFAULT_DEALS",
    "LbrJob",
    "measure_lbr",
    "perform_split",
    "require_split",
    "usual_deals",
    "with_lines",
]

DEFAULT_DEALS = 10_000
DEFAULT_LINE_DEALS = 400  # each with all hands and lines
MOST_BOARDS = 2_000  # that are all followed, so that nothing is left to chance
DEALS_PER_BATCH = 500  # a fraction of a second against the engine's own strategies
LINE_DEALS_PER_BATCH = 20
ASKED_DEALS_PER_BATCH = 20
TRIAL_DEALS = 20


@dataclass(frozen=True, kw_only=True)
class LbrJob(DealsJob):
    """LBR against strategies, complete.

    strategies: one for each other seat.
    has_leaks:  count where the winnings come from; the numbers stay the same.
    flops:      the only ones of the game that is played, where it is not the whole game.
    drawn:      or so many, drawn with the seed, and all that a renaming of suits makes of them.
    takes_off_luck: of the cards, where lines of a bot that is asked are followed.
    """

    kind: ClassVar[str] = "lbr"

    strategies: tuple[Bot, ...]
    options: LbrOptions = field(default_factory=LbrOptions)
    has_leaks: bool = False
    flops: tuple[str, ...] = ()
    drawn: int = 0
    takes_off_luck: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.strategies) != self.rules.num_seats - 1:
            raise ConfigError(
                f"{len(self.strategies)} strategies; in {self.rules.name or 'the game'} LBR needs one for each of the"
                f" {self.rules.num_seats - 1} other seats"
            )
        if self.deals < 2 * self.rules.num_seats:
            raise ConfigError(f"deals = {self.deals}; an interval needs at least {2 * self.rules.num_seats}")
        self.options.active_rounds(self.rules)
        self.options.effective(self.rules, self.players)
        self.options.abstraction(self.players).native(self.rules)
        if self.is_exact:
            object.__setattr__(self, "deals", num_boards(self.rules))
        if self.batch_deals is None:
            object.__setattr__(self, "batch_deals", self._usual_batch())

    @property
    def bots(self) -> tuple[Bot, ...]:
        return self.strategies

    def identity(self) -> dict[str, Any]:
        """Of the whole game, hand by hand, as it was before games of some flops were played and lines followed."""
        told = {key: item for key, item in super().identity().items() if key not in ("flops", "drawn") or item}
        if not self.follows_lines:
            told["options"] = {key: item for key, item in told["options"].items() if key not in ("lines", "stake")}
            del told["takes_off_luck"]
        return told

    @property
    def follows_lines(self) -> bool:
        """Whether all hands play all lines of the betting at once."""
        return self.options.lines == ALL_LINES

    @property
    def is_exact(self) -> bool:
        """Whether all boards of the game are followed and no line is drawn: the mean itself."""
        draws = self.options.stake > 0 or any(player.is_sampled for player in self.players)
        return self.follows_lines and not draws and not self.flops_text and num_boards(self.rules) <= MOST_BOARDS

    @property
    def finds_luck(self) -> bool:
        """Whether the luck of cards is found and taken off: where an answer costs more than that."""
        return self.takes_off_luck and self.follows_lines and not self.is_exact and not self.is_native

    @cached_property
    def boards(self) -> tuple[tuple[int, ...], ...]:
        """The flops of the game that is played, some perhaps several times; none: all."""
        if self.drawn:
            flops = Flops(self.rules)
            drawn = [flops.boards[place] for place in flops.drawn(self.drawn, self.seed)]
            return tuple(tuple(image) for board in drawn for image in flops.images(board).tolist())
        return tuple(parse_cards(text) for text in self.flops)

    @property
    def flops_text(self) -> str:
        """As they are asked for; empty where it is the whole game."""
        return str(self.drawn) if self.drawn else ", ".join(self.flops)

    @property
    def num_seatings(self) -> int:
        return len(lbr_seatings(self.rules, self.players)) if self.options.duplicate else 1

    @cached_property
    def players(self) -> tuple[PokerStrategy, ...]:
        """One for each other seat; the same object where it is the same strategy."""
        firsts = [self.strategies.index(bot) for bot in self.strategies]
        loaded = {first: load(self.strategies[first], self.rules) for first in firsts}
        for first, player in loaded.items():
            if isinstance(player, AbstractStrategy):
                player.require_complete(self.strategies[first].text)
        return tuple(loaded[first] for first in firsts)

    @property
    def is_native(self) -> bool:
        """Whether the engine has all the answers."""
        return all(isinstance(player, Chump | AbstractStrategy) for player in self.players)

    @property
    def size_text(self) -> str:
        slow = [slowness for player in self.players if (slowness := getattr(player, "slowness", ""))]
        return super().size_text + (f", slowly: {slow[0]}" if slow else "")

    def command(self, found: LbrBound) -> str | None:
        """In a game that is shipped."""
        if not self.rules.is_shipped or any(not bot.is_named for bot in self.strategies):
            return None
        options, default = self.options, LbrOptions()
        words = ["nashgap", "measure", *dict.fromkeys(bot.text for bot in self.strategies)]
        words += ["--game", self.rules.name, "--by", METHOD, "--bets", options.bets]
        words += ["--rounds", options.rounds] if options.rounds else []
        words += ["--samples", str(options.samples)] if options.samples != default.samples else []
        words += ["--lookahead", str(options.lookahead)] if options.lookahead != default.lookahead else []
        words += [] if options.lines == self._usual_lines else ["--lines", options.lines]
        usual = _usual_stake(self.rules)
        words += ["--stake", f"{options.stake:g}"] if self.follows_lines and options.stake != usual else []
        for name in ("duplicate", "imaginary", "all_in"):
            words += [] if getattr(options, name) else [f"--no-{name.replace('_', '-')}"]
        words += ["--report", "leaks.html"] if self.has_leaks else []
        words += ["--flops", self.flops_text] if self.flops_text else []
        return shlex.join([*words, "--deals", str(self.deals), "--seed", str(self.seed)])

    @property
    def _usual_lines(self) -> str:
        """Where nothing else was asked for."""
        return DEALT if self.options.why_dealt(self.rules, self.players) else ALL_LINES

    def expected_seconds(self) -> float | None:
        """None with somebody's own strategy, which is not asked for a trial."""
        if not self.is_native:
            return None
        trial = replace(self, batch_deals=TRIAL_DEALS, deals=2 * TRIAL_DEALS, has_leaks=False)
        trial.run_batch(0)  # pays for what happens only once
        begin = time.perf_counter()
        trial.run_batch(1)
        return (time.perf_counter() - begin) * self.deals / TRIAL_DEALS

    def run_batch(self, index: int) -> dict[str, Any]:
        """Sums of the batch, in chips.

        samples: `[deals, sum, sum of squares]` of a deal's mean over its seatings.
        seats:   by seat of LBR, `[hands, sum, sum of squares]`; without duplicates the samples of its stratum.
        rounds:  by last round, `[hands, sum, sum of squares]`.
        luck:    of a deal's mean, then by seat: what they go with (`nashgap.measures.controls`); where it is found.
        gains:   where the strategies differ, for each of them samples and seats of what LBR won more than it does in
                 LBR's place.
        leaks:   see `count_leaks`; where they are counted.
        """
        if self.follows_lines:
            return self._follow(index)
        played = self._play(index, has_lines=self.has_leaks)
        chips, first = played.chips, self.batch_range(index)[0]
        leaks = count_leaks(self.rules, played, seed=self.seed, first_deal=first) if self.has_leaks else None
        gains = [self._tally(chips - self._play(index, stand_in=each).chips, played) for each in self._stand_ins]
        return {
            **self._tally(chips, played),
            "rounds": [_sums(chips[played.end_rounds == number]) for number in range(self.rules.num_rounds)],
            "queries": played.queries,
            **({"gains": gains} if gains else {}),
            **({"leaks": leaks} if leaks else {}),
        }

    def _follow(self, index: int) -> dict[str, Any]:
        """The same sums where lines are followed: hands are shares of them."""
        first, number = self.batch_range(index)
        numbers = range(first, first + number)
        if self.is_exact:
            boards = all_boards(self.rules)[first : first + number]
        else:
            seen = self.rules.num_seats * self.rules.num_hole_cards
            boards = [_native.deal_cards(self.rules.native, self.seed, deal, self.boards)[seen:] for deal in numbers]
        class_of = None
        if self.has_leaks:
            rounds = [self.rules.board_cards_by(each) for each in range(self.rules.num_rounds)]
            class_of = np.array([[hand_classes(self.rules, board[:seen]) for seen in rounds] for board in boards])
        played = follow_lines(
            self.rules,
            self.players[0],
            self.options,
            list(zip(numbers, boards, strict=True)),
            seed=self.seed,
            num_chosen_cards=len(self.boards[0]) if self.boards else 0,
            finds_luck=self.finds_luck,
            num_classes=len(ordered_keys(self.rules, HAND_CLASS)),
            class_of=class_of,
        )
        chips = played.chips.sum(axis=2)
        luck = [(chips.mean(axis=1), played.luck.mean(axis=1)), *zip(chips.T, played.luck.swapaxes(0, 1), strict=True)]
        leaks = count_line_leaks(self.rules, played, boards, first_deal=first) if self.has_leaks else None
        rounds_of = zip(played.mass.sum(axis=(0, 1)), played.chips.sum(axis=(0, 1)), strict=True)
        return {
            "samples": _sums(chips.mean(axis=1)),
            "seats": [_sums(chips[:, seat]) for seat in range(self.rules.num_seats)],
            "rounds": [[float(mass), float(won), 0.0] for mass, won in rounds_of],
            "queries": played.queries,
            **({"luck": [crossed(*each).tolist() for each in luck]} if self.finds_luck else {}),
            **({"leaks": leaks} if leaks else {}),
        }

    def _play(self, index: int, *, has_lines: bool = False, stand_in: PokerStrategy | None = None) -> LbrHands:
        first, number = self.batch_range(index)
        return play_lbr(
            self.rules,
            self.players,
            self.options,
            seed=self.seed,
            first_deal=first,
            num_deals=number,
            has_lines=has_lines,
            stand_in=stand_in,
            boards=self.boards,
        )

    @cached_property
    def _stand_ins(self) -> tuple[PokerStrategy, ...]:
        """Each strategy once, where they differ; where all are the same, what LBR wins is what it gains on them."""
        different = tuple({id(player): player for player in self.players}.values())
        return different if len(different) > 1 else ()

    def _tally(self, chips: np.ndarray, played: LbrHands) -> dict[str, Any]:
        seats = [_sums(chips[played.seats == seat]) for seat in range(self.rules.num_seats)]
        return {"samples": _sums(chips.mean(axis=1)), "seats": seats}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> LbrBound:
        rules, unit_chips = self.rules, self.rules.unit_chips
        seats = corrected_rows(batches)[1:] if self.finds_luck else seat_sums(batches)
        rounds = np.sum([batch["rounds"] for batch in batches], axis=0)
        hands = int(seats[:, 0].sum())
        leaks = None
        if self.has_leaks:
            leaks = combine_leaks(
                rules,
                (batch["leaks"] for batch in batches),
                seed=self.seed,
                method=METHOD,
                is_exact=self.is_exact,
            )
        gains = [[batch["gains"][number] for batch in batches] for number in range(len(self._stand_ins))]
        return LbrBound(
            job=self,
            estimate=self.estimate(batches),
            by_seat=tuple(self._estimate(row) for row in seats),
            gains=tuple(
                LbrGain(bot.text, self.estimate(parts), tuple(map(self._estimate, seat_sums(parts))))
                for bot, parts in zip(dict.fromkeys(self.strategies), gains, strict=False)
            ),
            by_round=tuple((float(row[0]) / hands, _mean(row) / unit_chips) for row in rounds),
            deals=sum(int(batch["samples"][0]) for batch in batches),
            hands=hands,
            queries=sum(batch["queries"] for batch in batches),
            options=self.options.effective(rules, self.players),
            rounds=self.options.active_rounds(rules),
            batch_chips=np.array([batch["samples"][1] / batch["samples"][0] for batch in batches]),
            course=tuple(self.estimate(batches[:step]) for step in curve_steps(len(batches))),
            leaks=leaks,
        )

    def estimate(self, batches: Sequence[Mapping[str, Any]]) -> Estimate:
        """The bound of these batches."""
        options = {"is_duplicate": self.options.duplicate, "is_exact": self.is_exact}
        return bound_of(batches, self.rules, self.seed, **options)

    def _estimate(self, row: np.ndarray) -> Estimate:
        return estimate_of(row, self.rules, self.seed, is_exact=self.is_exact)

    def _usual_batch(self) -> int:
        if self.follows_lines:
            return LINE_DEALS_PER_BATCH
        has_few_states = self.rules.num_hole_cards == 1 and not any(player.is_sampled for player in self.players)
        if self.is_native or has_few_states:
            return DEALS_PER_BATCH
        return min(getattr(player, "deals_per_batch", ASKED_DEALS_PER_BATCH) for player in self.players)


def measure_lbr(
    bots: tuple[Bot, ...],
    game: str | PokerRules | None,
    *,
    bets: str = "fcpa",
    rounds: str = "",
    deals: int | None = None,
    lines: str | None = None,
    stake: float | None = None,
    samples: int = 10,
    lookahead: int = 1,
    duplicate: bool = True,
    imaginary: bool = True,
    all_in: bool = True,
    leaks: bool = True,
    by_hand: bool = False,
    split: bool = False,
    advice: int | None = None,
    flops: FlopsAsked | None = None,
    seed: int = 0,
    workers: Workers = 1,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
) -> LbrBound:
    """A lower bound on what a best response wins, by Local Best Response; see `LbrOptions`.

    bots:    one for each other seat, or one that sits at all of them.
    deals:   each is played in every seating, unless not `duplicate`; 400 where lines are followed, else 10,000.
    lines:   `all` hands and lines of the betting on a dealt board, or `dealt` hand by hand; all where that can be had.
    stake:   in big blinds; lines with less at stake are drawn. Unless told, 0 in games of few boards, else 1.
    leaks:   tell where the winnings come from; the bound stays the same.
    by_hand: ask players that only play hand by hand: deterministic ones, and slowly.
    split:   tell what LBR wins with the bets of the strategy's own tree, and what other bets add.
    advice:  tell, for so many decisions, what to change and what that wins back; changes are played on other deals.
    flops:   play the game that has only these flops, perhaps with their turns: a list, or so many drawn with the seed
             and all that renaming suits makes of them.
    """
    from nashgap.jobs.advice import perform_advice, require_advice  # which plays with jobs of this module

    rules = _rules_for(bots, game)
    _, drawn, given = (ALL, 0, ()) if flops is None else asked_flops(flops, rules)
    seated = bots * (rules.num_seats - 1) if len(bots) == 1 else bots
    options = LbrOptions(bets, rounds, samples, duplicate, imaginary, all_in, lookahead)
    strategies = tuple(map(asked_by_hand, seated)) if by_hand else seated
    options = with_lines(options, rules, strategies, lines, stake, draws=advice is not None)
    job = LbrJob(
        rules=rules,
        strategies=strategies,
        deals=usual_deals(options) if deals is None else deals,
        options=options,
        seed=seed,
        has_leaks=leaks,
        flops=given,
        drawn=drawn,
    )
    if split:
        require_split(job)
    if advice is not None:
        require_advice(job, advice)
    bound: LbrBound = perform(job, run=run, workers=workers, fresh=fresh, progress=progress)
    bound = perform_split(bound, run=run, workers=workers, progress=progress) if split else bound
    if advice is None:
        return bound
    return perform_advice(bound, advice, run=run, workers=workers, fresh=fresh, progress=progress)


def with_lines(
    options: LbrOptions,
    rules: PokerRules,
    strategies: Sequence[Bot],
    lines: str | None,
    stake: float | None,
    *,
    draws: bool = False,
) -> LbrOptions:
    """The options with lines that are followed or dealt, as asked for or else as can be had.

    draws: whether what is played must depend on a seed, which it does not where all boards are followed.
    """
    if lines is None:
        loaded = [load(bot, rules) for bot in dict.fromkeys(strategies)]
        is_dealt = options.why_dealt(rules, loaded) or (draws and num_boards(rules) <= MOST_BOARDS)
        lines = DEALT if is_dealt else ALL_LINES
    if lines == DEALT:
        if stake is not None:
            raise OptionError("hands that are dealt have no lines to draw (`stake`)")
        return replace(options, lines=lines)
    return replace(options, lines=lines, stake=_usual_stake(rules) if stake is None else stake)


def usual_deals(options: LbrOptions) -> int:
    """Where nothing else is asked for."""
    return DEFAULT_LINE_DEALS if options.lines == ALL_LINES else DEFAULT_DEALS


def _usual_stake(rules: PokerRules) -> float:
    """None in games of few boards, where nothing is left to chance then."""
    return 0.0 if num_boards(rules) <= MOST_BOARDS else LbrOptions().stake


def _rules_for(bots: tuple[Bot, ...], game: str | PokerRules | None) -> PokerRules:
    """The game that is named, or that of the first strategy that has one."""
    if game is not None:
        return load_rules(game) if isinstance(game, str) else game
    for bot in bots:
        if (own := rules_of(bot)) is not None:
            return own
    raise OptionError(f"strategy {bots[0].text!r} may be for many games; name the game too (`game`)")


def require_split(job: LbrJob) -> LbrJob:
    """The job with bets on the tree only; refused where there is nothing to split."""
    own = replace(job, options=replace(job.options, bets=ON_TREE), has_leaks=False)  # has a tree
    if job.num_batches < 2:
        raise ConfigError(f"deals = {job.deals}; to split the bound takes more than {job.deals_per_batch}")
    return own


def perform_split(bound: LbrBound, *, run: Keep, workers: Workers, progress: Progressing) -> LbrBound:
    """The bound with its deals played once more with bets on the tree only, as a job of its own."""
    own: LbrBound = perform(require_split(bound.job), run=run, workers=workers, progress=progress)
    return replace(bound, split=LbrSplit(own.estimate, paired_difference(bound, own)))


def _mean(row: np.ndarray) -> float:
    return float(row[1] / row[0]) if row[0] > 0 else 0.0


def _sums(values: np.ndarray) -> list[float]:
    return [int(values.size), float(values.sum()), float(np.square(values).sum())]
