"""Table 2 and Figure 3 of Timbers et al. (2020): CFR+, A2C in self-play, and win rates."""

import numpy as np
import pytest

from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError, MissingExtraError
from nashgap.jobs.perform import perform
from nashgap.jobs.reproduction import Request
from nashgap.measures.best_response import expected_values
from nashgap.papers.timbers_2020 import figure_3, games_figure, head_to_head, opponents, responders, self_play, table_2
from nashgap.papers.timbers_2020.games_figure import BOARD_GAMES, check_games, win_rate
from nashgap.papers.timbers_2020.head_to_head import sample_payoffs
from nashgap.papers.timbers_2020.opponents import compiled, table_of
from nashgap.papers.timbers_2020.published import KUHN, LEDUC, LIARS_DICE, TABLE_2
from nashgap.papers.timbers_2020.responders import Effort
from nashgap.papers.timbers_2020.self_play import ActorCritic, SelfPlay, SelfPlayJob
from nashgap.reports.report import Table
from nashgap.runs import list_runs
from nashgap.strategies.load import load
from nashgap.strategies.spec import parse_bot
from nashgap.strategies.table import uniform

pyspiel = pytest.importorskip("pyspiel")


def percent(mean, ci95=1.0):
    return Estimate(mean, ci95, 1000, "%", "abr", 0)


def refuse_torch(needed_by):
    raise MissingExtraError(f"{needed_by} needs torch")


def random_networks(game, seed=0):
    """As OpenSpiel's agents have them, with small weights of chance: no action is sure."""
    loaded, generator = pyspiel.load_game(game), np.random.default_rng(seed)
    sizes = (loaded.information_state_tensor_size(), 128, loaded.num_distinct_actions())
    shapes = {"0.weight": (128, sizes[0]), "0.bias": (128,), "1.weight": (sizes[2], 128), "1.bias": (sizes[2],)}
    return tuple(
        {name: generator.normal(scale=0.1, size=shape).astype(np.float32) for name, shape in shapes.items()}
        for _ in range(2)
    )


def tables_of(report):
    return {each.title: each for each in report.sections if isinstance(each, Table)}


# Head to head


def test_sampled_games_pay_what_is_expected():
    tree = compiled(KUHN)
    strategy = table_of(ActorCritic(opponents.GAMES[KUHN], random_networks("kuhn_poker"), 0), tree)
    won = sample_payoffs(tree, strategy, 4_000, np.random.default_rng(5))
    stderr = won[:, 0].std(ddof=1) / len(won) ** 0.5
    assert won[:, 0].mean() == pytest.approx(expected_values(tree, strategy)[0], abs=3 * stderr)
    assert (won.sum(axis=1) == 0).all() and set(np.abs(won[:, 0])) == {1.0, 2.0}


def test_printed_cells_mirror_each_other():
    for cells in TABLE_2.values():
        assert cells["cfr+", "a2c"] == -cells["a2c", "cfr+"]


@pytest.fixture
def small_games(monkeypatch):
    """Kuhn in the place of both games."""
    monkeypatch.setattr(head_to_head, "compiled", lambda game: compiled(KUHN))


def test_without_torch_cfr_plus_meets_uniform_play(small_games, monkeypatch, tmp_path):
    monkeypatch.setattr(responders, "import_torch", refuse_torch)
    report = table_2(Request(is_quick=True, runs_root=tmp_path))
    tables = tables_of(report)
    assert [row[:2] for row in tables["Leduc"].rows] == [
        (first, second) for first in ("cfr+", "uniform") for second in ("cfr+", "uniform")
    ]
    assert "A2C, here uniform play," in tables["What the paper says"].rows[2][0]
    assert report.sections[-1].paragraphs[-1].startswith("Left out: a responder with a network needs torch")


def test_cfr_plus_wins_30_percent_of_what_uniform_play_could_lose_in_leduc(monkeypatch, tmp_path):
    """As is printed of A2C: 30%, and 0.72 a game."""
    monkeypatch.setattr(responders, "import_torch", refuse_torch)
    found = head_to_head._meet(LEDUC, Request(is_quick=True, runs_root=tmp_path))
    assert found.share("uniform") == pytest.approx(0.298, abs=0.001)
    assert found.played["cfr+", "uniform"].mean == pytest.approx(0.707, abs=0.001)
    assert found.gaps["cfr+"].exploitability < 1e-3


# A2C


def test_a_policy_is_a_table_of_the_compiled_game():
    tree = compiled(KUHN)
    policy = ActorCritic("kuhn_poker", random_networks("kuhn_poker"), 0)
    table = table_of(policy, tree)
    state = pyspiel.load_game("kuhn_poker").new_initial_state()
    for card in (2, 0):
        state.apply_action(card)
    asked = policy.many_action_probabilities([state])[0]
    told = table.chances(0, state.information_state_string(0))
    assert list(asked) == state.legal_actions() and list(told.values()) == pytest.approx(list(asked.values()))
    assert policy.digest != ActorCritic("kuhn_poker", random_networks("kuhn_poker", seed=1), 0).digest


def test_actions_that_are_not_legal_are_left_out():
    policy = ActorCritic("leduc_poker", random_networks("leduc_poker"), 0)
    state = pyspiel.load_game("leduc_poker").new_initial_state()
    for card in (0, 3):
        state.apply_action(card)
    (chances,) = policy.many_action_probabilities([state])
    assert list(chances) == [1, 2] and sum(chances.values()) == pytest.approx(1.0)  # nothing to fold to


