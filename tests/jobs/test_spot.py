"""Spots: values by a linear program, gaps by exact best responses, locks and what they cost, files and tables."""

import csv

import numpy as np
import pytest
from spot_game import SpotGame

import nashgap as ng
from nashgap.core.compile import compile_tree
from nashgap.errors import ConfigError, GameSizeError, MismatchError, NashGapError, OptionError
from nashgap.jobs.perform import Interrupted
from nashgap.jobs.spot import SpotJob
from nashgap.measures.best_response import exploitability
from nashgap.poker.hands import hand_place
from nashgap.runs import list_runs
from nashgap.solvers.sequence_lp import solve_sequence_lp
from nashgap.strategies.table import tabulated

RIVER, TURN = "Qs Jh 2h 8c 4d", "Qs Jh 2h 8c"
OOP, IP = "AA, AhKh, QdJd, 99:0.5, 7h6h", "KK, QcTc, AcKc:0.25, 8s8d, 5h3h"


def river(**told):
    return ng.make_spot(RIVER, OOP, IP, **({"pot": 200, "stack": 900} | told))


@pytest.mark.parametrize("told", [{}, {"stack": (900, 300)}, {"pot": 75, "bets": "33%,a", "raises": "2,a"}])
def test_values_are_those_of_a_linear_program(told):
    spot = river(**told)
    found = ng.solve_spot(spot, until=0.001)
    exact = solve_sequence_lp(compile_tree(SpotGame(spot), "spot")).value
    assert found.values[0] - spot.pot / 2 == pytest.approx(exact, abs=1e-4 * spot.pot)
    assert sum(found.values) == pytest.approx(spot.pot, abs=1e-5 * spot.pot)


def test_a_turn_is_worth_what_the_linear_program_says():
    spot = ng.make_spot(TURN, "AA:0.5, AhKh, 7h6h", "QcTc, KsKd, 5h3h", pot=200, stack=300, bets="100%,a", raises="a")
    found = ng.solve_spot(spot, until=0.001)
    exact = solve_sequence_lp(compile_tree(SpotGame(spot), "spot")).value
    assert found.values[0] - 100 == pytest.approx(exact, abs=1e-4 * 200)


def test_exploitability_is_that_of_exact_best_responses():
    spot = river()
    found = ng.solve_spot(spot, iterations=12)
    tree = compile_tree(SpotGame(spot), "spot")

    def chosen(player, infoset, actions):
        hand, _, betting = infoset.partition(" ")
        state = next(state for state in spot.decisions() if state.betting == betting.split(" ")[-1])
        cards = hand_place(spot.rules, ng.parse_cards(hand))
        rows = found.strategy.ranges.probabilities([a for part in state.history for a in part], spot.board)
        return rows[cards] / rows[cards].sum()

    exact = exploitability(tree, tabulated(tree, chosen))
    assert found.exploitability == pytest.approx(exact.exploitability, abs=1e-6 * spot.pot)
    assert found.values[0] - 100 == pytest.approx(exact.values[0], abs=1e-3)
    assert found.exploitability > 1  # early: there is something to be found


def test_a_rake_is_taken_of_what_is_won():
    """Values add up to the pot less the rake, and no more than its cap is taken."""
    free, small = (ng.solve_spot(river(rake=rake), until=0.2) for rake in (0, 5))
    capped = ng.solve_spot(river(rake=5, rake_cap=2), until=0.2)
    assert sum(free.values) == pytest.approx(200, abs=0.01)
    assert 190 >= sum(small.values) > 150
    assert sum(capped.values) == pytest.approx(198, abs=0.01)


def test_locking_a_whole_side_to_folding_gives_the_best_answer_to_it():
    found = ng.solve_spot(river(), locks=["ip = f"], until=0.01)
    assert found.values[0] == pytest.approx(200, abs=0.01)  # any bet takes the pot
    assert found.free is not None and found.costs is not None
    assert found.costs[1] == pytest.approx(found.free.values[1], abs=0.01)
    assert found.at().range_frequencies["x"] < 0.01
    assert "but for what is locked" in found.summary


