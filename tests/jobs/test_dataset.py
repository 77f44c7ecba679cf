"""Solved games as a job: the same whatever the batches, and never solved twice."""

import numpy as np
import pytest

import nashgap as ng
from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.bet_size_lp import CHOICES
from nashgap.explanations.dataset import load_games, solve_games
from nashgap.jobs.dataset import GAMES_PER_BATCH, DatasetJob
from nashgap.jobs.perform import perform
from nashgap.runs import list_runs

STAKES = Stakes(deck=4, stack=1.0, step=0.25)


def are_equal(first, second) -> bool:
    tables = [(first.called, second.called), *((first.chosen[c], second.chosen[c]) for c in CHOICES)]
    return (
        np.array_equal(first.hands, second.hands)
        and np.array_equal(first.value, second.value)
        and all(np.array_equal(a.dense(), b.dense()) for a, b in tables)
    )


def test_batches_make_the_games_of_one_piece():
    job = DatasetJob(STAKES, seed=7, games=GAMES_PER_BATCH + 10)
    joined = job.combine([job.run_batch(index) for index in range(job.num_batches)]).games
    assert len(joined) == GAMES_PER_BATCH + 10
    assert are_equal(joined[GAMES_PER_BATCH - 5 :], solve_games(STAKES, 7, GAMES_PER_BATCH - 5, 15))


def test_a_run_that_is_continued_solves_no_game_twice(tmp_path):
    progress = []
    first = perform(DatasetJob(STAKES, games=10), run=tmp_path)
    more = perform(DatasetJob(STAKES, games=GAMES_PER_BATCH + 1), run=tmp_path, progress=progress.append)
    assert are_equal(more.games[:10], first.games)
    assert [pace.progress.done for pace in progress] == [2]
    assert len(list_runs(tmp_path)) == 1, "one run for both"
    again = perform(DatasetJob(STAKES, games=10), run=tmp_path)
    assert len(again) == 10
    assert are_equal(again.games, perform(DatasetJob(STAKES, games=10)).games), "as in memory"


@pytest.mark.parametrize("games", [0, 2.5, True])
def test_a_wrong_number_of_games_is_refused(games):
    with pytest.raises(ConfigError, match=r"games = .*; it must be a whole number from 1"):
        DatasetJob(games=games)


def test_the_front_door_solves_and_writes(tmp_path):
    path = tmp_path / "games.safetensors"
    found = ng.explain.dataset(20, deck=4, stack=1.0, step=0.25, seed=7, output=path, progress=False)
    assert found.provenance.run is None
    assert are_equal(load_games(path), found.games)
    assert are_equal(found.games, solve_games(STAKES, 7, 0, 20))
