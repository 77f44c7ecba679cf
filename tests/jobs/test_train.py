"""Training by recipe as a run: forecasts, points, checkpoints, resumes."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import nashgap as ng
from nashgap.core.array_file import TEMPORARY_FILES
from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError, GameSizeError, MismatchError, OutputError
from nashgap.jobs import train_forecast
from nashgap.jobs.perform import perform
from nashgap.jobs.train import TrainJob, TrainWork
from nashgap.jobs.train_forecast import require_memory, require_room
from nashgap.jobs.training import LINE, Training
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import parse_rules
from nashgap.runs import Run, RunConfig, checkpoints, execute, find_run, open_run
from nashgap.solvers.recipe import load_recipe, parse_recipe
from nashgap.solvers.subtree_nodes import EXCHANGE
from nashgap.strategies.abstract_file import load_abstract_strategy

ITERATIONS = 30_000


def make_job(recipe: str = "leduc-small", *, iterations: int | None = ITERATIONS, **options) -> TrainJob:
    return TrainJob(load_recipe(recipe), iterations=iterations, **options)


def assert_same(work: TrainWork, other: TrainWork) -> None:
    one, two = work.solver.state(), other.solver.state()
    assert one.keys() == two.keys()
    for name in one:
        np.testing.assert_array_equal(one[name], two[name])


def finished(work: TrainWork) -> TrainWork:
    while not work.is_finished:
        work.advance()
    return work


def last_state(job: TrainJob, run: Run) -> TrainWork:
    """The work as the run's newest checkpoint has it."""
    work = job.begin()
    with run.open_ledger() as ledger:
        checkpoints.load_newest(work, run, ledger)
    return work


def run_of(training: Training) -> Run:
    folder = training.provenance.run
    assert folder is not None
    return find_run(folder.parent, folder.name)


@pytest.fixture(autouse=True)
def _few_hands(monkeypatch):
    monkeypatch.setattr("nashgap.jobs.train.FINAL_HANDS", 20_000)


class Stop(Exception):  # noqa: N818
    pass


def stop_after(num_steps: int):
    def on_progress(_: object) -> None:
        nonlocal num_steps
        num_steps -= 1
        if num_steps == 0:
            raise Stop

    return on_progress


@pytest.fixture(scope="module")
def uninterrupted() -> TrainWork:
    return finished(make_job().begin())


def test_training_stops_at_a_gap_and_tells_its_course(tmp_path, monkeypatch):
    """Leduc is below 0.2 antes within seconds; what is measured is a lower bound on what is known exactly."""
    monkeypatch.setattr("nashgap.jobs.train.FIRST_GAP_SECONDS", 0.0)
    job = TrainJob(load_recipe("leduc-small"), until=0.2)
    trained = perform(job, run=tmp_path)
    gaps = [(point["gap"], point["gap_ci95"]) for point in trained.points if "gap" in point]
    assert gaps[-1][0] + gaps[-1][1] <= 0.2
    assert all(mean + half > 0.2 for mean, half in gaps[:-1])
    exact = ng.measure(trained, game="leduc", by="br").nash_conv
    assert trained.gap.mean - 2 * trained.gap.ci95 < exact < 0.2
    assert len(trained.to_frame().columns) == len({key for point in trained.points for key in point})
    monkeypatch.setattr("nashgap.jobs.train.abstract_gap", None)  # a finished run does not measure it again
    again = perform(job, run=tmp_path)
    assert (again.iterations, again.gap) == (trained.iterations, trained.gap)


def test_responses_that_lose_stop_no_training(monkeypatch):
    """A gap of at least -5 ± 1 is no gap of at most 0.2."""
    monkeypatch.setattr("nashgap.jobs.train.FIRST_GAP_SECONDS", 0.0)
    work = TrainJob(load_recipe("leduc-small"), until=0.2).begin()
    for mean, is_finished in ((-5.0, False), (0.5, False), (-0.9, True)):
        gap = Estimate(mean, 1.0, 100, "antes_per_hand", "abstract-br", 0)
        monkeypatch.setattr(work, "measure_gap", lambda gap=gap: gap)
        work.solver.run(100)
        work.seconds += 1.0
        assert work.measure()["gap"] == mean
        assert work.is_finished is is_finished


def test_large_games_tell_their_gap_where_it_is_asked_for():
    """The responses that measure it take as much memory as the training."""
    small, large = (TrainJob(load_recipe(name)).forecast() for name in ("leduc-small", "ir16"))
    assert small.gap_bytes > 0 and large.gap_bytes == 0
    asked = TrainJob(load_recipe("ir16"), until=0.1).forecast()
    assert asked.gap_bytes > large.entry_bytes and asked.bytes == large.bytes + asked.gap_bytes


