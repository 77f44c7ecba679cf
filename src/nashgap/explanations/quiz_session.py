"""A sitting of the quiz: questions, answers and the score, kept where it can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import load_games
from nashgap.explanations.distributions import games_of, parse_hands
from nashgap.explanations.quiz import (
    Answer,
    Question,
    QuizGame,
    Score,
    ask,
    filed_games,
    parse_bet,
    random_games,
    the_same_game,
)
from nashgap.explanations.quiz_record import Record, keep_score, load_record

__all__ = ["QuizDisplay", "QuizSession", "quiz_source"]

STOP = ("q", "quit", "stop", "exit")


class QuizDisplay(Protocol):
    """Where a quiz is shown."""

    def say(self, line: str = "", style: str = "") -> None: ...

    def show(self, number: int, question: Question) -> None: ...

    def tell(self, answer: Answer, score: Score) -> None: ...


class QuizSession:
    """The questions of one sitting.

    line:     gives what the person types next; None at the end.
    complain: is told what cannot be read.
    display:  None where it only listens.
    """

    def __init__(
        self,
        stakes: Stakes,
        seed: int,
        line: Callable[[], str | None],
        complain: Callable[[str], None],
        display: QuizDisplay | None = None,
    ) -> None:
        self.stakes, self.seed = stakes, seed
        self.score = Score()
        self.answers: list[Answer] = []
        self._line, self._complain, self._display = line, complain, display

    def run(self, games: Iterable[QuizGame]) -> None:
        """Until the games end or the person stops; an unanswered question does not count."""
        try:
            for number, game in enumerate(games, start=1):
                question = self.ask(game)
                if self._display is not None:
                    self._display.show(number, question)
                bet = self._bet()
                if bet is None:
                    break
                answer = self.take(question, bet)
                if self._display is not None:
                    self._display.tell(answer, self.score)
        except KeyboardInterrupt:
            if self._display is not None:
                self._display.say()

    def ask(self, game: QuizGame) -> Question:
        """The next question, about this game."""
        return ask(game, self.seed, len(self.answers) + 1)

    def take(self, question: Question, bet: int) -> Answer:
        """The answer to it, which counts from now on."""
        answer = question.answer(bet)
        self.answers.append(answer)
        self.score = self.score.after(answer)
        return answer

    def keep(self) -> Record:
        """The best score with these stakes, this one included."""
        return keep_score(self.stakes, self.score) if self.score.num_answers else load_record(self.stakes)

    def as_dict(self, best: Record) -> dict[str, Any]:
        """All questions and answers, JSON-able."""
        score = self.score
        return {
            "stakes": asdict(self.stakes),
            "seed": self.seed,
            "unit": "dollars_per_hand",
            "questions": [_answer_row(answer) for answer in self.answers],
            "score": {
                "answers": score.num_answers,
                "mean_cost": score.mean_cost if score.num_answers else None,
                "in_equilibrium": score.share_in_equilibrium if score.num_answers else None,
                "longest_streak": score.longest_streak,
            },
            "best": asdict(best),
        }

    def _bet(self) -> int | None:
        """The bet that is typed; None to stop."""
        while True:
            text = self._line()
            if text is None or text.strip().lower() in STOP:
                return None
            try:
                return parse_bet(text, self.stakes)
            except ConfigError as error:
                self._complain(str(error))


def quiz_source(
    file: Path | None, hands1: str | None, hands2: str | None, told: Mapping[str, Any], seed: int
) -> tuple[Stakes, Iterator[QuizGame]]:
    """The stakes and the games that are asked about: of a file, one game by its hands, or random ones.

    told: stakes that are not the usual ones, by name.
    """
    if (hands1 is None) != (hands2 is None):
        raise ConfigError(f"--hands{1 if hands2 is None else 2} needs --hands{2 if hands2 is None else 1} beside it")
    if file is not None:
        if hands1 is not None or told:
            others = ", ".join(f"--{name}" for name in (["hands1"] if hands1 is not None else []) + list(told))
            raise ConfigError(f"--games has games and stakes of its own; leave out {others}")
        solved = load_games(file)
        return solved.stakes, filed_games(solved, seed)
    if hands1 is None or hands2 is None:
        stakes = Stakes(**told)
        return stakes, random_games(stakes, seed)
    chances1, chances2 = parse_hands("--hands1", hands1), parse_hands("--hands2", hands2)
    stakes = Stakes(**{"deck": len(chances1), **told})
    return stakes, the_same_game(games_of(chances1, chances2, stakes))


def _answer_row(answer: Answer) -> dict[str, Any]:
    question = answer.question
    amounts = question.game.stakes.amounts
    return {
        "hands1": question.game.games.pdf[0, 0].tolist(),
        "hands2": question.game.games.pdf[0, 1].tolist(),
        "card": question.card + 1,
        "beats": question.beaten,
        "bet": answer.amount,
        "equilibrium": [{"bet": float(amounts[bet]), "chance": p} for bet, p in question.equilibrium.items()],
        "value": question.value,
        "bet_value": answer.value,
        "cost": answer.cost,
        "is_in_equilibrium": answer.is_in_equilibrium,
        "is_off_path": answer.is_off_path,
        "called": answer.called,
        "rule": question.rule,
        "rule_cost": question.rule_cost,
    }
