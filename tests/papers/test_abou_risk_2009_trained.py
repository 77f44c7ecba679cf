"""Reproductions that train agents: chumps stand in for these, and small games for large ones."""

from dataclasses import replace

import pytest

from nashgap.arena.cross_table import CrossTable, Matchup
from nashgap.catalogue import JOBS
from nashgap.errors import ConfigError
from nashgap.jobs import train as jobs_train
from nashgap.jobs.match import MatchJob
from nashgap.jobs.perform import perform
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.abou_risk_2009 import (
    figures_3_2_to_3_6,
    figures_4_2_to_4_4,
    figures_4_5_to_4_9,
    frequencies,
    master_tournament,
    masters_lbr,
    played,
    round_reduction,
    section_2_2_2,
    self_play,
    tables_4_1_to_4_4,
    tournament,
    trained,
)
from nashgap.papers.abou_risk_2009.cross_tables import CHAPTER_3, CHAPTER_4
from nashgap.papers.abou_risk_2009.frequencies import TABLE_4_1, TABLE_4_2, TABLE_4_3, TABLE_4_4, Counts
from nashgap.papers.abou_risk_2009.round_reduction import Gap, GapsJob
from nashgap.papers.abou_risk_2009.tournament import check_statements
from nashgap.papers.statements import all_true, is_positive
from nashgap.papers.training import TrainedAgent, train
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.rules import load_rules
from nashgap.reports.report import Text, write_report
from nashgap.runs import list_runs
from nashgap.solvers.recipe import load_recipe
from nashgap.strategies.load import load as parse_and_load
from nashgap.strategies.spec import parse_bot

SECOND = 1 / 60


@pytest.fixture(autouse=True)
def _short_measurements(monkeypatch):
    """Of training, which takes less than a second here."""
    monkeypatch.setattr(jobs_train, "FINAL_HANDS", 1000)
    monkeypatch.setattr(jobs_train, "SELF_PLAY_HANDS", 1000)
    monkeypatch.setattr(jobs_train, "FIRST_RECORD_SECONDS", 0.1)


def test_minutes_are_part_of_the_command_and_checked():
    assert command_of("thesis-section-2.2.2", Request(minutes=2.5)).endswith("--minutes 2.5 --seed 0")
    with pytest.raises(ConfigError, match="minutes = 0; it must be more than 0"):
        Request(minutes=0)


# Tables 3.3 and 4.1 to 4.4


@pytest.mark.parametrize("printed", [TABLE_4_1, TABLE_4_2, TABLE_4_3, TABLE_4_4])
def test_printed_frequencies_add_up_to_the_printed_total(printed):
    assert sum(printed.shares.values()) == pytest.approx(printed.total, abs=0.021)  # rounding


def test_heads_up_hands_have_exactly_one_fold_before_the_flop():
    """Random players: recounted from the probabilities of their choices, a third each unless a check is free."""
    bot = parse_bot("triple(0.5,0.5,0)")
    counts = Counts.of(perform(MatchJob(rules=load_rules("lhe3"), agents=(bot,) * 3, deals=4000)))
    assert counts.all["f"] == pytest.approx(50, abs=1)  # the button folds
    assert counts.heads_up["f"] == pytest.approx(25, abs=1)  # and the small blind does not
    assert counts.heads_up["cf"] == counts.all["cf"] == pytest.approx(25, abs=1)  # the big blind checks
    assert set(counts.heads_up) == {"f", "cf"}


def test_the_count_that_fits_is_named():
    counts = Counts({"f": 40.0, "rf": 30.0}, {"f": 29.0, "rf": 26.0, "rcf": 10.0})
    assert counts.nearer(TABLE_4_2) == "two play on"
    assert counts.distance(TABLE_4_2, "two play on") == pytest.approx(0.27 + 0.4 + 0.04 + 1.54)


@pytest.fixture
def stand_ins(monkeypatch, tmp_path):
    """Chumps in the place of trained agents."""
    point = {"seconds": 30.0, "line_f": 0.3, "line_total": 0.6}
    facts = {"iterations": 1000, "seconds": 60.0, "unvisited_share": 0.01}

    class StandIn(TrainedAgent):
        def bot(self, fallback="uniform"):
            return parse_bot({"uniform": "triple(0.2,0.4,0.4)", "call": "triple(0.3,0.3,0.4)"}[fallback])

        def load(self):
            return None

    agent = StandIn("chump", tmp_path / "none", facts, (point, {**point, "seconds": 60.0}))
    for module in (self_play, frequencies, tournament):
        monkeypatch.setattr(module, "trained_agent", lambda name, request: agent)
    monkeypatch.setattr(self_play, "QUICK_DEALS", 500)
    monkeypatch.setattr(self_play, "QUICK_POKI_DEALS", 30)
    monkeypatch.setattr(played, "QUICK_DEALS", 4)
    return Request(is_quick=True, runs_root=tmp_path)


