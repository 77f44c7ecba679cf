"""How long work shows that it goes on: in logs, in a terminal, in a notebook's cell."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from rich import console

from nashgap.core.job import Progress
from nashgap.runs import Pace, progress
from nashgap.runs.progress import human_bytes, human_seconds, moment, shown

MEASURED = Pace(Progress(100, 1000, "iterations", {"nash_conv": 0.01234}), 2.0, 50.0, 18.0)
BETWEEN = Pace(Progress(150, 1000, "iterations"), 3.0, 50.0, 17.0)


def test_logs_get_few_lines_with_the_newest_measurement(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now)
    with shown(True) as show:
        assert show.on_progress is not None
        show.on_progress(MEASURED)
        now = progress.FIRST_LINE_SECONDS
        show.on_progress(BETWEEN)
        now += 1.0
        show.on_progress(BETWEEN)
        now += progress.LINE_SECONDS
        show.on_progress(MEASURED)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "150/1,000, nash_conv 0.0123, 50/s, 17 s left\n"
        "100/1,000, nash_conv 0.0123, 50/s, 18 s left\n"
    )  # fmt: skip


def test_a_rate_that_means_nothing_yet_is_not_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "FIRST_LINE_SECONDS", 0.0)
    with shown(True) as show:
        assert show.on_progress is not None
        show.on_progress(Pace(Progress(1, 9, "batches"), 0.1, 10.0, None, is_settled=False))
    assert capsys.readouterr().err == "1/9\n"


@pytest.mark.parametrize("wanted", [False, None])
def test_where_nobody_looks_nothing_is_shown(wanted: bool | None, capsys: pytest.CaptureFixture[str]) -> None:
    with shown(wanted) as show:
        show.note("about a second")
        assert show.on_progress is None
    assert capsys.readouterr() == ("", "")


def test_a_function_is_called_with_each_step_and_notes_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[Pace] = []
    with shown(seen.append) as show:
        show.note("about a second")
        assert show.on_progress is not None
        show.on_progress(MEASURED)
    assert seen == [MEASURED]
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_a_terminal_gets_one_live_line_and_standard_output_stays_clean(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "nashgap", "solve", "leduc", "--minutes", "0.01", "--json"]
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=follower) as process:
        os.close(follower)
        shown_text = b""
        try:
            while piece := os.read(leader, 65536):
                shown_text += piece
        except OSError:  # Linux says so when the other side is closed
            pass
        assert process.stdout is not None
        output = process.stdout.read()
    os.close(leader)
    assert process.returncode == 0
    assert output.startswith(b"{\n")
    assert b"nash_conv" in shown_text
    assert b"\x1b[2K" in shown_text  # the line is erased and drawn again, and gone in the end


@pytest.mark.parametrize("width", [120, 80, 60, 40])
def test_rate_and_time_left_are_in_the_line_however_long_a_batch_tells(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a terminal of 80 columns a tournament on a cluster had neither its bar nor its time."""
    written = io.StringIO()
    terminal = partial(console.Console, file=written, force_terminal=True, width=width)
    monkeypatch.setattr(console, "Console", lambda stderr: terminal())
    told = "matchup 3 of 6, part 6 of 60, 2 workers on 2 nodes"
    with progress._live_line() as show:
        show(Pace(Progress(126, 360, "batches", message=told), 84.0, 1.5, 161.0))
    [line, *_] = [each for each in re.split(r"[\r\n]|\x1b\[[0-9;?]*[A-Za-z]", written.getvalue()) if "126/360" in each]
    assert line.rstrip().endswith("1.5/s  2 min 41 s left") and "━" in written.getvalue()
    assert len(line) + progress.NARROW_BAR_WIDTH <= width
    assert ("2 workers on 2 nodes" in line) == (width >= 80)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0027, "2.7 ms"),
        (0.0999, "0.1 s"),
        (3.21, "3.2 s"),
        (59.4, "59 s"),
        (200, "3 min 20 s"),
        (7500, "2 h 5 min"),
        (86400, "1 day 0 h"),
        (1e6, "11 days 13 h"),
    ],
)
def test_times_are_readable(seconds: float, text: str) -> None:
    assert human_seconds(seconds) == text


@pytest.mark.parametrize(("count", "text"), [(812, "812 bytes"), (3.41e6, "3.41 MB"), (64e9, "64 GB")])
def test_sizes_are_readable(count: float, text: str) -> None:
    assert human_bytes(count) == text


def test_moments_are_readable() -> None:
    assert moment("2026-11-16T19:18:59+00:00") == "2026-11-16 19:18 UTC"
