"""What agents win more than others in their place; what the thesis expects of future work."""

import numpy as np
import pytest

from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError
from nashgap.jobs.match import MatchJob
from nashgap.jobs.perform import perform
from nashgap.jobs.reproduction import Request
from nashgap.papers.abou_risk_2009 import changes, future_work, section_6_1
from nashgap.papers.abou_risk_2009.changes import Change, ChangesJob, deals_to_decide
from nashgap.papers.training import TrainedAgent
from nashgap.poker.rules import load_rules
from nashgap.reports.report import write_report
from nashgap.strategies.spec import parse_bot

RULES = load_rules("lhe3")
CALL, TRIPLE, OTHER = (parse_bot(text) for text in ("always-call", "triple(0.1,0.6,0.3)", "triple(0.2,0.4,0.4)"))


def test_a_change_is_the_difference_of_two_matches_on_the_same_cards(monkeypatch, tmp_path):
    monkeypatch.setattr(changes, "DEALS_PER_BATCH", 500)
    kinds = (Change("a", TRIPLE, OTHER, (CALL, OTHER)), Change("b", CALL, OTHER, (CALL, OTHER)))
    job = ChangesJob(RULES, kinds, 3, 2_000)
    found = perform(job, run=tmp_path)
    for change, estimate in zip(kinds, found, strict=True):
        new, old = (
            perform(MatchJob(rules=RULES, agents=(bot, *change.opponents), deals=2_000, seed=3))
            for bot in (change.new, change.old)
        )
        assert estimate.mean == pytest.approx(new.winrates[0] - old.winrates[0], abs=1e-9)
        assert 0 < estimate.ci95 < 2 * np.hypot(new.ci95[0], old.ci95[0])
        assert estimate.samples == 2_000
    with pytest.raises(ConfigError, match="a multiple of 500 is needed"):
        ChangesJob(RULES, kinds, 3, 700)


def test_how_many_deals_would_decide():
    def change(mean, ci95):
        return Estimate(mean, ci95, 1000, "sb_per_hand", "match", 0)

    assert deals_to_decide(change(0.1, 0.05)) is None
    assert deals_to_decide(change(-0.05, 0.1)) == 4000


def test_expectations_are_decided_by_their_intervals(monkeypatch, tmp_path):
    facts = {"iterations": 1000, "seconds": 60.0, "unvisited_share": 0.01}

    class StandIn(TrainedAgent):
        def bot(self):
            return CALL if self.recipe == "base" else TRIPLE

        def load(self):
            return None

    base, better = (StandIn(name, tmp_path / "none", facts, ()) for name in ("base", "better"))
    monkeypatch.setattr(future_work, "trained_agent", lambda name, request: base)
    monkeypatch.setattr(future_work, "trained_recipe", lambda name, request: better)
    monkeypatch.setattr(future_work, "trained_experts", lambda name, request, own=None: (name, own))
    monkeypatch.setattr(future_work, "master_of", lambda own, experts: OTHER if experts[1] is None else own)
    monkeypatch.setattr(future_work, "QUICK_DEALS", 400)
    monkeypatch.setattr(changes, "DEALS_PER_BATCH", 200)
    report = section_6_1(Request(is_quick=True, runs_root=tmp_path, agents=("hue5-base", "hue5-mixed", "ir64")))
    rows = {row[0]: row for row in report.sections[0].rows}
    assert len(rows) == 4
    same = rows["experts seeded with IR16's own play improve IR16"]
    assert same[1:3] == ("not decided", "+0.0000 ± 0.0000 sb_per_hand")
    assert {row[1] for row in rows.values()} <= {"true", "false", "not decided"}
    write_report(report, tmp_path / "report.html")
    with pytest.raises(ConfigError, match=r"unknown agent 'hue6'; known: hue10-base"):
        section_6_1(Request(agents=("hue6",), runs_root=tmp_path))
