"""A person at a small game: turns, hidden information, and what it is worth."""

import numpy as np
import pytest

from nashgap.agents.human import LeaveTable
from nashgap.agents.tree_session import TreeSession, parse_choice
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import expected_values
from nashgap.strategies.named import always_call
from nashgap.strategies.table import uniform


@pytest.mark.parametrize("game", ["kuhn(players=3)", "liars_dice(dice_sides=2)", "matching_pennies"])
def test_who_answers_at_random_earns_what_uniform_play_is_worth(game):
    """The mean over 4000 games is within five standard errors of the exact value."""
    tree = load_tree(game)
    strategy = uniform(tree)
    rng = np.random.default_rng(5)
    session = TreeSession(strategy, 1, lambda turn: int(rng.integers(len(turn.actions))), seed=2)
    played = [session.play() for _ in range(4000)]
    for player in range(tree.num_players):
        won = np.array([each.returns[player] for each in played])
        error = won.std() / np.sqrt(len(won))
        assert abs(won.mean() - expected_values(tree, strategy)[player]) < 5 * error
    assert [each.player for each in played[:4]] == [1 % tree.num_players, *(n % tree.num_players for n in (2, 3, 4))]
    assert session.total == pytest.approx(sum(each.returns[each.player] for each in played))


def test_only_own_turns_are_asked_with_what_their_player_knows():
    tree = load_tree("kuhn")
    turns = []

    def ask(turn):
        turns.append(turn)
        return 0

    session = TreeSession(always_call(tree), 0, ask)
    for _ in range(20):
        person = session.play().player
        for turn in turns:
            number = tree.infoset_index[f"{person}:{turn.infoset}"]
            assert (turn.player, turn.actions) == (person, tree.actions(number))
        turns.clear()


def test_a_game_that_is_broken_off_does_not_count():
    def leave(turn):
        raise LeaveTable

    session = TreeSession(uniform(load_tree("kuhn")), 0, leave)
    with pytest.raises(LeaveTable):
        session.play()
    assert session.num_games == 0
    with pytest.raises(ConfigError, match="player 3; kuhn has players 1 to 2"):
        TreeSession(uniform(load_tree("kuhn")), 2, leave)
    with pytest.raises(IllegalActionError, match="2 are legal: check, bet"):
        TreeSession(uniform(load_tree("kuhn")), 0, lambda turn: 7).play()


def test_answers_are_places_names_or_beginnings():
    actions = ("bet 1", "bet 2", "check")
    assert [parse_choice(text, actions) for text in ("1", "3", "Bet 2", "c", " check ")] == [0, 2, 1, 2, 2]
    for text, message in (("b", "'b' may mean several actions"), ("", "'' is no action"), ("4", "is no action")):
        with pytest.raises(IllegalActionError, match=rf"{message}; allowed: 1 bet 1, 2 bet 2, 3 check"):
            parse_choice(text, actions)
    assert parse_choice("2", ("2", "1")) == 0, "a name goes before a place"
