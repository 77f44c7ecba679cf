"""What a page shows of a run: made of what lies in its folder, so that no strategy is opened and no program started.

A run's config says what was done, its ledger has batches and the points of curves, its result all numbers. Tables that
people play at are runs, too, with all cards in them: they are none of these pages' business, and are not found here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from nashgap.core.estimate import format_interval, significant
from nashgap.core.recent import Recent
from nashgap.errors import NashGapError
from nashgap.reports.report import Section
from nashgap.reports.runs import done_text
from nashgap.runs.config import RunConfig
from nashgap.runs.folder import Run, RunSummary, is_run_folder, summarise
from nashgap.runs.progress import human_seconds, moment
from nashgap.web.api import NotFoundError
from nashgap.web.file_names import with_short_paths, with_texts
from nashgap.web.hand_replay import replayed_hands
from nashgap.web.run_sections import finished_sections, rules_of_run, sections_so_far
from nashgap.web.tables import TableJob

__all__ = ["RUN_NAME", "RunLine", "RunPage", "RunPages", "Value", "value_of"]

RUN_NAME = r"^[a-z0-9+.][a-z0-9+.-]{0,100}-[0-9a-f]{12}$"
MOST_CACHED = 2000
MOST_PAGES = 16
_KINDS = {
    "lbr": "Local Best Response",
    "lbr-compare": "two versions, by LBR",
    "match-compare": "two versions, by matches",
    "abr": "Approximate Best Response",
    "abr-poker": "Approximate Best Response",
    "abr-simulated": "Approximate Best Response",
    "br": "best response",
    "match": "match",
    "tournament": "tournament",
    "solve": "solve",
    "train": "training",
    "spot": "solved spot",
    "spot-boards": "solved spots",
    "rivers": "rules for rivers",
}
_WHOLE_PATH = re.compile(r"[^\s'\"/:=(]*/(?:[^\s'\"/]+/)+([^\s'\"/]+\.\w+)")


@dataclass(frozen=True)
class Value:
    """The number that a run is about. ci95: half-width of its 95% interval; None where it has none."""

    what: str
    mean: float
    ci95: float | None
    unit: str

    @property
    def text(self) -> str:
        return significant(self.mean) if self.ci95 is None else format_interval(self.mean, self.ci95)


@dataclass(frozen=True)
class RunLine:
    """A run in a list; texts are for people."""

    name: str
    kind: str
    kind_words: str
    status: str
    value: Value | None
    finished: str
    seconds: float
    time: str
    found: str
    is_damaged: bool

    @property
    def title(self) -> str:
        """Its name without what only tells it from others of the same name."""
        return self.name.rpartition("-")[0] or self.name


@dataclass(frozen=True)
class RunPage:
    """All that the page of a run shows. facts: what its numbers depend on."""

    line: RunLine
    sections: tuple[Section, ...]
    facts: dict[str, str]
    num_hands: int


class RunPages:
    """The runs of one folder, read when they are asked for; what has not changed on the disk is not read again."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lines: dict[Path, tuple[object, RunLine | None]] = {}
        self._pages: Recent[Path, tuple[object, RunPage]] = Recent(MOST_PAGES)
        self._lock = Lock()

    def lines(self) -> list[RunLine]:
        """All runs but tables, the last finished first; damaged ones say so."""
        found = [line for folder in self._folders() if (line := self._line(folder)) is not None]
        return sorted(found, key=lambda line: (line.finished, line.name), reverse=True)

    def line(self, name: str) -> RunLine:
        """NotFoundError where there is no such run."""
        line = self._line(self._folder(name))
        if line is None:
            raise NotFoundError("no such run")
        return line

    def run(self, name: str) -> Run:
        """A run whose config can be read; NotFoundError, or what is damaged."""
        summary = summarise(self._folder(name))
        if summary.config is None:
            raise NotFoundError(f"run {name} cannot be read: {self.told(summary.problem)}")
        if summary.config.kind == TableJob.kind:
            raise NotFoundError("no such run")
        return Run(summary.folder, summary.config)

    def document(self, name: str) -> dict[str, Any]:
        """Its result, with all numbers as they were written; files are told without their folders."""
        run = self.run(name)
        document = run.load_result()
        if document is None:
            raise NotFoundError(f"run {name} has no result yet")
        told: dict[str, Any] = self.told(document, run.config)
        return told

    def hands(self, name: str) -> list[dict[str, Any]]:
        """The hands of its leak report, step by step; none where it has no such report."""
        document = self.document(name)
        if not document.get("situations"):
            return []
        return replayed_hands(rules_of_run(self.run(name)), document["situations"], str(document.get("unit", "")))

    def page(self, name: str) -> RunPage:
        """The page of the run, finished or not; of a damaged one what can be said."""
        folder = self._folder(name)
        signature = _signature(folder)
        if (known := self._pages.get(folder)) is not None and known[0] == signature:
            return known[1]
        page = self._made_page(self.line(name))
        with self._lock:
            self._pages[folder] = (signature, page)
        return page

    def refusal(self, text: str) -> str:
        """The text without where the runs and other files lie; files of runs keep the names that pages know."""
        return _WHOLE_PATH.sub(r"\1", self._without_root(text))

    def _without_root(self, text: str) -> str:
        """Whole paths alone: what only ends like the root's, which may be relative, is the path of something else."""
        roots = sorted({str(self.root), str(self.root.resolve())}, key=len, reverse=True)
        return re.sub(rf"(?<![\w/.-])(?:{'|'.join(map(re.escape, roots))})/", "", text)

    def told(self, value: Any, config: RunConfig | None = None) -> Any:
        """The value with paths cut from its texts: where files lie is nobody's business. config: of its run."""
        files = () if config is None else config.inputs.values()
        return with_short_paths(with_texts(value, self._without_root), map(self._without_root, files))

    def _made_page(self, line: RunLine) -> RunPage:
        try:
            run = self.run(line.name)
            document = None if line.status != "finished" else run.load_result()
            with run.open_ledger() as ledger:
                if document is None:
                    return RunPage(line, sections_so_far(run, ledger), _facts(run, {}), 0)
                document = self.told(document, run.config)
                sections = finished_sections(run, ledger, document)
        except NashGapError:
            return RunPage(line, (), {}, 0)  # the line says what is damaged
        hands = sum(bool(leak.get("example")) for leak in document.get("situations", []))
        return RunPage(line, sections, self.told(_facts(run, document), run.config), hands)

    def _folders(self) -> list[Path]:
        """Those that lie here: a link may lead elsewhere."""
        root = self.root.resolve()
        try:
            return sorted(path for path in root.iterdir() if is_run_folder(path) and path.resolve().parent == root)
        except OSError:
            return []

    def _folder(self, name: str) -> Path:
        """Of a run of this name; never made of the name itself."""
        for folder in self._folders():
            if folder.name == name:
                return folder
        raise NotFoundError("no such run")

    def _line(self, folder: Path) -> RunLine | None:
        """None for a table."""
        signature = _signature(folder)
        if (known := self._lines.get(folder)) is not None and known[0] == signature:
            return known[1]
        summary = summarise(folder)
        line = None if _is_table(summary) else self._made_line(summary)
        if line is None or summary.status != "running":  # a lock that is let go of changes no file
            with self._lock:
                if len(self._lines) >= MOST_CACHED:
                    self._lines.clear()
                self._lines[folder] = (signature, line)
        return line

    def _made_line(self, summary: RunSummary) -> RunLine:
        kind = "" if summary.config is None else summary.config.kind
        value = None
        if summary.config is not None and summary.status == "finished":
            try:
                document = Run(summary.folder, summary.config).load_result() or {}
                value = value_of(kind, self.told(document, summary.config))
            except (NashGapError, LookupError, TypeError, ValueError, AttributeError):
                value = None  # the line goes without
        return RunLine(
            summary.name,
            kind,
            _KINDS.get(kind, kind or "unknown"),
            summary.status,
            value,
            "" if summary.finished_at is None else moment(summary.finished_at),
            summary.seconds,
            human_seconds(summary.seconds) if summary.seconds else "",
            self.told(summary.problem or summary.summary or done_text(summary), summary.config),
            summary.status == "damaged",
        )


