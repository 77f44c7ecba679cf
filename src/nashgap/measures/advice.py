"""What to change where LBR wins: a decision on the way to a leak, what the bot does there, and changes worth trying.

The bot's range at a decision is the hands that its own earlier decisions bring there, over boards that are drawn: what
LBR holds, and on which boards it comes there, is left out. A hand's strength is its chance to win against one hand that
may be any. Whether a change helps is not said here but measured, by playing it: `nashgap.jobs.advice`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from nashgap.abstraction.hand_strength import hand_strengths
from nashgap.cards.card import format_cards, parse_cards
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES, Range
from nashgap.measures.leaks import Leak
from nashgap.poker.betting_line import betting_states, fraction_words, line_words, read_line
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.place import BettingPlace, place_of, position_name, pot_name
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, FOLD, PublicState
from nashgap.poker.streets import street_name
from nashgap.poker.typed_state import state_after
from nashgap.strategies.patch import CALL_FROM, FOLD_BELOW, NO_RAISE, NO_RAISE_BELOW, Change, Patch
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.view import view_strategy

__all__ = ["ACTIONS", "Candidate", "Decision", "candidates", "decisions_of", "look_at"]

ACTIONS = ("fold", "check or call", "bet or raise")
NUM_BOARDS = 24
FEWEST = 0.01  # of a range that is worth a change
MOST_HANDS = 6  # that are named on either side of a decision
_DIFFERENT = 0.04  # of a range, between two changes that are worth trying both
_STEP = 0.01  # thresholds are whole hundredths: somebody is to write them into a bot


@dataclass(frozen=True, eq=False)
class Decision:
    """A decision of the bot, and what it does there with its range.

    place:     on all boards.
    words:     for people, with the sizes of bets as they were made: `on the button, flop, 3-bet pot, after LBR bets 66%
               of the pot`.
    betting:   up to the decision, as it was in the example of the leak.
    board:     of the example, as far as it was seen.
    pot:       chips that lay there before LBR's last bet, and `bet`: that LBR put in with it; 0 where it made none.
    size:      of that bet, as it was made: `66% of the pot`; empty where there is none.
    shares:    of its range that take each of ACTIONS.
    folding:   the strongest hands of its range on the board of the example that mostly fold, best first;
    going_on:  the weakest that mostly do not, worst first.
    strengths, weights, actions: `[K]`, `[K]`, `[K, 3]` of all its hands on all boards.
    """

    place: BettingPlace
    words: str
    betting: str
    board: str
    pot: int
    bet: int
    size: str
    shares: tuple[float, ...]
    folding: tuple[str, ...]
    going_on: tuple[str, ...]
    strengths: np.ndarray
    weights: np.ndarray
    actions: np.ndarray

    @property
    def defends(self) -> float:
        """How much of its range does not fold."""
        return 1.0 - self.shares[0]

    @property
    def minimum_defence(self) -> float | None:
        """pot / (pot + bet): who defends less lets a bluff with any two cards win; None where LBR made no bet."""
        return self.pot / (self.pot + self.bet) if self.bet else None

    def told(self) -> dict[str, object]:
        """JSON-able."""
        return {
            "place": str(self.place),
            "words": self.words,
            "betting": self.betting,
            "board": self.board,
            "pot": self.pot,
            "bet": self.bet,
            "size": self.size,
            "shares": dict(zip(ACTIONS, self.shares, strict=True)),
            "minimum_defence": self.minimum_defence,
            "folding": list(self.folding),
            "going_on": list(self.going_on),
        }


@dataclass(frozen=True)
class Candidate:
    """A change to try.

    moved: how much of the range does something else then.
    hands: that do, of each change of the patch, as a range is written; none behind the flop, where boards differ.
    """

    patch: Patch
    moved: float
    hands: tuple[str, ...] = ()


def decisions_of(rules: PokerRules, leak: Leak) -> list[str]:
    """The betting up to each decision of the bot on the street on which the hands of the leak ended, the last first."""
    if leak.example is None:
        return []
    states = betting_states(rules, leak.example.line)
    bot = 2 - leak.example.seat  # which counts from 1
    return [state.betting for state in reversed(states) if state.seat == bot and state.round == states[-1].round]


def look_at(rules: PokerRules, strategy: PokerStrategy, betting: str, board: str, *, seed: int) -> Decision | None:
    """What the strategy does after this betting, over boards drawn with the seed; None where it never comes there.

    board: of the example, perhaps with cards of later streets.
    """
    num_cards = len(_on_any_board(rules, betting).board)
    shown = format_cards(parse_cards(board)[:num_cards])
    rng = np.random.default_rng([seed, crc32(betting.encode())])
    drawn = [
        format_cards([int(card) for card in rng.choice(rules.deck, num_cards, replace=False)])
        for _ in range(NUM_BOARDS if num_cards else 0)
    ]
    parts = [_part(rules, strategy, betting, each) for each in (shown, *drawn)]
    strengths, weights, actions = (np.concatenate(each) for each in zip(*parts, strict=True))
    if weights.sum() == 0:
        return None
    state = state_after(rules, betting, shown)
    pot, bet, size = _last_bet(state)
    own_strengths, own_weights, own_actions = parts[0]
    folding, going_on = _nearest(state, own_strengths, own_weights, own_actions[:, 0])
    return Decision(
        place=place_of(state),
        words=_words(state),
        betting=betting,
        board=shown,
        pot=pot,
        bet=bet,
        size=size,
        shares=tuple(float(share) for share in weights @ actions / weights.sum()),
        folding=folding,
        going_on=going_on,
        strengths=strengths,
        weights=weights / weights.sum(),
        actions=actions,
    )


def candidates(decision: Decision) -> list[Candidate]:
    """Changes to try, each once: other shares of the range that go on, and fewer bets and raises.

    Where LBR has bet: as many as leave a bluff no profit, half way there, more, fewer; each by adding the strongest
    hands that fold or by taking off the weakest that do not; and as many as now, but the strongest.
    """
    defends, minimum = decision.defends, decision.minimum_defence
    found: list[Candidate] = []
    if minimum is not None:
        targets = [minimum, (minimum + defends) / 2, (1 + defends) / 2, defends / 2, defends / 4]
        found += [_resized(decision, target) for target in _apart(targets, defends)]
        found += [_sorted(decision, defends)] if FEWEST <= defends <= 1 - FEWEST else []
    elif decision.shares[0] >= FEWEST:  # a blind is to be paid
        found += [_resized(decision, defends / 2), _resized(decision, (1 + defends) / 2)]
    if decision.shares[2] >= FEWEST:
        found += [_fewer_raises(decision, share) for share in (0.5, 0.0)]
    by_patch = {str(each.patch): each for each in found if each.moved >= FEWEST / 2}
    return list(by_patch.values())


def _apart(targets: Sequence[float], defends: float) -> list[float]:
    """Those that differ from what is done and from one another, the first of each."""
    kept: list[float] = []
    for target in targets:
        if all(abs(target - other) >= _DIFFERENT for other in (defends, *kept)):
            kept.append(target)
    return kept


def _resized(decision: Decision, target: float) -> Candidate:
    """So much of the range goes on, by the fewest hands that do otherwise."""
    more = target - decision.defends
    if more > 0:
        threshold = _threshold(decision, decision.actions[:, 0], more, is_from_above=True)
        return _candidate(decision, (Change(CALL_FROM, threshold),))
    threshold = _threshold(decision, 1 - decision.actions[:, 0], -more, is_from_above=False)
    return _candidate(decision, (Change(FOLD_BELOW, threshold),))


def _sorted(decision: Decision, target: float) -> Candidate:
    """So much of the range goes on, and that is its strongest part."""
    threshold = _threshold(decision, np.ones(len(decision.weights)), target, is_from_above=True)
    return _candidate(decision, (Change(FOLD_BELOW, threshold), Change(CALL_FROM, threshold)))


def _fewer_raises(decision: Decision, kept: float) -> Candidate:
    """Of what is bet or raised the strongest part, and nothing else."""
    if kept == 0:
        return _candidate(decision, (NO_RAISE,))
    raised = decision.actions[:, 2]
    threshold = _threshold(decision, raised, kept * decision.shares[2], is_from_above=True)
    return _candidate(decision, (Change(NO_RAISE_BELOW, threshold),))


def _threshold(decision: Decision, counted: np.ndarray, share: float, *, is_from_above: bool) -> float:
    """The strength at which so much of the range, counted in this way, lies on the side; in whole hundredths."""
    order = np.argsort(-decision.strengths if is_from_above else decision.strengths, kind="stable")
    mass = np.cumsum((decision.weights * counted)[order])
    place = min(int(np.searchsorted(mass, share)), len(order) - 1)
    strength = float(decision.strengths[order[place]])
    return round(min(max(round(strength / _STEP) * _STEP, 0.0), 1.0), 2)


def _candidate(decision: Decision, changes: tuple[Change, ...]) -> Candidate:
    moved = [_moved(decision, change) for change in changes]
    names_hands = not decision.board and len(decision.weights) == len(CLASS_OF_HAND)
    hands = tuple(Range((each > 0).astype(float)).text for each in moved) if names_hands else ()
    return Candidate(Patch(decision.place, changes), float(sum(each.sum() for each in moved)), hands)


def _moved(decision: Decision, change: Change) -> np.ndarray:
    """`[K]`: how much of each hand of the range does something else after the change."""
    fold, call, raised = (decision.weights * decision.actions[:, column] for column in range(len(ACTIONS)))
    below = decision.strengths < change.strength
    match change.kind:
        case "fold below":
            return np.where(below, call + raised, 0.0)
        case "call from":
            return np.where(below, 0.0, fold)
        case _:
            return np.where(below, raised, 0.0)


def _part(
    rules: PokerRules, strategy: PokerStrategy, betting: str, board: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`[H]` strengths, `[H]` reach, `[H, 3]` shares of ACTIONS, of the hands that can be held on the board."""
    view = view_strategy(strategy, rules, betting, board)
    state = state_after(rules, betting, board)
    columns = [[], [], []]  # type: list[list[int]]
    for place, action in enumerate(view.actions):
        columns[0 if action == "f" else 1 if action == "c" else 2].append(place)
    actions = np.column_stack([view.probabilities[:, places].sum(axis=1) for places in columns])
    return hand_strengths(state)[possible_hands(state)], view.reach, actions


