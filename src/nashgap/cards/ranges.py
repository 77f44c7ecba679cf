"""Ranges of hold'em hands: a weight for each of the 1326 two-card hands, written as players write them.

    AKs, 99+, 76s-54s:0.5

Items are separated by commas, spaces or new lines; capitals do not matter. An item is one of

    AKs  AKo  AK  99    the 4 suited hands, the 12 offsuit ones, all 16; the 6 of a pair
    99+                 this pair and all higher ones: 99 to AA
    KTs+                the lower card goes up until just below the higher: KTs, KJs, KQs; so T9s+ is T9s alone
    99-66               pairs from one to the other
    A5s-A2s             the same higher card, the lower one goes down
    76s-54s             both cards go down together: 76s, 65s, 54s
    AhKh                one hand
    any                 every hand; `all`, `*` and `random` say the same

and may end in a weight from 0 to 1, `:0.5`; without one it is 1. An item sets the weight of its hands whatever earlier
items said of them, so `any:0.2, 99+` plays big pairs always and `AK, AhKh:0` leaves one hand out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nashgap.cards.card import NUM_CARDS, NUM_HANDS, RANKS, SUITS, format_cards, hand_cards, hand_index, parse_card
from nashgap.errors import ConfigError

__all__ = ["CLASS_OF_HAND", "HAND_CLASSES", "Range", "class_weights", "parse_range"]

_NUM_RANKS = len(RANKS)
_TOP = _NUM_RANKS - 1

# The two cards of every hand: hands are numbered in the order in which the lower triangle of a matrix is read.
_CARD_A, _CARD_B = np.tril_indices(NUM_CARDS, -1)


def _classes_in_order() -> tuple[str, ...]:
    names = []
    for row in reversed(RANKS):
        for column in reversed(RANKS):
            high, low = sorted((row, column), key=RANKS.index, reverse=True)
            is_suited = RANKS.index(row) > RANKS.index(column)
            names.append(high + low + ("" if row == column else "s" if is_suited else "o"))
    return tuple(names)


def _classes_of_hands() -> np.ndarray:
    num_suits = len(SUITS)
    high, low = _TOP - _CARD_A // num_suits, _TOP - _CARD_B // num_suits
    is_suited = _CARD_A % num_suits == _CARD_B % num_suits
    classes = np.where(is_suited, high * _NUM_RANKS + low, low * _NUM_RANKS + high)
    classes.flags.writeable = False
    return classes


HAND_CLASSES: tuple[str, ...] = _classes_in_order()
"""Names of the 169 classes, row by row of the 13x13 matrix: suited hands right of the diagonal, offsuit hands left."""

CLASS_OF_HAND: np.ndarray = _classes_of_hands()
"""`[1326]` index into `HAND_CLASSES` of every hand; read-only."""


@dataclass(frozen=True, eq=False, repr=False)
class Range:
    """How often each hand is held. Equal when all weights are.

    weights: `[1326]` from 0 to 1; the hand of cards a > b is number a*(a-1)/2 + b. A read-only copy of what is given.
    """

    weights: np.ndarray

    def __post_init__(self) -> None:
        weights = np.array(self.weights, dtype=np.float64)
        if weights.shape != (NUM_HANDS,):
            raise ConfigError(f"a range has {NUM_HANDS} weights, not an array of shape {weights.shape}")
        if not ((weights >= 0) & (weights <= 1)).all():
            worst = int(np.argmin((weights >= 0) & (weights <= 1)))
            raise ConfigError(f"weight {weights[worst]:g} of {_hand_text(worst)}; allowed: 0 to 1")
        weights += 0.0  # no negative zeros: equal ranges must have equal bytes
        weights.flags.writeable = False
        object.__setattr__(self, "weights", weights)

    @property
    def num_combos(self) -> float:
        """Hands in the range, each counted with its weight."""
        return float(self.weights.sum())

    @property
    def share(self) -> float:
        """Of all 1326 hands."""
        return self.num_combos / NUM_HANDS

    @property
    def text(self) -> str:
        """Compact items, none overlapping, that `parse_range` reads back to exactly these weights."""
        return ", ".join(_items(self.weights))

    def without(self, cards: Iterable[int]) -> Range:
        """The range of a player who cannot hold these cards, such as the board."""
        dead = list(cards)
        if wrong := [card for card in dead if not 0 <= card < NUM_CARDS]:
            raise ConfigError(f"no card {wrong[0]}; cards are 0 to {NUM_CARDS - 1}")
        return Range(np.where(np.isin(_CARD_A, dead) | np.isin(_CARD_B, dead), 0.0, self.weights))

    def __eq__(self, other: object) -> bool:
        return bool(np.array_equal(self.weights, other.weights)) if isinstance(other, Range) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"parse_range({self.text!r})"


def class_weights(hands: Range) -> np.ndarray:
    """`[169]` mean weight of the 4, 6 or 12 hands of each class, those that `without` took out included."""
    return np.bincount(CLASS_OF_HAND, weights=hands.weights) / np.bincount(CLASS_OF_HAND)


class _Ranks(NamedTuple):
    """A pair of ranks, 0 to 12, `high >= low`."""

    high: int
    low: int

    @property
    def gap(self) -> int:
        return self.high - self.low


_SEPARATORS = re.compile(r"[\s,]*")
# Any text that does not begin with a separator matches at least one character, so reading always moves on.
# \u2013 is the dash that word processors make of a hyphen.
_ITEM = re.compile(
    r"(?P<first>[^\s,:\u2013-]*)(?:\s*(?P<dash>[\u2013-])\s*(?P<last>[^\s,:]*))?(?:\s*(?P<colon>:)\s*(?P<weight>[^\s,]*))?"
)
# Without ASCII the long s and the sign of the kelvin would count as letters of a hand.
_ANY_CASE = re.IGNORECASE | re.ASCII
_CLASS = re.compile(f"(?P<ranks>[{RANKS}]{{2}})(?P<kind>[so]?)(?P<plus>[+]?)", _ANY_CASE)
_HAND = re.compile(f"(?:[{RANKS}][{SUITS}]){{2}}", _ANY_CASE)
_WEIGHT = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", _ANY_CASE)
_EVERYTHING = ("any", "all", "random", "*")
_FORMS = "allowed: AKs, AKo, AK, 99, AhKh, any; 99+, KTs+; 99-66, A5s-A2s, 76s-54s; a weight such as :0.5 at the end"


class _Item(NamedTuple):
    """One item of the text with its parts; `last` and `weight` are None where it has none."""

    text: str
    position: int
    first: str
    last: str | None
    weight: str | None

    def error(self, reason: str) -> ConfigError:
        shown = self.text if len(self.text) <= 40 else self.text[:40] + "..."
        return ConfigError(f"range item {shown!r} at character {self.position + 1}: {reason}")


def parse_range(text: str) -> Range:
    """The range that the text describes; the notation is at the top of this module. An empty text is an empty range."""
    weights = np.zeros(NUM_HANDS)
    for item in _split(text):
        weights[_hands(item)] = _weight(item)
    return Range(weights)


def _split(text: str) -> Iterator[_Item]:
    position = 0
    while True:
        gap = _SEPARATORS.match(text, position)
        assert gap is not None
        if gap.end() == len(text):
            return
        match = _ITEM.match(text, gap.end())
        assert match is not None
        yield _Item(
            match[0],
            match.start(),
            match["first"],
            match["last"] if match["dash"] else None,
            match["weight"] if match["colon"] else None,
        )
        position = match.end()


def _weight(item: _Item) -> float:
    if item.weight is None:
        return 1.0
    if not _WEIGHT.fullmatch(item.weight) or not float(item.weight) <= 1:
        raise item.error(f"weight {item.weight[:20]!r}; allowed: a number from 0 to 1")
    return float(item.weight)


def _hands(item: _Item) -> np.ndarray:
    """`[N]` numbers of the item's hands."""
    if item.last is None and item.first.lower() in _EVERYTHING:
        return np.arange(NUM_HANDS)
    if item.last is None and _HAND.fullmatch(item.first):
        first_card, second_card = _card(item.first[:2]), _card(item.first[2:])
        if first_card == second_card:
            raise item.error("a hand has two different cards")
        return np.array([hand_index(first_card, second_card)])
    first, kind, has_plus = _read_class(item, item.first)
    if item.last is None:
        top = first if not has_plus else _Ranks(_TOP, _TOP) if first.gap == 0 else _Ranks(first.high, first.high - 1)
        return _hands_between(top, first, kind)
    last, last_kind, last_has_plus = _read_class(item, item.last)
    if has_plus or last_has_plus:
        raise item.error("a plus and a dash do not go together")
    if kind != last_kind:
        raise item.error("both ends must be suited, both offsuit or both neither")
    is_kicker_run = first.high == last.high and first.gap > 0 and last.gap > 0
    if not is_kicker_run and first.gap != last.gap:
        raise item.error("the ends must share the higher card (A5s-A2s) or the gap between the cards (99-66, 76s-54s)")
    return _hands_between(max(first, last), min(first, last), kind)


