"""A machine that dies, or whose disk is full, at each change of a file: nothing is lost, and numbers stay the same.

Some runs are made from nothing, others continued with a larger budget, by a process that is killed before its first
change of a file, its second, and so on to the last. So every order of files is met: the folder, the config, the
ledger and its journal, states, what lies beside the result, the page, the result, the file that was asked for. A full
disk is full from such a change on.
"""

import json
import random
import shutil
import signal
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from faulty_machine import build_faults, faulty_commands, needs_faults

from nashgap.core.array_file import open_arrays
from nashgap.runs import find_run, list_runs

pytestmark = needs_faults

BAD = 2
TOURNAMENT = 'name = "three"\ngame = "leduc2"\ndeals = 2_000\nagents = ["always-call", "random", "always-raise"]\n'


@dataclass
class Command:
    """A kind of work; its files lie in `folder`, and as they were before it in `before`."""

    kind: str
    folder: Path

    def words(self, is_larger=True):
        match self.kind:
            case "tournament":
                path = self.folder / "three.toml"
                path.write_text(TOURNAMENT)
                words = ["tournament", "run", str(path)]
            case "solve":
                words = ["solve", "kuhn", "--iterations", "40", "--save-every", "0"]
            case "training":
                words = ["solve", "kuhn3-small", "--iterations", "4000" if is_larger else "2000", "--save-every", "0"]
            case "dataset":
                words = ["explain", "dataset", "--games", "500" if is_larger else "250", "--deck", "2", "--step", "1.5"]
        if self.kind != "tournament":
            words += ["-o", str(self.folder / "found.safetensors")]
        return [*words, "--runs", str(self.folder / "runs"), "-q", "--json"]

    @property
    def before(self):
        return self.folder.with_name("before")

    def begin(self, call):
        """Where there are two budgets, the run with the smaller one, finished."""
        self.folder.mkdir()
        if self.words(is_larger=False) != self.words():
            status, _, errors, _ = call(self.words(is_larger=False))
            assert (status, errors) == (0, "")
        shutil.copytree(self.folder, self.before)

    def begin_again(self):
        shutil.rmtree(self.folder)
        shutil.copytree(self.before, self.folder)

    def found(self):
        """All numbers of the run, whose page is not the one of before."""
        [summary] = list_runs(self.folder / "runs")
        assert summary.status == "finished", summary
        run = find_run(self.folder / "runs", summary.name)
        page_before = self.before / run.report_path.relative_to(self.folder)
        assert not page_before.is_file() or page_before.read_bytes() != run.report_path.read_bytes()
        assert run.report_path.is_file()
        with run.open_ledger() as ledger:
            told = [numbers(run.load_result()), ledger.batches(), [numbers(point) for point in ledger.points()]]
        tables = [path.read_text() for path in run.folder.glob("*.csv")]
        files = [arrays(path) for path in self.folder.glob("found.*")]
        return [*told, tables, files]


def numbers(document):
    """Without times and places."""
    places = ("run", "report", "output", "file", "cross_table")
    return {key: each for key, each in document.items() if "second" not in key and key not in places}


def arrays(path):
    file = open_arrays(path)
    file.verify()
    return {name: file.array(name).tobytes() for name in file.names}


