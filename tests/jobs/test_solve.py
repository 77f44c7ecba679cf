from __future__ import annotations

from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from nashgap.jobs.solution import solve_exactly
from nashgap.jobs.solve_job import Budget, Method, SolveJob, is_measured_at
from nashgap.jobs.solve_run import continue_solve, forecast, open_solve, solve_in_memory

from nashgap.core.compile import compile_tree
from nashgap.core.game import TERMINAL
from nashgap.core.job import CheckpointJob
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, FileFormatError, MismatchError, OutputError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.runs import RunConfig, open_run
from nashgap.strategies.named import always_call
from nashgap.strategies.table import load_table, save_strategy, uniform


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return load_tree("leduc")


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return load_tree("kuhn")


def _state(job: SolveJob) -> dict[str, Any]:
    return {name: array.tobytes() for name, array in job.solver.state().items()}


def test_it_is_a_checkpoint_job(kuhn: GameTree) -> None:
    assert isinstance(SolveJob(kuhn), CheckpointJob)


def test_the_first_iterations_and_forty_a_decade_are_measured() -> None:
    points = [i for i in range(1, 10_001) if is_measured_at(i)]
    assert points[:18] == [*range(1, 19)]
    assert sum(100 < i <= 1000 for i in points) == sum(1000 < i <= 10_000 for i in points) == 40
    assert points[-1] == 10_000


def test_until_is_overshot_by_a_few_iterations_only(kuhn: GameTree) -> None:
    until = 0.003
    found = solve_in_memory(SolveJob(kuhn, limits=Budget(until=until)))
    single = SolveJob(kuhn)
    while exploitability(kuhn, single.solver.average_strategy()).nash_conv > until:
        single.solver.run(1)
    assert single.solver.iteration <= found.iterations <= 1.06 * single.solver.iteration + 1


@pytest.mark.parametrize("solver", ["cfr+", "pdcfr+", "dcfr", "outcome-sampling"])
def test_a_job_cut_anywhere_goes_on_bit_for_bit(leduc: GameTree, tmp_path: Path, solver: str) -> None:
    """Also when every iteration was a step of its own, as on a slow machine."""
    whole = SolveJob(leduc, Method(solver, seed=3), Budget(iterations=150))
    solve_in_memory(whole)

    first = SolveJob(leduc, Method(solver, seed=3), Budget(iterations=60))
    while not first.is_finished:
        first._rate = 0.0
        first.advance()
    first.save(tmp_path / "state")
    second = SolveJob(leduc, Method(solver, seed=3), Budget(iterations=150))
    second.load(tmp_path / "state")
    solution = solve_in_memory(second)

    assert _state(second) == _state(whole)
    assert solution.iterations == 150
    assert second.seconds > first.seconds > 0


def test_the_last_iteration_is_measured(kuhn: GameTree) -> None:
    job = SolveJob(kuhn, limits=Budget(iterations=7))
    records = []
    while not job.is_finished:
        records.append(job.advance().record)
    assert [record["iteration"] for record in records if record] == [1, 2, 3, 4, 5, 6, 7]
    assert records[-1] is not None
    assert records[-1]["nash_conv"] == exploitability(kuhn, job.solver.average_strategy()).nash_conv


def test_until_stops_at_the_first_measured_point_that_is_good_enough(kuhn: GameTree) -> None:
    points: list[float] = []
    job = SolveJob(kuhn, limits=Budget(until=0.01))
    while not job.is_finished:
        record = job.advance().record
        points += [record["nash_conv"]] if record else []
    assert points[-1] <= 0.01 < min(points[:-1])


def test_until_does_not_wait_for_what_frozen_players_could_gain() -> None:
    tree = load_tree("kuhn(players=3)")
    solution = solve_in_memory(SolveJob(tree, Method(frozen={2: "always-call"}), Budget(until=0.001)))
    assert solution.gains is not None
    assert solution.gains[0] + solution.gains[1] <= 0.001 < solution.gains[2]


def test_minutes_end_a_job_without_iterations(kuhn: GameTree) -> None:
    job = SolveJob(kuhn, limits=Budget(minutes=0.002))
    solution = solve_in_memory(job)
    assert 0.12 <= solution.seconds < 5
    assert job.limits.iterations is None


