"""Rules as sentences that a person can remember. "You" are player 1, "they" player 2; bets are in dollars."""

from __future__ import annotations

from fractions import Fraction

from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.rule_features import feature_named
from nashgap.explanations.rules import Bluff, Condition, Mix, Rule, bet_index

__all__ = ["bet_words", "range_words", "rule_sentence"]

# The largest number in "2 for every 3" and "2 times in 3".
SMALL_NUMBER = 10
RATIO_TOLERANCE = 0.002


def rule_sentence(rule: Rule, stakes: Stakes) -> str:
    """Such as "If your hand beats between 20% and 80% of their hands, check."."""
    sentence = _action_words(rule.action, stakes)
    if rule.conditions:
        sentence = f"if {' and '.join(map(_condition_words, rule.conditions))}, {sentence}"
    return f"{sentence[0].upper()}{sentence[1:]}."


def bet_words(stakes: Stakes, index: int) -> str:
    """A bet by its place in `stakes.amounts`: "check", "bet 1.5", "go all-in"."""
    if index == 0:
        return "check"
    return "go all-in" if index == stakes.num_bets - 1 else f"bet {stakes.amounts[index]:.10g}"


def range_words(low: float, high: float, *, is_above: bool = False) -> str:
    """Shares from `low` to `high` in percent; only those above `low`, which may be negative, where that is told."""
    least, most = f"{100 * low:.4g}%", f"{100 * high:.4g}%"
    has_least, has_most = (low >= 0.0 if is_above else low > 0.0), high < 1.0
    if not has_least:
        return ("none" if high <= 0.0 else f"at most {most}") if has_most else "any share"
    if is_above:
        return f"more than {least}{f' and at most {most}' if has_most else ''}"
    if low >= 1.0:
        return "all"
    return f"between {least} and {most}" if has_most else f"at least {least}"


def _condition_words(condition: Condition) -> str:
    return feature_named(condition.feature).words.format(range_words(condition.low, condition.high))


def _action_words(action: Mix | Bluff, stakes: Stakes) -> str:
    words = bet_words(stakes, bet_index(stakes, action.bet))
    match action:
        case Bluff(_, ratio):
            few = _fraction(ratio)
            proportion = f"{few.numerator} for every {few.denominator} hand{'s' if few.denominator > 1 else ''}"
            return f"with your worst hands {words} as a bluff, {proportion} that do so by the rules above"
        case Mix(_, chance, otherwise):
            if chance == 1.0:
                return words
            few = _fraction(chance)
            times = f"{few.numerator} time{'s' if few.numerator > 1 else ''} in {few.denominator}"
            return f"{times} {words}, else {bet_words(stakes, bet_index(stakes, otherwise))}"


def _fraction(value: float) -> Fraction:
    """Of small numbers where that is exact enough, else in hundredths."""
    few = Fraction(value).limit_denominator(SMALL_NUMBER)
    return few if few > 0 and abs(few - value) <= RATIO_TOLERANCE else Fraction(round(100 * value), 100)
