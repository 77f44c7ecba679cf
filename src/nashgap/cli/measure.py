"""`nashgap measure STRATEGY --by METHOD`: how exploitable is it?"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nashgap.cli.options import JsonOption, QuietOption, SeedOption
from nashgap.cli.output import human_seconds, number, print_json, print_rows, print_table, say
from nashgap.errors import ConfigError, GameSizeError, MismatchError

if TYPE_CHECKING:
    from nashgap.measures.abstract_response import AbstractGap
    from nashgap.measures.bucket_response import BucketGap

__all__ = ["measure"]

LBR = "lbr"
LBR_HANDS = 10_000
LBR_BETS = "fcpa"
LBR_PANEL = "For lbr"
ABSTRACT = ("abstract-br", "bucket-br")  # the methods for strategies of abstract games


def measure(
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY...",
            help="A strategy file or a name such as uniform; for lbr also python:module:Class or exec:COMMAND, and one"
            " for each other seat, or the same at all.",
            show_default=False,
        ),
    ],
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Needed for a name; checked against a file.")] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="METHOD",
            help="br: exact best response, in small games. lbr: Local Best Response, a lower bound for poker of any"
            " size. abstract-br: what CFR finds against the strategy within its"
            " own abstract game, a lower bound. bucket-br: best response within a heads-up abstract game whose buckets"
            " are remembered.",
        ),
    ] = "br",
    iterations: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="abstract-br: of CFR, for the response of each seat. Default: 3,000 by public sampling, 1,000,000 by"
            " external.",
        ),
    ] = None,
    sampling: Annotated[
        str | None,
        typer.Option(
            metavar="SAMPLING",
            help="abstract-br: public, all hands on sampled boards; external, sampled hands and actions; or chance,"
            " sampled hands and all actions. Default: public if heads-up and the betting tree is of moderate size.",
        ),
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=2,
            help="Deals that the response plays: 10,000 for lbr, each in every seating; 100,000 for abstract-br;"
            " 4,000,000 for bucket-br.",
        ),
    ] = None,
    threads: Annotated[int, typer.Option(metavar="N", min=1, help="abstract-br: of CFR.")] = 1,
    bets: Annotated[
        str,
        typer.Option(
            metavar="BETS",
            help="That LBR considers: fc, fcpa, on-tree, 56, or a list such as min,2,4,8,a.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = LBR_BETS,
    rounds: Annotated[
        str,
        typer.Option(
            metavar="ROUNDS",
            help="In which LBR chooses; in others it checks and calls: 1-4, 3-4, 4. All if not said.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = "",
    samples: Annotated[
        int,
        typer.Option(
            metavar="N", help="Of a strategy that is known by samples, for each state.", rich_help_panel=LBR_PANEL
        ),
    ] = 10,
    lookahead: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="1: the opponent folds to a bet or calls it, as published. 2: or raises it.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = 1,
    duplicate: Annotated[bool, typer.Option(help="Play every deal in all seatings.", rich_help_panel=LBR_PANEL)] = True,
    imaginary: Annotated[
        bool, typer.Option(help="Count showdowns over all hands of the opponent.", rich_help_panel=LBR_PANEL)
    ] = True,
    all_in: Annotated[
        bool, typer.Option(help="Count all-ins over all boards to come.", rich_help_panel=LBR_PANEL)
    ] = True,
    by_hand: Annotated[
        bool,
        typer.Option(
            "--by-hand",
            help="Ask players that only play (acpc:COMMAND) hand by hand: deterministic ones, and slowly. For one of"
            " several write by-hand:PLAYER.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = False,
    split: Annotated[
        bool,
        typer.Option(
            "--split",
            help="Say how much of it LBR wins with the bets of the strategy's own tree, and what other bets add.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            help="Tell where LBR's winnings come from: a page with charts, FILE.json beside it, and the ten most"
            " expensive situations.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(metavar="N", help="Processes; the numbers do not depend on it.", rich_help_panel=LBR_PANEL),
    ] = 1,
    runs: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of runs; else $NASHGAP_RUNS, else 'runs' in this folder.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    seed: SeedOption = 0,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Measure how far a strategy is from equilibrium.

    Examples: [bold]nashgap measure leduc.safetensors[/bold],
    [bold]nashgap measure uniform --game "kuhn(players=3)" --json[/bold],
    [bold]nashgap measure hunl.safetensors --by abstract-br --threads 2[/bold]

    A bot of any size, by Local Best Response:
    [bold]nashgap measure always-call --game hunl --by lbr --rounds 3-4[/bold],
    [bold]nashgap measure hunl.safetensors --by lbr --bets 56 --rounds 3-4 --workers 2[/bold]
    """
    for option, value in (("--iterations", iterations), ("--sampling", sampling)):
        if value is not None and by != ABSTRACT[0]:
            raise ConfigError(f"{option} is for --by {ABSTRACT[0]}, not for --by {by}")
    if by == LBR:
        from nashgap.cli.measure_lbr import measure_by_lbr
        from nashgap.measures.local_best_response import LbrOptions
        from nashgap.strategies.spec import as_bot
        from nashgap.strategies.spec import by_hand as asked_by_hand

        options = LbrOptions(bets, rounds, samples, duplicate, imaginary, all_in, lookahead)
        measure_by_lbr(
            [asked_by_hand(as_bot(each, kind="agent")).text for each in strategies] if by_hand else strategies,
            game,
            options,
            hands=LBR_HANDS if hands is None else hands,
            seed=seed,
            workers=workers,
            runs=runs,
            report=report,
            is_split=split,
            is_quiet=quiet,
            is_json=json,
        )
        return
    if report is not None:
        raise ConfigError(f"--report {report}: only --by {LBR} writes one")
    if by_hand:
        raise ConfigError(f"--by-hand: only --by {LBR} asks players hand by hand")
    given = {"--bets": bets != LBR_BETS, "--rounds": bool(rounds), "--lookahead": lookahead != 1, "--split": split}
    for option in (option for option, is_given in given.items() if is_given):
        raise ConfigError(f"{option} is for --by {LBR}, not for --by {by}")
    if len(strategies) > 1:
        raise ConfigError(f"{len(strategies)} strategies; --by {by} measures one")
    _measure_one(
        strategies[0],
        game,
        by,
        iterations=iterations,
        sampling=sampling,
        hands=hands,
        threads=threads,
        seed=seed,
        quiet=quiet,
        json=json,
    )


