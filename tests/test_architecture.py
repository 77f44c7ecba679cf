"""The shape of the package: imports point one way, modules say what they export, the catalogue is complete and true."""

import ast
import inspect
import os
import re
import subprocess
import sys
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import nashgap
from nashgap import catalogue
from nashgap.errors import ConfigError
from nashgap.measures.aivat import LuckTerms
from nashgap.poker.rules import PokerRules
from nashgap.solvers.named import UpperVariant
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.range_cfr import RangeCFR
from nashgap.solvers.recipe import Recipe
from nashgap.solvers.samplings import Sampling
from nashgap.solvers.schedules import Schedule
from nashgap.solvers.seeding import TableSeeding
from nashgap.solvers.sequence_lp import solve_sequence_lp

PACKAGE = Path(nashgap.__file__).parent
PROJECT = Path(__file__).parent.parent
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))

# From the bottom up; a module imports from its own layer or from those below.
LAYERS = [
    {"errors", "core", "runs", "cards"},
    {"games", "poker"},
    {"abstraction"},
    {"strategies"},
    {"solvers", "measures"},
    {"search", "explanations"},
    {"agents"},
    {"arena"},
    {"jobs"},
    {"reports"},
    {"api"},
    {"papers"},
    {"web", "cli"},
    {"__init__", "__main__"},
]
FRONT_DOOR = "api"  # is what the names of the package itself stand for
# Only strings and arrays: anyone may ask for these.
FREE = {"catalogue", "_native"}

REGISTRIES = {name: registry for name, registry in vars(catalogue).items() if isinstance(registry, catalogue.Registry)}
ENTRIES = [(kind, name) for kind, registry in REGISTRIES.items() for name in registry.entries]

# Files beside the algorithms that are none themselves.
SUPPORTING = {
    "games/checks.py",
    "games/compiled.py",
    "games/joint.py",
    "games/one_shot.py",
    "games/showdown.py",
    "games/simulated.py",  # the same names as `openspiel`
    "games/sizes.py",
    "games/spec.py",
    "measures/advice.py",  # what it proposes is played by the job that measures
    "measures/asked_response.py",
    "measures/best_response.py",  # the catalogue names the job that also answers in larger games
    "measures/flops.py",
    "measures/full_response.py",
    "measures/controls.py",  # luck that `lbr` takes off its bounds
    "measures/lbr_lines.py",  # what `lbr` does with all hands at once
    "measures/line_leaks.py",
    "measures/hand_values.py",
    "measures/leak_keys.py",
    "measures/leaks.py",
    "measures/local_best_response.py",  # the catalogue names the job that plays it
    "measures/opponents.py",
    "measures/played_tree.py",
    "measures/seat_gap.py",
    "measures/subject.py",
    "solvers/cfr.py",  # the catalogue names its schedules
    "solvers/named.py",
    "solvers/given.py",
    "solvers/mccfr.py",  # and its samplings
    "solvers/state.py",
    "solvers/subtree_nodes.py",
}


def room(module):
    """The part of the package that a file or a dotted name belongs to."""
    return Path(module).parts[0].removesuffix(".py") if isinstance(module, Path) else module.split(".")[1]


def rank(name):
    return next(number for number, layer in enumerate(LAYERS) if name in layer)


def parsed(module):
    return ast.parse((PACKAGE / module).read_text(encoding="utf-8"))


