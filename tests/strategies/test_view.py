"""What a strategy does in one state, held to its policies asked directly, hand by hand."""

import json
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from abstract_games import PAIRS, abstract_game, random_abstract_strategy
from random_strategies import random_strategy
from seeded_strategy import Seeded

from nashgap.cards.card import format_cards, hand_cards
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES
from nashgap.core.strategy import Policy, RaiseRange
from nashgap.errors import AgentError, ConfigError, MissingExtraError
from nashgap.games.compiled import load_tree
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.replay import replay
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL
from nashgap.poker.typed_state import state_after
from nashgap.strategies.chumps import Chump, always_call, half_call_half_raise
from nashgap.strategies.table import uniform
from nashgap.strategies.view import line_ranges, view_strategy

RIVER = "2c6dThJsQd"
LINES = [
    ("hunl", "", ""),
    ("hunl", "r300", ""),
    ("hunl", "r300r900", ""),
    ("hunl", "r300c/cr900", "2c6dTh"),
    ("hunl", "r300c/cc/cc/", RIVER),
    ("nlhe3", "r300c", ""),
    ("lhe2", "rrc/rr", "2c6dTh"),
    ("lhe3", "rrcc/cc", "2c6dTh"),
    ("leduc2", "rrc/c", "Kh"),
    ("kuhn3", "crf", ""),
]


def asked_directly(strategy, rules, after, board):
    """Hand -> (move -> probability here, how often its own earlier actions bring it here)."""
    end = state_after(rules, after, board)
    here, reach, state, dealt = strategy.policies([end])[0], np.ones(len(hand_names(rules))), rules.root(), 0
    for actions in end.history:
        for action in actions:
            if state.seat < 0:
                number = state.num_missing_cards
                state, dealt = state.deal(end.board[dealt : dealt + number]), dealt + number
            if state.seat == end.seat:
                policy = strategy.policies([state])[0]
                reach *= policy.probabilities[:, policy.moves.index(action)]
            state = state.act(action)
    return {
        name: (dict(zip(here.moves, here.probabilities[place], strict=True)), reach[place])
        for place, name in enumerate(hand_names(rules))
        if possible_hands(end)[place]
    }


@pytest.mark.parametrize(("game", "after", "board"), LINES)
def test_a_view_says_what_policies_answer(game, after, board):
    rules = load_rules(game)
    view = view_strategy(Seeded(), rules, after, board)
    expected = asked_directly(Seeded(), rules, after, board)
    assert set(view.hands) == set(expected)
    state = state_after(rules, after, board)
    assert (view.seat, view.player, view.pot, view.to_call) == (state.seat, state.seat + 1, state.pot, state.to_call)
    for hand, row, reach in zip(view.hands, view.probabilities, view.reach, strict=True):
        moves, expected_reach = expected[hand]
        np.testing.assert_allclose(row, [moves[move] for move in sorted(moves)], atol=1e-12)
        assert reach == pytest.approx(expected_reach, abs=1e-12)
    total = sum(reach for _, reach in expected.values())
    for place, move in enumerate(sorted(next(iter(expected.values()))[0])):
        of_all = np.mean([moves[move] for moves, _ in expected.values()])
        of_range = sum(moves[move] * reach for moves, reach in expected.values()) / total
        assert list(view.frequencies.values())[place] == pytest.approx(of_all)
        assert list(view.range_frequencies.values())[place] == pytest.approx(of_range)
    assert view.has_own_range == (len({round(reach, 9) for _, reach in expected.values()}) > 1)


@pytest.mark.parametrize(("game", "after", "board"), LINES)
def test_the_range_of_each_seat_is_what_its_own_decisions_bring_there(game, after, board):
    rules = load_rules(game)
    state, view = state_after(rules, after, board), view_strategy(Seeded(), rules, after, board)
    ranges = line_ranges(Seeded(), rules, after, board)
    assert list(ranges) == [seat for seat, has_folded in enumerate(state.has_folded) if not has_folded]
    np.testing.assert_array_equal(ranges[view.seat], view.reach)
    expected = {seat: np.ones(len(view.hands)) for seat in ranges}
    for step in replay(state):
        if step.action is not None and step.before.seat in ranges:
            (policy,) = Seeded().policies([step.before])
            chances = policy.probabilities[:, policy.moves.index(step.action)]
            expected[step.before.seat] *= chances[possible_hands(state)]
    for seat, reach in ranges.items():
        np.testing.assert_allclose(reach, expected[seat], atol=1e-12)