def test_the_id_depends_on_what_determines_the_numbers_only(kuhn: GameTree, tmp_path: Path) -> None:
    def run_id(tree: GameTree, limits: Budget | None = None, **method: Any) -> str:
        return RunConfig.of(SolveJob(tree, Method(**method), limits)).run_id

    one, two = tmp_path / "one", tmp_path / "two"
    save_strategy(one, always_call(kuhn))
    save_strategy(two, uniform(kuhn))
    usual = run_id(kuhn)
    assert usual == run_id(kuhn, Budget(minutes=5)) == run_id(kuhn, Budget(until=0.1))
    frozen = run_id(kuhn, frozen={1: str(one)})
    different = [
        run_id(kuhn, solver="cfr"), run_id(kuhn, seed=1), run_id(kuhn, is_alternating=False),
        run_id(load_tree("kuhn(players=3)")), run_id(kuhn, start="always-call"), frozen,
        run_id(kuhn, frozen={1: str(two)}), run_id(kuhn, frozen={0: str(one)}),
    ]  # fmt: skip
    assert len({usual, *different}) == 1 + len(different)
    one.rename(tmp_path / "elsewhere")
    assert run_id(kuhn, frozen={1: str(tmp_path / "elsewhere")}) == frozen


def test_a_frozen_player_keeps_its_strategy_and_the_other_answers(kuhn: GameTree) -> None:
    solution = solve_in_memory(SolveJob(kuhn, Method(frozen={1: "always-call"}), Budget(iterations=2000)))
    theirs = kuhn.slot_player == 1
    np.testing.assert_array_equal(solution.strategy.probabilities[theirs], always_call(kuhn).probabilities[theirs])
    assert solution.gains is not None
    assert solution.gains[0] < 1e-3
    assert "player 2" in solution.notes[0]


def test_a_run_given_files_resumes_without_them(kuhn: GameTree, tmp_path: Path) -> None:
    """A random opponent, so that no name could stand for it."""
    rng = np.random.default_rng(0)
    opponent = tmp_path / "opponent.safetensors"
    weights = solve_in_memory(SolveJob(kuhn, Method("external-sampling", seed=int(rng.integers(99))))).strategy
    save_strategy(opponent, weights)
    method = Method(frozen={1: str(opponent)}, start="uniform")
    expected = solve_in_memory(SolveJob(kuhn, method, Budget(iterations=100)))

    run = open_solve(SolveJob(kuhn, method, Budget(iterations=100)), tmp_path / "runs")
    assert run is not None
    opponent.unlink()
    resumed = continue_solve(SolveJob.from_config(run.config.identity, run.config.budget, run.folder), run)
    np.testing.assert_array_equal(resumed.strategy.probabilities, expected.strategy.probabilities)
    with pytest.raises(ConfigError, match="the folder that keeps it"):
        SolveJob.from_config(run.config.identity, run.config.budget)


def test_a_finished_run_answers_the_same_without_an_iteration(kuhn: GameTree, tmp_path: Path) -> None:
    job = SolveJob(kuhn)
    run = open_run(job, tmp_path)
    first = continue_solve(job, run)
    steps: list[object] = []
    again = continue_solve(SolveJob(kuhn), run, on_progress=steps.append)
    assert again.as_dict() == first.as_dict() == run.load_result()
    assert steps == []


def test_a_larger_budget_continues_and_a_smaller_one_leaves_the_run_alone(kuhn: GameTree, tmp_path: Path) -> None:
    def run_to(iterations: int) -> Any:
        job = SolveJob(kuhn, limits=Budget(iterations=iterations))
        run = open_solve(job, tmp_path)
        return run and continue_solve(job, run)

    run_to(100)
    assert run_to(300).strategy.probabilities.tolist() == _fresh(kuhn, 300)
    assert run_to(200) is None
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert '"iterations": 300' in (folder / "result.json").read_text()


def _fresh(tree: GameTree, iterations: int) -> list[float]:
    strategy = solve_in_memory(SolveJob(tree, limits=Budget(iterations=iterations))).strategy
    chances: list[float] = strategy.probabilities.tolist()
    return chances


def test_the_report_draws_the_curve_and_tells_how_to_repeat_it(kuhn: GameTree, tmp_path: Path) -> None:
    job = SolveJob(kuhn, Method("cfr", is_alternating=False), Budget(minutes=0.001))
    run = open_run(job, tmp_path)
    solution = continue_solve(job, run)
    page = run.report_path.read_text()
    command = f"nashgap solve kuhn --solver cfr --iterations {solution.iterations} --seed 0 --simultaneous"
    assert command in page
    assert "nash_conv (antes_per_hand)" in page
    assert '"type":"log"' in page
    with run.open_ledger() as ledger:
        points = ledger.points()
    assert points[0]["iteration"] == 1
    assert points[-1]["nash_conv"] == solution.nash_conv


