"""Limit poker of two with few cards, so that everything about it can be enumerated."""

from __future__ import annotations

from nashgap.poker.rules import PokerRules, parse_rules

SHORT_DECK = """GAMEDEF
limit
numPlayers = 2
numRounds = {rounds}
blind = {blinds}
raiseSize = 2 4 4 4
firstPlayer = {first} 1 1 1
maxRaises = 2 1 1 1
numSuits = {suits}
numRanks = {ranks}
numHoleCards = {hole}
numBoardCards = {board}
END GAMEDEF"""


def short_deck(
    rounds: int = 2,
    suits: int = 3,
    ranks: int = 4,
    hole: int = 2,
    board: str = "0 1",
    *,
    blinds: str = "1 1",
    first: int = 1,
) -> PokerRules:
    """board: cards by round. blinds, first: of the seats, and which of them begins."""
    text = SHORT_DECK.format(
        rounds=rounds, suits=suits, ranks=ranks, hole=hole, board=board, blinds=blinds, first=first
    )  # fmt: skip
    return parse_rules(text, f"short-{rounds}-{suits}-{ranks}-{hole}")
