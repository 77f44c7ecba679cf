"""Games as text and as parameters, there and back."""

import json
import subprocess
import sys

import pytest

from nashgap.errors import ConfigError, MismatchError
from nashgap.games.bet_size import BetSize, uniform_joint
from nashgap.games.compiled import load_tree, rebuild_tree
from nashgap.games.kuhn import Kuhn
from nashgap.games.leduc import Leduc
from nashgap.games.liars_dice import LiarsDice
from nashgap.games.matching_pennies import MatchingPennies
from nashgap.games.openspiel import OpenSpielGame
from nashgap.games.spec import (
    game_definition,
    game_from_parameters,
    game_name,
    game_parameters,
    game_spec,
    load_game,
    parse_spec,
)


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


def test_a_game_from_within_a_function_has_no_name():
    class Elsewhere(Kuhn):
        pass

    with pytest.raises(ConfigError, match="Elsewhere has no name: it must stand at the top of a module"):
        game_name(Elsewhere())
    assert game_definition(Elsewhere()) == {}
    assert game_spec(Elsewhere(3)) == "Elsewhere(players=3)"


OWN = """
from dataclasses import dataclass
from nashgap.games.kuhn import Kuhn

@dataclass(frozen=True)
class Mine(Kuhn):
    limits: tuple = (1, 2)

class Plain:
    num_players, unit = 2, "points_per_game"
    def root(self):
        return Kuhn().root()

@dataclass(frozen=True)
class Odd(Kuhn):
    thing: object = object
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    (tmp_path / "games_of_a_test.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "games_of_a_test", raising=False)
    return "python:games_of_a_test:"


def test_somebodys_own_game_has_a_name_and_is_built_again_from_its_definition(own):
    game = load_game(f"{own}Mine(players=3)")
    assert game.players == 3 and load_game(game) is game
    assert game_spec(game) == f"{own}Mine(players=3)" == game_spec(load_game(game_spec(game)))
    assert game_definition(game) == {"name": f"{own}Mine", "parameters": {"players": 3, "limits": [1, 2]}}
    tree = load_tree(game)
    assert rebuild_tree(tree.definition).fingerprint == tree.fingerprint == load_tree("kuhn(players=3)").fingerprint
    with pytest.raises(MismatchError, match="have changed since it was made"):
        rebuild_tree({**tree.definition, "fingerprint": "other"})
    plain = load_tree(f"{own}Plain")
    assert rebuild_tree(plain.definition).fingerprint == plain.fingerprint
    with pytest.raises(ConfigError, match="has no parameter 'x'; allowed: none"):
        load_game(f"{own}Plain(x=1)")


def test_a_game_with_values_that_no_file_can_hold_is_solved_but_has_no_definition(own):
    tree = load_tree(f"{own}Odd")
    assert tree.definition == {} and tree.num_infosets == 12


def test_the_script_that_runs_goes_by_the_name_of_its_file(tmp_path):
    """So that what it saved can be opened after it has ended; and it is not run a second time when it loads it."""
    (tmp_path / "script.py").write_text(
        OWN + "from nashgap import load, tree_of, uniform\n"
        "tree = tree_of(Mine())\nuniform(tree).save('mine')\nprint(load('mine').tree.game)\n"
    )
    for words in (["script.py"], ["-c", "from nashgap import load; print(load('mine').tree.game)"]):
        done = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1] == "python:script:Mine"
        if words == ["script.py"]:
            assert len(done.stdout.splitlines()) == 1