def test_self_play_needs_a_number_of_games_or_minutes():
    with pytest.raises(ConfigError, match="episodes or minutes"):
        SelfPlayJob(game="kuhn_poker")
    assert SelfPlayJob(game="hex(board_size=5)", episodes=300).name == "self-play-hex-board-size-5"
    assert SelfPlayJob(game="kuhn_poker", episodes=300).limits.iterations == 2


@pytest.mark.extras
def test_a_policy_is_what_openspiels_agent_does():
    training = SelfPlay("leduc_poker", seed=3)
    policy = training.policy()
    environment, agent = training._environment, training._agents[0]
    environment.seed(1)
    step = environment.reset()
    legal = step.observations["legal_actions"][0]
    probabilities = agent.step(step, is_evaluation=True).probs
    asked = policy.many_action_probabilities([environment.get_state])[0]
    assert [asked[action] for action in legal] == pytest.approx(probabilities[legal].tolist(), abs=1e-6)


@pytest.mark.extras
def test_self_play_goes_on_exactly_where_it_was_saved(monkeypatch):
    monkeypatch.setattr(self_play, "CHUNK_GAMES", 40)
    whole, first, second = (SelfPlay("kuhn_poker", seed=7) for _ in range(3))
    state_before = np.random.get_state()[1].tolist()
    whole.run(3)
    first.run(1)
    second.restore(first.state())
    second.run(2)
    assert whole.policy().digest == second.policy().digest != first.policy().digest
    assert np.random.get_state()[1].tolist() == state_before  # nobody else's draws are touched


@pytest.mark.extras
def test_self_play_is_a_run_and_its_table_a_strategy_file(monkeypatch, tmp_path):
    monkeypatch.setattr(opponents, "QUICK_EPISODES", 250)
    request = Request(is_quick=True, runs_root=tmp_path)
    tree = compiled(KUHN)
    policy = opponents.trained_a2c("kuhn_poker", request)
    assert policy.episodes == 250
    assert opponents.trained_a2c("kuhn_poker", request).digest == policy.digest
    file = opponents.a2c_file(KUHN, tree, policy, request)
    saved = load(parse_bot(str(file)), tree)
    assert saved.probabilities == pytest.approx(table_of(policy, tree).probabilities)
    assert [run.status for run in list_runs(tmp_path)] == ["finished"]
    in_memory = perform(SelfPlayJob(game="kuhn_poker", episodes=250))
    assert in_memory.digest == policy.digest


# Figure 3


def test_a_win_rate_counts_both_seats_and_draws_half():
    assert win_rate(Estimate(2.0, 0.0, 10, "utility_per_game", "abr", 0)).mean == 100.0
    rate = win_rate(Estimate(0.0, 0.2, 10, "utility_per_game", "abr", 0))
    assert (rate.mean, rate.ci95, rate.unit) == (50.0, 5.0, "%")


def test_statements_on_games_follow_the_intervals():
    shares = {LEDUC: percent(96.0), LIARS_DICE: percent(99.0)}
    rates = {"Hex": percent(60.0), "Go": percent(55.0), "Backgammon": percent(80.0), "Chess": percent(75.0)}
    assert [each.is_true for each in check_games(shares, rates)] == [True] * 5
    rates |= {"Go": percent(50.5), "Hex": percent(99.0), "Chess": percent(60.0)}
    assert [each.is_true for each in check_games(shares, rates)] == [None, False, False, True, True]


def test_without_torch_there_is_no_a2c_to_respond_to(monkeypatch, tmp_path):
    monkeypatch.setattr(responders, "import_torch", refuse_torch)
    with pytest.raises(MissingExtraError, match="A2C is a network"):
        figure_3(Request(is_quick=True, runs_root=tmp_path))


def test_figure_3_asks_for_all_games(monkeypatch, tmp_path):
    """With policies of chance in the place of A2C, and what the boards pay made up."""

    def trained(game, request, *, episodes=None):
        return ActorCritic(game, random_networks("kuhn_poker") if game == "kuhn_poker" else (), 0)

    def measured(policy, *, game, **options):
        assert options["by"] == "abr" and game == f"openspiel:{policy.game}"
        return type("Bound", (), {"estimate": Estimate(1.0, 0.1, 20, "utility_per_game", "abr", 0)})

    def saved(game, tree, policy, request):
        table_of(policy, tree).save(tmp_path / "a2c.safetensors")
        return tmp_path / "a2c.safetensors"

    monkeypatch.setattr(games_figure, "networks_missing", lambda: "")
    monkeypatch.setattr(games_figure, "GAMES", {KUHN: "kuhn_poker"})
    monkeypatch.setattr(games_figure, "trained_a2c", trained)
    monkeypatch.setattr(games_figure, "a2c_file", saved)
    monkeypatch.setattr(games_figure, "measure", measured)
    monkeypatch.setattr(responders, "QUICK_EFFORTS", {"tree": Effort(2_000, 200)})
    report = figure_3(Request(is_quick=True, runs_root=tmp_path / "runs"))
    assert report.summary.endswith("Win rates: Hex 75%, Go 75%, Backgammon 75%, Chess 75%.")
    assert [row[0] for row in tables_of(report)["Hidden information"].rows] == [KUHN]
    assert len(BOARD_GAMES) == 4


def test_uniform_play_is_the_same_in_both_packages():
    assert expected_values(compiled(KUHN), uniform(compiled(KUHN)))[0] == pytest.approx(0.125)
