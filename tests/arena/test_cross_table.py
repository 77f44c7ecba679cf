"""Cross-tables: what is read is what was written, and bad files are refused with the place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nashgap.arena.cross_table import CrossTable, Matchup, parse_cross_table, read_cross_table, write_cross_table
from nashgap.errors import ConfigError, FileFormatError

THREE = """player,opponent1,opponent2,winrate
a,b,c,0.5
c,b,a,-0.2
b,a,c,-0.3
"""
TWO = "player,opponent1,winrate\na,b,1\nb,a,-1\n"
TEAMS = """player,opponent1,winrate,team
a,b,1,x
b,a,-1,y
a,c,2,x
c,a,-2,x
b,c,3,y
c,b,-3,x
"""


def test_order_of_rows_and_opponents_means_nothing() -> None:
    table = parse_cross_table(THREE, "t.csv", "sb_per_hand")
    assert table.players == ("a", "c", "b")
    assert table.num_seats == 3
    assert table.unit == "sb_per_hand"
    matchup = table.find(("b", "a", "c"))
    assert matchup is not None
    assert [matchup.winrate(player) for player in "abc"] == [0.5, -0.3, -0.2]
    assert matchup.interval("a") is None


@pytest.mark.parametrize("text", [TWO, "player,opponent1,opponent2,winrate\na,b,,1\nb,a,,-1\n"])
def test_two_players_need_no_second_opponent(text: str) -> None:
    table = parse_cross_table(text, "t.csv")
    assert (table.players, table.num_seats, table.unit) == (("a", "b"), 2, "")


def test_blank_lines_spaces_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("\ufeffplayer, opponent1 ,winrate\r\n\r\n a , b , 1 \r\n,,\r\nb,a,-1\r\n".encode())
    assert read_cross_table(path) == parse_cross_table(TWO, "t.csv")


def test_members_of_a_team_do_not_meet() -> None:
    table = parse_cross_table(TEAMS, "t.csv")
    assert table.teams == {"a": "x", "c": "x", "b": "y"}
    assert table.find("ac") is None
    assert len(table.matchups) == 2
    with pytest.raises(ConfigError, match=r"^matchup of a, c: members of a team do not meet$"):
        CrossTable(("a", "c"), (Matchup(("a", "c"), (1.0, -1.0)),), {"a": "x", "c": "x"})


def test_players_without_a_team_meet_everybody() -> None:
    table = parse_cross_table(TEAMS, "t.csv").with_teams({})
    assert len(table.with_teams({"b": ""}).matchups) == 2


def test_only_is_the_table_as_if_nobody_else_had_entered() -> None:
    table = parse_cross_table(TEAMS, "t.csv").only("ab")
    assert (table.players, [matchup.players for matchup in table.matchups]) == (("a", "b"), [("a", "b")])
    assert table.teams == {"a": "x", "b": "y"}


@given(
    st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=12, max_size=12),
    st.none() | st.floats(0, 1e6),
    st.booleans(),
)
def test_reading_gives_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, rates: list[float], ci95: float | None, has_teams: bool
) -> None:
    """Names with commas and quotes survive too; winrates bit for bit."""
    names = ("a,1", 'b"2"', "c", "é")
    triples = [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    matchups = tuple(
        Matchup(
            tuple(names[place] for place in triple),
            tuple(rates[3 * number : 3 * number + 3]),
            None if ci95 is None else (ci95, 0.0, ci95),
        )
        for number, triple in enumerate(triples)
    )
    table = CrossTable(names, matchups, {"c": "red"} if has_teams else {}, "sb_per_hand")
    path = tmp_path_factory.mktemp("table") / "t.csv"
    write_cross_table(table, path)
    assert read_cross_table(path, "sb_per_hand") == table


def test_residual_is_kept_and_only_what_rounding_cannot_explain_is_named() -> None:
    """Three winrates of one decimal: their rounding explains a sum of up to 0.15."""
    near = parse_cross_table(THREE.replace("0.5", "0.6"), "t.csv")
    assert near.largest_residual == pytest.approx(0.1)
    assert near.rounding == pytest.approx(0.15)
    assert near.unbalanced() == ()
    far = parse_cross_table(THREE.replace("0.5", "0.3"), "t.csv")
    assert far.largest_residual == pytest.approx(-0.2)
    assert far.unbalanced() == far.matchups


HEAD = "player,opponent1,opponent2,winrate\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv: empty; it must begin with the line player,opponent1,opponent2,winrate"),
        (HEAD, "t.csv: no rows below the names of the columns"),
        ("player,opponent1,winrat\n", "t.csv, line 1: unknown column 'winrat'; known: player, opponent1, winrate"),
        ("player,opponent2,winrate\n", "t.csv, line 1: unknown column 'opponent2'; known: player, opponent1, winrate"),
        ("player,winrate\n", "t.csv, line 1: no column 'opponent1'; needed: player, opponent1, winrate"),
        ("player,player,opponent1,winrate\n", "t.csv, line 1: two columns of the same name"),
        (HEAD + "a,b,c\n", "t.csv, line 2: 3 cells for 4 columns"),
        (HEAD + "a,b,c,much\n", "t.csv, line 2: winrate must be a number, not 'much'"),
        (HEAD + "a,b,c,\n", "t.csv, line 2: winrate must be a number, not ''"),
        (HEAD + "a,b,c,nan\n", "t.csv, line 2: winrate must be finite, not 'nan'"),
        (HEAD + ",b,c,1\n", "t.csv, line 2: player is empty"),
        (HEAD + "a,,,1\n", "t.csv, line 2: opponent1 is empty"),
        (HEAD + "a,a,c,1\n", "t.csv, line 2: a against a, c: the players of a matchup must differ"),
        (HEAD + "a,b,b,1\n", "t.csv, line 2: a against b, b: the players of a matchup must differ"),
        (HEAD + "a,b,c,1\na,c,b,1\n", "t.csv, line 3: a against c, b is on line 2 already"),
        (HEAD + "a,b,c,1\nb,a,c,1\n", "t.csv, line 2: its matchup has no row for c against a, b"),
        (THREE + "a,b,,1\n", "t.csv, line 5: 1 opponents, but 2 on line 2"),
        ('player,opponent1,winrate\n"a,b,1\n', "t.csv, line 2: not CSV: unexpected end of data"),
        ("player,opponent1,winrate,ci95\na,b,1,-1\nb,a,-1,1\n", "t.csv, line 2: ci95 must not be negative, but is -1"),
        ("player,opponent1,winrate,ci95\na,b,1,\nb,a,-1,1\n", "t.csv, line 2: ci95 must be a number, not ''"),
        (TEAMS.replace("c,b,-3,x", "c,b,-3,y"), "t.csv, line 7: team 'y' of c, before it was 'x'"),
        (TEAMS.replace(",y", ",x"), "t.csv: no matchup is left without those of team-mates"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_in_one_line_that_names_the_place(text: str, message: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        parse_cross_table(text, "t.csv")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"missing\.csv: cannot be read: No such file"):
        read_cross_table(tmp_path / "missing.csv")
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileFormatError, match=r"binary\.csv: not a CSV file: it is not text in UTF-8"):
        read_cross_table(tmp_path / "binary.csv")


@pytest.mark.parametrize(
    ("players", "matchups", "message"),
    [
        ("ab", [], "at least one matchup"),
        ("aab", [Matchup(("a", "b"), (1.0, -1.0))], "the players of a cross-table must differ"),
        ("abc", [Matchup(("a", "b"), (1.0, -1.0))], "c: in no matchup"),
        ("ab", [Matchup(("a", "c"), (1.0, -1.0))], "'c' is not among the players a, b"),
        ("ab", [Matchup(("a", "b"), (1.0, -1.0)), Matchup(("b", "a"), (1.0, -1.0))], "b, a is in the table twice"),
        ("abc", [Matchup(("a", "b"), (1.0, -1.0)), Matchup(("a", "b", "c"), (1.0, -1.0, 0.0))], "matchups are of 2"),
    ],
)
def test_tables_that_make_no_sense_are_refused(players: str, matchups: list[Matchup], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        CrossTable(tuple(players), tuple(matchups))


def test_teams_of_strangers_are_refused() -> None:
    with pytest.raises(ConfigError, match="no player is called 'z'; players: a, b"):
        parse_cross_table(TWO, "t.csv").with_teams({"z": "red"})


@pytest.mark.parametrize(
    ("players", "winrates", "ci95"),
    [
        (("a",), (1.0,), None),
        (("a", "a"), (1.0, -1.0), None),
        (("a", "b"), (1.0,), None),
        (("a", "b"), (1.0, float("inf")), None),
        (("a", "b"), (1.0, -1.0), (0.1,)),
        (("a", "b"), (1.0, -1.0), (0.1, -0.1)),
    ],
)
def test_matchups_that_make_no_sense_are_refused(
    players: tuple[str, ...], winrates: tuple[float, ...], ci95: tuple[float, ...] | None
) -> None:
    with pytest.raises(ConfigError):
        Matchup(players, winrates, ci95)
