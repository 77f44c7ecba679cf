"""`nashgap solve-spot`: what is right in a spot of hold'em."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from nashgap.cli.options import (
    ClusterOption,
    FreshOption,
    JsonOption,
    QuietOption,
    RunsOption,
    WorkersOption,
    given,
    kept_in,
    workers_of,
)
from nashgap.cli.output import print_result, results_only, unsaved_printed

__all__ = ["solve_spot"]

SPOT = "The spot"
BETTING = "The bets that are considered"
LONG = "How long"


def solve_spot(
    pot: Annotated[int, typer.Option(metavar="CHIPS", help="In the middle.", rich_help_panel=SPOT)],
    stack: Annotated[
        str,
        typer.Option(
            metavar="CHIPS", help="That is left: 900, or 900,700, out of position first.", rich_help_panel=SPOT
        ),
    ],
    board: Annotated[
        str | None,
        typer.Option(metavar="CARDS", help="Three to five cards: Qs Jh 2h 8c 4d.", rich_help_panel=SPOT),
    ] = None,
    boards: Annotated[
        str | None,
        typer.Option(
            metavar="FILE_OR_LIST",
            help="Instead: many boards, a line each in a file, or apart by commas; a table comes of them.",
            rich_help_panel=SPOT,
        ),
    ] = None,
    oop: Annotated[
        str,
        typer.Option(
            metavar="RANGE", help="Of who acts first: QQ+,AKs,76s:0.5; all for every hand.", rich_help_panel=SPOT
        ),
    ] = "all",
    ip: Annotated[str, typer.Option(metavar="RANGE", help="Of who acts last.", rich_help_panel=SPOT)] = "all",
    rake: Annotated[
        str | None, typer.Option(metavar="PERCENT", help="Of the pot that is won: 5%.", rich_help_panel=SPOT)
    ] = None,
    rake_cap: Annotated[
        float | None, typer.Option(metavar="CHIPS", help="The most that the rake takes.", rich_help_panel=SPOT)
    ] = None,
    bets: Annotated[
        str | None,
        typer.Option(
            metavar="SIZES",
            help="Shares of the pot, a for all-in; streets apart by /. Default: 50%,100%,a.",
            rich_help_panel=BETTING,
        ),
    ] = None,
    raises: Annotated[
        str | None,
        typer.Option(
            metavar="SIZES",
            help="By a share of the pot after the call. Default: 100%,a.",
            rich_help_panel=BETTING,
        ),
    ] = None,
    betting: Annotated[
        str | None,
        typer.Option(
            metavar="BETTING",
            help="Instead of both: a betting abstraction, 0.5,1,a > 1,a.",
            rich_help_panel=BETTING,
        ),
    ] = None,
    lock: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LINE=ACTIONS",
            help="A decision that is given, 'x = b100 QQ+,AKs; x', or all of a side, 'ip = f'; may be repeated. What"
            " it costs is told.",
            rich_help_panel=BETTING,
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="PERCENT",
            help="Of the pot that is exploitable at most; 0.5% unless told how long.",
            rich_help_panel=LONG,
        ),
    ] = None,
    iterations: Annotated[int | None, typer.Option(metavar="N", help="At most.", rich_help_panel=LONG)] = None,
    minutes: Annotated[float | None, typer.Option(metavar="M", help="At most.", rich_help_panel=LONG)] = None,
    threads: Annotated[int, typer.Option(metavar="N", help="They change nothing but the time.")] = 1,
    storage: Annotated[
        str,
        typer.Option(metavar="TYPE", help="Of the tables: float32, or int16 in half the memory, a quarter slower."),
    ] = "float32",
    after: Annotated[
        str | None,
        typer.Option(metavar="LINE", help="Show another decision than the first: x b100, or x x 7h on a turn card."),
    ] = None,
    hand: Annotated[str, typer.Option(metavar="CARDS", help="Tell also what is done with one hand: AsKs.")] = "",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the strategy there; of many boards the table, as CSV."
        ),
    ] = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", metavar="", help="Say how much memory and time it takes; write nothing.")
    ] = False,
    runs: RunsOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Solve a spot of hold'em: two ranges on a board, a pot, stacks and bets.

    A line of betting is x check, c call, f fold, b100 bet or raise to 100 on this street, a all-in, and the cards that
    come: [bold]x b100 c 7h[/bold].

    Examples: [bold]nashgap solve-spot --board "Qs Jh 2h 8c 4d" --pot 200 --stack 900[/bold],
    [bold]nashgap solve-spot --board "Td 9d 6h 2c" --oop "66+,A8s+,KQ" --ip "22+,AT+" --pot 200 --stack 900 --until 0.1%
    -o turn.safetensors[/bold], then [bold]nashgap show turn.safetensors --after "x b100"[/bold]

    What a habit costs: [bold]nashgap solve-spot ... --lock "= x"[/bold]; many boards: [bold]nashgap solve-spot --boards
    flops.txt ... -o flops.csv[/bold]
    """
    import nashgap as ng
    from nashgap.errors import ConfigError

    def print_found(found: Any, output: Path | None) -> None:
        if after is None and not hand:
            print_result(found, is_json=json, has_run=True, has_fresh=True, output=output)
        else:
            print_result(found.at(after or "", hand), is_json=json, output=output)

    spot: dict[str, Any] = given(bets=bets, raises=raises, betting=betting, rake_cap=rake_cap)
    if rake is not None:
        spot["rake"] = _percent("--rake", rake)
    spot |= {"pot": pot, "stack": _stacks(stack)}
    method: dict[str, Any] = {"locks": lock or [], "iterations": iterations, "storage": storage}
    until_percent = None if until is None else _percent("--until", until)
    kept: dict[str, Any] = {"run": kept_in(runs), "fresh": fresh, "progress": not quiet, "output": output}
    if board is not None and boards is not None:
        raise ConfigError("--board and --boards; one of them is needed")
    if board is None:
        if boards is None:
            raise ConfigError("one of --board and --boards is needed")
        if minutes is not None or after is not None or hand or threads != 1 or dry_run:
            raise ConfigError(
                "--minutes, --threads, --after, --hand and --dry-run are for one board; --workers is for many"
            )
        with unsaved_printed(print_found), results_only():
            table = ng.solve_boards(
                _boards(boards),
                oop,
                ip,
                workers=workers_of(workers, cluster),
                until=until_percent,
                **method,
                **kept,
                **spot,
            )
        print_found(table, output)
        return
    if workers is not None or cluster is not None:
        raise ConfigError("--workers and --cluster are for many boards; --threads is for one")
    place = ng.make_spot(board, oop, ip, **spot)
    place.state_after(after or "")  # refuses it before anything is solved
    if dry_run:
        print_result(ng.forecast_spot(place, threads=threads, **method), is_json=json)
        return
    with unsaved_printed(print_found), results_only():
        found = ng.solve_spot(place, minutes=minutes, threads=threads, until=until_percent, **method, **kept)
    print_found(found, output)


def _boards(text: str) -> list[str]:
    """Those of a file, a line each, or those that are listed."""
    from nashgap.core.regular_file import read_text
    from nashgap.errors import ConfigError

    path = Path(text)
    if path.suffix and not os.path.isfile(path):
        raise ConfigError(f"--boards {text}: there is no such file")
    try:
        lines = read_text(path).splitlines() if os.path.isfile(path) else text.replace(";", ",").split(",")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--boards {text}: cannot be read: {error}") from error
    return [line.strip() for line in lines if line.strip()]


def _percent(option: str, text: str) -> float:
    from nashgap.errors import ConfigError

    try:
        return float(text.strip().removesuffix("%"))
    except ValueError:
        raise ConfigError(f"{option} {text!r}; it must be a percentage, such as 0.5%") from None


def _stacks(text: str) -> tuple[int, int]:
    from nashgap.errors import ConfigError

    parts = [part.strip() for part in text.split(",")]
    if not 1 <= len(parts) <= 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise ConfigError(f"--stack {text!r}; it must be whole chips, such as 900, or 900,700 where they differ")
    return int(parts[0]), int(parts[-1])
