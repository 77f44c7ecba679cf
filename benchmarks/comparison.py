"""Two programs doing the same work, timed in turns on one thread, and the table that comes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

__all__ = ["NO_PEER", "NUM_TURNS", "Repeat", "Row", "as_dict", "line", "rates_in_turn", "table"]

TURN_SECONDS = 0.7  # of one turn; three turns make the two seconds that each rate rests on
NUM_TURNS = 3
NO_PEER = "-"

Repeat = Callable[[int], object]  # do the work so many times


@dataclass(frozen=True)
class Row:
    """One line of the table.

    peer_rate, our_rate: times a second that the work is done; None where it was not measured.
    aim:                 the least ratio that the project wants; None where there is none.
    is_duration:         show seconds for one time instead of times a second.
    note:                what shows that both did the same work, or why there is no figure.
    is_same:             False if the two answers differ: then the ratio means nothing.
    """

    work: str
    peer: str
    peer_rate: float | None
    our_rate: float | None
    aim: float | None = None
    is_duration: bool = False
    note: str = ""
    is_same: bool = True

    @property
    def ratio(self) -> float | None:
        if self.peer_rate is None or self.our_rate is None:
            return None
        return self.our_rate / self.peer_rate


def rates_in_turn(*works: Repeat, num_turns: int = NUM_TURNS) -> list[float]:
    """Median rate of each, all taking turns so that the machine's other load meets every one of them."""
    contenders = [_Contender(work) for work in works]
    for contender in contenders:
        contender.warm_up()
    for turn in range(num_turns):
        for contender in contenders:
            if len(contender.rates) <= turn:
                contender.take_turn()
    return [median(contender.rates) for contender in contenders]


class _Contender:
    def __init__(self, repeat: Repeat) -> None:
        self.repeat = repeat
        self.count = 1
        self.rates: list[float] = []

    def warm_up(self) -> None:
        """Find how often the work fits into a turn. Work longer than a turn needs no warm-up: its first time counts."""
        while (seconds := self._seconds()) < TURN_SECONDS / 4:
            self.count *= 2
        if self.count == 1 and seconds >= TURN_SECONDS:
            self.rates.append(1 / seconds)
        self.count = max(1, round(self.count * TURN_SECONDS / seconds))

    def take_turn(self) -> None:
        self.rates.append(self.count / self._seconds())

    def _seconds(self) -> float:
        start = time.perf_counter()
        self.repeat(self.count)
        return time.perf_counter() - start


HEADINGS = ("work", "peer", "peer's", "ours", "ratio", "aim")
WIDTHS = (27, 13, 10, 10, 8, 5)  # with the gaps: 78 columns


def table(rows: Sequence[Row]) -> str:
    """The rows in 80 columns, with their notes below."""
    lines = [_line(HEADINGS), _line(["-" * width for width in WIDTHS])]
    lines += [line(row) for row in rows]
    lines += ["", *(f"{_title(row)}:\n  {row.note}" for row in rows if row.note)]
    return "\n".join(lines)


def line(row: Row) -> str:
    """One row in 80 columns."""
    return _line(_cells(row))


def as_dict(row: Row) -> dict[str, Any]:
    return asdict(row) | {"ratio": row.ratio}


def _title(row: Row) -> str:
    return row.work if row.peer == NO_PEER else f"{row.work}, {row.peer}"


def _cells(row: Row) -> list[str]:
    show = _duration if row.is_duration else _rate
    ratio = "differs" if not row.is_same else "-" if row.ratio is None else f"{_three_digits(row.ratio)}x"
    return [
        row.work,
        row.peer,
        show(row.peer_rate),
        show(row.our_rate),
        ratio,
        "-" if row.aim is None else _three_digits(row.aim),
    ]


def _line(cells: Sequence[str]) -> str:
    words = [cell.ljust(width) for cell, width in zip(cells[:2], WIDTHS[:2], strict=True)]
    numbers = [cell.rjust(width) for cell, width in zip(cells[2:], WIDTHS[2:], strict=True)]
    return " ".join(words + numbers).rstrip()


def _rate(rate: float | None) -> str:
    if rate is None:
        return "-"
    return f"{_three_digits(rate / 1e6)} M/s" if rate >= 1e6 else f"{_three_digits(rate)}/s"


def _duration(rate: float | None) -> str:
    if rate is None:
        return "-"
    seconds = 1 / rate
    for scale, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= scale:
            return f"{_three_digits(seconds / scale)} {unit}"
    return f"{_three_digits(seconds / 1e-6)} us"


def _three_digits(number: float) -> str:
    """Three significant digits: more would be noise."""
    if number < 100:
        return f"{number:.3g}"
    rounded = float(f"{number:.3g}")
    return f"{rounded:,.0f}"
