from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nashgap.catalogue import REPRODUCTIONS, Registry
from nashgap.core.estimate import Estimate
from nashgap.jobs.reproduction import Request
from nashgap.papers.abou_risk_2009.self_play import play_copies
from nashgap.papers.abou_risk_2009.starts import Start, StartsJob
from nashgap.reports.report import Curve, Figure, FigureTable, Plot, Report, Table, Text
from nashgap.runs import list_runs
from nashgap.strategies.spec import parse_bot

ESTIMATE = Estimate(mean=1.5, ci95=0.25, samples=10, unit="chips", method="match", seed=0)


def _reproduction(request: Request) -> Report:
    """Every kind of section, with brackets that must not be read as markup and numbers that JSON has no word for."""
    return Report(
        "A table [3.1]",
        f"Quick: {request.is_quick}, seed {request.seed}, workers {request.workers}.",
        (
            FigureTable("Values", (Figure("value [1]", -0.25, "chips", published=-0.5, note="looks doubled"),)),
            Table("Steps", ("step", "gain", "match"), (("first", 0.125, ESTIMATE), ("second", float("nan"), ESTIMATE))),
            Plot("Curve", "iterations", "nash_conv", (Curve("cfr", np.array([1.0, 10.0]), [1.0, 0.1]),), log_x=True),
            Text("Remarks", ("A sentence that is [not markup].",)),
        ),
        "nashgap reproduce a-table",
        {"seed": request.seed},
    )


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Registry, "load", lambda registry, name: _reproduction)


@pytest.mark.usefixtures("fake")
def test_the_report_is_shown_in_the_terminal_and_written(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    outcome = nashgap("reproduce", "thesis-table-3.1", "--quick", "--seed", "7", "--workers", "2")
    assert outcome.status == 0
    text = outcome.out
    assert "Quick: True, seed 7, workers 2." in text
    for part in ("A table [3.1]", "value [1]", "-0.25", "-0.5", "looks doubled", "1.50 ± 0.25", "[not markup]"):
        assert part in text
    assert "runs/thesis-table-3.1-quick-seed-7.html" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "A table [3.1]" in (tmp_path / "runs/thesis-table-3.1-quick-seed-7.html").read_text()


@pytest.mark.usefixtures("fake")
def test_json_has_the_whole_report(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    found = nashgap("reproduce", "thesis-table-3.1", "--runs", "elsewhere", "--json").json
    assert (found["name"], found["is_quick"], found["seed"]) == ("thesis-table-3.1", False, 0)
    assert found["report"] == "elsewhere/thesis-table-3.1.html"
    assert (tmp_path / found["report"]).is_file()
    figures, steps, curve, remarks = found["sections"]
    assert figures["figures"][0]["value"] == -0.25
    assert figures["figures"][0]["published"] == -0.5
    assert steps["rows"][0] == ["first", 0.125, ESTIMATE.as_dict()]
    assert steps["rows"][1][1] is None
    assert curve["curves"] == [{"name": "cfr", "x": [1.0, 10.0], "y": [1.0, 0.1], "ci95": None}]
    assert remarks["paragraphs"] == ["A sentence that is [not markup]."]


def test_without_a_name_they_are_listed(nashgap: Callable[..., Any]) -> None:
    text = nashgap("reproduce").out
    assert all(name in text for name in REPRODUCTIONS.entries)
    listed = nashgap("reproduce", "--json").json["reproductions"]
    assert [entry["name"] for entry in listed] == list(REPRODUCTIONS.entries)


def _with_a_run(request: Request) -> Report:
    """A reproduction whose work is kept by a run."""
    starts = (Start("cfr", "kuhn(players=3)", "cfr", 10),)
    request.perform_own(StartsJob("thesis-table-3.1", starts, request.seed))
    return _reproduction(request)


def test_a_run_has_the_report_and_another_seed_another_page(
    nashgap: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    load = Registry.load
    monkeypatch.setattr(
        Registry, "load", lambda registry, name: _with_a_run if registry is REPRODUCTIONS else load(registry, name)
    )
    assert nashgap("reproduce", "thesis-table-3.1", "--quiet").status == 0
    (run,) = list_runs(tmp_path / "runs")
    shown = nashgap("runs", "show", "thesis-table-3.1", "--json").json
    assert " entries" in nashgap("runs", "show", "thesis-table-3.1").out  # the starts are not spelled out
    assert shown["status"] == "finished"
    assert shown["report"] == f"runs/{run.folder.name}/report.html"
    assert shown["result"]["title"] == "A table [3.1]"
    assert "seed 0" in shown["result"]["summary"]
    other = nashgap("reproduce", "thesis-table-3.1", "--quiet", "--seed", "1", "--json").json["report"]
    assert "seed 1" in (tmp_path / other).read_text()
    assert "seed 0" in (run.folder / "report.html").read_text()
    assert not list((tmp_path / "runs").glob("*.html"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seed", "-3"), "seed = -3; it must be a whole number from 0 to 9223372036854775807"),
        (("--seed", "-3", "--workers", "2"), "seed = -3"),
        (("--seed", str(2**63)), f"seed = {2**63}"),
        (("--workers", "0"), "workers = 0; it must be a whole number, at least 1"),
    ],
)
def test_bad_requests_are_refused_before_anything_is_written(
    nashgap: Callable[..., Any], tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    outcome = nashgap("reproduce", "thesis-table-3.1", "--quick", *words)
    assert outcome.status != 0
    assert message in outcome.err
    assert "Traceback" not in outcome.err
    assert not (tmp_path / "runs").exists()


def test_a_wrong_name_is_answered_with_the_close_one(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    outcome = nashgap("reproduce", "thesis-table-31")
    assert (outcome.status, outcome.out) == (2, "")
    assert "(did you mean 'thesis-table-3.1'?)" in outcome.err
    assert not (tmp_path / "runs").exists()


def test_a_match_that_a_reproduction_plays_keeps_its_own_report(nashgap, monkeypatch):
    """They share the run; each has its page."""
    played = nashgap("match", "poki", "poki", "poki", "--deals", "1000", "--json").json
    page = Path(played["report"]).read_text()
    load = Registry.load

    def copies(request: Request) -> Report:
        result = play_copies(parse_bot("poki"), request)
        return Report("Copies", f"{result.deals} deals.", (Text("Remarks", ("One.",)),))

    monkeypatch.setattr(
        Registry, "load", lambda registry, name: copies if registry is REPRODUCTIONS else load(registry, name)
    )
    reproduced = nashgap("reproduce", "thesis-table-3.3", "--quick", "--json").json
    assert Path(reproduced["report"]) == Path("runs/thesis-table-3.3-quick.html")
    assert reproduced["summary"] == "1000 deals."
    assert Path(played["report"]).read_text() == page
    assert nashgap("runs", "show", "match", "--json").json["result"]["winrates"] == played["winrates"]
