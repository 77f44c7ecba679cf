"""Does a bot answer as it should? It is asked about states of all rounds and seats, twice, in different batches."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import zip_longest
from typing import Any, ClassVar, cast

import numpy as np

from nashgap.core.game import CHANCE
from nashgap.core.job import Progress, require_seed
from nashgap.core.result import Result
from nashgap.core.strategy import Policy, SampledStrategy
from nashgap.errors import AgentError, NashGapError, UnsupportedGameError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, FOLD, Action, PublicState
from nashgap.strategies.check_policy import check_policies, place_text
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["BotCheck", "check_bot", "sample_states"]

PURITY_TOLERANCE = 1e-5  # networks add up in another order in another batch
MAX_IDLE_HANDS = 300  # hands without a new state, after which it is taken that there are no more
SINGLES = 20  # states that are asked alone the second time
FIRST_BATCH, SECOND_BATCH = 16, 27


@dataclass(frozen=True, repr=False)
class BotCheck(Result):
    """What was found.

    problem:                 the first wrong answer; None if all were sound.
    num_states:              that were asked about; `states_by_round` says of which rounds.
    seconds_per_state:       in batches; `seconds_alone` one by one.
    largest_difference:      between two answers to the same state.
    largest_num_actions:     in one policy.
    share_ignoring_hands:    of policies with one row for all hands.
    bot_name:                the bot's own word.
    """

    reporter: ClassVar[str] = "nashgap.reports.checks:bot_report"

    bot: str
    game: str
    problem: str | None
    num_states: int = 0
    states_by_round: tuple[int, ...] = ()
    seconds_per_state: float = 0.0
    seconds_alone: float = 0.0
    largest_difference: float = 0.0
    largest_num_actions: int = 0
    share_ignoring_hands: float = 0.0
    bot_name: str = ""

    @property
    def is_sound(self) -> bool:
        return self.problem is None

    @property
    def summary(self) -> str:
        if not self.is_sound:
            return f"{self.bot} is not sound: {self.problem}"
        return f"{self.bot} is sound: {self.num_states:,} states of {self.game or 'the game'}, each asked twice."

    def as_dict(self) -> dict[str, Any]:
        told = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "provenance"}
        return {**told, "is_sound": self.is_sound}


def check_bot(
    strategy: PokerStrategy,
    rules: PokerRules,
    *,
    num_states: int = 300,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> BotCheck:
    """Ask about this many states or fewer, where the game has fewer."""
    require_seed(seed)
    states = sample_states(rules, num_states, np.random.default_rng(seed))
    if not states:
        raise UnsupportedGameError(f"{rules.name or 'the game'}: no seat ever acts; there is nothing to ask about")
    rounds = Counter(state.round for state in states)
    found = BotCheck(strategy.name, rules.name, None, len(states), tuple(rounds[n] for n in range(rules.num_rounds)))
    try:
        figures = _questioned(strategy, states, np.random.default_rng([seed, 1]), on_progress)
    except NashGapError as error:
        figures = {"problem": str(error)}
    return replace(found, **(figures | {"bot_name": getattr(strategy, "bot_name", "")}))


def _questioned(
    strategy: PokerStrategy,
    states: Sequence[PublicState],
    rng: np.random.Generator,
    on_progress: Callable[[Progress], None] | None,
) -> dict[str, Any]:
    """The figures; AgentError at the first wrong answer."""
    alone = rng.permutation(len(states))[:SINGLES].tolist()
    total, num_answered = 2 * len(states) + len(alone), 0

    def count(num_answers: int) -> None:
        nonlocal num_answered
        num_answered += num_answers
        if on_progress is not None:
            on_progress(Progress(num_answered, total, "states"))

    _asked(strategy, states[:1], 1, lambda _: count(0))  # a program is started by the first question
    first, seconds = _timed(strategy, states, FIRST_BATCH, count)
    singles, seconds_alone = _timed(strategy, [states[place] for place in alone], 1, count)
    if strategy.is_sampled:  # a sample may depend on the other states of its batch
        again = list(enumerate(_asked(strategy, states, FIRST_BATCH, count)))
    else:
        order = rng.permutation(len(states)).tolist()
        answers = _asked(strategy, [states[place] for place in order], SECOND_BATCH, count)
        again = list(zip(order, answers, strict=True))
        again += zip(alone, singles, strict=True)
    return {
        "seconds_per_state": seconds / len(states),
        "seconds_alone": seconds_alone / len(alone),
        "largest_difference": max(_difference(strategy, states[place], first[place], other) for place, other in again),
        "largest_num_actions": max(len(policy.moves) for policy in first),
        "share_ignoring_hands": sum(policy.ignores_hands for policy in first) / len(first),
    }


def _timed(
    strategy: PokerStrategy, states: Sequence[PublicState], batch_size: int, count: Callable[[int], None]
) -> tuple[list[Policy], float]:
    start = time.perf_counter()
    return _asked(strategy, states, batch_size, count), time.perf_counter() - start


def _asked(
    strategy: PokerStrategy, states: Sequence[PublicState], batch_size: int, count: Callable[[int], None]
) -> list[Policy]:
    """Sound answers; `count` hears of each batch of them."""
    policies: list[Policy] = []
    for first in range(0, len(states), batch_size):
        batch = states[first : first + batch_size]
        if strategy.is_sampled:
            answers = cast(SampledStrategy[PublicState], strategy).sample_policies(batch, 0)
        else:
            answers = strategy.policies(batch)
        policies += check_policies(answers, batch, strategy.name)
        count(len(batch))
    return policies


def _difference(strategy: PokerStrategy, state: PublicState, first: Policy, second: Policy) -> float:
    """The largest of a probability; AgentError if it is more than rounding."""
    one, other = (dict(zip(policy.moves, policy.probabilities.T, strict=True)) for policy in (first, second))
    nothing = np.zeros(1)
    largest = max(float(np.abs(one.get(m, nothing) - other.get(m, nothing)).max()) for m in one.keys() | other.keys())
    if largest > PURITY_TOLERANCE:
        raise AgentError(
            f"{strategy.name} {place_text(state)}: asked twice, its answers differ by up to {largest:.3g}; a strategy"
            " must give the same answer to the same state, whatever it was asked before or together with it"
        )
    return largest


def sample_states(rules: PokerRules, number: int, rng: np.random.Generator) -> list[PublicState]:
    """Different states in which a seat acts, by random play: as many of each round and seat, as far as there are."""
    groups: dict[tuple[int, int], list[PublicState]] = {
        (round_number, seat): [] for round_number in range(rules.num_rounds) for seat in range(rules.num_seats)
    }
    quota = -(-number // len(groups))
    seen: set[PublicState] = set()
    num_idle = 0
    while num_idle < MAX_IDLE_HANDS and any(len(group) < quota for group in groups.values()):
        num_idle += 1
        for state in _played(rules, rng):
            group = groups[state.round, state.seat]
            if len(group) < number and state not in seen:
                seen.add(state)
                group.append(state)
                num_idle = 0
    by_turns = zip_longest(*groups.values())
    return [state for turn in by_turns for state in turn if state is not None][:number]


def _played(rules: PokerRules, rng: np.random.Generator) -> Iterator[PublicState]:
    """The decisions of one hand."""
    deck = rng.permutation(rules.deck).tolist()
    state = rules.root()
    while not state.is_over:
        if state.seat == CHANCE:
            state = state.deal([deck.pop() for _ in range(state.num_missing_cards)])
        else:
            yield state
            state = state.act(_random_action(state, rng))


def _random_action(state: PublicState, rng: np.random.Generator) -> Action:
    """Often a call, so that hands get far; raises of all sizes, the smallest and all-in among them."""
    legal, draw = state.legal, rng.random()
    if draw < 0.1 and legal.can_fold and state.has_folded.count(False) > 2:
        return FOLD
    if draw < 0.55 or not legal.can_raise:
        return CALL
    by_the_pot = legal.nearest_raise(max(state.spent) + state.pot + state.to_call)
    any_size = int(rng.integers(legal.min_raise_to, legal.max_raise_to + 1))
    return int(rng.choice([legal.min_raise_to, by_the_pot, any_size, legal.max_raise_to], p=[0.4, 0.3, 0.2, 0.1]))
