"""The 13x13 matrix of preflop hands: what is done with each class of hands, as a picture and as text.

Pairs on the diagonal, suited hands right of it, offsuit hands left. The picture is one SVG element that needs nothing
from outside. It stands alone or inside a page, light or dark: it takes the page's colours `--paper` and `--text` where
they are set. The colours are those of `nashgap.cards.tones`, and everything a colour says is also written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Literal

import numpy as np

from nashgap.cards.card import RANKS
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES, Range, class_weights
from nashgap.cards.tones import INK, MAX_TONES, action_codes, action_colours
from nashgap.errors import ConfigError

__all__ = [
    "HandMatrix",
    "MatrixCell",
    "MatrixOptions",
    "draw_matrix",
    "matrix_text",
    "percentages",
    "range_matrix",
    "strategy_matrix",
]

_SIZE = len(RANKS)
_LEAST_SHARE = 0.005  # of a class that is written beside larger ones
_NUM_HANDS = np.bincount(CLASS_OF_HAND)  # [169] of each class: 6, 4 or 12


@dataclass(frozen=True)
class MatrixCell:
    """One class of hands.

    shares: how much of the class takes each action, by name; what they leave of 1 is drawn as the rest.
    text:   shown in the picture below the name of the class, instead of the shares.
    weight: how much of the class is held, 0 to 1: how high the picture fills its cell.
    combos: how many hands it counts for in all; None: its 4, 6 or 12.
    """

    shares: Mapping[str, float]
    text: str = ""
    weight: float = 1.0
    combos: float | None = None


@dataclass(frozen=True)
class HandMatrix:
    """What is done with each of the 169 classes of hands.

    cells:     169, in the order of `HAND_CLASSES`.
    actions:   in the order to draw them, at most 8; empty: as the cells first name them.
    rest:      what to call the hands that take none of the actions.
    fill:      `split` divides a cell among the actions by width; `depth` fills it with the strongest action, the deeper
               the larger its share.
    is_detail: whether a screen leaves it to the page.
    """

    title: str
    cells: tuple[MatrixCell, ...]
    actions: tuple[str, ...] = ()
    rest: str = "other"
    fill: Literal["split", "depth"] = "split"
    is_detail: bool = False

    def __post_init__(self) -> None:
        if len(self.cells) != len(HAND_CLASSES):
            raise ConfigError(f"matrix {self.title!r} has {len(self.cells)} cells; allowed: {len(HAND_CLASSES)}")
        named = tuple(dict.fromkeys(action for cell in self.cells for action in cell.shares))
        actions = self.actions or named
        if unknown := [action for action in named if action not in actions]:
            raise ConfigError(f"matrix {self.title!r}: unknown action {unknown[0]!r}; allowed: {', '.join(actions)}")
        names = (*actions, self.rest)
        if len(set(names)) != len(names) or not all(name.strip() for name in names):
            raise ConfigError(f"matrix {self.title!r}: actions {', '.join(map(repr, names))}; allowed: distinct names")
        if len(actions) > MAX_TONES:
            raise ConfigError(f"matrix {self.title!r} has {len(actions)} actions; allowed: at most {MAX_TONES}")
        for name, cell in zip(HAND_CLASSES, self.cells, strict=True):
            shares = list(cell.shares.values())
            if not all(0 <= share <= 1 for share in shares) or sum(shares) > 1 + 1e-6:
                shown = ", ".join(f"{action} {share:g}" for action, share in cell.shares.items())
                raise ConfigError(f"matrix {self.title!r}: shares of {name}: {shown}; allowed: 0 to 1 in all")
            if not 0 <= cell.weight <= 1:
                raise ConfigError(f"matrix {self.title!r}: weight {cell.weight:g} of {name}; allowed: 0 to 1")
        object.__setattr__(self, "actions", actions)

    def overall(self) -> dict[str, float]:
        """Share of all hands, as they are held, that takes each action; the rest, if there is any, last. Adds to 1."""
        counted = zip(self.cells, _NUM_HANDS.tolist(), strict=True)
        combos = np.array([number if cell.combos is None else cell.combos for cell, number in counted])
        combos = combos / (combos.sum() or 1.0)
        shares = {
            action: float(sum(combos * np.array([cell.shares.get(action, 0.0) for cell in self.cells])))
            for action in self.actions
        }
        rest = 1.0 - sum(shares.values())
        return shares | ({self.rest: rest} if rest > 1e-6 else {})


@dataclass(frozen=True)
class MatrixOptions:
    """How to draw. Sizes are in pixels; `colours` (`#rrggbb` by action) come before the matrix's own."""

    cell_width: int = 56
    cell_height: int = 42
    colours: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.cell_width < 30 or self.cell_height < 30:
            raise ConfigError(f"matrix cells of {self.cell_width}x{self.cell_height} pixels; allowed: 30x30 or larger")
        for action, colour in self.colours.items():
            if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
                raise ConfigError(f"colour {colour!r} of {action!r}; allowed: #rrggbb")


