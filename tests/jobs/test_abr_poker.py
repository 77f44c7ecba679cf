"""Approximate Best Response at the real table: a bound with an interval, in limit, no-limit and small games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from stopping import done_in_parts

import nashgap as ng
from nashgap.cli.main import main
from nashgap.errors import ConfigError, OptionError, UnsupportedGameError
from nashgap.jobs.abr_poker import PokerAbrJob
from nashgap.jobs.perform import job_of, perform
from nashgap.poker.rules import load_rules
from nashgap.runs import find_run, open_run
from nashgap.strategies.spec import parse_bot

FEW = "percentile(ehs2, lossless/4/4/4, recall=none)"


def job_for(game: str = "leduc2", strategy: str = "always-call", **options: Any) -> PokerAbrJob:
    options = {"episodes": 4096, "games": 2000, **options}
    return PokerAbrJob(strategy=parse_bot(strategy), rules=load_rules(game), **options)


def test_at_the_table_as_in_the_compiled_game() -> None:
    """Leduc by both ways; bets or cards that are named mean the table."""
    exact = ng.measure("always-call", game="leduc2").nash_conv
    at_table = ng.measure("always-call", game="leduc2", by="abr", episodes=40_000, games=20_000, cards="lossless")
    compiled = ng.measure("always-call", game="leduc2", by="abr", episodes=40_000, games=20_000)
    assert isinstance(at_table.job, PokerAbrJob)
    assert not isinstance(compiled.job, PokerAbrJob)
    for bound in (at_table, compiled):
        assert 0.95 * exact - 2.5 * bound.ci95 < bound.mean < exact + 2.5 * bound.ci95
    assert at_table.unit == compiled.unit


def test_folders_lose_their_blinds_in_limit_holdem(capsys: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["measure", "always-fold", "--game", "lhe2", "--by", "abr", "--episodes", "4000", "--games", "500"]
    assert main([*words, "--cards", FEW, "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["mean"] == pytest.approx(1.5)
    assert told["exact_nash_conv"] == pytest.approx(1.5)
    assert told["share_of_exact"] == pytest.approx(1.0)
    assert told["unit"] == "sb_per_hand"


@pytest.mark.slow
def test_a_responder_in_no_limit_wins_from_who_calls_everything() -> None:
    bound = ng.measure("always-call", game="hunl", by="abr", cards=FEW, minutes=0.3, games=4000)
    assert bound.exact is None
    assert bound.share_of_exact is None
    assert bound.estimate.lower_bound_975 > 2000  # mbb a hand, both seats


def test_a_run_knows_its_job(tmp_path: Path) -> None:
    job = job_for(cards="lossless", betting="full")
    run = open_run(job, tmp_path)
    assert run is not None
    again = job_of(find_run(tmp_path, run.name))
    assert isinstance(again, PokerAbrJob)
    assert again.identity() == job.identity()


def test_work_that_is_stopped_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    job = job_for()
    whole = perform(job)
    work, steps = done_in_parts(job, tmp_path)
    assert steps > 3
    assert work.result(()).as_dict()["per_player"] == whole.as_dict()["per_player"]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"game": "lhe3"}, UnsupportedGameError, "abr is for two"),
        (
            {"game": "kuhn", "bets": "fcpa"},
            OptionError,
            "bets, cards, levels and abreast of abr are for the poker table",
        ),
        ({"game": "lhe2", "cards": "lossy"}, ConfigError, "lossy"),
        ({"game": "lhe2", "bets": "???"}, ConfigError, r"\?\?\?"),
    ],
)
def test_what_cannot_be_measured_is_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ng.measure("always-call", by="abr", episodes=100, **options)
