"""OpenSpiel's games through our protocol, and what is refused."""

import os
import pickle
import sys

import pytest

from nashgap.core.game import CHANCE, TERMINAL
from nashgap.errors import ConfigError, IllegalActionError, MissingExtraError
from nashgap.games.openspiel import OpenSpielGame


def test_openspiel_that_is_not_installed_is_named_with_its_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtraError) as refusal:
        OpenSpielGame("kuhn_poker", "players=3")
    assert str(refusal.value) == (
        "openspiel:kuhn_poker(players=3) needs OpenSpiel; install it with: pip install 'nashgap[openspiel]'"
    )


class TestInstalled:
    """What needs OpenSpiel itself."""

    @pytest.fixture(autouse=True)
    def _installed(self):
        pytest.importorskip("pyspiel")

    def test_kuhn_has_its_58_histories_and_12_information_sets(self):
        infosets = set()

        def walk(state):
            if state.player >= 0:
                infosets.add((state.player, state.infoset))
            if state.player == CHANCE:
                assert sum(state.chance_probabilities) == pytest.approx(1)
            if state.player == TERMINAL:
                assert sum(state.returns) == 0
            return 1 + sum(walk(state.child(move)) for move in range(len(state.actions)))

        game = OpenSpielGame("kuhn_poker")
        assert (game.num_players, game.unit) == (2, "utility_per_game")
        assert walk(game.root()) == 58
        assert len(infosets) == 12

    def test_a_child_leaves_its_parent_as_it_was(self):
        root = OpenSpielGame("tic_tac_toe").root()
        root.child(4)
        assert len(root.actions) == 9
        assert root.actions[4] == "x(1,1)"

    def test_simultaneous_moves_become_hidden_moves(self):
        root = OpenSpielGame("matrix_pd").root()
        assert root.player == 0
        assert root.child(0).player == 1
        assert root.child(0).infoset == root.child(1).infoset
        # The prisoner's dilemma is not zero-sum.
        assert root.child(0).child(0).returns == (5, 5)

    def test_games_written_differently_are_equal(self):
        game = OpenSpielGame("leduc_poker", "suit_isomorphism=False,players=3")
        assert game == OpenSpielGame("leduc_poker", "players=3,suit_isomorphism=False")
        assert game.spec == "openspiel:leduc_poker(players=3,suit_isomorphism=False)"
        assert OpenSpielGame("kuhn_poker").spec == "openspiel:kuhn_poker"
        assert OpenSpielGame("kuhn_poker") != OpenSpielGame("kuhn_poker", "players=3")

    def test_a_game_survives_pickling(self):
        game = pickle.loads(pickle.dumps(OpenSpielGame("goofspiel", "num_cards=3")))
        assert game == OpenSpielGame("goofspiel", "num_cards=3")
        assert game.root().player >= CHANCE

    @pytest.mark.parametrize(
        ("name", "parameters", "message"),
        [
            ("kuhn_pokr", "", "unknown OpenSpiel game 'kuhn_pokr'; did you mean: kuhn_poker"),
            ("zzzzzz", "", "unknown OpenSpiel game 'zzzzzz'; pyspiel.registered_names"),
            ("kuhn_poker", "player=3", "openspiel:kuhn_poker has no parameter 'player'; allowed: players"),
            ("matrix_rps", "players=3", "openspiel:matrix_rps has no parameter 'players'; allowed: none"),
            ("kuhn_poker", "players=99", "OpenSpiel refuses it: .*num_players_ = 99"),
            ("nfg_game", "", r"openspiel:nfg_game\(\): OpenSpiel refuses it"),
            ("tarok", "", "openspiel:tarok.* only samples its chance events"),
            ("mfg_crowd_modelling", "", "is a mean-field game"),
            ("pig", "", "openspiel:pig.* gives no information states"),
            (3, "", "name must be text, not 3"),
        ],
    )
    def test_what_cannot_be_used_is_refused(self, name, parameters, message):
        with pytest.raises(ConfigError, match=message) as refusal:
            OpenSpielGame(name, parameters)
        assert "\n" not in str(refusal.value)

    @pytest.mark.parametrize("parameters", ["players=99", "players=x"])
    def test_openspiel_itself_writes_nothing(self, parameters, capfd):
        with pytest.raises(ConfigError):
            OpenSpielGame("kuhn_poker", parameters)
        assert capfd.readouterr().err == ""
        os.write(2, b"still open")
        assert capfd.readouterr().err == "still open"

    def test_an_illegal_move_is_refused(self):
        root = OpenSpielGame("kuhn_poker").root()
        with pytest.raises(IllegalActionError, match="no move 3; moves are 0"):
            root.child(3)
        with pytest.raises(IllegalActionError, match="after the end"):
            root.child(0).child(0).child(0).child(0).child(0)
