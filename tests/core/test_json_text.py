import pytest

from nashgap.core.json_text import read_json


def test_json_is_read():
    text = '{"a": [1, -2.5, 1e308, null, true], "b": "NaN", "c": %s}' % ("9" * 300)
    assert read_json(text) == {"a": [1, -2.5, 1e308, None, True], "b": "NaN", "c": int("9" * 300)}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 301, "-" + "9" * 5000])
def test_a_number_that_is_not_finite_is_refused(number):
    with pytest.raises(ValueError, match=r"^\S{1,23} is no finite number$"):
        read_json(f'{{"a": [{number}]}}')
