"""Ganzfried & Yusuf, Computing human-understandable strategies (2017): Figures 1 to 3 and 8 to 10."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nashgap.catalogue import REPRODUCTIONS
from nashgap.core.estimate import Estimate
from nashgap.errors import MismatchError
from nashgap.explanations.bet_size_lp import CHOICES
from nashgap.explanations.representations import REPRESENTATIONS, CardCdf
from nashgap.explanations.scores import Scores
from nashgap.jobs.perform import job_of, perform_run
from nashgap.jobs.reproduction import Request
from nashgap.papers.ganzfried_yusuf_2017 import bet_tree, figures_9_10, games
from nashgap.papers.ganzfried_yusuf_2017.figures_1_3 import draw_example, figures_1_to_3, solve_examples
from nashgap.papers.ganzfried_yusuf_2017.tree_claims import check_claims, listed_depths, rising_depths
from nashgap.papers.ganzfried_yusuf_2017.trees_job import CutTree, TreesJob
from nashgap.reports.report import Plot, Report, Table
from nashgap.runs.folder import existing_run

NUM_GAMES = 250


@pytest.fixture(scope="module")
def request_of_few(tmp_path_factory: pytest.TempPathFactory) -> Request:
    """With a folder of runs that has some solved games."""
    request = Request(is_quick=True, runs_root=tmp_path_factory.mktemp("runs"))
    games.solved_games(request, NUM_GAMES)
    return request


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bet_tree, "QUICK_GAMES", NUM_GAMES)
    monkeypatch.setattr(bet_tree, "QUICK_SIZES", (50,))
    for name, value in (("QUICK_TRAIN", 200), ("QUICK_TEST", 50), ("QUICK_DEPTH", 5)):
        monkeypatch.setattr(figures_9_10, name, value)


def table_of(report: Report, title: str) -> Table:
    return next(each for each in report.sections if isinstance(each, Table) and each.title.startswith(title))


def test_example_games_have_the_printed_equilibria() -> None:
    examples = uniform, extremes, medium = solve_examples()
    assert [example.value for example in examples] == pytest.approx([0.0657365, 0.375, 0.0], abs=1e-7)
    for example in examples:
        assert all(example.loss(choice) == 0.0 for choice in CHOICES)
    # Only the uniform deal has several equilibria; the printed one is rounded.
    assert uniform.loss("printed") == pytest.approx(3.537e-5, abs=1e-8)
    assert all(example.distance(choice) < 1e-9 for example in (extremes, medium) for choice in CHOICES)


def test_example_games_are_drawn_with_both_players_and_every_strategy() -> None:
    uniform, extremes, _ = solve_examples()
    bars = [trace for trace in draw_example(extremes).data if trace.type == "bar"]
    assert [list(trace.y) for trace in bars] == [[0.5, *[0] * 8, 0.5], [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]]
    panels = [trace for trace in draw_example(uniform).data if trace.type == "scatter"]
    assert len(panels) == 1 + len(CHOICES)
    printed = set(zip(panels[0].x, panels[0].y, strict=True))
    assert {(1, 0.1), (1, 0.6), (1, 1.8), (2, 0.3), (10, 1.8)} < printed
    assert REPRODUCTIONS.load("human-figures-1-3") is figures_1_to_3


def test_games_are_solved_once_and_then_read(request_of_few: Request) -> None:
    def refuse(pace: object) -> None:
        raise AssertionError("nothing is left to solve")

    again = games.solved_games(Request(runs_root=request_of_few.runs_root, on_progress=refuse), NUM_GAMES)
    fewer = games.known_games(request_of_few.runs_root, 30, 0)
    assert fewer is not None
    np.testing.assert_array_equal(fewer.value, again.value[:30])
    assert games.known_games(request_of_few.runs_root, NUM_GAMES + 1, 0) is None


@pytest.mark.usefixtures("few_games")
def test_figure_8_has_published_numbers_beside_every_reading(request_of_few: Request) -> None:
    report = bet_tree.figure_8(request_of_few)
    readings = table_of(report, "The readings")
    assert readings.rows[0][1:3] == ("x[20] <= 0.9035", "x[15] <= 0.9154")
    assert [row[0] for row in readings.rows[1:]] == list(bet_tree.READINGS)
    assert [row[1:3] for row in table_of(report, "Trees of other games").rows] == [(50, 5), (50, 5)]
    nodes = table_of(report, "Node by node")
    # Every test is followed by its two sides: the first row has all cards of all games.
    assert nodes.rows[0][3] == 10 * NUM_GAMES
    assert REPRODUCTIONS.load("human-figure-8") is bet_tree.figure_8


def test_figure_8_bets_most_with_the_best_hands(request_of_few: Request) -> None:
    solved = games.solved_games(request_of_few, NUM_GAMES)
    reading = bet_tree.fit_reading(solved, "below", 0)
    assert reading.tree.feature[0] == 20
    # Printed 0.9035 and 2.9314, of 64,000 games; so few games move the threshold, and the bet with the best hands.
    assert reading.root == pytest.approx(0.9035, abs=0.06)
    assert max(reading.last) > 2.0


@pytest.mark.usefixtures("few_games")
def test_figures_9_and_10_share_their_trees(request_of_few: Request) -> None:
    report = figures_9_10.figure_9(request_of_few)
    curves = next(each for each in report.sections if isinstance(each, Plot)).curves
    assert [curve.name.split()[1] for curve in curves] == list(REPRESENTATIONS)
    assert all(list(curve.x) == [3, 4, 5] for curve in curves)
    assert {row[1] for row in table_of(report, "What the paper says").rows} <= {"true", "false"}
    assert table_of(report, "Lowest errors").columns[1:] == CHOICES
    assert [row[1] for row in table_of(report, "The readings").rows] == ["below", "own", "opponent", "beaten"] * 4

    def refuse(pace: object) -> None:
        raise AssertionError("the trees are known")

    by_size = figures_9_10.figure_10(Request(is_quick=True, runs_root=request_of_few.runs_root, on_progress=refuse))
    sizes = next(each for each in by_size.sections if isinstance(each, Plot)).curves
    assert [list(curve.y) for curve in sizes] == [list(curve.y) for curve in curves]
    assert all(list(curve.x) == sorted(curve.x) for curve in sizes)


def test_a_tree_job_is_made_again_from_its_config(tmp_path: Path) -> None:
    job = TreesJob(8, 2, 4, 0)
    again = TreesJob.from_config(job.identity(), job.budget())
    assert again == job
    few = TreesJob(8, 2, 4, 0, CardCdf.OWN, ("solver",), ("pdf+card-cdf", "cdf+card-cdf"))
    assert TreesJob.from_config(few.identity(), few.budget()) == few
    assert job.num_batches == len(CHOICES) * len(REPRESENTATIONS)
    with pytest.raises(MismatchError, match="no run has 10 solved games of seed 0"):
        again.run_batch(0)


def test_a_tree_job_finds_the_games_beside_its_run(request_of_few: Request) -> None:
    job = TreesJob(200, 50, 3, 0, choices=("solver",), names=("pdf",))
    curves = request_of_few.perform(job)
    assert list(curves) == [("solver", "pdf")]
    run = existing_run(job, request_of_few.runs_root)
    assert run is not None
    assert perform_run(run, job_of(run), progress=False) == curves
    again = job_of(run)
    again.prepare(request_of_few.runs_root)
    assert isinstance(again, TreesJob)
    assert again.run_batch(0) == job.run_batch(0)


def cuts_of(errors: list[float], price: float = 0.1) -> list[CutTree]:
    return [
        CutTree(depth, 2 ** (depth + 1) - 1, 2**depth, Scores(_estimate(error), _estimate(price), _estimate(0.0)), None)
        for depth, error in enumerate(errors, start=3)
    ]


def _estimate(mean: float) -> Estimate:
    return Estimate(mean, 0.0, 2, "of_scale", "exact", 0)


def test_rising_depths_are_told() -> None:
    assert rising_depths(cuts_of([0.5, 0.4, 0.41, 0.42, 0.3, 0.31])) == [5, 6, 8]
    assert listed_depths([5, 6, 8]) == "5-6, 8"
    assert listed_depths([]) == ""


def test_claims_are_decided_by_the_curves() -> None:
    """As the paper has it: pdf below cdf, cards apart below all at once, which is the least exploitable."""
    curves = {
        ("solver", name): cuts_of(
            [0.5, 0.3 - 0.01 * (not each.is_cumulative) - 0.01 * each.is_per_card - 0.01 * (name == "pdf+card-cdf")],
            0.2 if each.is_per_card else 0.1,
        )
        for name, each in REPRESENTATIONS.items()
    }
    assert all(statement.is_true for statement in check_claims(curves, "solver"))
    curves["solver", "cdf"] = cuts_of([0.2, 0.25], 0.3)
    monotone, best, *others = check_claims(curves, "solver")
    assert not monotone.is_true
    assert not best.is_true
    assert [each.is_true for each in others] == [True, False, False]
    assert monotone.because == "cdf rises at 4"
    assert best.because.startswith("1 cdf has 0.2000")
