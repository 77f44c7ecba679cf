"""Reports of the competition's protocol: a match that was dealt, a player's score, a log that was replayed."""

from __future__ import annotations

from nashgap.arena.acpc.dealer import DealerResult, PlayerResult
from nashgap.arena.acpc.log import LogCheck
from nashgap.arena.acpc.player import PlayerScore
from nashgap.arena.log_winnings import LogWinnings
from nashgap.reports.layout import format_number
from nashgap.reports.report import Report, Section, Table, Text

__all__ = ["dealer_report", "log_report", "score_report", "winnings_report"]


def dealer_report(result: DealerResult) -> Report:
    rows = tuple((player.name, player.chips, player.winrate, _errors(player)) for player in result.players)
    sections: list[Section] = [Table("", ("player", "chips", result.unit, "errors"), rows)]
    faults = tuple(f"{player.name} was taken out: {player.fault}" for player in result.players if player.fault)
    sections += [Text("Taken out", faults)] if faults else []
    title = " against ".join(player.name for player in result.players)
    return Report(title, result.summary, tuple(sections), result.provenance.command)


def score_report(score: PlayerScore) -> Report:
    return Report(f"{score.agent} at a dealer's table", score.summary, (), score.provenance.command)


def log_report(check: LogCheck) -> Report:
    lines = []
    for wrong in check.mismatches:
        what = "score" if wrong.hand_number is None else f"hand {wrong.hand_number}"
        logged, recomputed = ("|".join(map(format_number, chips)) for chips in (wrong.logged, wrong.recomputed))
        lines.append(f"line {wrong.line}, {what}: logged {logged}, recomputed {recomputed}")
    if check.num_mismatches > len(check.mismatches):
        lines.append(f"and {check.num_mismatches - len(check.mismatches):,} more")
    if check.is_cut_short:
        lines.append("the last line is cut short and does not count")
    sections = (Text("What is wrong", tuple(lines)),) if lines else ()
    return Report(f"A match log of {check.game}, recomputed", check.summary, sections, check.provenance.command)


def winnings_report(found: LogWinnings) -> Report:
    columns = ("player", "hands", "without luck", "stdev of a hand", "as played", "stdev as played")
    rows = tuple(
        (
            player,
            int(found.hands[place]),
            found.corrected_estimate(place),
            round(float(found.corrected_stdev[place]), 3),
            found.estimate(place),
            round(float(found.stdev[place]), 3),
        )
        for place, player in enumerate(found.players)
    )
    note = f"The luck that is taken off ({found.variance}): {found.terms}. Deviations are in {found.unit} too."
    table = Table("", columns, rows, note)
    return Report(f"{found.file} without luck", found.summary, (table,), found.provenance.command)


def _errors(player: PlayerResult) -> str:
    changed = [f"{player.num_mended} actions changed"] if player.num_mended else []
    ignored = [f"{player.num_ignored} lines ignored"] if player.num_ignored else []
    return ", ".join(changed + ignored) or "none"
