"""Small abstract games and random strategies of them."""

import numpy as np

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.play_options import PlayOptions


def sized_rules(seats=2, *, betting="nolimit", stacks=None, conventions="acpc"):
    """A game with sizes, two rounds and one card for each seat and round; blinds 50 and 100."""
    stacks = stacks or [20_000] * seats
    first = "2 1" if seats == 2 else "3 1"
    blinds = "100 50" if seats == 2 else "50 100 " + "0 " * (seats - 2)
    return parse_rules(
        f"""GAMEDEF
{betting}
numPlayers = {seats}
numRounds = 2
stack = {" ".join(map(str, stacks))}
blind = {blinds}
firstPlayer = {first}
maxRaises = 255 255
numSuits = 2
numRanks = 4
numHoleCards = 1
numBoardCards = 0 1
conventions = {conventions}
END GAMEDEF""",
        f"sized{seats}",
    )


def definition(text):
    """As `PokerGame` takes it."""
    return ("GAMEDEF", *text.strip().splitlines(), "END GAMEDEF")


THREE_ROUNDS = definition("""
limit
numPlayers = 2
numRounds = 3
blind = 1 1
raiseSize = 1 2 2
firstPlayer = 1 1 1
maxRaises = 1 1 1
numSuits = 1
numRanks = 4
numHoleCards = 1
numBoardCards = 0 1 1
""")

SIDE_POTS = definition("""
nolimit
numPlayers = 3
numRounds = 1
stack = 2 3 5
blind = 1 1 1
firstPlayer = 1
maxRaises = 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0
conventions = casino
""")

PAIRS = parse_rules(
    """GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 2
numBoardCards = 0 1
END GAMEDEF""",
    "pairs",
)


def abstract_game(rules, betting="full", cards="lossless"):
    rules = load_rules(rules) if isinstance(rules, str) else rules
    tree = build_betting_tree(rules, parse_betting_abstraction(betting))
    return AbstractGame(tree, build_abstraction(parse_card_abstraction(cards), rules))


def random_tables(game, seed=0, unreached=0.0):
    """Float32, one a round; this share of the information sets has zeros."""
    rng = np.random.default_rng(seed)
    entries = np.zeros(game.num_entries, np.float32)
    for node in range(game.tree.num_nodes):
        places = game.entries(node)
        rows = rng.dirichlet(np.ones(places.shape[1]), len(places)).astype(np.float32)
        rows[rng.random(len(places)) < unreached] = 0.0
        entries[places] = rows
    return tuple(entries[start:end] for start, end in zip(game.entry_start, game.entry_start[1:], strict=False))


def random_abstract_strategy(game, seed=0, unreached=0.0, **options):
    return AbstractStrategy(game, random_tables(game, seed, unreached), PlayOptions(**options))


def unlearned(game):
    """The strategy of a solver that has not begun: zeros, which play uniformly."""
    return AbstractStrategy(game, tuple(np.zeros(size, np.float32) for size in np.diff(game.entry_start)))


def table_rows(strategy, node):
    """`[buckets, actions]` what the tables say at a node."""
    return np.concatenate(strategy.tables)[strategy.game.entries(node)]
