"""Sampling on betting trees of hold'em, and what comes of it at the table; on one thread but where it says two."""

from __future__ import annotations

import itertools
import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from comparison import NO_PEER, Row, rates_in_turn

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.jobs.match import MatchJob
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.poker.state import CALL, PublicState
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.recipe import load_recipe
from nashgap.strategies.abstract import AbstractStrategy, graft, quantised
from nashgap.strategies.load import save
from nashgap.strategies.spec import parse_bot

__all__ = ["rows"]

# Node visits a second of a sketch in C++ on the machine that the aims were set on.
SOLVES = {
    "MCCFR lhe2 169/1000": ("lhe2", "percentile(ehs2, lossless/1000/1000/1000, recall=none)", 16e6, 14e6),
    "MCCFR lhe3 ir16": ("lhe3", "percentile(ehs2, 16/16/16/16, recall=none)", 15e6, 12e6),
}
WARM_UP_SECONDS = 60.0  # until most of the memory that is visited has been taken from the system
TURN_SECONDS = 8.0
NUM_TURNS = 3
SHORT_TURN_SECONDS, NUM_SHORT_TURNS = 3.0, 12  # where two rates are compared that are nearly the same
AIM_OF_TWO_THREADS = 0.93
DEALS = 10_000  # of a match
REFERENCE_HANDS, AIM_HANDS = 800.0, 500_000.0
KNOWN_BOARD = (3, 16, 30, 41)
EXPERTS, EXPERT_ITERATIONS, AIM_OF_GRAFTED = "hue5-uniform", 20_000, 0.8


def rows() -> Iterator[Row]:
    for work, (game, cards, sketch, aim) in SOLVES.items():
        solver = _solver(game, cards)
        _visits_in(solver, WARM_UP_SECONDS)
        rate = max(_visits_in(solver, TURN_SECONDS) for _ in range(NUM_TURNS))
        note = "node visits a second, best of 3 turns; theirs is a reference figure, not of this run"
        yield Row(work, "sketch (ref.)", sketch, rate, aim / sketch, note=note)
    yield from _table_rows(solver)  # of ir16
    del solver
    yield _two_threads()


def _solver(game: str, cards: str, threads: int = 1) -> PokerMCCFR:
    rules = load_rules(game)
    tree = build_betting_tree(rules, parse_betting_abstraction("full"))
    return PokerMCCFR(AbstractGame(tree, build_abstraction(parse_card_abstraction(cards), rules)), threads=threads)


def _visits_in(solver: PokerMCCFR, seconds: float) -> float:
    """Node visits a second over so many seconds."""
    start, before = time.perf_counter(), solver.num_visits
    while (passed := time.perf_counter() - start) < seconds:
        solver.run(1000)
    return (solver.num_visits - before) / passed


def _two_threads() -> Row:
    """Two threads of one solve against two solves in processes of their own, in turns."""
    game, cards, _, _ = SOLVES["MCCFR lhe2 169/1000"]
    shared = _solver(game, cards, threads=2)
    _visits_in(shared, TURN_SECONDS)
    together, apart = [], []
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(_process_rate, [TURN_SECONDS] * 2, chunksize=1)
        for _ in range(NUM_SHORT_TURNS):
            together.append(_visits_in(shared, SHORT_TURN_SECONDS))
            apart.append(sum(pool.map(_process_rate, [SHORT_TURN_SECONDS] * 2, chunksize=1)))
    note = "node visits a second, medians of turns: two threads of one solve, two processes with a solve each"
    aim = AIM_OF_TWO_THREADS
    return Row("MCCFR lhe2, 2 threads", "2 processes", median(apart), median(together), aim, note=note)


_own: list[PokerMCCFR] = []  # the solver of a process of the pool


def _process_rate(seconds: float) -> float:
    if not _own:
        game, cards, _, _ = SOLVES["MCCFR lhe2 169/1000"]
        _own.append(_solver(game, cards))
    return _visits_in(_own[0], seconds)


def _table_rows(solver: PokerMCCFR) -> Iterator[Row]:
    game = solver.game
    tables = tuple(quantised(game, number, table) for number, table in enumerate(solver.average_strategy().tables))
    strategy = AbstractStrategy(game, tables)
    with tempfile.TemporaryDirectory() as folder:
        rate, grafted_rate = _hands_a_second(Path(folder), strategy, graft(strategy, *_experts()))
    note = "hands a second between three table strategies; theirs is a reference figure, not of this run"
    yield Row("match lhe3: ir16", "ACPC (ref.)", REFERENCE_HANDS, rate, AIM_HANDS / REFERENCE_HANDS, note=note)
    note = "hands a second, the first alone and with six experts grafted in, in turns"
    yield Row("match lhe3: grafted", "ir16 alone", rate, grafted_rate, AIM_OF_GRAFTED, note=note)
    known = [_turn(game.rules, KNOWN_BOARD)]
    strategy.policies(known)
    (rate,) = rates_in_turn(lambda count: [strategy.policies(known) for _ in range(count)])
    yield Row("policy, known board", NO_PEER, None, rate, is_duration=True, note="1326 hands; aim: below 50 us")
    # Many more boards than a strategy remembers, in an order in which no two that follow each other are alike.
    fresh = (_turn(game.rules, board) for board in itertools.cycle(itertools.combinations(game.rules.deck, 4)))
    (rate,) = rates_in_turn(lambda count: [strategy.policies([next(fresh)]) for _ in range(count)])
    yield Row("policy, new board", NO_PEER, None, rate, is_duration=True, note="1326 hands; aim: below 500 us")


def _experts() -> list[AbstractStrategy]:
    """Those of a recipe, hardly trained."""
    found = []
    for expert in load_recipe(EXPERTS).experts():
        tree = build_betting_tree(expert.rules, expert.betting, expert.prefix)
        cards = build_abstraction(expert.card_specs[0], expert.rules)
        solver = expert.solver.solver(AbstractGame(tree, cards))
        solver.run(EXPERT_ITERATIONS)
        found.append(solver.average_strategy())
    return found


def _hands_a_second(folder: Path, *strategies: AbstractStrategy) -> list[float]:
    """Of each against two copies of the first."""
    bots = [parse_bot(str(folder / f"{number}.safetensors")) for number in range(len(strategies))]
    for bot, strategy in zip(bots, strategies, strict=True):
        save(bot.text, strategy)
    rules = strategies[0].rules
    jobs = [MatchJob(rules=rules, agents=(bot, bots[0], bots[0]), deals=DEALS, batch_deals=DEALS) for bot in bots]
    works = [lambda count, job=job: [job.run_batch(0) for _ in range(count)] for job in jobs]
    rates = rates_in_turn(*works)
    return [rate * sum(job.run_batch(0)["sequences"].values()) for rate, job in zip(rates, jobs, strict=True)]


def _turn(rules: PokerRules, board: tuple[int, ...]) -> PublicState:
    """Everybody has checked or called up to the turn."""
    state = rules.root()
    for cards in (board[:3], board[3:]):
        for _ in range(rules.num_seats):
            state = state.act(CALL)
        state = state.deal(cards)
    return state
