"""Approximate Best Response of somebody's own strategies at the real table: objects, classes, programs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from abstract_games import abstract_game, random_abstract_strategy
from seeded_strategy import Seeded
from stopping import done_in_parts

import nashgap as ng
from nashgap.cli.main import main
from nashgap.core.strategy import Policy
from nashgap.errors import AgentError, ConfigError
from nashgap.jobs.abr_poker import ASKED_ABREAST, PokerAbrJob
from nashgap.jobs.perform import job_of, perform
from nashgap.poker.rules import load_rules
from nashgap.poker.state import PublicState
from nashgap.runs import find_run, open_run
from nashgap.strategies.chumps import probe
from nashgap.strategies.spec import as_bot, parse_bot

LEDUC = load_rules("leduc2")
FEW = "percentile(ehs2, lossless/3/3/3, recall=none)"
EXEC_BOT = f"exec:{sys.executable} {Path(__file__).parents[2] / 'examples' / 'exec_bot.py'}"
KEYS = (
    "mean", "ci95", "unit", "per_player", "share_of_exact", "episodes", "seconds", "seed", "simulations_per_second"
)  # fmt: skip


class AsAsked:
    """A strategy of the engine that is asked like somebody's own."""

    is_sampled = False

    def __init__(self, strategy: Any) -> None:
        self.name, self.strategy = "asked", strategy

    def policies(self, states: list[PublicState]) -> list[Policy]:
        policies: list[Policy] = self.strategy.policies(states)
        return policies


def job_for(strategy: Any, **options: Any) -> PokerAbrJob:
    return PokerAbrJob(strategy=as_bot(strategy, kind="strategy"), rules=LEDUC, **options)


def learned(bound: Any) -> list[float]:
    """Games that were learned from, and what they paid by seat; when points between are measured is up to the clock."""
    return [bound.points[-1][key] for key in ("episodes_1", "reward_1", "episodes_2", "reward_2")]


def won(bound: Any) -> dict[str, Any]:
    told: dict[str, Any] = bound.as_dict()
    return {key: told[key] for key in ("mean", "ci95", "per_player", "episodes")}


def test_a_wrapped_strategy_of_the_engine_loses_the_same() -> None:
    """Training and evaluation, in Leduc and with levels of the chance to win."""
    strategy = random_abstract_strategy(abstract_game(LEDUC), 4)
    options: dict[str, Any] = {
        "game": LEDUC, "by": "abr", "episodes": 64, "games": 200, "cards": "lossless", "levels": 3, "abreast": 8
    }  # fmt: skip
    known, asked = (ng.measure(each, **options) for each in (strategy, AsAsked(strategy)))
    assert learned(known) == learned(asked)
    assert won(known) == won(asked)
    assert asked.job.is_asked
    assert not known.job.is_asked


def test_a_wrapped_chump_loses_the_same_in_limit_holdem() -> None:
    """What is won counts over beliefs, which are scaled where it is asked: to nine digits."""
    options: dict[str, Any] = {
        "game": "lhe2", "by": "abr", "episodes": 16, "games": 40, "cards": FEW, "simulations": 8, "abreast": 8
    }  # fmt: skip
    known, asked = (ng.measure(each, **options) for each in (probe(), AsAsked(probe())))
    assert learned(known) == learned(asked)
    assert asked.mean == pytest.approx(known.mean, rel=1e-9)
    assert asked.ci95 == pytest.approx(known.ci95, rel=1e-9)


def test_a_class_of_ones_own_is_measured_from_the_command_line(
    capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "folders.py").write_text(
        "from nashgap.strategies.chumps import always_fold\n"
        "class Folder:\n"
        "    def policies(self, states):\n"
        "        return always_fold().policies(states)\n"
    )
    words = ["measure", "python:folders:Folder", "--game", "lhe2", "--by", "abr", "--episodes", "1500"]
    words += ["--games", "50", "--cards", FEW, "--simulations", "10", "--abreast", "100", "--json"]
    assert main(words) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert {*KEYS} <= {*told}
    assert told["mean"] == pytest.approx(1.5, abs=0.3)
    assert "python:folders:Folder is asked" in err
    assert "for 1,500 games to learn from" in err


def test_a_program_answers_to_two_actors(tmp_path: Path) -> None:
    """Each process starts one of its own."""
    bound = ng.measure(EXEC_BOT, game="leduc2", by="abr", episodes=64, games=32, abreast=8, actors=2)
    assert bound.job.is_asked
    assert bound.episodes >= 64
    assert bound.job.command(bound) is None  # no two trainings are alike


def test_work_that_is_stopped_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    strategy = Seeded()
    strategy.digest = "seeded"  # type: ignore[attr-defined]
    job = job_for(strategy, episodes=2048, games=300)
    whole = perform(job)
    work, steps = done_in_parts(job, tmp_path)
    assert steps > 3
    assert work.result(()).as_dict()["per_player"] == whole.as_dict()["per_player"]


def test_a_run_knows_its_job(tmp_path: Path) -> None:
    job = PokerAbrJob(strategy=parse_bot(EXEC_BOT), rules=LEDUC, episodes=100)
    run = open_run(job, tmp_path)
    assert run is not None
    again = job_of(find_run(tmp_path, run.name))
    assert isinstance(again, PokerAbrJob)
    assert again.identity() == job.identity()


def test_what_was_measured_names_its_command() -> None:
    bound = ng.measure(EXEC_BOT, game="leduc2", by="abr", episodes=32, games=32, cards="lossless")
    assert bound.job.search.abreast == ASKED_ABREAST
    command = bound.job.command(bound)
    assert command is not None
    assert f"--abreast {ASKED_ABREAST}" in command
    assert "--episodes 32" in command


class Restless(Seeded):
    """Answers by the number of questions that it was asked."""

    num_asked = 0

    def policies(self, states: list[PublicState]) -> list[Policy]:
        self.num_asked += 1
        answers = [super(Restless, self).policies([state])[0] for state in states]
        return [
            Policy(each.hands, each.actions, each.probabilities[:, :: (-1) ** self.num_asked], each.moves)
            for each in answers
        ]


def test_what_cannot_be_measured_is_refused_in_one_line() -> None:
    options: dict[str, Any] = {"game": LEDUC, "by": "abr", "episodes": 16, "games": 16, "abreast": 4}
    with pytest.raises(AgentError, match="asked again, it gives other probabilities"):
        ng.measure(Restless(), **options)
    unsendable = Seeded()
    unsendable.hook = lambda: None  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match=r"actors = 2: .* cannot be sent to other processes"):
        ng.measure(unsendable, actors=2, **options)
    with pytest.raises(ConfigError, match="abreast = 5000; it must be a whole number from 1 to 4096"):
        ng.measure(Seeded(), **{**options, "abreast": 5000})
