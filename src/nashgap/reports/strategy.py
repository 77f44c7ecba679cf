"""What a strategy does, for people: one public state as a report, and the first decisions as sections of one."""

from __future__ import annotations

from dataclasses import replace

from nashgap.cards.card import parse_cards
from nashgap.cards.hand_rows import HandRow, HandRows, share_text
from nashgap.cards.made_hands import made_hand
from nashgap.cards.matrix import percentages
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES
from nashgap.poker.rules import PokerRules
from nashgap.reports.report import Report, Section, Table
from nashgap.runs.config import package_version
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.strategy_view import Onward, StrategyView
from nashgap.strategies.table import TableStrategy
from nashgap.strategies.view import HasPolicies, view_strategy

__all__ = ["first_decisions", "strategy_report"]

_MOST_TEXTS = 6  # of those to type next, in a table
_PASSIVE = ("fold", "check", "call")
_EVERY_HAND = "What it does with each hand"


def strategy_report(view: StrategyView) -> Report:
    """The page of one public state: the hand that is asked for, the grid, how often each action, kinds of hands."""
    grid, rows = view.grid, view.rows
    sections: list[Section] = [_one_hand(view, view.chosen)] if view.chosen else []
    if grid is None:
        sections += [replace(rows, title=_EVERY_HAND), _actions(view)]
    else:
        sections += [replace(grid, title=_EVERY_HAND), _actions(view), rows]
    title = f"{view.strategy} in {view.game}"
    return Report(title, view.summary, tuple(sections), view.provenance.command, {"version": package_version()})


def first_decisions(strategy: HasPolicies | TableStrategy, rules: PokerRules | None = None) -> list[Section]:
    """Up to four grids, or tables in small games: its first decision, those after its likeliest raise and re-raise,
    and the one after a call. Of an expert those that follow its betting, if no board lies there yet.

    rules: the poker game; only needed for a strategy that does not know its own.
    """
    after = ""
    if isinstance(strategy, AbstractStrategy):
        tree = strategy.game.tree
        if tree.round_start[1] == 0:
            return []
        after = tree.prefix_text
    views = [view_strategy(strategy, rules, after)]
    if raised := _likeliest_raise(views[0]):
        views.append(view_strategy(strategy, rules, raised))
        if raised_again := _likeliest_raise(views[1]):
            views.append(view_strategy(strategy, rules, raised_again))
    called = [onward for word, onward in zip(views[0].words, views[0].onward, strict=True) if word in _PASSIVE[1:]]
    views += [view_strategy(strategy, rules, onward.texts[0]) for onward in called if _is_next(onward)]
    return [view.rows if view.grid is None else view.grid for view in views]


def _likeliest_raise(view: StrategyView) -> str | None:
    """The betting after the raise that it makes the most; of a game without raises, after any other action."""
    often = view.range_frequencies or view.frequencies
    raises = [
        (often[action], onward.texts[0])
        for action, word, onward in zip(view.actions, view.words, view.onward, strict=True)
        if word.split()[0] not in _PASSIVE and _is_next(onward)
    ]
    return max(raises, key=lambda pair: pair[0])[1] if raises else None


def _is_next(onward: Onward) -> bool:
    """Whether a decision follows at once, whatever is dealt."""
    return len(onward.texts) == 1 and onward.num_board_cards == 0


def _actions(view: StrategyView) -> Table:
    of_all = percentages(view.frequencies)
    of_range = percentages(view.range_frequencies or {}) if view.has_own_range else {}
    rows = [
        (
            words,
            *([of_range[action]] if of_range else []),
            of_all[action],
            _texts(onward) or "-",
            onward.words,
        )
        for action, words, onward in zip(view.actions, view.words, view.onward, strict=True)
    ]
    shares = ("of its range", "of all hands") if of_range else ("of all hands",)
    return Table("How often, and where to go on", ("action", *shares, "--after", "then"), tuple(rows), _note(view))


def _note(view: StrategyView) -> str:
    """What the shares are of, and what else may be typed."""
    if view.raise_sizes is None:
        return view.range_note
    smallest, largest = view.raise_sizes
    return f"{view.range_note} Any raise may be typed, {smallest} to {largest}."


def _texts(onward: Onward) -> str:
    return " ".join(onward.texts[:_MOST_TEXTS]) + (" ..." if len(onward.texts) > _MOST_TEXTS else "")


def _how_often(reach: float) -> str:
    return f"{share_text(reach)} of the time" if 0 < reach < 1 else "always" if reach > 0 else "never"


def _one_hand(view: StrategyView, hand: str) -> HandRows:
    """The hand beside its class and all that is held."""
    place = view.place(hand)
    name, reach = view.hands[place], view.reach[place]
    often = view.range_frequencies or view.frequencies
    rows = {name: view.hand(hand)}
    kind = ""
    if view.numbers is not None:
        class_name = HAND_CLASSES[CLASS_OF_HAND[view.numbers[place]]]
        rows[f"all {class_name}"] = view.classes[class_name]
        kind = f", {made_hand(parse_cards(name), parse_cards(view.board)).removeprefix('preflop: ')}"
    rows["its range" if view.has_own_range else "all hands"] = often
    words = dict(zip(view.actions, view.words, strict=True))
    note = f"It plays {name} this far {_how_often(reach)}." if view.has_own_range else ""
    return HandRows(
        f"With {name}{kind}",
        tuple(
            HandRow(row, {words[action]: min(share, 1.0) for action, share in shares.items()})
            for row, shares in rows.items()
        ),
        view.words,
        note=note,
    )
