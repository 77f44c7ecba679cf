"""Real betting in a smaller betting tree: cases by hand, and what holds of all."""

from itertools import chain

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy, sized_rules, table_rows
from hypothesis import given, settings
from hypothesis import strategies as st

from nashgap.core.game import CHANCE
from nashgap.errors import ConfigError
from nashgap.poker.state import CALL, FOLD
from nashgap.strategies.translation import CALL_ON, OFF_TREE, TRANSLATIONS, TreePlace, smaller_share

ALL_IN = 20_000
NO_LIMIT = abstract_game(sized_rules(), "fcpa")


def played(game, *actions):
    """The state after these; a card is dealt where one is due."""
    state = game.rules.root()
    for action in actions:
        state = dealt(state.act(action))
    return state


def dealt(state):
    while state.seat == CHANCE:
        state = state.deal([card for card in state.rules.deck if card not in state.board][: state.num_missing_cards])
    return state


def node_after(game, *actions):
    place = game.tree.find_node(actions)
    assert place.is_on_tree
    return place.target


@pytest.mark.parametrize(
    ("translation", "smaller", "larger", "size", "share"),
    [
        ("hard", 1.0, 4.0, 1.99, 1.0),
        ("hard", 1.0, 4.0, 2.01, 0.0),
        ("hard", 0.0, 1.0, 0.01, 0.0),
        ("soft", 1.0, 4.0, 2.0, 0.5),
        ("soft", 1.0, 4.0, 3.0, 1 / 7),
        ("soft", 0.0, 1.0, 0.5, 0.0),
        ("sampled", 1.0, 4.0, 3.0, 1 / 7),
        ("pseudo-harmonic", 0.0, 1.0, 1 / 3, 0.5),  # even at (A + B + 2AB) / (A + B + 2)
        ("pseudo-harmonic", 1.0, 4.0, 13 / 7, 0.5),
        ("pseudo-harmonic", 1.0, 4.0, 2.0, 4 / 9),
    ],
)
def test_shares_are_those_of_the_formulas(translation, smaller, larger, size, share):
    assert smaller_share(translation, smaller, larger, size) == pytest.approx(share, abs=1e-12)


def test_wrong_sizes_and_names_are_refused():
    with pytest.raises(ConfigError, match=r"a raise of 5.0 does not lie between 1.0 and 4.0"):
        smaller_share("soft", 1.0, 4.0, 5.0)
    with pytest.raises(ConfigError, match="unknown translation 'best'; known: hard, soft, sampled, pseudo-harmonic"):
        smaller_share("best", 1.0, 4.0, 2.0)


def places(game, translation, *actions):
    strategy = random_abstract_strategy(game, translation=translation)
    return strategy.places(played(game, *actions))


def test_a_raise_between_two_of_the_tree_goes_to_both():
    """To 900 is by 4 pots of 200; the tree has 1 pot (to 300) and all-in (by 99.5 pots)."""
    pot, push = node_after(NO_LIMIT, 300), node_after(NO_LIMIT, ALL_IN)
    soft = {place.node: place.weight for place in places(NO_LIMIT, "soft", 900)}
    assert soft == pytest.approx({pot: 95.5 / (95.5 + 12), push: 12 / (95.5 + 12)})
    harmonic = {place.node: place.weight for place in places(NO_LIMIT, "pseudo-harmonic", 900)}
    share = 95.5 * 2 / (98.5 * 5)
    assert harmonic == pytest.approx({pot: share, push: 1 - share})


def test_the_hard_threshold_is_the_geometric_mean():
    """Of 1 and 99.5 pots: 9.975 pots, a raise to 100 + 1994.9."""
    assert [place.node for place in places(NO_LIMIT, "hard", 2094)] == [node_after(NO_LIMIT, 300)]
    assert [place.node for place in places(NO_LIMIT, "hard", 2095)] == [node_after(NO_LIMIT, ALL_IN)]


def test_raises_come_to_the_same_fraction_of_the_real_pot_and_all_in_is_all_in():
    """The tree thinks of 300; a pot raise is by 1800 here, not by 600."""
    (place,) = places(NO_LIMIT, "hard", 900)
    assert place == TreePlace(1.0, node_after(NO_LIMIT, 300), (FOLD, CALL, 2700, ALL_IN))
    strategy = random_abstract_strategy(NO_LIMIT, translation="hard")
    policy = strategy.policies([played(NO_LIMIT, 900)])[0]
    assert policy.actions == ("f", "c", "r2700", "r20000")
    np.testing.assert_allclose(policy.probabilities, table_rows(strategy, place.node), atol=1e-6)


