"""Child processes: an answer to each request in their order, errors that are told, and no process left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from nashgap.core.child_process import ChildEndedError, ChildProcess, end_processes


def divider_of(number: int) -> Callable[[int], float]:
    return lambda by: number / by


def ender(status: int) -> Callable[[], None]:
    return lambda: os._exit(status)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def child() -> Iterator[ChildProcess]:
    child = ChildProcess(divider_of, 12)
    yield child
    end_processes([child])


def test_answers_come_in_the_order_of_the_requests_and_errors_are_answers(child: ChildProcess) -> None:
    for by in (2, 0, 3):
        child.send(by)
    assert child.receive() == 6
    with pytest.raises(ZeroDivisionError):
        child.receive()
    assert child.receive() == 4


def test_an_interrupt_of_the_whole_group_leaves_it_at_work(child: ChildProcess) -> None:
    child.send(1)
    child.receive()  # so that it has begun
    os.kill(child.pid, signal.SIGINT)
    child.send(6)
    assert child.receive() == 2


def test_one_that_ends_is_told_with_its_status() -> None:
    child = ChildProcess(ender, 7)
    child.send()
    with pytest.raises(ChildEndedError, match="status 7") as caught:
        child.receive()
    assert caught.value.status == 7
    with pytest.raises(ChildEndedError):
        for _ in range(2):  # a pipe may take what nobody will read
            child.send()
            child.receive()
    end_processes([child])


def test_none_is_left_once_they_are_ended(child: ChildProcess) -> None:
    other = ChildProcess(divider_of, 1)
    end_processes([child, other])
    assert not is_alive(child.pid) and not is_alive(other.pid)


def test_a_child_ends_when_its_parent_is_killed() -> None:
    script = f"""
import sys, time
sys.path.insert(0, {os.path.dirname(__file__)!r})
from nashgap.core.child_process import ChildProcess
from {os.path.splitext(os.path.basename(__file__))[0]} import divider_of
if __name__ == "__main__":
    child = ChildProcess(divider_of, 12)
    child.send(4)
    child.receive()
    print(child.pid, flush=True)
    time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_alive(pid)
        parent.kill()
        assert parent.communicate(timeout=30)[0] == ""  # the child has the same output: it is at its end once both are
