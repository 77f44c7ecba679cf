"""Table 3's last row, and beyond it: the best response within a bot's own betting, and how much of it LBR finds.

Exactly, in the game whose flops are a few drawn ones: the best response knows the bot and answers with its bets, over
all hands, turns and rivers. LBR plays the same game with the same bets. The paper prints 90 mbb/h for its bot with full
cards, from which LBR loses 536.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nashgap.cards.card import format_cards
from nashgap.core.estimate import Estimate
from nashgap.jobs.full_response import FullGap, FullResponseJob
from nashgap.jobs.lbr import LbrJob
from nashgap.jobs.lbr_bound import LbrBound
from nashgap.jobs.reproduction import Request
from nashgap.measures.flops import GIVEN, Flops
from nashgap.measures.local_best_response import LbrOptions
from nashgap.papers.lisy_bowling_2016.agreement import ours_text
from nashgap.papers.lisy_bowling_2016.bots import FULL_CARDS, BotRecipe
from nashgap.papers.lisy_bowling_2016.published import BEST_RESPONSE_FULL_CARDS, TABLE_3
from nashgap.papers.training import TrainedAgent
from nashgap.poker.betting_tree import count_betting_tree
from nashgap.poker.rules import PokerRules
from nashgap.reports.report import Curve, Plot, Section, Table

__all__ = ["ExactShare", "exact_sections", "exact_share"]

NUM_FLOPS, QUICK_FLOPS = 10, 1
DEALS, QUICK_DEALS = 50_000, 2_000
ROUNDS = ("1-4", "2-4", "3-4", "4")
MOST_NODES = 10_000  # of a betting tree: a flop takes a second and more for each hundred


@dataclass(frozen=True)
class ExactShare:
    """best: what the best response wins, mean of both seats. found: what LBR wins by the rounds in which it chooses."""

    best: float
    found: Mapping[str, Estimate]
    num_flops: int

    def share(self, rounds: str) -> float:
        return self.found[rounds].mean / self.best


def exact_share(bot: BotRecipe, agent: TrainedAgent, request: Request) -> ExactShare | None:
    """None where the tree of the bot is too large to be walked here."""
    recipe = bot.recipe
    if count_betting_tree(recipe.rules, recipe.betting).num_nodes > MOST_NODES:
        return None
    flops = _flops(recipe.rules, QUICK_FLOPS if request.is_quick else NUM_FLOPS, request.seed)
    job = FullResponseJob(rules=recipe.rules, strategy=agent.bot(), which=GIVEN, given=flops)
    best: FullGap = request.perform(job)
    found = {}
    for rounds in ROUNDS:
        options = LbrOptions(bets="on-tree", rounds=rounds)
        deals = QUICK_DEALS if request.is_quick else DEALS
        lbr = LbrJob(rules=recipe.rules, strategies=(agent.bot(),), options=options, seed=request.seed, deals=deals,
                     flops=flops)  # fmt: skip
        bound: LbrBound = request.perform(lbr, workers=1)
        found[rounds] = bound.estimate
    return ExactShare(best.exploitability, found, len(flops))


def _flops(rules: PokerRules, number: int, seed: int) -> tuple[str, ...]:
    flops = Flops(rules)
    return tuple(format_cards(reversed(flops.boards[place].tolist())) for place in flops.drawn(number, seed))


def exact_sections(found: Mapping[str, ExactShare | None]) -> tuple[Section, ...]:
    """The row of the best response, LBR beside it, and its share by the rounds in which it chooses."""
    known = {name: share for name, share in found.items() if share is not None}
    if not known:
        return ()
    num_flops = next(iter(known.values())).num_flops
    rows = tuple(
        (
            name,
            f"{share.best:,.0f}",
            *(f"{ours_text(share.found[rounds])} ({share.share(rounds):.0%})" for rounds in ROUNDS),
        )
        for name, share in known.items()
    )
    printed = TABLE_3["on-tree", "3-4"][-1]
    assert printed is not None, "the paper prints it"
    left = [name for name, share in found.items() if share is None]
    note = (
        f"mbb_per_hand; exact best responses, in the game of {num_flops} drawn flop{'s' if num_flops > 1 else ''}. LBR"
        " with the bot's own bets in the same game, by the rounds in which it chooses, and its share of the best"
        f" response. Printed for full cards: {BEST_RESPONSE_FULL_CARDS.mean:.0f}; LBR {printed.mean:.0f} in rounds 3-4."
        + (f" Left out, for the size of the betting tree: {', '.join(left)}." if left else "")
        + (f" Ours of {FULL_CARDS} has real cards to the flop only." if FULL_CARDS in known else "")
    )
    starts = [float(rounds[0]) for rounds in ROUNDS]
    curves = tuple(
        Curve(name, starts, [100 * share.share(rounds) for rounds in ROUNDS]) for name, share in known.items()
    )
    columns = ("bot", "best response", *(f"LBR {rounds}" for rounds in ROUNDS))
    return (
        Table("Best response within its own betting", columns, rows, note),
        Plot(
            "LBR's share of the exact best response",
            "first round in which LBR chooses",
            "share (%)",
            curves,
            lines=(("the best response", 100.0),),
            is_detail=True,
        ),
    )
