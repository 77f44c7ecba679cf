import os
import threading

import pytest

from nashgap.core.regular_file import open_regular, read_text


def test_text_is_read_with_line_ends_of_any_kind(tmp_path):
    (tmp_path / "text").write_bytes("ä\r\nb\rc\n".encode())
    assert read_text(tmp_path / "text") == "ä\nb\nc\n"
    with open_regular(tmp_path / "text") as file:
        assert file.read(2) == "ä".encode()


def test_a_file_that_is_too_large_is_refused(tmp_path):
    (tmp_path / "text").write_text("12345")
    assert read_text(tmp_path / "text", max_bytes=5) == "12345"
    with pytest.raises(OSError) as refusal:
        read_text(tmp_path / "text", max_bytes=4)
    assert refusal.value.strerror == "it has more than 4 bytes"


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path):
    """A pipe without a writer begins when it gets one; /dev/zero never ends."""
    os.mkfifo(tmp_path / "pipe")
    problems = []

    def read_all():
        for path in (tmp_path / "pipe", "/dev/zero", tmp_path, "a\0b"):
            try:
                read_text(path)
            except OSError as error:
                problems.append(error.strerror)

    thread = threading.Thread(target=read_all, daemon=True)
    thread.start()
    thread.join(20)
    assert problems == ["it is not a regular file"] * 2 + ["it is a folder", "embedded null byte"]
