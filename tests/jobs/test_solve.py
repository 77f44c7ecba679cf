from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from nashgap.cli.main import main
from nashgap.core.compile import compile_tree
from nashgap.core.game import TERMINAL
from nashgap.core.job import CheckpointJob
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, FileFormatError, MismatchError, OutputError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.jobs.perform import job_of, perform
from nashgap.jobs.solve import Solution, SolveJob, SolveWork, forecast_solve, is_measured_at, solve_by_lp
from nashgap.measures.best_response import exploitability
from nashgap.runs import Run, RunConfig, find_run, open_run
from nashgap.strategies.named import always_call
from nashgap.strategies.spec import as_bot, parse_bot
from nashgap.strategies.table import load_table, uniform


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return load_tree("leduc")


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return load_tree("kuhn")


def job_for(tree: GameTree, **options: Any) -> SolveJob:
    for option in ("start", "frozen"):
        if isinstance(options.get(option), str):
            options[option] = parse_bot(options[option])
        elif option in options:
            options[option] = {player: parse_bot(text) for player, text in options[option].items()}
    return SolveJob(tree.definition, given_tree=tree, **options)


def _state(work: SolveWork) -> dict[str, Any]:
    return {name: array.tobytes() for name, array in work.solver.state().items()}


def _finished(work: SolveWork) -> SolveWork:
    while not work.is_finished:
        work.advance()
    return work


def _run_of(result: Solution) -> Run:
    folder = result.provenance.run
    assert folder is not None
    return find_run(folder.parent, folder.name)


def _told(result: Solution) -> dict[str, Any]:
    """What a run's result says."""
    return {**result.as_dict(), "summary": result.summary}


def test_it_is_a_checkpoint_job(kuhn: GameTree) -> None:
    assert isinstance(job_for(kuhn), CheckpointJob)


def test_the_first_iterations_and_forty_a_decade_are_measured() -> None:
    points = [i for i in range(1, 10_001) if is_measured_at(i)]
    assert points[:18] == [*range(1, 19)]
    assert sum(100 < i <= 1000 for i in points) == sum(1000 < i <= 10_000 for i in points) == 40
    assert points[-1] == 10_000


def test_until_is_overshot_by_a_few_iterations_only(kuhn: GameTree) -> None:
    until = 0.003
    found = perform(job_for(kuhn, until=until))
    single = job_for(kuhn).begin()
    while exploitability(kuhn, single.solver.average_strategy()).nash_conv > until:
        single.solver.run(1)
    assert single.solver.iteration <= found.iterations <= 1.06 * single.solver.iteration + 1


@pytest.mark.parametrize("solver", ["cfr+", "pdcfr+", "dcfr", "outcome-sampling"])
def test_a_job_cut_anywhere_goes_on_bit_for_bit(leduc: GameTree, tmp_path: Path, solver: str) -> None:
    """Also when every iteration was a step of its own, as on a slow machine."""
    job = job_for(leduc, solver=solver, seed=3, iterations=150)
    whole = _finished(job.begin())

    first = replace(job, iterations=60).begin()
    while not first.is_finished:
        first._rate = 0.0
        first.advance()
    first.save(tmp_path / "state")
    second = job.begin()
    second.load(tmp_path / "state")
    _finished(second)

    assert _state(second) == _state(whole)
    assert second.result([]).iterations == 150
    assert second.seconds > first.seconds > 0


def test_a_population_that_has_grown_is_a_checkpoint_too(kuhn: GameTree, tmp_path: Path) -> None:
    job = job_for(kuhn, solver="psro", seed=3, iterations=6)
    first = _finished(replace(job, iterations=3).begin())
    first.save(tmp_path / "state")
    second = job.begin()
    second.load(tmp_path / "state")
    assert _state(_finished(second)) == _state(_finished(job.begin()))


