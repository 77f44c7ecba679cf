"""Table 2 and Table 3 of Lisý & Bowling (2016): the printed cells, the readings, the exact values and the findings."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy

from nashgap.arena.cross_table import CrossTable, Matchup
from nashgap.catalogue import JOBS
from nashgap.cli.main import main
from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError
from nashgap.jobs import lbr as jobs_lbr
from nashgap.jobs.reproduction import Request, command_of
from nashgap.measures.local_best_response import LbrOptions, play_lbr
from nashgap.papers.lisy_bowling_2016 import bot_table, chump_table, table_2, table_3
from nashgap.papers.lisy_bowling_2016.agreement import agrees, distance
from nashgap.papers.lisy_bowling_2016.always_call import ALWAYS_CALL_VALUES, build_always_call_values
from nashgap.papers.lisy_bowling_2016.bots import BOT_NAMES, COARSE, EXPLORED, FCPA, FULL_CARDS, chosen_bots
from nashgap.papers.lisy_bowling_2016.bounds import Bound, measure_bound, paired, sure_bound
from nashgap.papers.lisy_bowling_2016.chump_table import check_statements, matching_reading, odd_cells, printed_cell
from nashgap.papers.lisy_bowling_2016.findings import WIDE, Found, Switches, check_findings
from nashgap.papers.lisy_bowling_2016.published import TABLE_2, TABLE_3, Printed
from nashgap.papers.lisy_bowling_2016.readings import HALF, RANDOM, READINGS, ROWS, ChumpsJob, StackRaiser
from nashgap.papers.training import TrainedAgent
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.reports.report import Table, write_report
from nashgap.runs import list_runs
from nashgap.solvers.recipe import Recipe
from nashgap.strategies.check_policy import check_policy
from nashgap.strategies.chumps import always_call, always_fold
from nashgap.strategies.load import save
from nashgap.strategies.spec import parse_bot

HUNL = load_rules("hunl")
CHOSEN = {"always call": "call", HALF: "half-any-size", RANDOM: "random-each-size"}


def estimate(mean, ci95=0.1, unit="BB/h"):
    return Estimate(mean, ci95, 1000, unit, "lbr", 0)


def won_per_deal(chump, bets, rounds, num_deals=2_000, seed=5):
    """Big blinds of each deal."""
    options = LbrOptions(bets=bets, rounds=rounds)
    return play_lbr(HUNL, [chump], options, seed=seed, num_deals=num_deals).chips.mean(axis=1) / 100


# Always-call and always-fold


@pytest.mark.parametrize("rounds", ALWAYS_CALL_VALUES)
def test_the_sampler_keeps_to_the_exact_value_of_always_call(rounds):
    won = won_per_deal(always_call(), "fcpa", rounds, 4_000)
    stderr = won.std(ddof=1) / len(won) ** 0.5
    assert won.mean() == pytest.approx(float(ALWAYS_CALL_VALUES[rounds]), abs=3 * stderr)
    assert stderr < 1


def test_waiting_longer_is_worth_more_against_always_call_and_the_last_round_a_quarter_of_the_stack():
    values = [float(ALWAYS_CALL_VALUES[rounds]) for rounds in ("1-4", "3-4", "4")]
    assert values == sorted(values)
    assert values[-1] / 200 == pytest.approx(0.25, abs=0.006)


@pytest.mark.slow
@pytest.mark.long
def test_the_exact_values_are_counted_anew(tmp_path):
    counted = build_always_call_values(tmp_path)
    assert {rounds: counted[rounds] for rounds in ALWAYS_CALL_VALUES} == ALWAYS_CALL_VALUES
    assert counted["1-4"] < counted["2-4"] < counted["3-4"]


@pytest.mark.parametrize("rounds", ["1-4", "3-4", "4"])
def test_always_fold_loses_750_in_every_deal_wherever_lbr_may_bet(rounds):
    assert set(won_per_deal(always_fold(), "fcpa", rounds, 300)) == {0.75}


def test_always_fold_loses_250_where_lbr_never_bets():
    """The small blind is folded; the big blind checks to the showdown, which is even."""
    won = won_per_deal(always_fold(), "fc", "1-4")
    assert won.mean() == pytest.approx(0.25, abs=3 * won.std() / len(won) ** 0.5)
    assert won.std() > 0


# Table 2


def test_printed_tables_have_all_their_cells():
    assert len(TABLE_2) * 3 == 12 and all(len(row) == 3 for row in TABLE_2.values())
    assert TABLE_2["fcpa", "3-4"] == (Printed(49.0, 0.4), Printed(24.4, 0.6), Printed(80.7, 0.7))
    assert len(TABLE_3) == 6 and all(len(row) == 5 for row in TABLE_3.values())
    assert [row[-1].mean for row in TABLE_3.values()] == [-424, -819, -536, -536, 1607, 2403]


def test_cells_agree_within_the_interval_of_their_difference():
    assert distance(Printed(10.0, 0.3), estimate(10.5, 0.4)) == pytest.approx(1.0)
    assert agrees(Printed(10.0, 0.3), estimate(10.49, 0.4))
    assert not agrees(Printed(10.0, 0.3), estimate(10.51, 0.4))
    assert agrees(Printed(0.0), estimate(0.0, 0.0)) and not agrees(Printed(0.0), estimate(0.1, 0.0))


def printed_cells():
    """As if ours were the printed ones; every other reading far from them."""
    cells = {(key, *row): estimate(1000.0) for key in READINGS for row in ROWS}
    for key in CHOSEN.values():
        cells |= {(key, *row): estimate(printed_cell(key, *row).mean) for row in TABLE_2}
    cells |= {("fold", bets, rounds): estimate(0.75 if bets == "fcpa" else 0.25, 0.0) for bets, rounds in ROWS}
    return cells


def test_the_reading_that_matches_is_named_and_so_are_cells_that_fit_none():
    cells = printed_cells()
    assert {column: matching_reading(column, cells) for column in CHOSEN} == CHOSEN
    assert [odd_cells(column, cells) for column in CHOSEN] == [[], [], []]
    cells["random-each-size", "fc", "3-4"] = estimate(5.0)
    assert odd_cells(RANDOM, cells) == [("fc", "3-4")]
    cells["random-kind", "fc", "3-4"] = estimate(2.0)
    assert odd_cells(RANDOM, cells) == []


def test_exchanged_cells_are_told_and_do_not_decide_on_the_reading():
    cells = printed_cells()
    early, late = ("half-any-size", "fc", "1-4"), ("half-any-size", "fc", "3-4")
    cells[early], cells[late] = cells[late], cells[early]
    cells["half-pot", "fc", "1-4"] = estimate(7.1)
    assert matching_reading(HALF, cells) == "half-any-size"
    assert [
        chump_table._verdict(*cell, cells)
        for cell in (("half-any-size", ("fc", "1-4")), ("half-any-size", ("fcpa", "1-4")))
    ] == [
        "agrees if exchanged",
        "agrees",
    ]
    (section,) = chump_table._exchange_section(cells, CHOSEN)
    assert "half call half raise, fc: printed are 7.1 ± 0.5 and 16.2 ± 0.3" in section.paragraphs[0]
    assert chump_table._exchange_section(printed_cells(), CHOSEN) == ()


def test_statements_on_chumps_follow_the_cells():
    cells = printed_cells()
    assert chump_table.ROWS == ROWS
    for rounds, value in ALWAYS_CALL_VALUES.items():
        cells["call", "fcpa", rounds] = estimate(float(value))
    cells |= {(key, bets, "4"): estimate(1.0) for key in (CHOSEN[HALF], CHOSEN[RANDOM]) for bets in ("fc", "fcpa")}
    cells["call", "fc", "4"] = estimate(0.0)
    assert [each.is_true for each in check_statements(cells, CHOSEN)] == [True] * 7
    cells["fold", "fcpa", "4"] = estimate(0.75, 0.01)
    cells["call", "fcpa", "4"] = estimate(60.0)
    cells["half-any-size", "fc", "3-4"] = estimate(7.0)
    found = [each.is_true for each in check_statements(cells, CHOSEN)]
    assert found == [True, False, True, False, True, True, False]


@pytest.mark.parametrize("calls", [False, True])
def test_a_stack_raiser_draws_any_number_up_to_the_stack(calls):
    player, state = StackRaiser("any", calls), HUNL.root()
    policy = check_policy(player.policies([state])[0], state)
    shares = dict(zip(policy.moves, policy.probabilities[0].tolist(), strict=True))
    assert shares[0] == pytest.approx(0.5 + (0.5 * 199 / 20_000 if calls else 0))
    assert sum(shares.values()) == pytest.approx(1)
    if not calls:
        assert shares[200] == pytest.approx(0.5 * 200 / 20_000)
    all_in = state.act(20_000)
    assert check_policy(player.policies([all_in])[0], all_in).moves == (0,)
    nearly = state.act(19_990)
    assert check_policy(player.policies([nearly])[0], nearly).probabilities[0].sum() == pytest.approx(1)


def test_more_deals_of_table_2_are_more_batches():
    short, long = (ChumpsJob(seed=3, block_deals=20, deals=deals) for deals in (40, 60))
    assert short.identity() == long.identity() and short.num_batches * 3 == long.num_batches * 2
    again = JOBS.load(short.kind).from_config(long.identity(), long.budget())
    assert again == long and again.run_batch(7) == short.run_batch(7)
    with pytest.raises(ConfigError, match="deals = 50; they come in blocks of 20"):
        ChumpsJob(seed=3, block_deals=20, deals=50)


def test_table_2_is_reported_with_all_cells(monkeypatch, tmp_path):
    monkeypatch.setattr(chump_table, "QUICK_DEALS", 40)
    monkeypatch.setattr(chump_table, "ChumpsJob", partial(ChumpsJob, block_deals=20))
    report = table_2(Request(is_quick=True, runs_root=tmp_path))
    tables = {each.title: each for each in report.sections if isinstance(each, Table)}
    assert len(tables["Table 2"].rows) == 18
    assert [row[1] for row in tables["LBR against always-call, counted exactly"].rows] == [
        "33.7906",
        "48.6346",
        "50.9946",
    ]
    folding = tables["What the paper says of chumps"].rows[-1]
    assert folding[1] == "true" and "LBR wins 750 in every deal" in folding[2]
    write_report(report, tmp_path / "table.html")


# Table 3


def test_bots_are_variations_of_recipes():
    bots = chosen_bots(Request())
    assert tuple(bots) != () and set(bots) == set(BOT_NAMES)
    fcpa, explored, coarse = (bots[name].recipe for name in (FCPA, EXPLORED, COARSE))
    assert explored.solver.exploration > 0 == fcpa.solver.exploration
    assert coarse.card_specs[0].counts == ("20",) * 4
    assert bots["fcpa-again"].recipe == fcpa and bots["fcpa-again"].seed == 1
    names = [bot.recipe.name for name, bot in bots.items() if name != "fcpa-again"]
    assert len(set(names)) == len(names)
    for bot in (*bots.values(), *chosen_bots(Request(is_quick=True)).values()):
        assert Recipe.from_content(bot.recipe.content()).content() == bot.recipe.content()


def test_bots_can_be_chosen_by_name():
    request = Request(agents=(FULL_CARDS, FCPA))
    assert tuple(chosen_bots(request)) == (FCPA, FULL_CARDS)
    assert "--agents full-cards,fcpa " in command_of("lbr-table-3", request)
    with pytest.raises(ConfigError, match="there is no 'slumbot'; choose from fcpa, "):
        chosen_bots(Request(agents=("slumbot",)))


def test_agents_are_refused_where_all_are_needed(capsys, tmp_path):
    assert main(["reproduce", "lbr-table-2", "--agents", "fcpa", "--runs", str(tmp_path)]) == 2
    assert "agents: lbr-table-2 needs all of its agents" in " ".join(capsys.readouterr().err.split())


def bound(mean, ci95=100.0, seed=0):
    """Batches around the mean, by a pattern that all bounds of a seed share."""
    pattern = np.random.default_rng(seed).normal(0.0, 300.0, 40)
    return Bound(estimate(mean, ci95, "mbb_per_hand"), mean + pattern - pattern.mean())


def test_differences_are_taken_on_the_same_deals():
    difference = paired(bound(500), bound(200))
    assert difference.mean == pytest.approx(300) and difference.ci95 == pytest.approx(0, abs=1e-9)
    apart = paired(bound(500), bound(200, seed=1))
    assert apart.mean == pytest.approx(300) and apart.ci95 > 50
    assert paired(bound(500), bound(200), (2.0, -1.0)).mean == pytest.approx(800)


def test_the_best_of_several_bounds_pays_for_the_choice():
    assert sure_bound([bound(1000)]) == pytest.approx(900)
    assert 1000 - 1.4 * 100 < sure_bound([bound(1000)] * 7) < 1000 - 1.3 * 100


def paper_like(**changes):
    """One bot with card abstraction and one without, as the paper found them."""
    rows = {("fc", "1-4"): (721, -424), ("fc", "3-4"): (608, -819), ("fcpa", "3-4"): (3852, -536)}
    rows |= {("on-tree", "3-4"): (4789, -536), ("56", "1-4"): (574, 1607), ("56", "3-4"): (4675, 2403)}
    rows |= {(WIDE, "3-4"): (4500, 1849)}
    cells = {
        (bot, "hard", *row): bound(pair[i]) for row, pair in rows.items() for i, bot in enumerate((FCPA, FULL_CARDS))
    }
    cells |= {(FULL_CARDS, each, "56", "3-4"): bound(1981) for each in ("soft", "sampled")}
    cells |= {(COARSE, *key[1:]): bound(value.mean + 500) for key, value in cells.items() if key[0] == FCPA}
    table = CrossTable((FCPA, COARSE), (Matchup((FCPA, COARSE), (-50.0, 50.0), (20.0, 20.0)),), unit="mbb_per_hand")
    found = Found(cells, estimate(750.0, 0.0), table, Switches(100.0, 81.0, {"duplicate": 95.0}))
    return replace(found, **changes)


def test_findings_are_true_of_bots_like_the_papers():
    statements = check_findings(paper_like())
    assert [each.text for each in statements if not each.is_true] == []
    assert len(statements) == 11
    assert "fcpa loses 50 ± 20 to coarse, whose bound is 500" in statements[-2].because


def test_findings_are_false_where_the_figures_say_so():
    cells = dict(paper_like().cells)
    cells[COARSE, "hard", "56", "3-4"] = bound(300)  # waiting no longer pays
    cells[COARSE, "hard", "on-tree", "3-4"] = bound(100)  # the rest is 200
    cells[COARSE, "hard", "fc", "3-4"] = bound(90)  # not beyond its interval
    cells[FULL_CARDS, "hard", "on-tree", "3-4"] = bound(-90)
    table = CrossTable((FCPA, COARSE), (Matchup((FCPA, COARSE), (-50.0, 50.0), (60.0, 60.0)),), unit="mbb_per_hand")
    found = paper_like(cells=cells, table=table, folding=estimate(749.0), switches=Switches(100.0, 95.0, {}))
    told = {each.text.split(",")[0]: each for each in check_findings(found)}
    assert [text for text, each in told.items() if each.is_true] == [
        "every bot with card abstraction loses more than that to LBR",
        "pot and all-in alone win most of what 56 bets win",
        "a few bets off the tree are enough: min",
        "soft translation helps a little and does not solve it",
    ]
    assert "and 90 ± 100" in told["LBR that only folds and calls wins against bots with card abstraction"].because


def test_findings_on_bots_that_are_not_there_are_left_out():
    full = paper_like()
    cells = {key: value for key, value in full.cells.items() if key[0] == FCPA}
    texts = [each.text for each in check_findings(replace(full, cells=cells, table=None))]
    assert len(texts) == 7 and not any("without card abstraction" in text for text in texts)


SMALL = parse_rules(
    """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 1000 1000
