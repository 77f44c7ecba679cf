"""The work behind the pages of rules: what they show, and quizzes whose answers stay here until they were given."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from nashgap.core.recent import Recent
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.quiz import Answer, Question, QuizGame, parse_bet, random_games
from nashgap.explanations.quiz_session import QuizSession
from nashgap.web.api import NotFoundError

__all__ = ["MAX_SITTINGS", "QuizRoom", "page_data"]

FOLDER = Path(__file__).parent / "data"
MAX_SITTINGS = 500  # quizzes that are remembered; the one that nobody has answered for longest is forgotten first
MAX_QUESTIONS = 1000  # of one sitting
LARGEST_SEED = 2**62


@cache
def page_data(name: str) -> Mapping[str, Any]:
    """What a file of this folder has; made beforehand, so that no page waits for a solver."""
    found: Mapping[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


@dataclass(eq=False)
class _Sitting:
    """One visitor's quiz. question: the newest; answer: to it, once it was given."""

    session: QuizSession
    games: Iterator[QuizGame]
    question: Question
    answer: Answer | None = None
    lock: Lock = field(default_factory=Lock)

    @property
    def number(self) -> int:
        """Of the question, from 1 on."""
        return len(self.session.answers) + (self.answer is None)


class QuizRoom:
    """The quizzes of all visitors, one each."""

    def __init__(self, max_sittings: int = MAX_SITTINGS) -> None:
        self._sittings: Recent[str, _Sitting] = Recent(max_sittings)
        self._lock = Lock()

    def begin(self, visitor: str, *, is_again: bool = False) -> dict[str, Any]:
        """The visitor's quiz where it stands, or a new one. Its seed is told to nobody: the answers follow from it."""
        if not is_again and visitor in self._sittings:
            return self.view(visitor)
        stakes, seed = Stakes(), secrets.randbelow(LARGEST_SEED)
        session = QuizSession(stakes, seed, lambda: None, lambda _: None)
        games = random_games(stakes, seed)
        sitting = _Sitting(session, games, session.ask(next(games)))
        with self._lock:
            self._sittings[visitor] = sitting
        return _view(sitting)

    def view(self, visitor: str) -> dict[str, Any]:
        return _view(self._sitting(visitor))

    def answer(self, visitor: str, number: int, bet: str) -> dict[str, Any]:
        """Take what was typed, `check` or an amount, as the answer to the question of that number."""
        sitting = self._sitting(visitor)
        chosen = parse_bet(bet, sitting.session.stakes)
        with sitting.lock:
            if sitting.answer is not None or sitting.number != number:
                raise IllegalActionError(f"question {number} is not open; another window may have answered it")
            sitting.answer = sitting.session.take(sitting.question, chosen)
            return _view(sitting)

    def next_question(self, visitor: str, number: int) -> dict[str, Any]:
        """The question after that one, which was answered."""
        sitting = self._sitting(visitor)
        with sitting.lock:
            if sitting.answer is None or sitting.number != number:
                raise IllegalActionError(f"question {number} is not answered, or not the last; answer it first")
            if number >= MAX_QUESTIONS:
                raise ConfigError(f"a quiz ends after {MAX_QUESTIONS} questions; begin another")
            sitting.question = sitting.session.ask(next(sitting.games))
            sitting.answer = None
            return _view(sitting)

    def _sitting(self, visitor: str) -> _Sitting:
        with self._lock:
            if visitor not in self._sittings:
                raise NotFoundError("no quiz has begun here, or it was forgotten; begin a new one")
            return self._sittings[visitor]


def _view(sitting: _Sitting) -> dict[str, Any]:
    """What the visitor may know: nothing of the equilibrium before the answer was given."""
    question, score, stakes = sitting.question, sitting.session.score, sitting.session.stakes
    return {
        "number": sitting.number,
        "card": question.card + 1,
        "own": question.game.games.pdf[0, 0].tolist(),
        "their": question.game.games.pdf[0, 1].tolist(),
        "beats": question.beaten,
        "ante": stakes.ante,
        "stack": stakes.stack,
        "step": stakes.step,
        "score": {
            "answers": score.num_answers,
            "total_antes": score.total_cost / stakes.ante,
            "mean_antes": score.mean_cost / stakes.ante,
            "in_equilibrium": score.num_in_equilibrium,
            "streak": score.streak,
        },
        "answer": None if sitting.answer is None else _told(sitting.answer, stakes),
    }


def _told(answer: Answer, stakes: Stakes) -> dict[str, Any]:
    question = answer.question
    return {
        "bet": answer.amount,
        "cost_antes": answer.cost / stakes.ante,
        "is_in_equilibrium": answer.is_in_equilibrium,
        "is_off_path": answer.is_off_path,
        "called": answer.called if answer.bet else None,
        "equilibrium": [{"bet": float(stakes.amounts[bet]), "chance": p} for bet, p in question.equilibrium.items()],
        "rule": question.rule,
        "rule_cost_antes": question.rule_cost / stakes.ante,
    }
