"""The opponent of Table 2 and Figure 3: OpenSpiel's A2C with its default hyper-parameters, trained in self-play.

The paper trains it for a week and does not say for how many games; here it is a number of games. It plays one game at a
time, so that minutes are some ten thousand games. An iteration is a few hundred games with random numbers of their own.
Decisions that an iteration leaves over, too few to be learned from, are dropped, so that a run goes on exactly.

Lanctot et al., OpenSpiel: a framework for reinforcement learning in games (2019); `policy_gradient.py`, with torch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from nashgap.core.job import CheckpointJob, budget, require_seed
from nashgap.errors import ConfigError, MissingExtraError
from nashgap.jobs.iterating import Budget, IterativeWork
from nashgap.search.perceptron import import_torch, one_thread

__all__ = ["CHUNK_GAMES", "ActorCritic", "SelfPlay", "SelfPlayJob", "SelfPlayWork"]

PLAYERS = (0, 1)
CHUNK_GAMES = 250


@dataclass(frozen=True, kw_only=True)
class SelfPlayJob(CheckpointJob):
    """A2C against itself.

    game:     as OpenSpiel names it, `hex(board_size=5)`.
    episodes: games, rounded up to whole iterations.
    """

    kind: ClassVar[str] = "self-play"

    game: str
    seed: int = 0
    episodes: int | None = budget(None)
    minutes: float | None = budget(None)

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if self.limits.is_open:
            raise ConfigError("how long is A2C to be trained? episodes or minutes are needed")

    @property
    def limits(self) -> Budget:
        return Budget(None if self.episodes is None else -(-self.episodes // CHUNK_GAMES), self.minutes)

    @property
    def name(self) -> str:
        word = "".join(letter if letter.isalnum() else "-" for letter in self.game).strip("-")
        return f"{self.kind}-{word}"

    @property
    def size_text(self) -> str:
        return f"{self.game}: A2C is trained against itself"

    def is_passed_by(self, done: float) -> bool:
        return self.limits.is_passed_by(done / CHUNK_GAMES)

    def begin(self) -> SelfPlayWork:
        return SelfPlayWork(self)


class SelfPlayWork(IterativeWork):
    """Games in steps; nothing is measured on the way."""

    job: SelfPlayJob
    step_seconds = 1.0

    def __init__(self, job: SelfPlayJob) -> None:
        super().__init__(job, job.limits)

    @cached_property
    def solver(self) -> SelfPlay:
        return SelfPlay(self.job.game, self.job.seed)

    @property
    def fingerprint(self) -> str:
        return self.job.game

    def is_due(self) -> bool:
        return False

    def measure(self) -> dict[str, float]:
        return {"episodes": float(self.solver.iteration * CHUNK_GAMES), "seconds": self.seconds}

    def result(self, points: Sequence[Mapping[str, float]]) -> ActorCritic:
        return self.solver.policy()


class SelfPlay:
    """Two agents of OpenSpiel's, one for each seat, that learn from each other's games."""

    def __init__(self, game: str, seed: int) -> None:
        self._torch = import_torch("A2C")
        environments, gradients = _import_openspiel()
        self._game, self._seed = game, seed
        self._environment = environments.Environment(game)
        size = self._environment.observation_spec()["info_state"][0]
        num_actions = self._environment.action_spec()["num_actions"]
        with one_thread(self._torch), self._torch.random.fork_rng(devices=[]):
            self._torch.manual_seed(seed)
            self._agents = [gradients.PolicyGradient(player, size, num_actions, loss_str="a2c") for player in PLAYERS]
        self._iteration = 0

    @property
    def iteration(self) -> int:
        return self._iteration

    def run(self, num_iterations: int) -> None:
        for _ in range(num_iterations):
            chance, actions = np.random.SeedSequence([self._seed, self._iteration]).generate_state(2).tolist()
            self._environment.seed(chance)
            with one_thread(self._torch), _global_draws(actions):
                for _ in range(CHUNK_GAMES):
                    self._play()
            for agent in self._agents:
                agent._dataset.clear()  # what is left is too little to learn from
            self._iteration += 1

    def _play(self) -> None:
        step = self._environment.reset()
        while not step.last():
            step = self._environment.step([self._agents[step.current_player()].step(step).action])
        for agent in self._agents:
            agent.step(step)

    def policy(self) -> ActorCritic:
        """What both seats do by now."""
        networks = [
            {name: array.numpy().copy() for name, array in agent.policy_logits_network.state_dict().items()}
            for agent in self._agents
        ]
        return ActorCritic(self._game, tuple(networks), self._iteration * CHUNK_GAMES)

    def state(self) -> dict[str, np.ndarray]:
        """The agents' own `save` keeps nothing: their list of networks is empty."""
        state = {"iteration": np.array([self._iteration])}
        for agent, player in zip(self._agents, PLAYERS, strict=True):
            state[f"num_learned_{player + 1}"] = np.array([agent._num_learn_steps])
            for part, network in self._networks(agent).items():
                for name, array in network.state_dict().items():
                    state[f"{part}.{name}_{player + 1}"] = array.numpy().copy()
        return state

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self._iteration = int(state["iteration"][0])
        for agent, player in zip(self._agents, PLAYERS, strict=True):
            agent._num_learn_steps = int(state[f"num_learned_{player + 1}"][0])
            for part, network in self._networks(agent).items():
                network.load_state_dict(
                    {
                        name: self._torch.from_numpy(np.array(state[f"{part}.{name}_{player + 1}"]))
                        for name in network.state_dict()
                    }
                )

    @staticmethod
    def _networks(agent: Any) -> dict[str, Any]:
        """Both begin with the same layers."""
        return {"policy": agent.policy_logits_network, "critic": agent._critic_network}


