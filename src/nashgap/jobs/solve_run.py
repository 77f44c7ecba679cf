"""Run a solve to its end, in a run's folder or in memory; say beforehand what it takes, and report it afterwards."""

from __future__ import annotations

import shlex
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from nashgap.core.tree import GameTree
from nashgap.errors import FileFormatError, OutputError
from nashgap.runs.executors import CHECKPOINT_SECONDS, Pace, execute
from nashgap.runs.folder import Run, open_run
from nashgap.reports.report import Curve, Figure, FigureTable, Plot, Report, Section, Text, write_report
from nashgap.jobs.solution import Solution
from nashgap.jobs.solve_job import SolveJob

__all__ = [
    "Forecast",
    "continue_solve",
    "forecast",
    "forecast_lp",
    "open_solve",
    "sizes",
    "solve_in_memory",
    "solve_report",
]

PROBE_SECONDS = 0.2


def open_solve(job: SolveJob, root: Path | None = None) -> Run | None:
    """The job's run, ready to be continued; None where it has gone beyond the job's iterations already.

    Such a job can only be solved in memory: a state does not run backwards.
    """
    run = open_run(job, root)
    with run.open_ledger() as ledger:
        newest = next(iter(ledger.checkpoints()), None)
    if newest is not None and job.limits.iterations is not None and newest.step > job.limits.iterations:
        return None
    job.keep_inputs(run.folder)
    return run


def continue_solve(
    job: SolveJob,
    run: Run,
    *,
    on_progress: Callable[[Pace], None] | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
) -> Solution:
    """Do what is missing of the run, and keep its result and report in its folder.

    Where these cannot be written there is a warning: the solution is worth more.
    """
    execute(job, run, on_progress=on_progress, checkpoint_seconds=checkpoint_seconds)
    solution = job.solution()
    if _iterations_told(run) != solution.iterations or not run.report_path.exists():
        with run.open_ledger() as ledger:
            points = ledger.points()
        try:
            run.save_result(solution.as_dict())
            write_report(solve_report(solution, points, _command(job, solution, run)), run.report_path)
        except OutputError as error:
            warnings.warn(f"the report is missing: {error}", stacklevel=2)
    return solution


def _iterations_told(run: Run) -> int | None:
    """The iterations that the run's result is of; None where there is no sound result."""
    try:
        return (run.load_result() or {}).get("iterations")
    except FileFormatError:
        return None


def solve_in_memory(job: SolveJob, *, on_progress: Callable[[Pace], None] | None = None) -> Solution:
    """Solve without a run: nothing is written, and an interrupt loses the work."""
    begin = time.perf_counter()
    while not job.is_finished:
        progress = job.advance()
        if on_progress is not None:
            on_progress(Pace.since(begin, 0.0, progress))
    return job.solution()


@dataclass(frozen=True)
class Forecast:
    """What a solve takes. bytes: of the compiled game and the solver's state. None: not known beforehand."""

    game: str
    solver: str
    nodes: int
    information_sets: int
    slots: int
    bytes: int
    iterations: int | None = None
    iterations_per_second: float | None = None
    seconds: float | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def forecast_lp(tree: GameTree) -> Forecast:
    """Sizes; the time of a linear program is not known beforehand, nor the memory that HiGHS takes."""
    return Forecast(tree.game, "lp", tree.num_nodes, tree.num_infosets, tree.num_slots, _tree_bytes(tree))


def sizes(job: SolveJob) -> Forecast:
    """Sizes and the number of iterations, at once."""
    tree = job.tree
    num_bytes = _tree_bytes(tree) + sum(array.nbytes for array in job.solver.state().values())
    shape = (tree.num_nodes, tree.num_infosets, tree.num_slots)
    return Forecast(tree.game, job.method.solver, *shape, num_bytes, job.limits.iterations)


