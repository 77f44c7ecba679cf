"""HTTP of what is told beside a hand: a coach at one's own decision; opened cards and a review when it is over."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import Field

from nashgap.web.api import CardRoom
from nashgap.web.routes import Body, Identifier, Number
from nashgap.web.visitors import visitor_asking

__all__ = ["AskedCoach", "AskedReview", "review_routes"]

Hand = Annotated[int, Path(ge=1, le=10**9)]
CoachName = Annotated[str, Field(max_length=2000)]


class AskedCoach(Body):
    """Who is asked what to do at which decision."""

    coach: CoachName
    hand: Number
    step: Number


class AskedReview(Body):
    """Who is asked about a hand."""

    coach: CoachName


def review_routes(room: CardRoom) -> APIRouter:
    """The JSON of open hands and coaches; the table's page shows it."""
    routes = APIRouter(prefix="/api/tables/{identifier}")

    @routes.get("/hands/{hand}/open")
    def open_hand(request: Request, identifier: Identifier, hand: Hand) -> dict[str, Any]:
        return room.open_hand(identifier, visitor_asking(request), hand)

    @routes.get("/coaches")
    def coaches(request: Request, identifier: Identifier) -> list[dict[str, str]]:
        return room.coach_choices(identifier, visitor_asking(request))

    @routes.post("/coach")
    def advise(request: Request, identifier: Identifier, asked: AskedCoach) -> dict[str, Any]:
        return room.advise(identifier, visitor_asking(request), asked.hand, asked.step, asked.coach)

    @routes.post("/hands/{hand}/review")
    def review(request: Request, identifier: Identifier, hand: Hand, asked: AskedReview) -> dict[str, Any]:
        return room.review(identifier, visitor_asking(request), hand, asked.coach)

    return routes
