"""A quiz for a person: a game, a hand, which bet? And what the answer costs, exactly.

The cost of a bet is what the hand earns in equilibrium minus what the bet earns with it against the equilibrium's
calls, in dollars a hand; never below 0. Player 2's equilibrium answers every bet, also those that player 1's never
makes; there it is one of several, and `off_path` has the one that is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count, repeat

import numpy as np

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import BetSizeGames, Stakes, sample_games
from nashgap.explanations.bet_size_lp import CHOICES, BetSizeSolver
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.known_rules import EIGHT_RULES
from nashgap.explanations.off_path import sensible_calls
from nashgap.explanations.rule_words import rule_sentence

__all__ = [
    "Answer",
    "Question",
    "QuizGame",
    "Score",
    "ask",
    "filed_games",
    "parse_bet",
    "random_games",
    "the_same_game",
]

SHOWN_CHOICE = "weakest-bluff"  # of the equilibria; most games have several
ZERO = 1e-9  # less is 0: a chance
FREE = 1e-8  # dollars a hand; less is no cost but rounding, which counts over all hands


@dataclass(frozen=True, eq=False)
class QuizGame:
    """One solved game. bets: player 1's equilibria by choice, `[C, B]`; calls: player 2's, `[C, B]`."""

    games: BetSizeGames
    bets: Mapping[str, np.ndarray]
    calls: np.ndarray

    @property
    def stakes(self) -> Stakes:
        return self.games.stakes


@dataclass(frozen=True, eq=False)
class Question:
    """Which bet with this card? card: 0 is the worst."""

    game: QuizGame
    card: int

    @property
    def beaten(self) -> float:
        """The share of the opponent's hands that the card beats."""
        return float(self.game.games.beaten[0, self.card])

    @cached_property
    def values(self) -> np.ndarray:
        """`[B]` dollars that each bet earns with the card against the equilibrium's calls."""
        games = self.game.games
        return np.asarray(games.bet_values(self.game.calls[None])[0, self.card] / games.pdf[0, 0, self.card])

    @property
    def value(self) -> float:
        """Dollars that the card earns in equilibrium: as much as its best bet."""
        return float(self.values.max())

    @property
    def equilibrium(self) -> dict[int, float]:
        """The chance of each bet that an equilibrium makes with the card."""
        chances = self.game.bets[SHOWN_CHOICE][self.card]
        return {int(bet): float(chances[bet]) for bet in np.flatnonzero(chances > ZERO)}

    @cached_property
    def rule(self) -> str:
        """The first of our rules that decides the hand, as a sentence."""
        rule = EIGHT_RULES.rule_for(self.game.games, 0, self.card)
        return "No rule applies: check." if rule is None else rule_sentence(rule, self.game.stakes)

    @cached_property
    def rule_cost(self) -> float:
        """Dollars a hand that playing this hand by all the rules costs: what they bet, weighted by how often."""
        chances = EIGHT_RULES.bets(self.game.games)[0, self.card]
        return self.without_rounding(float(chances @ (self.value - self.values)))

    def without_rounding(self, cost: float) -> float:
        """The cost, or 0 where it is too small to be one: what is left by a tolerance grows with rare cards."""
        return cost if cost * float(self.game.games.pdf[0, 0, self.card]) > FREE else 0.0

    def answer(self, bet: int) -> Answer:
        return Answer(self, bet)


@dataclass(frozen=True, eq=False)
class Answer:
    """A bet, by its index in `Stakes.amounts`, and what it is worth."""

    question: Question
    bet: int

    @property
    def amount(self) -> float:
        return float(self.question.game.stakes.amounts[self.bet])

    @property
    def value(self) -> float:
        return float(self.question.values[self.bet])

    @property
    def cost(self) -> float:
        """Dollars a hand that it earns less than the best bet."""
        return self.question.without_rounding(self.question.value - self.value)

    @property
    def is_in_equilibrium(self) -> bool:
        """Whether one of the equilibria that are known makes the bet with this card."""
        return any(bets[self.question.card, self.bet] > ZERO for bets in self.question.game.bets.values())

    @property
    def is_off_path(self) -> bool:
        """Whether none of them makes the bet with any card."""
        return all(bets[:, self.bet].max() <= ZERO for bets in self.question.game.bets.values())

    @property
    def callers(self) -> dict[int, float]:
        """The chance of calling for each card of the opponent that calls at times."""
        if self.bet == 0:
            return {}
        possible = self.question.game.games.joint[0, self.question.card] > 0
        chances = np.where(possible, self.question.game.calls[:, self.bet], 0.0)
        return {int(card): float(chances[card]) for card in np.flatnonzero(chances > ZERO)}

    @property
    def called(self) -> float:
        """How often the bet is called, given the card that makes it."""
        joint = self.question.game.games.joint[0, self.question.card]
        return float(sum(joint[card] * chance for card, chance in self.callers.items()) / joint.sum())