def test_tables_of_trained_agents_stand_beside_the_print(stand_ins, tmp_path):
    report = tables_4_1_to_4_4(stand_ins)
    sections = {section.title: section for section in report.sections}
    rows = {row[0]: row for row in sections["Table 4.1"].rows}
    assert rows["f"][1] == TABLE_4_1.shares["f"] == 20.67
    assert all(row[2] <= row[3] for row in rows.values())
    rows = {row[0]: row for row in sections["Table 4.2"].rows}
    assert rows["f"][1] == 29.27 and rows["Total"][1] == 66.38
    assert rows["f"][2:4] == rows["f"][4:6]  # the same stand-in for both kinds of halves
    assert rows["Total"][2] == pytest.approx(sum(row[2] for text, row in rows.items() if text != "Total"), abs=0.05)
    assert rows["f"][2] < rows["f"][3]
    near = sections["How near"].rows
    assert {row[0] for row in near} == {"Multi2", "Multi2, plain", "IR16_20M", "IR16_43M"}
    assert all((abs(row[4]) <= row[5]) == (row[6] == "yes") for row in near)
    curve = sections["chump while it was trained"].curves[0]
    assert (curve.name, list(curve.x), list(curve.y)) == ("f", [0.5, 1.0], [30.0, 30.0])
    write_report(report, tmp_path / "report.html")


def test_deviations_of_all_seven_agents_are_reported(stand_ins):
    rows = {row[0]: row for row in self_play.table_3_3(stand_ins).sections[0].rows}
    assert (rows["IR16_20M"][1], rows["IR16_43M"][1], rows["Multi2"][1]) == (4.65, 4.66, 4.98)
    assert all(isinstance(row[2], float) for row in rows.values())


# Figures 3.2 to 3.6


def test_the_printed_cells_bear_out_what_section_3_5_3_says():
    statements = check_statements(played.Played.of(CHAPTER_3.table()))
    assert [each.text for each in statements if not each.is_true] == []
    assert len(statements) == 8


IR16_LOSES = "{} loses only to Always-Raise with Probe"
POKI_WINS = "Poki wins most in any matchup, against Always-Call and Always-Raise"
CALL_LOSES = "Always-Call does worse than folding every hand"


def changed(printed, player, opponents, winrate):
    """The printed table with one cell otherwise."""
    table = printed.table()
    place = next(i for i, each in enumerate(table.matchups) if set(each.players) == {player, *opponents})
    old = table.matchups[place]
    winrates = tuple(winrate if name == player else old.winrate(name) for name in old.players)
    matchups = (*table.matchups[:place], Matchup(old.players, winrates), *table.matchups[place + 1 :])
    return played.Played.of(CrossTable(table.players, matchups, unit=table.unit))


@pytest.mark.parametrize(
    ("player", "opponents", "winrate", "wrong"),
    [
        ("IR16_20M", ("Poki", "Multi2"), -0.01, {IR16_LOSES.format("IR16_20M")}),
        ("IR16_43M", ("AR", "Probe"), 0.01, {IR16_LOSES.format("IR16_43M"), "Multi2 alone wins there"}),
        ("AC", ("AR", "Probe"), 5.0, {POKI_WINS, "Always-Call wins in no matchup", CALL_LOSES}),
        ("Multi2", ("AC", "AR"), 1.2, {POKI_WINS}),
        ("Multi2", ("AC", "AR"), -9.0, {"the CFR agents take the first three places by bankroll"}),
    ],
)
def test_a_statement_that_a_cell_contradicts_is_false(player, opponents, winrate, wrong):
    statements = check_statements(changed(CHAPTER_3, player, opponents, winrate))
    assert {each.text for each in statements if not each.is_true} == wrong


