"""What every request must pass before anything looks at it, and the headers that every answer gets.

- The name of the server: one that listens to this machine only answers to this machine's names, so that a page
  elsewhere cannot come in under a name of its own (DNS rebinding).
- The token, where the server listens to others: in the address once, in a cookie from then on, or as `Bearer`.
- What changes something comes from our own pages: its `Origin` is ours. A browser always tells it.
- Bodies are small, whatever they say about their length; painted decisions of a spot take a little more.
"""

from __future__ import annotations

import re
import secrets
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["MAX_BODY", "Guard"]

MAX_BODY = 1 << 14
LARGER_BODIES = ((re.compile(r"/api/spots/[^/]+/again"), 1 << 16),)
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
TOKEN_COOKIE = "nashgap_token"
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Stands before an application. token: what visitors need; None: only this machine's names are answered to."""

    def __init__(self, app: ASGIApp, token: str | None = None) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        guarded = _with_headers(scope, send, self._new_cookie(scope))
        if (refusal := self._refusal(scope, headers)) is not None:
            status, text = refusal
            await JSONResponse({"error": text}, status)(scope, receive, guarded)
            return
        await self._app(scope, _limited(receive, _most_bytes(scope)), guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self._token is None and re.sub(r":[0-9]*\Z", "", host) not in LOCAL_NAMES:
            return 400, "this server answers to 127.0.0.1 and localhost only"
        if self._token is not None and not self._has_token(scope, headers):
            return 401, "the address needs ?token=..., which the server printed when it was started"
        length = headers.get("content-length", "0")
        most = _most_bytes(scope)
        if not (length.isascii() and length.isdigit()) or int(length[:12]) > most:
            return 413, _too_large(most)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            origin = headers.get("origin", "")
            if origin not in (f"http://{host}", f"https://{host}"):
                return 403, f"a request from {origin[:60] or 'nowhere'!r}; only pages of this server may ask for that"
        return None

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        assert self._token is not None
        told = [_cookie(headers), headers.get("authorization", "").removeprefix("Bearer "), _in_address(scope)]
        return any(secrets.compare_digest(each.encode(), self._token.encode()) for each in told)

    def _new_cookie(self, scope: Scope) -> str | None:
        """To be set, where the address has the token."""
        if self._token is None or not secrets.compare_digest(_in_address(scope).encode(), self._token.encode()):
            return None
        return f"{TOKEN_COOKIE}={self._token}; HttpOnly; SameSite=Strict; Path=/"


def _cookie(headers: Headers) -> str:
    """As browsers do it: what other servers of this machine have set, whose cookies come along, may be anything."""
    return cookie_parser(headers.get("cookie", "")).get(TOKEN_COOKIE, "")


def _in_address(scope: Scope) -> str:
    query: bytes = scope["query_string"]
    return parse_qs(query.decode("latin-1")).get("token", [""])[0]


def _most_bytes(scope: Scope) -> int:
    return next((most for path, most in LARGER_BODIES if path.fullmatch(scope["path"])), MAX_BODY)


def _too_large(most: int) -> str:
    return f"the request is too large; {most} bytes are allowed"


def _limited(receive: Receive, most: int) -> Receive:
    num_bytes = 0

    async def limited() -> Message:
        nonlocal num_bytes
        message = await receive()
        num_bytes += len(message.get("body", b""))
        if num_bytes > most:
            raise HTTPException(413, _too_large(most))  # which whoever reads the body lets through
        return message

    return limited


def _with_headers(scope: Scope, send: Send, cookie: str | None) -> Send:
    is_static = scope["path"].startswith("/static/")

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if not is_static:
                headers["cache-control"] = "no-store"
            if cookie is not None:
                headers.append("set-cookie", cookie)
        await send(message)

    return sending
