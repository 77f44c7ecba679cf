"""The peers at their best documented single-threaded use; none is needed to import this file."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

__all__ = ["LITEEFG", "OPENSPIEL", "LiteEFGCFRPlus", "OpenSpielCFRPlus", "OpenSpielExternalSampling", "is_installed"]

OPENSPIEL = "OpenSpiel C++"
LITEEFG = "LiteEFG"
MODULES = {OPENSPIEL: "pyspiel", LITEEFG: "LiteEFG"}


def is_installed(peer: str) -> bool:
    return find_spec(MODULES[peer]) is not None


class OpenSpielCFRPlus:
    """`pyspiel.CFRPlusSolver`: one call an iteration, all of it in C++."""

    def __init__(self, game: str) -> None:
        import pyspiel

        self._pyspiel = pyspiel
        self._game = pyspiel.load_game(game)
        self._solver = pyspiel.CFRPlusSolver(self._game)

    def run(self, num_iterations: int) -> None:
        step = self._solver.evaluate_and_update_policy
        for _ in range(num_iterations):
            step()

    def num_infosets(self) -> int:
        return len(self._solver.tabular_average_policy().policy_table())

    def nash_conv(self) -> float:
        return float(self._pyspiel.nash_conv(self._game, self._solver.tabular_average_policy(), True))


class OpenSpielExternalSampling:
    """`pyspiel.ExternalSamplingMCCFRSolver`: one call an iteration, which is one pass a player."""

    def __init__(self, game: str, seed: int) -> None:
        import pyspiel

        self._pyspiel = pyspiel
        self._game = pyspiel.load_game(game)
        self._solver = pyspiel.ExternalSamplingMCCFRSolver(self._game, seed)

    def run(self, num_iterations: int) -> None:
        step = self._solver.run_iteration
        for _ in range(num_iterations):
            step()

    def nash_conv(self) -> float:
        return float(self._pyspiel.nash_conv(self._game, self._solver.average_policy(), True))


class LiteEFGCFRPlus:
    """LiteEFG's CFR+ graph on an OpenSpiel game: one call a player, and one for the linear average.

    LiteEFG's own training loop takes the average after the update; here it is taken before, which is the same work
    and the same average as ours, so the two NashConvs must be equal. Its loop also knows two players only; the calls
    it makes take any player.
    """

    def __init__(self, game: str) -> None:
        with _no_trace():
            import LiteEFG
            import pyspiel
            from LiteEFG.baselines import CFRplus

            LiteEFG.set_threads(1)
            loaded = pyspiel.load_game(game)
            self._graph = CFRplus.graph()
            self._environment = LiteEFG.OpenSpielEnv(loaded, traverse_type="Enumerate")
            self._environment.set_graph(self._graph)
        self._players = range(1, loaded.num_players() + 1)

    def run(self, num_iterations: int) -> None:
        environment, strategy = self._environment, self._graph.strategy
        for _ in range(num_iterations):
            environment.update_strategy(strategy)
            for player in self._players:
                environment.update(strategy, upd_player=player)

    def num_infosets(self) -> int:
        return sum(len(self._environment.get_value(player, self._graph.strategy)) for player in self._players)

    def nash_conv(self) -> float:
        return float(sum(self._environment.exploitability(self._graph.strategy, "linear-avg-iterate")))


@contextlib.contextmanager
def _no_trace() -> Iterator[Any]:
    """LiteEFG prints while it builds, and leaves a copy of every game in the home folder: give it another."""
    home = os.environ.get("HOME")
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere:
        os.environ["HOME"] = folder
        try:
            with contextlib.redirect_stdout(nowhere):
                yield
        finally:
            if home is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = home
