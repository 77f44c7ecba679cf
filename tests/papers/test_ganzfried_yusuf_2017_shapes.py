"""Figures 4 to 6 of Ganzfried & Yusuf (2017): shapes of random river endgames, counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nashgap.catalogue import JOBS, REPRODUCTIONS
from nashgap.core.job import BatchJob
from nashgap.jobs.reproduction import Request
from nashgap.papers.ganzfried_yusuf_2017 import shapes
from nashgap.papers.ganzfried_yusuf_2017.shapes_job import CAPS, ShapesJob, Solved, models_of_some_equilibrium
from nashgap.reports.report import Drawing, Table, Text
from nashgap.runs import package_version


@pytest.fixture(scope="module")
def batch() -> dict[str, Any]:
    """Twenty-five games with one bet."""
    return ShapesJob(games=25, seed=0).run_batch(0)


def test_the_job_is_its_identity_and_budget() -> None:
    job = ShapesJob(games=50, seed=3)
    assert isinstance(job, BatchJob)
    assert JOBS.load(job.kind) is ShapesJob
    assert ShapesJob.from_config(job.identity(), job.budget()) == job
    assert job.num_batches == 2 * len(CAPS)
    assert job.describe_batch(4) == "games 26 to 50, a bet and one raise"
    assert ShapesJob(games=1000, seed=3).describe_batch(4) == job.describe_batch(4)


def test_with_one_bet_the_simplest_equilibria_bluff_fold_call_and_bet(batch: dict[str, Any]) -> None:
    """The textbook shape (Ankenman & Chen 2006: bluffs, then hands that fold, then call, then bet) comes first."""
    assert (batch["cap"], batch["loss"] < 1e-9, all(batch["is_proven"])) == (1, True, True)
    simplest = Solved.of([levels[2] for levels in batch["intervals"]["fewest-intervals"]])
    assert simplest.num_games == 25
    assert next(iter(simplest.counts)) == (("bet", "check-fold", "check-call", "bet"),)
    assert len(simplest.models) <= 3
    vertices = Solved.of([levels[3] for levels in batch["intervals"]["solver"]])
    assert len(vertices.counts) > len(simplest.counts)


def test_widths_are_means_over_the_games_of_a_shape() -> None:
    games = [[[("bet", 0.2), ("check", 0.8)]], [[("bet", 0.4), ("check", 0.6)]], [[("check", 1.0)]]]
    solved = Solved.of(games)
    assert solved.counts == {(("bet", "check"),): 2, (("check",),): 1}
    assert solved.widths[(("bet", "check"),)] == (pytest.approx((0.3, 0.7)),)
    assert [model.count for model in solved.models] == [3]


def test_models_of_some_equilibrium_cover_every_game(batch: dict[str, Any]) -> None:
    simplest = Solved.of([levels[3] for levels in batch["intervals"]["fewest-intervals"]])
    models = models_of_some_equilibrium(simplest, cap=1, seed=0)
    assert sum(model.count for model in models) == 25
    assert len(models) <= len(simplest.models)
    vertices = Solved.of([levels[3] for levels in batch["intervals"]["solver"]])
    assert len(models_of_some_equilibrium(vertices, cap=1, seed=0)) < len(vertices.models)


def test_the_report_counts_shapes_and_says_whether_three_suffice(
    batch: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The other caps take too long for a test and are stood in for by the same games."""
    monkeypatch.setattr(shapes, "QUICK_GAMES", 25)
    monkeypatch.setattr(ShapesJob, "run_batch", lambda job, index: {**batch, "cap": job.caps[index]})
    monkeypatch.setattr(shapes, "models_of_some_equilibrium", lambda solved, *_: solved.models)
    make_report = REPRODUCTIONS.load("human-figures-4-6")
    report = make_report(Request(is_quick=True, runs_root=tmp_path))
    tables = [section for section in report.sections if isinstance(section, Table)]
    assert [len(table.rows) for table in (tables[0], tables[-1])] == [4 * len(CAPS), 8]
    assert {row[5] for row in tables[0].rows} == {"100.0%"}
    assert len([section for section in report.sections if isinstance(section, Drawing)]) == 2
    method, verdicts = (section for section in report.sections if isinstance(section, Text))
    assert "Equilibria are not unique." in method.paragraphs[2]
    assert all("three models suffice" in line for line in verdicts.paragraphs)
    assert report.facts["version"] == package_version()
    assert report.command == "nashgap reproduce human-figures-4-6 --quick --seed 0"
