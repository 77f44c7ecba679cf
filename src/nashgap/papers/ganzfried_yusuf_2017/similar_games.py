"""What section 3 says of similar games: how well they are copied, by which distance, and from how many.

The paper plays a new game as the nearest known one is played (k-NN), by the earth mover's distance of its Algorithm 1,
reports no number, and says: that this distance is the more natural one; that little of the data is enough; and that for
k-NN, unlike for trees, all outputs at once are better than those of each card.

For the last one each card of each known game is a point, with the game's cdfs and the share of hands it beats. That
makes a hundred times as many comparisons, so it is decided by fewer games, for both.
"""

from __future__ import annotations

import numpy as np

from nashgap.core.estimate import Estimate
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.distance_study import correlate_distances
from nashgap.explanations.distances import DISTANCES
from nashgap.explanations.learners import NeighbourLearner, always_check, learning_curve
from nashgap.explanations.neighbours import find_nearest, find_nearest_rows
from nashgap.explanations.scores import DISTANCE_UNIT, MONEY_UNIT, VALUE_LOST_NOTE, Scores, score
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.ganzfried_yusuf_2017.games import NUM_TEST, NUM_TRAIN, solved_games
from nashgap.papers.statements import Statement, num_true, statement_table
from nashgap.reports.report import Curve, Plot, Report, Section, Table
from nashgap.runs import package_version

__all__ = ["similar_games"]

QUICK_TRAIN, QUICK_TEST = 800, 200
CARD_TRAIN, CARD_TEST = 6_400, 1_600
COUNTS = (1, 2, 5, 10, 20, 50)
CHOICE = "solver"

COLUMNS = ("distance", "exploitability", "value lost")
NOTE = (
    f"Distance: Algorithm 2 to the solver's equilibrium, {DISTANCE_UNIT}. Exploitability: what a best response takes,"
    f" {MONEY_UNIT}, exact. {VALUE_LOST_NOTE}"
)


