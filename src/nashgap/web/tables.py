"""A table: who sits there, its hands, and what is kept of them, so that it is still there after a kill.

A table is a run of kind `table`. Its config says what is played, by which bots, and the seed, which never leaves the
server: with the hand's number it is all cards. Its ledger has the players as batch 0, and the actions of hand n as
batch n, written before anybody is told of them. All else (states, scores, what an agent remembers) is found again by
playing the actions with the same cards and streams. What was told survives a kill of the server at any moment; when the
power fails, the last actions may be gone, and the hand stands where it stood before them. Hands are those of
`arena.session`: the same seed and actions give the same hands as in the terminal.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from random import SystemRandom
from threading import RLock
from time import monotonic, time_ns
from typing import Any, ClassVar

from nashgap.agents.agent import Agent
from nashgap.agents.human import parse_answer
from nashgap.agents.named import distinct_names, load_agent
from nashgap.arena.table import Deal, ask_agent, deal_due, seat_generator, tell_end
from nashgap.core.job import Job, Progress
from nashgap.errors import ConfigError, FileFormatError, IllegalActionError, NashGapError
from nashgap.poker.notation import HandRecord, log_name
from nashgap.poker.protocol import shown_cards
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState
from nashgap.poker.table_words import YOU
from nashgap.runs import Run
from nashgap.strategies.bot import Bot
from nashgap.web.duplicate import BY_PERSON, LATER, NO_DUPLICATE, plan_hand, told_after

__all__ = ["CLOSE_SECONDS", "PERSON", "OpenHand", "Player", "Table", "TableJob", "first_sitting", "visitors_at"]

PERSON = "person"
"""Stands for a person in a line-up."""
SITTING = "players"  # the key of batch 0
PATIENCE_SECONDS = 0.5  # that a request waits for a table: of the server's threads there are forty
CLOSE_SECONDS = 3.0


@dataclass(frozen=True)
class TableJob(Job):
    """What a table is. N seats.

    line_up:   `[N]` the identity of the bot that each player is, as JSON; `person` for people. Player 0 made the table,
               unless it is anonymous.
    is_open:   whether agents' cards and strategies are told after each hand.
    has_coach: whether a coach may be asked.
    duplicate: whether deals come again, see `nashgap.web.duplicate`; `twin_of`: the table whose deals this one has.
    """

    kind: ClassVar[str] = "table"

    rules: PokerRules
    line_up: tuple[str, ...]
    seed: int
    is_anonymous: bool = False
    is_open: bool = False
    has_coach: bool = False
    duplicate: str = NO_DUPLICATE
    twin_of: str = ""

    @property
    def name(self) -> str:
        return f"table-{self.rules.name}"

    def inputs(self) -> dict[str, str]:
        return {}  # a server gives its own files to a table that it finds


@dataclass(frozen=True)
class Player:
    """Somebody at the table. visitor: who a person is, empty before one has come; agents have none."""

    name: str
    agent: Agent | None = None
    visitor: str = ""

    @property
    def is_missing(self) -> bool:
        return self.agent is None and not self.visitor


@dataclass(frozen=True)
class OpenHand:
    """A hand, going on or over. number: from 1. player_at: `[N]` who sits in each seat."""

    number: int
    state: PublicState
    deal: Deal
    player_at: tuple[int, ...]
    actions: tuple[Action, ...] = ()

    @property
    def player(self) -> int | None:
        """Who is to act; None when the hand is over."""
        return None if self.state.is_over else self.player_at[self.state.seat]

    def seat_of(self, player: int) -> int:
        return self.player_at.index(player)

    def record(self, names: Sequence[str]) -> HandRecord:
        """names: `[N]` of the players. The hand is over."""
        payoffs = self.state.payoffs(self.deal.hole_cards)
        by_seat = tuple(names[player] for player in self.player_at)
        return HandRecord(self.number - 1, self.state, self.deal.hole_cards, payoffs, by_seat)


class Table:
    """An open table; `close` it. Changes are made under its lock and told to `listeners`, which any thread may call.

    bots: `[N]` those of the line-up; None for people.
    """

    def __init__(self, run: Run, bots: Sequence[Bot | None]) -> None:
        self.identifier = run.config.run_id
        self.job = TableJob.from_config(run.config.identity, run.config.budget)
        self.listeners: set[Callable[[], None]] = set()
        self.version = time_ns() // 1_000_000  # of a page that is still open when a server is started again, too
        self.problem = ""
        self.is_finished = False
        self.ready: set[int] = set()
        self.players: list[Player] = []
        self.twin: Table | None = None
        self.lock = RLock()
        self._written = monotonic()
        self._open = ExitStack()
        try:
            self._open.enter_context(run.lock())
            self._ledger = self._open.enter_context(run.open_ledger(is_shared=True, is_quick=True))
            self._ledger.mend()
            self._load(bots)
        except BaseException:
            self._open.close()
            raise
        if self.is_finished:
            self.end_agents()
            self._open.close()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Under the lock. Who comes while an agent thinks is told so, and holds none of the server's threads."""
        if not self.lock.acquire(timeout=PATIENCE_SECONDS):
            raise IllegalActionError("an agent of this table is thinking; wait for its answer")
        try:
            yield
        finally:
            self.lock.release()

    @property
    def rules(self) -> PokerRules:
        return self.job.rules

    @property
    def is_waiting(self) -> bool:
        """Whether somebody has not come yet."""
        return any(player.is_missing for player in self.players)

    @property
    def names(self) -> list[str]:
        """`[N]` what the players are called, none as on the own screen; at an anonymous table by numbers."""
        if self.job.is_anonymous:
            return [f"Player {number + 1}" for number in range(len(self.players))]
        return list(distinct_names([YOU, *(player.name for player in self.players)]))[1:]

    def player_of(self, visitor: str) -> int | None:
        return next((n for n, player in enumerate(self.players) if visitor and player.visitor == visitor), None)

    def join(self, visitor: str, name: str) -> int:
        """Give a free seat to the visitor; one who has a seat keeps it."""
        with self.changing():
            if (sitting := self.player_of(visitor)) is not None:
                return sitting
            self._require_open()
            places = [number for number, player in enumerate(self.players) if player.is_missing]
            if not places:
                raise IllegalActionError("all seats of this table are taken")
            # In order, who comes first would know that nobody before that place is a person.
            free = SystemRandom().choice(places) if self.job.is_anonymous else places[0]
            players = list(self.players)
            players[free] = replace(players[free], name=name, visitor=visitor)
            self._save_players(players)
            self.players = players
            if not self.is_waiting and self.hand is None:
                self._deal_next()
            self._tell()
            return free

    def act(self, player: int, hand: int, step: int, answer: str) -> None:
        """Do what the player answers. hand, step: which decision is meant, so that nothing is done twice."""
        with self.changing():
            self._require_open()
            now = self.hand
            if now is None or now.player != player or (hand, step) != (now.number, len(now.actions)):
                raise IllegalActionError("it is not your turn, or the table has moved on")
            self._go_on(now, parse_answer(answer, now.state))

    def ask_next(self, player: int, hand: int) -> None:
        """The player is ready for the hand after this one, 0 before the first; it is dealt when all people are.

        While an agent has failed, it is asked again.
        """
        with self.changing():
            self._require_open()
            now = self.hand
            if hand != (0 if now is None else now.number) or self.is_waiting:
                raise IllegalActionError("the table has moved on")
            if now is not None and now.player is not None:
                if not self.problem:
                    raise IllegalActionError("this hand is not over")
                self._go_on(now, None)
                return
            self.ready.add(player)
            people = {number for number, each in enumerate(self.players) if each.agent is None}
            if people <= self.ready or self.problem:  # all have asked already
                self.ready.clear()
                self._deal_next()
            self._tell()

    def remark(self, player: int, hand: int, text: str) -> None:
        """Keep a remark of the player with the hand; an empty one takes it away."""
        with self.changing():
            self._require_open()
            found = self.hand if self.hand is not None and self.hand.number == hand else None
            found = found or next((each for each in self.finished if each.number == hand), None)
            if found is None:
                raise IllegalActionError(f"no hand {hand} was dealt at this table")
            remarks = {**self.remarks.get(hand, {}), player: text}
            self.remarks[hand] = {who: words for who, words in remarks.items() if words}
            self._save_hand(found)
            self._tell()

    def is_told(self, number: int) -> bool:
        """Whether all may be told of this hand: it is over, and so is every other hand with its deal.

        By `later` with those of its half block, or what is told already would say what comes.
        """
        if self.job.duplicate == LATER:
            return number >= 1 and told_after(self.rules.num_seats, number) <= len(self.finished)
        if self.job.duplicate == BY_PERSON and (self.twin is None or number > len(self.twin.finished)):
            return False
        return 1 <= number <= len(self.finished)

    def told_hand(self, number: int) -> OpenHand:
        """A hand of which all may be told; IllegalActionError."""
        if not 1 <= number <= len(self.finished):
            raise IllegalActionError(f"hand {number} is not over")
        if not self.is_told(number):
            raise IllegalActionError(f"hand {number}: its cards are not all played yet: nothing is told before")
        return self.finished[number - 1]

    def records_for(self, player: int, start: int = 0, end: int | None = None) -> list[HandRecord]:
        """The finished hands with the cards that the player has seen, and names that may stand in a log."""
        names = _log_names(self.names)
        records = [(hand.seat_of(player), hand.record(names)) for hand in self.finished[start:end]]
        return [replace(one, hole_cards=shown_cards(one.state, one.hole_cards, seat)) for seat, one in records]

    def finish(self) -> None:
        """Nobody plays here any more; the hands stay. The run is let go of: closed tables may be any number."""
        with self.changing():
            if not self.is_finished:
                self._ledger.set_finished(is_news=True)
                self.is_finished = True
                self.end_agents()
                self._open.close()
                self._tell()

    def close(self, patience: float = CLOSE_SECONDS) -> None:
        """Let go of the run; it goes on when the table is opened again. patience: seconds for an agent that thinks."""
        is_held = self.lock.acquire(timeout=patience)  # or it hangs
        try:
            self.end_agents()
            self._open.close()
        finally:
            if is_held:
                self.lock.release()

    def end_agents(self) -> None:
        """End programs of their own, and those of their strategies; who asks one again starts it anew."""
        for player in self.players:
            for each in (player.agent, getattr(player.agent, "strategy", None)):
                if each is not None and hasattr(each, "close"):
                    each.close()

    def _require_open(self) -> None:
        if self.is_finished:
            raise ConfigError("this table is closed")

    def _load(self, bots: Sequence[Bot | None]) -> None:
        """Everything as it was when it was last written."""
        kept = self._ledger.batches()
        self.is_finished = self._ledger.status == "finished"
        self.remarks: dict[int, dict[int, str]] = {}
        self.finished: list[OpenHand] = []
        self.totals: list[list[float]] = [[] for _ in bots]
        self.hand: OpenHand | None = None
        sitting = kept.pop(0, {}).get(SITTING)
        if sitting is None or len(sitting) != len(bots):
            raise FileFormatError(f"{self._ledger.path}: damaged: who sits at the table is not known")
        self.players = [
            Player(told["name"], None if bot is None else load_agent(bot, self.rules), told["visitor"])
            for bot, told in zip(bots, sitting, strict=True)
        ]
        for player in self.players:
            if player.agent is not None and not self.is_finished:
                player.agent.start_match(self.rules)
        if gone := sorted(set(range(1, max(kept, default=0))) - set(kept)):
            raise FileFormatError(f"{self._ledger.path}: damaged: hand {gone[0]} is gone, and others follow it")
        for number, told in sorted(kept.items()):
            self.remarks[number] = {int(who): words for who, words in told.get("remarks", {}).items()}
            self._play_again(number, told["actions"])
        if not self.is_finished and not self.is_waiting:
            if self.hand is None:
                self._deal_next()
            elif self.hand.player is not None:
                self._go_on(self.hand, None)

    def _play_again(self, number: int, actions: Sequence[Action]) -> None:
        """A stored hand, as it was played."""
        hand = start = self._dealt(number)
        for action in actions:
            hand = self._after(hand, action)
        self.hand = hand
        if hand.state.is_over:
            agents = self._agents_at(hand).items()
            # A program that plays would answer to all that it is told; its match begins anew.
            self._count(hand, {seat: agent for seat, agent in agents if not getattr(agent, "is_external", False)})
        else:
            self._ask_again(start, actions)

    def _ask_again(self, hand: OpenHand, actions: Sequence[Action]) -> None:
        """Bring streams and memories of agents to where they were; what was stored is what they did."""
        agents = self._agents_at(hand)
        for action in actions:
            if hand.state.seat in agents:
                with suppress(NashGapError):
                    ask_agent(agents[hand.state.seat], hand.state, hand.deal)
            hand = self._after(hand, action)

    def _dealt(self, number: int) -> OpenHand:
        """The hand before its first action; its agents have been told that it starts."""
        table = int(bool(self.job.twin_of))
        plan = plan_hand(self.rules, self.job.seed, number, self.job.duplicate, table)
        hand = OpenHand(number, deal_due(self.rules.root(), plan.deal), plan.deal, plan.player_at)
        for seat, agent in self._agents_at(hand).items():
            agent.start_hand(seat, seat_generator(self.job.seed, number - 1, table, seat))
        return hand

    def _agents_at(self, hand: OpenHand) -> dict[int, Agent]:
        """By seat; at a closed table nobody plays, and no program is started."""
        seated = {seat: self.players[player].agent for seat, player in enumerate(hand.player_at)}
        return {seat: agent for seat, agent in seated.items() if agent is not None and not self.is_finished}

    @staticmethod
    def _after(hand: OpenHand, action: Action) -> OpenHand:
        state = deal_due(hand.state.act(action), hand.deal)
        return replace(hand, state=state, actions=(*hand.actions, int(action)))

    def _deal_next(self) -> None:
        number = 1 if self.hand is None else self.hand.number + 1
        try:
            hand = self._dealt(number)
        except NashGapError as error:
            self._fail(None, error)
        else:
            self._go_on(hand, None)

    def _fail(self, player: int | None, error: NashGapError) -> None:
        """Tell that an agent fails, and why on the server's side alone: its own words may have its cards in them."""
        who = "an agent" if player is None or self.job.is_anonymous else self.names[player]
        self.problem = f"{who} cannot answer now"
        warnings.warn(f"table {self.identifier}: {error}", stacklevel=2)

    def _go_on(self, hand: OpenHand, action: Action | None) -> None:
        """After the action of a person, if there is one, up to the next person's turn or the end: kept, then told."""
        self.problem = ""
        agents = self._agents_at(hand)
        if action is not None:
            hand = self._after(hand, action)
        try:
            while not hand.state.is_over and hand.state.seat in agents:
                history = ask_agent(agents[hand.state.seat], hand.state, hand.deal).history
                hand = self._after(hand, [each for actions in history for each in actions][-1])
        except NashGapError as error:
            self._fail(hand.player, error)
        self._save_hand(hand)
        self.hand = hand
        if hand.state.is_over:
            self._count(hand, agents)
        self._tell()

    def _count(self, hand: OpenHand, agents: dict[int, Agent]) -> None:
        record = hand.record([player.name for player in self.players])
        with suppress(NashGapError):  # one that fails here fails when it is asked next
            tell_end(agents, record)
        self.finished.append(hand)
        for player, chips in zip(hand.player_at, record.payoffs, strict=True):
            self.totals[player].append(chips)
        if self.twin is not None:
            self.twin.wake()  # more may be told there now

    def _save_players(self, players: Sequence[Player]) -> None:
        self._save(0, {SITTING: [{"name": each.name, "visitor": each.visitor} for each in players]})

    def _save_hand(self, hand: OpenHand) -> None:
        self._save(hand.number, {"actions": list(hand.actions), "remarks": self.remarks.get(hand.number, {})})

    def _save(self, number: int, payload: dict[str, Any]) -> None:
        now = monotonic()
        spent, self._written = now - self._written, now
        done = Progress(len(self.finished), None, "hands")
        self._ledger.record_batches([(number, payload, 0.0)], progress=done, elapsed=spent)

    def _tell(self) -> None:
        self.version += 1
        self.wake()

    def wake(self) -> None:
        """Have the listeners look again."""
        for listener in tuple(self.listeners):
            listener()


