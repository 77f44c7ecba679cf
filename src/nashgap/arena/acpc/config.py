"""A match at the dealer, complete."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nashgap.core.job import LARGEST_SEED
from nashgap.errors import ConfigError
from nashgap.poker.rules import PokerRules

__all__ = ["DealerConfig"]

MAX_HANDS = 10**9
MAX_PORT = 2**16 - 1
SECONDS_PER_HAND = 7.0  # of a match: what the competition gives


@dataclass(frozen=True)
class DealerConfig:
    """N players, as many as the game has seats. Hand h is deal h of the in-process match with the same seed; player
    (s + h) mod N sits at seat s.

    names:              `[N]` different words; p1, p2, ... if none are given.
    ports:              `[N]` 0 takes any free one; all are 0 if none are given.
    host:               the address to listen at; the default admits nobody from outside this machine.
    seconds_per_action: time that a player has for one answer.
    seconds_per_hand:   for all its answers in a hand.
    seconds_per_match:  for all its answers; 7 seconds a hand if not given.
    startup_seconds:    for all players to connect.
    log_path:           match log; written over.
    transcript_path:    every message to and from the players with its time; written over.
    name:               of the match, for the log.
    """

    rules: PokerRules
    num_hands: int
    seed: int = 0
    names: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    host: str = "127.0.0.1"
    seconds_per_action: float = 600.0
    seconds_per_hand: float = 600.0
    seconds_per_match: float | None = None
    startup_seconds: float = 60.0
    log_path: Path | None = None
    transcript_path: Path | None = None
    name: str = "match"

    def __post_init__(self) -> None:
        for problem in _problems(self):
            raise ConfigError(problem)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """`[N]` names."""
        return self.names or tuple(f"p{number + 1}" for number in range(self.rules.num_seats))

    @cached_property
    def match_seconds(self) -> float:
        return SECONDS_PER_HAND * self.num_hands if self.seconds_per_match is None else self.seconds_per_match


def _problems(config: DealerConfig) -> Iterator[str]:
    seats = config.rules.num_seats
    if not 1 <= config.num_hands <= MAX_HANDS:
        yield f"hands = {config.num_hands}; 1 to {MAX_HANDS} are allowed"
    if not 0 <= config.seed <= LARGEST_SEED:
        yield f"seed = {config.seed}; it must be a whole number from 0 to {LARGEST_SEED}"
    if config.names and len(config.names) != seats:
        yield f"{len(config.names)} names; the game has {seats} players"
    if config.ports and len(config.ports) != seats:
        yield f"{len(config.ports)} ports; the game has {seats} players"
    for name in (*config.names, config.name):
        if not name or not name.isascii() or not name.isprintable() or set(name) & set(":| "):
            yield f"name {name!r}; a name is ASCII without spaces, ':' and '|', which have a meaning in the log"
    if len(set(config.names)) < len(config.names):
        yield f"names {', '.join(config.names)}; they must differ"
    for port in config.ports:
        if not 0 <= port <= MAX_PORT:
            yield f"port {port}; 1 to {MAX_PORT} are allowed, and 0 for any free one"
    chosen = [port for port in config.ports if port]
    if len(set(chosen)) < len(chosen):
        yield f"ports {', '.join(map(str, config.ports))}; each player needs its own"
    limits = {
        "action": config.seconds_per_action,
        "hand": config.seconds_per_hand,
        "match": config.match_seconds,
        "startup": config.startup_seconds,
    }
    for what, seconds in limits.items():
        if not (math.isfinite(seconds) and seconds > 0):
            yield f"{what} limit of {seconds} seconds; it must be more than 0"
