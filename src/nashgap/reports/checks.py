"""Reports of checks: a strategy file, a bot."""

from __future__ import annotations

from nashgap.reports.report import Figure, FigureTable, Report
from nashgap.strategies.check_bot import BotCheck
from nashgap.strategies.check_file import FileCheck

__all__ = ["bot_report", "file_report"]


def file_report(check: FileCheck) -> Report:
    told = {key: value for key, value in check.as_dict().items() if key not in ("file", "is_sound", "facts")}
    figures = tuple(Figure(name, value) for name, value in told.items())
    facts = tuple(Figure(name, _fact(value)) for name, value in check.facts.items())
    sections = (FigureTable("What it holds", figures), *((FigureTable("Where it comes from", facts),) if facts else ()))
    return Report(f"{check.path} is sound", check.summary, sections, f"nashgap check {check.path}")


def bot_report(check: BotCheck) -> Report:
    figures = [
        Figure("game", check.game),
        Figure("calls itself", check.bot_name),
        Figure("states", check.num_states),
        Figure("by round", " ".join(map(str, check.states_by_round))),
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
    return Report(title, check.summary, (FigureTable("What was found", shown),), check.provenance.command)


def _fact(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={item}" for key, item in value.items())
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 0.1 else f"{1000 * seconds:,.0f} ms"
