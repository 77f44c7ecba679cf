"""Measurements by LBR as runs: the same numbers on any number of workers and after a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy, sized_rules

import nashgap as ng
from nashgap.errors import ConfigError
from nashgap.jobs.lbr import LbrJob, perform_split, require_split
from nashgap.jobs.perform import perform
from nashgap.measures.local_best_response import LbrOptions
from nashgap.poker.rules import load_rules
from nashgap.runs import find_run, list_runs
from nashgap.strategies.spec import parse_bot

OPTIONS = LbrOptions("fcpa", "3-4")
OPTIONS_ALL = LbrOptions("fcpa")


def job_of(deals, strategy="always-call", *, rules=None, options=OPTIONS, **changes):
    settings = {"seed": 7, "batch_deals": 50, **changes}
    strategies = (parse_bot(str(strategy)),)
    return LbrJob(rules=rules or load_rules("hunl"), strategies=strategies, deals=deals, options=options, **settings)


def told(bound):
    """All but the time it took."""
    return {key: value for key, value in bound.as_dict().items() if key != "seconds"}


def test_neither_a_run_nor_workers_change_the_numbers(tmp_path):
    job = job_of(200)
    alone = perform(job, run=tmp_path / "one")
    together = perform(job, run=tmp_path / "two", workers=2)
    assert told(alone) == told(together) == told(perform(job))
    assert len(list((tmp_path / "one").glob("*/report.html"))) == 1


def test_more_deals_go_on_where_the_run_stands(tmp_path):
    perform(job_of(100), run=tmp_path)
    run = find_run(tmp_path, "lbr")
    with run.open_ledger() as ledger:
        before = ledger.batches()
    job = job_of(200)
    result = perform(job, run=tmp_path)
    assert result.provenance.run == run.folder
    with run.open_ledger() as ledger:
        batches = ledger.batches()
    assert {number: batches[number] for number in before} == before
    whole = job.combine([job.run_batch(index) for index in range(job.num_batches)])
    assert told(result) == told(whole)


@pytest.mark.slow
def test_a_killed_measurement_ends_with_the_same_numbers(tmp_path):
    words = "measure random --game hunl --by lbr --rounds 1-4 --lines dealt --deals 20000 --json"
    command = [sys.executable, "-m", "nashgap", *words.split()]
    killed = tmp_path / "killed"
    environment = {**os.environ, "NASHGAP_RUNS": str(killed)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not any(run.progress and run.progress.done >= 2 for run in list_runs(killed)):
        assert process.poll() is None, "the measurement ended before it could be killed"
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = batch_seconds(killed)
    assert 2 <= len(before) < 40
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert before.items() <= batch_seconds(killed).items(), "what was finished is not played again"
    environment["NASHGAP_RUNS"] = str(tmp_path / "whole")
    whole = subprocess.run([*command, "--workers", "2"], env=environment, capture_output=True, text=True, check=True)
    first, second = json.loads(again.stdout), json.loads(whole.stdout)
    for key in ("mean", "ci95", "unit", "deals", "hands", "seed", "bets", "rounds", "queries", "by_seat", "by_round"):
        assert first[key] == second[key]
    assert first["seconds"] > 0


def batch_seconds(root):
    with find_run(root, "lbr").open_ledger() as ledger:
        return ledger.batch_seconds()


def test_the_order_of_different_strategies_does_not_matter():
    """All six seatings of three are played; copies of one strategy need three."""
    first, second = (
        ng.measure(list(names), game="lhe3", by="lbr", deals=60, leaks=False)
        for names in (("always-call", "always-raise"), ("always-raise", "always-call"))
    )
    assert first.hands == second.hands == 6 * 60
    assert first.estimate == second.estimate
    assert ng.measure("always-call", game="lhe3", by="lbr", deals=60, leaks=False).hands == 3 * 60


def test_what_lbr_wins_from_different_strategies_is_not_what_they_could_gain():
    """Who always folds loses its blinds, half a small bet, whoever else raises: playing like LBR gains that too."""
    bound = ng.measure(["always-fold", "always-raise"], game="lhe3", by="lbr", deals=60, leaks=False)
    folding, raising = bound.gains
    assert (folding.strategy, raising.strategy) == ("always-fold", "always-raise")
    assert folding.estimate.mean == pytest.approx(bound.estimate.mean + 0.5, abs=1e-12)
    blinds = (0.5, 1.0, 0.0)
    for seat, blind in enumerate(blinds):
        assert folding.by_seat[seat].mean == pytest.approx(bound.by_seat[seat].mean + blind, abs=1e-12)
    # Against always-fold and itself, always-raise wins half of what folding gives away, with any cards.
    assert raising.estimate.mean == pytest.approx(bound.estimate.mean - 0.25, abs=1e-12)
    assert bound.as_dict()["gains"][1]["mean"] == raising.estimate.mean
    assert ng.measure("always-call", game="lhe3", by="lbr", deals=60, leaks=False).gains == ()


def test_a_bound_is_the_sum_of_its_parts(tmp_path):
    game = abstract_game(sized_rules(stacks=[2000, 2000]), "fcpa")
    bot = tmp_path / "bot.safetensors"
    random_abstract_strategy(game, seed=5).save(bot)
    options = LbrOptions(bets="min,0.3,0.8,1,2,a")
    job = job_of(410, bot, rules=game.rules, options=options, seed=0)
    require_split(job)
    bound = perform_split(perform(job, run=tmp_path), run=tmp_path, workers=1, progress=False)
    whole, split = bound.estimate, bound.split
    assert split.on_tree.mean + split.off_tree.mean == pytest.approx(whole.mean)
    assert split.off_tree.mean != 0
    own = replace(job, options=replace(options, bets="on-tree"))
    won = [[each.run_batch(index)["samples"][1] / 50 for index in range(8)] for each in (job, own)]
    spread = np.subtract(*won).std(ddof=1) / game.rules.unit_chips
    assert split.off_tree.ci95 == pytest.approx(2.365 * spread / 8**0.5, rel=1e-3)  # Student's t of 7
    alone = replace(job, options=replace(options, bets="fcpa"))
    assert perform(alone).estimate.mean == pytest.approx(split.on_tree.mean)


def test_what_cannot_be_split_is_refused(tmp_path):
    game = abstract_game(sized_rules(stacks=[2000, 2000]), "fcpa")
    random_abstract_strategy(game).save(tmp_path / "bot.safetensors")
    with pytest.raises(ConfigError, match="takes more than 50"):
        require_split(job_of(50, tmp_path / "bot.safetensors", rules=game.rules, options=OPTIONS_ALL))
    with pytest.raises(ConfigError, match="only a strategy of an abstract game"):
        require_split(job_of(200))


def test_the_command_of_a_report_repeats_it():
    options = {"bets": "min,2,a", "rounds": "4", "duplicate": False, "all_in": False, "leaks": False, "seed": 3}
    bound = ng.measure("probe", game="hunl", by="lbr", deals=500, **options)
    assert bound.provenance.command == (
        "nashgap measure probe --game hunl --by lbr --bets min,2,a --rounds 4 --no-duplicate --no-all-in"
        " --deals 500 --seed 3"
    )


def test_the_command_of_a_report_with_leaks_writes_one():
    bound = ng.measure("probe", game="hunl", by="lbr", deals=100)
    assert bound.provenance.command == (
        "nashgap measure probe --game hunl --by lbr --bets fcpa --report leaks.html --deals 100 --seed 0"
    )
