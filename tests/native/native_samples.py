"""Arguments with which every call of `nashgap._native` is sound, in several small games.

A call is named as in the stub: `find_nearest`, `LbrBatch` for its constructor, `LbrBatch.read`. Its arguments are made
anew each time, so that one call leaves nothing behind for the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from abstract_games import PAIRS, sized_rules
from short_decks import short_deck

from nashgap import _native
from nashgap.agents.rule_based import preflop_plays
from nashgap.games.compiled import load_tree
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import PokerRules, load_rules, parse_rules

NUM_HANDS = 1326
NUM_BOARDS = (1, 1755, 16432, 134459)  # canonical ones of the streets
NUM_MATCHUPS = 47_008  # canonical pairs of hands before the flop

HOLDEM_TWO_ROUNDS = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 1000 1000
blind = 100 50
firstPlayer = 2 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3
END GAMEDEF"""

Arguments = dict[str, Any]


def zeros(street: int, dtype: type = np.uint16) -> np.ndarray:
    """A table of all boards and hands; memory is taken where it is written only."""
    return np.zeros((NUM_BOARDS[street], NUM_HANDS), dtype)


class Game:
    """Handles of one poker game, and what belongs to them."""

    def __init__(self, name: str, rules: PokerRules, betting: str = "full", line: str = "") -> None:
        self.name, self.rules, self.line = name, rules, line
        self.abstraction = parse_betting_abstraction(betting)
        self.bets = self.abstraction.native(rules)
        self.python_tree = build_betting_tree(rules, self.abstraction)
        self.tree = self.python_tree.native
        self.native = rules.native
        self.num_deal_cards = rules.num_seats * rules.num_hole_cards + sum(rules.num_board_cards)
        self.num_hands = NUM_HANDS if rules.num_hole_cards == 2 else len(rules.deck)

    @property
    def is_for_two(self) -> bool:
        return self.rules.num_seats == 2

    @property
    def has_all_cards(self) -> bool:
        return len(self.rules.deck) == 52

    @cached_property
    def cards(self) -> Any:
        if not self.has_all_cards:
            return _native.LosslessSmall(self.native)
        tables = (np.zeros(NUM_HANDS, np.uint16), zeros(1))
        return _native.HoldemBuckets([_native.BucketTable(i, tables[i], 3) for i in range(2)], [[], [0]])

    @cached_property
    def abstract_game(self) -> Any:
        seats = self.rules.num_seats
        cards = [[None, None] + [self.cards] * (seats - 1) for _ in range(seats)]
        return _native.AbstractGame(self.native, self.bets, self.tree, cards, [])

    def tables(self) -> tuple[np.ndarray, ...]:
        starts = self.abstract_game.entry_start
        return tuple(np.full(end - start, 0.25, np.float32) for start, end in pairwise(starts))

    def strategy(self) -> Any:
        return _native.AbstractStrategy([(self.abstract_game, self.tables())], True, False, 0, 0.0, False)

    def state(self) -> Any:
        """Somebody is to act in it, and the first cards of the board lie there."""
        return _native.PokerState.parse(self.native, self.line, list(self.board(self.line.count("/"))))

    def ended(self) -> Any:
        state = _native.PokerState(self.native)
        while state.turn != -2:
            state = state.deal(self.fresh(state)) if state.turn == -1 else state.act(0)
        return state

    def fresh(self, state: Any) -> list[int]:
        return [card for card in self.rules.deck if card not in state.board][: state.num_missing_cards]

    def board(self, number: int) -> tuple[int, ...]:
        return tuple(self.rules.deck[: sum(self.rules.num_board_cards[: number + 1])])

    @property
    def full_board(self) -> tuple[int, ...]:
        return self.board(self.rules.num_rounds - 1)

    @property
    def hole_cards(self) -> list[int]:
        return list(self.rules.deck[-self.rules.num_hole_cards :])

    def all_cards(self) -> list[int]:
        return list(self.rules.deck[::-1][: self.num_deal_cards])

    def opponent(self) -> Any:
        return _native.TableOpponent(self.strategy(), 0)

    def opponents(self) -> list[Any]:
        others: list[Any] = [self.opponent(), _native.BlindOpponent(_native.TripleAgent(0.1, 0.5, 0))]
        return others[: self.rules.num_seats - 1]

    def seatings(self) -> np.ndarray:
        seats = self.rules.num_seats
        return np.array([np.roll(np.arange(seats), shift) for shift in range(seats)], np.int8)

    def ranges(self) -> np.ndarray:
        return np.ones((2, self.num_hands), np.float32)


def games() -> dict[str, Game]:
    return {
        "leduc": Game("leduc", load_rules("leduc2"), line="cc/"),
        "pairs": Game("pairs", PAIRS, line="cr"),
        "sized": Game("sized", sized_rules(2, stacks=[500, 500]), "fcpa", "r300"),
        "three": Game("three", sized_rules(3, stacks=[500, 400, 300]), "fcpa", "c"),
        "holdem": Game("holdem", parse_rules(HOLDEM_TWO_ROUNDS, "holdem of two rounds"), "fcpa", "cc/"),
        "begun": Game("begun", short_deck(2, 2, 6, 2, "3 1"), line="c"),
    }


def is_river_table(array: object) -> bool:
    return isinstance(array, np.ndarray) and array.size == NUM_BOARDS[3] * NUM_HANDS


Sample = Callable[[Game], Arguments]
ALL = ["leduc", "pairs", "sized", "three", "holdem", "begun"]
FOR_TWO = [name for name in ALL if name != "three"]
SMALL = [name for name in ALL if name != "holdem"]
WHOLE = [name for name in FOR_TWO if name != "begun"]  # of two seats, whose boards are empty at first

CALLS: dict[str, tuple[list[str], Sample]] = {}
"""The games in which a call is sound, and its arguments there; of a method `self` is the first."""

# These would compute for minutes: one array of theirs is too small, whatever else is right.
NEVER_RUN = {"build_river_levels", "build_earlier_levels", "build_kmeans_buckets", "build_matchup_points"}
NEVER_RUN |= {"RankBuckets"}


def sample(name: str, games: list[str] | None = None) -> Callable[[Sample], Sample]:
    def add(make: Sample) -> Sample:
        CALLS[name] = (games or ALL, make)
        return make

    return add


def call(name: str, games: list[str] | None = None, **arguments: Any) -> None:
    """Arguments that do not depend on the game."""
    CALLS[name] = (games or ["leduc"], lambda game: {key: make() for key, make in arguments.items()})


def function_of(name: str) -> Callable[..., Any]:
    owner, _, member = name.rpartition(".")
    if not owner:
        return getattr(_native, name)
    found = vars(getattr(_native, owner))[member]
    if isinstance(found, property):
        return found.fget
    return getattr(getattr(_native, owner), member)


