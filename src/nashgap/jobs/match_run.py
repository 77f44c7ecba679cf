"""Run a match to its end in a run's folder, and report it."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from nashgap.agents.agent import NativeAgent
from nashgap.agents.named import distinct_names
from nashgap.arena.acpc.log import header_line, score_line
from nashgap.arena.behaviour import Behaviour
from nashgap.arena.match import MatchJob, play_batch
from nashgap.arena.match_result import MatchResult, combine
from nashgap.catalogue import POKER_GAMES
from nashgap.errors import OutputError
from nashgap.poker.notation import log_name
from nashgap.poker.rules import PokerRules
from nashgap.poker.streets import STREETS, street_name
from nashgap.runs.config import package_version
from nashgap.runs.executors import Pace, execute
from nashgap.runs.folder import Run
from nashgap.reports.report import Curve, Plot, Report, Section, Table, write_report
from nashgap.core.array_file import write_atomically

__all__ = [
    "behaviour_section",
    "command_of",
    "continue_match",
    "first_round",
    "hands_per_second",
    "make_log_folder",
    "match_report",
    "percent",
    "write_logs",
]

TRIAL_SECONDS = 0.05
MAX_POINTS = 60
MAX_SEQUENCES = 20


def continue_match(
    job: MatchJob, run: Run, *, workers: int = 1, on_progress: Callable[[Pace], None] | None = None
) -> MatchResult:
    """Play what is missing of the match, and keep its result and report in its folder."""
    batches = execute(job, run, workers=workers, on_progress=on_progress)
    result = combine(job, batches)
    run.save_result(result.as_dict())
    command = command_of(job) if job.rules.name in POKER_GAMES.entries else run.resume_command()
    write_report(match_report(job, result, batches, command), run.report_path)
    return result


def hands_per_second(job: MatchJob) -> float | None:
    """By a short trial in one process; None with somebody's own agents, which are not asked to play for a trial."""
    if not all(isinstance(player, NativeAgent) for player in job.players):
        return None
    trial = replace(job, hands_per_match=1, has_log=False)
    play_batch(trial, 0, 1)  # pays for what happens only once
    num_deals, num_next, seatings, spent = 0, 2, 0, 0.0
    begin = time.perf_counter()
    while spent < TRIAL_SECONDS:
        seatings = play_batch(trial, num_deals, num_next)["seatings"]
        num_deals, num_next = num_deals + num_next, 2 * num_next
        spent = time.perf_counter() - begin
    return float(num_deals * seatings / spent)


def match_report(job: MatchJob, result: MatchResult, batches: Sequence[Mapping[str, Any]], command: str) -> Report:
    """Winrates with intervals, how they came about over the deals, how the agents played."""
    names = distinct_names(result.agents)
    winners = [name for name, rate in zip(names, result.winrates, strict=True) if rate == max(result.winrates)]
    best = result.estimate(int(result.winrates.argmax()))
    summary = "Nobody wins anything." if not any(result.winrates) else f"{winners[0]} wins {best}."
    return Report(
        title=f"{' against '.join(names)} in {result.game or 'a game of its own'}",
        summary=f"{summary} Over {result.hands:,} deals, each in {result.seatings} seatings.",
        sections=(
            _winrates(result, names),
            _course(job, names, batches),
            behaviour_section(dict(zip(names, result.behaviour, strict=True))),
            _sequences(result, job.rules),
        ),
        command=command,
        facts={
            "game": result.game,
            "unit": result.unit,
            "deals": result.hands,
            "seatings of each deal": result.seatings,
            "hands of a match": result.hands_per_match,
            "independent samples": result.samples,
            "seed": result.seed,
            "version": package_version(),
        },
    )


def command_of(job: MatchJob) -> str:
    """What to type for the same numbers; in a game that is shipped."""
    words = ["nashgap", "match", *job.agents, "--game", job.rules.name, "--hands", str(job.deals)]
    words += ["--match-hands", str(job.hands_per_match)] if job.hands_per_match > 1 else []
    return shlex.join([*words, "--seed", str(job.seed)])


