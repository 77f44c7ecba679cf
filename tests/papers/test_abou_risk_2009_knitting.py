"""Section 2.3 of the thesis: strategies of rounds that were solved apart, knitted together."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from nashgap.jobs import train as jobs_train
from nashgap.jobs.reproduction import Request
from nashgap.papers.abou_risk_2009 import knitting, trained
from nashgap.papers.abou_risk_2009.knitting import also_behind, check_statements, section_2_3
from nashgap.papers.training import train
from nashgap.poker.betting_tree import Truncation
from nashgap.reports.report import write_report
from nashgap.solvers.recipe import load_recipe
from nashgap.strategies.load import load

SECOND = 1 / 60


@pytest.fixture(autouse=True)
def _short_measurements(monkeypatch):
    monkeypatch.setattr(jobs_train, "FINAL_HANDS", 1000)
    monkeypatch.setattr(jobs_train, "SELF_PLAY_HANDS", 1000)
    monkeypatch.setattr(jobs_train, "GAP_DEALS", 100)
    monkeypatch.setattr(jobs_train, "GAP_ITERATIONS", {"public": 1, "external": 100})


SEQUENCES = {"psopti-postflop": ("cc", "rc", "rrc"), "psopti-postflop-base": ("cc", "rc", "crc", "rrc", "crrc")}


def small(name):
    """The recipe for Leduc, whose second round stands for three."""
    own = load_recipe(name)
    leduc = load_recipe("leduc-small")
    cut = own.truncation and Truncation(1, own.truncation.settle)
    after = SEQUENCES.get(name, ())
    return replace(own, rules=leduc.rules, betting=leduc.betting, cards=leduc.cards, truncation=cut, after=after)


def test_a_model_plays_behind_all_betting_that_leads_to_its_pot(tmp_path):
    [expert] = (each for each in small("psopti-postflop").experts() if each.after == ("rc",))
    model = train(expert, 0.3 * SECOND, Request(runs_root=tmp_path)).load()
    both = also_behind(model, "crc", "rc")
    rules = model.rules
    root = rules.root()
    after_rc = root.act(root.legal.max_raise_to).act(0)
    after_crc = root.act(0)
    after_crc = after_crc.act(after_crc.legal.max_raise_to).act(0)
    states = [state.deal(rules.deck[:1]) for state in (after_rc, after_crc)]
    assert states[0].pot == states[1].pot and states[0].seat == states[1].seat
    first, second = both.policies(states)
    np.testing.assert_array_equal(first.probabilities, second.probabilities)


def test_the_three_meet(tmp_path, monkeypatch):
    monkeypatch.setattr(knitting, "load_recipe", small)
    monkeypatch.setattr(knitting, "SAME_POT", {"crc": "rc", "crrc": "rrc"})
    monkeypatch.setattr(trained, "load_recipe", small)
    monkeypatch.setattr(trained, "QUICK_SHARE", 0.05 * SECOND)
    monkeypatch.setattr(knitting, "QUICK_DEALS", 200)
    report = section_2_3(Request(is_quick=True, runs_root=tmp_path))
    sections = {section.title: section for section in report.sections}
    assert len(sections["Matches"].rows) == 10
    assert {row[1] for row in sections["What is reported"].rows} <= {"true", "false", "not decided"}
    write_report(report, tmp_path / "report.html")
    [models] = tmp_path.glob("*/all-pots.safetensors")
    assert [each.prefix_text for each in load(models).segments] == ["cc", "rc", "rrc", "crc", "crrc"]


def test_statements_follow_from_the_matches():
    names = ("PsOpti0", "PsOpti1, check", "PsOpti1, bet", "PsOpti1, best", "PsOpti2")

    def matches(strength):
        return {
            (first, second): SimpleNamespace(winrates=[strength[first] - strength[second]], ci95=[0.01])
            for place, first in enumerate(names)
            for second in names[place + 1 :]
        }

    reported = dict.fromkeys(names, 2.0) | {"PsOpti0": 0.0, "PsOpti2": 1.0}
    assert [each.is_true for each in check_statements(matches(reported))] == [True, True, True, False]
    claimed = reported | {"PsOpti2": 3.0}
    assert [each.is_true for each in check_statements(matches(claimed))] == [False, True, True, True]
