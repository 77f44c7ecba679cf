"""`nashgap explain …`: strategies that a person can remember."""

from __future__ import annotations

import typer

from nashgap.cli.explain_dataset import dataset
from nashgap.cli.explain_distance import distance
from nashgap.cli.explain_fit import fit
from nashgap.cli.explain_prototypes import prototypes
from nashgap.cli.explain_quiz import quiz
from nashgap.cli.explain_rules import rules

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Learn strategies that a person can remember, and what they cost.")
app.command("dataset")(dataset)
app.command("fit")(fit)
app.command("rules")(rules)
app.command("prototypes")(prototypes)
app.command("distance")(distance)
app.command("quiz")(quiz)