def similar_games(request: Request) -> Report:
    """k-NN by number of neighbours, distance, and games; by game and by card."""
    num_train, num_test = (QUICK_TRAIN, QUICK_TEST) if request.is_quick else (NUM_TRAIN, NUM_TEST)
    train, test = solved_games(request, num_train + num_test).split(num_train, num_test)
    request.note(f"{num_test:,} games are compared to {num_train:,} each, by {len(DISTANCES)} distances")
    by_metric = {metric: _copied(train, test, metric, request.threads) for metric in DISTANCES}
    never = score(test, always_check(test.games), CHOICE)
    sizes = [max(1, num_train // part) for part in (256, 64, 16, 4, 1)]
    curve = learning_curve(NeighbourLearner(threads=request.threads), train, test, sizes, CHOICE)
    fewer = train[:CARD_TRAIN], test[:CARD_TEST]
    whole, by_card = _copied(*fewer, "emd", request.threads, (1, 5)), _copied_by_card(*fewer, request.threads, (1, 5))
    statements = (_natural(by_metric), _little_is_enough(curve), _all_at_once(whole, by_card))
    best = min(by_metric["emd"], key=lambda count: by_metric["emd"][count].exploitability.mean)
    least = by_metric["emd"][best].exploitability
    return Report(
        title="New games played like similar ones (Ganzfried & Yusuf 2017, section 3)",
        summary=(
            f"Copying the nearest of {num_train:,} games loses {by_metric['emd'][1].exploitability.mean:.4f} dollars a"
            f" hand to a best response, the mean of the nearest {best} {least.mean:.4f}; never betting loses"
            f" {never.exploitability.mean:.4f}. {num_true(statements)} of {len(statements)}"
            " statements hold."
        ),
        sections=(
            statement_table("What the paper says of similar games", statements),
            _score_table("By number of neighbours, earth mover's distance", by_metric["emd"], never),
            _metric_table(by_metric),
            _correlation_table(test, request.seed),
            *_curves(curve, never),
            _card_table(whole, by_card, fewer),
        ),
        command=command_of("human-similar-games", request),
        facts={
            "games learned from": num_train,
            "unseen games": num_test,
            "choice of equilibrium": CHOICE,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def _copied(
    train: SolvedGames, test: SolvedGames, metric: str, threads: int, counts: tuple[int, ...] = COUNTS
) -> dict[int, Scores]:
    """The scores of the mean of so many nearest games."""
    nearest = find_nearest(train.games.pdf, test.games.pdf, max(counts), metric=metric, threads=threads).indices
    return _averaged(test, train.bets(CHOICE), nearest, counts)


def _copied_by_card(train: SolvedGames, test: SolvedGames, threads: int, counts: tuple[int, ...]) -> dict[int, Scores]:
    """The same where each card is played like the nearest cards of any games."""
    nearest = find_nearest_rows(_card_rows(train), _card_rows(test), max(counts), threads=threads).indices
    known = train.bets(CHOICE).reshape(-1, train.stakes.num_bets)
    return _averaged(test, known, nearest, counts)


def _card_rows(solved: SolvedGames) -> np.ndarray:
    """`[G * C, 2C + 1]`; the difference of the last feature counts as much as the distance of the games at most."""
    games, num_cards = solved.games, solved.stakes.deck
    rows = games.cdf.reshape(len(games), -1) / (2 * (num_cards - 1))
    return np.hstack([np.repeat(rows, num_cards, axis=0), games.beaten.reshape(-1, 1)])


def _averaged(test: SolvedGames, known: np.ndarray, nearest: np.ndarray, counts: tuple[int, ...]) -> dict[int, Scores]:
    shape = len(test), test.stakes.deck, test.stakes.num_bets
    total, found = np.zeros((len(nearest), *known.shape[1:])), {}
    for place in range(max(counts)):
        total += known[nearest[:, place]]
        if place + 1 in counts:
            found[place + 1] = score(test, (total / (place + 1)).reshape(shape), CHOICE)
    return found


def _natural(by_metric: dict[str, dict[int, Scores]]) -> Statement:
    found = {metric: copied[1] for metric, copied in by_metric.items()}
    told = "; ".join(
        f"{metric} {scores.output_distance.mean:.4f}, {scores.exploitability.mean:.4f} dollars"
        for metric, scores in found.items()
    )
    lowest = all(
        found["emd"].output_distance.mean < other.output_distance.mean
        and found["emd"].exploitability.mean < other.exploitability.mean
        for metric, other in found.items()
        if metric != "emd"
    )
    return Statement("the earth mover's distance is better than L1 and L2", lowest, f"nearest game: {told}")


def _little_is_enough(curve: list[tuple[int, Scores]]) -> Statement:
    """At most a tenth more error from a quarter of the games."""
    (quarter, part), (whole, all_of_it) = curve[-2:]
    ratio = part.output_distance.mean / all_of_it.output_distance.mean
    told = f"{quarter:,} games {part.output_distance.mean:.4f}, {whole:,} {all_of_it.output_distance.mean:.4f}"
    return Statement("a small part of the data has a low error: within 10% of all of it", ratio <= 1.1, told)


def _all_at_once(whole: dict[int, Scores], by_card: dict[int, Scores]) -> Statement:
    told = "; ".join(
        f"{count} nearest: whole games {whole[count].output_distance.mean:.4f}, by card"
        f" {by_card[count].output_distance.mean:.4f}"
        for count in whole
    )
    is_true = all(whole[count].output_distance.mean < by_card[count].output_distance.mean for count in whole)
    return Statement("for k-NN all outputs at once have lower errors than those of each card", is_true, told)


def _score_table(title: str, copied: dict[int, Scores], never: Scores) -> Table:
    rows = [(f"{count} nearest", *_cells(scores)) for count, scores in copied.items()]
    return Table(title, ("played like", *COLUMNS), (*rows, ("never bet", *_cells(never))), note=NOTE)


def _cells(scores: Scores) -> tuple[Estimate, Estimate, Estimate]:
    return scores.output_distance, scores.exploitability, scores.value_lost


def _metric_table(by_metric: dict[str, dict[int, Scores]]) -> Table:
    rows = tuple((metric, *_cells(copied[1])) for metric, copied in by_metric.items())
    return Table("By distance, nearest game", ("nearest by", *COLUMNS), rows)


def _correlation_table(test: SolvedGames, seed: int) -> Table:
    rows = tuple(
        (each.between, each.metric, each.exploitability, each.value_lost)
        for each in correlate_distances(test, seed=seed, choice=CHOICE)
    )
    return Table(
        "How well a distance predicts what copying costs",
        ("distance of", "by", "exploitability", "value lost"),
        rows,
        note="Rank correlations over random pairs of games. Inputs: both players' hands; outputs: equilibrium bets.",
    )


def _curves(curve: list[tuple[int, Scores]], never: Scores) -> tuple[Section, ...]:
    sizes = [size for size, _ in curve]
    sections = []
    for place, (name, unit) in enumerate((("Distance", DISTANCE_UNIT), ("Exploitability", MONEY_UNIT))):
        found = [_cells(scores)[place] for _, scores in curve]
        line = Curve("nearest game", sizes, [each.mean for each in found], [each.ci95 for each in found])
        check = (("never bet", _cells(never)[place].mean),)
        sections.append(Plot(f"{name} by games learned from", "games", unit, (line,), log_x=True, lines=check))
    return tuple(sections)


def _card_table(whole: dict[int, Scores], by_card: dict[int, Scores], games: tuple[SolvedGames, SolvedGames]) -> Table:
    rows = tuple(
        (f"{count} nearest", how, *_cells(scores[count]))
        for count in whole
        for how, scores in (("whole games", whole), ("each card", by_card))
    )
    title = f"All bets at once or card by card, {len(games[0]):,} games, {len(games[1]):,} unseen"
    return Table(title, ("played like", "compared", *COLUMNS), rows)
