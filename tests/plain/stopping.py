"""Work of a checkpoint job that is stopped after each of its steps, and goes on from what was saved."""

from pathlib import Path

from nashgap.core.job import CheckpointJob, Work

__all__ = ["done_in_parts"]


def done_in_parts(job: CheckpointJob, folder: Path) -> tuple[Work, int]:
    """The work at its end, which other work has begun and saved there, step by step; and the number of steps."""
    work, steps = job.begin(), 0
    while not work.is_finished:
        work.advance()
        steps += 1
        path = folder / f"{steps}.checkpoint"
        work.save(path)
        work = job.begin()
        work.load(path)
    return work, steps
