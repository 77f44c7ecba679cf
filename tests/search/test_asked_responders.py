"""Strategies that are asked in Python: responders find what they find of the same strategy in the engine."""

from dataclasses import replace

import numpy as np
import pytest
from abstract_games import PAIRS, abstract_game, random_abstract_strategy
from seeded_strategy import Seeded

from nashgap import _native
from nashgap.errors import AgentError, ConfigError, MismatchError
from nashgap.measures.opponents import AskedOpponent
from nashgap.poker.rules import load_rules
from nashgap.search.asking import FRESH_TRIAL_GAMES, TRIAL_GAMES, forecast_asking, require_same_answers
from nashgap.search.options import PRESETS, SearchOptions
from nashgap.search.poker_responder_game import PokerResponderGame, build_responder_abstraction
from nashgap.search.training import make_learner
from nashgap.strategies.chumps import probe

LEDUC, LIMIT = load_rules("leduc2"), load_rules("lhe2")
FEW = build_responder_abstraction(LIMIT, cards="percentile(ehs2, lossless/3/3/3, recall=none)")
FROZEN = SearchOptions(simulations=0, exploring=0)


class AsAsked:
    """A strategy of the engine that is asked like somebody's own; keeps how many states each question had."""

    is_sampled = False

    def __init__(self, strategy):
        self.name, self.strategy = f"asked {strategy.name}", strategy
        self.sizes, self.states = [], []

    def policies(self, states):
        self.sizes.append(len(states))
        self.states += [f"{state.betting}|{state.board}" for state in states]
        return self.strategy.policies(states)


def found(game, preset, *, abreast, batches=3, simulations=20):
    """All that games of a training tell, and what the frozen responder then wins."""
    plan = PRESETS[preset]
    options = replace(plan.search, abreast=abreast, simulations=simulations)
    learner = make_learner(game, plan.learning, 1)
    told = []
    for batch in range(batches):
        episodes = game.play(options, learner.values(), seed=5, first=12 * batch, number=12)
        learner.learn(episodes)
        told += vars(episodes).values()
    told.append(game.evaluate(replace(FROZEN, abreast=abreast), learner.values(), seed=6, first=0, number=20))
    searching = replace(options, keeps_tree=False, exploring=0)
    return [*told, game.evaluate(searching, learner.values(), seed=7, first=0, number=3)]


@pytest.mark.parametrize("abreast", [1, 5])
@pytest.mark.parametrize("preset", ["tree", "table"])
@pytest.mark.parametrize("levels", [1, 6])
@pytest.mark.parametrize("rules", [LEDUC, PAIRS, LIMIT], ids=lambda rules: rules.name)
def test_asked_or_known_the_games_are_the_same_bit_for_bit(rules, levels, preset, abreast):
    abstraction = FEW if rules == LIMIT else abstract_game(rules)
    strategy = random_abstract_strategy(abstraction, 3)
    asked = AsAsked(strategy)
    for seat in (0, 1) if rules != LIMIT else (abreast % 2,):
        ours, theirs = (
            found(
                PokerResponderGame(each, abstraction, seat, levels),
                preset,
                abreast=abreast,
                batches=1 if rules == LIMIT else 3,
                simulations=8 if rules == LIMIT else 20,
            )
            for each in (strategy, asked)
        )
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(one, other)
    assert len(asked.sizes) > 5


