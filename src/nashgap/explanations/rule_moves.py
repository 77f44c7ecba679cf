"""What the search for rules may try: lists to start from, additions, changes of one number, and round numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from nashgap.explanations.rules import CHECK, Bluff, Condition, Mix, Rule, RuleList

__all__ = [
    "FINE",
    "ROUND",
    "BluffRule",
    "Grid",
    "Rules",
    "additions",
    "balanced_bluff",
    "changes",
    "fixed_bluff",
    "ladders",
    "round_rules",
    "shaken",
]

Rules = tuple[Rule, ...]
BluffRule = Callable[[float], Rule]
"""The bluff that goes with a bet, in pots."""

# Of a game as a whole: what a second condition may look at.
GAME_FEATURES = ("showdowns", "strong", "very-strong", "weak", "their-strong", "their-very-strong")
GAME_THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6)
GROWTH_THRESHOLDS = (0.1, 0.2, 0.4)
MAX_CONDITIONS = 2
# Thresholds and bets of the ladders, and of the rules that a list may grow by.
LADDERS = (
    ((0.85, 1.0),),
    ((0.95, 1.6), (0.8, 0.5)),
    ((0.97, 1.8), (0.9, 0.8), (0.75, 0.3)),
    ((0.98, 2.5), (0.95, 1.5), (0.88, 0.7), (0.75, 0.3)),
)
START_SHARES = (0.65, 0.75, 0.85, 0.9, 0.95)
START_BETS = (0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0)
COARSEST = 4  # steps of a number at once; conditions and the order are changed only then
CHANGES_OF_A_SHAKE = 4


@dataclass(frozen=True)
class Grid:
    """The numbers that a rule may have: thresholds, bets in pots, and ratios of bluffs; each ascending."""

    shares: tuple[float, ...]
    bets: tuple[float, ...]
    ratios: tuple[float, ...]


FINE = Grid(
    shares=tuple(round(0.01 * step, 2) for step in range(101)),
    bets=tuple(round(0.1 * step, 1) for step in range(1, 101)),
    ratios=tuple(round(0.02 * step, 2) for step in range(1, 51)),
)
# For people: every 5%, round bets, ratios such as one for two.
ROUND = Grid(
    shares=tuple(round(0.05 * step, 2) for step in range(21)),
    bets=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5, 10.0),
    ratios=(1 / 10, 1 / 6, 1 / 5, 1 / 4, 1 / 3, 2 / 5, 1 / 2, 3 / 5, 2 / 3, 3 / 4, 1.0),
)


def balanced_bluff(bet: float) -> Rule:
    """Who calls `bet` pots is offered 1 + bet for it, so bluffs are right where they come to bet / (1 + bet) a bet."""
    return Rule((), Bluff(bet, bet / (1.0 + bet)))


def fixed_bluff(bet: float) -> Rule:
    """A bluff that does not look at how many hands make the bet: some of the time with the worst tenth of all hands."""
    return Rule((Condition("own-cdf", high=0.1),), Mix(bet, 0.5))


def ladders(max_rules: int, bluff: BluffRule) -> list[Rules]:
    """Some bets, the bigger the stronger the hand, and the bluff of each: the two longest that there is room for.

    Shorter ones grow into them, and not as well.
    """
    fitting = [steps for steps in LADDERS if 2 * len(steps) <= max(max_rules, 2)][-2:]
    return [_ladder(steps, bluff)[:max_rules] for steps in fitting]


def _ladder(steps: tuple[tuple[float, float], ...], bluff: BluffRule) -> Rules:
    """Bets with hands that beat such a share, and the bluff of each."""
    bets = tuple(Rule((Condition("beats", low=share),), Mix(bet)) for share, bet in steps)
    return (*bets, *(bluff(bet) for _, bet in steps))


def round_rules(rules: RuleList, grid: Grid = ROUND) -> RuleList:
    """The nearest rules on the grid."""
    return RuleList(tuple(_rounded(rule, grid) for rule in rules.rules))


def _rounded(rule: Rule, grid: Grid) -> Rule:
    conditions = tuple(
        replace(each, low=_nearest(each.low, grid.shares), high=_nearest(each.high, grid.shares))
        for each in rule.conditions
    )
    match rule.action:
        case Bluff(bet, ratio):
            return Rule(conditions, Bluff(_nearest(bet, grid.bets), _nearest(ratio, grid.ratios)))
        case Mix(bet, chance) as mix:
            near = _nearest(bet, (CHECK, *grid.bets))
            return Rule(conditions, replace(mix, bet=near, chance=_nearest(chance, grid.ratios)))


def _nearest(value: float, allowed: tuple[float, ...]) -> float:
    return min(allowed, key=lambda each: abs(each - value))


def additions(rules: Rules, room: int, grid: Grid, bluff: BluffRule) -> Iterator[Rules]:
    """Lists with one more bet before the others, with its bluff where it is a new one; or with one more bluff."""
    made = {rule.action.bet for rule in rules}
    bets = [rule for rule in rules if not _is_bluff(rule)]
    bluffs = [rule for rule in rules if _is_bluff(rule)]
    for bet in sorted({CHECK, *made, *START_BETS}):
        own_bluff = () if bet == CHECK or bet in made else (_rounded(bluff(bet), grid),)
        if 1 + len(own_bluff) > room:
            continue
        for share in START_SHARES:
            beats = Condition("beats", low=share)
            for conditions in ((beats,), *((beats, other) for other in _game_conditions(GROWTH_THRESHOLDS))):
                added = Rule(conditions, Mix(_nearest(bet, (CHECK, *grid.bets))))
                yield (added, *bets, *own_bluff, *bluffs)
        if bet in made and bet > CHECK and room > 0:
            added = _rounded(bluff(bet), grid)
            for condition in _game_conditions(GROWTH_THRESHOLDS):
                yield (*bets, replace(added, conditions=(*added.conditions, condition)), *bluffs)


def _is_bluff(rule: Rule) -> bool:
    return isinstance(rule.action, Bluff) or any(each.feature == "own-cdf" for each in rule.conditions)


def _game_conditions(thresholds: tuple[float, ...]) -> Iterator[Condition]:
    for feature in GAME_FEATURES:
        for threshold in thresholds:
            yield Condition(feature, low=threshold)
            yield Condition(feature, high=threshold)


def shaken(rules: Rules, grid: Grid, generator: np.random.Generator) -> Rules:
    """Rules after some changes at random, whatever they cost."""
    for _ in range(CHANGES_OF_A_SHAKE):
        if rules:
            place, scale = int(generator.integers(len(rules))), int(generator.choice((1, 2, COARSEST)))
            tried = list(changes(rules, place, grid, scale))
            rules = tried[int(generator.integers(len(tried)))]
    return rules


def changes(rules: Rules, place: int, grid: Grid, scale: int) -> Iterator[Rules]:
    """Lists that differ in one respect from `rules`, at the rule of that place; coarse ones in conditions, too."""
    rule, bet = rules[place], rules[place].action.bet
    before, after = rules[:place], rules[place + 1 :]
    if bet > CHECK:
        for moved in _moved(bet, grid.bets, scale):
            yield tuple(_with_bet(each, moved) if each.action.bet == bet else each for each in rules)
            yield (*before, _with_bet(rule, moved), *after)
    yield before + after
    for changed in _changed_rules(rule, grid, scale):
        yield (*before, changed, *after)
    if scale == COARSEST:
        if len(rule.conditions) < MAX_CONDITIONS:
            has = {condition.feature for condition in rule.conditions}
            for condition in _game_conditions(GAME_THRESHOLDS):
                if condition.feature not in has:
                    yield (*before, replace(rule, conditions=(*rule.conditions, condition)), *after)
        # Bluffs stay behind the bets: so a person remembers them, and they are made with hands that are left.
        if after and _is_bluff(after[0]) == _is_bluff(rule):
            yield (*before, after[0], rule, *after[1:])


def _changed_rules(rule: Rule, grid: Grid, scale: int) -> Iterator[Rule]:
    for number, condition in enumerate(rule.conditions):
        before, after = rule.conditions[:number], rule.conditions[number + 1 :]
        for changed in _changed_conditions(condition, grid, scale):
            yield replace(rule, conditions=(*before, changed, *after))
        yield replace(rule, conditions=(*before, *after))
    match rule.action:
        case Bluff(_, ratio):
            for moved in _moved(ratio, grid.ratios, scale):
                yield replace(rule, action=replace(rule.action, ratio=moved))
        case Mix(bet, chance) if bet > CHECK:
            for moved in _moved(chance, grid.ratios, scale):
                yield replace(rule, action=replace(rule.action, chance=moved))


def _changed_conditions(condition: Condition, grid: Grid, scale: int) -> Iterator[Condition]:
    if condition.low > 0.0:
        for low in _moved(condition.low, grid.shares, scale):
            if low <= condition.high:
                yield replace(condition, low=low)
    if condition.high < 1.0:
        for high in _moved(condition.high, grid.shares, scale):
            if condition.low <= high:
                yield replace(condition, high=high)


def _moved(value: float, allowed: tuple[float, ...], steps: int) -> Iterator[float]:
    """The values so many places below and above that of `value`, where there are such."""
    place = allowed.index(_nearest(value, allowed))
    for moved in (place - steps, place + steps):
        if 0 <= moved < len(allowed):
            yield allowed[moved]


def _with_bet(rule: Rule, bet: float) -> Rule:
    return replace(rule, action=replace(rule.action, bet=bet))
