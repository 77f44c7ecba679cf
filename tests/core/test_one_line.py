from nashgap.core.one_line import one_line, printable


def test_a_short_text_stays_as_it_is():
    assert one_line("unknown game 'x'; known: a, b", 100) == "unknown game 'x'; known: a, b"


def test_codes_that_a_terminal_obeys_are_left_out():
    assert one_line(" a\n\x1b[31mred\x07\x9b2J\x7f\u202eb ", 100) == "a  [31mred  2J  b"
    assert printable("a\x1b b\udcff") == "a  b "


def test_a_long_text_is_cut():
    assert one_line("unknown " + "x" * 10**7 + "; known: a, b", 20) == "unknown xxxxxxxxx..."


def test_a_long_text_keeps_its_end_where_it_is_asked_to():
    text = one_line("unknown " + "x" * 10**7 + "; known: a, b", 60, keeps_end=True)
    assert text == "unknown " + "x" * 29 + "..." + "x" * 7 + "; known: a, b"
    assert len(text) == 60
