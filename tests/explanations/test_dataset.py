"""Solved games: kept and read back, refused where damaged."""

import numpy as np
import pytest

from nashgap.core.array_file import open_arrays, save_arrays
from nashgap.errors import ConfigError, FileFormatError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.bet_size_lp import CHOICES
from nashgap.explanations.dataset import SparseTables, load_games, save_games, solve_games

STAKES = Stakes(deck=4, stack=1.0, step=0.25)


@pytest.fixture(scope="module")
def solved():
    return solve_games(STAKES, 7, 0, 20)


def are_equal(first, second) -> bool:
    tables = [(first.called, second.called), *((first.chosen[c], second.chosen[c]) for c in CHOICES)]
    return (
        np.array_equal(first.hands, second.hands)
        and np.array_equal(first.value, second.value)
        and all(np.array_equal(a.dense(), b.dense()) for a, b in tables)
    )


def test_the_file_gives_back_what_was_saved(solved, tmp_path):
    path = tmp_path / "games.safetensors"
    save_games(path, solved)
    loaded = load_games(path)
    assert (loaded.stakes, loaded.seed) == (STAKES, 7)
    assert are_equal(loaded, solved)
    assert np.array_equal(open_arrays(path).array("cdf"), solved.games.cdf)


def test_parts_are_cut_out_as_from_a_list(solved):
    for index in (slice(3, 9), np.array([5, 2, 2]), np.arange(20) % 3 == 0):
        assert np.array_equal(solved[index].bets("middle"), solved.bets("middle")[index])
        assert np.array_equal(solved[index].calls, solved.calls[index])


def test_sparse_tables_hold_what_is_not_zero():
    tables = np.zeros((3, 2, 2))
    tables[0, 1, 0], tables[2, 0, 1] = 0.5, -1.0
    sparse = SparseTables.of(tables)
    assert sparse.start.tolist() == [0, 1, 1, 2]
    assert np.array_equal(sparse.dense(), tables)
    assert np.array_equal(SparseTables.join([sparse, sparse[1:]]).dense(), np.concatenate([tables, tables[1:]]))


def test_a_split_needs_enough_games(solved):
    train, test = solved.split(15, 5)
    assert (len(train), len(test)) == (15, 5)
    assert np.array_equal(test.value, solved.value[15:])
    with pytest.raises(ConfigError, match=r"16 games to learn from and 5 to test on .* the file has 20"):
        solved.split(16, 5)


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "other.safetensors"
    save_arrays(path, {"x": np.zeros(3)}, {"kind": "other"})
    with pytest.raises(ConfigError, match="has no solved games"):
        load_games(path)


def test_a_file_whose_arrays_do_not_fit_is_refused(solved, tmp_path):
    path = tmp_path / "games.safetensors"
    save_games(path, solved)
    file = open_arrays(path)
    arrays = {name: file.array(name).copy() for name in file.names}
    arrays["calls.place"][0] = 10_000
    save_arrays(path, arrays, file.metadata)
    with pytest.raises(FileFormatError, match="do not fit together"):
        load_games(path)


@pytest.mark.parametrize(
    ("name", "entry", "message"),
    [
        ("hands", np.nan, "its hands are no distributions"),
        ("hands", -0.5, "its hands are no distributions"),
        ("hands", 2.0, "its hands are no distributions"),
        ("value", np.inf, "its values are not all finite"),
        ("value", np.nan, "its values are not all finite"),
        ("value", 1e9, "its values are not all finite"),
        ("solver.value", np.nan, "entries that are no probabilities"),
        ("solver.value", 1e30, "entries that are no probabilities"),
        ("calls.value", -0.25, "entries that are no probabilities"),
        ("solver.value", 0.123, "the bets of choice 'solver' do not add up to 1"),
    ],
)
def test_numbers_that_are_no_probabilities_are_refused(solved, tmp_path, name, entry, message):
    """The checksums are right: another program may have written the file."""
    path = tmp_path / "games.safetensors"
    save_games(path, solved)
    file = open_arrays(path)
    arrays = {each: file.array(each).copy() for each in file.names}
    arrays[name].reshape(-1)[0] = entry
    save_arrays(path, arrays, file.metadata)
    with pytest.raises(FileFormatError, match=message):
        load_games(path)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("solver.start", lambda array: array.astype(np.float64)),
        ("calls.start", lambda array: array.astype(np.uint64)),
        ("solver.start", lambda array: array[:0]),
        ("solver.place", lambda array: array.astype(np.float32)),
        ("calls.place", lambda array: array != 0),
        ("weakest-bluff.place", lambda array: array[:, None]),
        ("calls.value", lambda array: array[:, None]),
        ("value", lambda array: array[:, None]),
        ("hands", lambda array: array.reshape(-1)),
        ("hands", lambda array: array.astype(np.float32)),
    ],
)
def test_arrays_of_another_kind_or_shape_are_refused(solved, tmp_path, name, change):
    save_with(solved, tmp_path / "games.safetensors", name, change)
    with pytest.raises(FileFormatError, match=rf"{name}|do not fit together"):
        load_games(tmp_path / "games.safetensors")


def test_two_entries_at_one_place_are_refused(solved, tmp_path):
    """They may add up to 1 with their card, but a table has room for one of them."""
    name, first = "solver", solved.chosen["solver"]
    number = next(n for n in range(1, len(first.place)) if n not in first.start)

    def same_place(places):
        places = places.copy()
        places[number] = places[number - 1]
        return places

    save_with(solved, tmp_path / "games.safetensors", f"{name}.place", same_place)
    with pytest.raises(FileFormatError, match="do not fit together"):
        load_games(tmp_path / "games.safetensors")


def save_with(solved, path, name, change):
    """The file with one array changed; its checksums are right."""
    save_games(path, solved)
    file = open_arrays(path)
    arrays = {each: file.array(each).copy() for each in file.names}
    save_arrays(path, arrays | {name: np.ascontiguousarray(change(arrays[name]))}, file.metadata)


def test_an_unknown_choice_is_refused(solved):
    with pytest.raises(ConfigError, match="no choice of equilibrium 'best'; there are solver, weakest-bluff"):
        solved.bets("best")
