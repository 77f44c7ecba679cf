"""A policy of OpenSpiel's for `universal_poker` as a strategy at the real table.

OpenSpiel asks about one hand at a time, so each hand is dealt to the seat, with any other cards to the others, and the
betting played up to the state. A raise that the policy's game does not have, in one with a betting abstraction, cannot
be asked about and is refused: take `bettingAbstraction=fullgame` for games with sizes, or bets that it has.

Lanctot et al., OpenSpiel: a framework for reinforcement learning in games (2019).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from nashgap.core.strategy import Policy
from nashgap.errors import MismatchError, MissingExtraError
from nashgap.poker.hands import hand_names, hands_of, possible_hands
from nashgap.poker.moves import move_text
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, FOLD, Action, PublicState
from nashgap.strategies.check_policy import check_policy, place_text

__all__ = ["OpenSpielStrategy", "universal_poker"]

_FOLD, _CALL = 0, 1  # OpenSpiel's numbers; all others raise
MAX_ABSTRACT_ACTIONS = 20
_SEQUENCES = re.compile(r"\[Sequences: (.*?)\]")
_LAST_RAISE = re.compile(r"r([0-9]*)$")


def universal_poker(rules: PokerRules, betting: str = "fullgame") -> Any:
    """The `pyspiel.Game` of these rules.

    betting: OpenSpiel's `bettingAbstraction`; games without sizes have one raise, whatever it says.
    """
    try:
        import pyspiel
    except ImportError:
        raise MissingExtraError(
            "universal_poker needs OpenSpiel; install it with: pip install 'nashgap[openspiel]'"
        ) from None
    text = str(pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(rules.to_text()))
    return pyspiel.load_game(f"{text[:-1]},bettingAbstraction={betting if rules.has_sizes else 'fcpa'})")


class OpenSpielStrategy:
    """Asks `policy.action_probabilities(state, player)` of OpenSpiel's, hand by hand.

    game: the `universal_poker` game that the policy is for.
    """

    is_sampled = False

    def __init__(self, policy: Any, game: Any, name: str = "openspiel policy") -> None:
        self.name = name
        self._policy = policy
        self._game = game

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        return [self._asked(state) for state in states]

    def _asked(self, state: PublicState) -> Policy:
        is_possible = possible_hands(state)
        hands = hands_of(state.rules)
        try:
            actions = self._actions(state, hands[int(np.argmax(is_possible))])
        except RuntimeError as error:  # OpenSpiel's
            raise MismatchError(
                f"{self.name}: OpenSpiel's game is another one: {place_text(state)}, {error}"
            ) from error
        columns: dict[Action, np.ndarray] = {}
        for place in np.flatnonzero(is_possible).tolist():
            dealt = self._played(_deal(state, hands[place]) + actions)
            for action, probability in self._policy.action_probabilities(dealt, state.seat).items():
                if probability > 0:
                    move = _move(dealt, action, state)
                    columns.setdefault(move, np.zeros(len(hands)))[place] = probability
        moves = tuple(sorted(columns))
        rows = np.column_stack([columns[move] for move in moves])
        names = tuple(move_text(state.rules, move) for move in moves)
        return check_policy(Policy(hand_names(state.rules), names, rows, moves), state, self.name)

    def _actions(self, state: PublicState, hand: tuple[int, ...]) -> list[int]:
        """OpenSpiel's actions of the betting, and of the board cards between."""
        played = self._played(_deal(state, hand))
        actions: list[int] = []
        board = iter(state.board)
        seen = state.rules.root()
        for move in (move for done in state.history for move in done):
            while played.is_chance_node():
                actions.append(state.rules.deck.index(next(board)))
                played.apply_action(actions[-1])
            if seen.num_missing_cards:
                seen = seen.deal(state.board[len(seen.board) :][: seen.num_missing_cards])
            actions.append(self._action(played, move, seen, state))
            played.apply_action(actions[-1])
            seen = seen.act(move)
        actions += (state.rules.deck.index(card) for card in board)
        played = self._played(_deal(state, hand) + actions)
        if played.is_terminal() or played.is_chance_node() or played.current_player() != state.seat:
            raise MismatchError(f"{self.name}: OpenSpiel's game is another one: {place_text(state)}, it has none there")
        return actions

    def _action(self, played: Any, move: Action, seen: PublicState, state: PublicState) -> int:
        """OpenSpiel's number of our action."""
        if move in (FOLD, CALL):
            return _FOLD if move == FOLD else _CALL
        legal = played.legal_actions()
        raises = legal if len(legal) <= MAX_ABSTRACT_ACTIONS else [move]
        for action in raises:
            if action in legal and _move(played, action, seen) == move:
                return int(action)
        raise MismatchError(
            f"{self.name} {place_text(state)}: OpenSpiel's game has no raise to {move} after {seen.betting!r}"
        )

    def _played(self, actions: Sequence[int]) -> Any:
        state = self._game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        return state


def _deal(state: PublicState, hand: tuple[int, ...]) -> list[int]:
    """OpenSpiel deals all cards of a seat before those of the next; the others get any."""
    rules = state.rules
    taken = {*hand, *state.board}
    free = (card for card in rules.deck if card not in taken)
    cards = [
        card
        for seat in range(rules.num_seats)
        for card in (hand if seat == state.seat else [next(free) for _ in range(rules.num_hole_cards)])
    ]
    return [rules.deck.index(card) for card in cards]


def _move(played: Any, action: int, state: PublicState) -> Action:
    """Our number of OpenSpiel's action."""
    if action in (_FOLD, _CALL):
        return FOLD if action == _FOLD else CALL
    if not state.rules.has_sizes:
        return state.legal.max_raise_to
    betting = _SEQUENCES.search(played.child(action).information_state_string(0))
    raised = _LAST_RAISE.search(betting[1]) if betting else None
    assert raised, "universal_poker writes raises with their size"
    return int(raised[1])
