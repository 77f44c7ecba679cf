"""Games as text: `kuhn`, `leduc(players=3)`, `bet_size(joint=hands.csv)`, `python:mygame:Dice(sides=6)`.

A spec is a name of the catalogue and, in parentheses, parameters as `name=value` with commas between. A value is a
whole number, a decimal number, `true`, `false`, or text; text with a comma, a parenthesis or an equals sign in it
stands in quotes. `python:module:Class` is a class of somebody's own, found in the current folder or installed; one with
parameters must be a dataclass, so that a game tells them. What follows `openspiel:` is OpenSpiel's own notation and
handed on as it is. A poker game goes by its name (`kuhn2`) or by its game definition file (`my.game`).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from typing import Any, cast

from nashgap.catalogue import GAMES, POKER_GAMES, unknown_name
from nashgap.core.game import Game
from nashgap.core.python_class import class_name, load_class, told
from nashgap.errors import ConfigError, NashGapError

__all__ = [
    "game_definition",
    "game_from_parameters",
    "game_name",
    "game_parameters",
    "game_spec",
    "is_game",
    "is_own_game",
    "load_game",
    "parse_spec",
]

Value = int | float | bool | str

OPENSPIEL = "openspiel"
PYTHON = "python:"
NAME = re.compile(r"\w+|python:\w[\w.]*:\w+")
WHOLE = re.compile(r"[+-]?\d+")
DECIMAL = re.compile(r"[+-]?(\d+\.\d*|\.?\d+)([eE][+-]?\d+)?")
# A quoted text, or a run of anything that does not end a parameter.
PARAMETER = re.compile(r"""\s*(?P<name>\w+)\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^,()="']+?)\s*(,|$)""")


def parse_spec(spec: str) -> tuple[str, dict[str, Value]]:
    """The name and the parameters that `spec` says: `kuhn(players=3)` gives `("kuhn", {"players": 3})`."""
    text = spec.strip()
    if text.startswith(OPENSPIEL + ":"):
        name, inner = _split_name(spec, text.removeprefix(OPENSPIEL + ":"))
        return OPENSPIEL, {"name": name, "parameters": inner}
    name, inner = _split_name(spec, text)
    parameters: dict[str, Value] = {}
    position = 0
    while position < len(inner):
        match = PARAMETER.match(inner, position)
        if match is None:
            raise ConfigError(f"game {spec!r}: cannot read {inner[position:]!r}; parameters are name=value, ...")
        if match["name"] in parameters:
            raise ConfigError(f"game {spec!r}: parameter {match['name']!r} is given twice; once is allowed")
        parameters[match["name"]] = _value(match["value"])
        position = match.end()
    return name, parameters


def _split_name(spec: str, text: str) -> tuple[str, str]:
    """The name before the parentheses and the text between them."""
    name, opening, rest = text.partition("(")
    if not NAME.fullmatch(name):
        wanted = f"{PYTHON}module:Class" if name.startswith(PYTHON) else "name"
        raise ConfigError(f"game {spec!r} must be a {wanted}, or {wanted}(parameter=value, ...)")
    if not opening:
        return name, ""
    if not rest.endswith(")"):
        raise ConfigError(f"game {spec!r} must end with the parenthesis that closes {name}(")
    return name, rest[:-1].strip()


def _value(text: str) -> Value:
    if text[0] in "\"'":
        return text[1:-1]
    if WHOLE.fullmatch(text):
        try:
            return int(text)
        except ValueError:  # Python reads only so many digits
            raise ConfigError(f"{text[:20]}... is too large: a number of {len(text):,} digits") from None
    if DECIMAL.fullmatch(text):
        return float(text)
    return {"true": True, "false": False}.get(text, text)


def is_game(text: str) -> bool:
    """Whether the text names a small game: one of the catalogue, one of OpenSpiel's or a class."""
    name = text.strip().partition("(")[0]
    return name in GAMES.entries or name.startswith((PYTHON, f"{OPENSPIEL}:"))


def load_game(spec: str | Game) -> Game:
    """The game that `spec` names, or is."""
    if not isinstance(spec, str):
        return spec
    text = spec.strip()
    if text in POKER_GAMES.entries or text.endswith(".game"):
        return game_from_parameters("poker", {"definition": text})
    name, parameters = parse_spec(spec)
    if not name.startswith(PYTHON) and name not in GAMES.entries:
        raise unknown_name("game", name, [*GAMES.entries, *POKER_GAMES.entries])
    return game_from_parameters(name, parameters)


