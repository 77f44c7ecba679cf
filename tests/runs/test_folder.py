"""Run folders: opened, found, listed."""

import os
import shlex

import pytest
from sample_jobs import SumJob, WalkJob

from nashgap.errors import ConfigError, FileFormatError, MismatchError, OutputError
from nashgap.runs import default_root, execute, find_run, list_runs, open_run


def test_same_identity_opens_the_same_folder(tmp_path):
    assert open_run(SumJob(seed=1, batches=2), tmp_path).folder == open_run(SumJob(seed=1, batches=9), tmp_path).folder
    assert open_run(SumJob(seed=2), tmp_path).folder != open_run(SumJob(seed=1), tmp_path).folder
    assert sorted(path.name for path in tmp_path.iterdir()) == [run.folder.name for run in list_runs(tmp_path)]


def test_folder_is_named_by_name_and_id(tmp_path):
    run = open_run(SumJob(seed=1), tmp_path)
    assert run.folder == tmp_path / f"sum-of-seed-1-{run.config.run_id}"


@pytest.mark.parametrize(
    ("name", "folder"),
    [("solve-kuhn(players=3)-cfr+", "solve-kuhn-players-3-cfr+"), ("../../Etc", "etc"), ("ä", "run"), (".x", "x")],
)
def test_folder_names_hold_only_plain_characters(tmp_path, name, folder):
    class NamedJob(WalkJob):
        name = "set below"

    NamedJob.name = name
    run = open_run(NamedJob(), tmp_path)
    assert run.folder == tmp_path / f"{folder}-{run.config.run_id}"


def test_root_comes_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("NASHGAP_RUNS", str(tmp_path))
    assert default_root() == tmp_path
    assert open_run(SumJob()).folder.parent == tmp_path
    monkeypatch.delenv("NASHGAP_RUNS")
    assert str(default_root()) == "runs"


def test_runs_are_found_by_name_id_and_their_beginnings(tmp_path):
    run, other = open_run(SumJob(seed=1), tmp_path), open_run(WalkJob(seed=1), tmp_path)
    for wanted in (run.name, run.config.run_id, run.config.run_id[:6], "sum-of-seed-1", "sum"):
        assert find_run(tmp_path, wanted) == run
    assert find_run(tmp_path, "walk") == other


def test_exact_name_wins_over_a_longer_one(tmp_path):
    shorter, _ = open_run(WalkJob(seed=1), tmp_path), open_run(WalkJob(seed=12), tmp_path)
    assert find_run(tmp_path, "walk-1") == shorter


def test_unknown_and_ambiguous_names_are_refused_with_the_candidates(tmp_path):
    one, two = open_run(WalkJob(seed=1), tmp_path), open_run(WalkJob(seed=2), tmp_path)
    with pytest.raises(ConfigError, match=rf"no run matches 'xyz' .* known: {one.name}, {two.name}"):
        find_run(tmp_path, "xyz")
    with pytest.raises(ConfigError, match=rf"2 runs match 'walk' .* candidates: {one.name}, {two.name}"):
        find_run(tmp_path, "walk")
    with pytest.raises(ConfigError, match="known: none"):
        find_run(tmp_path / "nowhere", "walk")


def test_list_skips_other_folders_and_shows_damaged_runs_as_damaged(tmp_path):
    good, bad = open_run(SumJob(seed=1), tmp_path), open_run(WalkJob(seed=1), tmp_path)
    execute(SumJob(seed=1), good)
    (bad.folder / "ledger.sqlite").write_bytes(b"nonsense" * 1000)
    (tmp_path / "notes").mkdir()
    (tmp_path / "plotly.min.js").touch()
    first, second = list_runs(tmp_path)
    assert (first.folder, first.status, first.progress.done) == (good.folder, "finished", 4)
    assert (second.folder, second.status, second.config) == (bad.folder, "damaged", bad.config)
    assert "ledger.sqlite" in second.problem
    assert list_runs(tmp_path / "nowhere") == []


@pytest.mark.parametrize("damage", [b"nonsense" * 1000, b"", None])
def test_damaged_ledger_is_a_named_error_with_the_remedy(tmp_path, damage):
    run = open_run(SumJob(), tmp_path)
    ledger = run.folder / "ledger.sqlite"
    ledger.unlink() if damage is None else ledger.write_bytes(damage)
    with pytest.raises(FileFormatError, match=rf"ledger\.sqlite: .*; remove {run.folder} to start afresh"):
        execute(SumJob(), run)


def test_root_that_cannot_be_read_is_refused(tmp_path):
    for attempt in (list_runs, lambda root: open_run(SumJob(), root), lambda root: find_run(root, "x")):
        with pytest.raises(ConfigError, match="cannot be read: File name too long"):
            attempt(tmp_path / ("x" * 300) / "runs")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter any folder")
