"""What was found: a frozen record that knows where it comes from, and shows itself.

`repr` is a line or two. A notebook shows the whole report, tables and charts; `save_report` writes it as a page. The
report itself is made in `nashgap.reports`, above whatever finds results: a class names the function that makes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nashgap.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Provenance", "Result", "frame"]

MOST_LETTERS = 380  # of a repr


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from.

    command:     what to type for the same numbers; empty where there is nothing to type.
    run:         the folder of its run; None where nothing was kept.
    seconds:     that it took, over all resumes.
    finished_at: when the run was finished, if that was before this result was asked for; UTC, as ISO 8601 writes it.
    """

    command: str = ""
    run: Path | None = None
    seconds: float = 0.0
    finished_at: str | None = None

    @property
    def report_path(self) -> Path | None:
        """The page in the run's folder; None where there is none."""
        path = None if self.run is None else self.run / "report.html"
        return path if path is not None and path.is_file() else None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Result:
    """Subclasses are frozen dataclasses with `repr=False`.

    reporter: `module:function` that makes the report of such a result.
    """

    reporter: ClassVar[str]
    provenance: Provenance = field(default_factory=Provenance)

    @property
    def page_path(self) -> Path | None:
        """The page of its report, where one is kept."""
        return self.provenance.report_path

    @property
    def summary(self) -> str:
        """The finding in one or two sentences."""
        raise AssertionError(f"{type(self).__name__} does not say what it found")

    def as_dict(self) -> dict[str, Any]:
        """All numbers, JSON-able."""
        raise AssertionError(f"{type(self).__name__} does not tell its numbers")

    @property
    def places(self) -> dict[str, Path | tuple[Path, ...] | None]:
        """What was written beside its report, by name."""
        return {}

    def page_document(self) -> dict[str, Any]:
        """All numbers that stand beside a page of the report, JSON-able."""
        return self.as_dict()

    def report(self) -> Any:
        """The whole of it for people; see `nashgap.reports.report`."""
        module, _, function = self.reporter.partition(":")
        return getattr(import_module(module), function)(self)

    def save_report(self, path: Path | str) -> None:
        """Write the report as a page, and all numbers as JSON beside it."""
        from nashgap.core.array_file import write_atomically

        report = self.report()
        self.write_page(path, report)
        told = {"title": report.title, "command": report.command, "facts": dict(report.facts), **self.page_document()}
        text = json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False, default=str) + "\n"
        write_atomically(Path(path).with_suffix(".json"), [text.encode()])

    def write_page(self, path: Path | str, report: Any = None) -> None:
        """Write the report as a page, alone."""
        import_module("nashgap.reports.report").write_report(report or self.report(), Path(path))

    def keep_beside(self, folder: Path) -> None:
        """Write what else belongs into the folder of its run, such as a cross-table for other programs."""

    def _repr_html_(self) -> str:
        return str(import_module("nashgap.reports.page").render_fragment(self.report()))

    def __repr__(self) -> str:
        text = f"<{type(self).__name__}: {self.summary}>"
        return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 5]} ...>"


def frame(
    columns: Sequence[str], rows: Sequence[Sequence[Any] | Mapping[str, Any]] | Mapping[str, Any]
) -> pd.DataFrame:
    """A pandas table, of rows or of columns by their names; only here pandas is asked for."""
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtraError("to_frame() needs pandas: pip install pandas") from error
    return pd.DataFrame(rows, columns=list(columns))
