"""HTTP of the strategy viewer: a page, and one decision as JSON."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.templating import Jinja2Templates

from nashgap.web.look import MAX_BOARD, MAX_LINE, MAX_NAME, Shelf
from nashgap.web.run_pages import RunPages

__all__ = ["look_routes"]


def look_routes(shelf: Shelf, pages: RunPages, templates: Jinja2Templates) -> APIRouter:
    """The page `/look` and what it asks for."""
    routes = APIRouter()

    @routes.get("/look", response_class=HTMLResponse)
    def look_page(request: Request) -> Response:
        values = {"strategies": shelf.strategies(), "games": shelf.games(), "max_line": MAX_LINE}
        return templates.TemplateResponse(request, "look.html", values)

    @routes.get("/api/look")
    def look(
        strategy: Annotated[str, Query(max_length=MAX_NAME)],
        game: Annotated[str, Query(max_length=40)] = "",
        after: Annotated[str, Query(max_length=MAX_LINE)] = "",
        board: Annotated[str, Query(max_length=MAX_BOARD)] = "",
        beside: Annotated[str, Query(max_length=MAX_NAME)] = "",
    ) -> dict[str, Any]:
        found = shelf.view(strategy, game, after, board, beside)
        if "error" in found.get("beside", {}):
            found["beside"]["error"] = pages.refusal(found["beside"]["error"])
        return found

    return routes
