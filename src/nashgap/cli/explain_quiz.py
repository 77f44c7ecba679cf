"""`nashgap explain quiz`: which bet? And what the answer cost."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import print_json, say
from nashgap.cli.quiz_screen import QuizScreen

if TYPE_CHECKING:
    from nashgap.explanations.bet_size_games import Stakes
    from nashgap.explanations.quiz import Answer, QuizGame

__all__ = ["quiz"]

STOP = ("q", "quit", "stop", "exit")


def quiz(
    questions: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many; else when you quit.")] = None,
    games: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ask about the games of this file; else about new ones.")
    ] = None,
    hands1: Annotated[
        str | None, typer.Option(metavar="P1,P2,...", help="Ask about one game: how likely each card of yours is,")
    ] = None,
    hands2: Annotated[
        str | None, typer.Option(metavar="P1,P2,...", help="and each of the opponent's, worst first.")
    ] = None,
    deck: Annotated[int | None, typer.Option(metavar="N", help="Number of cards; 10 unless told.")] = None,
    stack: Annotated[float | None, typer.Option(metavar="DOLLARS", help="The largest bet; 3 unless told.")] = None,
    step: Annotated[
        float | None, typer.Option(metavar="DOLLARS", help="Bets are multiples of it; 0.1 unless told.")
    ] = None,
    ante: Annotated[
        float | None, typer.Option(metavar="DOLLARS", help="What each player puts in; 0.5 unless told.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Of the games and the hands; by chance unless told.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", metavar="", help="Only ASCII, and no colours.")] = False,
    json: JsonOption = False,
) -> None:
    """Learn to bet: you see both players' distributions and your hand, and name your bet.

    Both players put in an ante and get a card; you bet or check, the opponent
    calls or folds, the better card wins. You are told what equilibrium bets, who
    calls, which rule applies, and what your bet cost. The best score is kept.

    Type check, an amount such as 0.5, or all-in; q to stop. With --json answers
    come from standard input, one a line, and one document tells them all.

    Examples: [bold]nashgap explain quiz[/bold], [bold]nashgap explain quiz --questions 10 --seed 1[/bold],
    [bold]nashgap explain quiz --hands1 0.5,0,0.5 --hands2 0,1,0[/bold]
    """
    from secrets import randbelow

    from nashgap.core.job import require_seed
    from nashgap.errors import ConfigError

    if questions is not None and questions < 1:
        raise ConfigError(f"--questions {questions}; at least 1 is needed")
    used_seed = randbelow(10**9) if seed is None else seed
    require_seed(used_seed)
    told = {"deck": deck, "stack": stack, "step": step, "ante": ante}
    stakes, source = _source(games, hands1, hands2, {name: x for name, x in told.items() if x is not None}, used_seed)
    screen = None if json else QuizScreen(stakes, is_plain=plain or not _can_show_bars())
    if screen is not None:
        screen.begin(used_seed)
    session = _Session(stakes, used_seed, screen)
    session.run(islice(source, questions))
    _end(session, stakes, used_seed, has_record=hands1 is None)


class _Session:
    """Questions, answers and the score of one sitting. Without a screen it only listens."""

    def __init__(self, stakes: Stakes, seed: int, screen: QuizScreen | None) -> None:
        from nashgap.explanations.quiz import Score

        self._stakes = stakes
        self._seed = seed
        self.screen = screen
        self.score = Score()
        self.answers: list[Answer] = []

    def run(self, games: Iterator[QuizGame]) -> None:
        """Until the games end or the person stops; an unanswered question does not count."""
        from nashgap.explanations.quiz import ask

        try:
            for number, game in enumerate(games, start=1):
                question = ask(game, self._seed, number)
                if self.screen is not None:
                    self.screen.show(number, question)
                bet = self._bet()
                if bet is None:
                    break
                answer = question.answer(bet)
                self.answers.append(answer)
                self.score = self.score.after(answer)
                if self.screen is not None:
                    self.screen.tell(answer, self.score)
        except KeyboardInterrupt:
            if self.screen is not None:
                self.screen.say()

    def _bet(self) -> int | None:
        """The bet that is typed; None to stop."""
        from nashgap.errors import ConfigError
        from nashgap.explanations.quiz import parse_bet

        while True:
            text = self._line()
            if text is None or text.strip().lower() in STOP:
                return None
            try:
                return parse_bet(text, self._stakes)
            except ConfigError as error:
                if self.screen is None:
                    say(f"nashgap: {error}")
                else:
                    self.screen.say(f"  {error}")

    def _line(self) -> str | None:
        prompt = "" if self.screen is None else self.screen.prompt
        try:
            text = input(prompt)
        except EOFError:
            if self.screen is not None:
                self.screen.say()
            return None
        except UnicodeDecodeError:
            text = "(not text)"
        if self.screen is not None and not sys.stdin.isatty():
            print(text)  # as it would stand there had it been typed
        return text


def _source(
    file: Path | None, hands1: str | None, hands2: str | None, told: dict[str, Any], seed: int
) -> tuple[Stakes, Iterator[QuizGame]]:
    """The stakes and the games that are asked about. told: the stakes of the command line."""
    from nashgap.errors import ConfigError
    from nashgap.explanations.bet_size_games import Stakes
    from nashgap.explanations.dataset import load_games
    from nashgap.explanations.distributions import games_of, parse_hands
    from nashgap.explanations.quiz import filed_games, random_games, the_same_game

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


def _end(session: _Session, stakes: Stakes, seed: int, *, has_record: bool) -> None:
    """The score, kept where it can be compared, and told."""
    from dataclasses import asdict

    from nashgap.errors import OutputError
    from nashgap.explanations.quiz_record import keep_score, load_record

    before = record = load_record(stakes)
    if session.score.num_answers and has_record:
        try:
            record = keep_score(stakes, session.score)
        except OutputError as error:
            say(f"nashgap: the score is not kept: {error}")
    if session.screen is not None:
        session.screen.end(session.score, before)
        return
    score = session.score
    print_json(
        {
            "stakes": asdict(stakes),
            "seed": seed,
            "unit": "dollars_per_hand",
            "questions": [_answer_row(answer) for answer in session.answers],
            "score": {
                "answers": score.num_answers,
                "mean_cost": score.mean_cost if score.num_answers else None,
                "in_equilibrium": score.share_in_equilibrium if score.num_answers else None,
                "longest_streak": score.longest_streak,
            },
            "best": asdict(record),
        }
    )


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


def _can_show_bars() -> bool:
    try:
        "█▌─◄".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
