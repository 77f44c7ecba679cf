"""`nashgap list [KIND] [--sizes]`: what one can do, and everything that has a name."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import print_json, print_table, say
from nashgap.reports.screen import screen, table

__all__ = ["Kind", "list_catalogue", "print_catalogue"]


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
    """The kinds of `nashgap.catalogue.KINDS`."""

    GAMES = "games"
    AGENTS = "agents"
    SOLVERS = "solvers"
    MEASURES = "measures"
    STRATEGIES = "strategies"
    RECIPES = "recipes"
    SEEDINGS = "seedings"
    ABSTRACTIONS = "abstractions"
    REPRODUCTIONS = "reproductions"


# What one wants to do, a command that does it, and what its names are listed by.
TASKS: tuple[tuple[str, str, tuple[Kind, ...]], ...] = (
    ("solve a small game", "nashgap solve leduc", (Kind.GAMES, Kind.SOLVERS)),
    ("train a poker bot", "nashgap solve hunl-fcpa-small", (Kind.RECIPES, Kind.ABSTRACTIONS)),
    ("train experts", "nashgap solve hue5-expert", (Kind.SEEDINGS,)),
    ("measure a strategy", "nashgap measure uniform --game kuhn", (Kind.MEASURES, Kind.STRATEGIES)),
    ("compare versions", "nashgap compare exec:./v1 exec:./v2", ()),
    ("look at a strategy", "nashgap show bot.safetensors", ()),
    ("let agents play", "nashgap match poki probe --game lhe2", (Kind.AGENTS,)),
    ("hold a tournament", "nashgap tournament run chumps.toml", ()),
    ("play yourself", "nashgap play --against poki", ()),
    ("play in the browser", "nashgap serve --open", ()),
    ("learn to bet", "nashgap explain quiz", ()),
    ("check a paper", "nashgap reproduce thesis-table-3.1", (Kind.REPRODUCTIONS,)),
)
TASKS_NOTE = """\
nashgap list games tells the names of all games and what they are, and so on;
nashgap solve --help the options of a command."""


def list_catalogue(
    kind: Annotated[
        Kind | None,
        typer.Argument(metavar="KIND", help="What to list; without it, what one can do is shown.", show_default=False),
    ] = None,
    sizes: Annotated[
        bool, typer.Option("--sizes", metavar="", help="Count every game exactly; takes some seconds.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """List games, agents, solvers, measures, strategies, recipes, seedings, abstractions or reproductions.

    Games are shown with their parameters; type them as name(parameter=value).

    Examples: [bold]nashgap list[/bold], [bold]nashgap list games[/bold],
    [bold]nashgap list games --sizes[/bold], [bold]nashgap list --json[/bold] (everything)
    """
    if sizes:
        _list_sizes(kind, is_json=json)
    elif json:
        from nashgap.catalogue import describe

        print_json({each.value: describe(each) for each in (Kind if kind is None else [kind])})
    elif kind is None:
        _print_tasks()
    else:
        print_catalogue(kind)


def print_catalogue(kind: Kind) -> None:
    """All names of a kind, with what they are and where they come from."""
    from nashgap.catalogue import describe

    screen().print(kind.value, style="bold")
    filled = table(("name", "what it is", "paper"), fixed=(0,))
    filled.columns[2].max_width = PAPER_WIDTH
    for record in describe(kind):
        parameters = record.get("parameters", {})
        shown = ", ".join(key if value is None else f"{key}={value}" for key, value in parameters.items())
        summary = f"{record['summary']}\n({shown})" if shown else record["summary"]
        filled.add_row(record["name"], summary, record["paper"])
    screen().print(filled)
    if kind is Kind.AGENTS:
        screen().print(AGENTS_NOTE)


def _print_tasks() -> None:
    from nashgap.catalogue import num_names

    rows = [
        (task, example, "\n".join(f"{kind} ({num_names(kind)})" for kind in kinds)) for task, example, kinds in TASKS
    ]
    print_table(("to", "for example", "nashgap list ..."), rows, fixed=(0, 1, 2))
    screen().print(TASKS_NOTE)


def _list_sizes(kind: Kind | None, *, is_json: bool) -> None:
    from nashgap.errors import ConfigError
    from nashgap.games.sizes import describe_sizes

    if kind not in (None, Kind.GAMES):
        raise ConfigError(f"--sizes is for games, not for {kind}")
    say("counting all games; the largest take some seconds")
    games = describe_sizes()
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
