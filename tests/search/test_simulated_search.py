"""The search in games that are never enumerated: beliefs are exact, nothing peeks, and games are repeatable."""

from __future__ import annotations

import pickle
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from random_strategies import by_name, random_strategy

from nashgap import _native
from nashgap.errors import AgentError, ConfigError, GameSizeError
from nashgap.games.compiled import load_tree
from nashgap.games.simulated import SimulatedGame, load_simulated_game
from nashgap.search.options import SearchOptions
from nashgap.search.simulated_search import Parallel, SimulatedResponderGame
from nashgap.search.simulated_values import Answer, NetworkValues, Place, TableValues
from nashgap.search.simulated_world import SimulatedWorld
from nashgap.strategies.bot import GivenBot
from nashgap.strategies.simulated_policy import AskedPolicy, SimulatedPolicy, UniformPolicy
from nashgap.strategies.table import TableStrategy

HIDDEN = ("kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)")
OPTIONS = SearchOptions(simulations=24, rule="puct", exploration=1.0)


class TablePolicy:
    """The strategy of a compiled game, asked about OpenSpiel's states."""

    name = "table"

    def __init__(self, table: TableStrategy) -> None:
        self._rows = by_name(table.tree, table.probabilities)

    def action_probabilities(self, state: Any) -> dict[int, float]:
        player = state.current_player()
        row = self._rows[player, state.information_state_string(player)]
        return dict(zip(state.legal_actions(), row, strict=True))


def asked(given: Any, game: SimulatedGame) -> SimulatedPolicy:
    return AskedPolicy(GivenBot(given), game)


def responder(spec: str, player: int = 0, opponent: Any = None, **options: Any) -> SimulatedResponderGame:
    game = load_simulated_game(f"openspiel:{spec}")
    policy = UniformPolicy() if opponent is None else asked(opponent, game)
    return SimulatedResponderGame(SimulatedWorld(game, policy, player, **options))


def node_posterior(table: TableStrategy, player: int, infoset: int) -> list[float]:
    _, chances = _native.TreeSearch(table.tree.native, player, table.probabilities).belief(infoset)
    return sorted((chances / chances.sum())[chances > 0].tolist())


def reach(game: SimulatedGame, policy: TablePolicy, history: Any, player: int) -> float:
    """Of one history, from its beginning, by chance and the opponent."""
    state, product = game.root(), 1.0
    for action in history.history():
        if state.is_chance_node():
            product *= dict(state.chance_outcomes())[action]
        elif state.current_player() != player:
            product *= policy.action_probabilities(state)[action]
        state.apply_action(action)
    return product


@pytest.mark.parametrize("spec", HIDDEN)
@pytest.mark.parametrize("player", [0, 1])
def test_beliefs_are_those_of_the_compiled_game(spec: str, player: int) -> None:
    """At every decision of 60 games against random opponents: as many histories, with the same chances, and each with
    its own."""
    tree = load_tree(f"openspiel:{spec}")
    game = load_simulated_game(f"openspiel:{spec}")
    number = {name: infoset for infoset, name in enumerate(tree.infoset_name) if tree.infoset_player[infoset] == player}
    met = 0
    for seed in range(3):
        table = random_strategy(tree, seed)
        policy = TablePolicy(table)
        world = SimulatedWorld(game, asked(policy, game), player)
        randoms = [Random(100 * seed + each) for each in range(20)]
        positions = world.begin(randoms)
        while going := [place for place, position in enumerate(positions) if not position.is_end]:
            for place in going:
                seen = positions[place].state.information_state_string(player)
                chances = [chance for _, chance in positions[place].believed]
                assert sorted(chances) == pytest.approx(node_posterior(table, player, number[seen]), abs=1e-12)
                reaches = np.array([reach(game, policy, history, player) for history, _ in positions[place].believed])
                assert chances == pytest.approx((reaches / reaches.sum()).tolist(), abs=1e-12)
                met += 1
            actions = [randoms[place].choice(positions[place].state.legal_actions()) for place in going]
            moved = world.act([positions[place] for place in going], actions, [randoms[place] for place in going])
            for place, position in zip(going, moved, strict=True):
                positions[place] = position
    assert met >= 60


def test_histories_are_drawn_by_the_belief() -> None:
    """In Kuhn with the second card the responder believes in two cards alike; 2,000 draws, five standard deviations."""
    world = responder("kuhn_poker", 1).world
    random = Random(1)
    (position,) = world.begin([random])
    drawn: dict[str, int] = defaultdict(int)
    for _ in range(2000):
        drawn[str(world.draw(position, random))] += 1
    assert len(drawn) == len(position.believed) == 2
    assert all(abs(count - 1000) < 112 for count in drawn.values())


def test_the_real_history_decides_nothing() -> None:
    """Two games that look alike to the responder are searched alike."""
    game = responder("kuhn_poker", 1)
    world = game.world
    told = {}
    for seed in range(40):
        position = world.begin([Random(seed)])[0]
        seen = position.state.information_state_string(1)
        believed = sorted((str(history), round(chance, 12)) for history, chance in position.believed)
        assert told.setdefault(seen, believed) == believed
    assert len(told) == 6


