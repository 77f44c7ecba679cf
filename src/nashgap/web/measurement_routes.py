"""HTTP of the measurements: the list of runs, a page for each, hands to step through; work begun, watched, stopped."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from nashgap.errors import NashGapError
from nashgap.web.api import visitor_of
from nashgap.web.hand_replay import replayed_hands
from nashgap.web.measurements import (
    BETS,
    LARGEST_SEED_ASKED,
    MAX_DEALS,
    MAX_EPISODES,
    METHODS,
    Measurements,
    Wanted,
)
from nashgap.web.routes import HEARTBEAT_SECONDS
from nashgap.web.run_pages import RUN_NAME, RunPages
from nashgap.web.run_sections import rules_of_run
from nashgap.web.section_view import view_sections
from nashgap.web.streams import EventStream, Streams
from nashgap.web.visitors import answer_to, secret_of, visitor_asking

__all__ = ["NewMeasurement", "RunName", "measurement_routes"]

WATCH_SECONDS, ELSEWHERE_SECONDS = 0.3, 2.0  # between two looks at work of this server, and of other processes

RunName = Annotated[str, Path(pattern=RUN_NAME, max_length=120)]


class NewMeasurement(BaseModel):
    """What is asked for when a measurement is begun."""

    model_config = ConfigDict(extra="forbid", strict=True)

    method: str = Field(max_length=40)
    strategies: list[Annotated[str, Field(max_length=2000)]] = Field(min_length=1, max_length=2)
    game: str = Field(default="", max_length=40)
    bets: str | None = Field(default=None, max_length=20)
    rounds: str | None = Field(default=None, max_length=20)
    deals: int | None = Field(default=None, ge=1, le=MAX_DEALS)
    episodes: int | None = Field(default=None, ge=1, le=MAX_EPISODES)
    seed: int | None = Field(default=None, ge=0, le=LARGEST_SEED_ASKED)


def measurement_routes(
    measurements: Measurements, pages: RunPages, streams: Streams, templates: Jinja2Templates
) -> APIRouter:
    """The pages and the JSON of the measurements."""
    routes = APIRouter()

    @routes.get("/measures", response_class=HTMLResponse)
    def runs(request: Request) -> Response:
        return templates.TemplateResponse(request, "measures.html", {"lines": pages.lines()})

    @routes.get("/measures/new", response_class=HTMLResponse)
    def new(request: Request) -> Response:
        offered = {
            name: {
                "games": measurements.games(name),
                "groups": _groups([asdict(offer) for offer in measurements.offers(name)]),
            }
            for name in METHODS
        }
        values = {"methods": METHODS, "offered": offered, "bets": BETS, "max_seed": LARGEST_SEED_ASKED}
        values |= {"max_deals": MAX_DEALS, "max_episodes": MAX_EPISODES}
        return templates.TemplateResponse(request, "measure_new.html", values)

    @routes.get("/measures/{name}", response_class=HTMLResponse)
    def run_page(request: Request, name: RunName) -> Response:
        status = measurements.status(name, visitor_asking(request))
        page = pages.page(name)
        values = {"page": page, "status": status, "sections": view_sections(page.sections)}
        return templates.TemplateResponse(request, "measure.html", values)

    @routes.get("/measures/{name}/so-far", response_class=HTMLResponse)
    def so_far(request: Request, name: RunName) -> Response:
        sections = view_sections(pages.page(name).sections)
        return templates.TemplateResponse(request, "so_far.html", {"sections": sections})

    @routes.get("/api/measures")
    def runs_json() -> list[dict[str, Any]]:
        return [asdict(line) for line in pages.lines()]

    @routes.post("/api/measures", status_code=201, response_model=dict[str, Any])
    def start(request: Request, asked: NewMeasurement) -> Response:
        secret = secret_of(request)
        begun = measurements.start(visitor_of(secret), Wanted(**asked.model_dump()))
        return answer_to(request, secret, begun, 201)

    @routes.get("/api/measures/{name}")
    def status(request: Request, name: RunName) -> dict[str, Any]:
        return measurements.status(name, visitor_asking(request))

    @routes.get("/api/measures/{name}/result")
    def result(name: RunName) -> dict[str, Any]:
        return pages.document(name)

    @routes.get("/api/measures/{name}/hands")
    def hands(name: RunName) -> list[dict[str, Any]]:
        run, document = pages.run(name), pages.document(name)
        if not document.get("situations"):
            return []
        return replayed_hands(rules_of_run(run), document["situations"], str(document.get("unit", "")))

    @routes.get("/api/measures/{name}/events", status_code=200, response_class=EventStream)
    async def events(request: Request, name: RunName) -> Response:
        await run_in_threadpool(pages.line, name)  # refused before the stream begins
        return EventStream(request, streams, _events(measurements, name, visitor_asking(request)))

    @routes.post("/api/measures/{name}/stop")
    def stop(request: Request, name: RunName) -> dict[str, Any]:
        measurements.stop(visitor_asking(request), name)
        return measurements.status(name, visitor_asking(request))

    @routes.post("/api/measures/{name}/resume", response_model=dict[str, Any])
    def resume(request: Request, name: RunName) -> Response:
        secret = secret_of(request)
        return answer_to(request, secret, measurements.resume(visitor_of(secret), name), 200)

    return routes


async def _events(measurements: Measurements, name: str, visitor: str) -> AsyncIterator[str]:
    """How far the run is, whenever that changes, until nobody works on it any more."""
    told_at, before = time.monotonic(), ""
    while True:
        try:
            status = await run_in_threadpool(measurements.status, name, visitor)
        except NashGapError:
            return  # the run is gone
        text = json.dumps(status)
        if text != before:
            yield f"data: {text}\n\n"
            told_at, before = time.monotonic(), text
        if status["status"] != "running":
            return
        if time.monotonic() - told_at > HEARTBEAT_SECONDS:
            yield ": still here\n\n"
            told_at = time.monotonic()
        await asyncio.sleep(WATCH_SECONDS if status["done"] is not None or status["can_stop"] else ELSEWHERE_SECONDS)


def _groups(offers: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for offer in offers:
        groups.setdefault(offer["group"], []).append(offer)
    return groups
