"""HTTP of the play pages: what is asked is checked for its shape, handed to `api.py`, and answered as JSON or a page.

Pages are the same for all visitors; what belongs to a visitor is asked for by the page itself, because a browser that
followed a link from elsewhere does not send our cookies with its first request.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from nashgap.web.api import MAX_NAME, MAX_REMARK, MAX_SEATS, CardRoom
from nashgap.web.streams import EventStream, Streams
from nashgap.web.tables import Table
from nashgap.web.visitors import answered, visitor_asking

__all__ = [
    "HEARTBEAT_SECONDS",
    "Answer",
    "Body",
    "HandNumber",
    "Identifier",
    "Joining",
    "NewTable",
    "Number",
    "Remark",
    "SeatedAt",
    "Toml",
    "play_routes",
]

HEARTBEAT_SECONDS = 15.0

Identifier = Annotated[str, Path(pattern="^[0-9a-f]{12}$")]
Invitation = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{22}$")]
Number = Annotated[int, Field(ge=0, le=10**9)]


class Body(BaseModel):
    """What is sent: nothing but the fields that are named, of just their kinds."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(Body):
    """What is asked for when a table is made."""

    game: str = Field(max_length=40)
    opponents: list[Annotated[str, Field(max_length=2000)]] = Field(max_length=MAX_SEATS)
    name: str = Field(default="", max_length=MAX_NAME)
    anonymous: bool = False
    open: bool = False
    coach: bool = False
    duplicate: Literal["", "later", "person"] = ""


class Joining(Body):
    """Who takes a free seat."""

    name: str = Field(default="", max_length=MAX_NAME)


class Answer(Body):
    """What is done at a decision, as it would be typed in the terminal: f, c, r 300."""

    hand: Number
    step: Number
    answer: str = Field(max_length=40)


class HandNumber(Body):
    """The hand after which the next one is asked for."""

    hand: Number


class Remark(Body):
    """What is kept with a hand."""

    hand: Number
    text: str = Field(max_length=MAX_REMARK)


class SeatedAt(BaseModel):
    """The table where the visitor has a seat now."""

    table: str


class Toml(Response):
    """Text in TOML, as PHH is."""

    media_type = "application/toml"


def play_routes(room: CardRoom, streams: Streams, templates: Jinja2Templates) -> APIRouter:
    """The pages and the JSON of the tables."""
    routes = APIRouter()

    @routes.get("/", response_class=HTMLResponse)
    def lobby(request: Request) -> Response:
        games = room.describe_games()
        return templates.TemplateResponse(request, "play.html", {"games": games, "max_name": MAX_NAME})

    @routes.get("/tables/{identifier}", response_class=HTMLResponse)
    def table_page(request: Request, identifier: Identifier) -> Response:
        room.table(identifier)
        values = {"identifier": identifier, "max_remark": MAX_REMARK}
        return templates.TemplateResponse(request, "table.html", values)

    @routes.get("/join/{invitation}", response_class=HTMLResponse)
    def join_page(request: Request, invitation: Invitation) -> Response:
        room.invited_to(invitation)
        values = {"invitation": invitation, "max_name": MAX_NAME}
        return templates.TemplateResponse(request, "join.html", values)

    @routes.get("/api/tables")
    def tables(request: Request) -> list[dict[str, Any]]:
        visitor = visitor_asking(request)
        return [_listed(table, visitor) for table in room.tables_of(visitor)]

    @routes.post("/api/tables", status_code=201, response_model=SeatedAt)
    def make_table(request: Request, asked: NewTable) -> Response:
        def made(visitor: str) -> dict[str, Any]:
            table = room.make_table(
                visitor,
                asked.game,
                asked.opponents,
                name=asked.name,
                is_anonymous=asked.anonymous,
                is_open=asked.open,
                has_coach=asked.coach,
                duplicate=asked.duplicate,
            )
            return {"table": table.identifier}

        return answered(request, made)

    @routes.post("/api/join/{invitation}", response_model=SeatedAt)
    def join(request: Request, invitation: Invitation, asked: Joining) -> Response:
        def joined(visitor: str) -> dict[str, Any]:
            return {"table": room.join(invitation, visitor, asked.name).identifier}

        return answered(request, joined, 200)

    @routes.get("/api/tables/{identifier}")
    def view(request: Request, identifier: Identifier) -> dict[str, Any]:
        return room.view(identifier, visitor_asking(request))

    @routes.get("/api/tables/{identifier}/events", status_code=200, response_class=EventStream)
    async def events(request: Request, identifier: Identifier) -> Response:
        await run_in_threadpool(room.seat, identifier, visitor_asking(request))  # refused before the stream begins
        return EventStream(request, streams, _events(room, request, identifier))

    @routes.post("/api/tables/{identifier}/act")
    def act(request: Request, identifier: Identifier, asked: Answer) -> dict[str, Any]:
        return room.act(identifier, visitor_asking(request), asked.hand, asked.step, asked.answer)

    @routes.post("/api/tables/{identifier}/next")
    def ask_next(request: Request, identifier: Identifier, asked: HandNumber) -> dict[str, Any]:
        return room.ask_next(identifier, visitor_asking(request), asked.hand)

    @routes.post("/api/tables/{identifier}/remark")
    def remark(request: Request, identifier: Identifier, asked: Remark) -> dict[str, Any]:
        return room.remark(identifier, visitor_asking(request), asked.hand, asked.text)

    @routes.post("/api/tables/{identifier}/close", status_code=204)
    def close(request: Request, identifier: Identifier) -> None:
        room.finish(identifier, visitor_asking(request))

    @routes.get("/api/tables/{identifier}/hands.log", response_class=PlainTextResponse)
    def log(request: Request, identifier: Identifier) -> Response:
        text = room.log_text(identifier, visitor_asking(request))
        return _file(text.encode(), f"table-{identifier}.log", "text/plain; charset=utf-8")

    @routes.get("/api/tables/{identifier}/hands.phhs", response_class=Toml)
    def phh(request: Request, identifier: Identifier) -> Response:
        return _file(
            room.phh_bytes(identifier, visitor_asking(request)), f"table-{identifier}.phhs", "application/toml"
        )

    return routes


async def _events(room: CardRoom, request: Request, identifier: str) -> AsyncIterator[str]:
    """The whole view whenever it changes: who comes back has missed nothing."""
    visitor, changed, loop = visitor_asking(request), asyncio.Event(), asyncio.get_running_loop()

    def wake() -> None:
        loop.call_soon_threadsafe(changed.set)

    table, _ = await run_in_threadpool(room.seat, identifier, visitor)
    table.listeners.add(wake)
    try:
        while True:
            changed.clear()
            view = await run_in_threadpool(room.view, identifier, visitor)
            yield f"id: {view['version']}\ndata: {json.dumps(view)}\n\n"
            while not changed.is_set():
                try:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield ": still here\n\n"
    finally:
        table.listeners.discard(wake)


def _listed(table: Table, visitor: str) -> dict[str, Any]:
    own = table.player_of(visitor)
    others = [name for player, name in enumerate(table.names) if player != own]
    return {"table": table.identifier, "game": table.rules.name, "others": others, "hands": len(table.finished)}


def _file(content: bytes, name: str, kind: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
