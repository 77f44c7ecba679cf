"""Look at a strategy: what it does after some betting on some board, for all hands at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from nashgap.cards.card import SUITS, format_cards
from nashgap.core.game import CHANCE
from nashgap.core.strategy import Policy, RaiseRange
from nashgap.errors import ConfigError
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.moves import Move, move_text
from nashgap.poker.replay import replay
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, FOLD, Action, PublicState
from nashgap.poker.typed_state import state_after, typed_cards
from nashgap.poker.words import betting_words, move_words, round_name
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.check_policy import check_policies
from nashgap.strategies.poker_table import PokerTableStrategy
from nashgap.strategies.spot_strategy import SpotStrategy
from nashgap.strategies.strategy_view import Onward, StrategyView
from nashgap.strategies.table import TableStrategy
from nashgap.strategies.tree_view import view_table

__all__ = ["HasPolicies", "Onward", "StrategyView", "line_ranges", "view_strategy"]


class HasPolicies(Protocol):
    """Any strategy at the real table."""

    def policies(self, states: Sequence[PublicState]) -> list[Policy]: ...


def view_strategy(
    strategy: HasPolicies | TableStrategy,
    rules: PokerRules | None = None,
    after: str = "",
    board: str = "",
    *,
    name: str = "",
) -> StrategyView:
    """What the strategy does after this betting on this board.

    rules: the poker game; only needed for a strategy that does not know its own.
    after: `r300c/cc/cc/`, see `nashgap.poker.typed_state`; in a small game that is no poker game the public label of
           its information sets, such as `crc/Kh:`, see `nashgap.strategies.tree_view`; of a spot its own line,
           `x b100 c 7h`, see `nashgap.poker.spot`. Empty: the first decision.
    name:  the strategy's, where it is to have another than its own.
    """
    if isinstance(strategy, SpotStrategy):
        later = [card for card in typed_cards(board) if card not in strategy.spot.board]
        line = " ".join([after, *(format_cards([card]) for card in later)]).strip()
        return replace(strategy.at(line), strategy=name or strategy.name)
    if isinstance(strategy, TableStrategy):
        if strategy.tree.definition.get("name") != "poker":
            return view_table(strategy, after, board, name=name)
        strategy = PokerTableStrategy(name or strategy.tree.game, strategy)
    rules = rules if rules is not None else getattr(strategy, "rules", None)
    name = name or getattr(strategy, "name", "") or type(strategy).__name__
    if rules is None:
        raise ConfigError(f"{name} does not know its game; name its rules too")
    return _view_poker(strategy, rules, state_after(rules, after, board), name)


def line_ranges(
    strategy: HasPolicies, rules: PokerRules, after: str = "", board: str = "", *, name: str = ""
) -> dict[int, np.ndarray]:
    """By seat that holds cards, for each hand that can be held how often the seat's own decisions bring it here, `[H]`.

    All seats are played by the strategy. What others hold, and what their hands take from the deck, is left out.
    """
    state = state_after(rules, after, board)
    seats = [seat for seat, has_folded in enumerate(state.has_folded) if not has_folded]
    ranges, steps = {}, []
    for seat in seats:
        ranges[seat], own = _decided(strategy, state, seat)
        steps += own
    states = [before for before, _ in steps]
    policies = check_policies(strategy.policies(states), states, name or type(strategy).__name__) if states else []
    for policy, (before, action) in zip(policies, steps, strict=True):
        ranges[before.seat] = ranges[before.seat] * policy.chance_of(action)
    is_possible = possible_hands(state)
    return {seat: reach[is_possible] for seat, reach in ranges.items()}


def _decided(
    strategy: HasPolicies, state: PublicState, seat: int
) -> tuple[np.ndarray, list[tuple[PublicState, Action]]]:
    """What the seat brings to the first of its decisions that the strategy makes, `[H]`, and those decisions."""
    reach = np.ones(len(hand_names(state.rules)))
    own = [(step.before, step.action) for step in replay(state) if step.before.seat == seat]
    decided = [(before, action) for before, action in own if action is not None]
    if isinstance(strategy, AbstractStrategy) and not strategy.is_complete:  # an expert, which was told how hands come
        segment = strategy.segment_at(state)
        if segment is not None and segment.game.ranges is not None:
            reach = segment.game.ranges[seat]
        decided = [(before, action) for before, action in decided if strategy.segment_at(before) is not None]
    return reach, decided


def _view_poker(strategy: HasPolicies, rules: PokerRules, state: PublicState, name: str) -> StrategyView:
    reach, earlier = _decided(strategy, state, state.seat)
    states = [*(before for before, _ in earlier), state]
    *before, here = check_policies(strategy.policies(states), states, name)
    here = _with_legal_moves(here, state)
    is_possible = possible_hands(state)
    names, numbers = hand_names(rules), np.flatnonzero(is_possible)
    for policy, (_, action) in zip(before, earlier, strict=True):
        reach = reach * policy.chance_of(action)
    moves = sorted(here.moves, key=_size)
    columns = [here.moves.index(move) for move in moves]
    probabilities = np.broadcast_to(here.probabilities, (len(names), len(moves)))
    return StrategyView(
        strategy=name,
        game=rules.name or "poker",
        after=state.betting,
        board=format_cards(state.board),
        seat=state.seat,
        street=round_name(rules, state.round),
        pot=state.pot,
        to_call=state.to_call,
        story=betting_words(state),
        actions=tuple(move_text(rules, move) for move in moves),
        words=tuple(move_words(state, move) for move in moves),
        hands=tuple(names[number] for number in numbers),
        probabilities=probabilities[is_possible][:, columns],
        reach=reach[is_possible],
        onward=tuple(_onward(state, move) for move in moves),
        numbers=numbers if _has_classes(rules, state) else None,
        raise_sizes=_raise_sizes(state),
    )


def _with_legal_moves(policy: Policy, state: PublicState) -> Policy:
    """The policy with a fold, a call and a limit game's raise wherever they are legal, even if it never makes them."""
    legal = state.legal
    named = [*([FOLD] if legal.can_fold else []), CALL]
    named += [legal.max_raise_to] if legal.can_raise and not state.rules.has_sizes else []
    missing = [move for move in named if move not in policy.moves]
    nothing = np.zeros((len(policy.probabilities), len(missing)))
    return replace(
        policy,
        actions=(*policy.actions, *(move_text(state.rules, move) for move in missing)),
        probabilities=np.hstack([policy.probabilities, nothing]),
        moves=(*policy.moves, *missing),
    )


def _raise_sizes(state: PublicState) -> tuple[str, str] | None:
    legal = state.legal
    if not (legal.can_raise and state.rules.has_sizes):
        return None
    return move_text(state.rules, legal.min_raise_to), move_text(state.rules, legal.max_raise_to)


def _has_classes(rules: PokerRules, state: PublicState) -> bool:
    """Whether hands are those of hold'em, with boards that have names."""
    return rules.num_hole_cards == 2 and rules.num_suits == len(SUITS) and len(state.board) in (0, 3, 4, 5)


def _onward(state: PublicState, move: Move) -> Onward:
    """Of a range of raises the smallest."""
    text = move_text(state.rules, move)
    behind = state.act(move.low if isinstance(move, RaiseRange) else move)
    betting, num_seen = behind.betting, len(state.board)
    while behind.seat == CHANCE:  # which cards they are does not matter to who acts
        left = [card for card in state.rules.deck if card not in behind.board]
        behind = behind.deal(left[: behind.num_missing_cards])
    if behind.is_over:
        return Onward(text, ())
    return Onward(text, (betting,), behind.seat, len(behind.board) - num_seen)


def _size(move: Move) -> int:
    """Fold, call, then raises by size."""
    return move.low if isinstance(move, RaiseRange) else move
