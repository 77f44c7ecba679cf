"""`nashgap list [KIND]`: everything that has a name."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import print_json, screen, table

if TYPE_CHECKING:
    from nashgap.catalogue import Registry

__all__ = ["Kind", "describe", "list_catalogue", "print_catalogue"]


PAPER_WIDTH = 20


class Kind(StrEnum):
    GAMES = "games"
    SOLVERS = "solvers"
    MEASURES = "measures"
    STRATEGIES = "strategies"
    REPRODUCTIONS = "reproductions"


def list_catalogue(
    kind: Annotated[
        Kind | None, typer.Argument(metavar="KIND", help="What to list; everything unless told.", show_default=False)
    ] = None,
    json: JsonOption = False,
) -> None:
    """List games, solvers, measures, strategies and reproductions.

    Games are shown with their parameters; type them as name(parameter=value).

    Examples: [bold]nashgap list[/bold], [bold]nashgap list games --json[/bold]
    """
    kinds = list(Kind) if kind is None else [kind]
    if json:
        print_json({each.value: describe(each) for each in kinds})
        return
    for each in kinds:
        print_catalogue(each)


def describe(kind: Kind) -> list[dict[str, Any]]:
    """The entries of a kind, in the catalogue's order."""
    described = []
    for name, entry in _registry(kind).entries.items():
        record = {"name": name, "summary": entry.summary, "paper": entry.paper, "status": entry.status}
        described.append(record | ({"parameters": _parameters(name)} if kind is Kind.GAMES else {}))
    return described


def print_catalogue(kind: Kind) -> None:
    rows = []
    for record in describe(kind):
        parameters = record.get("parameters", {})
        shown = ", ".join(key if value is None else f"{key}={value}" for key, value in parameters.items())
        summary = f"{record['summary']}\n({shown})" if shown else record["summary"]
        rows.append((record["name"], summary, record["paper"], record["status"]))
    screen().print(kind.value, style="bold")
    filled = table(("name", "what it is", "paper", "status"), fixed=(0, 3))
    filled.columns[2].max_width = PAPER_WIDTH
    for row in rows:
        filled.add_row(*row)
    screen().print(filled)


def _parameters(name: str) -> dict[str, Any]:
    """Names and default values; None where there is no default. OpenSpiel's games have parameters of their own."""
    from dataclasses import MISSING, fields

    from nashgap.catalogue import GAMES

    if name == "openspiel":
        return {}
    defaults = {field.name: field.default for field in fields(GAMES.load(name))}
    return {key: None if value is MISSING else value for key, value in defaults.items()}


def _registry(kind: Kind) -> Registry:
    from nashgap import catalogue

    return {
        Kind.GAMES: catalogue.GAMES,
        Kind.SOLVERS: catalogue.SOLVERS,
        Kind.MEASURES: catalogue.MEASURES,
        Kind.STRATEGIES: catalogue.POLICIES,
        Kind.REPRODUCTIONS: catalogue.REPRODUCTIONS,
    }[kind]
