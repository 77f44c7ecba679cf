"""Approximate Best Response in games that are never enumerated: it wins, goes on where it stopped, and refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stopping import done_in_parts

import nashgap as ng
from nashgap.cli.main import main
from nashgap.errors import ConfigError, NashGapError, OptionError, UnsupportedGameError
from nashgap.jobs.abr import TreeAbrJob
from nashgap.jobs.abr_bound import AbrBound
from nashgap.jobs.abr_simulated import SimulatedAbrJob
from nashgap.jobs.perform import job_of, perform
from nashgap.runs import find_run, open_run
from nashgap.search.options import PRESETS
from nashgap.search.simulated_search import Parallel
from nashgap.strategies.simulated_policy import SeatedBots
from nashgap.strategies.spec import parse_bot

TIC_TAC_TOE, HEX = "openspiel:tic_tac_toe", "openspiel:hex(board_size=4)"


def job_for(game: str = TIC_TAC_TOE, **options: Any) -> SimulatedAbrJob:
    options = {"preset": "rollouts", "search": PRESETS["rollouts"].search, "episodes": 32, "games": 16, **options}
    return SimulatedAbrJob(strategy=parse_bot("uniform"), searches=True, game=game, **options)


def test_uniform_play_hardly_draws_tic_tac_toe() -> None:
    """Best responses win 99.7% and 96.0% of it, draws counted half."""
    bound: AbrBound = ng.measure(
        "uniform", game=TIC_TAC_TOE, by="abr", simulated=True, simulations=200, rule="uct", episodes=16, games=40
    )
    assert isinstance(bound.job, SimulatedAbrJob)
    assert bound.win_rates is not None
    first, second, both = bound.win_rates
    assert first.mean > 0.95
    assert second.mean > 0.8
    assert both.mean > 0.9
    assert both.mean == pytest.approx((first.mean + second.mean) / 2)
    assert bound.exact is None and bound.share_of_exact is None
    assert bound.unit == "utility_per_game"
    assert "a win rate of 9" in bound.summary


def test_games_that_compile_are_compiled() -> None:
    bound = ng.measure("uniform", game="openspiel:kuhn_poker", by="abr", episodes=2000, games=1000)
    assert isinstance(bound.job, TreeAbrJob)
    assert bound.win_rates is None
    assert bound.exact_nash_conv is not None


@pytest.mark.parametrize("game", ["openspiel:hex(board_size=5)", "openspiel:backgammon"])
def test_games_that_are_too_large_or_cannot_be_compiled_are_simulated(game: str) -> None:
    bound = ng.measure("uniform", game=game, by="abr", episodes=1, games=2, simulations=2)
    assert isinstance(bound.job, SimulatedAbrJob)
    assert bound.episodes == 8
    assert bound.job.preset == "rollouts"


def test_hidden_information_is_believed_in_exactly() -> None:
    """What compiled Kuhn allows is never passed, and most of it is found."""
    exact = ng.measure("uniform", game="kuhn").nash_conv
    bound = ng.measure(
        "uniform", game="openspiel:kuhn_poker", by="abr", simulated=True, episodes=200, games=800, simulations=60
    )
    assert 0.5 * exact < bound.mean < exact + 2.5 * bound.ci95


def test_intervals_leave_room_where_all_games_were_won() -> None:
    """Clopper and Pearson: after 16 wins out of 16 a rate of 79.4% is still possible, at 97.5%."""
    bound = perform(job_for(HEX))
    assert bound.win_rates is not None
    sure = [rate for rate in bound.win_rates[:2] if rate.mean == 1.0]
    assert sure
    assert sure[0].mean - sure[0].ci95 == pytest.approx(0.794, abs=5e-4)


@pytest.mark.parametrize("preset", ["rollouts", pytest.param("large", marks=pytest.mark.extras)])
def test_work_that_is_stopped_goes_on_to_the_same_numbers(preset: str, tmp_path: Path) -> None:
    job = job_for(preset=preset, search=replace(PRESETS[preset].search, simulations=10), episodes=128)
    whole = perform(job)
    work, steps = done_in_parts(job, tmp_path)
    assert steps > 3
    assert work.result(()).as_dict()["per_player"] == whole.as_dict()["per_player"]


def test_a_larger_budget_goes_on(tmp_path: Path) -> None:
    first = perform(job_for(episodes=16), run=tmp_path)
    second = perform(job_for(episodes=48), run=tmp_path)
    assert second.provenance.run == first.provenance.run
    assert second.episodes == 48
    assert second.mean == perform(job_for(episodes=48)).mean


def test_a_run_knows_its_job(tmp_path: Path) -> None:
    job = job_for(HEX, seed=3, parallel=Parallel(2, 4.0))
    run = open_run(job, tmp_path)
    assert run is not None
    again = job_of(find_run(tmp_path, run.name))
    assert isinstance(again, SimulatedAbrJob)
    assert again.identity() == job.identity()
    assert again.parallel == job.parallel


def test_actors_are_processes() -> None:
    bound = perform(job_for(actors=2, episodes=64))
    assert bound.mean > 1.0


def test_the_command_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    bound = ng.measure("uniform", game=TIC_TAC_TOE, by="abr", simulated=True, episodes=16, games=16, simulations=20)
    assert main([*bound.provenance.command.split()[1:], "--json", "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["mean"] == bound.mean
    assert told["win_rates"] == [rate.as_dict() for rate in bound.win_rates or ()]


class Centre:
    """Takes the centre if it is free, else the first square."""

    name = "centre"

    def action_probabilities(self, state: Any) -> dict[int, float]:
        legal = state.legal_actions()
        return {4 if 4 in legal else legal[0]: 1.0}


class ManyAtOnce:
    """The same, asked for many."""

    name = "many"

    def many_action_probabilities(self, states: Any) -> list[dict[int, float]]:
        return [Centre().action_probabilities(state) for state in states]


def test_an_object_is_asked_about_states() -> None:
    one, many = (
        ng.measure(each, game=TIC_TAC_TOE, by="abr", episodes=32, games=16) for each in (Centre(), ManyAtOnce())
    )
    assert isinstance(one.job, SimulatedAbrJob)
    assert one.mean == many.mean == 2.0  # it never defends


def test_policies_and_bots_of_openspiel_are_asked() -> None:
    import pyspiel
    from open_spiel.python.policy import UniformRandomPolicy

    game = pyspiel.load_game("tic_tac_toe")
    bots = SeatedBots(*(pyspiel.make_uniform_random_bot(player, 1) for player in (0, 1)))
    options: dict[str, Any] = {"game": TIC_TAC_TOE, "by": "abr", "episodes": 16, "games": 16}
    means = [ng.measure(each, **options).mean for each in (UniformRandomPolicy(game), bots)]
    named = ng.measure("python:open_spiel.python.policy:UniformRandomPolicy", **options)
    assert means == [named.mean, named.mean]
    assert named.mean > 1.0


def test_a_class_of_ones_own_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    (tmp_path / "first_square.py").write_text(
        "class First:\n    def action_probabilities(self, state):\n        return {state.legal_actions()[0]: 1.0}\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ["measure", "python:first_square:First", "--game", TIC_TAC_TOE, "--by", "abr", "--episodes", "16"]
    assert main([*words, "--games", "8", "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["mean"] == 2.0


@pytest.mark.extras
def test_a_network_learns_to_win_hex_without_a_search() -> None:
    """It plays at random when it begins, and wins half; after some seconds most, by what it has learned alone."""
    options: dict[str, Any] = {"game": "openspiel:hex(board_size=4)", "by": "abr", "preset": "large", "search": False}
    before = ng.measure("uniform", episodes=1, games=300, **options)
    after = ng.measure("uniform", episodes=400, games=300, **options)
    assert before.win_rates[-1].mean < 0.65
    assert after.win_rates[-1].mean > 0.75


@pytest.mark.parametrize(
    ("strategy", "game", "options", "error", "message"),
    [
        (
            "uniform",
            "openspiel:kuhn_poker(players=3)",
            {"simulated": True},
            UnsupportedGameError,
            "has 3 players; abr is",
        ),
        (
            "uniform",
            "openspiel:bargaining",
            {"simulated": True},
            UnsupportedGameError,
            "payoffs that do not add up to 0",
        ),
        ("uniform", "openspiel:dark_chess", {}, ConfigError, "gives no information states"),
        ("uniform", "openspiel:hexx", {}, ConfigError, "unknown OpenSpiel game 'hexx'; did you mean: hex"),
        ("uniform", HEX, {"preset": "tree"}, ConfigError, "is never enumerated; it must be one of table, paper-table"),
        ("uniform", HEX, {"preset": "pocket"}, ConfigError, "preset = 'pocket'; it must be one of tree"),
        ("uniform", "kuhn", {"preset": "large"}, ConfigError, "'large' is for games that are never enumerated; it"),
        ("always-call", HEX, {}, ConfigError, "strategy 'always-call' is none of openspiel:hex"),
        ("uniform", "kuhn", {"simulated": True}, OptionError, "simulated is for games of OpenSpiel's, .* not for kuhn"),
        ("uniform", HEX, {"simulated": False}, NashGapError, "games of up to 5,000,000 can be compiled"),
    ],
)
def test_bad_input_is_refused(
    strategy: str, game: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as raised:
        ng.measure(strategy, game=game, by="abr", episodes=8, games=4, **options)
    assert "\n" not in str(raised.value)


def test_one_line_on_the_command_line(capsys: Any) -> None:
    assert main(["measure", "uniform", "--game", "kuhn", "--by", "abr", "--simulated"]) == 2
    assert capsys.readouterr().err.strip() == (
        "nashgap: --simulated is for games of OpenSpiel's, openspiel:NAME(parameters), not for kuhn"
    )