def test_the_last_iteration_is_measured(kuhn: GameTree) -> None:
    work = job_for(kuhn, iterations=7).begin()
    records = []
    while not work.is_finished:
        records.append(work.advance().record)
    assert [record["iteration"] for record in records if record] == [1, 2, 3, 4, 5, 6, 7]
    assert records[-1] is not None
    assert records[-1]["nash_conv"] == exploitability(kuhn, work.solver.average_strategy()).nash_conv


def test_until_stops_at_the_first_measured_point_that_is_good_enough(kuhn: GameTree) -> None:
    points: list[float] = []
    work = job_for(kuhn, until=0.01).begin()
    while not work.is_finished:
        record = work.advance().record
        points += [record["nash_conv"]] if record else []
    assert points[-1] <= 0.01 < min(points[:-1])


def test_until_does_not_wait_for_what_frozen_players_could_gain() -> None:
    tree = load_tree("kuhn(players=3)")
    solution = perform(job_for(tree, frozen={"3": "always-call"}, until=0.001))
    assert solution.gains is not None
    assert solution.gains[0] + solution.gains[1] <= 0.001 < solution.gains[2]


def test_minutes_end_a_job_without_iterations(kuhn: GameTree) -> None:
    job = job_for(kuhn, minutes=0.002)
    solution = perform(job)
    assert 0.12 <= solution.seconds < 5
    assert job.iterations is None


def test_the_id_depends_on_what_determines_the_numbers_only(kuhn: GameTree, tmp_path: Path) -> None:
    def run_id(tree: GameTree, **options: Any) -> str:
        return RunConfig.of(job_for(tree, **options)).run_id

    one, two = tmp_path / "one", tmp_path / "two"
    always_call(kuhn).save(one)
    uniform(kuhn).save(two)
    usual = run_id(kuhn)
    assert usual == run_id(kuhn, minutes=5) == run_id(kuhn, until=0.1)
    frozen = run_id(kuhn, frozen={"2": str(one)})
    different = [
        run_id(kuhn, solver="cfr"), run_id(kuhn, seed=1), run_id(kuhn, is_alternating=False),
        run_id(load_tree("kuhn(players=3)")), run_id(kuhn, start="always-call"), frozen,
        run_id(kuhn, frozen={"2": str(two)}), run_id(kuhn, frozen={"1": str(one)}),
    ]  # fmt: skip
    assert len({usual, *different}) == 1 + len(different)
    one.rename(tmp_path / "elsewhere")
    assert run_id(kuhn, frozen={"2": str(tmp_path / "elsewhere")}) == frozen


def test_a_frozen_player_keeps_its_strategy_and_the_other_answers(kuhn: GameTree) -> None:
    solution = perform(job_for(kuhn, frozen={"2": "always-call"}, iterations=2000))
    theirs = kuhn.slot_player == 1
    np.testing.assert_array_equal(solution.strategy.probabilities[theirs], always_call(kuhn).probabilities[theirs])
    assert solution.gains is not None
    assert solution.gains[0] < 1e-3
    assert "player 2" in solution.notes[0]


@pytest.fixture
def opponent(kuhn: GameTree, tmp_path: Path) -> Path:
    """A file that no name could stand for."""
    path = tmp_path / "opponent.safetensors"
    perform(job_for(kuhn, solver="external-sampling", seed=63)).save(path)
    return path


def test_a_run_given_a_file_resumes_with_it(kuhn: GameTree, tmp_path: Path, opponent: Path) -> None:
    job = job_for(kuhn, frozen={"2": str(opponent)}, start="uniform", iterations=100)
    expected = perform(job)
    run = open_run(job, tmp_path / "runs")
    resumed = perform(job_of(run), run=tmp_path / "runs")
    np.testing.assert_array_equal(resumed.strategy.probabilities, expected.strategy.probabilities)
    assert _run_of(resumed).folder == run.folder
    assert not list(run.folder.glob("*.safetensors")), "a file is hashed, not copied"


