"""Duplicate matches: what they count, what cancels, what their intervals promise."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from nashgap.agents.named import load_agent
from nashgap.core.job import LARGEST_SEED
from nashgap.jobs.match import MatchJob
from nashgap.poker.notation import parse_hand
from nashgap.poker.rules import load_rules
from nashgap.strategies.spec import as_bot

DETERMINISTIC = ("always-fold", "always-call", "always-raise")


def job_of(game, *agents, deals=200, **options):
    return MatchJob(rules=load_rules(game), agents=tuple(map(as_bot, agents)), deals=deals, **options)


def batches_of(job):
    return [job.run_batch(index) for index in range(job.num_batches)]


def played(*arguments, **options):
    job = job_of(*arguments, **options)
    return job.combine(batches_of(job))


@pytest.mark.parametrize("agent", DETERMINISTIC)
@pytest.mark.parametrize(
    ("game", "seats"), [("lhe2", 2), ("lhe3", 3), ("lhe6", 6), ("hunl", 2), ("nlhe3", 3), ("kuhn3", 3)]
)
def test_copies_of_an_agent_without_chance_win_exactly_nothing(agent, game, seats):
    result = played(game, *(agent,) * seats)
    assert result.winrates.tolist() == [0.0] * seats
    assert result.ci95.tolist() == [0.0] * seats


@pytest.mark.parametrize(
    ("agent", "published", "tolerance"),
    [("always-call", 1.39, 0.01), ("probe", 21.75, 0.2), ("always-raise", 33.32, 0.2)],
)
def test_deviation_of_a_hand_in_self_play_is_the_published_one(agent, published, tolerance):
    """Abou Risk 2009, Table 3.3, in small bets. 120,000 hands: a standard error of about 0.2%."""
    result = played("lhe3", agent, agent, agent, deals=20_000)
    np.testing.assert_allclose(result.stdev, published, atol=tolerance)


@pytest.mark.parametrize(("game", "seats", "published"), [("lhe3", 3, 0.5), ("lhe6", 6, 0.25)])
def test_always_fold_loses_its_blinds_where_everybody_raises(game, seats, published):
    """Abou Risk 2009, sections 3.5.3 and 5.1: blinds of 1.5 small bets over the seats, if no check is ever free."""
    result = played(game, "always-fold", *("always-raise",) * (seats - 1))
    assert result.winrates[0] == -published
    assert result.ci95[0] == 0


def test_always_fold_keeps_its_big_blind_where_nobody_raises():
    """Against callers it checks its big blind down and wins a third of those pots, but for ties."""
    assert -0.5 < played("lhe3", "always-fold", "always-call", "always-call", deals=2_000).winrates[0] < -0.05


class Disguised:
    """An agent of the engine that the arena does not recognise as one."""

    def __init__(self, agent):
        self.agent = agent

    def __getattr__(self, name):
        return getattr(self.agent, name)


@pytest.mark.parametrize(
    ("game", "agents", "match_hands"),
    [
        ("lhe3", ("always-call", "probe", "random"), 1),
        ("lhe3", ("always-call", "probe", "random"), 5),
        ("hunl", ("random", "half-call-half-raise"), 1),
        ("nlhe3", ("random", "triple(0.1,0.4,0.5)", "always-raise"), 1),
        ("lhe6", ("random", "probe", "always-fold", "always-raise", "random", "always-call"), 1),
        ("leduc2", ("random", "probe"), 1),
    ],
)
def test_the_engine_and_python_play_the_same_match(game, agents, match_hands):
    """Everything: payoffs, counts, sequences, blocks and every line of the logs."""
    job = job_of(game, *agents, deals=40, seed=LARGEST_SEED, hands_per_match=match_hands, has_log=True)
    in_python = replace(job, agents=tuple(as_bot(Disguised(load_agent(agent, job.rules))) for agent in agents))
    assert in_python.batch_deals == job.batch_deals
    assert job.match.is_native and not in_python.match.is_native
    native, plain = batches_of(job), batches_of(in_python)
    assert native == plain
    assert sum(map(len, native[0]["log"])) == 40 * native[0]["seatings"]


def test_logs_replay_and_add_up():
    job = job_of("nlhe3", "random", "probe", "random", deals=60, seed=2, has_log=True)
    (batch,) = batches_of(job)
    total = dict.fromkeys(("random-#1", "probe", "random-#2"), 0.0)
    for seating in batch["log"]:
        for number, line in enumerate(seating):
            hand = parse_hand(line, job.rules)
            assert hand.hand_number == number
            np.testing.assert_allclose(hand.payoffs, hand.state.payoffs(hand.hole_cards), atol=1e-6)
            for player, chips in zip(hand.players, hand.payoffs, strict=True):
                total[player] += chips
    winrates = job.combine([batch]).winrates * job.rules.unit_chips * 60 * 6
    np.testing.assert_allclose(list(total.values()), winrates, atol=1e-2)


def test_deals_are_independent_and_their_interval_is_honest():
    """Three random agents win 0 in truth: of 400 matches, 95% of the intervals cover it, within 3 standard errors."""
    covered = 0
    for seed in range(400):
        result = played("kuhn3", *("random",) * 3, deals=100, seed=seed)
        covered += abs(result.winrates[0]) <= result.ci95[0]
    assert 400 * 0.95 - 13 <= covered <= 400 * 0.95 + 13


def test_duplicate_narrows_the_interval():
    """The cards of a deal cancel: what deviates per deal is less than six independent hands would."""
    result = played("lhe3", "probe", "always-call", "always-raise", deals=2_000)
    assert (result.stdev_per_sample < result.stdev / np.sqrt(6) * 0.5).all()


def test_differences_are_taken_deal_by_deal():
    result = played("lhe3", "probe", "always-call", "random", deals=2_000)
    difference = result.difference(0, 1)
    assert difference.mean == pytest.approx(result.winrates[0] - result.winrates[1])
    cov = result.covariance
    expected = np.sqrt((cov[0, 0] + cov[1, 1] - 2 * cov[0, 1]) / result.samples) * 1.961
    assert difference.ci95 == pytest.approx(expected, rel=1e-3)


def test_winrates_sum_to_zero_and_sequences_to_one():
    result = played("lhe6", *("random",) * 6, deals=500)
    assert result.winrates.sum() == pytest.approx(0, abs=1e-12)
    assert sum(result.sequences.values()) == pytest.approx(1)
    assert all("f" not in text[:-1] for text in result.sequences)


@pytest.mark.parametrize("game", ["lhe3", "nlhe3", "lhe6", "leduc2", "kuhn3"])
def test_heads_up_sequences_are_of_hands_that_two_play_on(game):
    """Recounted from the logs: all but two seats have folded in the first round."""
    seats = load_rules(game).num_seats
    job = job_of(game, *("random",) * seats, deals=200, seed=5, has_log=True)
    batches = batches_of(job)
    lines = [line for batch in batches for seating in batch["log"] for line in seating]
    counts = Counter()
    for line in lines:
        first_round = "".join(letter for letter in line.split(":")[2].split("/")[0] if letter.isalpha())
        if first_round.count("f") == seats - 2:
            before, fold, _ = first_round.partition("f")
            counts[before + fold] += 1
    expected = {text: count / len(lines) for text, count in counts.items()}
    assert job.combine(batches).heads_up_sequences == pytest.approx(expected)
    assert expected


def test_behaviour_of_chumps_is_known():
    fold, call, raising = played("lhe3", *DETERMINISTIC).behaviour
    assert (fold.vpip, fold.went_to_showdown, fold.aggression) == (0, 0, None)
    assert (call.vpip, call.pfr, call.aggression, call.went_to_showdown) == (1, 0, 0, 1)
    assert (raising.vpip, raising.pfr) == (1, 1)
    assert raising.aggression is None or raising.aggression > 1


class Recorder:
    """Remembers what it is told, over matches."""

    told: list

    def __init__(self):
        self.told = []

    def start_match(self, rules):
        self.told.append("match")

    def start_hand(self, seat, rng):
        self.told.append(seat)

    def act(self, view):
        return 0

    def end_hand(self, hand):
        self.told.append(hand.hand_number)


def test_memory_lasts_a_match_and_the_button_moves():
    recorder = Recorder()
    job_of("lhe2", recorder, "always-call", deals=6, hands_per_match=3).run_batch(0)
    first, second = ["match", 0, 0, 1, 1, 0, 2], ["match", 1, 0, 0, 1, 1, 2]
    later = [["match", 0, 3, 1, 4, 0, 5], ["match", 1, 3, 0, 4, 1, 5]]
    assert recorder.told == [*first, *second, *later[0], *later[1]]


def test_without_matches_memory_ends_with_the_hand():
    recorder = Recorder()
    job_of("lhe2", recorder, "always-call", deals=3).run_batch(0)
    assert recorder.told.count("match") == 6
