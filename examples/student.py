"""A student's first hour: solve a game, see it converge, measure anything exactly, look at what to do.

    python examples/student.py [FOLDER]

Writes the strategy and a page with the convergence curve into the folder.
"""

import sys
from pathlib import Path

import nashgap as ng

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "student")
folder.mkdir(parents=True, exist_ok=True)

# Leduc poker, solved by CFR+; the exact gap to equilibrium is measured on the way.
solution = ng.solve("leduc", iterations=2000)
print(solution)
solution.save(folder / "leduc.safetensors")
solution.save_report(folder / "leduc.html")

# The same gap of a strategy that takes every action equally often, and of one that only calls.
for name in ("uniform", "always-call"):
    print(name, ng.measure(name, game="leduc").nash_conv)

# What to do with each card at the beginning, and after a check and a bet.
strategy = ng.load(folder / "leduc.safetensors")
print(strategy.at())
print(strategy.at("cr").hand("Ks"))

# The exact value of the game, by linear programming.
print(ng.solve("leduc", solver="lp").value)
