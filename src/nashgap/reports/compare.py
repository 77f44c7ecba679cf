"""The reports of two versions on the same deals."""

from __future__ import annotations

from collections.abc import Mapping

from nashgap.jobs.lbr_compare import LbrComparison, LeakChange
from nashgap.jobs.match_compare import MatchComparison
from nashgap.reports.report import Cell, Report, Section, Table, Text
from nashgap.runs.config import package_version

__all__ = ["lbr_comparison_report", "match_comparison_report"]

_KINDS = {"lost": "lost", "gained": "gained", "smaller": "smaller", "larger": "larger", "same": "no clear change"}
_PAIRED = (
    "Both versions met the same cards: what they have in common cancels, and the interval of the difference, 95%, is"
    " taken over batches of the same deals."
)


def lbr_comparison_report(result: LbrComparison) -> Report:
    """The bounds, the difference, and the leaks that were gained and lost."""
    unit = result.difference.unit
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (str(version + 1), name, bound.estimate, result.gain(version) if version else "")
        for version, (name, bound) in enumerate(zip(result.names, result.bounds, strict=True))
    )
    columns = ("", "version", "LBR wins", "less than from the first")
    options = result.job.options
    return Report(
        title=f"{' and '.join(result.names[:2])} by Local Best Response in {_game(result)}",
        summary=f"{result.summary} Over {result.deals:,} deals.",
        sections=(
            Table("LBR against each", columns, rows, f"LBR, Local Best Response, knows the bot. {_PAIRED}"),
            *_leaks(result),
        ),
        command=result.provenance.command,
        facts=_facts(result, unit, {"bets that LBR considers": options.bets, "rounds": options.rounds or "all"}),
    )


def match_comparison_report(result: MatchComparison) -> Report:
    """What each wins, and the difference."""
    first, second = result.names
    if result.job.opponents:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name, match.estimate(0)) for name, match in zip((first, second), result.matches, strict=True)
        )
        title = f"{first} and {second} against {' and '.join(bot.text for bot in result.job.opponents)}"
    else:
        rows = ((first, result.matches[0].estimate(0)), (second, result.matches[0].estimate(1)))
        title = f"{first} against {second}"
    sections: list[Section] = [Table("What each wins", ("version", "wins"), rows, _PAIRED)]
    if result.job.opponents:
        sections.append(Table("The difference", ("", "the second wins more"), (("", result.difference),)))
    return Report(
        title=f"{title} in {_game(result)}",
        summary=f"{result.summary} Over {result.deals:,} deals.",
        sections=tuple(sections),
        command=result.provenance.command,
        facts=_facts(result, result.difference.unit, {}),
    )


def _leaks(result: LbrComparison) -> list[Section]:
    title = "Leaks gained and lost"
    if len(result.bounds) > 2 or any(bound.leaks is None for bound in result.bounds):
        return []
    changed = [change for change in result.leak_changes if change.kind != "same"]
    if not changed:
        return [Text(title, ("None of the dearest situations of either version has clearly changed.",))]
    note = (
        "Of the ten dearest situations of each version those that changed by more than both intervals together, with"
        " what they add to the bound; a hand counts where it ended. Lost and gained: it costs nothing clear on one"
        " side. What LBR finds no more in one place it may look for in another."
    )
    columns = ("", "situation", "first", "second")
    return [Table(title, columns, tuple(map(_row, changed)), note)]


def _row(change: LeakChange) -> tuple[Cell, ...]:
    absent = "never"
    return (_KINDS[change.kind], change.situation, change.before or absent, change.after or absent)


def _game(result: LbrComparison | MatchComparison) -> str:
    return result.job.rules.name or "a game of its own"


def _facts(result: LbrComparison | MatchComparison, unit: str, more: Mapping[str, str | int]) -> dict[str, str | int]:
    return {
        "game": _game(result),
        "unit": unit,
        **more,
        "deals": result.deals,
        "seed": result.job.seed,
        "version": package_version(),
    }
