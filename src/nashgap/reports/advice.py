"""What to change, as sections of a report."""

from __future__ import annotations

from nashgap.cards.hand_rows import HandRow, HandRows
from nashgap.jobs.advice import Advice, LeakAdvice
from nashgap.measures.advice import ACTIONS
from nashgap.reports.report import Cell, Section, Table, Text
from nashgap.strategies.patch import CALL_FROM, FOLD_BELOW, NO_RAISE, NO_RAISE_BELOW, Change, Patch

__all__ = ["advice_sections", "change_words"]

_STRENGTH = (
    "The strength of a hand is its chance to win against one hand that may be any, over the boards to come: 0.6 wins"
    " six times in ten."
)

_NOW = {
    FOLD_BELOW: "fold where they go on now",
    CALL_FROM: "call where they fold now",
    NO_RAISE_BELOW: "check or call where they bet or raise now",
}


def advice_sections(advice: LeakAdvice) -> tuple[Section, ...]:
    """The changes with what they win back, what the bot does in these decisions, and the hands to move."""
    if not advice.items:
        words = "Nothing is advised: LBR does not clearly win, or the bot has no decision in the situations above."
        return (Text("What to change", (words,)),)
    return (_changes(advice), *_hands(advice), *_together(advice), _shares(advice), _defence(advice))


def change_words(patch: Patch) -> str:
    """For a builder: `fold what is weaker than 0.52, and go on with the rest`."""
    kinds = [change.kind for change in patch.changes]
    if kinds == [FOLD_BELOW, CALL_FROM]:
        return f"fold what is weaker than {patch.changes[0].strength:g}, and go on with all else"
    return ", ".join(map(_one_change, patch.changes))


def _one_change(change: Change) -> str:
    if change == NO_RAISE:
        return "never bet or raise here: check or call with these hands"
    strength = f"{change.strength:g}"
    return {
        FOLD_BELOW: f"fold what is weaker than {strength}",
        CALL_FROM: f"call with what is {strength} or stronger and folds now",
        NO_RAISE_BELOW: f"do not bet or raise with what is weaker than {strength}: check or call",
    }[change.kind]


def _changes(advice: LeakAdvice) -> Table:
    rows = tuple((_numbers(item), item.decision.words, *_change_and_gain(item)) for item in advice.items)
    given = [item for item in advice.items if item.is_given]
    note = (
        "The numbers are those of the situations above that end with the decision or with a later one of the street."
        f" {_STRENGTH} Changes were chosen on {advice.trial_deals:,} deals and measured on {advice.deals:,} others,"
        " none of which found the leak: so much less LBR wins from the bot with that change alone, with its 95%"
        " interval. Another opponent may find what LBR does not: measure the changed bot by other bets and methods,"
        " too." + (" A change that does not clearly help is withheld." if len(given) < len(advice.items) else "")
    )
    return Table("What to change", ("", "decision", "change", "moves", "wins back"), rows, note)


def _change_and_gain(item: Advice) -> tuple[Cell, Cell, Cell]:
    if item.patch is None or item.gain is None:
        return f"none: of {item.tried} that were tried none won anything", "", ""
    if not item.is_given:
        return f"withheld: the best of {item.tried} did not clearly win on fresh deals", "", item.gain
    return change_words(item.patch), f"{item.moved:.0%} of its range", item.gain


def _hands(advice: LeakAdvice) -> list[Text]:
    """Before the flop, where a builder may have no table of strengths: the hands by name."""
    lines = tuple(
        f"Decision {_numbers(item)}: {hands} {_NOW[change.kind]}."
        for item in advice.given
        if item.patch is not None and item.hands
        for change, hands in zip(item.patch.changes, item.hands, strict=True)
        if hands
    )
    return [Text("The hands that move", lines)] if lines else []


def _together(advice: LeakAdvice) -> list[Text]:
    if not advice.patched:
        return []
    words = f"The bot with what is advised is typed as {advice.patched}"
    if advice.together is not None:
        words = f"All of it at once wins back {advice.together}: LBR looks for its money elsewhere. {words}"
    return [Text("With these changes", (f"{words}, in every command.",))]


def _shares(advice: LeakAdvice) -> HandRows:
    rows = tuple(
        HandRow(
            f"decision {_numbers(item)}",  # a longer name leaves no room for the bars
            {action: min(max(share, 0.0), 1.0) for action, share in zip(ACTIONS, item.decision.shares, strict=True)},
        )
        for item in advice.items
    )
    note = (
        "Its range is the hands that its own earlier decisions bring there; the shares are means over boards that were"
        " drawn, whatever LBR holds."
    )
    return HandRows("What the bot does there with its range", rows, ACTIONS, head="", note=note)


def _defence(advice: LeakAdvice) -> Table:
    rows = []
    for item in advice.items:
        decision, minimum = item.decision, item.decision.minimum_defence
        needed = "-" if minimum is None else f"{minimum:.1%}"
        board = decision.board or "-"
        hands = (", ".join(decision.folding) or "-", ", ".join(decision.going_on) or "-")
        rows.append((_numbers(item), decision.size or "-", f"{decision.defends:.1%}", needed, board, *hands))
    columns = ("", "LBR bets", "bot defends", "needed", "on", "strongest that fold", "weakest that go on")
    note = (
        "To defend is not to fold. Needed: pot / (pot + bet), by which a bluff that never wins at the showdown makes no"
        " profit. Who defends less is bluffed at a profit; who defends more is no worse for it, as long as the hands"
        " are strong enough to call: that is why changes are played. The hands nearest to the decision stand beside it,"
        " on the board of the example: hands to move."
    )
    return Table("How often it defends, and the hands to move", columns, tuple(rows), note)


def _numbers(item: Advice) -> str:
    return ", ".join(map(str, item.numbers))
