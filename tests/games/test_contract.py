"""What holds in every state of every small game."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nashgap.core.game import CHANCE, TERMINAL
from nashgap.errors import IllegalActionError
from nashgap.games.bet_size import BetSize, uniform_joint
from nashgap.games.kuhn import Kuhn
from nashgap.games.leduc import Leduc
from nashgap.games.liars_dice import LiarsDice
from nashgap.games.matching_pennies import MatchingPennies
from nashgap.games.river_limit import RiverLimit
from nashgap.games.rock_paper_scissors import RockPaperScissors

GAMES = [
    Kuhn(),
    Kuhn(3),
    Kuhn(4),
    Leduc(),
    Leduc(3),
    Leduc(4, ranks=3, raises=3, bet1=1, bet2=3, ante=5),
    LiarsDice(),
    LiarsDice(players=3, dice_sides=4),
    MatchingPennies(),
    RockPaperScissors(),
    BetSize(),
    BetSize(joint=uniform_joint(4, with_replacement=True), stack=2, step=0.5),
    BetSize(raises=1),
    RiverLimit(),
    RiverLimit(joint=uniform_joint(4, with_replacement=True), pot=3, raises=7),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
@given(picks=st.lists(st.integers(0, 10**6), min_size=30, max_size=30))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_a_walk_keeps_the_contract(game, picks):
    state = game.root()
    seen = set()
    for pick in picks:
        actions = state.actions
        assert len(set(actions)) == len(actions)
        for bad_move in (-1, len(actions)):
            with pytest.raises(IllegalActionError):
                state.child(bad_move)
        if state.player == TERMINAL:
            break
        moves = range(len(actions))
        if state.player == CHANCE:
            assert math.fsum(state.chance_probabilities) == pytest.approx(1.0, abs=1e-12)
            moves = [move for move in moves if state.chance_probabilities[move] > 0]
        else:
            assert 0 <= state.player < game.num_players
            assert (state.player, state.infoset) not in seen
            seen.add((state.player, state.infoset))
        state = state.child(moves[pick % len(moves)])
    assert state.player == TERMINAL
    assert len(state.returns) == game.num_players
    assert math.fsum(state.returns) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_equal_parameters_make_equal_games(game):
    parameters = {name: getattr(game, name) for name in game.__dataclass_fields__}
    twin = type(game)(**parameters)
    assert twin == game
    assert hash(twin) == hash(game)
    assert sum(other == game for other in GAMES) == 1


@pytest.mark.parametrize("game", [game for game in GAMES if hasattr(game, "deals")], ids=str)
def test_deals_are_a_distribution_over_different_hands(game):
    deals = game.deals()
    assert deals.hands.shape == (len(deals.probability), game.num_players)
    assert len(deals.hands) <= game.num_deals
    assert (deals.probability > 0).all()
    assert deals.probability.sum() == pytest.approx(1.0, abs=1e-12)
    assert len({tuple(row) for row in deals.hands.tolist()}) == len(deals.hands)
    for player, names in enumerate(game.hand_names):
        assert deals.hands[:, player].min() >= 0
        assert deals.hands[:, player].max() < len(names)
