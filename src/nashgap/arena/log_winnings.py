"""What players won in stored hands, with the luck taken off as far as the cards are known and a strategy is given.

Values are learned from hands that a given strategy plays against itself. Where cards of players whose strategy is not
known were not shown, only the luck of the given players' own hands and actions is taken off: then it is so in all hands
of the file, for what is shown depends on how a hand went.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nashgap import _native
from nashgap.agents.agent import Agent
from nashgap.arena.luck import LearnedValues, Luck, terms_of
from nashgap.core.estimate import Estimate, half_width_95
from nashgap.core.result import Result
from nashgap.errors import ConfigError, FileFormatError
from nashgap.measures.aivat import DECISIONS_ALONE, LuckTerms, PlayedHands
from nashgap.poker.notation import HandRecord
from nashgap.poker.rules import PokerRules

__all__ = ["LogWinnings", "correct_log", "luck_of", "played_hands"]

_MOST_PLAYERS = 127


@dataclass(frozen=True, eq=False, repr=False)
class LogWinnings(Result):
    """P players of a stored log. Rates are in `unit` per hand that the player sat in.

    known:           the strategy of each player that was given, by name.
    terms:           whose luck was taken off, in words: `of the cards`, ...
    hands:           `[P]` that each player sat in.
    winrates, ci95, stdev: `[P]` as played: mean, half-width of its 95% interval, standard deviation of a hand.
    corrected_winrates, corrected_ci95, corrected_stdev: `[P]` the same without luck.
    """

    reporter: ClassVar[str] = "nashgap.reports.acpc:winnings_report"

    file: str
    game: str
    unit: str
    variance: str
    terms: str
    seed: int
    players: tuple[str, ...]
    known: Mapping[str, str]
    hands: np.ndarray
    winrates: np.ndarray
    ci95: np.ndarray
    stdev: np.ndarray
    corrected_winrates: np.ndarray
    corrected_ci95: np.ndarray
    corrected_stdev: np.ndarray

    @property
    def summary(self) -> str:
        best = int(self.corrected_winrates.argmax())
        won = f"{self.players[best]} wins {self.corrected_estimate(best)}"
        return f"{self.file}: {won} ({self.variance}; {self.estimate(best)} as played)."

    def estimate(self, player: int) -> Estimate:
        """As played."""
        return self._estimate(self.winrates[player], self.ci95[player], self.hands[player], "log")

    def corrected_estimate(self, player: int) -> Estimate:
        """Without luck."""
        rate, ci95 = self.corrected_winrates[player], self.corrected_ci95[player]
        return self._estimate(rate, ci95, self.hands[player], self.variance)

    def _estimate(self, mean: float, ci95: float, hands: int, method: str) -> Estimate:
        return Estimate(float(mean), float(ci95), int(hands), self.unit, method, self.seed)

    def as_dict(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "game": self.game,
            "unit": self.unit,
            "variance": self.variance,
            "terms": self.terms,
            "seed": self.seed,
            "known": dict(self.known),
            "players": [
                {
                    "player": player,
                    "hands": int(self.hands[place]),
                    "winrate": float(self.winrates[place]),
                    "ci95": float(self.ci95[place]),
                    "stdev": float(self.stdev[place]),
                    "corrected_winrate": float(self.corrected_winrates[place]),
                    "corrected_ci95": float(self.corrected_ci95[place]),
                    "corrected_stdev": float(self.corrected_stdev[place]),
                }
                for place, player in enumerate(self.players)
            ],
        }


def correct_log(
    records: Iterable[HandRecord],
    rules: PokerRules,
    known: Mapping[str, Agent],
    *,
    variance: str = "aivat",
    seed: int = 0,
    file: str = "",
) -> LogWinnings:
    """The winnings of all players of these hands, as they are stored and without luck.

    known:    who plays for each player whose strategy is given.
    variance: `aivat`, or `chance`, which needs no strategy and all cards.
    file:     where the hands come from, for messages.
    """
    asked = terms_of(variance)
    if asked is None:
        raise ConfigError("variance 'none'; of a stored log it must be aivat or chance")
    hands = list(records)
    players = list(dict.fromkeys(player for hand in hands for player in hand.players))
    if unknown := [player for player in known if player not in players]:
        raise ConfigError(f"no player {unknown[0]!r} in {file or 'the log'}; it has {', '.join(players[:10])}")
    if len(players) > _MOST_PLAYERS:
        raise FileFormatError(f"{file}: {len(players)} players; at most {_MOST_PLAYERS} can be told apart")
    if len(hands) < 2:
        raise FileFormatError(f"{file}: {len(hands)} hands; an interval needs at least 2")
    terms, words = _terms(asked, hands, known, file)
    luck = luck_of(rules, [known.get(player) for player in players], terms, seed)
    played = played_hands(hands, rules, players)
    chips = luck.correct(played)
    plain = _rates(played.payoffs, played.agents, len(players), rules.unit_chips)
    corrected = _rates(chips, played.agents, len(players), rules.unit_chips)
    names = {player: agent.name for player, agent in known.items()}
    counts = np.bincount(played.agents.ravel(), minlength=len(players))
    return LogWinnings(
        file, rules.name, rules.unit, variance, words, seed, tuple(players), names, counts, *plain, *corrected
    )  # fmt: skip


def luck_of(rules: PokerRules, agents: Sequence[Agent | None], terms: LuckTerms, seed: int = 0) -> Luck:
    """The luck of hands of which some players are given, None for the others; values are learned when first needed."""
    return Luck(rules, agents, terms, seed, LearnedValues(rules, [agents], seed, knows_agents=False))


def _terms(
    asked: LuckTerms, hands: Sequence[HandRecord], known: Mapping[str, Agent], file: str
) -> tuple[LuckTerms, str]:
    """What can be taken off in all hands, and in words."""
    hidden = {
        player for hand in hands for player, cards in zip(hand.players, hand.hole_cards, strict=True) if cards is None
    }
    if not asked.decisions:
        if hidden:
            raise ConfigError(f"{file}: cards of {min(hidden)} are not known in all hands; variance chance needs them")
        return asked, "of the cards"
    is_heads_up = hands[0].state.rules.num_seats == 2
    if not hidden or (is_heads_up and hidden <= set(known)):
        return asked, "of the cards, and of the hands and actions of given players"
    if unseen := sorted(hidden & set(known)):
        raise ConfigError(
            f"{file}: cards of {unseen[0]} are not known in all hands; with those of others hidden too, the given"
            " players' own are needed"
        )
    return DECISIONS_ALONE, f"of the hands and actions of given players alone: cards of {min(hidden)} were not shown"


def played_hands(hands: Sequence[HandRecord], rules: PokerRules, players: Sequence[str], first: int = 0) -> PlayedHands:
    """The hands as they are corrected. first: how many hands of the same log come before them."""
    number = {player: place for place, player in enumerate(players)}
    size, num_hole = rules.num_hole_cards, rules.num_seats * rules.num_hole_cards
    cards = np.full((len(hands), num_hole + rules.total_board_cards), _native.HIDDEN_CARD, dtype=np.uint8)
    for row, hand in zip(cards, hands, strict=True):
        for seat, held in enumerate(hand.hole_cards):
            if held is not None:
                row[seat * size : (seat + 1) * size] = held
        row[num_hole : num_hole + len(hand.state.board)] = hand.state.board
    agents = np.array([[number[player] for player in hand.players] for hand in hands], dtype=np.int8)
    names = np.array([(hand.hand_number, place) for place, hand in enumerate(hands, first)], dtype=np.int64)
    payoffs = np.array([hand.payoffs for hand in hands], dtype=np.float64)
    return PlayedHands(cards, [hand.state.betting for hand in hands], agents, payoffs, names)


def _rates(
    chips: np.ndarray, agents: np.ndarray, num_players: int, unit_chips: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, half-width and deviation of each player, in the game's unit."""
    means, widths, deviations = (np.zeros(num_players) for _ in range(3))
    for player in range(num_players):
        won = chips[agents == player] / unit_chips
        means[player] = won.mean()
        variance = float(won.var(ddof=1)) if len(won) > 1 else 0.0
        deviations[player] = variance**0.5
        widths[player] = half_width_95(variance, len(won)) if len(won) > 1 else np.inf
    return means, widths, deviations
