"""What a solver of a lossless abstract game found, in the real game, so that exact tools can judge it."""

import numpy as np

from nashgap.core.compile import compile_tree
from nashgap.core.game import infoset_key
from nashgap.measures.best_response import exploitability
from nashgap.poker.game import PokerGame
from nashgap.strategies.table import normalised


def slot_entries(name, abstract):
    """The compiled game, every hand told apart, and the entry of each of its slots."""
    game, cards, found = PokerGame(name), abstract.cards[0][2], {}
    places = [_place(game.rules.deck, *hand) for hand in game.hands.tolist()]

    def walk(public):
        if public.player >= 0:
            state = public.state
            node = abstract.tree.find_node([action for actions in state.history for action in actions]).target
            rows = abstract.entries(node)[cards.all_buckets(state.board, state.round)[places]]
            for hand_name, row in zip(game.hand_names[0], rows, strict=True):
                found[infoset_key(hand_name, public.label)] = row
        for move in range(len(public.actions)):
            walk(public.child(move))

    walk(game.public_root())
    tree = compile_tree(game, "poker")
    entries = np.empty(tree.num_slots, np.int64)
    for infoset, key in enumerate(tree.infoset_name):
        entries[tree.slots(infoset)] = found[key]
    return tree, entries


def exact_strategy(name, solver):
    """The solver's average on the compiled game: (tree, strategy)."""
    average = np.concatenate(solver.average_strategy().tables)
    tree, entries = slot_entries(name, solver.game)
    return tree, normalised(tree, average[entries].astype(float))


def nash_conv(name, solver):
    return exploitability(*exact_strategy(name, solver)).nash_conv


def _place(deck, first, second=None):
    """Of a hand among a card abstraction's buckets."""
    return deck.index(first) if second is None else first * (first - 1) // 2 + second
