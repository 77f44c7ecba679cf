"""Writes the pages that are made from the code: docs/algorithms.md from the catalogue.

`python docs/generate.py` writes them, `python docs/generate.py --check` fails if one is out of date.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from nashgap.catalogue import (
    ABSTRACTIONS,
    AGENTS,
    GAMES,
    MEASURES,
    POKER_GAMES,
    POKER_STRATEGIES,
    POLICIES,
    RECIPES,
    REPRODUCTIONS,
    RESIDENTS,
    SOLVERS,
    VARIANCES,
    Registry,
)

PAGE = Path(__file__).parent / "algorithms.md"
SOURCES = Path(__file__).parent.parent / "src"
SECTIONS: tuple[tuple[str, str, Registry[Any]], ...] = (
    ("Games", "`nashgap solve GAME`, `--game GAME`; parameters in parentheses: `kuhn(players=3)`.", GAMES),
    ("Poker games", "`nashgap match AGENT... --game GAME`; or a game definition file.", POKER_GAMES),
    (
        "Agents",
        "`nashgap match NAME...`, `nashgap play --against NAME`; strategies at the poker table play, too.",
        AGENTS,
    ),
    ("Solvers", "`nashgap solve GAME --solver NAME`, but for those that recipes use.", SOLVERS),
    ("Recipes", "`nashgap solve NAME`; the files lie in `src/nashgap/recipes`.", RECIPES),
    ("Abstractions", "`cards` and `betting` of a recipe.", ABSTRACTIONS),
    ("Measures", "`nashgap measure STRATEGY --by NAME`.", MEASURES),
    (
        "Less luck",
        "`nashgap match` and `nashgap compare --by match` with `--variance NAME`, `nashgap acpc aivat LOG`.",
        VARIANCES,
    ),
    ("Built-in strategies", "`nashgap measure NAME --game GAME`.", POLICIES),
    (
        "Built-in strategies at the poker table",
        "`nashgap measure NAME --game GAME --by lbr`, `nashgap check-bot NAME --game GAME`.",
        POKER_STRATEGIES,
    ),
    (
        "Residents",
        "Strategy files of the package: `nashgap play --against NAME`, `nashgap measure NAME`, `nashgap show NAME`.",
        RESIDENTS,
    ),
    ("Reproductions", "`nashgap reproduce NAME`.", REPRODUCTIONS),
)


def algorithms_page() -> str:
    """All names of the catalogue, with what they are, where they come from and the test that proves them."""
    lines = [
        "# Games, algorithms and reproductions",
        "",
        "Made from `src/nashgap/catalogue.py` by `make docs`; do not edit.",
    ]
    for title, usage, registry in SECTIONS:
        lines += ["", f"## {title}", "", usage, "", "| name | what | source | code | proved by |"]
        lines += ["|---|---|---|---|---|"]
        for name, entry in registry.entries.items():
            code = entry.target.partition(":")[0].replace(".", "/")
            code += "/" if (SOURCES / code).is_dir() else ".py"
            cells = (f"`{name}`", entry.summary, entry.paper, f"`{code}`", f"`{entry.checked}`")
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    page = algorithms_page()
    if arguments == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != page:
            print(f"{PAGE.name} is out of date: run make docs", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
