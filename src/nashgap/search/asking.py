"""What it takes to ask a strategy about the states that games of responders come to, told before they are played.

How many states a game asks about is counted in a few games against a stand-in that answers at once; how long an answer
takes is found out by some of those states.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nashgap.core.strategy import Policy
from nashgap.errors import AgentError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState
from nashgap.search.options import SearchOptions
from nashgap.search.poker_responder_game import PokerResponderGame
from nashgap.search.responder_game import Values
from nashgap.strategies.check_policy import SUM_TOLERANCE, checked_answers, place_text
from nashgap.strategies.chumps import Chump
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["AskingForecast", "forecast_asking", "require_same_answers"]

TRIAL_GAMES = 8  # to learn from, against the stand-in
FRESH_TRIAL_GAMES = 32
TRIAL_STATES = 16  # that the strategy is asked about at once
STAND_IN = Chump("a stand-in", fold=0.15, call=0.6, raising=0.25)


@dataclass(frozen=True)
class AskingForecast:
    """What asking takes.

    questions: in a game to learn from,
    fresh:     and in a fresh one.
    seconds:   for an answer.
    """

    questions: float
    fresh: float
    seconds: float


def forecast_asking(games: Sequence[PokerResponderGame], options: SearchOptions, *, searches: bool) -> AskingForecast:
    """About, in the mean over both seats. searches: whether fresh games are searched, too."""
    fresh = replace(options, simulations=options.simulations if searches else 0, exploring=0, keeps_tree=False)
    asked: list[PublicState] = []
    questions = np.mean([_num_questions(game, options, TRIAL_GAMES, asked) for game in games])
    questions_fresh = np.mean([_num_questions(game, fresh, FRESH_TRIAL_GAMES, asked) for game in games])
    chosen = asked[:: max(1, len(asked) // (2 * TRIAL_STATES))]
    first, second = chosen[::2], chosen[1::2] or chosen
    checked_answers(games[0].strategy, first)  # pays for what happens only once
    begin = time.perf_counter()
    checked_answers(games[0].strategy, second)
    seconds = (time.perf_counter() - begin) / len(second)
    return AskingForecast(float(questions), float(questions_fresh), seconds)


def require_same_answers(strategy: PokerStrategy, rules: PokerRules) -> None:
    """Refuse a strategy that answers differently when it is asked again: beliefs would be about another one."""
    state = rules.root()
    first, second = (_by_move(strategy, state) for _ in range(2))
    nothing = np.zeros((1, 1))
    for move in {*first, *second}:
        if np.abs(first.get(move, nothing) - second.get(move, nothing)).max() > SUM_TOLERANCE:
            raise AgentError(
                f"{strategy.name} {place_text(state)}: asked again, it gives other probabilities; abr needs the same"
                " answer to the same state, or what was just played may have had none"
            )


def _by_move(strategy: PokerStrategy, state: PublicState) -> dict[object, np.ndarray]:
    (policy,) = checked_answers(strategy, [state])
    return {move: policy.probabilities[:, [place]] for place, move in enumerate(policy.moves)}


def _num_questions(game: PokerResponderGame, options: SearchOptions, number: int, asked: list[PublicState]) -> float:
    """In a game where nothing is known yet, as it is when training begins."""
    trial = PokerResponderGame(_StandIn(asked), game.game, game.seat, game.levels)
    before = len(asked)
    nothing = Values(
        np.zeros(game.num_infosets, np.float32),
        np.zeros(game.num_slots, np.float32),
        np.zeros(game.num_infosets, np.uint8),
    )
    trial.play(replace(options, abreast=number), nothing, seed=0, first=0, number=number)
    return (len(asked) - before) / number


class _StandIn:
    """Answers at once, and keeps what it was asked."""

    name = STAND_IN.name
    is_sampled = False

    def __init__(self, asked: list[PublicState]) -> None:
        self._asked = asked

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        self._asked += states
        return STAND_IN.policies(states)
