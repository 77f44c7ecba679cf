"""Text of somebody else, made fit for a line on a terminal."""

from __future__ import annotations

__all__ = ["one_line", "printable"]

GAP = " ... "


def one_line(text: str, max_letters: int) -> str:
    """The text with single spaces for line breaks, blanks and control characters, and cut in its middle if it is long.

    The end is kept, too: it often says what is allowed.
    """
    # What is cut away need not be looked at; blanks that fall together may take some of what is left.
    if len(text) > 4 * max_letters:
        text = f"{text[: 2 * max_letters]}{GAP}{text[-2 * max_letters :]}"
    words = " ".join(printable(text).split())
    if len(words) <= max_letters:
        return words
    end = (max_letters - len(GAP)) // 3
    return f"{words[: max_letters - len(GAP) - end]}{GAP}{words[-end:]}"


def printable(text: str) -> str:
    """The text with spaces for all that is no letter or blank, such as the codes that terminals obey."""
    return text if text.isprintable() else "".join(each if each.isprintable() else " " for each in text)
