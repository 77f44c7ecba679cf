"""Executing jobs: the same results after kills, interrupts and errors, and for any number of workers."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import sample_jobs
from sample_jobs import DyingJob, FratricideJob, GreedyJob, KilledOnceJob, ProcessJob, SumJob, Walk, WalkJob
from waiting import wait_until

from nashgap.errors import ConfigError, MismatchError, NashGapError, OutputError
from nashgap.runs import Ledger, checkpoints, execute, list_runs, open_run
from nashgap.runs.pool import run_in_pool


def expected_sums(seed, batches):
    return [{"mean": np.random.default_rng([seed, index]).random(100).mean()} for index in range(batches)]


def walked(steps, seed=0):
    """The state and curve of a walk that was never stopped."""
    walk, points = WalkJob(seed, steps).begin(), []
    while not walk.is_finished:
        record = walk.advance().record
        points += [dict(record)] if record else []
    return walk.place, points


def points_of(run):
    with run.open_ledger() as ledger:
        return ledger.points()


def started(kind, root, *, workers=1, is_time):
    """A job in a process of its own, in which `is_time()` has come."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NASHGAP_TEST_ROOT": str(root)}
    command = [sys.executable, sample_jobs.__file__, kind, str(root), str(workers)]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def has_come():
        if is_time():
            return True
        assert process.poll() is None, "the job ended before it could be stopped"
        return False

    wait_until(has_come)
    return process


def start_and_kill(kind, root, *, workers=1, is_time):
    """Run a job in a process of its own and kill it as soon as `is_time()`, which the test says."""
    with started(kind, root, workers=workers, is_time=is_time) as process:
        process.kill()


def progress_done(root):
    summaries = list_runs(root)
    return summaries[0].progress.done if summaries and summaries[0].progress else 0


@pytest.mark.parametrize("workers", [1, 2])
def test_results_do_not_depend_on_workers(tmp_path, workers):
    job = SumJob(seed=3, batches=5)
    assert execute(job, open_run(job, tmp_path), workers=workers).result == expected_sums(3, 5)


def test_workers_are_other_processes(tmp_path):
    job = ProcessJob(batches=4)
    processes = {batch["process"] for batch in execute(job, open_run(job, tmp_path), workers=2).result}
    assert os.getpid() not in processes


def test_no_more_batches_are_given_than_two_a_worker():
    """A run has millions of them: they are neither pickled beforehand nor lie in pipes."""
    given, kept, ahead = 0, [], []

    def indices():
        nonlocal given
        for index in range(60):
            given += 1
            yield index

    def keep(batch):
        ahead.append(given - len(kept))
        kept.append(batch[0])

    run_in_pool(SumJob(batches=60), indices(), 2, keep)
    assert sorted(kept) == list(range(60))
    assert 3 <= max(ahead) <= 5, "two for each worker, and the one that is handed over"


@pytest.mark.parametrize("workers", [1, 2])
def test_killed_batch_run_continues_with_the_same_results(tmp_path, workers):
    start_and_kill("sum", tmp_path, workers=workers, is_time=lambda: progress_done(tmp_path) >= 2)
    assert list_runs(tmp_path)[0].status == "interrupted"
    seen = []
    job = SumJob(batches=8)
    results = execute(job, open_run(job, tmp_path), on_progress=seen.append).result
    assert results == expected_sums(0, 8)
    assert 1 <= len(seen) <= 6, "what was finished before the kill is not run again"
    assert list_runs(tmp_path)[0].status == "finished"


def test_killed_walk_continues_with_the_same_state_and_curve(tmp_path):
    def is_saved():
        return any(path.name > "checkpoint-2" for path in tmp_path.glob("*/checkpoint-*"))

    start_and_kill("walk", tmp_path, workers=1, is_time=is_saved)
    job = WalkJob(steps=200)
    run = open_run(job, tmp_path)
    walk = execute(job, run).result
    assert (walk.place, points_of(run)) == walked(200)
    assert walk.num_advances < 200, "the checkpoint was used"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for the workers in /proc")
