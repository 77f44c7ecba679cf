"""Whatever is put before a parser, it reads it or refuses it by an error of ours, in little time and memory.

Inputs are drawn from a seed: a few hundred in the usual tests, 10,000 each with `--long`.
"""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from damage import damaged_bytes, damaged_texts, damaged_values
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import nashgap as ng
from nashgap.abstraction.buckets import parse_card_abstraction
from nashgap.arena.acpc.log import check_log
from nashgap.arena.cross_table import parse_cross_table
from nashgap.arena.phh import read_hands
from nashgap.arena.tournament import load_tournament
from nashgap.cards.card import parse_cards
from nashgap.cards.ranges import parse_range
from nashgap.core.array_file import open_arrays, save_arrays
from nashgap.errors import AgentError, NashGapError
from nashgap.games.spec import parse_spec
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_line import read_line
from nashgap.poker.notation import parse_hand, parse_match_state, parse_state
from nashgap.poker.place import parse_place
from nashgap.poker.prefix import parse_prefix
from nashgap.poker.protocol import is_version, parse_response
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.runs.config import load_config
from nashgap.solvers.recipe import load_recipe
from nashgap.solvers.seeding import load_seeding
from nashgap.strategies.check_file import check_file
from nashgap.strategies.exec_program import ExecStrategy, _parsed
from nashgap.strategies.patch import parse_patches
from nashgap.strategies.play_options import parse_play_options
from nashgap.strategies.spec import parse_bot
from nashgap.strategies.spot_lock import parse_lock

SHORT, LONG = 150, 10_000
MOST_SECONDS = 5.0  # for one input; far more than any takes
MOST_MEGABYTES = 400  # that all inputs of a parser may add
PACKAGE = Path(ng.__file__).parent
LHE2, LHE3, HUNL = load_rules("lhe2"), load_rules("lhe3"), load_rules("hunl")

GAME_DEFINITIONS = tuple(path.read_text() for path in sorted((PACKAGE / "poker" / "gamedefs").glob("*.game")))
STATES = (
    "MATCHSTATE:0:30:cr300c/cc/:9s8h|/8c8d5c/6s",
    "MATCHSTATE:1:0::|JdTc",
    "MATCHSTATE:1:7:rrc/rc/crc/c:|Kd5c/7hAdTd/4s/Kc",
)
HANDS = (
    "STATE:0:rrc/rc/crc/cc:8s2h|Kd5c/7hAdTd/4s/Kc:-60|60:p1|p2",
    "STATE:12:cr300f:9s8h|Kd5c:-100|100:first|second",
)
LOGS = ("# name/game/hands/seed m lhe2 2 1\n" + HANDS[0] + "\n" + "SCORE:-60|60:p1|p2\n", "\n".join(HANDS))
PHH = (
    'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\n'
    'starting_stacks = [20000, 20000]\nactions = ["d dh p1 9s8h", "d dh p2 Kd5c", "p2 cbr 300", "p1 f"]\n'
    'hand = 12\nplayers = ["one", "two"]\n_results = [-100, 100]\n',
)
RECIPES = tuple(
    (PACKAGE / "recipes" / f"{name}.toml").read_text() for name in ("leduc-small", "hunl-fcpa", "hue5-base")
)
SEEDINGS = tuple(path.read_text() for path in sorted((PACKAGE / "seedings").glob("*.toml")))
TOURNAMENTS = (
    'game = "lhe3"\ndeals = 30\nagents = ["always-call", "probe", "random"]\nseed = 1\n',
    'game = "lhe2"\ndeals = 10\nteams = 1\n[[agents]]\nname = "one"\nagent = "always-call"\nteam = "us"\n',
)
CONFIGS = (
    'kind = "solve"\nname = "solve-kuhn"\nversion = "0.2.0"\nformat = 2\n[identity]\nseed = 0\nfrozen = {}\n'
    'game = {name = "kuhn", parameters = {players = 2}}\n[budget]\niterations = 10\n[inputs]\n',
)
CROSS_TABLES = (
    "player,opponent1,winrate,ci95\na,b,12.5,3\nb,a,-12.5,3\n",
    "player,opponent1,opponent2,winrate\na,b,c,1\nb,a,c,2\nc,a,b,-3\n",
)
SPECS = {
    "range": ("22+,A2s+,KTo-K7o,AhKh,76s:0.5", "any", "AA:0.1, KK", "AsKs, AdKd"),
    "cards": ("AsKd2c", "Ah Kh Qh"),
    "betting": ("full caps=3/4/4/3", "0.5,1 > 1,a / fcpa / 1 / a", "0.6,e,a > 2.5x donk=-/-/0.5 merge=0.1", "50%,a"),
    "card abstraction": (
        "percentile(ehs2, 5/5/5/5, recall=all)",
        "kmeans(lossless/200/200/200)",
        "lossless",
        "grid(169/60x50x25/60x50x25/200x170)",
    ),
    "game": ("kuhn(players=3)", "bet_size(deck=3, stack=1.5, joint='x.csv')", "openspiel:goofspiel(num_cards=4)"),
    "bot": ("always-call", "probe(by-hand=yes)", "python:a.b:C", "exec(seconds=5, memory=2):./bot a", "acpc:./x"),
    "patches": ("button river limped a = fold below 0.1", "big-blind preflop a = fold below 0.62, no raise"),
    "lock": ("= x", "x = b100 QQ+,AKs:0.5; x", "x x * = x", "ip = f"),
    "place": ("big-blind flop raised xb25", "button river limped"),
    "options": ("translation=soft, threshold=0.1, purify=yes", "fallback=call"),
    "line": ("cr300c/cc/", "r300r900f"),
}


