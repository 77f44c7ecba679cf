"""Small poker games as trees: the same games as those written by hand."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from random_strategies import by_name, from_names, random_strategy

from nashgap.cards.card import parse_cards
from nashgap.cli.main import main
from nashgap.core.game import CHANCE, TERMINAL
from nashgap.errors import GameSizeError, IllegalActionError, NashGapError
from nashgap.games.compiled import load_tree, tree_of
from nashgap.games.spec import game_from_parameters, game_parameters, game_spec, load_game
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.poker.game import PokerGame
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.poker.state import View
from nashgap.solvers.sequence_lp import solve_sequence_lp
from nashgap.strategies.load import load, save
from nashgap.strategies.table import uniform

TWINS = {"kuhn2": "kuhn", "kuhn3": "kuhn(players=3)", "leduc2": "leduc"}
# The small decks of the competition have the highest ranks, A among them; the other form ends with K.
HIGHER = dict(zip("9TJQK", "TJQKA", strict=True))
LETTERS = {"k": "c", "b": "r", "c": "c", "f": "f"}


def poker_key(twin, key):
    """The information set of the poker form that this one of the other form is: `K kb` is `As cr`, `Kh rc/Qs:c` is
    `Ah rc/Ks:c`. Both forms of Leduc tell suits apart, so nothing is merged."""
    hand, _, label = key.partition(" ")
    if twin.startswith("kuhn"):
        return f"{HIGHER[hand]}s {''.join(LETTERS[letter] for letter in label)}".rstrip()
    betting, slash, rest = label.partition("/")
    rest = HIGHER[rest[0]] + rest[1:] if slash else ""
    return f"{HIGHER[hand[0]]}{hand[1]} {betting}{slash}{rest}".rstrip()


def translated(twin, values):
    return {(player, poker_key(twin, key)): row for (player, key), row in values.items()}


@pytest.mark.parametrize("name", TWINS)
def test_information_sets_are_those_of_the_other_form(name):
    tree, twin = load_tree(name), load_tree(TWINS[name])
    ours = {(player, key): tree.actions(number) for number, (player, key) in enumerate(keys(tree))}
    theirs = {(player, key): twin.actions(number) for number, (player, key) in enumerate(keys(twin))}
    assert ours == translated(name, theirs)
    assert (tree.num_nodes, tree.unit, tree.num_players) == (twin.num_nodes, twin.unit, twin.num_players)


def keys(tree):
    return zip(tree.infoset_player.tolist(), tree.infoset_name, strict=True)


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("seed", range(3))
def test_values_and_nash_conv_are_those_of_the_other_form(name, seed):
    tree, twin = load_tree(name), load_tree(TWINS[name])
    theirs = random_strategy(twin, seed, sparsity=0.2)
    ours = from_names(tree, translated(name, by_name(twin, theirs.probabilities)))
    assert expected_values(tree, ours) == pytest.approx(expected_values(twin, theirs), abs=1e-12)
    assert exploitability(tree, ours).gains == pytest.approx(exploitability(twin, theirs).gains, abs=1e-12)


@pytest.mark.parametrize(("name", "value"), [("kuhn2", -1 / 18), ("leduc2", -0.0856064240780)])
def test_solved_values_are_the_known_ones(name, value):
    assert solve_sequence_lp(load_tree(name)).value == pytest.approx(value, abs=1e-9)


TINY_HOLDEM = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 4 3
blind = 2 1
firstPlayer = 2 1
numSuits = 2
numRanks = 4
numHoleCards = 2
numBoardCards = 0 3
END GAMEDEF
"""


@pytest.fixture
def tiny_path(tmp_path):
    path = tmp_path / "tiny.game"
    path.write_text(TINY_HOLDEM)
    return str(path)


def test_two_hole_cards_sizes_stacks_and_a_run_out(tiny_path):
    """28 hands, 28 * 15 deals, 4 of 8 cards left: 4 flops. Stacks of 4 and 3 leave one raise: all in for 3 (or 4)."""
    game = load_game(tiny_path)
    assert (len(game.hand_names[0]), game.num_deals, game.num_players) == (28, 420, 2)
    assert game.hand_names[0][0] == "AsAh"
    assert game.unit == "mbb_per_hand"
    root = game.public_root()
    assert root.actions == ("fold", "call", "raise 3")
    called = root.child(2).child(1)
    assert called.player == CHANCE and len(called.actions) == 56
    assert called.outcome_probabilities(game.deals().hands).sum(axis=1) == pytest.approx(np.ones(420))
    assert (np.count_nonzero(called.outcome_probabilities(game.deals().hands), axis=1) == 4).all()
    checked = root.child(1).child(0)
    assert checked.child(0).actions == ("check", "bet 4")
    tree = load_tree(tiny_path)
    assert tree.is_zero_sum and tree.has_perfect_recall
    assert exploitability(tree, uniform(tree)).nash_conv > 0


