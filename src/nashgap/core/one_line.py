"""Text of somebody else, made fit for a line on a terminal."""

from __future__ import annotations

__all__ = ["one_line", "printable"]

GAP = "..."


def one_line(text: str, max_letters: int, *, keeps_end: bool = False) -> str:
    """The text, cut if it is long, with spaces for line breaks and control characters.

    keeps_end: it is cut in its middle, since its end often says what is allowed.
    """
    text = text.strip()
    if len(text) > max_letters:
        end = max_letters // 3 if keeps_end else 0
        text = f"{text[: max_letters - len(GAP) - end]}{GAP}{text[len(text) - end :]}"
    return printable(text).strip()


def printable(text: str) -> str:
    """The text with spaces for all that is no letter or blank, such as the codes that terminals obey."""
    return text if text.isprintable() else "".join(each if each.isprintable() else " " for each in text)
