"""Run configs: what the id depends on, and that the file holds what was put in."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_jobs import SumJob

from nashgap.errors import ConfigError, FileFormatError
from nashgap.runs import RunConfig, load_config

SCALARS = st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    SCALARS | TEXT, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6
)


def config(identity, budget=None, kind="solve", name="solve-leduc"):
    return RunConfig(kind, name, "0.1.0", identity, budget or {})


def test_id_does_not_depend_on_budget_name_or_order_of_keys():
    one = config({"game": "leduc", "seed": 1, "options": {"a": 1, "b": 2}}, {"iterations": 10})
    two = config({"options": {"b": 2, "a": 1}, "seed": 1, "game": "leduc"}, {"iterations": 99}, name="other")
    assert one.run_id == two.run_id
    assert len(one.run_id) == 12


@pytest.mark.parametrize("other", [{"seed": 2}, {"seed": 1, "more": 0}, {"seed": "1"}, {}])
def test_id_depends_on_the_identity(other):
    assert config({"seed": 1}).run_id != config(other).run_id


def test_id_depends_on_the_kind():
    assert config({"seed": 1}, kind="solve").run_id != config({"seed": 1}, kind="match").run_id


def test_id_stays_the_same_for_ever():
    """Changing how ids are made orphans every run on disk."""
    assert config({"game": "leduc", "seed": 1}).run_id == "fcf85e01f57d"


def test_absent_and_none_are_the_same():
    assert config({"seed": 1, "threads": None}) == config({"seed": 1})


@given(st.dictionaries(TEXT, VALUES, max_size=4), st.dictionaries(TEXT, VALUES, max_size=4))
def test_file_gives_the_same_config_back(tmp_path_factory, identity, budget):
    path = tmp_path_factory.mktemp("config") / "config.toml"
    written = config(identity, budget)
    path.write_text(written.to_toml(), encoding="utf-8", newline="")
    found = load_config(path)
    assert found == written
    assert found.run_id == written.run_id


def test_config_of_a_job_makes_the_job_again():
    job = SumJob(seed=5, batches=7)
    found = RunConfig.of(job)
    assert SumJob.from_config(found.identity, found.budget) == job


def test_unknown_keys_are_refused_with_the_known_ones(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("worker = 2\n" + config({}).to_toml())
    with pytest.raises(FileFormatError, match=r"unknown keys \['worker'\]; known: \['kind', 'name'"):
        load_config(path)


def test_an_edited_config_is_refused_and_one_without_checksum_is_of_before(tmp_path):
    path = tmp_path / "config.toml"
    text = config({"seed": 1}).to_toml()
    path.write_text(text.replace("seed = 1", "seed = 2"))
    with pytest.raises(FileFormatError, match=r"config\.toml: damaged or edited: it is not what was written"):
        load_config(path)
    without = "\n".join(line for line in text.splitlines() if not line.startswith("checksum"))
    path.write_text(without)
    with pytest.raises(FileFormatError, match="damaged or edited"):
        load_config(path)
    path.write_text(without.replace("format = 3", "format = 2"))
    assert load_config(path).identity == {"seed": 1}


def test_missing_keys_are_named(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('kind = "solve"\nname = "x"\n[identity]\n[budget]\n')
    with pytest.raises(ConfigError, match=r"missing keys \['version'\]"):
        load_config(path)


@pytest.mark.parametrize("content", [b"kind = ", b"\xff\xfe", b"\x00"])
def test_files_that_are_not_toml_are_refused(tmp_path, content):
    path = tmp_path / "config.toml"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="not a TOML file"):
        load_config(path)


def test_wrong_type_is_refused_with_the_file(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('kind = "solve"\nname = "x"\nversion = 1\n[identity]\n[budget]\n')
    with pytest.raises(ConfigError, match=r"config\.toml: version = 1; it must be a string"):
        load_config(path)


@pytest.mark.parametrize("value", [math.nan, math.inf, object(), {1: 2}, [None]])
def test_values_that_no_file_can_hold_are_refused(value):
    with pytest.raises(ConfigError, match=r"identity\.deep\.value"):
        config({"deep": {"value": value}})
