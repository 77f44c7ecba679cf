"""Where the commands' text goes: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from nashgap.reports.screen import screen, table

__all__ = [
    "human_bytes",
    "human_seconds",
    "number",
    "print_json",
    "print_rows",
    "print_table",
    "results_only",
    "say",
    "screen",
    "significant",
    "table",
]


def print_json(document: Mapping[str, Any]) -> None:
    """The one JSON document of a command: full precision, no NaN."""
    print(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def say(line: str) -> None:
    """One line on standard error, never broken."""
    print(line, file=sys.stderr, flush=True)


@contextmanager
def results_only() -> Iterator[None]:
    """Keep standard output for results: what bots and worker processes print meanwhile goes to standard error."""
    standard_output, standard_error = 1, 2
    sys.stdout.flush()
    kept = os.dup(standard_output)
    os.dup2(standard_error, standard_output)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, standard_output)
        os.close(kept)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[int] = (), fixed: Iterable[int] = ()
) -> None:
    filled = table(columns, right=right, fixed=fixed)
    for row in rows:
        filled.add_row(*row)
    screen().print(filled)


def print_rows(rows: Mapping[str, object]) -> None:
    """Names and what they are, one below the other; what is None or empty is left out, paths are never broken."""
    width = max(map(len, rows), default=0)
    for name, value in rows.items():
        if (text := _text(value)) != "":
            print(f"{name:<{width}}  {text}")


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return number(value)
        case dict():
            return " ".join(f"{key}={_text(item)}" for key, item in value.items())
        case list() | tuple():
            return ", ".join(map(_text, value))
    return str(value)


def number(value: float) -> str:
    """Six significant digits; integers whole."""
    from nashgap.reports.layout import format_number

    return format_number(value)


def significant(value: float, digits: int = 4) -> str:
    """At least so many significant digits, and all those before the point: 47,983, 0.7412."""
    import math

    decimals = 0 if value == 0 else max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}"


def human_seconds(seconds: float) -> str:
    """`0.3 s`, `12 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds < 10:
        return f"{seconds:.2g} s" if seconds < 1 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    if minutes < 60:
        return f"{minutes} min {rest} s"
    days, hours = divmod(minutes // 60, 24)
    return f"{days} {'day' if days == 1 else 'days'} {hours} h" if days else f"{hours} h {minutes % 60} min"


def human_bytes(count: float) -> str:
    """`812 bytes`, `3.4 MB`."""
    if count < 1000:
        return f"{count:.0f} bytes"
    power, unit = (3, "kB") if count < 1e6 else (6, "MB") if count < 1e9 else (9, "GB")
    return f"{count / 10**power:.3g} {unit}"
