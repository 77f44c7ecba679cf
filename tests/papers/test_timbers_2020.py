"""Timbers et al. (2020): the printed tables, learning curves, ablations and times, with responders of a few games."""

import numpy as np
import pytest

from nashgap.catalogue import JOBS
from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError, MissingExtraError
from nashgap.jobs.perform import perform
from nashgap.jobs.reproduction import Request
from nashgap.measures.best_response import Exploitability
from nashgap.papers.timbers_2020 import ablations, cost, figure_1, responders, table_3, table_4
from nashgap.papers.timbers_2020 import choices as choices_module
from nashgap.papers.timbers_2020 import chump_table as chumps
from nashgap.papers.timbers_2020.choices import VARIANTS, AblationJob, Found, check_choices
from nashgap.papers.timbers_2020.chump_table import check_chumps, matching_readings
from nashgap.papers.timbers_2020.published import KUHN, LEDUC, LIARS_DICE, TABLE_3, TABLE_4
from nashgap.papers.timbers_2020.responders import Effort
from nashgap.papers.timbers_2020.uniform_table import Row, check_table
from nashgap.reports.report import Plot, Table, write_report

# What `nashgap measure CHUMP --game lhe2 --by br` counts over all flops: in the big blind and on the button.
EXACT = {"always-fold": (0.5, 1.0), "always-call": (1.163476, 1.163476), "random": (2.531751, 4.400892)}


def estimate(mean, ci95=0.01, unit="antes_per_hand"):
    return Estimate(mean, ci95, 1000, unit, "abr", 0)


def refuse_torch(needed_by):
    raise MissingExtraError(f"{needed_by} needs torch")


@pytest.fixture
def few_games(monkeypatch):
    """Responders of seconds, and none with networks."""
    efforts = {preset: Effort(200, 100) for preset in responders.QUICK_EFFORTS}
    monkeypatch.setattr(responders, "QUICK_EFFORTS", efforts)
    monkeypatch.setattr(responders, "QUICK_LBR_DEALS", 500)
    monkeypatch.setattr(responders, "import_torch", refuse_torch)


def tables_of(report):
    return {each.title: each for each in report.sections if isinstance(each, Table)}


# Table 3


def test_both_seats_in_big_blinds_give_two_of_three_printed_numbers_and_twice_the_button_the_third():
    """Always-call is the same in both seats, so that it does not tell; random play is printed as if it were."""
    fits = {chump: matching_readings(chump, EXACT[chump]) for chump in TABLE_3}
    assert fits["always-fold"] == ("both seats, big blinds",)
    assert fits["always-call"] == ("both seats, big blinds", "twice the big blind", "twice the button")
    assert fits["random"] == ("twice the button",)


def chump_rows(**abr):
    lbr = {"always-fold": 1.5, "always-call": 2.31, "random": 4.48}
    return {
        chump: chumps.Row(EXACT[chump], estimate(abr.get(chump.replace("-", "_"), 1.0)), estimate(lbr[chump]))
        for chump in TABLE_3
    }


def test_statements_on_chumps_follow_the_measures():
    found = [each.is_true for each in check_chumps(chump_rows(always_call=1.61, random=6.5))]
    assert found == [True, True, False, True, True, True, True, True]
    found = [each.is_true for each in check_chumps(chump_rows(always_call=2.31, random=4.0))]
    assert found[3:5] == [False, None]


def test_table_3_has_all_measures_side_by_side(monkeypatch, tmp_path):
    def responded(chump, game, preset, request):
        assert (game, preset) == ("lhe2", "tree")
        return type("Bound", (), {"estimate": estimate(1.2), "exact": exact(chump)})

    def exact(chump):
        return Exploitability("lhe2", "sb_per_hand", (0.0, 0.0), EXACT[chump])

    monkeypatch.setattr(chumps, "respond", responded)
    monkeypatch.setattr(chumps, "respond_locally", lambda chump, game, request: estimate(1.4))
    report = table_3(Request(is_quick=True, runs_root=tmp_path))
    rows = tables_of(report)["Table 3"].rows
    assert [row[:3] for row in rows] == [
        ("always-fold", "1.50", "1.5000"),
        ("always-call", "2.33", "2.3270"),
        ("random", "8.80", "6.9326"),
    ]
    assert "always-fold and always-call, and not of random" in report.summary


@pytest.mark.slow
def test_always_fold_loses_both_blinds_to_lbr(few_games, tmp_path):
    """A small bet is a big blind, and NashConv adds up both seats: a half and one."""
    found = responders.respond_locally("always-fold", "lhe2", Request(is_quick=True, runs_root=tmp_path))
    assert (found.mean, found.ci95, found.unit) == (1.5, 0.0, "sb_per_hand")


# Table 4


def table_rows(share=0.95, lbr=0.8):
    found = {
        game: Row(printed.nash_conv, {"tree": estimate(0.0), "desk": estimate(share * printed.nash_conv)})
        for game, printed in TABLE_4.items()
    }
    for game in (LEDUC, KUHN):
        nash_conv = TABLE_4[game].nash_conv
        found[game] = Row(nash_conv, found[game].found, estimate(lbr * nash_conv))
    return found


def test_statements_on_uniform_play_follow_the_intervals():
    assert [each.is_true for each in check_table(table_rows())] == [True] * 5
    assert [each.is_true for each in check_table(table_rows(share=0.5, lbr=0.99))] == [True, False, True, False, False]
    assert [each.is_true for each in check_table(table_rows(share=1.1))][2] is False
    rows = table_rows()
    rows[LIARS_DICE] = Row(1.561489, {"desk": estimate(0.86 * 1.561489, ci95=0.1)})
    assert check_table(rows)[1].is_true is None


