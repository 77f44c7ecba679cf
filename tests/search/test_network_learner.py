"""A network that learns values and shares: the loss is descended, resumes are exact, and what is learned is right."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from nashgap.errors import ConfigError, MismatchError, MissingExtraError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.search.network_learner import NetworkLearner
from nashgap.search.options import PRESETS, NetworkLearning, Preset
from nashgap.search.perceptron import Perceptron
from nashgap.search.responder_game import Episodes, TreeResponderGame
from nashgap.strategies.table import uniform

DESK = PRESETS["desk"]
SMALL = NetworkLearning(hidden=16, layers=1, learning_rate=1e-2, l2=0.0, batch=32, least=32)


def responder_game(name: str = "kuhn", player: int = 0) -> TreeResponderGame:
    return TreeResponderGame(uniform(load_tree(name)), player)


def told(infoset: int, payoff: float, share: tuple[float, float], number: int = 64, value: float = 0.0) -> Episodes:
    """So many games of one decision each, all alike."""
    none = np.empty(0)
    return Episodes(
        payoff=np.full(number, payoff),
        decision_end=np.arange(1, number + 1),
        infoset=np.full(number, infoset),
        value=np.full(number, value, np.float32),
        share=np.tile(np.array(share, np.float32), (number, 1)),
        num_simulations=0,
        counted_slot=none.astype(np.int64),
        counted_visits=none,
        counted_total=none,
    )


def trained(learner: NetworkLearner, game: TreeResponderGame, plan: Preset, batches: range) -> None:
    for batch in batches:
        first = batch * plan.games
        learner.learn(game.play(plan.search, learner.values(), seed=3, first=first, number=plan.games))


def share_of_best(name: str, batches: int, plan: Preset) -> float:
    """What both seats' responders win without a search, over what best responses win."""
    tree = load_tree(name)
    won = 0.0
    for player in (0, 1):
        game = responder_game(name, player)
        learner = NetworkLearner(game, plan.learning, seed=player)
        trained(learner, game, plan, range(batches))
        won += expected_values(tree, game.responder(learner.values()))[player]
    return won / sum(exploitability(tree, uniform(tree)).best_values)


def test_without_torch_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"^learning by a network needs torch; .*pip install 'nashgap\[abr\]'$"):
        NetworkLearner(responder_game(), SMALL, seed=0)


@pytest.mark.parametrize("samples", [0, 31])
def test_a_decision_is_not_learned_from_more_often_than_it_may_be_drawn(samples):
    with pytest.raises(ConfigError, match=f"samples = {samples}; it must be above 0, and 30 or less"):
        replace(SMALL, samples=samples)


def test_learning_can_begin():
    with pytest.raises(ConfigError, match="least = 33; it must be 32 or less, which are kept"):
        replace(SMALL, least=33, most=32)


@pytest.mark.extras
def test_shares_come_to_those_of_the_search():
    """Equation 8 as printed would drive them to (0, 1)."""
    game = responder_game()
    learner = NetworkLearner(game, SMALL, seed=0)
    target, slots = np.array([0.8, 0.2]), game.slots[0]
    gap = [np.abs(learner.values().prior[slots] - target).max()]
    for _ in range(4):
        learner.learn(told(0, 1.0, (0.8, 0.2)))
        gap.append(np.abs(learner.values().prior[slots] - target).max())
    assert gap[1] < gap[0]
    assert gap[-1] < 0.02


@pytest.mark.extras
@pytest.mark.parametrize(("trust", "expected"), [(0.0, 1.5), (1.0, -0.5), (0.25, 1.0)])
def test_values_are_in_the_games_unit_and_mix_payoff_and_search(trust, expected):
    learner = NetworkLearner(responder_game(), replace(SMALL, trust=trust), seed=0)
    for _ in range(12):
        learner.learn(told(0, 1.5, (0.5, 0.5), value=-0.5))
    assert learner.values().value[0] == pytest.approx(expected, abs=0.05)


