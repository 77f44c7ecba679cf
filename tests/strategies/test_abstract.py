"""Strategies of abstract games: what they say for every hand, and their files."""

import gc

import numpy as np
import pytest
from abstract_games import PAIRS, abstract_game, random_abstract_strategy, random_tables, sized_rules, table_rows

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.cards.card import hand_index
from nashgap.core.array_file import open_arrays, save_arrays
from nashgap.core.game import CHANCE
from nashgap.errors import ConfigError, FileFormatError, IllegalActionError, MismatchError
from nashgap.poker.rules import load_rules
from nashgap.strategies import abstract_file
from nashgap.strategies.abstract import AbstractStrategy, quantised
from nashgap.strategies.abstract_file import load_abstract_strategy
from nashgap.strategies.check_file import check_file
from nashgap.strategies.load import save
from nashgap.strategies.play_options import PlayOptions, parse_play_options

GAMES = {name: abstract_game(name) for name in ("kuhn2", "kuhn3", "leduc2")} | {"pairs": abstract_game(PAIRS)}


def decisions(state):
    """Every state of a game in which a seat is to act."""
    if state.is_over:
        return
    if state.seat == CHANCE:
        for card in state.rules.deck:
            if card not in state.board:
                yield from decisions(state.deal([card]))
        return
    yield state
    for action in state.legal:
        yield from decisions(state.act(action))


@pytest.mark.parametrize("name", GAMES)
def test_policies_are_the_table_where_nothing_is_abstracted(name):
    game = GAMES[name]
    strategy = random_abstract_strategy(game, seed=3)
    states = list(decisions(game.rules.root()))
    assert len(states) >= game.tree.num_nodes
    for state, policy in zip(states, strategy.policies(states), strict=True):
        node = game.tree.find_node([action for actions in state.history for action in actions]).target
        cards = game.cards[state.seat][state.has_folded.count(False)]
        buckets = cards.all_buckets(state.board, state.round)
        assert policy.moves == tuple(state.legal)
        assert policy.probabilities.shape == (len(policy.hands), len(policy.moves))
        expected = np.where(buckets[:, None] >= 0, table_rows(strategy, node)[buckets], 0.0)
        np.testing.assert_allclose(policy.probabilities, expected, atol=1e-6)
        np.testing.assert_allclose(policy.probabilities.sum(axis=1), buckets >= 0, atol=1e-12)


def test_hands_are_named_in_the_order_of_their_index():
    policy = random_abstract_strategy(GAMES["pairs"]).policies([PAIRS.root()])[0]
    deck = PAIRS.deck
    assert policy.hands[hand_index(deck[-1], deck[0])] == "AsQh"
    assert policy.actions == ("c", "r")
    played = np.flatnonzero(policy.probabilities.any(axis=1))
    assert set(played) == {hand_index(high, low) for high in deck for low in deck if high > low}


def test_a_batch_is_its_states_one_by_one():
    strategy = random_abstract_strategy(GAMES["leduc2"])
    states = list(decisions(strategy.rules.root()))[::7]
    for state, policy in zip(states, strategy.policies(states), strict=True):
        np.testing.assert_array_equal(policy.probabilities, strategy.policies([state])[0].probabilities)


def test_the_fallback_is_for_information_sets_that_were_never_reached():
    game = GAMES["leduc2"]
    uniform = random_abstract_strategy(game, unreached=0.3)
    calls = uniform.with_options(fallback="call")
    num_unreached = 0
    for state in decisions(game.rules.root()):
        node = game.tree.find_node([action for actions in state.history for action in actions]).target
        buckets = game.cards[0][2].all_buckets(state.board, state.round)
        is_unreached = (buckets >= 0) & (table_rows(uniform, node)[buckets].sum(axis=1) == 0)
        num_unreached += is_unreached.sum()
        (of_uniform,), (of_calls,) = uniform.policies([state]), calls.policies([state])
        size = len(of_uniform.moves)
        assert (of_uniform.probabilities[is_unreached] == 1 / size).all()
        assert (of_calls.probabilities[is_unreached, of_calls.moves.index(0)] == 1.0).all()
        np.testing.assert_array_equal(of_uniform.probabilities[~is_unreached], of_calls.probabilities[~is_unreached])
    assert num_unreached > 100
    assert uniform.check().num_unreached == calls.check().num_unreached > 0


