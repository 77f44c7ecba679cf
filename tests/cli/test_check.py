from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from nashgap.core.array_file import open_arrays, save_arrays
from nashgap.games.compiled import load_tree
from nashgap.strategies.load import save
from nashgap.strategies.table import uniform


def test_a_sound_file_is_described(nashgap: Callable[..., Any]) -> None:
    nashgap("solve", "kuhn", "--iterations", "50", "-o", "kuhn.safetensors")
    outcome = nashgap("check", "kuhn.safetensors", "--json")
    assert outcome.status == 0
    found = outcome.json
    assert found["is_sound"] is True
    assert (found["game"], found["information_sets"], found["slots"]) == ("kuhn", 12, 24)
    assert (found["facts"]["solver"], found["facts"]["iterations"]) == ("cfr+", 50)
    text = nashgap("check", "kuhn.safetensors").out
    assert "kuhn.safetensors is sound" in text
    assert "cfr+" in text


def _rewritten(path: Path, tmp_path: Path, **changes: Any) -> Path:
    """A file with right checksums and something else wrong."""
    file = open_arrays(path)
    probabilities = changes.pop("probabilities", file.array("probabilities"))
    save_arrays(tmp_path / "changed.safetensors", {"probabilities": probabilities}, {**file.metadata, **changes})
    return tmp_path / "changed.safetensors"


def test_files_with_right_checksums_are_still_held_to_their_game(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    tree = load_tree("kuhn")
    path = tmp_path / "uniform.safetensors"
    save(path, uniform(tree))
    wrong: dict[str, dict[str, Any]] = {
        "add up": {"probabilities": np.full(tree.num_slots, 0.4)},
        "another version of kuhn": {"fingerprint": "0" * 16},
        "is a strategy for kuhn": {"game_definition": {"name": "leduc", "parameters": {}}},
        "unknown game 'bridge'": {"game_definition": {"name": "bridge", "parameters": {}}},
        "does not say which game": {"game_definition": {"name": "kuhn"}},
        "not 'tree-strategy'": {"kind": "shopping-list"},
    }
    for message, changes in wrong.items():
        outcome = nashgap("check", str(_rewritten(path, tmp_path, **changes)))
        assert outcome.status == 2
        assert message in outcome.err
        assert outcome.err.count("\n") == 1


def test_a_checkpoint_is_no_strategy(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    nashgap("solve", "kuhn")
    (checkpoint,) = tmp_path.glob("runs/*/checkpoint-*")
    outcome = nashgap("check", str(checkpoint))
    assert outcome.status == 2
    assert "solve-checkpoint" in outcome.err
