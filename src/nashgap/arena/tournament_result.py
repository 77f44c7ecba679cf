"""What a tournament showed, from the tallies of its matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nashgap import _native
from nashgap.arena.behaviour import Behaviour
from nashgap.arena.cross_table import CrossTable, Matchup
from nashgap.arena.match_result import MatchResult, combine
from nashgap.arena.ranking import RankConfidence, bankroll, rank_confidence, runoff, total_wins
from nashgap.arena.tournament import TournamentJob

__all__ = ["TournamentResult", "combine_tournament", "rankings_document"]

# More are joined: the bootstrap draws as many numbers for each resample.
MOST_BLOCKS = 1000
# Keys of a match's document that all matches of a tournament share.
SHARED = ("game", "agents", "unit", "hands", "hands_per_match", "seatings", "samples", "seed")


@dataclass(frozen=True, eq=False)
class TournamentResult:
    """The cross-table and what lies behind it.

    matches:    in the order of the table's matchups; agents are called by their names in the tournament.
    behaviour:  of each agent, over all its matches.
    confidence: by drawing the deals again, the same ones for all matchups.
    """

    job: TournamentJob
    table: CrossTable
    matches: tuple[MatchResult, ...]
    behaviour: Mapping[str, Behaviour]
    confidence: RankConfidence

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        config, sure = self.job.config, self.confidence
        return {
            "name": config.name,
            "game": self.job.rules.name,
            "agents": list(self.table.players),
            "teams": dict(self.table.teams),
            "unit": self.table.unit,
            "hands": config.hands,
            "match_hands": config.match_hands,
            "seatings": self.job.num_seatings,
            "seed": config.seed,
            **rankings_document(self.table),
            "rank_confidence": {
                "num_resamples": sure.num_resamples,
                "seed": sure.seed,
                "bankroll": dict(zip(sure.players, sure.bankroll.tolist(), strict=True)),
                "runoff": dict(zip(sure.players, sure.runoff.tolist(), strict=True)),
            },
            "behaviour": {name: behaviour.as_dict() for name, behaviour in self.behaviour.items()},
            "matchups": [
                {
                    "players": list(match.agents),
                    **{key: value for key, value in match.as_dict().items() if key not in SHARED},
                }
                for match in self.matches
            ],
        }


def combine_tournament(job: TournamentJob, batches: Sequence[Mapping[str, Any]]) -> TournamentResult:
    """The result of all batches, which are those of `job` in their order."""
    size = job.batches_per_matchup
    tallies = [batches[first : first + size] for first in range(0, len(batches), size)]
    first_match = job.match(0)  # the others differ only in their agents, whom it would take time to load
    matches = tuple(
        replace(combine(first_match, tally), agents=tuple(entrant.name for entrant in members))
        for members, tally in zip(job.matchups, tallies, strict=True)
    )
    table = CrossTable(
        tuple(entrant.name for entrant in job.config.agents),
        tuple(Matchup(match.agents, tuple(match.winrates.tolist()), tuple(match.ci95.tolist())) for match in matches),
        {entrant.name: entrant.team for entrant in job.config.agents if entrant.team},
        job.rules.unit,
    )
    sums, deals = _blocks(job, tallies)
    confidence = rank_confidence([match.agents for match in matches], sums, deals, seed=job.config.seed)
    return TournamentResult(job, table, matches, _behaviour(job, tallies), confidence)


def rankings_document(table: CrossTable) -> dict[str, Any]:
    """The rankings of a cross-table, JSON-able; winrates are means over a player's matchups."""
    by_bankroll, by_runoff = bankroll(table), runoff(table)
    return {
        "bankroll": list(by_bankroll.players),
        "runoff": list(by_runoff.players),
        "elimination_order": list(by_runoff.elimination_order),
        "winrates": dict(zip(by_bankroll.players, by_bankroll.winrates, strict=True)),
        "total_wins": total_wins(table),
        "ties": {
            "bankroll": [list(tie) for tie in by_bankroll.ties],
            "runoff": [list(tie) for tie in by_runoff.decisive_ties],
        },
        "largest_residual": table.largest_residual,
        "unbalanced": [list(matchup.players) for matchup in table.unbalanced()],
    }


def _blocks(
    job: TournamentJob, tallies: Sequence[Sequence[Mapping[str, Any]]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """M matchups of N, B blocks of deals: `[M, B, N]` winnings in the game's unit, and `[B]` numbers of deals."""
    blocks = np.array([[block for batch in tally for block in batch["blocks"]] for tally in tallies], dtype=np.float64)
    num_blocks = blocks.shape[1]
    starts = np.unique(np.linspace(0, num_blocks, MOST_BLOCKS, endpoint=False).astype(np.int64))
    joined = np.add.reduceat(blocks, starts, axis=1)
    assert (joined[:, :, 0] == joined[0, :, 0]).all(), "the matchups of a tournament share their blocks"
    shares_per_unit = _native.CHIP_SHARES * job.num_seatings * job.rules.unit_chips
    return joined[:, :, 1:] / shares_per_unit, joined[0, :, 0] * job.config.match_hands


def _behaviour(job: TournamentJob, tallies: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Behaviour]:
    counts = {entrant.name: np.zeros(_native.NUM_COUNTS, dtype=np.int64) for entrant in job.config.agents}
    for members, tally in zip(job.matchups, tallies, strict=True):
        for batch in tally:
            for entrant, row in zip(members, batch["counts"], strict=True):
                counts[entrant.name] += np.array(row, dtype=np.int64)
    return {name: Behaviour.from_counts(row.tolist(), job.rules.num_rounds) for name, row in counts.items()}
