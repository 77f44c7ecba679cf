"""A strategy trained with fewer raises, on the tree with all of them."""

import numpy as np
import pytest

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.core.game import CHANCE
from nashgap.errors import MismatchError, UnsupportedGameError
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import load_rules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.larger_tree import on_larger_tree
from nashgap.strategies.play_options import PlayOptions


def game_of(name, betting):
    rules = load_rules(name)
    cards = build_abstraction(parse_card_abstraction("lossless"), rules)
    return AbstractGame(build_betting_tree(rules, parse_betting_abstraction(betting)), cards)


def random_strategy(game, **options):
    """Any probabilities; one information set in five was never reached."""
    rng = np.random.default_rng(3)
    tables = [np.zeros(size, np.float32) for size in np.diff(game.entry_start).tolist()]
    for round_number, table in enumerate(tables):
        for node in range(*game.tree.round_start[round_number : round_number + 2].tolist()):
            entries = game.entries(node) - game.entry_start[round_number]
            shares = rng.dirichlet(np.ones(entries.shape[1]), len(entries))
            table[entries] = shares * (rng.random(len(entries)) > 0.2)[:, None]
    return AbstractStrategy(game, tuple(tables), PlayOptions(**options))


def decisions(state):
    """All states of the game in which a seat acts, on every board."""
    if state.is_over:
        return
    if state.seat == CHANCE:
        for card in state.rules.deck:
            yield from decisions(state.deal([card]))
        return
    yield state
    for action in state.legal:
        yield from decisions(state.act(action))


@pytest.mark.parametrize("caps", ["1/1", "0/2", "1/0", "2/2"])
@pytest.mark.parametrize("options", [{}, {"fallback": "call"}, {"off_tree": "check-fold"}])
def test_it_plays_as_at_the_real_table(caps, options):
    """The strategy of the small tree, asked at the table where all raises are legal, answers the same everywhere."""
    small, large = game_of("leduc2", f"full caps={caps}"), game_of("leduc2", "full")
    strategy = random_strategy(small, **options)
    lifted = AbstractStrategy(large, on_larger_tree(strategy, large))
    states = list(decisions(large.rules.root()))
    for state, expected, found in zip(states, strategy.policies(states), lifted.policies(states), strict=True):
        columns = [found.actions.index(action) for action in expected.actions]  # no more than it may do
        np.testing.assert_allclose(
            found.probabilities[:, columns], expected.probabilities, atol=1e-6, err_msg=state.betting
        )
        np.testing.assert_allclose(np.delete(found.probabilities, columns, axis=1), 0, err_msg=state.betting)


def test_beyond_the_cap_it_calls_and_goes_on_as_if_it_had_been_a_call():
    small, large = game_of("leduc2", "full caps=1/1"), game_of("leduc2", "full")
    strategy = random_strategy(small)
    tables = on_larger_tree(strategy, large)
    root = large.rules.root()

    def row(history):
        node = large.tree.find_node(history).target
        round_number = int(node >= large.tree.round_start[1])
        return tables[round_number][large.entries(node) - large.entry_start[round_number]]

    first = root.legal.max_raise_to
    second = root.act(first).legal.max_raise_to
    assert (row([first, second]) == [0, 1]).all()  # fold, call: the cap of the rules
    assert (row([first])[:, 2] == 0).all()  # never raises there itself
    np.testing.assert_array_equal(row([first, second, 0]), row([first, 0]))


def test_same_tree_same_tables():
    game = game_of("leduc2", "full")
    strategy = random_strategy(game, fallback="call")
    for table, lifted in zip(strategy.tables, on_larger_tree(strategy, game), strict=True):
        reached = table > 0
        np.testing.assert_array_equal(lifted[reached], table[reached])


def test_other_games_are_refused():
    with pytest.raises(UnsupportedGameError, match="heads-up limit"):
        on_larger_tree(random_strategy(game_of("kuhn3", "full")), game_of("kuhn3", "full"))
    with pytest.raises(MismatchError, match="game and cards"):
        on_larger_tree(random_strategy(game_of("leduc2", "full caps=1/1")), game_of("kuhn2", "full"))