def test_workers_do_not_outlive_a_killed_run(tmp_path):
    start_and_kill("sum", tmp_path, workers=2, is_time=lambda: progress_done(tmp_path) >= 1)
    wait_until(lambda: not workers_of(tmp_path), "the end of all workers", 10)


def workers_of(root):
    """Spawned workers do not name the run; their environment, taken from their parent, does."""
    return [pid for pid in Path("/proc").glob("[0-9]*") if is_worker_of(pid, root)]


def is_worker_of(process, root):
    try:
        return f"NASHGAP_TEST_ROOT={root}".encode() in (process / "environ").read_bytes()
    except OSError:
        return False


def test_an_interrupt_finishes_what_is_under_way(tmp_path):
    """Ctrl-C reaches the whole group: the workers go on, the parent begins nothing new."""
    with started("sum", tmp_path, workers=2, is_time=lambda: progress_done(tmp_path) >= 1) as process:
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert errors.count("Traceback") == 1, errors  # that of the parent, which says KeyboardInterrupt
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert 2 <= progress_done(tmp_path) < 8
    job = SumJob(batches=8)
    assert execute(job, open_run(job, tmp_path)).result == expected_sums(0, 8)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for the workers in /proc")
@pytest.mark.parametrize("num_processes", [2, 4], ids=["while the workers start", "once they work"])
def test_a_second_interrupt_ends_the_workers_at_once(tmp_path, num_processes):
    """A batch takes 30 seconds. Beside the parent and its workers there is the resource tracker."""
    with started(
        "slow-sum", tmp_path, workers=2, is_time=lambda: len(workers_of(tmp_path)) >= num_processes
    ) as process:
        for _ in range(2):
            time.sleep(0.7)
            os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=15)
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors
    assert "InvalidStateError" not in errors
    wait_until(lambda: not workers_of(tmp_path), "the end of all workers", 10)


def test_larger_budget_continues(tmp_path):
    first = SumJob(batches=2)
    execute(first, open_run(first, tmp_path))
    seen = []
    larger = SumJob(batches=5)
    run = open_run(larger, tmp_path)
    assert execute(larger, run, on_progress=seen.append).result == expected_sums(0, 5)
    assert [pace.progress.done for pace in seen] == [3, 4, 5]
    assert [round(pace.rate * pace.seconds) for pace in seen] == [1, 2, 3], "what was done before is not this speed"
    assert open_run(first, tmp_path).config.budget == {"batches": 5}
    assert execute(first, run).result == expected_sums(0, 2)


def test_larger_budget_continues_a_walk(tmp_path):
    first = WalkJob(steps=10)
    execute(first, open_run(first, tmp_path))
    longer = WalkJob(steps=25)
    run = open_run(longer, tmp_path)
    walk = execute(longer, run).result
    assert (walk.place, points_of(run)) == walked(25)
    assert walk.num_advances == 15


@pytest.mark.parametrize("workers", [1, 2])
def test_failing_batch_raises_its_error_and_the_others_are_kept(tmp_path, workers):
    job = SumJob(batches=6, broken=2, pause=0.3)
    run = open_run(job, tmp_path)
    with pytest.raises(ZeroDivisionError, match="batch 2 is broken"):
        execute(job, run, workers=workers)
    assert list_runs(tmp_path)[0].status == "failed"
    with run.open_ledger() as ledger:
        kept = ledger.batches()
    assert {0, 1} <= set(kept) and 2 not in kept
    assert (3 in kept) == (workers == 2), "then it was under way, and is finished"
    assert execute(SumJob(batches=6), run).result == expected_sums(0, 6)


def test_a_batch_whose_worker_is_killed_twice_is_named(tmp_path):
    job = DyingJob(batches=4)
    run = open_run(job, tmp_path)
    with pytest.raises(NashGapError, match=r"^stream 2: the process that played it.* was killed twice, .* are kept"):
        execute(job, run, workers=2)
    with run.open_ledger() as ledger:
        kept = ledger.batches()
    assert 2 not in kept
    assert all(kept[index] == expected_sums(0, 4)[index] for index in kept)