def strategy_matrix(
    title: str,
    actions: Sequence[str],
    probabilities: np.ndarray,
    rest: str = "other",
    weights: np.ndarray | None = None,
) -> HandMatrix:
    """The matrix of a strategy at one decision.

    probabilities: `[169, A]` by class, or `[1326, A]` by hand; hands whose row is 0 do not count in their class.
    weights:       `[1326]`, beside probabilities by hand: how often each is held. Hands count so much in their class,
                   and a class is filled by how much of it is held, beside a typical hand of all that is.
    """
    shares = np.asarray(probabilities, dtype=np.float64)
    by_class, by_hand = (len(HAND_CLASSES), len(actions)), (CLASS_OF_HAND.size, len(actions))
    if shares.shape not in (by_class, by_hand):
        raise ConfigError(f"matrix {title!r}: probabilities of shape {shares.shape}; allowed: {by_class} or {by_hand}")
    if weights is not None:
        return HandMatrix(title, _weighted_cells(actions, shares, weights), tuple(actions), rest)
    if shares.shape == by_hand:
        shares = _class_means(shares)
    cells = tuple(MatrixCell(dict(zip(actions, row, strict=True))) for row in shares.tolist())
    return HandMatrix(title, cells, tuple(actions), rest)


def _class_means(probabilities: np.ndarray) -> np.ndarray:
    """`[1326, A] -> [169, A]` over the hands of each class that do anything."""
    num_live = np.bincount(CLASS_OF_HAND, weights=probabilities.any(axis=1))
    totals = [np.bincount(CLASS_OF_HAND, weights=column) for column in probabilities.T]
    return np.stack(totals, axis=1) / np.maximum(num_live, 1.0)[:, None]


def _weighted_cells(actions: Sequence[str], probabilities: np.ndarray, weights: np.ndarray) -> tuple[MatrixCell, ...]:
    if probabilities.shape != (CLASS_OF_HAND.size, len(actions)) or weights.shape != CLASS_OF_HAND.shape:
        raise ConfigError(f"weights of shape {weights.shape}; allowed: {CLASS_OF_HAND.shape}, one for each hand")
    is_live = probabilities.any(axis=1)
    num_live = np.bincount(CLASS_OF_HAND, weights=is_live)
    held = np.bincount(CLASS_OF_HAND, weights=weights * is_live)
    # A class that is never held still shows what would be done with it.
    each = np.where(held[CLASS_OF_HAND] > 0, weights, 1.0) * is_live
    totals = np.stack([np.bincount(CLASS_OF_HAND, weights=each * column) for column in probabilities.T], axis=1)
    shares = totals / np.maximum(np.bincount(CLASS_OF_HAND, weights=each), 1e-300)[:, None]
    typical = (weights**2).sum() / (weights.sum() or 1.0)  # the mean weight of a hand that is held
    filled = (held / np.maximum(num_live, 1.0) / (typical or 1.0)).clip(0.0, 1.0)
    rows = zip(shares.clip(0.0, 1.0).tolist(), filled.tolist(), held.tolist(), num_live.tolist(), strict=True)
    return tuple(
        MatrixCell(dict(zip(actions, row, strict=True)) if live else {}, weight=weight, combos=combos)
        for row, weight, combos, live in rows
    )


def range_matrix(title: str, hands: Range) -> HandMatrix:
    """The matrix of a range: one colour, the deeper the higher the mean weight of the class."""
    cells = tuple(MatrixCell({"in range": weight} if weight > 0 else {}) for weight in class_weights(hands).tolist())
    return HandMatrix(title, cells, ("in range",), "not in range", "depth")


