"""HTTP of the tournaments."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.templating import Jinja2Templates

from nashgap.web.measurement_routes import RunName
from nashgap.web.tournaments import Tournaments

__all__ = ["tournament_routes"]


def tournament_routes(tournaments: Tournaments, templates: Jinja2Templates) -> APIRouter:
    """The pages and the JSON of the tournaments."""
    routes = APIRouter()

    @routes.get("/tournaments", response_class=HTMLResponse)
    def listed(request: Request) -> Response:
        return templates.TemplateResponse(request, "tournaments.html", {"lines": tournaments.lines()})

    @routes.get("/tournaments/{name}", response_class=HTMLResponse)
    def page(request: Request, name: RunName) -> Response:
        return templates.TemplateResponse(request, "tournament.html", {"view": tournaments.view(name)})

    @routes.get("/api/tournaments/{name}")
    def view(name: RunName) -> dict[str, Any]:
        return tournaments.view(name).as_dict()

    return routes