@pytest.mark.parametrize("deaths", [1, 3])
def test_a_killed_worker_is_replaced_and_its_batch_played_again(tmp_path, deaths):
    """As the system kills it when memory is short, in one batch or in several."""
    job = KilledOnceJob(batches=8, folder=tmp_path, deaths=deaths)
    found = execute(job, open_run(job, tmp_path / "runs"), workers=2).result
    assert found == expected_sums(0, 8)
    assert len(list(tmp_path.glob("died-*"))) == deaths


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for the workers in /proc")
def test_an_idle_worker_that_is_killed_stops_nobody(tmp_path):
    """One that waits for work in a queue of all would take its lock with it."""
    job = FratricideJob(batches=3, folder=tmp_path)
    assert execute(job, open_run(job, tmp_path / "runs"), workers=2).result == expected_sums(0, 3)
    assert (tmp_path / "killed").exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_batch_without_enough_memory_is_named(tmp_path, workers):
    job = GreedyJob(batches=4)
    with pytest.raises(NashGapError, match=r"^stream 2: there is not enough memory; finished batches are kept"):
        execute(job, open_run(job, tmp_path), workers=workers)
    assert progress_done(tmp_path) >= 1


@pytest.mark.parametrize(("kind", "workers"), [("sum", 1), ("sum", 2), ("walk", 1)])
@pytest.mark.parametrize("is_for_all", [False, True], ids=["to the process", "to its group"])
def test_termination_keeps_what_is_finished_as_an_interrupt_does(tmp_path, kind, workers, is_for_all):
    """So ask batch systems and shutdowns; some ask the workers, too."""
    with started(kind, tmp_path, workers=workers, is_time=lambda: progress_done(tmp_path) >= 1) as process:
        (os.killpg if is_for_all else os.kill)(process.pid, signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors
    [summary] = list_runs(tmp_path)
    assert summary.status == "interrupted"
    if kind == "walk":
        with open_run(WalkJob(), tmp_path).open_ledger() as ledger:
            assert ledger.checkpoints()[0].step == summary.progress.done, "the state was saved where it stood"
        job = WalkJob(steps=200)
        run = open_run(job, tmp_path)
        assert (execute(job, run).result.place, points_of(run)) == walked(200)
    else:
        job = SumJob(batches=8)
        assert execute(job, open_run(job, tmp_path)).result == expected_sums(0, 8)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for the workers in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("num_processes", [3, 4], ids=["with the first", "with the second"])
def test_an_interrupt_while_workers_start_is_not_lost(tmp_path, num_processes, how):
    """Beside the parent and its workers there is the resource tracker."""
    with started("sum", tmp_path, workers=2, is_time=lambda: len(workers_of(tmp_path)) >= num_processes) as process:
        process.send_signal(how)
        _, errors = process.communicate(timeout=30)
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors
    assert "RuntimeError" not in errors and "EOFError" not in errors
    assert list_runs(tmp_path)[0].status == "interrupted"


def test_interrupt_is_raised_after_the_step_and_its_state_is_saved(tmp_path):
    class InterruptedWalk(Walk):
        def advance(self):
            if self.step == 6:
                signal.raise_signal(signal.SIGINT)  # in the middle of a step
            return super().advance()

    job = WalkJob(steps=20, work=InterruptedWalk)
    run = open_run(job, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        execute(job, run)
    assert list_runs(tmp_path)[0].status == "interrupted"
    resumed = execute(WalkJob(steps=20), run).result
    assert resumed.num_advances == 13
    assert (resumed.place, points_of(run)) == walked(20)


def test_error_from_the_callback_stops_the_job_and_its_state_is_saved(tmp_path):
    def stop(pace):
        if pace.progress.done == 4:
            raise RuntimeError("enough")

    job = WalkJob(steps=20)
    run = open_run(job, tmp_path)
    with pytest.raises(RuntimeError, match="enough"):
        execute(job, run, on_progress=stop)
    resumed = execute(WalkJob(steps=20), run).result
    assert resumed.num_advances == 16
    assert resumed.place == walked(20)[0]


def test_state_of_a_failed_step_is_not_saved(tmp_path):
    class TornWalk(Walk):
        def advance(self):
            progress = super().advance()
            if self.step == 6:
                self.place = -1.0
                raise RuntimeError("torn")
            return progress

    job = WalkJob(steps=20, work=TornWalk)
    run = open_run(job, tmp_path)
    with pytest.raises(RuntimeError, match="torn"):
        execute(job, run, checkpoint_seconds=0)
    resumed = execute(WalkJob(steps=20), run).result
    assert (resumed.place, points_of(run)) == walked(20)


@pytest.mark.parametrize("damage", [b"", b'{"seed": 0, "step": 19, "place": 0.5}'])
def test_damaged_checkpoint_falls_back_to_the_one_before(tmp_path, damage):
    """Also when the damaged file could still be read: its hash tells."""
    job = WalkJob(steps=10)
    run = open_run(job, tmp_path)
    execute(job, run)
    longer = WalkJob(steps=20)
    execute(longer, run)
    with run.open_ledger() as ledger:
        newest, before = ledger.checkpoints()
    assert (newest.step, before.step) == (20, 10)
    (run.folder / newest.file).write_bytes(damage)
    with pytest.warns(UserWarning, match="checkpoint passed over"):
        resumed = execute(WalkJob(steps=20), run).result
    assert resumed.num_advances == 10
    assert (resumed.place, points_of(run)) == walked(20)


def test_walk_without_a_good_checkpoint_starts_again(tmp_path):
    job = WalkJob(steps=10)
    run = open_run(job, tmp_path)
    execute(job, run)
    for path in run.folder.glob("checkpoint-*"):
        path.unlink()
    with pytest.warns(UserWarning, match="checkpoint passed over"):
        again = execute(WalkJob(steps=10), run).result
    assert again.num_advances == 10
    assert (again.place, points_of(run)) == walked(10)


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.EACCES, errno.ESTALE])
def test_a_state_that_cannot_be_read_now_is_not_given_up(tmp_path, monkeypatch, number):
    """As where a network's file system is away for a moment: what lies there may be whole."""
    job = WalkJob(steps=10)
    run = open_run(job, tmp_path)
    execute(job, run)

    def fail(path):
        raise OSError(number, os.strerror(number), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "open_regular", fail)
        with pytest.raises(OutputError, match=rf"checkpoint-1: cannot be read: {os.strerror(number)}"):
            execute(WalkJob(steps=20), run)
    resumed = execute(WalkJob(steps=20), run).result
    assert resumed.num_advances == 10
    assert (resumed.place, points_of(run)) == walked(20)


