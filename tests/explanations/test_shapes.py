"""Plans, equilibria and shapes of the limit river endgame."""

import numpy as np
import pytest

from nashgap.errors import MismatchError
from nashgap.explanations.bet_size_games import Stakes, sample_games
from nashgap.explanations.river_equilibria import RIVER_CHOICES, solve_river
from nashgap.explanations.river_models import has_conforming_equilibrium
from nashgap.explanations.river_plans import RiverPlans
from nashgap.explanations.shapes import LEVELS, conforms, covering_models, intervals_of, num_needed
from nashgap.games.compiled import tree_of
from nashgap.games.river_limit import RiverLimit
from nashgap.measures.best_response import exploitability
from nashgap.solvers.sequence_lp import solve_sequence_lp
from nashgap.strategies.table import tabulated

NAMES = ("fold", "call", "raise")


def plans_in(intervals):
    return tuple(interval.plan for interval in intervals)


def test_plans_of_a_bet_and_one_raise():
    assert RiverPlans(raises=2).plans == (
        ("check-fold", "check-call", "check-raise", "bet-fold", "bet-call"),
        ("check", "bet-fold", "bet-call"),
        ("fold", "call", "raise"),
    )
    assert RiverPlans(raises=1).plans == (("check-fold", "check-call", "bet"), ("check", "bet"), ("fold", "call"))
    assert list(map(len, RiverPlans(raises=4).plans)) == [9, 5, 5]


def test_payoffs_of_plans_by_hand():
    plans = RiverPlans(pot=4.0, raises=2)
    first, second = plans.plans[0], plans.plans[1] + plans.plans[2]

    def won(own, place):
        return plans.payoffs[first.index(own), place].tolist()

    assert won("check-raise", second.index("bet-call")) == [-4, 0, 4]
    assert won("check-raise", second.index("bet-fold")) == [3, 3, 3]
    assert won("check-fold", second.index("bet-call")) == [-2, -2, -2]
    assert won("bet-fold", second.index("raise")) == [-3, -3, -3]
    assert won("bet-call", second.index("check")) == [0, 0, 0]  # for the other first action


def joints(deck, count):
    return sample_games(Stakes(deck=deck), 9, 0, count).joint


@pytest.mark.parametrize("raises", [1, 2, 4])
def test_the_value_in_plans_is_that_of_the_sequence_form(raises):
    for joint in joints(5, 3):
        solved = solve_river(RiverPlans(raises=raises), joint)
        tree = tree_of(RiverLimit(joint=joint, raises=raises))
        assert solved.value == pytest.approx(solve_sequence_lp(tree).value, abs=1e-9)
        assert solved.loss < 1e-9
        assert solved.is_proven


def behaviour(plans, weights):
    """The behaviour strategy of mixtures of plans, as a function for `tabulated`."""
    situations = {0: "", 1: "k", 2: "b"}

    def choose(player, infoset, actions):
        card, _, label = infoset.partition(" ")
        situation = 0 if player == 0 else 1 if label.startswith("k") else 2
        own = label[len(situations[situation]) :]
        words = {"k": "check", "b": "bet", "r": "raise"}
        done = [words[letter] for letter in own[::2]]
        row = dict(zip(plans.plans[situation], weights[situation][int(card) - 1], strict=True))
        chances = [
            sum(weight for plan, weight in row.items() if plan.split("-")[: len(done) + 1] == [*done, action])
            for action in actions
        ]
        total = sum(chances)
        return [chance / total for chance in chances] if total > 0 else [1 / len(actions)] * len(actions)

    return choose


@pytest.mark.parametrize("choice", RIVER_CHOICES)
def test_both_choices_are_equilibria_and_weights_survive_the_way_back(choice):
    plans = RiverPlans(raises=2)
    for joint in joints(6, 3):
        weights = solve_river(plans, joint).weights[choice]
        tree = tree_of(RiverLimit(joint=joint, raises=2))
        strategy = tabulated(tree, behaviour(plans, weights))
        assert exploitability(tree, strategy).nash_conv == pytest.approx(0.0, abs=1e-8)
        for again, table in zip(plans.weights_of(strategy), weights, strict=True):
            np.testing.assert_allclose(again, table, atol=1e-12)


def test_weights_of_another_game_are_refused():
    tree = tree_of(RiverLimit(deck=3, raises=1))
    strategy = solve_sequence_lp(tree).strategy
    with pytest.raises(MismatchError, match="for river_limit with pot 5 and 2 raises; the strategy is for river_limit"):
        RiverPlans(raises=2).weights_of(strategy)


def test_the_fewest_intervals_are_never_more_than_the_solvers():
    plans = RiverPlans(raises=2)
    level = LEVELS[-1]
    fewer = 0
    for joint in joints(6, 4):
        weights = solve_river(plans, joint).weights
        first, rest = ([len(part) for part in level.intervals(plans, weights[choice])] for choice in RIVER_CHOICES)
        assert rest[0] <= first[0]
        assert sum(rest[1:]) <= sum(first[1:])
        fewer += sum(rest) < sum(first)
    assert fewer > 0


