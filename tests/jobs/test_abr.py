"""Measuring by Approximate Best Response: what is told is a bound, work can be stopped, and bad input is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from stopping import done_in_parts

import nashgap as ng
from nashgap.cli.main import main
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.jobs.abr import TreeAbrJob
from nashgap.jobs.abr_bound import AbrBound
from nashgap.jobs.perform import job_of, perform
from nashgap.runs import find_run, open_run
from nashgap.strategies.spec import parse_bot

SIGMAS = 2.5  # of 1.96 each, for a few intervals at once


def job_for(game: str, **options: Any) -> TreeAbrJob:
    tree = load_tree(game)
    options = {"episodes": 2048, "games": 2000, **options}
    return TreeAbrJob(strategy=parse_bot("uniform"), game=tree.definition, **options)


@pytest.mark.parametrize(("game", "share"), [("kuhn", 0.99), ("leduc", 0.95)])
def test_a_kept_tree_finds_nearly_all(game: str, share: float) -> None:
    """In seconds; `test_a_minute_finds_98_percent` has the rest. Never significantly more than there is."""
    bound = ng.measure("uniform", game=game, by="abr", episodes=40_000, games=50_000)
    assert isinstance(bound, AbrBound)
    exact = ng.measure("uniform", game=game)
    assert bound.exact_nash_conv == pytest.approx(exact.nash_conv)
    assert bound.share_of_exact == pytest.approx(bound.mean / exact.nash_conv)
    assert bound.mean > share * exact.nash_conv - SIGMAS * bound.ci95
    assert bound.mean < exact.nash_conv + SIGMAS * bound.ci95
    last = bound.points[-1]
    assert share * exact.nash_conv < last["value_1"] + last["value_2"] <= exact.nash_conv + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars_dice"])
def test_half_a_minute_finds_98_percent(game: str) -> None:
    bound = ng.measure("uniform", game=game, by="abr", minutes=0.5, games=400_000)
    assert bound.share_of_exact is not None and bound.share_ci95 is not None
    assert bound.share_of_exact + bound.share_ci95 > 0.98
    assert bound.share_of_exact - SIGMAS * bound.share_ci95 <= 1.0


@pytest.mark.parametrize("preset", ["table", "paper-table"])
def test_other_presets_learn_too(preset: str) -> None:
    bound = ng.measure("uniform", game="kuhn", by="abr", preset=preset, episodes=2000, games=4000)
    assert bound.job.searches
    assert bound.mean > 0.8 * bound.exact_nash_conv - SIGMAS * bound.ci95


def test_an_equilibrium_loses_nothing() -> None:
    solved = ng.solve("kuhn", solver="lp")
    bound = ng.measure(solved.strategy, game="kuhn", by="abr", episodes=20_000, games=50_000)
    assert abs(bound.mean) < SIGMAS * bound.ci95
    assert bound.share_of_exact is None or abs(bound.exact_nash_conv) < 1e-9


def test_what_is_told_has_all_keys() -> None:
    told = perform(job_for("kuhn")).as_dict()
    asked = {"mean", "ci95", "unit", "per_player", "share_of_exact", "episodes", "seconds", "seed"}
    assert asked | {"simulations_per_second"} <= told.keys()
    assert [set(each) for each in told["per_player"]] == 2 * [{"mean", "ci95", "samples", "unit", "method", "seed"}]
    assert told["mean"] == pytest.approx(sum(each["mean"] for each in told["per_player"]))
    assert told["unit"] == "antes_per_hand"
    assert told["curve"][-1]["episodes"] == 2048
    json.dumps(told, allow_nan=False)


def test_work_that_is_stopped_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    """At every stage of it: while learning, and while being evaluated."""
    job = job_for("kuhn", episodes=4096)
    whole = perform(job)
    work, steps = done_in_parts(job, tmp_path)
    assert steps > 3
    assert work.result(()).as_dict()["per_player"] == whole.as_dict()["per_player"]


def test_a_larger_budget_goes_on_with_the_curve(tmp_path: Path) -> None:
    first = perform(job_for("kuhn", episodes=2048), run=tmp_path)
    second = perform(job_for("kuhn", episodes=8192), run=tmp_path)
    assert second.provenance.run == first.provenance.run
    assert second.episodes == 8192
    assert second.points[: len(first.points)] == first.points
    assert second.estimate.samples == 2000
    assert second.mean == pytest.approx(perform(job_for("kuhn", episodes=8192)).mean)


def test_a_run_knows_its_job(tmp_path: Path) -> None:
    job = job_for("leduc", preset="table", searches=True, seed=3)
    run = open_run(job, tmp_path)
    assert run is not None
    again = job_of(find_run(tmp_path, run.name))
    assert isinstance(again, TreeAbrJob)
    assert again.identity() == job.identity()
    assert again.plan == job.plan


def test_actors_are_processes(tmp_path: Path) -> None:
    bound = perform(job_for("kuhn", actors=2), run=tmp_path)
    assert bound.mean > 0.8 * bound.exact_nash_conv
    assert bound.provenance.command.startswith("nashgap runs resume")


def test_the_command_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    bound = ng.measure("uniform", game="kuhn", by="abr", episodes=1024, games=500, exploration=0.7, seed=4)
    assert main([*bound.provenance.command.split()[1:], "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["mean"] == bound.mean


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "pocket"}, "preset = 'pocket'; it must be one of tree, table"),
        ({"rule": "greedy"}, "rule = 'greedy'; it must be one of uct, puct"),
        ({"simulations": 0}, "simulations = 0; training needs at least 1"),
        ({"exploration": -1.0}, "exploration = -1.0; it must be a number, 0 or more"),
        ({"games": 1}, "games = 1; an interval needs at least 2"),
        ({"episodes": 0}, "iterations = 0; it must be more than 0"),
        ({"minutes": 0}, "minutes = 0; it must be more than 0"),
        ({"actors": 0}, "actors = 0; it must be a whole number from 1 to 1024"),
        ({"seed": -1}, "seed = -1"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ng.measure("uniform", game="kuhn", by="abr", **options)


@pytest.mark.parametrize("game", ["kuhn(players=3)", "matching_pennies"])
def test_games_of_three_are_refused(game: str) -> None:
    with pytest.raises(UnsupportedGameError, match="abr is for two players and zero sum"):
        ng.measure("uniform", game=game, by="abr")


def test_one_line_on_the_command_line(capsys: Any) -> None:
    assert main(["measure", "uniform", "--game", "kuhn(players=3)", "--by", "abr"]) == 2
    assert capsys.readouterr().err.strip() == (
        "nashgap: kuhn(players=3) has 3 players; abr is for two players and zero sum"
    )
