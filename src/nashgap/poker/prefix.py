"""A prefix of the betting: what has been done before a part of the game begins, `rf` or `r300c`.

Which cards lie on the board does not matter to the betting: the states of a prefix that goes on after the first round
have some.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nashgap.errors import IllegalActionError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import FOLD, Action, PublicState
from nashgap.poker.typed_state import actions_after, dealt

__all__ = ["folded_seats", "on_any_board", "parse_prefix", "prefix_end", "prefix_steps", "prefix_text"]


def parse_prefix(rules: PokerRules, text: str) -> tuple[Action, ...]:
    """The actions that somebody types; refused where one is illegal, or where the hand is over behind them."""
    actions = actions_after(rules, text)
    if not actions:
        raise IllegalActionError("betting '': a prefix has at least one action, as rf has two")
    return actions


def prefix_steps(rules: PokerRules, prefix: Sequence[Action]) -> Iterator[tuple[PublicState, Action]]:
    """Each decision of the prefix and what is done there."""
    state = rules.root()
    for action in prefix:
        state = on_any_board(state)
        yield state, action
        state = state.act(action)


def prefix_end(rules: PokerRules, prefix: Sequence[Action]) -> PublicState:
    """The decision behind the prefix."""
    state = rules.root()
    for action in prefix:
        state = on_any_board(state).act(action)
    return on_any_board(state)


def prefix_text(rules: PokerRules, prefix: Sequence[Action]) -> str:
    """In the competition's letters, without a slash at its end."""
    return prefix_end(rules, prefix).betting.rstrip("/")


def folded_seats(rules: PokerRules, prefix: Sequence[Action]) -> tuple[int, ...]:
    """The seats that are out behind the prefix."""
    return tuple(sorted(state.seat for state, action in prefix_steps(rules, prefix) if action == FOLD))


def on_any_board(state: PublicState) -> PublicState:
    """The state with some board cards, where some are to be dealt."""
    return dealt(state, state.rules.deck)
