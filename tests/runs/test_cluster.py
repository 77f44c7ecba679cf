"""A Ray cluster of two nodes: the same numbers as in one process, whatever becomes of nodes, workers and files."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import sample_jobs
from sample_jobs import DyingJob, GreedyJob, KilledOnceJob, ProcessJob, SumJob
from waiting import wait_until

import nashgap as ng
from nashgap.arena.tournament import load_tournament
from nashgap.errors import ConfigError, NashGapError
from nashgap.jobs.spot_boards import SpotBoardsJob
from nashgap.jobs.tournament import TournamentJob
from nashgap.poker.state import CALL
from nashgap.runs import cluster_node, execute, list_runs, open_run

pytestmark = [pytest.mark.extras, pytest.mark.slow]


@pytest.fixture(scope="module")
def nodes():
    """A head with one core, which only those can join who know its token; and nothing beside it between two tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")  # asked for when ray is imported
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        pytest.importorskip("ray")
        from ray.cluster_utils import Cluster as Nodes

        started = Nodes(initialize_head=True, head_node_args={"num_cpus": 1})
        yield started
        started.shutdown()


@pytest.fixture
def second(nodes):
    """A second node, of one core."""
    node = nodes.add_node(num_cpus=1)
    yield node
    if node in nodes.worker_nodes:
        nodes.remove_node(node)


@pytest.fixture
def cluster(nodes, second):
    return ng.Cluster(nodes.address)


def kill_node(nodes, node):
    """As when the power goes: nobody says goodbye."""
    nodes.remove_node(node, allow_graceful=False)


def found_while_a_node_dies(job, nodes, second, root):
    """The job's result, one of whose nodes is lost as soon as both have worked."""
    was_killed = []

    def on_progress(pace):
        if not was_killed and "2 nodes" in pace.progress.message:
            was_killed.append(pace.progress.done)
            kill_node(nodes, second)

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"node .* is lost")  # where that is known before the work is done
        result = execute(job, open_run(job, root), workers=ng.Cluster(nodes.address), on_progress=on_progress).result
    [done] = was_killed
    assert done < job.num_batches, "it was lost in the middle"
    return result


def test_results_are_those_of_one_process(cluster, tmp_path):
    job = SumJob(seed=3, batches=20)
    assert execute(job, open_run(job, tmp_path), workers=cluster).result == execute(job).result


def test_all_nodes_work(cluster):
    batches = execute(SumJobHere(batches=40, pause=0.2), workers=cluster).result
    assert len({batch["node"] for batch in batches}) == 2


class Caller:
    """An object of somebody's own."""

    def start_hand(self, seat, rng):
        pass

    def act(self, view):
        return CALL


class SumJobHere(ProcessJob):
    """Tells which node ran a batch."""

    def run_batch(self, index):
        import ray

        time.sleep(self.pause)
        return {"node": ray.get_runtime_context().get_node_id()}


def test_a_measurement_survives_the_loss_of_a_node(nodes, second, tmp_path):
    job = replace(ng.measure("always-call", game="lhe2", by="lbr", lines="dealt", deals=1000).job, deals=60_000)
    here = execute(job).result
    assert found_while_a_node_dies(job, nodes, second, tmp_path).as_dict() == here.as_dict()


def test_a_tournament_survives_the_loss_of_a_node(nodes, second, tmp_path):
    file = tmp_path / "three.toml"
    file.write_text('name = "three"\ngame = "lhe2"\ndeals = 20000\nagents = ["poki", "always-call", "random"]\n')
    job = TournamentJob(*load_tournament(file))
    here = execute(job).result
    assert found_while_a_node_dies(job, nodes, second, tmp_path).as_dict() == here.as_dict()


def test_many_spots_survive_the_loss_of_a_node(nodes, second, tmp_path):
    boards = tuple(f"Qs Jh 8c {rank}{suit}" for rank in "2345679TKA" for suit in "dh")
    job = SpotBoardsJob(ng.make_spot(boards[0], "99+,AK", "22+,AT+", pot=200, stack=900), boards, until=1.0)
    here = execute(job).result
    assert found_while_a_node_dies(job, nodes, second, tmp_path).as_dict() == here.as_dict()


LBR = {"game": "lhe2", "by": "lbr", "lines": "dealt"}
OTHER_WORK = {
    "match": lambda workers: ng.match("always-call", "probe", game="lhe2", deals=30_000, workers=workers),
    "best response": lambda workers: ng.measure("always-call", game="lhe2", tree="full", flops=6, workers=workers),
    "comparison": lambda workers: ng.compare("always-call", "always-raise", **LBR, deals=3000, workers=workers),
    "data set": lambda workers: ng.explain.dataset(2000, deck=2, step=1.5, workers=workers),
}


@pytest.mark.parametrize("kind", OTHER_WORK)
def test_other_work_of_batches_finds_there_what_it_finds_here(cluster, kind):
    there, here = (OTHER_WORK[kind](workers).as_dict() for workers in (cluster, 1))
    assert {**there, "seconds": 0} == {**here, "seconds": 0}


