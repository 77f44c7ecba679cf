"""Reports: what was found, for people, as one HTML page. Every part of the project writes its report with this module.

A report is made of frozen records and knows nothing of HTML. The page has all sections; a screen leaves those out that
are details (`is_detail`). The page needs no network; pages with charts share one copy of the chart script, which lies
in the folder of all runs, or beside the page when it is written elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from nashgap.arena.cross_table import CrossTable
from nashgap.cards.hand_rows import HandRows
from nashgap.cards.matrix import HandMatrix
from nashgap.core.array_file import write_atomically
from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError, OutputError
from nashgap.runs.folder import is_run_folder

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = [
    "Bars",
    "Cell",
    "CrossTableSection",
    "Curve",
    "Drawing",
    "Figure",
    "FigureTable",
    "Link",
    "Plot",
    "Report",
    "Section",
    "Table",
    "Text",
    "write_report",
]

_SCRIPT = "plotly.min.js"


@dataclass(frozen=True)
class Figure:
    """One number with its unit; `published` is what a paper prints for it."""

    name: str
    value: float | int | str
    unit: str = ""
    ci95: float | None = None
    published: float | int | str | None = None
    note: str = ""


@dataclass(frozen=True)
class FigureTable:
    """Numbers one below the other, each with what is published beside it."""

    title: str
    figures: tuple[Figure, ...]
    is_detail: bool = False


class Link(str):
    """A text that leads to another page, where it is shown on one. target: relative to the page it stands on."""

    target: str

    def __new__(cls, text: str, target: str) -> Self:
        link = super().__new__(cls, text)
        link.target = target
        return link


Cell = str | float | int | Estimate


@dataclass(frozen=True)
class Table:
    """Rows of cells, one per column; the unit of a column of estimates is put into its header."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    is_detail: bool = False

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise ConfigError(
                    f"table {self.title!r}: row {number} has {len(row)} cells for {len(self.columns)} columns"
                )


@dataclass(frozen=True)
class Curve:
    """Points `[N]` of one line; `ci95` `[N]` draws a band of that half-width around it."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    ci95: Sequence[float] | None = None

    def __post_init__(self) -> None:
        if len(self.x) != len(self.y) or (self.ci95 is not None and len(self.ci95) != len(self.y)):
            raise ConfigError(f"curve {self.name!r}: x, y and ci95 must have the same length")


@dataclass(frozen=True)
class Plot:
    """Curves over one pair of axes; `lines` are horizontal references (name, y)."""

    title: str
    x_title: str
    y_title: str
    curves: tuple[Curve, ...]
    log_x: bool = False
    log_y: bool = False
    lines: tuple[tuple[str, float], ...] = ()
    is_detail: bool = False


@dataclass(frozen=True)
class Bars:
    """Estimates of one unit as bars one below the other, each with its interval; `x_title` says what they are."""

    title: str
    x_title: str
    bars: tuple[tuple[str, Estimate], ...]
    note: str = ""
    is_detail: bool = False

    def __post_init__(self) -> None:
        if len({estimate.unit for _, estimate in self.bars}) != 1:
            raise ConfigError(f"bars {self.title!r}: they need estimates of one unit")

    @property
    def unit(self) -> str:
        return self.bars[0][1].unit


@dataclass(frozen=True)
class Drawing:
    """Any other chart; colours and fonts that it leaves open are the report's."""

    title: str
    figure: go.Figure
    is_detail: bool = False


@dataclass(frozen=True)
class Text:
    """Paragraphs of plain text."""

    title: str
    paragraphs: tuple[str, ...]
    is_detail: bool = False


@dataclass(frozen=True)
class CrossTableSection:
    """Each player's winrate against each set of opponents, green above 0 and red below, and its mean in the end."""

    title: str
    table: CrossTable
    note: str = ""
    is_detail: bool = False


Section = FigureTable | Table | CrossTableSection | HandMatrix | HandRows | Plot | Bars | Drawing | Text


@dataclass(frozen=True)
class Report:
    """One page.

    summary: the finding in one or two sentences.
    command: what to type to get the same numbers; empty where there is nothing to type.
    facts:   what the numbers depend on: game, solver, seed, version; nothing of the machine.
    """

    title: str
    summary: str
    sections: tuple[Section, ...]
    command: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)


def write_report(report: Report, path: Path) -> None:
    """Write the page at once, and the chart script where a page needs it and it is not there yet."""
    from nashgap.reports.page import render_page

    has_charts = any(isinstance(section, Plot | Bars | Drawing) for section in report.sections)
    script = None
    if has_charts:
        is_in_run = is_run_folder(path.absolute().parent)
        _write_script((path.absolute().parent.parent if is_in_run else path.absolute().parent) / _SCRIPT)
        script = f"../{_SCRIPT}" if is_in_run else _SCRIPT
    write_atomically(path, [render_page(report, script).encode()])


def _write_script(path: Path) -> None:
    import plotly

    packaged = Path(plotly.__file__).parent / "package_data" / _SCRIPT
    try:
        if path.is_file() and path.stat().st_size == packaged.stat().st_size:
            return
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error
    write_atomically(path, [packaged.read_bytes()])