_MARGIN = 14
_GAP = 2  # between cells
_HEAD = 40
_LEGEND_LINE = 26
_FILLED = "The higher a cell is filled, the more of the class is in its range."
_STYLE = """
.hand-matrix { max-width: 100%; height: auto; }
.hand-matrix text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif;
  fill: var(--text, #1c2127); }
.hand-matrix .paper { fill: var(--paper, #ffffff); }
.hand-matrix .rest { fill: #dfe3e8; }
.hand-matrix .ink { fill: INK; text-anchor: middle; }
.hand-matrix .title { font-size: 17px; font-weight: 600; }
.hand-matrix .legend { font-size: 14px; }
.hand-matrix .name { font-size: 14px; font-weight: 600; }
.hand-matrix .label { font-size: 9.5px; }
@media (prefers-color-scheme: dark) {
  .hand-matrix text { fill: var(--text, #e3e7ec); }
  .hand-matrix .paper { fill: var(--paper, #15181c); }
  .hand-matrix .rest { fill: #7b8692; }
}
""".replace("INK", INK)
# Pixels that a character of the two types takes at most, in the widest of the fonts.
_LABEL_CHARACTER = 6.0
_LEGEND_CHARACTER = 7.6


def draw_matrix(matrix: HandMatrix, options: MatrixOptions | None = None) -> str:
    """The matrix as one `<svg>` element, to be put into a page as it is or into a file of its own."""
    options = options or MatrixOptions()
    colours = action_colours(matrix.actions, options.colours)
    width = 2 * _MARGIN + _SIZE * options.cell_width
    legend_top = _HEAD + _SIZE * options.cell_height + 10
    legend, legend_bottom = _legend(matrix, colours, width, legend_top)
    height = legend_bottom + _MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="hand-matrix" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-label="{_safe(matrix.title)}">',
            f"<title>{_safe(matrix.title)}</title>",
            f"<desc>{_safe(_summary(matrix))}</desc>",
            f"<style>{_STYLE}</style>",
            f'<rect class="paper" width="{width}" height="{height}"/>',
            f'<text class="title" x="{_MARGIN}" y="26">{_safe(matrix.title)}</text>',
            *_drawn_cells(matrix, options, colours),
            *legend,
            "</svg>",
        ]
    )


def _drawn_cells(matrix: HandMatrix, options: MatrixOptions, colours: Mapping[str, str]) -> Iterator[str]:
    codes = action_codes(matrix.actions)
    width, height = options.cell_width - _GAP, options.cell_height - _GAP
    label_size = int(width / _LABEL_CHARACTER)
    for number, (name, cell) in enumerate(zip(HAND_CLASSES, matrix.cells, strict=True)):
        x = _MARGIN + number % _SIZE * options.cell_width
        y = _HEAD + number // _SIZE * options.cell_height
        filled = round(height * cell.weight, 2)
        rest = f'<rect class="rest" x="{x}" y="{y}" width="{width}" height="{height}"/>'
        parts = "".join(
            f'<rect fill="{colours[action]}"{opacity} x="{x + start:.2f}" y="{y + height - filled:g}" '
            f'width="{end - start:.2f}" height="{filled:g}"/>'
            for action, start, end, opacity in _parts(matrix, cell, width)
        )
        label = cell.text or _label(cell, codes, label_size)
        if label and not cell.text and len(codes) == 1:
            label += "%"
        yield (
            f'<g class="cell"><title>{_safe(f"{name}: {_spoken(cell, matrix.rest)}")}</title>{rest}{parts}'
            f'<text class="ink name" x="{x + width / 2:g}" y="{y + height / 2 - 1:g}">{name}</text>'
            f'<text class="ink label" x="{x + width / 2:g}" y="{y + height / 2 + 12:g}">{_safe(label)}</text></g>'
        )


def _parts(matrix: HandMatrix, cell: MatrixCell, width: float) -> Iterator[tuple[str, float, float, str]]:
    """(action, left edge, right edge, opacity attribute) of each coloured part of a cell."""
    if matrix.fill == "depth":
        action = max(cell.shares, key=lambda name: cell.shares[name], default="")
        if action and cell.shares[action] > 0:
            yield action, 0.0, width, f' fill-opacity="{cell.shares[action]:.3f}"'
        return
    # Edges, not widths, are rounded: neighbours then meet without a seam.
    done = 0.0
    for action in matrix.actions:
        share = cell.shares.get(action, 0.0)
        if share > 0:
            yield action, round(done * width, 2), round((done + share) * width, 2), ""
        done += share


