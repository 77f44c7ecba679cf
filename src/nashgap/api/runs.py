"""Continue a run that was stopped or killed; the rest of what can be done with runs is in `nashgap.runs`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nashgap.core.array_file import check_writable
from nashgap.errors import OptionError
from nashgap.jobs.perform import job_of, naming_output, perform_run, programs_of
from nashgap.jobs.train import TrainJob
from nashgap.runs.executors import CHECKPOINT_SECONDS
from nashgap.runs.folder import Run, default_root, find_run
from nashgap.runs.progress import Progressing
from nashgap.runs.trust import Trust, require_trust

__all__ = ["resume"]


def resume(
    run: str | Run,
    *,
    root: Path | str | None = None,
    output: Path | str | None = None,
    quantise: bool = False,
    workers: int = 1,
    save_every: float = CHECKPOINT_SECONDS,
    progress: Progressing = None,
    trust: Trust = False,
) -> Any:
    """What the run finds: continued where it stands, or, where it is finished, at once.

    run:    its name or id, or how one of them begins; or the run itself.
    root:   folder of runs; the usual one unless told.
    output: where what it finds is saved, if that can be: a strategy, solved games.
    trust:  whether programs (`exec:`, `acpc:`, `python:`) are started that the run names, although it was not made
            here; or who is asked, with what would be started.
    """
    found = run if isinstance(run, Run) else find_run(default_root() if root is None else Path(root), run)
    require_trust(f"run {found.name}", found.folder, programs_of(found), trust)
    job = job_of(found)
    if quantise and not isinstance(job, TrainJob):
        raise OptionError(f"`quantise` is for a recipe; {found.name} is a run of kind {found.config.kind!r}")
    if output is not None:
        if not job.has_file:
            raise OptionError(f"`output`: a run of kind {found.config.kind!r} finds nothing that can be saved")
        check_writable(Path(output))
    with naming_output(output):
        result = perform_run(found, job, workers=workers, save_every=save_every, progress=progress)
    if output is not None:
        result.save(output, **({"is_quantised": True} if quantise else {}))
    return result
