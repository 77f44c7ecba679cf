"""The protocol and the logs of the Annual Computer Poker Competition: `nashgap acpc`, one function each."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from nashgap.agents.named import load_agent
from nashgap.api.subjects import Subject, bot_of, rules_for
from nashgap.arena.acpc.config import DealerConfig
from nashgap.arena.acpc.dealer import Dealer, DealerResult
from nashgap.arena.acpc.log import LogCheck
from nashgap.arena.acpc.log import check_log as check
from nashgap.arena.acpc.player import AcpcPlayer, PlayerScore
from nashgap.arena.log_winnings import LogWinnings, correct_log
from nashgap.arena.phh import check_phh_game, read_hands, read_log_hands, write_phh
from nashgap.core.array_file import check_writable
from nashgap.core.job import Progress, require_seed
from nashgap.core.result import Provenance
from nashgap.errors import OptionError
from nashgap.poker.rules import PokerRules
from nashgap.runs.executors import OnProgress, Pace
from nashgap.runs.progress import Progressing, shown

__all__ = ["aivat", "check_log", "dealer", "player", "to_phh"]


def dealer(
    config: DealerConfig, *, on_ports: Callable[[tuple[int, ...]], None] | None = None, progress: Progressing = None
) -> DealerResult:
    """Deal a match to players that connect over TCP.

    on_ports: called with the ports on which they are awaited, in the order of the players.
    """
    table = Dealer(config)
    ports = table.listen()
    if on_ports is not None:
        on_ports(ports)
    with shown(progress) as show:
        result = table.run(_counting(show.on_progress, config.num_hands))
    return replace(result, provenance=Provenance(seconds=result.seconds))


def player(
    agent: Subject,
    game: str | PokerRules,
    *,
    port: int,
    host: str = "127.0.0.1",
    seed: int | None = None,
    connect_seconds: float = 10.0,
    silence_seconds: float = 3600.0,
) -> PlayerScore:
    """Play any agent at a dealer of the competition, until the dealer hangs up."""
    rules = rules_for(game)
    playing = load_agent(bot_of(agent, kind="agent"), rules)
    seated = AcpcPlayer(
        playing,
        rules,
        seed=seed,
        connect_seconds=connect_seconds,
        silence_seconds=silence_seconds,
    )
    return replace(seated.play(host, port), agent=playing.name)


def check_log(file: Path | str, game: str | PokerRules, *, progress: Progressing = None) -> LogCheck:
    """Replay a match log and recompute every payoff, and the score from them."""
    rules = rules_for(game)
    with shown(progress) as show:
        found = check(Path(file), rules, _counting(show.on_progress, None))
    return replace(found, file=str(file), game=game if isinstance(game, str) else game.name)


def aivat(
    log: Path | str,
    game: str | PokerRules,
    *,
    known: Mapping[str, Subject] | None = None,
    variance: str = "aivat",
    seed: int = 0,
) -> LogWinnings:
    """What the players of a stored log won, with the luck taken off: an ACPC match log, or a `.phh` or `.phhs` file.

    known:    the strategy of one player or more, by the name in the log.
    variance: `aivat`, or `chance`: the luck of the cards alone, for which no strategy is needed.
    """
    rules = rules_for(game)
    require_seed(seed)
    agents = {player: load_agent(bot_of(subject, kind="agent"), rules) for player, subject in (known or {}).items()}
    if variance == "aivat" and not agents:
        raise OptionError("`known` is missing: aivat needs the strategy of a player, NAME=STRATEGY")
    words = ["nashgap", "acpc", "aivat", str(log), "--game", rules.name]
    for player, subject in (known or {}).items():
        words += ["--known", f"{player}={bot_of(subject, kind='agent').text}"]
    begin = time.perf_counter()
    found = correct_log(read_hands(Path(log), rules), rules, agents, variance=variance, seed=seed, file=str(log))
    command = shlex.join([*words, "--variance", variance, "--seed", str(seed)])
    return replace(found, provenance=Provenance(command, seconds=time.perf_counter() - begin))


def to_phh(log: Path | str, game: str | PokerRules, output: Path | str) -> int:
    """Write the hands of a match log as PHH files, which pokerkit reads; how many there were."""
    rules = rules_for(game)
    check_phh_game(rules)
    check_writable(Path(output))
    return write_phh(read_log_hands(Path(log), rules), Path(output))


def _counting(on_progress: OnProgress | None, total: int | None) -> Callable[[int], None] | None:
    """What is called with the number of hands done."""
    if on_progress is None:
        return None
    begin: float | None = None

    def count(done: int) -> None:
        nonlocal begin
        begin = time.perf_counter() if begin is None else begin
        on_progress(Pace.since(begin, 0, Progress(done, total, "hands")))

    return count