@pytest.mark.parametrize(("game", "after", "board"), LINES)
def test_every_action_leads_where_it_says(game, after, board):
    rules = load_rules(game)
    view = view_strategy(Seeded(), rules, after, board)
    spare = [format_cards([card]) for card in rules.deck if format_cards([card]) not in view.board]
    for onward in view.onward:
        if onward.is_over:
            with pytest.raises(ValueError, match="the hand is over"):
                state_after(rules, view.after + onward.action, view.board)
            continue
        behind = view_strategy(Seeded(), rules, onward.texts[0], view.board + "".join(spare[: onward.num_board_cards]))
        assert (behind.seat, behind.after) == (onward.seat, onward.texts[0])


def test_classes_and_grid_weigh_hands_by_its_range():
    """Of the twelve offsuit ace-kings those count the most that come here the most."""
    rules = load_rules("hunl")
    view = view_strategy(Seeded(), rules, "r300c/cr900", "2c6dTh")
    expected = asked_directly(Seeded(), rules, "r300c/cr900", "2c6dTh")
    held = [expected[hand] for hand in expected if _class_of(hand) == "AKo"]
    total = sum(reach for _, reach in held)
    for share, move in zip(view.classes["AKo"].values(), sorted(held[0][0]), strict=True):
        assert share == pytest.approx(sum(moves[move] * reach for moves, reach in held) / total)
    assert set(view.classes) == set(HAND_CLASSES)
    grid = view.grid
    assert grid.actions == view.words
    assert list(grid.overall().values()) == pytest.approx(list(view.range_frequencies.values()))
    assert grid.cells[HAND_CLASSES.index("AKo")].shares == pytest.approx(
        dict(zip(view.words, view.classes["AKo"].values(), strict=True))
    )


def _class_of(hand):
    names = {format_cards(hand_cards(number)): number for number in range(1326)}
    return HAND_CLASSES[CLASS_OF_HAND[names[hand]]]


def test_classes_that_the_board_rules_out_are_left_out():
    view = view_strategy(Seeded(), load_rules("hunl"), "cc/", "2c2d2h")
    assert "22" not in view.classes and "A2o" in view.classes
    assert view.grid.cells[HAND_CLASSES.index("22")].shares == {}


def test_rows_are_made_hands_in_holdem_and_hands_elsewhere():
    view = view_strategy(Seeded(), load_rules("hunl"), "r300c/cc/cc/", RIVER)
    rows = {row.name: row for row in view.rows.rows}
    assert {"straight", "top pair", "no pair"} <= set(rows)
    assert sum(row.weight for row in view.rows.rows) == pytest.approx(1.0)
    for row in view.rows.rows:
        assert sum(row.shares.values()) == pytest.approx(1.0)
    first = [row.name for row in view_strategy(Seeded(), load_rules("hunl")).rows.rows]
    assert first == ["pair TT-AA", "pair 22-99", "two cards T-A", "other suited", "other offsuit"]
    small = view_strategy(Seeded(), load_rules("leduc2"), "rrc/", "Kh")
    assert small.grid is None and small.classes == {}
    assert [row.name for row in small.rows.rows] == ["Qh", "Qs", "Ks", "Ah", "As"]
    assert small.rows.rows[0].shares == pytest.approx(dict(zip(small.words, small.probabilities[0], strict=True)))


def test_one_hand_in_any_order():
    view = view_strategy(Seeded(), load_rules("hunl"), "r300c/cc/cc/", RIVER)
    policy = Seeded().policies([state_after(load_rules("hunl"), "r300c/cc/cc/", RIVER)])[0]
    row = policy.probabilities[hand_names(load_rules("hunl")).index("AsKs")]
    expected = {"c": row[0], "r900": row[policy.moves.index(900)], "r20000": row[policy.moves.index(20_000)]}
    for text in ("AsKs", "KsAs", "ksas", "Ks As", "as, ks"):
        assert view.hand(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        ("2cAs", "hand '2cAs': 2c lies on the board 2c6dThJsQd"),
        ("As", "hand 'As' has 1 card; it needs 2 cards, as AsAh"),
        ("AsKsQs", "hand 'AsKsQs' has 3 cards; it needs 2 cards, as AsAh"),
        ("AsAs", "cards 'AsAs', character 3: As is there twice"),
        ("AsXx", "no card 'Xx'"),
    ],
)
def test_hands_that_cannot_be_held_are_refused(hand, message):
    with pytest.raises(ConfigError) as caught:
        view_strategy(Seeded(), load_rules("hunl"), "r300c/cc/cc/", RIVER).hand(hand)
    assert message in str(caught.value)


