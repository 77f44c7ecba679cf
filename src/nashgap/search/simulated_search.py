"""Information-state Monte Carlo tree search in games that are never enumerated; `native/search/search.h` in Python.

Timbers et al. (2020), Algorithm 1, with tree parallelisation (Chaslot et al. 2008): several simulations of a game, and
several games, go down their trees before what they have come to is valued, so that networks are asked once for many. A
simulation under way counts as some lost ones, its virtual loss, so that those beside it go elsewhere.

Departures from the engine of compiled games: a tree is kept for one game; actions of equal worth are tried in an order
that is drawn for each information set, because simulations may be fewer than actions; values are over the most that can
be won in the whole game; and where nothing was learned, priors are equal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from nashgap.core.job import is_whole
from nashgap.errors import ConfigError
from nashgap.search.options import SearchOptions
from nashgap.search.simulated_values import MOST_ACTIONS, Answer, Place, SimulatedEpisodes, SimulatedValues
from nashgap.search.simulated_world import Position, SimulatedWorld

__all__ = ["Parallel", "SimulatedResponderGame"]

GAMES_AT_ONCE = 32  # however many are asked for
UNVISITED = 1e6  # score of an action that UCT has not tried, which comes before all others
TIE = 1e-9  # between actions of equal worth
GAME, SIMULATIONS = 1, 2  # what random numbers are for


@dataclass(frozen=True)
class Parallel:
    """How simulations of one game go beside each other.

    at_once:      simulations that are under way together.
    virtual_loss: as so many lost ones each of them counts until it is valued.
    """

    at_once: int = 4
    virtual_loss: float = 1.0

    def __post_init__(self) -> None:
        if not is_whole(self.at_once) or self.at_once < 1:
            raise ConfigError(f"at_once = {self.at_once}; it must be a whole number, 1 or more")
        if not 0 <= self.virtual_loss < math.inf:
            raise ConfigError(f"virtual_loss = {self.virtual_loss}; it must be a number, 0 or more")


class SimulatedResponderGame:
    """The responder of one seat in a game that is never enumerated."""

    def __init__(self, world: SimulatedWorld, parallel: Parallel | None = None) -> None:
        self.world, self.parallel = world, parallel or Parallel()

    @property
    def scale(self) -> float:
        """The most that can be won or lost."""
        return self.world.game.scale

    def play(
        self, options: SearchOptions, values: SimulatedValues, *, seed: int, first: int, number: int
    ) -> SimulatedEpisodes:
        """Games `first`, `first + 1`, ...: each a function of its number, the seed, the options and the values."""
        search = _Search(self.world, self.parallel, options, values)
        episodes: list[_Episode] = []
        with threadpool_limits(limits=1):  # layers of a few rows gain nothing by more
            for begin in range(first, first + number, GAMES_AT_ONCE):
                episodes += search.play(seed, range(begin, min(begin + GAMES_AT_ONCE, first + number)))
        return _told(episodes, search.num_simulations)

    def evaluate(
        self, options: SearchOptions, values: SimulatedValues, *, seed: int, first: int, number: int
    ) -> np.ndarray:
        """`[number]` what the responder, as it is, wins in so many games."""
        return self.play(options, values, seed=seed, first=first, number=number).payoff


class _Node:
    """An information set in the tree; it is waiting until it is known what was learned of it."""

    __slots__ = ("actions", "is_waiting", "prior", "tie", "total", "visits")

    def __init__(self, actions: list[int], random: Random) -> None:
        self.actions = actions
        self.visits = np.zeros(len(actions))
        self.total = np.zeros(len(actions))
        self.tie = np.array([TIE * random.random() for _ in actions])
        self.is_waiting = True

    def learn(self, answer: Answer) -> None:
        self.prior = answer.prior
        self.is_waiting = False

    @property
    def most_visited(self) -> int:
        """Of several the one that was worth more."""
        return int(np.lexsort((self.total, self.visits))[-1])


@dataclass(eq=False)
class _Episode:
    """A real game, the tree of its searches, and what is told of its decisions.

    told: places, what the search said of each, and how its visits were shared out.
    """

    number: int
    random: Random
    position: Position
    payoff: float = 0.0
    num_decisions: int = 0
    tree: dict[int, _Node] = field(default_factory=dict)
    told: list[tuple[Place, float, np.ndarray]] = field(default_factory=list)


@dataclass(eq=False)
class _Simulation:
    """A history that is thought of, and the actions that have led to it."""

    episode: _Episode
    random: Random
    state: Any
    path: list[tuple[_Node, int]] = field(default_factory=list)
    won: float = 0.0


class _Search:
    """Games of one responder with the same options and values."""

    def __init__(
        self, world: SimulatedWorld, parallel: Parallel, options: SearchOptions, values: SimulatedValues
    ) -> None:
        self.world, self.parallel, self.options, self.values = world, parallel, options, values
        self.scale = world.game.scale
        self.num_simulations = 0

    def play(self, seed: int, numbers: Sequence[int]) -> list[_Episode]:
        """All these games, side by side."""
        randoms = [Random(f"{seed} {GAME} {number}") for number in numbers]
        episodes = [
            _Episode(number, random, position)
            for number, random, position in zip(numbers, randoms, self.world.begin(randoms), strict=True)
        ]
        while going := [episode for episode in episodes if not episode.position.is_end]:
            actions = self._decide(seed, going)
            positions = self.world.act(
                [episode.position for episode in going], actions, [episode.random for episode in going]
            )
            for episode, position in zip(going, positions, strict=True):
                episode.position = position
        for episode in episodes:
            episode.payoff = self._payoff(episode.position.state)
            episode.tree.clear()
        return episodes

    def _decide(self, seed: int, episodes: list[_Episode]) -> list[int]:
        places = [self._place(episode.position.state) for episode in episodes]
        randoms = [
            Random(f"{seed} {SIMULATIONS} {episode.number} {episode.num_decisions}") for episode in episodes
        ]  # fmt: skip
        roots = [
            episode.tree.setdefault(place.key, _Node(place.actions, random))
            for episode, place, random in zip(episodes, places, randoms, strict=True)
        ]
        for root, answer in zip(roots, self.values.answers(places), strict=True):
            root.learn(answer)
        for begin in range(0, self.options.simulations, self.parallel.at_once):
            at_once = min(self.parallel.at_once, self.options.simulations - begin)
            self._simulate(
                [
                    _Simulation(episode, random, self.world.draw(episode.position, random))
                    for episode, random in zip(episodes, randoms, strict=True)
                    for _ in range(at_once)
                ]
            )
        return [self._choose(*each) for each in zip(episodes, places, roots, strict=True)]

    def _choose(self, episode: _Episode, place: Place, root: _Node) -> int:
        episode.num_decisions += 1
        if not self.options.simulations:
            return root.actions[int((root.prior + root.tie).argmax())]
        best = root.most_visited
        share = root.visits / root.visits.sum()
        episode.told.append((place, float(root.total[best] / root.visits[best]), share))
        if episode.num_decisions > self.options.exploring:
            return root.actions[best]
        return episode.random.choices(root.actions, root.visits.tolist())[0]

    def _simulate(self, simulations: list[_Simulation]) -> None:
        """Down the trees, a place each that is new, its value, and up again."""
        leaves: list[tuple[_Simulation, Place]] = []
        going = simulations
        while going:
            moved = []
            for simulation in going:
                if simulation.state.is_terminal():
                    simulation.won = self._payoff(simulation.state)
                elif leaf := self._step(simulation):
                    leaves.append((simulation, leaf))
                else:
                    moved.append(simulation)
            self._advance(moved)
            going = moved
        self._value(leaves)
        for simulation in simulations:
            self._count(simulation)
        self.num_simulations += len(simulations)

    def _step(self, simulation: _Simulation) -> Place | None:
        """Act as the tree says; where the place was not in it, say which it is. It is from now on."""
        state, tree = simulation.state, simulation.episode.tree
        key = self.world.game.key(state, self.world.player)
        node = tree.get(key)
        if node is None or node.is_waiting:
            place = self._place(state, key)
            if node is None:
                tree[key] = _Node(place.actions, simulation.random)
            return place
        action = self._select(node)
        node.visits[action] += self.parallel.virtual_loss
        node.total[action] -= self.parallel.virtual_loss * self.scale
        simulation.path.append((node, action))
        state.apply_action(node.actions[action])
        return None

    def _select(self, node: _Node) -> int:
        visits = node.visits
        visited = float(visits.sum())
        count = np.maximum(visits, 1.0)
        score = node.total / (count * self.scale) + node.tie
        if self.options.rule == "puct":
            score += self.options.exploration * math.sqrt(visited) * node.prior / (1.0 + visits)
        else:
            score += self.options.exploration * np.sqrt(math.log(max(visited, 1.0)) / count)
            score[visits == 0.0] += UNVISITED
        return int(score.argmax())

    def _value(self, leaves: list[tuple[_Simulation, Place]]) -> None:
        """By what was learned; where that is nothing, by one game at random."""
        unknown = []
        answers = self.values.answers([place for _, place in leaves]) if leaves else []
        for (simulation, place), answer in zip(leaves, answers, strict=True):
            node = simulation.episode.tree[place.key]
            if node.is_waiting:
                node.learn(answer)
            if answer.value is None:
                unknown.append(simulation)
            else:
                simulation.won = answer.value
        self._play_at_random(unknown)

    def _play_at_random(self, simulations: list[_Simulation]) -> None:
        going = simulations
        while going := [simulation for simulation in going if not simulation.state.is_terminal()]:
            for simulation in going:
                legal = simulation.state.legal_actions()
                simulation.state.apply_action(legal[int(simulation.random.random() * len(legal))])
            self._advance(going)
        for simulation in simulations:
            simulation.won = self._payoff(simulation.state)

    def _count(self, simulation: _Simulation) -> None:
        loss = self.parallel.virtual_loss
        for node, action in simulation.path:
            node.visits[action] += 1.0 - loss
            node.total[action] += simulation.won + loss * self.scale

    def _advance(self, simulations: list[_Simulation]) -> None:
        self.world.advance(
            [simulation.state for simulation in simulations], [simulation.random for simulation in simulations]
        )

    def _place(self, state: Any, key: int | None = None) -> Place:
        game, player = self.world.game, self.world.player
        features = game.features(state, player) if self.values.has_features else None
        return Place(game.key(state, player) if key is None else key, state.legal_actions(), features)

    def _payoff(self, state: Any) -> float:
        return float(state.player_return(self.world.player))


def _told(episodes: list[_Episode], num_simulations: int) -> SimulatedEpisodes:
    decisions = [decision for episode in episodes for decision in episode.told]
    width = min(MOST_ACTIONS, max((len(place.actions) for place, _, _ in decisions), default=1))
    actions = np.full((len(decisions), width), -1, np.int32)
    shares = np.zeros((len(decisions), width), np.float32)
    for row, (place, _, share) in enumerate(decisions):
        told = np.arange(len(share)) if len(share) <= width else np.sort(np.argsort(share)[-width:])
        actions[row, : len(told)] = np.array(place.actions)[told]
        shares[row, : len(told)] = share[told]
    return SimulatedEpisodes(
        payoff=np.array([episode.payoff for episode in episodes]),
        decision_end=np.cumsum([len(episode.told) for episode in episodes]),
        key=np.array([place.key for place, _, _ in decisions], np.int64),
        features=np.array([[] if place.features is None else place.features for place, _, _ in decisions], np.float32),
        value=np.array([value for _, value, _ in decisions], np.float32),
        actions=actions,
        share=shares,
        num_simulations=num_simulations,
    )