def test_a_file_that_is_gone_or_changed_is_refused(kuhn: GameTree, tmp_path: Path, opponent: Path) -> None:
    run = open_run(job_for(kuhn, frozen={"2": str(opponent)}), tmp_path / "runs")
    always_call(kuhn).save(opponent)
    with pytest.raises(ConfigError, match=r"opponent\.safetensors has changed: its digest is .*; put the old one back"):
        job_of(run)
    opponent.unlink()
    with pytest.raises(ConfigError, match=r"opponent\.safetensors is gone; put it back \(digest [0-9a-f]{16}\)"):
        job_of(run)


def test_a_finished_run_answers_the_same_without_an_iteration(kuhn: GameTree, tmp_path: Path) -> None:
    first = perform(job_for(kuhn), run=tmp_path)
    steps: list[object] = []
    again = perform(job_for(kuhn), run=tmp_path, progress=steps.append)
    assert _told(again) == _told(first) == _run_of(first).load_result()
    assert steps == []


def test_a_larger_budget_continues_and_a_smaller_one_leaves_the_run_alone(kuhn: GameTree, tmp_path: Path) -> None:
    def run_to(iterations: int) -> Solution:
        solution: Solution = perform(job_for(kuhn, iterations=iterations), run=tmp_path)
        return solution

    run_to(100)
    assert run_to(300).strategy.probabilities.tolist() == _fresh(kuhn, 300)
    smaller = run_to(200)
    assert smaller.strategy.probabilities.tolist() == _fresh(kuhn, 200)
    assert smaller.provenance.run is None
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert '"iterations": 300' in (folder / "result.json").read_text()


def _fresh(tree: GameTree, iterations: int) -> list[float]:
    strategy = perform(job_for(tree, iterations=iterations)).strategy
    chances: list[float] = strategy.probabilities.tolist()
    return chances


def test_the_report_draws_the_curve_and_tells_how_to_repeat_it(kuhn: GameTree, tmp_path: Path) -> None:
    solution = perform(job_for(kuhn, solver="cfr", is_alternating=False, minutes=0.001), run=tmp_path)
    run = _run_of(solution)
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
    solution = perform(job_for(kuhn))
    solution.save(tmp_path / "kuhn.safetensors")
    loaded = load_table(tmp_path / "kuhn.safetensors", kuhn)
    np.testing.assert_array_equal(loaded.probabilities, solution.strategy.probabilities)
    assert loaded.facts["solver"] == "cfr+"
    assert loaded.facts["iterations"] == 1000
    assert loaded.facts["nash_conv"] == solution.nash_conv
    assert loaded.facts["parameters"] == {"positive": "inf", "negative": "-inf", "gamma": 1, "is_predictive": False}