def test_own_raises_are_found_again():
    """To 2700 is what the tree's pot raise came to."""
    for translation in TRANSLATIONS[:2]:
        paths = places(NO_LIMIT, translation, 900, 2700)
        assert max(paths, key=lambda place: place.weight).node == node_after(NO_LIMIT, 300, 900)
    assert [place.node for place in places(NO_LIMIT, "hard", 900, 2700)] == [node_after(NO_LIMIT, 300, 900)]


def test_a_policy_is_the_mean_over_the_paths():
    strategy = random_abstract_strategy(NO_LIMIT, translation="soft")
    state = played(NO_LIMIT, 900)
    (policy,) = strategy.policies([state])
    expected = np.zeros_like(policy.probabilities)
    for place in strategy.places(state):
        for column, action in enumerate(place.actions):
            expected[:, policy.moves.index(action)] += place.weight * table_rows(strategy, place.node)[:, column]
    np.testing.assert_allclose(policy.probabilities, expected, atol=1e-6)


def test_a_small_raise_is_a_call_only_where_that_leaves_the_round_open():
    """To 250 is by three quarters of the pot. Opening, it is half a limp; after a limp a check would end the round."""
    share = (1 - 0.75) / (1 + 0.75)
    opening = {place.node: place.weight for place in places(NO_LIMIT, "pseudo-harmonic", 250)}
    assert opening == pytest.approx({node_after(NO_LIMIT, CALL): share, node_after(NO_LIMIT, 300): 1 - share})
    after_limp = places(NO_LIMIT, "pseudo-harmonic", CALL, 250)
    assert [(place.node, place.weight) for place in after_limp] == [(node_after(NO_LIMIT, CALL, 300), 1.0)]
    assert [place.node for place in places(NO_LIMIT, "soft", 250)] == [node_after(NO_LIMIT, 300)]


def test_what_was_a_check_in_the_tree_goes_on_as_one():
    """Both call: the round ends in both. A fold that is free in the tree is never made at the table for free."""
    game = abstract_game(sized_rules(), "20,a")
    paths = places(game, "pseudo-harmonic", 250, CALL)
    assert {place.node for place in paths} == {node_after(game, CALL, CALL), node_after(game, 4100, CALL)}
    limped = next(place for place in paths if place.node == node_after(game, CALL, CALL))
    assert limped.actions[0] == CALL


def test_all_in_in_the_tree_calls_on_at_the_table():
    """To 15000 is all-in in the tree, and once called the hand is over there; 5000 chips are left."""
    assert [place.node for place in places(NO_LIMIT, "hard", 15_000)] == [node_after(NO_LIMIT, ALL_IN)]
    assert places(NO_LIMIT, "hard", 15_000)[0].actions == (FOLD, CALL)
    for actions in ((15_000, CALL), (15_000, CALL, CALL), (15_000, CALL, 17_000), (15_000, 20_000)):
        assert places(NO_LIMIT, "hard", *actions) == [TreePlace(1.0, CALL_ON, ())]
        policy = random_abstract_strategy(NO_LIMIT, translation="hard").policies([played(NO_LIMIT, *actions)])[0]
        assert policy.moves == (CALL,)
        assert (policy.probabilities.sum(axis=1) > 0).sum() in (7, 8)


def test_all_in_at_the_table_checks_on_in_the_tree():
    """Three players; a tree without all-in takes 20000 chips for the pot. On the next round that seat only checks."""
    game = abstract_game(sized_rules(3, stacks=[20_000, 20_000, 1_000]), "1 caps=1")
    state = played(game, 1_000, CALL, CALL)
    assert state.seat == 0
    (place,) = random_abstract_strategy(game, translation="hard").places(state)
    assert place.node == node_after(game, 350, CALL, CALL)
    (place,) = random_abstract_strategy(game, translation="hard").places(dealt(state.act(CALL)))
    assert place.node == node_after(game, 350, CALL, CALL, CALL)


def test_a_call_that_push_fold_does_not_have_is_all_in():
    game = abstract_game(sized_rules(stacks=[1_000, 1_000]), "push-fold")
    (place,) = places(game, "hard", CALL)
    assert place == TreePlace(1.0, node_after(game, 1_000), (CALL, CALL))


LEDUC = abstract_game("leduc2", "full caps=1/2")


