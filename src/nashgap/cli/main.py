"""The command `nashgap`, and the only place that turns errors into text.

Whatever is slow to import (numpy, plotly, the native module) is imported inside the commands, so that help is quick.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any, cast

import typer

from nashgap.cli.acpc import app as acpc_app
from nashgap.cli.check import check, check_bot
from nashgap.cli.compare import compare
from nashgap.cli.demo import demo
from nashgap.cli.explain import app as explain_app
from nashgap.cli.graft import graft
from nashgap.cli.list import list_catalogue
from nashgap.cli.match import match
from nashgap.cli.measure import measure
from nashgap.cli.output import Stopped, say
from nashgap.cli.play import play
from nashgap.cli.reproduce import reproduce
from nashgap.cli.runs import app as runs_app
from nashgap.cli.serve import serve
from nashgap.cli.show import show
from nashgap.cli.solve import solve
from nashgap.cli.solve_spot import solve_spot
from nashgap.cli.tournament import app as tournament_app
from nashgap.core.one_line import one_line
from nashgap.errors import NashGapError, OptionError

__all__ = ["app", "main", "run"]

BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 2, 130, 141
MAX_LETTERS = 2000  # of a complaint; a line that somebody gave us may be a megabyte

# Typer carries a click of its own and exports only some of its errors; the root of them all is two steps up.
ParserError = cast(type[Exception], typer.BadParameter.__mro__[2])

RENAMED = {"--hands": "--deals", "--probe": "--by-hand"}  # options of 0.1

app = typer.Typer(
    name="nashgap",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("list")(list_catalogue)
app.command("solve")(solve)
app.command("solve-spot")(solve_spot)
app.command("show")(show)
app.command("measure")(measure)
app.command("compare")(compare)
app.command("match")(match)
app.command("play")(play)
app.command("serve")(serve)
app.command("reproduce")(reproduce)
app.command("demo")(demo)
app.command("check")(check)
app.command("check-bot")(check_bot)
app.command("graft")(graft)
app.add_typer(tournament_app, name="tournament")
app.add_typer(acpc_app, name="acpc")
app.add_typer(explain_app, name="explain")
app.add_typer(runs_app, name="runs")


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from nashgap.runs.config import package_version

        typer.echo(f"nashgap {package_version()}")
        raise typer.Exit


@app.callback()
def _nashgap(
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar="", callback=_print_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """How far is a strategy from equilibrium? Solve small games, let poker agents play, reproduce papers.

    Begin with: [bold]nashgap solve leduc -o leduc.safetensors[/bold],

    then: [bold]nashgap measure leduc.safetensors[/bold];

    or sit down yourself: [bold]nashgap play[/bold]
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit status."""
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            words = sys.argv[1:] if arguments is None else list(arguments)
            status = app(words, prog_name="nashgap", standalone_mode=False)
            sys.stdout.flush()
        except ParserError as error:
            if message := _parser_message(error):
                _complain(message)
            return BAD_INPUT
        except NashGapError as error:
            _complain(error.naming(_typed) if isinstance(error, OptionError) else str(error))
            return BAD_INPUT
        except Stopped as stopped:
            _complain(str(stopped))
            return INTERRUPTED
        except (BrokenPipeError, SystemExit):
            return BROKEN_PIPE  # Rich and Typer turn a broken pipe, and nothing else, into SystemExit
        except OSError as error:
            # Only writing to a stream names no file.
            _complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
            if error.filename is None:
                # Python must not try to write the rest at its end.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BAD_INPUT
    if status == INTERRUPTED:
        say("nashgap: interrupted; nothing was kept")
    return int(status or 0)


def run() -> None:
    """The console script."""
    if sys.platform == "win32":  # whose files and pipes would have an encoding without all of our letters
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8")
    if sys.stdout is None:  # closed by `>&-`
        say("nashgap: standard output is closed; results have nowhere to go")
        sys.exit(BAD_INPUT)
    status = main()
    if status == BROKEN_PIPE and sys.platform != "win32":  # which has no such signal
        # Whoever read our output has left (`| head`): end by the signal, as other tools do. Not from the beginning,
        # because a pipe to a worker that died must not end the run.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.raise_signal(signal.SIGPIPE)
    sys.exit(status)


def _parser_message(error: Any) -> str:
    """What was typed wrongly; of an option that has another name by now, that name."""
    old = getattr(error, "option_name", "")
    new = RENAMED.get(old)
    if new and any(new in parameter.opts for parameter in error.ctx.command.params):
        return f"{old} is now {new}"
    return str(error.format_message()).replace("Value error, ", "")


def _typed(option: str) -> str:
    """What an option of a function is called here."""
    return "--runs" if option == "run" else f"--{option.replace('_', '-')}"


def _complain(message: str) -> None:
    say(f"nashgap: {one_line(' '.join(message.split()), MAX_LETTERS, keeps_end=True)}")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _complain(f"warning: {message}")


if __name__ == "__main__":
    run()