def test_returns_are_the_engines_payoffs_of_every_deal(tiny_path):
    game = load_game(tiny_path)
    state = game.public_root().child(2).child(1)
    hands = game.deals().hands
    seen = set()
    for outcome in range(0, 56, 5):
        possible = hands[state.outcome_probabilities(hands)[:, outcome] > 0]
        ended = state.child(outcome)
        assert ended.player == TERMINAL
        for deal, row in zip(possible, ended.returns(possible), strict=True):
            payoffs = ended.state.payoffs([game.hands[hand].tolist() for hand in deal])
            assert row.tolist() == [1000 * payoff / 2 for payoff in payoffs]
            seen.add(payoffs)
    assert seen == {(3.0, -3.0), (-3.0, 3.0), (0.0, 0.0)}


def test_an_information_set_is_found_from_a_view():
    rules = load_rules("leduc2")
    state = rules.root().act(0).act(0).deal(parse_cards("Ks")).act(4 + 1)
    assert PokerGame("leduc2").infoset_of(View(state, 1, parse_cards("Ah"))) == "Ah cc/Ks:r"
    assert PokerGame("hunl").infoset_of(View(load_rules("hunl").root().act(300), 0, parse_cards("2cAd"))) == "Ad2c r300"


@pytest.mark.parametrize("name", ["lhe2", "lhe3", "hunl"])
def test_large_games_are_refused_at_once(name):
    started = time.process_time()
    with pytest.raises(GameSizeError, match=rf"{name} has more than .* histories; games of up to 30,000,000"):
        load_tree(name)
    assert time.process_time() - started < 2


def test_games_are_named(tiny_path):
    assert load_game("kuhn2") == PokerGame("kuhn2") == load_game("poker(definition=kuhn2)")
    assert game_spec("poker(definition=leduc2)") == "leduc2"
    assert game_spec(tiny_path).startswith("poker(definition=sha256:")
    assert game_spec(tiny_path) == game_spec(PokerGame(tuple(TINY_HOLDEM.splitlines())))
    for game in (load_game("kuhn3"), load_game(tiny_path)):
        assert game_from_parameters("poker", json.loads(json.dumps(game_parameters(game)))) == game


def test_a_strategy_for_a_game_of_a_file_needs_the_file_no_more(tiny_path, tmp_path):
    tree = load_tree(tiny_path)
    strategy = random_strategy(tree, 1)
    save(tmp_path / "tiny.safetensors", strategy)
    Path(tiny_path).unlink()
    again = load(str(tmp_path / "tiny.safetensors"))
    assert (again.probabilities == strategy.probabilities).all()
    assert (load(tmp_path / "tiny.safetensors", tree).probabilities == strategy.probabilities).all()


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        (3, "definition must be a name or the path of a game definition file, not 3"),
        ("lhe4", "unknown poker game 'lhe4'"),
        (["GAMEDEF", "limit"], "END GAMEDEF is missing"),
        ("nowhere/none.game", "nowhere/none.game: cannot be read"),
    ],
)
def test_other_definitions_are_refused(definition, message):
    with pytest.raises(NashGapError, match=message):
        PokerGame(definition)


def test_moves_that_are_none_are_refused():
    with pytest.raises(IllegalActionError, match="poker after 'cr': no move 2; there are 2, counted from 0"):
        load_game("kuhn2").public_root().child(0).child(1).child(2)


def test_poker_games_are_solved_and_measured_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["measure", "uniform", "--game", "leduc2", "--by", "br", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nash_conv"] == pytest.approx(4.7472222, abs=1e-6)
    assert main(["solve", "kuhn2", "--solver", "lp", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["values"][0] == pytest.approx(-1 / 18)
    assert main(["solve", "lhe3"]) == 2
    assert "lhe3 is too large to be solved whole" in capsys.readouterr().err


def test_the_order_in_which_board_cards_come_does_not_matter():
    """The tree has each board once; at the table its cards come in any order."""
    text = load_rules("leduc2").to_text().replace("numBoardCards = 0 1", "numBoardCards = 0 2")
    rules = parse_rules(text)
    game = PokerGame(tuple(text.splitlines()))
    before = rules.root().act(0).act(0)
    first, second = (before.deal(cards) for cards in (rules.deck[:2], rules.deck[1::-1]))
    for card in rules.deck[2:]:
        known = [game.infoset_of(View(state, state.seat, (card,))) for state in (first, second)]
        assert known[0] == known[1] in tree_of(game).infoset_name
