"""Measurements by LBR as runs: the same numbers on any number of workers and after a kill."""

import json
import os
import signal
import subprocess
import sys
import time

from nashgap.measure.lbr_job import LbrJob, combine_lbr
from nashgap.measure.local_best_response import LbrOptions
from nashgap.poker.rules import load_rules
from nashgap.runs import open_run
from nashgap.runs.lbr_run import continue_lbr, lbr_command

OPTIONS = LbrOptions("fcpa", "3-4")


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


def test_a_killed_measurement_ends_with_the_same_numbers(tmp_path):
    command = ["measure", "random", "--game", "hunl", "--by", "lbr", "--rounds", "1-4", "--hands", "20000", "--json"]
    command = [sys.executable, "-m", "nashgap", *command]
    environment = {**os.environ, "NASHGAP_RUNS": str(tmp_path / "killed")}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ledgers = []
    while not ledgers and process.poll() is None:
        time.sleep(0.05)
        ledgers = list((tmp_path / "killed").glob("*/ledger.sqlite"))
    time.sleep(0.7)
    process.send_signal(signal.SIGKILL)
    process.wait()
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    environment["NASHGAP_RUNS"] = str(tmp_path / "whole")
    whole = subprocess.run([*command, "--workers", "2"], env=environment, capture_output=True, text=True, check=True)
    first, second = json.loads(again.stdout), json.loads(whole.stdout)
    for key in ("mean", "ci95", "unit", "hands", "seed", "bets", "rounds", "queries", "by_seat", "by_round"):
        assert first[key] == second[key]
    assert first["seconds"] > 0


def test_the_command_of_a_report_repeats_it():
    job = LbrJob(load_rules("hunl"), ("probe",), 500, LbrOptions("min,2,a", "4", duplicate=False, all_in=False), seed=3)
    assert lbr_command(job) == (
        "nashgap measure probe --game hunl --by lbr --bets min,2,a --rounds 4 --no-duplicate --no-all-in"
        " --hands 500 --seed 3"
    )
