"""`nashgap play --game lhe2 --against poki`: play in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.poker_screen import YOU, PokerScreen

if TYPE_CHECKING:
    from nashgap.agents.agent import Agent
    from nashgap.arena.acpc.log import MatchLog
    from nashgap.poker.notation import HandRecord
    from nashgap.poker.rules import PokerRules
    from nashgap.poker.state import View

__all__ = ["play"]


def play(
    game: Annotated[
        str,
        typer.Option(metavar="GAME", help="Poker: a name or a game definition file; or any small game."),
    ] = "lhe2",
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="Who sits in the other seats: one for all, or repeated, one for each. Default: poki in hold'em; in a"
            " small game uniform, or a strategy file.",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(metavar="N", help="Yours in the first hand; 1 is left of the button. Default: the button."),
    ] = None,
    hands: Annotated[int | None, typer.Option(metavar="N", help="Leave after so many; else when you quit.")] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Of the cards and the agents; by chance unless told.")
    ] = None,
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the hands there, as a match log.")] = None,
    plain: Annotated[bool, typer.Option("--plain", metavar="", help="Letters for suits, and no colours.")] = False,
) -> None:
    """Play poker against agents, or a small game against a strategy. The button, or your place, moves on each time.

    Type f, c, r (in no-limit r 300, pot, half, allin), ? for help, q to leave.

    Examples: [bold]nashgap play[/bold], [bold]nashgap play --game hunl --against random --hands 20[/bold],
    [bold]nashgap play --game lhe3 --against poki --against probe --log mine.log[/bold],
    [bold]nashgap play --game python:mygame:Dice --against dice.safetensors[/bold]
    """
    from secrets import randbelow

    from nashgap.arena.acpc.log import MatchLog
    from nashgap.core.job import require_seed
    from nashgap.errors import ConfigError
    from nashgap.games.spec import is_game, load_game
    from nashgap.poker.rules import load_rules

    if hands is not None and hands < 1:
        raise ConfigError(f"--hands {hands}; at least 1 is needed")
    used_seed = randbelow(10**9) if seed is None else seed
    require_seed(used_seed)
    if is_game(game) and not hasattr(load_game(game), "rules"):
        from nashgap.cli.play_tree import play_tree

        if log is not None or len(against or []) > 1:
            raise ConfigError(f"{game} is no poker game; it is played without --log and against one strategy")
        play_tree(game, (against or ["uniform"])[0], player=seat, num_games=hands, seed=used_seed)
        return
    rules = load_rules(game)
    own_seat = rules.num_seats if seat is None else seat
    if not 1 <= own_seat <= rules.num_seats:
        raise ConfigError(f"--seat {own_seat}; {game} has seats 1 to {rules.num_seats}")
    opponents = _opponents(rules, against or [_default_opponent(rules)])
    screen = PokerScreen(rules, is_plain=plain or not _can_show_suits())
    session = _Session(rules, opponents, own_seat - 1, used_seed, screen)
    with MatchLog(log) as match_log:
        match_log.remark(f"nashgap play, game {game}, seed {used_seed}")
        screen.say(f"{game}, seed {used_seed}; ? for help, q to leave")
        session.play(hands, match_log)
    session.tell_score(log)


class _Session:
    """The hands of one sitting. The person is player 0; player i sits in seat (i + own seat - hand) of a hand."""

    def __init__(
        self, rules: PokerRules, opponents: list[Agent], own_seat: int, seed: int, screen: PokerScreen
    ) -> None:
        from nashgap.agents.human import HumanAgent
        from nashgap.agents.named import distinct_names

        self._rules = rules
        self._screen = screen
        self._seed = seed
        self._own_seat = own_seat
        self._players: list[Agent] = [HumanAgent(self._ask, screen.answer), *opponents]
        self._names = [YOU, *distinct_names([opponent.name for opponent in opponents])]
        self._chips = [0.0] * len(self._players)
        self._num_hands = 0

    def play(self, num_hands: int | None, log: MatchLog) -> None:
        """Until so many hands are played or the person leaves; an unfinished hand does not count."""
        from nashgap.agents.human import LeaveTable
        from nashgap.poker.notation import log_name

        for player in self._players:
            player.start_match(self._rules)
        logged_names = [log_name(name) for name in ["human", *self._names[1:]]]
        try:
            while num_hands is None or self._num_hands < num_hands:
                log.hand(self._play_hand(logged_names))
        except (LeaveTable, KeyboardInterrupt):
            self._screen.say("\n  you leave; the hand does not count")
        finally:
            for player in self._players:
                if hasattr(player, "close"):
                    player.close()  # a program of its own
        if self._num_hands > 0:
            log.score(self._chips, logged_names)

    def _play_hand(self, logged_names: list[str]) -> HandRecord:
        from dataclasses import replace

        from nashgap.arena.table import deal_cards, play_hand, seat_generator
        from nashgap.poker.protocol import shown_cards

        number, size = self._num_hands, self._rules.num_seats
        player_at = [(seat - self._own_seat + number) % size for seat in range(size)]
        at_seat = [self._players[player] for player in player_at]
        for seat, player in enumerate(at_seat):
            player.start_hand(seat, seat_generator(self._seed, number, 0, seat))
        self._screen.start_hand(number + 1, [self._names[player] for player in player_at])
        played = play_hand(self._rules, at_seat, deal_cards(self._rules, self._seed, number), number)
        own_seat = player_at.index(0)
        seen = replace(played, hole_cards=shown_cards(played.state, played.hole_cards, own_seat))
        self._screen.end_hand(seen)
        for place, chips in zip(player_at, played.payoffs, strict=True):
            self._chips[place] += chips
        self._num_hands += 1
        won = _signed(played.payoffs[own_seat])
        self._screen.say(f"  this hand {won}; after {self._counted_hands()} {self._score_of(0)}")
        return replace(played, players=tuple(logged_names[player] for player in player_at))

    def tell_score(self, log: Path | None) -> None:
        if self._num_hands == 0:
            self._screen.say("no hand was finished")
            return
        self._screen.say(f"score after {self._counted_hands()}", style="bold")
        width = max(map(len, self._names))
        for player, name in enumerate(self._names):
            self._screen.say(f"  {name:<{width}}  {self._score_of(player)}")
        if log is not None:
            self._screen.say(f"hands are in {log}")

    def _score_of(self, player: int) -> str:
        rate = self._chips[player] / self._rules.unit_chips / self._num_hands
        decimals = 0 if self._rules.unit.startswith("mbb") else 3
        return f"{_signed(self._chips[player])} chips, {rate:+.{decimals}f} {self._rules.unit}"

    def _counted_hands(self) -> str:
        return f"{self._num_hands} hand{'' if self._num_hands == 1 else 's'}"

    def _ask(self, view: View, choices: str) -> str:
        from nashgap.agents.human import LeaveTable

        self._screen.show(view)
        try:
            answer = input(f"  {choices}  [?] help  [q]uit > ")
        except EOFError:
            raise LeaveTable from None
        except UnicodeDecodeError:
            answer = "(not text)"
        if not sys.stdin.isatty():
            print(answer)  # as it would stand there had it been typed
        return answer


def _opponents(rules: PokerRules, specs: list[str]) -> list[Agent]:
    from nashgap.agents.named import load_agent
    from nashgap.errors import ConfigError

    number = rules.num_seats - 1
    if len(specs) not in (1, number):
        raise ConfigError(f"--against names {len(specs)} agents; {rules.name} has {number} other seats")
    return [load_agent(spec, rules) for spec in (specs * number if len(specs) == 1 else specs)]


def _default_opponent(rules: PokerRules) -> str:
    is_holdem = rules.num_board_cards == (0, 3, 1, 1) and rules.num_hole_cards == 2 and rules.num_seats <= 6
    return "poki" if is_holdem else "probe"


def _signed(chips: float) -> str:
    from nashgap.poker.notation import format_payoff

    return f"{'+' if chips > 0 else ''}{format_payoff(chips)}"


def _can_show_suits() -> bool:
    try:
        "♣♦♥♠─".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
