"""Where LBR's winnings come from, if all lines of the betting were followed; see `nashgap.measures.leaks`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from nashgap.cards.card import format_cards
from nashgap.cards.made_hands import board_texture
from nashgap.measures.lbr_lines import LinesPlayed
from nashgap.measures.leak_keys import HAND_CLASS, LINE, SITUATION, TEXTURE, keyed_line, ordered_keys
from nashgap.measures.leaks import MOST_EXAMPLES, MOST_KEYS, OTHER, LeakExample
from nashgap.poker.hands import hands_of
from nashgap.poker.rules import PokerRules

__all__ = ["count_line_leaks"]

Rows = dict[str, dict[str, list[float]]]


def count_line_leaks(
    rules: PokerRules, played: LinesPlayed, boards: Sequence[Sequence[int]], *, first_deal: int = 0
) -> dict[str, Any]:
    """What `count_leaks` tells of hands, of lines: an ending counts as the share of pairs of hands that come there."""
    tallies = played.tallies
    assert tallies is not None, "lines that are counted were told apart"
    known = [keyed_line(rules, betting, seat) for seat, betting in tallies.lines]
    num_deals = len(boards)

    def rows_of(keys: Sequence[str], codes: np.ndarray, mass: np.ndarray, chips: np.ndarray, deal: np.ndarray) -> Any:
        """By key; `codes` says which one an entry has."""
        size = (num_deals, len(keys))
        place = deal * len(keys) + codes
        hands, won = (np.bincount(place, each, np.prod(size)).reshape(size) for each in (mass, chips))
        columns = (hands, won, won * won, hands * hands, hands * won, (hands > 0).astype(int))
        sums = np.stack([column.sum(axis=0) for column in columns], axis=1).tolist()
        return {key: row for key, row in zip(keys, sums, strict=True) if row[-1] > 0}

    counts: Rows = {}
    situation_of: list[str] = []
    for category in known[0][1]:
        texts = [keys[category] for _, keys in known]
        if category in (LINE, SITUATION):
            texts = _common(texts, np.bincount(tallies.line, tallies.mass, len(known)))
        situation_of = texts if category == SITUATION else situation_of
        keys = tuple(dict.fromkeys(texts))
        codes = np.array([keys.index(text) for text in texts])[tallies.line]
        counts[category] = rows_of(keys, codes, tallies.mass, tallies.chips, tallies.deal)
    if rules.is_holdem:
        textures = [[board_texture(board[:seen]) for board in boards] for seen in _seen_by_round(rules)]
        keys = tuple(dict.fromkeys(text for row in textures for text in row))
        table = np.array([[keys.index(text) for text in row] for row in textures])
        rounds = np.array([_seen_by_round(rules).index(seen) for seen, _ in known])[tallies.line]
        counts[TEXTURE] = rows_of(keys, table[rounds, tallies.deal], tallies.mass, tallies.chips, tallies.deal)
    classes = ordered_keys(rules, HAND_CLASS)
    held: Rows = {}
    if tallies.by_deal.any():
        deal, code = (each.ravel() for each in np.indices(tallies.by_deal.shape[:2]))
        mass, chips = (tallies.by_deal[..., column].ravel() for column in range(2))
        counts[HAND_CLASS] = rows_of(classes, code, mass, chips, deal)
        for situation, by_class in zip(situation_of, tallies.by_line, strict=True):
            rows = held.setdefault(situation, {}) if situation != OTHER else {}
            for place in np.flatnonzero(by_class[:, 0]):
                row = rows.setdefault(classes[place], [0.0, 0.0])
                row[:] = (row + by_class[place]).tolist()
    examples = _line_examples(rules, played, boards, first_deal, situation_of, counts[SITUATION])
    return {
        "deals": num_deals,
        "hands": num_deals * rules.num_seats,
        "counts": counts,
        "held": held,
        "examples": examples,
    }


def _seen_by_round(rules: PokerRules) -> list[int]:
    return [rules.board_cards_by(number) for number in range(rules.num_rounds)]


def _common(texts: Sequence[str], mass: np.ndarray) -> list[str]:
    """The texts, of each line, with the rarer ones named OTHER."""
    totals: dict[str, float] = defaultdict(float)
    for text, each in zip(texts, mass, strict=True):
        totals[text] += float(each)
    kept = set(sorted(totals, key=lambda key: (-totals[key], key))[:MOST_KEYS])
    return [text if text in kept else OTHER for text in texts]


def _line_examples(
    rules: PokerRules,
    played: LinesPlayed,
    boards: Sequence[Sequence[int]],
    first_deal: int,
    situation_of: Sequence[str],
    situations: Mapping[str, Sequence[float]],
) -> dict[str, dict[str, Any]]:
    """Of the situations that cost the most, the pair of hands that won the most."""
    assert played.tallies is not None
    dearest = sorted(situations, key=lambda key: (-situations[key][1], key))[:MOST_EXAMPLES]
    hands = hands_of(rules)
    best: dict[str, LeakExample] = {}
    for (seat, betting), situation, (deal, own, other, chips) in zip(
        played.tallies.lines, situation_of, played.tallies.examples, strict=True
    ):
        won = chips / rules.unit_chips
        if situation not in dearest or situation == OTHER or own < 0:
            continue
        if situation in best and best[situation].won >= won:
            continue
        seen = keyed_line(rules, betting, seat)[0]
        best[situation] = LeakExample(
            deal=first_deal + deal + 1,
            seat=seat + 1,
            lbr_cards=format_cards(hands[own]),
            bot_cards=format_cards(hands[other]),
            board=format_cards(boards[deal][:seen]),
            line=betting,
            won=won,
        )
    return {situation: asdict(example) for situation, example in best.items()}