def value_of(kind: str, document: Mapping[str, Any]) -> Value | None:
    """The number that the result of a run of this kind is about; None where it is about many."""
    match kind:
        case "lbr":
            return Value("LBR wins", document["mean"], document["ci95"], document["unit"])
        case "abr" | "abr-poker" | "abr-simulated":
            return Value("responders win", document["mean"], document["ci95"], document["unit"])
        case "lbr-compare" | "match-compare":
            difference = document["difference"]
            return Value("second better by", difference["mean"], difference["ci95"], difference["unit"])
        case "match":
            first = str(document["agents"][0])
            return Value(f"{first} wins", document["winrates"][0], document["ci95"][0], document["unit"])
        case "train":
            gap = document["gap"]  # of recipes for which it is measured
            return (
                None
                if gap is None
                else Value("gap in its abstract game, at least", gap["mean"], gap["ci95"], gap["unit"])
            )
        case "spot":
            return Value("exploitability", document["exploitability_percent"], None, "% of the pot")
        case _:
            for what in ("nash_conv", "exploitability", "average_regret"):
                if isinstance(document.get(what), float | int):
                    return Value(what, document[what], None, str(document.get("unit", "")))
            return None


def _facts(run: Run, document: Mapping[str, Any]) -> dict[str, str]:
    """Of config and result, what can be said in a few words."""
    names = ("game", "seed", "deals", "hands", "bets", "rounds", "episodes", "games", "preset", "solver", "iterations")
    options = run.config.identity.get("options")
    known = {**run.config.identity, **run.config.budget, **document}
    if isinstance(options, Mapping):  # of LBR; in a result rounds are counted from 0
        known |= {"bets": options.get("bets", ""), "rounds": options.get("rounds") or "all"}
    facts: dict[str, str] = {}
    for name in (*names, "version"):
        value = known.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
            facts[name] = f"{value:,}" if isinstance(value, int) and name != "seed" else str(value)
    rules = run.config.identity.get("rules")
    if "game" not in facts and isinstance(rules, Mapping):
        facts = {"game": str(rules.get("name", "")) or "a game of its own", **facts}
    return facts


def _is_table(summary: RunSummary) -> bool:
    """Also where the config cannot be read: a table's name says what it is."""
    if summary.config is not None:
        return summary.config.kind == TableJob.kind
    return summary.name.startswith(f"{TableJob.kind}-")


def _signature(folder: Path) -> object:
    """Changes whenever something was written."""
    found: list[Sequence[int]] = []
    for name in ("config.toml", "ledger.sqlite", "result.json"):
        try:
            status = (folder / name).stat()
            found.append((status.st_mtime_ns, status.st_size))
        except OSError:
            found.append((0, 0))
    return tuple(found)