@dataclass(frozen=True)
class Score:
    """What a person's answers come to. streak: answers in a row, the last included, that an equilibrium gives."""

    num_answers: int = 0
    total_cost: float = 0.0
    num_in_equilibrium: int = 0
    streak: int = 0
    longest_streak: int = 0

    def after(self, answer: Answer) -> Score:
        is_right = answer.is_in_equilibrium
        streak = self.streak + 1 if is_right else 0
        return Score(
            self.num_answers + 1,
            self.total_cost + answer.cost,
            self.num_in_equilibrium + is_right,
            streak,
            max(self.longest_streak, streak),
        )

    @property
    def mean_cost(self) -> float:
        """Dollars a hand."""
        return self.total_cost / max(1, self.num_answers)

    @property
    def share_in_equilibrium(self) -> float:
        return self.num_in_equilibrium / max(1, self.num_answers)


def random_games(stakes: Stakes, seed: int) -> Iterator[QuizGame]:
    """Random games without end, each solved when it is asked for."""
    solver = BetSizeSolver(stakes)
    for number in count():
        yield _solved(solver, sample_games(stakes, seed, number, 1))


def filed_games(solved: SolvedGames, seed: int) -> Iterator[QuizGame]:
    """All games of a file, in an order that depends on the seed."""
    for number in np.random.default_rng(seed).permutation(len(solved)):
        one = solved[int(number) : int(number) + 1]
        yield _quiz_game(one.games, {choice: one.bets(choice)[0] for choice in CHOICES}, one.calls[0])


def the_same_game(games: BetSizeGames) -> Iterator[QuizGame]:
    """One game, again and again, for all its hands."""
    return repeat(_solved(BetSizeSolver(games.stakes), games))


def _solved(solver: BetSizeSolver, games: BetSizeGames) -> QuizGame:
    equilibrium = solver.solve(games.joint[0])
    return _quiz_game(games, equilibrium.bets, equilibrium.calls)


def _quiz_game(games: BetSizeGames, bets: Mapping[str, np.ndarray], calls: np.ndarray) -> QuizGame:
    return QuizGame(games, bets, sensible_calls(games, bets, calls))


def ask(game: QuizGame, seed: int, number: int) -> Question:
    """A question about the game: its hand is dealt as in the game, and depends on the seed and the number only."""
    generator = np.random.default_rng([seed, number])
    chances = game.games.pdf[0, 0]
    return Question(game, int(generator.choice(len(chances), p=chances / chances.sum())))


def parse_bet(text: str, stakes: Stakes) -> int:
    """The bet that `check`, `0.5`, `$1` or `all-in` means, by its index in `Stakes.amounts`."""
    word = text.strip().lower().removeprefix("bet").strip().removeprefix("$").replace(",", ".")
    if word in ("check", "c", "k", "x"):
        return 0
    if word in ("all-in", "allin", "all in", "a"):
        return stakes.num_bets - 1
    allowed = f"check, a multiple of {stakes.step:g} up to {stakes.stack:g}, or all-in"
    try:
        amount = float(word)
    except ValueError:
        raise ConfigError(f"{text.strip()!r} is not a bet; allowed: {allowed}") from None
    steps = amount / stakes.step
    if not (math.isfinite(steps) and -0.5 < steps < stakes.num_bets - 0.5 and abs(steps - round(steps)) < 1e-6):
        raise ConfigError(f"a bet of {word} is not possible; allowed: {allowed}")
    return round(steps)
