"""NashGap: how far is a strategy from equilibrium?

    import nashgap as ng
    bot = ng.solve("hunl-fcpa-small", minutes=1)
    ng.measure(bot, by="lbr", rounds="3-4")

The public names stand in `__init__.pyi`, each with its home, and are imported when they are first asked for: `import
nashgap` itself costs nothing, and is over before Ctrl-C at the start of a command can fall into it.
"""

from functools import lru_cache as _lru_cache
from importlib import import_module as _import_module


@_lru_cache(maxsize=1)
def _homes() -> dict[str, tuple[str, str]]:
    """Module and attribute of every public name; a module that is a name itself has the attribute ''."""
    import ast
    from pathlib import Path

    found: dict[str, tuple[str, str]] = {}
    for node in ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            is_package = node.module == "nashgap.api"
            for alias in node.names:
                home = (f"{node.module}.{alias.name}", "") if is_package else (node.module, alias.name)
                found[alias.asname or alias.name] = home
    return found


def __getattr__(name: str) -> object:
    if name == "__all__":
        return sorted(_homes())
    if name in _homes():
        module, attribute = _homes()[name]
        return getattr(_import_module(module), attribute) if attribute else _import_module(module)
    raise AttributeError(f"module 'nashgap' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})
