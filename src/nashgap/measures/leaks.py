"""Where LBR's winnings come from: by street, position, bet size, board, hand of the bot, and betting line.

A hand counts where it ended, with all that LBR won in it, so the parts of a category add up to the bound, before any
luck is taken off. What was lost on an earlier street counts there too, and even a perfect bot loses where LBR bets its
good hands, and wins where LBR folds. Where all hands are played at once (`nashgap.measures.lbr_lines`), their shares
are counted like hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from nashgap.cards.card import format_cards
from nashgap.core.estimate import Estimate, half_width_95
from nashgap.core.result import frame
from nashgap.measures.leak_keys import (
    CATEGORIES,
    HAND_CLASS,
    LINE,
    SITUATION,
    KeyedHand,
    keyed_hands,
    ordered_keys,
)
from nashgap.measures.local_best_response import LbrHands
from nashgap.poker.rules import PokerRules

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "FEWEST_HANDS",
    "MOST_EXAMPLES",
    "MOST_KEYS",
    "OTHER",
    "Leak",
    "LeakExample",
    "LeakPart",
    "Leaks",
    "combine_leaks",
    "count_leaks",
]

OTHER = "other"
MOST_KEYS = 100  # of lines and of situations in a batch; the rarer ones are counted together
MOST_EXAMPLES = 20  # in a batch
NUM_SITUATIONS = 10
FEWEST_HANDS = 30  # that an interval is trusted with

_Rows = dict[str, dict[str, list[float]]]


@dataclass(frozen=True)
class LeakExample:
    """One hand of a situation; cards and betting as the competition writes them.

    deal:      from 1, with the seed of the run; `seat` is that of LBR, from 1.
    bot_cards: of several bots one after another.
    board:     that was seen when the last action was taken.
    won:       by LBR against these cards, in the game's unit; an all-in as the mean over the boards to come.
    """

    deal: int
    seat: int
    lbr_cards: str
    bot_cards: str
    board: str
    line: str
    won: float


@dataclass(frozen=True)
class LeakPart:
    """The hands that have one key of a category.

    hands:        so many; a sum of shares where all hands were played at once.
    mean:         that LBR won in such a hand, in the game's unit.
    contribution: what they add to the bound.
    """

    key: str
    hands: float
    share: float
    mean: float
    contribution: Estimate


@dataclass(frozen=True)
class Leak:
    """The hands that ended in one situation: position, street, kind of pot, and the betting of that street.

    mean:         that LBR won in such a hand.
    contribution: what they add to the bound.
    is_clear:     the interval of the mean lies above 0, and stands on enough hands to be trusted.
    costliest:    the kind of hand with which the bot lost the most here; empty where hands have no kinds.
    """

    situation: str
    hands: float
    share: float
    mean: Estimate
    contribution: Estimate
    is_clear: bool
    costliest: str
    example: LeakExample | None

    @property
    def text(self) -> str:
        """For a player to read, with all its numbers."""
        unit = self.mean.unit.removesuffix("_per_hand")
        costliest = f", most of it with {self.costliest}" if self.costliest else ""
        lost = str(replace(self.mean, unit=unit))
        return f"{self.situation}: costs {lost} a hand, {self.share:.1%} of hands{costliest}"

    def __repr__(self) -> str:
        return f"<Leak: {self.text}>"

    def as_dict(self) -> dict[str, Any]:
        return {"text": self.text, **asdict(self)}


@dataclass(frozen=True)
class Leaks:
    """The winnings of LBR, told apart.

    hands:      that were played, over all seatings of the deals.
    parts:      by category; they add up to the bound. Those by hand of the bot are against the hands that were dealt,
                without imaginary ones, and add up to that noisier estimate of the same.
    situations: those that cost the bot the most, dearest first.
    contributions: of every situation that was counted, what it adds to the bound.
    """

    unit: str
    deals: int
    hands: int
    parts: Mapping[str, tuple[LeakPart, ...]]
    situations: tuple[Leak, ...]
    contributions: Mapping[str, Estimate]

    def __repr__(self) -> str:
        dearest = f"; dearest: {self.situations[0].text}" if self.situations else ""
        return f"<Leaks: {self.hands:,} hands of {self.deals:,} deals{dearest}>"

    def to_frame(self) -> pd.DataFrame:
        """A row for each situation that costs the bot the most, dearest first; see `Leak`."""
        columns = (
            "situation", "hands", "share", "mean", "mean_ci95", "contribution", "contribution_ci95", "is_clear",
            "costliest", "unit",
        )  # fmt: skip
        rows = [
            (
                leak.situation, leak.hands, leak.share, leak.mean.mean, leak.mean.ci95, leak.contribution.mean,
                leak.contribution.ci95, leak.is_clear, leak.costliest, self.unit,
            )
            for leak in self.situations
        ]  # fmt: skip
        return frame(columns, rows)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"situations": [leak.as_dict() for leak in self.situations]}


def count_leaks(rules: PokerRules, hands: LbrHands, *, seed: int, first_deal: int = 0) -> dict[str, Any]:
    """JSON-able counts of hands that were played with their lines.

    hands:    that were played in all.
    counts:   by category and key, the sums over deals of `_deal_row`.
    held:     by situation and hand of the bot, `[hands, sum of chips]` against the hands that were dealt.
    examples: by situation, a hand that won LBR the most.
    """
    played = keyed_hands(rules, hands, seed=seed, first_deal=first_deal)
    for category in (LINE, SITUATION):
        played = _without_rare(played, category)
    counts: _Rows = {}
    num_seatings = hands.chips.shape[1]
    for start in range(0, len(played), num_seatings):
        _count_deal(played[start : start + num_seatings], counts)
    held: _Rows = {}
    for hand in played:
        if HAND_CLASS in hand.keys and hand.keys[SITUATION] != OTHER:
            row = held.setdefault(hand.keys[SITUATION], {}).setdefault(hand.keys[HAND_CLASS], [0, 0.0])
            _add(row, (1, hand.dealt_chips))
    examples = _examples(rules, played, counts[SITUATION])
    return {"deals": len(hands.chips), "hands": len(played), "counts": counts, "held": held, "examples": examples}


def combine_leaks(
    rules: PokerRules, batches: Iterable[Mapping[str, Any]], *, seed: int, method: str, is_exact: bool = False
) -> Leaks:
    """What the counts of these batches say, in their order; `is_exact`: nothing in them was drawn."""
    added = _added(batches)
    deals, situations = added["deals"], added["counts"][SITUATION]
    hands = added["hands"]
    unit_chips = rules.unit_chips

    def half_width(squares: float, samples: int) -> float:
        """By the squares of what deals differ from their mean."""
        return 0.0 if is_exact else half_width_95(max(0.0, squares) / (samples - 1), samples)

    def estimate(samples: int, chips: float, squares: float) -> Estimate:
        mean = chips / samples
        ci95 = half_width(squares - samples * mean * mean, samples)
        return Estimate(mean / unit_chips, ci95 / unit_chips, samples, rules.unit, method, seed)

    def contribution(row: Sequence[float]) -> Estimate:
        scale = deals / hands  # a deal counts as the mean of its hands
        return estimate(deals, row[1] * scale, row[2] * scale**2)

    def part(key: str, row: Sequence[float]) -> LeakPart:
        return LeakPart(key, _whole(row[0]), row[0] / hands, row[1] / row[0] / unit_chips, contribution(row))

    def mean_of(row: Sequence[float]) -> Estimate:
        """Of a hand: chips by hands, with the interval of a ratio over the deals that have some."""
        number, chips, squares, number_squares, products, samples = row
        mean = chips / number
        differences = squares - 2 * mean * products + mean * mean * number_squares
        ci95 = half_width(differences, int(samples)) * samples / number
        return Estimate(mean / unit_chips, ci95 / unit_chips, int(samples), rules.unit, method, seed)

    def leak(situation: str) -> Leak:
        row, held = situations[situation], added["held"].get(situation, {})
        mean = mean_of(row)
        return Leak(
            situation=situation,
            hands=_whole(row[0]),
            share=row[0] / hands,
            mean=mean,
            contribution=contribution(row),
            is_clear=(is_exact or row[5] >= FEWEST_HANDS) and mean.lower_bound_975 > 0,
            costliest=max(held, key=lambda kind: held[kind][1], default="").removeprefix("preflop: "),
            example=LeakExample(**added["examples"][situation]) if situation in added["examples"] else None,
        )

    costly = [key for key, row in situations.items() if key != OTHER and (is_exact or row[5] > 1) and row[1] > 0]
    costly.sort(key=lambda key: -situations[key][1])
    return Leaks(
        unit=rules.unit,
        deals=deals,
        hands=hands,
        parts={
            category: tuple(part(key, rows[key]) for key in _sorted_keys(rules, category, rows))
            for category in CATEGORIES
            if (rows := added["counts"].get(category))
        },
        situations=tuple(map(leak, costly[:NUM_SITUATIONS])),
        contributions={key: contribution(row) for key, row in situations.items() if key != OTHER},
    )


def _without_rare(played: Sequence[KeyedHand], category: str) -> list[KeyedHand]:
    """The hands with the rarer keys named OTHER."""
    numbers = Counter(hand.keys[category] for hand in played)
    if len(numbers) <= MOST_KEYS:
        return list(played)
    kept = set(sorted(numbers, key=lambda key: (-numbers[key], key))[:MOST_KEYS])
    return [
        hand if hand.keys[category] in kept else replace(hand, keys=hand.keys | {category: OTHER}) for hand in played
    ]


def _count_deal(hands: Sequence[KeyedHand], counts: _Rows) -> None:
    """Add the hands of one deal, which are one sample."""
    totals: dict[tuple[str, str], list[float]] = {}
    for hand in hands:
        for category, key in hand.keys.items():
            chips = hand.dealt_chips if category == HAND_CLASS else hand.chips
            _add(totals.setdefault((category, key), [0, 0.0]), (1, chips))
    for (category, key), (number, chips) in totals.items():
        row = _deal_row(number, chips)
        _add(counts.setdefault(category, {}).setdefault(key, [0] * len(row)), row)


def _deal_row(hands: float, chips: float) -> tuple[float, ...]:
    """What a deal adds: hands, chips, the squares of chips and of hands, their product, and itself."""
    return hands, chips, chips * chips, hands * hands, hands * chips, 1


def _whole(hands: float) -> float:
    """Counted hands are whole; shares are not."""
    return int(hands) if float(hands).is_integer() else hands


def _examples(
    rules: PokerRules, played: Sequence[KeyedHand], situations: Mapping[str, Sequence[float]]
) -> dict[str, dict[str, Any]]:
    """Of the situations that cost the most, the hand that won the most as it was dealt, then as it was counted."""
    dearest = sorted(situations, key=lambda key: (-situations[key][1], key))[:MOST_EXAMPLES]
    best: dict[str, KeyedHand] = {}
    for hand in played:
        known = best.setdefault(hand.keys[SITUATION], hand)
        if (hand.dealt_chips, hand.chips) > (known.dealt_chips, known.chips):
            best[hand.keys[SITUATION]] = hand
    return {situation: asdict(_example(rules, best[situation])) for situation in dearest if situation != OTHER}


def _example(rules: PokerRules, hand: KeyedHand) -> LeakExample:
    bots = (cards for seat, cards in enumerate(hand.hole_cards) if seat != hand.seat)
    return LeakExample(
        deal=hand.deal + 1,
        seat=hand.seat + 1,
        lbr_cards=format_cards(hand.hole_cards[hand.seat]),
        bot_cards=" ".join(map(format_cards, bots)),
        board=format_cards(hand.board),
        line=hand.line,
        won=hand.dealt_chips / rules.unit_chips,
    )


def _added(batches: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The counts of all batches together; of two examples the one that won more, then the first."""
    deals = hands = 0
    examples: dict[str, Any] = {}
    counts: _Rows = {}
    held: _Rows = {}
    for batch in batches:
        deals += batch["deals"]
        hands += batch["hands"]
        for together, rows in ((counts, batch["counts"]), (held, batch["held"])):
            for group, row_of in rows.items():
                for key, row in row_of.items():
                    _add(together.setdefault(group, {}).setdefault(key, [0] * len(row)), row)
        for situation, example in batch["examples"].items():
            if situation not in examples or example["won"] > examples[situation]["won"]:
                examples[situation] = example
    return {"deals": deals, "hands": hands, "counts": counts, "held": held, "examples": examples}


def _sorted_keys(rules: PokerRules, category: str, rows: Mapping[str, Sequence[float]]) -> list[str]:
    """In their own order, or those first that matter most."""
    if order := ordered_keys(rules, category):
        return [key for key in order if key in rows]
    return sorted(rows, key=lambda key: (key == OTHER, -abs(rows[key][1]), key))


def _add(row: list[float], values: Sequence[float]) -> None:
    for place, value in enumerate(values):
        row[place] += value
