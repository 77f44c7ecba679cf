"""The best score of the quiz, kept between sittings in the user's data folder.

The folder is `$NASHGAP_DATA`, or else the platform's data folder of `nashgap`. Stakes have a record each, because costs
depend on them. A file that cannot be read counts as missing.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from nashgap.core.array_file import write_atomically
from nashgap.core.regular_file import read_text
from nashgap.errors import OutputError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.quiz import Score

__all__ = ["FEWEST_ANSWERS", "Record", "keep_score", "load_record", "record_path"]

FEWEST_ANSWERS = 10
"""A mean cost counts from so many answers on: one lucky check is no record."""


@dataclass(frozen=True)
class Record:
    """The best of all sittings.

    mean_cost:      the lowest, in dollars a hand; None before a sitting with enough answers.
    num_answers:    of the sitting that had it.
    longest_streak: of any sitting.
    """

    mean_cost: float | None = None
    num_answers: int = 0
    longest_streak: int = 0

    def with_score(self, score: Score) -> Record:
        best = replace(self, longest_streak=max(self.longest_streak, score.longest_streak))
        is_enough = score.num_answers >= FEWEST_ANSWERS
        if is_enough and (self.mean_cost is None or score.mean_cost < self.mean_cost):
            return replace(best, mean_cost=score.mean_cost, num_answers=score.num_answers)
        return best


def record_path() -> Path:
    if chosen := os.environ.get("NASHGAP_DATA"):
        return Path(chosen) / "quiz.json"
    from platformdirs import user_data_dir

    return Path(user_data_dir("nashgap", appauthor=False)) / "quiz.json"


def load_record(stakes: Stakes) -> Record:
    return _record(_all_records().get(_key(stakes)))


def keep_score(stakes: Stakes, score: Score) -> Record:
    """The record with the score in it, also on disk. OutputError if it cannot be written."""
    record = load_record(stakes).with_score(score)
    path = record_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error
    records = _all_records() | {_key(stakes): asdict(record)}
    write_atomically(path, [json.dumps(records, indent=2, sort_keys=True).encode()])
    return record


def _key(stakes: Stakes) -> str:
    return f"deck={stakes.deck},stack={stakes.stack:g},step={stakes.step:g},ante={stakes.ante:g}"


def _all_records() -> dict[str, Any]:
    try:
        records = json.loads(read_text(record_path()))
    except (OSError, ValueError, RecursionError):
        return {}
    return records if isinstance(records, dict) else {}


def _record(entry: object) -> Record:
    try:
        record = Record(**entry)  # type: ignore[arg-type]
        known = record.mean_cost is None or record.mean_cost >= 0.0
        return record if known and min(record.num_answers, record.longest_streak) >= 0 else Record()
    except TypeError:
        return Record()
