"""Tables 3.3 and 4.1 of the thesis: copies of an agent against each other."""

import pytest

from nashgap.papers.abou_risk_2009 import table_3_3, table_4_1
from nashgap.papers.abou_risk_2009.self_play import TABLE_3_3, TABLE_4_1, TABLE_4_1_TOTAL, button_matrix
from nashgap.papers.reproduction import Request


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


def test_chumps_deviate_as_printed(runs):
    """20,000 deals of the quick mode: within 1% of the print."""
    report = table_3_3(Request(is_quick=True, runs_root=runs))
    rows = {row[0]: row for row in report.sections[0].rows}
    assert set(rows) == set(TABLE_3_3)
    for agent in ("always-call", "probe", "always-raise"):
        assert rows[agent][2] == pytest.approx(TABLE_3_3[agent], rel=0.01)
    assert rows["always-raise"][5] == rows["always-call"][5] == "exactly 0"
    assert rows["Multi2"][2] == "not built yet"


def test_printed_frequencies_add_up_to_the_printed_total():
    """Their sum is 52.06: rounding."""
    assert sum(TABLE_4_1.values()) == pytest.approx(TABLE_4_1_TOTAL, abs=0.011)


def test_poki_stands_beside_the_print(runs):
    report = table_4_1(Request(is_quick=True, runs_root=runs))
    rows = {row[0]: row for row in report.sections[0].rows}
    assert rows["f"][1] == 20.67
    assert rows["Total"][2] == pytest.approx(sum(row[2] for text, row in rows.items() if text != "Total"), abs=0.05)


def test_pokis_hands_on_the_button_are_drawn_beside_the_print():
    """Figures 4.2 and 4.3: both settings raise the same hands; the loose one folds as often as Table 4.1 says."""
    tight, loose = button_matrix("tight", is_tight=True), button_matrix("loose", is_tight=False)
    assert [cell.shares["raise"] for cell in tight.cells] == [cell.shares["raise"] for cell in loose.cells]
    assert 100 * loose.overall()["fold"] == pytest.approx(TABLE_4_1["f"], abs=0.5)
    assert tight.overall()["fold"] > 2 * loose.overall()["fold"]
