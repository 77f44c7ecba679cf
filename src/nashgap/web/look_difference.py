"""Where two strategies differ at one decision: the first's numbers less the second's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES
from nashgap.cards.tones import MAX_TONES
from nashgap.strategies.spot_view import SpotView
from nashgap.strategies.strategy_view import StrategyView
from nashgap.web.range_cells import class_means

__all__ = ["all_words", "difference"]

_PASSIVE = ("f", "c", "x")
_KINDS = {"fold": ("f",), "check or call": ("c", "x")}
_ANY_RAISE = "bet or raise, any size"


@dataclass(frozen=True)
class _Measure:
    """One number of every hand that both strategies have.

    unit:     `share` or `chips`.
    by_hand:  `[H]` of a view.
    of_range: in all, hands counted as in the view's range; None where it has none.
    """

    words: str
    unit: str
    by_hand: Callable[[StrategyView], np.ndarray]
    of_range: Callable[[StrategyView], float | None]


def difference(first: StrategyView, second: StrategyView) -> dict[str, Any]:
    """By measure: in all, by class and by hand, the first less the second. None where one has no such hand."""
    measures = _measures(first, second)
    places = [{hand: place for place, hand in enumerate(view.hands)} for view in (first, second)]
    hands = [hand for hand in first.hands if hand in places[1]]
    rows = [[place[hand] for hand in hands] for place in places]
    return {
        "measures": [_told(measure, first, second) for measure in measures],
        "hands": _by_hand(hands, first, second, rows, measures),
    }


def all_words(first: StrategyView, second: StrategyView) -> tuple[str, ...]:
    """Of the actions of both, in the order of their sizes; as they are drawn."""
    order = _all_actions(first, second)
    if len(order) <= MAX_TONES:
        return tuple(dict.fromkeys(order.values()))
    return tuple(dict.fromkeys((*first.drawn[0], *second.drawn[0])))


def _all_actions(first: StrategyView, second: StrategyView) -> dict[str, str]:
    named = {action: words for view in (second, first) for action, words in zip(view.actions, view.words, strict=True)}
    return {action: named[action] for action in sorted(named, key=_by_size)}


def _told(measure: _Measure, first: StrategyView, second: StrategyView) -> dict[str, Any]:
    views = first, second
    both, of_all = [measure.of_range(view) for view in views], [float(measure.by_hand(view).mean()) for view in views]
    told: dict[str, Any] = {
        "words": measure.words,
        "unit": measure.unit,
        "of_range": _less(*both),
        "of_all_hands": of_all[0] - of_all[1],
        "cells": None,
    }
    if first.numbers is not None and second.numbers is not None:
        cells = [class_means(view, measure.by_hand(view)) for view in views]
        told["cells"] = [_less(*pair) for pair in zip(*cells, strict=True)]
    return told


def _by_hand(
    hands: Sequence[str],
    first: StrategyView,
    second: StrategyView,
    rows: list[list[int]],
    measures: Sequence[_Measure],
) -> list[dict[str, Any]]:
    columns = [measure.by_hand(first)[rows[0]] - measure.by_hand(second)[rows[1]] for measure in measures]
    classes = [""] * len(hands)
    if first.numbers is not None:
        classes = [str(HAND_CLASSES[number]) for number in CLASS_OF_HAND[first.numbers[rows[0]]]]
    found = np.column_stack(columns).tolist() if hands else []
    return [{"hand": hand, "class": name, "less": row} for hand, name, row in zip(hands, classes, found, strict=True)]


def _measures(first: StrategyView, second: StrategyView) -> list[_Measure]:
    """Of every action of one of the two, of raises in all, and of what hands are worth where both know it."""
    named = _all_actions(first, second)
    raises = [action for action in named if action not in _PASSIVE]
    if len(named) <= MAX_TONES:
        found = [_of_actions(words, (action,)) for action, words in named.items()]
    else:
        found = [_of_actions(words, actions) for words, actions in _KINDS.items() if {*actions} & named.keys()]
    if len(raises) > 1 and first.pot is not None:
        found.append(_of_actions(_ANY_RAISE, tuple(raises)))
    if isinstance(first, SpotView) and isinstance(second, SpotView):
        found += [
            _Measure("EV", "chips", lambda view: view.hand_values, _worth("value")),  # type: ignore[attr-defined]
            _Measure("equity", "share", lambda view: view.equity, _worth("range_equity")),  # type: ignore[attr-defined]
        ]
    return found


def _worth(name: str) -> Callable[[StrategyView], float | None]:
    """Of the range of a spot's view; what it never plays itself has none."""
    return lambda view: getattr(view, name) if view.is_reached else None


def _of_actions(words: str, actions: Sequence[str]) -> _Measure:
    """How often one of the actions is taken."""

    def by_hand(view: StrategyView) -> np.ndarray:
        places = [view.actions.index(action) for action in actions if action in view.actions]
        return np.asarray(view.probabilities[:, places].sum(axis=1))

    def of_range(view: StrategyView) -> float | None:
        shares = view.range_frequencies
        return None if shares is None else sum(shares.get(action, 0.0) for action in actions)

    return _Measure(words, "share", by_hand, of_range)


def _by_size(action: str) -> tuple[int, float, str]:
    """Fold, check or call, then raises by size, all-in last."""
    if action in _PASSIVE:
        return 0, float(_PASSIVE.index(action)), action
    digits = "".join(letter if letter.isdigit() or letter == "." else " " for letter in action).split()
    return (1, float(digits[0]), action) if digits and _is_number(digits[0]) else (2, 0.0, action)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _less(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second
