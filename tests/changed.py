"""Names the tests of what was changed, for `make check`.

`python tests/changed.py [COMMIT]` prints paths for pytest: the tests of all files that differ from the commit, whether
git knows them yet or not. Without a commit it is where the branch left its upstream, or the one before the last where
there is no upstream or nothing new. The tests of a room are the folder of the same name; those of the package's shape
are always among them.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
ALWAYS = "tests/test_architecture.py"

# Folders of native/ whose Python face has another name.
FACES = {"bind": "native", "explain": "explanations", "measure": "measures", "random": "native", "tree": "core"}
# What lies beside the rooms.
PLACES = {
    "src/nashgap/_native.pyi": "tests/native",
    "src/nashgap/catalogue.py": "tests/contracts",
    "src/nashgap/recipes": "tests/jobs",
    "README.md": "tests/test_documentation.py",
    "docs": "tests/test_documentation.py",
    "examples": "tests/test_documentation.py",
}


def tests_of(path: str) -> set[str]:
    """The tests of one changed file, whether they exist or not; none where only the whole of the tests would do."""
    for place, tests in PLACES.items():
        if path == place or path.startswith(f"{place}/"):
            return {tests}
    match path.split("/"):
        case ["src", "nashgap", room, _, *_]:
            return {f"tests/{room}"}
        case ["native", folder, _, *_]:
            return {"tests/native", f"tests/{FACES.get(folder, folder)}"}
        case ["tests", "plain", twin]:
            return tests_that_name(Path(twin).stem)
        case ["tests", *_, name] if name.startswith("test_"):
            return {path}
        case ["tests", room, _, *_]:
            return {f"tests/{room}"}
    return set()


def tests_that_name(module: str) -> set[str]:
    """The tests that import a module from beside them."""
    found = (path for path in (ROOT / "tests").rglob("test_*.py") if module in path.read_text(encoding="utf-8"))
    return {path.relative_to(ROOT).as_posix() for path in found}


def select(changed: Iterable[str]) -> list[str]:
    """The tests of all these files that exist, without those that another one contains."""
    wanted = {ALWAYS}.union(*(tests_of(path) for path in changed))
    existing = {path for path in wanted if (ROOT / path).exists()}
    return sorted(path for path in existing if not any(str(parent) in existing for parent in Path(path).parents))


def git(*words: str) -> list[str]:
    """The lines that git answers; none where it refuses."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def base() -> str:
    """The commit that changes are counted from."""
    head = git("rev-parse", "HEAD")
    left_at = git("merge-base", "HEAD", "@{upstream}")
    return left_at[0] if left_at and left_at != head else "HEAD~1"


def changed_files(commit: str) -> list[str]:
    """Files that differ from a commit, removed and new ones too."""
    return git("diff", "--name-only", "--no-renames", commit) + git("ls-files", "--others", "--exclude-standard")


def main(arguments: list[str]) -> int:
    commit = arguments[0] if arguments else base()
    if not git("rev-parse", "--verify", f"{commit}^{{commit}}"):
        print(f"there is no commit {commit!r} to compare with", file=sys.stderr)
        return 2
    print(*select(changed_files(commit)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
