"""A server's folder with one of everything that pages show, and a visitor who has begun one of everything."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from serving import Server, Visitor

import nashgap as ng
from nashgap.arena.tournament import Entrant, TournamentConfig
from nashgap.strategies.spec import parse_bot
from nashgap.web.worker import SPOT_FILE

__all__ = ["Known", "furnish", "sit"]

PLAYERS = ("always-call", "probe", "always-raise", "random")


@dataclass(frozen=True)
class Known:
    """What there is. playing: a table at `hand`, not its first; waiting: one whose second person has not come."""

    playing: str
    waiting: str
    invitation: str
    hand: dict[str, Any]


def furnish(folder: Path) -> tuple[str, str, str]:
    """The names of new runs: of LBR with a report of leaks, of a tournament and of a solved spot."""
    found = ng.measure("always-call", game="lhe2", by="lbr", deals=60, seed=5, run=folder)
    agents = tuple(Entrant(name, parse_bot(name, kind="agent")) for name in PLAYERS)
    played = ng.tournament(TournamentConfig("small", "lhe2", 100, agents), run=folder)
    solved = ng.solve_spot("As Kd 7h 4c 2s", "AA,QJo,KQs", "KK,87s", pot=200, stack=900, bets="100%", run=folder)
    solved.save(solved.provenance.run / SPOT_FILE)
    return found.provenance.run.name, played.provenance.run.name, solved.provenance.run.name


def sit(server: Server, opponent: str = "always-call") -> tuple[Visitor, Known]:
    """A new visitor with two tables and a quiz."""
    visitor = server.visitor()
    playing = visitor.sit_down("hunl", opponent, open=True, coach=True)
    visitor.play(playing, 1, lambda hand: "c")
    while (hand := visitor.view(playing)["hand"])["is_over"]:
        visitor.next_hand(playing, hand)
    waiting = visitor.sit_down("lhe3", "person", "poki")
    invitation = visitor.view(waiting)["invitation"].rpartition("/")[2]
    visitor.json("POST", "/api/rules/quiz", {})
    return visitor, Known(playing, waiting, invitation, hand)
