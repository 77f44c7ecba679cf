"""Continue a run that was stopped or killed, compare two; what else can be done with runs is in `nashgap.runs`."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

from nashgap.core.array_file import check_writable
from nashgap.core.result import Provenance, Result
from nashgap.errors import ConfigError, OptionError
from nashgap.jobs.abr import AbrJob
from nashgap.jobs.perform import job_of, naming_output, perform_run, programs_of, saved
from nashgap.jobs.run_compare import compare_documents, compare_on_same_deals, joint_job
from nashgap.jobs.train import TrainJob
from nashgap.runs.cluster import Cluster
from nashgap.runs.executors import CHECKPOINT_SECONDS
from nashgap.runs.folder import Run, default_root, find_run, listed_names
from nashgap.runs.progress import Progressing
from nashgap.runs.trust import Trust, require_trust
from nashgap.runs.workers import Workers

__all__ = ["compare_runs", "resume"]


def resume(
    run: str | Run,
    *,
    root: Path | str | None = None,
    output: Path | str | None = None,
    quantise: bool = False,
    workers: Workers = 1,
    save_every: float = CHECKPOINT_SECONDS,
    progress: Progressing = None,
    trust: Trust = False,
) -> Any:
    """What the run finds: continued where it stands, or, where it is finished, at once.

    run:    its name or id, or how one of them begins; or the run itself.
    root:   folder of runs; the usual one unless told.
    output: where what it finds is saved, if that can be: a strategy, solved games.
    workers: who runs batches; of Approximate Best Response a cluster has the actors.
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
    if isinstance(job, AbrJob) and isinstance(workers, Cluster):
        job, workers = replace(job, actors=workers), 1
    with naming_output(output):
        result = perform_run(found, job, workers=workers, save_every=save_every, progress=progress)
    return saved(result, output, **({"is_quantised": True} if quantise else {}))


def compare_runs(
    first: str | Run, second: str | Run, *, root: Path | str | None = None, trust: Trust = False
) -> Result:
    """What two finished runs found, side by side; nothing is played again.

    Runs of Local Best Response or of matches that are alike but for one bot are compared on the deals that they share,
    as `compare` does; of others the numbers of the same name, with the intervals of independent samples.

    trust: as in `resume`: whose numbers are compared on the same deals is loaded.
    """
    folder = default_root() if root is None else Path(root)
    runs = [run if isinstance(run, Run) else find_run(folder, run) for run in (first, second)]
    results = [_finished_result(run) for run in runs]
    command = shlex.join(["nashgap", "runs", "compare", *(run.name for run in runs)])
    names = (runs[0].name, runs[1].name)
    if names[0] == names[1]:
        raise ConfigError(f"{names[0]} twice; two runs are needed")
    if runs[0].config.kind == runs[1].config.kind and runs[0].config.kind in ("lbr", "match"):
        for run in runs:
            require_trust(f"run {run.name}", run.folder, programs_of(run), trust)
        if (job := joint_job(*map(job_of, runs))) is not None:
            batches = [_batches(run, job.num_batches // 2) for run in runs]
            return replace(compare_on_same_deals(job, *batches), provenance=Provenance(command))
    return replace(compare_documents(names, *results), provenance=Provenance(command))


def _finished_result(run: Run) -> dict[str, Any]:
    result = run.load_result()
    if result is None:
        raise ConfigError(f"run {run.name} has no result yet; continue it first: {run.resume_command}")
    return result


def _batches(run: Run, number: int) -> dict[int, dict[str, Any]]:
    with run.open_ledger() as ledger:
        batches = ledger.batches()
    if lost := [f"batch {index}" for index in range(number) if index not in batches]:
        raise ConfigError(f"run {run.name} lacks {listed_names(lost)}; continue it first: {run.resume_command}")
    return batches
