"""How large a poker game is: exact counts of deals, betting sequences, game states and information sets.

The measures are those of Johanson (2013), "Measuring the Size of Large No-Limit Poker Games": game states are the
points at which somebody acts, as seen by one who sees all cards; information sets are the same points as seen by who
acts, added up over the seats; canonical ones do not tell suits apart.

The method is ours. A betting round is a *pattern* (who folds, calls and raises, but not by how much) and the sizes of
its raises. Where all stacks are equal, the two are independent but for the number of raises, so patterns are counted by
the number of raises in them, and sizes by partitions: every raise is at least as large as the one before, so the ways
to raise by k chips with j raises are the partitions of k into j parts, none smaller than the big blind. Rounds follow
each other by convolution. Only the raise that puts a seat all in may be smaller; it ends the raising, and there is
exactly one of it wherever a raise is legal.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate, permutations
from operator import add, mul

from nashgap.errors import GameSizeError, UnsupportedGameError
from nashgap.poker.rules import PokerRules

__all__ = ["PUBLISHED", "GameSize", "Published", "RoundSize", "canonical_hands", "game_size"]

# Larger stacks, or such stacks at a larger table, would take minutes.
MAX_CHIPS = 50_000
MAX_WORK = 100_000  # chips times pairs of seats


@dataclass(frozen=True)
class RoundSize:
    """One betting round. Betting sequences run from the start of the hand; cards are those dealt by this round.

    starts:          sequences that begin the round with somebody able to bet.
    decisions:       sequences after which a seat acts in this round.
    actions:         pairs of such a sequence and a legal action; each size of a raise is an action.
    folds:           sequences that end the hand in this round, all seats but one having folded.
    calls:           sequences that end the round with two seats or more; `all_in_calls` of them leave no one to bet.
    deals:           ways to deal the hole cards of all seats and the board, round by round.
    hands:           ways to deal the cards that one seat sees.
    canonical_hands: the same, where only the names of the suits differ counted once.
    """

    starts: int
    decisions: int
    actions: int
    folds: int
    calls: int
    all_in_calls: int
    deals: int
    hands: int
    canonical_hands: int


@dataclass(frozen=True)
class GameSize:
    """The whole game, round by round; all numbers are exact."""

    rounds: tuple[RoundSize, ...]

    @property
    def chance_outcomes(self) -> int:
        """Ways to deal all cards of a hand."""
        return self.rounds[-1].deals

    @property
    def betting_sequences(self) -> int:
        """Sequences after which a seat acts."""
        return sum(each.decisions for each in self.rounds)

    @property
    def showdowns(self) -> int:
        """Betting sequences that lead to a showdown, all-in ones of earlier rounds included."""
        return self.rounds[-1].calls + sum(each.all_in_calls for each in self.rounds[:-1])

    @property
    def terminal_sequences(self) -> int:
        """Betting sequences that end the hand."""
        return self.showdowns + sum(each.folds for each in self.rounds)

    @property
    def game_states(self) -> int:
        """Betting sequences after which a seat acts, with the cards of all seats."""
        return sum(each.decisions * each.deals for each in self.rounds)

    @property
    def game_state_actions(self) -> int:
        return sum(each.actions * each.deals for each in self.rounds)

    @property
    def terminal_states(self) -> int:
        """Terminal sequences with the cards dealt by then; a showdown has the whole board."""
        return self.showdowns * self.rounds[-1].deals + sum(each.folds * each.deals for each in self.rounds)

    @property
    def information_sets(self) -> int:
        """Decision points of all seats together."""
        return sum(each.decisions * each.hands for each in self.rounds)

    @property
    def infoset_actions(self) -> int:
        """Actions of all information sets: the numbers in a strategy."""
        return sum(each.actions * each.hands for each in self.rounds)

    @property
    def canonical_information_sets(self) -> int:
        return sum(each.decisions * each.canonical_hands for each in self.rounds)

    @property
    def canonical_infoset_actions(self) -> int:
        return sum(each.actions * each.canonical_hands for each in self.rounds)


@dataclass(frozen=True)
class Published:
    """A count as a paper prints it: three digits, or only the power of ten."""

    value: float
    source: str
    is_rough: bool = False


_JOHANSON = "Johanson 2013"
_BOWLING = "Bowling et al. 2015"
_THESIS = "Abou Risk 2009"  # section 2.2
PUBLISHED: Mapping[str, Mapping[str, Published]] = {
    "lhe2": {
        "chance_outcomes": Published(5.56e13, _THESIS),
        "game_states": Published(3.16e17, _BOWLING),
        "information_sets": Published(3.19e14, _BOWLING),
        "canonical_information_sets": Published(1.38e13, _BOWLING),
    },
    "lhe3": {
        "chance_outcomes": Published(5.02e16, _THESIS),
        "game_states": Published(1e24, _THESIS, is_rough=True),
    },
    "hunl": {
        "game_states": Published(6.31e164, _JOHANSON),
        "information_sets": Published(6.37e161, _JOHANSON),
    },
}


def game_size(rules: PokerRules) -> GameSize:
    """The exact size of the game.

    Limit games whose stacks nobody can lose in a hand, and no-limit games with equal stacks; any number of seats.
    """
    _require_countable(rules)
    # A seat that is not all in has put in 0 to length - 1 chips above the big blind; without sizes chips do not matter.
    length = rules.stacks[0] - rules.big_blind if rules.has_sizes else 1
    raised_by = cache(partial(_raised_by, rules, length))
    starts = {rules.num_seats: [1]}  # sequences that start the round, by seats still in and by chips put in
    rounds = []
    for number in range(rules.num_rounds):
        totals: Counter[str] = Counter()
        next_starts: dict[int, list[int]] = {}
        for num_in, start in starts.items():
            patterns = _round_patterns(rules, number, num_in, length)
            totals["starts"] += sum(start)
            for name, weights in patterns.totals.items():
                totals[name] += _sum_of_product(start, raised_by(tuple(weights)))
            for num_left, weights in patterns.calls.items():
                series = raised_by(tuple(weights))
                totals["calls"] += _sum_of_product(start, series)
                if number < rules.num_rounds - 1:
                    known = next_starts.get(num_left, [0] * length)
                    next_starts[num_left] = list(map(add, known, _product(start, series)))
        rounds.append(_round_size(rules, number, totals))
        starts = next_starts
    return GameSize(tuple(rounds))


def _require_countable(rules: PokerRules) -> None:
    name = rules.name or "this game"
    if rules.betting == "potlimit":
        raise UnsupportedGameError(f"{name}: not counted, the size of a pot-limit raise depends on who has folded")
    if not rules.has_sizes:
        if min(rules.stacks) <= rules.limit_cost:
            raise UnsupportedGameError(
                f"{name}: not counted, a stack of {min(rules.stacks)} can be all in; limit games need more than "
                f"{rules.limit_cost}"
            )
        return
    if len(set(rules.stacks)) > 1:
        raise UnsupportedGameError(f"{name}: not counted, stacks {rules.stacks} differ; no-limit games need equal ones")
    stack = rules.stacks[0]
    if rules.big_blind >= stack:
        raise UnsupportedGameError(f"{name}: not counted, the blind {rules.big_blind} is the whole stack")
    largest = min(MAX_CHIPS, MAX_WORK // math.comb(rules.num_seats, 2))
    if stack > largest:
        raise GameSizeError(
            f"{name}: not counted, stacks of {stack} chips would take too long; at most {largest} with "
            f"{rules.num_seats} seats"
        )


def _round_size(rules: PokerRules, number: int, totals: Mapping[str, int]) -> RoundSize:
    in_deck, in_hand = len(rules.deck), rules.num_hole_cards
    per_round = rules.num_board_cards[: number + 1]
    calls = totals["calls"] + totals["all_in_calls"]
    return RoundSize(
        starts=totals["starts"],
        decisions=totals["decisions"],
        # What an action leads to: another decision of the round, the end of the hand or the end of the round.
        actions=totals["decisions"] - totals["starts"] + totals["folds"] + calls,
        folds=totals["folds"],
        calls=calls,
        all_in_calls=totals["all_in_calls"],
        deals=_num_deals(in_deck, (*(in_hand for _ in range(rules.num_seats)), *per_round)),
        hands=_num_deals(in_deck, (in_hand, *per_round)),
        canonical_hands=canonical_hands(rules.num_ranks, rules.num_suits, (in_hand, *per_round)),
    )


def _num_deals(in_deck: int, groups: Sequence[int]) -> int:
    ways = 1
    for size in groups:
        ways *= math.comb(in_deck, size)
        in_deck -= size
    return ways


@cache
def canonical_hands(num_ranks: int, num_suits: int, groups: tuple[int, ...]) -> int:
    """Ways to deal groups of these sizes from a deck, counting once those that differ in the names of suits only.

    By Burnside's lemma: the mean, over all ways to rename the suits, of the deals that stay as they are.
    """
    renamings = list(permutations(range(num_suits)))
    return sum(_unchanged_deals(num_ranks, _cycle_lengths(each), groups) for each in renamings) // len(renamings)


def _cycle_lengths(permutation: Sequence[int]) -> list[int]:
    lengths, seen = [], set()
    for first in range(len(permutation)):
        length, place = 0, first
        while place not in seen:
            seen.add(place)
            place = permutation[place]
            length += 1
        if length:
            lengths.append(length)
    return lengths


def _unchanged_deals(num_ranks: int, cycle_lengths: list[int], groups: tuple[int, ...]) -> int:
    """Deals in which the cards of each cycle, of which every rank has its own, lie in one group or in none."""
    ways = {groups: 1}  # by the places that are still free
    for length in cycle_lengths * num_ranks:
        after: defaultdict[tuple[int, ...], int] = defaultdict(int, ways)
        for free, count in ways.items():
            for group, places in enumerate(free):
                if places >= length:
                    after[(*free[:group], places - length, *free[group + 1 :])] += count
        ways = dict(after)
    return ways.get((0,) * len(groups), 0)


@dataclass(frozen=True)
class _Patterns:
    """Patterns of one round. A row of weights has, for each number of raises that leave no one all in, their count.

    totals: decisions, folds (which end the hand) and all_in_calls (which end the betting).
    calls:  those that end the round, by the number of seats that are left.
    """

    totals: Mapping[str, list[int]]
    calls: Mapping[int, list[int]]


def _round_patterns(rules: PokerRules, number: int, num_in: int, length: int) -> _Patterns:
    owing = _owing(rules) if number == 0 else [False] * num_in
    max_raises = rules.max_raises[number]
    most = min(max_raises, (length - 1) // _smallest_raise(rules)) if rules.has_sizes else max_raises
    totals = {name: [0] * (most + 1) for name in ("decisions", "folds", "all_in_calls")}
    calls: dict[int, list[int]] = defaultdict(lambda: [0] * (most + 1))
    level = {(num_in, num_in): 1}  # patterns by seats still in and seats yet to act, the one to act included
    for raises in range(most + 1):
        next_level: dict[tuple[int, int], int] = defaultdict(int)
        queue: dict[tuple[int, int], int] = defaultdict(int, level)
        for to_act in range(num_in, 0, -1):
            for left in range(2, num_in + 1):
                ways = queue[left, to_act]
                if not ways:
                    continue
                totals["decisions"][raises] += ways
                outcomes = [left, left - 1] if raises > 0 or owing[num_in - to_act] else [left]
                for still_in in outcomes:
                    if still_in == 1:
                        totals["folds"][raises] += ways
                    elif to_act > 1:
                        queue[still_in, to_act - 1] += ways
                    else:
                        calls[still_in][raises] += ways
                if raises == max_raises:
                    continue
                next_level[left, left - 1] += ways
                if rules.has_sizes:  # all in: each of the others calls or folds, and if they all fold the hand is over
                    answers = 2 ** (left - 1)
                    totals["decisions"][raises] += ways * (answers - 1)
                    totals["folds"][raises] += ways
                    totals["all_in_calls"][raises] += ways * (answers - 1)
        level = next_level
    return _Patterns(totals, dict(calls))


def _owing(rules: PokerRules) -> list[bool]:
    """`[N]` whether a seat owes chips when the hand starts, in the order in which the seats act."""
    order = [(rules.first_seats[0] + place) % rules.num_seats for place in range(rules.num_seats)]
    return [rules.blinds[seat] < rules.big_blind for seat in order]


def _smallest_raise(rules: PokerRules) -> int:
    return max(rules.big_blind, 1)


def _raised_by(rules: PokerRules, length: int, weights: tuple[int, ...]) -> list[int]:
    """`[length]` ways to raise by k chips in all, those of j raises counted weights[j] times; one entry without sizes.

    The sum over j of weights[j] times x^(bj) / ((1-x)(1-x^2)...(1-x^j)), b the smallest raise, by Horner's scheme.
    """
    if not rules.has_sizes:
        return [sum(weights)]
    smallest = _smallest_raise(rules)
    series: list[int] = []
    for raises in range(len(weights) - 1, -1, -1):
        step = raises + 1
        for first in range(min(step, len(series))):
            series[first::step] = accumulate(series[first::step])
        width = length - raises * smallest
        series = ([weights[raises]] + [0] * (min(smallest, width) - 1) + series)[:width]
        series += [0] * (width - len(series))
    return series


def _sum_of_product(left: Sequence[int], right: Sequence[int]) -> int:
    """The sum of the first coefficients, as many as `right` has, of the product of two series."""
    return sum(map(mul, left, reversed(list(accumulate(right)))))


def _product(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The first coefficients, as many as `right` has, of the product of two series; none is negative.

    Each series is written into one long decimal number, because such numbers are multiplied fast (by transform).
    """
    import decimal

    if len(left) == 1:
        return [left[0] * value for value in right]
    # No coefficient that is kept exceeds their sum; what later ones carry over stays above those that are kept.
    digits = len(str(max(_sum_of_product(left, right), *left, *right)))
    length = len(right)
    context = decimal.Context(
        prec=2 * length * digits, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, traps=[decimal.Inexact]
    )
    packed = (
        context.create_decimal("".join(f"{value:0{digits}d}" for value in reversed(series))) for series in (left, right)
    )
    text = f"{context.multiply(*packed):f}".zfill(digits * length)
    end = len(text)
    return [int(text[end - digits * (place + 1) : end - digits * place]) for place in range(length)]
