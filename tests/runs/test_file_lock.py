"""The lock of a run, as other processes find it."""

import subprocess
import sys

import pytest

from nashgap.runs.file_lock import try_lock

OTHER = """
import sys
from nashgap.runs.file_lock import try_lock
with open(sys.argv[1], "ab") as file:
    print(try_lock(file.fileno(), is_shared=sys.argv[2] == "shared"), flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def start(tmp_path):
    """Another process that has asked for the lock, and keeps its file open."""
    others = []

    def ask(how):
        command = [sys.executable, "-c", OTHER, str(tmp_path / "lock"), how]
        others.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        return others[-1], others[-1].stdout.readline() == "True\n"

    yield ask
    for other in others:
        other.communicate("\n")


@pytest.mark.parametrize("how", ["shared", "alone"])
def test_one_holder_keeps_others_out_until_it_dies(tmp_path, start, how):
    holder, has_it = start("alone")
    assert has_it
    with open(tmp_path / "lock", "ab") as file:
        assert not try_lock(file.fileno(), is_shared=how == "shared")
        holder.kill()
        holder.wait()
        assert try_lock(file.fileno(), is_shared=how == "shared")


def test_closing_the_file_lets_go(tmp_path, start):
    with open(tmp_path / "lock", "ab") as file:
        assert try_lock(file.fileno())
        assert not start("alone")[1]
    assert start("alone")[1]


@pytest.mark.skipif(sys.platform == "win32", reason="nobody shares there")
def test_who_only_looks_shares(tmp_path, start):
    assert start("shared")[1] and start("shared")[1]
    assert not start("alone")[1]
