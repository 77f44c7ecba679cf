"""Strategies at the real table by name, file, class and program."""

import sys

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy, sized_rules

import nashgap as ng
from nashgap.agents.named import load_agent
from nashgap.catalogue import AGENTS, POKER_STRATEGIES
from nashgap.errors import AgentError, ConfigError, MismatchError
from nashgap.games.compiled import load_tree
from nashgap.jobs.match import MatchJob
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.notation import parse_hand, parse_state
from nashgap.poker.rules import load_rules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.check_policy import check_policy
from nashgap.strategies.chumps import Chump
from nashgap.strategies.exec_program import ExecStrategy
from nashgap.strategies.load import load, save
from nashgap.strategies.spec import as_bot
from nashgap.strategies.table import normalised, uniform

HUNL, LEDUC, LHE2 = load_rules("hunl"), load_rules("leduc2"), load_rules("lhe2")


@pytest.mark.parametrize("name", POKER_STRATEGIES.entries)
def test_every_strategy_of_the_catalogue_is_an_agent_too(name):
    spec = "triple(0.2,0.3,0.5)" if name == "triple" else name
    strategy = load(spec, HUNL)
    assert isinstance(strategy, Chump)
    assert strategy.name == spec == load_agent(spec, HUNL).name
    assert name not in AGENTS.entries, "one name, in one place"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("always-cal", r"unknown strategy 'always-cal' \(did you mean 'always-call'\?\); known: always-call, "),
        (
            "always call",
            r"must be a name, name\(arguments\), a strategy file, python:module:Class, exec:COMMAND, ",
        ),
        ("triple(0.5,0.5)", "missing a required argument: 'raising'"),
        ("mine.safetensors", "there is no such strategy file"),
        ("acpc:./bot", r"a player that only plays cannot be asked .*; let it play instead: nashgap match acpc:./bot"),
        ("poki-sim(trials=5)", "a player that only plays cannot be asked"),
        ("human", "a player that only plays cannot be asked"),
        (
            "python:json:JSONDecoder",
            r"class JSONDecoder has no method policies\(states\) or sample_policies\(states, seed",
        ),
        ("exec:", "has no command"),
    ],
)
def test_what_is_no_strategy_is_refused_in_one_line(spec, message):
    with pytest.raises(ConfigError, match=message) as refused:
        load(spec, HUNL)
    assert "\n" not in str(refused.value)


def test_a_table_answers_for_all_hands(tmp_path):
    """Row by row what the table says in the information set of the hand; nothing for the card on the board."""
    tree = load_tree("leduc2")
    table = normalised(tree, np.random.default_rng(3).random(tree.num_slots))
    path = str(tmp_path / "leduc.safetensors")
    save(path, table)
    strategy = load(path, LEDUC)
    state = parse_state("cr", "|", LEDUC)[0].act(0)
    state = state.deal([LEDUC.deck[5]]).act(0)
    (policy,) = strategy.policies([state])
    assert policy.hands == hand_names(LEDUC)
    assert policy.actions == ("c", "r")
    for hand, row in zip(policy.hands, policy.probabilities.tolist(), strict=True):
        if hand == hand_names(LEDUC)[5]:
            assert row == [0.0, 0.0]
        else:
            assert row == list(table.chances(1, f"{hand} crc/{hand_names(LEDUC)[5]}:c").values())
    check_policy(policy, state)
    assert strategy.policies([state])[0] is policy, "remembered"
    with pytest.raises(MismatchError, match="has a strategy for leduc2, not for kuhn2"):
        load(path, load_rules("kuhn2"))
    with pytest.raises(MismatchError, match="not for kuhn2"):
        strategy.policies([load_rules("kuhn2").root()])
    with pytest.raises(ConfigError, match="only a strategy of an abstract game has options"):
        load(f"{path}(purify=1)", LEDUC)


def test_a_strategy_of_an_abstract_game_is_loaded_with_its_options(tmp_path):
    rules = sized_rules()
    path = str(tmp_path / "sized.safetensors")
    save(path, random_abstract_strategy(abstract_game(rules, "fcpa"), seed=1))
    strategy = load(f"{path}(translation=hard, purify=1)", rules)
    assert isinstance(strategy, AbstractStrategy)
    assert strategy.name == f"{path}(translation=hard, purify=yes)"
    assert (strategy.options.translation, strategy.options.purify) == ("hard", True)
    assert not strategy.is_sampled
    assert load(f"{path}(translation=sampled)", rules).is_sampled
    state = rules.root().act(777)
    np.testing.assert_array_equal(check_policy(strategy.policies([state])[0], state).probabilities.max(axis=1), 1.0)
    with pytest.raises(ConfigError, match=r"strategy '.*': cannot read 'speed=1'"):
        load(f"{path}(speed=1)", rules)
    with pytest.raises(MismatchError):
        load(path, HUNL)