def _measure_one(
    strategy: str,
    game: str | None,
    by: str,
    *,
    iterations: int | None,
    sampling: str | None,
    hands: int | None,
    threads: int,
    seed: int,
    quiet: bool,
    json: bool,
) -> None:
    from nashgap.catalogue import MEASURES
    from nashgap.games.compiled import load_tree
    from nashgap.poker.rules import load_rules
    from nashgap.runs.config import package_version
    from nashgap.strategies.abstract import AbstractStrategy
    from nashgap.strategies.load import load
    from nashgap.strategies.spec import FileBot, as_bot
    from nashgap.strategies.table import TableStrategy

    evaluate = MEASURES.load(by)
    bot = as_bot(strategy, kind="strategy")
    loaded = load(bot) if isinstance(bot, FileBot) else None
    is_abstract = isinstance(loaded, AbstractStrategy)
    if is_abstract != (by in ABSTRACT):
        wanted = f"of an abstract game: use --by {ABSTRACT[0]}" if is_abstract else "of no abstract game: use --by br"
        raise ConfigError(f"{strategy} is a strategy {wanted}")
    told = {"strategy": strategy, "method": by, "version": package_version()}
    if isinstance(loaded, AbstractStrategy):
        if game is not None and load_rules(game).to_text() != loaded.rules.to_text():
            raise MismatchError(f"{strategy} is a strategy for {loaded.rules.name}, not for {game}")
        options: dict[str, Any] = {} if hands is None else {"num_deals": hands}
        if by == ABSTRACT[0]:
            progress = None if quiet else _Progress(loaded.rules.num_seats)
            options |= {"iterations": iterations, "sampling": sampling, "threads": threads, "on_progress": progress}
        gap = evaluate(loaded.game, loaded.tables, seed=seed, **options)
        if json:
            print_json({**gap.as_dict(), **told, "game": loaded.rules.name})
        else:
            _print_gap(f"{strategy} in its abstract game of {loaded.rules.name}", gap)
        return
    try:
        opened = load(bot, load_tree(game)) if game is not None else loaded or load(bot)
    except GameSizeError as error:
        raise GameSizeError(f"{error}; poker of any size is measured by --by {LBR}") from None
    assert isinstance(opened, TableStrategy), "an abstract one was refused above"
    found = evaluate(opened.tree, opened)
    if json:
        print_json({**found.as_dict(), **told})
        return
    print(f"{strategy} in {found.game}, by exact best response, in {found.unit}")
    rows = [
        (str(player), number(value), number(best), number(gain))
        for player, (value, best, gain) in enumerate(zip(found.values, found.best_values, found.gains, strict=True), 1)
    ]
    print_table(("player", "value", "best response", "gain"), rows, right=(1, 2, 3))
    print_rows({"nash_conv": number(found.nash_conv), "exploitability": number(found.exploitability)})


class _Progress:
    """A line for each tenth of a seat's response, with the time that all seats still need."""

    def __init__(self, num_seats: int) -> None:
        self._num_seats = num_seats
        self._told = (-1, -1)
        self._first: tuple[float, float] | None = None  # share and time of the first call

    def __call__(self, seat: int, done: int, iterations: int) -> None:
        place = (seat, 10 * done // iterations)
        if place == self._told:
            return
        self._told = place
        share, now = (seat + done / iterations) / self._num_seats, time.perf_counter()
        if self._first is None:
            self._first = share, now
            left = ""
        else:
            first_share, first = self._first
            left = f", {human_seconds((now - first) * (1 - share) / (share - first_share))} left"
        say(f"response of seat {seat + 1} of {self._num_seats}: {done:,} of {iterations:,} iterations{left}")


def _print_gap(title: str, gap: AbstractGap | BucketGap) -> None:
    from nashgap.measures.abstract_response import AbstractGap

    unit = gap.nash_conv.unit
    print(f"{title}, in {unit}")

    def shown(estimate: object) -> str:
        return str(estimate).removesuffix(f" {unit}")

    rows = [
        (str(seat), shown(value), shown(response), shown(gain))
        for seat, (value, response, gain) in enumerate(zip(gap.values, gap.responses, gap.gains, strict=True), 1)
    ]
    print_table(("seat", "value", "response", "gain"), rows, right=(1, 2, 3))
    facts = {"nash_conv": f"at least {shown(gap.nash_conv)}", "deals": f"{gap.nash_conv.samples:,}"}
    if isinstance(gap, AbstractGap):
        facts["iterations"] = f"{gap.iterations:,} a seat, by {gap.sampling} sampling"
    print_rows(facts)
