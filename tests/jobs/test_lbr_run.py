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

from nashgap.errors import ConfigError
from nashgap.measures.lbr_job import LbrJob, combine_lbr
from nashgap.measures.local_best_response import LbrOptions
from nashgap.poker.rules import load_rules
from nashgap.runs import find_run, list_runs, open_run
from nashgap.jobs.lbr_run import continue_lbr, lbr_command, require_split, split_lbr
from nashgap.strategies.abstract import save_abstract_strategy

OPTIONS = LbrOptions("fcpa", "3-4")
OPTIONS_ALL = LbrOptions("fcpa")


def job_of(deals, strategy="always-call", **changes):
    return LbrJob(load_rules("hunl"), (strategy,), deals, OPTIONS, seed=7, batch_deals=50, **changes)


def test_workers_do_not_change_the_numbers(tmp_path):
    job = job_of(200)
    alone = continue_lbr(job, open_run(job, tmp_path / "one"))
    together = continue_lbr(job, open_run(job, tmp_path / "two"), workers=2)
    assert alone.as_dict() == together.as_dict()
    assert len(list((tmp_path / "one").glob("*/report.html"))) == 1


def test_more_deals_go_on_where_the_run_stands(tmp_path):
    run = open_run(job_of(100), tmp_path)
    continue_lbr(job_of(100), run)
    with run.open_ledger() as ledger:
        before = ledger.batches()
    job = job_of(200)
    assert open_run(job, tmp_path).folder == run.folder
    result = continue_lbr(job, open_run(job, tmp_path))
    with run.open_ledger() as ledger:
        batches = ledger.batches()
    assert {number: batches[number] for number in before} == before
    whole = combine_lbr(job, [job.run_batch(index) for index in range(job.num_batches)])
    assert result.as_dict() == whole.as_dict()


@pytest.mark.slow
def test_a_killed_measurement_ends_with_the_same_numbers(tmp_path):
    command = ["measure", "random", "--game", "hunl", "--by", "lbr", "--rounds", "1-4", "--hands", "20000", "--json"]
    command = [sys.executable, "-m", "nashgap", *command]
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
    for key in ("mean", "ci95", "unit", "hands", "seed", "bets", "rounds", "queries", "by_seat", "by_round"):
        assert first[key] == second[key]
    assert first["seconds"] > 0


def batch_seconds(root):
    with find_run(root, "lbr").open_ledger() as ledger:
        return ledger.batch_seconds()


def test_a_bound_is_the_sum_of_its_parts(tmp_path):
    game = abstract_game(sized_rules(stacks=[2000, 2000]), "fcpa")
    save_abstract_strategy(tmp_path / "bot.safetensors", random_abstract_strategy(game, seed=5))
    options = LbrOptions(bets="min,0.3,0.8,1,2,a")
    job = LbrJob(game.rules, (str(tmp_path / "bot.safetensors"),), 410, options, batch_deals=50)
    require_split(job)
    run = open_run(job, tmp_path)
    whole = continue_lbr(job, run).estimate
    split = split_lbr(job, run, tmp_path)
    assert split.on_tree.mean + split.off_tree.mean == pytest.approx(whole.mean)
    assert split.off_tree.mean != 0
    own = replace(job, options=replace(options, bets="on-tree"))
    won = [[each.run_batch(index)["samples"][1] / 50 for index in range(8)] for each in (job, own)]
    spread = np.subtract(*won).std(ddof=1) / game.rules.unit_chips
    assert split.off_tree.ci95 == pytest.approx(2.365 * spread / 8**0.5, rel=1e-3)  # Student's t of 7
    alone = LbrJob(game.rules, job.strategies, 410, replace(options, bets="fcpa"), batch_deals=50)
    assert continue_lbr(alone, open_run(alone, tmp_path)).estimate.mean == pytest.approx(split.on_tree.mean)


def test_what_cannot_be_split_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="takes more than 50"):
        game = abstract_game(sized_rules(stacks=[2000, 2000]), "fcpa")
        save_abstract_strategy(tmp_path / "bot.safetensors", random_abstract_strategy(game))
        require_split(LbrJob(game.rules, (str(tmp_path / "bot.safetensors"),), 50, OPTIONS_ALL, batch_deals=50))
    with pytest.raises(ConfigError, match="only a strategy of an abstract game"):
        require_split(job_of(200))


def test_the_command_of_a_report_repeats_it():
    job = LbrJob(load_rules("hunl"), ("probe",), 500, LbrOptions("min,2,a", "4", duplicate=False, all_in=False), seed=3)
    assert lbr_command(job) == (
        "nashgap measure probe --game hunl --by lbr --bets min,2,a --rounds 4 --no-duplicate --no-all-in"
        " --hands 500 --seed 3"
    )
