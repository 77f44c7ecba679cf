"""Where LBR's winnings come from, as sections of a report."""

from __future__ import annotations

from collections.abc import Sequence

from nashgap.measures.leaks import FEWEST_HANDS, OTHER, Leak, LeakPart, Leaks
from nashgap.reports.report import Bars, Cell, Section, Table, Text

__all__ = ["folds_note", "leak_sections", "unclear_note"]

MOST_LINES = 14
_TITLES = {
    "street": "By the street on which the hand ended",
    "position": "By position of {who}",
    "bet_size": "By size of LBR's last bet or raise",
    "texture": "By the board that was seen",
    "hand_class": "By the hand that the bot held",
    "line": "By betting line",
}
_NOTES = {
    "texture": "Connected: unpaired, three ranks within four. Two-tone: before the river, two of a suit and not three.",
    "hand_class": "Against the hands that were dealt, without imaginary ones: noisier than the other charts.",
    "line": "x check, c call, f fold, b bet, r raise, a all-in; / begins a street.",
}
_SIZES_NOTE = " b50 is a bet of about half the pot, b400 one of three pots or more."


def leak_sections(leaks: Leaks, num_seats: int, advised: tuple[Section, ...] = ()) -> tuple[Section, ...]:
    """The dearest situations, what to change, an example of each, and a chart for each category."""
    has_sizes = "bet_size" in leaks.parts
    notes = _NOTES | ({"line": _NOTES["line"] + _SIZES_NOTE} if has_sizes else {})
    who = "the bot" if num_seats == 2 else "LBR"
    charts = [
        _chart(_TITLES[category].format(who=who), parts, notes.get(category, ""), is_cut=category == "line")
        for category, parts in leaks.parts.items()
        if len(parts) > 1
    ]
    first, *examples = _situations(leaks)
    return (first, *advised, *examples, _how_to_read(leaks), *charts)


def unclear_note(situations: Sequence[Leak]) -> str:
    """Which of the situations, by their place in the list, are no clear leaks; empty if all are."""
    unclear = [place for place, leak in enumerate(situations, 1) if not leak.is_clear]
    is_are = "is" if len(unclear) == 1 else "are"
    return (
        f"{_numbered(unclear)} {is_are} no clear leak: the interval reaches 0, or stands on fewer than {FEWEST_HANDS}"
        " hands."
        if unclear
        else ""
    )


def folds_note(situations: Sequence[Leak]) -> str:
    """Which of the situations end with the bot's fold; empty if none does."""
    folds = [place for place, leak in enumerate(situations, 1) if leak.situation.endswith("bot folds")]
    if not folds:
        return ""
    ends = "ends" if len(folds) == 1 else "end"
    return f"{_numbered(folds)} {ends} with the bot's fold: what any fold costs is no leak; to fold too often is one."


def _numbered(places: Sequence[int]) -> str:
    """`Situation 3`, `Situations 1, 3 and 4`."""
    *others, last = map(str, places)
    return f"Situations {', '.join(others)} and {last}" if others else f"Situation {last}"


def _situations(leaks: Leaks) -> list[Section]:
    title = "The most expensive situations"
    if not leaks.situations:
        return [Text(title, ("There is no situation in which LBR won in sum.",))]
    columns = ("", "situation", "hands", "LBR wins in one", "of the bound")
    rows = tuple(
        (str(place), leak.situation, f"{leak.share:.2%}", leak.mean, leak.contribution)
        for place, leak in enumerate(leaks.situations, 1)
    )
    note = unclear_note(leaks.situations) or "All are clear of 0 with 95% confidence, each taken alone."
    note = " ".join(filter(None, (note, folds_note(leaks.situations))))
    return [Table(title, columns, rows, note), _examples(leaks)]


def _examples(leaks: Leaks) -> Table:
    unit = leaks.unit.removesuffix("_per_hand")
    has_kinds = any(leak.costliest for leak in leaks.situations)
    columns = ("", "deal", "LBR", "bot", "board", f"LBR won ({unit})", "betting", *(("costliest",) * has_kinds))
    rows: list[tuple[Cell, ...]] = []
    for place, leak in enumerate(leaks.situations, 1):
        if hand := leak.example:
            cards = (hand.lbr_cards, hand.bot_cards, hand.board or "-")
            won = f"{hand.won:,.0f}" if abs(hand.won) >= 100 else f"{hand.won:.4g}"
            rows.append((str(place), hand.deal, *cards, won, hand.line, *((leak.costliest,) * has_kinds)))
    note = (
        "Of each situation a hand that won LBR the most. The betting as it was: r300 is a raise to 300 chips over the"
        " whole hand, c a check or call. An all-in counts as the mean over the boards to come."
    ) + (" Costliest: the kind of hand with which the bot lost the most there." if has_kinds else "")
    return Table("An example of each", columns, tuple(rows), note, is_detail=True)


def _how_to_read(leaks: Leaks) -> Text:
    return Text(
        "How to read this",
        (
            "Every hand counts where it ended, with all that LBR won in it, so the bars of a chart add up to the bound"
            f" before luck is taken off, in {leaks.unit}; the share of hands is in brackets. A mistake on an earlier"
            " street shows in the situation that it led to.",
            "A bar above 0 is not all the bot's fault: LBR wins also against a perfect bot where it bets its good"
            " hands, and loses where it folds the bad ones. Look for what is large beside the bound.",
            "Intervals are 95%, for each number alone; the largest of many are large by luck in part.",
        ),
        is_detail=True,
    )


def _chart(title: str, parts: Sequence[LeakPart], note: str, *, is_cut: bool) -> Bars:
    shown = parts
    if is_cut and len(parts) > MOST_LINES:
        named = [part for part in parts if part.key != OTHER]
        shown = named[:MOST_LINES]
        rest = [part for part in parts if part not in shown]
        total, share = sum(part.contribution.mean for part in rest), sum(part.share for part in rest)
        unit = parts[0].contribution.unit
        note += f" All other lines, {share:.1%} of hands, together: {total:,.4g} {unit}."
    bars = tuple((f"{part.key} ({part.share:.1%})", part.contribution) for part in shown)
    return Bars(title, "LBR wins", bars, note, is_detail=True)
