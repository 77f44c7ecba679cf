"""Texts and values with something wrong with them, drawn by hypothesis from sound ones."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

PIECES = (
    "", " ", "\n", "\r\n", "\t", "\0", "\x1b[2J", "\ufeff", "ä", "\U0001f0a1", "\ud800", "-", "--", "+", ".", ",",
    ":", ";", "|", "/", "(", ")",
    "[", "]", "{", "}", "=", "#", "'", '"', '"""', "\\", "%", "*", "~", ">", "@", "-1", "0",
    "00", "1e999", "1e308", "-1e308", "nan", "inf", "-inf",
    "9" * 20, "9" * 400, "9" * 5000, "0x10", "1_000", "true", "null",
    "None", "x" * 300,
    "(" * 2000, "[" * 2000, "{a=" * 2000, "a." * 2000, "r" * 2000, "AsKs", "AA", "r99999999999", "f", "c",
)  # fmt: skip


@st.composite
def damaged_texts(draw: Any, samples: tuple[str, ...]) -> str:
    """A sample with up to five changes: cut, doubled, or with a piece of another or of something else put in."""
    text = draw(st.sampled_from(samples))
    for _ in range(draw(st.integers(1, 5))):
        first, last = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        match draw(st.integers(0, 5)):
            case 0:
                text = text[:first] + text[last:]
            case 1:
                text = text[:last] + text[first:]
            case 2:
                text = text[:first] + draw(st.sampled_from(PIECES)) + text[first:]
            case 3:
                text = text[:first] + draw(st.sampled_from(PIECES)) + text[min(first + 1, last) :]
            case 4:
                text = text[:first] + draw(st.text(max_size=12)) + text[last:]
            case _:
                other = draw(st.sampled_from(samples))
                text = text[:first] + other[draw(st.integers(0, len(other))) :]
        text = text[:20_000]
    return text


@st.composite
def damaged_bytes(draw: Any, samples: tuple[bytes, ...]) -> bytes:
    """A sample with up to five changes."""
    content = bytearray(draw(st.sampled_from(samples)))
    for _ in range(draw(st.integers(1, 5))):
        place = draw(st.integers(0, max(len(content) - 1, 0)))
        match draw(st.integers(0, 3)):
            case 0:
                content[place : place + 1] = draw(st.binary(min_size=1, max_size=1))
            case 1:
                del content[place:]
            case 2:
                content[place:place] = draw(st.binary(max_size=16))
            case _:
                del content[place : place + draw(st.integers(1, 5000))]
    return bytes(content)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(PIECES[:-12]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def damaged_values(draw: Any, sample: Any) -> Any:
    """The sample, of tables, lists and plain values, with one or two of its parts another, gone or renamed."""
    value = draw(damaged_part(sample))
    return draw(damaged_part(value)) if draw(st.booleans()) else value


@st.composite
def damaged_part(draw: Any, value: Any) -> Any:
    has_parts = isinstance(value, dict | list) and bool(value)
    if not has_parts or draw(st.integers(0, 9)) == 0:
        return draw(VALUES)
    if isinstance(value, list):
        place = draw(st.integers(0, len(value) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                return value[:place] + value[place + 1 :]
            case 1:
                return [*value, value[place]]
            case _:
                return [*value[:place], draw(damaged_part(value[place])), *value[place + 1 :]]
    key = draw(st.sampled_from(sorted(value)))
    others = {name: item for name, item in value.items() if name != key}
    match draw(st.integers(0, 4)):
        case 0:
            return others
        case 1:
            return others | {draw(st.text(max_size=5)): value[key]}
        case _:
            return others | {key: draw(damaged_part(value[key]))}
