from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from nashgap.catalogue import RECIPE_SOLVERS
from nashgap.cli.main import app
from nashgap.games.compiled import load_tree
from nashgap.strategies.load import save
from nashgap.strategies.named import always_call


def commands(command: Any, *words: str) -> Iterator[tuple[list[str], Any]]:
    """The words and what they stand for, groups of commands too."""
    yield [*words], command
    for word, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, *words, word)


COMMANDS = {" ".join(words): command for words, command in commands(get_command(app))}
FOR_PEOPLE = ("play", "serve")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_fits_80_columns_and_has_an_example(nashgap: Callable[..., Any], name: str) -> None:
    outcome = nashgap(*name.split(), "--help")
    assert outcome.status == 0
    assert max(map(len, outcome.out.splitlines())) <= 80
    is_group = hasattr(COMMANDS[name], "commands")
    assert outcome.out.count("nashgap ") >= (1 if is_group else 2)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_answers_in_json_but_those_for_people(name: str) -> None:
    has_json = any("--json" in each.opts for each in COMMANDS[name].params)
    assert has_json == (not hasattr(COMMANDS[name], "commands") and name not in FOR_PEOPLE)


def test_help_imports_nothing_slow() -> None:
    code = """if True:
        import sys
        from nashgap.cli.main import main
        main(["solve", "--help"])
        slow = ("numpy", "scipy", "plotly", "sqlite3", "nashgap._native", "highspy", "pyspiel")
        print([name for name in slow if name in sys.modules])
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_version(nashgap: Callable[..., Any]) -> None:
    outcome = nashgap("--version")
    assert outcome.status == 0
    assert outcome.out.startswith("nashgap ")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("solve kuhnn", "unknown game or recipe 'kuhnn' (did you mean 'kuhn'?); known: bet_size, hue10-base, "),
        ("solve ir61 --dry-run", "unknown game or recipe 'ir61' (did you mean 'ir64'?); known: "),
        ("solve ir16-smal", "unknown game or recipe 'ir16-smal' (did you mean 'ir16-small'?); known: "),
        (
            "solve kuhn --solver magic",
            "unknown solver 'magic'; known: cfr, cfr+, chance-sampling, dcfr, external-sampling, lcfr, lp,"
            " outcome-sampling, pcfr+, pdcfr+, psro\n",
        ),
        *(
            (
                f"solve kuhn --solver {solver}{dry}",
                f"solver '{solver}' is for recipes (nashgap list recipes) or spots (nashgap solve-spot)\n",
            )
            for solver in RECIPE_SOLVERS
            for dry in ("", " --dry-run")
        ),
        ("solve kuhn(players=9)", "players must be a whole number from 2 to 4, not 9"),
        ("solve kuhn(cards=3)", "kuhn has no parameter 'cards'; allowed: players"),
        ("solve kuhn(players=", "must end with the parenthesis"),
        ("solve kuhn --iteration 5", "--iterations"),
        ("solve kuhn --iterations many", "--iterations"),
        ("solve kuhn leduc", "leduc"),
        ("slove kuhn", "slove"),
        ("solve", "GAME"),
        ("match poki probe --game lhe2 --hands 100", "nashgap: --hands is now --deals\n"),
        ("measure random --game hunl --by lbr --hands=100", "nashgap: --hands is now --deals\n"),
        ("measure random --game hunl --by lbr --probe", "nashgap: --probe is now --by-hand\n"),
        ("solve kuhn --hands 5", "nashgap: No such option: --hands"),  # which has no --deals either
        ("list fruits", "'fruits' is not one of 'games'"),
        ("solve kuhn --iterations 0", "iterations = 0; it must be more than 0"),
        ("solve kuhn --iterations -3", "iterations = -3"),
        ("solve kuhn --minutes 0", "minutes = 0"),
        ("solve kuhn --until nan", "until = nan"),
        ("solve kuhn --seed -1", "seed = -1"),
        ("solve kuhn --save-every -1", "save every -1.0 seconds; it must be a number, 0 or more"),
        ("solve kuhn --save-every nan", "save every nan seconds"),
        ("solve bet_size(stack=1e308,step=1e-10)", "stack must be a multiple of step"),
        (f"solve bet_size(deck={'9' * 5000})", "99999999999999999999... is too large: a number of 5,000 digits"),
        (f"solve bet_size(stack={'9' * 400})", "stack must be a number above 0"),
        (f"solve kuhn --runs {'x' * 300}", "File name too long"),
        (f"runs list --runs {'x' * 300}/runs", "File name too long"),
        ("solve kuhn -o /dev/stdout", "cannot write /dev/stdout: it is not a regular file"),
        ("solve kuhn --freeze always-call", "it must be PLAYER=STRATEGY"),
        ("solve kuhn --freeze 2=", "it must be PLAYER=STRATEGY"),
        ("solve kuhn --freeze 0=uniform", "cannot freeze player 0; kuhn has players 1 to 2"),
        ("solve kuhn --freeze 1=uniform --freeze 1=uniform", "player 1 twice"),
        ("solve kuhn --freeze 2=nobody", "unknown strategy 'nobody'; known: always-call, "),
        ("solve kuhn --start nobody", "strategy 'nobody'"),
        ("solve rock_paper_scissors --start always-call", "always-call needs one of the actions"),
        ("solve kuhn --solver outcome-sampling --simultaneous", "simultaneous updates are for full-width CFR"),
        ("solve kuhn(players=3) --solver lp", "needs a two-player zero-sum game; kuhn(players=3) has 3 players"),
        ("solve kuhn(players=3) --solver lp --dry-run", "needs a two-player zero-sum game"),
        ("solve kuhn --solver lp --iterations 5", "; --iterations is for the other solvers"),
        ("solve leduc(players=4)", "histories; games of up to 30,000,000"),
        ("solve bet_size(deck=100000)", "deck must be a whole number from 2 to 1000"),
        ("solve kuhn -o missing/kuhn.safetensors", "there is no folder"),
        ("solve kuhn -o .", "it is a folder"),
        ("solve kuhn --runs /dev/null", "/dev/null"),
        ("measure uniform", "name the game too (--game)"),
        ("measure nobody", "unknown strategy 'nobody'; known: "),
        ("measure nobody --game kuhn", "unknown strategy 'nobody'; known: "),
        ("measure .", "it is a folder"),
        (
            "measure uniform --game kuhn --by guessing",
            "unknown measure 'guessing'; known: abr, abstract-br, br, bucket-br",
        ),
        (
            "measure nowhere.safetensors --by abstract-br",
            "'nowhere.safetensors': there is no such strategy file",
        ),
        ("check .", "it is a folder"),
        ("check missing.safetensors", "missing.safetensors"),
        ("reproduce everything", "unknown reproduction 'everything'; known:"),
        ("reproduce thesis-table-3.1 --workers 0", "workers = 0"),
        ("reproduce thesis-matching-pennies --runs /dev/null", "/dev/null"),
        ("runs show nothing", "no run matches 'nothing'"),
        ("runs resume nothing", "no run matches 'nothing'"),
    ],
)
def test_bad_input_is_one_line_with_status_2_and_writes_nothing(
    nashgap: Callable[..., Any], tmp_path: Path, command: str, message: str
) -> None:
    outcome = nashgap(*command.split(" "))
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.startswith("nashgap: ")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("openspiel:chess", "has more than 1e+300 histories"),
        ("openspiel:matrix_pd", "needs a two-player zero-sum game; openspiel:matrix_pd has a general sum"),
        ("openspiel:no_such_game", "no_such_game"),
    ],
)
def test_openspiel_games_that_do_not_fit_are_refused(nashgap: Callable[..., Any], game: str, message: str) -> None:
    pytest.importorskip("pyspiel")
    outcome = nashgap("solve", game, "--solver", "lp")
    assert outcome.status == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("command", [["check"], ["measure"], ["solve", "kuhn", "--start"]], ids=" ".join)
@pytest.mark.parametrize("damage", ["cut", "byte in the header", "byte in the data", "empty", "text"])
def test_damaged_files_are_refused(
    nashgap: Callable[..., Any], tmp_path: Path, kuhn_file: Path, command: list[str], damage: str
) -> None:
    content = bytearray(kuhn_file.read_bytes())
    match damage:
        case "cut":
            del content[-1]
        case "byte in the header":
            content[200] ^= 1
        case "byte in the data":
            content[-20] ^= 1
        case "empty":
            content.clear()
        case "text":
            content[:] = b"player,card\n1,K\n"
    kuhn_file.write_bytes(content)
    outcome = nashgap(*command, str(kuhn_file))
    assert outcome.status == 2
    assert outcome.err.startswith(f"nashgap: {kuhn_file} ")
    assert outcome.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [kuhn_file]


@pytest.mark.parametrize("command", ["measure {} --game leduc", "solve leduc --start {}", "solve leduc --freeze 1={}"])
def test_a_file_for_another_game_is_refused(nashgap: Callable[..., Any], kuhn_file: Path, command: str) -> None:
    outcome = nashgap(*command.format(kuhn_file).split(" "))
    assert outcome.status == 2
    assert outcome.err == f"nashgap: {kuhn_file} is a strategy for kuhn, not for leduc\n"


@pytest.fixture
def kuhn_file(tmp_path: Path) -> Path:
    path = tmp_path / "kuhn.safetensors"
    save(path, always_call(load_tree("kuhn")))
    return path


def test_an_error_of_ours_shows_its_traceback(nashgap: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("nashgap.measures.subject.load", broken)
    with pytest.raises(ZeroDivisionError, match="a defect"):
        nashgap("measure", "uniform", "--game", "kuhn")


def test_warnings_are_one_line_on_standard_error(nashgap: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    import warnings

    def warn(*_: object) -> None:
        warnings.warn("a budget\nended early", stacklevel=1)

    monkeypatch.setattr("nashgap.cli.list.print_catalogue", warn)
    outcome = nashgap("list", "games")
    assert outcome.status == 0
    assert outcome.err == "nashgap: warning: a budget ended early\n"


@pytest.mark.parametrize("command", ["list", "list --json", "solve kuhn -q", "solve kuhn -q --json"])
def test_a_reader_that_leaves_early_ends_the_command_as_any_other(tmp_path: Path, command: str) -> None:
    """By the signal, which the shell tells as 128 + 13, and quietly."""
    shell = f"'{sys.executable}' -m nashgap {command} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("141\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("command", ["list", "list --json", "solve kuhn -q", "--help"])
def test_output_that_cannot_be_written_is_one_line(tmp_path: Path, command: str) -> None:
    with open("/dev/full", "w") as full:
        words = [sys.executable, "-m", "nashgap", *command.split()]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert done.stderr == "nashgap: standard output: No space left on device\n"
    assert done.returncode == 2


def test_defaults_are_those_of_the_library() -> None:
    from nashgap.cli.options import SAVE_SECONDS
    from nashgap.runs import executors

    assert SAVE_SECONDS == executors.CHECKPOINT_SECONDS


@pytest.mark.parametrize("module", ["nashgap", "nashgap.cli.main"])
def test_the_package_can_be_run_as_a_module(module: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, "list", "fruits"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("nashgap: Invalid value")
