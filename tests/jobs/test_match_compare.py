"""Versions of a bot in matches on the same cards, with the luck taken off: paired, unbiased, continued."""

import numpy as np
import pytest

import nashgap as ng
from nashgap.agents.named import load_agent
from nashgap.arena.luck import LearnedValues
from nashgap.arena.match import play_matches
from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError
from nashgap.jobs.match_compare import MatchCompareJob
from nashgap.jobs.perform import job_of, perform
from nashgap.poker.rules import load_rules
from nashgap.reports.report import Table
from nashgap.runs import find_run, list_runs
from nashgap.strategies.spec import as_bot, parse_bot

LEDUC = load_rules("leduc2")
BOTS = ("triple(0.1,0.5,0.4)", "triple(0.2,0.6,0.2)")


class Asked:
    """Plays as a chump does, and is asked in Python."""

    name, is_sampled = "asked", False

    def policies(self, states):
        return load_agent("random", LEDUC).strategy.policies(states)


class Sampled:
    """The same, known by samples only."""

    name, is_sampled = "sampled", True

    def sample_policies(self, states, seed):
        return Asked().policies(states)


def job_with(*versions, against=("probe",), variance="aivat", deals=80, rules=LEDUC, **options):
    bots, opponents = (tuple(map(parse_bot, texts)) for texts in (versions, against))
    return MatchCompareJob(
        rules=rules, versions=bots, opponents=opponents, variance=variance, deals=deals, seed=3, **options
    )


def numbers(estimate):
    return estimate.mean, estimate.ci95


@pytest.mark.parametrize("variance", ["aivat", "chance"])
def test_the_difference_is_that_of_both_matches_deal_by_deal(variance):
    """Each deal played and corrected alone; a batch of twenty deals has a group for each of them."""
    job = job_with(*BOTS, variance=variance, batch_deals=20)
    found = perform(job)
    per_hand = job.num_seatings * LEDUC.unit_chips
    won = np.array([[_won(table, deal) for deal in range(80)] for table in job.tables]) / per_hand
    for kind, difference in ((0, found.difference), (1, found.corrected_difference)):
        of_deals = won[1, :, kind] - won[0, :, kind]
        expected = Estimate.from_samples(of_deals, unit=LEDUC.unit, method="", seed=3)
        assert numbers(difference) == pytest.approx(numbers(expected), rel=1e-9)
        assert difference.samples == 80
    assert (found.difference.method, found.corrected_difference.method) == ("match", variance)
    assert found.corrected_difference.ci95 < found.difference.ci95
    for version, match in enumerate(found.matches):
        assert match.corrected_estimate(0).mean == pytest.approx(won[version, :, 1].mean(), rel=1e-9)


def _won(table, deal):
    """In all seatings of one deal, in chips: as played and without luck."""
    tally = play_matches(table, deal, 1)
    return tally["blocks"][0][1] / ng._native.CHIP_SHARES, tally["corrected"]["payoffs"][0]


def test_groups_of_different_sizes_count_by_their_deals():
    """A last batch that is cut short, and groups of one deal or two: as Cochran's estimate has it."""
    job = job_with(*BOTS, deals=130, batch_deals=30)
    found = perform(job)
    first, second = (match.corrected.blocks for match in found.matches)
    sizes, means = first[:, 0], (second - first)[:, 1] / first[:, 0]
    assert sorted(set(sizes)) == [1, 2] and sizes.sum() == 130
    mean = np.average(means, weights=sizes)
    stderr = np.sqrt(np.average((means - mean) ** 2, weights=sizes) / (len(sizes) - 1))
    quantile = 1.987  # of Student's t with 89 degrees of freedom
    assert len(sizes) == 90 and found.corrected_difference.samples == 90
    assert found.corrected_difference.mean == pytest.approx(mean, rel=1e-9)
    assert found.corrected_difference.ci95 == pytest.approx(quantile * stderr, rel=1e-3)


@pytest.mark.slow
def test_intervals_hold_the_difference_in_most_groups_of_deals():
    """100 comparisons of 100 deals, by the same values, beside what a million deals say: 95% of them, give or take."""
    job = job_with(*BOTS, deals=10_000, batch_deals=100)
    batches = [job.run_batch(index) for index in range(job.num_batches)]
    parts = [job.combine(batches[start : start + 2]) for start in range(0, len(batches), 2)]
    known = perform(job_with(*BOTS, variance="none", deals=1_000_000)).difference
    for differences in ([part.difference for part in parts], [part.corrected_difference for part in parts]):
        holds = [abs(each.mean - known.mean) <= each.ci95 + known.ci95 for each in differences]
        assert 88 <= sum(holds) <= 100
    widths = np.array([(part.difference.ci95, part.corrected_difference.ci95) for part in parts]).mean(axis=0)
    assert widths[1] < 0.8 * widths[0]


