"""Games as text and as parameters, there and back."""

import json

import pytest

from nashgap.errors import ConfigError
from nashgap.games.bet_size import BetSize, uniform_joint
from nashgap.games.kuhn import Kuhn
from nashgap.games.leduc import Leduc
from nashgap.games.liars_dice import LiarsDice
from nashgap.games.matching_pennies import MatchingPennies
from nashgap.games.openspiel import OpenSpielGame
from nashgap.games.spec import game_from_parameters, game_name, game_parameters, game_spec, load_game, parse_spec


@pytest.mark.parametrize(
    ("spec", "parsed"),
    [
        ("kuhn", ("kuhn", {})),
        ("kuhn()", ("kuhn", {})),
        (" kuhn( players = 3 ) ", ("kuhn", {"players": 3})),
        ("g(a=-2,b=2.5,c=1e-3,d=true,e=false)", ("g", {"a": -2, "b": 2.5, "c": 1e-3, "d": True, "e": False})),
        ("bet_size(joint=some/hands v1.csv)", ("bet_size", {"joint": "some/hands v1.csv"})),
        ("bet_size(joint='odd,(name)=.csv',deck=3)", ("bet_size", {"joint": "odd,(name)=.csv", "deck": 3})),
        ('g(a="3")', ("g", {"a": "3"})),
        ("openspiel:kuhn_poker", ("openspiel", {"name": "kuhn_poker", "parameters": ""})),
        (
            "openspiel:repeated_game(stage_game=matrix_pd(),num_repetitions=2)",
            ("openspiel", {"name": "repeated_game", "parameters": "stage_game=matrix_pd(),num_repetitions=2"}),
        ),
    ],
)
def test_specs_are_read(spec, parsed):
    name, parameters = parse_spec(spec)
    assert (name, parameters) == parsed
    assert [type(value) for value in parameters.values()] == [type(value) for value in parsed[1].values()]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "must be a name"),
        ("(players=3)", "must be a name"),
        ("kuhn poker", "must be a name"),
        ("openspiel:", "must be a name"),
        ("kuhn(players=3", "must end with the parenthesis that closes kuhn"),
        ("kuhn(players=3)x", "must end with the parenthesis"),
        ("kuhn(3)", "cannot read '3'; parameters are name=value"),
        ("kuhn(players=)", "cannot read 'players='"),
        ("kuhn(players=(3))", "cannot read"),
        ("kuhn(players=3,players=4)", "parameter 'players' is given twice"),
    ],
)
def test_a_spec_that_cannot_be_read_is_refused(spec, message):
    with pytest.raises(ConfigError, match=message):
        parse_spec(spec)


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("kuhn(players=3)", Kuhn(3)),
        ("leduc(players=3,ranks=4)", Leduc(3)),
        ("bet_size(step=1)", BetSize(step=1.0)),
        ("matching_pennies", MatchingPennies()),
    ],
)
def test_games_are_loaded(spec, game):
    assert load_game(spec) == game


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("kuhm", "kuhn"),
        ("kuhn(player=3)", "kuhn has no parameter 'player'; allowed: players"),
        ("matching_pennies(players=4)", "has no parameter 'players'; allowed: none, it has no parameters"),
        ("openspiel", "openspiel needs the parameter 'name'; allowed: name, parameters"),
        ("kuhn(players=three)", "players must be a whole number from 2 to 4, not 'three'"),
        ("kuhn(players=true)", "players must be a whole number from 2 to 4, not True"),
        ("bet_size(stack=big)", "stack must be a number above 0, not 'big'"),
        ("bet_size(joint=3)", "joint must be a square matrix or the path of a CSV file, not 3"),
    ],
)
def test_a_game_that_cannot_be_made_is_refused(spec, message):
    with pytest.raises(ConfigError, match=message):
        load_game(spec)


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        (Kuhn(), "kuhn"),
        (Kuhn(3), "kuhn(players=3)"),
        (Leduc(3, raises=1), "leduc(players=3,raises=1)"),
        (Leduc(3, ranks=4), "leduc(players=3)"),
        (Leduc(3, ranks=3), "leduc(players=3,ranks=3)"),
        (LiarsDice(dice_sides=3), "liars_dice(dice_sides=3)"),
        (BetSize(deck=10), "bet_size"),
        (BetSize(deck=4, step=0.5), "bet_size(deck=4,step=0.5)"),
        ("kuhn( players = 2 )", "kuhn"),
    ],
)
def test_the_canonical_spec_has_only_what_matters_and_loads_again(game, spec):
    assert game_spec(game) == spec
    assert load_game(spec) == (load_game(game) if isinstance(game, str) else game)


def test_a_joint_is_named_by_its_content():
    spec = game_spec(BetSize(joint=uniform_joint(3)))
    assert spec.startswith("bet_size(joint=sha256:")
    assert spec == game_spec(BetSize(joint=[list(row) for row in uniform_joint(3)]))
    assert spec != game_spec(BetSize(joint=uniform_joint(3, with_replacement=True)))


@pytest.mark.parametrize(
    "game",
    [Kuhn(4), Leduc(3, ante=2), MatchingPennies(), BetSize(), BetSize(joint=((0.0, 0.3333333), (0.6666666, 0.0)))],
    ids=str,
)
def test_parameters_go_through_json_and_back(game):
    parameters = json.loads(json.dumps(game_parameters(game)))
    assert game_from_parameters(game_name(game), parameters) == game


def test_openspiel_specs_are_openspiels_own():
    pytest.importorskip("pyspiel")
    game = load_game("openspiel:kuhn_poker(players=3)")
    assert game == OpenSpielGame("kuhn_poker", "players=3")
    assert game_spec(game) == "openspiel:kuhn_poker(players=3)"
    assert game_name(game) == "openspiel"
    assert game_from_parameters("openspiel", game_parameters(game)) == game


def test_a_game_from_elsewhere_has_no_name():
    class Elsewhere(Kuhn):
        pass

    with pytest.raises(ConfigError, match=r"is not in the catalogue; known: .*kuhn"):
        game_name(Elsewhere())