def members(kind: type) -> list[str]:
    return [name for name in vars(kind) if not name.startswith("__")]


def all_names() -> set[str]:
    """Everything that Python can call, constructors by the name of the class."""
    names = set()
    for name, value in vars(_native).items():
        if isinstance(value, type):
            if hasattr(value.__init__, "__nb_signature__") and "__init__" in vars(value):
                names.add(name)
            names |= {f"{name}.{member}" for member in members(value)}
        elif callable(value):
            names.add(name)
    return names


# Trees of small games, which know no poker.

TREES = {name: load_tree(name) for name in ("kuhn", "leduc", "liars_dice(dice_sides=3)", "kuhn(players=3)")}
TREE_FIELDS = [
    "block_player",
    "block_start",
    "block_edge",
    "edge_block",
    "node_row",
    "chance_start",
    "chance_block",
    "chance_lane",
    "chance_prob",
    "returns",
    "infoset_slot",
    "infoset_stride",
    "infoset_size",
    "infoset_parent",
    "group_infoset",
    "player_group",
    "leaf_sequence",
    "leaf_size",
    "leaf_payoff",
    "payoff",
]


def tree_arguments(name: str) -> Arguments:
    tree = TREES[name]
    return {"num_players": tree.num_players} | {field: getattr(tree, field).copy() for field in TREE_FIELDS}


def tree_of(game: Game) -> Any:
    """Another one for each poker game, so that there are several."""
    return list(TREES.values())[ALL.index(game.name) % len(TREES)]


def slots(game: Game) -> np.ndarray:
    return np.full(tree_of(game).num_slots, 0.5)


@sample("Tree")
def _(game: Game) -> Arguments:
    return tree_arguments(list(TREES)[ALL.index(game.name) % len(TREES)])


@sample("expected_returns")
def _(game: Game) -> Arguments:
    return {"tree": tree_of(game).native, "strategy": slots(game), "returns": np.zeros(tree_of(game).num_players)}


@sample("best_response")
def _(game: Game) -> Arguments:
    returns = {name: np.zeros(tree_of(game).num_players) for name in ("returns", "best_returns")}
    return {"tree": tree_of(game).native, "strategy": slots(game)} | returns | {"response": slots(game)}


@sample("normalise")
def _(game: Game) -> Arguments:
    return {"tree": tree_of(game).native, "sums": slots(game), "strategy": slots(game)}


@sample("own_reach")
def _(game: Game) -> Arguments:
    tree = tree_of(game)
    return {"tree": tree.native, "strategy": slots(game), "reach": np.zeros(tree.num_slots + tree.num_players)}


@sample("cfr")
def _(game: Game) -> Arguments:
    sums = {name: slots(game) for name in ("regret_sum", "strategy_sum", "strategy")}
    fixed = np.zeros(tree_of(game).num_infosets, np.uint8)
    rest = {"is_fixed": fixed, "weights": np.ones((2, 3)), "is_alternating": True, "is_predictive": False}
    return {"tree": tree_of(game).native} | sums | rest


@sample("mccfr")
def _(game: Game) -> Arguments:
    sums = {name: slots(game) for name in ("regret_sum", "strategy_sum", "fixed")}
    rest = {"is_fixed": np.zeros(tree_of(game).num_infosets, np.uint8), "sampling": 1, "exploration": 0.5}
    return {"tree": tree_of(game).native} | sums | rest | {"seed": 1, "first_iteration": 1, "num_iterations": 3}


@sample("TreeSearch", ["leduc", "pairs", "sized"])
def _(game: Game) -> Arguments:
    tree = tree_of(game)
    return {"tree": tree.native, "player": 0, "strategy": slots(game), "belief": np.ones(tree.num_nodes)}


def search_arguments(num_infosets: int, num_slots: int) -> Arguments:
    settings = {"num_simulations": 3, "rule": 0, "exploration": 1.0, "num_drawn": 1, "keeps_tree": True}
    arrays = {
        "value": np.zeros(num_infosets, np.float32),
        "prior": np.full(num_slots, 0.5, np.float32),
        "is_known": np.zeros(num_infosets, np.uint8),
        "visits": np.zeros(num_slots, np.float32),
        "total": np.zeros(num_slots),
    }
    return settings | {"counts_best": True, "num_abreast": 2} | arrays | {"seed": 1, "first": 0, "number": 3}


@sample("TreeSearch.start", ["leduc", "pairs", "sized"])
def _(game: Game) -> Arguments:
    tree = tree_of(game)
    return {"self": handle("TreeSearch", game)} | search_arguments(tree.num_infosets, tree.num_slots)


def started(name: str, game: Game) -> Any:
    arguments = sound(f"{name}.start", game)
    search = arguments.pop("self")
    search.start(**arguments)
    return search


for _name, _games in (("TreeSearch", ["leduc", "pairs", "sized"]), ("PokerSearch", WHOLE)):
    for _method in ("advance", "take"):
        CALLS[f"{_name}.{_method}"] = (_games, lambda game, name=_name: {"self": started(name, game)})


@sample("TreeSearch.belief", ["leduc", "pairs", "sized"])
def _(game: Game) -> Arguments:
    return {"self": handle("TreeSearch", game), "infoset": 0}


@sample("TreeSearch.draw", ["leduc", "pairs", "sized"])
def _(game: Game) -> Arguments:
    return {"self": handle("TreeSearch", game), "infoset": 0, "seed": 1, "number": 3}


call(
    "philox",
    seed=lambda: 1,
    purpose=lambda: 2,
    iteration=lambda: 3,
    lane=lambda: 4,
    out=lambda: np.zeros(9, np.uint64),
)
call(
    "find_nearest",
    points=lambda: np.ones((7, 3)),
    queries=lambda: np.ones((4, 3)),
    is_l2=lambda: True,
    num_threads=lambda: 2,
    indices=lambda: np.zeros((4, 2), np.int64),
    distances=lambda: np.zeros((4, 2)),
)

# Cards.