@cache
def root(rules: Any) -> Any:
    return rules.root()


def read_rules(text: str) -> None:
    rules = parse_rules(text)
    assert parse_rules(rules.to_text()) == rules
    _ = rules.root().legal


def read_states(text: str) -> None:
    for rules in (LHE2, HUNL):
        each(lambda r=rules: parse_match_state(text, r), lambda r=rules: parse_hand(text, r))
        betting, _, cards = text.partition("|")
        each(lambda r=rules, b=betting, c=cards: parse_state(b, c, r))


def read_line_of_wire(text: str) -> None:
    is_version(text)
    asked = STATES[1]
    parse_response(text, asked, root(HUNL))
    parse_response(f"{asked}:{text}", asked, root(HUNL))
    parse_response(f"{asked}:{text}", asked, root(LHE2))


def each(*calls: Callable[[], object]) -> None:
    """All of them, whichever of them refuse."""
    for call in calls:
        with suppress(NashGapError):
            call()


def texts(samples: tuple[str, ...]) -> st.SearchStrategy[str]:
    return damaged_texts(samples)


class _Ending:
    """A program that is ended for what it says."""

    def fail(self, reason: str) -> None:
        raise AgentError(reason)

    def expect_no_more(self, what: str) -> None:
        pass


ANSWER = {
    "id": 1,
    "policies": [{"actions": ["f", "c", "r300"], "probabilities": [0.25, 0.25, 0.5]}],
}
BYTES = {"id": 1, "policies": [{"actions": ["c"], "probabilities": {"base64": "AACAPw=="}}]}


def read_answer(line: str) -> None:
    bot = ExecStrategy("true", HUNL)
    answer = _parsed(_Ending(), line.encode("utf-8", "surrogatepass"), "a question")  # type: ignore[arg-type]
    bot._read(answer, 1, [root(HUNL)])


def answers() -> st.SearchStrategy[str]:
    damaged = damaged_values(ANSWER) | damaged_values(BYTES)
    return damaged.map(json.dumps) | damaged_texts((json.dumps(ANSWER), json.dumps(BYTES)))


PARSERS: dict[str, tuple[Callable[[], st.SearchStrategy[str]], Callable[[str], object]]] = {
    "game definitions": (lambda: texts(GAME_DEFINITIONS), read_rules),
    "state strings": (lambda: texts(STATES + HANDS), read_states),
    "ACPC lines": (
        lambda: texts((*STATES, STATES[1] + ":r300", "VERSION:2.0.0", ":c", "r300", "f")),
        read_line_of_wire,
    ),
    "the bot protocol": (answers, read_answer),
    "ranges": (lambda: texts(SPECS["range"]), parse_range),
    "cards": (lambda: texts(SPECS["cards"]), parse_cards),
    "betting abstractions": (
        lambda: texts(SPECS["betting"]),
        lambda text: parse_betting_abstraction(text).native(HUNL),
    ),
    "card abstractions": (lambda: texts(SPECS["card abstraction"]), parse_card_abstraction),
    "games": (lambda: texts(SPECS["game"]), parse_spec),
    "bots": (lambda: texts(SPECS["bot"]), parse_bot),
    "patches": (lambda: texts(SPECS["patches"]), parse_patches),
    "locks": (lambda: texts(SPECS["lock"]), parse_lock),
    "places": (lambda: texts(SPECS["place"]), parse_place),
    "play options": (lambda: texts(SPECS["options"]), parse_play_options),
    "lines of betting": (lambda: texts(SPECS["line"]), lambda text: read_line(HUNL, text)),
    "prefixes": (lambda: texts(SPECS["line"]), lambda text: parse_prefix(LHE3, text)),
    "cross-tables": (lambda: texts(CROSS_TABLES), lambda text: parse_cross_table(text, "table.csv")),
}
FILES: dict[str, tuple[str, tuple[str, ...], Callable[[Path], object]]] = {
    "recipes": ("some.toml", RECIPES, lambda path: load_recipe(str(path))),
    "seedings": ("some.toml", SEEDINGS, lambda path: load_seeding(str(path))),
    "tournaments": ("some.toml", TOURNAMENTS, load_tournament),
    "configs of runs": ("config.toml", CONFIGS, load_config),
    "PHH": ("hand.phh", PHH, lambda path: list(read_hands(path, HUNL))),
    "several hands in PHH": (
        "hands.phhs",
        (f"[1]\n{PHH[0]}\n[2]\n{PHH[0]}",),
        lambda path: list(read_hands(path, HUNL)),
    ),
    "match logs": (
        "match.log",
        LOGS,
        lambda path: each(lambda: check_log(path, LHE2), lambda: list(read_hands(path, LHE2))),
    ),
}
SOUND: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "range": (parse_range, SPECS["range"]),
    "cards": (parse_cards, SPECS["cards"]),
    "betting": (parse_betting_abstraction, SPECS["betting"]),
    "card abstraction": (parse_card_abstraction, SPECS["card abstraction"]),
    "game": (parse_spec, SPECS["game"]),
    "bot": (parse_bot, SPECS["bot"][:1]),
    "patches": (parse_patches, SPECS["patches"]),
    "lock": (parse_lock, SPECS["lock"]),
    "place": (parse_place, SPECS["place"]),
    "options": (parse_play_options, SPECS["options"]),
    "line": (lambda text: read_line(HUNL, text), SPECS["line"]),
    "rules": (parse_rules, GAME_DEFINITIONS),
    "cross-table": (lambda text: parse_cross_table(text, "table.csv"), CROSS_TABLES),
    "hand of limit": (lambda text: parse_hand(text, LHE2), HANDS[:1]),
    "hand": (lambda text: parse_hand(text, HUNL), HANDS[1:]),
    "state": (lambda text: parse_match_state(text, HUNL), STATES[:2]),
    "answer": (read_answer, (json.dumps(ANSWER), json.dumps(BYTES))),
}
LENGTHS = [SHORT, pytest.param(LONG, marks=pytest.mark.long)]


