"""Play a duplicate match: batches of deals, and what they add up to."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from nashgap.agents.named import distinct_names, load_agent
from nashgap.arena.acpc.log import header_line, score_line
from nashgap.arena.duplicate import duplicate_seatings
from nashgap.arena.match import Match, play_matches
from nashgap.arena.match_result import MatchResult, combine_tallies
from nashgap.core.array_file import write_atomically
from nashgap.errors import ConfigError, OutputError
from nashgap.jobs.dealing import DealsJob, curve_steps
from nashgap.poker.notation import log_name
from nashgap.strategies.bot import Bot, GivenBot

__all__ = ["MatchJob", "make_log_folder", "write_logs"]

TRIAL_SECONDS = 0.05
ASKED_DEALS_PER_BATCH = 100
CORRECTED_DEALS_PER_BATCH = 1_000


@dataclass(frozen=True, kw_only=True)
class MatchJob(DealsJob):
    """A match, complete. N agents, as many as the game has seats.

    agents:          `[N]` who plays.
    deals:           in match mode a multiple of `hands_per_match`.
    hands_per_match: 1: agents remember nothing; more: match mode.
    has_log:         whether batches keep their hands, as lines of a log for each seating.
    variance:        which luck is taken off beside what was won: `none`, `chance` or `aivat`.
    """

    kind: ClassVar[str] = "match"

    agents: tuple[Bot, ...]
    hands_per_match: int = 1
    has_log: bool = False
    variance: str = "none"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.agents) != self.rules.num_seats:
            name, number = self.rules.name or "the game", len(self.agents)
            agents = "1 agent" if number == 1 else f"{number} agents"
            raise ConfigError(f"{agents}; {name} has {self.rules.num_seats} seats")
        players = [bot.given for bot in self.agents if isinstance(bot, GivenBot) and hasattr(bot.given, "act")]
        if len({id(player) for player in players}) < len(players):
            raise ConfigError("one agent is given twice; two places need two objects, or a name")
        match = self.match  # refuses what cannot be played
        if self.deals % self.hands_per_match:
            raise ConfigError(
                f"deals = {self.deals}; a multiple of the {self.hands_per_match} hands of a match is needed"
            )
        if self.deals < 2 * self.hands_per_match:
            raise ConfigError(f"deals = {self.deals}; an interval needs at least {2 * self.hands_per_match}")
        usual = min(getattr(agent, "deals_per_batch", ASKED_DEALS_PER_BATCH) for agent in match.players)
        if match.luck is not None:
            usual = min(usual, CORRECTED_DEALS_PER_BATCH)
        matches = max(1, (self.batch_deals or usual) // self.hands_per_match)
        object.__setattr__(self, "batch_deals", matches * self.hands_per_match)

    @property
    def bots(self) -> tuple[Bot, ...]:
        return self.agents

    @cached_property
    def match(self) -> Match:
        players = tuple(load_agent(bot, self.rules) for bot in self.agents)
        names = tuple(bot.text for bot in self.agents)
        return Match(self.rules, players, names, self.seed, self.hands_per_match, self.has_log, self.variance)

    @property
    def num_seatings(self) -> int:
        return int(duplicate_seatings(self.rules.num_seats, self.seed, 0, 1).shape[1])

    def command(self, found: MatchResult) -> str | None:
        """In a game that is shipped."""
        if not self.rules.is_shipped or any(not bot.is_named for bot in self.agents):
            return None
        words = ["nashgap", "match", *(bot.text for bot in self.agents), "--game", self.rules.name]
        words += ["--deals", str(self.deals)]
        words += ["--match-hands", str(self.hands_per_match)] if self.hands_per_match > 1 else []
        words += ["--variance", self.variance] if self.variance != "none" else []
        return shlex.join([*words, "--seed", str(self.seed)])

    def expected_seconds(self) -> float | None:
        """None with somebody's own agents, which are not asked to play for a trial, and where luck is taken off."""
        if not self.match.is_native or self.match.luck is not None:
            return None
        trial = replace(self.match, hands_per_match=1, has_log=False)
        play_matches(trial, 0, 1)  # pays for what happens only once
        num_deals, num_next, spent = 0, 2, 0.0
        begin = time.perf_counter()
        while spent < TRIAL_SECONDS:
            play_matches(trial, num_deals, num_next)
            num_deals, num_next = num_deals + num_next, 2 * num_next
            spent = time.perf_counter() - begin
        return self.deals * spent / num_deals

    def run_batch(self, index: int) -> dict[str, Any]:
        first, number = self.batch_range(index)
        return play_matches(self.match, first // self.hands_per_match, number // self.hands_per_match)

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> MatchResult:
        result = self._combined(batches)
        steps = [step for step in curve_steps(len(batches)) if sum(each["matches"] for each in batches[:step]) > 1]
        parts = [self._combined(batches[:step]) for step in steps]
        logs = (
            tuple(
                tuple(line for batch in batches for line in batch["log"][seating]) for seating in range(result.seatings)
            )
            if self.has_log
            else ()
        )
        course = tuple((part.deals, part.winrates, part.ci95) for part in parts)
        return replace(result, course=course, logs=logs)

    def _combined(self, batches: Sequence[Mapping[str, Any]]) -> MatchResult:
        names = self.match.names
        return combine_tallies(
            self.rules,
            names,
            batches,
            seed=self.seed,
            hands_per_match=self.hands_per_match,
            variance=self.variance,
        )


def make_log_folder(folder: Path) -> None:
    """Before a match is played, to know that its logs can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror}") from error


def write_logs(result: MatchResult, folder: Path, name: str) -> list[Path]:
    """One log for each seating, as the competition's dealer writes them."""
    make_log_folder(folder)
    paths = []
    names = tuple(map(log_name, distinct_names(result.agents)))
    for seating, hands in enumerate(result.logs):
        path = folder / f"{name}.{seating}.log"
        header = header_line(path.stem, result.game, result.deals, result.seed)
        score = score_line(_chips_won(hands, names), names)
        write_atomically(path, ["\n".join([header, *hands, score]).encode(), b"\n"])
        paths.append(path)
    return paths


def _chips_won(hands: Sequence[str], names: Sequence[str]) -> list[float]:
    """What each player has won in the hands of a log; exact but for the six decimals that a log has."""
    won = dict.fromkeys(names, 0.0)
    for line in hands:
        *_, payoffs, players = line.split(":")
        for player, chips in zip(players.split("|"), payoffs.split("|"), strict=True):
            won[player] += float(chips)
    return list(won.values())
