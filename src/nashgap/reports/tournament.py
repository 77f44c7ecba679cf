"""The report of a tournament."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nashgap.arena.tournament_result import TournamentResult
from nashgap.reports.match import behaviour_section
from nashgap.reports.report import CrossTableSection, Report, Section
from nashgap.reports.standings import standings_report

__all__ = ["tournament_report"]

# A screen shows the cross-table of no more matchups: it would push the rankings out of sight.
MOST_SHOWN = 21


def tournament_report(result: TournamentResult) -> Report:
    """The standings, how the agents played, and what the numbers depend on."""
    config, game = result.config, result.game or "a game of its own"
    standings = standings_report(
        result.cross_table,
        title=f"Tournament {config.name}",
        command=result.provenance.command,
        confidence=result.confidence,
    )
    return replace(
        standings,
        summary=result.summary,
        sections=(*map(_for_screen, standings.sections), behaviour_section(result.behaviour)),
        facts={
            "game": game,
            "agents": "; ".join(
                entrant.name if entrant.bot.text == entrant.name else f"{entrant.name} = {Path(entrant.bot.text).name}"
                for entrant in config.agents
            ),
            "deals of a matchup": config.deals,
            "seatings of each deal": result.seatings,
            "hands of a match": config.match_hands,
            "hands in all": result.num_hands,
            "seed": config.seed,
            **standings.facts,
        },
    )


def _for_screen(section: Section) -> Section:
    """A large cross-table is a detail."""
    if isinstance(section, CrossTableSection) and len(section.table.matchups) > MOST_SHOWN:
        return replace(section, is_detail=True)
    return section
