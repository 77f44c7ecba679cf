"""The report of a few games to memorise: what playing by them costs, and the games themselves."""

from __future__ import annotations

from nashgap.explanations.prototype_prices import PricedMemory, PricedPrototypes
from nashgap.explanations.scores import VALUE_LOST_NOTE
from nashgap.reports.report import Cell, Report, Table
from nashgap.runs.config import package_version

__all__ = ["prototypes_report"]

SHOWN_BETS = 3  # of a card's mixture
LEAST_SHOWN = 0.005


def prototypes_report(result: PricedPrototypes) -> Report:
    """The prices of all ways to remember, and each game of the smallest memory."""
    smallest = min(result.best, key=lambda each: each.games)
    return Report(
        title=f"Games to memorise, of {len(result.learned):,}",
        summary=result.summary,
        sections=(_prices(result), *_games(result, smallest)),
        command=result.provenance.command,
        facts={
            "games to choose from": len(result.learned),
            "unseen games": result.num_test,
            "equilibria": result.choice,
            "similar by": result.metric,
            "seed": result.seed,
            "version": package_version(),
        },
    )


def _prices(result: PricedPrototypes) -> Table:
    rows = tuple((each.text, each.scores.exploitability, each.scores.value_lost) for each in result.memories)
    note = (
        "Dollars a hand in unseen games, with 95% intervals over games; of random games, over ten draws of them."
        f" {VALUE_LOST_NOTE}"
    )
    return Table("", ("memory", "exploitability", "value lost"), rows, note)


def _games(result: PricedPrototypes, memory: PricedMemory) -> list[Table]:
    """Each game of the memory: both players' cards, and the bets."""
    assert memory.chosen is not None, "only chosen games are shown"
    remembered, stakes = result.learned[memory.chosen.indices], result.learned.stakes
    games, bets = remembered.games, remembered.bets(result.choice)
    tables = []
    for number, share in enumerate(memory.chosen.shares):
        rows: list[tuple[Cell, ...]] = []
        for card in reversed(range(stakes.deck)):
            held = (f"{games.pdf[number, player, card]:.0%}" for player in range(2))
            order = bets[number, card].argsort()[::-1][:SHOWN_BETS]
            made = [(float(stakes.amounts[bet]), float(bets[number, card, bet])) for bet in order]
            words = ", ".join(_bet_words(amount, chance) for amount, chance in made if chance > LEAST_SHOWN)
            rows.append((card + 1, *held, words))
        title = f"Game {number + 1} of {memory.games}, the most similar one {share:.0%} of the time"
        tables.append(Table(title, ("card", "you", "they", "your bets"), tuple(rows)))
    return tables


def _bet_words(amount: float, chance: float) -> str:
    name = f"bet {amount:.10g}" if amount else "check"
    return name if chance > 1 - LEAST_SHOWN else f"{name} {chance:.0%}"
