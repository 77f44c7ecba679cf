"""Solve a game as a run: iterations in small steps, a measured curve, and a state that can be saved and continued.

NashConv is measured at iterations that lie evenly on a logarithmic scale and at the last one. Nothing that is saved
depends on when the job was stopped, killed or continued, nor on the speed of the machine.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from nashgap.catalogue import POLICIES, SOLVERS
from nashgap.core.array_file import open_arrays, save_arrays
from nashgap.core.job import Progress, require_seed
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, FileFormatError, MismatchError
from nashgap.games.compiled import rebuild_tree
from nashgap.jobs.solution import Solution, measure
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.named import make_solver
from nashgap.strategies.load import load
from nashgap.strategies.table import TableStrategy

__all__ = ["DEFAULT_ITERATIONS", "DEFAULT_SOLVER", "Budget", "Method", "SolveJob", "is_measured_at"]

DEFAULT_SOLVER = "cfr+"
DEFAULT_ITERATIONS = 1000

CHECKPOINT_KIND = "solve-checkpoint"
POINTS_PER_DECADE = 40  # a limit by NashConv is overshot by 6% of the iterations at most
STEP_SECONDS = 0.1
FILE_LABEL = "sha256:"


@dataclass(frozen=True)
class Method:
    """How a game is solved; together with the game it determines all numbers.

    solver:         an iterative solver of the catalogue.
    seed:           of all that is random; 0 to 2^63 - 1.
    is_alternating: whether players are updated in turn.
    start:          what all players begin with: a named strategy or a file; None for uniform.
    frozen:         players (0-based) who never change, with their strategy: a name or a file.
    """

    solver: str = DEFAULT_SOLVER
    seed: int = 0
    is_alternating: bool = True
    start: str | None = None
    frozen: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        SOLVERS.entry(self.solver)
        require_seed(self.seed)


@dataclass(frozen=True)
class Budget:
    """How far to go: to whichever of these comes first; without any, `DEFAULT_ITERATIONS`.

    iterations: in total.
    minutes:    of solving, in total over all resumes.
    until:      NashConv, in the game's unit, looked at where it is measured. What frozen players could gain does not
                count: nothing would ever lower it.
    """

    iterations: int | None = None
    minutes: float | None = None
    until: float | None = None

    def __post_init__(self) -> None:
        for name in ("iterations", "minutes", "until"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ConfigError(f"{name} = {value}; it must be more than 0")
        if self.iterations is None and self.minutes is None and self.until is None:
            object.__setattr__(self, "iterations", DEFAULT_ITERATIONS)


class SolveJob:
    """A `CheckpointJob`: one iterative solver on its way, the time it took and the last measured gap."""

    kind = "solve"

    def __init__(self, tree: GameTree, method: Method | None = None, limits: Budget | None = None) -> None:
        if not tree.definition:
            raise ConfigError(f"{tree.game} is not in the catalogue; a run can only be kept for a game that is")
        self.tree, self.method, self.limits = tree, method or Method(), limits or Budget()
        self._inputs: dict[str, TableStrategy] = {}
        self._start, self._frozen, given = self._load_given()
        self.solver = make_solver(
            self.method.solver, tree, seed=self.method.seed, is_alternating=self.method.is_alternating, given=given
        )
        if self.limits.until is not None:
            tree.require_perfect_recall("a limit by NashConv")
        self.seconds = 0.0
        self._gap: float | None = None  # NashConv of the players who are not frozen, when it was last measured
        self._rate = 0.0

    @property
    def name(self) -> str:
        return f"solve-{self.tree.game}-{self.method.solver}"

    def identity(self) -> dict[str, Any]:
        return {
            "game": dict(self.tree.definition),
            "solver": self.method.solver,
            "seed": self.method.seed,
            "is_alternating": self.method.is_alternating,
            "start": self._start,
            "frozen": {str(player + 1): label for player, label in self._frozen.items()},
        }

    def budget(self) -> dict[str, Any]:
        return asdict(self.limits)

    @classmethod
    def from_config(cls, identity: Mapping[str, Any], budget: Mapping[str, Any], folder: Path | None = None) -> Self:
        """The job at its beginning; strategies that came from files are taken from `folder`, see `keep_inputs`."""
        try:
            method = Method(
                solver=identity["solver"],
                seed=identity["seed"],
                is_alternating=identity["is_alternating"],
                start=_input(identity["start"], folder) if "start" in identity else None,
                frozen={int(player) - 1: _input(label, folder) for player, label in identity["frozen"].items()},
            )
            game, limits = identity["game"], Budget(**budget)
        except (KeyError, TypeError, AttributeError) as error:
            raise ConfigError(f"not the config of a solve: {error!r}") from error
        return cls(rebuild_tree(game), method, limits)

    def keep_inputs(self, folder: Path) -> None:
        """Copy strategies that came from files to the run's folder: it can be continued when they are gone."""
        for label, strategy in self._inputs.items():
            path = _input_path(folder, label)
            if not path.exists():
                strategy.save(path)

    @property
    def has_file_inputs(self) -> bool:
        return bool(self._inputs)

    @property
    def is_finished(self) -> bool:
        limits = self.limits
        return (
            (limits.iterations is not None and self.solver.iteration >= limits.iterations)
            or (limits.minutes is not None and self.seconds >= 60 * limits.minutes)
            or (limits.until is not None and self._gap is not None and self._gap <= limits.until)
        )

    def advance(self) -> Progress:
        begin = time.perf_counter()
        num_iterations = self._num_next()
        self.solver.run(num_iterations)
        spent = time.perf_counter() - begin
        self._rate = num_iterations / spent if spent > 0 else 0.0
        self.seconds += spent
        record = None
        if is_measured_at(self.solver.iteration) or self.is_finished:
            record = self._measure()
        return Progress(self.solver.iteration, self.limits.iterations, "iterations", record)

    def save(self, path: Path) -> None:
        metadata = {
            "kind": CHECKPOINT_KIND,
            "identity": _canonical(self.identity()),
            "fingerprint": self.tree.fingerprint,
            "seconds": self.seconds,
            "gap": self._gap,
        }
        save_arrays(path, self.solver.state(), metadata)

    def load(self, path: Path) -> None:
        file = open_arrays(path)
        told = file.metadata
        if told.get("kind") != CHECKPOINT_KIND:
            raise FileFormatError(f"{path} is not a checkpoint of a solve")
        if told.get("identity") != _canonical(self.identity()):
            raise MismatchError(f"{path} is the checkpoint of another solve")
        if told.get("fingerprint") != self.tree.fingerprint:
            raise MismatchError(
                f"{path} was solved with other rules of {self.tree.game}; remove {path.parent} to start afresh"
            )
        present = self.solver.state()
        if set(file.names) != set(present) or any(file.array(name).shape != present[name].shape for name in present):
            raise FileFormatError(f"{path} does not hold the state of {self.method.solver}")
        self.solver.restore({name: file.array(name) for name in present})
        self.seconds, self._gap = float(told["seconds"]), told["gap"]

    def solution(self) -> Solution:
        """The average strategy as it is now, measured."""
        identity = self.identity()
        parameters = asdict(SOLVERS.load(self.method.solver))
        facts = {
            # JSON has no infinity.
            "parameters": {key: str(x) if x in (math.inf, -math.inf) else x for key, x in parameters.items()},
            **{key: identity[key] for key in ("is_alternating", "start", "frozen") if identity[key]},
        }
        strategy = self.solver.average_strategy()
        values, measured = measure(strategy)
        return Solution(
            strategy=strategy,
            solver=self.method.solver,
            seed=self.method.seed,
            iterations=self.solver.iteration,
            seconds=self.seconds,
            values=values,
            measured=measured,
            frozen=tuple(self._frozen),
            facts=facts,
        )

    def _num_next(self) -> int:
        """Iterations to the next point to be measured, fewer where they take longer than a step should."""
        done = self.solver.iteration
        num = min(_next_measured(done) - done, max(1, int(self._rate * STEP_SECONDS)))
        return num if self.limits.iterations is None else min(num, self.limits.iterations - done)

    def _measure(self) -> dict[str, float]:
        begin = time.perf_counter()
        values, measured = measure(self.solver.average_strategy())
        self.seconds += time.perf_counter() - begin
        record = {"iteration": float(self.solver.iteration), "seconds": self.seconds}
        if measured is not None:
            self._gap = sum(gain for player, gain in enumerate(measured.gains) if player not in self._frozen)
            record |= {"nash_conv": measured.nash_conv, "exploitability": measured.exploitability}
        return record | {f"value_{player}": value for player, value in enumerate(values, start=1)}

    def _load_given(self) -> tuple[str | None, dict[int, str], list[GivenStrategy]]:
        """Labels of the start and of the frozen players' strategies, and all of them as the solver takes them."""
        tree, method = self.tree, self.method
        given = []
        start = None
        if method.start is not None:
            start, strategy = self._load_input(method.start)
            given.append(GivenStrategy(strategy))
        frozen = {}
        for player, text in sorted(method.frozen.items()):
            if not 0 <= player < tree.num_players:
                raise ConfigError(f"cannot freeze player {player + 1}; {tree.game} has players 1 to {tree.num_players}")
            frozen[player], strategy = self._load_input(text)
            given.append(GivenStrategy(strategy, (player,), is_static=True))
        if len(frozen) == tree.num_players:
            raise ConfigError(f"all {tree.num_players} players are frozen; at least one must be left to solve for")
        return start, frozen, given

    def _load_input(self, text: str) -> tuple[str, TableStrategy]:
        strategy = load(text, self.tree)
        if text in POLICIES.entries:
            return text, strategy
        content = np.ascontiguousarray(strategy.probabilities, "<f8")
        label = FILE_LABEL + hashlib.sha256(content.data).hexdigest()[:16]
        self._inputs[label] = strategy
        return label, strategy


def is_measured_at(iteration: int) -> bool:
    """Whether the curve has a point there: about `POINTS_PER_DECADE` in each decade, the first ones all."""
    return iteration > 0 and _next_measured(iteration - 1) == iteration


def _next_measured(iteration: int) -> int:
    """The first iteration of the grid after this one."""
    step = max(0, math.floor(POINTS_PER_DECADE * math.log10(max(iteration, 1))) - 1)
    while (point := round(10 ** (step / POINTS_PER_DECADE))) <= iteration:
        step += 1
    return point


def _canonical(identity: Mapping[str, Any]) -> str:
    return json.dumps(identity, sort_keys=True)


def _input(label: str, folder: Path | None) -> str:
    """What `load` takes for a label of the identity."""
    if not label.startswith(FILE_LABEL):
        return label
    if folder is None:
        raise ConfigError(f"strategy {label} came from a file; the folder that keeps it is needed")
    return str(_input_path(folder, label))


def _input_path(folder: Path, label: str) -> Path:
    return folder / f"strategy-{label.removeprefix(FILE_LABEL)}.safetensors"