def test_batches_before_a_broken_one_are_kept(nodes, tmp_path):
    """Also where they were given to a worker together. There is one, since a slower one beside it might not have begun
    all that it was given before."""
    job = SumJob(batches=60, broken=50)
    run = open_run(job, tmp_path)
    with pytest.raises(ZeroDivisionError):
        execute(job, run, workers=ng.Cluster(nodes.address))
    with run.open_ledger() as ledger:
        assert set(range(50)) <= set(ledger.batches())


def test_an_object_beside_a_file_is_sent(cluster, tmp_path):
    file = tmp_path / "kuhn.safetensors"
    ng.solve("kuhn", iterations=10).save(file)
    players = (Caller(), str(file))
    there = ng.match(*players, game="kuhn2", deals=2000, workers=cluster)
    assert there.as_dict() == ng.match(*players, game="kuhn2", deals=2000).as_dict()


def test_a_node_that_joins_is_given_work(nodes):
    added = []

    def on_progress(pace):
        if not added:
            added.append(nodes.add_node(num_cpus=1))

    job = SumJobHere(batches=60, pause=0.4)
    batches = execute(job, workers=ng.Cluster(nodes.address), on_progress=on_progress).result
    nodes.remove_node(added[0])
    assert len({batch["node"] for batch in batches}) == 2


def test_a_head_that_is_lost_ends_the_work_with_a_word_and_what_is_finished_is_kept(nodes, tmp_path):
    """Ray by itself ends the process after a minute."""
    own = type(nodes)(initialize_head=True, head_node_args={"num_cpus": 1})
    own.add_node(num_cpus=1)
    was_killed = []

    def on_progress(pace):
        if not was_killed and "2 nodes" in pace.progress.message:
            was_killed.append(own.head_node.kill_all_processes(check_alive=False, allow_graceful=False))

    job = SumJobHere(batches=400, pause=0.4)
    run = open_run(job, tmp_path)
    try:
        with pytest.raises(NashGapError, match=r"^cluster .*: its head is lost; what is finished is kept"):
            execute(job, run, workers=ng.Cluster(own.address), on_progress=on_progress)
    finally:
        for node in own.worker_nodes:
            node.kill_all_processes(check_alive=False, allow_graceful=False)
    with run.open_ledger() as ledger:
        assert ledger.status == "failed" and ledger.batches()


def test_a_killed_worker_is_replaced(cluster, tmp_path):
    job = KilledOnceJob(batches=8, folder=tmp_path, deaths=2)
    assert execute(job, workers=cluster).result == execute(SumJob(batches=8)).result
    assert len(list(tmp_path.glob("died-*"))) == 2


def test_a_batch_at_which_workers_always_die_is_named(cluster, tmp_path):
    job = DyingJob(batches=6)
    run = open_run(job, tmp_path)
    with pytest.raises(NashGapError, match=r"^stream 2: 3 workers of the cluster were lost at it"):
        execute(job, run, workers=cluster)
    with run.open_ledger() as ledger:
        kept = ledger.batches()
    assert 2 not in kept and kept


@pytest.mark.parametrize(
    ("job", "error", "message"),
    [
        (SumJob(batches=6, broken=2), ZeroDivisionError, "batch 2 is broken"),
        (GreedyJob(batches=6), NashGapError, "^stream 2: there is not enough memory"),
    ],
)
def test_errors_are_those_of_the_batch(cluster, job, error, message):
    with pytest.raises(error, match=message):
        execute(job, workers=cluster)


def test_a_node_of_another_version_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(cluster_node, "package_version", lambda: "9.9")
    with pytest.raises(ConfigError, match=r"node .* has nashgap .*, and this machine nashgap 9.9 on .* be the same"):
        execute(SumJob(), workers=cluster)


def test_a_cluster_that_is_not_there_is_told():
    with pytest.raises(ConfigError, match=r"cluster 127.0.0.1:9 cannot be reached: .* refused"):
        execute(SumJob(), workers=ng.Cluster("127.0.0.1:9"))


def test_who_does_not_know_the_token_is_refused(nodes):
    code = f"import nashgap as ng; ng.match('random', 'random', game='kuhn2', workers=ng.Cluster('{nodes.address}'))"
    environment = {**os.environ, "RAY_AUTH_TOKEN": "0" * 64}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert f"ConfigError: cluster {nodes.address} cannot be reached" in found.stderr, found.stderr
    assert "token is missing or incorrect" in found.stderr.rpartition("ConfigError")[2]


