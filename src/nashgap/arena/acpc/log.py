"""Match logs: written hand by hand, read back and recomputed.

    # name/game/hands/seed lim2.1 lhe2 3000 1
    #--t_response 600000
    STATE:0:rrc/rc/crc/cc:8s2h|Kd5c/7hAdTd/4s/Kc:-60|60:p1|p2
    ...
    SCORE:-1290|1290:p1|p2

Other lines that begin with `#` are remarks.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from nashgap.core.regular_file import open_regular
from nashgap.core.result import Result
from nashgap.errors import FileFormatError, NashGapError, OutputError
from nashgap.poker.notation import HandRecord, format_hand, format_payoff, parse_hand
from nashgap.poker.protocol import is_comment
from nashgap.poker.rules import PokerRules

__all__ = ["MAX_SHOWN", "LogCheck", "MatchLog", "Mismatch", "check_log", "header_line", "log_lines", "score_line"]

NUM_KEPT = 10
PROGRESS_HANDS = 1000
CHIP_TOLERANCE = 1e-6  # a log has six decimals
MAX_LINE = 1 << 17
MAX_SHOWN = 300  # letters of an error about a line, which has part of it


def header_line(name: str, game: str, num_hands: int, seed: int) -> str:
    return f"# name/game/hands/seed {name} {game} {num_hands} {seed}"


def score_line(chips: Sequence[float], players: Sequence[str]) -> str:
    """What each player has won by the end of the match."""
    return f"SCORE:{'|'.join(map(format_payoff, chips))}:{'|'.join(players)}"


class MatchLog:
    """A file that can be read whenever the writer dies; only a line that was just being written may be cut short.

    Without a path nothing is kept.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        try:
            self._file = None if path is None else path.open("wb", buffering=0)
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {error.strerror}") from error

    @property
    def is_kept(self) -> bool:
        return self._file is not None

    def header(self, name: str, game: str, num_hands: int, seed: int, milliseconds: Mapping[str, float]) -> None:
        """The first lines. milliseconds: the time limits by their names in the competition (t_response, ...)."""
        self.write(header_line(name, game, num_hands, seed))
        for limit, value in milliseconds.items():
            self.write(f"#--{limit} {value:.0f}")

    def remark(self, text: str) -> None:
        self.write(f"# {text}")

    def hand(self, hand: HandRecord) -> None:
        self.write(format_hand(hand))

    def score(self, chips: Sequence[float], players: Sequence[str]) -> None:
        self.write(score_line(chips, players))

    def write(self, line: str) -> None:
        if self._file is None:
            return
        try:
            self._file.write(line.encode() + b"\n")
        except OSError as error:
            raise OutputError(f"{self._path}: cannot be written: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()


@dataclass(frozen=True)
class Mismatch:
    """A line whose chips are not those of its cards and betting; hand_number is None for the SCORE line.

    players, logged, recomputed: `[N]` in the order of the line.
    """

    line: int
    hand_number: int | None
    players: tuple[str, ...]
    logged: tuple[float, ...]
    recomputed: tuple[float, ...]


@dataclass(frozen=True, repr=False)
class LogCheck(Result):
    """What a log says, recomputed.

    file, game:   that were compared.
    mismatches:   the first ones of `num_mismatches`.
    has_score:    whether the match was played to its end.
    is_cut_short: whether its writer died in the middle of the last line, which then does not count.
    """

    reporter: ClassVar[str] = "nashgap.reports.acpc:log_report"

    num_hands: int
    num_mismatches: int
    mismatches: tuple[Mismatch, ...]
    has_score: bool
    is_cut_short: bool
    file: str = ""
    game: str = ""

    @property
    def is_sound(self) -> bool:
        return not self.num_mismatches

    @property
    def summary(self) -> str:
        return f"{self.file}: {self.num_hands:,} hands, {self.num_mismatches:,} mismatches."

    def as_dict(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "game": self.game,
            "hands": self.num_hands,
            "mismatches": self.num_mismatches,
            "first_mismatches": [
                {
                    "line": wrong.line,
                    "hand": wrong.hand_number,
                    "players": list(wrong.players),
                    "logged": list(wrong.logged),
                    "recomputed": list(wrong.recomputed),
                }
                for wrong in self.mismatches
            ],
            "has_score": self.has_score,
            "is_cut_short": self.is_cut_short,
        }


def check_log(path: Path, rules: PokerRules, progress: Callable[[int], None] | None = None) -> LogCheck:
    """Replay every hand of the log and recompute its payoffs, and the SCORE line from them.

    progress: called now and then with the number of hands done.
    """
    totals: defaultdict[str, float] = defaultdict(float)
    num_hands = num_mismatches = 0
    kept: list[Mismatch] = []
    has_score = is_cut_short = False
    for number, line, has_end in log_lines(path):
        try:
            if has_score:
                raise FileFormatError("there is more after the SCORE line")
            if line.startswith("SCORE:"):
                has_score = True
                found = _check_score(number, line, totals, rules)
            else:
                found = _check_hand(number, line, totals, rules)
                num_hands += 1
        except NashGapError as error:
            if not has_end and num_hands > 0 and not has_score:
                is_cut_short = True
                break
            raise FileFormatError(f"{path}: line {number}: {str(error)[:MAX_SHOWN]}") from error
        if found is not None:
            num_mismatches += 1
            kept += [found][: NUM_KEPT - len(kept)]
        if progress is not None and num_hands % PROGRESS_HANDS == 0:
            progress(num_hands)
    if num_hands == 0:
        raise FileFormatError(f"{path}: no STATE line; is this a match log?")
    return LogCheck(num_hands, num_mismatches, tuple(kept), has_score, is_cut_short)


def log_lines(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Numbered lines but for comments and empty ones, and whether each has a line end."""
    try:
        with open_regular(path) as file:
            for number, raw in enumerate(iter(lambda: file.readline(MAX_LINE), b""), start=1):
                if not raw.endswith(b"\n") and len(raw) == MAX_LINE:
                    raise FileFormatError(f"{path}: line {number} has more than {MAX_LINE} bytes")
                try:
                    line = raw.decode("utf-8").strip()
                except UnicodeDecodeError:
                    raise FileFormatError(f"{path}: line {number} is not text") from None
                if line and not is_comment(line):
                    yield number, line, raw.endswith(b"\n")
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read: {error.strerror}") from error


def _check_hand(number: int, line: str, totals: defaultdict[str, float], rules: PokerRules) -> Mismatch | None:
    hand = parse_hand(line, rules)
    payoffs = hand.state.payoffs(hand.hole_cards)
    for player, chips in zip(hand.players, payoffs, strict=True):
        totals[player] += chips
    if _are_close(hand.payoffs, payoffs):
        return None
    return Mismatch(number, hand.hand_number, hand.players, hand.payoffs, payoffs)


def _check_score(number: int, line: str, totals: Mapping[str, float], rules: PokerRules) -> Mismatch | None:
    fields = line.split(":", 2)
    chips, players = fields[1].split("|"), tuple(fields[-1].split("|"))
    if len(fields) != 3 or len(chips) != rules.num_seats or len(players) != rules.num_seats:
        raise FileFormatError(f"{line[:60]!r} is not SCORE:chips:players for {rules.num_seats} players")
    try:
        logged = tuple(map(float, chips))
    except ValueError:
        raise FileFormatError(f"score {fields[1]!r}; numbers are needed") from None
    if not all(map(math.isfinite, logged)):
        raise FileFormatError(f"score {fields[1]!r}; finite numbers are needed")
    if unknown := [player for player in players if player not in totals]:
        raise FileFormatError(f"player {unknown[0]!r} of the SCORE line is in no hand")
    recomputed = tuple(totals[player] for player in players)
    # Players of the same name cannot be told apart, but what they won together can.
    together: defaultdict[str, float] = defaultdict(float)
    for player, won in zip(players, logged, strict=True):
        together[player] += won
    if _are_close([together[player] for player in players], recomputed):
        return None
    return Mismatch(number, None, players, logged, recomputed)


def _are_close(logged: Sequence[float], recomputed: Sequence[float]) -> bool:
    return all(
        math.isclose(one, other, rel_tol=1e-12, abs_tol=CHIP_TOLERANCE)
        for one, other in zip(logged, recomputed, strict=True)
    )
