"""How a long command shows that it works: one live line in a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nashgap.cli.output import human_seconds, say

if TYPE_CHECKING:
    from nashgap.runs import Pace, Run

__all__ = ["Interrupted", "progress_line", "resumable", "say_forecast"]

FIRST_LINE_SECONDS = 2.0
LINE_SECONDS = 10.0


class Interrupted(Exception):  # noqa: N818  (it is no error)
    """Ctrl-C; the message says what was kept and how to go on."""


@contextmanager
def resumable(message: str) -> Iterator[None]:
    """Have Ctrl-C end the command with this message."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise Interrupted(message) from interrupt


def say_forecast(
    size: str, num_hands: int, run: Run, num_batches: int, workers: int, hands_per_second: Callable[[], float | None]
) -> None:
    """One line before hands are played: `size`, what of it was finished before, and about how long the rest takes."""
    with run.open_ledger() as ledger:
        share = 1 - min(len(ledger.batches()), num_batches) / num_batches
    if share == 0:
        return
    finished = f", {1 - share:.0%} finished before" if share < 1 else ""
    rate = hands_per_second()
    say(f"{size}{finished}" + ("" if rate is None else f", {_about(share * num_hands / rate / workers)}"))


def _about(seconds: float) -> str:
    return f"about {human_seconds(seconds)}" if seconds >= 1 else "less than a second"


@contextmanager
def progress_line(is_quiet: bool) -> Iterator[Callable[[Pace], None] | None]:
    """What to call with each step of a job; None when nothing is to be shown."""
    if is_quiet:
        yield None
    elif sys.stderr.isatty():
        with _live_line() as show:
            yield show
    else:
        yield _PlainLines()


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
        say(_text(pace, "" if is_repeated else self._measured, ", "))
        self._told = self._measured


@contextmanager
def _live_line() -> Iterator[Callable[[Pace], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(bar_width=16), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=8) as progress:
        line = progress.add_task("starting", total=None)
        measured = ""

        def show(pace: Pace) -> None:
            nonlocal measured
            measured = _measured(pace) or measured
            text = _text(pace, measured, "  ")
            progress.update(line, completed=pace.progress.done, total=pace.progress.total, description=text)

        yield show


def _text(pace: Pace, measured: str, separator: str) -> str:
    """One line; what is measured stands in it, or below it where it has lines of its own."""
    left = "" if pace.remaining_seconds is None else f"{human_seconds(pace.remaining_seconds)} left"
    within, below = ("", measured) if "\n" in measured else (measured, "")
    line = separator.join(part for part in (_place(pace), within, _rate(pace), left) if part)
    return "\n".join([line, *(f"  {each}" for each in below.splitlines())])


def _place(pace: Pace) -> str:
    done, total = pace.progress.done, pace.progress.total
    return f"{done:,.0f} {pace.progress.unit}" if total is None else f"{done:,.0f}/{total:,.0f}"


def _rate(pace: Pace) -> str:
    if pace.rate <= 0:
        return ""
    return f"{pace.rate:,.0f}/s" if pace.rate >= 10 else f"{pace.rate:.2g}/s"


def _measured(pace: Pace) -> str:
    """The newest measured number, or what a batch was."""
    record = pace.progress.record
    if record is not None and "nash_conv" in record:
        return f"nash_conv {record['nash_conv']:.3g}"
    return pace.progress.message
