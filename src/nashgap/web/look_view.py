"""One decision of a strategy as JSON, for the page `/look`: the numbers are those of `nashgap show`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nashgap.cards.hand_rows import HandRows
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES
from nashgap.cards.tones import action_colours
from nashgap.poker.spot import POSITIONS
from nashgap.strategies.spot_view import SpotView
from nashgap.strategies.strategy_view import StrategyView
from nashgap.web.range_cells import action_cells, class_means, range_cells

__all__ = ["SeatRanges", "recolour", "told_view"]

NO_VALUES = "What hands are worth is known of solved spots alone; of this strategy only what it does."


@dataclass(frozen=True)
class SeatRanges:
    """What each seat that still holds cards holds, in hold'em.

    numbers: `[P]` of the hands that the board leaves, among the 1326.
    reach:   by seat, `[P]` how often its own decisions bring each here.
    """

    numbers: np.ndarray
    reach: Mapping[int, np.ndarray]


def told_view(view: StrategyView, ranges: SeatRanges | None) -> dict[str, Any]:
    """All that the page shows of a decision."""
    told = view.as_dict()
    told.pop("classes", None)
    colours = action_colours(view.words)
    for action, words in zip(told["actions"], view.words, strict=True):
        action["colour"] = colours[words]
    return told | {
        "title": view.title,
        "situation": view.situation,
        "story": list(view.story),
        "note": view.range_note,
        "has_range": view.has_own_range,
        "raise_sizes": view.raise_sizes,
        "rows": _rows(view.rows),
        "hands": _hands(view),
        "drawn": [{"words": word, "colour": tone} for word, tone in action_colours(view.drawn[0]).items()],
        "grid": action_cells(view),
        "worth": _worth(view),
        "worth_note": "" if isinstance(view, SpotView) else NO_VALUES,
        "ranges": _ranges(view, ranges),
    }


def recolour(told: dict[str, Any], words: Sequence[str]) -> None:
    """Give the actions of a told decision the colours that they have among these: the same beside another's."""
    colours = action_colours(words)
    for action in (*told["actions"], *told["drawn"]):
        action["colour"] = colours.get(action["words"], action["colour"])
    for row in told["rows"]:
        row["shares"] = [[word, colours.get(word, tone), share] for word, tone, share in row["shares"]]


def _rows(rows: HandRows) -> list[dict[str, Any]]:
    colours = action_colours(rows.actions)
    return [
        {
            "name": row.name,
            "weight": row.weight,
            "shares": [[word, colours[word], row.shares.get(word, 0.0)] for word in rows.actions],
        }
        for row in rows.rows
    ]


def _hands(view: StrategyView) -> list[dict[str, Any]]:
    """By hand: class, how often it comes here, what is done with it; of a spot what that is worth, too."""
    if view.numbers is None:
        return []
    columns: dict[str, list[Any]] = {
        "hand": list(view.hands),
        "class": [HAND_CLASSES[number] for number in CLASS_OF_HAND[view.numbers]],
        "reach": view.reach.tolist(),
        "chances": view.probabilities.tolist(),
    }
    if isinstance(view, SpotView):
        columns |= {"value": view.hand_values.tolist(), "equity": view.equity.tolist(), "values": view.values.tolist()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _worth(view: StrategyView) -> dict[str, list[float | None]] | None:
    """By class: chips and equity, means as its hands count in the range; None where neither is known."""
    if not isinstance(view, SpotView) or view.numbers is None:
        return None
    return {"value": class_means(view, view.hand_values), "equity": class_means(view, view.equity)}


def _ranges(view: StrategyView, ranges: SeatRanges | None) -> list[dict[str, Any]]:
    """Of each seat that holds cards, the one to act first."""
    if ranges is None:
        return []
    return [
        {
            "player": seat + 1,
            "words": _player(view, seat),
            "hands": float(reach.sum()),
            "of_all": float(reach.mean()),
            "cells": range_cells(ranges.numbers, reach),
        }
        for seat, reach in sorted(ranges.reach.items(), key=lambda pair: (pair[0] != view.seat, pair[0]))
    ]


def _player(view: StrategyView, seat: int) -> str:
    name = POSITIONS[seat].capitalize() if isinstance(view, SpotView) else f"Player {seat + 1}"
    return f"{name}, to act" if seat == view.seat else name
