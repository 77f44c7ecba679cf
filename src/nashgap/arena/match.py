"""Duplicate matches: the same cards in every seating, so that luck cancels (Abou Risk 2009, sections 2.5.3 and 3.5.1).

A deal is played once in each seating. What an agent wins on it, averaged over the seatings, is one sample; mean and
interval are over deals. Agents forget everything between two hands. In match mode (`hands_per_match`) they keep their
memory for a match of that many hands, which is repeated whole in each seating with the button moving on after each
hand, as in the competition; then a sample is a match.

Hands between agents of the engine are played there, others in Python; both use the same cards and streams, named by
(seed, deal, seating, seat), and give the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from nashgap import _native
from nashgap.agents.agent import Agent, NativeAgent
from nashgap.agents.named import distinct_names, load_agent
from nashgap.arena.duplicate import duplicate_seatings
from nashgap.arena.table import SeatGenerators, deal_cards, play_hand
from nashgap.core.job import require_seed
from nashgap.errors import ConfigError
from nashgap.poker.notation import log_line, log_name, sequence_text
from nashgap.poker.rules import PokerRules, parse_rules
from nashgap.strategies.spec import as_bot, file_word

__all__ = ["BLOCKS_PER_BATCH", "MatchJob", "play_batch"]

BLOCKS_PER_BATCH = 20
"""A batch tells its winnings in so many parts, for resampling."""

MOST_MATCH_HANDS = 1_000_000  # the engine deals the cards of a match beforehand


@dataclass(frozen=True)
class MatchJob:
    """A match, complete. N agents, as many as the game has seats.

    agents:          `[N]` specs; see `nashgap.agents.named`.
    deals:           each is played in every seating; in match mode a multiple of `hands_per_match`.
    hands_per_match: 1: agents remember nothing; more: match mode.
    has_log:         whether batches keep their hands, as lines of a log for each seating.
    batch_deals:     deals in a batch, about; None: as many as take about a second.
    given:           `[N]` the agents themselves, where they are no specs; such a match is played in this process only.
    """

    rules: PokerRules
    agents: tuple[str, ...]
    deals: int
    seed: int = 0
    hands_per_match: int = 1
    has_log: bool = False
    batch_deals: int | None = None
    given: tuple[Agent, ...] = field(default=(), repr=False, compare=False)
    kind: str = field(default="match", init=False)

    def __post_init__(self) -> None:
        if len(self.agents) != self.rules.num_seats:
            name = self.rules.name or "the game"
            raise ConfigError(f"{len(self.agents)} agents; {name} has {self.rules.num_seats} seats")
        require_seed(self.seed)
        if not 1 <= self.hands_per_match <= MOST_MATCH_HANDS:
            raise ConfigError(f"hands per match = {self.hands_per_match}; 1 to {MOST_MATCH_HANDS:,} are allowed")
        if self.deals % self.hands_per_match:
            raise ConfigError(
                f"hands = {self.deals}; a multiple of the {self.hands_per_match} hands of a match is needed"
            )
        if self.deals < 2 * self.hands_per_match:
            raise ConfigError(f"hands = {self.deals}; an interval needs at least {2 * self.hands_per_match}")
        for agent in self.players:
            if getattr(agent, "is_external", False) and self.hands_per_match == 1:
                raise ConfigError(
                    f"{agent.name} keeps its memory between hands; give it whole matches, of 1000 hands, say"
                )

    @property
    def name(self) -> str:
        names = dict.fromkeys(self.agents)  # each once
        return f"match-{self.rules.name or 'game'}-{'-'.join(file_word(agent) for agent in names)}"[:80]

    def identity(self) -> dict[str, Any]:
        whole_batches = self.deals % self.deals_per_batch == 0
        return {
            "game": self.rules.to_text(),
            "game_name": self.rules.name,
            "agents": list(self.agents),
            "agent_files": {agent: digest for agent in self.agents if (digest := as_bot(agent).digest)},
            "seed": self.seed,
            "hands_per_match": self.hands_per_match,
            "has_log": self.has_log,
            "batch_deals": self.deals_per_batch,
            # A last batch that is cut short cannot be continued.
            "deals": None if whole_batches else self.deals,
        }

    def budget(self) -> dict[str, Any]:
        return {"deals": self.deals}

    @classmethod
    def from_config(cls, identity: Mapping[str, Any], budget: Mapping[str, Any], folder: Path | None = None) -> Self:
        return cls(
            rules=parse_rules(identity["game"], identity["game_name"]),
            agents=tuple(identity["agents"]),
            deals=budget["deals"],
            seed=identity["seed"],
            hands_per_match=identity["hands_per_match"],
            has_log=identity["has_log"],
            batch_deals=identity["batch_deals"],
        )

    @cached_property
    def players(self) -> tuple[Agent, ...]:
        return self.given or tuple(load_agent(agent, self.rules) for agent in self.agents)

    @cached_property
    def matches_per_batch(self) -> int:
        """About a second of work, whatever the number of workers."""
        deals = self.batch_deals or min(getattr(agent, "deals_per_batch", 100) for agent in self.players)
        return max(1, deals // self.hands_per_match)

    @property
    def deals_per_batch(self) -> int:
        return self.matches_per_batch * self.hands_per_match

    @property
    def num_batches(self) -> int:
        return -(-self.deals // self.deals_per_batch)

    def describe_batch(self, index: int) -> str:
        first = index * self.deals_per_batch
        return f"deals {first + 1:,} to {min(first + self.deals_per_batch, self.deals):,}"

    def run_batch(self, index: int) -> dict[str, Any]:
        first = index * self.matches_per_batch
        num_matches = min(self.matches_per_batch, self.deals // self.hands_per_match - first)
        return play_batch(self, first, num_matches)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in ("players", "matches_per_batch")}


def play_batch(job: MatchJob, first_match: int, num_matches: int) -> dict[str, Any]:
    """The tally of these matches, JSON-able. Chips are exact, in shares of a chip (`_native.CHIP_SHARES`).

    payoffs:   `[N]` of each agent.
    products:  `[N, N]` products of what two agents won in a match, added up, in chips; the diagonal has the squares.
    squares:   `[N]` squared payoffs of single hands, added up, in chips.
    counts:    `[N, NUM_COUNTS]` of `Behaviour`.
    sequences: hands by the betting before the flop up to its first fold; `heads_up_sequences`: only those in which two
               seats play on after it.
    blocks:    `[up to BLOCKS_PER_BATCH, N + 1]` number of matches and payoffs of each part of the batch.
    """
    seatings = duplicate_seatings(job.rules.num_seats, job.seed, first_match, num_matches)
    tally = _Tally(job, first_match, num_matches, seatings)
    if all(isinstance(player, NativeAgent) for player in job.players):
        tally.play_natively()
    else:
        tally.play_in_python()
    chips = tally.match_payoffs / _native.CHIP_SHARES
    parts = np.array_split(tally.match_payoffs, min(BLOCKS_PER_BATCH, num_matches))
    return {
        "matches": num_matches,
        "seatings": seatings.shape[1],
        "payoffs": tally.match_payoffs.sum(axis=0).tolist(),
        "products": (chips.T @ chips).tolist(),
        "squares": tally.hand_squares.tolist(),
        "counts": tally.counts.tolist(),
        "sequences": dict(sorted(tally.sequences.items())),
        "heads_up_sequences": dict(sorted(tally.heads_up_sequences.items())),
        "blocks": [[len(part), *part.sum(axis=0).tolist()] for part in parts],
        **({"log": tally.log} if job.has_log else {}),
    }


class _Tally:
    """The sums of a batch. M matches, S seatings, N agents."""

    def __init__(self, job: MatchJob, first_match: int, num_matches: int, seatings: np.ndarray) -> None:
        size = job.rules.num_seats
        self.job = job
        self.first_match = first_match
        self.seatings = seatings
        self.match_payoffs = np.zeros((num_matches, size), dtype=np.int64)
        self.hand_squares = np.zeros(size)
        self.counts = np.zeros((size, _native.NUM_COUNTS), dtype=np.int64)
        self.sequences: Counter[str] = Counter()
        self.heads_up_sequences: Counter[str] = Counter()
        self.names = tuple(map(log_name, distinct_names(job.agents)))
        self.log: list[list[str]] = [[] for _ in range(seatings.shape[1])]

    def play_natively(self) -> None:
        job, (num_matches, size) = self.job, self.match_payoffs.shape
        shape = (num_matches, self.seatings.shape[1], job.hands_per_match, size)
        hand_payoffs = np.zeros(shape, dtype=np.int64) if job.has_log else None
        codes, betting = _native.play_matches(
            job.rules.native,
            [player.native for player in job.players if isinstance(player, NativeAgent)],
            job.seed,
            self.first_match,
            job.hands_per_match,
            self.seatings,
            self.match_payoffs,
            self.hand_squares,
            self.counts,
            hand_payoffs,
        )
        for code, (num_hands, num_heads_up) in codes.items():
            self._count_sequence(code, num_hands, num_heads_up)
        if hand_payoffs is not None:
            payoffs = hand_payoffs.reshape(-1, size) / _native.CHIP_SHARES
            for (match, seating, hand), text, chips in zip(self._hands(), betting, payoffs, strict=True):
                self._log_hand(match, seating, hand, text, chips)

    def play_in_python(self) -> None:
        job, players = self.job, self.job.players
        generators = SeatGenerators(job.seed)
        for match, seating, hand in self._hands():
            if hand == 0:
                for player in players:
                    player.start_match(job.rules)
            number = self._deal_number(match, hand)
            agent_at = self._agents_at(match, seating, hand)
            at_seat = [players[agent] for agent in agent_at]
            for seat, player in enumerate(at_seat):
                player.start_hand(seat, generators.at(number, seating, seat))
            played = play_hand(job.rules, at_seat, deal_cards(job.rules, job.seed, number), number)
            shares = [round(chips * _native.CHIP_SHARES) for chips in played.payoffs]
            code, is_heads_up = _native.count_hand(played.state.native, shares, agent_at, self.counts)
            self._count_sequence(code, 1, int(is_heads_up))
            for agent, share in zip(agent_at, shares, strict=True):
                self.match_payoffs[match, agent] += share
                self.hand_squares[agent] += (share / _native.CHIP_SHARES) ** 2
            if job.has_log:
                self._log_hand(match, seating, hand, played.state.betting, played.payoffs)

    def _count_sequence(self, code: int, num_hands: int, num_heads_up: int) -> None:
        text = sequence_text(code)
        self.sequences[text] += num_hands
        if num_heads_up:
            self.heads_up_sequences[text] += num_heads_up

    def _hands(self) -> Iterator[tuple[int, int, int]]:
        """(match, seating, hand) in the order of play."""
        for match in range(len(self.match_payoffs)):
            for seating in range(self.seatings.shape[1]):
                for hand in range(self.job.hands_per_match):
                    yield match, seating, hand

    def _deal_number(self, match: int, hand: int) -> int:
        return (self.first_match + match) * self.job.hands_per_match + hand

    def _agents_at(self, match: int, seating: int, hand: int) -> list[int]:
        order = self.seatings[match if len(self.seatings) > 1 else 0, seating]
        return [int(agent) for agent in np.roll(order, -hand)]

    def _log_hand(self, match: int, seating: int, hand: int, betting: str, payoffs: Sequence[float]) -> None:
        rules, number = self.job.rules, self._deal_number(match, hand)
        deal = deal_cards(rules, self.job.seed, number)
        names = [self.names[agent] for agent in self._agents_at(match, seating, hand)]
        self.log[seating].append(log_line(rules, number, betting, deal.hole_cards, deal.board, payoffs, names))
