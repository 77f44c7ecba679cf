"""How long work shows that it goes on: a live line in a terminal or a notebook, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import Any

from nashgap.runs.executors import OnProgress, Pace

__all__ = ["Progressing", "Shown", "human_bytes", "human_seconds", "moment", "shown"]

FIRST_LINE_SECONDS = 2.0
LINE_SECONDS = 10.0
NOTEBOOK_SECONDS = 0.25
BAR_WIDTH, NARROW_BAR_WIDTH = 16, 8  # where there is room, and where there is little
FEWEST_LETTERS = 8  # of what is measured, below which it is left out

Progressing = bool | OnProgress | None
"""Whether progress is shown: None, where somebody looks (a terminal, a notebook); or what to call with each step.

What is called may have a method `opened`: it is told the run's folder before work begins.
"""


@dataclass(frozen=True)
class Shown:
    """note: called with a line before work begins; on_progress: with each step; None where nobody looks."""

    note: Callable[[str], None]
    on_progress: OnProgress | None

    @property
    def has_readers(self) -> bool:
        """Whether anybody reads notes."""
        return self.note is not _unread


@contextmanager
def shown(progress: Progressing) -> Iterator[Shown]:
    """What to call while work goes on."""
    is_notebook = _is_notebook()
    if progress is False or (progress is None and not is_notebook and not sys.stderr.isatty()):
        yield Shown(_unread, None)
    elif callable(progress):
        yield Shown(_unread, progress)
    elif is_notebook:
        with _notebook_line() as show:
            yield Shown(_unread, show)
    elif sys.stderr.isatty():
        with _live_line() as show:
            yield Shown(_say, show)
    else:
        yield Shown(_say, _PlainLines())


def human_seconds(seconds: float) -> str:
    """`2.7 ms`, `0.3 s`, `12 s`, `3 min 20 s`, `2 h 5 min`."""
    if 0 < seconds < 0.0995:
        return f"{1000 * seconds:.2g} ms"
    if seconds < 10:
        return f"{seconds:.2g} s" if seconds < 1 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    if minutes < 60:
        return f"{minutes} min {rest} s"
    days, hours = divmod(minutes // 60, 24)
    return f"{days} {'day' if days == 1 else 'days'} {hours} h" if days else f"{hours} h {minutes % 60} min"


def moment(text: str) -> str:
    """`2026-11-16 19:18 UTC` of what ISO 8601 writes."""
    return f"{text[:10]} {text[11:16]} UTC"


def human_bytes(count: float) -> str:
    """`812 bytes`, `3.4 MB`."""
    if count < 1000:
        return f"{count:.0f} bytes"
    power, unit = (3, "kB") if count < 1e6 else (6, "MB") if count < 1e9 else (9, "GB")
    return f"{count / 10**power:.3g} {unit}"


class _PlainLines:
    """For logs: the first line soon, because it tells the time left, the others rarely."""

    def __init__(self) -> None:
        self._next = FIRST_LINE_SECONDS
        self._begin = time.perf_counter()
        self._measured = self._told = ""

    def __call__(self, pace: Pace) -> None:
        self._measured = _measured(pace) or self._measured
        now = time.perf_counter() - self._begin
        if now < self._next:
            return
        self._next = now + LINE_SECONDS
        is_repeated = "\n" in self._measured and self._measured == self._told
        _say(_text(pace, "" if is_repeated else self._measured, ", "))
        self._told = self._measured


@contextmanager
def _live_line() -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(bar_width=BAR_WIDTH), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=8) as progress:
        line = progress.add_task("starting", total=None)
        measured = ""

        def show(pace: Pace) -> None:
            nonlocal measured
            measured = _measured(pace) or measured
            text = _fitting(pace, measured, progress.console.width - NARROW_BAR_WIDTH - 1)
            progress.update(line, completed=pace.progress.done, total=pace.progress.total, description=text)

        yield show


@contextmanager
def _notebook_line() -> Iterator[OnProgress]:
    """One line below the cell, which goes when the work is done."""
    from IPython import display

    notebook: Any = display  # without types
    handle = notebook.display(notebook.HTML(""), display_id=True)
    told_at, measured = 0.0, ""

    def show(pace: Pace) -> None:
        nonlocal told_at, measured
        measured = _measured(pace) or measured
        now = time.perf_counter()
        if now - told_at >= NOTEBOOK_SECONDS:
            told_at = now
            line = escape(_text(pace, measured, "  ")).replace("\n", "<br>")
            handle.update(notebook.HTML(f"<small>{line}</small>"))

    try:
        yield show
    finally:
        handle.update(notebook.HTML(""))


def _is_notebook() -> bool:
    """Whether this process is the kernel of a notebook; nothing is imported to find out."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def _unread(line: str) -> None:
    pass


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _text(pace: Pace, measured: str, separator: str) -> str:
    """One line; what is measured stands in it, or below it where it has lines of its own."""
    left = "" if pace.remaining_seconds is None else f"{human_seconds(pace.remaining_seconds)} left"
    within, below = ("", measured) if "\n" in measured else (measured, "")
    line = separator.join(part for part in (_place(pace), within, _rate(pace), left) if part)
    return "\n".join([line, *(f"  {each}" for each in below.splitlines())])


def _fitting(pace: Pace, measured: str, width: int) -> str:
    """The text; of a long line the middle of what is measured is left out, never rate and time left."""
    text = _text(pace, measured, "  ")
    excess = len(text) - width
    if excess <= 0 or "\n" in measured:
        return text
    kept = len(measured) - excess - 1
    begin = kept // 3  # who is at work is told at the end
    short = f"{measured[:begin]}…{measured[begin - kept :]}" if kept >= FEWEST_LETTERS else ""
    return _text(pace, short, "  ")


def _place(pace: Pace) -> str:
    done, total = pace.progress.done, pace.progress.total
    return f"{done:,.0f} {pace.progress.unit}" if total is None else f"{done:,.0f}/{total:,.0f}"


def _rate(pace: Pace) -> str:
    if pace.rate <= 0 or not pace.is_settled:
        return ""
    return f"{pace.rate:,.0f}/s" if pace.rate >= 10 else f"{pace.rate:.2g}/s"


def _measured(pace: Pace) -> str:
    """The newest measured number, or what a batch was."""
    record = pace.progress.record
    if record is not None and "nash_conv" in record:
        return f"nash_conv {record['nash_conv']:.3g}"
    return pace.progress.message
