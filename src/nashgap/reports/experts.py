"""The reports of a set of experts, and of what it takes."""

from __future__ import annotations

from nashgap.jobs.experts import ExpertSet, ExpertsForecast
from nashgap.reports.report import Cell, Report, Table, Text
from nashgap.runs.config import package_version
from nashgap.runs.progress import human_bytes, human_seconds

__all__ = ["experts_forecast_report", "experts_report"]


def experts_report(found: ExpertSet) -> Report:
    """How far each expert has come."""
    recipe = found.recipe
    rows: list[tuple[Cell, ...]] = [
        (
            training.recipe.after[0],
            training.iterations,
            round(training.seconds / 60, 2),
            "not measured" if training.gap is None else f"{training.gap.mean:.4f} ± {training.gap.ci95:.4f}",
            training.strategy.game.num_infosets,
        )
        for training in found.trainings
    ]
    unit = recipe.rules.unit
    is_heads_up = all(training.strategy.game.tree.num_players == 2 for training in found.trainings)
    told = "Behind its betting each expert solves a game of two players whose sum is constant. " if is_heads_up else ""
    return Report(
        title=f"{recipe.name}: {recipe.title}",
        summary=found.summary,
        sections=(
            Table(
                "Experts", ("after", "iterations", "minutes", f"gap at least, {unit}", "information sets"), tuple(rows)
            ),
            Text(
                "Notes",
                (
                    f"{told}The gap is NashConv behind the betting, at least: by responses that were learned briefly,"
                    " for the hands that the seeding says.",
                    "An expert says nothing about what comes before its betting: graft it onto a base"
                    " (nashgap graft BASE EXPERTS), or let a master summon it (master:BASE+EXPERTS).",
                ),
            ),
        ),
        command=found.provenance.command,
        facts={"game": recipe.rules.name, "unit": unit, "paper": recipe.paper, "version": package_version()},
    )


def experts_forecast_report(expected: ExpertsForecast) -> Report:
    """Sizes, memory and time of each expert."""
    rows: list[tuple[Cell, ...]] = []
    for each in expected.experts:
        seconds = each.expected_seconds
        time = "not known" if seconds is None else human_seconds(seconds)
        rows.append((each.recipe, each.information_sets, human_bytes(each.bytes), human_bytes(each.file_bytes), time))
    return Report(
        title=f"What it takes to train {expected.recipe}",
        summary=expected.title,
        sections=(Table("", ("expert", "information sets", "memory", "file", "time"), tuple(rows)),),
        command=expected.provenance.command,
        facts={"recipe": expected.recipe, "version": package_version()},
    )