class Liar:
    """Bets when it is first asked, and from then on says that it never would."""

    name = "liar"

    def __init__(self) -> None:
        self._was_asked = False

    def action_probabilities(self, state: Any) -> dict[int, float]:
        action = 0 if self._was_asked else 1
        self._was_asked = True
        return {action: 1.0}


def test_a_policy_that_denies_what_it_played_is_an_error() -> None:
    with pytest.raises(AgentError, match="liar gave no chance to what it has just played, after '"):
        responder("kuhn_poker", 1, Liar()).play(OPTIONS, TableValues(), seed=0, first=0, number=1)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({0: 0.5, 1: 0.4}, "its probabilities add up to 0.9, not to 1"),
        ({0: 0.5, 7: 0.5}, "action 7 is not legal"),
        ({0: 1.5, 1: -0.5}, "action 0 has the probability 1.5"),
        ({0: float("nan")}, "action 0 has the probability nan"),
        (None, "None is no mapping from actions to numbers"),
    ],
)
def test_impossible_answers_are_refused(answer: Any, message: str) -> None:
    class Odd:
        name = "odd"

        def action_probabilities(self, state: Any) -> Any:
            return answer

    with pytest.raises(AgentError, match=f"odd after '.*': {message}"):
        responder("kuhn_poker", 1, Odd()).play(OPTIONS, TableValues(), seed=0, first=0, number=1)


def test_a_policy_that_fails_is_named_with_the_place() -> None:
    class Broken:
        name = "broken"

        def many_action_probabilities(self, states: Any) -> Any:
            raise KeyError("x")

    with pytest.raises(AgentError, match=r"broken fails in many_action_probabilities: KeyError: 'x' \(.*, line \d+\)"):
        responder("kuhn_poker", 1, Broken()).play(OPTIONS, TableValues(), seed=0, first=0, number=1)


def test_an_answer_that_fails_as_it_is_read_is_named_with_the_place() -> None:
    class Failing(dict[int, float]):
        def items(self) -> Any:
            raise GeneratorExit

    class Broken:
        name = "broken"

        def action_probabilities(self, state: Any) -> Any:
            return Failing({0: 1.0})

    with pytest.raises(AgentError, match=r"broken after '.*': its answer cannot be read: GeneratorExit"):
        responder("kuhn_poker", 1, Broken()).play(OPTIONS, TableValues(), seed=0, first=0, number=1)


def test_too_many_histories_are_refused() -> None:
    with pytest.raises(GameSizeError, match=r"leduc_poker: 25 histories or more look alike to player 1;.* most 20"):
        responder("leduc_poker", most_histories=20).play(OPTIONS, TableValues(), seed=0, first=0, number=1)


@pytest.mark.parametrize("spec", ["tic_tac_toe", "leduc_poker"])
def test_a_game_does_not_depend_on_those_beside_it(spec: str) -> None:
    game = pickle.loads(pickle.dumps(responder(spec, 1)))
    together = game.play(OPTIONS, TableValues(), seed=5, first=0, number=40)
    alone = [game.play(OPTIONS, TableValues(), seed=5, first=number, number=1) for number in range(33, 36)]
    assert together.payoff[33:36].tolist() == [each.payoff[0] for each in alone]
    begin = together.decision_end[32]
    assert together.key[begin : together.decision_end[35]].tolist() == [key for each in alone for key in each.key]
    assert (together.payoff != game.play(OPTIONS, TableValues(), seed=6, first=0, number=40).payoff).any()


def test_what_is_told_adds_up() -> None:
    told = responder("leduc_poker").play(OPTIONS, TableValues(), seed=1, first=0, number=20)
    assert told.decision_end[-1] == len(told.key) == len(told.value) == len(told.share)
    assert told.num_simulations == 24 * len(told.key)
    np.testing.assert_allclose(told.share.sum(axis=1), 1.0, rtol=1e-6)
    assert ((told.share > 0) <= (told.actions >= 0)).all()
    assert np.abs(told.value).max() <= 13.0
    assert len(told.payoff_of_decision) == len(told.key)


def test_simulations_beside_each_other_leave_no_virtual_loss() -> None:
    """However many are under way at once: visits are whole, and add up to the simulations."""
    for at_once in (1, 3, 8):
        game = SimulatedResponderGame(responder("tic_tac_toe").world, Parallel(at_once, virtual_loss=2.5))
        told = game.play(OPTIONS, TableValues(), seed=2, first=0, number=1)
        visits = told.share[0] * 24
        np.testing.assert_allclose(visits, visits.round(), atol=1e-5)
        assert visits.sum() == pytest.approx(24)


def test_a_value_that_is_known_ends_the_simulation() -> None:
    class Sure:
        has_features = False

        def answers(self, places: list[Place]) -> list[Answer]:
            return [Answer(0.25, np.full(len(place.actions), 1 / len(place.actions))) for place in places]

    told = responder("hex(board_size=4)").play(
        SearchOptions(simulations=10, rule="puct"), Sure(), seed=0, first=0, number=1
    )
    assert told.value[0] == pytest.approx(0.25)