def _log_names(names: Sequence[str]) -> list[str]:
    """`[N]` the names as they may stand in a log; two that would be the same there are told apart."""
    found: list[str] = []
    for name in map(log_name, names):
        copies = (name if number == 1 else f"{name}-{number}" for number in range(1, len(names) + 1))
        found.append(next(copy for copy in copies if copy not in found))
    return found


def first_sitting(run: Run, names: Sequence[str], visitor: str, player: int) -> None:
    """Write who sits at a new table: the names of all players, of whom this one is the visitor."""
    if not visitor:
        raise ConfigError("a table needs a visitor who made it")
    sitting = [{"name": name, "visitor": visitor if number == player else ""} for number, name in enumerate(names)]
    with run.lock(), run.open_ledger() as ledger:
        ledger.set_status("running")
        ledger.record_batches([(0, {SITTING: sitting}, 0.0)], progress=Progress(0, None, "hands"), elapsed=0.0)


def visitors_at(run: Run) -> frozenset[str]:
    """Who sits at a table, by its ledger alone: no agent is asked for that. Nobody where it is closed."""
    with run.open_ledger() as ledger:
        if ledger.status == "finished":
            return frozenset()
        sitting = ledger.batches().get(0, {}).get(SITTING, [])
    return frozenset(told["visitor"] for told in sitting) - {""}