def _legend(matrix: HandMatrix, colours: Mapping[str, str], width: int, top: int) -> tuple[list[str], int]:
    """The lines of the legend, and where they end."""
    codes = action_codes(matrix.actions)
    lines, x, y = [], float(_MARGIN), top
    for name, percent in percentages(matrix.overall()).items():
        words = " ".join(filter(None, (codes.get(name, ""), name, percent)))
        needed = 40 + _LEGEND_CHARACTER * len(words)
        if x > _MARGIN and x + needed > width:
            x, y = float(_MARGIN), y + _LEGEND_LINE
        paint = f'fill="{colours[name]}"' if name in colours else 'class="rest"'
        lines.append(
            f'<g><rect {paint} x="{x:g}" y="{y}" width="16" height="16"/>'
            f'<text class="legend" x="{x + 23:g}" y="{y + 13}">{_safe(words)}</text></g>'
        )
        x += needed
    if any(0 < cell.weight < 1 for cell in matrix.cells):
        y += _LEGEND_LINE
        lines.append(f'<text class="legend" x="{_MARGIN}" y="{y + 13}">{_FILLED}</text>')
    return lines, y + 16


def _label(cell: MatrixCell, codes: Mapping[str, str], size: int) -> str:
    """`R` where the whole class raises, `R70 C30` where it is split, in the order of the colours.

    At least the largest share, and as many more as fit into `size` characters.
    """
    parts = {
        action: _code_and_percent(code, cell.shares[action])
        for action, code in codes.items()
        if cell.shares.get(action, 0.0) > 0
    }
    largest = sorted(parts, key=lambda action: -cell.shares[action])
    largest = largest[:1] + [action for action in largest[1:] if cell.shares[action] >= _LEAST_SHARE]
    num_shown = 1
    while num_shown < len(largest) and len(" ".join(parts[action] for action in largest[: num_shown + 1])) <= size:
        num_shown += 1
    return " ".join(part for action, part in parts.items() if action in largest[:num_shown])


def _code_and_percent(code: str, share: float) -> str:
    percent = f"{100 * share:.0f}"
    if code and percent == "100":
        return code
    return code + ("<1" if percent == "0" else percent)


def percentages(shares: Mapping[str, float]) -> dict[str, str]:
    """Rounded to 0.1% so that they add to 100.0%: the largest remainders are rounded up."""
    thousandths = {name: int(1000 * share) for name, share in shares.items()}
    by_remainder = sorted(shares, key=lambda name: thousandths[name] - 1000 * shares[name])
    for name in by_remainder[: 1000 - sum(thousandths.values())]:
        thousandths[name] += 1
    return {name: f"{count / 10:.1f}%" for name, count in thousandths.items()}


def _spoken(cell: MatrixCell, rest: str) -> str:
    parts = [f"{action} {100 * share:.3g}%" for action, share in cell.shares.items() if share > 0]
    left = 1.0 - sum(cell.shares.values())
    told = ", ".join([*parts, f"{rest} {100 * left:.3g}%"] if left > 1e-6 else parts)
    return f"{told}; not in its range" if cell.weight == 0 else told


def _summary(matrix: HandMatrix) -> str:
    shares = ", ".join(f"{name} {percent}" for name, percent in percentages(matrix.overall()).items())
    return f"Preflop hands: pairs on the diagonal, suited hands right of it, offsuit hands left. All hands: {shares}."


def _safe(text: str) -> str:
    """Escaped, and without the characters that XML cannot hold."""
    return escape(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text))


def matrix_text(matrix: HandMatrix) -> str:
    """The matrix for a terminal of 80 columns: each class's largest action, with its percentage where it is split."""
    codes = action_codes(matrix.actions)
    names = RANKS[::-1]
    lines = [matrix.title, "", " " * 3 + "".join(f"{name:<5}" for name in names)]
    for row, name in enumerate(names):
        cells = matrix.cells[row * _SIZE : (row + 1) * _SIZE]
        labels = (_label(cell, codes, 0) if cell.weight > 0 else "" for cell in cells)
        lines.append(f"{name:<3}" + "".join(f"{label or '.':<5}" for label in labels))
    lines += ["", "suited hands right of the diagonal, offsuit hands left"]
    shares = percentages(matrix.overall())
    lines += [" ".join(filter(None, (codes.get(name, "."), name, percent))) for name, percent in shares.items()]
    if any(cell.weight == 0 for cell in matrix.cells):
        lines.append(". not in its range")
    return "\n".join(line.rstrip() for line in lines)
