"""`nashgap acpc dealer|player|check-log|aivat|to-phh`: protocol and logs of the Annual Computer Poker Competition."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.options import JsonOption, QuietOption, SeedOption
from nashgap.cli.output import interrupted, print_json, print_result, say

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
    import nashgap as ng

    config = ng.DealerConfig(
        rules=ng.load_rules(game),
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
    kept = f"; the hands played so far are in {log}" if log else ""
    with interrupted(f"interrupted{kept}"):
        result = ng.acpc.dealer(config, on_ports=_say_ports, progress=not quiet)
    print_result(result, is_json=json, log=log)


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
    import nashgap as ng

    host, port = _parse_place(place or [], host, port)
    with interrupted("interrupted"):
        score = ng.acpc.player(
            agent, game, port=port, host=host, seed=seed, connect_seconds=connect_seconds,
            silence_seconds=silence_seconds,
        )  # fmt: skip
    print_result(score, is_json=json)


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
    import nashgap as ng

    found = ng.acpc.check_log(file, game, progress=not quiet)
    print_result(found, is_json=json)
    if not found.is_sound:
        raise typer.Exit(MISMATCHES_FOUND)


@app.command("aivat")
def _aivat(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A match log, or a .phh or .phhs file.", show_default=False)
    ],
    game: GameOption,
    known: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=STRATEGY", help="What a player of the log plays; for each that is known."),
    ] = None,
    variance: Annotated[
        str, typer.Option(metavar="KIND", help="aivat, or chance: the luck of the cards alone.")
    ] = "aivat",
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Take the luck off the winnings of a stored log (AIVAT).

    The strategy of one player is enough. Where cards of the others were not shown, only the luck of the given players'
    own hands and actions is taken off. docs/less-luck.md says how.

    Examples: [bold]nashgap acpc aivat match.log --game hunl --known alice=alice.safetensors[/bold],
    [bold]nashgap acpc aivat match.phhs --game lhe3 --known p1=probe --known p2=always-call --json[/bold]
    """
    import nashgap as ng

    found = ng.acpc.aivat(file, game, known=_parse_known(known or []), variance=variance, seed=seed)
    print_result(found, is_json=json)


@app.command("to-phh")
def _to_phh(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A match log.", show_default=False)],
    game: Annotated[str, typer.Option(metavar="GAME", help="Its game: a name or a game definition file.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Write there: .phhs, or .phh for one hand.")
    ],
    json: JsonOption = False,
) -> None:
    """Write the hands of a match log as PHH files, which pokerkit reads.

    For limit and no-limit Texas hold'em. A pot that was split into fractions
    of a chip is written so that pokerkit splits it the same way.

    Examples: [bold]nashgap acpc to-phh match.log --game lhe3 -o match.phhs[/bold],
    [bold]nashgap acpc to-phh match.log --game mine.game -o match.phhs --json[/bold]
    """
    import nashgap as ng

    num_hands = ng.acpc.to_phh(log, game, output)
    if json:
        print_json({"log": str(log), "game": ng.load_rules(game).name, "hands": num_hands, "output": str(output)})
    else:
        print(f"{num_hands:,} hands of {log} written to {output}")


def _say_ports(ports: tuple[int, ...]) -> None:
    say(f"ports {' '.join(map(str, ports))}")


def _parse_ports(text: str) -> tuple[int, ...]:
    from nashgap.errors import ConfigError

    words = text.split(",") if text else []
    if not all(word.strip().isascii() and word.strip().isdigit() for word in words):
        raise ConfigError(f"--ports {text!r}; they must be numbers with commas between: 20001,20002 or 0,0")
    return tuple(map(int, words))


def _parse_known(words: list[str]) -> dict[str, str]:
    from nashgap.errors import ConfigError

    known: dict[str, str] = {}
    for word in words:
        player, _, strategy = word.partition("=")
        if not player or not strategy or player in known:
            raise ConfigError(f"--known {word!r}; it must be NAME=STRATEGY, each name once")
        known[player] = strategy
    return known


def _parse_place(words: list[str], host: str, port: int | None) -> tuple[str, int]:
    from nashgap.errors import ConfigError

    if not words and port is not None:
        return host, port
    if port is not None or len(words) != 2 or not (words[1].isascii() and words[1].isdigit()):
        given = " ".join(words) or "nothing"
        raise ConfigError(f"{given!r}; the dealer is given by --port, or by host and port at the end")
    return words[0], int(words[1])
