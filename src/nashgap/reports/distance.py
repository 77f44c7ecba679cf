"""The report of how far two strategies of the same game are apart."""

from __future__ import annotations

from nashgap.explanations.strategy_distance import Difference, StrategyDistance
from nashgap.reports.report import Cell, Figure, FigureTable, Report, Section, Table
from nashgap.runs.config import package_version

__all__ = ["distance_report"]

NAMES = {"emd": "earth mover's distance", "l1": "L1, halved (total variation)", "l2": "L2, divided by √2"}
LEAST_SHOWN = 5e-4


def distance_report(result: StrategyDistance) -> Report:
    """Distances in the mean, how much could be compared, and where they differ most."""
    sections: list[Section] = [_means(result), *_unreached(result)]
    if differing := [each for each in result.largest if each.emd > 0]:
        sections.append(_largest(result, differing))
    return Report(
        title=f"{' and '.join(_marked(result))} in {result.game}",
        summary=(
            f"{result.mean['emd']:.4f} apart by earth mover's distance, the mean over {result.num_compared:,}"
            " information sets; 0: the same, 1: as far apart as can be."
        ),
        sections=tuple(sections),
        command=result.provenance.command,
        facts={"A": result.names[0], "B": result.names[1], "game": result.game, "version": package_version()},
    )


def _marked(result: StrategyDistance) -> list[str]:
    """The names with the letters that the columns have."""
    return [letter if name == letter else f"{name} ({letter})" for name, letter in zip(result.names, "AB", strict=True)]


def _means(result: StrategyDistance) -> Table:
    weighted = result.reached_mean
    columns = ("distance", "mean over information sets", *(("weighted by reach",) if weighted else ()))
    rows = tuple(
        (NAMES[metric], mean, *((weighted[metric],) if weighted else ())) for metric, mean in result.mean.items()
    )
    return Table("", columns, rows)


def _unreached(result: StrategyDistance) -> list[FigureTable]:
    """Information sets that are not compared."""
    counts = {"reached by one only": result.num_one_only, "reached by neither": result.num_neither}
    figures = tuple(Figure(name, count) for name, count in counts.items() if count)
    return [FigureTable("", figures)] if figures else []


def _largest(result: StrategyDistance, differing: list[Difference]) -> Table:
    has_reach = result.reached_mean is not None
    columns = ("distance", "player", "information set", "A", "B", *(("reach",) if has_reach else ()))
    rows: list[tuple[Cell, ...]] = [
        (
            f"{each.emd:.4f}",
            str(each.player + 1),
            each.infoset,
            _played(each.actions, each.first),
            _played(each.actions, each.second),
            *((f"{each.reach:.2g}",) if each.reach is not None else ()),
        )
        for each in differing
    ]
    return Table("Information sets that differ most, by earth mover's distance", columns, tuple(rows))


def _played(actions: tuple[str, ...], probabilities: tuple[float, ...]) -> str:
    """`call 0.25, raise 0.75`, an action a line: what is played at least once in two thousand times."""
    return ",\n".join(
        f"{action} {chance:.3g}" for action, chance in zip(actions, probabilities, strict=True) if chance >= LEAST_SHOWN
    )
