"""The report of rules for rivers: sentences, and their prices beside what else can be played."""

from __future__ import annotations

from nashgap.jobs.rivers import RiverStudy
from nashgap.reports.report import Report, Table, Text
from nashgap.runs.config import package_version

__all__ = ["rivers_report"]


def rivers_report(study: RiverStudy) -> Report:
    """The rules and the table of prices."""
    return Report(
        title="Rules for rivers with one bet left",
        summary=study.summary,
        sections=(
            Text("The rules", tuple(f"{number}. {each}" for number, each in enumerate(study.sentences, start=1))),
            Table(
                "What they cost on unseen boards",
                ("strategy", "price", "lost to the equilibrium"),
                tuple((each.name, each.price, each.lost) for each in study.priced),
                note=(
                    "Percent of the pot, the mean of both seats, with 95% intervals over spots. Price: what a best"
                    " response gains, exact. No published figures are known to us."
                ),
            ),
        ),
        command=study.provenance.command,
        facts={
            "learned from": study.num_train,
            "tested on": study.num_test,
            "seed": study.seed,
            "version": package_version(),
        },
    )
