"""`nashgap show STRATEGY`: look at a strategy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import print_json, results_only
from nashgap.errors import ConfigError

if TYPE_CHECKING:
    from nashgap.poker.rules import PokerRules
    from nashgap.strategies.table import TableStrategy
    from nashgap.strategies.view import HasPolicies

__all__ = ["show"]


def show(
    strategy: Annotated[
        str,
        typer.Argument(
            metavar="STRATEGY",
            help="A strategy file, a name such as always-call, python:module:Class or exec:COMMAND.",
            show_default=False,
        ),
    ],
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Needed for all but files; checked against a file.")
    ] = None,
    after: Annotated[
        str,
        typer.Option(
            metavar="BETTING",
            help="What was done so far: f fold, c check or call, r raise (r300: to 300 chips over the whole hand), / at"
            " the end of a round. In small games the label of their information sets.",
        ),
    ] = "",
    board: Annotated[str, typer.Option(metavar="CARDS", help="The board so far: 2c6dThJsQd.")] = "",
    hand: Annotated[str, typer.Option(metavar="CARDS", help="Tell also what it does with one hand: AsKs.")] = "",
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the same as a page, with the grid.")] = None,
    json: JsonOption = False,
) -> None:
    """Show what a strategy does: the grid of hands in colour, how often each action, and where to go on.

    Hands are counted as the strategy's own decisions so far bring them here, and also all alike.

    Examples: [bold]nashgap show bot.safetensors[/bold],
    [bold]nashgap show bot.safetensors --after r300c/cc/cc/ --board 2c6dThJsQd --hand AsKs[/bold],
    [bold]nashgap show leduc.safetensors --after crc/Kh:[/bold],
    [bold]nashgap show always-call --game hunl --html call.html[/bold]
    """
    from contextlib import closing, nullcontext
    from dataclasses import replace

    from nashgap.core.array_file import check_writable
    from nashgap.reports.report import write_report
    from nashgap.reports.strategy import strategy_report
    from nashgap.reports.terminal import print_report
    from nashgap.runs.config import package_version
    from nashgap.strategies.view import view_strategy

    if html is not None:
        check_writable(html)
    with results_only():
        loaded, rules = _load(strategy, game)
        with closing(loaded) if hasattr(loaded, "close") else nullcontext():  # type: ignore[type-var]
            view = view_strategy(loaded, rules, after, board, name=_short_name(strategy))
    one_hand = view.hand(hand) if hand else None
    command = _command(strategy, {"--game": game, "--after": after, "--board": board, "--hand": hand})
    report = strategy_report(view, hand=hand, command=command, facts={"version": package_version()})
    if html is not None:
        write_report(report, html)
    if json:
        found = {} if one_hand is None else {"hand": {"cards": view.hands[view.place(hand)], "actions": one_hand}}
        print_json({**view.as_dict(), **found, "report": str(html) if html else None, "version": package_version()})
    else:
        print_report(replace(report, command=""), html)  # which was just typed


def _load(spec: str, game: str | None) -> tuple[HasPolicies | TableStrategy, PokerRules | None]:
    """The strategy, and the poker game that it is asked in; None for a small game's table."""
    from nashgap.catalogue import POKER_GAMES, POKER_STRATEGIES, POLICIES
    from nashgap.core.array_file import open_arrays
    from nashgap.poker.rules import load_rules, parse_rules
    from nashgap.strategies.abstract import ABSTRACT_KIND
    from nashgap.strategies.checked import open_strategy
    from nashgap.strategies.poker_named import load_poker_strategy
    from nashgap.strategies.spec import SUFFIX, file_and_options

    found = file_and_options(spec)
    if found:
        metadata = open_arrays(Path(found[0])).metadata
        if metadata.get("kind") == ABSTRACT_KIND:
            rules = load_rules(game) if game else parse_rules(str(metadata["game_definition"]), str(metadata["game"]))
            return load_poker_strategy(spec, rules), rules
        return open_strategy(spec, game), None
    if SUFFIX in spec:
        raise ConfigError(f"there is no strategy file {spec}")
    if game is None:
        raise ConfigError(f"strategy {spec!r} may be for many games; name the game too (--game hunl)")
    is_poker = game in POKER_GAMES.entries or game.endswith(".game") or ":" in spec
    if is_poker and spec not in POLICIES.entries.keys() - POKER_STRATEGIES.entries.keys():
        rules = load_rules(game)
        return load_poker_strategy(spec, rules), rules
    return open_strategy(spec, game), None


def _short_name(spec: str) -> str:
    """Files without their folder."""
    from nashgap.strategies.spec import file_and_options

    found = file_and_options(spec)
    if found is None:
        return spec
    path, options = found
    return f"{Path(path).name}({options})" if options else Path(path).name


def _command(strategy: str, options: dict[str, str | None]) -> str:
    import shlex

    words = [part for name, value in options.items() if value for part in (name, value)]
    return shlex.join(["nashgap", "show", strategy, *words])
