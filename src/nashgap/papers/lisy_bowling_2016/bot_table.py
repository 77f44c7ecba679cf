"""Table 3: LBR against bots, with bots that are trained here as columns, and the paper's findings one by one."""

from __future__ import annotations

from collections.abc import Mapping

from nashgap.arena.cross_table import CrossTable
from nashgap.arena.tournament import Entrant, TournamentConfig
from nashgap.arena.tournament_result import TournamentResult
from nashgap.jobs.reproduction import Request, command_of
from nashgap.jobs.tournament import TournamentJob
from nashgap.measures.local_best_response import LbrOptions
from nashgap.papers.lisy_bowling_2016.agreement import ours_text, printed_text
from nashgap.papers.lisy_bowling_2016.bots import (
    AGAIN,
    EXPLORED,
    FCPA,
    FULL_CARDS,
    BotRecipe,
    chosen_bots,
    trained_bots,
)
from nashgap.papers.lisy_bowling_2016.bounds import Bound, measure_bound, paired
from nashgap.papers.lisy_bowling_2016.exact_shares import ExactShare, exact_sections, exact_share
from nashgap.papers.lisy_bowling_2016.findings import (
    HARD,
    SAMPLED,
    SOFT,
    WIDE,
    CellKey,
    Found,
    Switches,
    check_findings,
)
from nashgap.papers.lisy_bowling_2016.published import (
    NARROWING,
    SAMPLED_FULL_CARDS,
    TABLE_3,
    TABLE_3_COLUMNS,
    WIDE_FULL_CARDS,
)
from nashgap.papers.statements import num_true, statement_table
from nashgap.papers.training import TrainedAgent
from nashgap.poker.rules import load_rules
from nashgap.reports.report import CrossTableSection, Report, Section, Table, Text
from nashgap.runs import package_version
from nashgap.strategies.spec import parse_bot

__all__ = ["table_3"]

DEALS, QUICK_DEALS = 50_000, 2_000
MATCH_DEALS, QUICK_MATCH_DEALS = 100_000, 2_000
FOLDING_DEALS = 500
DEALS_PER_SECOND = 4_000  # about; for the forecast

ROWS = (*TABLE_3, (WIDE, "3-4"))
# Where LBR keeps to the bot's bets no translation is needed, and all of them play the same.
OFF_TREE_ROWS = (("56", "1-4"), ("56", "3-4"), (WIDE, "3-4"))
TRANSLATIONS = {HARD: ROWS, SOFT: OFF_TREE_ROWS, SAMPLED: OFF_TREE_ROWS}
SAMPLES = 10

SWITCHES = ("duplicate", "imaginary", "all_in")