def test_stopped_and_resumed_gives_the_same_numbers_with_one_thread(tmp_path, uninterrupted):
    job = make_job()
    for num_steps in (1, 2):
        with pytest.raises(Stop):
            execute(job, open_run(job, tmp_path), on_progress=stop_after(num_steps), checkpoint_seconds=0)
    training = perform(job, run=tmp_path)
    assert training.iterations == ITERATIONS
    assert training.visits == uninterrupted.num_visits
    assert_same(last_state(job, run_of(training)), uninterrupted)


def test_seconds_of_training_are_counted_over_resumes(tmp_path):
    job = make_job(iterations=None, minutes=0.01)
    run = open_run(job, tmp_path)
    with pytest.raises(Stop):
        execute(job, run, on_progress=stop_after(2), checkpoint_seconds=0)
    before = last_state(job, run)
    resumed = perform(job, run=tmp_path)
    assert resumed.iterations > before.solver.iteration
    assert 0.6 <= resumed.seconds < 0.6 + 0.5
    assert resumed.seconds > before.seconds > 0
    again = perform(job, run=tmp_path)
    assert (again.seconds, again.iterations) == (resumed.seconds, resumed.iterations)


def test_a_run_keeps_points_result_and_report(tmp_path, monkeypatch):
    monkeypatch.setattr("nashgap.jobs.train.FIRST_RECORD_SECONDS", 0.0)  # a curve has two points or more
    training = perform(make_job("kuhn3-small"), run=tmp_path)
    run = run_of(training)
    with run.open_ledger() as ledger:
        points = ledger.points()
    assert list(training.points) == points
    assert points[-1]["iteration"] == ITERATIONS
    assert {"seconds", "average_regret", "unvisited_share", "visits_per_second"} <= points[-1].keys()
    lines = {key.removeprefix(LINE): share for key, share in points[-1].items() if key.startswith(LINE)}
    assert lines.keys() == {"f", "rf", "rrf", "rcf", "total"}
    result = run.load_result()
    assert result == {**training.as_dict(), "summary": training.summary}
    assert result["recipe"] == "kuhn3-small"
    page = run.report_path.read_text()
    for title in ("Average regret", "Unvisited information sets", "Speed", "Betting in the first round in self-play"):
        assert f"<h2>{title}</h2>" in page
    assert "nashgap solve kuhn3-small --iterations 30000 --seed 0" in page


def test_the_command_repeats_what_was_trained_by_the_clock():
    by_time = perform(make_job("kuhn3-small", iterations=None, minutes=0.002))
    expected = f"nashgap solve kuhn3-small --iterations {by_time.iterations} --seed 0"
    assert by_time.provenance.command == expected
    by_count = perform(make_job("kuhn3-small", iterations=by_time.iterations))
    for ours, found in zip(by_time.strategy.tables, by_count.strategy.tables, strict=True):
        np.testing.assert_array_equal(ours, found)


def test_identity_is_recipe_and_seed_but_neither_budget_nor_threads():
    ids = {
        name: open_id(job)
        for name, job in {
            "one": make_job(),
            "longer": make_job(iterations=9, minutes=3.0),
            "threads": make_job(threads=2),
            "seed": make_job(seed=1),
            "recipe": make_job("kuhn3-small"),
        }.items()
    }
    assert ids["one"] == ids["longer"] == ids["threads"]
    assert len({ids["one"], ids["seed"], ids["recipe"]}) == 3


def test_nodes_train_another_run_which_is_the_same_on_any_number_of_them(tmp_path):
    plain, one, two = (make_job(nodes=nodes, iterations=250) for nodes in (None, 1, 2))
    assert one.identity() == two.identity() != plain.identity()
    assert plain.identity()["exchange"] is None  # so that runs of before stay what they are
    assert one.identity()["exchange"] == EXCHANGE
    found = perform(two, run=tmp_path)
    assert found.strategy.digest == perform(one).strategy.digest != perform(plain).strategy.digest
    assert found.provenance.command == "nashgap solve leduc-small --iterations 250 --seed 0 --nodes 2"
    assert found.as_dict()["exchange"] == EXCHANGE and any("across nodes" in note for note in found.notes)
    further = perform(make_job(nodes=1, iterations=530), run=tmp_path)  # goes on where the two came
    assert further.strategy.digest == perform(make_job(nodes=3, iterations=530)).strategy.digest
    assert len(list(tmp_path.glob("train-*"))) == 1


def test_memory_of_other_nodes_is_forecast():
    plain, four = (make_job("ir16", nodes=nodes).forecast() for nodes in (None, 4))
    assert plain.node_bytes == 0
    assert four.bytes - plain.bytes == four.node_bytes == 3 * plain.tree_bytes + plain.entry_bytes * 3 // 4
    assert four.iterations_per_second is None


