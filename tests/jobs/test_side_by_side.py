"""Several measures of one strategy in one table."""

from __future__ import annotations

import json
from typing import Any

import pytest

import nashgap as ng
from nashgap.cli.main import main
from nashgap.errors import OptionError
from nashgap.jobs.side_by_side import SideBySide


@pytest.fixture(scope="module")
def compared() -> SideBySide:
    found = ng.measure("always-call", game="leduc2", by="br,lbr,abr", deals=2000, episodes=20_000, games=20_000)
    assert isinstance(found, SideBySide)
    return found


def test_all_tell_what_a_nemesis_wins_of_a_game(compared: SideBySide) -> None:
    """No bound is above the exact value, but for its interval."""
    exact = ng.measure("always-call", game="leduc2").exploitability
    assert compared.wins["br"] == exact
    for method in ("lbr", "abr"):
        won = compared.wins[method]
        assert not isinstance(won, float)
        assert won.unit == compared.unit
        assert won.mean - 2.5 * won.ci95 <= exact
        assert won.mean > 0.9 * exact - 2.5 * won.ci95


def test_the_table_has_a_row_for_each(compared: SideBySide) -> None:
    [table] = compared.report().sections
    assert [row[0] for row in table.rows] == ["br", "lbr", "abr"]
    assert compared.as_dict()["found"]["abr"]["method"] == "abr"
    assert "a best response wins" in compared.summary


def test_options_go_to_the_methods_that_have_them(capsys: Any, tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    words = "measure always-call --game kuhn2 --by lbr,abr --lines dealt --deals 100 --episodes 600 --games 100"
    words += " --seed 3 --json -q"
    assert main(words.split()) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["found"]["lbr"]["deals"] == 100
    assert told["found"]["abr"]["games"] == 100
    assert told["found"]["lbr"]["seed"] == told["found"]["abr"]["seed"] == 3


@pytest.mark.parametrize(
    ("by", "options", "message"),
    [
        ("lbr,abstract-br", {}, "abstract-br cannot stand beside others; br, lbr and abr can"),
        ("abr,abr", {}, "each method once"),
        ("lbr,abr", {"threads": 2}, "threads is no option of lbr and abr; it is one of abstract-br"),
    ],
)
def test_what_cannot_be_compared_is_refused(by: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        ng.measure("always-call", game="leduc2", by=by, **options)
