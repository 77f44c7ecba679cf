"""Players that only play, asked hand by hand."""

import sys

import numpy as np
import pytest

from nashgap.agents.agent import NativeAgent
from nashgap.agents.by_hand import ByHandStrategy
from nashgap.agents.named import load_agent
from nashgap.agents.python_agent import PythonAgent
from nashgap.core.strategy import Policy
from nashgap.errors import AgentError, ConfigError, IllegalActionError, NashGapError
from nashgap.jobs.lbr import LbrJob
from nashgap.measures.local_best_response import LbrOptions, play_lbr
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.notation import parse_state
from nashgap.poker.rules import load_rules
from nashgap.strategies.bot import AcpcBot, HandByHand, by_hand
from nashgap.strategies.check_bot import sample_states
from nashgap.strategies.check_policy import check_policy
from nashgap.strategies.load import load
from nashgap.strategies.spec import as_bot

KUHN, LEDUC, HUNL = load_rules("kuhn2"), load_rules("leduc2"), load_rules("hunl")
CALL, FOLD = 0, -1

# A player of the competition that needs nothing of ours; how it plays is the first word.
PROGRAM = """
import random, socket, sys
behaviour, host, port = sys.argv[1:]
random.seed(1)
connection = socket.create_connection((host, int(port)))
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
connection.sendall(b"VERSION:2.0.0\\r\\n")
for number, line in enumerate(connection.makefile("r")):
    line = line.rstrip()
    _, seat, hand, betting, cards = line.split(":")
    card = cards.split("/")[0].split("|")[int(seat)]
    action = "c"
    if behaviour == "by-card":
        action = {"A": "r", "Q": "f"}.get(card[0], "c")
    elif behaviour == "coin":
        action = random.choice("cr")
    elif behaviour == "count-hands":
        action = "r" if int(hand) % 7 == 6 else "c"
    elif behaviour == "die" and number == 3:
        sys.exit("out of memory")
    connection.sendall(f"{line}:{action}\\r\\n".encode())
"""


@pytest.fixture
def program(tmp_path):
    """The spec of the program with a behaviour."""
    script = tmp_path / "player.py"
    script.write_text(PROGRAM)
    return lambda behaviour: f"by-hand:acpc:{sys.executable} {script} {behaviour}"


def lbr_job(rules, strategy, deals):
    return LbrJob(rules=rules, strategies=(as_bot(strategy),), deals=deals, options=LbrOptions("fcpa"), seed=3)


def by_card(state, card):
    """Ace raises, queen folds, king calls; where that is not possible, it calls."""
    if card[0] == "A" and state.legal.can_raise:
        return state.legal.max_raise_to
    return FOLD if card[0] == "Q" and state.legal.can_fold else CALL


class ByCard:
    """The strategy of the program's behaviour `by-card`, told for all hands, those that never come here too."""

    name, is_sampled = "by-card", False

    def policies(self, states):
        return [self.policy(state) for state in states]

    def policy(self, state):
        actions = [by_card(state, card) for card in hand_names(state.rules)]
        moves = tuple(sorted(set(actions)))
        rows = np.array([[float(action == move) for move in moves] for action in actions])
        return Policy(hand_names(state.rules), (), rows * possible_hands(state)[:, None], moves)


@pytest.mark.parametrize("rules", [KUHN, LEDUC], ids=["kuhn2", "leduc2"])
def test_lbr_against_a_caller_asked_by_hand_is_lbr_against_the_caller(rules, program):
    asked, known = lbr_job(rules, program("call"), deals=200), lbr_job(rules, "always-call", deals=200)
    batches = [job.run_batch(0) for job in (asked, known)]
    for key in ("samples", "seats", "rounds"):
        np.testing.assert_allclose(batches[0][key], batches[1][key], rtol=1e-12)
    asked.players[0].close()


def test_a_program_is_asked_for_every_hand_with_which_it_comes_to_a_state(program):
    """Elsewhere it is not asked; LBR plays as if it had been."""
    asked, known = load(program("by-card"), LEDUC), ByCard()
    states = sample_states(LEDUC, 100, np.random.default_rng(1))
    num_rows = 0
    for state, policy in zip(states, asked.policies(states), strict=True):
        check_policy(policy, state)
        for place, name in enumerate(policy.hands):
            if policy.probabilities[place].any() and comes_to(state, name):
                assert policy.moves[int(np.argmax(policy.row(place)))] == by_card(state, name)
                num_rows += 1
    assert num_rows > 100
    played = [play_lbr(LEDUC, [each], LbrOptions("fcpa"), seed=2, num_deals=300) for each in (asked, known)]
    np.testing.assert_array_equal(played[0].chips, played[1].chips)
    np.testing.assert_array_equal(played[0].dealt_chips, played[1].dealt_chips)
    assert played[0].chips.mean() > 0
    asked.close()


def comes_to(state, card):
    """Whether who plays by this card would have done what the seat to act has done."""
    passed = state.rules.root()
    for action in (action for done in state.history for action in done):
        if passed.num_missing_cards > 0:
            passed = passed.deal(state.board[: passed.num_missing_cards])
        if passed.seat == state.seat and by_card(passed, card) != action:
            return False
        passed = passed.act(action)
    return True


