"""`reproduce`: a table or figure of a paper as a result that shows itself, with its page where the runs lie."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nashgap.api import reproduce as module
from nashgap.api.reproduce import Reproduction, reproduce
from nashgap.catalogue import REPRODUCTIONS, Registry
from nashgap.errors import ConfigError, OutputError
from nashgap.jobs.perform import Interrupted
from nashgap.jobs.reproduction import Request
from nashgap.papers.abou_risk_2009.starts import Start, StartsJob
from nashgap.reports.report import Report, Text
from nashgap.runs import list_runs, package_version

PENNIES = "thesis-matching-pennies"
TABLE = "thesis-table-3.1"


def report_of(request: Request) -> Report:
    return Report("A table", f"Seed {request.seed}.", (Text("Remarks", ("One.",)),), "nashgap reproduce a-table")


def with_a_run(request: Request) -> Report:
    request.perform_own(StartsJob(TABLE, (Start("cfr", "kuhn(players=3)", "cfr", 10),), request.seed))
    return report_of(request)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Request], Report]], None]:
    """Put a function in the place of every reproduction."""
    load = Registry.load

    def put(function: Callable[[Request], Report]) -> None:
        monkeypatch.setattr(
            Registry, "load", lambda registry, name: function if registry is REPRODUCTIONS else load(registry, name)
        )

    return put


def test_a_reproduction_is_a_result_that_shows_itself(tmp_path: Path) -> None:
    made = reproduce(PENNIES, run=tmp_path)
    assert isinstance(made, Reproduction)
    assert made.summary.startswith("7 of the 7 figures of the section are confirmed exactly.")
    assert made.report().title == "Three-player matching pennies (thesis, section 3.1.1)"
    assert made.path == tmp_path / f"{PENNIES}.html"
    assert made.report().title in made.path.read_text()
    assert repr(made).startswith("<Reproduction: 7 of the 7 figures")
    assert len(repr(made)) < 400
    assert "all random: value of each player" in made._repr_html_()
    assert made.provenance.command == f"nashgap reproduce {PENNIES} --seed 0"
    told = json.loads(json.dumps(made.as_dict(), allow_nan=False))
    assert list(told) == [
        *("name", "is_quick", "seed", "report", "version"),
        *("title", "summary", "command", "facts", "sections"),
    ]
    assert (told["name"], told["is_quick"], told["seed"], told["version"]) == (PENNIES, False, 0, package_version())
    assert told["report"] == str(made.path)


@pytest.mark.parametrize(
    ("options", "page"),
    [
        ({}, f"{TABLE}.html"),
        ({"quick": True}, f"{TABLE}-quick.html"),
        ({"quick": True, "seed": 7}, f"{TABLE}-quick-seed-7.html"),
    ],
)
def test_other_numbers_have_another_page(
    stand_in: Callable[..., None], tmp_path: Path, options: dict[str, Any], page: str
) -> None:
    stand_in(report_of)
    assert reproduce(TABLE, run=tmp_path, **options).path == tmp_path / page
    assert [path.name for path in tmp_path.iterdir()] == [page]


def test_a_run_of_its_own_keeps_the_page_and_the_summary(stand_in: Callable[..., None], tmp_path: Path) -> None:
    stand_in(with_a_run)
    made = reproduce(TABLE, run=tmp_path)
    (run,) = list_runs(tmp_path)
    assert made.path == run.folder / "report.html" and "A table" in made.path.read_text()
    assert made.provenance.run == run.folder and made.provenance.seconds == run.seconds > 0
    assert (run.status, run.summary) == ("finished", "Seed 0.")
    assert not list(tmp_path.glob("*.html"))


def test_what_was_finished_before_says_when(
    stand_in: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(with_a_run)
    assert reproduce(TABLE, run=tmp_path).provenance.finished_at is None
    (run,) = list_runs(tmp_path)

    class Later(module.datetime):  # type: ignore[misc]
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return module.datetime(2999, 1, 1, tzinfo=tz)

    monkeypatch.setattr(module, "datetime", Later)
    assert reproduce(TABLE, run=tmp_path).provenance.finished_at == run.finished_at


def test_without_a_run_nothing_is_kept(
    stand_in: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NASHGAP_RUNS", raising=False)
    folders = []

    def remembered(request: Request) -> Report:
        folders.append(request.runs_root)
        return with_a_run(request)

    stand_in(remembered)
    made = reproduce(TABLE, run=False)
    assert made.path is None and made.provenance.run is None and made.as_dict()["report"] is None
    assert not folders[0].exists() and not list(tmp_path.iterdir())
    assert reproduce(TABLE).path is not None and folders[1] == Path("runs")


def test_a_wrong_name_is_answered_with_the_close_one(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"unknown reproduction 'thesis-table-31' \(did you mean 'thesis-table-3.1'\?"
    ):
        reproduce("thesis-table-31", run=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_agents_are_refused_where_all_are_needed(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match="agents: lbr-table-2 needs all of its agents; for lbr-table-3, thesis-future-work"
    ):
        reproduce("lbr-table-2", agents=["fcpa"], run=tmp_path)


def test_a_folder_that_cannot_be_written_is_told_before_the_work(stand_in: Callable[..., None], tmp_path: Path) -> None:
    def refuse(request: Request) -> Report:
        raise AssertionError("nothing is worked on")

    stand_in(refuse)
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="file: cannot be written"):
        reproduce(TABLE, run=tmp_path / "file")


def test_progress_and_notes_are_shown_unless_nobody_looks(
    stand_in: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def noting(request: Request) -> Report:
        request.note("this takes a minute")
        return with_a_run(request)

    stand_in(noting)
    reproduce(TABLE, run=tmp_path, progress=False)
    assert capsys.readouterr().err == ""
    reproduce(TABLE, run=tmp_path, progress=True)
    assert capsys.readouterr().err == "this takes a minute\n"
    steps: list[Any] = []
    reproduce(TABLE, seed=1, run=tmp_path, progress=steps.append)
    assert [pace.progress.message for pace in steps] == ["cfr"]


@pytest.mark.parametrize(("is_kept", "words"), [(True, "continue with: the same command"), (False, "nothing was kept")])
def test_an_interrupt_says_what_was_kept(
    stand_in: Callable[..., None], tmp_path: Path, is_kept: bool, words: str
) -> None:
    stand_in(with_a_run)

    def stop(pace: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted, match=f"^interrupted; .*{words}$"):
        reproduce(TABLE, run=tmp_path if is_kept else False, progress=stop)
