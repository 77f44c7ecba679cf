"""Information-state Monte Carlo tree search in games that are never enumerated; `native/search/search.h` in Python.

Timbers et al. (2020), Algorithm 1, with tree parallelisation (Chaslot et al. 2008): several simulations of a game, and
several games, go down their trees before what they have come to is valued, so that networks are asked once for many. A
simulation under way counts as some lost ones, its virtual loss, so that those beside it go elsewhere.

Departures from the engine of compiled games: a tree is kept for one game; actions of equal worth are tried in an order
that is drawn for each information set, because simulations may be fewer than actions; values are over the most that can
be won in the whole game; where nothing was learned, priors are equal; by PUCT an action that was never tried is worth
what was learned of its information set; and, where the options say so, wins that are farther away are worth less, and
actions are learned by what they won instead of by their visits.
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
from nashgap.search.simulated_tree import Node, Rule
from nashgap.search.simulated_values import MOST_ACTIONS, Place, SimulatedEpisodes, SimulatedValues
from nashgap.search.simulated_world import Position, SimulatedWorld

__all__ = ["Parallel", "SimulatedResponderGame"]

GAMES_AT_ONCE = 32  # however many are asked for
TIE = 1e-9  # at most between actions of equal worth
NUM_TIES = 1 << 14  # orders in which such actions are tried
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
        return _told(episodes, search.num_simulations, options.discount)

    def evaluate(
        self, options: SearchOptions, values: SimulatedValues, *, seed: int, first: int, number: int
    ) -> np.ndarray:
        """`[number]` what the responder, as it is, wins in so many games."""
        return self.play(options, values, seed=seed, first=first, number=number).payoff


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
    tree: dict[int, Node] = field(default_factory=dict)
    told: list[tuple[Place, float, np.ndarray]] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class _Simulation:
    """A history that is thought of, and the actions that have led to it."""

    tree: dict[int, Node]
    random: Random
    state: Any
    path: list[tuple[Node, int]] = field(default_factory=list)
    won: float = 0.0


class _Search:
    """Games of one responder with the same options and values."""

    def __init__(
        self, world: SimulatedWorld, parallel: Parallel, options: SearchOptions, values: SimulatedValues
    ) -> None:
        self.world, self.parallel, self.options, self.values = world, parallel, options, values
        self.rule = Rule(options.rule == "puct", options.exploration, world.game.scale)
        self.loss = parallel.virtual_loss * world.game.scale
        self.ties = np.random.default_rng(0).random(NUM_TIES + world.game.num_actions) * TIE
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
        roots = []
        for episode, place, random, answer in zip(episodes, places, randoms, self.values.answers(places), strict=True):
            root = episode.tree.get(place.key) or self._add(episode.tree, place, random)
            root.learn(answer.prior, answer.value)
            roots.append(root)
        each = list(zip(episodes, roots, randoms, strict=True))
        for begin in range(0, self.options.simulations, self.parallel.at_once):
            at_once = min(self.parallel.at_once, self.options.simulations - begin)
            simulations = []
            for episode, root, random in each:
                for _ in range(at_once):
                    simulation = _Simulation(episode.tree, random, self.world.draw(episode.position, random))
                    self._act(simulation, root)  # whichever history was drawn, this is where it is
                    simulations.append(simulation)
            self._simulate(simulations)
        return [self._choose(*each) for each in zip(episodes, places, roots, strict=True)]

    def _choose(self, episode: _Episode, place: Place, root: Node) -> int:
        episode.num_decisions += 1
        if not self.options.simulations:
            return root.actions[int((root.prior + root.tie).argmax())]
        best = root.most_visited
        share = root.greedy_share(self.options.greed, self.rule) if self.options.greed else root.visited_share
        episode.told.append((place, root.total[best] / root.visits[best], share))
        if episode.num_decisions > self.options.exploring:
            return root.actions[best]
        return episode.random.choices(root.actions, root.visits)[0]

    def _simulate(self, simulations: list[_Simulation]) -> None:
        """From the first action on down the trees, a place each that is new, its value, and up again."""
        leaves: list[tuple[_Simulation, Node, Place]] = []
        going = simulations
        while going:
            self._advance(going)
            moved = []
            for simulation in going:
                if simulation.state.is_terminal():
                    simulation.won = self._payoff(simulation.state)
                elif leaf := self._step(simulation):
                    leaves.append(leaf)
                else:
                    moved.append(simulation)
            going = moved
        self._value(leaves)
        for simulation in simulations:
            self._count(simulation)
        self.num_simulations += len(simulations)

    def _step(self, simulation: _Simulation) -> tuple[_Simulation, Node, Place] | None:
        """Act as the tree says; where the place was not in it, say which it is. It is from now on."""
        state, game = simulation.state, self.world.game
        actions = state.legal_actions() if game.is_perfect_information else None
        key = game.key(state, self.world.player, actions)
        node = simulation.tree.get(key)
        if node is None or node.is_waiting:
            place = self._place(state, key, actions)
            return simulation, node or self._add(simulation.tree, place, simulation.random), place
        self._act(simulation, node)
        return None

    def _act(self, simulation: _Simulation, node: Node) -> None:
        """The action that the rule chooses; until it is known what came of it, it counts as lost."""
        action = self.rule.choose(node)
        node.count(action, self.parallel.virtual_loss, -self.loss, self.rule)
        simulation.path.append((node, action))
        simulation.state.apply_action(node.actions[action])

    def _add(self, tree: dict[int, Node], place: Place, random: Random) -> Node:
        first = int(random.random() * NUM_TIES)
        node = tree[place.key] = Node(place.actions, self.ties[first : first + len(place.actions)])
        return node

    def _value(self, leaves: list[tuple[_Simulation, Node, Place]]) -> None:
        """By what was learned; where that is nothing, by one game at random."""
        unknown = []
        answers = self.values.answers([place for _, _, place in leaves]) if leaves else []
        for (simulation, node, _), answer in zip(leaves, answers, strict=True):
            if node.is_waiting:
                node.learn(answer.prior, answer.value)
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
        visits, won = 1.0 - self.parallel.virtual_loss, simulation.won
        for node, action in reversed(simulation.path):
            won *= self.options.discount
            node.count(action, visits, won + self.loss, self.rule)

    def _advance(self, simulations: list[_Simulation]) -> None:
        self.world.advance(
            [simulation.state for simulation in simulations], [simulation.random for simulation in simulations]
        )

    def _place(self, state: Any, key: int | None = None, actions: list[int] | None = None) -> Place:
        game, player = self.world.game, self.world.player
        if actions is None:
            actions = state.legal_actions()
        features = game.features(state, player) if self.values.has_features else None
        return Place(game.key(state, player, actions) if key is None else key, actions, features)

    def _payoff(self, state: Any) -> float:
        return float(state.player_return(self.world.player))


def _told(episodes: list[_Episode], num_simulations: int, discount: float) -> SimulatedEpisodes:
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
        discount=discount,
    )
