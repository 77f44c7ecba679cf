"""Responders that tables and figures ask for, each learned once: a run is what `nashgap measure --by abr` makes.

How long they learn is told in games, so that with one actor the same command gives the same numbers; `--minutes` takes
their place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from nashgap.api.measure import measure
from nashgap.core.estimate import Estimate
from nashgap.errors import MissingExtraError
from nashgap.jobs.abr_bound import AbrBound
from nashgap.jobs.lbr_bound import LbrBound
from nashgap.jobs.reproduction import Request
from nashgap.measures.local_best_response import DEALT
from nashgap.search.perceptron import import_torch

__all__ = [
    "NETWORKS",
    "PRESET_TEXTS",
    "TABULAR",
    "Effort",
    "networks_missing",
    "respond",
    "respond_by",
    "respond_locally",
    "share_text",
]

TABULAR, NETWORKS = ("tree", "paper-table"), ("desk", "paper")
PRESET_TEXTS = {
    "tree": "tabular, the search tree is kept",
    "paper-table": "tabular, a mean for each information set, 800 simulations",
    "desk": "a network with a learning rate for minutes",
    "paper": "a network, all of Table 1",
}


@dataclass(frozen=True)
class Effort:
    """Games that are learned from, of both seats together; and fresh ones of each seat."""

    episodes: int
    games: int


EFFORTS = {
    "tree": Effort(500_000, 100_000),
    "paper-table": Effort(40_000, 20_000),
    "desk": Effort(40_000, 20_000),
    "paper": Effort(40_000, 20_000),
}
QUICK_EFFORTS = {
    "tree": Effort(30_000, 5_000),
    "paper-table": Effort(2_000, 1_000),
    "desk": Effort(3_000, 1_000),
    "paper": Effort(1_000, 1_000),
}
LBR_DEALS, QUICK_LBR_DEALS = 50_000, 5_000


def respond(strategy: Any, game: str, preset: str, request: Request) -> AbrBound:
    """What responders of this preset win from the strategy, after as many games as the request has time for."""
    effort = (QUICK_EFFORTS if request.is_quick else EFFORTS)[preset]
    limits = {"episodes": effort.episodes} if request.minutes is None else {"minutes": request.minutes}
    found: AbrBound = measure(
        strategy,
        game=game,
        by="abr",
        preset=preset,
        games=effort.games,
        seed=request.seed,
        run=request.runs_root,
        progress=request.on_progress or False,
        **limits,
    )
    return found


def respond_by(presets: Iterable[str], strategy: Any, game: str, request: Request) -> dict[str, AbrBound]:
    """By preset; networks are left out where they cannot learn."""
    is_missing = bool(networks_missing())
    return {
        preset: respond(strategy, game, preset, request)
        for preset in presets
        if not (is_missing and preset in NETWORKS)
    }


def respond_locally(strategy: str, game: str, request: Request) -> Estimate:
    """What LBR wins from the strategy in both seats together, as NashConv counts it."""
    found: LbrBound = measure(
        strategy,
        game=game,
        by="lbr",
        lines=DEALT,
        deals=QUICK_LBR_DEALS if request.is_quick else LBR_DEALS,
        seed=request.seed,
        workers=request.workers,
        run=request.runs_root,
        progress=request.on_progress or False,
    )
    return replace(found.estimate, mean=2 * found.estimate.mean, ci95=2 * found.estimate.ci95)


def share_text(estimate: Estimate, exact: float) -> str:
    """`85.8% ± 1.2%`."""
    return f"{estimate.mean / exact:.1%} ± {estimate.ci95 / exact:.1%}"


def networks_missing() -> str:
    """Why networks are left out; empty where they are not."""
    try:
        import_torch("a responder with a network")
    except MissingExtraError as error:
        return f"Left out: {error}."
    return ""
