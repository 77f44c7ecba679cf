"""Hand matrices and rows of shares as coloured text for a terminal of 80 columns.

A cell of the matrix is divided among the actions letter by letter. The less of a class is held, the greyer it is; what
is not held, or not told, has no colour. Where the terminal has no colours (`NO_COLOR`, a pipe, a file) letters and
percentages say the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nashgap.cards.card import RANKS
from nashgap.cards.hand_rows import HandRow, HandRows, largest_shares, share_text
from nashgap.cards.matrix import HandMatrix, MatrixCell, matrix_text, percentages
from nashgap.cards.ranges import HAND_CLASSES
from nashgap.cards.tones import INK, action_colours
from nashgap.reports.screen import table

__all__ = ["has_colours", "print_matrix", "print_rows"]

_CELLS = ((5, " "), (5, ""), (3, ""))  # width of a cell and what stands between two, for ever narrower screens
_INDENT = " "
_BAR_WIDTHS = range(8, 25)
_PADDING = 3  # of a column
_BAR = "▇"  # leaves a little room between rows
_SIZE = len(RANKS)
_GREY = "#8d949d"  # which tones fade to: legible below the ink, and seen on light and dark screens
_LEAST_WEIGHT = 0.02  # of a class that is drawn at all
_GREYEST = 0.3


def has_colours(console: Console) -> bool:
    return console.color_system is not None and not console.no_color


def print_matrix(console: Console, matrix: HandMatrix) -> None:
    """The matrix with its title and legend."""
    if not has_colours(console):
        console.print(matrix_text(matrix), soft_wrap=True)
        return
    colours = action_colours(matrix.actions)
    width, gap = next((cell for cell in _CELLS if _SIZE * (cell[0] + len(cell[1])) <= console.width), _CELLS[-1])
    console.print(Text(f"{matrix.title}\n", "bold"))
    for row in range(_SIZE):
        places = range(row * _SIZE, (row + 1) * _SIZE)
        cells = (_cell(HAND_CLASSES[place], matrix.cells[place], colours, width) for place in places)
        console.print(Text.assemble(_INDENT, Text(gap).join(cells)), no_wrap=True, overflow="crop")
    console.print(_legend(matrix, colours))


def _cell(name: str, cell: MatrixCell, colours: Mapping[str, str], width: int) -> Text:
    """The class's name on the colours of its actions, the greyer the less of it is held."""
    letters = f"{name:^{width}}"
    grounds = _divided(cell.shares, width) if cell.weight >= _LEAST_WEIGHT else []
    strength = _GREYEST + (1 - _GREYEST) * cell.weight
    text, start = Text(), 0
    for action, places in groupby(grounds):
        end = start + len(list(places))
        text.append(letters[start:end], f"{INK} on {_faded(colours[action], strength)}")
        start = end
    return text.append(letters[start:], "dim")


def _faded(colour: str, strength: float) -> str:
    """The colour mixed with grey."""
    pairs = ((int(text[start : start + 2], 16) for text in (colour, _GREY)) for start in (1, 3, 5))
    return "#" + "".join(f"{round(strength * tone + (1 - strength) * grey):02x}" for tone, grey in pairs)


def _divided(shares: Mapping[str, float], width: int) -> list[str]:
    """Which action each letter shows, so that their numbers are nearest to the shares; none for what these leave."""
    counts = {action: int(share * width) for action, share in shares.items()}
    num_shown = round(sum(shares.values()) * width)
    by_remainder = sorted(shares, key=lambda action: counts[action] - shares[action] * width)
    for action in by_remainder[: num_shown - sum(counts.values())]:
        counts[action] += 1
    return [action for action in shares for _ in range(counts[action])]


def _legend(matrix: HandMatrix, colours: Mapping[str, str]) -> Text:
    parts = [
        Text.assemble(
            ("  ", f"on {colours[name]}" if name in colours else "reverse dim"), f" {name} ", (percent, "bold")
        )
        for name, percent in percentages(matrix.overall()).items()
    ]
    legend = Text.assemble(f"\n{_INDENT}", Text("   ").join(parts))
    if any(_LEAST_WEIGHT <= cell.weight < 1 for cell in matrix.cells):
        legend.append(f"\n{_INDENT}greyer: less of it is in its range; no colour: none", "dim")
    return legend


def print_rows(console: Console, rows: HandRows) -> None:
    """The rows without their title: the numbers, and a bar where there are colours and room."""
    if not rows.has_columns:
        _print_named(console, rows)
        return
    colours = action_colours(rows.actions) if has_colours(console) else {}
    filled = _numbers_table(rows, colours)
    room = console.width - console.measure(filled, options=console.options.update(max_width=10_000)).maximum
    if room < 0:
        _print_named(console, rows)
        return
    if colours and room - _PADDING >= min(_BAR_WIDTHS):
        filled = _numbers_table(rows, colours, min(room - _PADDING, max(_BAR_WIDTHS)))
    console.print(filled)


def _numbers_table(rows: HandRows, colours: Mapping[str, str], bar_width: int = 0) -> Table:
    first_heads = [rows.head, *([rows.weight_head] if rows.has_weights else [])]
    heads = [*first_heads, *rows.actions, *([""] if bar_width else [])]
    filled = table(heads, right=range(1, len(first_heads) + len(rows.actions)), fixed=range(len(heads)))
    for column, action in zip(filled.columns[len(first_heads) :], rows.actions, strict=False):
        if colours:
            column.header = Text.assemble(("  ", f"on {colours[action]}"), f" {action}")
    for row in rows.rows:
        bar = [_bar(row, rows.actions, colours, bar_width)] if bar_width else []
        filled.add_row(Text(row.name), *_numbers(rows, row), *bar)
    return filled


def _numbers(rows: HandRows, row: HandRow) -> list[Text]:
    weight = [Text("" if row.weight is None else share_text(row.weight), "dim")] if rows.has_weights else []
    shares = [row.shares.get(action, 0.0) for action in rows.actions]
    return [*weight, *(Text(share_text(share), "" if share > 0 else "dim") for share in shares)]


def _bar(row: HandRow, actions: Sequence[str], colours: Mapping[str, str], width: int) -> Text:
    places = groupby(_divided({action: row.shares.get(action, 0.0) for action in actions}, width))
    return Text.assemble(*((_BAR * len(list(same)), colours[action]) for action, same in places))


def _print_named(console: Console, rows: HandRows) -> None:
    heads = [rows.head, *([rows.weight_head] if rows.has_weights else []), "most often"]
    filled = table(heads, right=[1] if rows.has_weights else [])
    for row in rows.rows:
        weight = ["" if row.weight is None else share_text(row.weight)] if rows.has_weights else []
        filled.add_row(row.name, *weight, largest_shares(row))
    console.print(filled)
