"""Experts on the command line: trained, grafted, shown; and what is refused before anything is trained."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RECIPE = """
title = "an expert of 3-player Leduc"
game = "leduc3"
after = {after}
seeding = "{seeding}"
betting = "full"
cards = "lossless"
minutes = 0.01
"""
SEEDING = """
title = "by cards"
cards = "lossless"

[after]
rf = [{button}, {small_blind}]
"""


def write(
    folder: Path,
    after: str = '["rf", "crf"]',
    seeding: str = "uniform",
    small_blind: str = "",
    button: str = "",
    more: str = "",
) -> Path:
    hands = {"small_blind": small_blind or [1] * 8, "button": button or [0] * 4 + [1] * 4}
    (folder / "cards.toml").write_text(SEEDING.format(**hands), "utf-8")
    (folder / "mine.toml").write_text(RECIPE.format(after=after, seeding=seeding) + more, "utf-8")
    return folder / "mine.toml"


def test_experts_are_trained_grafted_and_shown(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    trained = nashgap("solve", str(write(tmp_path)), "--iterations", "2000", "-o", "experts.safetensors")
    assert trained.status == 0
    assert "2 experts, 4,000 iterations" in trained.out
    assert max(map(len, trained.out.splitlines())) <= 80
    again = nashgap("solve", "mine.toml", "--iterations", "2000", "--json").json
    assert [each["after"] for each in again["experts"]] == ["rf", "crf"]
    (tmp_path / "base.toml").write_text(
        RECIPE.replace('after = {after}\nseeding = "{seeding}"\n', "").replace("an expert of ", ""), "utf-8"
    )
    assert nashgap("solve", "base.toml", "--iterations", "500", "-o", "base.safetensors").status == 0
    grafted = nashgap("graft", "base.safetensors", "experts.safetensors", "-o", "master.safetensors")
    assert grafted.status == 0 and "master.safetensors is sound" in grafted.out
    shown = nashgap("show", "master.safetensors", "--after", "rf")
    assert shown.status == 0
    expert = nashgap("show", "experts.safetensors", "--after", "rf")
    assert expert.out.split("\n\n")[1:] == shown.out.split("\n\n")[1:]
    assert nashgap("show", "experts.safetensors").status == 2
    assert nashgap("measure", "experts.safetensors", "--by", "lbr").status == 2


def test_a_dry_run_tells_every_expert(nashgap: Callable[..., Any]) -> None:
    found = nashgap("solve", "hue5-uniform", "--dry-run", "--json").json
    assert [each["recipe"] for each in found["experts"]][:2] == ["hue5-uniform-f", "hue5-uniform-rf"]
    assert found["experts"][3]["information_sets"] == 517_750


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"after": '"rx"'}, "mine.toml: after: betting 'rx': 'x' is no action"),
        ({"after": '"rrrf"'}, "mine.toml: after: betting 'rrrf': 'r' is not legal after 'rr'"),
        ({"after": '"rff"'}, "mine.toml: after: betting 'rff': the hand is over"),
        ({"after": '["rf", "rf"]'}, "mine.toml: after: ['rf', 'rf'] has the same betting twice"),
        ({"seeding": "nobody"}, "mine.toml: seeding: unknown seeding 'nobody'"),
        ({"seeding": "gone.toml"}, "gone.toml"),
        (
            {"seeding": "cards.toml", "small_blind": str([0] * 8), "after": '"rf"'},
            "makes 'rf' impossible: with no hand",
        ),
        ({"seeding": "base"}, "takes what a base plays; name its strategy file: --base"),
        ({"more": "start = 'base'", "after": '["rf", "rcc"]'}, "which is over after 'rcc'"),
        ({"more": "[solver]\nsampling = 'public'"}, "solver: sampling = 'public' deals all hands alike"),
        (
            {"seeding": "cards.toml", "small_blind": str([0] * 7 + [1]), "button": str([0] * 7 + [1]), "after": '"rf"'},
            "'cards' makes 'rf' impossible: the seats' hands share their cards",
        ),
    ],
)
def test_what_cannot_be_trained_is_one_line(
    nashgap: Callable[..., Any], tmp_path: Path, options: dict[str, str], message: str
) -> None:
    outcome = nashgap("solve", str(write(tmp_path, **options)), "-o", "experts.safetensors")
    assert (outcome.status, outcome.out) == (2, "")
    assert len(outcome.err.strip().splitlines()) == 1
    assert message in outcome.err
    assert not (tmp_path / "experts.safetensors").exists() and not (tmp_path / "runs").exists()


def test_a_base_or_expert_of_another_game_is_refused(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    assert nashgap("solve", "leduc-small", "--iterations", "200", "-o", "two.safetensors").status == 0
    outcome = nashgap("solve", str(write(tmp_path, seeding="base")), "--base", "two.safetensors")
    assert outcome.status == 2 and "two.safetensors is a strategy for leduc2, not for leduc3" in outcome.err
    outcome = nashgap("solve", "mine.toml", "--base", "gone.safetensors")
    assert outcome.status == 2 and "there is no such strategy file" in outcome.err
    write(tmp_path)
    outcome = nashgap("solve", "mine.toml", "--base", "two.safetensors")
    assert outcome.status == 2 and "takes nothing from a base" in outcome.err
    assert nashgap("solve", "mine.toml", "--iterations", "200", "-o", "experts.safetensors").status == 0
    outcome = nashgap("graft", "two.safetensors", "experts.safetensors", "-o", "master.safetensors")
    assert outcome.status == 2 and not (tmp_path / "master.safetensors").exists()
    outcome = nashgap("match", "master:always-call+gone.safetensors", "always-call", "always-call", "--game", "leduc3")
    assert outcome.status == 2 and "there is no such strategy file" in outcome.err
