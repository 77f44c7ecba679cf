"""The winnings at a table with the luck taken off, by the same route as `nashgap acpc aivat`: beside the requests.

What is corrected are the hands as the player has seen them, so that the figure tells nothing of what was not shown.
Heads-up that is enough against an agent whose strategy is known. With more seats the cards of all are needed: then it
is told only where they are told anyway, at a table with open cards and no other people.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from threading import Lock
from typing import Any

import numpy as np

from nashgap.arena.log_winnings import luck_of, played_hands
from nashgap.arena.luck import Luck, known_strategy
from nashgap.core.estimate import Estimate, format_interval
from nashgap.core.recent import Recent
from nashgap.errors import NashGapError
from nashgap.measures.aivat import AIVAT
from nashgap.poker.notation import HandRecord
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.chumps import Chump
from nashgap.strategies.poker_table import PokerTableStrategy
from nashgap.web.duplicate import LATER, told_after
from nashgap.web.seat_view import UNIT_WORDS, deals_of, pair_means
from nashgap.web.tables import PERSON, Table

__all__ = ["LEAST_HANDS", "SEED", "LuckKeeper"]

LEAST_HANDS = 10  # before anything is learned for a table
SEED = 0  # of what is drawn, as `acpc aivat` has it unless told
_VALUES_KEPT = 4  # learned ones, of line-ups
_TABLES_KEPT = 500
_AT_ONCE = 500  # hands
_ANY_THREAD = (AbstractStrategy, Chump, PokerTableStrategy)  # others answer to one at a time, and the table asks them


class LuckKeeper:
    """Corrected hands of tables, found by one thread of its own. Where nothing can be had it says why in words."""

    def __init__(self) -> None:
        self._work = ThreadPoolExecutor(1, "nashgap-luck")
        self._lucks: Recent[tuple[str, ...], Luck] = Recent(_VALUES_KEPT)
        self._chips: Recent[tuple[str, int], np.ndarray] = Recent(_TABLES_KEPT)
        self._asked: set[tuple[str, int]] = set()
        self._failed: dict[tuple[str, int], str] = {}
        self._lock = Lock()

    def told(self, table: Table, player: int) -> dict[str, Any]:
        """What is known by now; what is missing is worked on, and the table's listeners are told."""
        key = table.identifier, player
        if reason := _not_known(table) or self._failed.get(key, ""):
            return {"rate": None, "note": reason}
        num_hands = len(table.finished)
        if num_hands < LEAST_HANDS:
            return {"rate": None, "note": f"Without luck: after {LEAST_HANDS} hands."}
        with self._lock:
            chips = self._chips.get(key, np.zeros(0))
            if len(chips) < num_hands and key not in self._asked:
                self._asked.add(key)
                self._work.submit(self._correct, table, player)
        if len(chips) < 2:
            return {"rate": None, "note": "Without luck: on its way."}
        return _figures(table, player, chips)

    def close(self) -> None:
        """Begin nothing more."""
        self._work.shutdown(wait=False, cancel_futures=True)

    def _correct(self, table: Table, player: int) -> None:
        """Correct the hands that are missing, then have the table look."""
        key = table.identifier, player
        try:
            done = self._chips.get(key, np.zeros(0))
            num_hands = len(table.totals[player])
            if len(done) < num_hands:
                players = [f"p{number}" for number in range(len(table.players))]
                records = _records(table, player, players, len(done), min(num_hands, len(done) + _AT_ONCE))
                hands = played_hands(records, table.rules, players, first=len(done))
                corrected = self._luck(table).correct(hands)
                with self._lock:
                    self._chips[key] = np.concatenate([done, corrected[hands.agents == player]])
        except NashGapError:
            # As of a file that is not the one that played the first hands of the table.
            self._failed[key] = "Without luck: the agent's strategy does not agree with the hands."
        except Exception:
            self._failed[key] = "Without luck: it could not be found."  # not tried again and again
            raise
        finally:
            with self._lock:
                self._asked.discard(key)
            with suppress(RuntimeError):  # a listener whose loop has ended
                table.wake()

    def _luck(self, table: Table) -> Luck:
        """Values are the same for all tables with this line-up: learning them takes seconds."""
        key = table.rules.name, *table.job.line_up
        if key not in self._lucks:
            agents = [each.agent for each in table.players]
            self._lucks[key] = luck_of(table.rules, agents, AIVAT, SEED)
        return self._lucks[key]


def _not_known(table: Table) -> str:
    """Why there is no figure at this table; empty where there is one."""
    if table.job.is_anonymous:
        return "Without luck: not at an anonymous table, where it would tell who is an agent."
    others = [each for each in table.players if each.agent is not None]
    is_heads_up, has_people = table.rules.num_seats == 2, table.job.line_up.count(PERSON) > 1
    if has_people:
        return "Without luck: not against people, whose strategies nobody knows."
    strategies = [known_strategy(each.agent) for each in others if each.agent is not None]
    if not any(strategies):
        return "Without luck: not here; the agent does not tell what it does with every hand."
    if not all(isinstance(each, _ANY_THREAD) for each in strategies if each is not None):
        return "Without luck: not against programs; `nashgap acpc aivat` does it from the log."
    if not is_heads_up and not table.job.is_open:
        return "Without luck: with three and more players only at tables with open cards."
    if not is_heads_up and table.job.duplicate:
        return "Without luck: not while the same cards are to come again."
    return ""


def _records(table: Table, player: int, names: list[str], start: int, end: int) -> list[HandRecord]:
    """As the player has seen them; at a table with open cards all of them."""
    if table.rules.num_seats == 2:
        seen = table.records_for(player, start, end)
        order = [hand.player_at for hand in table.finished[start:end]]
        return [
            replace(record, players=tuple(names[each] for each in seats))
            for record, seats in zip(seen, order, strict=True)
        ]
    return [hand.record(names) for hand in table.finished[start:end]]


def _figures(table: Table, player: int, chips: np.ndarray) -> dict[str, Any]:
    rules = table.rules
    samples, hands = list(chips / rules.unit_chips), f"{len(chips)} hands"
    if table.job.duplicate == LATER:
        pairs = pair_means(samples, deals_of(table, len(samples)))
        if len(pairs) < 2:
            return {"rate": None, "note": f"Without luck: after hand {told_after(rules.num_seats, 1)}."}
        samples, hands = pairs, f"{len(pairs)} deals in all seats"
    found = Estimate.from_samples(samples, unit=rules.unit, method="aivat", seed=SEED)
    return {
        "rate": format_interval(found.mean, found.ci95),
        "mean": found.mean,
        "ci95": found.ci95,
        "unit_words": UNIT_WORDS[rules.unit],
        "note": f"without luck, by AIVAT, after {hands}",
    }
