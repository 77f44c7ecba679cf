"""The text that names a bot, taken apart once."""

import shutil
import sys
import tracemalloc
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy

from nashgap.agents.named import load_agent
from nashgap.core.array_file import content_digest, file_digest
from nashgap.core.program import ProgramLimits
from nashgap.errors import ConfigError
from nashgap.games.compiled import load_tree
from nashgap.poker.rules import load_rules
from nashgap.strategies.bot import (
    AcpcBot,
    ExecBot,
    FileBot,
    GivenBot,
    HandByHand,
    NamedBot,
    PythonBot,
    bot_from_identity,
)
from nashgap.strategies.chumps import always_call
from nashgap.strategies.load import load, save
from nashgap.strategies.spec import as_bot, parse_bot
from nashgap.strategies.table import TableStrategy, uniform

LEDUC = load_rules("leduc2")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """With a strategy file, a program and a module."""
    save(tmp_path / "bot.safetensors", random_abstract_strategy(abstract_game("leduc2"), seed=1))
    (tmp_path / "bot.sh").write_text("cat\n")
    (tmp_path / "module_of_a_spec.py").write_text("class Bot:\n    def act(self, view):\n        return 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "module_of_a_spec", raising=False)
    return tmp_path


PARSED = {
    "always-call": NamedBot("always-call"),
    "triple(0.1, 0.4,0.5)": NamedBot("triple", (0.1, 0.4, 0.5)),
    "poki-sim(trials=50)": NamedBot("poki-sim", named=(("trials", 50),)),
    "bot.safetensors": FileBot("bot.safetensors"),
    "bot.safetensors(purify=yes, fallback=call)": FileBot("bot.safetensors", (("fallback", "call"), ("purify", True))),
    "bot.sh": FileBot("bot.sh"),
    "python:module_of_a_spec:Bot": PythonBot("module_of_a_spec", "Bot"),
    "exec:sh bot.sh": ExecBot("sh bot.sh"),
    "exec(batch=8,seconds=5):sh bot.sh": ExecBot("sh bot.sh", ProgramLimits(seconds=5, batch=8)),
    "acpc:sh bot.sh -x": AcpcBot("sh bot.sh -x"),
    "by-hand: acpc:sh bot.sh": HandByHand(AcpcBot("sh bot.sh")),
    "by-hand:python:module_of_a_spec:Bot": HandByHand(PythonBot("module_of_a_spec", "Bot")),
}


@pytest.mark.parametrize("text", PARSED)
def test_every_form_is_parsed_into_a_value_whose_text_parses_back(folder, text):
    bot = parse_bot(f" {text} ")
    assert bot == PARSED[text] == as_bot(bot)
    assert parse_bot(bot.text) == bot
    assert parse_bot(parse_bot(bot.text).text).text == bot.text


@pytest.mark.parametrize("text", PARSED)
def test_the_identity_has_no_path_and_gives_the_bot_again(folder, text, tmp_path_factory):
    bot = parse_bot(text)
    identity = bot.identity()
    assert (bot.digest is None) == isinstance(bot, NamedBot)
    kept = {}
    for digest, path in bot.inputs().items():
        assert digest in str(identity)
        kept[digest] = tmp_path_factory.mktemp("kept") / "copy"
        shutil.copyfile(path, kept[digest])
    again = bot_from_identity(identity, kept)
    assert again.identity() == identity
    if isinstance(bot, FileBot):
        assert bot.path not in str(identity) and again.path != bot.path and again.options == bot.options
    else:
        assert again == bot


def test_what_a_bot_is_made_of_makes_it_another_bot(folder):
    texts = ("bot.safetensors", "python:module_of_a_spec:Bot", "exec:sh bot.sh", "acpc:sh bot.sh")
    before = [parse_bot(text).identity() for text in texts]
    assert [parse_bot(text).identity() for text in texts] == before
    save("bot.safetensors", random_abstract_strategy(abstract_game("leduc2"), seed=2))
    for name in ("bot.sh", "module_of_a_spec.py"):
        (folder / name).write_text((folder / name).read_text() + "# changed\n")
    for text, old in zip(texts, before, strict=True):
        assert parse_bot(text).identity() != old


def test_names_of_the_catalogue_are_no_files_and_files_may_begin_elsewhere(folder):
    (folder / "probe").write_text("no bot")
    assert parse_bot("probe") == NamedBot("probe")
    (folder / "inner").mkdir()
    shutil.copyfile("bot.safetensors", "inner/mine.safetensors")
    assert parse_bot("mine.safetensors(purify=1)", folder=folder / "inner") == FileBot(
        str(folder / "inner" / "mine.safetensors"), (("purify", True),)
    )
    with pytest.raises(ConfigError, match=r"^agent '.*inner/bot.safetensors': there is no such strategy file$"):
        parse_bot("bot.safetensors", kind="agent", folder=folder / "inner")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bot '' must be a name, name"),
        ("always call", "bot 'always call' must be a name, name"),
        ("triple(a,b,c)", "'a' is not a number"),
        ("bot.safetensors(speed=1)", r"bot 'bot.safetensors\(speed=1\)': cannot read 'speed=1'"),
        ("bot.safetensors(fallback=fold)", "fallback = 'fold'; it must be one of uniform, call"),
        ("python:json", "must be python:module:Class"),
        ("exec(speed=1):true", "cannot read 'speed=1'; options, once each: seconds, startup, memory, batch"),
        ("by-hand:", "has no player; it must be by-hand:PLAYER"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(folder, text, message):
    with pytest.raises(ConfigError, match=message) as refused:
        parse_bot(text)
    assert "\n" not in str(refused.value)


class Plays:
    def act(self, view):
        return 0


def test_objects_are_bots():
    chump = always_call()
    assert as_bot(chump).text == "always-call" and as_bot(Plays()).text == "Plays"
    assert load(chump, LEDUC) is chump
    assert load_agent(chump, LEDUC).name == "always-call" and load_agent(Plays(), LEDUC).name == "Plays"
    with pytest.raises(ConfigError, match="only plays"):
        load(Plays(), LEDUC)
    for thing in (3, object(), None):
        with pytest.raises(ConfigError, match="neither a text nor an object with policies"):
            as_bot(thing)


def test_an_object_is_known_again_by_its_digest_only():
    plays = Plays()
    with pytest.raises(ConfigError, match="Plays is an object without a digest"):
        as_bot(plays).identity()
    assert as_bot(plays, digest="v1").identity() == {"kind": "given", "name": "Plays", "digest": "v1"}
    plays.digest = "v2"
    assert as_bot(plays).digest == "v2" and as_bot(plays, digest="v3").digest == "v3"
    with pytest.raises(ConfigError, match="Plays was an object of Python"):
        bot_from_identity(as_bot(plays).identity())


def test_a_strategy_has_a_digest_of_its_content():
    tree = load_tree("kuhn")
    digests = {uniform(tree).digest, TableStrategy(tree, uniform(tree).probabilities, {"solver": "none"}).digest}
    assert len(digests) == 1, "where it comes from does not matter"
    other = uniform(tree).probabilities.copy()
    other[tree.slots(0)] = [0.25, 0.75]
    digests |= {TableStrategy(tree, other).digest, uniform(load_tree("kuhn2")).digest}
    game = abstract_game("leduc2")
    strategy = random_abstract_strategy(game, seed=1)
    same = random_abstract_strategy(game, seed=1)
    assert strategy.digest == same.digest
    digests |= {strategy.digest, random_abstract_strategy(game, seed=2).digest}
    digests |= {strategy.with_options(purify=True).digest, strategy.with_options(fallback="call").digest}
    assert len(digests) == 7
    assert strategy.with_options(purify=False).digest == strategy.digest
    assert as_bot(strategy).digest == strategy.digest


def test_a_loaded_strategy_has_the_digest_of_its_file(folder):
    save("table.safetensors", uniform(load_tree("kuhn")))
    for name in ("bot.safetensors", "table.safetensors"):
        digest = content_digest(folder / name)[:16]
        assert load(name).digest == parse_bot(name).digest == digest
    purified = load("bot.safetensors(purify=1)").digest
    assert purified not in (load("bot.safetensors").digest, load("bot.safetensors(fallback=call)").digest)
    assert purified == load("bot.safetensors").with_options(purify=True).digest


def test_a_given_bot_is_what_it_wraps():
    bot = GivenBot(always_call())
    assert as_bot(bot) is bot and bot.inputs() == {}
    np.testing.assert_array_equal(load(bot, LEDUC).policies([LEDUC.root()])[0].probabilities, [[1.0]])


def test_files_are_hashed_in_little_memory(tmp_path):
    """A program may be given a model of gigabytes, and needs the memory itself."""
    model = tmp_path / "model.bin"
    with open(model, "wb") as file:
        file.truncate(50_000_000)
    tracemalloc.start()
    try:
        found = [parse_bot(f"exec:{sys.executable} {model}").digest, file_digest(model)]
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    program = Path(sys.executable).read_bytes()
    wanted = [sha256(program + bytes(50_000_000)), sha256(bytes(50_000_000))]
    assert found == [digest.hexdigest()[:16] for digest in wanted]