@pytest.mark.parametrize(("off_tree", "move"), [("call", CALL), ("check-fold", FOLD)])
def test_beyond_the_cap_of_a_limit_tree(off_tree, move):
    """One raise is in the tree; the second is a call there, and the next round begins where a call leads."""
    strategy = random_abstract_strategy(LEDUC, off_tree=off_tree)
    reraised = played(LEDUC, 3, 5)
    assert [place.node for place in strategy.places(reraised)] == [OFF_TREE]
    (policy,) = strategy.policies([reraised])
    assert policy.moves == (move,)
    assert policy.probabilities.tolist() == [[1.0]] * 6
    later = dealt(reraised.act(CALL))
    assert [place.node for place in strategy.places(later)] == [node_after(LEDUC, 3, CALL)]
    assert strategy.policies([later])[0].moves == (CALL, 9)
    assert strategy.policies([dealt(later.act(9))])[0].moves == (FOLD, CALL, 13)


def test_beyond_the_cap_with_three_players_a_check_is_no_fold():
    game = abstract_game("kuhn3", "fc")
    strategy = random_abstract_strategy(game, off_tree="check-fold")
    assert strategy.places(played(game, CALL))[0].node == node_after(game, CALL)
    bet = played(game, CALL, 2)
    assert [place.node for place in strategy.places(bet)] == [OFF_TREE]
    assert strategy.policies([bet])[0].moves == (FOLD,)


ON_TREE = {
    "kuhn3": abstract_game("kuhn3"),
    "leduc2 capped": LEDUC,
    "no-limit": NO_LIMIT,
    "rich": abstract_game(sized_rules(stacks=[1_500, 900]), "0.5,1,a > 1,a"),
    "push-fold": abstract_game(sized_rules(3, stacks=[900, 700, 800]), "push-fold"),
    "three casino": abstract_game(sized_rules(3, stacks=[900, 700, 800], conventions="casino"), "fcpa"),
    "pot-limit": abstract_game(sized_rules(betting="potlimit", stacks=[3_000, 3_000]), "0.5,1,a"),
}
STRATEGIES = {
    name: [
        random_abstract_strategy(game, translation=translation) for translation in ("hard", "soft", "pseudo-harmonic")
    ]
    for name, game in ON_TREE.items()
}


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(sorted(ON_TREE)), kind=st.integers(0, 2), data=st.data())
def test_betting_that_is_in_the_tree_leads_to_its_node(name, kind, data):
    game, strategy = ON_TREE[name], STRATEGIES[name][kind]
    state = game.rules.root()
    while not state.is_over:
        actions = game.tree.abstraction.actions(state)
        node = node_after(game, *chain(*state.history))
        assert strategy.places(state) == [TreePlace(1.0, node, actions)]
        state = dealt(state.act(data.draw(st.sampled_from(actions))))


@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from(sorted(ON_TREE)), kind=st.integers(0, 2), data=st.data())
def test_any_betting_has_a_sound_policy(name, kind, data):
    game, strategy = ON_TREE[name], STRATEGIES[name][kind]
    state = game.rules.root()
    while not state.is_over:
        found = strategy.places(state)
        assert sum(place.weight for place in found) == pytest.approx(1.0)
        assert min(place.weight for place in found) > 0
        for place in found:
            if place.node >= 0:
                assert game.tree.seat[place.node] == state.seat
                assert np.searchsorted(game.tree.round_start, place.node, side="right") - 1 == state.round
        (policy,) = strategy.policies([state])
        assert all(move in state.legal for move in policy.moves)
        assert sorted(policy.moves) == list(policy.moves)
        totals = policy.probabilities.sum(axis=1)
        possible = [card not in state.board for card in state.rules.deck]
        np.testing.assert_allclose(totals, possible, atol=1e-12)
        legal = state.legal
        choices = [CALL, *([FOLD] if legal.can_fold else [])]
        if legal.can_raise:
            choices += [data.draw(st.integers(legal.min_raise_to, legal.max_raise_to))] * 3
        state = dealt(state.act(data.draw(st.sampled_from(choices))))


def test_many_paths_stay_sound():
    """Each raise by the pot splits every path; the lightest are given up."""
    game = abstract_game(sized_rules(stacks=[10**9, 10**9]), "0.5,2 / fc caps=10")
    strategy = random_abstract_strategy(game, translation="soft")
    state = game.rules.root()
    for number in range(10):
        assert len(strategy.places(state)) == min(2**number, 256)
        state = state.act(max(state.spent) + state.pot + state.to_call)
    assert sum(place.weight for place in strategy.places(state)) == pytest.approx(1.0)
