"""Ganzfried & Yusuf, Computing human-understandable strategies (2017), section 1."""

from __future__ import annotations

import numpy as np
import pytest

from nashgap.catalogue import REPRODUCTIONS
from nashgap.jobs.reproduction import Request
from nashgap.papers.ganzfried_yusuf_2017.printed_equilibria import (
    PRINTED,
    Measured,
    equilibria,
    measure_printed,
    value_within,
)
from nashgap.reports.report import Table, Text

WITHOUT, WITH, EXTREMES_FIRST, MEDIUM_FIRST = range(4)


@pytest.fixture(scope="module")
def measured() -> list[Measured]:
    return [measure_printed(printed) for printed in PRINTED]


def test_printed_probabilities_of_each_card_add_up_to_one() -> None:
    for printed in PRINTED:
        np.testing.assert_allclose(printed.table().sum(axis=1), 1.0, atol=1e-12)


@pytest.mark.parametrize("place", [WITHOUT, WITH])
def test_uniform_value_by_two_formulations(measured: list[Measured], place: int) -> None:
    """The sequence form on the compiled tree and the program over bet probabilities share no code."""
    expected = {WITHOUT: 0.065736485736, WITH: 0.066032312515}[place]
    assert measured[place].value == pytest.approx(measured[place].direct_value, abs=1e-9)
    assert measured[place].value == pytest.approx(expected, abs=1e-9)


def test_figures_2_and_3_are_exact_equilibria(measured: list[Measured]) -> None:
    """Worth 3/8 to the player who knows whether it is best or worst, and 0 to the one who does not."""
    for place, value in ((EXTREMES_FIRST, 3 / 8), (MEDIUM_FIRST, 0.0)):
        assert measured[place].value == pytest.approx(value, abs=1e-12)
        assert measured[place].worst == pytest.approx(value, abs=1e-12)
        assert measured[place].direct_value == pytest.approx(value, abs=1e-9)


def test_rounding_explains_figure_1_without_replacement_only(measured: list[Measured]) -> None:
    assert measured[WITHOUT].loss == pytest.approx(3.537e-5, abs=1e-8)
    assert measured[WITHOUT].unexplained_loss == 0.0
    assert measured[WITH].loss == pytest.approx(2.0131e-4, abs=1e-8)
    assert measured[WITH].unexplained_loss == pytest.approx(1.7171e-4, abs=1e-8)


def test_unrounded_strategy_is_an_equilibrium_that_prints_as_the_paper_does(measured: list[Measured]) -> None:
    unrounded = measured[WITHOUT].unrounded
    np.testing.assert_allclose(np.round(unrounded, 3), PRINTED[WITHOUT].table(), atol=1e-9)
    np.testing.assert_allclose(unrounded[0, [1, 6, 18]], [1 / 11, 41 / 154, 9 / 14], atol=1e-8)
    value, _ = value_within(PRINTED[WITHOUT].game, PRINTED[WITHOUT].joint, unrounded, unrounded)
    assert value == pytest.approx(measured[WITHOUT].value, abs=1e-9)


@pytest.mark.parametrize("place", range(4))
def test_direct_program_and_best_response_agree_on_the_worst_case(measured: list[Measured], place: int) -> None:
    printed = PRINTED[place]
    worst, _ = value_within(printed.game, printed.joint, printed.table(), printed.table())
    assert worst == pytest.approx(measured[place].worst, abs=1e-9)


def test_report_says_which_deal_the_digits_fit() -> None:
    report = equilibria(Request(is_quick=True))
    table = next(section for section in report.sections if isinstance(section, Table))
    assert [row[-1] for row in table.rows] == [0.0, 0.000172, 0.0, 0.0]
    (text,) = (section for section in report.sections if isinstance(section, Text))
    assert "3 of the 3 printed strategies are equilibria" in report.summary
    assert "card 1 bets with 1/11, 41/154, 9/14." in text.paragraphs[0]
    assert "are those of a deal without replacement" in text.paragraphs[1]
    assert equilibria(Request(is_quick=True)) == report
    assert REPRODUCTIONS.load("human-equilibria") is equilibria