def test_hands_that_are_never_dealt_have_no_plan():
    joint = np.zeros((5, 5))
    joint[[1, 4], 2] = 0.5
    plans = RiverPlans(raises=2)
    solved = solve_river(plans, joint)
    assert solved.value == pytest.approx(2.5 / 6, abs=1e-9)
    weights = solved.weights["fewest-intervals"]
    np.testing.assert_array_equal([table.sum(axis=1).round(9) for table in weights[:1]], [[0, 1, 0, 0, 1]])
    assert plans_in(LEVELS[0].intervals(plans, weights)[0]) == ("check", "bet")


def test_equal_neighbours_are_one_interval():
    intervals = intervals_of(NAMES, np.eye(3)[[0, 0, 1, 2]])
    assert plans_in(intervals) == NAMES
    assert [interval.width for interval in intervals] == [0.5, 0.25, 0.25]


def test_a_mixed_hand_is_divided_at_the_border():
    weights = np.array([[1, 0, 0], [0.25, 0.75, 0], [0, 1, 0]])
    intervals = intervals_of(NAMES, weights)
    assert plans_in(intervals) == ("fold", "call")
    assert [interval.width for interval in intervals] == pytest.approx([1.25 / 3, 1.75 / 3])


def test_a_mixed_hand_in_the_middle_of_an_interval_divides_it():
    assert plans_in(intervals_of(NAMES, np.array([[1, 0, 0], [0.5, 0.5, 0], [1, 0, 0]]))) == ("fold", "call", "fold")


def test_a_worst_hand_that_bluffs_at_times_bluffs_with_its_worst_part():
    weights = np.array([[0.7, 0, 0.3], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert plans_in(intervals_of(NAMES, weights)) == ("raise", "fold", "call", "raise")


def test_hands_without_weights_are_skipped_and_columns_of_one_name_are_added():
    weights = np.array([[0.5, 0.5, 0], [0, 0, 0], [0, 0, 1]])
    assert plans_in(intervals_of(("bet", "bet", "check"), weights)) == ("bet", "check")


def test_a_level_tells_only_so_many_actions_apart():
    plans = RiverPlans(raises=2)
    weights = solve_river(plans, joints(5, 1)[0]).weights["solver"]
    first_action, *_, both = (level.intervals(plans, weights) for level in LEVELS)
    assert set(plans_in(first_action[0])) <= {"check", "bet"}
    assert (len(first_action), len(both)) == (1, 3)


def test_a_shape_conforms_to_a_model_with_empty_intervals():
    model = (("bet", "check", "bet"),)
    assert conforms((("bet",),), model)
    assert conforms((("check", "bet"),), model)
    assert not conforms((("check", "bet", "check"),), model)
    assert not conforms((("bet",), ("call", "fold")), (("bet", "check"), ("fold", "call")))


def test_models_cover_most_first_and_all_in_the_end():
    a, b, c = (("x", "y"),), (("x", "y", "x"),), (("y", "x", "y", "x"),)
    lone = (("z",),)
    models = covering_models({a: 5, b: 3, c: 1, lone: 2})
    assert [(model.shape, model.count) for model in models] == [(c, 9), (lone, 2)]


def test_how_many_counts_make_up_a_share():
    counts = [50, 30, 19, 1]
    assert [num_needed(counts, share) for share in (0.5, 0.51, 0.8, 0.99, 1.0)] == [1, 2, 2, 3, 4]


def test_an_equilibrium_conforms_to_its_own_shape_and_to_longer_models():
    plans = RiverPlans(raises=2)
    for joint in joints(6, 3):
        weights = solve_river(plans, joint).weights["fewest-intervals"]
        shape = tuple(plans_in(part) for part in LEVELS[-1].intervals(plans, weights))
        assert has_conforming_equilibrium(plans, joint, shape)
        assert has_conforming_equilibrium(plans, joint, shape[:1])
        assert has_conforming_equilibrium(plans, joint, ((*shape[0], "check-fold"), *shape[1:]))
        assert has_conforming_equilibrium(plans, joint, (("check-raise", *shape[0]), ("check", *shape[1]), shape[2]))


def test_no_equilibrium_has_fewer_intervals_than_the_fewest():
    """Leaving out any one interval of the simplest shape leaves a model that nothing conforms to."""
    plans = RiverPlans(raises=2)
    joint = joints(5, 1)[0]
    weights = solve_river(plans, joint).weights["fewest-intervals"]
    (shape,) = (plans_in(part) for part in LEVELS[2].intervals(plans, weights))
    assert len(shape) > 2
    for place in range(len(shape)):
        assert not has_conforming_equilibrium(plans, joint, ((*shape[:place], *shape[place + 1 :]),))


def test_a_model_without_bluffs_does_not_fit_the_best_or_the_worst_hand():
    """The best hand bets and the worst one bluffs with it: worst hands must be able to do both."""
    joint = np.zeros((3, 3))
    joint[[0, 2], 1] = 0.5
    plans = RiverPlans(raises=1)
    assert has_conforming_equilibrium(plans, joint, (("check-fold", "bet"),))
    assert not has_conforming_equilibrium(plans, joint, (("check-fold",),))
    assert not has_conforming_equilibrium(plans, joint, (("bet",),))
    assert not has_conforming_equilibrium(plans, joint, (("bet", "check-fold"),))
