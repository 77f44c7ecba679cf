"""A player that only plays as a strategy: `by-hand:PLAYER`, asked for one hand after the other.

A deterministic player does one thing with each hand, so what it does with all of them can be found by dealing it one
after another and playing up to the state: as slow as it sounds. Each question is a hand of its own, which is broken off
after the answer. Hands with which the player would not have come to a state are not asked about there: its earlier
answers say which.

That it is deterministic, and remembers nothing from hand to hand, is checked: on the way to a state it must do again
what it did before, and some questions are put a second time, in another order and with another stream of random
numbers. A player that draws lots, or that adapts, is refused as soon as that shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nashgap.agents.agent import Agent
from nashgap.agents.named import load_agent
from nashgap.cards.card import format_cards
from nashgap.core.game import CHANCE
from nashgap.core.recent import Recent
from nashgap.core.strategy import Policy
from nashgap.errors import AgentError, IllegalActionError, NashGapError
from nashgap.poker.hands import hand_names, hands_of, possible_hands
from nashgap.poker.moves import move_text
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, Action, PublicState, View, action_words
from nashgap.strategies.bot import BY_HAND, Bot
from nashgap.strategies.check_policy import place_text

__all__ = ["ByHandStrategy", "load_by_hand"]

NOT_ASKED = -2  # no action
MAX_KNOWN_STATES = 5_000  # of which the answers are remembered, 5 KB each
REPEATED_SHARE = 0.02  # of the answers of a state, which are asked for twice
MIN_REPEATED = 10


class ByHandStrategy:
    """What a deterministic agent does with every hand with which it comes to a state; with others it says call.

    deals_per_batch: few, because a state takes as many answers as there are hands: what is finished is kept.
    num_asked:       hands that were played to a state so far.
    """

    is_sampled = False
    deals_per_batch = 2

    def __init__(self, agent: Agent, rules: PokerRules) -> None:
        self.name = f"{BY_HAND}{agent.name}"
        self.rules = rules
        self.num_asked = 0
        self._hands = hands_of(rules)
        self._agent = agent
        self._is_started = False
        self._known: Recent[tuple[str, tuple[int, ...]], np.ndarray] = Recent(MAX_KNOWN_STATES)
        self._unproven: list[tuple[_Question, np.ndarray]] = []
        self._rng = np.random.Generator(np.random.Philox(key=0))
        self._choice_rng = np.random.default_rng(0)

    @property
    def slowness(self) -> str:
        """Why it takes long, for people."""
        return f"asked by hand, a player answers up to {len(self._hands):,} times for a state"

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        for state in states:
            if state.seat < 0:
                raise IllegalActionError(f"nobody is to act after {state.betting!r}")
        try:
            answers = [self._answers(state) for state in states]
            self._ask_again()
        except NashGapError:
            self.close()
            raise
        return [_policy(state, each) for state, each in zip(states, answers, strict=True)]

    def close(self) -> None:
        """Forget all answers, and end the player if it is a program; the next question starts it anew."""
        self._known.clear()
        self._unproven.clear()
        self._is_started = False
        close = getattr(self._agent, "close", None)
        if close is not None:
            close()

    def _answers(self, state: PublicState) -> np.ndarray:
        """`[H]` its action with each hand, or NOT_ASKED."""
        key = (state.betting, state.board)
        if key in self._known:
            return self._known[key]
        question = _Question(state)
        comes_here = possible_hands(state)
        if question.earlier:
            before, action = question.earlier[-1]
            comes_here &= self._answers(before) == action
        answers = np.full(len(self._hands), NOT_ASKED, np.int32)
        for place in np.flatnonzero(comes_here).tolist():
            answers[place] = self._ask(question, self._hands[place])
        self._unproven.append((question, answers))
        self._known[key] = answers
        return answers

    def _ask_again(self) -> None:
        """Put some of the new questions a second time, the last first."""
        while self._unproven:
            question, answers = self._unproven.pop()
            places = np.flatnonzero(answers != NOT_ASKED)
            number = min(len(places), max(MIN_REPEATED, round(REPEATED_SHARE * len(places))))
            for place in self._choice_rng.choice(places, number, replace=False).tolist():
                again = self._ask(question, self._hands[place])
                self._require_same(question.state, self._hands[place], int(answers[place]), again)

    def _ask(self, question: _Question, hole_cards: tuple[int, ...]) -> Action:
        """Deal a new hand, play it up to the state, and see what the agent does."""
        if not self._is_started:
            self._agent.start_match(self.rules)
            self._is_started = True
        self.num_asked += 1
        bits = self._rng.bit_generator
        assert isinstance(bits, np.random.Philox)
        bits.advance(1 << 64)  # the next stream
        self._agent.start_hand(question.state.seat, self._rng)
        for before, action in question.earlier:
            self._require_same(before, hole_cards, action, self._act(before, hole_cards))
        return self._act(question.state, hole_cards)

    def _act(self, state: PublicState, hole_cards: tuple[int, ...]) -> Action:
        action = self._agent.act(View(state, state.seat, hole_cards))
        if action not in state.legal:
            raise IllegalActionError(
                f"{self.name} {place_text(state)} with {format_cards(hole_cards)}: answers {action_words(action)};"
                f" legal: {state.legal}"
            )
        return action

    def _require_same(self, state: PublicState, hole_cards: tuple[int, ...], first: Action, second: Action) -> None:
        if first != second:
            raise AgentError(
                f"{self.name} {place_text(state)} with {format_cards(hole_cards)}: answers {action_words(first)}, and"
                f" {action_words(second)} when it is asked again; only a deterministic player that remembers nothing"
                " from hand to hand can be asked by hand; let it play instead: nashgap match"
            )


@dataclass(frozen=True)
class _Question:
    """A state, and how its seat came there."""

    state: PublicState

    @cached_property
    def earlier(self) -> tuple[tuple[PublicState, Action], ...]:
        """The decisions of the seat to act before this one, and what it did."""
        decisions = []
        passed = self.state.rules.root()
        for action in (action for done in self.state.history for action in done):
            if passed.seat == CHANCE:
                start = len(passed.board)
                passed = passed.deal(self.state.board[start : start + passed.num_missing_cards])
            if passed.seat == self.state.seat:
                decisions.append((passed, action))
            passed = passed.act(action)
        return tuple(decisions)


def _policy(state: PublicState, answers: np.ndarray) -> Policy:
    filled = np.where(possible_hands(state) & (answers == NOT_ASKED), CALL, answers)
    moves = tuple(int(action) for action in np.unique(filled) if action != NOT_ASKED)
    rows = (filled[:, None] == np.array(moves)).astype(np.float64)
    rules = state.rules
    return Policy(hand_names(rules), tuple(move_text(rules, move) for move in moves), rows, moves)


def load_by_hand(player: Bot, rules: PokerRules) -> ByHandStrategy:
    """The strategy of the player that `by-hand:PLAYER` names."""
    return ByHandStrategy(load_agent(player, rules), rules)
