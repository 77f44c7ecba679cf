"""Section 2.2.2: what a strategy that was trained with fewer bets a round loses where all bets are allowed.

Reported from Zinkevich, Bowling & Burch (2007): a strategy for heads-up limit hold'em with 2 bets before the flop and 3
after it is exploitable by 11 mb/h in its own abstract game and by 27 mb/h in the one with the same buckets and all
bets. A millibet is a thousandth of a small bet (footnote 2); "exploitable" is taken as the mean of what a best response
gains in the two positions, half of NashConv.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.core.estimate import Estimate, format_interval
from nashgap.core.job import BatchJob, require_seed
from nashgap.jobs.reproduction import Request, command_of
from nashgap.measures.bucket_response import bucket_gap
from nashgap.papers.training import TrainedAgent, train
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.reports.report import Report, Table, Text
from nashgap.runs import package_version
from nashgap.solvers.recipe import Recipe, load_recipe
from nashgap.strategies.abstract_file import load_abstract_strategy
from nashgap.strategies.bot import Bot
from nashgap.strategies.larger_tree import on_larger_tree

__all__ = ["Gains", "Gap", "GapsJob", "section_2_2_2"]

CAPPED, FULL = "hulh-5-capped", "hulh-5"
PUBLISHED_OWN, PUBLISHED_FULL = 11.0, 27.0
MB = 1000.0  # in a small bet
# What a cap of 2 bets before the flop and 3 after it can mean.
READINGS = {"full caps=2/3/3/3": "2 raises before the flop", "full caps=1/3/3/3": "1 raise before the flop"}
DEALS = 4_000_000
QUICK_MINUTES, QUICK_DEALS = 0.25, 200_000
DEALS_PER_SECOND = 200_000  # about, of sampling; for the forecast


@dataclass(frozen=True)
class Gap:
    """One measurement.

    bot:     the strategy, a file.
    betting: of the abstract game in which it is measured; empty for its own.
    """

    name: str
    bot: Bot
    betting: str = ""


@dataclass(frozen=True)
class Gains:
    """What best responses gain: by seat, and both together."""

    by_seat: tuple[Estimate, ...]
    nash_conv: Estimate


@dataclass(frozen=True)
class GapsJob(BatchJob):
    """Best responses to strategies within abstract games, one a batch.

    deals: that the responses are chosen on, and as many again that they are evaluated on.
    """

    kind: ClassVar[str] = "thesis-gaps"

    gaps: tuple[Gap, ...]
    deals: int
    seed: int

    def __post_init__(self) -> None:
        require_seed(self.seed)

    @property
    def name(self) -> str:
        return "thesis-section-2.2.2"

    @property
    def num_batches(self) -> int:
        return len(self.gaps)

    def describe_batch(self, index: int) -> str:
        return self.gaps[index].name

    def run_batch(self, index: int) -> dict[str, Any]:
        gap = self.gaps[index]
        strategy = load_abstract_strategy(gap.bot.text)
        game = strategy.game
        if gap.betting:
            tree = build_betting_tree(strategy.rules, parse_betting_abstraction(gap.betting))
            game = AbstractGame(tree, game.cards)
        tables = on_larger_tree(strategy, game) if gap.betting else strategy.tables
        found = bucket_gap(game, tables, num_deals=self.deals, seed=self.seed)
        return {"by_seat": [gain.as_dict() for gain in found.gains], "nash_conv": found.nash_conv.as_dict()}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> list[Gains]:
        return [
            Gains(tuple(Estimate(**gain) for gain in batch["by_seat"]), Estimate(**batch["nash_conv"]))
            for batch in batches
        ]


def section_2_2_2(request: Request) -> Report:
    """The 11 and 27 mb/h of betting round reduction beside ours, for both readings of a 2-bet cap before the flop."""
    full = load_recipe(FULL)
    agents = {words: _trained(_capped(betting), request) for betting, words in READINGS.items()}
    reference = _trained(full, request)
    deals = QUICK_DEALS if request.is_quick else DEALS
    gaps = [
        Gap(f"{words.split(' before')[0]}, {where}", agent.bot(), betting)
        for words, agent in agents.items()
        for where, betting in (("own game", ""), ("all bets", str(full.betting)))
    ]
    gaps.append(Gap("all bets, own game", reference.bot()))
    job = GapsJob(tuple(gaps), deals, request.seed)
    minutes = 2 * deals * job.num_batches / DEALS_PER_SECOND / 60
    request.note(
        f"{job.num_batches} pairs of best responses to {deals:,} deals, about {max(1, round(minutes))} minutes"
    )
    found: list[Gains] = request.perform_own(job)
    ours = [_in_millibets(each.nash_conv, 0.5) for each in found]
    published: list[float | str] = [*(PUBLISHED_OWN, PUBLISHED_FULL) * len(READINGS), "not printed"]
    rows = tuple(
        (gap.name, printed, format_interval(*both), *(format_interval(*_in_millibets(gain)) for gain in each.by_seat))
        for gap, printed, both, each in zip(job.gaps, published, ours, found, strict=True)
    )
    pairs = {words: (ours[2 * number], ours[2 * number + 1]) for number, words in enumerate(agents)}
    told = [*((f"With {words}", agent) for words, agent in agents.items()), ("With all bets", reference)]
    return Report(
        title="Betting round reduction in heads-up limit hold'em (thesis, section 2.2.2)",
        summary=_summary(pairs),
        sections=(
            Table(
                "Exploitability",
                ("trained with, measured in", "reported", "ours, mb/h", "big blind", "button"),
                rows,
                "Millibets (0.001 small bets) a hand with 95% intervals; ours is the mean of what the best responses in"
                " the two seats gain.",
            ),
            Text(
                "What the numbers are",
                (
                    f"A best response to the strategy in each seat is computed from {deals:,} sampled deals, and what"
                    " it gains is measured on as many fresh ones: a lower bound without bias, close with so many deals."
                    " The responder sees cards through the same buckets; real opponents tell more apart.",
                    "Where all bets are allowed the strategy calls what it does not know: a raise beyond its cap. In"
                    " the next round it goes on as if that raise had been a call.",
                    "A cap of 2 bets before the flop is 1 raise if the big blind is the first bet, as in the cap of 4"
                    " bets of the whole game, and 2 raises if it is not. What it costs to be off the tree, the"
                    " difference of the two games, tells which was meant.",
                    "The thesis does not say how many buckets the reported strategy had, nor how long it was trained;"
                    " ours has 5 a round, all remembered.",
                    *(agent.told(words) for words, agent in told),
                ),
            ),
        ),
        command=command_of("thesis-section-2.2.2", request),
        facts={
            "game": "lhe2",
            "unit": "mb_per_hand",
            "deals": deals,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def _capped(betting: str) -> Recipe:
    """The recipe itself where its betting is this, else one beside it."""
    recipe, wanted = load_recipe(CAPPED), parse_betting_abstraction(betting)
    return recipe if recipe.betting == wanted else replace(recipe, name=f"{CAPPED}-{wanted.caps[0]}", betting=wanted)


def _trained(recipe: Recipe, request: Request) -> TrainedAgent:
    return train(recipe, request.minutes or (QUICK_MINUTES if request.is_quick else recipe.minutes), request)


def _summary(pairs: Mapping[str, tuple[tuple[float, float], tuple[float, float]]]) -> str:
    """Both readings, and the one whose cost of being off the tree is nearer to the reported one."""
    cost = {words: full[0] - own[0] for words, (own, full) in pairs.items()}
    best = min(cost, key=lambda words: abs(cost[words] - (PUBLISHED_FULL - PUBLISHED_OWN)))
    told = "; ".join(
        f"with {words} {format_interval(*own)} mb/h in its own abstract game and {format_interval(*full)} where all"
        " bets are allowed"
        for words, (own, full) in pairs.items()
    )
    return f"Exploitable {told}; reported: {PUBLISHED_OWN:g} and {PUBLISHED_FULL:g}, which fits {best}."


def _in_millibets(estimate: Estimate, share: float = 1.0) -> tuple[float, float]:
    """Mean and half-width of that share of it."""
    return MB * share * estimate.mean, MB * share * estimate.ci95
