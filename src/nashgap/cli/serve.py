"""`nashgap serve [AGENT...]`: NashGap in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from nashgap.cli.options import RunsOption
from nashgap.cli.output import say

__all__ = ["serve"]


def serve(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT]...",
            help="Who may be played against, beside the named agents: strategy files, programs, classes.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[int, typer.Option(metavar="N", help="0: any that is free.")] = 8770,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Other than this machine's own, visitors need a token.")
    ] = "127.0.0.1",
    token: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What visitors need; made by chance unless told.")
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", metavar="", help="Show the page in your browser.")] = False,
    runs: RunsOption = None,
) -> None:
    """Play in the browser, against agents and with other people. Ctrl-C ends it; tables are there again next time.

    Only this machine is listened to, unless --host says otherwise: 0.0.0.0 is everybody who can reach it.

    Examples: [bold]nashgap serve --open[/bold], [bold]nashgap serve bot.safetensors[/bold],
    [bold]nashgap serve --host 0.0.0.0 exec:./my-bot[/bold]
    """
    from nashgap.web.server import bound_server

    with bound_server(agents or [], runs, host=host, port=port, token=token) as server:
        say(f"nashgap: {server.link}   (Ctrl-C ends it)")
        if open_browser:
            import webbrowser

            webbrowser.open(server.link)
        server.run()
