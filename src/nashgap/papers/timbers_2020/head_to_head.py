"""Table 2: CFR+ after 1000 iterations and A2C head to head, in Leduc and in Liar's dice.

A cell of the paper is the mean of 1024 games for the row's player, who is said to be player 1, the second; and the
table is its own mirror. Here every cell is exact, in both seats, and the 1024 games are played beside it. Uniform play
stands beside A2C: against that the printed numbers come out as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nashgap.core.estimate import Estimate
from nashgap.core.game import CHANCE, TERMINAL
from nashgap.core.tree import GameTree
from nashgap.jobs.reproduction import Request, command_of
from nashgap.measures.best_response import Exploitability, expected_values, exploitability
from nashgap.papers.statements import Statement, all_true, num_true, statement_table
from nashgap.papers.timbers_2020.opponents import (
    GAMES,
    compiled,
    solved_by_cfr_plus,
    table_of,
    trained_a2c,
)
from nashgap.papers.timbers_2020.published import (
    CFR_PLUS_EXPLOITABILITY,
    CFR_PLUS_SHARES,
    LEDUC,
    LIARS_DICE,
    SAMPLED_GAMES,
    TABLE_2,
)
from nashgap.papers.timbers_2020.responders import networks_missing
from nashgap.reports.report import Cell, Report, Section, Table, Text
from nashgap.runs import package_version
from nashgap.strategies.table import TableStrategy, uniform

__all__ = ["Meeting", "Meetings", "check_meetings", "sample_payoffs", "table_2"]

CFR_PLUS, A2C, UNIFORM = "cfr+", "a2c", "uniform"
NAMES = {LEDUC: "Leduc", LIARS_DICE: "Liar's dice"}
SHARE_SLACK = 0.05  # "roughly"


@dataclass(frozen=True)
class Meeting:
    """The first named against the second. exact, sampled: what the first wins as player 1 and as player 2."""

    exact: tuple[float, float]
    sampled: tuple[Estimate, Estimate]

    @property
    def mean(self) -> float:
        """Of both seats."""
        return sum(self.exact) / 2


@dataclass(frozen=True)
class Meetings:
    """Of one game.

    played:   by the names of both, the first named is whose winnings are told.
    gaps:     of each player, what best responses win from it.
    training: games of self-play of A2C; 0 where there is none.
    """

    played: Mapping[tuple[str, str], Meeting]
    gaps: Mapping[str, Exploitability]
    training: int

    def share(self, opponent: str) -> float:
        """Of what the opponent could lose, over both seats, how much CFR+ wins."""
        return sum(self.played[CFR_PLUS, opponent].exact) / sum(self.gaps[opponent].best_values)


def table_2(request: Request) -> Report:
    """All cells in both seats, the shares, and how far CFR+ is from equilibrium."""
    found = {game: _meet(game, request) for game in TABLE_2}
    statements = check_meetings(found)
    told = "; ".join(
        f"{NAMES[game]} {', '.join(f'{name} {each.share(name):.1%}' for name in (A2C, UNIFORM) if name in each.gaps)}"
        for game, each in found.items()
    )
    sections: list[Section] = [_cells(game, each) for game, each in found.items()]
    return Report(
        title="CFR+ and A2C head to head (Timbers et al. 2020, Table 2)",
        summary=(
            f"{num_true(statements)} of {len(statements)} statements hold. Of what an opponent could lose CFR+ wins:"
            f" {told}."
        ),
        sections=(
            *sections,
            _gaps(found),
            statement_table("What the paper says", statements),
            Text("What is played", tuple(filter(None, (*_notes(found), networks_missing())))),
        ),
        command=command_of("abr-table-2", request),
        facts={
            "CFR+": "1000 iterations",
            "A2C": "OpenSpiel's, its defaults",
            "sampled games of a cell": SAMPLED_GAMES,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def _meet(game: str, request: Request) -> Meetings:
    tree = compiled(game)
    players = {CFR_PLUS: solved_by_cfr_plus(tree, request).strategy}
    training = 0
    if not networks_missing():
        policy = trained_a2c(GAMES[game], request)
        players[A2C], training = table_of(policy, tree), policy.episodes
    players[UNIFORM] = uniform(tree)
    generator = np.random.default_rng([request.seed, sorted(TABLE_2).index(game)])
    played = {
        (first, second): _meeting(tree, players[first], players[second], generator, request.seed)
        for first in players
        for second in players
    }
    return Meetings(played, {name: exploitability(tree, each) for name, each in players.items()}, training)


def _meeting(
    tree: GameTree, first: TableStrategy, second: TableStrategy, generator: np.random.Generator, seed: int
) -> Meeting:
    seatings = (second.with_players({0: first}), second.with_players({1: first}))
    exact = [expected_values(tree, together)[seat] for seat, together in enumerate(seatings)]
    sampled = [
        Estimate.from_samples(
            sample_payoffs(tree, together, SAMPLED_GAMES, generator)[:, seat], unit=tree.unit, method="match", seed=seed
        )
        for seat, together in enumerate(seatings)
    ]
    return Meeting((exact[0], exact[1]), (sampled[0], sampled[1]))


def sample_payoffs(tree: GameTree, strategy: TableStrategy, number: int, generator: np.random.Generator) -> np.ndarray:
    """`[number, P]` what games pay that are played by the strategy."""
    return np.array([_sample_payoff(tree, strategy, generator) for _ in range(number)])


def _sample_payoff(tree: GameTree, strategy: TableStrategy, generator: np.random.Generator) -> np.ndarray:
    block = lane = 0
    while (player := tree.block_player[block]) != TERMINAL:
        row = tree.node_row[tree.block_start[block] + lane]
        if player == CHANCE:
            edges = slice(tree.chance_start[row], tree.chance_start[row + 1])
            edge = edges.start + _drawn(tree.chance_prob[edges], generator)
            block, lane = tree.chance_block[edge], tree.chance_lane[edge]
        else:
            action = _drawn(strategy.probabilities[tree.slots(int(row))], generator)
            block = tree.edge_block[tree.block_edge[block] + action]
    payoff: np.ndarray = tree.returns[tree.node_row[tree.block_start[block] + lane]]
    return payoff


def _drawn(probabilities: np.ndarray, generator: np.random.Generator) -> int:
    place = int(np.searchsorted(np.cumsum(probabilities), generator.random(), side="right"))
    return min(place, len(probabilities) - 1)


def check_meetings(found: Mapping[str, Meetings]) -> tuple[Statement, ...]:
    """The sentences on the table; those on A2C only where it was trained."""
    leduc = found[LEDUC].gaps[CFR_PLUS].exploitability
    statements = [
        Statement(
            "after 1000 iterations CFR+ has an exploitability of about 1e-5 in Leduc, within a factor of 3",
            1 / 3 < leduc / CFR_PLUS_EXPLOITABILITY < 3,
            f"{leduc:.2g} antes a hand by alternating updates and linear averages",
        ),
        Statement(
            "a row's player is player 1, the second: CFR+ against itself wins there what is printed",
            all_true(_is_as_printed(game, seat=1, found=found[game]) for game in found),
            "; ".join(
                f"{NAMES[game]} printed {TABLE_2[game][CFR_PLUS, CFR_PLUS]:+g}, ours {_seats(each, CFR_PLUS, CFR_PLUS)}"
                for game, each in found.items()
            )
            + f": printed are the first player's values, but {SAMPLED_GAMES} games do not tell them apart",
        ),
    ]
    for game, each in found.items():
        opponent, who = (A2C, "A2C") if A2C in each.gaps else (UNIFORM, "A2C, here uniform play,")
        printed, ours = CFR_PLUS_SHARES[game], each.share(opponent)
        statements.append(
            Statement(
                f"in {NAMES[game]} CFR+ wins {printed:.0%} of what {who} could lose, within 5 points",
                abs(ours - printed) < SHARE_SLACK,
                f"{ours:.1%}: {each.played[CFR_PLUS, opponent].mean:.3f} of"
                f" {sum(each.gaps[opponent].best_values) / 2:.3f}, mean of both seats; printed"
                f" {TABLE_2[game][CFR_PLUS, A2C]:g}",
            )
        )
    return tuple(statements)


def _is_as_printed(game: str, *, seat: int, found: Meetings) -> bool | None:
    """Whether 1024 games in that seat may well give the printed mean; None where those in the other may, too."""
    printed, meeting = TABLE_2[game][CFR_PLUS, CFR_PLUS], found.played[CFR_PLUS, CFR_PLUS]
    fits = [abs(printed - exact) <= sampled.ci95 for exact, sampled in zip(meeting.exact, meeting.sampled, strict=True)]
    return None if fits[0] and fits[1] else fits[seat]


def _seats(found: Meetings, first: str, second: str) -> str:
    return " and ".join(f"{value:+.4f}" for value in found.played[first, second].exact)


def _cells(game: str, found: Meetings) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for (first, second), meeting in found.played.items():
        printed = TABLE_2[game].get((first, second))
        rows.append(
            (
                first,
                second,
                "" if printed is None else f"{printed:+g}",
                *(f"{value:+.4f}" for value in meeting.exact),
                *(f"{each.mean:+.3f} ± {each.ci95:.3f}" for each in meeting.sampled),
            )
        )
    columns = ("row", "column", "printed", "as player 1", "as player 2", "1024 games", "and as player 2")
    return Table(NAMES[game], columns, tuple(rows), "What the row's player wins a game; exactly, and sampled.")


def _gaps(found: Mapping[str, Meetings]) -> Table:
    rows = tuple(
        (
            NAMES[game],
            name,
            f"{gap.exploitability:.4g}",
            f"{gap.nash_conv:.4g}",
            "" if name == CFR_PLUS else f"{each.share(name):.1%}",
            f"{CFR_PLUS_SHARES[game]:.0%}" if name == A2C else "",
        )
        for game, each in found.items()
        for name, gap in each.gaps.items()
    )
    columns = ("game", "player", "exploitability", "NashConv", "CFR+ wins of it", "printed")
    return Table("What they could lose", columns, rows, "Exact; exploitability is the mean of both seats.")


def _notes(found: Mapping[str, Meetings]) -> tuple[str, ...]:
    trained = {game: each.training for game, each in found.items() if each.training}
    told = " and ".join(f"{number:,} games in {NAMES[game]}" for game, number in trained.items())
    return (
        *((f"A2C was trained in self-play for {told}; the paper's for a week.",) if trained else ()),
        "By the printed winnings and shares A2C could lose about 2.4 a game in Leduc and 0.75 in Liar's dice, the mean"
        " of both seats; uniform play could lose 2.374 and 0.781. So the paper's A2C was hardly better than that.",
    )
