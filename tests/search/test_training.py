"""Actors and learners together: the same numbers again, nothing lost where a process dies."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, replace

import numpy as np
import pytest

from nashgap.errors import NashGapError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.search.actors import ActorProcesses, HereActor, Task
from nashgap.search.options import PRESETS, SearchOptions
from nashgap.search.responder_game import Episodes, ResponderGame, TreeResponderGame, Values
from nashgap.search.training import ResponderTraining
from nashgap.strategies.table import uniform


@dataclass(frozen=True)
class Source:
    games: tuple[ResponderGame, ResponderGame]


@pytest.fixture(scope="module")
def source() -> Source:
    table = uniform(load_tree("leduc"))
    return Source((TreeResponderGame(table, 0), TreeResponderGame(table, 1)))


def training(source: Source, preset: str = "tree", seed: int = 1) -> ResponderTraining:
    plan = replace(PRESETS[preset], games=32)
    return ResponderTraining(source, plan, HereActor(source), seed)


def same(one: ResponderTraining, other: ResponderTraining) -> bool:
    ours, theirs = one.state(), other.state()
    return ours.keys() == theirs.keys() and all(np.array_equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize("preset", ["tree", "table"])
def test_the_same_seed_learns_the_same(source: Source, preset: str) -> None:
    one, other, third = training(source, preset), training(source, preset), training(source, preset, seed=2)
    for each in (one, other, third):
        each.run(6)
    assert same(one, other)
    assert not same(one, third)


@pytest.mark.parametrize("preset", ["tree", "table"])
def test_what_is_restored_goes_on_exactly(source: Source, preset: str) -> None:
    whole = training(source, preset)
    whole.run(8)
    first = training(source, preset)
    first.run(3)
    second = training(source, preset)
    second.restore(first.state())
    assert second.iteration == 3
    second.run(5)
    assert same(whole, second)


def test_seats_take_turns(source: Source) -> None:
    each = training(source)
    each.run(7)
    assert each.num_games.tolist() == [128, 96]


def test_evaluation_changes_nothing_and_is_of_fresh_games(source: Source) -> None:
    each = training(source)
    each.run(4)
    before = each.state()
    values = each.values(0), each.values(1)
    won = each.evaluate(values, 0, 300, searches=False)
    assert won.shape == (2, 300)
    assert all(np.array_equal(before[name], array) for name, array in each.state().items())
    np.testing.assert_array_equal(each.evaluate(values, 100, 200, searches=False), won[:, 100:])


def test_searching_at_evaluation_starts_each_game_from_what_was_learned(source: Source) -> None:
    """Else the responder would go on learning, and games would not be independent."""
    each = training(source)
    each.run(4)
    values = each.values(0), each.values(1)
    won = each.evaluate(values, 0, 40, searches=True)
    np.testing.assert_array_equal(each.evaluate(values, 25, 15, searches=True), won[:, 25:])


class Hurried(HereActor):
    """Plays two tasks at a time, as if they came from far."""

    number = 2
    least_seconds = 1e6

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.tasks: list[Task] = []

    @property
    def num_free(self) -> int:
        return self.number - len(self._waiting)

    def submit(self, task: Task, values: Values) -> None:
        self.tasks.append(task)
        super().submit(task, values)


def test_tasks_grow_where_they_come_from_far_but_are_few_beside_what_was_learned(source: Source) -> None:
    actors = Hurried(source)
    each = ResponderTraining(source, replace(PRESETS["tree"], games=4), actors, 1)
    learned = 0
    for _ in range(60):
        submitted = len(actors.tasks)
        each.run(1)
        under_way = sum(task.number for task in actors.tasks[submitted:])
        assert under_way <= max(2 * 4, learned / 8)
        learned = int(each.num_games.sum())
    assert actors.tasks[0].number == 4
    assert actors.tasks[-1].number >= 16
    assert all(task.number % 4 == 0 for task in actors.tasks)
    for player in (0, 1):
        mine = [task for task in actors.tasks if task.player == player]
        ends = np.cumsum([task.number for task in mine])
        assert [task.first for task in mine] == [0, *ends[:-1]]  # no game twice, and none left out


@pytest.mark.slow
def test_a_killed_actor_is_replaced_and_its_games_are_played(source: Source) -> None:
    actors = ActorProcesses(source, 2)
    each = ResponderTraining(source, replace(PRESETS["tree"], games=64), actors, 1)
    each.run(4)
    pids = actors.pids
    os.kill(pids[0], signal.SIGKILL)
    each.run(12)
    assert actors.pids[0] != pids[0] or actors.pids[1] != pids[1]
    assert each.num_games.sum() == 64 * each.iteration
    assert np.abs(np.diff(each.num_games)).max() <= 3 * 64 + each.num_games.sum() / 8  # those under way
    best = exploitability(source.games[0].tree, uniform(source.games[0].tree)).best_values  # type: ignore[attr-defined]
    won = each.evaluate((each.values(0), each.values(1)), 0, 20_000, searches=False).mean(axis=1)
    assert (won > 0.8 * np.array(best)).all()
    living = actors.pids
    each.close()
    assert not any(map(_is_alive, living))


def test_processes_find_what_one_process_finds(source: Source) -> None:
    actors = ActorProcesses(source, 1)
    task = Task(1, SearchOptions(simulations=20), 3, 0, 10)
    game = source.games[1]
    values = Values(
        np.zeros(game.num_infosets, np.float32),
        np.zeros(game.num_slots, np.float32),
        np.zeros(game.num_infosets, np.uint8),
    )
    actors.submit(task, values)
    [(found_task, found)] = actors.collect()
    actors.close()
    here = task.play(source, values)
    assert isinstance(here, Episodes)
    assert found_task == task
    np.testing.assert_array_equal(found.payoff, here.payoff)
    np.testing.assert_array_equal(found.share, here.share)


class Deadly:
    """A game that ends the process that plays it."""

    num_infosets = num_slots = 1

    def play(self, *_: object, **__: object) -> Episodes:
        os._exit(1)


class Failing:
    """A game that fails."""

    num_infosets = num_slots = 1

    def play(self, *_: object, **__: object) -> Episodes:
        raise NashGapError("a strategy that fails")


@pytest.mark.parametrize(
    ("game", "message"), [(Deadly(), "3 actor processes died of the same games"), (Failing(), "a strategy that fails")]
)
def test_games_that_cannot_be_played_are_told(game: ResponderGame, message: str) -> None:
    actors = ActorProcesses(Source((game, game)), 1)
    nothing = np.zeros(1, np.float32)
    actors.submit(Task(0, SearchOptions(), 0, 0, 1), Values(nothing, nothing, np.zeros(1, np.uint8)))
    with pytest.raises(NashGapError, match=message):
        actors.collect()
    actors.close()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
