"""What is printed, fit for a terminal and for whatever it is piped or copied to.

There are no blanks at the ends of lines; and no codes that a terminal would obey, which names, facts of files and the
words of programs may have in them.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

from nashgap.core.one_line import printable

__all__ = ["Trimming"]


class Trimming(RenderHook):
    """Has a console print everything so."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Trimmed(each) for each in renderables]


@dataclass(frozen=True)
class _Trimmed:
    whole: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in Segment.split_lines(console.render(self.whole, options)):
            yield from _trimmed(
                [each if each.is_control else each._replace(text=printable(each.text)) for each in line]
            )
            yield Segment.line()


def _trimmed(line: list[Segment]) -> list[Segment]:
    """Blanks that are seen by their ground stay."""
    kept = list(line)
    while kept and not (kept[-1].style and kept[-1].style.bgcolor):
        last = kept.pop()
        if text := last.text.rstrip():
            return [*kept, Segment(text, last.style)]
    return kept
