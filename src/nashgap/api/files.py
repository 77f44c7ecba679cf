"""Open, check and look at strategies."""

from __future__ import annotations

__all__ = ["check", "check_bot", "load", "show"]