call("hand_rank", cards=lambda: bytes([0, 5, 10, 20, 51]))
call("hand_ranks", cards=lambda: np.arange(14, dtype=np.uint8).reshape(2, 7), ranks=lambda: np.zeros(2, np.uint16))
call(
    "hand_ranks_on_board",
    board=lambda: np.array([1, 2, 3, 4, 5], np.uint8),
    ranks=lambda: np.zeros(NUM_HANDS, np.uint16),
)
call("count_categories", num_cards=lambda: 5, counts=lambda: np.zeros(9, np.int64))
call("SuitIsomorphism", cards_per_round=lambda: [2, 3])
call("SuitIsomorphism.index", self=lambda: _native.SuitIsomorphism([2, 3]), cards=lambda: bytes([0, 5, 10, 20, 51]))
call("SuitIsomorphism.unindex", self=lambda: _native.SuitIsomorphism([2, 3]), index=lambda: 77)
call(
    "SuitIsomorphism.index_batch",
    self=lambda: _native.SuitIsomorphism([2, 3]),
    cards=lambda: np.arange(10, dtype=np.uint8).reshape(2, 5),
    indices=lambda: np.zeros(2, np.int64),
)
call(
    "SuitIsomorphism.unindex_batch",
    self=lambda: _native.SuitIsomorphism([2, 3]),
    indices=lambda: np.array([5, 6]),
    cards=lambda: np.zeros((2, 5), np.uint8),
)
call("hand_potential", hole_cards=lambda: bytes([1, 50]), board=lambda: bytes([7, 8, 9, 20]), num_opponents=lambda: 1)
call("build_river_levels", metric=lambda: 0, num_threads=lambda: 1, levels=lambda: np.zeros(5, np.uint16))
call(
    "build_earlier_levels",
    metric=lambda: 0,
    river=lambda: np.zeros(5, np.uint16),
    num_threads=lambda: 1,
    turn=lambda: zeros(2),
    flop=lambda: zeros(1),
    preflop=lambda: np.zeros(169),
)
call(
    "board_strengths",
    metric=lambda: 0,
    board=lambda: np.array([1, 2, 3, 4, 30], np.uint8),
    strengths=lambda: np.zeros(NUM_HANDS),
)
call("BoardIndex", num_cards=lambda: 3)
call(
    "BoardIndex.find",
    self=lambda: _native.BoardIndex(3),
    board=lambda: np.array([7, 8, 50], np.uint8),
    suit_map=lambda: np.zeros(4, np.uint8),
)
call(
    "BoardIndex.boards",
    self=lambda: _native.BoardIndex(3),
    boards=lambda: np.zeros((1755, 3), np.uint8),
    num_renamings=lambda: np.zeros(1755, np.int32),
)
call("PreflopChances", points=lambda: np.ones(NUM_MATCHUPS, np.uint32))
call("build_matchup_points", num_threads=lambda: 1, points=lambda: np.zeros(5, np.uint32))
call(
    "WinChances",
    deck=lambda: np.arange(52, dtype=np.uint8),
    num_hole_cards=lambda: 2,
    num_board_cards=lambda: 5,
    preflop=lambda: _native.PreflopChances(np.ones(NUM_MATCHUPS, np.uint32)),
)


def win_chances() -> Any:
    return _native.WinChances(np.arange(24, 52, dtype=np.uint8), 2, 4, None)


call(
    "WinChances.compute",
    self=win_chances,
    hole_cards=lambda: np.array([24, 25], np.uint8),
    board=lambda: np.array([26, 27, 28], np.uint8),
    chances=lambda: np.zeros(win_chances().num_places),
)


@sample("BoardHands")
def _(game: Game) -> Arguments:
    return {"rules": game.native, "board": np.array(game.full_board, np.uint8)}


@sample("BoardHands.cards")
def _(game: Game) -> Arguments:
    return {"self": handle("BoardHands", game), "hand": 1}


@sample("BoardHands.fold_values")
def _(game: Game) -> Arguments:
    hands = handle("BoardHands", game)
    return {"self": hands, "reach": np.ones(hands.size), "payoff": 1.0, "values": np.zeros(hands.size)}


@sample("BoardHands.showdown_values")
def _(game: Game) -> Arguments:
    hands = handle("BoardHands", game)
    values = {"win": 1.0, "tie": 0.0, "lose": -1.0, "values": np.zeros(hands.size)}
    return {"self": hands, "reach": np.ones(hands.size)} | values


# Buckets of hold'em.

call("LevelCuts", street=lambda: 1, levels=lambda: zeros(1), num_cuts=lambda: 2, cuts=lambda: [10, 20])
call("BucketTable", street=lambda: 1, table=lambda: zeros(1), size=lambda: 3)
call("LosslessRound", street=lambda: 1)
call("RankBuckets", num_threads=lambda: 0)
call(
    "GridBuckets",
    street=lambda: 1,
    strengths=lambda: zeros(1),
    squares=lambda: zeros(1),
    num_boards=lambda: 2,
    num_strengths=lambda: 3,
    num_spreads=lambda: 2,
    num_threads=lambda: 2,
)
call("share_cuts", street=lambda: 1, levels=lambda: zeros(1), num_cuts=lambda: 3)
call(
    "nested_share_cuts",
    earlier=lambda: _native.HoldemBuckets([_native.BucketTable(0, np.zeros(NUM_HANDS, np.uint16), 2)], [[]]),
    remembered=lambda: [0],
    levels=lambda: zeros(1),
    num_cuts=lambda: 2,
    num_deals=lambda: 20,
    seed=lambda: 1,
    num_threads=lambda: 2,
)
call(
    "build_kmeans_buckets",
    street=lambda: 1,
    river=lambda: np.zeros(5, np.uint16),
    num_bins=lambda: 5,
    num_centres=lambda: 3,
    num_points=lambda: 10,
    seed=lambda: 1,
    num_threads=lambda: 1,
    buckets=lambda: zeros(1),
)


def two_rounds() -> list[Any]:
    return [_native.BucketTable(street, np.ones((NUM_BOARDS[street], NUM_HANDS), np.uint16), 3) for street in range(2)]


call("HoldemBuckets", rounds=two_rounds, remembered=lambda: [[], [0]])
call(
    "HoldemBuckets.sample",
    self=lambda: _native.HoldemBuckets(two_rounds(), [[], [0]]),
    tables=lambda: [zeros(0), zeros(1)],
    seed=lambda: 1,
    levels=lambda: np.zeros((3, 2), np.uint16),
    buckets=lambda: np.zeros((3, 2), np.int32),
)


@sample("LosslessSmall", SMALL)
def _(game: Game) -> Arguments:
    return {"rules": game.native}


@sample("LosslessSmall.fits")
def _(game: Game) -> Arguments:
    return {"rules": game.native}


def bucket_arguments(game: Game) -> Arguments:
    hole = np.array([game.rules.deck[-game.rules.num_hole_cards :]] * 2, np.uint8)
    boards, last = np.array([game.full_board] * 2, np.uint8), game.rules.num_rounds - 1
    return {"hole_cards": hole, "boards": boards, "last_round": last, "buckets": np.zeros((2, last + 1), np.int32)}


def board_bucket_arguments(game: Game) -> Arguments:
    board = np.array(game.full_board, np.uint8)
    return {"board": board, "round": game.rules.num_rounds - 1, "buckets": np.zeros(game.num_hands, np.int32)}


