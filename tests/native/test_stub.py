"""`_native.pyi`, which is written by hand, says what the compiled module has: names, parameters, members."""

import ast
import re
from pathlib import Path

import pytest

import nashgap
from nashgap import _native

# Where the stub knows more of a parameter than the signature that nanobind keeps: what that says.
NARROWED = {
    "AbstractGame.__init__.cards": "Sequence[Sequence[CardAbstraction]]",
    "AbstractStrategy.__init__.segments": "Sequence[tuple[AbstractGame, tuple]]",
    "AbstractStrategy.policies.seed": "object | None",
    "Aivat.__init__.policies": "Sequence[HandPolicies]",
    "AskedOpponent.tell.answers": "list",
    "ToldPolicies.tell.answers": "list",
    "check_table.table": "object",
}

STUB = ast.parse((Path(nashgap.__file__).parent / "_native.pyi").read_text(encoding="utf-8"))


def defined(body, kind):
    return {node.name: node for node in body if isinstance(node, kind)}


def is_property(function):
    return any(ast.unparse(decorator) == "property" for decorator in function.decorator_list)


CONSTANTS = {node.target.id: node.annotation.id for node in STUB.body if isinstance(node, ast.AnnAssign)}
CLASSES = defined(STUB.body, ast.ClassDef)
FUNCTIONS = defined(STUB.body, ast.FunctionDef) | {
    f"{name}.{method}": node
    for name, members in CLASSES.items()
    for method, node in defined(members.body, ast.FunctionDef).items()
    if not is_property(node)
}


def parameters(function, name=None):
    """`name: type` of each, `= ...` where it has a default, and `/` after those that have a place but no name."""
    arguments = function.args
    assert not arguments.kwonlyargs and not arguments.vararg and not arguments.kwarg
    given = [*arguments.posonlyargs, *arguments.args]
    words = [
        f"{argument.arg}: {NARROWED[f'{name}.{argument.arg}']}"
        if f"{name}.{argument.arg}" in NARROWED
        else ast.unparse(argument)
        for argument in given
    ]
    for number in range(len(given) - len(arguments.defaults), len(given)):
        words[number] += " = ..."
    if arguments.posonlyargs:
        words.insert(len(arguments.posonlyargs), "/")
    return words


def compiled_parameters(function):
    ((signature, _, _),) = function.__nb_signature__
    plain = re.sub(r"ndarray\[[^]]*\]", "np.ndarray", signature)
    plain = re.sub(r"\\\d+", "...", plain)  # a default is kept elsewhere
    plain = plain.replace("nashgap._native.", "").replace("collections.abc.", "")
    return parameters(ast.parse(f"{plain}: ...").body[0])


def test_the_stub_has_the_names_of_the_module():
    top = {name for name in FUNCTIONS if "." not in name}
    assert top | CLASSES.keys() | CONSTANTS.keys() == {name for name in vars(_native) if not name.startswith("__")}


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_have_their_type(name):
    assert type(getattr(_native, name)).__name__ == CONSTANTS[name]


@pytest.mark.parametrize("name", CLASSES)
def test_classes_have_their_members(name):
    compiled, stub = getattr(_native, name), CLASSES[name]
    assert [ast.unparse(base) for base in stub.bases] == [b.__name__ for b in compiled.__bases__ if b is not object]
    members = {member: is_property(node) for member, node in defined(stub.body, ast.FunctionDef).items()}
    has_constructor = hasattr(compiled.__init__, "__nb_signature__")
    assert members == {
        member: isinstance(value, property)
        for member, value in vars(compiled).items()
        if not member.startswith("__") or (member == "__init__" and has_constructor)
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_have_their_parameters(name):
    owner, _, function = name.rpartition(".")
    compiled = getattr(getattr(_native, owner) if owner else _native, function)
    assert parameters(FUNCTIONS[name], name) == compiled_parameters(compiled)


def test_narrowed_parameters_exist():
    known = {f"{name}.{argument.arg}" for name, node in FUNCTIONS.items() for argument in node.args.args}
    assert NARROWED.keys() <= known
