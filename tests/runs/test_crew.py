"""What a cluster's crew does, without Ray: stand-ins say what nodes and workers answer."""

from types import SimpleNamespace

import pytest
from sample_jobs import SumJob

import nashgap as ng
from nashgap.errors import ConfigError
from nashgap.runs import execute, open_run, workers
from nashgap.runs.cluster import Crew, _Node


class Busy:
    """A crew of three whose workers hand over what they have found all at once."""

    number, description, abreast = 3, "3 workers", 1

    def __init__(self, cluster, make_player, inputs, **_):
        self.play, self.tasks = make_player(inputs), []

    @property
    def num_free(self):
        return self.number - len(self.tasks)

    @property
    def num_under_way(self):
        return len(self.tasks)

    def submit(self, task):
        self.tasks.append(task)

    def collect(self):
        tasks, self.tasks = self.tasks, []
        return [(task, self.play(task)) for task in tasks]

    def finish(self):
        yield from self.collect()

    def close(self):
        pass


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_all_that_was_handed_over_is_kept_whatever_comes_between(tmp_path, monkeypatch, error):
    monkeypatch.setattr(workers, "Crew", Busy)
    job = SumJob(batches=100)
    run = open_run(job, tmp_path)

    def stop(pace):
        if pace.progress.done >= 5:  # the second of eight in the first of three tasks
            raise error

    with pytest.raises(error):
        execute(job, run, workers=ng.Cluster("auto"), on_progress=stop)
    with run.open_ledger() as ledger:
        assert len(ledger.batches()) == 3 + 3 * 8
    assert execute(job, run).result == execute(job).result


class RayError(Exception):
    pass


class RayTaskError(RayError):
    def __init__(self, cause):
        self.cause = cause


class Answers:
    """Of Ray what a crew asks when a node says whether it can work; an answer is what comes of it."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, *nodes):
        self.alive = nodes

    def get(self, answer):
        if isinstance(answer, Exception):
            raise answer
        return dict(answer)

    def nodes(self):
        return [{"NodeID": node, "Alive": True} for node in self.alive]


REFUSAL = RayTaskError(ConfigError("it has another version"))


def crew_of_two(answers):
    """A crew whose nodes, `old` and `new`, are being prepared."""
    crew = Crew.__new__(Crew)
    crew._ray = Answers("old", "new")
    crew._nodes = {name: _Node(name, name, 1) for name in ("old", "new")}
    crew._answers = {answers[name]: node for name, node in crew._nodes.items()}
    return crew


@pytest.mark.parametrize("first", ["old", "new"])
def test_a_node_that_cannot_work_is_left_out_whoever_answers_first(first):
    answers = {"old": REFUSAL, "new": ()}
    crew = crew_of_two(answers)
    with pytest.warns(UserWarning, match="left out: node old of the cluster: it has another version"):
        for name in sorted(answers, key=lambda name: name != first):
            crew._note_prepared(crew._answers.pop(answers[name]), answers[name])
    assert crew._nodes["new"].paths == {} and crew._nodes["old"].paths is None


def test_where_no_node_can_work_the_last_refusal_is_told():
    last = RayTaskError(ConfigError("it has no such file"))
    crew = crew_of_two({"old": REFUSAL, "new": last})
    with pytest.warns(UserWarning, match="left out: node old"):
        crew._note_prepared(crew._answers.pop(REFUSAL), REFUSAL)
    with pytest.raises(ConfigError, match="node new of the cluster: it has no such file"):
        crew._note_prepared(crew._answers.pop(last), last)
