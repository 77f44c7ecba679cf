"""A report that cannot be written costs the report: the numbers are told first."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def in_the_way(path: Path) -> Path:
    """A folder in the page's place is what nobody can write over, whoever they are."""
    path.mkdir(parents=True)
    return path


def test_a_page_that_could_never_be_written_is_told_before_the_work(
    nashgap: Callable[..., Any], tmp_path: Path
) -> None:
    in_the_way(tmp_path / "page.html")
    measured = nashgap("measure", "always-call", "--game", "leduc2", "--by", "lbr", "--report", "page.html")
    assert (measured.status, measured.out) == (2, "")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("is_json", [False, True])
def test_a_page_that_is_lost_on_the_way_is_told_after_the_numbers(
    nashgap: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_json: bool
) -> None:
    """The disk of the page may fill, or its folder go, while the work is done; here the bot itself spoils it."""
    (tmp_path / "spoiler.py").write_text(
        "from pathlib import Path\n"
        "class Caller:\n"
        "    def act(self, view):\n"
        "        Path('page.html').mkdir(exist_ok=True)\n"
        "        return 0\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    compare = ["compare", "python:spoiler:Caller", "always-call", "--game", "leduc2", "--by", "match", "--deals", "20"]
    compared = nashgap(*compare, "--report", "page.html", "-q", *(["--json"] if is_json else []))
    assert compared.status == 2
    assert compared.err == "nashgap: cannot write page.html: it is a folder\n"
    assert "always-call" in compared.out
    if is_json:
        assert json.loads(compared.out)["report"] is None


@pytest.mark.parametrize(("name", "what"), [("report.html", "report"), ("result.json", "result")])
def test_a_run_whose_report_cannot_be_written_tells_its_numbers(
    nashgap: Callable[..., Any], tmp_path: Path, name: str, what: str
) -> None:
    solve = ["solve", "kuhn", "--iterations", "20", "--json", "-q"]
    wanted = nashgap(*solve).json
    folder = Path(wanted["run"])
    (tmp_path / folder / name).unlink()
    in_the_way(tmp_path / folder / name)
    again = nashgap(*solve)
    assert again.status == 0
    assert again.err == f"nashgap: warning: the {what} is missing: cannot write {folder / name}: it is a folder\n"
    assert again.json["nash_conv"] == wanted["nash_conv"]


def test_a_reproduction_whose_page_cannot_be_written_tells_its_numbers(
    nashgap: Callable[..., Any], tmp_path: Path
) -> None:
    reproduce = ["reproduce", "thesis-table-3.1", "--quick", "--json", "-q"]
    page = tmp_path / nashgap(*reproduce).json["report"]
    page.unlink()
    in_the_way(page)
    made = nashgap(*reproduce)
    assert made.status == 0, made.err
    assert "warning: the report is missing: cannot write" in made.err
    assert made.json["report"] is None
