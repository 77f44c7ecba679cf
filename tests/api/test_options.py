"""Options that do not belong are refused by the names that Python has for them; tests/cli has those that are typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import nashgap as ng
from nashgap.errors import OptionError


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ng.solve("kuhn", threads=2), "'kuhn' is no recipe; threads is for recipes"),
        (lambda: ng.solve("leduc-small", simultaneous=True, start="uniform"), "; simultaneous, start are for games"),
        (lambda: ng.forecast("kuhn", solver="lp", iterations=5), "; iterations is for the other solvers"),
        (
            lambda: ng.measure("uniform", game="kuhn", deals=7),
            "deals is no option of br; it is one of lbr, abstract-br and bucket-br",
        ),
        (lambda: ng.measure("uniform", game="kuhn", all_in=False), "all_in is no option of br; it is one of lbr"),
        (lambda: ng.measure("uniform", game="kuhn", luck=1), "luck is no option of br; br has tree, flops"),
        (lambda: ng.measure("always-call", by="lbr"), r"may be for many games; name the game too \(game\)"),
        (lambda: ng.show("always-call"), r"exists for many games; name the game too \(game\)"),
        (lambda: ng.measure("acpc:./bot", game="lhe2", by="lbr"), "it can be asked hand by hand: by_hand"),
        (lambda: ng.reproduce("lbr-table-2", agents=["x"]), "agents: lbr-table-2 needs all of its agents"),
    ],
)
def test_an_option_is_refused_by_its_name_in_python(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        call()