def _words(state: PublicState) -> str:
    """Where the bot is to act, against LBR."""
    rules, steps = state.rules, read_line(state.rules, state.betting)
    on_street = [step for step in steps if step.round == state.round]
    names = ["bot" if seat == state.seat else "LBR" for seat in range(rules.num_seats)]
    pot = pot_name(steps) if rules.is_holdem and state.round > 0 else ""
    parts = filter(None, (position_name(rules, state.seat), street_name(rules, state.round), pot))
    after = f"after {line_words(on_street, names, is_exact=True)}" if on_street else "first to act"
    return ", ".join((*parts, after))


def _last_bet(state: PublicState) -> tuple[int, int, str]:
    """Pot before it, chips that it put in, and its size, if the last action on the street was a bet or raise."""
    rules, actions = state.rules, state.history[state.round] if len(state.history) > state.round else ()
    if not actions or actions[-1] in (FOLD, CALL):
        return state.pot, 0, ""
    before = betting_states(rules, state.betting)[-1]
    after_call = before.pot + before.to_call
    size = fraction_words((actions[-1] - max(before.spent)) / max(after_call, 1))
    is_all_in = actions[-1] == before.legal.max_raise_to and rules.has_sizes
    put_in = actions[-1] - before.spent[before.seat]
    return before.pot, put_in, f"all-in, {size}" if is_all_in else size