def test_a_hand_outside_a_small_deck_is_refused():
    with pytest.raises(ConfigError, match=r"no hand '2c' here; hands are Qh, Qs, Ks, Ah, As"):
        view_strategy(Seeded(), load_rules("leduc2"), "crc/", "Kh").hand("2c")


def test_legal_moves_that_it_never_makes_are_there_to_walk():
    view = view_strategy(always_call(), load_rules("hunl"))
    assert view.frequencies == {"f": 0.0, "c": 1.0}
    assert view.raise_sizes == ("r200", "r20000")
    limit = view_strategy(always_call(), load_rules("lhe3"))
    assert limit.frequencies == {"f": 0.0, "c": 1.0, "r": 0.0}
    assert limit.raise_sizes is None


def test_a_line_that_it_never_plays_has_no_range():
    view = view_strategy(always_call(), load_rules("hunl"), "r300r900")
    assert not view.is_reached and view.range_frequencies is None and view.range_share == 0.0
    assert view.weights.sum() == pytest.approx(1.0)
    assert view.range_note.startswith("It never plays this line itself")
    assert view.grid.cells[0].weight == 1.0
    assert view.as_dict()["actions"][1]["of_range"] is None


def test_a_raise_of_a_random_size_counts_by_its_share():
    """Half of the time it raises to one of 19,801 sizes."""
    view = view_strategy(half_call_half_raise(), load_rules("hunl"), "r300r900")
    assert view.reach == pytest.approx(np.full(1326, 0.5 / 19_801))
    assert not view.has_own_range
    assert "r1500..20000" in view.actions and view.words[-1] == "raise 1500 to 20000"


def test_very_many_sizes_are_drawn_together():
    class Many:
        def policies(self, states):
            moves = (CALL, *range(200, 3200, 200), 20_000)
            return [Policy(hand_names(state.rules), (), _rows(len(moves)), moves) for state in states]

    view = view_strategy(Many(), load_rules("hunl"), name="many")
    assert len(view.actions) == 18  # with the fold that it never makes
    grid = view.grid
    assert len(grid.actions) == 8
    assert (grid.actions[:2], grid.actions[-1]) == (("fold", "call"), "all-in")
    assert grid.actions[2] == "raise to 200 to 600"
    assert sum(grid.overall().values()) == pytest.approx(1.0)
    assert grid.overall()["all-in"] == pytest.approx(view.frequencies["r20000"])


def _rows(num_actions):
    return np.random.default_rng(5).dirichlet(np.ones(num_actions), 1326)


@pytest.mark.parametrize("name", ["kuhn2", "kuhn3", "leduc2", "pairs"])
def test_abstract_strategies_know_their_game(name):
    strategy = random_abstract_strategy(abstract_game(PAIRS if name == "pairs" else name), seed=3)
    view = strategy.at()
    policy = strategy.policies([strategy.rules.root()])[0]
    possible = possible_hands(strategy.rules.root())
    np.testing.assert_allclose(view.probabilities, policy.probabilities[possible], atol=1e-6)
    assert view.game == name and view.grid is None


def test_abstract_holdem_for_three_players():
    game = abstract_game("lhe3", "full caps=2/1/1/1", "percentile(ehs2, 4/4/4/4, recall=none)")
    strategy = random_abstract_strategy(game, seed=1)
    view = strategy.at("rrcc/cc", board="2c6dTh")
    expected = asked_directly(strategy, strategy.rules, "rrcc/cc", "2c6dTh")
    assert view.player == 3 and view.street == "flop"
    for hand in ("AsKs", "7h7d", "3c2d"):
        moves, reach = expected[hand]
        assert list(view.hand(hand).values()) == pytest.approx([moves[move] for move in sorted(moves)], abs=1e-6)
        assert view.reach[view.place(hand)] == pytest.approx(reach, abs=1e-6)


