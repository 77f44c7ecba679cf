"""Options that several commands share, and how options of a command become arguments of its function."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from nashgap.runs.workers import Workers

__all__ = [
    "SAVE_SECONDS",
    "ClusterOption",
    "FreshOption",
    "JsonOption",
    "QuietOption",
    "RunsOption",
    "SaveEveryOption",
    "SeedOption",
    "TrustOption",
    "WorkersOption",
    "given",
    "kept_in",
    "trusting",
    "workers_of",
]

# The library's own default, which a test holds equal: to import it here would make help slow.
SAVE_SECONDS = 30.0

JsonOption = Annotated[
    bool, typer.Option("--json", metavar="", help="One JSON document on standard output, nothing else there.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", metavar="", help="Show no progress.")]
RunsOption = Annotated[
    Path | None,
    typer.Option("--runs", metavar="DIR", help="Folder of runs; else $NASHGAP_RUNS, else 'runs' in this folder."),
]
FreshOption = Annotated[
    bool, typer.Option("--fresh", metavar="", help="Do it again, also where a finished run has the answer.")
]
SaveEveryOption = Annotated[
    float, typer.Option("--save-every", metavar="SECONDS", help="Between two saves of a solve's state.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="Of everything random; same seed, same numbers.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        help="Processes; the numbers do not depend on it. Default: the cores, but 1 for exec: and acpc: programs.",
        show_default=False,
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="A Ray cluster in the place of processes: host:port of its head, or auto: one that is started here.",
        show_default=False,
    ),
]
TrustOption = Annotated[
    bool, typer.Option("--trust", metavar="", help="Start the programs that it names without asking.")
]


def trusting(is_given: bool) -> bool | Callable[[str], bool]:
    """Whether programs of somebody's are started, or who is asked in the terminal."""
    return _ask if not is_given and sys.stdin is not None and sys.stdin.isatty() else is_given


def _ask(told: str) -> bool:
    sys.stderr.write(f"{told}.\nStart that? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def workers_of(workers: int | None, cluster: str | None) -> Workers:
    """Who runs batches."""
    from nashgap.errors import ConfigError
    from nashgap.runs.cluster import Cluster

    if cluster is None:
        return "cores" if workers is None else workers
    if workers is not None:
        raise ConfigError("--workers and --cluster; one of them: a cluster has workers of its own")
    return Cluster(cluster)


def kept_in(runs: Path | None) -> bool | Path:
    """Where a command keeps its run."""
    return True if runs is None else runs


def given(**options: Any) -> dict[str, Any]:
    """Those that were typed."""
    return {name: value for name, value in options.items() if value is not None}
