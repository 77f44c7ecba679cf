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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.agents.agent import Agent, NativeAgent
from nashgap.agents.named import distinct_names
from nashgap.arena.duplicate import duplicate_seatings
from nashgap.arena.luck import NO_VARIANCE, LearnedValues, Luck, terms_of
from nashgap.arena.table import SeatGenerators, deal_cards, play_hand
from nashgap.errors import ConfigError
from nashgap.measures.aivat import PlayedHands
from nashgap.poker.notation import log_line, log_name, sequence_text
from nashgap.poker.rules import PokerRules

__all__ = ["BLOCKS_PER_BATCH", "Match", "play_matches"]

BLOCKS_PER_BATCH = 20
"""A batch tells its winnings in so many parts, for resampling."""

MOST_MATCH_HANDS = 1_000_000  # the engine deals the cards of a match beforehand


@dataclass(frozen=True)
class Match:
    """Who plays what, and how. N agents, as many as the game has seats.

    players:         `[N]` the agents, `names`: `[N]` what they are called.
    hands_per_match: 1: agents remember nothing; more: match mode.
    has_log:         whether hands are kept, as lines of a log for each seating.
    variance:        which luck is taken off beside what was won: `none`, or a name of the catalogue.
    learned:         values by which it is taken off; None: learned from hands of these players.
    """

    rules: PokerRules
    players: tuple[Agent, ...]
    names: tuple[str, ...]
    seed: int = 0
    hands_per_match: int = 1
    has_log: bool = False
    variance: str = NO_VARIANCE
    learned: LearnedValues | None = None

    def __post_init__(self) -> None:
        terms_of(self.variance)  # refuses what it does not know
        if len(self.players) != self.rules.num_seats:
            name, number = self.rules.name or "the game", len(self.players)
            agents = "1 agent" if number == 1 else f"{number} agents"
            raise ConfigError(f"{agents}; {name} has {self.rules.num_seats} seats")
        if not 1 <= self.hands_per_match <= MOST_MATCH_HANDS:
            raise ConfigError(f"hands per match = {self.hands_per_match}; 1 to {MOST_MATCH_HANDS:,} are allowed")
        for agent in self.players:
            if getattr(agent, "is_external", False) and self.hands_per_match == 1:
                raise ConfigError(
                    f"{agent.name} keeps its memory between hands; give it whole matches, of 1000 hands, say"
                )

    @cached_property
    def luck(self) -> Luck | None:
        """What takes it off; None where it stays. ConfigError where nobody's strategy is known that must be."""
        terms = terms_of(self.variance)
        if terms is None:
            return None
        learned = self.learned or LearnedValues(self.rules, [self.players], self.seed)
        return Luck(self.rules, self.players, terms, self.seed, learned)

    @property
    def is_native(self) -> bool:
        """Whether all are agents of the engine."""
        return all(isinstance(player, NativeAgent) for player in self.players)


def play_matches(match: Match, first_match: int, num_matches: int) -> dict[str, Any]:
    """The tally of these matches, JSON-able. Chips are exact, in shares of a chip (`_native.CHIP_SHARES`).

    payoffs:   `[N]` of each agent.
    products:  `[N, N]` products of what two agents won in a match, added up, in chips; the diagonal has the squares.
    squares:   `[N]` squared payoffs of single hands, added up, in chips.
    counts:    `[N, NUM_COUNTS]` of `Behaviour`.
    sequences: hands by the betting before the flop up to its first fold; `heads_up_sequences`: only those in which two
               seats play on after it.
    blocks:    `[up to BLOCKS_PER_BATCH, N + 1]` number of matches and payoffs of each part of the batch.
    corrected: where luck is taken off, `payoffs`, `products`, `squares` and `blocks` without it, all in chips.
    """
    seatings = duplicate_seatings(match.rules.num_seats, match.seed, first_match, num_matches)
    tally = _Tally(match, first_match, num_matches, seatings)
    if match.is_native:
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
        **({"log": tally.log} if match.has_log else {}),
        **({"corrected": tally.without_luck(match.luck)} if match.luck is not None else {}),
    }


