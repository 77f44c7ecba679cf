"""One-bet poker: payoffs by hand, the paper's examples, joint distributions and their files."""

import numpy as np
import pytest

from nashgap.core.game import TERMINAL
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.games.bet_size import BetSize, uniform_joint


def play(game, *names):
    state = game.public_root()
    for name in names:
        state = state.child(state.actions.index(name))
    return state


def first_wins(game, deal, *names):
    """Player 1's payoff with cards `deal` (from 1) after these actions."""
    first, second = play(game, *names).returns(np.array([deal]) - 1)[0]
    assert first == -second
    return first


def joint_of(pairs, deck=10):
    """Joint distribution from {(card 1, card 2): probability}, cards from 1."""
    matrix = np.zeros((deck, deck))
    for (first, second), probability in pairs.items():
        matrix[first - 1, second - 1] = probability
    return tuple(map(tuple, matrix.tolist()))


def test_the_papers_example_pays_bet_plus_ante():
    """Ganzfried & Yusuf (2017), section 1: a 4 bets 0.4, a 9 calls; player 2 wins 0.4 plus the antes."""
    assert first_wins(BetSize(), (4, 9), "bet 0.4", "call") == pytest.approx(-0.9)


def test_payoffs_by_hand():
    game = BetSize()
    assert first_wins(game, (1, 10), "bet 3", "fold") == 0.5
    assert first_wins(game, (7, 2), "bet 3", "call") == 3.5
    assert first_wins(game, (7, 2), "check") == 0.5
    assert first_wins(game, (2, 7), "check") == -0.5
    assert first_wins(game, (5, 5), "bet 1.1", "call") == 0


def test_there_are_31_bets_and_a_check_ends_the_hand():
    actions = BetSize().public_root().actions
    assert len(actions) == 31
    assert (actions[0], actions[3], actions[7], actions[-1]) == ("check", "bet 0.3", "bet 0.7", "bet 3")
    assert play(BetSize(), "check").player == TERMINAL
    assert play(BetSize(), "bet 0.1").player == 1


def test_without_a_joint_all_pairs_of_different_cards_are_equally_likely():
    deals = BetSize().deals()
    assert len(deals.hands) == 90
    assert (deals.hands[:, 0] != deals.hands[:, 1]).all()
    np.testing.assert_allclose(deals.probability, 1 / 90)
    assert len(BetSize(joint=uniform_joint(10, with_replacement=True)).deals().hands) == 100


def test_the_papers_bluffs_leave_a_middle_card_indifferent():
    """Ganzfried & Yusuf (2017), figure 2: a 10 bets 3, a 1 bets 3 with probability 0.75; worth 3/8 either way."""
    game = BetSize(joint=joint_of({(1, 5): 0.5, (10, 5): 0.5}))
    for answer in ("fold", "call"):
        strong = first_wins(game, (10, 5), "bet 3", answer)
        weak = 0.75 * first_wins(game, (1, 5), "bet 3", answer) + 0.25 * first_wins(game, (1, 5), "check")
        assert (strong + weak) / 2 == pytest.approx(3 / 8)


def test_information_sets_of_player_2_name_card_and_bet():
    state = BetSize(deck=3).root()
    for name in ("3 2", "bet 0.3"):
        state = state.child(state.actions.index(name))
    assert state.infoset == "2 bet 0.3"


def test_a_file_and_its_matrix_are_the_same_game(tmp_path):
    path = tmp_path / "joint.csv"
    path.write_text("# rows: player 1\n0.0, 0.25 ,0.25\n\n0.125,0,0.125  # middle card\n0.25,0,0\n")
    game = BetSize(joint=str(path))
    assert game == BetSize(joint=[[0, 0.25, 0.25], [0.125, 0, 0.125], [0.25, 0, 0]])
    assert hash(game) == hash(BetSize(joint=np.array(game.joint)))
    assert game.deck == 3
    assert game.deals().hands.tolist() == [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0]]
    path.unlink()
    assert game.deals().probability.tolist() == [0.25, 0.25, 0.125, 0.125, 0.25]


def test_rounded_probabilities_are_scaled_to_sum_to_one():
    game = BetSize(joint=((0.0, 0.3333333), (0.6666666, 0.0)))
    assert game.deals().probability.sum() == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,0.5\n0.5\n", "has 2 rows, so row 2 must have 2 columns, not 1"),
        ("0,0.5,0\n0.5,0,0\n", "has 2 rows, so row 1 must have 2 columns, not 3"),
        ("0,0.5\n0.5,x\n", "row 2, column 2 must be a number, not 'x'"),
        ("0,0.5\n0.5,\n", "row 2, column 2 must be a number, not ''"),
        ("0,1.5\n-0.5,0\n", "row 2, column 1 must be a probability, finite and not negative, not -0.5"),
        ("0,nan\n0.5,0\n", "row 1, column 2 must be a probability, finite and not negative, not nan"),
        ("0,0.5\n0.4,0\n", "must sum to 1 within 1e-06, not to 0.9"),
        ("1\n", "must have from 2 to 1000 rows, not 1"),
        ("# nothing\n", "must have from 2 to 1000 rows, not 0"),
    ],
)
def test_a_bad_joint_file_is_refused(tmp_path, text, message):
    path = tmp_path / "joint.csv"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as refusal:
        BetSize(joint=str(path))
    assert str(path) in str(refusal.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"cannot read joint file .*absent.csv': No such file"):
        BetSize(joint=str(tmp_path / "absent.csv"))
    with pytest.raises(ConfigError, match="cannot read joint file"):
        BetSize(joint=str(tmp_path))
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\xff\xfe0,1")
    with pytest.raises(ConfigError, match="it is not text in UTF-8"):
        BetSize(joint=str(binary))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"deck": 1}, "deck must be a whole number from 2 to 1000, not 1"),
        ({"stack": 0}, "stack must be a number above 0, not 0"),
        ({"step": float("nan")}, "step must be a number above 0, not nan"),
        ({"ante": "x"}, "ante must be a number above 0, not 'x'"),
        ({"stack": 3.05}, "stack must be a multiple of step 0.1, at most 10000 steps, not 3.05"),
        ({"step": 1e-6}, "stack must be a multiple of step 1e-06, at most 10000 steps, not 3.0"),
        ({"joint": 7}, "joint must be a square matrix or the path of a CSV file, not 7"),
        ({"joint": (1, 2)}, "joint: row 1 must be a list of numbers, not 1"),
        ({"joint": ((0, 0.5), (0.5, None))}, "joint: row 2, column 2 must be a number, not None"),
        ({"joint": uniform_joint(3), "deck": 4}, "deck is 4 but joint has 3 cards; leave deck out"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ConfigError, match=f"^bet_size: {message}$"):
        BetSize(**parameters)


def test_an_illegal_move_is_refused():
    with pytest.raises(IllegalActionError, match=r"no move 31; moves are 0 \(check\) to 30 \(bet 3\)"):
        BetSize().public_root().child(31)
