"""Who asks: a visitor is known by a secret in a cookie, of which the rest of the server only knows the hash."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from nashgap.web.api import visitor_of

__all__ = ["answer_to", "secret_of", "visitor_asking"]

COOKIE = "nashgap_visitor"
COOKIE_SECONDS = 365 * 24 * 3600


def visitor_asking(request: Request) -> str:
    """Who asks; empty for somebody without a secret."""
    return visitor_of(request.cookies.get(COOKIE))


def secret_of(request: Request) -> str:
    """The visitor's own, or a new one."""
    return request.cookies.get(COOKIE) or secrets.token_urlsafe(32)


def answer_to(request: Request, secret: str, content: dict[str, Any], status: int) -> Response:
    """The answer to a visitor who is known by the secret from now on."""
    response = JSONResponse(content, status)
    is_secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, secret, COOKIE_SECONDS, httponly=True, samesite="strict", secure=is_secure)
    return response