def test_table_4_is_of_networks_where_there_are_any():
    row = Row(1.0, {"tree": estimate(0.99), "desk": estimate(0.9), "paper": estimate(0.7)})
    assert row.best[0] == "desk"
    assert Row(1.0, {"tree": estimate(0.99)}).best[0] == "tree"


def test_without_torch_table_4_is_tabular_and_says_so(few_games, tmp_path):
    report = table_4(Request(is_quick=True, runs_root=tmp_path))
    tables = tables_of(report)
    assert tables["Share of NashConv by what learns"].columns == ("game", "tree")
    assert [row[2] for row in tables["Table 4"].rows] == ["1.561489", "4.747222", "0.916667"]
    assert [row[5] == "-" for row in tables["Table 4"].rows] == [True, False, False]
    assert report.sections[-1].paragraphs[-1] == "Left out: a responder with a network needs torch."
    assert tables["What the paper says of it"].rows[0][1] == "true"


# Figures 1 and 2


def test_a_learning_curve_is_a_share_of_the_best_response_and_is_answered_again_from_its_run(few_games, tmp_path):
    request = Request(is_quick=True, runs_root=tmp_path / "runs")
    report = figure_1(request)
    learning, frozen = (each for each in report.sections if isinstance(each, Plot))
    assert [curve.name for curve in learning.curves] == ["tree", "paper-table"]
    assert all(share <= 1.0 + 1e-9 for curve in frozen.curves for share in curve.y)  # nobody wins more
    assert learning.curves[0].x[-1] >= 200
    rows = tables_of(report)["When they are frozen"].rows
    assert float(rows[0][-1].rstrip("%")) == pytest.approx(100 * frozen.curves[0].y[-1], abs=0.05)
    write_report(report, tmp_path / "figure.html")
    assert figure_1(request).sections == report.sections


# Ablations


def test_variants_differ_in_what_they_are_named_for():
    assert [VARIANTS[f"batch {games}"].games for games in (1, 2, 8, 32)] == [1, 2, 8, 32]
    for uct, puct in choices_module.RULES.values():
        assert (VARIANTS[uct].search.rule, VARIANTS[puct].search.rule) == ("uct", "puct")
        assert VARIANTS[uct].learning == VARIANTS[puct].learning and VARIANTS[uct].games == VARIANTS[puct].games
    assert VARIANTS["batch 1"].learning == VARIANTS["batch 32"].learning


def found_of(**shares):
    rows = {name.replace("_", " "): np.array(row) for name, row in shares.items()}
    return Found(rows, rows, seed=0)


def test_statements_on_choices_need_every_difference_beyond_its_interval():
    clear = {f"batch_{games}": [0.9, 0.91, 0.92] for games in (2, 8, 32)}
    found = found_of(batch_1=[0.5, 0.52, 0.51], **clear, **{"table, uct": [0.9, 0.9, 0.91]})
    rows = dict(found.frozen) | {
        "batch 32, puct": np.array([0.95, 0.97, 0.96]),
        "table, puct": np.array([0.5, 1.3, 0.9]),
    }
    assert [each.is_true for each in check_choices(Found(rows, rows, 0))] == [True, False, None]


def test_an_ablation_is_a_row_of_batches_that_more_repeats_continue():
    short, long = (
        AblationJob(game="kuhn", variants=("batch 1", "batch 2"), seed=3, episodes=40, repeats=repeats)
        for repeats in (2, 3)
    )
    assert short.identity() == long.identity() and (short.num_batches, long.num_batches) == (4, 6)
    again = JOBS.load(short.kind).from_config(long.identity(), long.budget())
    assert again == long and again.run_batch(3) == short.run_batch(3)
    found = perform(short)
    assert found.frozen["batch 1"].shape == (2,) and 0.0 < found.frozen["batch 2"].mean() <= 1.0
    with pytest.raises(ConfigError, match="unknown variant 'batch 3'"):
        AblationJob(game="kuhn", variants=("batch 3",), seed=3, episodes=40, repeats=2)
    with pytest.raises(ConfigError, match="episodes = 40; these variants need at least 128"):
        AblationJob(game="kuhn", variants=("batch 1", "batch 32"), seed=3, episodes=40, repeats=2)
    with pytest.raises(ConfigError, match="repeats = 1"):
        AblationJob(game="kuhn", variants=("batch 1",), seed=3, episodes=40, repeats=1)


def test_ablations_are_reported_without_networks_where_torch_is_missing(few_games, monkeypatch, tmp_path):
    monkeypatch.setattr(choices_module, "QUICK_EPISODES", 256)
    monkeypatch.setattr(choices_module, "QUICK_REPEATS", 2)
    report = ablations(Request(is_quick=True, runs_root=tmp_path))
    assert [row[0] for row in tables_of(report)["Variants"].rows] == [
        name for name in VARIANTS if not name.startswith("network")
    ]
    assert len(tables_of(report)["What the paper says"].rows) == 3


# Times


def test_exact_responses_are_quicker_by_orders_of_magnitude(few_games, tmp_path):
    report = cost(Request(is_quick=True, runs_root=tmp_path))
    rows = tables_of(report)["Times"].rows
    assert [row[:2] for row in rows[:2]] == [("kuhn", "exact best response"), ("leduc", "exact best response")]
    assert {row[1] for row in rows[2:]} == {"ABR, tree", "ABR, paper-table"}
    assert all(row[2].endswith("µs") for row in rows[:2])
