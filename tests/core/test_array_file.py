"""The array file: what goes in comes out, and no damaged byte goes unnoticed."""

from __future__ import annotations

import errno
import json
import math
import os
import resource
import struct
from pathlib import Path

import numpy as np
import pytest
import safetensors
import safetensors.numpy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nashgap.core import array_file
from nashgap.core.array_file import (
    BLOCK_BYTES,
    LateArray,
    check_writable,
    content_digest,
    open_arrays,
    save_arrays,
    write_atomically,
)
from nashgap.errors import ConfigError, FileFormatError, OutputError

DTYPES = ["float64", "float32", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool"]
SHAPES = [(), (0,), (1,), (7,), (3, 0, 2), (2, 3, 5), (BLOCK_BYTES + 1,), (1001, 333)]
METADATA = {"game": "kuhn(players=3)", "iterations": 100, "values": [-0.5, 0.25], "solver": {"seed": None, "on": True}}


def random_array(seed: int, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Random bytes of that type, so that a NaN or a negative zero may be among them; all True for bool."""
    content = np.random.default_rng(seed).bytes(math.prod(shape) * np.dtype(dtype).itemsize)
    return np.ones(shape, bool) if dtype == "bool" else np.frombuffer(content, dtype).reshape(shape)


def small_arrays() -> dict[str, np.ndarray]:
    return {
        "slots": random_array(1, "uint8", (11,)),
        "strategy": random_array(2, "float64", (5, 3)),
        "visits": random_array(3, "int32", (9,)),
        "empty": np.zeros((0, 4), np.float32),
    }


def assert_same(left: np.ndarray, right: np.ndarray) -> None:
    assert (left.dtype, left.shape, left.tobytes()) == (right.dtype, right.shape, right.tobytes())


def header_and_data(path: Path) -> tuple[dict, int]:
    """The parsed header, and the byte at which the data section begins."""
    content = path.read_bytes()
    (num_bytes,) = struct.unpack("<Q", content[:8])
    return json.loads(content[8 : 8 + num_bytes]), 8 + num_bytes


def rewrite_header(path: Path, change) -> None:
    """Change the header and put the right hash on it, as a foreign or later writer would."""
    header, data_begin = header_and_data(path)
    data = path.read_bytes()[data_begin:]
    change(header)
    text = json.dumps(header, separators=(",", ":")).encode()
    head = (struct.pack("<Q", data_begin - 8) + text).ljust(data_begin)
    path.write_bytes(array_file._with_hash(head) + data)


def assert_refused(path: Path, match: str | None = None) -> None:
    """Opening and verifying fails with one line that names the file."""
    with pytest.raises(FileFormatError, match=match) as caught:
        open_arrays(path).verify()
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
array_names = st.text(st.characters(exclude_categories=["Cs"])).filter(lambda name: name != "__metadata__")


@settings(deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    specs=st.dictionaries(array_names, st.tuples(st.sampled_from(DTYPES), st.sampled_from(SHAPES)), max_size=5),
    metadata=st.dictionaries(st.text(), json_values, max_size=4),
    seed=st.integers(0, 1000),
)
def test_what_is_saved_is_read_back_here_and_by_safetensors(tmp_path, specs, metadata, seed):
    path = tmp_path / "a.safetensors"
    arrays = {name: random_array(seed + i, *spec) for i, (name, spec) in enumerate(specs.items())}
    save_arrays(path, arrays, metadata)

    opened = open_arrays(path)
    opened.verify()
    assert opened.path == path
    assert opened.metadata == metadata
    assert opened.names == tuple(arrays)
    loaded = safetensors.numpy.load_file(path)
    assert set(loaded) == set(arrays)
    for name, array in arrays.items():
        assert_same(opened.array(name), array)
        assert_same(loaded[name], array)


def test_safetensors_reads_our_metadata(tmp_path):
    path = tmp_path / "a.safetensors"
    save_arrays(path, small_arrays(), METADATA)
    with safetensors.safe_open(path, framework="np") as opened:
        own = opened.metadata()
    assert own["format"] == "nashgap"
    assert own["format_version"] == "1"
    assert json.loads(own["nashgap"]) == METADATA


def test_data_begins_on_a_page_and_each_array_on_a_multiple_of_its_item_size(tmp_path):
    path = tmp_path / "a.safetensors"
    # From below one page of header to several.
    for padding in [0, 3500, 3600, 3700, 4096, 20_000]:
        save_arrays(path, small_arrays(), {"padding": "x" * padding})
        header, data_begin = header_and_data(path)
        del header["__metadata__"]
        assert data_begin % 4096 == 0
        assert len(header) == 4
        opened = open_arrays(path)
        for name, array in small_arrays().items():
            assert header[name]["data_offsets"][0] % array.itemsize == 0
            assert opened.array(name).flags.aligned


def test_the_same_arrays_give_the_same_bytes(tmp_path):
    for name in ["a", "b"]:
        save_arrays(tmp_path / name, small_arrays(), METADATA)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_strided_and_big_endian_arrays_are_stored_by_value(tmp_path):
    path = tmp_path / "a.safetensors"
    grid = np.arange(12.0).reshape(3, 4)
    save_arrays(path, {"turned": grid.T, "every second": grid[:, ::2], "big": grid.astype(">f8")}, {})
    opened = open_arrays(path)
    np.testing.assert_array_equal(opened.array("turned"), grid.T)
    np.testing.assert_array_equal(opened.array("every second"), grid[:, ::2])
    np.testing.assert_array_equal(opened.array("big"), grid)


def test_arrays_are_read_only_maps_that_outlive_a_replaced_file(tmp_path):
    path = tmp_path / "a.safetensors"
    save_arrays(path, {"x": np.arange(5)}, {})
    array = open_arrays(path).array("x")
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
    with pytest.raises(ValueError):
        array.flags.writeable = True
    save_arrays(path, {"x": np.zeros(5)}, {})
    np.testing.assert_array_equal(array, np.arange(5))
    np.testing.assert_array_equal(open_arrays(path).array("x"), np.zeros(5))


def test_any_changed_byte_is_noticed(tmp_path):
    path = tmp_path / "a.safetensors"
    save_arrays(path, small_arrays(), METADATA)
    content = path.read_bytes()
    assert len(content) == 4096 + 15 * 8 + 9 * 4 + 11
    flips = np.random.default_rng(5).integers(1, 256, len(content)).tolist()
    with path.open("r+b", buffering=0) as file:
        for position, flip in enumerate(flips):
            os.pwrite(file.fileno(), bytes([content[position] ^ flip]), position)
            assert_refused(path)
            os.pwrite(file.fileno(), content[position : position + 1], position)
    open_arrays(path).verify()


def test_a_header_changed_to_one_that_means_the_same_is_noticed(tmp_path):
    path = tmp_path / "a.safetensors"
    save_arrays(path, small_arrays(), METADATA)
    content = path.read_bytes()
    hash_begin = content.index(b'"header_hash":"') + len(b'"header_hash":"')
    hash_end = content.index(b'"', hash_begin)
    upper_case = content[:hash_begin] + content[hash_begin:hash_end].upper() + content[hash_end:]
    other_space = content[:4095] + b"\t" + content[4096:]
    other_number = content.replace(b'"shape":[11]', b'"shape":[11 ]').replace(b" " * 2, b" ", 1)
    for damaged in [upper_case, other_space, other_number]:
        assert damaged != content
        assert json.loads(damaged[8:4096])["slots"] == json.loads(content[8:4096])["slots"]
        path.write_bytes(damaged)
        assert_refused(path, "hash of its header")


def test_damaged_data_is_noticed_when_first_touched_and_not_before(tmp_path):
    path = tmp_path / "a.safetensors"
    sizes = {"first": BLOCK_BYTES + 100, "second": BLOCK_BYTES, "third": 10}  # in blocks 0-1, 1-2 and 2
    save_arrays(path, {name: np.full(size, 7, np.uint8) for name, size in sizes.items()}, {})
    _, data_begin = header_and_data(path)
    with path.open("r+b") as file:
        file.seek(data_begin + 2 * BLOCK_BYTES + 50)
        file.write(b"\x08")
    opened = open_arrays(path)
    assert (opened.array("first") == 7).all()
    for name in ["second", "third"]:
        with pytest.raises(FileFormatError, match="data block 2"):
            opened.array(name)
    with pytest.raises(FileFormatError, match="data block 2"):
        opened.verify()


def test_a_block_is_checked_once_by_array_and_again_by_verify(tmp_path, monkeypatch):
    path = tmp_path / "a.safetensors"
    save_arrays(path, {"x": np.zeros(BLOCK_BYTES + 1, np.uint8), "y": np.zeros(1, np.uint8)}, {})
    opened = open_arrays(path)
    checked = []
    check_block = array_file.ArrayFile._check_block
    monkeypatch.setattr(
        array_file.ArrayFile, "_check_block", lambda self, block: (checked.append(block), check_block(self, block))
    )
    opened.array("y")
    opened.array("x")
    opened.array("x")
    assert checked == [1, 0]
    opened.verify()
    assert checked == [1, 0, 0, 1]


def test_a_file_cut_short_or_too_long_is_refused(tmp_path):
    path = tmp_path / "a.safetensors"
    save_arrays(path, small_arrays(), METADATA)
    content = path.read_bytes()
    for length in [0, 1, 7, 8, 9, 20, 71, 72, 73, 500, 4095, 4096, 4097, 4200, len(content) - 1]:
        path.write_bytes(content[:length])
        with pytest.raises(FileFormatError, match=r"cut short|not a NashGap file"):
            open_arrays(path)
    path.write_bytes(content + b"\0")
    assert_refused(path, "too long")


def test_what_is_not_our_file_is_refused(tmp_path):
    foreign = tmp_path / "foreign.safetensors"
    safetensors.numpy.save_file({"x": np.zeros(2000)}, foreign, {"format": "nashgap"})
    assert_refused(foreign, "not a NashGap file")
    text = tmp_path / "text"
    text.write_text("a line of text\n" * 1000)
    assert_refused(text, "not a NashGap file")
    assert_refused(tmp_path, "is a folder")
    os.mkfifo(tmp_path / "pipe")
    assert_refused(tmp_path / "pipe", "not a regular file")


def test_a_header_too_large_for_memory_is_refused_unread(tmp_path):
    path, num_bytes = tmp_path / "huge.safetensors", 1 << 28
    with path.open("wb") as file:
        file.write((num_bytes - array_file.LENGTH_BYTES).to_bytes(8, "little") + array_file.HEADER_START)
        file.truncate(num_bytes)
    with pytest.raises(FileFormatError, match="at most 100000000 are allowed"):
        open_arrays(path)


@pytest.mark.parametrize("path", ["missing.safetensors", "no/such/folder", "text/below"])
def test_what_does_not_exist_is_a_config_error(tmp_path, path):
    (tmp_path / "text").write_text("x")
    with pytest.raises(ConfigError, match=f"cannot read .*{path}: (No such file|Not a directory)"):
        open_arrays(tmp_path / path)


def test_a_later_format_version_is_refused_by_name(tmp_path):
    path = tmp_path / "a.safetensors"
    save_arrays(path, small_arrays(), METADATA)
    rewrite_header(path, lambda header: header["__metadata__"].update(format_version="2"))
    assert_refused(path, "has format version 2; this NashGap reads up to 1")


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header["strategy"].update(data_offsets=[8, 120]),
        lambda header: header["strategy"].update(data_offsets=[-8, 120]),
        lambda header: header["strategy"].update(data_offsets=[0]),
        lambda header: header["strategy"].update(data_offsets="00"),
        lambda header: header["strategy"].update(shape=[5, 4]),
        lambda header: header["empty"].update(shape=[0, 10**30]),
        lambda header: header["strategy"].update(dtype="O"),
        lambda header: header.update(strategy=None),
        lambda header: header.update(extra={"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}),
        lambda header: header["__metadata__"].pop("nashgap"),
        lambda header: header["__metadata__"].update(nashgap="3"),
        lambda header: header["__metadata__"].update(format_version="one"),
        lambda header: header["__metadata__"].update(block_checksums=""),
        lambda header: header["__metadata__"].update(block_checksums="g" * 16),
    ],
)
def test_a_header_that_hangs_together_by_hash_only_is_refused(tmp_path, change):
    path = tmp_path / "a.safetensors"
    save_arrays(path, small_arrays(), METADATA)
    rewrite_header(path, lambda header: None)
    open_arrays(path).verify()
    rewrite_header(path, change)
    assert_refused(path, "header")


def test_an_array_that_is_not_there_is_refused_with_those_that_are(tmp_path):
    path = tmp_path / "a.safetensors"
    save_arrays(path, {"x": np.zeros(1), "y": np.zeros(1)}, {})
    with pytest.raises(FileFormatError, match="has no array 'z'; it has: x, y"):
        open_arrays(path).array("z")


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "9" * 400])
def test_metadata_with_a_number_that_is_not_finite_is_refused(tmp_path, number):
    """JSON has no NaN, and what a command tells as JSON is this metadata."""
    path = tmp_path / "a.safetensors"
    save_arrays(path, small_arrays(), {"x": 0.5})
    rewrite_header(path, lambda header: header["__metadata__"].update(nashgap=f'{{"x": {number}}}'))
    assert_refused(path, r"a header that is not NashGap's: .* is no finite number")


@pytest.mark.parametrize(
    ("arrays", "metadata", "message"),
    [
        ({"x": np.array([None])}, {}, "array 'x' has dtype object; allowed: float64, .*bool"),
        ({"x": np.zeros(1, complex)}, {}, "dtype complex128"),
        ({"__metadata__": np.zeros(1)}, {}, "cannot be named"),
        ({"\ud800": np.zeros(1)}, {}, "JSON cannot hold"),
        ({}, {"x": np.int64(1)}, "JSON cannot hold"),
        ({}, {"x": math.nan}, "JSON cannot hold"),
        ({}, {"x": "y" * 100_000_000}, "too large"),
    ],
)
def test_what_cannot_be_stored_is_refused_before_writing(tmp_path, arrays, metadata, message):
    with pytest.raises(ConfigError, match=message):
        save_arrays(tmp_path / "a.safetensors", arrays, metadata)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("function", ["fsync", "replace"])
def test_a_failure_while_writing_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, function):
    path = tmp_path / "a.safetensors"
    save_arrays(path, small_arrays(), METADATA)
    before = path.read_bytes()

    def fail(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, function, fail)
    with pytest.raises(OutputError, match=f"cannot write {path}: No space left on device"):
        save_arrays(path, {"x": np.zeros(5)}, {})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.safetensors"
    save_arrays(path, small_arrays(), METADATA)
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))  # bytes; stands in for the end of the disk
    try:
        with pytest.raises(OutputError, match=f"cannot write {path}: File too large"):
            save_arrays(path, {"x": np.zeros(BLOCK_BYTES)}, {})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_while_writing_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "a.safetensors"
    save_arrays(path, small_arrays(), METADATA)
    before = path.read_bytes()

    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save_arrays(path, {"x": np.zeros(5)}, {})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_is_complete_and_synced_before_it_gets_its_name_and_the_folder_after(tmp_path, monkeypatch):
    path = tmp_path / "a.safetensors"
    calls = []
    fsync, replace = os.fsync, os.replace

    def recording_fsync(descriptor):
        calls.append("sync folder" if os.path.samestat(os.fstat(descriptor), tmp_path.stat()) else "sync file")
        fsync(descriptor)

    def recording_replace(source, target):
        open_arrays(Path(source)).verify()
        calls.append("rename")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", recording_fsync)
    monkeypatch.setattr(os, "replace", recording_replace)
    save_arrays(path, small_arrays(), METADATA)
    assert calls == ["sync file", "rename", "sync folder"]


def test_a_new_file_has_the_usual_permissions_and_a_link_stays_a_link(tmp_path):
    (tmp_path / "usual").touch()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "a.safetensors")
    save_arrays(link, small_arrays(), METADATA)
    assert link.is_symlink()
    assert (tmp_path / "a.safetensors").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("missing/a.safetensors", "there is no folder"),
        ("text/a.safetensors", "there is no folder"),
        ("folder", "it is a folder"),
        ("pipe", "it is not a regular file"),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_early_and_late(tmp_path, path, reason):
    (tmp_path / "text").write_text("x")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    before = sorted(tmp_path.rglob("*"))
    for attempt in [check_writable, lambda place: save_arrays(place, small_arrays(), METADATA)]:
        with pytest.raises(OutputError, match=f"cannot write .*{path}: {reason}"):
            attempt(tmp_path / path)
    assert sorted(tmp_path.rglob("*")) == before


def test_where_the_output_goes_is_not_replaced(tmp_path):
    """/dev/stdout and its like lead to the file that the output was redirected to."""
    log = tmp_path / "log"
    with log.open("w") as file:
        for place in (f"/dev/fd/{file.fileno()}", f"/proc/self/fd/{file.fileno()}"):
            assert os.path.realpath(place) == str(log)
            with pytest.raises(OutputError, match=f"cannot write {place}: it is not a regular file"):
                check_writable(Path(place))


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    def broken():
        yield b"half"
        raise ZeroDivisionError

    path = tmp_path / "file"
    write_atomically(path, [b"first ", b"version"])
    with pytest.raises(ZeroDivisionError):
        write_atomically(path, broken())
    assert path.read_bytes() == b"first version"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_write_permission_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="Permission denied"):
        check_writable(tmp_path / "a.safetensors")
    tmp_path.chmod(0o700)


def test_checking_a_writable_place_leaves_it_as_it_was(tmp_path):
    check_writable(tmp_path / "a.safetensors")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "a.safetensors").write_text("old")
    check_writable(tmp_path / "a.safetensors")
    assert [entry.read_text() for entry in tmp_path.iterdir()] == ["old"]


def test_an_array_that_is_made_late_is_what_was_announced(tmp_path):
    path, row = tmp_path / "a.safetensors", np.arange(5, dtype=np.float32)
    save_arrays(path, {"row": LateArray(row.dtype, row.shape, lambda: row)}, {})
    np.testing.assert_array_equal(open_arrays(path).array("row"), row)
    before = path.read_bytes()
    with pytest.raises(ConfigError, match=r"array 'row' is float32 \[4\]; float32 \[5\] was announced"):
        save_arrays(path, {"row": LateArray(row.dtype, row.shape, lambda: row[:4])}, {})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_digest_tells_contents_apart_without_reading_them(tmp_path):
    path, row = tmp_path / "a.safetensors", np.zeros(5)
    digests = []
    for value in (0.0, 1.0, 0.0):
        row[4] = value
        save_arrays(path, {"row": row}, {})
        digests.append(content_digest(path))
    assert digests[0] == digests[2] != digests[1]
