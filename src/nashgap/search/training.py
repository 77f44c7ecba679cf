"""Both players' responders on their way: games are played by actors, and a learner each learns from them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np

from nashgap.errors import MismatchError
from nashgap.search.actors import Actors, GameSource, Task
from nashgap.search.options import NetworkLearning, Preset, TableLearning, TreeLearning
from nashgap.search.responder_game import Learner, NumberedGame, ResponderGame
from nashgap.search.simulated_search import SimulatedResponderGame
from nashgap.search.table_learner import TableLearner
from nashgap.search.tree_learner import TreeLearner

__all__ = ["MOST_UNDER_WAY", "ResponderTraining", "make_learner", "stream"]

PLAYERS = (0, 1)
TRAINING, EVALUATION, LEARNING = 0, 1, 2  # what random numbers are for
MOST_UNDER_WAY = 1 / 8  # of what was learned from, where tasks are more than a batch: what is played is not to be stale


def make_learner(game: ResponderGame, learning: TreeLearning | TableLearning | NetworkLearning, seed: int) -> Learner:
    """What learns as these options say."""
    if isinstance(game, SimulatedResponderGame):
        from nashgap.search.simulated_learners import make_simulated_learner

        return make_simulated_learner(game, learning, seed)
    numbered = cast(NumberedGame, game)
    if isinstance(learning, TreeLearning):
        return TreeLearner(numbered, learning)
    if isinstance(learning, TableLearning):
        return TableLearner(numbered, learning)
    from nashgap.search.network_learner import NetworkLearner  # torch is an extra

    return NetworkLearner(numbered, learning, seed)


class ResponderTraining:
    """An iteration is a batch of games of one responder; the two take turns.

    With one actor the same arguments give the same numbers, and what `state` saves goes on exactly. Several actors
    finish when they finish, and no two trainings are alike; a task of theirs is as many batches as it takes to be worth
    its way.

    num_games:       `[2]` learned from, by player,
    payoff_sum:      `[2]` and what they paid.
    num_simulations: of all searches.
    """

    def __init__(self, source: GameSource, preset: Preset, actors: Actors, seed: int) -> None:
        self.preset, self._actors, self._seed = preset, actors, seed
        self._learners = tuple(
            make_learner(source.games[player], preset.learning, stream(seed, LEARNING, player)) for player in PLAYERS
        )
        self.num_games = np.zeros(2, np.int64)
        self.payoff_sum = np.zeros(2)
        self.num_simulations = 0
        self._submitted = np.zeros(2, np.int64)  # games
        self._seconds, self._num_timed = 0.0, 0  # of this object's training, and its games

    @property
    def iteration(self) -> int:
        return int(self.num_games.sum()) // self.preset.games

    def run(self, num_iterations: int) -> None:
        """Learn from so many batches more; with several actors perhaps from the tasks of all of them beyond."""
        begin, before = time.perf_counter(), int(self.num_games.sum())
        goal = self.iteration + num_iterations
        while self.iteration < goal:
            while self._actors.num_free > 0:
                self._submit_next()
            for task, episodes in self._actors.collect():
                self._learn(task.player, episodes)
        self._seconds += time.perf_counter() - begin
        self._num_timed += int(self.num_games.sum()) - before

    def values(self, player: int) -> Any:
        """What the responder has learned so far."""
        return self._learners[player].values()

    def evaluate(
        self, values: tuple[Any, Any], first: int, number: int, *, searches: bool, cell: int = 1
    ) -> np.ndarray:
        """`[2, number]` what responders that stay as they are win in fresh games.

        searches: before each decision, as in training; else they act by what they know.
        cell:     so many games are played by the same actor.
        """
        search = self.preset.search
        options = replace(
            search, simulations=search.simulations if searches else 0, exploring=0, keeps_tree=False
        )  # fmt: skip
        share = cell * -(-number // (cell * -(-self._actors.number // len(PLAYERS))))  # of an actor
        tasks = [
            Task(
                player, options, stream(self._seed, EVALUATION, player), begin, min(share, first + number - begin),
                is_evaluation=True,
            )
            for player in PLAYERS
            for begin in range(first, first + number, share)
        ]  # fmt: skip
        num_tasks, found = len(tasks), dict[tuple[int, int], np.ndarray]()
        while len(found) < num_tasks:
            while tasks and self._actors.num_free > 0:
                task = tasks.pop(0)
                self._actors.submit(task, values[task.player])
            for task, won in self._actors.collect():
                if task.is_evaluation:
                    found[task.player, task.first] = won
                else:
                    self._learn(task.player, won)  # was under way when training ended
        return np.stack(
            [np.concatenate([found[key] for key in sorted(found) if key[0] == player]) for player in PLAYERS]
        )

    @property
    def num_actors(self) -> int:
        """That play at once."""
        return self._actors.number

    def close(self) -> None:
        """No more games."""
        self._actors.close()

    def state(self) -> dict[str, np.ndarray]:
        """All that `restore` needs; games that are under way are not in it, and are played again."""
        learned = {
            f"{name}_{player + 1}": array
            for player in PLAYERS
            for name, array in self._learners[player].state().items()
        }
        return {
            **learned,
            "num_games": self.num_games.copy(),
            "payoff_sum": self.payoff_sum.copy(),
            "num_simulations": np.array([self.num_simulations]),
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        for player in PLAYERS:
            end = f"_{player + 1}"
            mine = {name.removesuffix(end): array for name, array in state.items() if name.endswith(end)}
            if not mine:
                raise MismatchError("the saved state has nothing that was learned; it belongs to other work")
            self._learners[player].restore(mine)
        self.num_games[:], self.payoff_sum[:] = state["num_games"], state["payoff_sum"]
        self.num_simulations = int(state["num_simulations"][0])
        self._submitted[:] = self.num_games

    def _submit_next(self) -> None:
        player = int(self._submitted.argmin())
        first, number = int(self._submitted[player]), self._num_batches() * self.preset.games
        task = Task(player, self.preset.search, stream(self._seed, TRAINING, player), first, number)
        self._submitted[player] += number
        self._actors.submit(task, self._learners[player].values())

    def _num_batches(self) -> int:
        """Of the next task: as many as make it worth its way, but few beside what was learned from."""
        actors = self._actors
        rate = self._num_timed / max(self._seconds, 1e-9) / actors.number  # games of an actor a second
        most = MOST_UNDER_WAY * float(self.num_games.sum()) / actors.number
        return max(1, int(min(rate * actors.least_seconds, most) / self.preset.games))

    def _learn(self, player: int, episodes: Any) -> None:
        self._learners[player].learn(episodes)
        self.num_games[player] += len(episodes.payoff)
        self.payoff_sum[player] += float(episodes.payoff.sum())
        self.num_simulations += episodes.num_simulations


def stream(*names: Any) -> int:
    """A seed for one purpose: no two purposes share a draw."""
    return int(np.random.SeedSequence(names).generate_state(1, np.uint64)[0] >> np.uint64(1))
