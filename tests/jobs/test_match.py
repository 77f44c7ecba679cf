"""Matches as jobs: batches, what is refused, and what a match is known again by."""

import pickle

import pytest

import nashgap as ng
from nashgap.agents.named import load_agent
from nashgap.errors import ConfigError
from nashgap.jobs.match import MatchJob
from nashgap.poker.rules import load_rules
from nashgap.runs import RunConfig
from nashgap.strategies.spec import as_bot


def job_of(game, *agents, deals=200, **options):
    return MatchJob(rules=load_rules(game), agents=tuple(map(as_bot, agents)), deals=deals, **options)


def batches_of(job):
    return [job.run_batch(index) for index in range(job.num_batches)]


def test_a_longer_match_keeps_the_batches_of_a_shorter_one():
    short, long = job_of("lhe2", "probe", "random", deals=20_000), job_of("lhe2", "probe", "random", deals=40_000)
    assert short.identity() == long.identity()
    assert short.num_batches == 2
    assert long.run_batch(1) == short.run_batch(1)


def test_a_match_that_ends_within_a_batch_is_a_run_of_its_own():
    whole, cut = (job_of("lhe2", "probe", "random", deals=deals) for deals in (20_000, 20_500))
    assert cut.identity() == {**whole.identity(), "cut_deals": 20_500}
    assert RunConfig.of(cut).run_id != RunConfig.of(whole).run_id
    assert batches_of(job_of("lhe2", "probe", "random", deals=10_500))[1]["matches"] == 500


def test_a_job_survives_its_config_and_pickle():
    job = job_of("lhe3", "probe", "triple(0.1,0.4,0.5)", "random", deals=20, seed=3, hands_per_match=2)
    again = MatchJob.from_config(job.identity(), job.budget())
    assert again == job
    assert again.run_batch(0) == job.run_batch(0)
    assert pickle.loads(pickle.dumps(job)).run_batch(0) == job.run_batch(0)


@pytest.mark.parametrize(
    ("agents", "options", "message"),
    [
        (("probe",), {}, "1 agent; lhe3 has 3 seats"),
        (("probe",) * 4, {}, "4 agents; lhe3 has 3 seats"),
        (("probe",) * 3, {"deals": 1}, "deals = 1; an interval needs at least 2"),
        (("probe",) * 3, {"hands_per_match": 0}, "hands per match = 0; 1 to 1,000,000"),
        (("probe",) * 3, {"deals": 2**63, "hands_per_match": 2**62}, "hands per match = .*; 1 to 1,000,000"),
        (("probe",) * 3, {"seed": -1}, "seed = -1; it must be a whole number from 0"),
        (("probe",) * 3, {"seed": 2**63}, "seed = .*; it must be a whole number from 0"),
        (("probe",) * 3, {"deals": 100, "hands_per_match": 30}, "a multiple of the 30 hands of a match is needed"),
        (("probe", "probe", "nobody"), {}, "unknown agent 'nobody'"),
    ],
)
def test_bad_matches_are_refused(agents, options, message):
    with pytest.raises(ConfigError, match=message):
        job_of("lhe3", *agents, **options)


class Passive:
    def act(self, view):
        return 0


def test_a_match_in_one_call_takes_specs_agents_and_objects():
    rules = load_rules("lhe3")
    mixed = ng.match(Passive(), load_agent("probe", rules), "random", game="lhe3", deals=60, seed=3)
    named = ng.match("always-call", "probe", "random", game=rules, deals=60, seed=3)
    assert mixed.agents == ("Passive", "probe", "random")
    assert mixed.winrates.tolist() == named.winrates.tolist()
    with pytest.raises(ConfigError, match="one agent is given twice"):
        ng.match(Passive(), *[load_agent("probe", rules)] * 2, game="lhe3", deals=60)
    with pytest.raises(ConfigError, match=r"neither a text nor an object with policies.* or act\(view\)"):
        ng.match(3, "probe", game="lhe2", deals=10)


def test_a_strategy_may_sit_at_two_places():
    """It remembers nothing."""
    chump = ng.load("probe", load_rules("lhe3"))
    twice = ng.match(chump, chump, "random", game="lhe3", deals=60, seed=3)
    named = ng.match("probe", "probe", "random", game="lhe3", deals=60, seed=3)
    assert twice.names == named.names == ("probe #1", "probe #2", "random")
    assert twice.winrates.tolist() == named.winrates.tolist()


def test_the_command_of_a_report_repeats_it():
    match = ng.match("probe", "triple(0.1,0.4,0.5)", game="lhe2", deals=40, match_hands=20, seed=3)
    assert match.provenance.command == (
        "nashgap match probe 'triple(0.1,0.4,0.5)' --game lhe2 --deals 40 --match-hands 20 --seed 3"
    )
    assert ng.match(Passive(), "probe", game="lhe2", deals=40).provenance.command == ""
