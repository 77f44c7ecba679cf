"""A poker table in a terminal of 80 columns: what happened, the seats, the board, the showdown, the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

    from nashgap.poker.notation import HandRecord
    from nashgap.poker.rules import PokerRules
    from nashgap.poker.state import PublicState, View

__all__ = ["PokerScreen"]

WIDTH = 80
NAME_WIDTH = 18
SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
COLOURS = {"c": "green", "d": "blue", "h": "red", "s": "default"}


class PokerScreen:
    """Tells each thing that happens once, in the order of play. is_plain: only letters, no colours."""

    def __init__(self, rules: PokerRules, *, is_plain: bool) -> None:
        from rich.console import Console

        self._rules = rules
        self._is_plain = is_plain
        self._console = Console(highlight=False, markup=False, emoji=False, color_system=None if is_plain else "auto")
        self._names: Sequence[str] = ()
        self._num_told = 0
        self._shown: PublicState | None = None

    def say(self, line: str | Text = "", style: str = "") -> None:
        self._console.print(line, style=style, soft_wrap=True)

    def answer(self, line: str) -> None:
        """A line about what was typed."""
        self.say(f"  {line}")

    def start_hand(self, hand_number: int, names: Sequence[str]) -> None:
        """names: `[N]` by seat."""
        self._names, self._num_told, self._shown = names, 0, None
        title = f"-- hand {hand_number} " if self._is_plain else f"── hand {hand_number} "
        self.say()
        self.say(title + title[0] * (WIDTH - len(title)), style="bold")

    def show(self, view: View) -> None:
        """What happened since the last time, and the table; nothing where nothing did."""
        if view.state is self._shown:
            return
        self._shown = view.state
        self._tell_steps(view.state, is_board_drawn=True)
        self._draw_table(view)

    def end_hand(self, hand: HandRecord) -> None:
        """The rest of the hand, the cards that were shown, and who won. hand: what the person may see of it."""
        from nashgap.poker.table_words import winners_sentence

        self._tell_steps(hand.state)
        if hand.state.has_folded.count(False) > 1:
            for seat, cards in enumerate(hand.hole_cards):
                if cards is not None and not hand.state.has_folded[seat]:
                    self._tell_shown(seat, cards, hand.state.board)
        self.say(f"  {winners_sentence(hand, self._names)}", style="bold")

    def _tell_steps(self, state: PublicState, *, is_board_drawn: bool = False) -> None:
        from nashgap.poker.replay import replay
        from nashgap.poker.table_words import action_sentence

        steps = list(replay(state))
        for step in steps[self._num_told :]:
            if step.action is None:
                if not (is_board_drawn and step is steps[-1]):
                    self._tell_board(step.after)
            else:
                self.say(f"  {action_sentence(step, self._names[step.before.seat])}")
        self._num_told = len(steps)

    def _tell_board(self, state: PublicState) -> None:
        from nashgap.poker.table_words import shown_round

        self.say(self._joined(f"  {shown_round(state)}: ", self._cards(state.board), f"  pot {state.pot:,}"))

    def _draw_table(self, view: View) -> None:
        from nashgap.poker.replay import chips_before_round
        from nashgap.poker.table_words import has_stacks, seat_role, shown_round

        state, before = view.state, chips_before_round(view.state)
        to_call = f"   to call {state.to_call:,}" if state.to_call > 0 else ""
        board = self._joined("   ", self._cards(state.board)) if state.board else ""
        self.say()
        self.say(self._joined(f"  {shown_round(state)}", board, f"   pot {state.pot:,}{to_call}"))
        for seat, name in enumerate(self._names):
            bet = state.spent[seat] - before[seat]
            told = f"bet {bet:,}" if bet else ""
            row = f"  {seat_role(self._rules, seat):<6}{_clipped(name):<{NAME_WIDTH}}  {told:<10}"
            row += f"  {f'in {state.spent[seat]:,}' if state.spent[seat] else '':<9}"
            if has_stacks(self._rules):
                row += f"  stack {self._rules.stacks[seat] - state.spent[seat]:<6,}"
            if seat == view.seat:
                self.say(self._joined(f"{row}  ", self._cards(view.hole_cards)), style="bold")
            elif state.has_folded[seat]:
                self.say(f"{row}  folded", style="dim")
            else:
                self.say(row.rstrip())

    def _tell_shown(self, seat: int, cards: Sequence[int], board: Sequence[int]) -> None:
        from nashgap.cards.evaluator import hand_category, hand_rank
        from nashgap.poker.table_words import YOU

        everything = (*cards, *board)
        kind = f"  {hand_category(hand_rank(everything))}" if len(everything) > 1 else ""
        verb = "show" if self._names[seat] == YOU else "shows"
        self.say(self._joined(f"  {self._names[seat]} {verb} ", self._cards(cards), kind))

    def _cards(self, cards: Sequence[int]) -> Text:
        from rich.text import Text

        from nashgap.cards.card import format_card

        text = Text()
        for card in cards:
            name = format_card(card)
            suit = name[1]
            text.append(" " if text else "")
            text.append(name if self._is_plain else name[0] + SYMBOLS[suit], style=f"bold {COLOURS[suit]}")
        return text

    @staticmethod
    def _joined(*parts: str | Text) -> Text:
        from rich.text import Text

        return Text.assemble(*parts)


def _clipped(name: str) -> str:
    return name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 1]}~"