def test_a_lock_gives_hands_what_it_says_and_has_its_price():
    found = ng.solve_spot(river(), locks=["x = b100 KK,QcTc:0.5; x"], until=0.05)
    view = found.at("x")
    assert view.hand("KcKd") == pytest.approx({"x": 0, "b100": 1, "b200": 0, "a": 0}, abs=1e-6)
    assert view.hand("QcTc") == pytest.approx({"x": 0.5, "b100": 0.5, "b200": 0, "a": 0}, abs=1e-6)
    assert view.hand("5h3h")["x"] == pytest.approx(1)
    assert found.costs[1] > -0.2  # a lock cannot help its own side, but for what is left to exploit
    assert found.costs[0] == pytest.approx(-found.costs[1], abs=0.01)


def test_who_stops_while_the_price_of_a_lock_is_found_is_told_what_finds_all(tmp_path):
    """The run of the spot without locks would write its own strategy to the file."""
    root, output = tmp_path / "runs", tmp_path / "locked.safetensors"

    def stop(pace):
        if len(list_runs(root)) == 2:
            raise KeyboardInterrupt

    how = {"locks": ["x = b100 KK; x"], "until": 1.0, "run": root, "output": output}
    with pytest.raises(Interrupted, match=r"continue with: the same command$"):
        ng.solve_spot(river(), progress=stop, **how)
    found = ng.solve_spot(river(), **how)
    assert found.free is not None
    assert ng.load(output).at("x").hand("KcKd") is not None


def test_locks_by_card_and_on_any_card():
    spot = ng.make_spot(TURN, "AA, AhKh, 7h6h", "QcTc, KsKd, 5h3h", pot=200, stack=300, bets="100%,a", raises="a")
    one, every = (ng.solve_spot(spot, locks=[f"x x {card} = x"], iterations=40) for card in ("3c", "*"))
    assert one.at("x x 3c").range_frequencies["x"] == pytest.approx(1)
    assert one.at("x x 3d").range_frequencies["x"] < 0.999
    assert every.at("x x 3d").range_frequencies["x"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("lock", "problem"),
    [
        ("x b7 = x", "'b7' is not in the tree there; there are x, b100, b200, a"),
        ("x f = x", "'f' is not in the tree there"),
        ("x b100 c = x", "the hand is over there; nobody decides"),
        ("x = b100 KK", "is left without an action"),
        ("x = b100 any; x KK", "KcKd|KsKh|is told to do more than one thing"),
        ("x", "it must be LINE = ACTIONS"),
        ("= f", "'f' is not in the tree there; there are x, b100, b200, a"),
    ],
)
def test_locks_that_cannot_be(lock, problem):
    with pytest.raises(NashGapError, match=problem):
        ng.solve_spot(river(), locks=[lock])


def test_a_view_tells_what_every_hand_is_worth():
    """Values of hands, weighted by how they are held, are the value of the range; a fold is worth nothing."""
    found = ng.solve_spot(river(), until=0.05)
    root = found.at()
    assert root.value == pytest.approx(found.values[0], abs=1e-3)
    assert sum(kind.share for kind in root.kinds) == pytest.approx(1)
    answer = found.at("x b100")
    assert np.allclose(answer.values[:, answer.actions.index("f")], 0.0, atol=1e-4)
    assert answer.pot == 300 and answer.to_call == 100
    table = root.to_frame()
    assert (table["weight"] * table["value"]).sum() == pytest.approx(found.values[0], abs=1e-3)
    assert list(table["hand"]) == list(root.hands)
    assert len(repr(root)) < 400 and len(repr(found)) < 400


