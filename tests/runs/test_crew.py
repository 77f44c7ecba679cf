"""What a cluster's crew does, without Ray: stand-ins say what nodes and workers answer."""

import os
import socket
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from sample_jobs import SumJob

import nashgap as ng
from nashgap.core.array_file import file_digest
from nashgap.errors import ConfigError, FileFormatError, NashGapError
from nashgap.runs import cluster_node, execute, open_run, workers
from nashgap.runs import crew as crew_module
from nashgap.runs.cluster_node import Sender, _path_here
from nashgap.runs.crew import Crew, _Node


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
    crew._ray, crew._has_head = Answers("old", "new"), lambda: True
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


def test_a_cluster_without_its_head_is_given_up_before_ray_ends_the_process(monkeypatch):
    """Which it does where the head is asked in vain: so it is not asked."""
    crew = Crew.__new__(Crew)
    crew._ray, crew._answers, crew._workers, crew._headless_since = Answers(), {}, [], None
    crew._cluster, crew._lonely_since = ng.Cluster("10.0.0.1:6379"), time.monotonic()
    asked = []
    monkeypatch.setattr(crew._ray, "nodes", lambda: asked.append(time.monotonic()) or [])
    with socket.create_server(("127.0.0.1", 0)) as door:
        crew._head, crew._mustered_at, crew._nodes = door.getsockname(), float("-inf"), {}
        crew._muster()
    assert len(asked) == 1
    crew._mustered_at = float("-inf")
    crew._muster()
    monkeypatch.setattr(crew_module, "HEADLESS_SECONDS", 0.0)
    crew._mustered_at = float("-inf")
    with pytest.raises(NashGapError, match=r"^cluster 10\.0\.0\.1:6379: its head is lost; what is"):
        crew._muster()
    assert len(asked) == 1


@pytest.fixture
def sender_of(tmp_path, monkeypatch):
    """What sends a file in pieces of 1,000 bytes, to a node that has a cache of its own; and what it was asked."""
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(get=lambda answer: answer))
    monkeypatch.setattr(cluster_node, "PIECE_BYTES", 1000)
    monkeypatch.setenv("NASHGAP_CACHE", str(tmp_path / "cache"))

    def make(digest, path):
        sender, asked = Sender({digest: str(path)}), []

        def read(digest, begin):
            asked.append(begin)
            return sender.read(digest, begin)

        return SimpleNamespace(read=SimpleNamespace(remote=read)), asked

    return make


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "leduc.safetensors"
    ng.solve("leduc", iterations=5).save(path)
    return path


def test_a_file_is_sent_in_pieces_once_and_again_where_it_is_damaged(file, sender_of, tmp_path):
    digest, size = file_digest(file), file.stat().st_size
    sender, asked = sender_of(digest, file)
    elsewhere = str(tmp_path / "nowhere" / file.name)
    kept = _path_here(digest, elsewhere, sender)
    assert asked == [*range(0, size, 1000), size] and len(asked) > 3
    assert (tmp_path / "cache" / "sent" / f"{digest}.safetensors").read_bytes() == file.read_bytes()
    assert _path_here(digest, elsewhere, sender) == kept
    assert _path_here(digest, str(file), sender) == str(file), "where it lies it is not sent"
    assert asked.count(0) == 1
    with open(kept, "r+b") as damaged:
        damaged.truncate(50)
    _path_here(digest, elsewhere, sender)
    assert Path(kept).read_bytes() == file.read_bytes()


def test_a_kept_file_that_is_damaged_behind_its_header_is_sent_again(file, sender_of, tmp_path):
    digest, elsewhere = file_digest(file), str(tmp_path / "nowhere" / file.name)
    sender, asked = sender_of(digest, file)
    kept = Path(_path_here(digest, elsewhere, sender))
    content = bytearray(kept.read_bytes())
    content[-1] ^= 1
    kept.write_bytes(content)
    assert Path(_path_here(digest, elsewhere, sender)).read_bytes() == file.read_bytes()
    assert asked.count(0) == 2


def test_a_kept_file_that_is_asked_for_is_not_forgotten(file, sender_of, tmp_path):
    """Nor while another driver has old files forgotten."""
    digest, elsewhere = file_digest(file), str(tmp_path / "nowhere" / file.name)
    sender, _ = sender_of(digest, file)
    kept = Path(_path_here(digest, elsewhere, sender))
    os.utime(kept, (0, 0))
    _path_here(digest, elsewhere, sender)
    cluster_node._forget_old(kept.parent)
    assert kept.exists()
    os.utime(kept, (0, 0))
    cluster_node._forget_old(kept.parent)
    assert not kept.exists()


@pytest.mark.parametrize("place", [20, -1], ids=["in its header", "in its arrays"])
def test_a_file_that_changes_while_it_is_sent_is_refused_and_not_kept(file, sender_of, tmp_path, place):
    digest = file_digest(file)
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)
    sender, _ = sender_of(digest, file)
    with pytest.raises(FileFormatError):
        _path_here(digest, str(tmp_path / "nowhere.safetensors"), sender)
    assert list((tmp_path / "cache" / "sent").iterdir()) == []
