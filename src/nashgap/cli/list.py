"""`nashgap list [KIND] [--sizes]`: everything that has a name."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import print_json, print_table, say, screen, table

if TYPE_CHECKING:
    from nashgap.catalogue import Registry

__all__ = ["Kind", "describe", "list_catalogue", "print_catalogue"]


PAPER_WIDTH = 20
LARGEST_WHOLE = 999_999  # larger counts are shown in powers of ten

TREE_COUNTS = ("histories", "information_sets", "infoset_actions")
POKER_COUNTS = {
    "chance_outcomes": "chance outcomes",
    "betting_sequences": "betting sequences",
    "game_states": "game states",
    "information_sets": "information sets",
    "canonical_information_sets": "canonical infosets",
}
OTHER_POKER_COUNTS = (
    "terminal_sequences",
    "terminal_states",
    "game_state_actions",
    "infoset_actions",
    "canonical_infoset_actions",
)
SIZES_NOTE = """\
All counts are exact (--json has every digit); papers round or cut theirs. The
measures are those of Johanson 2013.
chance outcomes     ways to deal all cards of a hand
betting sequences   those after which a seat acts; each size of a raise counts
game states         points at which a seat acts, seeing all cards
information sets    the same points, seeing what the seat sees; of all seats
canonical infosets  the same, not telling suits apart
histories           nodes of the tree, those of chance and endings included
infoset actions     actions of all information sets"""


AGENTS_NOTE = """\
An agent may also be a strategy file, python:module:Class (a class of your own),
exec:COMMAND or acpc:COMMAND (a program of your own: docs/measure-your-bot.md);
arguments: triple(0.1,0.4,0.5), poki-sim(trials=50)"""


class Kind(StrEnum):
    GAMES = "games"
    AGENTS = "agents"
    SOLVERS = "solvers"
    MEASURES = "measures"
    STRATEGIES = "strategies"
    RECIPES = "recipes"
    ABSTRACTIONS = "abstractions"
    REPRODUCTIONS = "reproductions"


def list_catalogue(
    kind: Annotated[
        Kind | None, typer.Argument(metavar="KIND", help="What to list; everything unless told.", show_default=False)
    ] = None,
    sizes: Annotated[
        bool, typer.Option("--sizes", metavar="", help="Count every game exactly; takes some seconds.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """List games, agents, solvers, measures, strategies, recipes, abstractions and reproductions.

    Games are shown with their parameters; type them as name(parameter=value).

    Examples: [bold]nashgap list[/bold], [bold]nashgap list games --json[/bold],
    [bold]nashgap list games --sizes[/bold]
    """
    if sizes:
        _list_sizes(kind, is_json=json)
        return
    kinds = list(Kind) if kind is None else [kind]
    if json:
        print_json({each.value: describe(each) for each in kinds})
        return
    for each in kinds:
        print_catalogue(each)
    if Kind.AGENTS in kinds:
        screen().print(AGENTS_NOTE)


def describe(kind: Kind) -> list[dict[str, Any]]:
    """The entries of a kind, each name once, in the catalogue's order; those of the form `tree` before `poker`."""
    described: dict[str, dict[str, Any]] = {}
    for registry in _registries(kind):
        for name, entry in registry.entries.items():
            record = {"name": name, "summary": entry.summary, "paper": entry.paper, "status": entry.status}
            described.setdefault(name, record | (_about_game(registry, name) if kind is Kind.GAMES else {}))
    return list(described.values())


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


def _about_game(registry: Registry, name: str) -> dict[str, Any]:
    from nashgap.catalogue import POKER_GAMES

    is_poker = registry is POKER_GAMES
    return {"form": "poker" if is_poker else "tree", "parameters": {} if is_poker else _parameters(name)}


def _parameters(name: str) -> dict[str, Any]:
    """Names and default values; None where there is no default. OpenSpiel's games have parameters of their own."""
    from dataclasses import MISSING, fields

    from nashgap.catalogue import GAMES

    if name == "openspiel":
        return {}
    defaults = {field.name: field.default for field in fields(GAMES.load(name))}
    return {key: None if value is MISSING else value for key, value in defaults.items()}


