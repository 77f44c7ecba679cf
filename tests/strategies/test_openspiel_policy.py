"""Policies of OpenSpiel's at our table."""

import numpy as np
import pytest

from nashgap.errors import MismatchError
from nashgap.poker.hands import hand_names
from nashgap.poker.notation import parse_state
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.poker.state import CALL
from nashgap.strategies.check_bot import check_bot, sample_states

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import policy as openspiel  # noqa: E402

from nashgap.strategies.openspiel_policy import OpenSpielStrategy, universal_poker  # noqa: E402

HUNL, LEDUC, LHE3 = load_rules("hunl"), load_rules("leduc2"), load_rules("lhe3")
SHORT = parse_rules(HUNL.to_text().replace("20000 20000", "2000 2000"))


class FromText:
    """Plays by what OpenSpiel tells of the state: raises by the second legal raise with an ace or king, else calls."""

    def action_probabilities(self, state, player):
        told = state.information_state_string(player)
        private = told.partition("[Private: ")[2].partition("]")[0]
        raises = [action for action in state.legal_actions() if action > 1]
        if raises and ("A" in private or "K" in private):
            return {1: 0.25, raises[min(1, len(raises) - 1)]: 0.75}
        return {1: 1.0}


@pytest.mark.parametrize("rules", [LEDUC, load_rules("kuhn3")], ids=lambda rules: rules.name)
def test_the_uniform_policy_is_uniform(rules):
    game = universal_poker(rules)
    strategy = OpenSpielStrategy(openspiel.UniformRandomPolicy(game), game)
    assert check_bot(strategy, rules, num_states=40).problem is None
    for state in sample_states(rules, 40, np.random.default_rng(0)):
        (policy,) = strategy.policies([state])
        assert policy.moves == tuple(state.legal)
        rows = policy.probabilities
        held = rows.sum(axis=1) > 0
        np.testing.assert_allclose(rows[held], 1 / len(policy.moves))
        assert held.sum() == len(rules.deck) - len(state.board)


@pytest.mark.parametrize("betting", ["fullgame", "fcpa"])
def test_every_hand_is_asked_with_its_own_cards(betting):
    strategy = OpenSpielStrategy(FromText(), universal_poker(SHORT, betting))
    state = parse_state("r300c/r900c/", "|/2c7dKh/Ts", SHORT)[0]
    (policy,) = strategy.policies([state])
    assert policy.moves == (CALL, 1001 if betting == "fullgame" else 2000)
    rows = dict(zip(hand_names(HUNL), policy.probabilities.tolist(), strict=True))
    assert (rows["AsQs"], rows["KsKc"], rows["QsQh"]) == ([0.25, 0.75], [0.25, 0.75], [1.0, 0.0])
    assert rows["KhQh"] == rows["7s2c"] == [0.0, 0.0], "on the board"


def test_limit_games_have_one_raise():
    strategy = OpenSpielStrategy(FromText(), universal_poker(LHE3))
    state = parse_state("rcc/crc", "||/2c7dKh", LHE3)[0]
    (policy,) = strategy.policies([state])
    assert policy.actions == ("c", "r")


def test_a_raise_that_the_policy_does_not_know_is_refused():
    strategy = OpenSpielStrategy(FromText(), universal_poker(HUNL, "fcpa"))
    with pytest.raises(MismatchError, match="OpenSpiel's game has no raise to 777 after 'r300'"):
        strategy.policies([HUNL.root().act(300).act(777)])


def test_a_policy_of_another_game_is_refused():
    strategy = OpenSpielStrategy(FromText(), universal_poker(load_rules("lhe2")))
    with pytest.raises(MismatchError, match="OpenSpiel's game is another one"):
        strategy.policies([LHE3.root()])