@pytest.mark.extras
def test_priors_are_distributions_over_the_responders_legal_actions():
    game = responder_game("leduc", 1)
    learner = NetworkLearner(game, SMALL, seed=0)
    assert not learner.values().is_known.any()
    trained(learner, game, DESK, range(2))
    values = learner.values()
    own = game.tree.infoset_player == 1
    sums = np.where(game.slots >= 0, values.prior[game.slots], 0.0).sum(axis=1)
    np.testing.assert_allclose(sums, own, atol=1e-6)
    np.testing.assert_array_equal(values.is_known, own)
    assert learner.values() is values  # nothing was learned since


@pytest.mark.extras
def test_nothing_is_learned_before_there_is_enough_and_then_as_often_as_said():
    learner = NetworkLearner(responder_game(), replace(SMALL, least=100, samples=4.0), seed=0)
    learner.learn(told(0, 1.0, (1.0, 0.0), number=99))
    assert learner.state()["num_steps"] == 0
    learner.learn(told(0, 1.0, (1.0, 0.0), number=29))
    assert learner.state()["num_steps"] == 128 * 4 // 32


@pytest.mark.extras
def test_a_decision_is_drawn_at_most_thirty_times():
    learner = NetworkLearner(responder_game(), replace(SMALL, samples=30.0, least=1), seed=0)
    learner.learn(told(0, 1.0, (1.0, 0.0), number=64))
    num_drawn = learner.state()["num_drawn"]
    assert num_drawn.max() == 30
    assert num_drawn.mean() > 28  # what is left no longer fills a batch


@pytest.mark.extras
def test_what_is_restored_goes_on_bit_for_bit():
    game, learning = responder_game("leduc"), replace(SMALL, hidden=32, layers=2, most=500)
    whole, second = NetworkLearner(game, learning, seed=7), NetworkLearner(game, learning, seed=7)
    plan = replace(DESK, games=64)
    trained(whole, game, plan, range(3))
    stored = whole.state()
    second.restore(stored)
    trained(whole, game, plan, range(3, 6))
    trained(second, game, plan, range(3, 6))
    ours, theirs = whole.state(), second.state()
    assert ours.keys() == theirs.keys()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
    assert ours["num_steps"] > stored["num_steps"] > 0


@pytest.mark.extras
def test_torch_keeps_its_own_settings_and_generator():
    import torch

    game = responder_game()
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    learner = NetworkLearner(game, SMALL, seed=0)
    trained(learner, game, DESK, range(2))
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.get_num_threads() == threads


@pytest.mark.extras
def test_another_networks_state_is_refused():
    game = responder_game()
    with pytest.raises(MismatchError, match=r"a layer of \(7, 16\) parameters; this network's has \(7, 8\)"):
        NetworkLearner(game, replace(SMALL, hidden=8), seed=0).restore(NetworkLearner(game, SMALL, seed=0).state())


@pytest.mark.extras
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "batches", "least"), [("kuhn", 10, 0.95), ("leduc", 40, 0.95), ("liars_dice", 20, 0.9)]
)
def test_a_responder_comes_close_to_a_best_response_of_uniform_play(name, batches, least):
    """Timbers et al. (2020), Table 4: 103.9% in Kuhn, 85.8% in Leduc and 97.4% in Liar's dice."""
    assert share_of_best(name, batches, DESK) > least


@pytest.mark.extras
def test_some_outputs_and_their_gradients_are_those_of_all() -> None:
    torch = pytest.importorskip("torch")
    generator = np.random.default_rng(3)
    inputs = torch.from_numpy(generator.normal(size=(9, 5)).astype(np.float32))
    columns = torch.from_numpy(generator.integers(0, 30, (9, 4)))
    found = []
    for is_some in (False, True):
        network = Perceptron([5, 8, 30], learning_rate=1e-2, l2=0.0, seed=1)
        outputs = network.some_outputs(inputs, columns) if is_some else network(inputs).gather(1, columns)
        network.descend(outputs.square().sum())
        found.append((outputs.detach().numpy(), network.state()))
    np.testing.assert_allclose(found[0][0], found[1][0], rtol=1e-5, atol=1e-6)
    for name, array in found[0][1].items():
        np.testing.assert_allclose(found[1][1][name], array, rtol=1e-4, atol=1e-5, err_msg=name)
