"""Wrong calls of `nashgap._native`, drawn from a seed, each in a process whose end is noticed.

A sound call is taken and one argument of it, or two, made wrong: another type, another size, another game's handle,
entries that point nowhere. Where a constructor takes it nevertheless, the handle is used in other calls. As a program:

    python tests/native/wrong_calls.py FIRST LAST         # how many ended the process, and which
    python tests/native/wrong_calls.py --only NUMBER      # that call alone, in this process
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "plain")]

import numpy as np  # noqa: E402
from native_samples import CALLS, Game, games, is_river_table, perform  # noqa: E402

from nashgap import _native  # noqa: E402

SEED = 20
MOST_BYTES = 4 << 30  # of address space, most of it for tables that are not written
NUM_USES = 3  # of a handle that should perhaps not be there
IS_SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
SECONDS = 200 if IS_SANITIZED else 20  # of processor time, for one call and what follows from it; more than any takes

INTEGERS = [-1, 0, 1, 2, 3, 7, 31, 32, 33, 64, 99, 127, 128, 255, 256, 65_535, 65_536, -128, -(2**31), 2**31 - 1]
INTEGERS += [2**31, 2**32 - 1, 2**32, 2**40, 2**62, -(2**62), 2**63 - 1, -(2**63), 2**63, 2**64 - 1, 2**64, 10**30]
FLOATS = [float("nan"), float("inf"), -float("inf"), -1.0, 0.0, 1.0, 2.0, 1e308, -1e308, 5e-324, 1e-30, 1e18]
TEXTS = ["", "x", "/", "cc/cc/cc/cc/cc", "r", "r0", "r99999999999999999999", "f", "é", "\x00", "c" * 1000, ":", "|"]
OTHERS: list[Any] = [None, "x", b"\x00\xff", 1.5, True, [], (), {}, [None], object(), 3 + 4j, "c" * 5000, range(3)]

# How much is to be done; a large number of these is no mistake, and takes long.
WORK = {"num_iterations", "num_deals", "num_simulations", "hands_per_match", "num_trials", "number", "num_points"}
WORK |= {"num_boards", "num_runouts", "num_samples", "most_next", "max_nodes", "num_abreast", "num_drawn"}
WORK |= {"num_centres"}
MOST_WORK = dict.fromkeys(WORK, 50)
MOST_WORK |= {"num_board_cards": 5}  # whose boards are counted one by one: of eight cards in a full deck for minutes


def wrong_integer(value: int, rng: random.Random, name: str) -> Any:
    choice = rng.choice([*INTEGERS, value + 1, value - 1, -value, value * 2])
    return min(choice, MOST_WORK[name]) if name in MOST_WORK else choice


def wrong_entries(array: np.ndarray, rng: random.Random) -> np.ndarray:
    """One entry, some or all are others."""
    found = array.copy()
    flat = found.reshape(-1)
    if flat.size == 0:
        return found
    number = rng.choice([1, 1, 1, 2, min(5, flat.size)])
    places = [rng.randrange(flat.size) for _ in range(number)]
    if rng.random() < 0.3:
        places = [rng.choice([0, flat.size - 1])]
    for place in places:
        if found.dtype.kind == "f":
            flat[place] = rng.choice(FLOATS)
        else:
            limits = np.iinfo(found.dtype)
            near = int(flat[place]) + rng.choice([-2, -1, 1, 2, 3, flat.size])
            value = rng.choice([near, near, limits.min, limits.max, limits.max // 2, -1, 0, flat.size, *INTEGERS])
            flat[place] = min(max(value, limits.min), limits.max)
    if rng.random() < 0.05 and not is_river_table(array):
        flat[:] = flat[places[0]]
    return found


def misaligned(array: np.ndarray) -> np.ndarray:
    """The same numbers at addresses that are no multiple of their size."""
    memory = np.zeros(array.nbytes + 1, np.uint8)
    found = memory[1:].view(array.dtype) if array.nbytes else array
    found[...] = array.reshape(-1)
    return found.reshape(array.shape)


def wrong_array(array: np.ndarray, rng: random.Random) -> Any:
    if is_river_table(array):  # copies of it would take gigabytes
        return rng.choice([array[:-1], array.reshape(-1), array[::2], array.view(np.int16), array[:0], None])
    other = rng.choice([np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float32, np.float64, np.complex64, bool])
    read_only = array.copy()
    read_only.flags.writeable = False
    makers = [
        lambda: np.zeros(max(array.size + rng.choice([-1, 1, -2, 2, array.size, -array.size]), 0), array.dtype),
        lambda: array.astype(other),
        lambda: np.zeros((*array.shape, 2), array.dtype)[..., 0],
        lambda: np.array(array[::-1]) if rng.random() < 0.5 else array[::-1],
        lambda: np.asfortranarray(array.reshape(1, -1).repeat(2, axis=0)),
        lambda: read_only,
        lambda: misaligned(array),
        lambda: array.astype(array.dtype.newbyteorder()),
        lambda: array.reshape(rng.choice([(1, -1), (-1, 1), (1, 1, -1)]) if array.size else (0,)),
        lambda: np.zeros((), array.dtype),
        lambda: np.zeros((0, 3), array.dtype),
        lambda: np.repeat(array, rng.choice([2, 3])),
        lambda: array.astype(object),
        lambda: array.tolist(),
        lambda: rng.choice(OTHERS),
    ]
    if rng.random() < 0.6:
        return wrong_entries(array, rng)
    return rng.choice(makers)()


def wrong_sequence(values: list[Any] | tuple[Any, ...], rng: random.Random, name: str) -> Any:
    changed = list(values)
    place = rng.randrange(len(changed)) if changed else 0
    kind = rng.random()
    if changed and kind < 0.55:
        changed[place] = wrong(changed[place], rng, name)
    elif changed and kind < 0.65:
        del changed[place]
    elif changed and kind < 0.75:
        changed.insert(place, changed[place])
    elif kind < 0.82:
        changed.append(rng.choice([*OTHERS, *INTEGERS]))
    elif kind < 0.88:
        changed = []
    elif kind < 0.92:
        changed *= rng.choice([2, 20])
    else:
        return rng.choice(OTHERS)
    return tuple(changed) if isinstance(values, tuple) else changed


def wrong_text(text: str, rng: random.Random) -> Any:
    if text and rng.random() < 0.6:
        place = rng.randrange(len(text))
        return text[:place] + rng.choice(["", *TEXTS]) + text[place + rng.choice([0, 1, 3]) :]
    return rng.choice([*TEXTS, *OTHERS])


def wrong_bytes(data: bytes, rng: random.Random) -> Any:
    if data and rng.random() < 0.7:
        place = rng.randrange(len(data))
        return data[:place] + bytes([rng.randrange(256)]) + data[place + rng.choice([0, 1, 2]) :]
    return rng.choice([b"", data * 2, data[:-1], b"\xff" * 7, *OTHERS])


def is_handle(value: object) -> bool:
    return type(value).__module__ == _native.__name__


def family(kind: type) -> type:
    """The first class above which there is only `object`."""
    return kind.__mro__[-2]


@cache
def world() -> dict[str, Game]:
    return games()


def wrong_handle(value: Any, rng: random.Random) -> Any:
    """None, one that was never made, one of another kind, or of the same kind but of another game."""
    kind = rng.random()
    if kind < 0.15:
        return None
    if kind < 0.25:
        return type(value).__new__(type(value))
    users = [name for name in sorted(CALLS) if kind < 0.4 or family(type(value)) in taken_by(name)]
    name = rng.choice(users or sorted(CALLS))
    arguments = CALLS[name][1](world()[rng.choice(CALLS[name][0])])
    found = [each for argument in arguments.values() for each in handles_in(argument)]
    fitting = [each for each in found if isinstance(each, family(type(value)))]
    return rng.choice(fitting or found or [None])


def handles_in(value: Any) -> list[Any]:
    if is_handle(value):
        return [value]
    if isinstance(value, (list, tuple)):
        return [handle for each in value for handle in handles_in(each)]
    return []


@cache
def taken_by(name: str) -> frozenset[type]:
    """Families of the handles that a call takes."""
    arguments = CALLS[name][1](world()[CALLS[name][0][0]])
    return frozenset(family(type(each)) for argument in arguments.values() for each in handles_in(argument))


def wrong(value: Any, rng: random.Random, name: str) -> Any:
    if rng.random() < 0.04:
        return rng.choice(OTHERS)
    if is_handle(value):
        return wrong_handle(value, rng)
    if isinstance(value, np.ndarray):
        return wrong_array(value, rng)
    if isinstance(value, bool):
        return rng.choice([not value, *OTHERS])
    if isinstance(value, int):
        return rng.choice(OTHERS) if rng.random() < 0.1 else wrong_integer(value, rng, name)
    if isinstance(value, float):
        return rng.choice([*FLOATS, rng.choice(OTHERS)])
    if isinstance(value, str):
        return wrong_text(value, rng)
    if isinstance(value, bytes):
        return wrong_bytes(value, rng)
    if isinstance(value, (list, tuple)):
        return wrong_sequence(value, rng, name)
    assert value is None, type(value)
    return rng.choice([*OTHERS, *INTEGERS])


def with_handle(value: Any, handle: Any) -> Any:
    """The same, with this handle in the place of all that are of its family."""
    if is_handle(value):
        return handle if family(type(value)) is family(type(handle)) else value
    if isinstance(value, (list, tuple)):
        return type(value)(with_handle(each, handle) for each in value)
    return value


def attempt(name: str, arguments: dict[str, Any]) -> Any:
    """What it returns, or None where it is refused; anything but an exception ends the process."""
    try:
        return perform(name, arguments)
    except Exception as error:  # of whatever kind: the process goes on
        assert str(error) or isinstance(error, (MemoryError, AssertionError)), name
        return None


def use(handle: Any, game: Game, rng: random.Random, depth: int) -> None:
    """Calls that are right but for this handle."""
    users = [name for name in sorted(CALLS) if game.name in CALLS[name][0] and family(type(handle)) in taken_by(name)]
    for name in rng.sample(users, min(NUM_USES, len(users))):
        arguments = {key: with_handle(value, handle) for key, value in CALLS[name][1](game).items()}
        result = attempt(name, arguments)
        if depth > 1 and is_handle(result):
            use(result, game, rng, depth - 1)


def choose(rng: random.Random) -> str:
    """Calls with many arguments have more that may be wrong."""
    names = sorted(CALLS)
    return rng.choices(names, [1 + 2 * number_of_arguments(name) for name in names])[0]


@cache
def number_of_arguments(name: str) -> int:
    return len(CALLS[name][1](world()[CALLS[name][0][0]]))


def wrong_call(number: int) -> tuple[str, Game, dict[str, Any], random.Random, list[str]]:
    rng = random.Random(f"{SEED}-{number}")
    name = choose(rng)
    game = world()[rng.choice(CALLS[name][0])]
    arguments = CALLS[name][1](game)
    changed = rng.sample(sorted(arguments), min(rng.choice([1, 1, 1, 2]), len(arguments)))
    for key in changed:
        arguments[key] = wrong(arguments[key], rng, key)
    return name, game, arguments, rng, changed


def run(number: int, *, tells: bool = False) -> str:
    """Makes one call, and uses what comes of it; its name."""
    name, game, arguments, rng, changed = wrong_call(number)
    if tells:
        print(name, game.name, {key: arguments[key] for key in changed}, flush=True)
    result = attempt(name, arguments)
    if tells:
        print("returned", result, flush=True)
    given = [arguments["self"]] if "self" in arguments and is_handle(arguments["self"]) else []
    for handle in given + ([result] if is_handle(result) else []):
        use(handle, game, rng, 3)
    return name


def limit() -> None:
    """The end of a call that takes too long is that of the process, too."""
    if not IS_SANITIZED:  # which takes all of the address space itself
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")  # of numbers that overflow, and handles that were never made


def run_all(first: int, last: int, note: Any) -> None:
    """In a process of its own; notes the number of each call before it begins."""
    limit()
    for number in range(first, last):
        os.pwrite(note.fileno(), number.to_bytes(8, "little"), 0)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        signal.alarm(10 * SECONDS)
        run(number)
    os._exit(0)


def supervise(first: int, last: int) -> list[dict[str, Any]]:
    """The calls that ended a process, by number, name and signal; the others go on in another."""
    ended = []
    for name in sorted(CALLS):  # once, in the process from which the others are made
        taken_by(name)
    with tempfile.TemporaryFile() as note:
        while first < last:
            child = os.fork()
            if child == 0:
                run_all(first, last, note)
            _, status = os.waitpid(child, 0)
            if status == 0:
                break
            number = int.from_bytes(os.pread(note.fileno(), 8, 0), "little")
            name, game, _, _, changed = wrong_call(number)
            code = os.waitstatus_to_exitcode(status)
            ended.append({"number": number, "call": name, "game": game.name, "wrong": changed, "status": code})
            first = number + 1
    return ended


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("numbers", type=int, nargs="*")
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    if options.only is not None:
        limit()
        run(options.only, tells=True)
        return
    print(json.dumps(supervise(*options.numbers)))


if __name__ == "__main__":
    main()
