"""`nashgap explain rules`: a whole strategy of a few sentences, and what it costs."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.explain_fit import ChoiceOption, GamesArgument, TestOption, TrainOption, load_split
from nashgap.cli.options import JsonOption, QuietOption
from nashgap.cli.output import print_json, say

__all__ = ["rules"]


def rules(
    games: GamesArgument,
    max_rules: Annotated[int, typer.Option("--max-rules", metavar="N", help="At most so many rules.")] = 8,
    choice: ChoiceOption = "solver",
    train: TrainOption = None,
    test: TestOption = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page with the charts.")] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Find a few rules that make a whole strategy, and measure what they cost.

    The rules are searched for the least exploitability in games to learn from,
    given round numbers, and priced in games they have not seen, beside the two
    rules of Ganzfried & Yusuf (2017), similar games, their tree, and checking.

    Examples: [bold]nashgap explain rules games.safetensors[/bold],
    [bold]nashgap explain rules games.safetensors --max-rules 4 --report rules.html[/bold]
    """
    from nashgap.core.array_file import check_writable
    from nashgap.reports.report import write_report
    from nashgap.reports.rules import find_rules, rules_report
    from nashgap.reports.terminal import print_report

    if report is not None:
        check_writable(report)
    learned, unseen = load_split(games, train, test, choice)
    if not quiet:
        say(f"rules: {len(learned):,} games to learn from, {len(unseen):,} to test on")
    result = find_rules(learned, unseen, max_rules, choice, on_note=None if quiet else say)
    options = ["--max-rules", str(max_rules), "--choice", choice]
    split = ["--train", str(len(learned)), "--test", str(len(unseen))]
    command = shlex.join(["nashgap", "explain", "rules", str(games), *options, *split])
    if json and report is None:
        print_json({**result.as_dict(), "report": None})
        return
    page = rules_report(result, unseen, command)
    if report is not None:
        write_report(page, report)
    if json:
        print_json({**result.as_dict(), "report": str(report)})
    else:
        print_report(page, report)
