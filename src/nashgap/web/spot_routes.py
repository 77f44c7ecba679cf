"""HTTP of the spots: set up, with ranges in step with their texts; solved, watched, and solved again with locks."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.templating import Jinja2Templates
from pydantic import Field

from nashgap.cards.ranges import HAND_CLASSES
from nashgap.poker.spot import MOST_CHIPS
from nashgap.web.look import MAX_LINE
from nashgap.web.measurement_routes import RunName
from nashgap.web.routes import Body
from nashgap.web.section_view import view_sections
from nashgap.web.spot_locks import Painted
from nashgap.web.spot_sizes import MAX_BYTES, MAX_SECONDS
from nashgap.web.spots import EXAMPLES, MAX_BETTING, MAX_LOCK, MAX_LOCKS, MAX_RANGE, Spots, WantedSpot, described_range
from nashgap.web.visitors import answered, visitor_asking

__all__ = ["NewLocks", "NewSpot", "PaintedDecision", "PaintedRange", "spot_routes"]

MAX_ACTIONS = 24
_Chips = Annotated[int, Field(ge=1, le=MOST_CHIPS)]
_Share = Annotated[float, Field(ge=0, le=1, strict=False)]
_Class = Annotated[str, Field(max_length=3)]


class NewSpot(Body):
    """What is asked for when a spot is solved, or its size is asked."""

    board: str = Field(max_length=40)
    oop: str = Field(max_length=MAX_RANGE)
    ip: str = Field(max_length=MAX_RANGE)
    pot: _Chips
    stacks: list[_Chips] = Field(min_length=2, max_length=2)
    bets: str = Field(default="", max_length=MAX_BETTING)
    raises: str = Field(default="", max_length=MAX_BETTING)
    until: float = Field(default=0.5, gt=0, le=100, strict=False, allow_inf_nan=False)
    locks: list[Annotated[str, Field(max_length=MAX_LOCK)]] = Field(default=[], max_length=MAX_LOCKS)

    def wanted(self) -> WantedSpot:
        first, second = self.stacks
        return WantedSpot(**self.model_dump(exclude={"stacks"}), stacks=(first, second))


class PaintedRange(Body):
    """A range, and classes of hands that were painted over it."""

    text: str = Field(max_length=MAX_RANGE)
    painted: dict[_Class, _Share] = Field(default={}, max_length=len(HAND_CLASSES))


class PaintedDecision(Body):
    """A decision that is locked as it is, but for what was painted: a share for each action, by class of hands."""

    place: str = Field(max_length=MAX_LINE)
    classes: dict[_Class, Annotated[list[_Share], Field(min_length=1, max_length=MAX_ACTIONS)]] = Field(
        default={}, max_length=len(HAND_CLASSES)
    )


class NewLocks(Body):
    """What is locked: of the run's own locks those of these numbers, others that are typed, others that are painted."""

    kept: list[Annotated[int, Field(ge=0, lt=MAX_LOCKS)]] = Field(default=[], max_length=MAX_LOCKS)
    locks: list[Annotated[str, Field(max_length=MAX_LOCK)]] = Field(default=[], max_length=MAX_LOCKS)
    painted: list[PaintedDecision] = Field(default=[], max_length=MAX_LOCKS)


def spot_routes(spots: Spots, templates: Jinja2Templates) -> APIRouter:
    """The pages and the JSON of the spots."""
    routes = APIRouter()

    @routes.get("/spots/new", response_class=HTMLResponse)
    def new(request: Request) -> Response:
        values = {"examples": [asdict(each) for each in EXAMPLES], "lines": spots.lines(), "max_range": MAX_RANGE}
        values |= {"max_betting": MAX_BETTING, "max_chips": MOST_CHIPS, "max_bytes": MAX_BYTES}
        return templates.TemplateResponse(request, "spot_new.html", values | {"max_seconds": MAX_SECONDS})

    @routes.get("/spots/{name}", response_class=HTMLResponse)
    def spot_page(request: Request, name: RunName) -> Response:
        status, job = spots.status(name, visitor_asking(request)), spots.job(name)
        values = {"status": status, "spot": job.spot, "until": job.until, "locks": status["locks"]}
        sections = view_sections(spots.sections(name))
        return templates.TemplateResponse(request, "spot.html", values | {"sections": sections})

    @routes.get("/spots/{name}/so-far", response_class=HTMLResponse)
    def so_far(request: Request, name: RunName) -> Response:
        return templates.TemplateResponse(request, "so_far.html", {"sections": view_sections(spots.sections(name))})

    @routes.post("/api/spots/range")
    def painted_range(asked: PaintedRange) -> dict[str, Any]:
        return described_range(asked.text, asked.painted)

    @routes.post("/api/spots/size")
    def size(asked: NewSpot) -> dict[str, Any]:
        return spots.size(asked.wanted())

    @routes.post("/api/spots", status_code=201, response_model=dict[str, Any])
    def start(request: Request, asked: NewSpot) -> Response:
        return answered(request, lambda visitor: spots.start(visitor, asked.wanted()))

    @routes.get("/api/spots/{name}")
    def status(request: Request, name: RunName) -> dict[str, Any]:
        return spots.status(name, visitor_asking(request))

    @routes.post("/api/spots/{name}/resume", response_model=dict[str, Any])
    def resume(request: Request, name: RunName) -> Response:
        return answered(request, lambda visitor: spots.resume(visitor, name), 200)

    @routes.post("/api/spots/{name}/again", status_code=201, response_model=dict[str, Any])
    def again(request: Request, name: RunName, asked: NewLocks) -> Response:
        painted = [Painted(each.place, each.classes) for each in asked.painted]
        return answered(request, lambda visitor: spots.solve_again(visitor, name, asked.kept, asked.locks, painted))

    return routes
