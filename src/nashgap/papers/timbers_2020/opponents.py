"""The players of Table 2 in games that can be compiled, as tables, so that all that is said of them is exact."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from nashgap.core.tree import GameTree
from nashgap.games.compiled import load_tree
from nashgap.jobs.reproduction import Request
from nashgap.jobs.solve import Solution, SolveJob
from nashgap.papers.timbers_2020.published import KUHN, LEDUC, LIARS_DICE
from nashgap.papers.timbers_2020.self_play import ActorCritic, SelfPlayJob
from nashgap.runs.folder import open_run
from nashgap.strategies.table import TableStrategy

__all__ = [
    "CFR_PLUS_ITERATIONS",
    "GAMES",
    "a2c_file",
    "compiled",
    "solved_by_cfr_plus",
    "table_of",
    "trained_a2c",
]

GAMES = {LEDUC: "leduc_poker", LIARS_DICE: "liars_dice", KUHN: "kuhn_poker"}  # as OpenSpiel names them
CFR_PLUS_ITERATIONS = 1000
EPISODES, QUICK_EPISODES = 60_000, 2_000
STATES_AT_ONCE = 4096


def compiled(game: str) -> GameTree:
    """OpenSpiel's game, in which A2C learns; the rules are those of ours."""
    return load_tree(f"openspiel:{GAMES[game]}")


def solved_by_cfr_plus(tree: GameTree, request: Request) -> Solution:
    job = SolveJob(tree.definition, solver="cfr+", iterations=CFR_PLUS_ITERATIONS, given_tree=tree)
    solved: Solution = request.perform(job)
    return solved


def trained_a2c(game: str, request: Request, *, episodes: int | None = None) -> ActorCritic:
    """A2C of a game as OpenSpiel names it, after self-play.

    episodes: games; None for the usual number.
    """
    usual = QUICK_EPISODES if request.is_quick else EPISODES
    trained: ActorCritic = request.perform(_job(game, request, usual if episodes is None else episodes))
    return trained


def _job(game: str, request: Request, episodes: int) -> SelfPlayJob:
    if request.minutes is not None:
        return SelfPlayJob(game=game, seed=request.seed, minutes=request.minutes)
    return SelfPlayJob(game=game, seed=request.seed, episodes=episodes)


def a2c_file(game: str, tree: GameTree, policy: ActorCritic, request: Request) -> Path:
    """A2C as a strategy file of the compiled game, in the folder of its run."""
    run = open_run(_job(GAMES[game], request, policy.episodes), request.runs_root)
    file = run.folder / f"{policy.name}-{policy.digest}.safetensors"
    if not file.exists():
        table_of(policy, tree).save(file)
    return file


def table_of(policy: ActorCritic, tree: GameTree) -> TableStrategy:
    """What the policy does in every information set."""
    probabilities = np.empty(tree.num_slots)
    for infosets, states in _one_state_each(policy.game, tree):
        for infoset, chances in zip(infosets, policy.many_action_probabilities(states), strict=True):
            probabilities[tree.slots(infoset)] = list(chances.values())
    return TableStrategy(tree, probabilities, {"name": policy.name, "episodes": policy.episodes})


def _one_state_each(game: str, tree: GameTree) -> Iterator[tuple[list[int], list[Any]]]:
    """Information sets, and a state of OpenSpiel's in each; some at once."""
    import pyspiel

    seen = np.zeros(tree.num_infosets, bool)
    infosets: list[int] = []
    states: list[Any] = []
    waiting = [pyspiel.load_game(game).new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            player = state.current_player()
            infoset = tree.infoset_index[f"{player}:{state.information_state_string(player)}"]
            if not seen[infoset]:
                seen[infoset] = True
                infosets.append(infoset)
                states.append(state)
            if len(states) == STATES_AT_ONCE:
                yield infosets, states
                infosets, states = [], []
        waiting.extend(state.child(action) for action in state.legal_actions())
    yield infosets, states
