"""Who runs batches unless told: this process at first, the cores where that is worth it, and 1 for programs."""

import os
import subprocess
import sys

import pytest
from sample_jobs import ProcessJob, SumJob, WalkJob

import nashgap as ng
from nashgap.cli.main import main
from nashgap.errors import ConfigError, MissingExtraError
from nashgap.jobs.match import MatchJob
from nashgap.jobs.reproduction import Request
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL
from nashgap.runs import execute, open_run, workers
from nashgap.runs.environment import num_cores
from nashgap.runs.workers import executor_of, expected_workers
from nashgap.strategies.spec import parse_bot


def processes_of(job):
    return {batch["process"] for batch in execute(job, workers="cores").result}


def test_a_short_job_is_done_in_this_process():
    assert processes_of(ProcessJob(batches=6)) == {os.getpid()}


def test_a_long_job_goes_on_in_other_processes(monkeypatch, tmp_path):
    monkeypatch.setattr(workers, "_BEGIN_SECONDS", 0.0)
    monkeypatch.setattr(workers, "_WORTH_SECONDS", 0.0)
    monkeypatch.setattr(workers, "num_cores", lambda: 2)
    processes = processes_of(ProcessJob(batches=6))
    assert os.getpid() in processes and len(processes) > 1
    seen = []
    job = SumJob(seed=3, batches=6)
    found = execute(job, open_run(job, tmp_path), workers="cores", on_progress=seen.append).result
    assert found == execute(job).result
    assert [pace.progress.message.partition(", ")[2] for pace in seen] == ["", *["2 processes"] * 5]


def test_what_cannot_be_sent_stays_here(monkeypatch):
    monkeypatch.setattr(workers, "_BEGIN_SECONDS", 0.0)
    monkeypatch.setattr(workers, "_WORTH_SECONDS", 0.0)
    monkeypatch.setattr(workers, "num_cores", lambda: 2)
    job = ProcessJob(batches=4)
    object.__setattr__(job, "broken", lambda: None)  # a function without a name
    assert processes_of(job) == {os.getpid()}


@pytest.mark.parametrize(
    ("bot", "is_program"),
    [("always-call", False), ("python:mybot:Bot", False), ("exec:./bot", True), ("acpc:./b", True)],
)
def test_programs_have_one_process_unless_told(bot, is_program):
    """Their memory is their own, and may be all there is."""
    job = SumJob()
    object.__setattr__(job, "identity", lambda: {"strategies": [parse_bot_text(bot)]})
    assert expected_workers("cores", job) == (1 if is_program else num_cores())
    assert expected_workers(7, job) == 7


def parse_bot_text(text):
    kind, _, rest = text.partition(":")
    return {"kind": kind, "class" if kind == "python" else "command": rest} if rest else {"kind": "name", "name": text}


def test_named_agents_are_no_programs():
    job = MatchJob(rules=load_rules("kuhn2"), agents=(parse_bot("always-call"), parse_bot("always-fold")), deals=10)
    assert expected_workers("cores", job) == num_cores()
    assert expected_workers(ng.Cluster("auto"), job) is None


class Caller:
    """An object of somebody's own, without a digest: a run could not know it again."""

    def start_hand(self, seat, rng):
        pass

    def act(self, view):
        return CALL


def test_objects_play_on_all_cores_or_here():
    found = ng.match(Caller(), "always-call", game="kuhn2", deals=20, workers="cores")
    assert found.as_dict()["deals"] == 20


UNGUARDED = """
import nashgap as ng
print(ng.match("always-call", "random", game="kuhn2", deals=30_000, workers=2))
"""
OF_A_NOTEBOOK = """
import nashgap as ng
class Caller:
    def act(self, view):
        return 0
ng.match(Caller(), "always-call", game="kuhn2", deals=100, workers=2)
"""


@pytest.mark.parametrize("code", [UNGUARDED, OF_A_NOTEBOOK], ids=["without a guard", "a class that lies nowhere"])
def test_processes_that_cannot_begin_are_told_as_that(tmp_path, code):
    """Memory was blamed, and what was missing stood in tracebacks of other processes alone."""
    (tmp_path / "script.py").write_text(code)
    words = ["script.py"] if code == UNGUARDED else ["-c", code]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith("nashgap.errors.ConfigError: workers = 2; processes ended with status 1 before they began")
    assert 'if __name__ == "__main__":' in last and "memory" not in last


def test_a_reproduction_solves_where_it_is_and_plays_batches_elsewhere(tmp_path):
    request = Request(workers=2, runs_root=tmp_path)
    assert request.perform(WalkJob(steps=3)).step == 3
    assert request.perform(SumJob(batches=2)) == execute(SumJob(batches=2)).result


@pytest.mark.parametrize("wrong", [0, -1, "many", 1.5, None, True])
def test_other_workers_are_refused(wrong):
    with pytest.raises(ConfigError, match="at least 1 is needed"):
        execute(SumJob(), workers=wrong)


@pytest.mark.parametrize(
    "address",
    ["", "somewhere", "ray://host:10001", "host:", ":6379", "host:port", "127.0.0.1:²", "host:0", "host:65536", 6379],
)
def test_addresses_of_no_cluster_are_refused(address):
    with pytest.raises(ConfigError, match="must be auto, or host:port"):
        ng.Cluster(address)


def test_without_ray_a_cluster_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'nashgap\[cluster\]'"):
        execute(SumJob(), workers=ng.Cluster("auto"))


def test_a_cluster_with_nothing_to_do_is_not_asked(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    job = SumJob(batches=0)
    assert executor_of(ng.Cluster("auto"), job).run(job, iter(()), 0, print) is None


@pytest.mark.parametrize(
    "command",
    [
        ["match", "always-call", "always-fold", "--game", "kuhn2", "--deals", "10"],
        ["measure", "always-call", "--game", "lhe2", "--by", "lbr"],
        ["compare", "always-call", "always-fold", "--game", "kuhn2"],
        ["explain", "dataset", "--games", "2", "-o", "games.safetensors"],
        ["solve-spot", "--boards", "QsJh2h8c4d", "--pot", "200", "--stack", "900"],
        ["reproduce", "thesis-matching-pennies", "--quick"],
        ["runs", "resume", "none"],
        ["demo"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_commands_take_workers_or_a_cluster(command, capsys, tmp_path):
    assert main([*command, "--runs", str(tmp_path), "--workers", "2", "--cluster", "auto"]) == 2
    assert "--workers and --cluster; one of them" in capsys.readouterr().err
    assert main([*command, "--runs", str(tmp_path), "--cluster", "nowhere"]) == 2
    assert "cluster 'nowhere' must be auto, or host:port" in capsys.readouterr().err
    assert not any(tmp_path.iterdir()), "nothing was begun"


def test_actors_of_a_cluster_are_its_own(capsys, tmp_path):
    options = ["--game", "kuhn", "--by", "abr", "--actors", "2", "--cluster", "auto", "--runs", str(tmp_path)]
    assert main(["measure", "uniform", *options]) == 2
    assert "--actors and --cluster; one of them" in capsys.readouterr().err
