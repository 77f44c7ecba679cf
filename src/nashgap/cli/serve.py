"""`nashgap serve [AGENT...]`: NashGap in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from nashgap.cli.options import RunsOption
from nashgap.cli.output import say

__all__ = ["serve"]

LOCAL = ("127.0.0.1", "localhost", "::1")
LARGEST_PORT = 65535


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
    from nashgap.errors import ConfigError

    if not 0 <= port <= LARGEST_PORT:
        raise ConfigError(f"port {port}; 0 to {LARGEST_PORT} are allowed")
    if token is not None and (len(token) < 8 or not token.isascii() or not token.replace("-", "_").isidentifier()):
        raise ConfigError(f"token {token!r}; at least 8 letters, digits, - and _ are needed, the first a letter")
    from secrets import token_urlsafe

    from nashgap.web.api import CardRoom
    from nashgap.web.server import bound_socket, run_server

    is_local = host in LOCAL
    if token is None and not is_local:
        token = f"t{token_urlsafe(16)}"
    room = CardRoom(agents or [], runs, token)
    room.describe_games()  # so that the first page does not wait for it
    with bound_socket(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}/{f'?token={token}' if token else ''}"
        say(f"nashgap: {address}   (Ctrl-C ends it)")
        if open_browser:
            import webbrowser

            webbrowser.open(address)
        run_server(room, listening)