def _card(name: str) -> int:
    return parse_card(name[0].upper() + name[1].lower())


def _read_class(item: _Item, name: str) -> tuple[_Ranks, str, bool]:
    """Ranks, kind (`s`, `o` or neither) and whether a plus follows."""
    match = _CLASS.fullmatch(name)
    if match is None:
        raise item.error(_FORMS)
    low, high = sorted(RANKS.index(rank) for rank in match["ranks"].upper())
    kind = match["kind"].lower()
    if high == low and kind:
        raise item.error("a pair is neither suited nor offsuit")
    return _Ranks(high, low), kind, bool(match["plus"])


def _hands_between(top: _Ranks, bottom: _Ranks, kind: str) -> np.ndarray:
    """Hands from top to bottom: the lower card moves where the higher is shared, both together otherwise."""
    steps = range(top.low - bottom.low + 1)
    ranks = [_Ranks(top.high if top.high == bottom.high else top.high - step, top.low - step) for step in steps]
    kinds = (kind,) if kind else ("s", "o")
    classes = [HAND_CLASSES.index(_class_text(pair, each)) for pair in ranks for each in kinds]
    return np.flatnonzero(np.isin(CLASS_OF_HAND, classes))


def _items(weights: np.ndarray) -> Iterator[str]:
    """Weights from the highest down; for each pairs, other classes, then the hands of classes that are not uniform."""
    if weights[0] > 0 and (weights == weights[0]).all():
        yield "any" + _weight_text(weights[0])
        return
    lowest, highest = np.ones(len(HAND_CLASSES)), np.zeros(len(HAND_CLASSES))
    np.minimum.at(lowest, CLASS_OF_HAND, weights)
    np.maximum.at(highest, CLASS_OF_HAND, weights)
    is_uniform = lowest == highest
    for weight in np.unique(weights[weights > 0])[::-1]:
        classes = [HAND_CLASSES[index] for index in np.flatnonzero(is_uniform & (highest == weight))]
        hands = np.flatnonzero((weights == weight) & ~is_uniform[CLASS_OF_HAND])[::-1]
        for name in (*_class_items(classes), *map(_hand_text, hands.tolist())):
            yield name + _weight_text(weight)


