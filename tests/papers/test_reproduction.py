from __future__ import annotations

from typing import Any

import pytest

from nashgap.catalogue import REPRODUCTIONS
from nashgap.errors import ConfigError
from nashgap.papers.reproduction import Request
from nashgap.runs import package_version


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
