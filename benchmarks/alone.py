"""Times that have no peer: compiling each game, and one sequence-form LP."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from comparison import NO_PEER, Row, rates_in_turn

from nashgap.games.compiled import load_tree
from nashgap.solvers.sequence_lp import solve_sequence_lp

__all__ = ["rows"]

GAMES = ("kuhn", "kuhn(players=3)", "leduc", "liars_dice", "leduc(players=3)", "bet_size")


def rows() -> Iterator[Row]:
    for game in GAMES:
        (rate,) = rates_in_turn(partial(_compile, game))
        tree = load_tree(game)
        note = f"{tree.num_nodes:,} histories, {tree.num_infosets:,} infosets"
        yield Row(f"compile {game}", NO_PEER, None, rate, is_duration=True, note=note)
    tree = load_tree("bet_size")
    (rate,) = rates_in_turn(lambda count: [solve_sequence_lp(tree) for _ in range(count)])
    yield Row("LP bet_size", NO_PEER, None, rate, is_duration=True, note="building the program and solving it")


def _compile(game: str, count: int) -> None:
    for _ in range(count):
        load_tree(game)