@pytest.mark.parametrize(
    ("game", "opponents"),
    [
        ("leduc2", ["probe"]),
        ("kuhn3", ["probe"] * 2),
        pytest.param("lhe2", ["poki"], marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("variance", ["aivat", "chance"])
def test_a_bot_differs_from_itself_by_exactly_nothing(game, opponents, variance):
    found = ng.compare(BOTS[0], BOTS[0], game=game, by="match", against=opponents, variance=variance, deals=60)
    assert numbers(found.difference) == (0.0, 0.0)
    assert numbers(found.corrected_difference) == (0.0, 0.0)
    assert found.deals_to_settle is None and found.corrected_deals_to_settle is None
    assert found.verdict == "They are the same on every deal."


def test_what_versions_do_alike_cancels_without_luck_too():
    """The opponent never raises, so that the patched place never comes: both are compared by the same values."""
    patched = f"patched(big-blind preflop a = fold below 0.6):{BOTS[0]}"
    found = ng.compare(BOTS[0], patched, game="hunl", by="match", against=["always-call"], variance="aivat", deals=40)
    assert found.matches[0].corrected.stdev[0] > 0
    assert numbers(found.corrected_difference) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_values_are_learned_from_all_line_ups_that_the_engine_plays_alike():
    """Chumps that call come to the few nodes without a raise, chumps that raise to others."""
    call, raises, asked = (load_agent(as_bot(bot), LEDUC) for bot in ("always-call", "always-raise", Asked()))
    alone, both, with_asked = (
        LearnedValues(LEDUC, lineups, 0).values.native.num_nodes
        for lineups in ([(call, call)], [(call, call), (raises, call)], [(call, call), (asked, raises)])
    )
    assert alone == with_asked < both


def test_luck_changes_nothing_of_what_was_played():
    plain, without = (perform(job_with(*BOTS, variance=variance)) for variance in ("none", "aivat"))
    assert without.difference == plain.difference
    assert plain.corrected_more is None
    assert plain.corrected_difference == plain.difference
    assert plain.as_dict()["variance"] == "none" and "corrected" not in plain.as_dict()


def test_one_against_the_other_is_a_match_without_luck():
    found = ng.compare(*BOTS, game="leduc2", by="match", deals=200, seed=5, variance="aivat")
    match = ng.match(*BOTS, game="leduc2", deals=200, seed=5, variance="aivat")
    assert found.difference.mean == pytest.approx(-match.winrates[0], rel=1e-12)
    assert found.corrected_difference.mean == pytest.approx(-match.corrected.winrates[0], rel=1e-9)
    assert found.corrected_difference.ci95 == pytest.approx(match.corrected.ci95[0], rel=1e-9)


@pytest.mark.parametrize("against", [["probe"], []])
def test_neither_a_run_nor_workers_nor_a_larger_budget_change_the_numbers(tmp_path, against):
    perform(job_with(*BOTS, deals=40, batch_deals=10, against=against), run=tmp_path)
    larger = job_with(*BOTS, deals=80, batch_deals=10, against=against)
    together = perform(larger, run=tmp_path, workers=2)
    assert len(list_runs(tmp_path)) == 1
    assert together.as_dict() == perform(larger).as_dict()
    assert job_of(find_run(tmp_path, "match-compare")) == larger
    perform(job_with(*BOTS, deals=80, batch_deals=10, against=against, variance="chance"), run=tmp_path)
    assert len(list_runs(tmp_path)) == 2


def test_both_intervals_are_told():
    found = perform(job_with(*BOTS, variance="chance"))
    told, played, without = found.as_dict(), found.difference, found.corrected_difference
    assert told["difference"]["ci95"] == played.ci95
    assert told["corrected"]["difference"]["ci95"] == without.ci95 < played.ci95
    both = told["deals_to_settle"], told["corrected"]["deals_to_settle"]
    assert both == pytest.approx([80 * ((each.ci95 / without.mean) ** 2 - 1) for each in (played, without)], abs=1)
    assert both == (found.deals_to_settle, found.corrected_deals_to_settle)
    assert f"{without} more (chance; {played} as played)" in found.summary
    assert found.verdict.endswith(f"As played, about {_two_digits(found.deals_to_settle)} more deals would be needed.")
    assert {"chance_winrate", "chance_ci95"} <= set(found.to_frame().columns)
    won, difference = (section for section in found.report().sections if isinstance(section, Table))
    assert [row[1:] for row in won.rows] == [
        (match.estimate(0), match.corrected_estimate(0)) for match in found.matches
    ]
    assert [row[:2] for row in difference.rows] == [("as played", played), ("without luck (chance)", without)]
    assert difference.rows[0][2] == f"about {_two_digits(found.deals_to_settle)}"
    assert "taken off (chance); the expectation stays the same" in won.note


def _two_digits(number):
    return f"{int(float(f'{number:.1e}')):,}"


def test_the_verdict_goes_by_the_difference_without_luck():
    found = perform(job_with("always-raise", "always-fold", deals=400))
    assert found.corrected_difference.mean + found.corrected_difference.ci95 < 0
    assert found.corrected_deals_to_settle is None
    assert found.verdict.startswith("always-raise is better, with 97.5% confidence.")


@pytest.mark.parametrize("bots", [("poki", "poki"), ("probe", "poki")])
def test_a_version_at_whose_table_nobody_is_known_is_refused(bots):
    reason = "aivat needs one agent that tells what it does with every hand; poki, poki only play: variance chance"
    with pytest.raises(ConfigError, match=reason):
        ng.compare(*bots, game="lhe2", by="match", against=["poki"], variance="aivat", deals=40)


def test_strategies_that_are_known_by_samples_count_as_not_known():
    with pytest.raises(ConfigError, match=r"aivat needs one agent that tells .*; sampled, sampled only play"):
        ng.compare("probe", Sampled(), game="leduc2", by="match", against=[Sampled()], variance="aivat", deals=40)
    found = ng.compare("probe", Sampled(), game="leduc2", by="match", against=["random"], variance="aivat", deals=40)
    assert found.matches[1].corrected is not None
