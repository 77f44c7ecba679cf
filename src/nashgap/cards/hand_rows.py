"""What is done with each of some hands or kinds of hands, row by row: a bar of shares and the numbers beside it.

The table for games without the 169 classes of hold'em, and for kinds of hands that the 13x13 matrix cannot show. As
HTML it needs nothing from outside and takes the page's colours where they are set, as `nashgap.cards.matrix` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from nashgap.cards.tones import MAX_TONES, action_colours
from nashgap.errors import ConfigError

__all__ = ["HandRow", "HandRows", "draw_rows", "largest_shares", "share_text"]

_ROUNDING = 1e-7  # float32 tables add up to 1 but for this
_MOST_NAMED = 4  # actions that a row names where there are too many for columns


@dataclass(frozen=True)
class HandRow:
    """One hand, or one kind of hands.

    shares: how much of it takes each action, by name; nothing where it cannot be held.
    weight: how much of all that is held it is, 0 to 1; None where that is not told.
    """

    name: str
    shares: Mapping[str, float]
    weight: float | None = None


@dataclass(frozen=True)
class HandRows:
    """Rows one below the other.

    actions:     in the order to draw them.
    head:        what a row is.
    weight_head: what the weights are shares of.
    is_detail:   whether a screen leaves it to the page.
    """

    title: str
    rows: tuple[HandRow, ...]
    actions: tuple[str, ...]
    head: str = "hand"
    weight_head: str = "of its range"
    note: str = ""
    is_detail: bool = False

    def __post_init__(self) -> None:
        for row in self.rows:
            if unknown := [action for action in row.shares if action not in self.actions]:
                known = ", ".join(self.actions)
                raise ConfigError(f"rows {self.title!r}: unknown action {unknown[0]!r}; allowed: {known}")
            if not all(0 <= share <= 1 for share in row.shares.values()) or sum(row.shares.values()) > 1 + 1e-6:
                shown = ", ".join(f"{action} {share:g}" for action, share in row.shares.items())
                raise ConfigError(f"rows {self.title!r}: shares of {row.name}: {shown}; allowed: 0 to 1 in all")

    @property
    def has_columns(self) -> bool:
        """Whether each action has a column and a colour; else a row names its largest shares."""
        return len(self.actions) <= MAX_TONES

    @property
    def has_weights(self) -> bool:
        return any(row.weight is not None for row in self.rows)


def share_text(share: float) -> str:
    """`37.5%`; a dot for none, and what is not quite none or all does not look so."""
    if share < _ROUNDING:
        return "."
    if share > 1 - _ROUNDING:
        return "100%"
    return f"{min(max(100 * share, 0.1), 99.9):.1f}%"


def largest_shares(row: HandRow) -> str:
    """`1-3 62.0%, 2-5 38.0%`: what is done the most, and how much is left out."""
    ordered = sorted(((share, action) for action, share in row.shares.items() if share > 0), key=lambda pair: -pair[0])
    named = [f"{action} {share_text(share)}" for share, action in ordered[:_MOST_NAMED]]
    rest = sum(share for share, _ in ordered[_MOST_NAMED:])
    return ", ".join([*named, f"others {share_text(rest)}"] if rest > 0 else named)


_STYLE = """
.hand-rows { border-collapse: collapse; font: 14px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif;
  font-variant-numeric: tabular-nums; color: var(--text, inherit); }
.hand-rows th, .hand-rows td { padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line, #8884);
  text-align: right; white-space: nowrap; background: none; }
.hand-rows th:first-child, .hand-rows td:first-child { text-align: left; font-weight: 600; }
.hand-rows .named { text-align: left; }
.hand-rows .none { opacity: .4; }
.hand-rows .key { display: inline-block; width: .75em; height: .75em; margin-right: .4em; border-radius: 2px; }
.hand-rows .bar { display: flex; width: 15rem; height: 1.05em; border-radius: 3px; overflow: hidden;
  background: #8883; }
"""


def draw_rows(rows: HandRows) -> str:
    """The rows as one `<table>` with its style, without the title."""
    colours = action_colours(rows.actions) if rows.has_columns else {}
    heads = [f"<th>{escape(rows.head)}</th>"]
    if rows.has_weights:
        heads.append(f"<th>{escape(rows.weight_head)}</th>")
    if rows.has_columns:
        heads.append("<th></th>")
        heads += [
            f'<th><span class="key" style="background: {colours[action]}"></span>{escape(action)}</th>'
            for action in rows.actions
        ]
    else:
        heads.append('<th class="named">most often</th>')
    body = "\n".join(f"<tr>{''.join(_cells(rows, row, colours))}</tr>" for row in rows.rows)
    return (
        f'<style>{_STYLE}</style>\n<table class="hand-rows">\n<thead><tr>{"".join(heads)}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table>"
    )


def _cells(rows: HandRows, row: HandRow, colours: Mapping[str, str]) -> Iterator[str]:
    yield f"<td>{escape(row.name)}</td>"
    if rows.has_weights:
        yield f"<td>{'' if row.weight is None else share_text(row.weight)}</td>"
    if not rows.has_columns:
        yield f'<td class="named">{escape(largest_shares(row))}</td>'
        return
    parts = "".join(
        f'<span style="width: {100 * row.shares[action]:.4g}%; background: {colours[action]}"></span>'
        for action in rows.actions
        if row.shares.get(action, 0.0) > 0
    )
    yield f'<td><div class="bar">{parts}</div></td>'
    for action in rows.actions:
        share = row.shares.get(action, 0.0)
        yield f"<td{'' if share > 0 else ' class=none'}>{share_text(share)}</td>"
