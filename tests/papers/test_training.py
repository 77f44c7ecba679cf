"""Agents that reproductions train: once, continued where they were stopped, and never going back."""

import pytest

from nashgap.jobs import train as jobs_train
from nashgap.jobs.reproduction import Request
from nashgap.papers import training
from nashgap.papers.training import train
from nashgap.runs import list_runs
from nashgap.solvers.recipe import load_recipe

SECOND = 1 / 60


@pytest.fixture(autouse=True)
def _short_measurements(monkeypatch):
    """Of training, which takes less than a second here."""
    monkeypatch.setattr(jobs_train, "FINAL_HANDS", 1000)
    monkeypatch.setattr(jobs_train, "SELF_PLAY_HANDS", 1000)
    monkeypatch.setattr(jobs_train, "FIRST_RECORD_SECONDS", 0.1)


def test_an_agent_is_trained_once_and_goes_on_from_where_it_was(tmp_path):
    """Half time, then the end, in one run; asked again it answers from the files."""
    recipe, notes, steps = load_recipe("kuhn3-small"), [], []
    request = Request(runs_root=tmp_path, on_note=notes.append, on_progress=steps.append)
    half, end = train(recipe, 0.2 * SECOND, request), train(recipe, 0.4 * SECOND, request)
    assert [each.status for each in list_runs(tmp_path)] == ["finished"]
    assert half.file.parent == end.file.parent and half.file != end.file
    assert 0 < half.facts["iterations"] <= end.facts["iterations"]
    assert half.bot().text == str(half.file) and end.bot(fallback="call").text == f"{end.file}(fallback=call)"
    assert len(notes) == 2 and "for 0.00333333 minutes, 0.00333 of them now" in notes[0]
    num_steps = len(steps)
    assert train(recipe, 0.4 * SECOND, request).facts == end.facts
    assert train(recipe, 0.2 * SECOND, request).facts == half.facts
    assert len(steps) == num_steps and len(notes) == 2


def test_half_time_of_a_run_that_is_beyond_it_is_trained_afresh(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "SLACK_SECONDS", 0.0)
    recipe, request = load_recipe("kuhn3-small"), Request(runs_root=tmp_path)
    end = train(recipe, 2 * SECOND, request)
    half = train(recipe, 0.1 * SECOND, request)
    assert half.facts["seconds"] < end.facts["seconds"]
    assert train(recipe, 2 * SECOND, request).facts == end.facts


def test_interrupted_training_is_continued(tmp_path):
    recipe = load_recipe("kuhn3-small")

    def stop(pace):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(recipe, 0.4 * SECOND, Request(runs_root=tmp_path, on_progress=stop))
    (stopped,) = list_runs(tmp_path)
    assert stopped.status == "interrupted" and not list(stopped.folder.glob("*.safetensors"))
    steps = []
    train(recipe, 0.4 * SECOND, Request(runs_root=tmp_path, on_progress=steps.append))
    assert steps[0].progress.done > stopped.progress.done
