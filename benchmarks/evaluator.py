"""7-card hands: all of them enumerated in native code, and many or one at a time from Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from math import comb

import numpy as np
from comparison import Repeat, Row, rates_in_turn

from nashgap.cards.card import format_card
from nashgap.cards.evaluator import count_categories, hand_rank, hand_ranks

__all__ = ["rows"]

NUM_ALL_HANDS = comb(52, 7)
KNOWN_COUNTS = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584]
# Hands a second of programs in C that are on no registry: measured once on the machine that the aims were set on.
REFERENCES = {"ACPC C (ref.)": (192e6, 1), "PHE C (ref.)": (51e6, None)}

NUM_HANDS = 100_000
AIM = 100

Evaluate = Callable[[], list[int]]  # of all hands, one call each; higher is better


def rows() -> Iterator[Row]:
    yield from _enumerated()
    rng = np.random.default_rng(1)
    hands = rng.random((NUM_HANDS, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    for peer, prepare in PEERS.items():
        many, single = f"{NUM_HANDS:,} hands, one batch", f"{NUM_HANDS:,} hands, a call each"
        if find_spec(peer) is None:
            note = f"{peer} is not installed"
            yield Row(many, peer, None, None, AIM, True, note)
            yield Row(single, peer, None, None, None, True, note)
            continue
        yield from _measure(many, single, peer, prepare(hands), hands)


def _enumerated() -> Iterator[Row]:
    (rate,) = rates_in_turn(lambda count: [count_categories(7) for _ in range(count)])
    is_same = list(count_categories(7).values()) == KNOWN_COUNTS
    ours = f"{rate * NUM_ALL_HANDS / 1e6:.0f} M hands a second"
    for peer, (peer_rate, aim) in REFERENCES.items():
        note = f"{ours}; theirs is a reference figure, not of this run: {peer_rate / 1e6:.0f} M"
        yield Row("all 133,784,560 hands, C++", peer, peer_rate / NUM_ALL_HANDS, rate, aim, True, note, is_same)


def _measure(many: str, single: str, peer: str, evaluate: Evaluate, hands: np.ndarray) -> Iterator[Row]:
    as_lists = hands.tolist()
    works: list[Repeat] = [
        _repeated(lambda: hand_ranks(hands)),
        _repeated(lambda: [hand_rank(hand) for hand in as_lists]),
        _repeated(evaluate),
    ]
    batch_rate, call_rate, peer_rate = rates_in_turn(*works)
    is_same = np.array_equal(_order(hand_ranks(hands).tolist()), _order(evaluate()))
    note = f"{NUM_HANDS - 1:,} pairs of neighbours in the same order; the peer's cards are made beforehand"
    yield Row(many, peer, peer_rate, batch_rate, AIM, True, note, is_same)
    yield Row(single, peer, peer_rate, call_rate, None, True, is_same=is_same)


def _repeated(work: Callable[[], object]) -> Repeat:
    """Each answer is let go before the next: to keep them all would be to measure fresh memory."""

    def repeat(count: int) -> None:
        for _ in range(count):
            work()

    return repeat


def _order(values: list[int]) -> np.ndarray:
    return np.sign(np.diff(values))


def _eval7(hands: np.ndarray) -> Evaluate:
    import eval7

    cards = [eval7.Card(format_card(card)) for card in range(52)]
    prepared = [[cards[card] for card in hand] for hand in hands.tolist()]
    evaluate = eval7.evaluate
    return lambda: [evaluate(hand) for hand in prepared]


def _phevaluator(hands: np.ndarray) -> Evaluate:
    from phevaluator import evaluate_cards

    prepared = hands.tolist()  # its cards have the numbers of ours, and its best rank is the lowest
    return lambda: [-evaluate_cards(*hand) for hand in prepared]


PEERS: dict[str, Callable[[np.ndarray], Evaluate]] = {"eval7": _eval7, "phevaluator": _phevaluator}
