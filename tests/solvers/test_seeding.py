"""How hands come to what an expert is for: tables by buckets, uniform play, the play of a base."""

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy
from seeded_strategy import Seeded

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.cards.card import hand_index, parse_cards
from nashgap.catalogue import SEEDINGS
from nashgap.errors import ConfigError
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.game import PokerGame
from nashgap.poker.prefix import parse_prefix, prefix_end, prefix_steps
from nashgap.poker.rules import load_rules
from nashgap.solvers.seeding import first_round_of, load_seeding, ranges_behind

LHE3 = load_rules("lhe3")
LEDUC3 = PokerGame("leduc3").rules
SEQUENCES = ("f", "rf", "rrf", "rcf", "cf", "crf")
BUTTON, SMALL_BLIND, BIG_BLIND = 2, 0, 1
ACES, TRASH = (hand_index(*parse_cards(text)) for text in ("AsAh", "7c2d"))

# The printed buckets, 1 to 5, of each action in turn: Tables 4.6 and 4.7.
TABLE_4_6 = {"f": ("1-2",), "rf": ("4-5", "1-4"), "rrf": ("3-5", "5", "1-4"), "rcf": ("3-5", "4", "1-2"),
             "cf": ("3", "1-2"), "crf": ("3", "5", "1-2")}  # fmt: skip
TABLE_4_7 = {**TABLE_4_6, "rf": ("4-5", "1-3"), "rrf": ("4-5", "5", "1-3"), "rcf": ("4-5", "4", "1-2")}


def ranges(seeding, text, rules=LHE3, **options):
    return ranges_behind(rules, parse_prefix(rules, text), seeding, **options)


@pytest.mark.parametrize(("name", "table"), [("expert", TABLE_4_6), ("expert-consistent", TABLE_4_7)])
def test_the_printed_tables(name, table):
    seeding = load_seeding(name)
    assert {*seeding.rows} == {*SEQUENCES}
    for text, printed in table.items():
        for row, buckets in zip(seeding.rows[text], printed, strict=True):
            low, _, high = buckets.partition("-")
            assert row == tuple(float(int(low) <= bucket <= int(high or low)) for bucket in range(1, 6))


def test_strong_hands_raise_and_weak_ones_fold():
    expert = ranges("expert", "rf")
    assert expert[BUTTON][ACES] == 1 and expert[BUTTON][TRASH] == 0
    assert expert[SMALL_BLIND][ACES] == 0 and expert[SMALL_BLIND][TRASH] == 1
    assert (expert[BIG_BLIND] == 1).all()
    assert expert[BUTTON].mean() == pytest.approx(0.4, abs=0.02)
    assert (ranges("uniform", "rf") == 1).all()
    stoxtrader = ranges("stoxtrader", "f")
    assert stoxtrader[BUTTON].mean() == pytest.approx(0.6, abs=0.02)


@pytest.mark.parametrize("name", sorted(SEEDINGS.entries))
def test_all_of_the_catalogue_speak_of_the_six_sequences(name):
    seeding = load_seeding(name)
    assert {*seeding.rows} == {*SEQUENCES}
    for text in SEQUENCES:
        if name == "stoxtrader" and text.startswith("c"):
            with pytest.raises(
                ConfigError, match=f"makes '{text}' impossible: with no hand does player 3 call after ''"
            ):
                ranges(name, text)
        else:
            assert ranges(name, text).any(axis=1).all()


def test_mixed_play_bluffs_and_slow_plays():
    raised = ranges("expert-mixed", "rf")[BUTTON]
    assert 0 < raised[TRASH] < raised[ACES] < 1


def test_the_base_is_what_a_strategy_does_there():
    base = random_abstract_strategy(abstract_game(LEDUC3), seed=3)
    prefix = parse_prefix(LEDUC3, "crf")
    found = ranges_behind(LEDUC3, prefix, "base", base)
    expected = np.ones_like(found)
    for state, action in prefix_steps(LEDUC3, prefix):
        [policy] = base.policies([state])
        expected[state.seat] *= policy.probabilities[:, policy.moves.index(action)]
    np.testing.assert_array_equal(found, expected)
    with pytest.raises(ConfigError, match="name its strategy"):
        ranges_behind(LEDUC3, prefix, "base")


def test_a_start_is_what_the_base_does_in_the_first_round():
    base = random_abstract_strategy(abstract_game(LEDUC3), seed=3)
    prefix = parse_prefix(LEDUC3, "rf")
    tree = build_betting_tree(LEDUC3, parse_betting_abstraction("full"), prefix)
    cards = build_abstraction(parse_card_abstraction("lossless"), LEDUC3)
    start = first_round_of(base, AbstractGame(tree, cards, ranges_behind(LEDUC3, prefix, "base", base)))
    states = [LEDUC3.root().act(prefix[0]).act(prefix[1])]
    states.append(states[0].act(states[0].legal.max_raise_to))
    for own, other in zip(start.policies(states), base.policies(states), strict=True):
        np.testing.assert_allclose(own.probabilities, other.probabilities, atol=1e-6)
    assert not start.tables[1].any()


