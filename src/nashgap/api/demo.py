"""A first look: train a small no-limit bot, measure it and some chumps by Local Best Response, say where it leaks."""

from __future__ import annotations

import shlex
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nashgap.api.measure import measure
from nashgap.api.solve import solve
from nashgap.core.result import Provenance, Result
from nashgap.errors import OutputError
from nashgap.jobs.lbr_bound import LbrBound
from nashgap.jobs.perform import Keep
from nashgap.measures.local_best_response import DEALT
from nashgap.reports.demo import demo_report
from nashgap.reports.report import Report
from nashgap.runs.config import package_version
from nashgap.runs.progress import Progressing, shown
from nashgap.runs.workers import Workers

__all__ = ["Demo", "demo"]

RECIPE = "hunl-fcpa-small"
GAME = "hunl"
CHUMPS = ("always-fold", "always-call", "half-call-half-raise", "random")
BETS = "56"


@dataclass(frozen=True, eq=False, repr=False)
class Demo(Result):
    """What was measured, by name; the bot is the last.

    file: the bot; page: where it leaks, None if it could not be written.
    """

    bounds: tuple[tuple[str, LbrBound], ...]
    file: Path
    page: Path | None

    @property
    def summary(self) -> str:
        name, bound = self.bounds[-1]
        return f"Local Best Response wins {bound.estimate} from {name}, trained here; folding every hand loses 750."

    @property
    def places(self) -> dict[str, Path | tuple[Path, ...] | None]:
        return {"file": self.file, "report": self.page}

    def report(self) -> Report:
        return demo_report(self.bounds, summary=self.summary, command=self.provenance.command)

    def as_dict(self) -> dict[str, Any]:
        measured = [{**bound.as_dict(), "strategy": name} for name, bound in self.bounds]
        kept = {"file": str(self.file), "report": self.page and str(self.page), "version": package_version()}
        return {"game": GAME, "measured": measured, **kept}


def demo(
    *,
    minutes: float = 1.0,
    deals: int = 2000,
    output: Path | str = "demo",
    seed: int = 0,
    workers: Workers = 1,
    run: Keep = True,
    progress: Progressing = None,
) -> Demo:
    """Train a small no-limit hold'em bot, measure it and some chumps, and report where it leaks.

    minutes: of training; deals: for each measurement; output: folder for the bot and its report.
    """
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{RECIPE}.safetensors"
    page: Path | None = folder / "leaks.html"
    bounds: list[tuple[str, LbrBound]] = []
    with shown(progress) as show:
        tell = show.on_progress or False
        show.note(f"{RECIPE} is trained for {minutes:g} minutes; the first time its tables take some seconds more")
        solve(RECIPE, minutes=minutes, seed=seed, output=file, run=run, progress=tell)
        for name, strategy in (*((chump, chump) for chump in CHUMPS), (RECIPE, str(file))):
            show.note(f"{name} is measured")
            bound: LbrBound = measure(
                strategy, game=GAME, by="lbr", bets=BETS, lines=DEALT, deals=deals, leaks=name == RECIPE,
                seed=seed, workers=workers, run=run, progress=tell,
            )  # fmt: skip
            bounds.append((name, bound))
    try:
        bounds[-1][1].save_report(folder / "leaks.html")
    except (OutputError, OSError) as error:
        warnings.warn(f"the report is missing: {error}", stacklevel=2)
        page = None
    words = ["nashgap", "demo", "--minutes", f"{minutes:g}", "--deals", str(deals), "--seed", str(seed)]
    return Demo(tuple(bounds), file, page, provenance=Provenance(shlex.join(words)))
