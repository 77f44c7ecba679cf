"""Make a table or figure of a paper again: published and ours side by side, in the terminal, a notebook and a page."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nashgap.catalogue import REPRODUCTIONS
from nashgap.core.result import Provenance, Result
from nashgap.errors import OptionError, OutputError
from nashgap.jobs.perform import Interrupted, Keep, runs_root
from nashgap.jobs.reproduction import Request
from nashgap.reports.report import Report, write_report
from nashgap.runs import Run, package_version
from nashgap.runs.progress import Progressing, shown
from nashgap.runs.workers import Workers

__all__ = ["Reproduction", "reproduce"]

# Reproductions that can do with some of their agents.
CHOOSES_AGENTS = ("lbr-table-3", "thesis-future-work")


@dataclass(frozen=True, eq=False, repr=False)
class Reproduction(Result):
    """A table or figure of a paper, made again.

    name:     in the catalogue.
    contents: what `report()` shows.
    is_quick: with less work, and rougher numbers.
    path:     of its page; None where nothing was kept.
    """

    name: str
    contents: Report
    is_quick: bool
    seed: int
    path: Path | None = None

    @property
    def page_path(self) -> Path | None:
        return self.path

    @property
    def summary(self) -> str:
        return self.contents.summary

    @property
    def places(self) -> dict[str, Path | tuple[Path, ...] | None]:
        return {"report": self.path}

    def report(self) -> Report:
        return self.contents

    def as_dict(self) -> dict[str, Any]:
        """With every section of the report."""
        from nashgap.reports.terminal import report_document

        return {
            "name": self.name,
            "is_quick": self.is_quick,
            "seed": self.seed,
            "report": None if self.path is None else str(self.path),
            "version": package_version(),
            **report_document(self.contents),
        }


def reproduce(
    name: str,
    *,
    quick: bool = False,
    seed: int = 0,
    minutes: float | None = None,
    agents: Sequence[str] = (),
    workers: Workers = 1,
    run: Keep = True,
    progress: Progressing = None,
) -> Reproduction:
    """The reproduction of this name in the catalogue; what is finished is kept, and the same call goes on from there.

    quick:   less work, rougher numbers.
    minutes: of training for each agent that is trained; None for its recipe's.
    agents:  only these of the agents that it trains; empty for all.
    workers: who runs batches: processes, a cluster; so many processes are as many threads where agents are trained.
    run:     the folder of runs, where its page lies too: True for the usual one; False for one that goes at the end.
    """
    make_report = REPRODUCTIONS.load(name)
    if agents and name not in CHOOSES_AGENTS:
        chosen = ", ".join(CHOOSES_AGENTS)
        raise OptionError(f"`agents`: {name} needs all of its agents; for {chosen} they can be chosen")
    request = Request(is_quick=quick, seed=seed, workers=workers, minutes=minutes, agents=tuple(agents))
    root = runs_root(run)
    with shown(progress) as show:
        request = replace(request, on_note=show.note, on_progress=show.on_progress)
        try:
            if root is not None:
                return _make_kept(make_report, name, replace(request, runs_root=root))
            with TemporaryDirectory(prefix="nashgap-") as folder:
                return _make(make_report, name, replace(request, runs_root=Path(folder)))
        except KeyboardInterrupt as interrupt:
            raise Interrupted("" if root is None else "the same command") from interrupt


def _make(make_report: Callable[[Request], Report], name: str, request: Request) -> Reproduction:
    begin = time.perf_counter()
    report = make_report(request)
    provenance = Provenance(report.command, seconds=time.perf_counter() - begin)
    return Reproduction(name, report, request.is_quick, request.seed, provenance=provenance)


def _make_kept(make_report: Callable[[Request], Report], name: str, request: Request) -> Reproduction:
    """With its page: in the folder of the run that it was made of, where there is one of its own."""
    root = request.runs_root
    own: list[Run] = []
    try:
        root.mkdir(parents=True, exist_ok=True)  # now: that it cannot be written is better known before the work
    except OSError as error:
        raise OutputError(f"{root}: cannot be written: {error.strerror}") from error
    began_at = datetime.now(UTC).isoformat(timespec="seconds")
    made = _make(make_report, name, replace(request, on_run=own.append))
    if not own:
        quick, seed = "-quick" if request.is_quick else "", f"-seed-{request.seed}" if request.seed else ""
        path = root / f"{name}{quick}{seed}.html"  # beside the runs: all pages there share one copy of the chart script
        return replace(made, path=path) if _is_written(made, path) else made
    run = own[-1]
    made = replace(made, provenance=_provenance(made.contents.command, run, began_at))
    return replace(made, path=run.report_path) if _is_written(made, run.report_path, run) else made


def _is_written(made: Reproduction, page: Path, run: Run | None = None) -> bool:
    """Whether its page could be written; what was found is worth more, and is told without it."""
    report = made.contents
    try:
        write_report(report, page)
        if run is not None:
            run.save_result({"title": report.title, "summary": made.summary, "command": report.command})
    except (OutputError, OSError) as error:
        warnings.warn(f"the report is missing: {error}", stacklevel=2)
        return False
    return True


def _provenance(command: str, run: Run, began_at: str) -> Provenance:
    with run.open_ledger() as ledger:
        seconds, finished_at = ledger.seconds, ledger.finished_at
    is_older = finished_at is not None and finished_at < began_at
    return Provenance(command, run.folder, seconds, finished_at if is_older else None)