class _Tally:
    """The sums of a batch. M matches, S seatings, N agents."""

    def __init__(self, match: Match, first_match: int, num_matches: int, seatings: np.ndarray) -> None:
        size = match.rules.num_seats
        self.match = match
        self.first_match = first_match
        self.seatings = seatings
        self.match_payoffs = np.zeros((num_matches, size), dtype=np.int64)
        self.hand_squares = np.zeros(size)
        self.counts = np.zeros((size, _native.NUM_COUNTS), dtype=np.int64)
        self.sequences: Counter[str] = Counter()
        self.heads_up_sequences: Counter[str] = Counter()
        self.names = tuple(map(log_name, distinct_names(match.names)))
        self.log: list[list[str]] = [[] for _ in range(seatings.shape[1])]
        self.betting: list[str] = []  # of each hand, and what each seat won, where somebody asks for them
        self.payoffs: list[Sequence[float]] = []

    def play_natively(self) -> None:
        setup, (num_matches, size) = self.match, self.match_payoffs.shape
        shape = (num_matches, self.seatings.shape[1], setup.hands_per_match, size)
        has_hands = setup.has_log or setup.luck is not None
        hand_payoffs = np.zeros(shape, dtype=np.int64) if has_hands else None
        codes, betting = _native.play_matches(
            setup.rules.native,
            [player.native for player in setup.players if isinstance(player, NativeAgent)],
            setup.seed,
            self.first_match,
            setup.hands_per_match,
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
            self.betting, self.payoffs = betting, list(payoffs)
            if setup.has_log:
                for (match, seating, hand), text, chips in zip(self._hands(), betting, payoffs, strict=True):
                    self._log_hand(match, seating, hand, text, chips)

    def play_in_python(self) -> None:
        setup, players = self.match, self.match.players
        generators = SeatGenerators(setup.seed)
        for match, seating, hand in self._hands():
            if hand == 0:
                for player in players:
                    player.start_match(setup.rules)
            number = self._deal_number(match, hand)
            agent_at = self._agents_at(match, seating, hand)
            at_seat = [players[agent] for agent in agent_at]
            for seat, player in enumerate(at_seat):
                player.start_hand(seat, generators.at(number, seating, seat))
            played = play_hand(setup.rules, at_seat, deal_cards(setup.rules, setup.seed, number), number)
            shares = [round(chips * _native.CHIP_SHARES) for chips in played.payoffs]
            code, is_heads_up = _native.count_hand(played.state.native, shares, agent_at, self.counts)
            self._count_sequence(code, 1, int(is_heads_up))
            for agent, share in zip(agent_at, shares, strict=True):
                self.match_payoffs[match, agent] += share
                self.hand_squares[agent] += (share / _native.CHIP_SHARES) ** 2
            if setup.luck is not None:
                self.betting.append(played.state.betting)
                self.payoffs.append(played.payoffs)
            if setup.has_log:
                self._log_hand(match, seating, hand, played.state.betting, played.payoffs)

    def without_luck(self, luck: Luck) -> dict[str, Any]:
        """What `play_matches` tells of the corrected hands."""
        hands = list(self._hands())
        agents = np.array([self._agents_at(*hand) for hand in hands], dtype=np.int8)
        deals = [self._deal_number(match, hand) for match, _, hand in hands]
        rules, seed = self.match.rules, self.match.seed
        cards = {deal: _native.deal_cards(rules.native, seed, deal) for deal in set(deals)}
        names = np.array([(deal, seating) for deal, (_, seating, _) in zip(deals, hands, strict=True)], dtype=np.int64)
        dealt = np.array([cards[deal] for deal in deals], dtype=np.uint8)
        by_seat = luck.correct(PlayedHands(dealt, self.betting, agents, np.array(self.payoffs), names))
        chips = np.empty_like(by_seat)
        np.put_along_axis(chips, agents.astype(np.int64), by_seat, axis=1)
        num_matches = len(self.match_payoffs)
        by_match = chips.reshape(num_matches, -1, chips.shape[1]).sum(axis=1)
        parts = np.array_split(by_match, min(BLOCKS_PER_BATCH, num_matches))
        return {
            "payoffs": by_match.sum(axis=0).tolist(),
            "products": (by_match.T @ by_match).tolist(),
            "squares": (chips**2).sum(axis=0).tolist(),
            "blocks": [[len(part), *part.sum(axis=0).tolist()] for part in parts],
        }

    def _count_sequence(self, code: int, num_hands: int, num_heads_up: int) -> None:
        text = sequence_text(code)
        self.sequences[text] += num_hands
        if num_heads_up:
            self.heads_up_sequences[text] += num_heads_up

    def _hands(self) -> Iterator[tuple[int, int, int]]:
        """(match, seating, hand) in the order of play."""
        for match in range(len(self.match_payoffs)):
            for seating in range(self.seatings.shape[1]):
                for hand in range(self.match.hands_per_match):
                    yield match, seating, hand

    def _deal_number(self, match: int, hand: int) -> int:
        return (self.first_match + match) * self.match.hands_per_match + hand

    def _agents_at(self, match: int, seating: int, hand: int) -> list[int]:
        order = self.seatings[match if len(self.seatings) > 1 else 0, seating]
        return [int(agent) for agent in np.roll(order, -hand)]

    def _log_hand(self, match: int, seating: int, hand: int, betting: str, payoffs: Sequence[float]) -> None:
        rules, number = self.match.rules, self._deal_number(match, hand)
        deal = deal_cards(rules, self.match.seed, number)
        names = [self.names[agent] for agent in self._agents_at(match, seating, hand)]
        self.log[seating].append(log_line(rules, number, betting, deal.hole_cards, deal.board, payoffs, names))
