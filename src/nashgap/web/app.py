"""The application: its parts put together behind the guard.

A new part is a module of routes (`play_routes` is one), included below, and a line of `PARTS`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Timer
from typing import Any, NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from starlette.exceptions import HTTPException

from nashgap.core.estimate import half_width_95
from nashgap.errors import IllegalActionError, NashGapError
from nashgap.runs.config import package_version
from nashgap.web.api import CardRoom, NotFoundError, NotYoursError
from nashgap.web.guard import Guard
from nashgap.web.look import Shelf
from nashgap.web.look_routes import look_routes
from nashgap.web.measurement_routes import measurement_routes
from nashgap.web.measurements import Measurements
from nashgap.web.review_routes import review_routes
from nashgap.web.routes import play_routes
from nashgap.web.rules_routes import rules_routes
from nashgap.web.run_pages import RunPages
from nashgap.web.spot_routes import spot_routes
from nashgap.web.spots import Spots
from nashgap.web.streams import CutOff, Streams, TooManyError
from nashgap.web.tournament_routes import tournament_routes
from nashgap.web.tournaments import Tournaments
from nashgap.web.workshop import Workshop

__all__ = ["PARTS", "Part", "create_app"]

FOLDER = Path(__file__).parent
QUIET_SECONDS = 1.0  # from the start on


class Part(NamedTuple):
    """What the head of every page leads to."""

    name: str
    path: str


PARTS = (
    Part("Play", "/"),
    Part("Look", "/look"),
    Part("Spots", "/spots/new"),
    Part("Measures", "/measures"),
    Part("Tournaments", "/tournaments"),
    Part("Rules", "/rules"),
)


REFUSAL = {
    "application/json": {
        "schema": {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
    },
    "text/html": {"schema": {"type": "string"}},  # for who asked for a page
}
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"description": words, "content": REFUSAL}
    for status, words in (
        (400, "not possible here"),
        (401, "the server's token is missing"),
        (403, "it belongs to another visitor, or another page asked for it"),
        (404, "there is no such thing"),
        (409, "not possible now"),
        (413, "too large"),
        (422, "of another shape"),
        (429, "too many at once"),
    )
}


def create_app(room: CardRoom, streams: Streams) -> FastAPI:
    """The pages of this room; a room without a token is shown to this machine only. streams: of its events."""
    pages = RunPages(room.root)
    workshop = Workshop(pages)
    measurements, spots = Measurements(room, pages, workshop), Spots(room, pages, workshop)
    shelf = Shelf(room)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # The first interval takes a moment, for what it imports: not while somebody plays, nor before the first page.
        first_interval = Timer(QUIET_SECONDS, half_width_95, (1.0, 2))
        first_interval.daemon = True
        first_interval.start()
        yield
        first_interval.cancel()
        workshop.close()
        spots.close()
        shelf.close()
        room.close()

    app = FastAPI(
        title="NashGap",
        version=package_version(),
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=REFUSALS,
    )
    templates = Jinja2Templates(FOLDER / "templates")
    templates.env.globals.update(parts=PARTS, version=package_version())
    app.include_router(play_routes(room, streams, templates))
    app.include_router(review_routes(room))
    app.include_router(measurement_routes(measurements, pages, streams, templates))
    app.include_router(spot_routes(spots, templates))
    app.include_router(tournament_routes(Tournaments(pages), templates))
    app.include_router(rules_routes(templates))
    app.include_router(look_routes(shelf, pages, templates))
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    app.add_middleware(CutOff, streams=streams)
    app.add_middleware(Guard, token=room.token)

    @app.exception_handler(NashGapError)
    def refused(request: Request, error: NashGapError) -> Response:
        kinds = ((NotFoundError, 404), (NotYoursError, 403), (IllegalActionError, 409), (TooManyError, 429))
        status = next((status for kind, status in kinds if isinstance(error, kind)), 400)
        return _answer(request, status, pages.refusal(str(error)))

    @app.exception_handler(RequestValidationError)
    def misshapen(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return _answer(request, 404 if first["loc"][0] == "path" else 422, f"{where}: {first['msg']}")

    @app.exception_handler(HTTPException)
    def missing(request: Request, error: HTTPException) -> Response:
        return _answer(request, error.status_code, str(error.detail), error.headers)

    def _answer(request: Request, status: int, text: str, headers: Mapping[str, str] | None = None) -> Response:
        """As JSON, or as a page to who asked for one."""
        if request.url.path.startswith(("/api/", "/static/")) or "text/html" not in request.headers.get("accept", ""):
            return JSONResponse({"error": text}, status, headers)
        values = {"status": status, "text": text}
        return templates.TemplateResponse(request, "error.html", values, status_code=status, headers=headers)

    return app
