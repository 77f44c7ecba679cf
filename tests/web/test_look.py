"""The strategy viewer: its numbers are those of `ng.show`, and it opens nothing that it was not given."""

from __future__ import annotations

import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import BoundedSemaphore, Event

import numpy as np
import pytest
from waiting import wait_until

import nashgap as ng
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES
from nashgap.errors import AgentError
from nashgap.strategies.spec import parse_bot
from nashgap.web import look as look_module
from nashgap.web.answering import MOST_WAITING, Answering
from nashgap.web.api import CardRoom, NotFoundError
from nashgap.web.look import Shelf
from nashgap.web.strategy_files import MAX_FILES

LINE, BOARD = "r300c/cc/cc/", "2c6dThJsQd"
EXAMPLE = f"exec:{sys.executable} {Path(__file__).parents[2] / 'examples' / 'exec_bot.py'}"
RIVER = ("As Kd 7h 4c 2s", "AA,QJo,KQs", "KK,87s")


def look(visitor, **query: str):
    return visitor.request("GET", "/api/look", params=query)


def river(bets: str) -> ng.SpotSolution:
    return ng.solve_spot(*RIVER, pot=200, stack=900, bets=bets, iterations=50)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder of runs with a solved river in it, and a file beside the folder."""
    folder = tmp_path / "runs" / "mine"
    folder.mkdir(parents=True)
    solved = river("100%")
    solved.save(folder / "river.safetensors")
    solved.save(tmp_path / "secret.safetensors")
    return folder


@pytest.fixture
def trained(runs: Path) -> Path:
    ng.solve("hunl-fcpa-small", iterations=300).save(runs / "old.safetensors")
    return runs


@pytest.mark.parametrize(
    ("game", "after", "board"), [("hunl", "", ""), ("hunl", LINE, BOARD), ("lhe3", "rcc/c", "Th9h4c")]
)
def test_numbers_are_those_of_show(serve, game, after, board):
    told = look(serve().visitor(), strategy="probe", game=game, after=after, board=board).json()
    own = ng.show("probe", game=game, after=after, board=board)
    assert {each["action"]: each["of_all_hands"] for each in told["actions"]} == pytest.approx(own.frequencies)
    shown = {cell["name"]: sum(cell["shares"]) for cell in told["grid"] if cell["shares"]}
    assert shown == pytest.approx(dict.fromkeys(own.classes, 1.0))
    assert {hand["hand"]: hand["chances"] for hand in told["hands"]} == {
        hand: list(own.hand(hand).values()) for hand in own.hands
    }


def test_a_spot_of_the_runs_folder_has_values_and_equities(serve, runs):
    told = look(serve().visitor(), strategy="mine/river.safetensors", after="b200").json()
    own = ng.load(str(runs / "river.safetensors")).at("b200")
    assert told["value"] == own.value and told["equity"] == own.range_equity
    assert [hand["value"] for hand in told["hands"]] == own.hand_values.tolist()
    assert [hand["values"] for hand in told["hands"]] == own.values.tolist()
    for name, mean in zip(HAND_CLASSES, told["worth"]["value"], strict=True):
        is_of_it = np.array([HAND_CLASSES[CLASS_OF_HAND[number]] == name for number in own.numbers])
        if not is_of_it.any():
            assert mean is None, name
        else:
            assert mean == pytest.approx(np.average(own.hand_values[is_of_it], weights=own.weights[is_of_it]))


def test_all_that_is_offered_can_be_looked_at_and_where_no_values_are_known_it_is_said(serve):
    visitor = serve().visitor()
    names = set(re.findall(r'<option value="([a-z-]+)" data-own="0">', visitor.get("/look").text))
    assert "probe" in names and "triple" not in names  # which needs arguments
    for name in names:
        assert look(visitor, strategy=name, game="hunl").status_code == 200, name
    told = look(visitor, strategy="probe", game="hunl").json()
    assert told["worth"] is None and "solved spots alone" in told["worth_note"]


def test_what_was_not_given_is_refused(serve, runs):
    visitor = serve().visitor()
    for name in ("../secret.safetensors", str(runs / "river.safetensors"), "exec:true", "python:os:path", "nobody"):
        assert look(visitor, strategy=name, game="hunl").status_code == 404, name
        assert look(visitor, strategy="probe", game="hunl", beside=name).status_code == 404, name
    assert look(visitor, strategy="probe", game="/etc/passwd").status_code == 400
    assert look(visitor, strategy="probe", game="hunl", after=LINE, board="2c2c").status_code == 400
    assert look(visitor, strategy="probe", game="hunl", after="r1").status_code in (400, 409)
    assert look(visitor, strategy="probe", game="hunl", after="c" * 5000).status_code == 422


def test_the_difference_is_the_first_less_the_second(serve):
    query = {"game": "hunl", "after": "r300c/", "board": "2c6dTh"}
    told = look(serve(EXAMPLE).visitor(), strategy="probe", beside=EXAMPLE, **query).json()
    first, second = ng.show("probe", **query), ng.show(EXAMPLE, **query)
    assert [each["of_all_hands"] for each in told["beside"]["actions"]] == list(second.frequencies.values())
    by_words = {measure["words"]: measure for measure in told["beside"]["difference"]["measures"]}
    words = dict(zip((*first.words, *second.words), (*first.actions, *second.actions), strict=True))
    assert words.keys() <= by_words.keys()
    for place, (word, action) in enumerate(words.items()):
        shares = [view.range_frequencies.get(action, 0.0) for view in (first, second)]
        assert by_words[word]["of_range"] == pytest.approx(shares[0] - shares[1])
        for name, less in zip(HAND_CLASSES, by_words[word]["cells"], strict=True):
            own, other = (view.classes[name].get(action, 0.0) for view in (first, second))
            assert less == pytest.approx(own - other, abs=1e-12), (word, name)
        column = list(by_words).index(word)
        hands = {row["hand"]: row["less"][column] for row in told["beside"]["difference"]["hands"]}
        for hand in ("9h9c", "AsKs", "7d3c"):
            own, other = (view.hand(hand).get(action, 0.0) for view in (first, second))
            assert hands[first.hands[first.place(hand)]] == pytest.approx(own - other), (place, hand)


def test_spots_of_one_board_walk_together_by_their_nearest_bets(serve, runs):
    river("50%, 150%").save(runs / "other.safetensors")
    names = {"strategy": "mine/river.safetensors", "beside": "mine/other.safetensors"}
    visitor = serve().visitor()
    told = look(visitor, **names, after="x b200").json()
    own, other = (ng.load(str(runs / f"{name}.safetensors")) for name in ("river", "other"))
    assert told["beside"]["after"] == "x b300"  # 200 is nearer to 150% than to 50%, by their ratio
    assert told["beside"]["translated"] == ["It has no bet 200 there: its nearest is bet 300."]
    measures = {each["words"]: each for each in told["beside"]["difference"]["measures"]}
    assert measures["EV"]["of_range"] == pytest.approx(own.at("x b200").value - other.at("x b300").value)
    onward = {each["action"]: each["onward"] for each in told["beside"]["actions"]}
    assert onward.keys() >= {"f", "c", "a"} and onward["a"] == ["x b200 a"], "by the line of the first"
    first = look(visitor, **names).json()
    onward = {each["action"]: each["onward"] for each in first["beside"]["actions"]}
    assert onward["x"] == ["x"] and onward["b100"] == [], "the first cannot follow there"


def test_raises_that_are_not_in_the_tree_are_told_with_what_they_are_taken_for(serve, trained):
    visitor = serve().visitor()
    told = look(visitor, strategy="mine/old.safetensors", beside="probe", after="r250").json()
    (note,) = told["translated"]
    strategy = ng.load(str(trained / "old.safetensors"))
    after_it = {f"{place.weight:.0%}" for place in strategy.places(_state("r250"))}
    assert note.startswith("raise to 250 is not in its betting tree: taken for call (")
    assert all(f"({share})" in note for share in after_it), (note, after_it)
    assert told["beside"]["translated"] == []
    assert look(visitor, strategy="mine/old.safetensors", after="r300").json()["translated"] == []


def _state(after: str):
    from nashgap.poker.rules import load_rules
    from nashgap.poker.typed_state import state_after

    return state_after(load_rules("hunl"), after)


def test_the_ranges_of_all_seats_are_what_their_own_decisions_bring_there(serve, trained):
    query = {"strategy": "mine/old.safetensors", "board": "2c6dTh"}
    told = look(serve().visitor(), after="r300c/", **query).json()
    strategy = ng.load(str(trained / "old.safetensors"))
    acting, other = strategy.at("r300c/", "2c6dTh"), strategy.at("r300c/c", "2c6dTh")
    assert [each["player"] for each in told["ranges"]] == [acting.player, other.player]
    for found, own in zip(told["ranges"], (acting.reach, other.reach), strict=True):
        assert found["hands"] == pytest.approx(own.sum())
        assert 0 < found["of_all"] < 0.9


def test_the_ranges_of_a_spot_are_those_that_both_bring_there(serve, runs):
    told = look(serve().visitor(), strategy="mine/river.safetensors", after="x b200").json()
    strategy = ng.load(str(runs / "river.safetensors"))
    reach = strategy.at("x").probabilities[:, strategy.at("x").actions.index("b200")] * strategy.at("x").reach
    assert told["ranges"][1]["words"] == "In position"
    assert told["ranges"][1]["hands"] == pytest.approx(reach.sum(), rel=1e-5)


def test_two_games_do_not_go_side_by_side(serve, runs):
    ng.solve_spot("As Kd 7h 4c 2d", *RIVER[1:], pot=200, stack=900, bets="100%", iterations=5).save(
        runs / "b.safetensors"
    )
    ng.solve("leduc", iterations=5).save(runs / "leduc.safetensors")
    visitor = serve().visitor()
    ng.solve_spot(*RIVER, pot=200, stack=900, bets="100%", rake=5.0, rake_cap=30, iterations=5).save(
        runs / "raked.safetensors"
    )
    for strategy, beside, expected in (
        ("mine/river.safetensors", "mine/b.safetensors", "has the board AsKd7h4c2d"),
        ("mine/river.safetensors", "mine/raked.safetensors", "has the rake 5% up to 30 chips"),
        ("mine/river.safetensors", "probe", "side by side both are of one game"),
        ("probe", "mine/leduc.safetensors", "mine/leduc.safetensors is for leduc, probe is looked at in hunl"),
    ):
        answer = look(visitor, strategy=strategy, beside=beside, game="hunl")
        assert answer.status_code == 400 and expected in answer.json()["error"], answer.json()


def test_a_street_without_its_cards_says_how_many_it_needs(serve, runs):
    visitor = serve().visitor()
    told = look(visitor, strategy="probe", game="hunl", after="r300c/cc", board="2c6dTh").json()
    assert told == {"after": "r300c/cc", "board": "2c6dTh", "num_board_cards": 4}
    assert look(visitor, strategy="probe", game="hunl", after="r300c", board=BOARD).json()["board"] == "2c6dTh"


def test_the_cards_of_a_spots_line_are_replaced_by_those_of_the_board(serve, runs):
    turn = ng.solve_spot("As Kd 7h 4c", *RIVER[1:], pot=200, stack=900, bets="100%", iterations=5)
    turn.save(runs / "turn.safetensors")
    told = look(serve().visitor(), strategy="mine/turn.safetensors", after="x x 2c", board="AsKd7h4c9d").json()
    assert told["after"] == "x x 9d" and told["board"] == "AsKd7h4c9d" and told["num_fixed"] == 4
    own = ng.load(str(runs / "turn.safetensors")).at("x x 9d")
    assert told["value"] == own.value


def test_a_program_that_hangs_gives_one_line_and_holds_up_nobody(serve, tmp_path):
    file, mark = tmp_path / "hang.py", tmp_path / "hangs"
    file.write_text(
        "import time\nfrom pathlib import Path\n"
        "input()\n"
        'print(\'{"nashgap": 1, "name": "h"}\', flush=True)\n'
        f"Path({str(mark)!r}).touch()\n"
        "time.sleep(600)\n"
    )
    name = f"exec(seconds=3):{sys.executable} {file}"
    visitor = serve(name).visitor()
    with ThreadPoolExecutor(1) as pool:
        hanging = pool.submit(look, visitor, strategy=name, game="hunl")
        wait_until(mark.exists)
        assert look(visitor, strategy="probe", game="hunl").status_code == 200
        assert not hanging.done()
        answer = hanging.result()
    assert answer.status_code == 400 and "takes more than 3 seconds" in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    told = look(visitor, strategy="probe", game="hunl", beside=name).json()
    assert "takes more than 3 seconds" in told["beside"]["error"], "the first can be walked without it"


def test_a_class_of_ones_own_is_walked_and_its_nonsense_is_one_line(serve, tmp_path, monkeypatch):
    (tmp_path / "lookbots.py").write_text(
        "from nashgap.strategies.chumps import probe\n"
        "class Good:\n"
        "    def policies(self, states):\n"
        "        return probe().policies(states)\n"
        "class Bad:\n"
        "    def policies(self, states):\n"
        "        raise ValueError('no\\nidea')\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(ng.__file__).parents[1]}")
    visitor = serve("python:lookbots:Good", "python:lookbots:Bad").visitor()
    told = look(visitor, strategy="python:lookbots:Good", game="hunl", beside="probe").json()
    assert {abs(each["of_range"]) for each in told["beside"]["difference"]["measures"]} == {0.0}
    answer = look(visitor, strategy="python:lookbots:Bad", game="hunl")
    assert answer.status_code == 400 and "fails in policies" in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_what_answers_too_late_is_given_up_and_asked_again_when_it_is_back():
    answering, back = Answering("slow", lambda: object(), BoundedSemaphore(2), seconds=0.5), Event()
    with pytest.raises(AgentError, match=r"slow has not answered for 0\.5 seconds"):
        answering.ask(lambda _: back.wait(60))
    wait_until(lambda: time.monotonic() - answering._begun > 0.5)
    with pytest.raises(AgentError, match="has not answered"):
        answering.ask(lambda _: "at once")
    assert answering._questions.empty(), "who comes later is told at once, and asks nothing"
    back.set()
    wait_until(lambda: answering._begun is None)
    assert answering.ask(lambda _: "again") == "again"
    answering.end()


def test_a_crowd_at_one_strategy_is_told_to_come_back():
    answering, go_on = Answering("busy", lambda: object(), BoundedSemaphore(16), seconds=60.0), Event()
    with ThreadPoolExecutor(2 * MOST_WAITING) as pool:
        asked = [pool.submit(answering.ask, lambda _: go_on.wait(60)) for _ in range(2 * MOST_WAITING)]
        wait_until(lambda: sum(each.done() for each in asked) == MOST_WAITING)
        go_on.set()
        refused = [each.exception() for each in asked if each.exception() is not None]
    assert len(refused) == MOST_WAITING
    assert {str(each) for each in refused} == {"busy is asked by others now; try again"}
    answering.end()


def test_a_file_that_becomes_another_is_looked_at_anew(serve, runs):
    visitor = serve().visitor()
    assert "mine/river.safetensors" in visitor.get("/look").text
    river("50%").save(runs / "river.safetensors")
    actions = [each["action"] for each in look(visitor, strategy="mine/river.safetensors").json()["actions"]]
    assert "b100" in actions and "b200" not in actions
    (runs / "river.safetensors").write_bytes(b"no strategy")
    assert "mine/river.safetensors" not in visitor.get("/look").text


def test_a_decision_of_many_sizes_is_looked_at(serve, runs):
    ng.solve_spot(*RIVER, pot=200, stack=900, bets="10%,20%,30%,40%,50%,60%,70%,80%,90%", iterations=20).save(
        runs / "many.safetensors"
    )
    told = look(serve().visitor(), strategy="mine/many.safetensors").json()
    assert len(told["actions"]) == 10
    own = ng.show(str(runs / "many.safetensors"))
    assert len(own.classes["AA"]) == 10 and sum(own.classes["AA"].values()) == pytest.approx(1)
    assert len(told["drawn"]) == 8, "drawn as a few"


def test_the_newest_files_are_offered_whatever_their_names(serve, runs):
    content = (runs / "river.safetensors").read_bytes()
    for number in range(MAX_FILES + 1):
        (runs / f"a{number}.safetensors").write_bytes(content)
    (runs.parent / "zz").mkdir()
    (runs.parent / "zz" / "solution.safetensors").write_bytes(content)
    page = serve().visitor().get("/look").text
    assert "zz/solution.safetensors" in page
    assert page.count('value="mine/') == 2 * (MAX_FILES - 1), "in both lists"


def test_no_refusal_tells_where_files_lie(serve, runs):
    content = bytearray((runs / "river.safetensors").read_bytes())
    content[-100] ^= 0xFF
    (runs / "bad.safetensors").write_bytes(content)
    visitor = serve().visitor()
    alone = look(visitor, strategy="mine/bad.safetensors")
    assert alone.status_code == 400 and "damaged" in alone.text
    beside = look(visitor, strategy="mine/river.safetensors", beside="mine/bad.safetensors")
    for answer in (alone, beside):
        assert "bad.safetensors is damaged" in answer.text and str(runs.parent) not in answer.text


def offered(shelf: Shelf) -> set[str]:
    return {each["name"] for each in shelf.strategies() if "safetensors" in each["name"]}


def test_no_folder_that_is_a_link_leads_out_of_the_runs(runs, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "secret.safetensors").rename(tmp_path / "elsewhere" / "secret.safetensors")
    (runs.parent / "link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    shelf = Shelf(CardRoom(root=runs.parent))
    assert offered(shelf) == {"mine/river.safetensors"}
    with pytest.raises(NotFoundError):
        shelf.view("link/secret.safetensors", "", "", "")


def test_a_file_whose_game_is_a_class_is_not_offered_and_imports_nothing(runs, tmp_path, monkeypatch):
    (tmp_path / "lookgame.py").write_text("from nashgap.games.kuhn import Kuhn\n\n\nclass Mine(Kuhn):\n    pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    file = runs / "own.safetensors"
    ng.solve("python:lookgame:Mine", iterations=5).save(file)
    monkeypatch.delitem(sys.modules, "lookgame")
    shelf = Shelf(CardRoom(root=runs.parent))
    assert offered(shelf) == {"mine/river.safetensors"}
    with pytest.raises(NotFoundError):
        shelf.view("mine/own.safetensors", "", "", "")
    assert "lookgame" not in sys.modules


def test_given_files_of_one_name_can_both_be_looked_at(tmp_path):
    games = {"kuhn2": tmp_path / "a" / "bot.safetensors", "leduc2": tmp_path / "b" / "bot.safetensors"}
    for game, file in games.items():
        file.parent.mkdir()
        ng.solve(game, iterations=5).save(file)
    room = CardRoom(root=tmp_path / "runs")
    room.given = [parse_bot(str(file)) for file in games.values()]
    shelf = Shelf(room)
    assert offered(shelf) == {"a/bot.safetensors", "b/bot.safetensors"}
    for name, game in zip(("a/bot.safetensors", "b/bot.safetensors"), games, strict=True):
        told = shelf.view(name, "", "", "")
        assert (told["strategy"], told["game"]) == (name, game)


def test_where_one_of_two_spots_never_comes_there_is_no_difference_of_ranges(runs):
    """Not of what is done, and no more of what it is worth: a mean over all hands is none over a range."""
    never = ng.solve_spot(*RIVER, pot=200, stack=900, bets="100%", iterations=50, locks=["= x"])
    never.save(runs / "never.safetensors")
    shelf = Shelf(CardRoom(root=runs.parent))
    told = shelf.view("mine/never.safetensors", "", "b200 a", "", "mine/river.safetensors")
    assert "never plays this line itself" in told["note"] and "never plays" not in told["beside"]["note"]
    measures = told["beside"]["difference"]["measures"]
    assert {measure["words"] for measure in measures} == {"fold", "call", "EV", "equity"}
    assert [measure["of_range"] for measure in measures] == [None] * 4
    own, other = (ng.load(str(runs / f"{name}.safetensors")).at("b200 a") for name in ("never", "river"))
    by_words = {measure["words"]: measure["of_all_hands"] for measure in measures}
    assert by_words["EV"] == pytest.approx(own.hand_values.mean() - other.hand_values.mean())


def test_few_large_spots_stay_open_at_once(runs, monkeypatch):
    """Their tables are in memory, unlike those of other files."""
    monkeypatch.setattr(look_module, "MAX_SPOT_BYTES", 2 * (runs / "river.safetensors").stat().st_size)
    content = (runs / "river.safetensors").read_bytes()
    names = [f"mine/spot{number}.safetensors" for number in range(4)]
    for name in names:
        (runs.parent / name).write_bytes(content)
    shelf = Shelf(CardRoom(root=runs.parent))
    for name in names:
        assert shelf.view(name, "", "", "", names[0])["beside"]["strategy"] == names[0]
    assert [each.answering.name for each in shelf._open.values()] == [names[3], names[0]]
    shelf.close()