def _registries(kind: Kind) -> tuple[Registry, ...]:
    from nashgap import catalogue

    return {
        Kind.GAMES: (catalogue.GAMES, catalogue.POKER_GAMES),
        Kind.AGENTS: (catalogue.POKER_STRATEGIES, catalogue.AGENTS),
        Kind.SOLVERS: (catalogue.SOLVERS,),
        Kind.MEASURES: (catalogue.MEASURES,),
        Kind.STRATEGIES: (catalogue.POLICIES, catalogue.POKER_STRATEGIES),
        Kind.RECIPES: (catalogue.RECIPES,),
        Kind.ABSTRACTIONS: (catalogue.ABSTRACTIONS,),
        Kind.REPRODUCTIONS: (catalogue.REPRODUCTIONS,),
    }[kind]


def _list_sizes(kind: Kind | None, *, is_json: bool) -> None:
    from nashgap.errors import ConfigError

    if kind not in (None, Kind.GAMES):
        raise ConfigError(f"--sizes is for games, not for {kind}")
    games = describe(Kind.GAMES)
    say(f"counting {len(games)} games; the largest take some seconds")
    for record in games:
        record["size"] = _poker_size(record["name"]) if record["form"] == "poker" else _tree_size(record["name"])
    if is_json:
        print_json({Kind.GAMES.value: games})
    else:
        _print_sizes(games)


def _print_sizes(games: list[dict[str, Any]]) -> None:
    trees = [record for record in games if record["form"] == "tree" and "not_counted" not in record["size"]]
    rows: list[tuple[str, ...]] = [
        (record["name"], *(_count_text(record["size"][count]) for count in TREE_COUNTS)) for record in trees
    ]
    print_table(("game", *(count.replace("_", " ") for count in TREE_COUNTS)), rows, right=(1, 2, 3), fixed=(0,))
    rows = [row for record in games if record["form"] == "poker" for row in _poker_rows(record)]
    print_table(("game", "count", "ours", "published", "by"), rows, right=(2, 3), fixed=(0, 1))
    for record in games:
        if "not_counted" in record["size"]:
            screen().print(f"not counted: {record['name']}, {record['size']['not_counted']}")
    screen().print(SIZES_NOTE)


def _tree_size(name: str) -> dict[str, Any]:
    """Of the game with its default parameters."""
    from nashgap.games.compiled import load_tree

    if name == "openspiel":
        return {"not_counted": "whose games have each their own size"}
    tree = load_tree(name)
    return {"histories": tree.num_nodes, "information_sets": tree.num_infosets, "infoset_actions": tree.num_slots}


def _poker_size(name: str) -> dict[str, Any]:
    from dataclasses import asdict

    from nashgap.errors import GameSizeError, UnsupportedGameError
    from nashgap.poker.rules import load_rules
    from nashgap.poker.sizes import PUBLISHED, game_size

    try:
        size = game_size(load_rules(name))
    except (GameSizeError, UnsupportedGameError) as error:
        return {"not_counted": str(error).removeprefix(f"{name}: not counted, ")}
    counts = {count: getattr(size, count) for count in (*POKER_COUNTS, *OTHER_POKER_COUNTS)}
    published = {count: asdict(figure) for count, figure in PUBLISHED.get(name, {}).items()}
    return counts | {"rounds": [asdict(each) for each in size.rounds], "published": published}


def _poker_rows(record: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    name, size = record["name"], record["size"]
    if "not_counted" in size:
        return
    for count, words in POKER_COUNTS.items():
        published, source = "", ""
        if figure := size["published"].get(count):
            published = f"about {figure['value']:.0e}" if figure["is_rough"] else f"{figure['value']:.2e}"
            source = figure["source"]
        yield name, words, _count_text(size[count]), published.replace("e+", "e"), source
        name = ""


def _count_text(count: int) -> str:
    """Whole up to six digits, else three digits and the power of ten: `936`, `6.31e164`."""
    from decimal import Decimal

    return str(count) if count <= LARGEST_WHOLE else f"{Decimal(count):.2e}".replace("e+", "e")