def forecast(job: SolveJob) -> Forecast:
    """Sizes, and the time by the rate of a few iterations, which the job has done afterwards."""
    job.solver.run(1)  # pays for what happens only once
    num_iterations, spent, num_next = 0, 0.0, 1
    begin = time.perf_counter()
    while spent < PROBE_SECONDS:
        job.solver.run(num_next)
        num_iterations += num_next
        spent = time.perf_counter() - begin
        # Twice as many in the next round, but not beyond the time.
        num_next = min(2 * num_next, max(1, int(num_iterations * (PROBE_SECONDS / spent - 1))))
    rate = num_iterations / spent
    limits = job.limits
    seconds = None if limits.iterations is None else limits.iterations / rate
    if limits.minutes is not None:
        seconds = min(60 * limits.minutes, float("inf") if seconds is None else seconds)
    return replace(sizes(job), iterations_per_second=rate, seconds=seconds)


def _tree_bytes(tree: GameTree) -> int:
    arrays = (getattr(tree, field.name) for field in fields(tree))
    return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))


def solve_report(solution: Solution, points: Sequence[Mapping[str, float]], command: str) -> Report:
    """The convergence curve from its measured points, and the figures."""
    tree = solution.strategy.tree
    unit = tree.unit
    figures = []
    if solution.nash_conv is not None and solution.exploitability is not None:
        figures += [Figure("nash_conv", solution.nash_conv, unit, note="sum of what all players could gain")]
        figures += [Figure("exploitability", solution.exploitability, unit, note="mean gain a player")]
    figures += [Figure(f"value to player {i}", value, unit) for i, value in enumerate(solution.values, start=1)]
    gains = solution.gains or ()
    figures += [Figure(f"best response gains player {i}", gain, unit) for i, gain in enumerate(gains, start=1)]
    figures += [Figure("iterations", solution.iterations, "iterations")]
    figures += [Figure("time", solution.seconds, "seconds", note="over all resumes")]
    sections: list[Section] = [_curve(solution, points), FigureTable("Figures", tuple(figures))]
    if solution.notes:
        sections.append(Text("Notes", solution.notes))
    gap = "" if solution.nash_conv is None else f", nash_conv {solution.nash_conv:.6g} {unit}"
    told = solution.as_dict()
    facts = {key: told[key] for key in ("game", "unit", "solver", "seed", "iterations", "version")}
    for key, fact in solution.facts.items():
        is_table = isinstance(fact, Mapping)
        facts[key] = ", ".join(f"{name} = {value}" for name, value in fact.items()) if is_table else fact
    return Report(
        f"{tree.game} solved by {solution.solver}",
        f"After {solution.iterations:,} iterations{gap}.",
        tuple(sections),
        command,
        {**facts, "histories": tree.num_nodes, "information sets": tree.num_infosets},
    )


def _curve(solution: Solution, points: Sequence[Mapping[str, float]]) -> Plot:
    unit = solution.strategy.tree.unit
    iterations = [point["iteration"] for point in points]
    if solution.nash_conv is not None:
        curve = Curve(solution.solver, iterations, [point["nash_conv"] for point in points])
        return Plot("Convergence", "iterations", f"nash_conv ({unit})", (curve,), log_x=True, log_y=True)
    players = range(1, len(solution.values) + 1)
    curves = [Curve(f"player {i}", iterations, [point[f"value_{i}"] for point in points]) for i in players]
    return Plot("Values", "iterations", f"value ({unit})", tuple(curves), log_x=True)


def _command(job: SolveJob, solution: Solution, run: Run) -> str:
    """What to type for the same numbers; a solve that was given files has them in its run."""
    method = job.method
    has_file = any(isinstance(value, list) for value in job.tree.definition["parameters"].values())
    if job.has_file_inputs or has_file:
        return run.resume_command()
    words = ["nashgap", "solve", job.tree.game, "--solver", method.solver]
    words += ["--iterations", str(solution.iterations), "--seed", str(method.seed)]
    words += [] if method.is_alternating else ["--simultaneous"]
    words += ["--start", method.start] if method.start else []
    for player, text in sorted(method.frozen.items()):
        words += ["--freeze", f"{player + 1}={text}"]
    return shlex.join(words)