def table_3(request: Request) -> Report:
    """The bots of the request, trained where no earlier reproduction did, against LBR and each other."""
    bots = chosen_bots(request)
    agents = trained_bots(bots, request)
    deals = QUICK_DEALS if request.is_quick else DEALS
    num_cells = len(bots) * sum(map(len, TRANSLATIONS.values()))
    minutes = num_cells * deals / DEALS_PER_SECOND / 60
    request.note(f"{num_cells} cells of {deals:,} deals and some more, about {max(1, round(minutes))} minutes")
    cells: dict[CellKey, Bound] = {}
    switches: Switches | None = None
    exact: dict[str, ExactShare | None] = {}
    for name, agent in agents.items():
        held = agent.load()  # for all cells of the bot
        cells |= _cells(name, bots[name], agent, deals, request)
        switches = switches or _switches(bots[name], agent, deals, request)
        exact[name] = exact_share(bots[name], agent, request)
        del held
    assert switches is not None, "at least one bot is chosen"
    folding = measure_bound(load_rules("hunl"), parse_bot("always-fold"), LbrOptions(), FOLDING_DEALS, request)
    found = Found(cells, folding.estimate, _play(bots, agents, request), switches)
    statements = check_findings(found)
    return Report(
        title="LBR against bots (Lisý & Bowling 2016, Table 3)",
        summary=f"{num_true(statements)} of {len(statements)} findings of the paper hold for our bots.",
        sections=(
            statement_table("The paper's findings", statements, "mbb_per_hand, with 95% intervals."),
            _printed_section(),
            *(_bounds_section(found, translation, rows) for translation, rows in TRANSLATIONS.items()),
            _split_section(found),
            *exact_sections(exact),
            *_training_section(found),
            *_play_section(found),
            _switches_section(switches, next(iter(bots))),
            _notes(bots, agents),
        ),
        command=command_of("lbr-table-3", request),
        facts={
            "game": "hunl; hunl100 for full-cards",
            "unit": "mbb_per_hand",
            "deals of a cell": deals,
            "seatings of each deal": 2,
            "samples of sampled translation": SAMPLES,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def _cells(name: str, bot: BotRecipe, agent: TrainedAgent, deals: int, request: Request) -> dict[CellKey, Bound]:
    found = {}
    for translation, rows in TRANSLATIONS.items():
        played = agent.bot(translation=translation)
        for bets, rounds in rows:
            options = LbrOptions(bets=bets, rounds=rounds, samples=SAMPLES)
            found[name, translation, bets, rounds] = measure_bound(bot.recipe.rules, played, options, deals, request)
    return found


def _switches(bot: BotRecipe, agent: TrainedAgent, deals: int, request: Request) -> Switches:
    """Half-widths with and without each means against variance; every deal that is not duplicated counts half."""
    played = agent.bot(translation=HARD)

    def half_width(*names: str) -> float:
        duplicate, imaginary, all_in = (name in names for name in SWITCHES)
        options = LbrOptions("56", "3-4", SAMPLES, duplicate, imaginary, all_in)
        as_many = deals if "duplicate" in names else 2 * deals
        return measure_bound(bot.recipe.rules, played, options, as_many, request).estimate.ci95

    by_name = {name: half_width(name) for name in SWITCHES} | {"all three": half_width(*SWITCHES)}
    return Switches(half_width(), half_width("duplicate", "imaginary"), by_name)


def _play(bots: Mapping[str, BotRecipe], agents: Mapping[str, TrainedAgent], request: Request) -> CrossTable | None:
    """All that play the same game against each other, with hard translation."""
    entrants = tuple(Entrant(name, agents[name].bot(translation=HARD)) for name in bots if name != FULL_CARDS)
    if len(entrants) < 2:
        return None
    name = f"lbr-table-3{'-quick' if request.is_quick else ''}"
    deals = QUICK_MATCH_DEALS if request.is_quick else MATCH_DEALS
    config = TournamentConfig(name, "hunl", deals, entrants, request.seed)
    found: TournamentResult = request.perform(TournamentJob(load_rules("hunl"), config))
    return found.cross_table


def _printed_section() -> Table:
    rows = [(*row, *map(printed_text, printed)) for row, printed in TABLE_3.items()]
    blank = ("not printed",) * (len(TABLE_3_COLUMNS) - 1)
    rows.append((WIDE, "3-4", *blank, printed_text(WIDE_FULL_CARDS)))
    rows.append(("56, sampled", "3-4", *blank, printed_text(SAMPLED_FULL_CARDS)))
    note = "mbb_per_hand; the last two rows are from the text. Hard translation but for the last."
    return Table("Table 3 as printed", ("bets", "rounds", *TABLE_3_COLUMNS), tuple(rows), note)


def _bounds_section(found: Found, translation: str, rows: tuple[tuple[str, str], ...]) -> Table:
    table = tuple(
        (*row, *(ours_text(found.cell(bot, *row, translation).estimate) for bot in found.bots)) for row in rows
    )
    words = f"{translation} translation" + (f", {SAMPLES} samples" if translation == SAMPLED else "")
    return Table(f"Our bots, {words}", ("bets", "rounds", *found.bots), table, "mbb_per_hand.")


def _split_section(found: Found) -> Table:
    rows = []
    for bot in found.bots:
        on_tree = found.cell(bot, "on-tree", "3-4")
        for translation in TRANSLATIONS:
            whole = found.cell(bot, "56", "3-4", translation)
            rest = paired(whole, on_tree)
            rows.append((bot, translation, *map(ours_text, (whole.estimate, on_tree.estimate, rest))))
    return Table(
        "On-tree and off-tree",
        ("bot", "translation", "56 bets", "on-tree", "the rest"),
        tuple(rows),
        "mbb_per_hand, rounds 3-4. On-tree is what card abstraction costs; the rest is betting abstraction. Its"
        " interval is that of the difference on the same deals.",
    )


def _training_section(found: Found) -> tuple[Section, ...]:
    """How far another seed and exploration move the bounds."""
    others = [bot for bot in (AGAIN, EXPLORED) if bot in found.bots]
    if FCPA not in found.bots or not others:
        return ()
    rows = tuple(
        (
            *row,
            ours_text(found.cell(FCPA, *row).estimate),
            *(ours_text(paired(found.cell(bot, *row), found.cell(FCPA, *row))) for bot in others),
        )
        for row in ROWS
    )
    note = "mbb_per_hand, hard translation; the others as differences from fcpa on the same deals."
    return (Table("How training moves the bounds", ("bets", "rounds", FCPA, *others), rows, note),)


def _play_section(found: Found) -> tuple[Section, ...]:
    if found.table is None:
        return ()
    rows = []
    for player in sorted(found.table.players, key=lambda player: found.cell(player, "56", "3-4").mean):
        won = [matchup.winrate(player) for matchup in found.table.matchups_of(player)]
        rows.append((player, ours_text(found.cell(player, "56", "3-4").estimate), round(sum(won) / len(won), 1)))
    return (
        CrossTableSection("Matches of the same bots", found.table, "mbb_per_hand; 200 big blinds, hard translation."),
        Table(
            "Bounds beside matches",
            ("bot", "LBR wins, 56 bets 3-4", "wins against the others"),
            tuple(rows),
            "mbb_per_hand; the best bound first.",
        ),
    )


def _switches_section(switches: Switches, bot: str) -> Table:
    named = {
        "none": switches.without,
        **{name.replace("_", "-"): width for name, width in switches.by_name.items()},
        "duplicate and imaginary": switches.paper,
    }
    rows = tuple(
        (
            name,
            round(width, 1),
            f"{switches.narrowing(width):.0%}",
            f"{NARROWING:.0%}" if width is switches.paper else "",
        )
        for name, width in named.items()
    )
    return Table(
        "What narrows the interval",
        ("means", "half-width", "narrower by", "printed"),
        rows,
        f"LBR with 56 bets in rounds 3-4 against {bot}, hard translation; mbb_per_hand, for as many hands each.",
    )


def _notes(bots: Mapping[str, BotRecipe], agents: Mapping[str, TrainedAgent]) -> Text:
    return Text(
        "The bots",
        (
            *(f"{name}: {bot.about}." for name, bot in bots.items()),
            *(agent.told(name) for name, agent in agents.items()),
            "Where LBR keeps to the bets of a bot no translation is needed, so that soft and sampled translation are"
            " measured only where it does not.",
        ),
    )
