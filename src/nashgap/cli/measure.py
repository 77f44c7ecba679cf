"""`nashgap measure STRATEGY --by METHOD`: how exploitable is it?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from nashgap.cli.options import JsonOption, QuietOption, given, kept_in, workers_of
from nashgap.cli.output import check_page, print_result, results_only

__all__ = ["measure"]

BR, LBR, ABR, ABSTRACT_BR = "br", "lbr", "abr", "abstract-br"
LBR_PANEL, ABR_PANEL, ABSTRACT_PANEL = "For lbr", "For abr", "For abstract-br"
TREE_PANEL = "For br in a betting tree, and lbr"
SEVERAL_PANEL = "For methods that sample"


def measure(
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY...",
            help="A strategy file, a name such as uniform, python:module:Class or exec:COMMAND; for lbr one for each"
            " other seat, or the same at all.",
            show_default=False,
        ),
    ],
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Needed for a name; checked against a file.")] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="METHOD",
            help="br: exact best response, in small games, or with --tree over all hands of a betting tree. lbr: Local"
            " Best Response, a lower bound for poker of any size. abr: Approximate Best Response, responders that"
            " search and learn, a lower bound for any game of two. abstract-br: what CFR finds against the strategy"
            " within its own abstract game, a lower bound. bucket-br: best response within a heads-up abstract game"
            " whose buckets are remembered. Several, as lbr,abr, in one table.",
        ),
    ] = "br",
    deals: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=2,
            help="That the response plays: for lbr 400, each with all hands and lines, or 10,000 that are dealt hand by"
            " hand, each in every seating; 100,000 for abstract-br; 4,000,000 for bucket-br.",
            rich_help_panel=SEVERAL_PANEL,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Of everything random; same seed, same numbers. Default: 0.",
            rich_help_panel=SEVERAL_PANEL,
        ),
    ] = None,
    tree: Annotated[
        str | None,
        typer.Option(
            metavar="TREE",
            help="br answers with the bets of this betting tree and sees all cards: own, that of the strategy's file;"
            " bets such as fcpa, for any strategy that makes no others; or own+fcpa, these and those that the file's"
            " strategy makes.",
            rich_help_panel=TREE_PANEL,
        ),
    ] = None,
    flops: Annotated[
        str | None,
        typer.Option(
            metavar="FLOPS",
            help='How many are drawn with the seed, a list such as "QsJh2h, Td9d6h" for the game that has only these,'
            " perhaps with their turns (QsJh2h8c), or all. Default for br: all where a game has few, else 20; for lbr:"
            " all.",
            rich_help_panel=TREE_PANEL,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Processes; the numbers do not depend on it. Default: the cores, but 1 for exec: and acpc: programs.",
            rich_help_panel=TREE_PANEL,
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A Ray cluster in the place of processes, for br, lbr and abr: host:port of its head, or auto: one"
            " that is started here.",
            rich_help_panel=TREE_PANEL,
        ),
    ] = None,
    runs: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of runs; else $NASHGAP_RUNS, else 'runs' in this folder.",
            rich_help_panel=TREE_PANEL,
        ),
    ] = None,
    fresh: Annotated[
        bool | None,
        typer.Option(
            "--fresh", help="Do it again, also where a finished run has the answer.", rich_help_panel=TREE_PANEL
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="PRESET",
            help="How responders learn. tree: the search tree is kept. table: means by information set. desk, paper:"
            " networks, which need torch. For games that are never enumerated rollouts, or large with torch. Default:"
            " tree; rollouts.",
            rich_help_panel=ABR_PANEL,
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(metavar="M", help="Of training, both seats together. Default: 1.", rich_help_panel=ABR_PANEL),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Games to learn from, both seats together.", rich_help_panel=ABR_PANEL),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=2,
            help="Fresh games of each frozen responder. Default: 200,000; 20,000 with search; a hundredth in games that"
            " are never enumerated; 1,000 and 100 against classes and programs in hold'em.",
            rich_help_panel=ABR_PANEL,
        ),
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Before each decision. Default: the preset's.", rich_help_panel=ABR_PANEL
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(metavar="RULE", help="uct or puct. Default: the preset's.", rich_help_panel=ABR_PANEL),
    ] = None,
    exploration: Annotated[
        float | None,
        typer.Option(metavar="C", help="Constant of the rule. Default: the preset's.", rich_help_panel=ABR_PANEL),
    ] = None,
    search: Annotated[
        bool | None,
        typer.Option(
            "--search/--no-search",
            help="Whether frozen responders search before they act. Default: but for tree they do.",
            rich_help_panel=ABR_PANEL,
        ),
    ] = None,
    cards: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS",
            help="Hands that responders tell apart at the poker table, as recipes have them.",
            rich_help_panel=ABR_PANEL,
        ),
    ] = None,
    levels: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Steps in which responders at the poker table tell apart their chance to win against what the strategy"
            " may hold by then. Default: 20 against one that looks at its cards in hold'em, else 1: not at all.",
            rich_help_panel=ABR_PANEL,
        ),
    ] = None,
    abreast: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Games that are played side by side at the poker table, and learned from together: classes and"
            " programs are asked about all of them at once. Default: 16 against those, else 1.",
            rich_help_panel=ABR_PANEL,
        ),
    ] = None,
    simulated: Annotated[
        bool | None,
        typer.Option(
            "--simulated/--compiled",
            help="Play a game of OpenSpiel's without compiling it. Default: those that are too large.",
            rich_help_panel=ABR_PANEL,
        ),
    ] = None,
    beliefs: Annotated[
        str | None,
        typer.Option(
            metavar="HOW",
            help="What searches in compiled games draw from. exact: by the strategy's answers. learned: by a network,"
            " which needs torch, from what the strategy held in games. Default: exact.",
            rich_help_panel=ABR_PANEL,
        ),
    ] = None,
    belief_games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Of each seat from which beliefs are learned. Default: 100,000.",
            rich_help_panel=ABR_PANEL,
        ),
    ] = None,
    actors: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Processes that play; with more than one no two trainings are alike. Default: 1.",
            rich_help_panel=ABR_PANEL,
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Of CFR, for the response of each seat. Default: 3,000 by public sampling, 1,000,000 by external.",
            rich_help_panel=ABSTRACT_PANEL,
        ),
    ] = None,
    sampling: Annotated[
        str | None,
        typer.Option(
            metavar="SAMPLING",
            help="public, all hands on sampled boards; external, sampled hands and actions; or chance,"
            " sampled hands and all actions. Default: public if heads-up and the betting tree is of moderate size.",
            rich_help_panel=ABSTRACT_PANEL,
        ),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Of CFR. Default: 1.", rich_help_panel=ABSTRACT_PANEL)
    ] = None,
    bets: Annotated[
        str | None,
        typer.Option(
            metavar="BETS",
            help="That LBR considers: fc, fcpa, on-tree, 56, or a list such as min,2,4,8,a; and a responder of abr."
            " Default: fcpa.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    rounds: Annotated[
        str | None,
        typer.Option(
            metavar="ROUNDS",
            help="In which LBR chooses; in others it checks and calls: 1-4, 3-4, 4. All if not said.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    lines: Annotated[
        str | None,
        typer.Option(
            metavar="LINES",
            help="all: on a dealt board all hands of both, all lines of the betting. dealt: hand by hand, as published."
            " Default: all where that can be had, for two players whose strategy is known exactly.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    stake: Annotated[
        float | None,
        typer.Option(
            metavar="BB",
            help="Of all lines, those with less at stake than so many big blinds (the pot and a twentieth of the chips"
            " behind, times the chance to come there) are drawn: fewer questions, the same mean. 0: none are. Default:"
            " 1, or 0 where there are few boards.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Of a strategy that is known by samples, for each state. Default: 10.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    lookahead: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="1: the opponent folds to a bet or calls it, as published. 2: or raises it. Default: 1.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    duplicate: Annotated[
        bool | None,
        typer.Option("--duplicate/--no-duplicate", help="Play every deal in all seatings.", rich_help_panel=LBR_PANEL),
    ] = None,
    imaginary: Annotated[
        bool | None,
        typer.Option(
            "--imaginary/--no-imaginary",
            help="Count showdowns over all hands of the opponent.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    all_in: Annotated[
        bool | None,
        typer.Option("--all-in/--no-all-in", help="Count all-ins over all boards to come.", rich_help_panel=LBR_PANEL),
    ] = None,
    by_hand: Annotated[
        bool | None,
        typer.Option(
            "--by-hand",
            help="Ask players that only play (acpc:COMMAND) hand by hand: deterministic ones, and slowly. For one of"
            " several write by-hand:PLAYER.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    split: Annotated[
        bool | None,
        typer.Option(
            "--split",
            help="Say how much of it LBR wins with the bets of the strategy's own tree, and what other bets add.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    advice: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Say what to change in N decisions at which LBR wins most, and what that wins back: changes are played"
            " on other deals, which takes several times as long as the bound.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            help="Tell where LBR's winnings come from: a page with charts, beside it FILE.json and the script of"
            " the charts, and the ten most expensive situations.",
            rich_help_panel=LBR_PANEL,
        ),
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Measure how far a strategy is from equilibrium.

    Examples: [bold]nashgap measure leduc.safetensors[/bold],
    [bold]nashgap measure uniform --game "kuhn(players=3)" --json[/bold],
    [bold]nashgap measure hunl.safetensors --by abstract-br --threads 2[/bold]

    Best responses over all hands in a bot's own betting tree:
    [bold]nashgap measure hunl.safetensors --tree own --flops 20 --workers 2[/bold],
    [bold]nashgap measure hunl.safetensors --tree own --flops "QsJh2h, Td9d6h"[/bold],
    [bold]nashgap measure exec:./my-bot --game hunl --tree fcpa --flops QsJh2h8c[/bold]

    A bot of any size, by Local Best Response:
    [bold]nashgap measure always-call --game hunl --by lbr --rounds 3-4[/bold],
    [bold]nashgap measure hunl.safetensors --by lbr --bets 56 --rounds 3-4 --workers 2[/bold],
    [bold]nashgap measure exec:./my-bot --game hunl --by lbr --deals 100 --advice 3 --report leaks.html[/bold]

    Any game of two players, by responders that learn:
    [bold]nashgap measure uniform --game leduc --by abr --minutes 1[/bold],
    [bold]nashgap measure always-call --game lhe2 --by abr --minutes 5 --actors 2[/bold],
    [bold]nashgap measure exec:./my-bot --game hunl --by abr --minutes 10[/bold],
    [bold]nashgap measure uniform --game "openspiel:hex(board_size=5)" --by abr --minutes 2[/bold]
    """
    import nashgap as ng
    from nashgap.errors import ConfigError

    methods = [method.strip() for method in by.split(",")]
    if report is not None and by != LBR:
        raise ConfigError(f"--report is no option of {by}; it is one of {LBR}")
    options = given(
        deals=deals, seed=seed, iterations=iterations, sampling=sampling, threads=threads, bets=bets, rounds=rounds,
        lines=lines, stake=stake, samples=samples, lookahead=lookahead, duplicate=duplicate, imaginary=imaginary,
        all_in=all_in, by_hand=by_hand, split=split, advice=advice, tree=tree, flops=flops, run=runs,
        fresh=fresh,
        preset=preset, minutes=minutes, episodes=episodes, games=games, simulations=simulations, rule=rule,
        exploration=exploration, search=search, cards=cards, levels=levels, simulated=simulated,
        actors=actors, beliefs=beliefs, belief_games=belief_games, abreast=abreast,
    )  # fmt: skip
    if {LBR, ABR} & {*methods} or (BR in methods and tree is not None):
        options["run"] = kept_in(runs)
    if workers is not None or cluster is not None or LBR in methods or tree is not None:
        options["workers"] = workers_of(workers, cluster)
    if ABR in methods and cluster is not None:
        if actors is not None:
            raise ConfigError("--actors and --cluster; one of them: a cluster has actors of its own")
        options["actors"] = options["workers"]
        if by == ABR:
            del options["workers"]
    if by == LBR:
        options["leaks"] = report is not None or advice is not None
    if {BR, LBR, ABR, ABSTRACT_BR} & {*methods}:
        options["progress"] = not quiet
    check_page(report)
    with results_only():
        found = ng.measure(strategies, game=game, by=by, **options)
    written: dict[str, Any] = {} if report is None else {"report": report}
    print_result(found, is_json=json, has_fresh=True, write=found.save_report, **written)