for _name, _games in (("HoldemBuckets", ["holdem"]), ("LosslessSmall", SMALL)):
    CALLS[f"{_name}.hand_buckets"] = (_games, lambda game: {"self": game.cards} | bucket_arguments(game))
    CALLS[f"{_name}.all_buckets"] = (_games, lambda game: {"self": game.cards} | board_bucket_arguments(game))


@sample("CardAbstraction.num_buckets")
def _(game: Game) -> Arguments:
    return {"self": game.cards, "round": 1}


# Rules, betting, states.


@sample("make_poker_rules")
def _(game: Game) -> Arguments:
    rules = game.rules
    numbers = {"num_suits": rules.num_suits, "num_ranks": rules.num_ranks, "num_hole_cards": rules.num_hole_cards}
    kinds = {"betting": ["limit", "nolimit", "potlimit"].index(rules.betting), "conventions": 0}
    names = ("blinds", "stacks", "raise_sizes", "max_raises", "first_seats", "num_board_cards")
    return kinds | numbers | {name: list(getattr(rules, name)) for name in names} | {"smallest_bet": rules.smallest_bet}


@sample("make_betting_abstraction")
def _(game: Game) -> Arguments:
    share = _native.POT_SHARES
    sizes = [(_native.POT_SHARE_RAISE, share // 2), (_native.ALL_IN_RAISE, 0), (_native.GEOMETRIC_RAISE, 2)]
    rounds = [[sizes, [(_native.MULTIPLE_RAISE, 3 * share), (_native.SMALLEST_RAISE, 0)]]] * game.rules.num_rounds
    donks = [None] + [[(_native.POT_SHARE_RAISE, share)]] * (game.rules.num_rounds - 1)
    shares = {"add_all_in": share, "force_all_in": share // 10, "merge": share // 10}
    return {"sizes": [rounds], "caps": [2] * game.rules.num_rounds, "pushes": False, "donks": donks} | shares


@sample("abstract_actions")
def _(game: Game) -> Arguments:
    return {"abstraction": game.bets, "state": game.state()}


def build_arguments(game: Game) -> Arguments:
    cut = {"num_rounds": game.rules.num_rounds, "adds_bets": False, "shows_hands_at_once": False}
    return {"rules": game.native, "abstraction": game.bets, "prefix": [0]} | cut


CALLS["count_betting_tree"] = (ALL, build_arguments)
CALLS["build_betting_tree"] = (ALL, lambda game: build_arguments(game) | {"max_nodes": 100_000})


@sample("make_betting_tree", FOR_TWO)
def _(game: Game) -> Arguments:
    tree = game.tree
    names = ("round_start", "first_edge", "seat")
    num_actions = np.diff(tree.first_edge)
    return (
        {"rules": game.native}
        | {name: getattr(tree, name).copy() for name in names}
        | {
            "num_folds": np.zeros(len(tree.seat), np.uint8),
            "first_raise": np.minimum(num_actions, 1).astype(np.uint8),
            "child": tree.child.copy(),
            "ending_spent": np.ascontiguousarray(tree.ending_spent),
            "ending_folded": np.ascontiguousarray(tree.ending_folded),
        }
    )


@sample("find_betting_place")
def _(game: Game) -> Arguments:
    return {"rules": game.native, "abstraction": game.bets, "tree": game.tree, "actions": [0, 0]}


@sample("PokerState")
def _(game: Game) -> Arguments:
    return {"rules": game.native}


@sample("PokerState.parse")
def _(game: Game) -> Arguments:
    return {"rules": game.native, "betting": game.line, "board": list(game.board(game.line.count("/")))}


@sample("PokerState.act")
def _(game: Game) -> Arguments:
    return {"self": game.state(), "action": 0}


@sample("PokerState.is_legal")
def _(game: Game) -> Arguments:
    return {"self": game.state(), "action": 300}


@sample("PokerState.deal")
def _(game: Game) -> Arguments:
    state = _native.PokerState(game.native)
    while state.turn >= 0:
        state = state.act(0)
    return {"self": state, "cards": game.fresh(state)}


@sample("PokerState.payoffs")
def _(game: Game) -> Arguments:
    num_hole = game.rules.num_seats * game.rules.num_hole_cards
    return {"self": game.ended(), "hole_cards": list(game.rules.deck[::-1][:num_hole])}


def cards_of(game: Game) -> list[list[int]]:
    hole = game.rules.num_hole_cards
    return [list(game.rules.deck[::-1][seat * hole : (seat + 1) * hole]) for seat in range(game.rules.num_seats)]


@sample("cards_text")
def _(game: Game) -> Arguments:
    board = list(game.full_board)
    return {"rules": game.native, "round": game.rules.num_rounds - 1, "hole_cards": cards_of(game), "board": board}


def written_cards(game: Game) -> str:
    number = game.line.count("/")
    return _native.cards_text(game.native, number, cards_of(game), list(game.board(number)))


@sample("parse_state")
def _(game: Game) -> Arguments:
    return {"rules": game.native, "betting": game.line, "cards": written_cards(game)}


def match_state(game: Game) -> str:
    return f"MATCHSTATE:0:3:{game.line}:{written_cards(game)}"


@sample("parse_match_state")
def _(game: Game) -> Arguments:
    return {"rules": game.native, "text": match_state(game)}


@sample("read_answer")
def _(game: Game) -> Arguments:
    return {"state": game.state(), "asked": match_state(game), "line": match_state(game) + ":c"}


@sample("DealtHand")
def _(game: Game) -> Arguments:
    return {"rules": game.native, "number": 5, "cards": game.all_cards()}


@sample("DealtHand.message")
def _(game: Game) -> Arguments:
    return {"self": handle("DealtHand", game), "seat": 1}


@sample("DealtHand.read_answer")
def _(game: Game) -> Arguments:
    hand = handle("DealtHand", game)
    return {"self": hand, "asked": hand.message(0), "line": hand.message(0) + ":c"}


@sample("DealtHand.act")
def _(game: Game) -> Arguments:
    return {"self": handle("DealtHand", game), "action": 0}


@sample("DealtHand.payoff_shares")
def _(game: Game) -> Arguments:
    hand = handle("DealtHand", game)
    while hand.seat >= 0:
        hand.act(0)
    return {"self": hand}


@sample("PlayerSession")
def _(game: Game) -> Arguments:
    return {"rules": game.native}


def session(game: Game) -> Any:
    found = _native.PlayerSession(game.native)
    found.hear(_native.DealtHand(game.native, 0, game.all_cards()).message(0).encode() + b"\r\n")
    return found


def session_at_turn(game: Game) -> Any:
    seat = _native.PokerState(game.native).seat
    found = _native.PlayerSession(game.native)
    found.hear(_native.DealtHand(game.native, 0, game.all_cards()).message(max(seat, 0)).encode() + b"\r\n")
    while found.next() not in (_native.SESSION_TURN, -1):
        pass
    return found


@sample("PlayerSession.hear")
def _(game: Game) -> Arguments:
    hand = _native.DealtHand(game.native, 1, game.all_cards())
    return {"self": session(game), "data": hand.message(1).encode() + b"\r\n"}


@sample("PlayerSession.answer")
def _(game: Game) -> Arguments:
    return {"self": session_at_turn(game), "action": 0}


for _member in ("next", "seat", "hand_number", "state", "hole_cards", "is_between_hands"):
    CALLS[f"PlayerSession.{_member}"] = (ALL, lambda game: {"self": session(game)})


def ended_session(game: Game) -> Any:
    hand, found = _native.DealtHand(game.native, 0, game.all_cards()), _native.PlayerSession(game.native)
    while True:
        found.hear(hand.message(0).encode() + b"\r\n")
        if hand.seat < 0:
            break
        hand.act(0)
    while found.next() != _native.SESSION_OVER:
        pass
    return found


CALLS["PlayerSession.payoff_shares"] = (ALL, lambda game: {"self": ended_session(game)})


@sample("AgentSession")
def _(game: Game) -> Arguments:
    return {"rules": game.native, "agent": handle("TripleAgent", game), "seed": 1}


@sample("AgentSession.reply")
def _(game: Game) -> Arguments:
    hand = _native.DealtHand(game.native, 0, game.all_cards())
    return {"self": handle("AgentSession", game), "data": hand.message(0).encode() + b"\r\n"}


# Agents and matches.

call("Stream", seed=lambda: 1, purpose=lambda: 2, iteration=lambda: 3, lane=lambda: 4)
call("TripleAgent", ALL, fold=lambda: 0.1, call=lambda: 0.6, size=lambda: 0)
call("RandomAgent", ALL, has_sizes=lambda: True)
call("PokiAgent", ["holdem"], preflop=lambda: preflop_plays(is_tight=False))
call(
    "PokiSimAgent",
    ["holdem"],
    preflop=lambda: preflop_plays(is_tight=False),
    preflop_order=lambda: np.ones(NUM_HANDS, np.float32),
    num_trials=lambda: 3,
)


@sample("TableAgent")
def _(game: Game) -> Arguments:
    return {"strategy": game.strategy()}


@sample("MasterAgent")
def _(game: Game) -> Arguments:
    return {"base": handle("TripleAgent", game), "experts": game.strategy()}


def agents_of(game: Game) -> list[Any]:
    found = [handle("TableAgent", game), handle("MasterAgent", game), handle("RandomAgent", game)]
    return found[: game.rules.num_seats]


@sample("Agent.act")
def _(game: Game) -> Arguments:
    return {
        "self": handle("MasterAgent", game),
        "state": game.state(),
        "hole_cards": game.hole_cards,
        "random": _native.Stream(1, 2, 3, 4),
    }


@sample("Agent.watch")
def _(game: Game) -> Arguments:
    return {"self": handle("MasterAgent", game), "state": game.state(), "num_seen": 0}


@sample("Agent.end_hand")
def _(game: Game) -> Arguments:
    return {"self": handle("MasterAgent", game), "state": game.ended(), "seat": 0}


for _member in ("fresh", "has_memory"):
    CALLS[f"Agent.{_member}"] = (ALL, lambda game: {"self": handle("TableAgent", game)})


@sample("deal_cards")
def _(game: Game) -> Arguments:
    boards = [list(game.full_board)] if game.rules.num_rounds > 1 else []
    return {"rules": game.native, "seed": 1, "deal": 2, "boards": boards}


@sample("count_hand")
def _(game: Game) -> Arguments:
    seats = game.rules.num_seats
    counts = np.zeros((seats, _native.NUM_COUNTS), np.int64)
    return {"state": game.ended(), "payoff": [0] * seats, "agent_at": list(range(seats)), "counts": counts}


@sample("play_matches")
def _(game: Game) -> Arguments:
    seats = game.rules.num_seats
    return {
        "rules": game.native,
        "agents": agents_of(game),
        "seed": 1,
        "first_match": 0,
        "hands_per_match": 2,
        "seatings": game.seatings()[None],
        "match_payoffs": np.zeros((3, seats), np.int64),
        "hand_squares": np.zeros(seats),
        "counts": np.zeros((seats, _native.NUM_COUNTS), np.int64),
        "hand_payoffs": np.zeros((3, seats, 2, seats), np.int64),
    }


# Abstract games and strategies.


def range_rows(game: Game) -> list[list[float]]:
    return [[1.0] * game.num_hands for _ in range(game.rules.num_seats)]


@sample("check_ranges")
def _(game: Game) -> Arguments:
    return {"rules": game.native, "ranges": range_rows(game)}


@sample("AbstractGame")
def _(game: Game) -> Arguments:
    seats = game.rules.num_seats
    cards = [[None, None] + [game.cards] * (seats - 1) for _ in range(seats)]
    ranges = range_rows(game)
    return {"rules": game.native, "betting": game.bets, "tree": game.tree, "cards": cards, "ranges": ranges}


@sample("AbstractGame.place")
def _(game: Game) -> Arguments:
    return {"self": game.abstract_game, "node": 1}


@sample("AbstractGame.deal")
def _(game: Game) -> Arguments:
    cards = np.zeros((2, game.num_deal_cards), np.uint8)
    return {"self": game.abstract_game, "seed": 1, "first_deal": 0, "cards": cards}


@sample("AbstractStrategy")
def _(game: Game) -> Arguments:
    options = {"falls_back_to_call": True, "folds_off_tree": False, "translation": 1, "threshold": 0.1}
    return {"segments": [(game.abstract_game, game.tables())]} | options | {"purify": True}


@sample("AbstractStrategy.policies")
def _(game: Game) -> Arguments:
    return {"self": game.strategy(), "states": [game.state()], "seed": 1}


@sample("AbstractStrategy.places")
def _(game: Game) -> Arguments:
    return {"self": game.strategy(), "state": game.state()}


call("smaller_share", translation=lambda: 0, smaller=lambda: 0.5, larger=lambda: 1.0, size=lambda: 0.7)


@sample("quantise_table")
def _(game: Game) -> Arguments:
    table = game.tables()[1]
    return {"game": game.abstract_game, "round": 1, "probabilities": table, "bytes": np.zeros(table.size, np.uint8)}


@sample("check_table")
def _(game: Game) -> Arguments:
    return {"game": game.abstract_game, "round": 1, "table": game.tables()[1]}


@sample("PokerMccfr")
def _(game: Game) -> Arguments:
    options = {"sampling": 1, "exploration": 0.1, "has_linear_regret": True, "has_linear_average": True}
    floors = {"regret_floor": -1e6, "prune_below": -1e5, "num_hands": 4, "tilt": 0.0, "discards": False}
    return {"game": game.abstract_game} | options | floors | {"frozen": [0], "seed": 1}


def solver(game: Game) -> Any:
    return handle("PokerMccfr", game)


@sample("PokerMccfr.run")
def _(game: Game) -> Arguments:
    return {"self": solver(game), "first_iteration": 1, "num_iterations": 3, "num_threads": 2}


def part_solver(game: Game) -> Any:
    """One whose training can be shared among nodes."""
    options = CALLS["PokerMccfr"][1](game) | {"exploration": 0.0, "prune_below": -math.inf}
    return _native.PokerMccfr(**options)


@sample("PokerMccfr.run_part")
def _(game: Game) -> Arguments:
    begin, end, *_ = game.abstract_game.entry_start
    starts = game.tree.round_start
    return {
        "self": part_solver(game), "first_iteration": 1, "num_iterations": 3, "exchange": 10,
        "is_own": np.ones(int(starts[-1] - starts[1]), np.uint8), "has_first_round": True,
        "action_values": np.zeros(end - begin, np.int64),
    }  # fmt: skip


@sample("PokerMccfr.learn_first_round")
def _(game: Game) -> Arguments:
    begin, end, *_ = game.abstract_game.entry_start
    return {
        "self": part_solver(game),
        "last_iteration": 10,
        "exchange": 10,
        "action_values": np.ones(end - begin, np.int64),
    }


@sample("PokerMccfr.average_strategy")
def _(game: Game) -> Arguments:
    return {"self": solver(game), "round": 1, "probabilities": game.tables()[1]}


@sample("PokerMccfr.start_from")
def _(game: Game) -> Arguments:
    return {"self": solver(game), "round": 1, "seat": 1, "probabilities": game.tables()[1], "weight": 1.0}


@sample("PokerMccfr.discount")
def _(game: Game) -> Arguments:
    return {"self": solver(game), "positive": 0.5, "negative": 0.5, "average": 0.5, "num_threads": 2}


@sample("PokerMccfr.positive_regret")
def _(game: Game) -> Arguments:
    return {"self": solver(game), "round": 1}


@sample("PokerMccfr.self_play")
def _(game: Game) -> Arguments:
    return {"self": solver(game), "seed": 1, "first_hand": 0, "won": np.zeros((3, game.rules.num_seats))}


@sample("PokerMccfr.deal_values")
def _(game: Game) -> Arguments:
    return {"self": solver(game), "seed": 1, "first_hand": 0, "values": np.zeros((2, game.rules.num_seats))}


# Local Best Response, best response, AIVAT, search.


@sample("BlindOpponent")
def _(game: Game) -> Arguments:
    return {"agent": handle("TripleAgent", game)}


@sample("TableOpponent")
def _(game: Game) -> Arguments:
    return {"strategy": game.strategy(), "num_samples": 2}


@sample("AskedOpponent")
def _(game: Game) -> Arguments:
    return {"rules": game.native, "is_sampled": False, "most_bytes": 1 << 20}


def lbr_arguments(game: Game) -> Arguments:
    options = {"active_rounds": 3, "sees_raises": True, "has_imaginary_hands": True, "has_all_in_expectation": True}
    deals = {"seed": 1, "first_deal": 0, "num_deals": 2, "is_duplicate": True, "has_lines": True, "boards": []}
    return (
        {"rules": game.native, "bets": game.bets}
        | options
        | {"opponents": game.opponents(), "preflop": None, "seatings": game.seatings()}
        | deals
    )


LBR_GAMES = [name for name in ALL if name != "holdem"]  # which would need the table of chances before the flop
CALLS["LbrBatch"] = (LBR_GAMES, lbr_arguments)


def asking(game: Game) -> tuple[Any, Any]:
    """A batch that waits for answers, and the opponent who needs them."""
    opponent = handle("AskedOpponent", game)
    arguments = lbr_arguments(game) | {"opponents": [opponent] * (game.rules.num_seats - 1)}
    batch = _native.LbrBatch(**arguments)
    batch.advance()
    return opponent, batch


def answers(missing: list[Any], num_hands: int, has_played: bool) -> list[tuple[Any, ...]]:
    table = np.ones((num_hands, 1))
    return [([(0, 0)], table, None) if has_played else ([(0, 0)], table) for _ in missing]


@sample("AskedOpponent.tell", LBR_GAMES)
def _(game: Game) -> Arguments:
    opponent, _ = asking(game)
    return {"self": opponent, "answers": answers(opponent.missing, game.num_hands, True)}


for _member in ("num_told", "missing", "missing_hands"):
    CALLS[f"AskedOpponent.{_member}"] = (LBR_GAMES, lambda game: {"self": asking(game)[0]})


def played_batch(game: Game) -> Any:
    batch = _native.LbrBatch(**lbr_arguments(game))
    batch.advance()
    return batch


@sample("LbrBatch.read", LBR_GAMES)
def _(game: Game) -> Arguments:
    shape = (2, game.rules.num_seats)
    arrays = {"chips": np.zeros(shape), "dealt_chips": np.zeros(shape), "end_rounds": np.zeros(shape, np.int8)}
    return {"self": played_batch(game)} | arrays


LINE_GAMES = [name for name in LBR_GAMES if name != "three"]


@sample("LbrLinesBatch", LINE_GAMES)
def _(game: Game) -> Arguments:
    options = {"active_rounds": 3, "sees_raises": True, "has_all_in_expectation": True, "opponent": game.opponent()}
    boards = {"preflop": None, "boards": [(7, list(game.full_board))], "num_chosen_cards": 0, "seed": 1}
    limits = {"least_stake": 0.0, "most_nodes": 10_000, "finds_luck": True, "num_classes": 2}
    class_of = np.zeros((1, game.rules.num_rounds, game.num_hands), np.int8)
    return {"rules": game.native, "bets": game.bets} | options | boards | limits | {"class_of": class_of}


def followed(game: Game) -> Any:
    batch = handle("LbrLinesBatch", game)
    batch.advance()
    return batch


for _member in ("is_too_large", "num_queries", "num_nodes", "lines", "num_endings", "examples", "advance"):
    CALLS[f"LbrLinesBatch.{_member}"] = (LINE_GAMES, lambda game: {"self": followed(game)})
for _member in ("num_queries", "lines", "advance"):
    CALLS[f"LbrBatch.{_member}"] = (LBR_GAMES, lambda game: {"self": played_batch(game)})


@sample("LbrLinesBatch.read", LINE_GAMES)
def _(game: Game) -> Arguments:
    shape = (1, 2, game.rules.num_rounds)
    return {"self": followed(game)} | {name: np.zeros(shape) for name in ("mass", "chips", "luck")}


@sample("LbrLinesBatch.read_endings", LINE_GAMES)
def _(game: Game) -> Arguments:
    batch = followed(game)
    size = batch.num_endings
    arrays = {"deals": np.zeros(size, np.int64), "lines": np.zeros(size, np.int32)}
    return {"self": batch} | arrays | {"mass": np.zeros(size), "chips": np.zeros(size)}


@sample("LbrLinesBatch.read_classes", LINE_GAMES)
def _(game: Game) -> Arguments:
    batch = followed(game)
    return {"self": batch, "by_line": np.zeros((len(batch.lines), 2, 2)), "by_deal": np.zeros((1, 2, 2))}


@sample("add_points")
def _(game: Game) -> Arguments:
    reach, points = np.ones((game.num_hands, 4)), np.zeros((game.num_hands, 4))
    board = list(game.full_board)
    return {"rules": game.native, "board": board, "reach": reach, "points": points, "is_narrow": False}


@sample("lbr_decision", LBR_GAMES)
def _(game: Game) -> Arguments:
    state, seats = game.state(), game.rules.num_seats
    options = {"active_rounds": 3, "sees_raises": True, "opponents": game.opponents(), "preflop": None}
    seating = np.roll(np.arange(seats, dtype=np.int8), state.seat)
    rest = {"seating": np.ascontiguousarray(seating), "hole_cards": game.hole_cards}
    return {"state": state, "rules": game.native, "bets": game.bets} | options | rest


@sample("TableStrategy")
def _(game: Game) -> Arguments:
    return {"strategy": game.strategy()}


def edge_chances(game: Game) -> np.ndarray:
    sizes = np.diff(game.tree.first_edge)
    return np.repeat(1.0 / sizes, sizes)


@sample("BlindStrategy", WHOLE)
def _(game: Game) -> Arguments:
    return {"rules": game.native, "tree": game.tree, "probabilities": edge_chances(game)}


@sample("PlacedStrategy", WHOLE)
def _(game: Game) -> Arguments:
    size = len(game.tree.seat)
    columns = np.zeros((size, _native.MAX_ACTIONS), np.uint8)
    for node, number in enumerate(np.diff(game.tree.first_edge)):
        columns[node, :number] = np.arange(number)
    numbers = {"segments": np.zeros(size, np.int32), "nodes": np.arange(size, dtype=np.int32), "columns": columns}
    places = {"first_place": np.arange(size + 1), "weights": np.ones(size)}
    return {"strategy": game.strategy(), "tree": game.tree} | places | numbers


@sample("PlacedStrategy.num_classes", WHOLE)
def _(game: Game) -> Arguments:
    return {"self": handle("PlacedStrategy", game), "player": 1, "round": 1}


@sample("AskedStrategy", WHOLE)
def _(game: Game) -> Arguments:
    return {"rules": game.native, "tree": game.tree}


@sample("AskedStrategy.tell", WHOLE)
def _(game: Game) -> Arguments:
    start = game.tree.round_start
    number = int(game.tree.first_edge[start[1]] - game.tree.first_edge[start[0]])
    probabilities = np.ones((number, game.num_hands), np.float32)
    return {"self": handle("AskedStrategy", game), "round": 0, "probabilities": probabilities}


@sample("FullResponse", WHOLE)
def _(game: Game) -> Arguments:
    strategy = handle("PlacedStrategy" if game.has_all_cards else "TableStrategy", game)
    return {"rules": game.native, "tree": game.tree, "strategy": strategy, "has_isomorphism": True}


@sample("FullResponse.trunk", WHOLE)
def _(game: Game) -> Arguments:
    return {"self": handle("FullResponse", game), "player": 0, "round": 1}


@sample("FullResponse.respond", [name for name in WHOLE if name != "holdem"])
def _(game: Game) -> Arguments:
    board = list(game.full_board)
    return {"self": handle("FullResponse", game), "board": board, "round": 1, "most_next": 2, "is_narrow": True}


STEPPED = ["leduc", "pairs", "sized"]


@sample("SteppedResponse", STEPPED)
def _(game: Game) -> Arguments:
    asked = handle("AskedStrategy", game)
    return {"rules": game.native, "tree": game.tree, "strategy": asked, "board": list(game.full_board), "round": 1}


def told_response(game: Game) -> Any:
    """Its strategy was told all."""
    asked = handle("AskedStrategy", game)
    response = _native.SteppedResponse(game.native, game.tree, asked, list(game.full_board), 1)
    for number in range(game.rules.num_rounds):
        tree = game.tree
        edges = int(tree.first_edge[tree.round_start[number + 1]] - tree.first_edge[tree.round_start[number]])
        asked.tell(number, np.full((edges, game.num_hands), 0.5, np.float32))
    return response


@sample("SteppedResponse.trunk", STEPPED)
def _(game: Game) -> Arguments:
    return {"self": told_response(game), "player": 0}


for _member in ("cards", "following", "enter"):
    CALLS[f"SteppedResponse.{_member}"] = (STEPPED, lambda game: {"self": told_response(game), "board": 0})


def entered(game: Game) -> Any:
    response = told_response(game)
    response.enter(0)
    return response


def left(game: Game) -> Any:
    response = entered(game)
    response.leave(0)
    return response


CALLS["SteppedResponse.leave"] = (STEPPED, lambda game: {"self": entered(game), "board": 0})
CALLS["SteppedResponse.found"] = (STEPPED, lambda game: {"self": left(game)})

HUNL = load_rules("hunl")
HUNL_TREE = build_betting_tree(HUNL, parse_betting_abstraction("fcpa"))
RIVER = zeros(3)


@sample("BlindResponse", ["holdem"])
def _(game: Game) -> Arguments:
    chances = np.full(len(HUNL_TREE.native.child), 0.25)
    return {"rules": HUNL.native, "tree": HUNL_TREE.native, "probabilities": chances, "river_levels": RIVER}


@sample("BlindResponse.num_different", ["holdem"])
def _(game: Game) -> Arguments:
    return {"self": handle("BlindResponse", game), "round": 1}


@sample("BlindResponse.respond", ["holdem"])
def _(game: Game) -> Arguments:
    return {"self": handle("BlindResponse", game), "flop": [1, 2]}  # a whole flop takes seconds


@sample("HandClasses", SMALL)
def _(game: Game) -> Arguments:
    return {"rules": game.native, "levels": [], "cuts": []}


def holdem_classes() -> Arguments:
    cuts = [[1000 * place for place in range(1, len(_native.hand_class_cuts()) + 1)]] * 4
    return {"rules": HUNL.native, "levels": [zeros(0), zeros(1), zeros(2), RIVER], "cuts": cuts}


CALLS["hand_class_cuts"] = (["leduc"], lambda game: {})


@sample("ValueTable", SMALL)
def _(game: Game) -> Arguments:
    return {"rules": game.native, "classes": handle("HandClasses", game)}


def passive_line(game: Game) -> str:
    return game.ended().betting_text


@sample("ValueTable.note_hands", SMALL)
def _(game: Game) -> Arguments:
    arrays = {"deals": np.array([1, 2]), "betting": [passive_line(game)] * 2, "arrangements": np.zeros(2, np.uint64)}
    return {"self": handle("ValueTable", game), "seed": 1} | arrays


def settled_values(game: Game) -> Any:
    arguments = sound("ValueTable.note_hands", game)
    values = arguments.pop("self")
    values.note_hands(**arguments)
    values.settle()
    return values


@sample("TablePolicies")
def _(game: Game) -> Arguments:
    return {"strategy": game.strategy()}


call("ToldPolicies")


def aivat_arguments(game: Game, policy: Any) -> Arguments:
    terms = {"has_averages": True, "has_decisions": True, "has_chance": True, "num_boards": 2, "num_runouts": 2}
    return {"values": settled_values(game), "policies": [policy] + [None] * (game.rules.num_seats - 1)} | terms


@sample("Aivat", SMALL)
def _(game: Game) -> Arguments:
    return aivat_arguments(game, handle("TablePolicies", game))


def hand_arguments(game: Game) -> Arguments:
    seats = game.rules.num_seats
    return {
        "cards": np.array([game.all_cards()] * 2, np.uint8),
        "betting": [passive_line(game)] * 2,
        "agents": np.array([list(range(seats))] * 2, np.int8),
        "arrangements": np.zeros(2, np.uint64),
        "payoffs": np.zeros((2, seats)),
        "seed": 1,
        "names": np.array([[0, 0], [1, 0]]),
        "corrected": np.zeros((2, seats)),
    }


@sample("Aivat.correct", SMALL)
def _(game: Game) -> Arguments:
    return {"self": handle("Aivat", game)} | hand_arguments(game)


def asking_policies(game: Game) -> Any:
    told = _native.ToldPolicies()
    _native.Aivat(**aivat_arguments(game, told)).correct(**hand_arguments(game))
    return told


@sample("ToldPolicies.tell", SMALL)
def _(game: Game) -> Arguments:
    told = asking_policies(game)
    return {"self": told, "answers": answers(told.missing, game.num_hands, False)}


@sample("PokerSearch", WHOLE)
def _(game: Game) -> Arguments:
    options = {"preflop": None, "unit_chips": 2.0, "num_levels": 1, "has_exact_beliefs": True}
    return {"game": game.abstract_game, "seat": 0, "opponent": game.opponent()} | options


@sample("PokerSearch.start", WHOLE)
def _(game: Game) -> Arguments:
    search = handle("PokerSearch", game)
    entries = game.abstract_game.entry_start[-1]
    return {"self": search} | search_arguments(search.num_infosets, entries)


def responders_state(game: Game) -> Any:
    state = _native.PokerState(game.native)
    while state.turn != 0:
        state = state.deal(game.fresh(state)) if state.turn == -1 else state.act(0)
    return state


@sample("PokerSearch.belief", WHOLE)
def _(game: Game) -> Arguments:
    return {"self": handle("PokerSearch", game), "state": responders_state(game), "hole_cards": game.hole_cards}


@sample("PokerSearch.draw", WHOLE)
def _(game: Game) -> Arguments:
    state = {"state": responders_state(game), "hole_cards": game.hole_cards}
    return {"self": handle("PokerSearch", game)} | state | {"seed": 1, "number": 3}


# Two ranges on a board.


def spot_arguments(game: Game) -> Arguments:
    node = 0
    num_actions = int(np.diff(game.tree.first_edge)[node])
    lock = (node, [], np.full((game.num_hands, num_actions), 1.0 / num_actions, np.float32))
    spot = {"rules": game.native, "tree": game.tree, "board": list(game.board(0)), "ranges": game.ranges()}
    return spot | {"locks": [lock]}


SPOTS = ["begun", "leduc", "sized", "pairs"]
CALLS["count_range_game"] = (
    SPOTS,
    lambda game: spot_arguments(game) | {"is_packed": False, "is_predictive": True},
)


@sample("RangeCfr", SPOTS)
def _(game: Game) -> Arguments:
    arguments = spot_arguments(game)
    locks = arguments.pop("locks")
    return arguments | {"rake_share": 0.05, "rake_cap": 3.0, "locks": locks, "is_packed": True, "num_threads": 2}


def range_solver(game: Game) -> Any:
    return handle("RangeCfr", game)


@sample("RangeCfr.iterate", SPOTS)
def _(game: Game) -> Arguments:
    return {"self": range_solver(game), "first": 1, "weights": np.ones((2, 3))}


@sample("RangeCfr.set_predictive", SPOTS)
def _(game: Game) -> Arguments:
    return {"self": range_solver(game), "is_predictive": True}


for _member in ("average_strategy", "view"):
    CALLS[f"RangeCfr.{_member}"] = (
        SPOTS,
        lambda game: {"self": range_solver(game), "node": 0, "board": list(game.board(0))},
    )
for _member in ("arrays", "value"):
    CALLS[f"RangeCfr.{_member}"] = (SPOTS, lambda game: {"self": range_solver(game), "player": 0})


@sample("RangeCfr.response_value", SPOTS)
def _(game: Game) -> Arguments:
    return {"self": range_solver(game), "player": 0, "keeps_locks": True}


def sound(name: str, game: Game) -> Arguments:
    return CALLS[name][1](game)


def handle(name: str, game: Game) -> Any:
    """A handle that the class's constructor makes of sound arguments."""
    return getattr(_native, name)(**sound(name, game))


def _add_members_without_arguments() -> None:
    """Properties, and methods that take nothing, of classes that have a constructor here."""
    makers = {
        "BettingTree": (ALL, lambda game: game.tree),
        "CardAbstraction": (ALL, lambda game: game.cards),
        "RoundBuckets": (["leduc"], lambda game: two_rounds()[1]),
        "PokerState": (ALL, lambda game: game.state()),
        "AbstractGame": (ALL, lambda game: game.abstract_game),
        "ToldPolicies": (SMALL, asking_policies),
    }
    for name in sorted(all_names() - CALLS.keys()):
        owner, _, member = name.rpartition(".")
        games, make = makers.get(owner) or (CALLS[owner][0], lambda game, owner=owner: handle(owner, game))
        assert isinstance(vars(getattr(_native, owner))[member], property) or member in ("settle",), name
        CALLS[name] = (games, lambda game, make=make: {"self": make(game)})


_add_members_without_arguments()


def perform(name: str, arguments: Arguments) -> Any:
    """The call; methods are called with `self` as they are found in the class."""
    given = dict(arguments)
    if "self" in given:
        return function_of(name)(given.pop("self"), **given)
    return function_of(name)(**given)
