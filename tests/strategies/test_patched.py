"""A strategy that does otherwise in some places, and nothing otherwise elsewhere."""

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy

import nashgap as ng
from nashgap.abstraction.hand_strength import hand_strengths
from nashgap.agents.named import load_agent
from nashgap.errors import ConfigError
from nashgap.poker.hands import possible_hands
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, FOLD
from nashgap.poker.typed_state import state_after
from nashgap.strategies.bot import PatchedBot, bot_from_identity
from nashgap.strategies.check_policy import check_policies
from nashgap.strategies.load import load, rules_of
from nashgap.strategies.patch import parse_patches
from nashgap.strategies.patched import PatchedStrategy
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.remembering import RememberingStrategy
from nashgap.strategies.spec import parse_bot

HUNL, LEDUC = load_rules("hunl"), load_rules("leduc2")
HERE = state_after(HUNL, "r300c/cr900", "AhKd2c")  # big-blind flop raised xb100
ELSEWHERE = state_after(HUNL, "r300c/cr1200", "AhKd2c")


def patched(text, base="random", rules=HUNL):
    return PatchedStrategy("patched", load(base, rules), parse_patches(text), rules)


def shares(policy, move):
    return np.broadcast_to(policy.chance_of(move), 1326)[possible_hands(HERE)]


def test_only_the_place_is_changed():
    strategy = patched("big-blind flop raised xb100 = fold below 0.5")
    assert isinstance(strategy, PokerStrategy)
    states = [HERE, ELSEWHERE, HUNL.root()]
    here, *others = check_policies(strategy.policies(states), states, "it")
    own, *unchanged = load("random", HUNL).policies(states)
    strengths = hand_strengths(HERE)[possible_hands(HERE)]
    np.testing.assert_array_equal(shares(here, FOLD) == 1.0, strengths < 0.5)
    np.testing.assert_allclose(shares(here, CALL)[strengths >= 0.5], shares(own, CALL)[strengths >= 0.5])
    for one, two in zip(others, unchanged, strict=True):
        np.testing.assert_array_equal(one.probabilities, two.probabilities)


@pytest.mark.parametrize(
    ("change", "base", "expected"),
    [
        ("call from 0.5", "always-fold", lambda strength: np.where(strength >= 0.5, 1.0, 0.0)),
        ("fold below 0.5", "always-raise", lambda strength: np.zeros(len(strength))),
        ("no raise", "always-raise", lambda strength: np.ones(len(strength))),
        ("no raise below 0.7", "always-raise", lambda strength: np.where(strength < 0.7, 1.0, 0.0)),
        ("fold below 0.4, call from 0.4", "always-fold", lambda strength: np.where(strength >= 0.4, 1.0, 0.0)),
    ],
)
def test_each_change_moves_what_it_says_to_calls(change, base, expected):
    (policy,) = patched(f"big-blind flop raised xb100 = {change}", base).policies([HERE])
    strengths = hand_strengths(HERE)[possible_hands(HERE)]
    np.testing.assert_allclose(shares(policy, CALL), expected(strengths))
    np.testing.assert_allclose(policy.probabilities[possible_hands(HERE)].sum(axis=1), 1.0)


def test_where_nothing_is_to_be_called_a_fold_is_a_check():
    state = state_after(HUNL, "cc/", "AhKd2c")
    (policy,) = patched("big-blind flop limped = fold below 1", "always-raise").policies([state])
    weak = hand_strengths(state) < 1
    assert np.all(policy.chance_of(CALL)[weak] == 1.0)
    check_policies([policy], [state], "it")


