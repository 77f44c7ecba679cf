"""Hands a second of matches over TCP: our dealer with our players, a process each.

By the clock, and by the processor time of all processes, which is what passes on an idle core, because somebody always
works; what else runs on the machine changes it less. The competition's dealer with its example players is no package:
its rates, measured on one idle core of the target machine, stand as reference figures. Our players choose as its
example players do in limit games.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.queues import SimpleQueue
from statistics import median

from comparison import NUM_TURNS, Row

from nashgap.agents.named import load_agent
from nashgap.arena.acpc.config import DealerConfig
from nashgap.arena.acpc.dealer import Dealer, DealerResult
from nashgap.arena.acpc.player import AcpcPlayer
from nashgap.poker.rules import load_rules

__all__ = ["rows"]

REFERENCES = {"lhe2": 2000.0, "lhe3": 800.0}
AIM = 0.5  # 1,000 hands a second in lhe2
NUM_HANDS = 2000
PLAYER = "triple(0.06,0.47,0.47)"
SEED = 1


def rows() -> Iterator[Row]:
    for game, reference in REFERENCES.items():
        matches = [_play(game) for _ in range(NUM_TURNS)]
        is_sound = all(
            sum(player.chips for player in result.players) == 0 and not any(player.fault for player in result.players)
            for result, _ in matches
        )
        note = "theirs is a reference figure, not of this run; payoffs sum to zero"
        by_clock = median(NUM_HANDS / result.seconds for result, _ in matches)
        yield Row(f"TCP match {game}", "ACPC (ref.)", reference, by_clock, AIM, note=note, is_same=is_sound)
        of_core = median(NUM_HANDS / seconds for _, seconds in matches)
        yield Row(f"TCP match {game}, one core", "ACPC (ref.)", reference, of_core, AIM, note=note, is_same=is_sound)


def _play(game: str) -> tuple[DealerResult, float]:
    """The match, and the processor seconds that dealer and players spent on it."""
    dealer = Dealer(DealerConfig(load_rules(game), NUM_HANDS, seed=SEED))
    processes = multiprocessing.get_context("spawn")
    spent = processes.SimpleQueue()
    players = [processes.Process(target=_play_one, args=(game, port, spent)) for port in dealer.listen()]
    for player in players:
        player.start()
    start = time.process_time()
    try:
        result = dealer.run()
        seconds = time.process_time() - start
    finally:
        for player in players:
            player.join()
    return result, seconds + sum(spent.get() for _ in players)


def _play_one(game: str, port: int, spent: SimpleQueue[float]) -> None:
    rules = load_rules(game)
    player = AcpcPlayer(load_agent(PLAYER, rules), rules, seed=SEED)
    start = time.process_time()
    player.play("127.0.0.1", port)
    spent.put(time.process_time() - start)