def test_wrong_answers_of_a_strategy_are_told():
    class Wrong:
        name = "wrong"

        def policies(self, states):
            return [Policy(hand_names(state.rules), ("c",), np.full((1, 1), 0.5)) for state in states]

    with pytest.raises(AgentError, match=r"wrong after '.*: the row of all hands: the probabilities 0\.5 do not add"):
        view_strategy(Wrong(), load_rules("hunl"))
    with pytest.raises(ConfigError, match="always-call does not know its game; name its rules too"):
        view_strategy(always_call())
    with pytest.raises(ConfigError, match="translation=sampled has no policies but samples; soft has their mean"):
        random_abstract_strategy(abstract_game("kuhn2"), translation="sampled").at()


KUHN, LEDUC = load_tree("kuhn"), load_tree("leduc")


@pytest.mark.parametrize("label", ["", "k", "b", "kb"])
def test_tables_of_small_games(label):
    strategy = random_strategy(KUHN, seed=2)
    view = strategy.at(label)
    assert view.hands == ("J", "Q", "K")
    for hand in view.hands:
        assert view.hand(hand.lower()) == strategy.chances(view.seat, f"{hand} {label}".strip())
    own_first = {"kb": "check"}.get(label)
    reach = [strategy.chances(0, hand)[own_first] if own_first else 1.0 for hand in view.hands]
    assert view.reach == pytest.approx(reach)
    shares = np.array([list(view.hand(hand).values()) for hand in view.hands])
    assert list(view.range_frequencies.values()) == pytest.approx(np.average(shares, axis=0, weights=reach))
    assert (view.pot, view.to_call, view.grid) == (None, None, None)


@pytest.mark.parametrize(
    ("after", "board"), [("crc/Kh:r", ""), ("CRC/kh:R", ""), ("crc/r", "Kh"), ("crc/r", " kh "), ("crc/kh:r", "Kh")]
)
def test_boards_of_small_games_inside_or_beside(after, board):
    strategy = random_strategy(LEDUC, seed=4)
    view = strategy.at(after, board)
    assert (view.after, view.board, view.player, view.hands) == ("crc/Kh:r", "Kh", 2, ("Js", "Jh", "Qs", "Qh", "Ks"))
    assert view.hand("ks") == strategy.chances(1, "Ks crc/Kh:r")
    assert view.reach[0] == pytest.approx(strategy.chances(1, "Js c")["bet"])


def test_labels_onward_of_small_games():
    view = uniform(LEDUC).at("cr")
    fold, call, rise = view.onward
    assert fold.is_over and fold.words == "it is over"
    assert call.texts == tuple(f"crc/{card}:" for card in ("Js", "Jh", "Qs", "Qh", "Ks", "Kh"))
    assert (call.seat, rise.texts, rise.seat) == (0, ("crr",), 1)
    for onward in (call, rise):
        assert uniform(LEDUC).at(onward.texts[0]).seat == onward.seat


def test_dice_and_games_without_hands():
    dice = random_strategy(load_tree("liars_dice(dice_sides=3)"), seed=1)
    view = dice.at("1-2 2-1")
    assert view.hands == ("1", "2", "3")
    assert view.hand("3") == dice.chances(0, "3 1-2 2-1")
    pennies = random_strategy(load_tree("matching_pennies"), seed=1)
    first, third = pennies.at(), pennies.at("heads TAILS")
    assert first.hand("player 1") == pennies.chances(0, "player 1")
    assert (third.player, third.hand("player 3")) == (3, pennies.chances(2, "player 3"))
    assert [onward.texts for onward in first.onward] == [("heads",), ("tails",)]
    assert pennies.at("player 2").hand("player 2") == pennies.chances(1, "player 2")


