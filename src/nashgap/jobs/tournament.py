"""Play a tournament: a duplicate match of every set of agents that may meet, all with the same cards."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

from nashgap.arena.duplicate import duplicate_seatings
from nashgap.arena.tournament import Entrant, TournamentConfig
from nashgap.arena.tournament_result import TournamentResult, combine_tournament
from nashgap.core.job import BatchJob
from nashgap.errors import ConfigError
from nashgap.jobs.match import MatchJob
from nashgap.poker.rules import PokerRules

__all__ = ["TournamentJob"]

MOST_MATCHUPS = 100_000
MOST_TRIALS = 8


@dataclass(frozen=True)
class TournamentJob(BatchJob):
    """All matches of a tournament. Its batches are those of the first matchup, then of the second, and so on.

    batch_deals: in a batch; None: for the slowest agent about a second of work.
    """

    kind: ClassVar[str] = "tournament"

    rules: PokerRules
    config: TournamentConfig
    batch_deals: int | None = None

    def __post_init__(self) -> None:
        game, seats, agents = self.rules.name or "the game", self.rules.num_seats, self.config.agents
        if len(agents) < seats:
            told = "1 agent" if len(agents) == 1 else f"{len(agents)} agents"
            raise ConfigError(f"{told}; {game} has {seats} seats, so at least {seats} are needed")
        if (number := math.comb(len(agents), seats)) > MOST_MATCHUPS:
            raise ConfigError(f"{len(agents)} agents make {number:,} matchups of {seats}; at most {MOST_MATCHUPS:,}")
        if not self.matchups:
            sides = len({entrant.team or (entrant.name,) for entrant in agents})
            raise ConfigError(f"no matchup is left: {game} has {seats} seats, and the teams leave {sides} sides")
        # The same in all matchups, so that their blocks are the same; asking loads every agent: a bad one is told now.
        usual = min(self._match_of(members).deals_per_batch for members in self._with_everybody())
        object.__setattr__(self, "batch_deals", self.batch_deals or usual)

    @property
    def name(self) -> str:
        return f"tournament-{self.config.name}"[:80]

    @property
    def size_text(self) -> str:
        config, hands = self.config, len(self.matchups) * self.config.deals * self.num_seatings
        each = f"{config.deals:,} deals in {self.num_seatings} seatings"
        return f"{config.name}: {len(self.matchups):,} matchups, each of {each}: {hands:,} hands"

    def expected_seconds(self) -> float | None:
        """By short trials of some matchups; None if one of them cannot be tried."""
        step = -(-len(self.matchups) // MOST_TRIALS)
        trials = [self.match(matchup).expected_seconds() for matchup in range(0, len(self.matchups), step)]
        known = [seconds for seconds in trials if seconds is not None]
        return sum(known) * len(self.matchups) / len(known) if len(known) == len(trials) else None

    @cached_property
    def matchups(self) -> tuple[tuple[Entrant, ...], ...]:
        """All sets of as many agents as there are seats, without those in which members of a team would meet."""
        return tuple(
            members for members in combinations(self.config.agents, self.rules.num_seats) if not _are_mates(members)
        )

    @property
    def num_seatings(self) -> int:
        """In which each deal is played."""
        return int(duplicate_seatings(self.rules.num_seats, self.config.seed, 0, 1).shape[1])

    @property
    def batches_per_matchup(self) -> int:
        assert self.batch_deals is not None, "set when the job was made"
        return -(-self.config.deals // self.batch_deals)

    @property
    def num_batches(self) -> int:
        return len(self.matchups) * self.batches_per_matchup

    def describe_batch(self, index: int) -> str:
        matchup, part = divmod(index, self.batches_per_matchup)
        of_part = f", part {part + 1} of {self.batches_per_matchup}" if self.batches_per_matchup > 1 else ""
        return f"matchup {matchup + 1} of {len(self.matchups)}{of_part}"

    def run_batch(self, index: int) -> dict[str, Any]:
        matchup, part = divmod(index, self.batches_per_matchup)
        return self.match(matchup).run_batch(part)

    def match(self, matchup: int) -> MatchJob:
        """With its agents in memory; batches of the same matchup come one after the other."""
        if matchup not in self._loaded:
            self._loaded.clear()
            self._loaded[matchup] = self._match_of(self.matchups[matchup])
        return self._loaded[matchup]

    @cached_property
    def _loaded(self) -> dict[int, MatchJob]:
        """The match that was last asked for. Of this job only: in another's the same path may be another file."""
        return {}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> TournamentResult:
        size = self.batches_per_matchup
        tallies = [batches[first : first + size] for first in range(0, len(batches), size)]
        return combine_tournament(self.rules, self.config, self.matchups, tallies)

    def _match_of(self, members: tuple[Entrant, ...]) -> MatchJob:
        config = self.config
        return MatchJob(
            rules=self.rules,
            agents=tuple(entrant.bot for entrant in members),
            deals=config.deals,
            seed=config.seed,
            hands_per_match=config.match_hands,
            batch_deals=self.batch_deals,
        )

    def _with_everybody(self) -> Iterator[tuple[Entrant, ...]]:
        """Some of the matchups, with every agent in at least one."""
        seen: set[str] = set()
        for members in self.matchups:
            names = {entrant.name for entrant in members}
            if not names <= seen:
                seen |= names
                yield members


def _are_mates(members: tuple[Entrant, ...]) -> bool:
    teams = [entrant.team for entrant in members if entrant.team]
    return len(set(teams)) < len(teams)