def make_log_folder(folder: Path) -> None:
    """Before a match is played, to know that its logs can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror}") from error


def write_logs(job: MatchJob, batches: Sequence[Mapping[str, Any]], folder: Path) -> list[Path]:
    """One log for each seating, as the competition's dealer writes them."""
    make_log_folder(folder)
    paths = []
    names = tuple(map(log_name, distinct_names(job.agents)))
    for seating in range(batches[0]["seatings"]):
        path = folder / f"{job.name}.{seating}.log"
        hands = [line for batch in batches for line in batch["log"][seating]]
        header = header_line(path.stem, job.rules.name, job.deals, job.seed)
        score = score_line(_chips_won(hands, names), names)
        write_atomically(path, ["\n".join([header, *hands, score]).encode(), b"\n"])
        paths.append(path)
    return paths


def _chips_won(hands: Sequence[str], names: Sequence[str]) -> list[float]:
    """What each player has won in the hands of a log; exact but for the six decimals that a log has."""
    won = dict.fromkeys(names, 0.0)
    for line in hands:
        *_, payoffs, players = line.split(":")
        for player, chips in zip(players.split("|"), payoffs.split("|"), strict=True):
            won[player] += float(chips)
    return list(won.values())


def _winrates(result: MatchResult, names: Sequence[str]) -> Table:
    deviations = result.stdev_per_deal
    rows = tuple(
        (name, result.estimate(agent), round(float(result.stdev[agent]), 3), round(float(deviations[agent]), 3))
        for agent, name in enumerate(names)
    )
    sample = "deal" if result.hands_per_match == 1 else "match"
    note = (
        f"The interval is over {result.samples:,} {sample}s; a {sample} counts once, with the mean of its seatings."
        f" Deviations are in {result.unit} too."
    )
    return Table("Winrates", ("agent", "winrate", "stdev of a hand", f"stdev of a {sample}"), rows, note)


def _course(job: MatchJob, names: Sequence[str], batches: Sequence[Mapping[str, Any]]) -> Plot:
    """The winrate after so many deals, with its interval."""
    steps = sorted({round((point + 1) * len(batches) / MAX_POINTS) for point in range(MAX_POINTS)} - {0})
    results = [combine(job, batches[:step]) for step in steps if sum(b["matches"] for b in batches[:step]) > 1]
    deals = [result.samples * job.hands_per_match for result in results]
    curves = tuple(
        Curve(
            name,
            deals,
            [float(result.winrates[agent]) for result in results],
            [float(result.ci95[agent]) for result in results],
        )
        for agent, name in enumerate(names)
    )
    return Plot("Winrate with its 95% interval", "deals", job.rules.unit, curves, lines=(("even", 0.0),))


def behaviour_section(behaviours: Mapping[str, Behaviour]) -> Table:
    """How each agent, by name, played."""
    columns = ("agent", "VPIP", "PFR", "aggression", "to showdown", "won there")
    rows = tuple(
        (
            name,
            percent(behaviour.vpip),
            percent(behaviour.pfr),
            "-" if behaviour.aggression is None else f"{behaviour.aggression:.2f}",
            percent(behaviour.went_to_showdown),
            percent(behaviour.won_at_showdown),
        )
        for name, behaviour in behaviours.items()
    )
    note = (
        "VPIP: put chips in before the flop without having to; PFR: raised before the flop; aggression: bets and raises"
        " for each call after it; won there: of the hands that went to a showdown."
    )
    return Table("How they played", columns, rows, note)


def first_round(rules: PokerRules) -> str:
    """When its bets are made; not all poker has a flop."""
    return "before the flop" if street_name(rules, 0) == STREETS[0] else "in the first round"


def _sequences(result: MatchResult, rules: PokerRules) -> Section:
    shown = list(result.sequences.items())[:MAX_SEQUENCES]
    rows = tuple((text, percent(share)) for text, share in shown)
    left = len(result.sequences) - len(shown)
    note = "Up to the first fold." + (f" {left} rarer ones are left out." if left else "")
    return Table(f"Betting {first_round(rules)}", ("sequence", "share of hands"), rows, note)


def percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}%"
