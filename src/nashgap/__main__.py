"""`python -m nashgap` is the command `nashgap`."""

from nashgap.cli.main import run

run()
