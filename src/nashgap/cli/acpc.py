"""`nashgap acpc dealer|player|check-log|to-phh`: the protocol and the logs of the Annual Computer Poker Competition."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.options import JsonOption, QuietOption, SeedOption
from nashgap.cli.output import number, print_json, print_rows, print_table, say
from nashgap.cli.phh import to_phh
from nashgap.cli.progress import progress_line, resumable

if TYPE_CHECKING:
    from nashgap.arena.acpc.dealer import DealerResult
    from nashgap.arena.acpc.log import LogCheck

__all__ = ["app"]

MISMATCHES_FOUND = 1

app = typer.Typer(no_args_is_help=True, help="Speak the competition's protocol: dealer, player, match logs.")

GameOption = Annotated[
    str, typer.Option("--game", metavar="GAME", help="A shipped game (lhe3) or a game definition file.")
]


@app.callback()
def _acpc() -> None:
    """Speak the competition's protocol: dealer, player, match logs.

    Example: [bold]nashgap acpc check-log match.log --game lhe3[/bold]
    """


@app.command("dealer")
def _dealer(
    game: GameOption,
    hands: Annotated[int, typer.Option(metavar="N", help="Hands of the match.")],
    ports: Annotated[str, typer.Option(metavar="P,P,...", help="One port for each player; 0 takes any free one.")] = "",
    names: Annotated[str, typer.Option(metavar="A,B,...", help="Names of the players; p1, p2, ... if not given.")] = "",
    seed: SeedOption = 0,
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the match log here.")] = None,
    transcript: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every message here, with its time.")
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Address to listen at; 0.0.0.0 admits other machines.")
    ] = "127.0.0.1",
    action_seconds: Annotated[float, typer.Option(metavar="S", help="A player's time for one action.")] = 600.0,
    hand_seconds: Annotated[float, typer.Option(metavar="S", help="A player's time for one hand.")] = 600.0,
    match_seconds: Annotated[
        float | None, typer.Option(metavar="S", help="A player's time for the match; 7 seconds a hand if not given.")
    ] = None,
    startup_seconds: Annotated[float, typer.Option(metavar="S", help="Time for all players to connect.")] = 60.0,
    name: Annotated[str, typer.Option(metavar="NAME", help="Of the match, for the log.")] = "match",
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Deal a match to players that connect over TCP.

    The ports are told on standard error, in the order of the players. Cards are those of [bold]nashgap match[/bold]
    with the same seed. A player that hangs up, floods or exceeds a time limit is out: from then on its seat checks
    where that is free and folds otherwise. What it did is in the log and in the result.

    Examples: [bold]nashgap acpc dealer --game lhe3 --hands 1000 --seed 1 --log match.log[/bold],
    [bold]nashgap acpc dealer --game hunl --hands 3000 --ports 20001,20002 --names alice,bob --action-seconds 10[/bold]
    """
    from nashgap.arena.acpc.config import DealerConfig
    from nashgap.arena.acpc.dealer import Dealer
    from nashgap.poker.rules import load_rules

    config = DealerConfig(
        rules=load_rules(game),
        num_hands=hands,
        seed=seed,
        names=tuple(names.split(",")) if names else (),
        ports=_parse_ports(ports),
        host=host,
        seconds_per_action=action_seconds,
        seconds_per_hand=hand_seconds,
        seconds_per_match=match_seconds,
        startup_seconds=startup_seconds,
        log_path=log,
        transcript_path=transcript,
        name=name,
    )
    dealer = Dealer(config)
    said = " ".join(map(str, dealer.listen()))
    say(f"ports {said}")
    kept = f"; the hands played so far are in {log}" if log else ""
    with resumable(f"interrupted{kept}"), _hands_line(quiet, hands) as show:
        result = dealer.run(show)
    if json:
        print_json(_dealer_document(result, log))
        return
    rows = [
        (player.name, number(player.chips), number(player.winrate), _errors_text(player.num_mended, player.num_ignored))
        for player in result.players
    ]
    print_table(("player", "chips", result.unit, "errors"), rows, right=(1, 2))
    for player in result.players:
        if player.fault is not None:
            print(f"{player.name} was taken out: {player.fault}")
    print_rows({"hands": result.num_hands, "seconds": result.seconds, "log": log and str(log)})


@app.command("player")
def _player(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="As in nashgap match.", show_default=False)],
    game: GameOption,
    place: Annotated[
        list[str] | None, typer.Argument(metavar="HOST PORT", help="As the competition's scripts give them.")
    ] = None,
    host: Annotated[str, typer.Option(metavar="HOST", help="Machine of the dealer.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(metavar="P", help="Port of the dealer.")] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Of the agent's choices; random if not given.")
    ] = None,
    connect_seconds: Annotated[float, typer.Option(metavar="S", help="How long to try to reach the dealer.")] = 10.0,
    silence_seconds: Annotated[float, typer.Option(metavar="S", help="How long to wait for a message.")] = 3600.0,
    json: JsonOption = False,
) -> None:
    """Play any agent at a dealer of the competition, until the dealer hangs up.

    With the seed of our dealer the agent makes the choices that it makes in [bold]nashgap match[/bold].

    Host and port may also stand at the end, where a script of the competition, or an agent acpc:COMMAND, puts them.

    Examples: [bold]nashgap acpc player always-call --game lhe3 --port 20001[/bold],
    [bold]nashgap acpc player poki --game lhe3 --host dealer.example.org --port 20002 --seed 1[/bold]
    """
    from nashgap.agents.named import load_agent
    from nashgap.arena.acpc.player import AcpcPlayer
    from nashgap.poker.rules import load_rules

    host, port = _parse_place(place or [], host, port)
    rules = load_rules(game)
    player = AcpcPlayer(
        load_agent(agent, rules), rules, seed=seed, connect_seconds=connect_seconds, silence_seconds=silence_seconds
    )
    with resumable("interrupted"):
        score = player.play(host, port)
    document = {"agent": agent, "hands": score.num_hands, "chips": score.chips, "winrate": score.winrate}
    if json:
        print_json({**document, "unit": score.unit})
    else:
        print_rows({**document, "winrate": f"{number(score.winrate)} {score.unit}"})