def test_ranges_go_on_with_the_next_street():
    """The spot that begins with the river card has what is left of stacks and ranges, and is worth what it was."""
    spot = ng.make_spot(
        TURN, "AA, AhKh, 7h6h, 99", "QcTc, KsKd, 5h3h, 88", pot=200, stack=600, bets="100%,a", raises="a"
    )
    turn = ng.solve_spot(spot, until=0.01)
    later = turn.after("x b200 c 3c")
    assert (later.pot, later.stacks, later.street) == (600, (400, 400), "river")
    again = ng.solve_spot(later, until=0.01)
    assert again.values[0] == pytest.approx(turn.at("x b200 c 3c").value, abs=3)
    with pytest.raises(ConfigError, match="must end with the card of a new street"):
        turn.after("x")


def test_a_file_is_shown_measured_and_met(tmp_path):
    good = ng.solve_spot(river(), until=0.01, output=tmp_path / "good.safetensors")
    ng.solve_spot(river(), iterations=3, output=tmp_path / "bad.safetensors")
    loaded = ng.load(tmp_path / "good.safetensors")
    assert np.array_equal(loaded.at("x").probabilities, good.at("x").probabilities)
    view = ng.show(str(tmp_path / "good.safetensors"), after="x b100", hand="QdJd")
    assert view.title == "Out of position on the river QsJh2h8c4d after x b100"
    assert ng.check(tmp_path / "good.safetensors").information_sets == 20
    measured = ng.measure(str(tmp_path / "good.safetensors"))
    assert measured.exploitability == pytest.approx(good.exploitability, abs=1e-4)
    met = ng.match(str(tmp_path / "good.safetensors"), str(tmp_path / "bad.safetensors"))
    assert met.gain > 0
    # Nobody wins more from a strategy than its best responses do.
    worst = ng.measure(str(tmp_path / "bad.safetensors"))
    assert met.gain <= worst.exploitability
    with pytest.raises(MismatchError, match="strategies of different spots"):
        ng.solve_spot(river(pot=100), iterations=2, output=tmp_path / "other.safetensors")
        ng.match(str(tmp_path / "good.safetensors"), str(tmp_path / "other.safetensors"))


def test_policies_are_those_of_the_view():
    found = ng.solve_spot(river(), iterations=20)
    state = found.spot.state_after("x b100")
    (policy,) = found.strategy.policies([state])
    rows = policy.probabilities[
        [hand_place(found.spot.rules, ng.parse_cards(hand)) for hand in found.at("x b100").hands]
    ]
    assert np.allclose(rows, found.at("x b100").probabilities)
    with pytest.raises(MismatchError, match="alone"):
        found.strategy.policies([found.spot.rules.root().deal(ng.parse_cards("QsJh2h8c5d"))])


def test_a_run_goes_on_exactly(tmp_path):
    whole = ng.solve_spot(river(), iterations=30)
    ng.solve_spot(river(), iterations=13, run=tmp_path)
    further = ng.solve_spot(river(), iterations=30, run=tmp_path)
    assert further.values == whole.values
    assert further.provenance.command.startswith("nashgap solve-spot --board QsJh2h8c4d")


def test_threads_change_nothing():
    spot = ng.make_spot(TURN, OOP, IP, pot=200, stack=300)
    assert ng.solve_spot(spot, iterations=9, threads=3).values == ng.solve_spot(spot, iterations=9).values


