"""Reports of checks: a strategy file, a bot."""

from __future__ import annotations

import shlex

from nashgap.reports.layout import cell_text
from nashgap.reports.report import Figure, FigureTable, Report
from nashgap.strategies.check_bot import BotCheck
from nashgap.strategies.check_file import FileCheck

__all__ = ["bot_report", "file_report"]


def file_report(check: FileCheck) -> Report:
    """What the file holds, and what it says of its making."""
    holds = {"players": check.players, "slots": check.slots, "largest error": check.largest_error, **check.facts}
    shown = {name.replace("_", " "): _fact(value) for name, value in holds.items() if name != "unit"}
    figures = tuple(Figure(name, text) for name, text in shown.items())
    summary = f"A strategy for {check.game} with {check.information_sets:,} information sets, in {check.unit}."
    command = shlex.join(["nashgap", "check", str(check.path)])
    return Report(f"{check.path} is sound", summary, (FigureTable("", figures),), command)


def bot_report(check: BotCheck) -> Report:
    """What was asked, and how the bot answered."""
    figures = [
        Figure("calls itself", check.bot_name),
        Figure("states by round", " ".join(map(str, check.states_by_round))),
    ]
    if check.is_sound:
        answers = "the same answers" + (f" but for {check.largest_difference:.1g}" if check.largest_difference else "")
        times = (_milliseconds(check.seconds_per_state), _milliseconds(check.seconds_alone))
        figures += [
            Figure("time per state", f"{times[0]} in batches, {times[1]} alone"),
            Figure("asked twice", answers),
            Figure("actions", f"up to {check.largest_num_actions} in a state"),
            Figure("looks at its cards", "yes" if check.share_ignoring_hands < 1 else "no"),
        ]
    shown = tuple(figure for figure in figures if figure.value != "")
    title = f"{check.bot} is {'sound' if check.is_sound else 'not sound'}"
    summary = check.problem or f"{check.num_states:,} states of {check.game}, each asked twice."
    return Report(title, summary, (FigureTable("", shown),), check.provenance.command)


def _fact(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {cell_text(item)}" for key, item in value.items())
    return cell_text(value)


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 0.1 else f"{1000 * seconds:,.0f} ms"