def test_histories_of_openspiel_games():
    """It tells no hands from history, so that rows are whole information sets, after the players' actions."""
    pytest.importorskip("pyspiel")
    strategy = random_strategy(load_tree("openspiel:kuhn_poker"), seed=1)
    view = strategy.at("pass bet")
    assert view.player == 1 and len(view.hands) == 3
    for hand in view.hands:
        assert view.hand(hand) == strategy.chances(0, hand)
    ours = [strategy.chances(0, name) for name in strategy.tree.infoset_name if name in ("0", "1", "2")]
    assert view.reach == pytest.approx([chances["Pass"] for chances in ours])


@pytest.mark.parametrize(
    ("game", "after", "board", "message"),
    [
        ("kuhn", "kk", "", "kuhn: nobody acts after 'kk'; labels are 'k', 'kb'"),
        ("kuhn", "k", "As", "kuhn: nobody acts after 'k' on the board As; labels are 'k'"),
        ("leduc", "crc", "", "leduc: nobody acts after 'crc'; labels are 'crc/Js:', 'crc/Jh:'"),
        ("leduc", "crc/2c:", "", "nobody acts after 'crc/2c:'; labels are 'crc/Js:'"),
        ("matching_pennies", "edge", "", "no 'edge'; actions at the start are heads, tails"),
        ("matching_pennies", "heads edge", "", "no 'heads edge'; actions after 'heads' are heads, tails"),
        ("matching_pennies", "heads heads heads", "", "the game is over after 'heads heads heads'; nobody is to act"),
        ("matching_pennies", "heads", "As", "board 'As'; the game has none of its own"),
    ],
)
def test_labels_that_do_not_exist_are_told_with_those_that_do(game, after, board, message):
    with pytest.raises(ConfigError) as caught:
        uniform(load_tree(game)).at(after, board)
    assert message in str(caught.value)


def test_a_table_of_a_poker_game_is_seen_at_the_table():
    """The same numbers as in its information sets, with pot and betting as in any poker game."""
    strategy = random_strategy(load_tree("leduc2"), seed=6)
    view = strategy.at("crc/Kh:r")
    assert (view.after, view.board, view.pot, view.to_call) == ("crc/r", "Kh", 10, 4)
    for hand in view.hands:
        expected = strategy.chances(1, f"{hand} crc/Kh:r")
        assert list(view.hand(hand).values()) == pytest.approx(list(expected.values()), abs=1e-12)


@pytest.mark.parametrize(("game", "after", "board"), LINES)
def test_what_it_prints_and_tells(game, after, board):
    view = view_strategy(Seeded(), load_rules(game), after, board, name="a/very/" + "long/" * 40 + "name.safetensors")
    assert len(repr(view)) < 400 and "\n" not in repr(view)
    assert f"Player {view.player}" in repr(view)
    document = json.loads(json.dumps(view.as_dict(), allow_nan=False))
    assert document["seat"] == view.player == view.seat + 1
    behind = [None if onward.seat is None else onward.seat + 1 for onward in view.onward]
    assert [row["next_seat"] for row in document["actions"]] == behind
    assert [row["action"] for row in document["actions"]] == list(view.actions)
    assert ("classes" in document) == (view.grid is not None) != ("hands" in document)
    html = view._repr_html_()
    assert ("<svg" in html) == (view.grid is not None)
    assert html.count("<table") == 2


def test_a_frame_has_a_row_for_each_hand(monkeypatch):
    view = view_strategy(Seeded(), load_rules("hunl"), "r300")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"to_frame\(\) needs pandas: pip install pandas"):
        view.to_frame()
    pandas = SimpleNamespace(DataFrame=lambda rows, columns: {name: rows[name] for name in columns})
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    frame = view.to_frame()
    assert list(frame) == ["hand", "class", "reach", "f", "c", "r900", "r20000"]
    assert frame["class"][view.place("AsKd")] == "AKo"
    np.testing.assert_array_equal(frame["r900"], view.probabilities[:, 2])
    assert list(uniform(KUHN).at().to_frame()) == ["hand", "reach", "check", "bet"]


def test_ranges_of_raises_are_one_action():
    chump = Chump("all sizes", raising=1.0, size="uniform")
    policy = chump.policies([load_rules("hunl").root()])[0]
    assert policy.moves == (RaiseRange(200, 20_000),)
    view = view_strategy(chump, load_rules("hunl"))
    assert view.frequencies == {"f": 0.0, "c": 0.0, "r200..20000": 1.0}
    assert view.onward[-1].texts == ("r200",)
