"""Programs as child processes, whatever they are used for."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import wait_until

import nashgap
from nashgap.core import program
from nashgap.core.program import ChildProgram, command_words
from nashgap.errors import AgentError, ConfigError


def has_ended(pid):
    """Whether the process has ended; a zombie has."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


@pytest.mark.parametrize("has_pipes", [False, True])
def test_it_does_not_outlive_a_killed_process(has_pipes):
    script = (
        "import os, signal\nfrom nashgap.core.program import ChildProgram\n"
        f"child = ChildProgram('sleeper', ['sleep', '60'], has_pipes={has_pipes})\n"
        "print(child.process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(nashgap.__file__).parent.parent)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    wait_until(lambda: has_ended(int(done.stdout)), "its end", 10)


def test_what_it_started_ends_with_it():
    child = ChildProgram("nest", ["sh", "-c", "sleep 60 & echo $!; wait"], has_pipes=True)
    grandchild = int(child.process.stdout.readline())
    child.end()
    wait_until(lambda: has_ended(child.process.pid), "its end", 10)
    wait_until(lambda: has_ended(grandchild), "its end", 10)
    assert not child.is_ours


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo one >&2; echo two >&2; exit 3", "hung up; it ended with status 3; its last words: 'two'"),
        ("kill -SEGV $$", "hung up; it ended by SIGSEGV"),
        ("kill -40 $$", "hung up; it ended by signal 40"),
    ],
)
def test_a_failure_tells_how_it_ended_and_its_last_words(script, message):
    child = ChildProgram("my bot", ["sh", "-c", script])
    child.process.wait()
    with pytest.raises(AgentError) as caught:
        child.fail("hung up")
    assert str(caught.value) == f"my bot {message}"
    assert not child.is_ours
    with pytest.raises(AgentError, match="my bot said too much"):  # once more, after the end
        child.fail("said too much")


NODE = """
/bots/bot.js:3
  throw new Error("no model");
  ^

Error: no model
    at Object.<anonymous> (/bots/bot.js:3:9)
    at Module._compile (node:internal/modules/cjs/loader:1256:14)
    at node:internal/main/run_main_module:23:47

Node.js v20.0.0
"""
PYTHON = """Traceback (most recent call last):
  File "/bots/bot.py", line 1, in <module>
    raise ValueError("no model at all")
ValueError: no model at all
"""
GO = "panic: no model\n\ngoroutine 1 [running]:\nmain.main()\n\t/bots/bot.go:4 +0x39\nexit status 2\n"
JAVA = 'Exception in thread "main" java.lang.RuntimeException: no model\n\tat Bot.main(Bot.java:3)\n'
RUST = (
    "thread 'main' panicked at src/main.rs:2:5:\nno model\n"
    "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"
)
RUBY = "bot.rb:2:in `load': no model (RuntimeError)\n\tfrom bot.rb:5:in `<main>'\n"


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (NODE, "Error: no model"),
        (PYTHON, "ValueError: no model at all"),
        (GO, "panic: no model"),
        (JAVA, 'Exception in thread "main" java.lang.RuntimeException: no model'),
        (RUST, "no model"),
        (RUBY, "bot.rb:2:in `load': no model (RuntimeError)"),
        ("loading\nat least one model is needed\n\n", "at least one model is needed"),
        ("Node.js v20.0.0\n", "Node.js v20.0.0"),
        ("x" * 1000 + "y", "x" * 299 + "y"),
        ("", ""),
    ],
    ids=["node", "python", "go", "java", "rust", "ruby", "own words", "nothing else", "long", "silent"],
)
def test_last_words_are_the_error_and_not_what_the_runtime_adds(tmp_path, written, words):
    (tmp_path / "words").write_text(written)
    child = ChildProgram("my bot", ["sh", "-c", f"cat {tmp_path / 'words'} >&2; exit 1"])
    child.process.wait()
    with pytest.raises(AgentError) as caught:
        child.fail("hung up")
    said = f"; its last words: {words!r}" if words else ""
    assert str(caught.value) == f"my bot hung up; it ended with status 1{said}"


def test_a_failure_ends_what_is_still_running():
    child = ChildProgram("my bot", ["sleep", "60"])
    with pytest.raises(AgentError, match=r"my bot says nothing$"):
        child.fail("says nothing")
    wait_until(lambda: has_ended(child.process.pid), "its end", 10)


def test_a_program_without_a_guard_is_ended(monkeypatch):
    started = []
    popen = subprocess.Popen

    def start(words, **options):
        started.append(popen(words, **options))
        return started[-1]

    monkeypatch.setattr(program, "GUARD", ("/no/shell",))
    monkeypatch.setattr(program.subprocess, "Popen", start)
    with pytest.raises(ConfigError, match="my bot cannot be guarded: /no/shell: No such file or directory"):
        ChildProgram("my bot", ["sleep", "60"])
    wait_until(lambda: has_ended(started[0].pid), "its end", 10)


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(ConfigError, match="my bot cannot be started: /no/such: No such file or directory"):
        ChildProgram("my bot", ["/no/such"])


def test_windows_is_refused_before_anything_is_started(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ConfigError, match=r"strategy 'exec:.*': programs are started on Linux and macOS only.*WSL"):
        command_words("strategy", "exec:C:\\bot.exe", "C:\\bot.exe")


def test_memory_is_limited_on_linux_only(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(ConfigError, match="the memory of a program can be limited on Linux only"):
        ChildProgram("my bot", ["sleep", "60"], memory_bytes=10**9)


DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open({file!r}, "w") as file:
            file.write(str(os.getpid()) + "\\n")
        time.sleep(60)
    os._exit(0)
while not os.path.exists({file!r}) or not open({file!r}).read().endswith("\\n"):
    time.sleep(0.01)
{then}
"""


def number_of(file: Path) -> int:
    return int(wait_until(lambda: file.exists() and file.read_text().endswith("\n") and file.read_text(), "a daemon"))


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only where processes tell their environment")
@pytest.mark.parametrize("then", ["time.sleep(60)", ""])
def test_what_has_left_its_process_group_ends_with_it(tmp_path, then):
    """Whether the program itself still runs or has ended before."""
    file = tmp_path / "number"
    running = ChildProgram("bot", [sys.executable, "-c", DAEMON.format(file=str(file), then=then)])
    number = number_of(file)
    assert os.getsid(number) != running.process.pid
    running.end()
    wait_until(lambda: has_ended(number), "its end", 10)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only where processes tell their environment")
def test_what_has_left_its_process_group_does_not_outlive_a_killed_process(tmp_path):
    file = tmp_path / "number"
    script = DAEMON.format(file=str(file), then="time.sleep(60)")
    code = (
        f"from nashgap.core.program import ChildProgram; import sys, time\n"
        f"running = ChildProgram('bot', [sys.executable, '-c', {script!r}])\ntime.sleep(60)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code])
    number = number_of(file)
    owner.kill()
    owner.wait()
    wait_until(lambda: has_ended(number), "its end", 10)
