"""Any strategy of a small poker game as the table of its tree, and its exact best response."""

import sys

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy
from exact_play import slot_entries

from nashgap.core.strategy import Policy, RaiseRange
from nashgap.errors import ConfigError, GameSizeError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.measures.bucket_response import bucket_gap
from nashgap.poker.hands import hand_names
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.poker.state import CALL, FOLD
from nashgap.strategies.chumps import always_call, random
from nashgap.strategies.load import load, save
from nashgap.strategies.poker_table import PokerTableStrategy
from nashgap.strategies.table import uniform
from nashgap.strategies.tabulate import tabulate_poker, tree_of_rules


@pytest.mark.parametrize("game", ["leduc", "leduc2"])
def test_a_lossless_strategy_is_measured_exactly(tmp_path, game):
    """Slot by slot what its tables say; and the gap within the abstract game, where nothing is lost, is the same."""
    strategy = random_abstract_strategy(abstract_game("leduc2"), seed=3)
    save(tmp_path / "file", strategy)
    table = load(tmp_path / "file", load_tree(game))
    tree, entries = slot_entries("leduc2", strategy.game)
    expected = np.concatenate(strategy.tables)[entries].astype(float)
    np.testing.assert_allclose(load(table, tree_of_rules(strategy.rules)).probabilities, expected, atol=1e-7)
    exact = exploitability(table.tree, table).nash_conv
    sampled = bucket_gap(strategy.game, strategy.tables, num_deals=200_000, seed=1).nash_conv
    assert abs(exact - sampled.mean) < 2 * sampled.ci95
    assert tree.fingerprint == tree_of_rules(strategy.rules).fingerprint


@pytest.mark.parametrize("name", ["always-fold", "always-call", "always-raise"])
def test_a_chump_at_the_table_is_the_chump_of_the_tree(name):
    tree = load_tree("leduc(players=3,ranks=3)")
    asked = tabulate_poker(load(name, load_rules("leduc(players=3,ranks=3)")), tree)
    np.testing.assert_array_equal(asked.probabilities, load(name, tree).probabilities)


def test_random_is_uniform_where_no_raise_has_sizes():
    tree = load_tree("kuhn3")
    np.testing.assert_allclose(tabulate_poker(random(), tree).probabilities, uniform(tree).probabilities, rtol=1e-15)
    np.testing.assert_array_equal(load("random", tree).probabilities, tabulate_poker(random(), tree).probabilities)


SMALL = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 1
stack = 6 6
blind = 1 2
firstPlayer = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
"""


class Ranged:
    """With an ace a raise of any size up to 5, all sizes equally often; else a call, or now and then a fold."""

    name, is_sampled = "ranged", False

    def policies(self, states):
        return [self.policy(state) for state in states]

    def policy(self, state):
        names, legal = hand_names(state.rules), state.legal
        if not legal.can_raise or legal.min_raise_to > 5:
            return Policy(names, (), [[1.0]], (CALL,))
        has_ace = np.array([name[0] == "A" for name in names], float)
        top = min(5, legal.max_raise_to)
        moves = [CALL, RaiseRange(legal.min_raise_to, top)]
        rows = np.column_stack([1 - has_ace, has_ace])
        if legal.can_fold:
            moves, rows = [*moves, FOLD], np.column_stack([0.75 * (1 - has_ace), has_ace, 0.25 * (1 - has_ace)])
        return Policy(names, (), rows, tuple(moves))


def test_what_is_not_listed_is_never_done_and_ranges_are_spread():
    rules = parse_rules(SMALL, "small")
    tree = tree_of_rules(rules)
    table = tabulate_poker(Ranged(), tree)
    assert tree.actions(tree.infoset_index["0:As"]) == ("fold", "call", "raise 4", "raise 5", "raise 6")
    assert list(table.probabilities[tree.slots(tree.infoset_index["0:As"])]) == [0, 0, 0.5, 0.5, 0]
    assert list(table.probabilities[tree.slots(tree.infoset_index["0:Ks"])]) == [0.25, 0.75, 0, 0, 0]
    assert list(table.probabilities[tree.slots(tree.infoset_index["1:As r4"])]) == [0, 1, 0]


BOTS = """
from nashgap.core.strategy import Policy
from nashgap.poker.hands import hand_names

class Caller:
    def policies(self, states):
        return [Policy(hand_names(state.rules), ("c",), [[1.0]]) for state in states]

class Sampler:
    def sample_policies(self, states, seed):
        return [Policy(hand_names(state.rules), ("c",), [[1.0]]) for state in states]
"""

PROGRAM = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    if "nashgap" in question:
        print('{"nashgap":1,"name":"caller"}', flush=True)
    else:
        policies = [{"actions": ["c"], "probabilities": [1]} for _ in question["states"]]
        print(json.dumps({"id": question["id"], "policies": policies}), flush=True)
"""


def test_classes_programs_and_objects_have_exact_best_responses(tmp_path, monkeypatch):
    (tmp_path / "bots_to_tabulate.py").write_text(BOTS)
    (tmp_path / "caller.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(tmp_path))
    tree = load_tree("leduc")
    expected = load("always-call", tree).probabilities
    program = f"exec:{sys.executable} {tmp_path / 'caller.py'}"
    table = PokerTableStrategy("t", load("always-call", tree))
    for bot in ("python:bots_to_tabulate:Caller", program, always_call(), table):
        np.testing.assert_array_equal(load(bot, tree).probabilities, expected)
    with pytest.raises(ConfigError, match="Sampler is known by samples only: it has no table"):
        load("python:bots_to_tabulate:Sampler", tree)
    abstract = random_abstract_strategy(abstract_game("leduc2")).with_options(translation="sampled")
    with pytest.raises(ConfigError, match="known by samples only"):
        load(abstract, tree)
    with pytest.raises(ConfigError, match=r"is one for the poker table, at which liars_dice.* is not played"):
        load(program, load_tree("liars_dice(dice_sides=2)"))


def test_large_games_are_refused_with_their_size():
    with pytest.raises(GameSizeError, match="histories"):
        tree_of_rules(load_rules("hunl"))
    assert tree_of_rules(load_rules("leduc")).game == "leduc"
    assert tree_of_rules(load_rules("leduc2")).game == "leduc2"
    assert tree_of_rules(parse_rules(load_rules("leduc2").to_text(), "mine")).game.startswith("poker(")
    assert tree_of_rules(parse_rules(load_rules("kuhn2").to_text(), "leduc")).num_infosets == 12, "the name lies"