def test_a_strategy_file_carries_where_it_comes_from(kuhn: GameTree, tmp_path: Path) -> None:
    solution = solve_in_memory(SolveJob(kuhn))
    solution.save(tmp_path / "kuhn.safetensors")
    loaded = load_table(tmp_path / "kuhn.safetensors", kuhn)
    np.testing.assert_array_equal(loaded.probabilities, solution.strategy.probabilities)
    assert loaded.facts["solver"] == "cfr+"
    assert loaded.facts["iterations"] == 1000
    assert loaded.facts["nash_conv"] == solution.nash_conv
    assert loaded.facts["parameters"] == {"positive": "inf", "negative": "-inf", "gamma": 1, "is_predictive": False}


def test_checkpoints_of_other_jobs_and_other_files_are_refused(kuhn: GameTree, tmp_path: Path) -> None:
    job = SolveJob(kuhn)
    job.advance()
    before = _state(job)
    SolveJob(kuhn, Method(seed=1)).save(tmp_path / "other")
    save_strategy(tmp_path / "strategy", uniform(kuhn))
    with pytest.raises(MismatchError, match="another solve"):
        job.load(tmp_path / "other")
    with pytest.raises(FileFormatError, match="not a checkpoint"):
        job.load(tmp_path / "strategy")
    job.save(tmp_path / "cut")
    (tmp_path / "cut").write_bytes((tmp_path / "cut").read_bytes()[:-8])
    with pytest.raises(FileFormatError, match="cut short"):
        job.load(tmp_path / "cut")
    assert _state(job) == before


