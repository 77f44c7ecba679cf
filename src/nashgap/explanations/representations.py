"""How a solved game becomes rows of numbers to learn from, and predictions become strategies again.

The ten data representations of Ganzfried & Yusuf (2017), section 4. They differ in what is given: both players' hands
as cumulative (`cdf`) or plain (`pdf`) distributions, one row for a game or one for each card of player 1; what is said
of that card, its number (`card`) or the value of a cumulative distribution at it (`card-cdf`); and in what is asked
for: all probabilities of the row's bets, or one bet that is drawn from them (`:bet`), in dollars.

The paper calls pdf with the card's cdf its fourth representation where it names the best one; by its own list it is the
sixth. Whose cdf is meant it does not say; its rules speak of the share of the opponent's hands that are beaten. Of the
readings in `CardCdf` it is `BELOW` that gives a tree like the printed one (`nashgap reproduce human-figure-8`).

A predicted single bet lies between two multiples of the step as a rule. The nearest of them is played (`NEAREST`), or
the two are mixed so that the mean bet stays (`NEIGHBOURS`). The paper does not tell what it did.

Shapes: G games, C cards, B bets, F features, O outputs; N = G rows, or G * C with the cards of a game one after the
other. Nothing here holds only for ten cards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import shake_128

import numpy as np

from nashgap.catalogue import unknown_name
from nashgap.errors import MismatchError
from nashgap.explanations.bet_size_games import BetSizeGames, Stakes

__all__ = [
    "REPRESENTATIONS",
    "CardCdf",
    "CardInput",
    "Representation",
    "SingleBet",
    "named_representation",
    "played_bets",
    "sample_bets",
]


class CardInput(StrEnum):
    """What a row says of player 1's card."""

    ALL = "all"
    """Nothing: the row is for all cards at once."""
    NUMBER = "card"
    """Its number, 1 (worst) to C."""
    CDF = "card-cdf"
    """The value of a cumulative distribution at it."""


class CardCdf(StrEnum):
    """Whose cumulative distribution `card-cdf` is read from."""

    OWN = "own"
    """Player 1's: how likely its card is this one or a worse one."""
    OPPONENT = "opponent"
    """Player 2's: how likely player 2 holds this card or a worse one, whatever player 1 holds."""
    BELOW = "below"
    """Player 2's up to the card: how likely player 2 holds a worse one, whatever player 1 holds."""
    BEATEN = "beaten"
    """How likely player 2 holds a worse card, given player 1's card."""


class SingleBet(StrEnum):
    """How a predicted bet, in dollars, becomes probabilities of bets."""

    NEAREST = "nearest"
    """The nearest multiple of the step, always."""
    NEIGHBOURS = "neighbours"
    """The two multiples around it, mixed so that the mean bet is the predicted one."""


@dataclass(frozen=True)
class Representation:
    """One of the ways to put games into rows.

    number:        in the paper's list, 1 to 10.
    is_cumulative: whether the distributions are given as cdf, else as pdf.
    card:          what a row says of player 1's card.
    is_single_bet: whether one drawn bet is learned, in dollars, in place of the probabilities of all.
    card_cdf:      the reading of `card-cdf`; of no effect without it.
    single_bet:    how a predicted bet is played; of no effect on others.
    """

    number: int
    is_cumulative: bool
    card: CardInput
    is_single_bet: bool = False
    card_cdf: CardCdf = CardCdf.BELOW
    single_bet: SingleBet = SingleBet.NEAREST

    @property
    def name(self) -> str:
        """Such as `pdf+card-cdf:bet`; readings are not part of it."""
        distribution = "cdf" if self.is_cumulative else "pdf"
        card = "" if self.card is CardInput.ALL else f"+{self.card}"
        return f"{distribution}{card}{':bet' if self.is_single_bet else ''}"

    @property
    def is_per_card(self) -> bool:
        return self.card is not CardInput.ALL

    def num_rows(self, games: BetSizeGames) -> int:
        return len(games) * (games.stakes.deck if self.is_per_card else 1)

    def num_outputs(self, stakes: Stakes) -> int:
        if self.is_single_bet:
            return 1
        return stakes.num_bets * (1 if self.is_per_card else stakes.deck)

    def inputs(self, games: BetSizeGames) -> np.ndarray:
        """`[N, F]` float32: player 1's distribution, player 2's, then the card where rows are by card."""
        num_cards = games.stakes.deck
        distributions = games.cdf if self.is_cumulative else games.pdf
        rows = distributions.reshape(len(games), 2 * num_cards).astype(np.float32)
        if not self.is_per_card:
            return rows
        card = self._card_values(games).astype(np.float32).reshape(-1, 1)
        return np.hstack([np.repeat(rows, num_cards, axis=0), card])

    def outputs(self, games: BetSizeGames, bets: np.ndarray, seed: int) -> np.ndarray:
        """`[N, O]` float64 of the strategies `[G, C, B]`; a single bet is drawn by `sample_bets` with the seed."""
        self._check_bets(games, bets)
        if self.is_single_bet:
            return np.reshape(games.stakes.amounts[sample_bets(games, bets, seed)], (-1, 1))
        return np.asarray(bets, dtype=np.float64).reshape(-1, self.num_outputs(games.stakes))

    def bets(self, stakes: Stakes, predictions: np.ndarray) -> np.ndarray:
        """Strategies `[G, C, B]` of predictions `[N, O]`."""
        if not self.is_single_bet:
            return predictions.reshape(-1, stakes.deck, stakes.num_bets)
        return played_bets(stakes, predictions.reshape(-1, stakes.deck), self.single_bet)

    def condition(self, stakes: Stakes, feature: int, threshold: float) -> str:
        """`row[feature] <= threshold` in words."""
        if self.is_card_number(stakes, feature):
            return f"your card is at most {int(threshold)}"
        return self.share_words(stakes, feature, _share(threshold))

    def is_card_number(self, stakes: Stakes, feature: int) -> bool:
        """Whether the feature is a number of a card; all others are shares."""
        return self.card is CardInput.NUMBER and feature == 2 * stakes.deck

    def share_words(self, stakes: Stakes, feature: int, share: str) -> str:
        """What the feature says where it is such a share ("at most 90%"); "you" are player 1."""
        if feature < 2 * stakes.deck:
            player, card = divmod(feature, stakes.deck)
            held = f"{card + 1} or worse" if self.is_cumulative else f"{card + 1}"
            return f"{('you', 'they')[player]} hold {held} {share} of the time"
        match self.card_cdf:
            case CardCdf.OWN:
                return f"you hold your card or worse {share} of the time"
            case CardCdf.OPPONENT:
                return f"they hold your card or worse {share} of the time"
            case CardCdf.BELOW:
                return f"they hold a worse card {share} of the time"
            case CardCdf.BEATEN:
                return f"your hand beats {share} of their hands"

    def _card_values(self, games: BetSizeGames) -> np.ndarray:
        """`[G, C]` what the last feature says of each card."""
        if self.card is CardInput.NUMBER:
            return np.broadcast_to(np.arange(1, games.stakes.deck + 1), (len(games), games.stakes.deck))
        match self.card_cdf:
            case CardCdf.OWN:
                return games.cdf[:, 0]
            case CardCdf.OPPONENT:
                return games.cdf[:, 1]
            case CardCdf.BELOW:
                return np.asarray(games.cdf[:, 1] - games.pdf[:, 1])
            case CardCdf.BEATEN:
                return games.beaten

    def _check_bets(self, games: BetSizeGames, bets: np.ndarray) -> None:
        expected = len(games), games.stakes.deck, games.stakes.num_bets
        if bets.shape != expected:
            raise MismatchError(f"bets of shape {bets.shape} for games of (games, cards, bets) {expected}")