def test_a_start_by_buckets_is_the_mean_of_the_hands_that_come_there():
    """Also behind own actions, which some hands of a bucket take more often than others."""
    tree = build_betting_tree(LHE3, parse_betting_abstraction("full"), parse_prefix(LHE3, "cf"))
    cards = build_abstraction(parse_card_abstraction("percentile(ehs2, 5/5/5/5, recall=all)"), LHE3)
    came = np.random.default_rng(1).uniform(size=(3, 1326))
    game = AbstractGame(tree, cards, came)
    start = first_round_of(Seeded(), game)
    state = prefix_end(LHE3, tree.prefix)
    reach, buckets = came[state.seat], cards.all_buckets((), 0)
    actions = list(tree.prefix)
    for _ in range(2):  # raise, be raised, and decide again
        node = tree.find_node(actions).target
        [policy] = Seeded().policies([state])
        chances = np.stack([policy.chance_of(action) for action in tree.abstraction.actions(state)], axis=1)
        for bucket in range(5):
            held = buckets == bucket
            expected = np.average(chances[held], axis=0, weights=reach[held])
            np.testing.assert_allclose(start.tables[0][game.entries(node)[bucket]], expected, atol=1e-6)
        reach = reach * policy.chance_of(state.legal.max_raise_to)
        for _ in range(2):
            actions.append(state.legal.max_raise_to)
            state = state.act(actions[-1])


def test_a_table_may_have_any_name(tmp_path):
    path = tmp_path / "uniform.toml"
    path.write_text(f"title = 'a'\ncards = 'lossless'\n[after]\nrf = [{[0] * 4 + [1] * 4}, {[1] * 8}]", "utf-8")
    found = ranges_behind(LEDUC3, parse_prefix(LEDUC3, "rf"), load_seeding(str(path)))
    assert found[LEDUC3.root().seat].tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_a_seeding_that_leaves_no_deal_is_refused(tmp_path):
    """Both hold the same card, which there is once."""
    only = [1, 0, 0, 0, 0, 0, 0, 0]
    path = tmp_path / "same.toml"
    path.write_text(f"title = 'a'\ncards = 'lossless'\n[after]\nrf = [{only}, {only}]", "utf-8")
    with pytest.raises(ConfigError, match="'same' makes 'rf' impossible: the seats' hands share their cards"):
        ranges_behind(LEDUC3, parse_prefix(LEDUC3, "rf"), load_seeding(str(path)))


def test_betting_that_is_mistyped_is_refused(tmp_path):
    path = tmp_path / "typo.toml"
    path.write_text("title = 'a'\ncards = 'lossless'\n[after]\nrx = [[1, 1, 1, 1, 1, 1, 1, 1]]", "utf-8")
    with pytest.raises(ConfigError, match="'typo': betting 'rx': 'x' is no action"):
        ranges_behind(LEDUC3, parse_prefix(LEDUC3, "rf"), load_seeding(str(path)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = 'a'\n[after]\nf = [[1]]", "missing keys \\['cards'\\]"),
        ("title = 'a'\ncards = 'x'\n[after]\n", "seeding.toml: cards: "),
        ("title = 'a'\nspeed = 1\ncards = 'lossless'\n[after]\n", "unknown keys \\['speed'\\]"),
        ("title = 'a'\nafter = 3\ncards = 'lossless'", "3 is not a table"),
        ("title = 'a'\ncards = 'lossless'\n[after]\nf = [[2]]", "after: f: for each action a list of numbers from 0"),
    ],
)
def test_a_file_with_a_mistake_is_refused(tmp_path, text, message):
    path = tmp_path / "seeding.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_seeding(str(path))


def test_what_a_seeding_does_not_say_is_refused(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text("title = 'a'\ncards = 'percentile(ehs2, 2/2/2/2, recall=all)'\n[after]\nf = [[1, 0, 1]]", "utf-8")
    with pytest.raises(ConfigError, match="'own', f: 1 rows of 2 numbers are needed"):
        ranges(str(path), "f")
    with pytest.raises(ConfigError, match="says nothing about 'rrrf'; known: f, rf"):
        ranges("expert", "rrrf")
    with pytest.raises(ConfigError, match="unknown seeding 'exprt'"):
        ranges("exprt", "rf")
    with pytest.raises(ConfigError, match="depends on the board; there it must be uniform"):
        ranges("expert", "rcc/cr")
    assert (ranges("uniform", "rcc/cr") == 1).all()