def test_the_tournament_stands_beside_the_print_under_both_fallbacks(stand_ins, tmp_path):
    report = figures_3_2_to_3_6(stand_ins)
    sections = {section.title: section for section in report.sections}
    for fallback in ("uniform", "call"):
        cells = sections[f"Cells of Figure 3.2, fallback={fallback}"].rows
        assert len(cells) == 105 and ("Multi2", "AR, Probe", 0.734) in {
            (row[0], ", ".join(sorted(row[1].split(", "))), row[2]) for row in cells
        }
        assert len(sections[f"Rankings, fallback={fallback}"].rows) == 7
        assert len(sections[f"Run-off, fallback={fallback}"].rows) == 5
    pairs = {row[0]: row for row in sections["One player against both IR16"].rows}
    assert [pairs[name][1] for name in ("AC", "AR", "Probe", "Multi2")] == [-0.992, -0.805, -1.034, -0.098]
    statements = sections["What section 3.5.3 says"].rows
    assert {row[1] for row in statements} | {row[3] for row in statements} <= {"true", "false"}
    assert sorted(each.status for each in list_runs(tmp_path)) == ["finished", "finished"]
    write_report(report, tmp_path / "report.html")


# Figures 4.2 to 4.9


def test_the_printed_cells_bear_out_what_section_4_6_says():
    statements = master_tournament.check_statements(played.Played.of(CHAPTER_4.table()))
    assert [each.text for each in statements if not each.is_true] == []
    assert len(statements) == 12


SAME_RANKING = "the ranking is IR16, its masters, Multi2's masters, Multi2, Poki"
IR16_FIRST = "IR16 is ahead of its master with expert knowledge"
FIRST_WIN, LAST_LOSE = "the first two win in every matchup", "the last two lose in every matchup"
LOSES_MOST, WINS_MOST = (
    "every agent loses the most against the first two",
    "every agent wins the most against the last two",
)


@pytest.mark.parametrize(
    ("player", "opponents", "winrate", "wrong"),
    [
        ("IR16", ("Exp_IR16", "Uni_IR16"), -0.01, {FIRST_WIN, "both rankings are the same"}),
        ("Multi2", ("Uni_M2", "Exp_M2"), 0.2, {LAST_LOSE, WINS_MOST}),
        ("Uni_M2", ("IR16", "Exp_IR16"), 0.05, {LOSES_MOST, WINS_MOST}),
        ("Exp_IR16", ("Poki", "Multi2"), 1.0, {IR16_FIRST, SAME_RANKING, "both rankings are the same"}),
    ],
)
def test_a_statement_on_masters_that_a_cell_contradicts_is_false(player, opponents, winrate, wrong):
    statements = master_tournament.check_statements(changed(CHAPTER_4, player, opponents, winrate))
    assert {each.text for each in statements if not each.is_true} == wrong


def test_what_lies_within_its_interval_is_not_decided():
    assert [is_positive(0.1, ci95) for ci95 in (None, 0.05, 0.2)] == [True, True, None]
    assert is_positive(-0.1, 0.05) is False
    assert all_true([]) is True and all_true([True, None]) is None and all_true([None, False]) is False


def test_masters_stand_beside_the_print(stand_ins, tmp_path, monkeypatch):
    experts = {"hue5-uniform": "triple(0.1,0.5,0.4)", "hue5-expert": "triple(0.1,0.4,0.5)"}
    monkeypatch.setattr(master_tournament, "trained_agent", self_play.trained_agent)
    monkeypatch.setattr(master_tournament, "trained_experts", lambda name, request: (name,))
    monkeypatch.setattr(master_tournament, "master_of", lambda base, each: parse_bot(experts[each[0]]))
    monkeypatch.setattr(master_tournament, "_expert_section", lambda experts: Text("Experts", ("none",)))
    monkeypatch.setattr(master_tournament, "held_strategies", lambda bases, experts: [])
    report = figures_4_5_to_4_9(stand_ins)
    sections = {section.title: section for section in report.sections}
    for fallback in ("uniform", "call"):
        rows = sections[f"Cells of Figure 4.5, fallback={fallback}"].rows
        cells = {(row[0], ", ".join(sorted(row[1].split(", ")))): row for row in rows}
        assert len(cells) == 105 and cells["IR16", "Exp_IR16, Uni_IR16"][2] == 0.02
        assert {row[0] for row in sections[f"Rankings, fallback={fallback}"].rows} == {1, 2, 3, 4, 5, 6, 7}
    rows = sections["What section 4.6 says"].rows
    assert {row[1] for row in rows} | {row[3] for row in rows} <= {"true", "false", "not decided"}
    write_report(report, tmp_path / "report.html")


