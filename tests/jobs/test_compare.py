"""Versions of a bot on the same deals: exact where they are the same, paired where they are not, and continued."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy
from waiting import wait_until

import nashgap as ng
from nashgap.errors import ConfigError, MismatchError, NashGapError
from nashgap.jobs.lbr_compare import LbrCompareJob
from nashgap.jobs.match_compare import MatchCompareJob
from nashgap.jobs.perform import job_of, perform
from nashgap.poker.rules import load_rules
from nashgap.runs import find_run, list_runs
from nashgap.strategies.bot import GivenBot, PatchedBot
from nashgap.strategies.load import load
from nashgap.strategies.patch import parse_patches
from nashgap.strategies.spec import parse_bot

BOTS = ("always-call", "half-call-half-raise")
HUNL = load_rules("hunl")


def versions(*texts):
    return tuple(map(parse_bot, texts))


@pytest.mark.parametrize("bot", ["always-call", "patched(button preflop a = fold below 0.5):always-call"])
def test_a_bot_differs_from_itself_by_exactly_nothing(bot):
    found = ng.compare(bot, bot, game="hunl", deals=60)
    assert (found.difference.mean, found.difference.ci95) == (0.0, 0.0)
    assert found.deals_to_settle is None
    assert "the same on every deal" in found.summary
    assert all(change.kind == "same" for change in found.leak_changes)


def test_the_difference_is_that_of_the_bounds_on_the_same_deals():
    found = ng.compare(*BOTS, game="hunl", deals=200, seed=4)
    alone = [ng.measure(bot, game="hunl", by="lbr", deals=200, seed=4) for bot in BOTS]
    for bound, own in zip(found.bounds, alone, strict=True):
        assert bound.estimate.mean == pytest.approx(own.estimate.mean, rel=1e-12)
    assert found.difference.mean == pytest.approx(alone[0].estimate.mean - alone[1].estimate.mean, rel=1e-9)
    assert found.to_frame().gain.tolist() == pytest.approx([0.0, found.difference.mean])


def test_what_versions_share_cancels():
    """A change that seldom matters has a far smaller interval than two bounds on different deals would have."""
    found = ng.compare(
        "always-call", "patched(button river limped a = fold below 0.1):always-call", game="hunl", deals=400
    )
    apart = np.hypot(*(bound.estimate.ci95 for bound in found.bounds))
    assert 0 < found.difference.ci95 < apart / 3


def test_intervals_hold_the_difference_in_most_seeds():
    """In Leduc, where enough deals are played to know it: 95% within what 100 seeds allow."""
    rules, bots = load_rules("leduc2"), versions("always-call", "random")
    known = perform(LbrCompareJob(rules=rules, versions=bots, deals=40_000, seed=10**6)).difference
    found = [perform(LbrCompareJob(rules=rules, versions=bots, deals=100, seed=seed)).difference for seed in range(100)]
    holds = [abs(each.mean - known.mean) <= each.ci95 + known.ci95 for each in found]
    assert 88 <= sum(holds) <= 100


class Counting:
    """Answers as another does, and counts the questions."""

    name, is_sampled, digest = "counting", False, "1"

    def __init__(self):
        self.asked, self._answering = 0, load("random", HUNL)

    def policies(self, states):
        self.asked += len(states)
        return self._answering.policies(states)


def test_patched_versions_share_the_answers_of_their_bot():
    counting = Counting()
    bot = GivenBot(counting, counting.digest)
    changed = PatchedBot(bot, parse_patches("button river limped a = fold below 0.1"))
    found = perform(LbrCompareJob(rules=HUNL, versions=(bot, changed), deals=40, batch_deals=20))
    assert counting.asked < 1.3 * found.bounds[0].queries
    assert found.bounds[1].queries > 0.7 * found.bounds[0].queries


@pytest.mark.parametrize("method", ["lbr", "match"])
def test_neither_a_run_nor_workers_nor_a_larger_budget_change_the_numbers(tmp_path, method):
    kind = {"lbr": LbrCompareJob, "match": MatchCompareJob}[method]

    def job(deals):
        more = {} if method == "lbr" else {"opponents": versions("random")}
        return kind(rules=HUNL, versions=versions(*BOTS), deals=deals, seed=3, batch_deals=10, **more)

    perform(job(40), run=tmp_path)
    together = perform(job(80), run=tmp_path, workers=2)
    assert len(list_runs(tmp_path)) == 1
    alone = perform(job(80))
    assert together.as_dict() == alone.as_dict()
    assert job_of(find_run(tmp_path, f"{method}-compare")) == job(80)


def test_a_killed_comparison_goes_on_with_the_same_result(tmp_path):
    words = [sys.executable, "-m", "nashgap", "compare", *BOTS, "--game", "hunl", "--lines", "dealt", "--quiet"]
    words += ["--deals", "6000", "--runs", str(tmp_path)]
    running = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: _num_batches(tmp_path))
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    kept = _num_batches(tmp_path)
    assert kept > 0
    found = ng.compare(*BOTS, game="hunl", lines="dealt", deals=6_000, run=tmp_path)
    whole = ng.compare(*BOTS, game="hunl", lines="dealt", deals=6_000)
    assert found.difference == whole.difference
    assert found.provenance.run is not None


def _num_batches(root):
    runs = list_runs(root) if root.exists() else []
    if not runs:
        return 0
    with find_run(root, runs[0].name).open_ledger() as ledger:
        return len(ledger.batches())


def test_a_match_of_two_versions_is_a_match():
    found = ng.compare(*BOTS, game="hunl", by="match", deals=200, seed=5)
    match = ng.match(*BOTS, game="hunl", deals=200, seed=5)
    assert found.difference.mean == pytest.approx(-match.winrates[0], rel=1e-12)
    assert found.difference.ci95 == pytest.approx(match.ci95[0], rel=1e-12)


def test_against_the_same_opponents_the_difference_is_that_of_the_winrates():
    found = ng.compare(*BOTS, game="lhe3", by="match", against=["poki", "probe"], deals=120, seed=5)
    apart = [ng.match(bot, "poki", "probe", game="lhe3", deals=120, seed=5).winrates[0] for bot in BOTS]
    assert found.difference.mean == pytest.approx(apart[1] - apart[0], rel=1e-9)
    same = ng.compare(BOTS[0], BOTS[0], game="lhe3", by="match", against=["poki", "probe"], deals=120)
    assert (same.difference.mean, same.difference.ci95) == (0.0, 0.0)


def test_it_says_how_many_more_deals_would_settle_it():
    found = ng.compare("always-call", "triple(0,0.99,0.01)", game="hunl", rounds="3-4", deals=200)
    more, difference = found.deals_to_settle, found.difference
    assert abs(difference.mean) < difference.ci95
    assert more == pytest.approx(200 * ((difference.ci95 / difference.mean) ** 2 - 1), abs=1)
    assert "more deals would" in found.verdict


def test_leaks_gained_and_lost_are_told():
    found = ng.compare("always-call", "always-fold", game="hunl", deals=400)
    kinds = {change.situation: change.kind for change in found.leak_changes}
    assert kinds["Bot in the big blind, preflop: LBR goes all-in, bot calls"] == "lost"
    assert kinds["Bot on the button, preflop: bot folds"] == "gained"


def test_bots_of_different_games_are_refused(tmp_path):
    for game in ("leduc2", "kuhn2"):
        random_abstract_strategy(abstract_game(game), seed=1).save(tmp_path / f"{game}.safetensors")
    files = [tmp_path / f"{game}.safetensors" for game in ("leduc2", "kuhn2")]
    with pytest.raises(
        MismatchError, match=r"is for leduc2, .*kuhn2.safetensors for kuhn2; two versions of a bot play the"
    ):
        ng.compare(*files)
    with pytest.raises(NashGapError, match=r"is a strategy for kuhn2, not for leduc2|is for kuhn2"):
        ng.compare(*files, game="leduc2")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"by": "br"}, "unknown comparison 'br'"),
        ({"by": "match", "bets": "fcpa"}, "bets is no option of match; it is one of lbr"),
        ({"against": ["random"]}, "against is no option of lbr; it is one of match"),
        ({"deals": 3}, "an interval needs at least 4"),
        ({"game": "lhe3", "by": "match"}, "lhe3 has 3 seats; name the opponents too"),
        ({"game": None}, "may be for many games; name the game too"),
    ],
)
def test_what_cannot_be_compared_is_refused(options, reason):
    with pytest.raises(ConfigError, match=reason):
        ng.compare(*BOTS, **{"game": "hunl", **options})
