"""`human-rules`: both rules in every reading, and a few rules beside other strategies."""

from __future__ import annotations

from pathlib import Path

import pytest

from nashgap.catalogue import REPRODUCTIONS
from nashgap.core.estimate import Estimate
from nashgap.jobs.reproduction import Request
from nashgap.papers.ganzfried_yusuf_2017.rules import BEATS, QUICK_MAX_RULES, STRONG_HANDS
from nashgap.reports.report import Report, Table
from nashgap.reports.terminal import report_document


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    root: Path = tmp_path_factory.mktemp("runs")
    made = REPRODUCTIONS.load("human-rules")(Request(is_quick=True, runs_root=root))
    assert isinstance(made, Report)
    return made


def table(report: Report, title: str) -> Table:
    return next(each for each in report.sections if isinstance(each, Table) and each.title.startswith(title))


def mean(cell: object) -> float:
    assert isinstance(cell, Estimate)
    return cell.mean


def test_both_rules_have_coverage_agreement_and_price_for_each_choice(report: Report) -> None:
    stated = table(report, "The two rules as stated")
    assert [row[0] for row in stated.rows] == ["80-20 Rule"] * 3 + ["All-in Rule"] * 3
    for row in stated.rows:
        assert 0 < mean(row[2]) < 1
        assert 0 <= mean(row[3]) <= 1
        assert mean(row[5]) >= 0


def test_larger_small_bets_agree_more(report: Report) -> None:
    for row in table(report, "80-20 Rule: readings").rows:
        assert mean(row[2]) <= mean(row[3]) <= mean(row[4])


def test_every_reading_of_the_all_in_rule_is_there(report: Report) -> None:
    readings = table(report, "All-in Rule: readings").rows
    assert [row[:2] for row in readings] == [(beats, strong) for beats in BEATS.values() for strong in STRONG_HANDS]
    coverage = {row[:2]: mean(row[2]) for row in readings}
    for beats in BEATS.values():
        less, more = (coverage[beats, f"cdf of 6 {side} 0.9154"] for side in ("at most", "above"))
        assert less + more == pytest.approx(coverage[beats, "not asked for"])


def test_few_rules_cost_at_most_half_of_the_two(report: Report) -> None:
    prices = {str(row[0]): mean(row[1]) for row in table(report, "All errors in unseen games").rows}
    found = next(price for name, price in prices.items() if name.endswith("round numbers"))
    assert found <= 0.5 * prices["the paper's two rules"]
    assert prices["eight known rules"] <= 0.3 * prices["the paper's two rules"]
    assert {"always check", "equilibrium", "1 nearest game (emd)"} <= prices.keys()
    assert prices["equilibrium"] == 0.0
    assert len(table(report, "What each rule is worth").rows) <= QUICK_MAX_RULES


def test_the_document_has_the_rules_and_the_comparison(report: Report) -> None:
    document = report_document(report)
    titles = [section["title"] for section in document["sections"]]
    assert {
        "The two rules as stated",
        "Exploitability in unseen games",
        "The paper's tree of depth 4 with round numbers",
    } <= set(titles)
    assert document["command"] == "nashgap reproduce human-rules --quick --seed 0"
