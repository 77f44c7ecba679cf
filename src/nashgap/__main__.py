"""The command `nashgap`, also as `python -m nashgap`.

Little is imported before Ctrl-C is listened to: the commands take a moment.
"""

import sys

TYPE_CHECKING = False  # as type checkers read it; that of `typing` takes a moment to import
if TYPE_CHECKING:
    from sys import UnraisableHookArgs

__all__ = ["run"]

INTERRUPTED = 130


def run() -> None:
    """The console script."""
    sys.unraisablehook = _interrupted_again
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


def _interrupted_again(lost: "UnraisableHookArgs") -> None:
    """Ctrl-C where Python lets nothing be raised, as while a module's lock is let go, comes again a moment later."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    from threading import Timer

    again = Timer(0.01, _interrupt)  # not now: here it would be lost as well
    again.daemon = True
    again.start()


def _interrupt() -> None:
    if sys.platform == "win32":
        from _thread import interrupt_main

        interrupt_main()
    else:
        from signal import SIGINT, pthread_kill
        from threading import main_thread

        main = main_thread().ident
        assert main is not None, "it runs"
        pthread_kill(main, SIGINT)  # wakes it where it waits


if __name__ == "__main__":
    run()
