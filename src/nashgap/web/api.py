"""The work behind the pages: no HTTP here, and nothing that a page may not ask for.

A visitor is known by a random secret, of which only the hash is kept; a seat belongs to the visitor who took it.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import SystemRandom
from threading import Lock
from time import monotonic
from typing import Any

from nashgap.agents.agent import Agent
from nashgap.agents.named import load_agent
from nashgap.arena.acpc.log import score_line
from nashgap.arena.phh import write_phh
from nashgap.catalogue import AGENTS, POKER_GAMES, POKER_STRATEGIES, RESIDENTS
from nashgap.core.job import LARGEST_SEED
from nashgap.errors import ConfigError, IllegalActionError, NashGapError
from nashgap.poker.notation import format_hand
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.runs.folder import Run, default_root, open_run, runs_of_kind
from nashgap.strategies.bot import Bot, FileBot, NamedBot
from nashgap.strategies.spec import HUMAN, parse_bot
from nashgap.web.coach import Coaches, can_coach
from nashgap.web.duplicate import BY_PERSON, DUPLICATES, NO_DUPLICATE
from nashgap.web.luck import LuckKeeper
from nashgap.web.one_at_a_time import OneAtATime
from nashgap.web.open_hand import opened_hand
from nashgap.web.seat_view import seat_view
from nashgap.web.tables import CLOSE_SECONDS, PERSON, Table, TableJob, first_sitting, visitors_at

__all__ = [
    "MAX_NAME",
    "MAX_REMARK",
    "MAX_SEATS",
    "MAX_TABLES_PER_VISITOR",
    "CardRoom",
    "NotFoundError",
    "NotYoursError",
    "visitor_of",
]

MAX_SEATS = 6
MAX_TABLES_PER_VISITOR = 10
MAX_TABLES = 500
MAX_CLOSED = 50  # closed ones that stay in memory; others are read again when somebody looks back
MAX_NAME = 24
MAX_REMARK = 500
OPENING_SECONDS = 5.0  # that a request waits for a table that another opens


class NotFoundError(NashGapError):
    """There is no such thing on this server."""


class NotYoursError(NashGapError):
    """It belongs to another visitor."""


def visitor_of(secret: str | None) -> str:
    """What is kept of a visitor's secret; empty for somebody without one."""
    return hashlib.sha256(secret.encode()).hexdigest() if secret else ""