@app.command("check-log")
def _check_log(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match log.", show_default=False)],
    game: GameOption,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Replay a match log and recompute every payoff, and the score from them.

    The exit status is 0 if all are right, 1 if some are not, 2 if a line cannot be read: the error names it.

    Examples: [bold]nashgap acpc check-log match.log --game lhe3[/bold],
    [bold]nashgap acpc check-log match.log --game holdem.limit.2p.reverse_blinds.game --json[/bold]
    """
    from nashgap.arena.acpc.log import check_log
    from nashgap.poker.rules import load_rules

    rules = load_rules(game)
    with _hands_line(quiet, None) as show:
        found = check_log(file, rules, show)
    if json:
        print_json(_check_document(file, game, found))
    else:
        _print_check(file, found)
    if found.num_mismatches:
        raise typer.Exit(MISMATCHES_FOUND)


@contextmanager
def _hands_line(is_quiet: bool, total: int | None) -> Iterator[Callable[[int], None] | None]:
    """What to call with the number of hands done."""
    from nashgap.core.job import Progress
    from nashgap.runs.executors import Pace

    with progress_line(is_quiet) as show:
        start: float | None = None

        def count(done: int) -> None:
            nonlocal start
            start = time.perf_counter() if start is None else start
            assert show is not None
            show(Pace.since(start, 0, Progress(done, total, "hands")))

        yield None if show is None else count


def _parse_ports(text: str) -> tuple[int, ...]:
    from nashgap.errors import ConfigError

    words = text.split(",") if text else []
    if not all(word.strip().isascii() and word.strip().isdigit() for word in words):
        raise ConfigError(f"--ports {text!r}; they must be numbers with commas between: 20001,20002 or 0,0")
    return tuple(map(int, words))


def _parse_place(words: list[str], host: str, port: int | None) -> tuple[str, int]:
    from nashgap.errors import ConfigError

    if not words and port is not None:
        return host, port
    if port is not None or len(words) != 2 or not (words[1].isascii() and words[1].isdigit()):
        given = " ".join(words) or "nothing"
        raise ConfigError(f"{given!r}; the dealer is given by --port, or by host and port at the end")
    return words[0], int(words[1])


def _errors_text(num_mended: int, num_ignored: int) -> str:
    parts = [f"{num_mended} actions changed"] * (num_mended > 0) + [f"{num_ignored} lines ignored"] * (num_ignored > 0)
    return ", ".join(parts) or "none"


def _dealer_document(result: DealerResult, log: Path | None) -> dict[str, object]:
    from nashgap.runs.config import package_version

    return {
        "players": [player.name for player in result.players],
        "unit": result.unit,
        "chips": [player.chips for player in result.players],
        "winrates": [player.winrate for player in result.players],
        "hands": result.num_hands,
        "seed": result.seed,
        "seconds": result.seconds,
        "errors": {
            player.name: {"changed": player.num_mended, "ignored": player.num_ignored, "fault": player.fault}
            for player in result.players
        },
        "log": None if log is None else str(log),
        "version": package_version(),
    }


def _check_document(file: Path, game: str, found: LogCheck) -> dict[str, object]:
    return {
        "file": str(file),
        "game": game,
        "hands": found.num_hands,
        "mismatches": found.num_mismatches,
        "first_mismatches": [
            {
                "line": wrong.line,
                "hand": wrong.hand_number,
                "players": list(wrong.players),
                "logged": list(wrong.logged),
                "recomputed": list(wrong.recomputed),
            }
            for wrong in found.mismatches
        ],
        "has_score": found.has_score,
        "is_cut_short": found.is_cut_short,
    }


def _print_check(file: Path, found: LogCheck) -> None:
    print(f"{file}: {found.num_hands:,} hands, {found.num_mismatches:,} mismatches")
    for wrong in found.mismatches:
        what = "score" if wrong.hand_number is None else f"hand {wrong.hand_number}"
        logged, recomputed = ("|".join(map(number, chips)) for chips in (wrong.logged, wrong.recomputed))
        print(f"line {wrong.line}, {what}: logged {logged}, recomputed {recomputed}")
    if found.num_mismatches > len(found.mismatches):
        print(f"and {found.num_mismatches - len(found.mismatches):,} more")
    if found.is_cut_short:
        print("the last line is cut short and does not count")


app.command("to-phh")(to_phh)
