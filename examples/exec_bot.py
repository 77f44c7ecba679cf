"""A bot that NashGap can ask: nashgap check-bot exec:'python3 examples/exec_bot.py' --game hunl

It raises by the pot with pairs and high cards, folds low ones, and calls with any. No library is needed.
"""

import json
import sys


def strength(hand):
    """From 0 to 1, by the ranks of the hole cards alone."""
    ranks = ["23456789TJQKA".index(rank) for rank in hand[::2]]
    is_pair = len(ranks) == 2 and ranks[0] == ranks[1]
    return min(1.0, sum(ranks) / (12 * len(ranks)) + 0.5 * is_pair)


def policy(state):
    """For every hand how often the bot takes each action."""
    actions = ["f", "c"] if state["can_fold"] else ["c"]
    if state["raise_to"]:
        smallest, largest = state["raise_to"]
        by_the_pot = max(state["spent"]) + state["pot"] + state["to_call"]
        actions.append(f"r{min(max(by_the_pot, smallest), largest)}")
    rows = []
    for value in strengths:
        weight = {"f": max(0.0, 0.6 - value), "c": 0.4, "r": max(0.0, value - 0.5)}
        total = sum(weight[action[0]] for action in actions)
        rows.append([weight[action[0]] / total for action in actions])
    return {"actions": actions, "probabilities": rows}


game = json.loads(sys.stdin.readline())
strengths = [strength(hand) for hand in game["hands"]]
print(json.dumps({"nashgap": 1, "name": "high cards"}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    answer = {"id": question["id"], "policies": [policy(state) for state in question["states"]]}
    print(json.dumps(answer), flush=True)