BOTS = """
import numpy as np
from nashgap.core.strategy import Policy
from nashgap.poker.hands import hand_names

class Tight:
    '''Folds all but aces to a bet.'''
    def policies(self, states):
        return [self.policy(state) for state in states]
    def policy(self, state):
        names = hand_names(state.rules)
        if not state.legal.can_fold:
            return Policy(names, ("c",), [[1.0]])
        has_ace = np.array(["A" in name for name in names], float)
        return Policy(names, ("f", "c"), np.column_stack([1 - has_ace, has_ace]))

class Sampler:
    def sample_policies(self, states, seed):
        move = ("c",) if seed % 2 else ("f",)
        return [Policy(hand_names(state.rules), move if state.legal.can_fold else ("c",), [[1.0]]) for state in states]

class Broken:
    def policies(self, states):
        return states[5]

class Short:
    def policies(self, states):
        return []

class Crooked:
    def policies(self, states):
        return [Policy(hand_names(state.rules), ("c",), [[0.9]]) for state in states]
"""


@pytest.fixture
def bots(tmp_path, monkeypatch):
    (tmp_path / "strategies_of_a_test.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "strategies_of_a_test", raising=False)  # another test's, from another folder
    return "python:strategies_of_a_test:"


def test_a_class_answers_for_all_hands(bots):
    strategy = load(f"{bots}Tight", HUNL)
    state = parse_state("r300c/r600", "|/AhKd2c", HUNL)[0]
    (policy,) = strategy.policies([state])
    assert policy.moves == (-1, 0)
    held = dict(zip(policy.hands, policy.probabilities.tolist(), strict=True))
    assert (held["AsKs"], held["QsQh"], held["AsAh"]) == ([0.0, 1.0], [1.0, 0.0], [0.0, 0.0])
    assert strategy.sample_policies([state], 7)[0].moves == (-1, 0)


def test_a_class_that_samples_is_known_as_such(bots):
    strategy = load(f"{bots}Sampler", HUNL)
    assert strategy.is_sampled
    assert [strategy.sample_policies([HUNL.root()], seed)[0].actions for seed in (0, 1)] == [("f",), ("c",)]
    with pytest.raises(ConfigError, match=r"has no policies\(states\) but samples"):
        strategy.policies([HUNL.root()])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Broken", r"fails in policies of 1 states, the first after '', on the button: IndexError: .*line 24\)$"),
        ("Short", "answers 0 policies for 1 states"),
        ("Crooked", "after '', on the button: the row of all hands: the probabilities 0.9 do not add up to 1"),
    ],
)
def test_what_goes_wrong_in_a_class_is_told(bots, name, message):
    with pytest.raises(AgentError, match=message):
        load(f"{bots}{name}", HUNL).policies([HUNL.root()])


def test_a_class_without_act_plays_what_its_policies_say(bots):
    """Against a player who always bets, who folds all but aces folds the other hands: 1 - (48 * 47) / (52 * 51)."""
    agents = (as_bot(f"{bots}Tight"), as_bot("always-raise"))
    job = MatchJob(rules=LHE2, agents=agents, deals=60, seed=2, has_log=True)
    lines = [line for index in range(job.num_batches) for seating in job.run_batch(index)["log"] for line in seating]
    assert len(lines) == 120
    for hand in (parse_hand(line, LHE2) for line in lines):
        seat = 1 - hand.players.index("always-raise")
        assert hand.state.has_folded[seat] == (max(hand.hole_cards[seat]) < 48), "all but aces"
    again = [ng.match(f"{bots}Sampler", "always-raise", game=LHE2, deals=50, seed=2) for _ in range(2)]
    assert again[0].winrates.tolist() == again[1].winrates.tolist()


def test_digests_are_of_the_files(bots, tmp_path):
    path = tmp_path / "kuhn.safetensors"
    save(str(path), uniform(load_tree("kuhn2")))
    (tmp_path / "bot.sh").write_text("cat")
    specs = [str(path), f"{bots}Tight", "exec:sh bot.sh", "exec(seconds=5):sh bot.sh"]
    digests = [as_bot(spec).digest for spec in specs]
    assert all(digests) and digests[2] == digests[3]
    (tmp_path / "bot.sh").write_text("cat -n")
    assert as_bot("exec:sh bot.sh").digest != digests[2]
    assert as_bot("always-call").digest is None


def test_a_program_is_a_strategy_and_an_agent():
    strategy = load("exec(seconds=3):true", HUNL)
    assert isinstance(strategy, ExecStrategy) and strategy.limits.seconds == 3
    assert load_agent("exec(seconds=3):true", HUNL).strategy.limits == strategy.limits


def test_every_hand_of_a_full_deck_has_a_row():
    policy = load("probe", HUNL).policies([HUNL.root()])[0]
    assert len(policy.hands) == 1326 == len(set(policy.hands)) == possible_hands(HUNL.root()).sum()
