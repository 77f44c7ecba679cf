"""The report of a duplicate match."""

from __future__ import annotations

from collections.abc import Mapping

from nashgap.arena.behaviour import Behaviour
from nashgap.arena.match_result import MatchResult
from nashgap.reports.layout import percent
from nashgap.reports.report import Curve, Plot, Report, Table, Text
from nashgap.runs.config import package_version

__all__ = ["behaviour_section", "luck_taken_off", "match_report"]

MAX_SEQUENCES = 20
MOST_FREQUENT = 5  # sequences that a screen shows


def match_report(result: MatchResult) -> Report:
    """Winrates with intervals, how they came about over the deals, how the agents played."""
    names = result.names
    played = f"Over {result.deals:,} deals, each in {result.seatings} seatings: {result.hands:,} hands."
    players = " against ".join(names) if len(names) == 2 else ", ".join(names)
    return Report(
        title=f"{players} in {result.game or 'a game of its own'}",
        summary=f"{result.finding}. {played}",
        sections=(
            _winrates(result),
            *_corrected(result),
            _most_frequent(result),
            *_course(result),
            _deviations(result),
            behaviour_section(dict(zip(names, result.behaviour, strict=True)), is_detail=True),
            _sequences(result),
        ),
        command=result.provenance.command,
        facts={
            "game": result.game,
            "unit": result.unit,
            "deals": result.deals,
            "seatings of each deal": result.seatings,
            "hands of a match": result.hands_per_match,
            "independent samples": result.samples,
            "seed": result.seed,
            "version": package_version(),
        },
    )


def behaviour_section(behaviours: Mapping[str, Behaviour], *, is_detail: bool = False) -> Table:
    """How each agent, by name, played."""
    columns = ("agent", "VPIP", "PFR", "aggression", "to showdown", "won there")
    rows = tuple(
        (
            name,
            percent(behaviour.vpip),
            percent(behaviour.pfr),
            "-" if behaviour.aggression is None else f"{behaviour.aggression:.2f}",
            percent(behaviour.went_to_showdown),
            percent(behaviour.won_at_showdown),
        )
        for name, behaviour in behaviours.items()
    )
    note = (
        "VPIP: put chips in before the flop without having to; PFR: raised before the flop; aggression: bets and raises"
        " for each call after it; won there: of the hands that went to a showdown."
    )
    return Table("How they played", columns, rows, note, is_detail)


def _winrates(result: MatchResult) -> Table:
    columns = ("agent", "winrate", "stdev of a hand", "VPIP", "PFR", "to showdown")
    rows = tuple(
        (
            name,
            result.estimate(agent),
            round(float(result.stdev[agent]), 3),
            percent(behaviour.vpip),
            percent(behaviour.pfr),
            percent(behaviour.went_to_showdown),
        )
        for agent, (name, behaviour) in enumerate(zip(result.names, result.behaviour, strict=True))
    )
    samples = f"{result.samples:,} {result.sample}{'es' if result.sample == 'match' else 's'}"
    note = f"The interval is over {samples}, each with the mean of its seatings; deviations are in {result.unit} too."
    return Table("", columns, rows, note)


def _corrected(result: MatchResult) -> list[Table]:
    """The same winnings without luck."""
    won = result.corrected
    if won is None:
        return []
    columns = ("agent", "winrate without luck", "stdev of a hand", f"of a {result.sample}", "as played")
    rows = tuple(
        (
            name,
            result.corrected_estimate(agent),
            round(float(won.stdev[agent]), 3),
            round(float(won.stdev_per_sample[agent]), 3),
            f"{_share(won.stdev[agent], result.stdev[agent])} of a hand's,"
            f" {_share(won.stdev_per_sample[agent], result.stdev_per_sample[agent])} of a {result.sample}'s",
        )
        for agent, name in enumerate(result.names)
    )
    note = f"{luck_taken_off(result.variance)} The last column compares the deviations with those of what was won."
    return [Table("Without luck", columns, rows, note)]


def luck_taken_off(variance: str) -> str:
    """What was done to winnings without luck, as a sentence."""
    taken = {"chance": "The luck of the cards is", "aivat": "The luck of the cards, and of hands and actions, is"}
    return f"{taken[variance]} taken off ({variance}); the expectation stays the same."


def _share(part: float, whole: float) -> str:
    return percent(float(part / whole)) if whole > 0 else "-"


def _deviations(result: MatchResult) -> Table:
    deviations = zip(result.names, result.stdev, result.stdev_per_sample, strict=True)
    rows = tuple(
        (name, round(float(of_hand), 3), round(float(of_sample), 3)) for name, of_hand, of_sample in deviations
    )
    note = f"In {result.unit}; of the mean of the seatings of a {result.sample}, which the interval stands on."
    columns = ("agent", "of a hand", f"of a {result.sample}")
    return Table("Standard deviations", columns, rows, note, is_detail=True)


def _most_frequent(result: MatchResult) -> Text:
    shares = [f"{text} {percent(share)}" for text, share in result.sequences.items()]
    more = [] if len(shares) <= MOST_FREQUENT else ["..."]
    return Text("", (f"Betting {result.first_round}: {', '.join(shares[:MOST_FREQUENT] + more)}",))


def _course(result: MatchResult) -> list[Plot]:
    """The winrate after so many deals, with its interval."""
    if len(result.course) < 2:
        return []
    deals = [deals for deals, _, _ in result.course]
    curves = tuple(
        Curve(
            name,
            deals,
            [float(winrates[agent]) for _, winrates, _ in result.course],
            [float(ci95[agent]) for _, _, ci95 in result.course],
        )
        for agent, name in enumerate(result.names)
    )
    title = "Winrate with its 95% interval"
    return [Plot(title, "deals", result.unit, curves, lines=(("even", 0.0),), is_detail=True)]


def _sequences(result: MatchResult) -> Table:
    shown = list(result.sequences.items())[:MAX_SEQUENCES]
    rows = tuple((text, percent(share)) for text, share in shown)
    left = len(result.sequences) - len(shown)
    note = "Up to the first fold." + (f" {left} rarer ones are left out." if left else "")
    return Table(f"Betting {result.first_round}", ("sequence", "share of hands"), rows, note, is_detail=True)
