"""Table 3.3 and Figures 4.2 and 4.3 of the thesis: copies of an agent against each other, and poki's hands."""

import pytest

from nashgap.jobs.reproduction import Request
from nashgap.papers.abou_risk_2009.frequencies import TABLE_4_1, button_matrix
from nashgap.papers.abou_risk_2009.self_play import TABLE_3_3, play_copies
from nashgap.strategies.spec import parse_bot


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.mark.parametrize("agent", ["always-call", "probe", "always-raise"])
def test_chumps_deviate_as_printed(runs, agent):
    """20,000 deals of the quick mode: within 1% of the print."""
    result = play_copies(parse_bot(agent), Request(is_quick=True, runs_root=runs))
    assert result.stdev.mean() == pytest.approx(TABLE_3_3[agent], rel=0.01)
    assert result.winrates.any() == (agent == "probe")  # the others have no chance in them: exactly 0


def test_pokis_hands_on_the_button_are_drawn_beside_the_print():
    """Figures 4.2 and 4.3: both settings raise the same hands; the loose one folds as often as Table 4.1 says."""
    tight, loose = button_matrix("tight", is_tight=True), button_matrix("loose", is_tight=False)
    assert [cell.shares["raise"] for cell in tight.cells] == [cell.shares["raise"] for cell in loose.cells]
    assert 100 * loose.overall()["fold"] == pytest.approx(TABLE_4_1.shares["f"], abs=0.5)
    assert tight.overall()["fold"] > 2 * loose.overall()["fold"]
