"""`nashgap play --game python:mygame:Dice --against dice.safetensors`: play a small game in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nashgap.agents.tree_session import PlayedGame, Turn

__all__ = ["play_tree"]


def play_tree(
    game: str, against: list[str] | None, *, player: int | None, num_games: int | None, seed: int, log: Path | None
) -> None:
    """Play games until so many are played or the person leaves. player: the person's in the first game, from 1."""
    from nashgap.agents.human import LeaveTable
    from nashgap.agents.tree_session import TreeSession
    from nashgap.core.job import require_seed
    from nashgap.errors import ConfigError
    from nashgap.games.compiled import load_tree
    from nashgap.strategies.load import load

    require_seed(seed)
    if num_games is not None and num_games < 1:
        raise ConfigError(f"--hands {num_games}; at least 1 is needed")
    if log is not None or len(against or []) > 1:
        raise ConfigError(f"{game} is no poker game; it is played without --log and against one strategy")
    opponent = (against or ["uniform"])[0]
    strategy = load(opponent, load_tree(game))
    session = TreeSession(strategy, (player or 1) - 1, _ask, seed=seed)
    print(f"{strategy.tree.game}, seed {seed}, against {opponent}; ? for help, q to leave")
    try:
        while num_games is None or session.num_games < num_games:
            print(f"\ngame {session.num_games + 1}")
            _tell(session.play(), strategy.tree.unit)
    except (LeaveTable, KeyboardInterrupt):
        print("\n  you leave; the game does not count")
    if session.score_text:
        print(session.score_text)


def _tell(played: PlayedGame, unit: str) -> None:
    others = ", ".join(
        f"player {player} {value:+.6g}" for player, value in enumerate(played.returns, 1) if player != played.player + 1
    )
    print(f"  you {played.returns[played.player]:+.6g}, {others} ({unit.partition('_per_')[0]})")


def _ask(turn: Turn) -> int:
    from nashgap.agents.human import LeaveTable
    from nashgap.agents.tree_session import parse_choice
    from nashgap.errors import IllegalActionError

    choices = "  ".join(f"[{place}] {action}" for place, action in enumerate(turn.actions, start=1))
    print(f"  you are player {turn.player + 1} and know: {turn.infoset or 'nothing yet'}")
    while True:
        try:
            answer = input(f"  {choices}  [?] help  [q]uit > ")
        except EOFError:
            raise LeaveTable from None
        except UnicodeDecodeError:
            answer = "(not text)"
        if not sys.stdin.isatty():
            print(answer)  # as it would stand there had it been typed
        word = answer.strip().lower()
        if word in ("q", "quit", "exit") and word not in (action.lower() for action in turn.actions):
            raise LeaveTable
        if word in ("?", "help"):
            print("  type the number of an action, its name or its beginning; q leaves")
            continue
        try:
            return parse_choice(answer, turn.actions)
        except IllegalActionError as error:
            print(f"  {error}")