def test_what_is_won_later_is_worth_less_and_paid_in_full() -> None:
    """Tic-tac-toe: decisions count backwards from the end, and a square that wins at once is worth one discount."""
    options = SearchOptions(simulations=400, rule="puct", exploration=1.0, discount=0.5)
    told = responder("tic_tac_toe").play(options, TableValues(), seed=1, first=0, number=12)
    assert set(told.payoff.tolist()) <= {-1.0, 0.0, 1.0}
    begin = 0
    for payoff, end in zip(told.payoff, told.decision_end, strict=True):
        expected = [payoff * 0.5 ** (end - decision) for decision in range(begin, end)]
        assert told.payoff_of_decision[begin:end].tolist() == expected
        if payoff == 1.0:
            assert told.value[end - 1] == pytest.approx(0.5)
        begin = end
    assert (told.payoff == 1.0).sum() > 6
    assert told.value[0] < 0.25  # no win is nearer than in three decisions


def test_shares_are_by_visits_unless_greed_is_asked_for() -> None:
    game = responder("tic_tac_toe")
    visits = game.play(OPTIONS, TableValues(), seed=2, first=0, number=4)
    greedy = game.play(replace(OPTIONS, greed=4.0), TableValues(), seed=2, first=0, number=4)
    assert visits.payoff.tolist() == greedy.payoff.tolist()  # nothing was learned of it yet
    first = visits.share[0] * 24
    np.testing.assert_allclose(first, first.round(), atol=1e-5)
    np.testing.assert_allclose(greedy.share.sum(axis=1), 1.0, rtol=1e-6)
    assert (greedy.share[greedy.actions >= 0] > 0).all()
    assert np.abs(greedy.share - visits.share).max() > 0.05


def test_a_network_says_the_same_of_a_place_whatever_is_beside_it() -> None:
    generator = np.random.default_rng(0)
    sizes = (27, 16, 10)
    shapes = [shape for each in pairwise(sizes) for shape in (each, each[1:])]
    values = NetworkValues(tuple(generator.normal(size=shape).astype(np.float32) for shape in shapes), 2.0)
    places = [Place(key, [0, 3, 8], generator.normal(size=27).astype(np.float32)) for key in range(70)]
    together = values.answers(places)
    for place, answer in zip(places, together, strict=True):
        (alone,) = values.answers([place])
        assert alone.value == answer.value
        assert alone.prior.tolist() == answer.prior.tolist()
        assert answer.prior.sum() == pytest.approx(1.0)


def test_legal_outputs_of_many_are_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    shapes = [(27, 16), (16,), (16, 40), (40,)]
    parameters = tuple(generator.normal(size=shape).astype(np.float32) for shape in shapes)
    places = [
        Place(key, sorted(generator.choice(39, 1 + key % 5, replace=False).tolist()), generator.normal(size=27))
        for key in range(20)
    ]
    all_computed = NetworkValues(parameters, 2.0).answers(places)
    monkeypatch.setattr("nashgap.search.simulated_values.MOST_OUTPUTS", 39)
    some_computed = NetworkValues(parameters, 2.0).answers(places)
    for place, one, other in zip(places, all_computed, some_computed, strict=True):
        hidden = np.maximum(place.features @ parameters[0] + parameters[1], 0.0)
        outputs = (hidden @ parameters[2] + parameters[3]).astype(np.float64)
        shares = np.exp(outputs[1:][place.actions])
        assert one.value == other.value == pytest.approx(2.0 * outputs[0], rel=1e-4)
        assert one.prior.tolist() == other.prior.tolist()
        np.testing.assert_allclose(one.prior, shares / shares.sum(), rtol=1e-4)


def test_with_no_simulations_the_prior_decides() -> None:
    class Corner:
        has_features = False

        def answers(self, places: list[Place]) -> list[Answer]:
            return [Answer(0.0, np.eye(len(place.actions))[-1]) for place in places]

    class First:
        name = "first"

        def action_probabilities(self, state: Any) -> dict[int, float]:
            return {min(state.legal_actions()): 1.0}

    game = responder("tic_tac_toe", 0, First())
    won = game.evaluate(SearchOptions(simulations=0, exploring=0), Corner(), seed=0, first=0, number=3)
    assert won.tolist() == [1.0, 1.0, 1.0]  # 8, 7, 6: the last row, before 0, 1, 2 is full


@pytest.mark.parametrize(("at_once", "virtual_loss"), [(0, 1.0), (1.5, 1.0), (1, -1.0), (1, float("nan"))])
def test_bad_ways_to_go_beside_each_other_are_refused(at_once: Any, virtual_loss: float) -> None:
    with pytest.raises(ConfigError, match="it must be a"):
        Parallel(at_once, virtual_loss)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"discount": 0.0}, r"discount = 0.0; it must be a number above 0, and 1 or less"),
        ({"discount": 1.5}, r"discount = 1.5; it must be"),
        ({"greed": -1.0}, r"greed = -1.0; it must be a number, 0 or more"),
        ({"greed": float("nan")}, r"greed = nan; it must be"),
    ],
)
def test_bad_ways_to_search_long_games_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SearchOptions(**options)  # type: ignore[arg-type]