def test_checkpoints_of_other_jobs_and_other_files_are_refused(kuhn: GameTree, tmp_path: Path) -> None:
    work = job_for(kuhn).begin()
    work.advance()
    before = _state(work)
    job_for(kuhn, seed=1).begin().save(tmp_path / "other")
    uniform(kuhn).save(tmp_path / "strategy")
    with pytest.raises(MismatchError, match="another solve"):
        work.load(tmp_path / "other")
    with pytest.raises(FileFormatError, match="not a checkpoint"):
        work.load(tmp_path / "strategy")
    work.save(tmp_path / "cut")
    (tmp_path / "cut").write_bytes((tmp_path / "cut").read_bytes()[:-8])
    with pytest.raises(FileFormatError, match="cut short"):
        work.load(tmp_path / "cut")
    assert _state(work) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"solver": "cfrr"}, "unknown solver 'cfrr'"),
        ({"solver": "lp"}, "'lp' does not work in iterations"),
        ({"seed": -1}, "seed = -1"),
        ({"frozen": {"3": "uniform"}}, "cannot freeze player 3; kuhn has players 1 to 2"),
        ({"frozen": {"1": "uniform", "2": "uniform"}}, "all 2 players are frozen"),
        ({"start": "nobody"}, "unknown strategy 'nobody'"),
        ({"solver": "external-sampling", "is_alternating": False}, "always updates the players in turn"),
        ({"iterations": 0}, "iterations = 0"),
        ({"minutes": float("nan")}, "minutes = nan"),
        ({"until": -0.1}, "until = -0.1"),
    ],
)
def test_what_cannot_be_solved_is_refused_before_a_run_is_made(
    kuhn: GameTree, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        perform(job_for(kuhn, **options), run=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_a_game_without_a_name_is_solved_in_memory_only(kuhn: GameTree, tmp_path: Path) -> None:
    nameless = replace(kuhn, definition={})
    solution = perform(job_for(nameless, iterations=10))
    assert solution.strategy.probabilities.tolist() == _fresh(kuhn, 10)
    assert solution.provenance.command == ""
    with pytest.raises(ConfigError, match="kuhn has no name by which a run could find it again"):
        perform(job_for(nameless, iterations=10), run=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_a_limit_by_nash_conv_needs_a_game_in_which_it_can_be_measured() -> None:
    tree = _forgetful_game()
    with pytest.raises(UnsupportedGameError, match="perfect recall"):
        job_for(tree, solver="external-sampling", until=0.1)
    with pytest.raises(UnsupportedGameError, match="perfect recall"):
        perform(job_for(tree, solver="cfr+"))


def test_without_perfect_recall_only_values_are_told(tmp_path: Path) -> None:
    solution = perform(job_for(_forgetful_game(), solver="external-sampling", iterations=50), run=tmp_path)
    assert solution.nash_conv is solution.gains is None
    assert len(solution.values) == 2
    assert "cannot be measured" in solution.notes[0]
    assert "value (" in _run_of(solution).report_path.read_text()


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
        solve_by_lp(load_tree("kuhn(players=3)"))


def test_the_lp_tells_the_value_of_kuhn(kuhn: GameTree) -> None:
    """Kuhn (1950): -1/18 to the first player."""
    solution = solve_by_lp(kuhn)
    assert solution.value == pytest.approx(-1 / 18, abs=1e-9)
    assert solution.nash_conv is not None
    assert solution.nash_conv < 1e-9


def test_three_players_are_told_that_nothing_is_promised() -> None:
    solution = perform(job_for(load_tree("kuhn(players=3)"), iterations=10))
    assert solution.value is None
    assert "promises no equilibrium" in solution.notes[0]


@pytest.mark.parametrize("num_frozen", [1, 2])
def test_a_player_alone_with_frozen_ones_is_not_warned(num_frozen: int) -> None:
    """CFR does find a best response."""
    frozen = {str(player + 1): "always-call" for player in range(num_frozen)}
    solution = perform(job_for(load_tree("kuhn(players=3)"), frozen=frozen, iterations=2000))
    assert any("promises no equilibrium" in note for note in solution.notes) is (num_frozen == 1)
    assert solution.gains is not None
    assert solution.gains[2] < 1e-3


@pytest.mark.parametrize("damage", ["{", "{}", "[]", "\xff"])
def test_a_damaged_result_is_written_anew(kuhn: GameTree, tmp_path: Path, damage: str) -> None:
    first = perform(job_for(kuhn), run=tmp_path)
    run = _run_of(first)
    run.result_path.write_bytes(damage.encode("latin1"))
    assert _told(perform(job_for(kuhn), run=tmp_path)) == _told(first) == run.load_result()


def test_a_report_that_cannot_be_written_is_a_warning(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OutputError("cannot write plotly.min.js: No space left on device")

    with monkeypatch.context() as patch, pytest.warns(UserWarning, match="the report is missing.*No space left"):
        patch.setattr("nashgap.reports.report.write_atomically", refuse)
        solution = perform(job_for(kuhn), run=tmp_path)
    run = _run_of(solution)
    assert run.load_result() == _told(solution)
    assert not run.report_path.exists()
    perform(job_for(kuhn), run=tmp_path)
    assert run.report_path.exists()


class Killed(BaseException):
    """Nothing of ours catches it."""


@pytest.mark.parametrize("place", ["nashgap.core.result.Result.write_page", "nashgap.runs.folder.Run.save_result"])
def test_a_result_is_never_beside_the_report_of_another(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Wherever work is killed after the run went further."""
    run = _run_of(perform(job_for(kuhn, iterations=20), run=tmp_path))
    before = run.report_path.read_bytes()

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(place, kill)
        perform(job_for(kuhn, iterations=40), run=tmp_path)
    assert run.load_result() is None
    further = perform(job_for(kuhn, iterations=40), run=tmp_path)
    assert run.load_result() == _told(further)
    assert run.report_path.read_bytes() != before


def test_a_result_that_cannot_be_written_is_named(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OutputError("cannot write result.json: No space left on device")

    with monkeypatch.context() as patch, pytest.warns(UserWarning, match="the result is missing.*No space") as told:
        patch.setattr("nashgap.runs.folder.Run.save_result", refuse)
        run = _run_of(perform(job_for(kuhn), run=tmp_path))
    assert len(told) == 1
    assert run.report_path.exists()


def test_a_checkpoint_of_other_rules_says_how_to_start_afresh(kuhn: GameTree, tmp_path: Path) -> None:
    changed = replace(job_for(kuhn), given_tree=replace(kuhn, returns=2 * kuhn.returns))
    changed.begin().save(tmp_path / "state")
    with pytest.raises(MismatchError, match=f"other rules; remove {tmp_path} to start afresh"):
        job_for(kuhn).begin().load(tmp_path / "state")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"iterations": 20}, "nashgap solve kuhn --solver cfr+ --iterations 20 --seed 0"),
        ({"until": 0.3, "seed": 4}, "nashgap solve kuhn --solver cfr+ --iterations {} --seed 4"),
        (
            {"solver": "cfr", "is_alternating": False, "frozen": {"2": "always-call"}, "start": "uniform"},
            "nashgap solve kuhn --solver cfr --iterations 1000 --seed 0 --simultaneous --start uniform"
            " --freeze 2=always-call",
        ),
    ],
)
def test_the_command_of_a_report_repeats_it(
    kuhn: GameTree, tmp_path: Path, options: dict[str, Any], expected: str
) -> None:
    solution = perform(job_for(kuhn, **options), run=tmp_path)
    assert solution.provenance.command == expected.format(solution.iterations)
    assert solution.provenance.command in unescape(_run_of(solution).report_path.read_text())
    words = shlex.split(solution.provenance.command)[1:]
    assert main([*words, "--output", str(tmp_path / "again"), "--runs", str(tmp_path / "elsewhere"), "-q"]) == 0
    again = load_table(tmp_path / "again", kuhn)
    np.testing.assert_array_equal(again.probabilities, solution.strategy.probabilities)


def test_the_command_of_a_report_can_be_pasted(kuhn: GameTree, tmp_path: Path) -> None:
    """A strategy that was given as an object is no word of a command; its run can be continued."""
    path = tmp_path / "my opponent"
    always_call(kuhn).save(path)
    with_file = perform(job_for(kuhn, start=str(path), iterations=20), run=tmp_path / "my runs")
    assert with_file.provenance.command.endswith(f" --start '{path}'")
    given = replace(job_for(kuhn, iterations=20), start=as_bot(always_call(kuhn)))
    assert perform(given).provenance.command == ""
    kept = perform(given, run=tmp_path / "my runs")
    assert kept.provenance.command.endswith(f" --runs '{tmp_path}/my runs'")
    assert kept.provenance.command in unescape(_run_of(kept).report_path.read_text())


def test_a_forecast_is_about_the_time_that_it_takes(leduc: GameTree) -> None:
    expected = forecast_solve(job_for(leduc, iterations=10**6))
    assert expected.information_sets == 936
    assert expected.expected_seconds == pytest.approx(1e6 / (expected.iterations_per_second or 0))
    assert expected.as_dict()["seconds"] == expected.expected_seconds
    assert expected.bytes > 8 * leduc.num_slots
