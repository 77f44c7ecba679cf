"""Strategies of abstract games at the table."""

from collections import Counter

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy, sized_rules

from nashgap.agents.agent import NativeAgent
from nashgap.agents.named import load_agent
from nashgap.agents.table_agent import TableAgent
from nashgap.arena.match import Match, play_matches
from nashgap.arena.table import seat_generator
from nashgap.errors import ConfigError, MismatchError
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, View
from nashgap.strategies.load import save
from nashgap.strategies.spec import as_bot

LEDUC = abstract_game("leduc2")
KUHN3 = abstract_game("kuhn3")
NO_LIMIT = abstract_game(sized_rules(), "fcpa")


class InPython:
    """A native agent that the engine does not know as its own."""

    def __init__(self, agent):
        self.agent = agent
        self.name = agent.name

    def __getattr__(self, name):
        return getattr(self.agent, name)


@pytest.mark.parametrize("actions", [(), (900,), (900, 2_700)], ids=str)
@pytest.mark.parametrize("translation", ["hard", "soft", "sampled", "pseudo-harmonic"])
def test_it_plays_as_often_as_the_policy_says(actions, translation):
    strategy = random_abstract_strategy(NO_LIMIT, seed=2, unreached=0.2, translation=translation)
    state = strategy.rules.root()
    for action in actions:
        state = state.act(action)
    pure = strategy.with_options(translation="soft") if translation == "sampled" else strategy
    (policy,) = pure.policies([state])
    agent = TableAgent("a", strategy)
    agent.start_match(strategy.rules)
    card, num_hands = 3, 3_000
    played = Counter()
    for number in range(num_hands):
        agent.start_hand(state.seat, seat_generator(1, number, 0, state.seat))
        played[agent.act(View(state, state.seat, (strategy.rules.deck[card],)))] += 1
    assert set(played) <= set(policy.moves)
    shares = np.array([played[move] / num_hands for move in policy.moves])
    np.testing.assert_allclose(shares, policy.probabilities[card], atol=0.035)


@pytest.mark.parametrize("game", [LEDUC, KUHN3, NO_LIMIT], ids=lambda game: game.rules.name)
@pytest.mark.parametrize("hands_per_match", [1, 10])
def test_the_engine_and_python_play_the_same_hands(game, hands_per_match):
    seats = range(game.rules.num_seats)
    agents = [TableAgent(f"a{i}", random_abstract_strategy(game, seed=i, unreached=0.1)) for i in seats]
    agents[0] = NativeAgent("random", load_agent("random", game.rules).native)  # off the tree where there are sizes
    require_same_hands(game.rules, agents, hands_per_match)


@pytest.mark.parametrize("hands_per_match", [1, 10])
def test_agents_with_other_buckets_share_a_table(hands_per_match):
    cards = [
        "percentile(ehs2, 4/4/4/4, recall=none)",
        "percentile(ehs2, 2/2/2/2)",
        "uniform(ehs, 3/4/5/6, recall=none)",
    ]
    games = [abstract_game("lhe3", "full caps=1/1/1/1", text) for text in cards]
    agents = [TableAgent(f"a{i}", random_abstract_strategy(game, seed=i)) for i, game in enumerate(games)]
    require_same_hands(games[0].rules, agents, hands_per_match)


def require_same_hands(rules, agents, hands_per_match):
    """The engine plays the hands that Python plays with the same agents."""
    tallies = []
    for given in (agents, [InPython(agent) for agent in agents]):
        names = tuple(agent.name for agent in agents)
        match = Match(rules, tuple(given), names, seed=3, hands_per_match=hands_per_match, has_log=True)
        assert match.is_native is (given is agents)
        tallies.append(play_matches(match, 0, 200 // hands_per_match))
    assert tallies[0] == tallies[1]


def test_cards_that_the_deck_does_not_have_are_refused():
    agent = TableAgent("a", random_abstract_strategy(LEDUC))
    agent.start_match(LEDUC.rules)
    state = LEDUC.rules.root().act(CALL).act(CALL).deal(LEDUC.rules.deck[:1])
    agent.start_hand(state.seat, seat_generator(1, 0, 0, state.seat))
    with pytest.raises(ValueError, match="with its own hole cards"):
        agent.act(View(state, state.seat, (0,)))


def test_copies_share_nothing_and_repeat_themselves():
    strategy = random_abstract_strategy(LEDUC)
    agents = tuple(TableAgent(f"a{i}", strategy) for i in range(2))
    match = Match(LEDUC.rules, agents, ("a0", "a1"), seed=3)
    assert play_matches(match, 0, 500) == play_matches(match, 0, 500)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.safetensors"
    save(path, random_abstract_strategy(LEDUC, unreached=0.5))
    return str(path)


def test_options_stand_in_parentheses(file):
    agent = load_agent(f"{file}(fallback=call, translation=hard, threshold=0.1, purify=1)", LEDUC.rules)
    options = agent.strategy.options
    assert (options.fallback, options.translation, options.threshold, options.purify) == ("call", "hard", 0.1, True)
    assert load_agent(file, LEDUC.rules).strategy.options.fallback == "uniform"
    assert as_bot(file).digest == as_bot(f"{file}(fallback=call)").digest is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("(fallback=fold)", r"mine.safetensors\(fallback=fold\)': fallback = 'fold'; it must be one of uniform, call"),
        ("(speed=1)", "cannot read 'speed=1'; options, once each: "),
        (".safetensors(purify=1)", "there is no such strategy file"),
    ],
)
def test_wrong_options_are_refused_in_one_line(file, options, message):
    with pytest.raises(ConfigError, match=message) as refused:
        load_agent(file + options, LEDUC.rules)
    assert "\n" not in str(refused.value)


def test_another_game_is_refused(file):
    with pytest.raises(MismatchError, match="is a strategy for leduc2, not for kuhn3"):
        load_agent(file, load_rules("kuhn3"))
    agent = TableAgent("a", random_abstract_strategy(LEDUC))
    with pytest.raises(MismatchError, match="agent 'a' has a strategy for leduc2, not for kuhn3"):
        agent.start_match(load_rules("kuhn3"))
