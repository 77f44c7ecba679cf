from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nashgap.catalogue import REPRODUCTIONS
from nashgap.errors import ConfigError
from nashgap.jobs.reproduction import Request
from nashgap.papers.abou_risk_2009.starts import Start, StartsJob
from nashgap.runs import Run, list_runs, package_version


@pytest.mark.parametrize("wrong", [{"seed": -1}, {"seed": 2**63}, {"seed": 1.5}, {"seed": True}, {"workers": 0}])
def test_request_that_cannot_be_run_is_refused_in_one_line(wrong: dict[str, Any]) -> None:
    ((name, value),) = wrong.items()
    with pytest.raises(ConfigError, match=f"^{name} = {value}; it must be a whole number[^\\n]*$"):
        Request(**wrong)


def test_request_takes_the_whole_range_of_seeds() -> None:
    assert Request(seed=2**63 - 1).seed == 2**63 - 1


@pytest.mark.parametrize("name", ["human-equilibria", "thesis-figure-3.1", "thesis-matching-pennies"])
def test_report_names_the_version_that_made_it(name: str) -> None:
    assert REPRODUCTIONS.load(name)(Request(is_quick=True)).facts["version"] == package_version()


STARTS = StartsJob("small", (Start("cfr", "kuhn(players=3)", "cfr", 10),), 0)


def test_the_run_of_a_job_of_its_own_is_told_and_others_are_not(tmp_path: Path) -> None:
    own: list[Run] = []
    request = Request(runs_root=tmp_path, on_run=own.append)
    shared = request.perform(STARTS)
    assert own == []
    assert request.perform_own(STARTS) == shared
    assert [run.folder for run in own] == [run.folder for run in list_runs(tmp_path)]


def test_runs_lie_in_the_usual_folder_unless_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NASHGAP_RUNS", str(tmp_path / "here"))
    Request().perform(STARTS)
    assert len(list_runs(tmp_path / "here")) == 1