@pytest.fixture(scope="module")
def call(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    warm = Command("solve", folder / "warm")
    warm.folder.mkdir()
    with faulty_commands(build_faults(folder), warm.words()) as function:
        yield function


@pytest.fixture
def prepared(call, tmp_path, request):
    """A command; what is found when nothing goes wrong, and what is told."""
    command = Command(request.param, tmp_path / "work")
    command.begin(call)
    status, output, errors, _ = call(command.words())
    assert (status, errors) == (0, "")
    return command, command.found(), numbers(json.loads(output))


def moments(call, command, fault, number):
    """All changes after which the fault may come, or of so many half anywhere and half in the last third.

    Before each the folder is as it was.
    """
    command.begin_again()
    num_changes = call(command.words(), fault, folder=command.folder)[3]
    drawn, late = random.Random(1), num_changes * 2 // 3
    some = [*drawn.sample(range(late), number // 2), *drawn.sample(range(late, num_changes), number // 2)]
    for moment in sorted(some) if number else range(num_changes):
        command.begin_again()
        yield moment


def check_deaths(call, prepared, number=0):
    command, wanted, _ = prepared
    num_deaths = 0
    for moment in moments(call, command, "deadline", number):
        status, _, errors, _ = call(command.words(), "deadline", moment, command.folder)
        assert status in (0, -signal.SIGKILL), (moment, errors)
        num_deaths += status != 0
        again, _, errors, _ = call(command.words())
        assert (again, errors) == (0, ""), (moment, errors)
        assert command.found() == wanted, moment
    print(command.kind, num_deaths, "deaths")
    assert num_deaths


def check_full_disk(call, prepared, number=0):
    """Numbers are told or one line says what is wrong, and both where only the file that was asked for is missing."""
    command, wanted, wanted_output = prepared
    told = Counter()
    for moment in moments(call, command, "room", number):
        status, output, errors, _ = call(command.words(), "room", moment, command.folder)
        lines = errors.splitlines()
        assert all(line.startswith("nashgap: ") for line in lines), (moment, errors)
        if output:
            assert numbers(json.loads(output)) == wanted_output, moment
        if status == BAD:
            assert "No space left on device" in lines[-1] or "ledger.sqlite: " in lines[-1], (moment, errors)
            told["numbers and a complaint" if output else "refused"] += 1
        else:
            assert status == 0 and output
            told["numbers and a warning" if lines else "numbers"] += 1
        for summary in list_runs(command.folder / "runs"):
            assert summary.status in ("new", "interrupted", "failed", "finished"), (moment, summary)
        again, _, later, _ = call(command.words())
        assert (again, later) == (0, ""), (moment, later)
        assert command.found() == wanted, moment
    print(command.kind, dict(told))
    assert told["refused"]
    return told


KINDS = ["tournament", "solve", "training", "dataset"]
QUICK_KINDS = ["solve", "dataset"]


@pytest.mark.slow
@pytest.mark.parametrize("prepared", QUICK_KINDS, indirect=True)
def test_work_that_dies_at_a_change_of_a_file_goes_on_to_the_same_numbers(call, prepared):
    check_deaths(call, prepared, 8)


@pytest.mark.slow
@pytest.mark.parametrize("prepared", QUICK_KINDS, indirect=True)
def test_a_full_disk_is_told_and_costs_nothing_but_what_comes_after(call, prepared):
    check_full_disk(call, prepared, 8)


@pytest.mark.long
@pytest.mark.parametrize("prepared", KINDS, indirect=True)
def test_work_that_dies_at_any_change_of_a_file_goes_on_to_the_same_numbers(call, prepared):
    check_deaths(call, prepared)


@pytest.mark.long
@pytest.mark.parametrize("prepared", KINDS, indirect=True)
def test_a_disk_that_is_full_from_any_change_on_costs_nothing_but_what_comes_after(call, prepared):
    assert check_full_disk(call, prepared)["numbers and a warning"]


ASKED_FOR = {
    "a game": ["solve", "kuhn", "--iterations", "20"],
    "a game by linear programming": ["solve", "kuhn", "--solver", "lp"],
    "a recipe": ["solve", "kuhn3-small", "--iterations", "200"],
    "games": ["explain", "dataset", "--games", "5", "--deck", "2", "--step", "1.5"],
    "a spot": ["solve-spot", "--board", "Qs Jh 2h 8c 4d", "--pot", "200", "--stack", "900", "--until", "5%"],
    "spots": ["solve-spot", "--boards", "Qs Jh 2h 8c 4d", "--pot", "200", "--stack", "900", "--until", "5%"],
    "a run of a game": ["runs", "resume", "solve-kuhn"],
    "a run of spots": ["runs", "resume", "spot-1-boards"],
}


@pytest.mark.parametrize("words", ASKED_FOR.values(), ids=ASKED_FOR)
def test_numbers_are_told_where_their_file_cannot_be_written(call, tmp_path, words):
    """The disk of the file, and no other, is full once it was found that the file can be made there."""
    (tmp_path / "full").mkdir()
    kept = ["--runs", str(tmp_path / "runs"), "-q", "--json"]
    if words[0] == "runs":
        assert call([*ASKED_FOR["a game" if "solve" in words[-1] else "spots"], *kept])[0] == 0
    path = tmp_path / "full" / "found.file"
    status, output, errors, _ = call([*words, "-o", str(path), *kept], "room", 1, tmp_path / "full")
    assert (status, errors) == (BAD, f"nashgap: cannot write {path}: No space left on device\n")
    told = json.loads(output)
    assert told["output" if "output" in told else "file"] is None
    status, output, errors, _ = call([*words, "-o", str(path), *kept])
    assert (status, errors) == (0, "")
    assert numbers(json.loads(output)) == numbers(told)
    assert path.stat().st_size > 0
