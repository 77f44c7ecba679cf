"""Who asks: a visitor is known by a secret in a cookie, of which the rest of the server only knows the hash."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from nashgap.web.api import visitor_of

__all__ = ["answered", "visitor_asking"]

COOKIE = "nashgap_visitor"
COOKIE_SECONDS = 365 * 24 * 3600


def visitor_asking(request: Request) -> str:
    """Who asks; empty for somebody without a secret."""
    return visitor_of(request.cookies.get(COOKIE))


def answered(request: Request, answer: Callable[[str], dict[str, Any]], status: int = 201) -> Response:
    """The answer to a visitor, who is known from now on by a secret: their own, or a new one.

    answer: what it says to this visitor.
    """
    secret = request.cookies.get(COOKIE) or secrets.token_urlsafe(32)
    response = JSONResponse(answer(visitor_of(secret)), status)
    is_secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, secret, COOKIE_SECONDS, httponly=True, samesite="strict", secure=is_secure)
    return response