def fuzzed(inputs: st.SearchStrategy[Any], number: int, read: Callable[[Any], object]) -> None:
    """Read so many inputs; only errors of ours are raised."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    @seed(20)
    @settings(
        max_examples=number,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(inputs)
    def run(value: Any) -> None:
        begin = time.process_time()
        try:
            read(value)
        except NashGapError as error:
            assert str(error)
        assert time.process_time() - begin < MOST_SECONDS

    run()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (after - before) / 1000 < MOST_MEGABYTES


@pytest.mark.parametrize("parser", SOUND)
def test_what_is_damaged_was_sound(parser: str) -> None:
    """Else all of it would be refused for the same reason."""
    read, samples = SOUND[parser]
    for sample in samples:
        read(sample)


@pytest.mark.parametrize("number", LENGTHS)
@pytest.mark.parametrize("parser", PARSERS)
def test_a_text_is_read_or_refused(parser: str, number: int) -> None:
    inputs, read = PARSERS[parser]
    fuzzed(inputs(), number, read)


@pytest.mark.parametrize("number", LENGTHS)
@pytest.mark.parametrize("parser", FILES)
def test_a_text_file_is_read_or_refused(parser: str, number: int, tmp_path: Path) -> None:
    name, samples, read = FILES[parser]
    (tmp_path / name).write_text(samples[0])
    read(tmp_path / name)  # which is sound

    def read_file(text: str) -> None:
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        read(tmp_path / name)

    fuzzed(texts(samples), number, read_file)


@pytest.fixture(scope="module")
def strategy_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One of each kind, small."""
    folder = tmp_path_factory.mktemp("strategies")
    ng.solve("kuhn", iterations=5).save(folder / "table.safetensors")
    ng.solve("leduc-small", iterations=1000).save(folder / "abstract.safetensors")
    ng.solve("kuhn3-small", iterations=1000).save(folder / "bytes.safetensors", is_quantised=True)
    board = "Qs Jh 2h 8c 4d"
    ng.solve_spot(board, "AA,KQs", "KK,AQs", pot=200, stack=900, iterations=2).save(folder / "spot.safetensors")
    return {path.stem: path for path in folder.glob("*.safetensors")}


@pytest.mark.parametrize("number", LENGTHS)
@pytest.mark.parametrize("kind", ["table", "abstract", "bytes", "spot"])
def test_a_damaged_strategy_file_is_refused(
    kind: str, number: int, strategy_files: dict[str, Path], tmp_path: Path
) -> None:
    path = tmp_path / "damaged.safetensors"

    def read(content: bytes) -> None:
        path.write_bytes(content)
        check_file(path)

    fuzzed(damaged_bytes((strategy_files[kind].read_bytes(),)), number, read)


@pytest.mark.parametrize("number", LENGTHS)
@pytest.mark.parametrize("kind", ["table", "abstract", "bytes", "spot"])
def test_a_strategy_file_that_tells_something_else_is_read_or_refused(
    kind: str, number: int, strategy_files: dict[str, Path], tmp_path: Path
) -> None:
    """Its checksums are right: another program may have written it."""
    path = tmp_path / "told.safetensors"
    file = open_arrays(strategy_files[kind])
    arrays = {name: file.array(name) for name in file.names}

    def read(metadata: Any) -> None:
        path.unlink(missing_ok=True)
        save_arrays(path, arrays, metadata if isinstance(metadata, dict) else {"kind": metadata})
        check_file(path)

    fuzzed(damaged_values(file.metadata), number, read)
