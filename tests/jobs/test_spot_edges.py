"""Spots at their edges: odd pots, hands that nothing meets, decisions that nobody reaches, locks that contradict."""

import numpy as np
import pytest

import nashgap as ng
from nashgap.core.array_file import open_arrays, save_arrays
from nashgap.errors import ConfigError, NashGapError, OptionError

RIVER, TURN = "As Kd 7h 4c 2s", "Ks 7s 4s 2s"


def test_very_small_averages_stay_numbers():
    """Many sizes that are hardly used: weights come below what floats can divide by."""
    found = ng.solve_spot(RIVER, "AA,QQ", "KK", pot=200, stack=900, betting="min", iterations=60)
    assert np.isfinite(found.values).all() and 0 <= found.exploitability < 200
    assert all(np.isfinite(table).all() for table in found.strategy.ranges.tables.values())


def test_a_decision_that_nobody_reaches_is_told_so():
    found = ng.solve_spot(RIVER, "AA,QJo", "KK", pot=200, stack=900, locks=["= x"], iterations=10)
    with pytest.raises(ConfigError, match="line 'b200': out of position never comes there"):
        found.at("b200")


def test_hands_that_nothing_meets_are_not_there():
    blocked = ", ".join(f"Ah{rank}d:0.{number}" for number, rank in enumerate("Q9865", 1))
    found = ng.solve_spot("Kc Jc 7h 4c 2s", "AhAc, QcQh", blocked, pot=200, stack=900, iterations=20)
    view = found.at()
    assert "AhAc" not in view.hands and set(view.hands) == {"QhQc"}
    assert (view.equity >= 0).all() and (view.equity <= 1).all()


@pytest.mark.parametrize("until", [1e-9, 1e-300])
def test_goals_that_cannot_be_reached_end_with_the_iterations(until):
    found = ng.solve_spot(RIVER, "AA", "KK", pot=200, stack=900, until=until, iterations=60)
    assert found.iterations <= 60 and found.exploitability >= 0


def test_weights_too_small_for_floats_are_none():
    with pytest.raises(ConfigError, match="leave no deal"):
        ng.make_spot(RIVER, "AA:1e-50,QJo:1e-50", "KK", pot=200, stack=900)


def test_large_chips_can_be_typed():
    spot = ng.make_spot(RIVER, "AA,QJo", "KK", pot=2_000_000, stack=90_000_000, bets="61.7283949%", raises="100%")
    found = ng.solve_spot(spot, iterations=5)
    assert found.at().actions == ("x", "b1234568")
    assert found.at("b1234568").pot == 3_234_568


def test_odd_pots_have_halves_of_chips():
    turn = ng.solve_spot(TURN, "AA,QQ", "KK,JJ", pot=101, stack=900, betting="1%,50% > a caps=1", iterations=20)
    view = turn.at("b50.5")
    assert (view.pot, view.to_call) == (151.5, 50.5)
    later = turn.after("b1 c 3c")
    assert (later.pot, later.stacks) == (103, (899, 899))
    with pytest.raises(ConfigError, match="half chips are bet"):
        turn.after("b50.5 c 3c")
    even = ng.make_spot(TURN, "AA", "KK", pot=100, stack=900, bets="50%")
    with pytest.raises(NashGapError, match=r"'b50.5' is not in the tree"):
        even.state_after("b50.5")


def test_donks_and_seats_go_on_with_the_street():
    flop = ng.make_spot(
        "Td 9d 6h", "AA,QQ", "KK,JJ", pot=200, stack=300, betting="60%,a > 2.5x donk=-/-/50% caps=1/1/1"
    )
    turn = ng.solve_spot(flop, iterations=5).after("x x 2c")
    assert str(turn.betting) == "0.6,a > 2.5x caps=1 donk=0.5"
    assert ng.solve_spot(turn, iterations=5).iterations == 5
    assert str(flop.betting.from_round(2)) == "0.6,a > 2.5x caps=1"


def test_a_decision_is_locked_once():
    with pytest.raises(ConfigError, match="a decision is locked twice"):
        ng.solve_spot(RIVER, "AA,QJo", "KK", pot=200, stack=900, locks=["= x", "= b200"], iterations=5)
    with pytest.raises(ConfigError, match="suits alone tell apart"):
        ng.solve_spot(TURN, "AA,QQ", "KK,JJ", pot=100, stack=300, locks=["x x 3h = x", "x x 3c = b100"], iterations=5)


def test_a_locked_strategy_is_measured_without_its_locks(tmp_path):
    path = tmp_path / "locked.safetensors"
    locked = ng.solve_spot(RIVER, "AA,QJo", "KK", pot=200, stack=900, locks=["= x"], until=0.01, output=path)
    measured = ng.measure(str(path))
    assert locked.exploitability < 0.1 < 10 < measured.exploitability
    free = ng.solve_spot(RIVER, "AA,QJo", "KK", pot=200, stack=900, until=0.01)
    assert ng.match(free.strategy, locked.strategy).gain <= measured.exploitability + 0.1


def test_a_spot_that_is_given_has_all_that_is_told_of_it():
    spot = ng.make_spot(RIVER, "AA", "KK", pot=200, stack=900)
    for told in ({"betting": "33%"}, {"pot": 7}, {"oop": "QQ"}):
        with pytest.raises(OptionError, match="is part of a spot that is given"):
            ng.solve_spot(spot, **told)
    with pytest.raises(ConfigError, match="whole chips"):
        ng.make_spot(RIVER, "AA", "KK", pot=200.5, stack=900)
    with pytest.raises(OptionError, match="takes the place of"):
        ng.make_spot(RIVER, "AA", "KK", pot=200, stack=900, bets="50%", betting="50%")


def test_usual_sizes_suit_short_stacks():
    found = ng.solve_spot(RIVER, "AA,QJo", "KK", pot=200, stack=100, until=0.1)
    assert found.at().words == ("check", "all-in 100")


@pytest.mark.parametrize(
    ("part", "value", "problem"),
    [
        ("locks", 5, "locks and facts"),
        ("locks", [5], "locks and facts"),
        ("facts", "none", "locks and facts"),
        ("spot", {"board": "AsKd7h"}, "does not say which spot"),
        ("kind", "poem", "poem"),
    ],
)
def test_files_of_other_programs_are_refused(tmp_path, part, value, problem):
    path = tmp_path / "spot.safetensors"
    ng.solve_spot(RIVER, "AA", "KK", pot=200, stack=900, iterations=3, output=path)
    file = open_arrays(path)
    save_arrays(path, {name: np.array(file.array(name)) for name in file.names}, file.metadata | {part: value})
    with pytest.raises(NashGapError, match=problem):
        ng.load(path)


@pytest.mark.parametrize("spoil", [np.nan, -1.0, 3e38, None])
def test_tables_that_are_no_weights_are_refused(tmp_path, spoil):
    path = tmp_path / "spot.safetensors"
    ng.solve_spot(RIVER, "AA", "KK", pot=200, stack=900, iterations=3, output=path)
    file = open_arrays(path)
    tables = {name: np.array(file.array(name)) for name in file.names}
    tables["strategy_0"] = tables["strategy_0"][:-1] if spoil is None else np.full_like(tables["strategy_0"], spoil)
    save_arrays(path, tables, file.metadata)
    with pytest.raises(NashGapError, match=r"spot.s size|below 0 or no numbers|weights above 1e\+36"):
        ng.load(path)
