"""Kuhn and Leduc are one game in the tree and at the poker table: same rules, same policies, same values."""

import numpy as np
import pytest
from random_strategies import random_strategy

from nashgap.agents.named import load_agent
from nashgap.arena.table import Deal, play_hand, seat_generator
from nashgap.cards.card import format_cards
from nashgap.errors import ConfigError, MismatchError
from nashgap.games.compiled import load_tree, tree_of
from nashgap.games.kuhn import Kuhn
from nashgap.games.leduc import Leduc
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.poker.game import CardGame, PokerGame
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.notation import HandRecord
from nashgap.poker.rules import load_rules
from nashgap.poker.state import View
from nashgap.strategies.check_bot import sample_states
from nashgap.strategies.load import load, rules_of, save
from nashgap.strategies.poker_table import PokerTableStrategy
from nashgap.strategies.spec import as_bot
from nashgap.strategies.table import TableStrategy
from nashgap.strategies.tabulate import tabulate_poker

GAMES = [
    Kuhn(),
    Kuhn(3),
    Kuhn(4),
    Leduc(),
    Leduc(ranks=5),
    Leduc(raises=1, bet1=3, bet2=7, ante=2),
    Leduc(players=3, ranks=3, raises=1),
]


def at_the_table(game):
    """The tree of the same game, dealt with real cards."""
    return tree_of(PokerGame(tuple(game.rules.to_text().splitlines())))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_random_play_is_worth_the_same_in_both_trees(game):
    """The strategy is carried over by asking it at the table; its values and best responses stay, but for the unit."""
    tree, other = tree_of(game), at_the_table(game)
    assert isinstance(game, CardGame)
    assert (tree.num_nodes, tree.num_infosets, tree.num_slots) == (
        other.num_nodes, other.num_infosets, other.num_slots,
    )  # fmt: skip
    strategy = random_strategy(tree, 4)
    moved = load(strategy, other)
    chips = game.rules.unit_chips
    assert chips * np.array(expected_values(other, moved)) == pytest.approx(expected_values(tree, strategy), abs=1e-12)
    found, expected = exploitability(other, moved), exploitability(tree, strategy)
    assert chips * found.nash_conv == pytest.approx(expected.nash_conv, rel=1e-9)
    back = load(moved, tree)
    np.testing.assert_array_equal(back.probabilities, strategy.probabilities)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_what_the_table_says_is_what_is_played(game):
    """Hand by hand and state by state, in the names of the small game: the next rank below, of the same suit."""
    tree = tree_of(game)
    strategy = random_strategy(tree, 5)
    seated = PokerTableStrategy("s", strategy)
    rules, ranks = game.rules, "23456789TJQKA"
    for state in sample_states(rules, 60, np.random.default_rng(1)):
        (policy,) = seated.policies([state])
        for place in np.flatnonzero(possible_hands(state)):
            card = hand_names(rules)[place]
            hand = ranks[ranks.index(card[0]) - 1] + (card[1] if isinstance(game, Leduc) else "")
            infoset = game.infoset_of(View(state, state.seat, (rules.deck[place],)))
            assert infoset.split(" ")[0] == hand
            if isinstance(game, Leduc) and state.board:
                board = format_cards(state.board)
                assert f"/{ranks[ranks.index(board[0]) - 1]}{board[1]}:" in infoset
            number = tree.infoset_index[f"{state.seat}:{infoset}"]
            np.testing.assert_array_equal(policy.row(place), strategy.probabilities[tree.slots(number)])


def test_every_hand_dealt_pays_what_the_tree_says():
    """The mean over all deals of pure play is the value of the tree, exactly."""
    game = Leduc()
    tree = tree_of(game)
    rng = np.random.default_rng(2)
    pure = np.zeros(tree.num_slots)
    for infoset in range(tree.num_infosets):
        slots = np.arange(tree.num_slots)[tree.slots(infoset)]
        pure[rng.choice(slots)] = 1.0
    strategy = TableStrategy(tree, pure)
    agents = [load_agent(strategy, game.rules) for _ in range(2)]
    deck = game.rules.deck
    total, number = np.zeros(2), 0
    for first in deck:
        for second in deck:
            for board in deck:
                if len({first, second, board}) == 3:
                    total += played(game, agents, ((first,), (second,)), (board,)).payoffs
                    number += 1
    assert total / number == pytest.approx(expected_values(tree, strategy), abs=1e-12)


def played(game, agents, hole_cards, board) -> HandRecord:
    for seat, agent in enumerate(agents):
        agent.start_match(game.rules)
        agent.start_hand(seat, seat_generator(0, 0, 0, seat))
    return play_hand(game.rules, agents, Deal(hole_cards, board), 0)


@pytest.mark.parametrize(("spec", "alias"), [("leduc", "leduc2"), ("kuhn", "kuhn2"), ("kuhn(players=3)", "kuhn3")])
def test_one_name_and_its_alias_share_rules_and_files(tmp_path, spec, alias):
    rules, old = load_rules(spec), load_rules(alias)
    assert rules == old and (rules.name, old.name) == (spec, alias)
    one, two = load_tree(spec), load_tree(alias)
    for number, (tree, other) in enumerate(((one, two), (two, one))):
        strategy = random_strategy(tree, number)
        path = tmp_path / f"{number}.safetensors"
        save(path, strategy)
        assert rules_of(as_bot(path)) == rules
        np.testing.assert_array_equal(load(path, tree).probabilities, strategy.probabilities)
        moved = load(path, other)
        assert moved.tree is other and moved.facts == strategy.facts
        assert expected_values(other, moved) == pytest.approx(expected_values(tree, strategy), abs=1e-12)
        for game in (rules, old):
            assert load_agent(path, game).name == str(path)
            np.testing.assert_array_equal(tabulate_poker(load(path, game), tree).probabilities, strategy.probabilities)


def test_other_rules_are_refused_as_before(tmp_path):
    save(tmp_path / "file", random_strategy(load_tree("leduc(raises=1)"), 1))
    with pytest.raises(MismatchError, match=r"is a strategy for leduc\(raises=1\), not for leduc2"):
        load(tmp_path / "file", load_tree("leduc2"))
    with pytest.raises(MismatchError, match=r"has a strategy for leduc\(raises=1\), not for leduc"):
        load(tmp_path / "file", load_rules("leduc"))
    with pytest.raises(ConfigError, match="liars_dice is not played at the poker table; kuhn, leduc, "):
        load_rules("liars_dice")