def game_from_parameters(name: str, parameters: dict[str, Any]) -> Game:
    """The game of this name with these parameters; the inverse of `game_parameters`."""
    game_class = _game_class(name)
    fields = dataclasses.fields(game_class) if dataclasses.is_dataclass(game_class) else ()
    allowed = ", ".join(field.name for field in fields) or "none, it has no parameters"
    for given in parameters:
        if given not in {field.name for field in fields}:
            raise ConfigError(f"{name} has no parameter {given!r}; allowed: {allowed}")
    for field in fields:
        if field.default is dataclasses.MISSING and field.name not in parameters:
            raise ConfigError(f"{name} needs the parameter {field.name!r}; allowed: {allowed}")
    if not name.startswith(PYTHON):
        return cast(Game, game_class(**parameters))
    try:
        return cast(Game, game_class(**{key: _frozen(value) for key, value in parameters.items()}))
    except NashGapError:
        raise
    except BaseException as error:
        raise ConfigError(f"game {name!r}: no game can be made of it: {told(error)}") from error


def game_definition(game: Game) -> dict[str, Any]:
    """Name and parameters, from which the game can be built again; empty of a class or of values that have no name."""
    try:
        return {"name": game_name(game), "parameters": game_parameters(game)}
    except (ConfigError, TypeError, ValueError):  # JSON's
        if not is_own_game(game):
            raise
        return {}


def is_own_game(game: Game) -> bool:
    """Whether its class is none of the catalogue's."""
    return _catalogued_name(game) is None


def game_parameters(game: Game) -> dict[str, Any]:
    """All parameters of the game in field order, as JSON has them."""
    return {field: json.loads(json.dumps(value)) for field, value in _field_values(game).items()}


def game_spec(game: str | Game) -> str:
    """The shortest text that names the game: parameters in field order, without those that change nothing.

    What came from a file is named by a hash of it, so that equal games have equal texts; such a text cannot be loaded.
    """
    if isinstance(game, str):
        game = load_game(game)
    own_spec = getattr(game, "spec", None)
    if own_spec is not None:
        return str(own_spec)
    needed = _field_values(game)
    for field in list(needed):
        others = {name: value for name, value in needed.items() if name != field}
        if _makes(game, others):
            needed = others
    inner = ",".join(f"{name}={_value_text(value)}" for name, value in needed.items())
    name = type(game).__name__ if is_own_game(game) and not class_name(type(game)) else game_name(game)
    return f"{name}({inner})" if inner else name


def game_name(game: Game) -> str:
    """The name of the game's class: that of the catalogue, or `python:module:Class`."""
    name = _catalogued_name(game) or class_name(type(game))
    if name is None:
        raise ConfigError(f"game class {type(game).__qualname__} has no name: it must stand at the top of a module")
    return name


def _catalogued_name(game: Game) -> str | None:
    target = f"{type(game).__module__}:{type(game).__qualname__}"
    return next((name for name, entry in GAMES.entries.items() if entry.target == target), None)


def _game_class(name: str) -> Any:
    return load_class(name, "game", {"root": ""}) if name.startswith(PYTHON) else GAMES.load(name)


def _field_values(game: Game) -> dict[str, Any]:
    fields: tuple[dataclasses.Field[Any], ...] = dataclasses.fields(game) if dataclasses.is_dataclass(game) else ()
    return {field.name: getattr(game, field.name) for field in fields if field.init}


def _frozen(value: object) -> object:
    """JSON's lists as the tuples that they were."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _makes(game: Game, parameters: dict[str, Any]) -> bool:
    """Whether these parameters alone give the same game."""
    try:
        return bool(cast(Any, type(game))(**parameters) == game)
    except KeyboardInterrupt:
        raise
    except BaseException:  # somebody's own class may raise anything
        return False


def _value_text(value: object) -> str:
    if isinstance(value, tuple):
        return "sha256:" + hashlib.sha256(json.dumps(value).encode()).hexdigest()[:12]
    return str(value).lower() if isinstance(value, bool) else str(value)