@pytest.mark.parametrize(
    ("row", "options", "played"),
    [
        ([0.1, 0.3, 0.6], {"threshold": 0.2}, [0.0, 1 / 3, 2 / 3]),
        ([0.1, 0.3, 0.6], {"threshold": 0.7}, [0.0, 0.0, 1.0]),
        ([0.1, 0.3, 0.6], {"purify": True}, [0.0, 0.0, 1.0]),
        ([0.25, 0.5, 0.25], {"threshold": 0.25}, [0.25, 0.5, 0.25]),
        ([0.4, 0.2, 0.4], {"purify": True}, [0.5, 0.0, 0.5]),
        ([0.0, 0.0, 0.0], {"purify": True}, [1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_thresholds_and_purification(row, options, played):
    game = GAMES["leduc2"]
    state = game.rules.root().act(game.rules.root().legal.max_raise_to)
    entries = np.zeros(game.num_entries, np.float32)
    entries[game.entries(game.tree.find_node(state.history[0]).target)] = row
    tables = [entries[start:end] for start, end in zip(game.entry_start, game.entry_start[1:], strict=False)]
    policy = AbstractStrategy(game, tuple(tables), PlayOptions(**options)).policies([state])[0]
    assert policy.actions == ("f", "c", "r")
    np.testing.assert_allclose(policy.probabilities, [played] * 6, atol=1e-7)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("fallback=fold", "fallback = 'fold'; it must be one of uniform, call"),
        ("translation=best", "must be one of hard, soft, sampled, pseudo-harmonic"),
        ("threshold=2", "threshold = 2.0; it must be from 0 to 1"),
        ("threshold=x", "threshold = 'x'"),
        ("purify=maybe", "purify = 'maybe'"),
        ("speed=3", "cannot read 'speed=3'; options, once each: fallback, off_tree, "),
        ("purify=1, purify=1", "cannot read 'purify=1'"),
    ],
)
def test_wrong_options_are_refused(text, problem):
    with pytest.raises(ConfigError, match=problem):
        PlayOptions().changed(parse_play_options(text))


def test_a_state_of_another_game_or_without_a_decision_is_refused():
    strategy = random_abstract_strategy(GAMES["kuhn2"])
    with pytest.raises(MismatchError, match="the strategy is for kuhn2, the state is of kuhn3"):
        strategy.policies([load_rules("kuhn3").root()])
    with pytest.raises(IllegalActionError, match="nobody is to act after 'rf'"):
        strategy.policies([strategy.rules.root().act(2).act(-1)])


def test_tables_must_be_those_of_the_game():
    game = GAMES["leduc2"]
    tables = random_tables(game)
    with pytest.raises(MismatchError, match="1 tables; the game has 2 rounds"):
        AbstractStrategy(game, tables[:1])
    with pytest.raises(MismatchError, match="round 1 has 2,"):
        AbstractStrategy(game, tables[::-1])
    with pytest.raises(MismatchError, match="round 1 is float64; it must be float32 or uint8"):
        AbstractStrategy(game, tuple(table.astype(np.float64) for table in tables))


def test_quantised_rows_add_up_and_are_near():
    game = GAMES["leduc2"]
    tables = random_tables(game, seed=5, unreached=0.1)
    small = tuple(quantised(game, number, table) for number, table in enumerate(tables))
    for node in range(game.tree.num_nodes):
        exact = np.concatenate(tables)[game.entries(node)]
        bytes_ = np.concatenate(small)[game.entries(node)].astype(int)
        np.testing.assert_array_equal(bytes_.sum(axis=1), np.where(exact.sum(axis=1) > 0, 255, 0))
        assert np.abs(bytes_ / 255 - exact).max() < 1 / 255


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "leduc.safetensors"
    strategy = random_abstract_strategy(GAMES["leduc2"], seed=7, unreached=0.1, fallback="call", off_tree="check-fold")
    save(path, AbstractStrategy(strategy.game, strategy.tables, strategy.options, {"seed": 7}))
    return path, strategy


@pytest.mark.parametrize("is_quantised", [False, True])
def test_a_file_gives_the_strategy_back(file, tmp_path, is_quantised, monkeypatch):
    _, strategy = file
    path = tmp_path / "again.safetensors"
    strategy.save(path, is_quantised=is_quantised)
    monkeypatch.setattr(abstract_file, "_games", {})  # so that the game is built again
    loaded = load_abstract_strategy(path)
    assert loaded.options == strategy.options
    assert loaded.game is not strategy.game
    assert not loaded.tables[0].flags.writeable
    tolerance = 1 / 255 if is_quantised else 0.0
    for state in list(decisions(strategy.rules.root()))[::5]:
        (expected,), (policy,) = strategy.policies([state]), loaded.policies([state])
        np.testing.assert_allclose(policy.probabilities, expected.probabilities, rtol=0, atol=tolerance)
    assert check_file(path).facts["unreached_information_sets"] == strategy.check().num_unreached


def test_a_file_tells_the_cards_of_each_seat_and_number_of_players(tmp_path, monkeypatch):
    """Two abstractions with the same buckets, built apart, are one after loading: the entries must not move."""
    rules = load_rules("kuhn3")
    first, second = (build_abstraction(parse_card_abstraction("lossless"), rules) for _ in range(2))
    game = AbstractGame(GAMES["kuhn3"].tree, [{3: first, 2: second}, first, {3: second, 2: first}])
    strategy, path = random_abstract_strategy(game), tmp_path / "kuhn3.safetensors"
    save(path, strategy)
    monkeypatch.setattr(abstract_file, "_games", {})
    states = list(decisions(rules.root()))
    for expected, policy in zip(strategy.policies(states), load_abstract_strategy(path).policies(states), strict=True):
        np.testing.assert_array_equal(policy.probabilities, expected.probabilities)


def test_a_file_is_loaded_once(file):
    path, _ = file
    loaded = load_abstract_strategy(path)
    assert load_abstract_strategy(path) is loaded
    assert loaded.facts["seed"] == 7


def test_a_file_is_loaded_once_for_who_plays_it_by_another_name_too(file):
    path, _ = file
    named = load_abstract_strategy(path).with_options(name="mine")
    gc.collect()
    assert load_abstract_strategy(path).tables[0] is named.tables[0]


def test_a_damaged_or_cut_file_is_refused(file):
    path, _ = file
    content = path.read_bytes()
    path.write_bytes(content[:-10])
    with pytest.raises(FileFormatError, match="is cut short"):
        load_abstract_strategy(path)
    path.write_bytes(content[:-10] + bytes(10))
    with pytest.raises(FileFormatError, match="is damaged: the checksum of data block 0"):
        load_abstract_strategy(path)


def test_a_file_for_another_game_is_refused(file):
    path, _ = file
    with pytest.raises(MismatchError, match="is a strategy for leduc2, not for kuhn2"):
        load_abstract_strategy(path, load_rules("kuhn2"))


def rewritten(path, change):
    """The file as another program might have written it."""
    opened = open_arrays(path)
    metadata = dict(opened.metadata)
    change(metadata)
    arrays = {name: opened.array(name).copy() for name in opened.names}
    save_arrays(path, arrays, metadata)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            lambda told: told.update(kind="tree-strategy"),
            FileFormatError,
            "is a file of kind 'tree-strategy', not 'abstract-strategy'",
        ),
        (lambda told: told.pop("options"), FileFormatError, "does not tell its options"),
        (lambda told: told.update(segments=[]), FileFormatError, "has no list of segments"),
        (lambda told: told["segments"].append(told["segments"][0]), FileFormatError, "several segments behind ''"),
        (lambda told: told.update(options={"speed": 1}), FileFormatError, "cannot be read"),
        (lambda told: told.update(facts=7), FileFormatError, "cannot be read"),
        (lambda told: told["segments"][0].update(betting="fcp"), ConfigError, "leduc.safetensors: betting abstraction"),
        (lambda told: told["segments"][0].update(betting="full caps=1"), MismatchError, "another abstract game than"),
        (lambda told: told["segments"][0].update(tables=["round_1"]), FileFormatError, "1 tables; the game has 2"),
        (lambda told: told["segments"][0].update(tables=["round_1", "river"]), FileFormatError, "no array 'river'"),
        (
            lambda told: told["segments"][0]["cards"][0]["2"].update(fingerprint="0" * 32),
            MismatchError,
            "the buckets of 'lossless' are not those that the strategy was made with",
        ),
    ],
)
def test_a_file_that_does_not_fit_its_description_is_refused(file, change, error, message, monkeypatch):
    path, _ = file
    rewritten(path, change)
    monkeypatch.setattr(abstract_file, "_games", {})
    with pytest.raises(error, match=message) as refused:
        load_abstract_strategy(path)
    assert "\n" not in str(refused.value)


