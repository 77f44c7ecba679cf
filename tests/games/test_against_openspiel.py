"""Our rules are OpenSpiel's rules: both trees walked in lock-step, OpenSpiel as the oracle."""

import random

import pytest

from nashgap.core.game import CHANCE, TERMINAL
from nashgap.games.kuhn import Kuhn
from nashgap.games.leduc import Leduc
from nashgap.games.liars_dice import LiarsDice, LiarsDiceState
from nashgap.games.matching_pennies import MatchingPennies
from nashgap.games.openspiel import OpenSpielGame
from nashgap.games.rock_paper_scissors import RockPaperScissors

pyspiel = pytest.importorskip("pyspiel")


class LockStep:
    """Walks a game of ours and OpenSpiel's together; counts histories and pairs up the information sets."""

    def __init__(self, game, openspiel_name):
        self.game = game
        self.oracle = pyspiel.load_game(openspiel_name)
        self.num_histories = 0
        self.theirs_of_ours = {}

    def deal(self, move):
        """Both states after deal number `move`; OpenSpiel deals one card at a time."""
        theirs = self.oracle.new_initial_state()
        for hand in self.game.deals().hands[move]:
            theirs.apply_action(int(hand))
        return self.game.root().child(move), theirs

    def moves(self, ours, theirs):
        """(our move, OpenSpiel's move) for every possible one; fails where the states differ."""
        self.num_histories += 1
        if theirs.is_terminal():
            assert ours.player == TERMINAL
            assert ours.actions == ()
            assert ours.returns == pytest.approx(theirs.returns(), abs=1e-12)
            return []
        if theirs.is_chance_node():
            assert ours.player == CHANCE
            possible = {move: p for move, p in enumerate(ours.chance_probabilities) if p > 0}
            assert possible == pytest.approx(dict(theirs.chance_outcomes()))
            return [(move, move) for move in possible]
        assert ours.player == theirs.current_player()
        legal = theirs.legal_actions()
        assert len(ours.actions) == len(legal)
        ours_key, theirs_key = (ours.player, ours.infoset), (ours.player, theirs.information_state_string())
        assert self.theirs_of_ours.setdefault(ours_key, theirs_key) == theirs_key
        return list(enumerate(legal))

    def walk(self, ours, theirs):
        for our_move, their_move in self.moves(ours, theirs):
            self.walk(ours.child(our_move), theirs.child(their_move))

    def walk_all(self):
        for move in range(len(self.game.deals().hands)):
            self.walk(*self.deal(move))
        self.check_infosets()

    def play_at_random(self, num_hands, seed):
        rng = random.Random(seed)
        for _ in range(num_hands):
            ours, theirs = self.deal(rng.randrange(len(self.game.deals().hands)))
            while moves := self.moves(ours, theirs):
                our_move, their_move = rng.choice(moves)
                ours, theirs = ours.child(our_move), theirs.child(their_move)
        self.check_infosets()

    def check_infosets(self):
        """No two of our information sets are one of OpenSpiel's."""
        assert len(set(self.theirs_of_ours.values())) == len(self.theirs_of_ours)


def count_histories(state, undealt):
    """Histories at and below an OpenSpiel state, without those in which hands are still to be dealt."""
    below = sum(count_histories(state.child(action), undealt - 1) for action in state.legal_actions())
    return below + (undealt <= 0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kuhn_is_openspiels_kuhn(players):
    step = LockStep(Kuhn(players), f"kuhn_poker(players={players})")
    step.walk_all()
    assert step.num_histories == count_histories(step.oracle.new_initial_state(), undealt=players)


def test_leduc_is_openspiels_leduc():
    """936 information sets, as published for Leduc."""
    step = LockStep(Leduc(), "leduc_poker")
    step.walk_all()
    assert len(step.theirs_of_ours) == 936
    assert step.num_histories == count_histories(step.oracle.new_initial_state(), undealt=2)


@pytest.mark.parametrize("players", [3, 4])
def test_leduc_of_more_players_is_openspiels(players):
    step = LockStep(Leduc(players), f"leduc_poker(players={players})")
    step.play_at_random(400, seed=players)
    assert len(step.theirs_of_ours) > 400  # each hand meets infosets, and most are met first then


@pytest.mark.parametrize("sides", [2, 3])
def test_small_liars_dice_is_openspiels(sides):
    step = LockStep(LiarsDice(dice_sides=sides), f"liars_dice(dice_sides={sides})")
    step.walk_all()
    assert step.num_histories == count_histories(step.oracle.new_initial_state(), undealt=2)


def test_liars_dice_is_openspiels_liars_dice():
    step = LockStep(LiarsDice(), "liars_dice")
    step.play_at_random(300, seed=0)
    assert len(step.theirs_of_ours) > 300


def test_every_bid_of_liars_dice_is_judged_as_openspiel_judges_it():
    game = LiarsDice()
    liar = len(game.calls) - 1
    hands = game.deals().hands
    for bid in range(liar):
        ours = LiarsDiceState(game, (bid, liar)).returns(hands)
        for row, rolls in zip(ours, hands, strict=True):
            theirs = pyspiel.load_game("liars_dice").new_initial_state()
            for action in (*rolls, bid, liar):
                theirs.apply_action(int(action))
            assert row.tolist() == theirs.returns()


def payoffs(state):
    """Returns of all terminal histories, in order."""
    if state.player == TERMINAL:
        return [state.returns]
    return [row for move in range(len(state.actions)) for row in payoffs(state.child(move))]


def test_rock_paper_scissors_is_openspiels():
    assert payoffs(RockPaperScissors().root()) == payoffs(OpenSpielGame("matrix_rps").root())


def test_matching_pennies_is_not_openspiels_game_of_that_name():
    """OpenSpiel's has a player who wants to differ; the thesis's treats all three alike."""
    assert payoffs(MatchingPennies().root()) != payoffs(OpenSpielGame("matching_pennies_3p").root())
