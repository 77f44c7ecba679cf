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
    finally:
        # Python keeps in mind that code made of text (of dataclasses, in modules that are imported late) was
        # interrupted, and would end by the signal, whatever the status; until more such code has come to its end.
        exec("")


if __name__ == "__main__":
    run()