def test_two_checkpoints_are_kept(tmp_path):
    job = WalkJob(steps=50, pause=0.01)
    run = open_run(job, tmp_path)
    execute(job, run, checkpoint_seconds=0)
    with run.open_ledger() as ledger:
        listed = {checkpoint.file for checkpoint in ledger.checkpoints()}
        assert ledger.checkpoints()[0].step == 50
    assert {path.name for path in run.folder.glob("checkpoint-*")} == listed
    assert len(listed) == 2


def test_leftovers_of_a_killed_save_are_removed(tmp_path):
    job = WalkJob(steps=5)
    run = open_run(job, tmp_path)
    leftover = run.folder / ".nashgap-0123456789abcdef.tmp"
    leftover.write_text("half a state")
    execute(job, run)
    assert not leftover.exists()


def test_saving_takes_a_small_part_of_the_time(tmp_path):
    """Each save takes 10 ms, so that 0.2 s must pass before the next, but for the last, which ends the run."""
    times = []

    class SlowlySavedWalk(Walk):
        def save(self, path):
            time.sleep(0.01)
            super().save(path)
            times.append(time.perf_counter())

    job = WalkJob(steps=100, pause=0.01, work=SlowlySavedWalk)
    execute(job, open_run(job, tmp_path), checkpoint_seconds=0)
    assert len(times) >= 2
    assert all(np.diff(times)[:-1] >= 0.2)


