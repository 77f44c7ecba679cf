"""The leak report: a page and a document that say where the bound comes from, the same after a resume."""

import json
from dataclasses import replace

import pytest

from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError
from nashgap.jobs.lbr import LbrJob
from nashgap.jobs.perform import perform
from nashgap.measures.local_best_response import LbrOptions
from nashgap.poker.rules import load_rules
from nashgap.reports.charts import bars_figure, bars_height
from nashgap.reports.leaks import leak_sections, unclear_note
from nashgap.reports.report import Bars, Table
from nashgap.strategies.spec import parse_bot

JOB = LbrJob(
    rules=load_rules("hunl"),
    strategies=(parse_bot("always-call"),),
    deals=150,
    options=LbrOptions(rounds="3-4"),
    has_leaks=True,
    batch_deals=50,
)


def estimate(mean, ci95=1.0, unit="mbb_per_hand"):
    return Estimate(mean, ci95, 10, unit, "lbr", 0)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("leaks")
    result = perform(JOB, run=folder / "runs")
    result.save_report(folder / "leaks.html")
    return folder, result


def test_the_page_tells_situations_examples_and_parts(written):
    folder, result = written
    page = (folder / "leaks.html").read_text(encoding="utf-8")
    for leak in result.leaks.situations:
        assert leak.situation in page
        assert leak.example.line in page
        assert leak.costliest in page
    for title in ("By the street", "By position of the bot", "By the board", "By the hand that the bot held"):
        assert f"<h2>{title}" in page
    assert "mbb_per_hand" in page
    assert (folder / "plotly.min.js").is_file()
    assert page.count("plotly-graph-div") == 7  # six categories, and the bound over the deals


def test_the_document_has_the_numbers_of_the_page(written):
    folder, result = written
    document = json.loads((folder / "leaks.json").read_text(encoding="utf-8"))
    assert document["mean"] == result.estimate.mean
    assert (document["deals"], document["hands"]) == (150, 300)
    assert [told["text"] for told in document["situations"]] == [leak.text for leak in result.leaks.situations]
    parts = document["parts"]["street"]
    assert sum(part["contribution"]["mean"] for part in parts) == pytest.approx(document["mean"])
    assert document["command"] == result.provenance.command
    assert "--report leaks.html" in document["command"]


def test_workers_and_resumes_write_the_same(written, tmp_path):
    folder, _ = written
    perform(replace(JOB, deals=50), run=tmp_path / "runs")
    perform(JOB, run=tmp_path / "runs", workers=2).save_report(tmp_path / "leaks.html")
    for name in ("leaks.html", "leaks.json"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_a_job_without_leaks_has_no_such_sections(tmp_path):
    result = perform(replace(JOB, has_leaks=False), run=tmp_path)
    assert result.leaks is None
    assert "situations" not in result.provenance.report_path.read_text(encoding="utf-8")
    assert "--report" not in result.provenance.command


def test_a_screen_shows_the_situations_only(written):
    _, result = written
    sections = leak_sections(result.leaks, 2)
    assert [section.title for section in sections if not section.is_detail] == ["The most expensive situations"]


def test_situations_that_may_be_luck_are_named(written):
    _, result = written
    clear = replace(result.leaks.situations[0], is_clear=True)
    luck = replace(clear, is_clear=False)
    assert unclear_note([clear, clear]) == ""
    assert unclear_note([clear, luck]).startswith("Situation 2 is no clear leak")
    assert unclear_note([luck, clear, luck, luck]).startswith("Situations 1, 3 and 4 are no clear leak")


def test_a_bot_that_loses_nowhere_has_no_situations(written):
    _, result = written
    sections = leak_sections(replace(result.leaks, situations=()), 2)
    assert sections[0].paragraphs == ("There is no situation in which LBR won in sum.",)
    assert not any(isinstance(section, Table) for section in sections)


def test_only_the_largest_of_many_lines_are_drawn(written):
    _, result = written
    parts = tuple(replace(result.leaks.parts["line"][0], key=f"line {number}", share=0.05) for number in range(20))
    chart = leak_sections(replace(result.leaks, parts={"line": parts}), 2)[-1]
    assert [name for name, _ in chart.bars] == [f"line {number} (5.0%)" for number in range(14)]
    assert "All other lines, 30.0% of hands" in chart.note


def test_bars_are_drawn_in_their_order_with_their_intervals():
    bars = Bars("By street", "LBR wins", (("flop", estimate(3.0, 0.5)), ("<turn>", estimate(-2.0))))
    figure = bars_figure(bars)
    (trace,) = figure.data
    assert list(trace.y) == ["flop", "&lt;turn&gt;"]
    assert list(trace.x) == [3.0, -2.0]
    assert list(trace.error_x.array) == [0.5, 1.0]
    assert trace.marker.color[0] != trace.marker.color[1]
    assert list(figure.layout.yaxis.categoryarray) == ["&lt;turn&gt;", "flop"]
    assert figure.layout.xaxis.title.text == "LBR wins, mbb_per_hand"
    assert bars_height(bars) < bars_height(Bars("", "", bars.bars * 3))


def test_bars_of_different_units_are_refused():
    with pytest.raises(ConfigError, match="bars 'Mixed': they need estimates of one unit"):
        Bars("Mixed", "wins", (("a", estimate(1.0)), ("b", estimate(1.0, unit="sb_per_hand"))))
