"""The report of rules for rivers: sentences, and their prices beside what else can be played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nashgap.core.estimate import Estimate
from nashgap.reports.report import Report, Section, Table, Text
from nashgap.runs.config import package_version

if TYPE_CHECKING:
    from nashgap.jobs.rivers import RiverStudy

__all__ = ["rivers_report", "rivers_sections"]


def rivers_report(study: RiverStudy) -> Report:
    """The rules and the table of prices."""
    return Report(
        title="Rules for rivers with one bet left",
        summary=study.summary,
        sections=rivers_sections(study.sentences, [(each.name, each.price, each.lost) for each in study.priced]),
        command=study.provenance.command,
        facts={
            "learned from": study.num_train,
            "tested on": study.num_test,
            "seed": study.seed,
            "version": package_version(),
        },
    )


def rivers_sections(rules: Sequence[str], priced: Sequence[tuple[str, Estimate, Estimate]]) -> tuple[Section, ...]:
    """priced: each way to play by name, with its price and what it loses to the equilibrium."""
    note = (
        "Percent of the pot, the mean of both seats, with 95% intervals over spots. Price: what a best response gains,"
        " exact. No published figures are known to us."
    )
    return (
        Text("The rules", tuple(f"{number}. {each}" for number, each in enumerate(rules, start=1))),
        Table("What they cost on unseen boards", ("strategy", "price", "lost to the equilibrium"), tuple(priced), note),
    )
