"""What a tournament showed, from the tallies of its matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nashgap import _native
from nashgap.arena.behaviour import Behaviour
from nashgap.arena.cross_table import CrossTable, Matchup, write_cross_table
from nashgap.arena.match_result import MatchResult, combine_tallies
from nashgap.arena.ranking import RankConfidence, bankroll, rank_confidence, runoff, total_wins
from nashgap.arena.tournament import Entrant, TournamentConfig
from nashgap.core.result import Result, frame
from nashgap.poker.rules import PokerRules
from nashgap.runs.config import package_version

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CROSS_TABLE_FILE", "TournamentResult", "combine_tournament", "rankings_document"]

CROSS_TABLE_FILE = "cross-table.csv"  # in the folder of a tournament's run
# More are joined: the bootstrap draws as many numbers for each resample.
MOST_BLOCKS = 1000
# Keys of a match's document that all matches of a tournament share.
SHARED = ("game", "agents", "unit", "deals", "hands_per_match", "seatings", "samples", "seed", "version")


@dataclass(frozen=True, eq=False, repr=False)
class TournamentResult(Result):
    """The cross-table and what lies behind it.

    game:       its name; `unit` of all winrates is the table's.
    seatings:   of each deal.
    matches:    in the order of the table's matchups; agents are called by their names in the tournament.
    behaviour:  of each agent, over all its matches.
    confidence: by drawing the deals again, the same ones for all matchups.
    """

    reporter: ClassVar[str] = "nashgap.reports.tournament:tournament_report"

    config: TournamentConfig
    game: str
    seatings: int
    cross_table: CrossTable
    matches: tuple[MatchResult, ...]
    behaviour: Mapping[str, Behaviour]
    confidence: RankConfidence

    @property
    def num_hands(self) -> int:
        """That were played in all."""
        return len(self.matches) * self.config.deals * self.seatings

    @property
    def summary(self) -> str:
        table = self.cross_table
        by_bankroll, by_runoff = bankroll(table), runoff(table)
        best = f"{by_bankroll.players[0]} ({by_bankroll.winrates[0]:+.4g} {table.unit}".rstrip() + ")"
        return (
            f"First by bankroll: {best}. First by run-off: {by_runoff.players[0]}. {len(self.matches):,} matchups in"
            f" {self.game or 'a game of its own'}, each of {self.config.deals:,} deals in {self.seatings} seatings."
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each agent in the order of the bankroll ranking; `cross_table` has the matchups."""
        table = self.cross_table
        by_bankroll, by_runoff, wins = bankroll(table), runoff(table), total_wins(table)
        half_widths = dict(zip(self.confidence.players, self.confidence.winrate_ci95.tolist(), strict=True))
        rows = [
            (player, rank, by_runoff.players.index(player) + 1, winrate, half_widths[player], wins[player])
            for rank, (player, winrate) in enumerate(zip(by_bankroll.players, by_bankroll.winrates, strict=True), 1)
        ]
        return frame(("agent", "bankroll_rank", "runoff_rank", "winrate", "ci95", "total_wins"), rows)

    @property
    def cross_table_path(self) -> Path | None:
        """The file with the cross-table in the folder of its run; None where nothing was kept."""
        return None if self.provenance.run is None else self.provenance.run / CROSS_TABLE_FILE

    @property
    def places(self) -> dict[str, Path | tuple[Path, ...] | None]:
        return {"cross_table": self.cross_table_path}

    def keep_beside(self, folder: Path) -> None:
        """The cross-table, for `nashgap tournament rank` and other programs."""
        write_cross_table(self.cross_table, folder / CROSS_TABLE_FILE)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        config, sure = self.config, self.confidence
        return {
            "name": config.name,
            "game": self.game,
            "agents": list(self.cross_table.players),
            "teams": dict(self.cross_table.teams),
            "unit": self.cross_table.unit,
            "deals": config.deals,
            "match_hands": config.match_hands,
            "seatings": self.seatings,
            "seed": config.seed,
            **rankings_document(self.cross_table),
            "rank_confidence": {
                "num_resamples": sure.num_resamples,
                "seed": sure.seed,
                "bankroll": dict(zip(sure.players, sure.bankroll.tolist(), strict=True)),
                "runoff": dict(zip(sure.players, sure.runoff.tolist(), strict=True)),
                "winrate_ci95": dict(zip(sure.players, sure.winrate_ci95.tolist(), strict=True)),
            },
            "behaviour": {name: behaviour.as_dict() for name, behaviour in self.behaviour.items()},
            "matchups": [
                {
                    "players": list(match.agents),
                    **{key: value for key, value in match.as_dict().items() if key not in SHARED},
                }
                for match in self.matches
            ],
            "version": package_version(),
        }


def combine_tournament(
    rules: PokerRules,
    config: TournamentConfig,
    matchups: Sequence[tuple[Entrant, ...]],
    tallies: Sequence[Sequence[Mapping[str, Any]]],
) -> TournamentResult:
    """The result of all matchups from the batches of each; see `play_matches`."""
    matches = tuple(
        combine_tallies(
            rules,
            tuple(entrant.name for entrant in members),
            tally,
            seed=config.seed,
            hands_per_match=config.match_hands,
        )
        for members, tally in zip(matchups, tallies, strict=True)
    )
    table = CrossTable(
        tuple(entrant.name for entrant in config.agents),
        tuple(Matchup(match.agents, tuple(match.winrates.tolist()), tuple(match.ci95.tolist())) for match in matches),
        {entrant.name: entrant.team for entrant in config.agents if entrant.team},
        rules.unit,
    )
    seatings = matches[0].seatings
    sums, deals = _blocks(rules, tallies, seatings, config.match_hands)
    confidence = rank_confidence([match.agents for match in matches], sums, deals, seed=config.seed)
    behaviour = _behaviour(rules, config, matchups, tallies)
    return TournamentResult(config, rules.name, seatings, table, matches, behaviour, confidence)


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
    rules: PokerRules, tallies: Sequence[Sequence[Mapping[str, Any]]], seatings: int, match_hands: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """M matchups of N, B blocks of deals: `[M, B, N]` winnings in the game's unit, and `[B]` numbers of deals."""
    blocks = np.array([[block for batch in tally for block in batch["blocks"]] for tally in tallies], dtype=np.float64)
    num_blocks = blocks.shape[1]
    starts = np.unique(np.linspace(0, num_blocks, MOST_BLOCKS, endpoint=False).astype(np.int64))
    joined = np.add.reduceat(blocks, starts, axis=1)
    assert (joined[:, :, 0] == joined[0, :, 0]).all(), "the matchups of a tournament share their blocks"
    shares_per_unit = _native.CHIP_SHARES * seatings * rules.unit_chips
    return joined[:, :, 1:] / shares_per_unit, joined[0, :, 0] * match_hands


def _behaviour(
    rules: PokerRules,
    config: TournamentConfig,
    matchups: Sequence[tuple[Entrant, ...]],
    tallies: Sequence[Sequence[Mapping[str, Any]]],
) -> dict[str, Behaviour]:
    counts = {entrant.name: np.zeros(_native.NUM_COUNTS, dtype=np.int64) for entrant in config.agents}
    for members, tally in zip(matchups, tallies, strict=True):
        for batch in tally:
            for entrant, row in zip(members, batch["counts"], strict=True):
                counts[entrant.name] += np.array(row, dtype=np.int64)
    return {name: Behaviour.from_counts(row.tolist(), rules.num_rounds) for name, row in counts.items()}
