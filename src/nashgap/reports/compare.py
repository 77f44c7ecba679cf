"""The reports of two versions on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nashgap.jobs.lbr_compare import LbrComparison, LeakChange
from nashgap.jobs.match_compare import MatchComparison
from nashgap.jobs.versions import rounded
from nashgap.reports.match import luck_taken_off
from nashgap.reports.report import Cell, Report, Section, Table, Text
from nashgap.runs.config import package_version

__all__ = ["PAIRED", "lbr_comparison_report", "leak_changes_section", "match_comparison_report", "to_settle"]

_KINDS = {"lost": "lost", "gained": "gained", "smaller": "smaller", "larger": "larger", "same": "no clear change"}
PAIRED = (
    "Both versions met the same cards: what they have in common cancels, and the interval of the difference, 95%, is"
    " taken over groups of the same deals."
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
            Table("LBR against each", columns, rows, f"LBR, Local Best Response, knows the bot. {PAIRED}"),
            *_leaks(result),
        ),
        command=result.provenance.command,
        facts=_facts(result, unit, {"bets that LBR considers": options.bets, "rounds": options.rounds or "all"}),
    )


def match_comparison_report(result: MatchComparison) -> Report:
    """What each wins, and the difference, as played and without luck."""
    first, second = result.names
    others = " and ".join(bot.text for bot in result.job.opponents)
    title = f"{first} and {second} against {others}" if others else f"{first} against {second}"
    variance = {} if result.corrected_more is None else {"luck taken off": result.job.variance}
    return Report(
        title=f"{title} in {_game(result)}",
        summary=f"{result.summary} Over {result.deals:,} deals." if others else result.summary,
        sections=(_winnings(result), *_difference(result)),
        command=result.provenance.command,
        facts=_facts(result, result.difference.unit, variance),
    )


def _winnings(result: MatchComparison) -> Table:
    title, versions = "What each wins", zip(result.names, result.winnings, strict=True)
    if result.corrected_more is None:
        return Table(title, ("version", "wins"), tuple((name, won) for name, (won, _) in versions), PAIRED)
    rows = tuple((name, won, without) for name, (won, without) in versions)
    note = f"{luck_taken_off(result.job.variance)} {PAIRED}"
    return Table(title, ("version", "as played", f"without luck ({result.job.variance})"), rows, note)


def _difference(result: MatchComparison) -> list[Table]:
    """Nothing where one version plays against the other and no luck is taken off: then it is what each wins."""
    is_corrected = result.corrected_more is not None
    if not result.job.opponents and not is_corrected:
        return []
    rows: tuple[tuple[Cell, ...], ...] = (("as played", result.difference, to_settle(result.deals_to_settle)),)
    if is_corrected:
        more = to_settle(result.corrected_deals_to_settle)
        rows += ((f"without luck ({result.job.variance})", result.corrected_difference, more),)
    wins = "the second wins more" if result.job.opponents else "the second wins"
    which = f" without luck ({result.job.variance})" if is_corrected else ""
    note = f"More deals: until the interval is down to the difference{which}, if that stays what it is."
    return [Table("The difference", ("", wins, "more deals to settle it"), rows, note)]


def to_settle(more: int | None) -> str:
    """How many deals more, about."""
    return "none" if more is None else f"about {rounded(more):,}"


def _leaks(result: LbrComparison) -> list[Section]:
    if len(result.bounds) > 2 or any(bound.leaks is None for bound in result.bounds):
        return []
    return [leak_changes_section(result.leak_changes)]


def leak_changes_section(changes: Sequence[LeakChange]) -> Section:
    """Those that clearly changed."""
    title = "Leaks gained and lost"
    changed = [change for change in changes if change.kind != "same"]
    if not changed:
        return Text(title, ("None of the dearest situations of either version has clearly changed.",))
    note = (
        "Of the ten dearest situations of each version those that changed by more than both intervals together, with"
        " what they add to the bound; a hand counts where it ended. Lost and gained: it costs nothing clear on one"
        " side. What LBR finds no more in one place it may look for in another."
    )
    columns = ("", "situation", "first", "second")
    return Table(title, columns, tuple(map(_row, changed)), note)


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
