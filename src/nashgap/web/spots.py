"""Spots of one's own for the pages `/spots`: set up, solved as the runs of `nashgap solve-spot`, and solved with locks.

A page names a run of this server and nothing else: no path, no file. What it may cost is known before it begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from nashgap.cards.ranges import CLASS_OF_HAND, Range, class_weights, parse_range
from nashgap.errors import ConfigError, FileFormatError, NashGapError
from nashgap.jobs.perform import job_of
from nashgap.reports.report import Section
from nashgap.reports.spot_tables import locks_table
from nashgap.runs.folder import Run, existing_run
from nashgap.runs.progress import human_seconds
from nashgap.strategies.spot_lock import SpotLock, parse_lock
from nashgap.web.api import CardRoom, NotFoundError
from nashgap.web.run_pages import RunLine, RunPages
from nashgap.web.spot_locks import Painted, Relocked, class_number
from nashgap.web.spot_sizes import SpotSizes, expected_iterations
from nashgap.web.worker import SPOT_FILE, Solving
from nashgap.web.workshop import UNFINISHED, Workshop

if TYPE_CHECKING:  # what is needed of it is imported where it is: a server starts without the solvers
    from nashgap.jobs.spot import SpotJob

__all__ = [
    "EXAMPLES",
    "MAX_BETTING",
    "MAX_LOCK",
    "MAX_LOCKS",
    "MAX_RANGE",
    "Example",
    "Spots",
    "WantedSpot",
    "described_range",
]

MAX_RANGE, MAX_BETTING, MAX_LOCK, MAX_LOCKS = 6000, 200, 2000, 20
"""Letters of a range, of bets or raises, of a lock that is typed; and locks."""
LEAST_UNTIL, MOST_UNTIL = 0.01, 25.0  # percent of the pot
MAX_MINUTES = 30.0  # after which what is found so far counts, whatever was forecast
_KIND = "spot"  # of runs
_MOST_WORDS = 100  # of a lock on a page


@dataclass(frozen=True)
class WantedSpot:
    """A spot as a page tells it: the words of `make_spot`, and how far to go in percent of the pot."""

    board: str
    oop: str
    ip: str
    pot: int
    stacks: tuple[int, int]
    bets: str = ""
    raises: str = ""
    until: float = 0.5
    locks: Sequence[str] = ()


@dataclass(frozen=True)
class Example:
    """A spot to begin with, told in a few words."""

    name: str
    words: str
    spot: WantedSpot


_OOP = "66+, A8s+, A5s-A4s, AJo+, K9s+, KQo, QTs+, JTs, 96s+, 85s+, 75s+, 65s, 54s"
_IP = "QQ-22, AQs-A2s, ATo+, K5s+, KJo+, Q8s+, J8s+, T7s+, 96s+, 86s+, 75s+, 64s+, 53s+"
_RIVER = WantedSpot("Qs Jh 2h 8c 4d", _OOP, _IP, 200, (900, 900), "50%,100%,a", "100%,a", 0.1)
_FLOP = WantedSpot(
    "Td 9d 6h", "TT+, AQs+, AKo, KQs", "JJ-66, AJs-ATs, KQs, QJs, JTs, T9s", 60, (270, 270), "50% / 66% / 66%", "a"
)
EXAMPLES = (
    Example("River", "wide ranges; a moment", _RIVER),
    Example("Turn", "the same, before the last card; seconds", replace(_RIVER, board="Qs Jh 2h 8c", until=0.5)),
    Example("Flop", "a raise that was called; half a minute", _FLOP),
)


class Spots:
    """The spots that are solved for the visitors of a server."""

    def __init__(self, room: CardRoom, pages: RunPages, workshop: Workshop) -> None:
        self._room = room
        self._pages = pages
        self._workshop = workshop
        self._sizes = SpotSizes()

    def size(self, wanted: WantedSpot) -> dict[str, Any]:
        """What it would take; refused where that is more than a page may ask for."""
        return self._sizes.of(_job(wanted))

    def start(self, visitor: str, wanted: WantedSpot) -> dict[str, Any]:
        """Begin; the name of the run."""
        return self._begin(visitor, _job(wanted))

    def resume(self, visitor: str, name: str) -> dict[str, Any]:
        """Go on with a run, whoever made it, within the limits of a page."""
        return self._begin(visitor, _bounded(self._run(name)))

    def solve_again(
        self, visitor: str, name: str, kept: Sequence[int], locks: Sequence[str], painted: Sequence[Painted]
    ) -> dict[str, Any]:
        """The spot of a run with other locks: of its own those of these numbers, and what was typed or painted.

        It is as large as the run, which is asked of again: a run of a command may be larger than a page allows.
        """
        run = self._run(name)
        job = _bounded(run)
        file = run.folder / SPOT_FILE
        if not file.is_file():
            raise ConfigError(f"run {name} has no strategy to be locked; solve it first")
        if wrong := [number for number in kept if not 0 <= number < len(job.locks)]:
            raise ConfigError(f"lock {wrong[0]} of run {name}; it has {len(job.locks)}")
        typed = _locks(locks)
        base = replace(job, locks=(*(job.locks[number] for number in dict.fromkeys(kept)), *typed))
        if not 0 < len(base.locks) + len(painted) <= MAX_LOCKS:
            raise ConfigError(f"{len(base.locks) + len(painted)} locks; 1 to {MAX_LOCKS} are possible")
        self._sizes.of(replace(job, locks=()))
        return self._workshop.begin(visitor, Solving(Relocked(base, file, tuple(painted))))

    def status(self, name: str, visitor: str) -> dict[str, Any]:
        """How far it is, with the curve, the locks, and whether its strategy can be walked through."""
        run = self._run(name)
        told = self._workshop.status(name, visitor)
        job, has_file = _spot_job(run), (run.folder / SPOT_FILE).is_file()
        is_open = told["status"] in UNFINISHED or (told["status"] == "finished" and not has_file)
        points = _curve(run)
        names = ("iteration", "seconds", "exploitability_percent")
        return told | {
            **_ahead(told, job, points),
            "can_resume": is_open,
            "until": job.until,
            "points": [[point[each] for each in names] for point in points],
            "strategy": f"{name}/{SPOT_FILE}" if has_file and told["status"] == "finished" else None,
            "without_locks": self._without_locks(job),
            "locks": [_shortened(lock.words) for lock in job.locks],
            "places": [lock.place_in(job.spot) for lock in job.locks],
        }

    def job(self, name: str) -> SpotJob:
        """What the run solves."""
        return _spot_job(self._run(name))

    def sections(self, name: str) -> list[Section]:
        """What the page of the run shows, and behind its figures what its locks change."""
        found = list(self._pages.page(name).sections)
        if (price := self._price(name)) is not None:
            found.insert(1, price)
        return found

    def _price(self, name: str) -> Section | None:
        """What the locks of a finished run change; None where it has none, or is not solved without them yet.

        Of damaged results it cannot be said: the runs themselves tell of the damage.
        """
        run = self._run(name)
        job = _spot_job(run)
        free = self._free_run(job)
        if free is None:
            return None
        try:
            document, other = run.load_result(), free.load_result()
        except FileFormatError:
            return None
        if document is None or other is None:
            return None
        accuracy = document["exploitability"] + other["exploitability"]
        locked = "; ".join(_shortened(lock.words) for lock in job.locks)
        return locks_table(locked, other["values"], document["values"], accuracy)

    def lines(self) -> list[RunLine]:
        """The runs of spots, the last first."""
        return [line for line in self._pages.lines() if line.kind == _KIND]

    def close(self) -> None:
        self._sizes.close()

    def _begin(self, visitor: str, job: SpotJob) -> dict[str, Any]:
        self._sizes.of(job)
        return self._workshop.begin(visitor, Solving(job))

    def _free_run(self, job: SpotJob) -> Run | None:
        return existing_run(replace(job, locks=()), self._room.root) if job.locks else None

    def _without_locks(self, job: SpotJob) -> str | None:
        """The strategy of the same spot without locks, where there is one to walk through."""
        free = self._free_run(job)
        return f"{free.name}/{SPOT_FILE}" if free is not None and (free.folder / SPOT_FILE).is_file() else None

    def _run(self, name: str) -> Run:
        run = self._pages.run(name)
        if run.config.kind != _KIND:
            raise NotFoundError("no such spot")
        return run


def described_range(text: str, painted: Mapping[str, float]) -> dict[str, Any]:
    """The range with these weights of classes painted over it: its text, and the mean weight of each class."""
    hands = parse_range(_within("range", text, MAX_RANGE))
    weights = hands.weights.copy()
    for name, weight in painted.items():
        weights[class_number(name) == CLASS_OF_HAND] = weight
    found = Range(weights)
    return {
        "text": found.text if painted else text,
        "cells": class_weights(found).round(6).tolist(),
        "hands": found.num_combos,
        "share": found.share,
    }


def _job(wanted: WantedSpot) -> SpotJob:
    from nashgap.api.spot import make_spot
    from nashgap.jobs.spot import SpotJob

    for name in ("oop", "ip"):
        _within("range", getattr(wanted, name), MAX_RANGE)
    for name in ("bets", "raises"):
        _within(name, getattr(wanted, name), MAX_BETTING)
    if not LEAST_UNTIL <= wanted.until <= MOST_UNTIL:
        raise ConfigError(f"accuracy {wanted.until:g}%; from a page {LEAST_UNTIL}% to {MOST_UNTIL:g}% are allowed")
    spot = make_spot(
        wanted.board,
        wanted.oop,
        wanted.ip,
        pot=wanted.pot,
        stack=wanted.stacks,
        bets=wanted.bets or None,
        raises=wanted.raises or None,
    )
    return SpotJob(spot, _locks(wanted.locks), until=wanted.until, minutes=MAX_MINUTES)


def _locks(texts: Sequence[str]) -> tuple[SpotLock, ...]:
    if len(texts) > MAX_LOCKS:
        raise ConfigError(f"{len(texts)} locks; {MAX_LOCKS} are possible")
    return tuple(parse_lock(_within("lock", text, MAX_LOCK)) for text in texts)


def _within(what: str, text: str, most: int) -> str:
    if len(text) > most:
        raise ConfigError(f"{what} of {len(text):,} letters; {most:,} are allowed")
    return text


def _spot_job(run: Run) -> SpotJob:
    from nashgap.jobs.spot import SpotJob

    job = job_of(run)
    assert isinstance(job, SpotJob), "a run of its kind"
    return job


def _curve(run: Run) -> list[dict[str, float]]:
    """By now; nothing of a damaged ledger, which the run's line tells of."""
    try:
        with run.open_ledger() as ledger:
            return ledger.points()
    except NashGapError:
        return []


def _bounded(run: Run) -> SpotJob:
    """The job of the run, no longer than a page may ask for."""
    from nashgap.jobs.spot import DEFAULT_UNTIL

    job = _spot_job(run)
    until = DEFAULT_UNTIL if job.until is None else job.until
    if until < LEAST_UNTIL:
        raise ConfigError(f"run {run.name} is solved until {until:g}%; go on with it in a terminal")
    minutes = MAX_MINUTES if job.minutes is None else min(job.minutes, MAX_MINUTES)
    return replace(job, until=until, minutes=minutes, threads=1)


def _ahead(told: Mapping[str, Any], job: SpotJob, points: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """How much of the way is done, and what is left, as far as the curve tells by now."""
    if told["done"] is None or job.until is None:
        return {"share": None, "left": told["left"]}
    total = max(expected_iterations(points, job.until), told["done"])
    seconds = (total - told["done"]) / told["per_second"] if told["per_second"] > 0 else 0.0
    left = f"about {human_seconds(seconds)} left" if seconds >= 1 else ""
    return {"share": told["done"] / total, "left": left}


def _shortened(words: str) -> str:
    return words if len(words) <= _MOST_WORDS else f"{words[: _MOST_WORDS - 1]}…"
