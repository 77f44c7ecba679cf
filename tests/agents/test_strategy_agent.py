"""A solved strategy at the table."""

import numpy as np
import pytest

from nashgap import _native
from nashgap.agents.named import load_agent
from nashgap.agents.strategy_agent import StrategyAgent
from nashgap.errors import MismatchError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import expected_values
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, View
from nashgap.solvers.sequence_lp import solve_sequence_lp
from nashgap.strategies.load import save
from nashgap.strategies.named import always_call
from nashgap.strategies.poker_table import PokerTableStrategy
from nashgap.strategies.table import uniform


def payoffs_against_callers(agent, rules, seat, num_hands):
    """`[num_hands]` chips of the agent in this seat; all others check and call."""
    agent.start_match(rules)
    won = np.empty(num_hands)
    for deal in range(num_hands):
        cards = _native.deal_cards(rules.native, 5, deal)
        size = rules.num_hole_cards
        hole_cards = [cards[size * s : size * s + size] for s in range(rules.num_seats)]
        agent.start_hand(seat, np.random.Generator(np.random.Philox(key=deal)))
        state = rules.root()
        board = cards[size * rules.num_seats :]
        while not state.is_over:
            if state.num_missing_cards:
                state = state.deal(board[len(state.board) : len(state.board) + state.num_missing_cards])
            elif state.seat == seat:
                state = state.act(agent.act(View(state, seat, hole_cards[seat])))
            else:
                state = state.act(CALL)
        won[deal] = state.payoffs(hole_cards)[seat]
    return won


@pytest.mark.parametrize(("game", "seat"), [("kuhn2", 0), ("kuhn2", 1), ("leduc2", 1)])
def test_a_solved_strategy_wins_from_a_caller_what_it_should(game, seat):
    """Within four standard errors of the exact value of the two strategies; and the interval is a narrow one."""
    tree = load_tree(game)
    solved = solve_sequence_lp(tree).strategy
    exact = expected_values(tree, always_call(tree).with_players({seat: solved}))[seat]
    won = payoffs_against_callers(StrategyAgent(PokerTableStrategy("solved", solved)), load_rules(game), seat, 4000)
    error = won.std() / len(won) ** 0.5
    assert error < 0.1
    assert won.mean() == pytest.approx(exact, abs=4 * error)


def test_the_same_generator_gives_the_same_hand():
    agent = StrategyAgent(PokerTableStrategy("uniform", uniform(load_tree("leduc2"))))
    rules = load_rules("leduc2")
    first, second = (payoffs_against_callers(agent, rules, 0, 50) for _ in range(2))
    assert (first == second).all()


def test_a_strategy_file_takes_a_seat_at_its_own_game_only(tmp_path):
    path = str(tmp_path / "kuhn.safetensors")
    save(path, uniform(load_tree("kuhn2")))
    assert load_agent(path, load_rules("kuhn2")).name == path
    with pytest.raises(MismatchError, match=r"kuhn\.safetensors' has a strategy for kuhn2, not for leduc2"):
        load_agent(path, load_rules("leduc2"))


def test_a_strategy_of_no_poker_game_is_refused():
    with pytest.raises(MismatchError, match=r"for liars_dice.* cannot sit at a poker table; one for a poker game"):
        PokerTableStrategy("k", uniform(load_tree("liars_dice(dice_sides=2)")))