blind = 100 50
firstPlayer = 2 1 1 1
maxRaises = 255 255 255 255
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1 1 1
END GAMEDEF""",
    "small",
)


@pytest.fixture
def small_bots(monkeypatch, tmp_path):
    """Random strategies of a small game in the place of trained ones."""
    facts = {"iterations": 1000, "seconds": 60.0, "unvisited_share": 0.01}
    game = abstract_game(SMALL, "fcpa")

    def trained(bots, request):
        agents = {}
        for seed, name in enumerate(bots):
            file = tmp_path / f"{name}.safetensors"
            save(file, random_abstract_strategy(game, seed))
            agents[name] = TrainedAgent(name, file, facts, ())
        return agents

    def chosen(request):
        return {
            name: replace(bot, recipe=replace(bot.recipe, rules=SMALL)) for name, bot in chosen_bots(request).items()
        }

    monkeypatch.setattr(bot_table, "chosen_bots", chosen)
    monkeypatch.setattr(bot_table, "trained_bots", trained)
    monkeypatch.setattr(bot_table, "load_rules", lambda name: SMALL)
    monkeypatch.setattr(jobs_lbr, "DEALS_PER_BATCH", 10)
    for name, deals in (("QUICK_DEALS", 40), ("QUICK_MATCH_DEALS", 20), ("FOLDING_DEALS", 20)):
        monkeypatch.setattr(bot_table, name, deals)


@pytest.mark.slow
def test_table_3_is_reported_and_answers_again_from_its_runs(small_bots, tmp_path):
    request = Request(is_quick=True, runs_root=tmp_path / "runs", agents=(FCPA, COARSE, FULL_CARDS))
    report = table_3(request)
    tables = {each.title: each for each in report.sections if isinstance(each, Table)}
    assert tables["Our bots, hard translation"].columns == ("bets", "rounds", FCPA, COARSE, FULL_CARDS)
    assert len(tables["Our bots, hard translation"].rows) == 7
    assert len(tables["Our bots, sampled translation, 10 samples"].rows) == 3
    assert tables["The paper's findings"].rows[0][:2] == ("folding every hand loses 750", "true")
    assert len(tables["On-tree and off-tree"].rows) == 9
    assert [row[0] for row in tables["What narrows the interval"].rows][-1] == "duplicate and imaginary"
    exact = tables["Best response within its own betting"]
    assert exact.columns == ("bot", "best response", "LBR 1-4", "LBR 2-4", "LBR 3-4", "LBR 4")
    assert [row[0] for row in exact.rows] == [FCPA, COARSE, FULL_CARDS]
    shares = next(each for each in report.sections if each.title == "LBR's share of the exact best response")
    assert all(share < 100 for curve in shares.curves for share in curve.y)  # a bound is never above what is exact
    assert any("fcpa is fcpa after 1,000 iterations" in line for line in report.sections[-1].paragraphs)
    write_report(report, tmp_path / "table.html")
    assert {each.status for each in list_runs(request.runs_root)} == {"finished"}
    steps = []
    assert table_3(replace(request, on_progress=steps.append)).sections == report.sections


def test_a_cell_that_was_played_further_counts_in_full(small_bots, tmp_path):
    request = Request(runs_root=tmp_path)
    cell = SMALL, parse_bot("always-call"), LbrOptions("fcpa", "3-4")
    short, long, again = (measure_bound(*cell, deals, request) for deals in (20, 60, 20))
    assert (len(short.batches), len(long.batches)) == (2, 6)
    assert again.estimate == long.estimate and long.batches[:2].tolist() == short.batches.tolist()