def test_files_are_sent_to_nodes_that_do_not_see_them(nodes, tmp_path):
    """A node that has a file system of its own: the strategy's folder is empty there."""
    hidden, cache = tmp_path / "hidden", tmp_path / "cache"
    hidden.mkdir()
    unshared = ["unshare", "--mount", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*unshared, f"mount -t tmpfs none {hidden}"]).returncode:
        pytest.skip("needs to be allowed to mount")
    file = hidden / "bot.safetensors"
    ng.solve("hunl-fcpa-small", iterations=2000).save(file)
    job = replace(ng.measure(str(file), by="lbr", rounds="3-4", lines="dealt", deals=1000).job, deals=80_000)
    start = f"mount -t tmpfs none {hidden} && exec ray start --address={nodes.address} --num-cpus=1 --block"
    scripts = os.path.dirname(sys.executable)
    environment = {**os.environ, "NASHGAP_CACHE": str(cache), "PATH": f"{scripts}:{os.environ['PATH']}"}
    with subprocess.Popen([*unshared, f"{start} 2>&1"], env=environment, stdout=subprocess.PIPE, text=True) as other:
        try:
            assert any("Ray runtime started" in line for line in other.stdout)
            seen = []
            workers = ng.Cluster(nodes.address)
            there = execute(job, workers=workers, on_progress=lambda pace: seen.append(pace.progress.message)).result
        finally:
            other.terminate()
    assert any("2 nodes" in message for message in seen)
    assert there.as_dict() == execute(job).result.as_dict()
    [sent] = (cache / "sent").iterdir()
    assert sent.read_bytes() == file.read_bytes()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_was_under_way(nodes, second, tmp_path, how):
    """Ray has a use of its own for SIGTERM."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, sample_jobs.__file__, "sum", str(tmp_path), nodes.address]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:

        def has_begun():
            assert process.poll() is None, "the job ended before it could be interrupted"
            return any(each.progress for each in list_runs(tmp_path))

        wait_until(has_begun)
        process.send_signal(how)
        _, errors = process.communicate(timeout=60)
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors
    [summary] = list_runs(tmp_path)
    assert summary.status == "interrupted" and 2 <= summary.progress.done < 8
    job = SumJob(batches=8)
    assert execute(job, open_run(job, tmp_path)).result == execute(job).result


AGENTS = (b"ray::DashboardAgent", b"ray::RuntimeEnvAgent")  # which try for a minute to tell that their node is gone


def processes_with(mark):
    """Those that have this in their command line or in the environment that they were started with, by name."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            name = (place / "cmdline").read_bytes()
            if mark in name + b"\0" + (place / "environ").read_bytes() and not name.startswith(AGENTS):
                found[place.name] = name
    return found


@pytest.mark.parametrize("place", ["there", "auto"])
def test_workers_do_not_outlive_a_driver_that_is_killed(nodes, second, tmp_path, place):
    """Nor does a cluster of its own. A batch takes 30 seconds."""
    mark = b"ray::Player" if place == "there" else f"NASHGAP_TEST_ROOT={tmp_path}".encode()
    address = nodes.address if place == "there" else "auto"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NASHGAP_TEST_ROOT": str(tmp_path)}
    command = [sys.executable, sample_jobs.__file__, "slow-sum", str(tmp_path), address]
    with subprocess.Popen(command, env=environment) as process:

        def is_playing():
            assert process.poll() is None, "the job ended before it could be killed"
            return any(name.startswith(b"ray::Player.play") for name in processes_with(mark).values())

        wait_until(is_playing)
        process.kill()
    wait_until(lambda: not processes_with(mark), "the end of all workers", 25)
    job = SumJob(batches=8)
    assert execute(job, open_run(job, tmp_path)).result == execute(job).result


def test_responders_are_trained_and_evaluated_there(cluster, tmp_path):
    there = ng.measure("uniform", game="kuhn", by="abr", episodes=4000, games=20_000, actors=cluster, run=tmp_path)
    assert there.estimate.mean == pytest.approx(there.exact.nash_conv, abs=0.1)
    [run] = list_runs(tmp_path)
    here = ng.resume(run.name, root=tmp_path)
    assert (here.estimate, here.per_player) == (there.estimate, there.per_player)


def test_responders_win_in_the_same_games_wherever_these_are_played(cluster):
    job = ng.measure("uniform", game="leduc", by="abr", episodes=2000, games=100).job
    here, there = (replace(job, actors=actors).begin().solver for actors in (1, cluster))
    here.run(20)
    there.restore(here.state())
    for searches in (False, True):
        won = [each.evaluate((each.values(0), each.values(1)), 0, 300, searches=searches) for each in (here, there)]
        assert (won[0] == won[1]).all() and won[0].any()
    there.close()


def test_the_command_starts_a_cluster_and_prints_one_document(tmp_path):
    """And nothing of the cluster is left."""
    command = [sys.executable, "-m", "nashgap", "match", "always-call", "random", "--game", "kuhn2", "--deals", "5000"]
    options = ["--json", "--runs", str(tmp_path), "--seed", "4"]
    with tempfile.TemporaryDirectory() as folder:  # of few letters, because sockets lie there
        environment = {**os.environ, "RAY_TMPDIR": folder}
        cluster = [*command, *options, "--cluster", "auto"]
        found = subprocess.run(cluster, env=environment, capture_output=True, text=True, timeout=120)
        assert found.returncode == 0, found.stderr
        assert [path for path in Path(folder).rglob("*") if path.is_file()] == []
    alone = subprocess.run(
        [*command, *options, "--fresh", "--workers", "1"], capture_output=True, text=True, timeout=120
    )
    one, other = json.loads(found.stdout), json.loads(alone.stdout)
    assert [one[key] for key in one if key != "seconds"] == [other[key] for key in one if key != "seconds"]
