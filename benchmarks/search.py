"""Simulations of information-state MCTS a second, against OpenSpiel's C++; and two actors against two separate runs."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

import numpy as np
from comparison import NUM_TURNS, Row, rates_in_turn
from peers import OPENSPIEL, is_installed

from nashgap.games.compiled import load_tree
from nashgap.search.actors import ActorProcesses, HereActor
from nashgap.search.options import PRESETS, SearchOptions
from nashgap.search.responder_game import ResponderGame, TreeResponderGame, Values
from nashgap.search.training import ResponderTraining
from nashgap.strategies.table import uniform

__all__ = ["rows"]

GAMES = (("kuhn", "kuhn_poker", None), ("leduc", "leduc_poker", 5.0))  # theirs cannot sample others
SIMULATIONS = 1000
ACTOR_SECONDS = 4.0


def rows() -> Iterator[Row]:
    for game, theirs, aim in GAMES:
        work = f"IS-MCTS {game}"
        if is_installed(OPENSPIEL):
            yield _simulations(work, game, theirs, aim)
        else:
            yield Row(work, OPENSPIEL, None, None, aim, note=f"{OPENSPIEL} is not installed")
    yield _actors()


def _simulations(work: str, game: str, theirs: str, aim: float | None) -> Row:
    """At the first decision of dealt games, with random games where nothing is known; theirs plays both sides so."""
    import pyspiel

    tree = load_tree(game)
    responder = TreeResponderGame(uniform(tree), 0)
    values = Values(
        np.zeros(tree.num_infosets, np.float32),
        np.zeros(tree.num_slots, np.float32),
        np.zeros(tree.num_infosets, np.uint8),
    )
    options = SearchOptions(simulations=SIMULATIONS)
    counted = [0]

    def ours(count: int) -> None:
        done = 0
        while done < count:
            played = responder.play(options, values, seed=1, first=counted[0], number=10)
            counted[0] += 10
            done += played.num_simulations // SIMULATIONS

    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), options.exploration, SIMULATIONS)
    loaded = pyspiel.load_game(theirs)

    def peer(count: int) -> None:
        for number in range(count):
            state = loaded.new_initial_state()
            while state.is_chance_node():
                outcomes = [outcome for outcome, _ in state.chance_outcomes()]
                state.apply_action(outcomes[number % len(outcomes)])
            bot.step(state)

    our_rate, peer_rate = rates_in_turn(ours, peer)
    note = f"simulations, {SIMULATIONS:,} before a decision; theirs searches for both players"
    return Row(work, OPENSPIEL, peer_rate * SIMULATIONS, our_rate * SIMULATIONS, aim, note=note)


@dataclass(frozen=True)
class _Source:
    games: tuple[ResponderGame, ResponderGame]


def _leduc() -> _Source:
    table = uniform(load_tree("leduc"))
    return _Source((TreeResponderGame(table, 0), TreeResponderGame(table, 1)))


def _rate(training: ResponderTraining) -> float:
    training.run(4)  # pays for what happens only once
    begin, before = time.perf_counter(), training.num_simulations
    while time.perf_counter() - begin < ACTOR_SECONDS:
        training.run(1)
    rate = (training.num_simulations - before) / (time.perf_counter() - begin)
    training.close()
    return rate


def _separate(seed: int) -> float:
    source = _leduc()
    return _rate(ResponderTraining(source, PRESETS["tree"], HereActor(source), seed))


def _actors() -> Row:
    source = _leduc()
    together, apart = [], []
    for turn in range(NUM_TURNS):
        together.append(_rate(ResponderTraining(source, PRESETS["tree"], ActorProcesses(source, 2), turn)))
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            apart.append(sum(pool.map(_separate, range(2), chunksize=1)))
    note = "simulations while learning, in processes; two separate runs learn nothing of each other"
    return Row("abr leduc, two actors", "two runs", median(apart), median(together), 0.9, note=note)