def test_masters_are_measured_seat_by_seat(stand_ins, tmp_path, monkeypatch):
    monkeypatch.setattr(master_tournament, "trained_agent", self_play.trained_agent)
    monkeypatch.setattr(master_tournament, "trained_experts", lambda name, request: (name,))
    monkeypatch.setattr(master_tournament, "master_of", lambda base, each: base)
    monkeypatch.setattr(masters_lbr, "held_strategies", lambda bases, experts: [])
    monkeypatch.setattr(masters_lbr, "QUICK_DEALS", 20)
    report = masters_lbr.chapter_4_lbr(stand_ins)
    rows = {row[0]: row for row in report.sections[0].rows}
    assert {*rows} == {"Multi2", "Uni_M2", "Exp_M2", "IR16", "Uni_IR16", "Exp_IR16"}
    assert all(len(row) == 5 for row in rows.values())
    write_report(report, tmp_path / "report.html")


def test_experts_are_trained_once_and_summoned(tmp_path):
    """In the quick mode: a base of chumps, and a set of two experts."""
    recipe = replace(load_recipe("hue5-expert"), after=("rrf", "rcf"), minutes=SECOND)
    betting = parse_betting_abstraction("full caps=3/1/0/0")
    request = Request(runs_root=tmp_path)
    experts = [train(replace(each, betting=betting), SECOND, request) for each in recipe.experts()]
    again = [train(replace(each, betting=betting), SECOND, request) for each in recipe.experts()]
    assert [each.file for each in experts] == [each.file for each in again]
    master = trained.master_of(parse_bot("always-call"), experts)
    job = MatchJob(rules=load_rules("lhe3"), agents=(master, parse_bot("always-raise"), parse_bot("probe")), deals=50)
    assert perform(job).deals == 50


def test_what_is_done_first_on_the_button_is_drawn(stand_ins, monkeypatch):
    class Told:
        def policies(self, states):
            return parse_and_load("triple(0.2,0.3,0.5)", states[0].rules).policies(states)

    told = self_play.trained_agent("any", stand_ins)
    monkeypatch.setattr(type(told), "load", lambda self: Told())
    report = figures_4_2_to_4_4(stand_ins)
    rows = {row[0]: row[1:] for row in report.sections[0].rows}
    assert rows["Figure 4.4: stoxtrader"] == (pytest.approx(40, abs=2), 0.0, pytest.approx(60, abs=2))
    assert rows["IR16_43M"] == (50.0, 30.0, 20.0)


# Section 2.2.2


def test_gaps_of_a_capped_strategy(tmp_path, monkeypatch):
    """Leduc: trained with one raise a round, a strategy loses more where two are allowed."""
    full, capped = load_recipe("leduc-small"), parse_betting_abstraction("full caps=1/1")
    recipes = {"hulh-5": full, "hulh-5-capped": replace(full, name="leduc-capped", betting=capped)}
    monkeypatch.setattr(round_reduction, "load_recipe", recipes.__getitem__)
    monkeypatch.setattr(round_reduction, "QUICK_MINUTES", 0.5 * SECOND)
    monkeypatch.setattr(round_reduction, "QUICK_DEALS", 20_000)
    monkeypatch.setattr(round_reduction, "READINGS", {"full caps=2/1": "later", "full caps=1/1": "early"})
    report = section_2_2_2(Request(is_quick=True, runs_root=tmp_path))
    rows = report.sections[0].rows
    assert [row[1] for row in rows] == [11.0, 27.0, 11.0, 27.0, "not printed"]
    later, later_full, early, early_full, reference = (float(row[2].split()[0]) for row in rows)
    assert early_full > 3 * max(early, reference) > 0 and later_full > later
    assert len({each.folder.name for each in list_runs(tmp_path) if "leduc-capped" in each.folder.name}) == 1
    assert report.summary.endswith(("fits early.", "fits later."))
    write_report(report, tmp_path / "report.html")


def test_the_job_of_the_gaps_is_rebuilt_from_its_config(tmp_path):
    agent = train(load_recipe("leduc-small"), 0.2 * SECOND, Request(runs_root=tmp_path))
    job = GapsJob((Gap("own", agent.bot()),), 500, 3)
    again = JOBS.load(job.kind).from_config(job.identity(), job.budget(), job.inputs())
    assert again == job and again.run_batch(0) == job.run_batch(0)
