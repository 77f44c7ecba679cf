"""`nashgap check-bot BOT --game GAME`: does a bot answer as it should?"""

from __future__ import annotations

import time
from typing import Annotated

import typer

from nashgap.cli.options import JsonOption, QuietOption, SeedOption
from nashgap.cli.output import print_json, print_rows, results_only
from nashgap.cli.progress import progress_line

__all__ = ["check_bot"]

NOT_SOUND = 1


def check_bot(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="exec:COMMAND, python:module:Class, a strategy file or a name.", show_default=False
        ),
    ],
    game: Annotated[
        str, typer.Option(metavar="GAME", help="A poker game, by name (hunl) or game definition file.")
    ] = "hunl",
    states: Annotated[int, typer.Option(metavar="N", min=1, help="How many states to ask about.")] = 300,
    seed: SeedOption = 0,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Check that a bot gives sound answers, the same ones to the same states, and how fast.

    It is asked about states of all rounds and seats, reached by random play with
    raises of all sizes; every state twice, in different batches.

    The exit status is 0 if all answers are sound, 1 if not.

    Examples: [bold]nashgap check-bot exec:'python examples/exec_bot.py'[/bold],
    [bold]nashgap check-bot 'exec(seconds=5):./mybot' --game lhe2 --json[/bold]
    """
    from contextlib import closing, nullcontext
    from dataclasses import asdict

    from nashgap.core.job import Progress
    from nashgap.poker.rules import load_rules
    from nashgap.runs import Pace
    from nashgap.strategies.check_bot import check_bot as check
    from nashgap.strategies.load import load

    rules = load_rules(game)
    start = time.perf_counter()
    with progress_line(quiet) as show, results_only():

        def on_progress(progress: Progress) -> None:
            if show is not None:
                show(Pace.since(start, 0, progress))

        strategy = load(bot, rules)
        with closing(strategy) if hasattr(strategy, "close") else nullcontext():  # type: ignore[type-var]
            found = check(strategy, rules, num_states=states, seed=seed, on_progress=on_progress)
    if json:
        print_json({**asdict(found), "is_sound": found.is_sound})
    else:
        print(f"{bot} is {'sound' if found.is_sound else 'not sound'}")
        rows = {
            "problem": found.problem,
            "game": found.game,
            "calls itself": found.bot_name,
            "states": found.num_states,
            "by round": " ".join(map(str, found.states_by_round)),
        }
        if found.is_sound:
            rows |= {
                "time per state": f"{_milliseconds(found.seconds_per_state)} in batches, "
                f"{_milliseconds(found.seconds_alone)} alone",
                "asked twice": "the same answers"
                + (f" but for {found.largest_difference:.1g}" if found.largest_difference else ""),
                "actions": f"up to {found.largest_num_actions} in a state",
                "looks at its cards": "yes" if found.share_ignoring_hands < 1 else "no",
            }
        print_rows(rows)
    if not found.is_sound:
        raise typer.Exit(NOT_SOUND)


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 0.1 else f"{1000 * seconds:,.0f} ms"