def test_a_raiser_that_may_not_raise_is_a_caller_by_exact_best_response():
    """In Leduc, at every decision that a raiser comes to."""
    raised = ("", "x", "b", "xb", "br", "xbr")
    places = [f"seat-{1 + len(line) % 2} round-{number} {line}".strip() for line in raised for number in (1, 2)]
    bot = f"patched({'; '.join(f'{place} = no raise' for place in places)}):always-raise"
    assert ng.measure(bot, game="leduc2").gains == ng.measure("always-call", game="leduc2").gains
    assert ng.measure("always-raise", game="leduc2").gains != ng.measure("always-call", game="leduc2").gains


def test_a_file_is_asked_as_it_answers(tmp_path):
    strategy = random_abstract_strategy(abstract_game("leduc2"), seed=1)
    strategy.save(tmp_path / "bot.safetensors")
    bot = parse_bot(f"patched(seat-2 round-1 b = call from 0.6):{tmp_path}/bot.safetensors")
    states = [LEDUC.root().act(LEDUC.root().legal.max_raise_to), LEDUC.root()]
    (here, elsewhere), (own, same) = load(bot, LEDUC).policies(states), strategy.policies(states)
    strong = hand_strengths(states[0]) >= 0.6
    np.testing.assert_allclose(here.chance_of(CALL)[strong], (own.chance_of(CALL) + own.chance_of(FOLD))[strong])
    np.testing.assert_allclose(here.chance_of(CALL)[~strong], own.chance_of(CALL)[~strong])
    np.testing.assert_array_equal(elsewhere.probabilities, same.probabilities)
    assert rules_of(bot) == LEDUC
    assert load_agent(bot, LEDUC).name == bot.text


def test_a_patched_bot_is_known_again(tmp_path):
    random_abstract_strategy(abstract_game("leduc2"), seed=1).save(tmp_path / "bot.safetensors")
    text = f"patched(seat-2 round-1 b = call from 0.6; seat-1 round-2 = no raise):{tmp_path}/bot.safetensors"
    bot = parse_bot(text)
    assert isinstance(bot, PatchedBot) and bot.text == text and bot.is_named
    assert bot_from_identity(bot.identity(), bot.inputs()) == bot
    other = parse_bot(text.replace("0.6", "0.7"))
    assert other.digest != bot.digest != bot.base.digest
    twice = parse_bot(f"patched(seat-1 round-1 = no raise):{text}")
    assert twice.base == bot and bot_from_identity(twice.identity(), twice.inputs()) == twice


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("patched(button preflop):always-call", "it must be PLACE = CHANGES"),
        ("patched(button preflop = jump):always-call", "it must be fold below S, call from S"),
        ("patched(button preflop = fold below 1.5):always-call", "a strength S from 0 to 1"),
        ("patched(button preflop = fold below 0.5)", "must be patched"),
        ("patched(sofa preflop = fold below 0.5):always-call", "it must be POSITION STREET"),
    ],
)
def test_what_is_no_patch_is_refused(text, reason):
    with pytest.raises(ConfigError, match=reason):
        parse_bot(text)


def test_patches_of_another_game_and_two_for_one_place_are_refused():
    with pytest.raises(ConfigError, match="hunl has no street 'round-1'"):
        load("patched(button round-1 = no raise):always-call", HUNL)
    with pytest.raises(ConfigError, match="two patches are for 'button preflop'"):
        load("patched(button preflop = no raise; button preflop = fold below 0.3):always-call", HUNL)


def test_who_remembers_asks_once_and_forgets_the_oldest():
    class Counting:
        name, is_sampled, asked = "counting", False, 0

        def policies(self, states):
            Counting.asked += len(states)
            return load("random", HUNL).policies(states)

    remembering = RememberingStrategy(Counting(), most_states=2)
    states = [HERE, ELSEWHERE, HERE]
    for _ in range(2):
        answers = remembering.policies(states)
        assert Counting.asked == 2
        assert answers[0] is answers[2] is not answers[1]
    remembering.policies([HUNL.root()])
    remembering.policies([ELSEWHERE])
    assert Counting.asked == 3
    remembering.policies([HERE])  # was asked first
    assert Counting.asked == 4