@contextmanager
def _global_draws(seed: int) -> Iterator[None]:
    """OpenSpiel's agents draw from numpy's global generator: it is seeded here, and put back afterwards."""
    before = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(before)


def _import_openspiel() -> tuple[Any, Any]:
    try:
        from open_spiel.python import rl_environment
        from open_spiel.python.pytorch import policy_gradient
    except ImportError:
        raise MissingExtraError("A2C needs OpenSpiel; install it with: pip install 'nashgap[openspiel]'") from None
    return rl_environment, policy_gradient


@dataclass(frozen=True, eq=False)
class ActorCritic:
    """What A2C does, in any state of its game: one hidden layer, and probabilities over the legal actions.

    game:     as OpenSpiel names it.
    networks: of each seat, its parameters by OpenSpiel's names.
    episodes: games of training.
    """

    game: str
    networks: tuple[Mapping[str, np.ndarray], ...]
    episodes: int

    @property
    def name(self) -> str:
        return f"a2c-{self.episodes}"

    @cached_property
    def digest(self) -> str:
        """16 hex digits that differ where a parameter does."""
        content = hashlib.sha256(self.game.encode())
        for network in self.networks:
            for array in network.values():
                content.update(np.ascontiguousarray(array).data)
        return content.hexdigest()[:16]

    def many_action_probabilities(self, states: Sequence[Any]) -> list[dict[int, float]]:
        """For each `pyspiel.State` in which somebody acts, by OpenSpiel's numbers of the actions."""
        found: list[dict[int, float]] = [{} for _ in states]
        for player in PLAYERS:
            places = [place for place, state in enumerate(states) if state.current_player() == player]
            if not places:
                continue
            rows = self._probabilities(player, np.array([_features(states[place], player) for place in places]))
            for place, row in zip(places, rows, strict=True):
                legal = states[place].legal_actions()
                found[place] = dict(zip(legal, (row[legal] / row[legal].sum()).tolist(), strict=True))
        return found

    def _probabilities(self, player: int, features: np.ndarray) -> np.ndarray:
        """`[N, A]` over all actions, legal or not, as the network has them."""
        weights = [array.astype(np.float64) for array in self.networks[player].values()]
        hidden = np.maximum(features @ weights[0].T + weights[1], 0.0)
        logits = hidden @ weights[2].T + weights[3]
        chances: np.ndarray = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return chances


def _features(state: Any, player: int) -> Any:
    """As OpenSpiel's environment tells them: of the information state, or else of the observation."""
    if state.get_game().get_type().provides_information_state_tensor:
        return state.information_state_tensor(player)
    return state.observation_tensor(player)
