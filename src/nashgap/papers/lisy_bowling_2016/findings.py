"""What the paper finds in Table 3 and around it, each sentence checked with the bots that are trained here.

A finding is true if every bot that it speaks of bears it out beyond its 95% interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nashgap.arena.cross_table import CrossTable
from nashgap.core.estimate import Estimate, format_interval
from nashgap.papers.lisy_bowling_2016.bots import FULL_CARDS
from nashgap.papers.lisy_bowling_2016.bounds import Bound, paired, sure_bound
from nashgap.papers.lisy_bowling_2016.published import FOLDING, NARROWING
from nashgap.papers.statements import Statement

__all__ = ["HARD", "SAMPLED", "SOFT", "WIDE", "CellKey", "Found", "Switches", "check_findings"]

HARD, SOFT, SAMPLED = "hard", "soft", "sampled"
WIDE = "min,2,4,8,a"

CellKey = tuple[str, str, str, str]
"""Bot, translation, bets, rounds."""


@dataclass(frozen=True)
class Switches:
    """Half-widths of the interval of one bound with some means against variance, for as many hands each.

    without: none of them; paper: duplicate deals and imaginary observations.
    """

    without: float
    paper: float
    by_name: Mapping[str, float]

    def narrowing(self, half_width: float) -> float:
        return 1 - half_width / self.without


@dataclass(frozen=True)
class Found:
    """All that was measured.

    cells:   what LBR wins from bots.
    folding: what it wins from always-fold.
    table:   what the bots win from each other, mbb_per_hand; None where fewer than two can meet.
    """

    cells: Mapping[CellKey, Bound]
    folding: Estimate
    table: CrossTable | None
    switches: Switches

    @property
    def bots(self) -> list[str]:
        return list(dict.fromkeys(bot for bot, *_ in self.cells))

    @property
    def card_bots(self) -> list[str]:
        """Those with card abstraction."""
        return [bot for bot in self.bots if bot != FULL_CARDS]

    def cell(self, bot: str, bets: str, rounds: str, translation: str = HARD) -> Bound:
        return self.cells[bot, translation, bets, rounds]

    def cells_of(self, bot: str, translation: str = HARD) -> list[Bound]:
        return [bound for key, bound in self.cells.items() if key[:2] == (bot, translation)]


def check_findings(found: Found) -> tuple[Statement, ...]:
    """One by one; those on bots that are not there are left out."""
    statements = [Statement("folding every hand loses 750", _is_exactly(found.folding, FOLDING), _shown(found.folding))]
    if found.card_bots:
        statements += _on_card_bots(found)
    if FULL_CARDS in found.bots:
        statements += _on_full_cards(found)
    if found.table is not None:
        statements.append(_bound_against_play(found, found.table))
    narrowing = found.switches.narrowing(found.switches.paper)
    statements.append(
        Statement(
            "duplicate deals and imaginary observations narrow the interval by about 20%",
            abs(narrowing - NARROWING) < 0.1,
            f"by {narrowing:.0%}",
        )
    )
    return tuple(statements)


def _on_card_bots(found: Found) -> list[Statement]:
    def every(text: str, measure: Callable[[str], tuple[bool, str]]) -> Statement:
        told = {bot: measure(bot) for bot in found.card_bots}
        return Statement(text, all(is_true for is_true, _ in told.values()), _by_bot(told))

    def sure_loss(bot: str) -> tuple[bool, str]:
        worth = sure_bound(found.cells_of(bot))
        return worth > FOLDING, f"at least {worth:.0f}"

    def waiting(bot: str) -> tuple[bool, str]:
        return _above_zero(paired(found.cell(bot, "56", "3-4"), found.cell(bot, "56", "1-4")))

    def fold_and_call(bot: str) -> tuple[bool, str]:
        both = [found.cell(bot, "fc", rounds) for rounds in ("1-4", "3-4")]
        return all(bound.low > 0 for bound in both), " and ".join(_shown(bound.estimate) for bound in both)

    def pot_and_all_in(bot: str) -> tuple[bool, str]:
        return _more_than_half(found.cell(bot, "fcpa", "3-4"), found.cell(bot, "56", "3-4"))

    def on_tree(bot: str) -> tuple[bool, str]:
        return _more_than_half(found.cell(bot, "on-tree", "3-4"), found.cell(bot, "56", "3-4"))

    return [
        every("every bot with card abstraction loses more than that to LBR", sure_loss),
        every("with 56 bets LBR wins more if it waits until the turn than if it bets from the start", waiting),
        every("LBR that only folds and calls wins against bots with card abstraction", fold_and_call),
        every("pot and all-in alone win most of what 56 bets win", pot_and_all_in),
        every("most of the loss is on-tree: card abstraction, not betting abstraction", on_tree),
    ]


def _on_full_cards(found: Found) -> list[Statement]:
    on_tree, off_tree, wide = (found.cell(FULL_CARDS, bets, "3-4") for bets in ("on-tree", "56", WIDE))
    soft, sampled = (found.cell(FULL_CARDS, "56", "3-4", translation) for translation in (SOFT, SAMPLED))
    softened = {name: paired(off_tree, bound) for name, bound in (("soft", soft), ("sampled", sampled))}
    return [
        Statement(
            "without card abstraction LBR loses on-tree and wins by bets off it",
            on_tree.high < 0 < off_tree.low,
            f"on-tree {_shown(on_tree.estimate)}, 56 bets {_shown(off_tree.estimate)}",
        ),
        Statement(
            f"a few bets off the tree are enough: {WIDE}",
            wide.low > 0,
            f"{_shown(wide.estimate)}, 56 bets {_shown(off_tree.estimate)}",
        ),
        Statement(
            "soft translation helps a little and does not solve it",
            min(soft.low, sampled.low) > 0 and softened["soft"].mean > 0,
            "; ".join(f"{name} loses {_shown(each)} less than hard" for name, each in softened.items()),
        ),
    ]


def _bound_against_play(found: Found, table: CrossTable) -> Statement:
    """True if a bot with the better bound, 56 bets in rounds 3-4, loses to one with a worse."""
    bounds = {player: found.cell(player, "56", "3-4") for player in table.players}
    num_pairs, against = 0, []
    for matchup in table.matchups:
        better, worse = sorted(matchup.players, key=lambda player: bounds[player].mean)
        gap = paired(bounds[worse], bounds[better])
        if gap.mean - gap.ci95 <= 0:
            continue
        num_pairs += 1
        won, ci95 = matchup.winrate(better), matchup.interval(better) or 0.0
        if won + ci95 < 0:
            against.append(f"{better} loses {_shown_number(-won, ci95)} to {worse}, whose bound is {_shown(gap)} worse")
    return Statement(
        "a better bound need not mean better play head to head",
        bool(against),
        f"of {num_pairs} pairs with different bounds: {'; '.join(against) or 'the better one loses in none'}",
    )


def _more_than_half(part: Bound, whole: Bound) -> tuple[bool, str]:
    """Whether the part is more than the rest, and both."""
    rest, excess = paired(whole, part), paired(part, whole, (2.0, -1.0))
    return excess.mean - excess.ci95 > 0, f"{_shown(part.estimate)}, the rest {_shown(rest)}"


def _above_zero(estimate: Estimate) -> tuple[bool, str]:
    return estimate.mean - estimate.ci95 > 0, _shown(estimate)


def _by_bot(told: Mapping[str, tuple[bool, str]]) -> str:
    return "; ".join(f"{bot} {'' if is_true else 'not: '}{text}" for bot, (is_true, text) in told.items())


def _is_exactly(estimate: Estimate, value: float) -> bool:
    return estimate.mean == value and estimate.ci95 == 0


def _shown(estimate: Estimate) -> str:
    return _shown_number(estimate.mean, estimate.ci95)


def _shown_number(mean: float, ci95: float) -> str:
    return format_interval(mean, ci95) if ci95 else f"{mean:g}"
