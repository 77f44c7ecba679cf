"""Simulations of information-state MCTS a second, against OpenSpiel's C++; and two actors against two separate runs."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

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
NUM_WARM_UP = 64  # batches


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


@dataclass(frozen=True)
class _Speed:
    """simulations a second, and a second of the processors."""

    by_clock: float
    by_processor: float


def _speed(training: ResponderTraining, processes: Sequence[int]) -> _Speed:
    training.run(NUM_WARM_UP)  # pays for what happens only once
    begin, before, spent = time.perf_counter(), training.num_simulations, _processor_seconds(processes)
    while time.perf_counter() - begin < ACTOR_SECONDS:
        training.run(1)
    seconds, spent = time.perf_counter() - begin, _processor_seconds(processes) - spent
    done = training.num_simulations - before
    training.close()
    return _Speed(done / seconds, done / spent)


def _processor_seconds(processes: Sequence[int]) -> float:
    """As Linux counts them."""
    texts = [Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in processes]
    return sum(int(text[11]) + int(text[12]) for text in texts) / os.sysconf("SC_CLK_TCK")


def _separate(seed: int) -> _Speed:
    source = _leduc()
    return _speed(ResponderTraining(source, PRESETS["tree"], HereActor(source), seed), [os.getpid()])


def _actors() -> Row:
    source = _leduc()
    together: list[_Speed] = []
    apart: list[list[_Speed]] = []
    for turn in range(NUM_TURNS):
        actors = ActorProcesses(source, 2)
        training = ResponderTraining(source, PRESETS["tree"], actors, turn)
        together.append(_speed(training, [os.getpid(), *actors.pids]))
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            apart.append(pool.map(_separate, range(2), chunksize=1))
    by_processor = [
        ours.by_processor / mean(one.by_processor for one in theirs)
        for ours, theirs in zip(together, apart, strict=True)
    ]
    note = (
        "simulations while learning, in processes; two separate runs learn nothing of each other; by processor seconds"
        f" {median(by_processor):.3f}x"
    )
    our_rate = median(speed.by_clock for speed in together)
    peer_rate = median(sum(one.by_clock for one in theirs) for theirs in apart)
    return Row("abr leduc, two actors", "two runs", peer_rate, our_rate, 0.9, note=note)