class CardRoom:
    """The tables of one folder of runs, and who may be played against: the catalogue's agents, and those given.

    token: what visitors need; None where all come from this machine.
    given: what the server was started with, beside the catalogue: the only files and programs that pages may name.
    """

    def __init__(self, given: Sequence[str] = (), root: Path | None = None, token: str | None = None) -> None:
        self.token = token
        self.root = default_root() if root is None else root
        self._bots = {bot.text: bot for bot in _catalogued()}
        self.given = [parse_bot(text, kind="agent") for text in given]
        self._bots |= {bot.text: bot for bot in self.given}
        self._runs = {run.config.run_id: run for run in runs_of_kind(self.root, TableJob.kind)}
        self._tables: dict[str, Table] = {}
        self._invitations: dict[str, str] = {}
        self._offers: dict[str, list[str]] = {}
        self._named: dict[str, Agent] = {}
        self._kept: dict[str, Agent] = {}
        self._coaches: dict[str, list[str]] = {}
        self._sitting: dict[str, frozenset[str]] = {}
        self._coming: Counter[str] = Counter()
        self._exporting = OneAtATime("hands of yours are being written already; wait for them")
        self._openings: defaultdict[str, Lock] = defaultdict(Lock)
        self._lock, self._pairing = Lock(), Lock()
        self.luck = LuckKeeper()
        self.coaches = Coaches(self._coach)
        for bot in self.given:
            if not any(self._plays(bot, load_rules(game)) for game in self.games()):
                load_agent(bot, load_rules(self.games()[0]))  # says why not
                raise ConfigError(f"agent {bot.text!r} plays none of {', '.join(self.games())}")

    def games(self) -> list[str]:
        """Those that are played here, the usual ones first."""
        usual = ["hunl", "lhe2", "lhe3"]
        known = [name for name in POKER_GAMES.entries if name not in usual]
        rules = {name: load_rules(name) for name in known}
        return usual + [name for name in known if rules[name].is_holdem and rules[name].num_seats <= MAX_SEATS]

    def opponents(self, game: str) -> list[str]:
        """Who plays this game, those given to the server first."""
        self._require_game(game)
        if game not in self._offers:
            rules = load_rules(game)
            given = [bot.text for bot in self.given]
            names = [*given, *(text for text in self._bots if text not in given)]
            self._offers[game] = [text for text in names if self._plays(self._bots[text], rules)]
        return self._offers[game]

    def describe_games(self) -> list[dict[str, Any]]:
        """What the page for a new table shows. resident: who is there to be played at once, if anybody."""
        return [
            {
                "name": game,
                "title": summary[:1].upper() + summary[1:],
                "seats": load_rules(game).num_seats,
                "opponents": [{"value": text, "label": _label(text)} for text in self.opponents(game)],
                "resident": next((text for text in self.opponents(game) if text in RESIDENTS.entries), None),
            }
            for game in self.games()
            for summary in [POKER_GAMES.entries[game].summary]
        ]

    def make_table(
        self,
        visitor: str,
        game: str,
        opponents: Sequence[str],
        *,
        name: str = "",
        is_anonymous: bool = False,
        is_open: bool = False,
        has_coach: bool = False,
        duplicate: str = NO_DUPLICATE,
    ) -> Table:
        """A new table of the visitor. opponents: one for each other seat, a name of `opponents` or `person`."""
        self._require_game(game)
        rules = load_rules(game)
        if len(opponents) != rules.num_seats - 1:
            raise ConfigError(f"{len(opponents)} opponents; {game} has {rules.num_seats - 1} other seats")
        for text in opponents:
            if text != PERSON and text not in self.opponents(game):
                raise ConfigError(
                    f"opponent {text[:60]!r} is not offered for {game}; allowed: person, or a name listed"
                )
        if duplicate not in DUPLICATES:
            raise ConfigError(f"duplicate {duplicate[:20]!r}; it must be one of {', '.join(map(repr, DUPLICATES))}")
        if duplicate == BY_PERSON and (rules.num_seats != 2 or PERSON in opponents):
            raise ConfigError("the same cards for another person are for two seats, against an agent")
        order, maker = [PERSON, *opponents], 0
        if is_anonymous:  # or the order would say who is who, also of the maker, who is a person
            SystemRandom().shuffle(order)
            maker = SystemRandom().choice([place for place, text in enumerate(order) if text == PERSON])
        line_up = tuple(PERSON if text == PERSON else _identity(self._bots[text]) for text in order)
        seed = secrets.randbelow(LARGEST_SEED)
        job = TableJob(rules, line_up, seed, is_anonymous, is_open, has_coach, duplicate)
        names = ["guest" if text == PERSON else _label(text) for text in order]
        names[maker] = _name(name)
        return self._new(job, names, visitor, maker)

    def table(self, identifier: str) -> Table:
        """The table, opened where it stands if it is not open; NotFoundError."""
        if found := self._tables.get(identifier):
            return found
        if identifier not in self._runs:
            raise NotFoundError("no such table")
        return self._opened(self._runs[identifier])

    def seat(self, identifier: str, visitor: str) -> tuple[Table, int]:
        """The table, and which of its players the visitor is; NotYoursError."""
        table = self.table(identifier)
        player = table.player_of(visitor)
        if player is None:
            raise NotYoursError("you have no seat at this table")
        return table, player

    def view(self, identifier: str, visitor: str) -> dict[str, Any]:
        """The table as the visitor may see it."""
        table, player = self.seat(identifier, visitor)
        view = seat_view(table, player)
        view["score"]["luck"] = self.luck.told(table, player)
        is_wanted = table.is_waiting or view["options"]["twin_is_missing"]
        return view | {"invitation": self._link(table) if is_wanted else None}

    def open_hand(self, identifier: str, visitor: str, hand: int) -> dict[str, Any]:
        """The agents' cards and strategies in a hand that is over."""
        table, _ = self.seat(identifier, visitor)
        return opened_hand(table, hand)

    def coaches_for(self, game: str) -> list[str]:
        """Who can be asked for advice in this game: strategies that look at their cards."""
        if game not in self._coaches:
            rules = load_rules(game)
            self._coaches[game] = [
                text
                for text in self.opponents(game)
                if can_coach(self._named.get(text) or load_agent(self._bots[text], rules))
            ]
        return self._coaches[game]

    def coach_choices(self, identifier: str, visitor: str) -> list[dict[str, str]]:
        """The coaches of the visitor's table, for a page."""
        table, _ = self.seat(identifier, visitor)
        offered = self.coaches_for(table.rules.name) if table.job.has_coach else []
        return [{"value": text, "label": _label(text)} for text in offered]

    def advise(self, identifier: str, visitor: str, hand: int, step: int, coach: str) -> dict[str, Any]:
        """What the coach would do at the visitor's decision."""
        table, player = self.seat(identifier, visitor)
        return self.coaches.advise(table, player, (hand, step), coach, visitor) | {"coach": _label(coach)}

    def review(self, identifier: str, visitor: str, hand: int, coach: str) -> dict[str, Any]:
        """What the coach says of the visitor's choices in a hand that is over."""
        table, player = self.seat(identifier, visitor)
        return self.coaches.review(table, player, hand, coach, visitor) | {"coach": _label(coach)}

    def act(self, identifier: str, visitor: str, hand: int, step: int, answer: str) -> dict[str, Any]:
        table, player = self.seat(identifier, visitor)
        table.act(player, hand, step, answer)
        return self.view(identifier, visitor)

    def ask_next(self, identifier: str, visitor: str, hand: int) -> dict[str, Any]:
        table, player = self.seat(identifier, visitor)
        table.ask_next(player, hand)
        return self.view(identifier, visitor)

    def remark(self, identifier: str, visitor: str, hand: int, text: str) -> dict[str, Any]:
        table, player = self.seat(identifier, visitor)
        if len(text) > MAX_REMARK:
            raise ConfigError(f"a remark of {len(text)} letters; {MAX_REMARK} are allowed")
        table.remark(player, hand, _printable(text))
        return self.view(identifier, visitor)

    def finish(self, identifier: str, visitor: str) -> None:
        """Close the table for everybody who sits there; its hands stay."""
        table, _ = self.seat(identifier, visitor)
        table.finish()
        self._forget_closed()

    def invitation(self, table: Table) -> str:
        """The secret by which the missing players come; another one after each start of the server."""
        for secret, identifier in list(self._invitations.items()):
            if identifier == table.identifier:
                return secret
        secret = secrets.token_urlsafe(16)
        self._invitations[secret] = table.identifier
        return secret

    def invited_to(self, invitation: str) -> str:
        """The identifier of the invitation's table."""
        if invitation not in self._invitations:
            raise NotFoundError("this invitation is not known, or no longer: ask for a new link")
        return self._invitations[invitation]

    def join(self, invitation: str, visitor: str, name: str = "") -> Table:
        """Seat the visitor at the table of the invitation."""
        table = self.table(self.invited_to(invitation))
        if table.job.duplicate == BY_PERSON:
            return self._second_table(table, visitor, name)
        if table.player_of(visitor) is None:
            with self._one_more(visitor):
                table.join(visitor, _name(name, "guest"))
        return table

    def tables_of(self, visitor: str) -> list[Table]:
        """The visitor's own that are not closed; those of a program that the server was not given are left out."""
        for identifier in list(self._runs):
            with suppress(NashGapError):
                if identifier not in self._tables and visitor in self._visitors_at(identifier):
                    self.table(identifier)
        return [table for table in self._open_tables() if table.player_of(visitor) is not None]

    def log_text(self, identifier: str, visitor: str) -> str:
        """The finished hands as an ACPC match log, with the cards that the visitor has seen."""
        table, player = self.seat(identifier, visitor)
        with self._exporting.of(visitor):
            records = table.records_for(player)
            # No header, which has the seed: that is all cards of the hands to come.
            lines = [f"# nashgap serve, table {identifier}, game {table.rules.name}"]
            for record in records:
                if words := table.remarks.get(record.hand_number + 1, {}).get(player):
                    lines.append(f"# hand {record.hand_number}: {words}")
                lines.append(format_hand(record))
            if records:
                names = records[0].players
                # Of the hands that stand above: another may end meanwhile.
                won = [sum(record.payoffs[record.players.index(name)] for record in records) for name in names]
                lines.append(score_line(won, names))
            return "\n".join(lines) + "\n"

    def phh_bytes(self, identifier: str, visitor: str) -> bytes:
        """The finished hands as a `.phhs` file, with the cards that the visitor has seen."""
        table, player = self.seat(identifier, visitor)
        if not table.finished:
            raise ConfigError("no hand was finished at this table yet")
        with self._exporting.of(visitor), tempfile.TemporaryDirectory(prefix="nashgap-") as folder:
            records = table.records_for(player)
            path = Path(folder) / "hands.phhs"
            write_phh(records, path)
            return path.read_bytes()

    def close(self) -> None:
        """Let go of all tables; they are there when a server is started again."""
        self.luck.close()
        deadline = monotonic() + CLOSE_SECONDS  # of all together
        with self._lock:
            for table in list(self._tables.values()):
                table.close(max(0.0, deadline - monotonic()))
            self._tables.clear()

    def _link(self, table: Table) -> str:
        """Where the missing players come in, without the server's own address."""
        return f"/join/{self.invitation(table)}{f'?token={self.token}' if self.token else ''}"

    def _open_tables(self) -> list[Table]:
        """Those that are not closed, as far as anybody has come to them."""
        return [table for table in list(self._tables.values()) if not table.is_finished]

    def _visitors_at(self, identifier: str) -> frozenset[str]:
        """Who sits at a table that nobody has come to yet."""
        if identifier not in self._sitting:
            self._sitting[identifier] = visitors_at(self._runs[identifier])
        return self._sitting[identifier]

    @contextmanager
    def _one_more(self, visitor: str) -> Iterator[None]:
        """While the visitor comes to one more table, which counts already; ConfigError where it is one too many."""
        self.tables_of(visitor)  # opens those from before a restart
        with self._lock:
            own = self._coming[visitor] + sum(table.player_of(visitor) is not None for table in self._open_tables())
            if own >= MAX_TABLES_PER_VISITOR:
                raise ConfigError(f"{own} tables are open; {MAX_TABLES_PER_VISITOR} are allowed, close one of them")
            self._coming[visitor] += 1
        try:
            yield
        finally:
            with self._lock:
                self._coming[visitor] -= 1
                self._coming += Counter()  # forgets who has none

    def _new(self, job: TableJob, names: Sequence[str], visitor: str, player: int) -> Table:
        """A table that was not there before, where the visitor is this player; nothing is left of one whose agents
        cannot begin.
        """
        with self._one_more(visitor):
            if len(self._open_tables()) >= MAX_TABLES:
                raise ConfigError(f"{MAX_TABLES} tables are open on this server, and no more are allowed")
            run = open_run(job, self.root)
            first_sitting(run, names, visitor, player)
            try:
                return self._opened(run)
            except NashGapError:
                run.remove()
                raise

    def _opened(self, run: Run) -> Table:
        """The table; others are opened meanwhile, for a program may take long to start."""
        identifier = run.config.run_id
        with self._lock:
            opening = self._openings[run.config.identity.get("twin_of") or identifier]  # of both with the same deals
        if not opening.acquire(timeout=OPENING_SECONDS):
            raise IllegalActionError("an agent of this table takes long to start; wait for it")
        try:
            return self._tables.get(identifier) or self._open(run)
        finally:
            opening.release()

    def _open(self, run: Run) -> Table:
        """Open a table, and the other one with its deals, so that nobody finds one of the two alone."""
        with ExitStack() as made:
            table = made.enter_context(closing(self._table_of(run)))
            if (other := self._run_with_deals_of(table)) is not None:
                identifier = other.config.run_id
                twin = self._tables.get(identifier) or made.enter_context(closing(self._table_of(other)))
                table.twin, twin.twin = twin, table
                self._tables[identifier] = twin
            made.pop_all()
        self._tables[table.identifier] = table
        self._runs[table.identifier] = run
        self._forget_closed()
        return table

    def _forget_closed(self) -> None:
        """Or making tables, closing them and looking back at them would fill the memory."""
        with self._lock:
            closed = [identifier for identifier, table in list(self._tables.items()) if table.is_finished]
            for identifier in closed[:-MAX_CLOSED]:
                del self._tables[identifier]

    def _table_of(self, run: Run) -> Table:
        return Table(run, [self._bot(each) for each in run.config.identity["line_up"]])

    def _run_with_deals_of(self, table: Table) -> Run | None:
        """The other one by `person`, if another person has come."""
        if table.job.duplicate != BY_PERSON:
            return None
        if table.job.twin_of:
            return self._runs.get(table.job.twin_of)
        runs = list(self._runs.values())
        return next((run for run in runs if run.config.identity.get("twin_of") == table.identifier), None)

    def _second_table(self, table: Table, visitor: str, name: str) -> Table:
        """The table of the person who plays the same deals as the first, in the other seat."""
        if table.player_of(visitor) is not None:
            raise ConfigError("this link is for another person: you know the cards already")
        with self._pairing:  # one of two who come at once
            if table.twin is None:
                names, player = [each.name for each in table.players], table.job.line_up.index(PERSON)
                names[player] = _name(name, "guest")
                self._new(replace(table.job, twin_of=table.identifier), names, visitor, player)
                table.wake()
        if table.twin is None or table.twin.player_of(visitor) is None:
            raise IllegalActionError("another person plays these cards already")
        return table.twin

    def _coach(self, text: str, rules: PokerRules) -> Agent:
        if text not in self.coaches_for(rules.name):
            raise ConfigError(f"coach {text[:60]!r} is not offered for {rules.name}")
        return load_agent(self._bots[text], rules)

    def _bot(self, identity: str) -> Bot | None:
        if identity == PERSON:
            return None
        for bot in self._bots.values():
            if _identity(bot) == identity:
                return bot
        raise ConfigError("an agent of this table was not given to the server: start it with the same agents")

    def _require_game(self, game: str) -> None:
        if game not in self.games():
            raise ConfigError(f"game {game[:60]!r} is not played here; allowed: {', '.join(self.games())}")

    def _plays(self, bot: Bot, rules: PokerRules) -> bool:
        try:
            agent = load_agent(self._named.get(bot.text, bot), rules)
        except NashGapError:
            return False
        if isinstance(bot, NamedBot):
            self._named[bot.text] = agent  # to be asked about other games: making one takes a while
        elif isinstance(bot, FileBot):
            self._kept[bot.text] = agent  # so that its file is read and checked once, and not for each table anew
        return True


def _catalogued() -> list[Bot]:
    """Those that come with the package and know their game first."""
    names = [name for name in (*RESIDENTS.entries, *AGENTS.entries, *POKER_STRATEGIES.entries) if name != HUMAN]
    return [parse_bot(name) for name in dict.fromkeys(names)]


def _identity(bot: Bot) -> str:
    return json.dumps(bot.identity(), sort_keys=True)


def _label(text: str) -> str:
    """A file without its folder, which is nobody's business."""
    return text.rpartition("/")[2] if ".safetensors" in text else text


def _name(name: str, default: str = "human") -> str:
    words = _printable(name)
    if len(words) > MAX_NAME:
        raise ConfigError(f"a name of {len(words)} letters; {MAX_NAME} are allowed")
    return words or default


def _printable(text: str) -> str:
    """In one line, without what a terminal would obey when a log is shown there."""
    return " ".join("".join(letter for letter in text if letter.isprintable() or letter.isspace()).split())