def _weight_text(weight: float) -> str:
    return "" if weight == 1 else f":{float(weight)!r}"


def _hand_text(hand: int) -> str:
    return format_cards(hand_cards(hand))


def _class_text(ranks: _Ranks, kind: str) -> str:
    return RANKS[ranks.high] + RANKS[ranks.low] + (kind if ranks.gap else "")


def _class_items(classes: list[str]) -> Iterator[str]:
    """Pairs first; spans that hold for suited and offsuit alike are written once, without a letter."""
    by_kind: dict[str, set[_Ranks]] = {"": set(), "s": set(), "o": set()}
    for name in classes:
        by_kind[name[2:]].add(_Ranks(RANKS.index(name[0]), RANKS.index(name[1])))
    pairs, suited, offsuit = map(_spans, by_kind.values())
    both = suited & offsuit
    for kind, spans in (("", pairs), ("", both), ("s", suited - both), ("o", offsuit - both)):
        yield from (_span_text(top, bottom, kind) for top, bottom in sorted(spans, reverse=True))


def _spans(hands: set[_Ranks]) -> set[tuple[_Ranks, _Ranks]]:
    """(top, bottom) of the runs that cover the hands: first along the lower card, what stays alone then diagonally."""
    spans, alone = set(), set()
    for high in range(_NUM_RANKS):
        for top, bottom in _runs({pair.low for pair in hands if pair.high == high}):
            if top == bottom:
                alone.add(_Ranks(high, top))
            else:
                spans.add((_Ranks(high, top), _Ranks(high, bottom)))
    for gap in range(_NUM_RANKS):
        for top, bottom in _runs({pair.high for pair in alone if pair.gap == gap}):
            spans.add((_Ranks(top, top - gap), _Ranks(bottom, bottom - gap)))
    return spans


def _runs(ranks: set[int]) -> Iterator[tuple[int, int]]:
    """(top, bottom) of each stretch of neighbouring ranks."""
    for top in ranks:
        if top + 1 not in ranks:
            bottom = top
            while bottom - 1 in ranks:
                bottom -= 1
            yield top, bottom


def _span_text(top: _Ranks, bottom: _Ranks, kind: str) -> str:
    if top == bottom:
        return _class_text(top, kind)
    ends_at_ace = top == (_TOP, _TOP)
    ends_below_higher = top.high == bottom.high and top.gap == 1
    if ends_at_ace or ends_below_higher:
        return _class_text(bottom, kind) + "+"
    return f"{_class_text(top, kind)}-{_class_text(bottom, kind)}"
