"""`nashgap explain quiz`: which bet? And what the answer cost."""

from __future__ import annotations

import sys
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.options import JsonOption, given
from nashgap.cli.output import print_json, say
from nashgap.cli.quiz_screen import QuizScreen

__all__ = ["quiz"]


def quiz(
    questions: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many; else when you quit.")] = None,
    games: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ask about the games of this file; else about new ones.")
    ] = None,
    hands1: Annotated[
        str | None, typer.Option(metavar="P1,P2,...", help="Ask about one game: how likely each card of yours is,")
    ] = None,
    hands2: Annotated[
        str | None, typer.Option(metavar="P1,P2,...", help="and each of the opponent's, worst first.")
    ] = None,
    deck: Annotated[int | None, typer.Option(metavar="N", help="Number of cards; 10 unless told.")] = None,
    stack: Annotated[float | None, typer.Option(metavar="DOLLARS", help="The largest bet; 3 unless told.")] = None,
    step: Annotated[
        float | None, typer.Option(metavar="DOLLARS", help="Bets are multiples of it; 0.1 unless told.")
    ] = None,
    ante: Annotated[
        float | None, typer.Option(metavar="DOLLARS", help="What each player puts in; 0.5 unless told.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Of the games and the hands; by chance unless told.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", metavar="", help="Only ASCII, and no colours.")] = False,
    json: JsonOption = False,
) -> None:
    """Learn to bet: you see both players' distributions and your hand, and name your bet.

    Both players put in an ante and get a card; you bet or check, the opponent
    calls or folds, the better card wins. You are told what equilibrium bets, who
    calls, which rule applies, and what your bet cost. The best score is kept.

    Type check, an amount such as 0.5, or all-in; q to stop. With --json answers
    come from standard input, one a line, and one document tells them all.

    Examples: [bold]nashgap explain quiz[/bold], [bold]nashgap explain quiz --questions 10 --seed 1[/bold],
    [bold]nashgap explain quiz --hands1 0.5,0,0.5 --hands2 0,1,0[/bold]
    """
    from secrets import randbelow

    from nashgap.core.job import require_seed
    from nashgap.errors import ConfigError, OutputError
    from nashgap.explanations.quiz_record import load_record
    from nashgap.explanations.quiz_session import QuizSession, quiz_source

    if questions is not None and not 1 <= questions <= sys.maxsize:
        raise ConfigError(f"--questions {questions}; {'at least 1 is needed' if questions < 1 else 'too many'}")
    used_seed = randbelow(10**9) if seed is None else seed
    require_seed(used_seed)
    stakes, source = quiz_source(games, hands1, hands2, given(deck=deck, stack=stack, step=step, ante=ante), used_seed)
    screen = None if json else QuizScreen(stakes, is_plain=plain or not _can_show_bars())
    if screen is not None:
        screen.begin(used_seed)
    session = QuizSession(stakes, used_seed, partial(_line, screen), partial(_complain, screen), screen)
    session.run(islice(source, questions))
    before = best = load_record(stakes)
    try:
        best = before if hands1 is not None else session.keep()
    except OutputError as error:
        say(f"nashgap: the score is not kept: {error}")
    if screen is None:
        print_json(session.as_dict(best))
    else:
        screen.end(session.score, before)


def _complain(screen: QuizScreen | None, line: str) -> None:
    if screen is None:
        say(f"nashgap: {line}")
    else:
        screen.say(f"  {line}")


def _line(screen: QuizScreen | None) -> str | None:
    prompt = "" if screen is None else screen.prompt
    try:
        text = input(prompt)
    except EOFError:
        if screen is not None:
            screen.say()
        return None
    except UnicodeDecodeError:
        text = "(not text)"
    if screen is not None and not sys.stdin.isatty():
        print(text)  # as it would stand there had it been typed
    return text


def _can_show_bars() -> bool:
    try:
        "█▌─◄".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
