"""`make bench`: NashGap and its peers side by side, in one run, on one thread unless said.

Only the ratios mean something: both sides take turns on the same machine, and its other load meets both.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

THREAD_SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
PROFILED = ("leduc", "liars_dice")
PARTS = (
    *("cfr_plus", "nash_conv", "sampling", "evaluator", "equity", "match", "acpc_dealer", "abstract_games"),
    *("time_to_gap", "lbr", "search", "spots", "full_response", "neighbours", "workers", "ledger", "alone", "serve"),
)
SLOW = ("time_to_gap", "full_response", "workers", "ledger")
WITH_QUICK = ("cfr_plus", "nash_conv", "spots", "serve")
"""Parts that have a shorter form of their own."""


def main() -> int:
    """Print the table; 1 if a peer's answer differs from ours, for then its ratio means nothing."""
    options = _options()
    # Libraries read these when they are loaded, so the subjects are imported only after.
    os.environ.update(dict.fromkeys(THREAD_SETTINGS, "1"))
    import comparison

    rows = []
    for row in _rows(options.parts, options.quick):
        rows.append(row)
        print(comparison.line(row), file=sys.stderr, flush=True)  # kept if the run is cut short
    profiles = _profiles() if options.profile else []

    if options.json:
        measured = [comparison.as_dict(row) for row in rows]
        print(json.dumps({"threads": 1, "rows": measured, "profiles": profiles}, indent=2))
    else:
        print(f"threads=1; medians of {comparison.NUM_TURNS} turns; aim: the least ratio wanted\n")
        print(comparison.table(rows))
        for profile in profiles:
            print("\n" + _profile_text(profile))
    return 0 if all(row.is_same for row in rows) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="NashGap and its peers side by side, single-threaded.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    parser.add_argument("--profile", action="store_true", help="also show where a CFR+ iteration's time goes")
    options = parser.parse_args()
    if unknown := sorted(set(options.parts) - set(PARTS)):
        parser.error(f"no part {unknown[0]!r}; known: {', '.join(PARTS)}")
    return options


def _rows(parts: list[str], is_quick: bool) -> Iterator[Any]:
    """Of these parts, or of all; each is a module with `rows`."""
    for name in parts or PARTS:
        if is_quick and name in SLOW and not parts:
            continue
        rows = import_module(name).rows
        yield from rows(is_quick) if name in WITH_QUICK else rows()


def _profiles() -> list[dict[str, Any]]:
    from iteration_profile import profile

    return [profile(game) for game in PROFILED]


def _profile_text(profile: dict[str, Any]) -> str:
    return (
        f"one CFR+ iteration on {profile['game']}: {profile['iteration_us']:.1f} us\n"
        f"  reach {profile['reach_us']:.1f} us; leaves and update {profile['leaves_and_update_us']:.1f} us\n"
        f"  ({profile['leaf_products']:,} products at {profile['leaves']:,} leaves; {profile['slots']:,} slots)"
    )


if __name__ == "__main__":
    sys.exit(main())