def test_run_is_worked_on_by_one_at_a_time(tmp_path):
    job = WalkJob()
    run = open_run(job, tmp_path)
    with run.lock():
        assert run.is_being_worked_on
        with pytest.raises(OutputError, match=rf"run {run.name} is already being worked on"):
            execute(job, run)
    assert not run.is_being_worked_on
    execute(job, run)


def test_pace_tells_rate_and_time_left(tmp_path):
    paces = []
    job = WalkJob(steps=20, pause=0.1)
    execute(job, open_run(job, tmp_path), on_progress=paces.append)
    early, middle, last = paces[1], paces[11], paces[-1]
    assert early.remaining_seconds is None, "the first steps pay for what happens only once"
    assert middle.rate == pytest.approx(12 / middle.seconds)
    assert middle.remaining_seconds == pytest.approx(8 / middle.rate)
    assert last.remaining_seconds == 0


@pytest.mark.parametrize("job", [SumJob(seed=3, batches=5), WalkJob(steps=25)])
def test_without_a_run_the_result_is_the_same_and_nothing_is_written(tmp_path, monkeypatch, job):
    monkeypatch.chdir(tmp_path)
    found = execute(job).result
    kept = execute(job, open_run(job, tmp_path / "runs")).result
    assert (found.place, found.step) == (kept.place, kept.step) if isinstance(found, Walk) else found == kept
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]


@pytest.mark.parametrize("job", [SumJob(), WalkJob()])
def test_a_finished_run_says_when_it_was_finished(tmp_path, job):
    run = open_run(job, tmp_path)
    first, again = execute(job, run), execute(job, run)
    assert first.finished_at is None, "it was finished just now"
    assert again.finished_at == list_runs(tmp_path)[0].finished_at
    assert again.finished_at.endswith("+00:00")


def test_time_adds_up_over_resumes(tmp_path):
    for steps in (10, 20):
        job = WalkJob(steps=steps, pause=0.01)
        execute(job, open_run(job, tmp_path))
    assert 0.2 <= list_runs(tmp_path)[0].seconds < 5


def test_job_of_another_run_is_refused(tmp_path):
    run = open_run(SumJob(seed=1), tmp_path)
    with pytest.raises(MismatchError, match="is not the run of folder"):
        execute(SumJob(seed=2), run)


@pytest.mark.parametrize(("job", "workers"), [(SumJob(), 0), (WalkJob(), 2)])
def test_impossible_number_of_workers_is_refused(tmp_path, job, workers):
    with pytest.raises(ConfigError, match=f"workers = {workers}"):
        execute(job, open_run(job, tmp_path), workers=workers)


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf")])
def test_impossible_time_between_saves_is_refused(tmp_path, seconds):
    job = WalkJob()
    with pytest.raises(ConfigError, match=f"save every {seconds} seconds"):
        execute(job, open_run(job, tmp_path), checkpoint_seconds=seconds)


def test_writing_batches_takes_a_small_part_of_the_time(tmp_path, monkeypatch):
    """Each writing takes 50 ms more, as on a slow disk, and batches are small; an interrupt still finds all of them."""
    times, real = [], Ledger.record_batches

    def slowly(ledger, batches, **others):
        time.sleep(0.05)
        real(ledger, batches, **others)
        times.append(len(batches))

    monkeypatch.setattr(Ledger, "record_batches", slowly)
    job = SumJob(batches=300, pause=0.01)
    run = open_run(job, tmp_path)

    def stop(pace):
        if pace.progress.done == 250:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        execute(job, run, on_progress=stop)
    assert sum(times) == 250, "none is lost"
    assert len(times) < 15, "the first moment is free, then writings wait for others"