def _nearest(
    state: PublicState, strengths: np.ndarray, weights: np.ndarray, fold: np.ndarray
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The strongest that mostly fold, the weakest that mostly do not; in hold'em by the names of the 169 classes."""
    names, labels = _labels(state)
    places = np.flatnonzero(possible_hands(state))
    kinds, held = labels[places], weights > FEWEST * max(float(weights.max()), 1e-12)
    rows = []
    for kind in np.unique(kinds[held]):
        own = held & (kinds == kind)
        rows.append((float(strengths[own].mean()), float(fold[own].mean()), names[kind]))
    rows.sort()

    def named(is_wanted: Callable[[float], bool], ordered: Sequence[tuple[float, float, str]]) -> tuple[str, ...]:
        return tuple(name for _, folds, name in ordered if is_wanted(folds))[:MOST_HANDS]

    return named(lambda folds: folds > 0.5, rows[::-1]), named(lambda folds: folds <= 0.5, rows)


def _labels(state: PublicState) -> tuple[Sequence[str], np.ndarray]:
    """Names, and `[H]` which of them each hand has."""
    if state.rules.has_holdem_hands:
        return HAND_CLASSES, CLASS_OF_HAND
    names = hand_names(state.rules)
    return names, np.arange(len(names))


def _on_any_board(rules: PokerRules, betting: str) -> PublicState:
    """Which cards they are does not matter to the betting."""
    return betting_states(rules, betting, is_last_dealt=True)[-1]
