"""Built-in strategies: what they do, and what a wrong name is told."""

import numpy as np
import pytest

from nashgap.errors import ConfigError, FileFormatError, MismatchError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import expected_values
from nashgap.strategies.load import load, save
from nashgap.strategies.named import always_call, always_fold, always_raise
from nashgap.strategies.table import uniform

CHUMPS = {
    always_fold: ("fold", "check", "call"),
    always_call: ("check", "call"),
    always_raise: ("raise", "bet", "check", "call"),
}


@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)", "leduc"])
@pytest.mark.parametrize("chump", CHUMPS, ids=lambda chump: chump.__name__)
def test_chumps_take_their_favourite_action_everywhere(chump, spec):
    tree = load_tree(spec)
    strategy = chump(tree)
    for number, (player, name) in enumerate(zip(tree.infoset_player, tree.infoset_name, strict=True)):
        taken = [action for action, p in strategy.chances(int(player), name).items() if p == 1.0]
        words = [action.split()[0].lower() for action in tree.actions(number)]
        assert taken == [tree.actions(number)[words.index(next(kind for kind in CHUMPS[chump] if kind in words))]]


def test_always_fold_checks_where_checking_is_free():
    """So all check, and the higher card takes the antes: 0 on average; against a bet it gives the ante away."""
    tree = load_tree("kuhn")
    fold = always_fold(tree)
    assert fold.chances(0, "J") == {"check": 1.0, "bet": 0.0}
    assert fold.chances(1, "K b") == {"fold": 1.0, "call": 0.0}
    assert expected_values(tree, fold) == pytest.approx((0.0, 0.0), abs=1e-12)
    assert expected_values(tree, fold.with_players({0: always_raise(tree)})) == pytest.approx((1.0, -1.0))


def test_chumps_earn_what_hand_counting_says():
    """Leduc: call-call never bets, so equal strategies tie; raise against fold takes the ante at once."""
    tree = load_tree("leduc")
    assert expected_values(tree, always_call(tree)) == pytest.approx((0.0, 0.0), abs=1e-12)
    assert expected_values(tree, always_raise(tree)) == pytest.approx((0.0, 0.0), abs=1e-12)
    assert expected_values(tree, always_fold(tree).with_players({1: always_raise(tree)}))[1] == pytest.approx(1.0)


def test_a_game_without_the_actions_is_refused_with_what_it_has():
    message = r"always-call needs .* check, call; rock_paper_scissors has rock, paper"
    with pytest.raises(UnsupportedGameError, match=message):
        load("always-call", load_tree("rock_paper_scissors"))


def test_names_and_files_are_loaded_alike(tmp_path):
    tree = load_tree("kuhn")
    path = tmp_path / "kuhn.safetensors"
    save(path, always_raise(tree))
    loaded = load(str(path), tree)
    np.testing.assert_array_equal(loaded.probabilities, load("always-raise", tree).probabilities)
    with pytest.raises(MismatchError, match=r"is a strategy for kuhn, not for kuhn\(players=3\)"):
        load(str(path), load_tree("kuhn(players=3)"))


def test_what_is_neither_name_nor_strategy_is_refused(tmp_path):
    tree = load_tree("kuhn")
    with pytest.raises(ConfigError, match=r"unknown strategy 'always-win' \(did you mean .*\); known: always-call, "):
        load("always-win", tree)
    with pytest.raises(FileFormatError):
        load(str(tmp_path), tree)
    (tmp_path / "noise").write_bytes(b"noise" * 100)
    with pytest.raises(FileFormatError):
        load(str(tmp_path / "noise"), tree)


@pytest.mark.parametrize("text", ["", "x" * 5000, "a\0b"])
def test_odd_texts_get_a_clear_refusal(text):
    with pytest.raises((ConfigError, FileFormatError)):
        load(text, load_tree("kuhn"))


def test_uniform_is_uniform():
    tree = load_tree("liars_dice(dice_sides=2)")
    strategy = load("uniform", tree)
    np.testing.assert_allclose(strategy.probabilities, 1.0 / tree.infoset_size[tree.slot_infoset])
    np.testing.assert_array_equal(strategy.probabilities, uniform(tree).probabilities)