def open_id(job: TrainJob) -> str:
    config = RunConfig.of(job)
    again = TrainJob.from_config(config.identity, config.budget)
    assert again == job
    assert RunConfig.of(again) == config
    return config.run_id


def test_the_forecast_is_what_the_solver_takes():
    for name in ("leduc-small", "kuhn3-small"):
        job = make_job(name)
        expected, solver = job.forecast(), job.begin().solver
        game = solver.game
        assert expected.entries_by_round == tuple(np.diff(game.entry_start))
        assert expected.information_sets == game.num_infosets
        assert expected.nodes_by_round == game.tree.size.nodes_by_round
        arrays = [array for name, array in solver.state().items() if name != "iteration"]
        assert expected.entry_bytes == sum(array.nbytes for array in arrays)


THREE_ROUNDS = """GAMEDEF
limit
numPlayers = 2
numRounds = 3
blind = 1 1
raiseSize = 2 4 4
firstPlayer = 1 1 1
maxRaises = 1 1 1
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1 1
END GAMEDEF
"""


@pytest.mark.parametrize("is_quantised", [False, True])
def test_a_file_is_made_in_the_place_of_the_sums(tmp_path, is_quantised):
    """From the third round on sums are float32, as the strategy is."""
    table = {"title": "", "game": "three", "betting": "full", "cards": "lossless", "minutes": 1}
    recipe = parse_recipe(table, "three", "three", parse_rules(THREE_ROUNDS, "three"))
    job = TrainJob(recipe, iterations=3000)
    work = finished(job.begin())
    assert job.forecast().entry_bytes == sum(array.nbytes for array in work.solver.state().values()) - 8
    expected = work.solver.average_strategy().tables
    work.result([]).save(tmp_path / "file", is_quantised=is_quantised)
    tables = load_abstract_strategy(tmp_path / "file").tables
    for ours, found in zip(expected, tables, strict=True):
        if is_quantised:
            np.testing.assert_allclose(found / 255, ours, atol=1 / 255)
        else:
            np.testing.assert_array_equal(found, ours)
    np.testing.assert_allclose(work.solver.average_table(2), expected[2], atol=1e-6)
    with pytest.raises(AssertionError, match="the average strategy was taken"):
        work.advance()


def test_the_forecast_counts_a_tree_as_large_as_it_is():
    recipe = load_recipe("ir16-small")
    expected = TrainJob(recipe, iterations=1).forecast()
    tree = build_betting_tree(recipe.rules, recipe.betting)
    of_places = 24 * tree.num_nodes + 8 * tree.num_endings
    assert expected.tree_bytes == pytest.approx(tree.num_bytes + of_places, rel=0.001)


def test_a_checkpoint_is_as_large_as_forecast(tmp_path):
    job = make_job()
    run = open_run(job, tmp_path)
    execute(job, run)
    newest = max(run.folder.glob("checkpoint-*"))
    assert newest.stat().st_size == pytest.approx(job.forecast().checkpoint_bytes, abs=2 * 4096)


def test_buckets_may_differ_by_seat_and_players_in_the_hand():
    texts = {"3": "percentile(ehs2, 2/3/4/5, recall=none)", "2": "percentile(ehs2, 7/8/9/10, recall=none)"}
    table = {"title": "", "game": "lhe3", "betting": "full caps=1", "minutes": 1}
    recipe = parse_recipe({**table, "cards": [texts, texts["2"], texts]}, "mixed", "mixed")
    expected = TrainJob(recipe, iterations=1).forecast()
    tree = build_betting_tree(recipe.rules, recipe.betting)
    infosets, entries = 0, [0] * 4
    for node in range(tree.num_nodes):
        number = int(np.searchsorted(tree.round_start, node, side="right")) - 1
        is_wide = tree.seat[node] == 1 or tree.native.num_active[node] == 2
        count = (7, 8, 9, 10)[number] if is_wide else (2, 3, 4, 5)[number]
        infosets += count
        entries[number] += count * int(tree.first_edge[node + 1] - tree.first_edge[node])
    assert expected.information_sets == infosets
    assert list(expected.entries_by_round) == entries
    assert expected.buckets == (7, 8, 9, 10)


def test_expected_time_and_iterations_follow_the_stored_rate():
    table = {"title": "", "game": "leduc2", "betting": "full", "cards": "lossless", "minutes": 1}
    recipe = parse_recipe({**table, "iterations_per_second": 1000}, "timed", "timed")
    by_time = TrainJob(recipe, minutes=2.0, threads=2).forecast()
    assert (by_time.iterations, by_time.expected_seconds) == (240_000, 120.0)
    by_count = TrainJob(recipe, iterations=50_000).forecast()
    assert (by_count.iterations, by_count.expected_seconds) == (50_000, 50.0)
    unknown = TrainJob(parse_recipe(table, "untimed", "untimed"), iterations=50_000).forecast()
    assert (unknown.iterations, unknown.expected_seconds) == (50_000, None)
    assert by_count.as_dict()["seconds"] == 50.0


