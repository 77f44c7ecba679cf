"""Let agents play: duplicate matches, tournaments, and the ranks that come of them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from nashgap.api.subjects import Subject, bot_of, rules_for
from nashgap.arena.cross_table import CrossTable, read_cross_table
from nashgap.arena.match_result import MatchResult
from nashgap.arena.spot_match import SpotMatch, match_spots
from nashgap.arena.standings import Standings
from nashgap.arena.tournament import TournamentConfig, read_tournament, tournament_rules
from nashgap.arena.tournament_result import TournamentResult
from nashgap.core.result import Provenance
from nashgap.errors import ConfigError, NashGapError, OptionError
from nashgap.jobs.match import MatchJob, make_log_folder, write_logs
from nashgap.jobs.perform import Keep, perform
from nashgap.jobs.tournament import TournamentJob
from nashgap.poker.rules import PokerRules
from nashgap.runs.progress import Progressing
from nashgap.runs.trust import Trust, programs_in, remember, require_trust
from nashgap.runs.workers import Workers
from nashgap.strategies.load import is_spot
from nashgap.strategies.load import load as load_strategy
from nashgap.strategies.spot_strategy import SpotStrategy

__all__ = ["match", "rank", "tournament"]

DEFAULT_DEALS = 10_000


def match(
    *agents: Subject,
    game: str | PokerRules = "lhe3",
    deals: int | None = None,
    match_hands: int = 1,
    seed: int = 0,
    variance: str = "none",
    log: Path | str | None = None,
    workers: Workers = 1,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
) -> MatchResult | SpotMatch:
    """Play a duplicate match: the same cards in every seating, so that luck cancels.

    Two strategies of one spot are not played but met exactly, over all hands and boards.

    agents:      one for each seat: a name, a strategy file, `python:module:Class`, `exec:COMMAND`, `acpc:COMMAND`, or
                 any object that has `policies` or `act`.
    deals:       each is played in every seating; 10,000 unless told.
    match_hands: more than 1: agents keep their memory for matches of so many hands.
    variance:    which luck is taken off, beside what was won: `chance`, that of the cards; `aivat`, also that of the
                 hands and actions of agents that tell what they do with every hand: one is enough.
    log:         a folder in which the hands are written, a log for each seating.
    """
    bots = tuple(bot_of(agent, kind="agent") for agent in agents)
    if len(bots) == 2 and all(map(is_spot, bots)):
        if deals is not None or match_hands != 1 or log is not None or variance != "none":
            option = "deals" if deals is not None else "match_hands" if match_hands != 1 else "log"
            option = "variance" if variance != "none" else option
            raise OptionError(
                f"`{option}` is for hands that are played; strategies of a spot meet exactly, over all hands"
            )
        first, second = (load_strategy(bot) for bot in bots)
        assert isinstance(first, SpotStrategy) and isinstance(second, SpotStrategy), "both are of spots"
        command = shlex.join(["nashgap", "match", *(bot.text for bot in bots)])
        found = match_spots(first, second, (bots[0].text, bots[1].text))
        return replace(found, provenance=Provenance(command))
    rules = rules_for(game)
    job = MatchJob(
        rules=rules,
        agents=bots,
        deals=DEFAULT_DEALS if deals is None else deals,
        seed=seed,
        hands_per_match=match_hands,
        has_log=log is not None,
        variance=variance,
    )
    if log is not None:
        make_log_folder(Path(log))
    result: MatchResult = perform(job, run=run, workers=workers, fresh=fresh, progress=progress)
    return result if log is None else replace(result, log_paths=tuple(write_logs(result, Path(log), job.name)))


def tournament(
    source: Path | str | TournamentConfig,
    *,
    seed: int | None = None,
    workers: Workers = 1,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
    trust: Trust = False,
) -> TournamentResult:
    """Play a tournament: a duplicate match of every set of agents, with the same cards for all.

    source: a TOML file, see `nashgap.arena.tournament`, or what it would say.
    seed:   instead of the file's.
    trust:  whether programs (`exec:`, `acpc:`, `python:`) are started that the file names; or who is asked, with what
            would be started. Where the user has said so once, that is remembered.
    """
    job = _tournament_job(source, seed, trust)
    result: TournamentResult = perform(job, run=run, workers=workers, fresh=fresh, progress=progress)
    return result


def _tournament_job(source: Path | str | TournamentConfig, seed: int | None, trust: Trust) -> TournamentJob:
    """Errors in what a file describes name the file."""
    if isinstance(source, TournamentConfig):
        return TournamentJob(rules_for(source.game), source if seed is None else replace(source, seed=seed))
    config = read_tournament(Path(source), seed=seed)
    programs = _programs(config)
    require_trust(str(source), Path(source), programs, trust)
    remember(Path(source), programs)
    rules = tournament_rules(Path(source), config)
    try:
        return TournamentJob(rules, config)
    except NashGapError as error:
        raise ConfigError(f"{source}: {error}") from error


def _programs(config: TournamentConfig) -> tuple[str, ...]:
    """What is started when it is played."""
    files: list[str] = []
    for entrant in config.agents:
        with suppress(NashGapError):  # a file that cannot be read is told when it is loaded
            files += entrant.bot.inputs().values()
    return programs_in([config.game, *(entrant.bot.text for entrant in config.agents)], files)


def rank(table: Path | str | CrossTable, *, teams: Mapping[str, str] | None = None, unit: str = "") -> Standings:
    """Rank the players of a cross-table by bankroll, instant run-off and total wins.

    table: a CSV file with a row for each player of each matchup: player,opponent1,...,winrate; or the table itself.
    teams: of players, whose matchups do not count.
    unit:  of the winrates, such as `sb_per_hand`.
    """
    if isinstance(table, CrossTable):
        return Standings(table.with_teams(dict(teams)) if teams else table)
    ranked = read_cross_table(Path(table), unit)
    if teams:
        ranked = ranked.with_teams(dict(teams))
    sides: dict[str, list[str]] = {}
    for player, team in (teams or {}).items():
        sides.setdefault(team, []).append(player)
    words = ["nashgap", "tournament", "rank", str(table)]
    words += [word for team, players in sides.items() for word in ("--team", f"{team}={','.join(players)}")]
    words += ["--unit", unit] if unit else []
    return Standings(ranked, str(table), provenance=Provenance(shlex.join(words)))
