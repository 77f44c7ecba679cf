"""Sequential rock, paper, scissors (Timbers et al. 2020, 3.2): who saw the other's choice would always win.

The first player chooses, which stays hidden; then the second one does, and both are shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nashgap as ng
from nashgap.core.game import TERMINAL
from nashgap.games.compiled import tree_of
from nashgap.jobs.abr import TreeAbrJob
from nashgap.jobs.abr_bound import AbrBound
from nashgap.strategies.table import TableStrategy, uniform

HANDS = ("rock", "paper", "scissors")
NEVER_BY_CHANCE = 5.0 / 1.96  # standard deviations, as a factor of a 95% interval


@dataclass(frozen=True)
class Throws:
    """So many have been chosen."""

    chosen: tuple[int, ...] = ()

    @property
    def player(self) -> int:
        return TERMINAL if len(self.chosen) == 2 else len(self.chosen)

    @property
    def actions(self) -> tuple[str, ...]:
        return HANDS

    @property
    def chance_probabilities(self) -> tuple[float, ...]:
        return ()

    @property
    def infoset(self) -> str:
        return f"player {self.player + 1} chooses"

    @property
    def returns(self) -> tuple[float, float]:
        first, second = self.chosen
        won = (0.0, 1.0, -1.0)[(first - second) % 3]
        return won, -won

    def child(self, move: int) -> Throws:
        return Throws((*self.chosen, move))


@dataclass(frozen=True)
class RockPaperScissors:
    """One round."""

    num_players = 2
    unit = "points_per_game"

    def root(self) -> Throws:
        return Throws()


def always(hand: str) -> TableStrategy:
    tree = tree_of(RockPaperScissors())
    probabilities = np.zeros(tree.num_slots)
    for infoset in range(tree.num_infosets):
        probabilities[tree.slots(infoset)] = np.eye(len(HANDS))[HANDS.index(hand)]
    return TableStrategy(tree, probabilities)


def measured(strategy: TableStrategy, **options: Any) -> AbrBound:
    bound: AbrBound = ng.measure(strategy, by="abr", episodes=4_096, games=20_000, **options)
    assert isinstance(bound.job, TreeAbrJob)
    return bound


@pytest.mark.parametrize("preset", ["tree", "table"])
def test_against_uniform_nothing_is_won(preset: str) -> None:
    """The second player wins each game by peeking; here both seats come to 0."""
    bound = measured(uniform(tree_of(RockPaperScissors())), preset=preset)
    for won in bound.per_player:
        assert abs(won.mean) < NEVER_BY_CHANCE * won.ci95
    assert bound.exact_nash_conv == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("preset", ["tree", "table"])
@pytest.mark.parametrize("hand", HANDS)
def test_against_one_hand_all_is_won(hand: str, preset: str) -> None:
    bound = measured(always(hand), preset=preset)
    assert [won.mean for won in bound.per_player] == [1.0, 1.0]


def test_against_two_hands_no_more_is_won_than_there_is() -> None:
    """Half rock, half paper: paper is worth 1/2; who peeks wins 1 in the second seat."""
    tree = tree_of(RockPaperScissors())
    mixed = TableStrategy(tree, (always("rock").probabilities + always("paper").probabilities) / 2)
    bound = measured(mixed)
    for won in bound.per_player:
        assert won.mean == pytest.approx(0.5, abs=NEVER_BY_CHANCE * won.ci95)


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """As `python:module:Class`, a game of somebody's own."""
    from nashgap.cli.main import main

    (tmp_path / "hands_game.py").write_text(Path(__file__).read_text())
    monkeypatch.chdir(tmp_path)
    game = "python:hands_game:RockPaperScissors"
    assert main(["measure", "uniform", "--game", game, "--by", "abr", "--episodes", "512", "--games", "100"]) == 0
    assert "RockPaperScissors: responders win" in capsys.readouterr().out
