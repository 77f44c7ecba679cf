"""Errors go from one process to another as they are."""

import pickle

import pytest

from nashgap import errors
from nashgap.errors import NashGapError, UnsavedError


@pytest.mark.parametrize("name", errors.__all__)
def test_an_error_survives_a_pickle(name: str) -> None:
    kind: type[NashGapError] = getattr(errors, name)
    error = kind("cannot `do` it", {"gap": 3}) if kind is UnsavedError else kind("cannot `do` it")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