def test_a_strategy_that_ignores_its_cards_is_met_in_the_same_games_too():
    """Its beliefs are scaled when it is asked, which no draw notices; what is won is that of the same cards."""
    ours, theirs = (
        found(PokerResponderGame(each, FEW, 1), "tree", abreast=4, batches=1, simulations=10)
        for each in (probe(), AsAsked(probe()))
    )
    for one, other in zip(ours[:-2], theirs[:-2], strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_allclose(np.concatenate(ours[-2:]), np.concatenate(theirs[-2:]), rtol=1e-9)


@pytest.mark.parametrize(("preset", "least"), [("tree", 2), ("table", 6)])
def test_each_state_is_asked_once_and_games_side_by_side_ask_together(preset, least):
    """In a kept tree all wait for the last of them before each simulation, so that questions are about fewer states."""
    asked = AsAsked(random_abstract_strategy(FEW, 2))
    game = PokerResponderGame(asked, FEW, 0)
    options = replace(PRESETS[preset].search, abreast=12, simulations=10)
    learner = make_learner(game, PRESETS[preset].learning, 1)
    game.play(options, learner.values(), seed=1, first=0, number=36)
    assert len({*asked.states}) == len(asked.states) == game.opponent.native.num_told
    assert max(asked.sizes) <= 12
    assert np.mean(asked.sizes) > least


def test_answers_that_were_dropped_are_asked_for_again_and_nothing_changes():
    """With no room at all only what was told or looked at last is kept; games still come to their end."""
    strategy = random_abstract_strategy(FEW, 2)
    games, asked = [], []
    for most_bytes in (1 << 28, 0):
        asked.append(AsAsked(strategy))
        game = PokerResponderGame(asked[-1], FEW, 0)
        opponent = AskedOpponent(LIMIT, asked[-1], 10, (0, 0))
        opponent.native = _native.AskedOpponent(LIMIT.native, False, most_bytes)
        game.__dict__["opponent"] = opponent
        games.append(found(game, "table", abreast=6, batches=1, simulations=8))
    for one, other in zip(*games, strict=True):
        np.testing.assert_array_equal(one, other)
    assert sum(asked[1].sizes) > sum(asked[0].sizes)


def test_a_strategy_of_ones_own_is_believed_by_its_policies():
    """Random rows of its own for every board: the belief is what they say, hand by hand."""
    strategy = Seeded()
    game = PokerResponderGame(strategy, abstract_game(LEDUC), 0)
    state = LEDUC.root().act(0).act(3)
    hole_cards = (LEDUC.deck[3],)
    (policy,) = strategy.policies([LEDUC.root().act(0)])
    expected = policy.chance_of(3) * np.array([card != hole_cards[0] for card in LEDUC.deck])
    with pytest.raises(RuntimeError, match="an answer of the opponent is missing"):
        game.native.belief(state.native, hole_cards)
    assert game.opponent.answer()
    belief = game.native.belief(state.native, hole_cards)
    np.testing.assert_allclose(belief / belief.sum(), expected / expected.sum(), rtol=1e-12)


class Impure(Seeded):
    """Other rows whenever it is asked."""

    def __init__(self):
        self._draws = np.random.default_rng(1)

    def _policy(self, state):
        policy = super()._policy(state)
        return replace(policy, probabilities=np.roll(policy.probabilities, self._draws.integers(1, 3), axis=1))


class Nowhere(Seeded):
    """Gives no probability to anything."""

    def _policy(self, state):
        policy = super()._policy(state)
        return replace(policy, probabilities=0 * policy.probabilities)


def test_what_cannot_be_believed_is_refused_in_one_line():
    with pytest.raises(AgentError, match=r"seeded after '', in seat \d: asked again, it gives other probabilities"):
        require_same_answers(Impure(), LEDUC)
    require_same_answers(Seeded(), LEDUC)
    game = PokerResponderGame(Nowhere(), abstract_game(LEDUC), 0)
    learner = make_learner(game, PRESETS["tree"].learning, 1)
    with pytest.raises(AgentError, match=r"the probabilities .* do not add up to 1"):
        game.play(PRESETS["tree"].search, learner.values(), seed=1, first=0, number=3)
    sampled = Seeded()
    sampled.is_sampled = True
    with pytest.raises(ConfigError, match=r"seeded is known by samples only.*lbr measures it"):
        PokerResponderGame(sampled, abstract_game(LEDUC), 0)
    with pytest.raises(MismatchError, match="is a strategy for leduc2"):
        PokerResponderGame(random_abstract_strategy(abstract_game(LEDUC), 1), FEW, 0)


def test_a_forecast_asks_the_strategy_little_and_counts_what_games_ask():
    asked = AsAsked(probe())
    games = [PokerResponderGame(asked, FEW, seat) for seat in (0, 1)]
    options = replace(PRESETS["tree"].search, simulations=6, abreast=4)
    expected = forecast_asking(games, options, searches=False)
    assert sum(asked.sizes) <= 70
    assert expected.seconds > 0
    more = forecast_asking(games, replace(options, simulations=12), searches=False)
    assert 1.4 * expected.questions < more.questions < 2.1 * expected.questions
    assert more.fresh == expected.fresh > 1
    assert TRIAL_GAMES > 1 < FRESH_TRIAL_GAMES