def test_folder_that_may_not_be_entered_is_refused_as_root_and_skipped_in_a_list(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    assert list_runs(tmp_path) == []
    with pytest.raises(ConfigError, match="Permission denied"):
        list_runs(closed / "runs")


def test_half_made_folders_are_removed_once_they_are_stale(tmp_path):
    stale, fresh = tmp_path / ".new-stale", tmp_path / ".new-fresh"
    for path in (stale, fresh):
        path.mkdir()
        (path / "config.toml").touch()
    os.utime(stale, (0, 0))
    open_run(SumJob(), tmp_path)
    assert fresh.exists() and not stale.exists()


def test_half_written_files_are_removed_once_they_are_stale(tmp_path):
    """Kills leave them in the folder of runs (the script of charts) and in that of a run (its config, its page)."""
    job = SumJob()
    run = open_run(job, tmp_path)
    stale, fresh = ([folder / f".nashgap-{age}.tmp" for folder in (tmp_path, run.folder)] for age in ("old", "new"))
    for path in (*stale, *fresh):
        path.touch()
    for path in stale:
        os.utime(path, (0, 0))
    execute(job, run)
    open_run(SumJob(seed=1), tmp_path)
    assert all(path.exists() for path in fresh)
    assert not any(path.exists() for path in stale)


def test_command_that_resumes_can_be_pasted(tmp_path, monkeypatch):
    run = open_run(SumJob(), tmp_path / "my runs")
    words = shlex.split(run.resume_command)
    assert words == ["nashgap", "runs", "resume", run.name, "--runs", str(tmp_path / "my runs")]
    monkeypatch.setenv("NASHGAP_RUNS", str(tmp_path / "my runs"))
    assert run.resume_command == f"nashgap runs resume {run.name}"


def test_an_edited_config_is_refused_and_the_job_itself_writes_it_anew(tmp_path):
    job = SumJob(seed=1)
    run = open_run(job, tmp_path)
    found = execute(job, run).result
    path = run.folder / "config.toml"
    whole = path.read_text()
    path.write_text(whole.replace("seed = 1", "seed = 2"))
    with pytest.raises(FileFormatError, match="edited"):
        find_run(tmp_path, "sum")
    with pytest.warns(UserWarning, match="config of the run was passed over"):
        again = execute(job, open_run(job, tmp_path))
    assert (again.result, path.read_text()) == (found, whole)
    assert again.finished_at is not None, "nothing was done again"


def test_edited_identity_of_a_config_without_checksum_is_refused(tmp_path):
    run = open_run(SumJob(seed=1), tmp_path)
    path = run.folder / "config.toml"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("checksum")]
    path.write_text("\n".join(lines).replace("seed = 1", "seed = 2").replace("format = 3", "format = 2"))
    with pytest.raises(MismatchError, match="was it edited"):
        open_run(SumJob(seed=1), tmp_path)


def test_root_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be written"):
        open_run(SumJob(), tmp_path / "file" / "runs")


def test_result_comes_back(tmp_path):
    run = open_run(SumJob(), tmp_path)
    assert run.load_result() is None
    run.save_result({"nash_conv": 0.1 + 0.2})
    assert run.load_result() == {"nash_conv": 0.1 + 0.2}
    for damage in ("{", "[]"):
        run.result_path.write_text(damage)
        with pytest.raises(FileFormatError, match=r"result\.json: damaged: .*; resuming the run writes it anew"):
            run.load_result()


def test_removed_runs_are_gone_and_one_that_is_worked_on_is_not(tmp_path):
    gone, held = open_run(SumJob(seed=1), tmp_path), open_run(SumJob(seed=2), tmp_path)
    execute(SumJob(seed=1), gone)
    gone.remove()
    with held.lock(), pytest.raises(OutputError, match="is already being worked on"):
        held.remove()
    assert [each.folder for each in list_runs(tmp_path)] == [held.folder]


def test_runs_of_an_older_version_are_listed_and_refused_with_what_to_do(tmp_path):
    run = open_run(SumJob(), tmp_path)
    path = run.folder / "config.toml"
    old = "\n".join(
        line for line in path.read_text().splitlines() if not line.startswith(("format", "checksum", "[inputs]"))
    )
    path.write_text(old.replace('version = "', 'version = "0.1.0 was '))
    found = find_run(tmp_path, "sum")
    assert list_runs(tmp_path)[0].status == "new"
    with pytest.raises(ConfigError, match=rf"made by nashgap 0\.1\.0.* nashgap runs remove {run.name}"):
        found.require_format()
