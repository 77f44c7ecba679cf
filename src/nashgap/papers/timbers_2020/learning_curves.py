"""Figures 1 and 2: how responders learn against uniform play in Leduc and in Liar's dice.

The paper draws the mean of all rewards so far over what the exact best response gets. What was learned badly at first
stays in that mean, so that ours has beside it what the responders of each moment would win, exactly and without a
search.
"""

from __future__ import annotations

from collections.abc import Mapping

from nashgap.jobs.abr_bound import AbrBound
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.statements import Statement, is_positive, num_true, statement_table
from nashgap.papers.timbers_2020.published import LEDUC, LIARS_DICE
from nashgap.papers.timbers_2020.responders import NETWORKS, PRESET_TEXTS, TABULAR, networks_missing, respond_by
from nashgap.reports.report import Curve, Plot, Report, Table, Text
from nashgap.runs import package_version

__all__ = ["CLOSE", "figure_1", "figure_2"]

CLOSE = 0.9  # of the exact best response; the paper says "close"


def figure_1(request: Request) -> Report:
    """Leduc."""
    return _figure("abr-figure-1", "Figure 1", LEDUC, "Leduc", request)


def figure_2(request: Request) -> Report:
    """Liar's dice."""
    return _figure("abr-figure-2", "Figure 2", LIARS_DICE, "Liar's dice", request)


def _figure(command: str, figure: str, game: str, game_text: str, request: Request) -> Report:
    found = respond_by((*TABULAR, *NETWORKS), "uniform", game, request)
    statements = _check(found)
    best = max(found, key=lambda preset: found[preset].mean)
    return Report(
        title=f"ABR against uniform play in {game_text} (Timbers et al. 2020, {figure})",
        summary=(
            f"{num_true(statements)} of {len(statements)} statements hold. {best} finds most:"
            f" {_share_text(found[best])} of the exact best response."
        ),
        sections=(
            _learning(found),
            _frozen(found),
            _table(found),
            statement_table("What the paper says of the figure", statements),
            Text("What the curves are", tuple(filter(None, (_NOTE, networks_missing())))),
        ),
        command=command_of(command, request),
        facts={"game": game, "opponent": "uniform", "seed": request.seed, "version": package_version()},
    )


_NOTE = (
    "Both seats are added up, for ABR and for the best response. Rewards while learning have the exploration of the"
    " search in them; responders that are evaluated have none, learn nothing any more, and play fresh games. Tables and"
    " networks search then, too, but for a kept tree; in a small game a search of 800 simulations finds much by itself,"
    " so that the last column says what was learned."
)


def _learning(found: Mapping[str, AbrBound]) -> Plot:
    return _plot("While learning", "mean reward so far / best response's", "reward", found)


def _frozen(found: Mapping[str, AbrBound]) -> Plot:
    return _plot("Responders as they were", "value without a search / best response's", "value", found)


def _plot(title: str, y_title: str, key: str, found: Mapping[str, AbrBound]) -> Plot:
    curves = []
    for preset, bound in found.items():
        assert bound.exact is not None, "small games are known exactly"
        best = sum(bound.exact.best_values)
        episodes = [point["episodes"] for point in bound.points]
        shares = [(point[f"{key}_1"] + point[f"{key}_2"]) / best for point in bound.points]
        curves.append(Curve(preset, episodes, shares))
    return Plot(title, "games", y_title, tuple(curves), log_x=True, lines=(("best response", 1.0),))


def _table(found: Mapping[str, AbrBound]) -> Table:
    rows = tuple(
        (preset, PRESET_TEXTS[preset], bound.episodes, bound.estimate, _share_text(bound), _unsearched_text(bound))
        for preset, bound in found.items()
    )
    bound = next(iter(found.values()))
    note = f"NashConv, exactly: {bound.exact_nash_conv:.6f} {bound.unit}. The paper prints no number for the figure."
    columns = ("preset", "what learns", "games", "responders win", "share", "share without a search, exactly")
    return Table("When they are frozen", columns, rows, note)


def _check(found: Mapping[str, AbrBound]) -> tuple[Statement, ...]:
    kinds = {"the tabular algorithm": TABULAR, "function approximation": NETWORKS}
    statements = []
    for text, presets in kinds.items():
        known = {preset: found[preset] for preset in presets if preset in found}
        if known:
            verdicts = [_is_close(bound) for bound in known.values()]
            because = "; ".join(f"{preset}: {_share_text(bound)}" for preset, bound in known.items())
            is_true = True if True in verdicts else None if None in verdicts else False
            statements.append(Statement(f"{text} comes close to the exact exploitability", is_true, because))
    return tuple(statements)


def _is_close(bound: AbrBound) -> bool | None:
    """Whether it is above `CLOSE`, beyond its interval."""
    assert bound.share_of_exact is not None and bound.share_ci95 is not None, "small games are known exactly"
    return is_positive(bound.share_of_exact - CLOSE, bound.share_ci95)


def _unsearched_text(bound: AbrBound) -> str:
    assert bound.exact is not None, "small games are known exactly"
    last = bound.points[-1]
    return f"{(last['value_1'] + last['value_2']) / sum(bound.exact.best_values):.1%}"


def _share_text(bound: AbrBound) -> str:
    return f"{bound.share_of_exact:.1%} ± {bound.share_ci95:.1%}"
