"""From rules to arrays: both ways give the same game, and what does not fit is refused in time."""

import resource
import time

import numpy as np
import pytest
from plain_games import ABSENT_MINDED, FORGETFUL, HistoryGame, RandomGame, TableGame
from random_strategies import by_name, from_names, random_strategy

from nashgap.core import compile as compile_module
from nashgap.core.compile import compile_tree, estimate_num_nodes
from nashgap.errors import ConfigError, GameSizeError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.games.spec import load_game
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.solvers.cfr import CFR
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.schedules import SCHEDULES

DEALT = ["kuhn", "kuhn(players=3)", "kuhn(players=4)", "leduc", "liars_dice(dice_sides=3)"]
# Every number of hands that the kernels are written out for, and some that they are not.
DEALT += [f"bet_size(deck={deck},stack=1,step=0.5)" for deck in (2, 5, 6, 7, 8, 9, 10, 11)]


@pytest.fixture(scope="module", params=DEALT)
def pair(request):
    """The same game compiled by public nodes and history by history."""
    game = load_game(request.param)
    return load_tree(request.param), compile_tree(HistoryGame(game), request.param)


def test_both_ways_name_the_same_infosets(pair):
    dealt, plain = pair
    assert dealt.infoset_index.keys() == plain.infoset_index.keys()
    assert dealt.num_nodes == plain.num_nodes
    assert dealt.has_perfect_recall
    assert plain.has_perfect_recall
    for key, infoset in dealt.infoset_index.items():
        assert dealt.actions(infoset) == plain.actions(plain.infoset_index[key])


def test_both_ways_measure_the_same(pair):
    dealt, plain = pair
    for seed in range(5):
        strategy = random_strategy(dealt, seed, sparsity=0.1 * seed)
        twin = from_names(plain, by_name(dealt, strategy.probabilities))
        assert expected_values(dealt, strategy) == pytest.approx(expected_values(plain, twin), abs=1e-12)
        ours, theirs = exploitability(dealt, strategy), exploitability(plain, twin)
        assert ours.values == pytest.approx(theirs.values, abs=1e-12)
        assert ours.best_values == pytest.approx(theirs.best_values, abs=1e-12)


def test_both_ways_solve_the_same(pair):
    """From a random start: from a uniform one regrets can cancel exactly, and rounding would decide what is played."""
    dealt, plain = pair
    start = random_strategy(dealt, 2)
    twin = from_names(plain, by_name(dealt, start.probabilities))
    ours = CFR(dealt, SCHEDULES["pdcfr+"], given=[GivenStrategy(start)])
    theirs = CFR(plain, SCHEDULES["pdcfr+"], given=[GivenStrategy(twin)])
    ours.run(3)
    theirs.run(3)
    twin = from_names(plain, by_name(dealt, ours.average_strategy().probabilities))
    np.testing.assert_allclose(twin.probabilities, theirs.average_strategy().probabilities, atol=1e-9)


def test_cards_of_unequal_chances_are_compiled_alike(tmp_path):
    """A joint distribution with holes: many lanes are missing, so leaves are no full boxes."""
    rng = np.random.default_rng(3)
    joint = rng.random((12, 12)) * (rng.random((12, 12)) < 0.15)
    joint[2], joint[:, 5], joint[0, 11] = 0.0, 0.0, 0.2
    path = tmp_path / "joint.csv"
    np.savetxt(path, joint / joint.sum(), delimiter=",", fmt="%.17g")
    game = load_game(f'bet_size(joint="{path}",stack=1,step=0.5)')
    dealt, plain = compile_tree(game, "holes"), compile_tree(HistoryGame(game), "holes")
    assert dealt.infoset_index.keys() == plain.infoset_index.keys()
    strategy = random_strategy(dealt, 1)
    twin = from_names(plain, by_name(dealt, strategy.probabilities))
    ours, theirs = exploitability(dealt, strategy), exploitability(plain, twin)
    assert ours.best_values == pytest.approx(theirs.best_values, abs=1e-12)


@pytest.mark.parametrize(
    ("spec", "num_nodes"), [("kuhn", 55), ("leduc", 9451), ("liars_dice", 294877), ("liars_dice(dice_sides=3)", None)]
)
def test_the_estimate_is_near_the_size(spec, num_nodes):
    """Within 20%; one node deals all hands."""
    actual = load_tree(spec).num_nodes
    assert num_nodes in (None, actual)
    assert estimate_num_nodes(load_game(spec)).num_nodes == pytest.approx(actual, rel=0.2)


@pytest.mark.parametrize(
    ("spec", "refusal", "message"),
    [
        ("leduc(players=4)", GameSizeError, "has about .* histories"),
        ("liars_dice(players=3)", GameSizeError, "has more than .* histories"),
        ("bet_size(deck=1000)", GameSizeError, "has about .* histories"),
        ("bet_size(deck=100000)", ConfigError, "from 2 to 1000"),
        ("openspiel:chess", GameSizeError, "(about|more than) .* histories"),
    ],
)
def test_games_that_are_too_large_are_refused_soon_and_with_little_memory(spec, refusal, message):
    if spec.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(refusal, match=message):
        load_tree(spec)
    assert time.perf_counter() - start < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000  # KiB


