"""The command `nashgap`, also as `python -m nashgap`.

Little is imported before Ctrl-C is listened to: the commands take a moment.
"""

import sys

__all__ = ["run"]

INTERRUPTED = 130


def run() -> None:
    """The console script."""
    try:
        from nashgap.cli.main import run as run_command

        run_command()
    except KeyboardInterrupt:  # while modules are imported, or options are made ready; commands listen themselves
        print("nashgap: interrupted; nothing was kept", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
