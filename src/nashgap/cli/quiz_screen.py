"""The quiz in a terminal of 80 columns: two distributions as bars, the hand, and what the answer was worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from nashgap.explanations.bet_size_games import Stakes
    from nashgap.explanations.quiz import Answer, Question, Score
    from nashgap.explanations.quiz_record import Record

__all__ = ["QuizScreen"]

WIDTH = 80
INDENT = 16
BAR_WIDTH = 19
BAR_COLOURS = ("cyan", "yellow")
MOST_ROWS = 20  # of a large deck, neighbouring cards share a row
MOST_CALLERS = 8
EIGHTHS = " ▏▎▍▌▋▊▉█"


class QuizScreen:
    """Tells questions and answers. is_plain: only ASCII, no colours."""

    def __init__(self, stakes: Stakes, *, is_plain: bool, console: Console | None = None) -> None:
        from rich.console import Console

        self._stakes = stakes
        self._is_plain = is_plain
        self._console = console or Console(
            highlight=False, markup=False, emoji=False, color_system=None if is_plain else "auto"
        )

    @property
    def prompt(self) -> str:
        stakes = self._stakes
        return f"  your bet: check, {stakes.step:g} to {stakes.stack:g}, all-in; q to stop > "

    def say(self, line: str | Text = "", style: str = "") -> None:
        self._console.print(line, style=style, soft_wrap=True)

    def begin(self, seed: int) -> None:
        stakes = self._stakes
        bets = f"bets up to {_dollars(stakes.stack)}"
        self.say(f"cards 1 to {stakes.deck}, antes {_dollars(stakes.ante)}, {bets}; seed {seed}")
        self.say("you bet or check, the opponent calls or folds, the better card wins")

    def show(self, number: int, question: Question) -> None:
        """The distributions, best cards on top, with the hand marked."""
        title = f"── question {number} "
        self.say()
        self.say(self._line(title + "─" * (WIDTH - len(title))), style="bold")
        self.say()
        self.say(f"  {'card':>9}  {'you':<{BAR_WIDTH + 7}}  opponent", style="dim")
        pdf = question.game.games.pdf[0]
        most = max(self._row_chance(pdf[player], cards) for player in range(2) for cards in self._rows)
        for cards in reversed(self._rows):
            self._show_row(pdf, cards, most, is_own=question.card in cards)
        self.say()
        self.say(f"  your card is {question.card + 1}: it beats {question.beaten:.0%} of the opponent's hands")

    def tell(self, answer: Answer, score: Score) -> None:
        """What equilibrium does, who calls, the rule, what the bet cost, and the score."""
        question = answer.question
        bets = ", ".join(f"{self._bet(bet)} {_percent(p)}" for bet, p in question.equilibrium.items())
        self.say()
        self._tell("equilibrium", f"{bets}; the hand earns {_signed(question.value)}")
        words, style = self._cost_words(answer)
        self._tell("you", f"{self._bet(answer.bet)} earns {_signed(answer.value)}: {words}", style)
        self._tell("opponent", self._opponent_words(answer))
        self._tell("rule", f"{question.rule} {_rule_words(question)}")
        self._tell("score", f"{_score_words(score)}, streak {score.streak}", "dim")

    def end(self, score: Score, before: Record) -> None:
        """The whole sitting, and the best one before it."""
        from nashgap.explanations.quiz_record import FEWEST_ANSWERS

        if score.num_answers == 0:
            self.say("no question was answered")
            return
        self.say()
        self.say(f"{_score_words(score)}, longest streak {score.longest_streak}", style="bold")
        if before.mean_cost is not None:
            best = f"mean cost {_cost(before.mean_cost)} over {before.num_answers} answers"
            is_better = score.num_answers >= FEWEST_ANSWERS and score.mean_cost < before.mean_cost
            self.say(f"{'a new best; before it was' if is_better else 'your best is'} {best}")
        elif score.num_answers < FEWEST_ANSWERS:
            self.say(f"a score counts as your best from {FEWEST_ANSWERS} answers on")
        else:
            self.say("your first score that counts: it is kept as your best")

    def _tell(self, name: str, text: str, style: str = "") -> None:
        """A line, or several, with a name in front; nothing for no text."""
        from textwrap import wrap

        for place, line in enumerate(wrap(text, WIDTH - INDENT)):
            self.say(f"  {'' if place else name:<{INDENT - 2}}{line}", style=style)

    def _cost_words(self, answer: Answer) -> tuple[str, str]:
        """What the bet cost, and the style to say it in."""
        if answer.cost > 0:
            return f"it costs {_cost(answer.cost)} a hand", "red"
        return "as in equilibrium" if answer.is_in_equilibrium else "it costs nothing against these calls", "green"

    def _opponent_words(self, answer: Answer) -> str:
        if answer.bet == 0:
            return "has nothing to answer: the cards are shown"
        names = [
            f"{card + 1}" if chance > 0.9995 else f"{card + 1} ({_percent(chance)})"
            for card, chance in answer.callers.items()
        ]
        if len(names) > MOST_CALLERS:
            names = [*names[: MOST_CALLERS - 1], f"{len(names) - MOST_CALLERS + 1} more"]
        calls = f"calls with {', '.join(names)}: {answer.called:.0%} of the time" if names else "folds every hand"
        why = " (no hand bets this in equilibrium; it is answered as if any might)"
        return calls + why if answer.is_off_path else calls

    def _bet(self, bet: int) -> str:
        if bet == 0:
            return "check"
        is_all_in = bet == self._stakes.num_bets - 1
        return "all-in" if is_all_in else f"bet {self._stakes.amounts[bet]:.10g}"

    @property
    def _rows(self) -> list[range]:
        """Cards that share a row, worst first."""
        size = -(-self._stakes.deck // MOST_ROWS)
        return [range(card, min(card + size, self._stakes.deck)) for card in range(0, self._stakes.deck, size)]

    @staticmethod
    def _row_chance(chances: Sequence[float], cards: range) -> float:
        return float(sum(chances[card] for card in cards))

    def _show_row(self, pdf: Sequence[Sequence[float]], cards: range, most: float, *, is_own: bool) -> None:
        from rich.text import Text

        name = f"{cards[0] + 1}" if len(cards) == 1 else f"{cards[0] + 1}-{cards[-1] + 1}"
        row = Text(f"  {name:>9}  ", style="bold" if is_own else "")
        for chances, colour in zip(pdf, BAR_COLOURS, strict=True):
            chance = self._row_chance(chances, cards)
            row.append(f"{_percent(chance):>5}  ")
            row.append(f"{self._bar(chance / most):<{BAR_WIDTH}}  ", style=colour)
        row.append(self._line("◄ your hand") if is_own else "")
        row.rstrip()
        self.say(row)

    def _bar(self, share: float) -> str:
        if self._is_plain:
            return "#" * round(share * BAR_WIDTH)
        eighths = round(share * BAR_WIDTH * 8)
        whole, rest = divmod(eighths, 8)
        return "█" * whole + (EIGHTHS[rest] if rest else "")

    def _line(self, text: str) -> str:
        return text.replace("─", "-").replace("◄", "<") if self._is_plain else text


def _rule_words(question: Question) -> str:
    return f"(it costs {_cost(question.rule_cost)} here)" if question.rule_cost else "(it costs nothing here)"


def _score_words(score: Score) -> str:
    answers = f"{score.num_answers} answer{'' if score.num_answers == 1 else 's'}"
    return f"{answers}, mean cost {_cost(score.mean_cost)}, {score.share_in_equilibrium:.0%} as in equilibrium"


def _dollars(amount: float) -> str:
    return f"${amount:.2f}"


def _signed(amount: float) -> str:
    return f"{'+' if amount >= 0 else '-'}${abs(amount):.3f}"


def _cost(amount: float) -> str:
    return f"${amount:.4f}"


def _percent(chance: float) -> str:
    """A whole percentage; what is neither 0 nor 1 is not shown as one of them."""
    if 0 < chance < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= chance < 0.9995 else f"{chance:.0%}"
