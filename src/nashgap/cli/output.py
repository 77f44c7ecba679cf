"""Where the commands' text goes: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nashgap.core.one_line import printable
from nashgap.errors import ConfigError, OutputError, UnsavedError

if TYPE_CHECKING:
    from nashgap.core.result import Result

__all__ = [
    "Stopped",
    "check_page",
    "interrupted",
    "print_json",
    "print_paragraph",
    "print_result",
    "print_rows",
    "print_table",
    "results_only",
    "say",
    "unsaved_printed",
]


# What JSON leaves as it is: controls, marks that turn the direction of text, halves of letters (of names of files).
_ESCAPED = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
Place = Path | tuple[Path, ...] | None


def print_result(
    result: Result,
    *,
    is_json: bool,
    has_run: bool = False,
    has_fresh: bool = False,
    write: Callable[[Path], None] | None = None,
    **places: Place,
) -> None:
    """What was found: its report, or one JSON document; and where things were written.

    has_run:   the document tells of a run and its page also where there are none, as null.
    has_fresh: the command has the option `--fresh`.
    write:     writes the page at the place `report`; that it cannot be written is told after what was found.
    places:    what else the command has written, by name.
    """
    problem = None
    if write is not None and isinstance(page := places.get("report"), Path):
        try:
            write(page)
        except (OSError, OutputError) as error:
            problem, places = error, {**places, "report": None}
    _print_result(result, is_json, has_run, has_fresh, places)
    if problem is not None:
        raise problem


@contextmanager
def unsaved_printed(print_found: Callable[[Any, Path | None], None]) -> Iterator[None]:
    """Have what was found printed, with no place, also where its file cannot be written; that is told after it."""
    try:
        yield
    except UnsavedError as error:
        print_found(error.found, None)
        raise


def _print_result(result: Result, is_json: bool, has_run: bool, has_fresh: bool, places: Mapping[str, Place]) -> None:
    from nashgap.reports import terminal

    run, page = result.provenance.run, result.provenance.report_path
    written = {**result.places, **places}
    if not is_json:
        told = {key.replace("_", "-"): _place_text(place) for key, place in written.items() if place}
        terminal.print_result(result, places=told, has_fresh=has_fresh)
        return
    kept = {"run": run, "report": page} if has_run or run else {}
    print_json({**result.as_dict(), **{key: _plain(place) for key, place in {**kept, **written}.items()}})


def _place_text(place: Place) -> str:
    """Several files are only counted, with their folder."""
    return f"{len(place)} files in {place[0].parent}" if isinstance(place, tuple) else str(place)


def _plain(place: Place) -> str | list[str] | None:
    if isinstance(place, tuple):
        return list(map(str, place))
    return None if place is None else str(place)


class Stopped(Exception):  # noqa: N818  (it is no error)
    """Ctrl-C; the message says what was kept and how to go on. The parser would swallow a KeyboardInterrupt."""


@contextmanager
def interrupted(message: str = "interrupted; nothing was kept") -> Iterator[None]:
    """Have Ctrl-C end the command with this message, or with what the work itself says."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise Stopped(str(interrupt) or message) from interrupt


def check_page(path: Path | None) -> None:
    """Before the work: a page that cannot be written would be told at its end."""
    if path is None:
        return
    if path.suffix != ".html":
        raise ConfigError(f"--report {path}: the name of the page must end in .html")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"--report {path}: there is no folder {path.parent}")
    from nashgap.core.array_file import check_writable

    check_writable(path)


def print_json(document: Mapping[str, Any]) -> None:
    """The one JSON document of a command: full precision, no NaN, nothing that a terminal obeys."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    print(_ESCAPED.sub(lambda letter: f"\\u{ord(letter[0]):04x}", text))


def say(line: str) -> None:
    """One line on standard error, never broken."""
    print(printable(line), file=sys.stderr, flush=True)


@contextmanager
def results_only() -> Iterator[None]:
    """Keep standard output for results: what bots and worker processes print meanwhile goes to standard error.

    Ctrl-C ends the command with what was kept.
    """
    standard_output, standard_error = 1, 2
    sys.stdout.flush()
    kept = os.dup(standard_output)
    os.dup2(standard_error, standard_output)
    try:
        with interrupted():
            yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, standard_output)
        os.close(kept)


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), fixed: Sequence[int] = ()
) -> None:
    """The columns numbered in `right` hold numbers, those in `fixed` and `right` are never broken."""
    from nashgap.reports.screen import screen, table

    filled = table(columns, right=right, fixed=fixed)
    for row in rows:
        filled.add_row(*row)
    screen().print(filled)


def print_rows(rows: Mapping[str, object]) -> None:
    """Names and what they are, one below the other; what is None or empty is left out, paths are never broken."""
    from nashgap.reports.layout import cell_text

    shown = {printable(name): cell_text(value) for name, value in rows.items() if value is not None and value != ""}
    width = max(map(len, shown), default=0)
    for name, text in shown.items():
        for place, line in enumerate(_lines(text, width + 2)):
            print(f"{'' if place else name:<{width}}  {line}")


def print_paragraph(title: str, text: str) -> None:
    """A line of its own, two where it is long, and below it a text."""
    from nashgap.reports.screen import screen

    for line in _lines(title, 0):
        screen().print(line, style="bold", soft_wrap=True)
    for line in _lines(text, 2):
        print(f"  {line}")


def _lines(text: str, indent: int) -> list[str]:
    """The text broken at spaces for an indented place on the screen; a path is never broken."""
    from shutil import get_terminal_size
    from textwrap import wrap

    width = max(1, get_terminal_size().columns - indent)
    return wrap(printable(text), width, break_long_words=False, break_on_hyphens=False)