class Aces:
    """Raises before the flop with an ace, else folds to a raise; later it does what it did first in the hand."""

    def start_hand(self, seat, rng):
        self.is_raising = None

    def act(self, view):
        if self.is_raising is None:
            assert not view.state.board, "it is asked about the beginning of the hand, too"
            self.is_raising = any(card >= 48 for card in view.hole_cards)
        if self.is_raising:
            return view.legal.min_raise_to if view.legal.can_raise else CALL
        return FOLD if view.state.to_call > 50 else CALL


def test_every_hand_of_holdem_has_its_answer():
    strategy = ByHandStrategy(PythonAgent("aces", Aces), HUNL)
    root = HUNL.root()
    (policy,) = strategy.policies([root])
    has_ace = np.array(["A" in name for name in policy.hands])
    assert policy.moves == (CALL, 200) and policy.actions == ("c", "r200")
    np.testing.assert_array_equal(policy.probabilities, np.column_stack([~has_ace, has_ace]))
    num_asked = strategy.num_asked
    assert 1326 < num_asked < 1326 * 1.05
    assert strategy.policies([root])[0].moves == policy.moves and strategy.num_asked == num_asked, "remembered"

    flop = parse_state("r200c/c", "|/AhKd2c", HUNL)[0]
    (policy,) = strategy.policies([flop])
    assert policy.moves == (CALL, 300)
    possible = possible_hands(flop)
    np.testing.assert_array_equal(policy.probabilities[:, 1], has_ace & possible)
    np.testing.assert_array_equal(policy.probabilities[:, 0], ~has_ace & possible)
    num_hands = int((has_ace & possible).sum())
    assert num_hands == 3 * 46 + 3
    assert num_hands < strategy.num_asked - num_asked <= num_hands + 10, "only hands that raised come here"


@pytest.mark.parametrize("name", ["random", "poki", "probe"])
def test_a_player_that_draws_lots_is_refused(name):
    strategy = load(f"by-hand:{name}", HUNL)
    flop = parse_state("cc/", "|/AhKd2c", HUNL)[0]
    with pytest.raises(AgentError, match=rf"^by-hand:{name} after .* with \w\w\w\w: answers .* only a deterministic"):
        strategy.policies([flop])


@pytest.mark.parametrize("behaviour", ["coin", "count-hands"])
def test_a_program_that_draws_lots_or_remembers_is_refused(behaviour, program):
    strategy = load(program(behaviour), LEDUC)
    with pytest.raises(AgentError, match=r"with \w\w: answers .*, and .* when it is asked again; only a deterministic"):
        strategy.policies([LEDUC.root(), LEDUC.root().act(0)])


class Illegal:
    def act(self, view):
        return 7


def test_an_illegal_answer_names_state_and_hand():
    strategy = ByHandStrategy(PythonAgent("illegal", Illegal), HUNL)
    with pytest.raises(IllegalActionError, match=r"^by-hand:illegal after '', on the button with 2d2c: answers raise"):
        strategy.policies([HUNL.root()])
    with pytest.raises(IllegalActionError, match="nobody is to act"):
        strategy.policies([HUNL.root().act(FOLD)])


def test_a_program_that_dies_is_started_anew_by_the_next_question(program):
    strategy = load(program("die"), KUHN)
    for _ in range(2):
        with pytest.raises(NashGapError, match=r"hung up.* its last words: 'out of memory'"):
            strategy.policies([KUHN.root()])


def test_specs(program, tmp_path):
    assert by_hand(as_bot("acpc:./bot")) == HandByHand(AcpcBot("./bot")) == by_hand(as_bot("by-hand:acpc:./bot"))
    assert as_bot("by-hand: acpc:./bot").text == "by-hand:acpc:./bot"
    assert isinstance(load("by-hand: poki", HUNL), ByHandStrategy)
    assert load("by-hand:poki", HUNL).name == "by-hand:poki"
    assert isinstance(load_agent("probe", HUNL), NativeAgent), "a name of the catalogue"
    wrong = {"by-hand:": "has no player", "by-hand:nobody": "unknown agent", "by-hand:human": "terminal"}
    for spec, message in wrong.items():
        with pytest.raises(ConfigError, match=message):
            load(spec, HUNL)
    with pytest.raises(ConfigError, match=r"asked hand by hand by the name by-hand:acpc:./bot"):
        load("probe:acpc:./bot", HUNL)  # as it was written before
    with pytest.raises(ConfigError, match="at the table it plays by itself: poki"):
        load_agent("by-hand:poki", HUNL)
    digest = as_bot(program("call")).digest
    assert digest and digest == as_bot(program("call").removeprefix("by-hand:")).digest
    (tmp_path / "player.py").write_text(PROGRAM + "\n")
    assert as_bot(program("call")).digest != digest


BOT = """
class Plays:
    def act(self, view):
        return 0
"""


def test_a_class_that_only_plays_is_pointed_to_by_hand(tmp_path, monkeypatch):
    (tmp_path / "player_of_a_test.py").write_text(BOT)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ConfigError, match=r"a player that only plays cannot .* asked hand by hand: by_hand$"):
        load("python:player_of_a_test:Plays", KUHN)
    strategy = load("by-hand:python:player_of_a_test:Plays", KUHN)
    assert strategy.policies([KUHN.root()])[0].moves == (CALL,)


def test_few_deals_make_a_batch_of_a_large_game(program):
    assert lbr_job(HUNL, program("call"), deals=100).deals_per_batch == ByHandStrategy.deals_per_batch < 10
    assert lbr_job(LEDUC, program("call"), deals=100).deals_per_batch > 100
