"""Figure 3: ABR against A2C, in games of hidden information and as win rates in Hex, Go, Backgammon and Chess.

The figure itself is not in the text, and its runs took 200 actors; so what is held against ours are the facts of the
text, with boards that this machine can play and A2C after minutes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from nashgap.api.measure import measure
from nashgap.core.estimate import Estimate
from nashgap.errors import MissingExtraError
from nashgap.jobs.abr_bound import AbrBound
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.statements import Statement, all_true, is_positive, num_true, statement_table
from nashgap.papers.timbers_2020.opponents import GAMES, a2c_file, compiled, trained_a2c
from nashgap.papers.timbers_2020.published import (
    ABR_AGAINST_A2C,
    BOARD_GAMES_ABOVE,
    EVERY_GAME_ABOVE,
    UNIFORM_NASH_CONV,
)
from nashgap.papers.timbers_2020.responders import networks_missing, respond, share_text
from nashgap.reports.report import Bars, Report, Table, Text
from nashgap.runs import package_version

__all__ = ["BOARD_GAMES", "BoardGame", "check_games", "figure_3", "win_rate"]

PRESET, BOARD_PRESET = "tree", "desk"
LOW_GAMES = ("Hex", "Go")  # those that the paper has below 70%


@dataclass(frozen=True)
class BoardGame:
    """A game with a winner, as large as can be played here.

    openspiel: its name there.
    training:  games of A2C's self-play; quick_training: with --quick.
    minutes:   of ABR.
    games:     fresh ones of each seat.
    """

    name: str
    openspiel: str
    training: int
    quick_training: int
    minutes: float
    games: int


BOARD_GAMES = (
    BoardGame("Hex", "hex(board_size=5)", 20_000, 250, 5.0, 500),
    BoardGame("Go", "go(board_size=5)", 5_000, 250, 5.0, 300),
    BoardGame("Backgammon", "backgammon", 1_000, 250, 5.0, 200),
    BoardGame("Chess", "chess", 1_000, 250, 10.0, 100),
)
QUICK_MINUTES, QUICK_GAMES = 0.1, 20


def figure_3(request: Request) -> Report:
    """Shares of the exact NashConv in three games of hidden information, and win rates in four others."""
    if missing := networks_missing():
        raise MissingExtraError(f"A2C is a network. {missing}")
    bounds = {game: _hidden(game, request) for game in GAMES}
    rates = {board.name: _win_rate(board, request) for board in BOARD_GAMES}
    statements = check_games({game: _share(bound) for game, bound in bounds.items()}, rates)
    return Report(
        title="ABR against A2C in various games (Timbers et al. 2020, Figure 3)",
        summary=(
            f"{num_true(statements)} of {len(statements)} statements hold. Win rates:"
            f" {', '.join(f'{name} {rate.mean:.0f}%' for name, rate in rates.items())}."
        ),
        sections=(
            _hidden_table(bounds),
            Bars("Win rates", "games won by ABR", tuple(rates.items())),
            statement_table("What the paper says of the figure", statements),
            Text("What is played", _notes(request)),
        ),
        command=command_of("abr-figure-3", request),
        facts={"A2C": "OpenSpiel's, its defaults", "seed": request.seed, "version": package_version()},
    )


def _hidden(game: str, request: Request) -> AbrBound:
    tree = compiled(game)
    policy = trained_a2c(GAMES[game], request)
    return respond(str(a2c_file(game, tree, policy, request)), tree.game, PRESET, request)


def _win_rate(board: BoardGame, request: Request) -> Estimate:
    policy = trained_a2c(
        board.openspiel, request, episodes=board.quick_training if request.is_quick else board.training
    )
    usual = QUICK_MINUTES if request.is_quick else board.minutes
    bound: AbrBound = measure(
        policy,
        game=f"openspiel:{board.openspiel}",
        by="abr",
        preset=BOARD_PRESET,
        minutes=request.minutes or usual,
        games=QUICK_GAMES if request.is_quick else board.games,
        seed=request.seed,
        run=request.runs_root,
        progress=request.on_progress or False,
    )
    return win_rate(bound.estimate)


def win_rate(both_seats: Estimate) -> Estimate:
    """In percent, draws counted half, of what is won in both seats together where a game is won or lost by 1."""
    return replace(both_seats, mean=50 * (1 + both_seats.mean / 2), ci95=25 * both_seats.ci95, unit="%")


def _share(bound: AbrBound) -> Estimate:
    assert bound.exact_nash_conv, "A2C is no equilibrium, and the game is known exactly"
    scale = 100 / bound.exact_nash_conv
    return replace(bound.estimate, mean=scale * bound.mean, ci95=scale * bound.ci95, unit="%")


def check_games(shares: Mapping[str, Estimate], rates: Mapping[str, Estimate]) -> tuple[Statement, ...]:
    """shares: of NashConv where it is known, by game; rates: of wins elsewhere; both in percent."""
    high = {name: rate for name, rate in rates.items() if name not in LOW_GAMES}
    statements = [
        Statement(
            f"in no game ABR is below {EVERY_GAME_ABOVE:.0%}",
            _all_above({**shares, **rates}, EVERY_GAME_ABOVE),
            _listed({**shares, **rates}),
        ),
        Statement(
            f"in all but Hex and Go it is above {BOARD_GAMES_ABOVE:.0%}",
            _all_above({**shares, **high}, BOARD_GAMES_ABOVE),
            _listed({**shares, **high}),
        ),
        Statement(
            f"in Hex and Go it is not above {BOARD_GAMES_ABOVE:.0%}",
            all_true(
                None if (above := _is_above(rate, BOARD_GAMES_ABOVE)) is None else not above
                for name, rate in rates.items()
                if name in LOW_GAMES
            ),
            _listed({name: rate for name, rate in rates.items() if name in LOW_GAMES}),
        ),
    ]
    statements += [
        Statement(
            f"in {game} ABR wins at least {printed:.0%} of what A2C can lose, as printed",
            _is_above(shares[game], printed),
            _listed({game: shares[game]}),
        )
        for game, printed in ABR_AGAINST_A2C.items()
        if game in shares
    ]
    return tuple(statements)


def _is_above(percent: Estimate, share: float) -> bool | None:
    return is_positive(percent.mean - 100 * share, percent.ci95)


def _all_above(found: Mapping[str, Estimate], share: float) -> bool | None:
    return all_true(_is_above(each, share) for each in found.values())


def _listed(found: Mapping[str, Estimate]) -> str:
    return ", ".join(f"{name} {each.mean:.1f} ± {each.ci95:.1f}%" for name, each in found.items())


def _hidden_table(bounds: Mapping[str, AbrBound]) -> Table:
    rows = []
    for game, bound in bounds.items():
        exact = bound.exact_nash_conv
        assert exact is not None, "small games are known exactly"
        printed = ABR_AGAINST_A2C.get(game)
        rows.append(
            (
                game,
                f"{bound.mean:.4f} ± {bound.ci95:.4f}",
                f"{exact:.4f}",
                share_text(bound.estimate, exact),
                "" if printed is None else f"{printed:.0%}",
                f"{UNIFORM_NASH_CONV[game]:.4f}",
            )
        )
    columns = ("game", "ABR wins from A2C", "NashConv of A2C", "share", "printed", "NashConv of uniform")
    return Table("Hidden information", columns, tuple(rows), "Both seats added up.")


def _notes(request: Request) -> tuple[str, ...]:
    boards = ", ".join(
        f"{board.openspiel} {board.quick_training if request.is_quick else board.training:,}" for board in BOARD_GAMES
    )
    return (
        f"A2C plays against itself first, for so many games: {boards}; the paper's for a week. One that has learned so"
        " little is not much better than random play, so that these rates say more of ABR than of A2C.",
        "Rates are of games, not of states as the paper's are, of which it says that they mislead in chess.",
        "Boards are those that minutes suffice for: 5 x 5 in Hex and in Go. The paper does not say its sizes.",
    )
