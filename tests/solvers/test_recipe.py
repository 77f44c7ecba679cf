"""Recipes: what is shipped is sound, what is wrong is refused with the file and the key."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

import pytest

from nashgap.catalogue import RECIPES
from nashgap.errors import ConfigError, NashGapError
from nashgap.poker.betting_tree import count_betting_tree
from nashgap.solvers.recipe import Recipe, is_recipe, load_recipe

SHIPPED = resources.files("nashgap") / "recipes"
LEDUC = {"title": '"Leduc"', "game": '"leduc2"', "betting": '"full"', "cards": '"lossless"', "minutes": "1"}


def write(folder: Path, changes: dict[str, str | None], more: str = "") -> str:
    """A sound recipe with these changes; None leaves a key out."""
    lines = {**LEDUC, **changes}
    path = folder / "mine.toml"
    path.write_text("\n".join(f"{key} = {value}" for key, value in lines.items() if value is not None) + "\n" + more)
    return str(path)


def test_the_catalogue_has_every_file_with_its_title_and_paper():
    files = {path.name.removesuffix(".toml"): path for path in SHIPPED.iterdir() if path.name.endswith(".toml")}
    assert sorted(files) == list(RECIPES.entries)
    for name, path in files.items():
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
        assert (table["title"], table.get("paper", "")) == (RECIPES.entries[name].summary, RECIPES.entries[name].paper)
        assert text.startswith("# "), f"{name} does not say what it is"
        assert RECIPES.load(name) == load_recipe(name)


@pytest.mark.parametrize("name", RECIPES.entries)
def test_every_recipe_is_sound_and_its_content_gives_it_back(name):
    recipe = load_recipe(name)
    assert recipe.name == name
    again = Recipe.from_content(recipe.content())
    assert again.content() == recipe.content()
    assert (again.rules, again.betting, again.cards) == (recipe.rules, recipe.betting, recipe.cards)


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("ir16", (90, 4_412, 205_962, 9_501_342)),
        ("multi2", (90, 4_412, 205_962, 4_863_816)),
        ("hulh-5", (8, 70, 630, 5_670)),
        ("hulh-5-capped", (6, 40, 280, 1_960)),
        ("hunl-fcpa", (20, 100, 340, 900)),
    ],
)
def test_betting_trees_have_their_sizes(name, nodes):
    """Bets are capped as in the papers: the big blind is the first bet preflop."""
    recipe = load_recipe(name)
    assert count_betting_tree(recipe.rules, recipe.betting).nodes_by_round == nodes


def test_cards_may_differ_by_players_in_the_hand_and_by_seat(tmp_path):
    coarse, fine = '"percentile(ehs2, 2/2/2/2, recall=none)"', '"percentile(ehs2, 8/8/8/8, recall=none)"'
    by_number = load_recipe(write(tmp_path, {"game": '"lhe3"', "cards": f"{{ 3 = {coarse}, 2 = {fine} }}"}))
    assert [by_number.cards[1][number].counts[0] for number in (2, 3)] == ["8", "2"]
    by_seat = load_recipe(write(tmp_path, {"game": '"lhe2"', "cards": f"[{coarse}, {fine}]"}))
    assert [of_seat[2].counts[0] for of_seat in by_seat.cards] == ["2", "8"]
    assert len(by_seat.card_specs) == 2
    assert Recipe.from_content(by_seat.content()).cards == by_seat.cards


def test_cards_may_be_for_ten_seats(tmp_path):
    (tmp_path / "ten.game").write_text(
        "GAMEDEF\nlimit\nnumPlayers = 10\nnumRounds = 1\nblind = 1 2 0 0 0 0 0 0 0 0\nraiseSize = 2\nfirstPlayer = 3\n"
        "maxRaises = 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n"
    )
    recipe = load_recipe(write(tmp_path, {"game": '"ten.game"'}))
    assert sorted(recipe.cards[9]) == list(range(2, 11))
    assert Recipe.from_content(recipe.content()).cards == recipe.cards


def test_equal_meanings_have_equal_content(tmp_path):
    one = load_recipe(write(tmp_path, {})).content()
    assert load_recipe(write(tmp_path, {"cards": '{ 2 = "lossless" }', "minutes": "7"})).content() == one
    assert load_recipe(write(tmp_path, {"cards": '["lossless", "lossless"]'}, "[solver]\ntilt = 0\n")).content() == one
    assert load_recipe(write(tmp_path, {}, '[solver]\nschedule = "lcfr"\n')).content() != one


def test_a_game_definition_may_lie_beside_the_recipe(tmp_path):
    (tmp_path / "own.game").write_text(load_recipe("leduc-small").rules.to_text())
    recipe = load_recipe(write(tmp_path, {"game": '"own.game"'}))
    assert recipe.rules.name == "own"
    assert Recipe.from_content(recipe.content()).rules == recipe.rules


@pytest.mark.parametrize(
    ("changes", "more", "message"),
    [
        ({"speed": "3"}, "", "unknown keys ['speed']; known: ['title', 'game',"),
        ({"betting": None}, "", "missing keys ['betting']"),
        ({"title": "3"}, "", "title: 3; it must be a text"),
        ({"game": '"leduc9"'}, "", "game: unknown poker game 'leduc9'"),
        ({"betting": '"pot"'}, "", "betting: betting abstraction 'pot': round 1"),
        ({"betting": '"full caps=1/2/3"'}, "", "betting: betting abstraction full caps=1/2/3: caps of 3 rounds"),
        ({"off_tree": '"fold"'}, "", "off_tree: 'fold' is not one of call, check-fold"),
        ({"cards": "16"}, "", "cards: 16 is neither a text nor a table"),
        ({"cards": '["lossless"]'}, "", "cards: a list of 1; leduc2 has 2 seats"),
        ({"cards": '{ 3 = "lossless" }'}, "", "cards: for ['3'] players in the hand; leduc2 needs [2]"),
        ({"cards": '"percentile(ehs2, 2/2, recall=none)"'}, "", "cards: leduc2 is not hold'em"),
        ({"minutes": "0"}, "", "minutes: 0; it must be a number above 0"),
        ({"minutes": "true"}, "", "minutes: True; it must be a number above 0"),
        ({"iterations_per_second": "-1"}, "", "iterations_per_second: -1; it must be a number above 0"),
        ({}, "[solver]\nexplore = 0.1\n", "solver: unknown keys ['explore']; known: ['sampling', 'schedule',"),
        ({}, '[solver]\nexploration = "much"\n', "solver: exploration = 'much'; it must be a number"),
        ({"minutes": "1" + 400 * "0"}, "", "it must be a number above 0"),
        ({}, f"[solver]\ntilt = 1{400 * '0'}\n", "solver: tilt = inf; it must be 0 or more"),
        ({}, "[solver]\nexploration = 1.5\n", "solver: exploration = 1.5; it must be from 0 to below 1"),
        ({}, "[solver]\nhands = 2.5\n", "solver: hands = 2.5; it must be one of 1, 4, 8, 16"),
        ({}, '[solver]\nschedule = "magic"\n', "solver: schedule = 'magic'; it must be one of cfr,"),
        ({"cards": '"lossless'}, "", "not a TOML file"),
    ],
)
def test_a_bad_recipe_is_refused_in_one_line_with_file_and_key(tmp_path, changes, more, message):
    with pytest.raises(NashGapError) as refused:
        load_recipe(write(tmp_path, changes, more))
    told = str(refused.value)
    assert told.startswith(f"{tmp_path / 'mine.toml'}: ")
    assert message in told
    assert "\n" not in told


def test_names_and_files_are_told_from_games():
    assert is_recipe("ir16") and is_recipe("my/own.toml")
    assert not is_recipe("leduc")
    with pytest.raises(ConfigError, match=r"unknown recipe 'ir17' \(did you mean 'ir16'\?\)"):
        load_recipe("ir17")
    with pytest.raises(NashGapError, match=r"nowhere\.toml: cannot be read"):
        load_recipe("nowhere.toml")
