"""The protocols tell the two kinds of job apart."""

import pytest

from nashgap.core.job import BatchJob, CheckpointJob


class Common:
    kind = name = "sample"

    def identity(self):
        return {}

    def budget(self):
        return {}

    @classmethod
    def from_config(cls, identity, budget, folder=None):
        return cls()


class Batches(Common):
    num_batches = 3

    def describe_batch(self, index):
        return ""

    def run_batch(self, index):
        return {}


class Steps(Common):
    is_finished = False

    def advance(self): ...

    def save(self, path): ...

    def load(self, path): ...


@pytest.mark.parametrize(
    ("job", "is_batch_job", "is_checkpoint_job"),
    [(Batches(), True, False), (Steps(), False, True), (Common(), False, False)],
)
def test_protocols_tell_jobs_apart(job, is_batch_job, is_checkpoint_job):
    assert isinstance(job, BatchJob) is is_batch_job
    assert isinstance(job, CheckpointJob) is is_checkpoint_job
