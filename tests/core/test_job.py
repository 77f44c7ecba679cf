"""The skeleton of jobs: fields become a config and back, and only what determines the numbers is the identity."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

import pytest

from nashgap.core.job import BatchJob, budget, setting
from nashgap.errors import ConfigError
from nashgap.runs import RunConfig


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Options:
    depth: int = 1
    share: float = 0.5
    name: str | None = None


@dataclass(frozen=True)
class File:
    """Tells its digest, and where it lies beside it."""

    path: str
    digest: str

    def to_config(self):
        return {"digest": self.digest}

    def inputs(self):
        return {self.digest: self.path}

    @classmethod
    def from_config(cls, value, inputs):
        return cls(inputs[value["digest"]], value["digest"])


@dataclass(frozen=True)
class EveryJob(BatchJob):
    kind: ClassVar[str] = "every"

    seed: int
    colour: Colour = Colour.RED
    options: Options = field(default_factory=Options)
    parts: tuple[Options, ...] = ()
    files: Mapping[str, File] = field(default_factory=dict)
    limit: float | None = None
    deals: int = budget(10)
    minutes: float | None = budget(None)
    cache: dict = setting(None)


JOB = EveryJob(
    3,
    Colour.BLUE,
    Options(2, 0.25, "x"),
    (Options(), Options(5)),
    {"1": File("here/a.bin", "aa"), "2": File("b.bin", "bb")},
    deals=7,
    cache={"not": "kept"},
)


def test_a_config_makes_the_job_again():
    config = RunConfig.of(JOB)
    again = EveryJob.from_config(config.identity, config.budget, config.inputs)
    assert again == JOB
    assert again.cache is None


def test_paths_settings_and_budget_are_no_part_of_the_identity():
    moved = EveryJob(3, Colour.BLUE, Options(2, 0.25, "x"), (Options(), Options(5)), {
        "1": File("there/a.bin", "aa"), "2": File("b.bin", "bb")}, deals=9000)  # fmt: skip
    assert RunConfig.of(moved).run_id == RunConfig.of(JOB).run_id
    assert JOB.budget() == {"deals": 7, "minutes": None}
    assert JOB.inputs() == {"aa": "here/a.bin", "bb": "b.bin"}
    assert "here" not in str(JOB.identity())


@pytest.mark.parametrize("change", [{"seed": 4}, {"colour": Colour.RED}, {"options": Options(3)}, {"limit": 1.0}])
def test_the_identity_tells_jobs_apart(change):
    import dataclasses

    assert RunConfig.of(dataclasses.replace(JOB, **change)).run_id != RunConfig.of(JOB).run_id


@pytest.mark.parametrize(
    "identity", [{}, {"seed": 1, "size": 2}, {"seed": 1, "options": {"dept": 2}}, {"seed": 1, "files": 3}]
)
def test_a_config_of_something_else_is_refused(identity):
    with pytest.raises(ConfigError, match="config of a every run"):
        EveryJob.from_config(identity, {})
