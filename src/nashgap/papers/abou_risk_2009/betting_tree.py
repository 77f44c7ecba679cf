"""Figure 3.1: the betting tree of 3-player Kuhn with its pots, drawn from the rules of `games/kuhn.py`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nashgap.core.game import TERMINAL
from nashgap.games.kuhn import Kuhn, KuhnState
from nashgap.jobs.reproduction import Request, command_of
from nashgap.reports.report import Drawing, Figure, FigureTable, Report, Table, Text
from nashgap.runs import package_version

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = ["BettingNode", "betting_tree", "draw", "figure_3_1", "text_tree"]

PLAYERS = 3
# The thesis colours by players left: blue for one, green for a showdown; ours tells two from three at showdown.
COLOURS = {1: "#0072b2", 2: "#009e73", 3: "#e69f00"}
ENDINGS = {1: "won without showdown", 2: "two at showdown", 3: "three at showdown"}
INNER_COLOUR = "#808894"


@dataclass(frozen=True)
class BettingNode:
    """One node of the drawing.

    num_active: players who have not folded.
    column:     horizontal place: leaves are 0, 1, 2, ... from left to right, parents in the middle of their children.
    """

    state: KuhnState
    num_active: int
    column: float
    children: tuple[BettingNode, ...]

    @property
    def is_terminal(self) -> bool:
        return self.state.player == TERMINAL

    def walk(self) -> list[BettingNode]:
        """This node and all below, parents first."""
        return [self, *(node for child in self.children for node in child.walk())]


def betting_tree() -> BettingNode:
    """The tree of Figure 3.1."""
    return _node(Kuhn(PLAYERS).public_root(), 0)


def _node(state: KuhnState, first_column: int) -> BettingNode:
    children: list[BettingNode] = []
    num_leaves = 0
    for move in range(len(state.actions)):
        child = _node(state.child(move), first_column + num_leaves)
        num_leaves += sum(node.is_terminal for node in child.walk())
        children.append(child)
    column = sum(child.column for child in children) / len(children) if children else float(first_column)
    return BettingNode(state, PLAYERS - state.label.count("f"), column, tuple(children))


def figure_3_1(request: Request) -> Report:
    """The tree, its pots, and what the thesis's text says about them."""
    root = betting_tree()
    ends = [node for node in root.walk() if node.is_terminal]
    counts = Counter((node.num_active, node.state.pot) for node in ends)
    pots = {active: sorted({node.state.pot for node in ends if node.num_active == active}) for active in COLOURS}
    return Report(
        title="The betting tree of 3-player Kuhn (thesis, Figure 3.1)",
        summary=(
            f"{len(ends)} endings. By the rules the initial pot is {root.state.pot} (printed 3), a pot won without"
            f" showdown {_listed(pots[1])} (printed 4), and a pot of two at showdown {_listed(pots[2])} (the text: 6)."
        ),
        sections=(
            Drawing("Betting tree", draw(root)),
            Table("Betting tree, a line for each node", ("move", "pot", "then"), text_tree(root)),
            Table(
                "Endings by active players and pot",
                ("active", "pot", "endings", "which"),
                tuple(
                    (active, pot, count, " ".join(_labels(ends, active, pot)))
                    for (active, pot), count in sorted(counts.items())
                ),
                note="k check, b bet, f fold, c call.",
            ),
            FigureTable(
                "Published and ours",
                (
                    Figure("initial pot", root.state.pot, "antes", published=3),
                    Figure("pot won without showdown", _listed(pots[1]), "antes", published="4", note="blue"),
                    Figure("pot of two at showdown", _listed(pots[2]), "antes", published="6", note="green; see below"),
                    Figure("pot when all three check", root.children[0].children[0].children[0].state.pot, "antes",
                           published=3),
                    Figure("pot when nobody folds to a bet", max(pots[3]), "antes", note="not in the text"),
                ),
            ),
            Text(
                "Where the text and its rules differ",
                (
                    "Section 3.3.1 says that one fold to a bet and a showdown of the other two always make a pot of 6"
                    f" units. Three antes, one bet and one call are 5, in all {counts[2, 5]} such endings; 6 is the pot"
                    f" of the {counts[3, 6]} endings in which nobody folds to a bet.",
                ),
            ),
        ),
        command=command_of("thesis-figure-3.1", request),
        facts={"game": "kuhn(players=3)", "letters": "k check, b bet, f fold, c call", "version": package_version()},
    )  # fmt: skip


def text_tree(root: BettingNode) -> tuple[tuple[str, int, str], ...]:
    """For each node the last move, indented by those before it; the pot; who acts or how it ends."""
    return tuple(_line(node) for node in root.walk())


def _line(node: BettingNode) -> tuple[str, int, str]:
    label = node.state.label
    then = ENDINGS[node.num_active] if node.is_terminal else f"P{node.state.player + 1} to act"
    return "· " * len(label) + (label[-1] if label else "start"), node.state.pot, then


def _labels(ends: list[BettingNode], active: int, pot: int) -> list[str]:
    return [node.state.label for node in ends if (node.num_active, node.state.pot) == (active, pot)]


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def draw(root: BettingNode) -> go.Figure:
    """Edges with their letters, nodes with their pots, a row per action with the player who takes it."""
    import plotly.graph_objects as go  # slow to import, and not needed for the text

    figure = go.Figure()
    nodes = root.walk()
    x: list[float | None] = []
    y: list[float | None] = []
    for node in nodes:
        for child in node.children:
            x += [node.column, child.column, None]
            y += [-len(node.state.label), -len(child.state.label), None]
            figure.add_annotation(
                text=child.state.label[-1], showarrow=False, bgcolor=INNER_COLOUR, borderpad=1, font={"color": "white"},
                x=(node.column + child.column) / 2, y=-(len(node.state.label) + len(child.state.label)) / 2,
            )  # fmt: skip
    line = {"color": INNER_COLOUR}
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False))
    groups = [("player to act", INNER_COLOUR, [node for node in nodes if not node.is_terminal])]
    for active, colour in COLOURS.items():
        groups.append((ENDINGS[active], colour, [n for n in nodes if n.is_terminal and n.num_active == active]))
    for name, colour, members in groups:
        figure.add_trace(
            go.Scatter(
                x=[node.column for node in members], y=[-len(node.state.label) for node in members], name=name,
                mode="markers+text", marker={"size": 24, "color": colour}, text=[node.state.pot for node in members],
                textfont={"color": "white"}, hovertext=[node.state.label or "start" for node in members],
                hoverinfo="text",
            )
        )  # fmt: skip
    depth = max(len(node.state.label) for node in nodes)
    rows = [f"P{step % PLAYERS + 1}" for step in range(depth)]
    figure.update_yaxes(tickvals=[-step - 0.5 for step in range(depth)], ticktext=rows, showgrid=False, zeroline=False)
    figure.update_xaxes(visible=False)
    return figure
