"""Solve spots of hold'em: one, with locks and their price, or many boards in one run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from nashgap.cards.card import format_cards
from nashgap.cards.ranges import Range, parse_range
from nashgap.core.array_file import check_writable
from nashgap.errors import ConfigError, OptionError
from nashgap.jobs.perform import Interrupted, Keep, naming_output, perform, saved
from nashgap.jobs.spot import FreeSpot, SpotForecast, SpotJob, SpotSolution
from nashgap.jobs.spot_boards import SpotBoards, SpotBoardsJob
from nashgap.poker.betting_abstraction import BettingAbstraction, parse_betting_abstraction
from nashgap.poker.spot import Spot, spot_betting
from nashgap.poker.typed_state import typed_cards
from nashgap.runs.progress import Progressing
from nashgap.runs.workers import Workers
from nashgap.strategies.range_strategy import STORAGES
from nashgap.strategies.spot_lock import SpotLock, parse_lock

__all__ = ["forecast_spot", "make_spot", "solve_boards", "solve_spot"]

DEFAULT_BETS, DEFAULT_RAISES = "50%,100%,a", "100%,a"


def make_spot(
    board: str | Sequence[int],
    oop: str | Range = "any",
    ip: str | Range = "any",
    *,
    pot: int,
    stack: int | tuple[int, int],
    bets: str | None = None,
    raises: str | None = None,
    betting: str | BettingAbstraction | None = None,
    rake: float = 0.0,
    rake_cap: float | None = None,
) -> Spot:
    """A spot as players tell it.

    board:   `Qs Jh 2h 8c`.
    oop, ip: ranges out of position and in position, `QQ+, AKs, 76s:0.5`.
    stack:   chips that are left; two numbers where they differ, out of position first.
    bets, raises: sizes as shares of the pot, `a` for all-in, by streets apart by `/`; `50%,100%,a` and `100%,a` if
             neither is told.
    betting: instead of both, as `nashgap.poker.betting_abstraction` reads it.
    rake:    percent of the pot, up to `rake_cap` chips.
    """
    stacks = tuple(stack) if isinstance(stack, tuple | list) else (stack, stack)
    if len(stacks) != 2:
        raise ConfigError(f"stacks {stacks}; one number, or one for each of the two players")
    if betting is not None and (bets is not None or raises is not None):
        raise OptionError("`betting` takes the place of `bets` and `raises`; tell one or the other")
    if rake_cap is not None and not rake:
        raise OptionError("`rake_cap` is the most of a `rake`, which is not told")
    if betting is None:
        betting = spot_betting(bets or DEFAULT_BETS, raises or DEFAULT_RAISES)
    if bets is not None and isinstance(betting, BettingAbstraction):
        _require_bets_below(betting, pot, min(stacks))
    return Spot(
        typed_cards(board) if isinstance(board, str) else tuple(board),
        (_range(oop), _range(ip)),
        pot,
        stacks,
        parse_betting_abstraction(betting) if isinstance(betting, str) else betting,
        (rake / 100, float(pot + sum(stacks)) if rake_cap is None else float(rake_cap)) if rake else (0.0, 0.0),
    )


def solve_spot(
    spot: Spot | str,
    oop: str | Range = "any",
    ip: str | Range = "any",
    *,
    locks: Iterable[str | SpotLock] = (),
    storage: str = STORAGES[0],
    until: float | None = None,
    iterations: int | None = None,
    minutes: float | None = None,
    threads: int = 1,
    output: Path | str | None = None,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
    **told: Any,
) -> SpotSolution:
    """Solve a spot and measure it exactly.

    spot:       one that is made already, or its board; then `oop`, `ip` and the options of `make_spot` tell the rest.
    locks:      decisions that are given, `x = b100 QQ+; x`; the same spot without them is solved too, for their price.
    storage:    how tables keep their numbers: `float32`, or `int16` in half the memory.
    until:      percent of the pot that is exploitable at most; 0.5 unless something else says how far to go.
    iterations, minutes: at most.
    output:     the strategy file that is written in the end.
    run:        keep the work: stopped or killed, the same call continues it; finished, it answers at once.
    """
    job = SpotJob(_spot(spot, oop, ip, told), _locks(locks), storage, iterations, minutes, until, threads)
    if output is not None:
        check_writable(Path(output))
    how: dict[str, Any] = {"run": run, "fresh": fresh, "progress": progress}
    job.prepare(None)
    with naming_output(output):
        found: SpotSolution = perform(job, **how)
    if job.locks:
        try:
            free: SpotSolution = perform(replace(job, locks=()), **how)
        except Interrupted as interrupt:  # its run alone would find neither the price nor the file
            raise Interrupted("the same command" if interrupt.resume else "") from interrupt
        found = replace(found, free=FreeSpot(free.values, free.exploitability))
    return saved(found, output)


def _spot(spot: Spot | str, oop: str | Range, ip: str | Range, told: Mapping[str, Any]) -> Spot:
    """The one that is given, which has all that could be told of it, or the one that is told."""
    if not isinstance(spot, Spot):
        return make_spot(spot, oop, ip, **told)
    if extra := [name for name, value in (("oop", oop), ("ip", ip)) if value != "any"] + list(told):
        raise OptionError(f"`{extra[0]}` is part of a spot that is given; change the spot")
    return spot


def forecast_spot(
    spot: Spot | str,
    oop: str | Range = "any",
    ip: str | Range = "any",
    *,
    locks: Iterable[str | SpotLock] = (),
    storage: str = STORAGES[0],
    iterations: int | None = None,
    threads: int = 1,
    **told: Any,
) -> SpotForecast:
    """How much memory and time `solve_spot` takes, after a short trial; nothing is kept."""
    return SpotJob(_spot(spot, oop, ip, told), _locks(locks), storage, iterations, threads=threads).forecast()


def _locks(locks: Iterable[str | SpotLock]) -> tuple[SpotLock, ...]:
    return tuple(parse_lock(lock) if isinstance(lock, str) else lock for lock in locks)


def _require_bets_below(betting: BettingAbstraction, pot: int, stack: int) -> None:
    """Refuse a first bet that nobody could ever make: somebody meant another number."""
    for size in betting.sizes[0][0]:
        if isinstance(size, Fraction) and 0 < stack < size * pot:
            raise ConfigError(
                f"a bet of {float(100 * size):g}% of the pot is {float(size * pot):g} chips, more than the stack of"
                f" {stack}; write a for all-in"
            )


def solve_boards(
    boards: Sequence[str],
    oop: str | Range = "any",
    ip: str | Range = "any",
    *,
    locks: Iterable[str | SpotLock] = (),
    storage: str = STORAGES[0],
    until: float | None = None,
    iterations: int | None = None,
    workers: Workers = 1,
    output: Path | str | None = None,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
    **told: Any,
) -> SpotBoards:
    """Solve the same spot on many boards: a table with a row for each.

    output: a CSV file that is written in the end.
    workers: processes, each with a board of its own; or a cluster.
    All else as in `solve_spot`.
    """
    if not boards:
        raise ConfigError("no boards; at least one is needed")
    given = _locks(locks)
    spot = make_spot(boards[0], oop, ip, **told)
    texts = tuple(format_cards(typed_cards(board)) for board in boards)
    job = SpotBoardsJob(spot, texts, given, storage, until, iterations)
    if output is not None:
        check_writable(Path(output))
    with naming_output(output):
        found: SpotBoards = perform(job, run=run, fresh=fresh, progress=progress, workers=workers)
    return saved(found, output)


def _range(hands: str | Range) -> Range:
    return parse_range(hands) if isinstance(hands, str) else hands
