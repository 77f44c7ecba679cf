import pytest

from nashgap.core.python_class import told


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


class SilentError(Exception):
    def __str__(self) -> str:
        raise GeneratorExit


def test_an_error_whose_text_fails_is_told_all_the_same():
    assert told(raised(SilentError())).startswith(
        "SilentError: (its text fails with GeneratorExit) (test_python_class.py, line "
    )


def test_the_text_of_an_error_is_cut_and_fit_for_a_terminal():
    text = told(raised(ValueError("\x1b[2J" + "x" * 10**6)))
    assert text.startswith("ValueError: [2Jxxx")
    assert len(text) < 400


def test_ctrl_c_is_the_users():
    with pytest.raises(KeyboardInterrupt):
        told(KeyboardInterrupt())
