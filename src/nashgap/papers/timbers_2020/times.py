"""Section 4.2: how long an exact best response takes, and how long ABR."""

from __future__ import annotations

import time
from collections.abc import Mapping

from nashgap.core.tree import GameTree
from nashgap.games.compiled import load_tree
from nashgap.jobs.abr_bound import AbrBound
from nashgap.jobs.reproduction import Request, command_of
from nashgap.measures.best_response import exploitability
from nashgap.papers.statements import Statement, num_true, statement_table
from nashgap.papers.timbers_2020.published import COST_FACTOR, EXACT_SECONDS, KUHN, KUHN_SECONDS, LEDUC
from nashgap.papers.timbers_2020.responders import NETWORKS, TABULAR, networks_missing, respond_by
from nashgap.reports.report import Report, Table, Text
from nashgap.runs import package_version
from nashgap.strategies.table import uniform

__all__ = ["NEARLY", "cost", "exact_seconds", "seconds_to_nearly"]

NEARLY = 0.99  # of the best response
TIMED_SECONDS = 0.5  # of repetitions


def cost(request: Request) -> Report:
    """Both times in Kuhn and in Leduc; the paper has one of each."""
    exact = {game: exact_seconds(load_tree(game)) for game in (KUHN, LEDUC)}
    found = {game: respond_by((*TABULAR, *NETWORKS), "uniform", game, request) for game in (KUHN, LEDUC)}
    times = {game: {preset: seconds_to_nearly(bound) for preset, bound in found[game].items()} for game in found}
    statements = _check(exact, times)
    return Report(
        title="What ABR costs (Timbers et al. 2020, section 4.2)",
        summary=(
            f"An exact best response in Leduc takes {_time(exact[LEDUC])} (printed {_time(EXACT_SECONDS)});"
            f" ABR in Kuhn comes to {NEARLY:.0%} of it in {_time(_least(times[KUHN]))} at best (printed"
            f" {_time(KUHN_SECONDS)}). {num_true(statements)} of {len(statements)} statements hold."
        ),
        sections=(
            _table(exact, found, times),
            statement_table("What the paper says", statements),
            Text("What is timed", tuple(filter(None, (_NOTE, networks_missing())))),
        ),
        command=command_of("abr-cost", request),
        facts={"opponent": "uniform", "seed": request.seed, "version": package_version()},
    )


_NOTE = (
    "Exact: both players' best responses to a table, the game compiled before. ABR: seconds of learning until the"
    f" responders of that moment would win {NEARLY:.0%} of it, as the curve of the run has it; the paper does not say"
    " when it stopped. Times are this machine's, on one core."
)


def exact_seconds(tree: GameTree) -> float:
    """Of best responses of both players to uniform play; the quickest of many repetitions."""
    strategy = uniform(tree)
    exploitability(tree, strategy)  # what happens only once
    end, least = time.perf_counter() + TIMED_SECONDS, float("inf")
    while time.perf_counter() < end:
        begin = time.perf_counter()
        exploitability(tree, strategy)
        least = min(least, time.perf_counter() - begin)
    return least


def seconds_to_nearly(bound: AbrBound) -> float | None:
    """Of learning, up to the first measured point with nearly all; None where it never came so far."""
    assert bound.exact is not None, "small games are known exactly"
    goal = NEARLY * sum(bound.exact.best_values)
    return next((p["seconds"] for p in bound.points if p["value_1"] + p["value_2"] >= goal), None)


def _check(exact: Mapping[str, float], times: Mapping[str, Mapping[str, float | None]]) -> tuple[Statement, ...]:
    least = _least(times[KUHN])
    factor = None if least is None else least / exact[LEDUC]
    alike = {game: None if (own := _least(times[game])) is None else own / exact[game] for game in times}
    shown = "; ".join(
        f"{game} {'not reached' if each is None else f'{each:,.0f} times'}" for game, each in alike.items()
    )
    return (
        Statement(
            f"a best response in Leduc takes {_time(EXACT_SECONDS)}, within a factor of 3",
            1 / 3 < exact[LEDUC] / EXACT_SECONDS < 3,
            _time(exact[LEDUC]),
        ),
        Statement(
            f"ABR in Kuhn takes {_time(KUHN_SECONDS)}, {COST_FACTOR:,.0f} times as long, within a factor of 10",
            None if factor is None else 0.1 < factor / COST_FACTOR < 10,
            "not reached" if factor is None else f"{_time(least)}, {factor:,.0f} times as long",
        ),
        Statement(
            "where a game is small there is no reason to prefer ABR: it takes a hundred times as long and more",
            None if None in alike.values() else all(each is not None and each > 100 for each in alike.values()),
            f"in the same game: {shown}",
        ),
    )


def _table(
    exact: Mapping[str, float],
    found: Mapping[str, Mapping[str, AbrBound]],
    times: Mapping[str, Mapping[str, float | None]],
) -> Table:
    rows = [(game, "exact best response", _time(seconds), "100%", "") for game, seconds in exact.items()]
    for game, bounds in found.items():
        for preset, bound in bounds.items():
            last = bound.points[-1]
            assert bound.exact is not None, "small games are known exactly"
            share = (last["value_1"] + last["value_2"]) / sum(bound.exact.best_values)
            rows.append((game, f"ABR, {preset}", _time(times[game][preset]), f"{share:.1%}", _time(last["seconds"])))
    columns = ("game", "method", f"time to {NEARLY:.0%}", "share in the end", "time in the end")
    return Table("Times", columns, tuple(rows))


def _least(times: Mapping[str, float | None]) -> float | None:
    return min((seconds for seconds in times.values() if seconds is not None), default=None)


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "not reached"
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds:.3g} s"
