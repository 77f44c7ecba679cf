"""Child processes: an answer to each request in their order, errors that are told, and no process left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from nashgap.core.child_process import ChildEndedError, ChildProcess, end_processes
from nashgap.errors import NashGapError


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


def unmade() -> Callable[[], None]:
    raise FileNotFoundError("there is no model")


@pytest.mark.skipif(sys.platform == "win32", reason="its standard error goes elsewhere there")
def test_one_that_cannot_begin_says_why_whatever_the_error(capfd: pytest.CaptureFixture[str]) -> None:
    """An OSError was taken for the end of the pipe."""
    child = ChildProcess(unmade)
    child.send()
    with pytest.raises(ChildEndedError, match="status 1"):
        child.receive()
    end_processes([child])
    assert "FileNotFoundError: there is no model" in capfd.readouterr().err


class UnsendableError(Exception):
    """Takes two arguments, which pickle does not know."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


def failing() -> Callable[[], None]:
    def fail() -> None:
        raise UnsendableError(1, 2)

    return fail


def test_an_error_that_cannot_be_sent_is_told_all_the_same() -> None:
    child = ChildProcess(failing)
    child.send()
    with pytest.raises(NashGapError, match="UnsendableError: 1 and 2") as caught:
        child.receive()
    assert "in fail" in caught.value.__notes__[0], "where it was raised"
    end_processes([child])


def sleeper(seconds: float) -> Callable[[], None]:
    return lambda: time.sleep(seconds)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_a_child_that_is_terminated_ends() -> None:
    child = ChildProcess(sleeper, 60.0)
    child.send()
    time.sleep(1.0)
    os.kill(child.pid, signal.SIGTERM)
    with pytest.raises(ChildEndedError):
        child.receive()
    end_processes([child])


def test_arguments_may_be_larger_than_a_pipe() -> None:
    child = ChildProcess(len_of, b"x" * 10_000_000)
    child.send()
    assert child.receive() == 10_000_000
    end_processes([child])


def len_of(content: bytes) -> Callable[[], int]:
    return lambda: len(content)


def blocked_signals() -> Callable[[], bool]:
    is_blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, set())
    return lambda: is_blocked


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_the_first_child_of_a_process_has_interrupts_blocked_from_its_first_moment() -> None:
    """A process of its own: what Python starts beside the first child lets them through."""
    script = f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from nashgap.core.child_process import ChildProcess
from {os.path.splitext(os.path.basename(__file__))[0]} import blocked_signals
if __name__ == "__main__":
    child = ChildProcess(blocked_signals)
    child.send()
    print(child.receive())
"""
    assert subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True).stdout == "True\n"
