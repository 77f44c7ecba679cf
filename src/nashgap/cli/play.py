"""`nashgap play --game lhe2 --against poki`: play in the terminal."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.poker_screen import PokerScreen

if TYPE_CHECKING:
    from nashgap.poker.state import View

__all__ = ["play"]


def play(
    game: Annotated[
        str,
        typer.Option(metavar="GAME", help="Poker: a name or a game definition file; or any small game."),
    ] = "lhe2",
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="Who sits in the other seats: one for all, or repeated, one for each. Default: poki in hold'em; in a"
            " small game uniform, or a strategy file.",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(metavar="N", help="Yours in the first hand; 1 is left of the button. Default: the button."),
    ] = None,
    hands: Annotated[int | None, typer.Option(metavar="N", help="Leave after so many; else when you quit.")] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Of the cards and the agents; by chance unless told.")
    ] = None,
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the hands there, as a match log.")] = None,
    plain: Annotated[bool, typer.Option("--plain", metavar="", help="Letters for suits, and no colours.")] = False,
) -> None:
    """Play poker against agents, or a small game against a strategy. The button, or your place, moves on each time.

    Type f, c, r (in no-limit r 300, pot, half, allin), ? for help, q to leave.

    Examples: [bold]nashgap play[/bold], [bold]nashgap play --game hunl --against random --hands 20[/bold],
    [bold]nashgap play --game lhe3 --against poki --against probe --log mine.log[/bold],
    [bold]nashgap play --game python:mygame:Dice --against dice.safetensors[/bold]
    """
    from secrets import randbelow

    from nashgap.arena.acpc.log import MatchLog
    from nashgap.arena.session import Session, SessionSetup, usual_opponent
    from nashgap.cli.play_tree import play_tree
    from nashgap.games.spec import is_game, load_game
    from nashgap.poker.rules import load_rules
    from nashgap.strategies.spec import parse_bot

    used_seed = randbelow(10**9) if seed is None else seed
    if is_game(game) and not hasattr(load_game(game), "rules"):
        play_tree(game, against, player=seat, num_games=hands, seed=used_seed, log=log)
        return
    rules = load_rules(game)
    bots = tuple(parse_bot(agent, kind="agent") for agent in against or [usual_opponent(rules)])
    setup = SessionSetup(rules, bots, None if seat is None else seat - 1, hands, used_seed)
    screen = PokerScreen(rules, is_plain=plain or not _can_show_suits())
    session = Session(setup, partial(_ask, screen), screen)
    with MatchLog(log) as match_log:
        match_log.remark(f"nashgap play, game {game}, seed {used_seed}")
        screen.say(f"{game}, seed {used_seed}; ? for help, q to leave")
        session.play(match_log)
    for line in session.score_lines():
        screen.say(line, style="" if line.startswith(" ") else "bold")
    if log is not None:
        screen.say(f"hands are in {log}")


def _ask(screen: PokerScreen, view: View, choices: str) -> str:
    from nashgap.agents.human import LeaveTable

    screen.show(view)
    try:
        answer = input(f"  {choices}  [?] help  [q]uit > ")
    except EOFError:
        raise LeaveTable from None
    except UnicodeDecodeError:
        answer = "(not text)"
    if not sys.stdin.isatty():
        print(answer)  # as it would stand there had it been typed
    return answer


def _can_show_suits() -> bool:
    try:
        "♣♦♥♠─".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
