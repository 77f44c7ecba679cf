"""Runs commands in a folder of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nashgap.cli.main import main


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON document of standard output; NaN and infinities are refused."""
        document: dict[str, Any] = json.loads(self.out, parse_constant=pytest.fail)
        return document


@pytest.fixture
def nashgap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Outcome]:
    """Call a command in an empty folder, whose `runs` is the folder of runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NASHGAP_RUNS", raising=False)
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words: str) -> Outcome:
        capsys.readouterr()
        status = main(words)
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return call