REPRESENTATIONS = {
    each.name: each
    for each in (
        Representation(1, True, CardInput.ALL),
        Representation(2, False, CardInput.ALL),
        Representation(3, True, CardInput.NUMBER),
        Representation(4, False, CardInput.NUMBER),
        Representation(5, True, CardInput.CDF),
        Representation(6, False, CardInput.CDF),
        Representation(7, True, CardInput.NUMBER, is_single_bet=True),
        Representation(8, False, CardInput.NUMBER, is_single_bet=True),
        Representation(9, True, CardInput.CDF, is_single_bet=True),
        Representation(10, False, CardInput.CDF, is_single_bet=True),
    )
}


def _share(threshold: float) -> str:
    """Such as `at most 90%`, with more digits near 0 and 1."""
    if threshold > 0.9999:
        return "less than 100%"
    digits = 0 if 0.01 <= threshold <= 0.99 else 2
    return f"at most {100 * threshold:.{digits}f}%"


def named_representation(
    name: str, card_cdf: CardCdf = CardCdf.BELOW, single_bet: SingleBet = SingleBet.NEAREST
) -> Representation:
    """The representation of that name, read in these ways."""
    if name not in REPRESENTATIONS:
        raise unknown_name("representation", name, REPRESENTATIONS)
    return replace(REPRESENTATIONS[name], card_cdf=card_cdf, single_bet=single_bet)


def sample_bets(games: BetSizeGames, bets: np.ndarray, seed: int) -> np.ndarray:
    """`[G, C]` a bet of each card, as an index of `stakes.amounts`, drawn from the strategies `[G, C, B]`.

    What is drawn depends on the seed and the game's deal only: it stays the same in any batch and order, and the same
    random numbers serve all strategies of a game.
    """
    chance = _uniform_numbers(games, seed)
    cumulative = np.cumsum(bets, axis=2)
    # Scaled by the sum: a strategy that adds up to a little less than 1 must not leave a gap at its end.
    drawn = (cumulative <= chance[:, :, None] * cumulative[:, :, -1:]).sum(axis=2)
    index: np.ndarray = np.minimum(drawn, bets.shape[2] - 1)
    return index


def _uniform_numbers(games: BetSizeGames, seed: int) -> np.ndarray:
    """`[G, C]` in [0, 1), each row by the seed and the bytes of the game's deal."""
    salt, num_cards = seed.to_bytes(8, "little"), games.stakes.deck
    # The last bits of a deal are rounding, which may depend on how many were made at once.
    joint = games.joint.astype("<f4")
    digests = b"".join(shake_128(salt + each.tobytes()).digest(8 * num_cards) for each in joint)
    words = np.frombuffer(digests, dtype="<u8").reshape(len(games), num_cards)
    return (words >> np.uint64(11)) * 2.0**-53


def played_bets(stakes: Stakes, amounts: np.ndarray, single_bet: SingleBet = SingleBet.NEAREST) -> np.ndarray:
    """Probabilities `[..., B]` of the bets that stand for the amounts `[...]`, in dollars."""
    steps = np.clip(amounts / stakes.step, 0, stakes.num_bets - 1)
    lower = np.minimum(np.floor(steps).astype(np.intp), stakes.num_bets - 2)
    share = steps - lower
    if single_bet is SingleBet.NEAREST:
        share = np.where(share >= 0.5, 1.0, 0.0)
    bets = np.zeros((*steps.shape, stakes.num_bets))
    np.put_along_axis(bets, lower[..., None], (1.0 - share)[..., None], axis=-1)
    np.put_along_axis(bets, lower[..., None] + 1, share[..., None], axis=-1)
    return bets
