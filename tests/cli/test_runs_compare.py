"""Two finished runs side by side, and the page over all runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LBR = ["--game", "leduc2", "--by", "lbr", "--lines", "dealt", "--deals", "10000", "-q", "--json"]
MATCH = ["--game", "leduc2", "--deals", "200000", "-q", "--json"]  # 20 batches
BOTS = ("always-call", "half-call-half-raise")


def test_lbr_runs_are_compared_on_their_deals_as_compare_plays_them(nashgap: Callable[..., Any]) -> None:
    runs = [nashgap("measure", bot, *LBR).json["run"] for bot in BOTS]
    found = nashgap("runs", "compare", *(Path(run).name for run in runs), "--json")
    assert found.status == 0, found.err
    compared = nashgap("compare", *BOTS, *LBR).json
    assert found.json["difference"] == compared["difference"]
    assert found.json["bounds"] == compared["bounds"]
    assert found.json["verdict"] == compared["verdict"]


def test_match_runs_against_the_same_opponent_are_paired(nashgap: Callable[..., Any]) -> None:
    runs = [nashgap("match", bot, "random", *MATCH).json for bot in BOTS]
    found = nashgap("runs", "compare", *(Path(run["run"]).name for run in runs), "--json").json
    assert (found["method"], found["opponents"]) == ("match", ["random"])
    (first, *_), (second, *_) = (run["winrates"] for run in runs)
    assert found["difference"]["mean"] == pytest.approx(second - first, rel=1e-9)


def test_a_run_that_went_further_is_compared_on_what_both_played(nashgap: Callable[..., Any]) -> None:
    longer = ["15000" if word == "10000" else word for word in LBR]
    runs = [nashgap("measure", bot, *words).json["run"] for bot, words in zip(BOTS, (LBR, longer), strict=True)]
    found = nashgap("runs", "compare", *(Path(run).name for run in runs), "--json").json
    assert found["difference"] == nashgap("compare", *BOTS, *LBR).json["difference"]


def test_matches_too_short_to_be_paired_have_independent_intervals(nashgap: Callable[..., Any]) -> None:
    short = ["400" if word == "200000" else word for word in MATCH]
    runs = [nashgap("match", bot, "random", *short).json for bot in BOTS]
    document = nashgap("runs", "compare", *(Path(run["run"]).name for run in runs), "--json").json
    [pair] = [pair for pair in document["numbers"] if pair["name"] == "winrates.1"]
    assert pair["difference"]["mean"] == runs[1]["winrates"][0] - runs[0]["winrates"][0]
    assert pair["difference"]["ci95"] == pytest.approx(math.hypot(*(run["ci95"][0] for run in runs)))


def test_other_runs_are_compared_number_by_number(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    solved = [nashgap("solve", "kuhn", "--iterations", str(number), "--json", "-q").json for number in (20, 200)]
    other = nashgap("solve", "kuhn", "--solver", "cfr", "--iterations", "200", "--json", "-q").json
    first, second = solved[1], other
    found = nashgap("runs", "compare", *(Path(run["run"]).name for run in (first, second)), "--report", "page.html")
    assert found.status == 0, found.err
    assert "nash_conv" in found.out and (tmp_path / "page.html").is_file()
    document = nashgap("runs", "compare", *(Path(run["run"]).name for run in (first, second)), "--json").json
    pairs = {pair["name"]: pair for pair in document["numbers"]}
    assert pairs["nash_conv"]["difference"] == second["nash_conv"] - first["nash_conv"]


def test_runs_that_share_no_deals_have_the_interval_of_independent_samples(nashgap: Callable[..., Any]) -> None:
    runs = [nashgap("measure", "always-call", *LBR, "--seed", str(seed)).json for seed in (0, 1)]
    document = nashgap("runs", "compare", *(Path(run["run"]).name for run in runs), "--json").json
    sampled = [pair for pair in document["numbers"] if isinstance(pair["difference"], dict)]
    assert sampled, document
    for pair in sampled:
        assert pair["difference"]["ci95"] == pytest.approx(math.hypot(pair["first"]["ci95"], pair["second"]["ci95"]))
        assert pair["difference"]["mean"] == pytest.approx(pair["second"]["mean"] - pair["first"]["mean"])


def test_what_cannot_be_compared_is_refused(nashgap: Callable[..., Any]) -> None:
    run = Path(nashgap("solve", "kuhn", "--iterations", "20", "--json", "-q").json["run"])
    twice = nashgap("runs", "compare", run.name, run.name)
    assert (twice.status, "two runs are needed" in twice.err) == (2, True)
    other = Path(nashgap("solve", "leduc", "--iterations", "2", "--json", "-q").json["run"])
    (other / "result.json").unlink()
    missing = nashgap("runs", "compare", run.name, other.name)
    assert missing.status == 2 and f"run {other.name} has no result yet; continue it first: nashgap runs" in missing.err


def test_a_run_keeps_where_it_was_done_and_its_identity_does_not(nashgap: Callable[..., Any]) -> None:
    solve = ["solve", "kuhn", "--json", "-q", "--iterations"]
    for number in ("20", "20", "40"):
        nashgap(*solve, number)
    shown = nashgap("runs", "show", "solve", "--json").json
    assert len(shown["sessions"]) == 2, "a finished run that answers does no work"
    environment = shown["sessions"][0]["environment"]
    assert environment["python"].startswith("3.") and environment["cores"] >= 1
    assert set(environment) == {"nashgap", "python", "platform", "cpu", "cores", "packages"}
    assert "numpy" in environment["packages"]
    assert environment["cpu"] not in str(shown["identity"])
    assert f"Python {environment['python']}" in " ".join(nashgap("runs", "show", "solve").out.split())


def test_the_page_over_all_runs_leads_to_their_own(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    runs = [Path(nashgap("solve", game, "--iterations", "5", "--json", "-q").json["run"]) for game in ("kuhn", "leduc")]
    (runs[1] / "config.toml").write_text("damaged")
    listed = nashgap("runs", "list", "--html", "--json").json
    page = (tmp_path / listed["report"]).read_text()
    assert f'<a href="{runs[0].name}/report.html">{runs[0].name}</a>'.replace("+", "%2B", 1) in page
    assert runs[1].name in page and "damaged" in page
    assert "runs/index.html" in nashgap("runs", "list", "--html").out