def test_a_table_that_holds_no_strategy_is_found_by_a_check(tmp_path):
    game = GAMES["kuhn2"]
    (table,) = random_tables(game)
    table[0] += 0.5
    path = tmp_path / "kuhn.safetensors"
    save(path, AbstractStrategy(game, (table,)))
    with pytest.raises(FileFormatError, match="the table of round 1 holds no strategy"):
        check_file(path)


@pytest.mark.parametrize("entry", [np.nan, np.inf, -np.inf, -0.25, 1.5, 1e30])
@pytest.mark.parametrize("number", [0, 1])
def test_an_entry_that_is_no_probability_is_found_where_it_is_read(file, entry, number, monkeypatch):
    """The checksums are right: another program may have written the file."""
    path, _ = file
    opened = open_arrays(path)
    arrays = {name: opened.array(name).copy() for name in opened.names}
    arrays[f"round_{number + 1}"][-1] = entry
    save_arrays(path, arrays, opened.metadata)
    with pytest.raises(FileFormatError, match=rf"1 entries of its table 'round_{number + 1}' are no probabilities"):
        load_abstract_strategy(path)


def test_zeros_of_any_sign_are_probabilities(file):
    path, _ = file
    opened = open_arrays(path)
    arrays = {name: opened.array(name).copy() for name in opened.names}
    arrays["round_1"][:2] = [-0.0, 1.0]
    save_arrays(path, arrays, opened.metadata)
    assert load_abstract_strategy(path).tables[0][1] == 1.0


def test_samples_are_of_the_policy():
    game = abstract_game(sized_rules(), "1,a")
    state = game.rules.root().act(800)
    soft, sampled = (random_abstract_strategy(game, translation=kind) for kind in ("soft", "sampled"))
    with pytest.raises(ConfigError, match="translation=sampled has no policies"):
        sampled.policies([state])
    samples = [sampled.sample_policies([state], seed)[0] for seed in range(4000)]
    assert len({policy.probabilities.tobytes() for policy in samples}) == 2
    moves = soft.policies([state])[0].moves
    mean = np.mean([[dict(zip(p.moves, p.probabilities[0], strict=True)).get(m, 0) for m in moves] for p in samples], 0)
    np.testing.assert_allclose(mean, soft.policies([state])[0].probabilities[0], atol=0.02)
    again = sampled.sample_policies([state], 17)[0]
    np.testing.assert_array_equal(again.probabilities, samples[17].probabilities)