def test_many_boards_make_one_table(tmp_path):
    boards = [RIVER, "Qs Jh 2h 8c 5d", "As Ah Kd 2c 2d"]
    told = {"oop": OOP, "ip": IP, "pot": 200, "stack": 900}
    found = ng.solve_boards(boards, **told, run=tmp_path, output=tmp_path / "boards.csv")
    alone = ng.solve_spot(RIVER, **told)
    assert found.rows[0]["values"] == list(alone.values)
    with (tmp_path / "boards.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["board"] for row in rows] == ["QsJh2h8c4d", "QsJh2h8c5d", "AsAhKd2c2d"]
    assert float(rows[0]["oop_value"]) == alone.values[0]
    assert found.means["oop_value"] == pytest.approx(np.mean([float(row["oop_value"]) for row in rows]))
    with pytest.raises(ConfigError, match="all boards must have 5 cards"):
        ng.solve_boards([RIVER, TURN], **told)


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({"pot": 0}, "pot 0; it must be 1 to"),
        ({"stack": -5}, "stack -5; it must be 1 to"),
        ({"stack": (1, 2, 3)}, "one for each of the two players"),
        ({"bets": "50%/100%", "raises": "50%/50%/50%"}, "are for 2 streets, raises"),
        ({"bets": "no"}, "is not a size"),
        ({"bets": "2000%"}, "4000 chips, more than the stack of 900"),
        ({"rake": 120}, "a share from 0 to below 1"),
    ],
)
def test_spots_that_cannot_be(told, problem):
    with pytest.raises(ConfigError, match=problem):
        river(**told)


def test_ranges_without_a_common_deal_are_refused():
    with pytest.raises(ConfigError, match="the ranges leave no deal on QsAhAc8c4d: 'AA' against 'AA'"):
        ng.make_spot("Qs Ah Ac 8c 4d", "AA", "AA", pot=200, stack=900)
    with pytest.raises(ConfigError, match="Qs is there twice"):
        ng.make_spot("Qs Qs Ac 8c 4d", pot=200, stack=900)
    with pytest.raises(ConfigError, match="it must be 3 to 5 different cards"):
        ng.make_spot("Qs Jh", pot=200, stack=900)


def test_a_job_becomes_a_config_and_back():
    job = SpotJob(river(rake=5, rake_cap=3), iterations=7)
    assert SpotJob.from_config(job.identity(), job.budget()) == job


def test_an_all_in_is_locked_by_its_size_too():
    by_word, by_size = (ng.solve_spot(river(), locks=[f"= {bet} AA; x"], iterations=20) for bet in ("a", "b900"))
    assert by_word.values == by_size.values


def test_16_bits_find_the_same_and_are_kept_in_files(tmp_path):
    spot = river()
    plain, small = (ng.solve_spot(spot, until=0.05, storage=storage) for storage in ("float32", "int16"))
    assert small.values == pytest.approx(plain.values, abs=0.1)  # 0.05% of 200 chips
    assert small.exploitability_percent <= 0.05
    assert small.strategy.ranges.num_bytes == 33 * plain.strategy.ranges.num_bytes // 64
    for name, found in (("plain", plain), ("small", small)):
        found.save(tmp_path / f"{name}.safetensors")
    loaded = ng.load(tmp_path / "small.safetensors")
    assert loaded.values() == small.values
    assert ng.check(tmp_path / "small.safetensors").slots == ng.check(tmp_path / "plain.safetensors").slots
    met = ng.match(*(str(tmp_path / f"{name}.safetensors") for name in ("plain", "small")))
    assert abs(met.gain) < 0.2
    with pytest.raises(OptionError, match="deals is for hands that are played; strategies of a spot meet exactly"):
        ng.match(*(str(tmp_path / f"{name}.safetensors") for name in ("plain", "small")), deals=100)


def test_the_storage_is_part_of_what_a_job_is():
    plain, small = SpotJob(river()), SpotJob(river(), storage="int16")
    assert plain.identity() != small.identity()
    assert small.size.num_bytes == 33 * plain.size.num_bytes // 64
    assert "--storage int16" in small.command(ng.solve_spot(river(), iterations=1, storage="int16"))


def test_what_does_not_fit_says_what_would_take_half(monkeypatch):
    monkeypatch.setattr("nashgap.jobs.train_forecast.available_memory", lambda: (1000, 1000))
    with pytest.raises(GameSizeError, match=r"this machine has 0\.0 GiB; storage int16 takes half of it$"):
        ng.solve_spot(river())
    with pytest.raises(GameSizeError, match=r"this machine has 0\.0 GiB$"):
        ng.solve_spot(river(), storage="int16")