def test_the_refusal_says_how_large_the_game_is():
    with pytest.raises(GameSizeError, match=r"^leduc has about \d(\.\d)?e\+03 histories; games of up to 1,000 "):
        load_tree("leduc", max_nodes=1000)


def test_the_limit_holds_where_the_estimate_is_too_low():
    """A tree that random walks underestimate: a long spine with a bush at its end."""
    bush = ("chance", {str(k): (0.01, (0.0, 0.0)) for k in range(100)})
    bush = ("chance", {str(k): (0.01, bush) for k in range(100)})
    spine = bush
    for depth in range(12):
        spine = ("player", 0, str(depth), {"stop": (0.0, 0.0), "go": spine})
    game = TableGame(spine)
    assert estimate_num_nodes(game).num_nodes < 5000
    with pytest.raises(GameSizeError, match="more than 9,000 histories"):
        compile_tree(game, "spine", max_nodes=9000)


class Endless:
    """A game that never ends."""

    num_players, unit = 1, "points"
    player, actions, infoset = 0, ("on",), "?"

    def root(self):
        return self

    def child(self, move):
        return self


def test_a_game_without_end_is_refused():
    with pytest.raises(GameSizeError, match="endless has more than 1e"):
        compile_tree(Endless(), "endless")


def test_perfect_recall_is_recognised():
    assert not compile_tree(FORGETFUL, "forgetful").has_perfect_recall
    assert not compile_tree(ABSENT_MINDED, "driver").has_perfect_recall
    assert compile_tree(RandomGame(3, 3, 5), "random").has_perfect_recall


def test_an_infoset_with_different_numbers_of_actions_is_refused():
    three = {"a": (1.0,), "b": (2.0,), "c": (3.0,)}
    tree = ("chance", {"h": (0.5, ("player", 0, "same", three)), "t": (0.5, ("player", 0, "same", {"a": (0.0,)}))})
    with pytest.raises(UnsupportedGameError, match="'same' has actions a, b, c in one history and a in another"):
        compile_tree(TableGame(tree, num_players=1), "odd")


def test_an_infoset_with_different_actions_is_refused():
    """As many, but not the same: what would a strategy for it mean?"""
    first, second = {"left": (1.0,), "right": (2.0,)}, {"up": (0.0,), "down": (4.0,)}
    tree = ("chance", {"h": (0.5, ("player", 0, "same", first)), "t": (0.5, ("player", 0, "same", second))})
    with pytest.raises(UnsupportedGameError, match="same"):
        compile_tree(TableGame(tree, num_players=1), "odd")


def decision(actions, player=0):
    return ("player", player, "here", actions)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (("chance", {"h": (0.5, (1.0,)), "t": (0.4, (0.0,))}), r"add up to 1, not \[0.5, 0.4\] \(sum 0.9\)"),
        (("chance", {"h": (1.5, (1.0,)), "t": (-0.5, (0.0,))}), "from 0 to 1"),
        (("chance", {"h": (float("nan"), (1.0,)), "t": (1.0, (0.0,))}), "from 0 to 1"),
        (decision({"a": (float("nan"),)}), "finite payoffs"),
        (decision({"a": (1.0, 2.0)}), "1 finite payoffs"),
        (decision({"a": (1.0,)}, player=5), "a state tells player 5; players are 0 to 0, counted from 0"),
        (decision({}), "needs actions"),
    ],
)
def test_a_game_that_breaks_its_promises_is_refused(tree, message):
    with pytest.raises(UnsupportedGameError, match=f"^broken: .*{message}"):
        compile_tree(TableGame(tree, num_players=1), "broken")


def test_a_history_that_is_too_long_is_refused():
    """The sampling kernels go down by recursion."""
    tree = (1.0,)
    for _ in range(6000):
        tree = ("chance", {"on": (1.0, tree)})
    with pytest.raises(GameSizeError):
        compile_tree(TableGame(tree, num_players=1), "long")


def test_counting_stops_only_beyond_the_limit(monkeypatch):
    """However little is counted at least, a game beyond the limit is never taken for one within it."""
    monkeypatch.setattr(compile_module, "LEAST_COUNTED", 10)
    cut, whole = (estimate_num_nodes(load_game("leduc"), enough=enough) for enough in (9000, 10_000))
    assert cut.num_nodes > 9000
    assert cut.is_lower_bound
    assert whole.num_nodes == pytest.approx(9451, rel=0.2)
    assert not whole.is_lower_bound


def test_impossible_outcomes_are_left_out():
    never = ("player", 0, "never", {"a": (9.0, 0.0)})
    tree = compile_tree(TableGame(("chance", {"no": (0.0, never), "yes": (1.0, (1.0, -1.0))})), "sure")
    assert tree.num_nodes == 2
    assert tree.num_infosets == 0
