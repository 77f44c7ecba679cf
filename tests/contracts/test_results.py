"""What every result promises: it says itself in a line, as a page, in a notebook, in a terminal and as JSON."""

from __future__ import annotations

import dataclasses
import json
import pkgutil
import re
import sys
from html import escape
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from sample_results import SAMPLES, sample_bound, sample_tournament, sample_training, small_games

import nashgap
from nashgap.core.result import MOST_LETTERS, Result, frame
from nashgap.errors import MissingExtraError
from nashgap.reports.report import Report
from nashgap.reports.terminal import print_result, report_document

MOST_SCRIPT_BYTES = 100_000
MOST_LINES = 150  # on a screen; a tournament has the most
VOID = {"br", "hr", "img", "input", "link", "meta", "path", "circle", "rect", "line", "polyline", "polygon"}


class Tags(HTMLParser):
    """Fails where a tag is closed that is not open; `open_tags` are left open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open_tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open_tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open_tags.pop() == tag


def kinds_of_results() -> set[type[Result]]:
    """Every class of results in the package that is no mere beginning of others."""
    for module in pkgutil.walk_packages(nashgap.__path__, "nashgap."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found, waiting = set(), [Result]
    while waiting:
        kind = waiting.pop()
        below = kind.__subclasses__()
        waiting += below
        is_shown_itself = "reporter" in vars(kind) and any(each.reporter != kind.reporter for each in below)
        if (not below or is_shown_itself) and kind.__module__.startswith("nashgap."):
            found.add(kind)
    return found


@pytest.fixture(scope="module", params=SAMPLES)
def sample(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Result:
    kind, make = SAMPLES[request.param]
    made = make(tmp_path_factory.mktemp("sample"))
    assert type(made) is kind
    return made


def test_every_kind_of_result_has_a_sample() -> None:
    assert {kind for kind, _ in SAMPLES.values()} == kinds_of_results()


def test_it_is_frozen_and_keeps_where_it_comes_from(sample: Result) -> None:
    assert dataclasses.is_dataclass(sample)
    with pytest.raises(dataclasses.FrozenInstanceError):
        sample.provenance = None  # type: ignore[misc,assignment]
    command = sample.report().command
    assert command == sample.provenance.command or not sample.provenance.command


def test_its_repr_is_a_line_or_two(sample: Result) -> None:
    assert 0 < len(repr(sample)) < 400
    assert repr(sample).startswith(f"<{type(sample).__name__}")
    assert "object at 0x" not in repr(sample)
    assert sample.summary.strip()


def test_its_numbers_are_json(sample: Result) -> None:
    for document in (sample.as_dict(), sample.page_document()):
        assert json.loads(json.dumps(document, allow_nan=False))
    assert json.dumps(report_document(sample.report()), allow_nan=False)


def test_a_notebook_shows_it_without_script_or_leaking_style(sample: Result) -> None:
    shown = sample._repr_html_()  # type: ignore[operator]
    assert Tags(shown).open_tags == []
    assert all(len(script) < MOST_SCRIPT_BYTES for script in re.findall("<script.*?</script>", shown, re.DOTALL))
    for style in re.findall("<style>(.*?)</style>", shown, re.DOTALL):
        rules = re.sub(r"@media[^{]*\{((?:[^{}]*\{[^{}]*\})*)\s*\}", r"\1", style)
        for selectors in re.findall(r"([^{}]+)\{", rules):
            assert all(each.strip().startswith(".") for each in selectors.split(",")), selectors


def test_its_page_and_the_file_beside_it_are_written(sample: Result, tmp_path: Path) -> None:
    sample.save_report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    report = sample.report()
    assert isinstance(report, Report)
    assert f"<title>{escape(report.title)}</title>" in page
    told = json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))
    document = json.loads(json.dumps(sample.page_document()))
    assert told == {"title": report.title, "command": report.command, "facts": told["facts"], **document}


@pytest.mark.parametrize("width", [80, 120])
def test_a_terminal_shows_it_without_its_details(sample: Result, width: int, tmp_path: Path) -> None:
    with (tmp_path / "screen").open("w+", encoding="utf-8") as file:
        console = Console(file=file, width=width, highlight=False, markup=False, emoji=False)
        print_result(sample, places={"output": "bot.safetensors"}, console=console)
        file.seek(0)
        lines = file.read().splitlines()
    places = ("output: ", "report: ", "repeat: ", "cross_table: ")  # are never broken
    assert max(len(line) for line in lines if not line.startswith(places)) <= width
    assert "output: bot.safetensors" in lines
    assert len(lines) < MOST_LINES
    text = " ".join(" ".join(lines).split())
    assert sample.report().title in text
    for section in sample.report().sections:
        if section.title and section.is_detail:
            assert section.title not in lines


class Rows:
    """What pandas makes, as far as these tests ask."""

    def __init__(self, rows: Any, columns: list[str]) -> None:
        self.rows, self.columns = rows, columns


def test_its_table_is_a_frame(sample: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(sample, "to_frame"):
        pytest.skip("it has no table")
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=Rows))
    made = sample.to_frame()
    assert len(set(made.columns)) == len(made.columns)
    rows = list(zip(*made.rows.values(), strict=True)) if isinstance(made.rows, dict) else made.rows
    assert all(len(row) == len(made.columns) for row in rows)


def test_frames_ask_for_pandas_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"to_frame\(\) needs pandas: pip install pandas"):
        frame(("a",), [(1,)])


def test_a_long_summary_is_cut_in_the_repr() -> None:
    @dataclasses.dataclass(frozen=True, eq=False, repr=False)
    class Long(Result):
        @property
        def summary(self) -> str:
            return "word " * 200

    assert len(repr(Long())) == MOST_LETTERS
    assert repr(Long()).endswith(" ...>")


def test_public_objects_have_short_reprs(tmp_path: Path) -> None:
    """A notebook user sees one by looking at it; the compiled tree of Leduc had 100,000 letters."""
    training, bound, tournament = sample_training(tmp_path), sample_bound(tmp_path), sample_tournament(tmp_path)
    solution, (games, _) = nashgap.solve("leduc", iterations=2), small_games()
    game, rules = training.strategy.game, nashgap.load_rules("hunl")
    assert bound.leaks is not None
    seen: dict[str, object] = {
        "tree": solution.strategy.tree,
        "table": solution.strategy,
        "abstract strategy": training.strategy,
        "abstract game": game,
        "betting tree": game.tree,
        "cards": game.cards[0][2],
        "rules": rules,
        "six seats": nashgap.load_rules("lhe6"),
        "state": rules.root().act(nashgap.CALL),
        "recipe": training.recipe,
        "training": training.job,
        "measurement": bound.job,
        "self-play": training.self_play,
        "policy": nashgap.load("always-call", "hunl").policies([rules.root()])[0],
        "policy by hand": training.policies([game.rules.root()])[0],
        "range": nashgap.parse_range("22+, A2s+, K9s+, QTs+, JTs, ATo+, KJo+"),
        "estimate": bound.estimate,
        "leaks": bound.leaks,
        "leak": bound.leaks.situations[0],
        "cross-table": tournament.cross_table,
        "confidence": tournament.confidence,
        "config": tournament.config,
        "games": games,
        "distributions": games.games,
    }
    for name, each in seen.items():
        assert len(repr(each)) < 400, f"{name}: {repr(each)[:500]}"
        assert "object at 0x" not in repr(each), f"{name}: {each!r}"
