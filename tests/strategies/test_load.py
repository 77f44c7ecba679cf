"""One loader: what a file, a name, a class, a program or an object is, without and for a game."""

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy

from nashgap.agents.named import load_agent
from nashgap.agents.strategy_agent import StrategyAgent
from nashgap.agents.table_agent import TableAgent
from nashgap.core.array_file import open_arrays, save_arrays
from nashgap.errors import ConfigError, FileFormatError, MismatchError
from nashgap.games.compiled import load_tree
from nashgap.poker.rules import load_rules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.bot import FileBot
from nashgap.strategies.load import load, rules_of, save
from nashgap.strategies.poker_table import PokerTableStrategy
from nashgap.strategies.python_strategy import PythonStrategy
from nashgap.strategies.spec import as_bot
from nashgap.strategies.table import TableStrategy, uniform

LEDUC, HUNL = load_rules("leduc2"), load_rules("hunl")


def test_a_file_of_either_kind_is_loaded_without_a_game(tmp_path):
    table, abstract = uniform(load_tree("leduc(players=3)")), random_abstract_strategy(abstract_game("leduc2"))
    save(tmp_path / "table", table)
    abstract.save(tmp_path / "abstract")
    loaded = load(tmp_path / "table")
    assert isinstance(loaded, TableStrategy) and loaded.tree.game == "leduc(players=3)"
    np.testing.assert_array_equal(loaded.probabilities, table.probabilities)
    again = load(str(tmp_path / "abstract"))
    assert isinstance(again, AbstractStrategy) and again.rules == LEDUC
    for one, two in zip(again.tables, abstract.tables, strict=True):
        np.testing.assert_array_equal(one, two)
    assert load(f"{tmp_path}/abstract(purify=1)").options.purify
    assert rules_of(as_bot(str(tmp_path / "abstract"))) == LEDUC
    assert rules_of(as_bot("always-call")) is None


@pytest.mark.parametrize("bot", ["uniform", "always-call", "exec:true", "python:json:JSONDecoder", "acpc:true"])
def test_what_exists_for_many_games_needs_one(bot):
    with pytest.raises(ConfigError, match="exists for many games; name the game too"):
        load(bot)


def test_what_cannot_be_saved_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="a Chump cannot be saved"):
        save(tmp_path / "file", load("always-call", HUNL))
    assert not (tmp_path / "file").exists()


def test_a_file_that_tells_no_game_is_refused(tmp_path):
    path = tmp_path / "file"
    strategy = uniform(load_tree("kuhn"))
    strategy.save(path)
    metadata = open_arrays(path).metadata | {"game_definition": {}}
    save_arrays(path, {"probabilities": strategy.probabilities}, metadata)
    with pytest.raises(FileFormatError, match="does not say which game it is for"):
        load(path)
    assert load(path, strategy.tree).tree is strategy.tree
    save_arrays(path, {"probabilities": np.ones(3)}, {"kind": "recipe"})
    with pytest.raises(FileFormatError, match="is a file of kind 'recipe', not 'tree-strategy'"):
        load(path)


class Caller:
    """Nothing but `policies`."""

    def policies(self, states):
        from nashgap.core.strategy import Policy
        from nashgap.poker.hands import hand_names

        return [Policy(hand_names(state.rules), ("c",), [[1.0]]) for state in states]


def test_objects_are_loaded_like_names():
    own = load(Caller(), HUNL)
    assert isinstance(own, PythonStrategy) and own.name == "Caller"
    assert own.policies([HUNL.root()])[0].moves == (0,)
    assert isinstance(load_agent(Caller(), HUNL), StrategyAgent)

    table = uniform(load_tree("leduc2"))
    assert load(table) is load(table, table.tree) is table
    seated = load(table, LEDUC)
    assert isinstance(seated, PokerTableStrategy) and seated.name == "leduc2"
    assert isinstance(load_agent(table, LEDUC), StrategyAgent)
    for game in (load_tree("kuhn"), HUNL):
        with pytest.raises(MismatchError, match="for leduc2, not for"):
            load(table, game)

    abstract = random_abstract_strategy(abstract_game("leduc2"))
    assert load(abstract) is load(abstract, LEDUC) is abstract
    assert isinstance(load_agent(abstract, LEDUC), TableAgent)
    with pytest.raises(MismatchError, match="is for leduc2, not for hunl"):
        load(abstract, HUNL)


def test_a_path_is_a_file(tmp_path):
    save(tmp_path / "always-call", uniform(load_tree("kuhn2")))
    assert as_bot(tmp_path / "always-call") == FileBot(str(tmp_path / "always-call"))
    assert load(tmp_path / "always-call").tree.game == "kuhn2"
