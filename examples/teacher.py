"""A teacher's lesson: solved games, a few rules learned from them, and what playing by the rules costs.

python examples/teacher.py [FOLDER]
"""

import sys
from pathlib import Path

import nashgap as ng

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "teacher")
folder.mkdir(parents=True, exist_ok=True)

# Random games of one bet, each with its own distribution of hands, solved exactly.
games = ng.explain.dataset(250, seed=1)
print(games)

# A decision tree that bets in games it has not seen, with its exact price.
print(ng.explain.fit(games, depth=4))

# Rules that a person can remember.
rules = ng.explain.rules(games, max_rules=3)
print(rules)
rules.save_report(folder / "rules.html")

# The strategy to teach from: Kuhn poker, whose every decision fits a blackboard.
kuhn = ng.solve("kuhn", until=1e-4)
print(kuhn.at("b"))