def test_what_cannot_fit_is_refused(monkeypatch, tmp_path):
    expected = make_job().forecast()
    require_memory(expected.recipe, expected.bytes)
    require_room("a file", 1000, tmp_path / "not" / "there" / "yet")
    with pytest.raises(OutputError, match="a file takes 1,000,000,000,000,000,000 bytes; the disk has"):
        require_room("a file", 10**18, tmp_path)
    monkeypatch.setattr(train_forecast, "available_memory", lambda: (1000, 1000))
    with pytest.raises(GameSizeError, match=r"leduc-small needs 0\.0 GiB of memory; this machine has"):
        require_memory(expected.recipe, expected.bytes)
    with pytest.raises(GameSizeError, match=r"leduc-small needs 0\.0 GiB of memory; this machine has"):
        perform(make_job(), run=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()
    monkeypatch.setattr(train_forecast, "available_memory", lambda: (10**9, 1000))
    with pytest.warns(UserWarning, match="GiB are free now"):
        require_memory(expected.recipe, expected.bytes)


@pytest.mark.parametrize("large_bytes", [1 << 30, 1000])
def test_a_disk_without_room_leaves_the_last_checkpoint_whole(tmp_path, monkeypatch, uninterrupted, large_bytes):
    monkeypatch.setattr(checkpoints, "_LARGE_BYTES", large_bytes)  # of which one is kept
    job = make_job()
    run = open_run(job, tmp_path)
    with pytest.raises(Stop):
        execute(job, run, on_progress=stop_after(1), checkpoint_seconds=0)
    before = sorted(path.name for path in run.folder.iterdir())

    def no_room(_: Path) -> object:
        return type("Usage", (), {"free": 100})

    with monkeypatch.context() as full:
        full.setattr("nashgap.jobs.iterating.shutil.disk_usage", no_room)
        with pytest.raises(OutputError, match=r"bytes are needed, the disk has 100 left"):
            execute(make_job(), run, checkpoint_seconds=0)
    assert sorted(path.name for path in run.folder.iterdir()) == before
    assert not list(run.folder.glob(TEMPORARY_FILES))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        execute(job, run)
    assert_same(last_state(job, run), uninterrupted)


def test_of_large_states_only_one_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "_LARGE_BYTES", 1000)
    job = make_job()
    run = open_run(job, tmp_path)
    with pytest.raises(Stop):
        execute(job, run, on_progress=stop_after(3), checkpoint_seconds=0)
    assert len(list(run.folder.glob("checkpoint-*"))) == 1
    execute(make_job(), run)


def test_a_checkpoint_of_another_seed_is_refused(tmp_path):
    finished(make_job(iterations=10).begin()).save(tmp_path / "state")
    with pytest.raises(MismatchError, match="checkpoint of another train"):
        make_job(iterations=10, seed=1).begin().load(tmp_path / "state")


def test_without_a_limit_the_recipe_says_how_long():
    job = make_job(iterations=None)
    assert (job.iterations, job.minutes) == (None, load_recipe("leduc-small").minutes)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"iterations": 0}, "iterations = 0; it must be more than 0"),
        ({"minutes": float("nan")}, "minutes = nan"),
        ({"iterations": 1, "threads": 0}, "threads = 0; it must be a whole number from 1"),
        ({"iterations": 1, "seed": -1}, "seed = -1; it must be a whole number from 0"),
    ],
)
def test_bad_limits_are_refused(limits, message):
    with pytest.raises(ConfigError, match=message):
        TrainJob(load_recipe("leduc-small"), **limits)


def test_fewer_iterations_than_the_run_has_are_trained_in_memory(tmp_path):
    whole = perform(make_job("kuhn3-small", iterations=1000), run=tmp_path)
    fewer = perform(make_job("kuhn3-small", iterations=100), run=tmp_path)
    assert (fewer.iterations, fewer.provenance.run) == (100, None)
    assert run_of(whole).load_result()["iterations"] == 1000
    more = perform(make_job("kuhn3-small", iterations=2000), run=tmp_path)
    assert (more.iterations, more.provenance.run) == (2000, whole.provenance.run)


def test_that_more_threads_took_part_is_remembered(tmp_path):
    def train(iterations: int, threads: int = 1) -> Training:
        return perform(make_job("kuhn3-small", iterations=iterations, threads=threads), run=tmp_path)

    train(500)
    assert train(500, threads=2).as_dict()["threads"] == 1
    train(1000, threads=2)
    training = train(2000)
    assert training.as_dict()["threads"] == 2
    assert "With more than one thread the numbers differ a little from run to run." in training.notes
    assert "--iterations 2000 --seed 0 --threads 2" in run_of(training).report_path.read_text()
