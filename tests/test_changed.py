"""`make check` runs the tests of what was changed."""

import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "changed.py"
SPEC = spec_from_file_location("changed", SCRIPT)
changed = module_from_spec(SPEC)
SPEC.loader.exec_module(changed)

ALWAYS = "tests/test_architecture.py"

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("src/nashgap/cards/card.py", {"tests/cards"}),
        ("src/nashgap/arena/acpc/dealer.py", {"tests/arena"}),
        ("src/nashgap/recipes/ir16.toml", {"tests/jobs"}),
        ("src/nashgap/catalogue.py", {"tests/contracts"}),
        ("src/nashgap/_native.pyi", {"tests/native"}),
        ("native/poker/betting.cpp", {"tests/native", "tests/poker"}),
        ("native/measure/lbr_batch.h", {"tests/native", "tests/measures"}),
        ("native/bind/module.cpp", {"tests/native"}),
        ("tests/poker/test_rules.py", {"tests/poker/test_rules.py"}),
        ("tests/arena/acpc/data/hunl.log", {"tests/arena"}),
        ("tests/cli/conftest.py", {"tests/cli"}),
        ("docs/your-own-game.md", {"tests/test_documentation.py"}),
        ("Makefile", set()),
        ("src/nashgap/errors.py", set()),
    ],
)
def test_a_file_has_the_tests_of_its_room(path, tests):
    assert changed.tests_of(path) == tests


def test_a_plain_twin_has_the_tests_that_import_it():
    tests = changed.tests_of("tests/plain/plain_lbr.py")
    assert "tests/measures/test_local_best_response.py" in tests
    assert "tests/cards/test_card.py" not in tests


def test_each_test_is_named_once_and_exists():
    paths = ["src/nashgap/cards/card.py", "tests/cards/test_card.py", "src/nashgap/no_such_room/x.py"]
    assert changed.select(paths) == ["tests/cards", ALWAYS]
    assert changed.select([]) == [ALWAYS]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A repository of three commits whose second one added a file of the cards; all rooms have tests."""
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    for room in ("cards", "poker", "games"):
        (tmp_path / "tests" / room).mkdir(parents=True)
        (tmp_path / "src/nashgap" / room).mkdir(parents=True)
        (tmp_path / "src/nashgap" / room / "first.py").touch()
    (tmp_path / ALWAYS).touch()
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@example.org"]
    subprocess.run([*git, "init", "--quiet"], cwd=tmp_path, check=True)
    for number, added in enumerate(("", "src/nashgap/cards/second.py", "README.md")):
        (tmp_path / added).touch()
        subprocess.run([*git, "add", "."], cwd=tmp_path, check=True)
        subprocess.run([*git, "commit", "--quiet", "--message", str(number)], cwd=tmp_path, check=True)
    return tmp_path


def printed(capsys, *arguments):
    status = changed.main(list(arguments))
    return status, capsys.readouterr().out.split()


@needs_git
def test_changes_are_counted_from_a_commit_or_the_last_one(project, capsys):
    assert printed(capsys) == (0, [ALWAYS])
    assert printed(capsys, "HEAD~2") == (0, ["tests/cards", ALWAYS])


@needs_git
def test_changed_new_and_removed_files_count_before_they_are_committed(project, capsys):
    (project / "src/nashgap/poker/new.py").touch()
    (project / "src/nashgap/games/first.py").unlink()
    assert printed(capsys) == (0, ["tests/games", "tests/poker", ALWAYS])


@needs_git
def test_a_branch_counts_from_where_it_left_its_upstream(project, capsys):
    subprocess.run(["git", "branch", "main-line", "HEAD~2"], cwd=project, check=True)
    subprocess.run(["git", "branch", "--set-upstream-to", "main-line"], cwd=project, check=True, capture_output=True)
    assert printed(capsys) == (0, ["tests/cards", ALWAYS])


@needs_git
def test_a_commit_that_does_not_exist_is_refused(project, capsys):
    assert changed.main(["no-such-commit"]) == 2
    assert "no commit 'no-such-commit'" in capsys.readouterr().err


@pytest.mark.skipif(not (SCRIPT.parents[1] / ".git").exists(), reason="this is no git checkout")
def test_it_runs_as_a_script():
    done = subprocess.run([sys.executable, SCRIPT, "HEAD"], capture_output=True, text=True, check=True)
    assert ALWAYS in done.stdout.split()