def is_for_types(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(module):
    """(module, name or None) of every import from our own package, those inside functions too.

    Not those of the catalogue for the types of its tables: its names are strings when it runs.
    """
    tree = parsed(module)
    if module.name == "catalogue.py":
        tree.body = [node for node in tree.body if not is_for_types(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names if alias.name.split(".")[0] == "nashgap")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            if node.module and node.module.split(".")[0] == "nashgap":
                yield from ((node.module, alias.name) for alias in node.names)


def resolved(source, name):
    """The module that an import reaches: `from nashgap.solvers import schedules` reaches a module, not a name."""
    inner = PACKAGE.joinpath(*source.split(".")[1:], name or "")
    is_module = name is not None and (inner.with_suffix(".py").exists() or inner.is_dir() or name == "_native")
    return (f"{source}.{name}", None) if is_module else (source, name)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_imports_point_one_way(module):
    own = room(module)
    for source, _ in (resolved(*found) for found in imports(module)):
        target = FRONT_DOOR if source == "nashgap" else room(source)
        if target in FREE:
            continue
        assert own != "catalogue" or target == "errors", f"the catalogue imports {source}"
        assert own in FREE or rank(target) <= rank(own), f"{module} imports {source}, which lies above it"


def test_every_room_has_a_layer():
    rooms = {room(module) for module in MODULES} - FREE
    assert rooms <= set().union(*LAYERS)


def fresh_process(script):
    """What the script prints in a process that has imported nothing yet."""
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_package_is_light():
    """No work at import, and nothing heavy: each command would pay for it."""
    heavy = {"numpy", "scipy", "plotly", "highspy", "pyspiel", "typer", "sklearn", "pandas"}
    assert fresh_process(f"import sys, nashgap; print(sorted({heavy!r} & set(sys.modules)))") == "[]"


@pytest.mark.parametrize("module", ["core.result", "jobs.perform", "jobs.lbr", "jobs.train"])
def test_who_finds_results_knows_reports_by_name_only(module):
    """Whatever makes a report lies above, and is imported when one is asked for."""
    script = f"import sys, nashgap.{module}; print(sorted(name for name in sys.modules if 'nashgap.reports' in name))"
    assert fresh_process(script) == "[]"


def front_door():
    """Module and attribute of every public name, as the stub has them."""
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    assert all(isinstance(node, ast.ImportFrom) and node.level == 0 for node in stub.body), "only imports"
    names = [(node.module, alias) for node in stub.body for alias in node.names]
    assert all(alias.asname == alias.name for _, alias in names), "`name as name`, so that type checkers export it"
    assert len({alias.name for _, alias in names}) == len(names), "each name once"
    return {alias.name: (module, alias.name) for module, alias in names}


@pytest.mark.parametrize(("name", "home"), front_door().items())
def test_every_name_of_the_front_door_is_that_of_its_home(name, home):
    module, attribute = home
    home_module = import_module(module)
    if isinstance(getattr(nashgap, name), ModuleType):  # a part of the front door that is a module itself
        assert getattr(nashgap, name) is import_module(f"{module}.{attribute}")
    else:
        assert getattr(nashgap, name) is getattr(home_module, attribute)
        assert attribute in home_module.__all__


def test_the_front_door_lists_its_names():
    assert nashgap.__all__ == sorted(front_door())
    assert set(nashgap.__all__) <= set(dir(nashgap))
    names = {}
    exec("from nashgap import *", names)
    assert set(nashgap.__all__) <= set(names)
    with pytest.raises(AttributeError, match="module 'nashgap' has no attribute 'sovle'"):
        nashgap.sovle  # noqa: B018


def test_no_room_has_the_name_of_a_function():
    """To import `nashgap.measure` would put the module in the place of the function `nashgap.measure`."""
    assert not {room(module) for module in MODULES} & set(front_door())


@pytest.mark.parametrize("is_asked_first", [True, False])
def test_the_front_door_stays_when_every_module_was_imported(is_asked_first):
    modules = [".".join(("nashgap", *module.with_suffix("").parts)).removesuffix(".__init__") for module in MODULES]
    asked = "{name: getattr(nashgap, name) for name in nashgap.__all__}"
    script = f"""
from importlib import import_module
import nashgap
before = {asked if is_asked_first else "None"}
for module in {[name for name in modules if not name.endswith("__main__")]!r}:
    import_module(module)
after = {asked}
changed = [name for name in before or after if before and after[name] is not before[name]]
homes = {front_door()!r}
for name, (module, attribute) in homes.items():
    home = import_module(module)
    wanted = getattr(home, attribute)
    changed += [name] if after[name] is not wanted else []
print(changed)
"""
    assert fresh_process(script) == "[]"


def public_definitions(tree):
    kinds = ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef
    return {node.name for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")}


@pytest.mark.parametrize("module", [m for m in MODULES if m.name != "__main__.py"], ids=str)
def test_all_is_what_is_public(module):
    """`__all__` is sorted by ruff, has every public function and class, and nothing that does not exist."""
    defined = public_definitions(parsed(module))
    if not defined and module.name == "__init__.py":
        return
    dotted = ".".join(("nashgap", *module.with_suffix("").parts)).removesuffix(".__init__")
    loaded = import_module(dotted)
    exported = getattr(loaded, "__all__", None)
    assert exported is not None, f"{dotted} has no __all__"
    assert len(set(exported)) == len(exported)
    assert not [name for name in exported if not hasattr(loaded, name)]
    assert defined <= set(exported), f"{dotted} does not export {sorted(defined - set(exported))}"


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_only_exported_names_are_imported(module):
    for source, name in (resolved(*found) for found in imports(module)):
        if name is not None and source != "nashgap":
            assert name in import_module(source).__all__, f"{module} imports {name}, which {source} does not export"


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[0] != "cli" and m.name != "__main__.py"], ids=str)
def test_the_library_does_not_print_or_exit(module):
    calls = (node.func for node in ast.walk(parsed(module)) if isinstance(node, ast.Call))
    called = {function.id for function in calls if isinstance(function, ast.Name)}
    assert not called & {"print", "exit", "quit", "input", "breakpoint"}


ALONE = (PokerMCCFR, RangeCFR, solve_sequence_lp)  # solvers without variants
IS_WHAT_LOADS = {
    "GAMES": lambda loaded: isinstance(loaded, type) and is_dataclass(loaded),
    "POKER_GAMES": lambda loaded: isinstance(loaded, PokerRules),
    "RECIPES": lambda loaded: isinstance(loaded, Recipe),
    "RESIDENTS": lambda loaded: isinstance(loaded, Path),
    "SEEDINGS": lambda loaded: isinstance(loaded, TableSeeding),
    "SOLVERS": lambda loaded: isinstance(loaded, Schedule | Sampling | UpperVariant) or loaded in ALONE,
    "VARIANCES": lambda loaded: isinstance(loaded, LuckTerms),
    "JOBS": lambda loaded: isinstance(loaded, type) and callable(loaded.from_config),
}


@pytest.mark.parametrize(("kind", "name"), ENTRIES)
def test_every_name_of_a_table_loads_the_same_kind_of_thing(kind, name):
    """As the catalogue says above the table; what it does not say here is a function."""
    assert IS_WHAT_LOADS.get(kind, inspect.isfunction)(REGISTRIES[kind].load(name))


def test_importing_the_catalogue_reads_no_file():
    """Nor anything of the package but the errors; files are found when a name is asked for."""
    script = "import sys, nashgap.catalogue; print(sorted(name for name in sys.modules if name.startswith('nashgap')))"
    assert fresh_process(script) == "['nashgap', 'nashgap.catalogue', 'nashgap.errors']"
    entries = catalogue.FileRegistry(
        "poker game", "poker/gamedefs/*.game", "nashgap.poker.rules:load_rules", ""
    ).entries
    assert "_found" not in vars(entries)
    assert list(entries) == list(catalogue.POKER_GAMES.entries)
    assert "_found" in vars(entries)


@pytest.mark.parametrize(("kind", "name"), ENTRIES)
def test_every_entry_names_the_test_that_proves_it(kind, name):
    path, _, test = REGISTRIES[kind].entries[name].checked.partition("::")
    file = PROJECT / path
    assert file.is_file(), f"{path} does not exist"
    if test:
        assert f"def {test}(" in file.read_text(encoding="utf-8"), f"{path} has no {test}"


def test_every_algorithm_is_in_the_catalogue():
    named = {entry.target.partition(":")[0] for registry in REGISTRIES.values() for entry in registry.entries.values()}
    for module in MODULES:
        if module.parts[0] in ("games", "solvers", "measures") and module.name != "__init__.py":
            dotted = "nashgap." + ".".join(module.with_suffix("").parts)
            is_known = dotted in named or module.as_posix() in SUPPORTING
            assert is_known, f"{module} is neither in the catalogue nor among the supporting files"


def test_supporting_files_exist_and_are_not_catalogued():
    named = {entry.target.partition(":")[0] for registry in REGISTRIES.values() for entry in registry.entries.values()}
    for module in SUPPORTING:
        assert (PACKAGE / module).is_file()
        assert "nashgap." + module.removesuffix(".py").replace("/", ".") not in named


def test_entries_are_complete():
    for kind, name in ENTRIES:
        entry = REGISTRIES[kind].entries[name]
        assert entry.summary
        assert entry.target.startswith("nashgap.")
        assert entry.checked.startswith("tests/")


def test_a_wrong_name_is_answered_with_the_right_ones():
    with pytest.raises(ConfigError, match=r"unknown game 'leducc' \(did you mean 'leduc'\?\); known: bet_size, kuhn"):
        catalogue.GAMES.load("leducc")


@pytest.mark.parametrize(
    ("registry", "name", "meant"),
    [
        (catalogue.SOLVERS, "cfrplus", "cfr+"),
        (catalogue.SOLVERS, "CFR_Plus", "cfr+"),
        (catalogue.SOLVERS, "pcfr-plus", "pcfr+"),
        (catalogue.SOLVERS, "External Sampling", "external-sampling"),
        (catalogue.GAMES, "rock-paper-scissors", "rock_paper_scissors"),
        (catalogue.RECIPES, "hunl_fcpa_small", "hunl-fcpa-small"),
        (catalogue.POKER_GAMES, "HUNL", "hunl"),
    ],
)
def test_other_spellings_of_a_name_are_answered_with_the_name(registry, name, meant):
    with pytest.raises(ConfigError, match=rf"did you mean '{re.escape(meant)}'\?"):
        registry.load(name)
