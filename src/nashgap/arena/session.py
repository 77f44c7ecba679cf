"""A sitting at the table: a person against agents, hand after hand, with the score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from nashgap.agents.agent import Agent
from nashgap.agents.human import HumanAgent, LeaveTable
from nashgap.agents.named import distinct_names, load_agent
from nashgap.arena.acpc.log import MatchLog
from nashgap.arena.table import deal_cards, play_hand, seat_generator
from nashgap.core.job import require_seed
from nashgap.errors import ConfigError
from nashgap.poker.notation import HandRecord, log_name
from nashgap.poker.protocol import shown_cards
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import View
from nashgap.poker.table_words import YOU, shown_chips
from nashgap.strategies.bot import Bot

__all__ = ["Session", "SessionScreen", "SessionSetup", "players_at", "signed_chips", "usual_opponent"]


class SessionScreen(Protocol):
    """Where a sitting is shown."""

    def say(self, line: str = "", style: str = "") -> None: ...

    def answer(self, line: str) -> None: ...

    def start_hand(self, hand_number: int, names: Sequence[str]) -> None: ...

    def end_hand(self, hand: HandRecord) -> None: ...


@dataclass(frozen=True)
class SessionSetup:
    """Who plays what.

    opponents: one for all other seats, or one for each.
    seat:      of the person in the first hand, 0-based; the button moves on after each hand. None: the button.
    hands:     that are played; None: until the person leaves.
    """

    rules: PokerRules
    opponents: tuple[Bot, ...]
    seat: int | None = None
    hands: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        seats = self.rules.num_seats
        if self.seat is not None and not 0 <= self.seat < seats:
            raise ConfigError(f"seat {self.seat + 1}; {self.rules.name or 'the game'} has seats 1 to {seats}")
        if self.hands is not None and self.hands < 1:
            raise ConfigError(f"hands = {self.hands}; at least 1 is needed")
        require_seed(self.seed)
        if len(self.opponents) not in (1, seats - 1):
            raise ConfigError(
                f"{len(self.opponents)} opponents; {self.rules.name or 'the game'} has {seats - 1} other seats"
            )

    def agents(self) -> list[Agent]:
        bots = self.opponents * (self.rules.num_seats - 1) if len(self.opponents) == 1 else self.opponents
        return [load_agent(bot, self.rules) for bot in bots]


class Session:
    """The hands of one sitting. The person is player 0; player i sits in seat (i + own seat - hand) of a hand.

    ask: the person's answer to a view and the choices there; raises `LeaveTable` to leave.
    """

    def __init__(self, setup: SessionSetup, ask: Callable[[View, str], str], screen: SessionScreen) -> None:
        opponents = setup.agents()
        self.setup = setup
        self._screen = screen
        self._own_seat = setup.rules.num_seats - 1 if setup.seat is None else setup.seat
        self._players: list[Agent] = [HumanAgent(ask, screen.answer), *opponents]
        self._names = [YOU, *distinct_names([opponent.name for opponent in opponents])]
        self._chips = [0.0] * len(self._players)
        self._num_hands = 0

    def play(self, log: MatchLog) -> None:
        """Until all hands are played or the person leaves; an unfinished hand does not count."""
        for player in self._players:
            player.start_match(self.setup.rules)
        logged_names = [log_name(name) for name in ["human", *self._names[1:]]]
        try:
            while self.setup.hands is None or self._num_hands < self.setup.hands:
                log.hand(self._play_hand(logged_names))
        except (LeaveTable, KeyboardInterrupt):
            self._screen.say("\n  you leave; the hand does not count")
        finally:
            for player in self._players:
                if hasattr(player, "close"):
                    player.close()  # a program of its own
        if self._num_hands > 0:
            log.score(self._chips, logged_names)

    def score_lines(self) -> list[str]:
        """The score of everybody, after a line that says after how many hands."""
        if self._num_hands == 0:
            return ["no hand was finished"]
        width = max(map(len, self._names))
        scores = [f"  {name:<{width}}  {self._score_of(player)}" for player, name in enumerate(self._names)]
        return [f"score after {self._counted_hands()}", *scores]

    def _play_hand(self, logged_names: list[str]) -> HandRecord:
        rules, seed = self.setup.rules, self.setup.seed
        number = self._num_hands
        player_at = players_at(rules.num_seats, number, self._own_seat)
        at_seat = [self._players[player] for player in player_at]
        for seat, player in enumerate(at_seat):
            player.start_hand(seat, seat_generator(seed, number, 0, seat))
        self._screen.start_hand(number + 1, [self._names[player] for player in player_at])
        played = play_hand(rules, at_seat, deal_cards(rules, seed, number), number)
        own_seat = player_at.index(0)
        self._screen.end_hand(replace(played, hole_cards=shown_cards(played.state, played.hole_cards, own_seat)))
        for place, chips in zip(player_at, played.payoffs, strict=True):
            self._chips[place] += chips
        self._num_hands += 1
        won = signed_chips(played.payoffs[own_seat])
        self._screen.say(f"  this hand {won}; after {self._counted_hands()} {self._score_of(0)}")
        return replace(played, players=tuple(logged_names[player] for player in player_at))

    def _score_of(self, player: int) -> str:
        rules = self.setup.rules
        rate = self._chips[player] / rules.unit_chips / self._num_hands
        decimals = 0 if rules.unit.startswith("mbb") else 3
        return f"{signed_chips(self._chips[player])} chips, {rate:+.{decimals}f} {rules.unit}"

    def _counted_hands(self) -> str:
        return f"{self._num_hands} hand{'' if self._num_hands == 1 else 's'}"


def usual_opponent(rules: PokerRules) -> str:
    """Who sits there unless told."""
    return "poki" if rules.is_holdem and rules.num_seats <= 6 else "probe"


def players_at(num_seats: int, hand: int, first_seat: int) -> list[int]:
    """`[N]` who sits in each seat of a hand (0-based): player 0 in `first_seat` first, and then the button moves on."""
    return [(seat - first_seat + hand) % num_seats for seat in range(num_seats)]


def signed_chips(chips: float) -> str:
    """`+1,500`, `0`, `-2.5`."""
    return f"{'+' if chips > 0 else ''}{shown_chips(chips)}"