@pytest.mark.parametrize(
    ("method", "limits", "message"),
    [
        ({"solver": "cfrr"}, {}, "unknown solver 'cfrr'"),
        ({"seed": -1}, {}, "seed = -1"),
        ({"frozen": {2: "uniform"}}, {}, "cannot freeze player 3; kuhn has players 1 to 2"),
        ({"frozen": {0: "uniform", 1: "uniform"}}, {}, "all 2 players are frozen"),
        ({"start": "nobody"}, {}, "strategy 'nobody'"),
        ({"solver": "external-sampling", "is_alternating": False}, {}, "always updates the players in turn"),
        ({}, {"iterations": 0}, "iterations = 0"),
        ({}, {"minutes": float("nan")}, "minutes = nan"),
        ({}, {"until": -0.1}, "until = -0.1"),
    ],
)
def test_what_cannot_be_solved_is_refused(
    kuhn: GameTree, method: dict[str, Any], limits: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        SolveJob(kuhn, Method(**method), Budget(**limits))


def test_a_limit_by_nash_conv_needs_a_game_in_which_it_can_be_measured() -> None:
    tree = _forgetful_game()
    with pytest.raises(UnsupportedGameError, match="perfect recall"):
        SolveJob(tree, Method("external-sampling"), Budget(until=0.1))
    with pytest.raises(UnsupportedGameError, match="perfect recall"):
        SolveJob(tree, Method("cfr+"))


def test_without_perfect_recall_only_values_are_told(tmp_path: Path) -> None:
    job = SolveJob(_forgetful_game(), Method("external-sampling"), Budget(iterations=50))
    run = open_run(job, tmp_path)
    solution = continue_solve(job, run)
    assert solution.nash_conv is solution.gains is None
    assert len(solution.values) == 2
    assert "cannot be measured" in solution.notes[0]
    assert "value (" in run.report_path.read_text()


@dataclass(frozen=True)
class _Forgetful:
    """Player 1 chooses twice and forgets the first choice; then player 2 guesses blindly whether they were equal."""

    num_players: ClassVar[int] = 2
    unit: ClassVar[str] = "points"
    moves: tuple[int, ...] = ()

    def root(self) -> _Forgetful:
        return self

    @property
    def player(self) -> int:
        return (0, 0, 1, TERMINAL)[len(self.moves)]

    @property
    def actions(self) -> tuple[str, ...]:
        return ("left", "right")

    @property
    def chance_probabilities(self) -> tuple[float, ...]:
        return ()

    @property
    def infoset(self) -> str:
        return f"move {len(self.moves)}"

    @property
    def returns(self) -> tuple[float, ...]:
        is_right = (self.moves[0] == self.moves[1]) == (self.moves[2] == 0)
        return (-1.0, 1.0) if is_right else (1.0, -1.0)

    def child(self, move: int) -> _Forgetful:
        return _Forgetful((*self.moves, move))


def _forgetful_game() -> GameTree:
    return compile_tree(_Forgetful(), "forgetful", definition={"name": "forgetful", "parameters": {}})


def test_the_lp_refuses_games_that_it_does_not_hold_for() -> None:
    with pytest.raises(UnsupportedGameError, match="3 players"):
        solve_exactly(load_tree("kuhn(players=3)"))


def test_the_lp_tells_the_value_of_kuhn(kuhn: GameTree) -> None:
    """Kuhn (1950): -1/18 to the first player."""
    solution = solve_exactly(kuhn)
    assert solution.value == pytest.approx(-1 / 18, abs=1e-9)
    assert solution.nash_conv is not None
    assert solution.nash_conv < 1e-9


def test_three_players_are_told_that_nothing_is_promised() -> None:
    solution = solve_in_memory(SolveJob(load_tree("kuhn(players=3)"), limits=Budget(iterations=10)))
    assert solution.value is None
    assert "promises no equilibrium" in solution.notes[0]


@pytest.mark.parametrize("num_frozen", [1, 2])
def test_a_player_alone_with_frozen_ones_is_not_warned(num_frozen: int) -> None:
    """CFR does find a best response."""
    method = Method(frozen=dict.fromkeys(range(num_frozen), "always-call"))
    solution = solve_in_memory(SolveJob(load_tree("kuhn(players=3)"), method, Budget(iterations=2000)))
    assert any("promises no equilibrium" in note for note in solution.notes) is (num_frozen == 1)
    assert solution.gains is not None
    assert solution.gains[2] < 1e-3


@pytest.mark.parametrize("damage", ["{", "{}", "[]", "\xff"])
def test_a_damaged_result_is_written_anew(kuhn: GameTree, tmp_path: Path, damage: str) -> None:
    job = SolveJob(kuhn)
    run = open_run(job, tmp_path)
    first = continue_solve(job, run)
    run.result_path.write_bytes(damage.encode("latin1"))
    assert continue_solve(SolveJob(kuhn), run).as_dict() == first.as_dict() == run.load_result()


def test_a_report_that_cannot_be_written_is_a_warning(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OutputError("cannot write plotly.min.js: No space left on device")

    job = SolveJob(kuhn)
    run = open_run(job, tmp_path)
    with monkeypatch.context() as patch, pytest.warns(UserWarning, match="the report is missing.*No space left"):
        patch.setattr("nashgap.reports.report.write_atomically", refuse)
        solution = continue_solve(job, run)
    assert run.load_result() == solution.as_dict()
    assert not run.report_path.exists()
    continue_solve(SolveJob(kuhn), run)
    assert run.report_path.exists()


def test_a_checkpoint_of_other_rules_says_how_to_start_afresh(kuhn: GameTree, tmp_path: Path) -> None:
    changed = SolveJob(kuhn)
    changed.tree = replace(kuhn, returns=2 * kuhn.returns)
    changed.save(tmp_path / "state")
    with pytest.raises(MismatchError, match=f"other rules of kuhn; remove {tmp_path} to start afresh"):
        SolveJob(kuhn).load(tmp_path / "state")


def test_the_command_of_a_report_can_be_pasted(kuhn: GameTree, tmp_path: Path) -> None:
    save_strategy(tmp_path / "opponent", always_call(kuhn))
    for method, expected in [
        (Method(frozen={1: "always-call"}), "nashgap solve kuhn --solver cfr+ --iterations 20 --seed 0 --freeze 2="),
        (Method(start=str(tmp_path / "opponent")), f" --runs '{tmp_path}/my runs'"),
    ]:
        job = SolveJob(kuhn, method, Budget(iterations=20))
        run = open_solve(job, tmp_path / "my runs")
        assert run is not None
        continue_solve(job, run)
        assert expected in unescape(run.report_path.read_text())


def test_a_forecast_is_about_the_time_that_it_takes(leduc: GameTree) -> None:
    expected = forecast(SolveJob(leduc, limits=Budget(iterations=10**6)))
    assert expected.information_sets == 936
    assert expected.seconds == pytest.approx(1e6 / (expected.iterations_per_second or 0))
    assert expected.bytes > 8 * leduc.num_slots
